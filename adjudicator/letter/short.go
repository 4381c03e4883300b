package letter

import (
	"fmt"
	"samizdat/adjudicator/order"
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
}

// read reads a line that may be a short answer, and reports whether it is one, or is
// refused as one.
func (s *short) read(l *Line, o order.Line) (done bool, err error) {
	n, bare := order.Number(o.Text)
	if s.asked == nil || !bare {
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
	case s.order && q.Open != nil && q.Forms != nil:
		l.Kind, l.Why = Unreadable, "A number alone answers the question of the letter, and an order for it stands above."
	case !s.order && q.Closed != "":
		l.Kind, l.Why = Unreadable, q.Closed
	case s.order || q.Open == nil:
	case q.Forms != nil:
		err = s.numbered(l, n)
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
