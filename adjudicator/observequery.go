package adjudicator

import (
	"context"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// answerObserver answers the letter of somebody who watches, as the match stood when
// it is his turn to know.
func (s *session) answerObserver(ctx context.Context) (Dispatch, error) {
	text := s.letter.Orders
	if s.letter.TooBig || len(text) > mostText || len(order.Split(text)) > mostLines {
		s.report("", fateRefused, "Your letter was too long, and nothing in it was read.")
		text = ""
	} else if strings.TrimSpace(text) == "" {
		s.report("", fateRefused, "There was nothing in your letter above the line that says Samizdat reads nothing below it. "+observersHelp)
	}
	if s.pos != nil && s.m.Spectators.Delay > 0 {
		chapters, err := s.pastChapters(ctx)
		if err != nil {
			return Dispatch{}, err
		}
		if s.pos = nil; len(chapters) > 0 {
			s.pos = chapters[len(chapters)-1].pos
		}
	}
	s.brief = true
	for _, l := range s.parser.Lines(text) {
		if err := s.toWatch(ctx, l.Text); err != nil {
			return Dispatch{}, err
		}
	}
	own := s.own(rules.Nobody)
	own.problems = s.letter.Problems
	d, err := s.a.public(&s.account, own)
	d.Subject = subject(s.m, "", "your letter as an observer")
	return d, err
}

// toWatch answers one line of an observer's letter.
func (s *session) toWatch(ctx context.Context, text string) error {
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
			return s.history(ctx, text, q.n)
		default:
			s.asked = append(s.asked, asked{query: q.what})
			s.report(text, fateDone, "It stands below.")
		}
		return nil
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
	return nil
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
