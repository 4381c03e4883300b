package command

import (
	"fmt"
	"slices"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// short reads lines that leave the verb to the question: "2" where the answers are
// numbered, the number of a card where a card is asked, "2 in Gdansk, Lodz" where
// points are. Only the question of the letter that is answered counts, never a later one.
type short struct {
	r *Reader
	// order is set when an order stands above: then a short line would answer a
	// question that its writer has not seen.
	order    bool
	asked    func() (Asked, error)
	question *Asked
	// verbs are those that a short line may leave out; tried counts the lines that were tried
	// with them.
	verbs []rules.Keyword
	tried int
}

// mostShort is how many short lines of a letter are tried with verbs. No answer has so many.
const mostShort = 40

// read reads a line that may be a short answer, and reports whether it is one, or is
// refused as one.
func (s *short) read(l *Line, o order.Line) (done bool, err error) {
	n, bare := order.Number(o.Text)
	if s.asked == nil || !bare && (!order.Counted(o.Text) || s.r.Orders.IsOrder(o.Text)) {
		return false, nil
	}
	if s.question == nil {
		q, err := s.asked()
		if err != nil {
			return false, err
		}
		s.question = &q
	}
	q := s.question
	switch {
	case bare && s.order && q.Open != nil && q.Forms != nil:
		l.Kind, l.Why = Unreadable, "A number alone answers the question of the letter, and an order for it stands above."
	case bare && !s.order && q.Closed != "":
		l.Kind, l.Why = Unreadable, q.Closed
	case s.order || q.Open == nil:
	case bare && q.Forms != nil:
		err = s.numbered(l, n)
	default:
		s.withVerb(l, o.Text, bare)
	}
	return l.Kind != Talk, err
}

// numbered takes a number for the answer that bears it.
func (s *short) numbered(l *Line, n int) error {
	forms := s.question.Forms
	if n < 1 || n > len(forms) {
		l.Kind, l.Why = Unreadable, fmt.Sprintf("The answers are numbered from 1 to %d.", len(forms))
		return nil
	}
	said, err := s.r.Orders.Order(forms[n-1])
	if err != nil {
		return fmt.Errorf("read the numbered answer %q: %w", forms[n-1], err)
	}
	s.r.ordered(l, said)
	return nil
}

// withVerb reads a line behind the only verb with which it can answer the
// question: one that takes cards for a bare number, one that counts for a list.
func (s *short) withVerb(l *Line, text string, bare bool) {
	if s.verbs == nil {
		s.verbs = slices.DeleteFunc(slices.Clone(s.r.game.Keywords()), func(k rules.Keyword) bool {
			return !k.Verb || k.Implied || !k.Counts && !slices.Contains(k.Takes, rules.CardName)
		})
	}
	if s.tried++; s.tried > mostShort {
		return
	}
	var found []rules.Order
	for _, k := range s.verbs {
		if bare && !slices.Contains(k.Takes, rules.CardName) || !bare && !k.Counts {
			continue
		}
		o, err := s.r.Orders.Order(k.Word + " " + text)
		if err != nil {
			continue
		}
		answers, err := s.r.game.Answers(o, []rules.Decision{*s.question.Open})
		if err == nil && answers[0].Fits(*s.question.Open) {
			found = append(found, o)
		}
	}
	if len(found) == 1 {
		s.r.ordered(l, found[0])
	}
}
