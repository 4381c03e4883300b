package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// source is a match's chance for one entry, which remembers what was taken.
type source interface {
	rules.Chance
	taken() []record.Outcome
}

type stream struct{ *record.Stream }

func (s stream) taken() []record.Outcome { return s.Outcomes() }

type recorded struct {
	*record.Recorded
	all []record.Outcome
}

func (r recorded) taken() []record.Outcome { return r.all[:len(r.all)-len(r.Left())] }

// chance is the chance of the entry that is the n-th with orders.
func (s *session) chance(n int) source {
	if s.m.Recorded != nil {
		all := s.m.Recorded[s.m.Used:]
		return recorded{record.NewRecorded(all, s.words), all}
	}
	return stream{record.NewStream(s.key, s.m.Epoch, n, s.words)}
}

// carry gives an answer of a seat to the position and writes the entry. A sealed
// answer is kept instead, until the last of its group is in. Asked, when not
// empty, are the decisions that the writer was asked in the letter he answers.
func (s *session) carry(ctx context.Context, seat rules.Seat, a rules.Answer, letter string, asked []rules.DecisionID) (rules.Decision, error) {
	c := s.chance(s.m.Ordered + 1)
	r, err := gate.Carry(s.pos, seat, a, c)
	if errors.As(err, new(*record.Mismatch)) {
		s.a.Log.WarnContext(ctx, "an order does not fit the recorded chance", "match", s.m.ID, "seat", int(seat), "why", err)
	}
	switch {
	case err != nil:
		return rules.Decision{}, err
	case !s.meant(r.Decision, asked):
		return rules.Decision{}, errClosed
	case r.Decision.Sealed:
		return r.Decision, s.seal(ctx, r.Decision, a, letter)
	}
	e := record.Entry{Seat: record.SeatName(s.m.Seats[seat].Name), Letter: letter, Orders: []string{s.game.Line(r.Atoms)}, Private: r.Private}
	return r.Decision, s.moved(ctx, r.Position, r.Events, e, c)
}

// seal keeps a sealed answer in place of an earlier one, and opens the group
// when it is complete. What is kept changes only when all goes well.
func (s *session) seal(ctx context.Context, d rules.Decision, a rules.Answer, letter string) error {
	of := func(id rules.DecisionID) func(Held) bool { return func(h Held) bool { return h.Decision == id } }
	held := slices.DeleteFunc(slices.Clone(s.m.Held), of(d.ID))
	held = append(held, Held{Seat: d.Seat, Play: d.Play, Decision: d.ID, Answer: a, Letter: letter})
	var sealed []gate.Sealed
	for _, o := range s.pos.Owed(nil) {
		if !o.Sealed || o.Group != d.Group {
			continue
		}
		i := slices.IndexFunc(held, of(o.ID))
		if i < 0 {
			s.m.Held = held
			return nil
		}
		sealed = append(sealed, gate.Sealed{Seat: o.Seat, Answer: held[i].Answer})
	}
	c := s.chance(s.m.Ordered + 1)
	opened, err := gate.CarryAll(s.pos, sealed, c)
	if err != nil {
		// Each answer was checked by itself when it was kept. A refusal now is
		// not the sender's, and may be about what he must not know.
		return fmt.Errorf("open the sealed answers of group %d: %s", d.Group, err.Error())
	}
	e := record.Entry{}
	for _, g := range opened.Answers {
		i := slices.IndexFunc(held, of(g.Result.Decision.ID))
		if i < 0 {
			return fmt.Errorf("open the sealed answers of group %d: nothing is kept for decision %d", d.Group, g.Result.Decision.ID)
		}
		e.Answers = append(e.Answers, record.Answer{Seat: record.SeatName(s.m.Seats[g.Seat].Name), Orders: []string{s.game.Line(g.Result.Atoms)},
			Private: g.Result.Private, Letter: held[i].Letter})
		held = slices.Delete(held, i, i+1)
	}
	s.m.Held = held
	return s.moved(ctx, opened.Position, opened.Events, e, c)
}

// moved writes the entry of a new position: its chance, its place in the chain.
func (s *session) moved(ctx context.Context, pos rules.Position, events []rules.Event, e record.Entry, c source) error {
	e.Seq, e.At, e.Epoch, e.Chance = s.m.Entries, s.a.Now().UTC().Truncate(time.Second), s.m.Epoch, c.taken()
	var err error
	if e.State, err = record.StateOf(pos); err != nil {
		return err
	}
	if err := s.m.Secret.Seal(s.m.ID, s.m.Head, &e); err != nil {
		return err
	}
	s.m.Head = e.Hash
	s.m.Entries++
	s.m.Used += len(e.Chance)
	if e.HasOrders() {
		s.m.Ordered++
	}
	if t := s.m.Takeback; t != nil && e.HasOrders() {
		s.endBack(fmt.Sprintf("The match has gone on, and so the request of %s to take back %s is over.", s.role(t.Seat), t.Orders))
	}
	s.pos = pos
	s.entries = append(s.entries, e)
	s.events = append(s.events, events...)
	if _, over := pos.Result(); over {
		s.m.State = Over
	}
	if pos.Stalled() {
		s.a.Log.WarnContext(ctx, "the recorded chance of a match has run out; it cannot go on", "match", s.m.ID, "outcomes", s.m.Used)
	}
	return nil
}
