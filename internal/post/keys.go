package post

import (
	"samizdat/mail"
	"samizdat/mail/message"
)

// Keys names what a letter may concern, as far as it can be told from the letter alone: its sender, and the
// matches, or the club, whose tokens it has, made by us or not. So all letters of a match keep their order,
// all to the club, and all of a sender. Those without a token have a key in common: what they may
// do is bounded for all of them together.
func (c Codec) Keys(r mail.Received) []string {
	raw := message.Beginning(r.Raw, mostOfStranger)
	l := message.ReadHeader(raw)
	var keys []string
	if l.Author != "" {
		keys = append(keys, "from "+l.Author)
	}
	if l.Auto != "" {
		// A report names the letter that came back in its body.
		if report, ok := message.Read(raw).Report(c.Address); ok && report.Letter != nil {
			keys = append(keys, "match "+report.Letter.Match)
		}
	}
	if c.InSubject {
		l = message.Untag(l, c.Address)
	}
	none := true
	for _, kind := range []message.Kind{message.Seat, message.Observer, message.Member, message.Director} {
		for _, t := range message.FindTokens(l, c.Address, kind) {
			keys, none = append(keys, "match "+t.Match), false
		}
	}
	if none {
		keys = append(keys, "no token")
	}
	return keys
}
