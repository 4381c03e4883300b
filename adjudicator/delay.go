package adjudicator

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"time"

	"samizdat/rules"
)

// delayed reports whether what is kept for a seat does not answer at once: its owner
// wants nobody to see that it was kept, and somebody else has just written.
func (p *progress) delayed(seat rules.Seat) bool {
	return seat != p.seat && p.turn.m.Seats[seat].Timing.Delay > 0
}

// delays chooses when what is kept for such a seat answers, if it does.
func (p *progress) delays() error {
	for i := range p.turn.m.Seats {
		seat, t := rules.Seat(i), &p.turn.m.Seats[i].Timing
		switch {
		case t.DelayedUntil.IsZero() && !p.delayed(seat):
		case !p.wouldAnswer(seat):
			t.EndDelay()
		case t.Delay == 0:
			// Its owner does not want to wait any longer.
			t.DelayedSince = p.turn.now
			t.DelayedUntil = t.DelayedSince
		case t.DelayedUntil.IsZero():
			d, err := within(p.random, t.Delay)
			if err != nil {
				return err
			}
			t.DelayedSince = p.turn.now
			t.DelayedUntil = t.DelayedSince.Add(d)
		}
	}
	return nil
}

// wouldAnswer reports whether something that is kept for a seat answers what it is
// asked now.
func (p *progress) wouldAnswer(seat rules.Seat) bool {
	if p.turn.pos == nil || p.turn.m.State != Playing || p.turn.pos.Stalled() {
		return false
	}
	if p.turn.keptFor(seat) {
		return true
	}
	if p.conditional == nil {
		return false
	}
	lines, _ := p.turn.conditionalsOf(func(s rules.Seat) bool { return s == seat })
	if len(lines) == 0 {
		return false
	}
	f, _, _ := p.conditional.Fire(p.turn.pos, lines)
	return f != nil
}

// within is a random time up to a longest one, in whole seconds.
func within(random io.Reader, most time.Duration) (time.Duration, error) {
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return 0, fmt.Errorf("choose a time: %w", err)
	}
	// The remainder favours the first seconds by less than one in 10^14.
	return time.Duration(1+binary.BigEndian.Uint64(b[:])%uint64(most/time.Second)) * time.Second, nil
}

// keptFor reports whether an answer is kept for what a seat is asked now.
func (c *account) keptFor(seat rules.Seat) bool {
	return slices.ContainsFunc(c.owed(seat), func(d rules.Decision) bool {
		return !d.Sealed && slices.ContainsFunc(c.m.Held, func(h Held) bool { return fits(h, d) })
	})
}

// dropSpent drops conditional orders of seats with a delay that have come to nothing: their owners
// are asked at once, as without a delay, and what has had its turn must not answer a
// later question. It says whether any were dropped.
func (p *progress) dropSpent() bool {
	for i := range p.turn.m.Seats {
		seat := rules.Seat(i)
		if !p.delayed(seat) || p.turn.keptFor(seat) {
			continue
		}
		mine, others := p.turn.conditionalsOf(func(s rules.Seat) bool { return s == seat })
		if len(mine) == 0 {
			continue
		}
		if f, kept, dropped := p.conditional.Fire(p.turn.pos, mine); f == nil && len(dropped) > 0 {
			p.turn.setConditional(append(others, kept...))
			p.turn.tellDropped(dropped)
			return true
		}
	}
	return false
}
