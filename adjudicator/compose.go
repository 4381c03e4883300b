package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/templates"
)

// address begins a letter to a seat: number, token, thread.
func (a *Adjudicator) address(m *Match, seat rules.Seat) Dispatch {
	s := &m.Seats[seat]
	s.Letters++
	d := Dispatch{
		Match: m.ID, Seat: seat, Number: s.Letters, To: s.Mailbox(), ReplyTo: a.Post.ReplyTo(s.Key, m.ID, seat, s.Letters),
		MessageID: a.Post.LetterID(s.Key, m.ID, seat, s.Letters), Date: a.Now(),
		Subject: subject(m, "", "an invitation"), Entries: m.Entries,
		// What all letters of a thread name keeps them together, also when the key has
		// changed and the one before cannot be named any more.
		References: []string{m.ID + "-" + strconv.Itoa(int(seat)) + "-1@" + a.Post.Domain()},
	}
	if s.Letters > 1 {
		d.References = append(d.References, a.Post.LetterID(s.Key, m.ID, seat, s.Letters-1))
	}
	return d
}

// change gathers what is to be stored, with the letters: one to the seat that is
// answered, if any is, and one to every other that has something to learn.
func (s *session) change(ctx context.Context, answered rules.Seat) (Change, error) {
	s.since()
	s.endWaiting()
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
		d, err := s.compose(seat, answered)
		if err != nil {
			return Change{}, err
		}
		c.Letters = append(c.Letters, d)
	}
	public, told, err := s.toObservers(ctx)
	if err != nil {
		return Change{}, err
	}
	c.Letters, c.Observers = append(append(c.Letters, s.notices...), public...), told
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

// news reports whether a seat has something to learn. It depends only on what
// the seat may know: another's private answer is no news, nor is its time.
func (s *session) news(seat rules.Seat) bool {
	switch {
	case len(s.mail[seat]) > 0, s.m.Takeback != s.takeback, len(s.remarks) > 0:
		return true
	case seat == s.seat && len(s.lines[seat]) > 0:
		return true // What was kept for the seat came to nothing.
	case !s.changed():
		return false
	case s.was == nil, s.m.State == Over, len(s.lines[seat]) > 0, len(s.toldTo(seat)) > 0:
		return true
	}
	return s.standing(s.was, seat) != s.standing(s.pos, seat)
}

// standing is what a letter to a seat says of a position, whatever happened.
func (c *account) standing(pos rules.Position, seat rules.Seat) string {
	view, owed := pos.View(seat), pos.Owed(nil)
	mine := slices.DeleteFunc(slices.Clone(owed), func(d rules.Decision) bool { return d.Seat != seat })
	return fmt.Sprint(c.game.Status(view), c.game.Sections(view), c.names(owed), mine)
}

// toldTo lists the events that a seat may know.
func (c *account) toldTo(seat rules.Seat) []rules.Event {
	return slices.DeleteFunc(slices.Clone(c.events), func(e rules.Event) bool { return !e.Audience.Has(seat) })
}

// marked are the standing parts of a seat's letter, as the text has them and as the
// page does, with a mark at what the letter's events have changed.
func (c *account) marked(seat rules.Seat, view rules.View) ([]rules.Section, []rules.Part) {
	if m, ok := c.game.(rules.Marker); ok {
		return m.Marked(view, c.toldTo(seat))
	}
	var page []rules.Part
	if t, ok := c.game.(rules.Typesetter); ok {
		page = t.Page(view)
	}
	return c.game.Sections(view), page
}

// dice says where chance comes from, when the match begins and when it is over.
func (c *account) dice(l *templates.Letter) {
	first := len(c.entries) > 0 && c.entries[0].Seq == 0
	switch {
	case c.m.Recorded != nil:
		l.Given = first
	case first:
		l.Commitment = c.m.Secret.Commitment()
		for i := range c.m.Seats {
			l.Words = append(l.Words, templates.Words{Seat: capital(c.role(rules.Seat(i))), Words: c.m.Seats[i].Words})
		}
	case c.m.State == Over:
		l.Commitment, l.Secret = c.m.Secret.Commitment(), c.m.Secret.Hex()
	}
}

// compose writes the letter of one seat. Everything in it comes from the seat's
// view and from events that it may know. Answered is the seat whose letter is answered.
func (s *session) compose(seat, answered rules.Seat) (Dispatch, error) {
	a := s.a
	renewed, err := a.renewLate(&s.m.Seats[seat])
	if err != nil {
		return Dispatch{}, err
	}
	d := a.address(s.m, seat)
	l := templates.Letter{Mark: a.Post.Mark(), Match: s.m.ID, Title: s.game.Title(), Credit: s.game.Credit(), Head: s.m.Head}
	l.Lines = s.orderLines(seat)
	if seat == answered {
		d.Reply, d.InReplyTo = true, s.letter.MessageID
		l.Problems = s.letter.Problems
		if s.letter.Shared {
			l.Problems = append(slices.Clone(l.Problems), "Your letter went to another address as well, and who reads it there could have answered in your "+
				"name. So the address that you answer to has changed: reply to this letter, older ones no longer count.")
		}
		if s.help {
			l.Help = true
			_, l.Asks = s.game.(rules.Informer)
			_, l.Topics = s.game.(rules.Librarian)
			l.Posts = canPost(s.game)
			l.Verbs = verbs(s.game)
			l.Cards = hasCards(s.game)
			l.Ahead = s.programs != nil
		}
	}
	l.Problems = append(slices.Clone(l.Problems), renewed...)
	if s.pos == nil {
		l.Whose = s.notBegun(seat) + s.writers(seat)
		d.Subject = s.subject(seat)
		for _, sec := range s.earlyParts(seat) {
			l.Sections = append(l.Sections, templates.Section{Title: sec.Title, Lines: sec.Lines})
		}
		return s.finish(d, l)
	}
	view := s.pos.View(seat)
	d.Subject = s.subject(seat)
	l.Status = s.game.Status(view)
	if s.m.State == Over {
		l.Over = true
	} else {
		l.Status += "\nYou are " + s.role(seat) + "."
	}
	l.Happened = slices.Concat(s.remarks, s.game.Sentences(view, s.toldTo(seat)))
	s.dice(&l)
	for _, o := range s.owed(seat) {
		d.Decisions = append(d.Decisions, o.ID)
		p := s.game.Prompt(view, o, s.pos.Options(nil, o.ID))
		if line, ok := s.sealedAnswer(o); ok && o.Ballot {
			p.Question += "\n" + ballotIn
		} else if ok {
			p.Question += "\nYou have answered: " + line + ". Another answer takes its place until all are in."
		}
		l.Prompts = append(l.Prompts, templates.Prompt{Question: p.Question, Forms: p.Forms, Notes: p.Notes, Numbered: p.Numbered})
	}
	l.Whose = s.whose(seat) + s.writers(seat)
	l.Clock = s.clock(seat)
	if sec, ok := s.backSection(seat); ok {
		l.Sections = append(l.Sections, templates.Section{Title: sec.Title, Lines: sec.Lines})
	}
	// Every letter stands alone: mail gets lost.
	standing, parts := s.marked(seat, view)
	for _, sec := range s.parts(seat, view, standing) {
		l.Sections = append(l.Sections, templates.Section{Title: sec.Title, Lines: sec.Lines})
	}
	if s.a.sendsPages(&s.m.Seats[seat]) {
		unlaid(&l, standing, parts)
	}
	if err := s.illustrate(&d, &l, view); err != nil {
		return d, err
	}
	return s.finish(d, l)
}

// finish lays the letter out and renders it.
func (s *session) finish(d Dispatch, l templates.Letter) (Dispatch, error) {
	l.Subject = d.Subject
	l = s.inScript(l, d.Seat)
	var err error
	if d.Body, err = l.Text(); err == nil && s.a.sendsPages(&s.m.Seats[d.Seat]) {
		d.HTML, err = l.HTML()
	}
	if err != nil {
		return d, fmt.Errorf("compose letter %d to seat %d: %w", d.Number, d.Seat, err)
	}
	if d.Raw, err = s.a.Post.Render(d); err != nil {
		return d, fmt.Errorf("render letter %d to seat %d: %w", d.Number, d.Seat, err)
	}
	return d, nil
}

// whose says in a line whose move it is.
func (c *account) whose(seat rules.Seat) string {
	if r, over := c.pos.Result(); over {
		switch {
		case r.Winners == 0:
			return "The match is over, and it is a draw."
		case r.Winners.Has(seat):
			return "The match is over, and you have won."
		}
		return "The match is over, and you have not won."
	}
	if c.pos.Stalled() {
		return "The match waits for chance."
	}
	owed, mine, open := c.pos.Owed(nil), c.owed(seat), false
	for _, d := range mine {
		_, answered := c.sealedAnswer(d)
		open = open || !answered
	}
	switch {
	case open:
		return "It is your move."
	case len(mine) > 0:
		return "You have answered. The match waits until all sealed answers are in."
	}
	return "Nothing is asked of you now. The match waits for " + c.names(owed) + "."
}

// notBegun says for whom a match that has not begun waits.
func (c *account) notBegun(seat rules.Seat) string {
	if !c.m.Seats[seat].Joined {
		return "The match has not begun: it waits for you to join."
	}
	var names []string
	for _, other := range c.m.Seats {
		if !other.Joined {
			names = append(names, other.Name)
		}
	}
	return "The match has not begun: it waits for the " + strings.Join(names, " and the ") + " to join."
}
