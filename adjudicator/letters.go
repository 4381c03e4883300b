package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"samizdat/rules"
	"samizdat/templates"
)

// address begins a letter to a seat: number, token, thread.
func (a *Adjudicator) address(m *Match, seat rules.Seat) Dispatch {
	s := &m.Seats[seat]
	s.Letters++
	token := Token{Match: m.ID, Seat: seat, Number: s.Letters}
	d := Dispatch{
		Match: m.ID, Seat: seat, Number: s.Letters, To: s.Player.Address, Token: a.Post.Token(s.Key, token),
		MessageID: a.Post.LetterID(s.Key, token), Date: a.Now(),
		Subject: subject(m, "", "an invitation"), Entries: m.Entries,
		// What all letters of a thread name keeps them together, also when the key has
		// changed and the one before cannot be named any more.
		References: []string{m.ID + "-" + strconv.Itoa(int(seat)) + "-1@" + a.Post.Domain()},
	}
	if s.Letters > 1 {
		token.Number--
		d.References = append(d.References, a.Post.LetterID(s.Key, token))
	}
	return d
}

// change gathers what is to be stored, with the letters: one to the seat that is
// answered, if any is, and one to every other that has something to learn.
func (s *session) change(ctx context.Context, answered rules.Seat) (Change, error) {
	s.since()
	s.dropHeldBack()
	if err := s.delays(); err != nil {
		return Change{}, err
	}
	if s.pos != nil {
		data, err := json.Marshal(s.pos)
		if err != nil {
			return Change{}, err
		}
		s.m.Position, s.m.Build = data, s.a.Build
	}
	c := Change{Match: s.m, Entries: s.entries}
	for i := range s.m.Seats {
		seat := rules.Seat(i)
		if seat != answered && !s.news(seat) {
			continue
		}
		d, err := s.letterTo(seat, answered)
		if err != nil {
			return Change{}, err
		}
		c.Letters = append(c.Letters, d)
	}
	public, told, err := s.toObservers(ctx)
	if err != nil {
		return Change{}, err
	}
	c.Letters, c.Observers = append(append(c.Letters, s.contact.letters...), public...), told
	c.Player, c.Others = s.contact.player, s.contact.others
	return c, nil
}

// receipt is the receipt of the letter that was taken up.
func (s *session) receipt(l Letter, digest string) *Receipt {
	r := l.receipt(digest, s.disposition, s.a.Now())
	r.Match, r.Seat = s.m.ID, s.seat
	if s.votes() {
		r.Raw, r.SHA256 = nil, ""
	}
	return r
}

// news reports whether a reader has something to learn. It depends only on what he may
// know: another's private answer is no news, nor is its time. Those who observe are told
// of what has moved the match, and of nothing that is only asked or said.
func (s *session) news(reader rules.Seat) bool {
	switch {
	case len(s.mail[reader]) > 0, reader != rules.Nobody && (s.m.Takeback != s.takeback || len(s.remarks) > 0):
		return true
	case reader == s.seat && len(s.lines[reader]) > 0:
		return true // What was kept for the seat came to nothing.
	case !s.changed():
		return false
	case s.was == nil, s.m.State == Over, len(s.lines[reader]) > 0, len(s.toldTo(reader)) > 0:
		return true
	}
	return s.standing(s.was, reader) != s.standing(s.pos, reader)
}

// letterTo writes the letter to a seat. Answered is the seat whose letter is answered.
func (s *session) letterTo(seat, answered rules.Seat) (Dispatch, error) {
	who := &s.m.Seats[seat]
	renewed, err := s.a.renewLate(who)
	if err != nil {
		return Dispatch{}, err
	}
	d := s.a.address(s.m, seat)
	own := s.own(seat)
	if seat == answered {
		d.Reply, d.InReplyTo = true, s.letter.MessageID
		own.problems = slices.Clone(s.letter.Problems)
		if s.letter.Shared {
			own.problems = append(own.problems, "Your letter went to another address as well, and who reads it there could have answered in your "+
				"name. So the address that you answer to has changed: reply to this letter, older ones no longer count.")
		}
		own.help = s.help
	}
	own.problems = append(own.problems, renewed...)
	l := s.compose(seat, own)
	l.Mark, d.Subject = s.a.Post.Mark(), l.Subject
	if s.pos != nil {
		for _, o := range s.owed(seat) {
			d.Decisions = append(d.Decisions, o.ID)
		}
		if err := s.illustrate(&d, &l); err != nil {
			return d, err
		}
	}
	d.Body, d.HTML, err = lay(s.inScript(l, seat), s.a.sendsPages(who))
	if err == nil {
		d.Raw, err = s.a.Post.Render(d)
	}
	if err != nil {
		return d, fmt.Errorf("write letter %d to seat %d: %w", d.Number, d.Seat, err)
	}
	return d, nil
}

// own is what the letter in hand leads to for one reader alone.
func (s *session) own(reader rules.Seat) enclosure {
	own := enclosure{lines: s.orderLines(reader), parts: slices.Clone(s.mail[reader])}
	if len(own.parts) > 0 {
		own.whose = fmt.Sprintf("\n%s has written to you; the message stands below.", capital(s.role(s.seat)))
	}
	if reader == s.seat {
		own.parts, own.brief = s.answers(reader), s.brief
	}
	return own
}

// lay lays a letter out as text, and as a page where pages are sent.
func lay(l templates.Letter, pages bool) (text, page string, err error) {
	if text, err = l.Text(); err == nil && pages {
		page, err = l.HTML()
	}
	return text, page, err
}
