package adjudicator

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"time"

	"samizdat/adjudicator/conditional"
	"samizdat/rules"
)

// patient reports whether what is kept for a seat does not answer at once: its owner
// wants nobody to see that it was kept, and somebody else has just written.
func (s *session) patient(seat rules.Seat) bool {
	return seat != s.seat && s.m.Seats[seat].Thoughts.Delay > 0
}

// delays chooses when what is kept for a patient seat answers, if it does.
func (s *session) delays() error {
	for i := range s.m.Seats {
		seat, t := rules.Seat(i), &s.m.Seats[i].Thoughts
		switch {
		case t.Wake.IsZero() && !s.patient(seat):
		case !s.wouldAnswer(seat):
			t.wake()
		case t.Delay == 0:
			// Its owner does not want to wait any longer.
			t.Slept = s.a.Now().UTC()
			t.Wake = t.Slept
		case t.Wake.IsZero():
			d, err := s.a.within(t.Delay)
			if err != nil {
				return err
			}
			t.Slept = s.a.Now().UTC()
			t.Wake = t.Slept.Add(d)
		}
	}
	return nil
}

// wouldAnswer reports whether something that is kept for a seat answers what it is
// asked now.
func (s *session) wouldAnswer(seat rules.Seat) bool {
	if s.pos == nil || s.m.State != Playing || s.pos.Stalled() {
		return false
	}
	if s.keptFor(seat) {
		return true
	}
	if s.programs == nil {
		return false
	}
	lines := slices.DeleteFunc(s.ahead(), func(l conditional.Line) bool { return l.Seat != seat })
	if len(lines) == 0 {
		return false
	}
	f, _, _ := s.programs.Fire(s.pos, lines)
	return f != nil
}

// within is a random time up to a longest one, in whole seconds.
func (a *Adjudicator) within(most time.Duration) (time.Duration, error) {
	var b [8]byte
	if _, err := io.ReadFull(a.Random, b[:]); err != nil {
		return 0, fmt.Errorf("choose a time: %w", err)
	}
	// The remainder favours the first seconds by less than one in 10^14.
	return time.Duration(1+binary.BigEndian.Uint64(b[:])%uint64(most/time.Second)) * time.Second, nil
}

// keptFor reports whether an answer is kept for what a seat is asked now.
func (s *session) keptFor(seat rules.Seat) bool {
	return slices.ContainsFunc(s.owed(seat), func(d rules.Decision) bool {
		return !d.Sealed && slices.ContainsFunc(s.m.Held, func(h Held) bool { return fits(h, d) })
	})
}

// spent drops orders ahead of patient seats that have come to nothing: their owners
// are asked at once, as without a delay, and what has had its turn must not answer a
// later question. It says whether any were dropped.
func (s *session) spent() bool {
	for i := range s.m.Seats {
		seat := rules.Seat(i)
		if !s.patient(seat) || s.keptFor(seat) {
			continue
		}
		var mine, others []conditional.Line
		for _, l := range s.ahead() {
			if l.Seat == seat {
				mine = append(mine, l)
			} else {
				others = append(others, l)
			}
		}
		if len(mine) == 0 {
			continue
		}
		if f, kept, dropped := s.programs.Fire(s.pos, mine); f == nil && len(dropped) > 0 {
			s.setAhead(append(others, kept...))
			s.tellDropped(dropped)
			return true
		}
	}
	return false
}
