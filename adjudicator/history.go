package adjudicator

import (
	"errors"
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

// carry gives an answer of the sender to the position and writes the entry. A
// sealed answer is kept instead, until the last of its group is in.
func (s *session) carry(a rules.Answer) error {
	return s.carryFrom(a, s.letter.Digest)
}

func (s *session) carryFrom(a rules.Answer, letter string) error {
	c := s.chance(s.m.Ordered + 1)
	r, err := gate.Carry(s.pos, s.seat, a, c)
	if err != nil {
		return err
	}
	if r.Decision.Sealed {
		return s.seal(r.Decision, a, letter)
	}
	e := record.Entry{Seat: record.SeatName(s.m.Seats[s.seat].Name), Letter: letter, Orders: []string{s.game.Line(r.Atoms)}, Private: r.Private}
	return s.moved(r.Position, r.Events, e, c)
}

// seal keeps a sealed answer in place of an earlier one, and opens the group
// when it is complete.
func (s *session) seal(d rules.Decision, a rules.Answer, letter string) error {
	s.m.Held = slices.DeleteFunc(s.m.Held, func(h Held) bool { return h.Decision == d.ID })
	s.m.Held = append(s.m.Held, Held{Seat: s.seat, Play: d.Play, Decision: d.ID, Answer: a, Letter: letter})
	var sealed []gate.Sealed
	for _, o := range s.pos.Owed(nil) {
		if !o.Sealed || o.Group != d.Group {
			continue
		}
		i := slices.IndexFunc(s.m.Held, func(h Held) bool { return h.Decision == o.ID })
		if i < 0 {
			return nil
		}
		sealed = append(sealed, gate.Sealed{Seat: o.Seat, Answer: s.m.Held[i].Answer})
	}
	c := s.chance(s.m.Ordered + 1)
	opened, err := gate.CarryAll(s.pos, sealed, c)
	if err != nil {
		return err
	}
	e := record.Entry{}
	for _, g := range opened.Answers {
		i := slices.IndexFunc(s.m.Held, func(h Held) bool { return h.Decision == g.Result.Decision.ID })
		e.Answers = append(e.Answers, record.Answer{Seat: record.SeatName(s.m.Seats[g.Seat].Name), Orders: []string{s.game.Line(g.Result.Atoms)},
			Private: g.Result.Private, Letter: s.m.Held[i].Letter})
		s.m.Held = slices.Delete(s.m.Held, i, i+1)
	}
	return s.moved(opened.Position, opened.Events, e, c)
}

// moved writes the entry of a new position: its chance, its place in the chain.
func (s *session) moved(pos rules.Position, events []rules.Event, e record.Entry, c source) error {
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
	s.pos, s.changed = pos, true
	s.entries = append(s.entries, e)
	s.events = append(s.events, events...)
	if _, over := pos.Result(); over {
		s.m.State = Over
		s.m.Held = nil
	}
	return nil
}

// settle carries out what was kept for the questions that are open now, whoever
// kept it, and lets lapse what belongs to plays that are over.
func (s *session) settle() error {
	for s.m.State == Playing {
		done, err := s.settleOne()
		if err != nil || !done {
			return err
		}
	}
	return nil
}

func (s *session) settleOne() (bool, error) {
	owed := s.pos.Owed(nil)
	play := uint32(0)
	if len(owed) > 0 {
		play = owed[0].Play
	}
	s.lapse(play)
	for _, d := range owed {
		i := slices.IndexFunc(s.m.Held, func(h Held) bool { return h.Decision == 0 && h.Seat == d.Seat && fits(h.Answer, d) })
		if i < 0 || d.Sealed {
			continue
		}
		h := s.m.Held[i]
		s.m.Held = slices.Delete(s.m.Held, i, i+1)
		return s.carryHeld(h)
	}
	return false, nil
}

// carryHeld carries out what a seat kept. If it is no longer legal it is dropped
// as a whole, and the seat is told and asked again.
func (s *session) carryHeld(h Held) (bool, error) {
	sender := s.seat
	s.seat = h.Seat
	defer func() { s.seat = sender }()
	line := s.game.Line(h.Answer.Atoms)
	err := s.carryFrom(h.Answer, h.Letter)
	switch {
	case errors.Is(err, gate.ErrRefused):
		s.tell(h.Seat, line, "refused", "It was kept for you and is no longer legal. "+s.refusal(err))
		return false, nil
	case err != nil:
		return false, err
	}
	s.tell(h.Seat, line, "done", line)
	return true, nil
}

// lapse drops what was kept for plays that are over.
func (s *session) lapse(play uint32) {
	s.m.Held = slices.DeleteFunc(s.m.Held, func(h Held) bool {
		gone := h.Decision == 0 && h.Play != play
		if gone {
			s.tell(h.Seat, s.game.Line(h.Answer.Atoms), "lapsed", "It was kept for you, and was not asked for in this play.")
		}
		return gone
	})
}

// fits reports whether a kept answer is meant for a decision.
func fits(a rules.Answer, d rules.Decision) bool {
	return (len(a.Kinds) == 0 || slices.Contains(a.Kinds, d.Kind)) && (a.Source == "" || a.Source == d.Source)
}
