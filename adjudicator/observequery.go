package adjudicator

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/adjudicator/record"
	"samizdat/rules"
	"samizdat/templates"
)

// answerObserver answers the letter of somebody who watches, as the match stood when
// it is his turn to know.
func (s *session) answerObserver(ctx context.Context, d *Dispatch) error {
	var told []chapter
	text := s.letter.Orders
	if s.letter.TooBig || len(text) > mostText || len(order.Split(text)) > mostLines {
		s.report("", fateRefused, "Your letter was too long, and nothing in it was read.")
		text = ""
	} else if strings.TrimSpace(text) == "" {
		s.report("", fateRefused, "There was nothing in your letter above the line that says Samizdat reads nothing below it. "+observersHelp)
	}
	history := false
	lines := s.parser.Lines(text)
	for _, l := range lines {
		q, ok := s.readQuery(l.Text)
		history = history || ok && q.what == queryHistory
	}
	if s.pos != nil && (history || s.m.Spectators.Delay > 0) {
		var err error
		if told, err = s.publicChapters(ctx); err != nil {
			return err
		}
		if s.pos = nil; len(told) > 0 {
			s.pos = told[len(told)-1].pos
		}
	}
	s.brief = true
	for _, l := range lines {
		s.toWatch(l.Text, told)
	}
	l := s.publicPage()
	l.Lines, l.Problems = s.orderLines(rules.Nobody), s.letter.Problems
	d.Subject = subject(s.m, "", "your letter as an observer")
	if s.pos != nil {
		view := s.pos.View(rules.Nobody)
		for _, sec := range s.answers(view, s.game.Sections(view)) {
			l.Sections = append(l.Sections, templates.Section{Title: sec.Title, Lines: sec.Lines})
		}
	}
	p, err := s.layPublic(publicLetter{subject: d.Subject}, l)
	d.Body, d.HTML = p.body, p.html
	return err
}

// toWatch answers one line of an observer's letter.
func (s *session) toWatch(text string, told []chapter) {
	const notYet = "There is nothing to show yet."
	if q, ok := s.readQuery(text); ok {
		switch {
		case q.what == queryRules:
			s.rules(text, q.topic)
		case q.what == rules.QueryHand, q.what == queryPosition, q.what == queryResend:
			s.report(text, fateRefused, "Only players can ask for that.")
		case s.pos == nil:
			s.report(text, fateRefused, notYet)
		case q.what == queryHistory:
			s.publicHistory(text, q.n, told)
		default:
			s.asked = append(s.asked, asked{query: q.what})
			s.report(text, fateDone, "It stands below.")
		}
		return
	}
	o, err := s.parser.Order(text)
	verb := ""
	if err == nil {
		verb = o.Clauses[0].Word
	}
	switch {
	case verb == verbHelp:
		s.report(text, fateDone, observersHelp)
	case (verb == verbStatus || verb == verbCard) && s.pos == nil:
		s.report(text, fateRefused, notYet)
	case verb == verbStatus, verb == verbResend && s.pos != nil:
		s.brief = false
		s.report(text, fateDone, "Here is the match as it stands for you.")
	case verb == verbCard:
		s.aboutCard(text, o)
	case begins(text, verbObserve):
		s.report(text, fateIgnored, "You watch this match. To watch another one, write OBSERVE and its name in a new letter.")
	case verb != "", s.parser.IsOrder(text), begins(text, verbMessage), begins(text, verbJoin):
		s.report(text, fateRefused, "You only watch this match. "+observersHelp)
	default:
		s.report(text, fateIgnored, "You only watch this match. HELP says what you may write.")
	}
}

// publicChapters tells everybody the history of the match, entry by entry, as far as
// an observer may know it by now.
func (s *session) publicChapters(ctx context.Context) ([]chapter, error) {
	entries, err := s.a.Store.History(ctx, s.m.ID)
	if err != nil {
		return nil, fmt.Errorf("tell the history of %s: %w", s.m.ID, err)
	}
	rec := &record.Record{Header: s.a.header(s.game, s.m)}
	for _, e := range entries[:s.known(entries)] {
		rec.Add(e)
	}
	var out []chapter
	turn := 0
	if len(rec.Entries()) == 0 {
		return nil, nil
	}
	_, err = record.Replay(rec, s.game, func(v record.Visit) error {
		c := chapter{from: turn, pos: v.Position.Clone()}
		view := c.pos.View(rules.Nobody)
		if g, ok := s.game.(rules.Informer); ok {
			c.to = g.Turn(view)
			turn = c.to
		}
		var events []rules.Event
		for _, e := range v.Events {
			if e.Audience.Has(rules.Nobody) {
				events = append(events, e)
			}
		}
		if v.Entry.Takeback > 0 {
			c.sentences = append(c.sentences, s.tookBack(entries, v.Entry))
		}
		c.sentences = append(c.sentences, s.game.Sentences(view, events)...)
		out = append(out, c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("tell the history of %s: %w", s.m.ID, err)
	}
	return out, nil
}

// known is how many entries an observer may know by now. What stands before one that
// he may know is older than that, whatever the clock was when it was written.
func (s *session) known(entries []record.Entry) int {
	if s.m.Spectators.Delay == 0 {
		return len(entries)
	}
	until := s.a.Now().Add(-s.m.Spectators.Delay)
	for n := len(entries); n > 0; n-- {
		if !entries[n-1].At.After(until) {
			return n
		}
	}
	return 0
}

// publicHistory answers with what happened in a turn, the last one where none is
// named.
func (s *session) publicHistory(text string, turn int, told []chapter) {
	title := "What has happened"
	var sentences []string
	last := 0
	if len(told) > 0 {
		last = told[len(told)-1].to
	}
	if turn == 0 {
		turn = last
	}
	if turn > last {
		s.report(text, fateRefused, fmt.Sprintf("Turn %d has not begun; the last one is turn %d.", turn, last))
		return
	}
	if _, ok := s.game.(rules.Informer); ok {
		title = fmt.Sprintf("What happened in turn %d", turn)
	}
	for _, c := range told {
		if c.from <= turn && turn <= c.to {
			sentences = append(sentences, c.sentences...)
		}
	}
	lines := bulleted(sentences)
	if lines == nil {
		lines = []string{"Nothing yet."}
	}
	s.add(queryHistory, title, lines)
	s.report(text, fateDone, "It stands below.")
}

// watches answers a player who wants to watch: that is done from outside.
func (s *session) watches(row string) bool {
	m := observeLine.FindStringSubmatch(row)
	bare := strings.EqualFold(strings.Trim(row, " \t.!"), verbObserve)
	if m == nil && !bare && !unobserveLine.MatchString(row) {
		return false
	}
	note := "You play in this match: your letters tell you what those who watch are told, and more."
	if m != nil && !strings.EqualFold(m[1], s.m.ID) {
		note = "To watch another match, write a new letter to " + s.a.Post.Referee() + ", not a reply. This one goes to the match that you play in."
	}
	s.report(strings.TrimSpace(row), fateRefused, note)
	return true
}
