// Package post joins mail and adjudicator: it reads a received message as the
// adjudicator's letter, and writes the adjudicator's dispatch as a message.
package post

import (
	"fmt"
	"net/url"
	"strings"

	ics "github.com/arran4/golang-ical"

	"samizdat/adjudicator/exchange"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
)

// Codec reads and writes letters under one address.
type Codec struct {
	// Address and Name are the referee's.
	Address, Name string
	// InSubject puts tokens into subjects, for a mail server that delivers no
	// addresses with a +detail.
	InSubject bool
	// Proof is what a player's letter must have beside its token; nil is nothing.
	Proof message.Proof
}

var _ exchange.Post = Codec{}

// Token implements exchange.Post.
func (c Codec) Token(key []byte, t exchange.Token) string {
	return message.NewToken(key, name(t)).String()
}

// ReplyTo is the address to answer to, with a token.
func (c Codec) ReplyTo(token string) string { return message.TokenAddress(c.Address, token) }

// LetterID implements exchange.Post.
func (c Codec) LetterID(key []byte, t exchange.Token) string {
	return message.NewLetterID(key, name(t)).String() + "@" + c.Domain()
}

// name is what a letter is called in tokens.
func name(t exchange.Token) message.LetterName {
	switch {
	case t.Director:
		return message.LetterName{Match: t.Match, Kind: message.Director, Number: t.Number}
	case t.Match == exchange.ClubName:
		return message.LetterName{Match: t.Match, Kind: message.Member, Holder: int(t.Member), Number: t.Number}
	case t.Seat == rules.NoSeat:
		return message.LetterName{Match: t.Match, Kind: message.Observer, Holder: t.Observer, Number: t.Number}
	}
	return message.LetterName{Match: t.Match, Kind: message.Seat, Holder: int(t.Seat), Number: t.Number}
}

// token is what a name in a token says.
func token(n message.LetterName) exchange.Token {
	switch n.Kind {
	case message.Observer:
		return exchange.ObserverToken(n.Match, n.Holder, n.Number)
	case message.Director:
		return exchange.DirectorToken(n.Match, n.Number)
	case message.Member:
		t := exchange.MemberToken(int64(n.Holder), n.Number)
		t.Match = n.Match
		return t
	}
	return exchange.Token{Match: n.Match, Seat: rules.Seat(n.Holder), Number: n.Number}
}

// Referee implements exchange.Post.
func (c Codec) Referee() string { return c.Address }

// Domain implements exchange.Post.
func (c Codec) Domain() string { return c.Address[strings.LastIndex(c.Address, "@")+1:] }

// Mark implements exchange.Post.
func (c Codec) Mark() string { return message.Mark }

// Render implements exchange.Post.
func (c Codec) Render(d exchange.Dispatch) (exchange.Rendered, error) {
	m := message.Draft{
		From: c.Address, FromName: c.Name, To: d.To, Subject: d.Subject, MessageID: d.MessageID,
		ReplyTo: d.ReplyTo, InReplyTo: d.InReplyTo, References: d.References, Date: d.Date, AutoSubmitted: "auto-generated", Text: d.Body,
		HTML:     d.HTML,
		Calendar: c.calendar(d),
	}
	if d.PictureID != "" {
		m.Picture = &message.Picture{ID: d.PictureID, Name: d.Match + ".png", Type: "image/png"}
	}
	if d.FileName != "" {
		m.File = &message.File{Name: d.FileName, Type: "application/jsonl"}
		if strings.HasSuffix(d.FileName, ".json") {
			m.File.Type = "application/json"
		}
	}
	if d.Reply {
		m.AutoSubmitted = "auto-replied"
	}
	if d.Match != "" {
		m.ListID = d.Match + "." + c.Domain()
	}
	if d.Token != "" {
		c.identify(&m, d)
	}
	var out exchange.Rendered
	if d.Number > 0 {
		out.LetterID = strings.TrimSuffix(d.MessageID, "@"+c.Domain())
	}
	var at message.DataOffsets
	var err error
	if out.Bytes, at, err = m.RenderWithoutData(); err != nil && m.InReplyTo != "" {
		// A player's mail program may send a Message-ID that no header can carry.
		// The letter matters more than its place in the thread.
		m.InReplyTo = ""
		out.Bytes, at, err = m.RenderWithoutData()
	}
	out.PictureAt, out.FileAt = at.Picture, at.File
	return out, err
}

// answer is the address, and the subject without its "Re:", of an answer to a letter.
func (c Codec) answer(d exchange.Dispatch) (to, subject string) {
	if c.InSubject {
		return c.Address, strings.TrimSuffix(d.Subject, " ["+d.Match+"]") + " " + message.SubjectTag(d.Token)
	}
	return c.ReplyTo(d.Token), d.Subject
}

// Answer implements exchange.Post.
func (c Codec) Answer(d exchange.Dispatch) (to, subject string) {
	to, subject = c.answer(d)
	return to, "Re: " + subject
}

// identify puts the token of a letter where its answer brings it back from.
func (c Codec) identify(m *message.Draft, d exchange.Dispatch) {
	m.ReplyTo, m.Subject = c.answer(d)
	if d.Unsubscribe != "" {
		subject := d.Unsubscribe
		if c.InSubject {
			subject += " " + message.SubjectTag(d.Token)
		}
		// A plus may come back as a space where it is not encoded (RFC 6068, section 5).
		m.Extra = map[string]string{"List-Unsubscribe": "<mailto:" + strings.ReplaceAll(m.ReplyTo, "+", "%2B") +
			"?subject=" + url.PathEscape(subject) + "&body=" + url.PathEscape(d.Unsubscribe) + ">"}
	}
}

// Keys names what a letter may concern, as far as it can be told from the letter alone: its sender, and the
// matches, or the club, whose tokens it has, made by us or not. So all letters of a match keep their order,
// all to the club, and all of a sender. Those without a token have a key in common: what they may
// do is bounded for all of them together.
func (c Codec) Keys(r mail.Received) []string {
	raw := message.TruncateBody(r.Raw, mostOfStranger)
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
		l = message.AddSubjectTokens(l, c.Address)
	}
	none := true
	for _, kind := range []message.ReaderKind{message.Seat, message.Observer, message.Member, message.Director} {
		for _, t := range message.FindTokens(l, c.Address, kind) {
			keys, none = append(keys, "match "+t.Match), false
		}
	}
	if none {
		keys = append(keys, "no token")
	}
	return keys
}

// calendar is an entry for its reader's calendar at the end of the time that he has for
// his answer. Each such letter to a seat changes the same entry.
func (c Codec) calendar(d exchange.Dispatch) string {
	if d.Until.IsZero() {
		return ""
	}
	cal := ics.NewCalendar()
	cal.SetProductId("-//Samizdat//Samizdat//EN")
	cal.SetMethod(ics.MethodPublish)
	e := cal.AddEvent(fmt.Sprintf("%s-%d@%s", d.Match, d.Seat, c.Domain()))
	e.SetSequence(int(d.Number))
	e.SetDtStampTime(d.Date)
	e.SetStartAt(d.Until)
	_, about, _ := strings.Cut(d.Subject, ": ")
	e.SetSummary("Your answer is due: " + about)
	e.SetTimeTransparency(ics.TransparencyTransparent)
	return cal.Serialize(ics.WithNewLineWindows)
}
