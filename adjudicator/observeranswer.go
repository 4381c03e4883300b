package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// fromObserver takes the letters of somebody who observes, or did.
func (a *Adjudicator) fromObserver(ctx context.Context, l Letter) (Disposition, error) {
	digest := l.digest()
	if was, twice, err := a.Store.Received(ctx, l.Token.Match, rules.Nobody, digest); err != nil || twice {
		return was, err
	}
	m, err := a.Store.Match(ctx, l.Token.Match)
	if errors.Is(err, ErrNoMatch) {
		return Ignored, nil
	}
	if err != nil {
		return "", err
	}
	o, ok := m.observerAt(l.From)
	if !ok || o.Number != l.Token.Observer {
		// He has left, and was told so.
		a.Log.InfoContext(ctx, "a letter of a former observer ignored", "match", m.ID, "message", l.MessageID)
		return Ignored, nil
	}
	c := Change{Receipt: l.receipt(digest, Done, a.Now())}
	c.Receipt.Match = m.ID
	var d Dispatch
	may := true
	if l.says(unobserveLine) != nil {
		o.Ended = true
		c.Match, c.Observers = m, []Observer{o}
		d = Dispatch{Match: m.ID, Subject: subject(m, "", "you watch no longer"), Body: farewellText(a.Post.Mark(), m.ID)}
	} else {
		// The match stays as it is, and nobody's orders have to wait for this.
		s, err := a.session(ctx, m, rules.Nobody, l)
		if err != nil {
			return "", err
		}
		if d, err = s.answerObserver(ctx); err != nil {
			return "", err
		}
		a.addressTo(&d, m, o, l.Token.Number)
		c.Receipt.Disposition = s.disposition
		// What changes nothing is answered only so often, as for players.
		may = a.mayAnswer(fmt.Sprintf("observer %s %d", m.ID, o.Number))
	}
	if may && a.answering(ctx, l, digest, &d) {
		c.Letters = []Dispatch{d}
	}
	if err := a.Store.Apply(ctx, c); err != nil {
		return "", err
	}
	return c.Receipt.Disposition, nil
}

// answerObserver answers the letter of an observer, as the match stood when
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
		if err := s.observerLine(ctx, l.Text); err != nil {
			return Dispatch{}, err
		}
	}
	own := s.own(rules.Nobody)
	own.problems = s.letter.Problems
	d, err := s.a.public(&s.account, own)
	d.Subject = subject(s.m, "", "your letter as an observer")
	return d, err
}

// observerLine answers one line of an observer's letter.
func (s *session) observerLine(ctx context.Context, text string) error {
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

// observerBounced takes a report that a letter to an observer did not arrive. If his
// address does not work he observes no longer. A report that does not bear the token
// of a letter to him ends nothing.
func (a *Adjudicator) observerBounced(ctx context.Context, l Letter) (Disposition, error) {
	if !l.Bounce.Hard || l.Genuine == nil {
		return Ignored, nil
	}
	m, err := a.Store.Match(ctx, l.Token.Match)
	if errors.Is(err, ErrNoMatch) {
		return Ignored, nil
	}
	if err != nil {
		return "", err
	}
	for _, o := range m.Observers {
		if o.Number != l.Token.Observer || !l.Genuine(a.observerKey(o.Address)) {
			continue
		}
		a.Log.WarnContext(ctx, "an observer cannot be reached, and is written to no longer", "match", m.ID, "observer", o.Number, "why", l.Bounce.Reason)
		o.Ended = true
		if err := a.Store.Apply(ctx, Change{Match: m, Observers: []Observer{o}}); err != nil {
			return "", fmt.Errorf("let observer %d of %s go: %w", o.Number, m.ID, err)
		}
	}
	return Ignored, nil
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
