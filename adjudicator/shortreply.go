package adjudicator

import (
	"context"
	"fmt"
	"slices"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// shortReply is what the reading of a letter knows for lines that leave the verb
// to the question: "2" where the answers are numbered, the number of a card
// where a card is asked, "2 in Gdansk, Lodz" where points are.
type shortReply struct {
	// orders is set when an order stands above: then a short line would answer a
	// question that its writer has not seen.
	orders bool
	// looked is set when the question has been looked up.
	looked bool
	// asked is the question of the letter that is answered, if there is just one
	// and it is open; closed that it is closed.
	asked  *rules.Decision
	closed bool
	// forms are the numbered answers.
	forms []string
}

// shortReply reads a line that answers without a verb. It returns the order that
// the line stands for, or why it is refused, or neither. Only the question of
// the letter that is answered counts, never a later one.
func (s *session) shortReply(ctx context.Context, r *shortReply, l order.Line) (said rules.Order, refusal string, err error) {
	n, bare := order.Number(l.Text)
	if !bare && (!order.Counted(l.Text) || s.parser.IsOrder(l.Text)) {
		return said, "", nil
	}
	if err := s.lookUp(ctx, r); err != nil {
		return said, "", err
	}
	if bare && r.orders && r.asked != nil && r.forms != nil {
		return said, "A number alone answers the question of the letter, and an order for it stands above.", nil
	}
	switch {
	case r.orders:
		return said, "", nil
	case r.closed && bare:
		return said, s.notAsked(s.seat, true, true), nil
	case r.asked == nil:
		return said, "", nil
	case bare && r.forms != nil:
		if n < 1 || n > len(r.forms) {
			return said, fmt.Sprintf("The answers are numbered from 1 to %d.", len(r.forms)), nil
		}
		said, err = s.parser.Order(r.forms[n-1])
		if err != nil {
			return said, "", fmt.Errorf("read the numbered answer %q: %w", r.forms[n-1], err)
		}
		return said, "", nil
	}
	return s.withVerb(*r.asked, l.Text, bare), "", nil
}

// lookUp finds the question of the letter that is answered.
func (s *session) lookUp(ctx context.Context, r *shortReply) error {
	if r.looked {
		return nil
	}
	r.looked = true
	sent, err := s.answered(ctx)
	if err != nil {
		return err
	}
	var open []rules.Decision
	for _, d := range s.owed(s.seat) {
		if slices.Contains(sent.Decisions, d.ID) {
			open = append(open, d)
		}
	}
	r.closed = len(sent.Decisions) > 0 && len(open) == 0
	if len(open) != 1 {
		return nil
	}
	r.asked = &open[0]
	if p := s.game.Prompt(s.pos.View(s.seat), open[0], s.pos.Options(nil, open[0].ID)); p.Numbered {
		r.forms = p.Forms
	}
	return nil
}

// withVerb reads a line behind the only verb with which it can answer the
// question: one that takes cards for a bare number, one that counts for a list.
func (s *session) withVerb(d rules.Decision, text string, bare bool) rules.Order {
	var found []rules.Order
	for _, k := range s.game.Keywords() {
		if !k.Verb || k.Implied || bare && !slices.Contains(k.Takes, rules.CardName) || !bare && !k.Counts {
			continue
		}
		o, err := s.parser.Order(k.Word + " " + text)
		if err != nil {
			continue
		}
		answers, err := s.game.Answers(o, []rules.Decision{d})
		if err == nil && answers[0].Fits(d) {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		return rules.Order{}
	}
	return found[0]
}
