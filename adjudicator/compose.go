package adjudicator

import (
	"encoding/json"
	"fmt"
	"strconv"

	"samizdat/rules"
	"samizdat/templates"
)

// address begins a letter to a seat: number, token, thread.
func (a *Adjudicator) address(m *Match, seat rules.Seat) Dispatch {
	s := &m.Seats[seat]
	s.Letters++
	root := m.ID + "-" + strconv.Itoa(int(seat)) + "-1@" + a.Post.Domain()
	d := Dispatch{
		Match: m.ID, Seat: seat, Number: s.Letters, To: s.Address, ReplyTo: a.Post.ReplyTo(s.Key, m.ID, seat, s.Letters),
		MessageID: fmt.Sprintf("%s-%d-%d@%s", m.ID, seat, s.Letters, a.Post.Domain()), Date: a.Now(),
		Subject: fmt.Sprintf("[samizdat %s] %s", m.ID, m.Game),
	}
	if s.Letters > 1 {
		d.References = []string{root}
	}
	return d
}

// change gathers what is to be stored, with the letters: one to the sender, and
// one to every other seat if the match has moved.
func (s *session) change(digest string) (Change, error) {
	if s.pos != nil {
		data, err := json.Marshal(s.pos)
		if err != nil {
			return Change{}, err
		}
		s.m.Position = data
	}
	c := Change{Match: s.m, Entries: s.entries}
	c.Receipt = &Receipt{Match: s.m.ID, Seat: s.seat, Digest: digest, Raw: s.letter.Raw, Disposition: Done, At: s.a.Now()}
	if s.refused {
		c.Receipt.Disposition = Refused
	}
	for i := range s.m.Seats {
		seat := rules.Seat(i)
		if seat != s.seat && !s.changed {
			continue
		}
		d, err := s.compose(seat)
		if err != nil {
			return Change{}, err
		}
		c.Letters = append(c.Letters, d)
	}
	return c, nil
}

// compose writes the letter of one seat. Everything in it comes from the seat's
// view and from events that it may know.
func (s *session) compose(seat rules.Seat) (Dispatch, error) {
	a := s.a
	d := a.address(s.m, seat)
	l := templates.Letter{Mark: a.Post.Mark(), Match: s.m.ID, Title: s.game.Title(), Credit: s.game.Credit(), Head: s.m.Head}
	for _, r := range s.lines[seat] {
		l.Lines = append(l.Lines, templates.Line{Text: r.Line, Fate: r.Fate, Note: r.Text})
	}
	if seat == s.seat {
		d.Reply, d.InReplyTo = true, s.letter.MessageID
		l.Problems = s.letter.Problems
		l.Help = s.help
	}
	if s.pos == nil {
		l.Whose = "The match has not begun: it waits for the others to join."
		return s.finish(d, l)
	}
	view := s.pos.View(seat)
	l.Status = s.game.Status(view)
	var mine []rules.Event
	for _, e := range s.events {
		if e.Audience.Has(seat) {
			mine = append(mine, e)
		}
	}
	l.Happened = s.game.Sentences(view, mine)
	if len(s.entries) > 0 && s.entries[0].Seq == 0 {
		l.Commitment = s.m.Secret.Commitment()
		for i := range s.m.Seats {
			l.Words = append(l.Words, templates.Words{Seat: s.m.Seats[i].Name, Words: s.m.Seats[i].Words})
		}
	}
	for _, o := range s.pos.Owed(nil) {
		if o.Seat != seat {
			continue
		}
		d.Decisions = append(d.Decisions, o.ID)
		p := s.game.Prompt(view, o, s.pos.Options(nil, o.ID))
		l.Prompts = append(l.Prompts, templates.Prompt{Question: p.Question, Forms: p.Forms, Notes: p.Notes})
	}
	l.Whose = s.whose(seat)
	// Every letter stands alone: mail gets lost.
	for _, sec := range s.game.Sections(view) {
		l.Sections = append(l.Sections, templates.Section{Title: sec.Title, Lines: sec.Lines})
	}
	return s.finish(d, l)
}

func (s *session) finish(d Dispatch, l templates.Letter) (Dispatch, error) {
	body, err := l.Text()
	if err != nil {
		return d, fmt.Errorf("compose letter %d to seat %d: %w", d.Number, d.Seat, err)
	}
	d.Body = body
	if d.Raw, err = s.a.Post.Render(d); err != nil {
		return d, fmt.Errorf("render letter %d to seat %d: %w", d.Number, d.Seat, err)
	}
	return d, nil
}

// whose says in a line whose move it is.
func (s *session) whose(seat rules.Seat) string {
	if r, over := s.pos.Result(); over {
		switch {
		case r.Winners == 0:
			return "The match is over: a draw (" + r.Reason + ")."
		case r.Winners.Has(seat):
			return "The match is over, and you have won (" + r.Reason + ")."
		}
		return "The match is over, and you have not won (" + r.Reason + ")."
	}
	if s.pos.Stalled() {
		return "The match waits for chance."
	}
	names := ""
	for _, d := range s.pos.Owed(nil) {
		if d.Seat == seat {
			return "It is your move."
		}
		if names != "" {
			names += " and the "
		}
		names += s.m.Seats[d.Seat].Name
	}
	return "Nothing is asked of you now. The match waits for the " + names + "."
}
