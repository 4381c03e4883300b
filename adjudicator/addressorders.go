package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"samizdat/adjudicator/contact"
)

// addressLine is an order about the player's address: a line of its own. ALSO and ONLY
// are of a time when a player could have a second one.
var addressLine = regexp.MustCompile(`(?i)^\s*ADDRESS(?:\s*[:=]\s*|\s+|$)(?:(KEEP|ONLY|YES)|((?:ALSO|SECOND)\s+)?(\S+@\S+?))?\s*[.!;]?\s*$`)

// addresses carries out the orders about the player's address. They are his own
// affair and leave the match as it is.
func (s *session) addresses(ctx context.Context, row string) bool {
	m := addressLine.FindStringSubmatch(row)
	if m == nil {
		return false
	}
	row = strings.TrimSpace(row)
	switch word := strings.ToUpper(m[1]); {
	case (word == "KEEP" || word == "YES") && s.m.Seats[s.seat].Player.Open(s.a.Now()) == nil:
		s.report(row, fateDone, "Nothing is asked for, and nothing changes.")
	case word == "KEEP":
		s.keepAddress(ctx, row, "")
	case word == "YES":
		s.report(row, fateRefused, "That counts only in reply to the letter that asks for it, from the address that it came to. "+s.addressStands())
	case word == "ONLY":
		s.report(row, fateDone, "You have no second address. "+s.addressStands())
	case m[2] != "":
		s.report(row, fateRefused, fmt.Sprintf("A player has one address. ADDRESS %s moves your letters there; to read them at both, let your mail provider forward them. %s",
			m[3], s.addressStands()))
	case m[3] == "":
		s.report(row, fateDone, s.addressStands())
	default:
		s.askAddress(ctx, row, m[3])
	}
	return true
}

// addressStands says where letters go.
func (s *session) addressStands() string {
	p := s.m.Seats[s.seat].Player
	out := "Your letters go to " + p.Address + "."
	r := p.Open(s.a.Now())
	if r == nil {
		return out
	}
	switch {
	case !r.Due.IsZero():
		out += " From " + clockTime(r.Due) + " on " + effect(r) + "; ADDRESS KEEP prevents that."
	case r.Granted || r.Noticed.IsZero():
		out += fmt.Sprintf(" %s has been asked and has not answered; ADDRESS KEEP ends that.", r.To)
	default:
		out += fmt.Sprintf(" %s has been asked and has not answered, and you have not said YES in reply to the letter to %s; ADDRESS KEEP ends that.",
			r.To, p.Address)
	}
	return out
}

// askAddress asks an address whether letters may come there, and the one that the player
// has whether he wants it. A letter that is proven is his word.
func (s *session) askAddress(ctx context.Context, row, text string) {
	p, proven := s.m.Seats[s.seat].Player, s.letter.Proven != nil
	to, err := contact.Parse(text, s.a.Post.Referee())
	var next contact.Contact
	var notices []contact.Notice
	if err == nil {
		next, notices, err = contact.Step(p.Contact, contact.Ask{To: to, Proven: proven}, s.a.Now())
	}
	var letters []Dispatch
	if err == nil {
		was := p.Contact
		p.Contact = next
		if letters, err = s.a.addressLetters(ctx, s.m, s.seat, notices); err != nil {
			p.Contact = was
		}
	}
	for _, cannot := range []error{errNoQuestion, errNoNotice} {
		if errors.Is(err, cannot) {
			err = cannot
		}
	}
	if err != nil {
		s.report(row, fateRefused, sentence(err))
		return
	}
	s.notices = append(s.notices, letters...)
	const unasked = " If it was not you who asked, write ADDRESS KEEP and NEW TOKEN."
	r := next.Request
	if proven {
		s.report(row, fateDone, fmt.Sprintf("A letter has gone to %s. When it is answered from there with YES, %s. Until then, for %d days at most, "+
			"nothing changes.", r.To, effect(r), contact.Days)+unasked)
		return
	}
	s.report(row, fateDone, fmt.Sprintf("Letters have gone to %s and to %s. With YES from both, %s at once; with YES from %s alone, on %s or later. "+
		"Until then nothing changes. The question is good for %d days.",
		r.To, p.Address, effect(r), r.To, clockTime(r.Noticed.Add(contact.Wait)), contact.Days)+unasked)
}

// keepAddress ends the open request. Row is the line that does, more is what else there
// is to say.
func (s *session) keepAddress(ctx context.Context, row, more string) {
	p := s.m.Seats[s.seat].Player
	next, notices, err := contact.Step(p.Contact, contact.Keep{}, s.a.Now())
	var letters []Dispatch
	if err == nil {
		letters, err = s.a.addressLetters(ctx, s.m, s.seat, notices)
	}
	if err != nil {
		s.report(row, fateRefused, sentence(err))
		return
	}
	p.Contact = next
	s.notices = append(s.notices, letters...)
	s.report(row, fateDone, "The change that was asked for is off. "+s.addressStands()+more)
}
