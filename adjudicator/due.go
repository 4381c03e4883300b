package adjudicator

import (
	"context"
	"time"

	"samizdat/rules"
)

// Thoughts are a player's second thoughts: what he wants to happen later than at
// once. Nobody else is told of them.
type Thoughts struct {
	// Grace is how long his orders are held back, Waiting is the letter that is.
	Grace   time.Duration `json:"grace,omitempty"`
	Waiting *Waiting      `json:"waiting,omitempty"`
	// Delay is within what time his orders ahead answer another's letter, Wake is
	// when they do.
	Delay time.Duration `json:"delay,omitempty"`
	Wake  time.Time     `json:"wake,omitzero"`
}

// Waiting is a letter whose orders are held back.
type Waiting struct {
	// Orders are the lines that are held back.
	Orders string `json:"orders"`
	// Number is the letter of ours that it answers.
	Number int64 `json:"number"`
	// MessageID and Digest are its own.
	MessageID string `json:"message_id"`
	Digest    string `json:"digest"`
	// Due is when it is carried out.
	Due time.Time `json:"due"`
}

// due is when something of a seat is due; zero when nothing is.
func (t *Thoughts) due() time.Time {
	at := t.Wake
	if w := t.Waiting; w != nil && (at.IsZero() || w.Due.Before(at)) {
		at = w.Due
	}
	return at
}

// Due is when something of a match is due next; zero when nothing is.
func (m *Match) Due() time.Time {
	var at time.Time
	for i := range m.Seats {
		for _, d := range [...]time.Time{m.Seats[i].Thoughts.due(), m.Seats[i].Addresses.due()} {
			if !d.IsZero() && (at.IsZero() || d.Before(at)) {
				at = d
			}
		}
	}
	return at
}

// dueAtOnce is how many matches are read off the list at once.
const dueAtOnce = 100

// Due carries out what has become due by now: letters that were held back, orders
// ahead that have waited. It returns how much that was. What cannot be carried out
// is logged and stays due; it stops nothing else.
func (a *Adjudicator) Due(ctx context.Context) (n int, err error) {
	failed := map[string]bool{}
	for {
		ids, err := a.Store.DueMatches(ctx, a.Now(), dueAtOnce+len(failed))
		if err != nil {
			return n, err
		}
		fresh := false
		for _, id := range ids {
			if failed[id] {
				continue
			}
			fresh = true
			if err := a.anew(ctx, "match "+id, func() error { return a.dueOf(ctx, id) }); err != nil {
				if ctx.Err() != nil {
					return n, context.Cause(ctx)
				}
				a.Log.ErrorContext(ctx, "what is due in a match cannot be carried out", "match", id, "error", err)
				failed[id] = true
				continue
			}
			n++
		}
		if !fresh {
			return n, nil
		}
	}
}

// dueOf carries out the first thing that is due in a match.
func (a *Adjudicator) dueOf(ctx context.Context, id string) error {
	m, err := a.Store.Match(ctx, id)
	if err != nil {
		return err
	}
	now := a.Now()
	for i := range m.Seats {
		if m.Seats[i].Addresses.ripe(now) {
			return a.movesSeat(ctx, m, rules.Seat(i))
		}
		t := &m.Seats[i].Thoughts
		if at := t.due(); at.IsZero() || at.After(now) {
			continue
		}
		if w := t.Waiting; w != nil && !w.Due.After(now) {
			return a.carryWaiting(ctx, m, rules.Seat(i), *w)
		}
		return a.wakeSeat(ctx, m, rules.Seat(i))
	}
	return nil // A letter has done it meanwhile.
}

// carryWaiting adjudicates a letter that was held back as if it came now.
func (a *Adjudicator) carryWaiting(ctx context.Context, m *Match, seat rules.Seat, w Waiting) error {
	m.Seats[seat].Thoughts.Waiting = nil
	s, err := a.session(ctx, m, seat, Letter{From: m.Seats[seat].Address, Token: &Token{Match: m.ID, Seat: seat, Number: w.Number},
		MessageID: w.MessageID, Orders: w.Orders, Digest: w.Digest})
	if err != nil {
		return err
	}
	s.due = true
	if err := s.orders(); err != nil {
		return err
	}
	return s.apply()
}

// wakeSeat lets a seat's orders ahead answer at last.
func (a *Adjudicator) wakeSeat(ctx context.Context, m *Match, seat rules.Seat) error {
	m.Seats[seat].Thoughts.Wake = time.Time{}
	s, err := a.session(ctx, m, seat, Letter{From: m.Seats[seat].Address})
	if err != nil {
		return err
	}
	s.due, s.unasked = true, true
	if err := s.settle(); err != nil {
		return err
	}
	return s.apply()
}

// apply stores what became due. The receipt of a letter that was held back was
// written when it came.
func (s *session) apply() error {
	c, err := s.change("")
	if err != nil {
		return err
	}
	c.Receipt = nil
	return s.a.Store.Apply(s.ctx, c)
}
