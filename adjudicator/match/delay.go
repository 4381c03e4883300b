package match

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
func (p *Play) delayed(seat rules.Seat) bool {
	return seat != p.Seat && p.Turn.Match.Seats[seat].Timing.Delay > 0
}

// Delay chooses when what is kept for such a seat answers, if it does.
func (p *Play) Delay() error {
	for i := range p.Turn.Match.Seats {
		seat, t := rules.Seat(i), &p.Turn.Match.Seats[i].Timing
		switch {
		case t.DelayedUntil.IsZero() && !p.delayed(seat):
		case !wouldAnswer(p, seat):
			t.EndDelay()
		case t.Delay == 0:
			// Its owner does not want to wait any longer.
			t.DelayedSince = p.Turn.Now
			t.DelayedUntil = t.DelayedSince
		case t.DelayedUntil.IsZero():
			d, err := within(p.Random, t.Delay)
			if err != nil {
				return err
			}
			t.DelayedSince = p.Turn.Now
			t.DelayedUntil = t.DelayedSince.Add(d)
		}
	}
	return nil
}

// wouldAnswer reports whether something that is kept for a seat answers what it is
// asked now.
func wouldAnswer(p *Play, seat rules.Seat) bool {
	if p.Turn.After == nil || p.Turn.Match.State != Playing || p.Turn.After.Stalled() {
		return false
	}
	if keptFor(p.Turn, seat) {
		return true
	}
	if p.Conditional == nil {
		return false
	}
	lines, _ := conditionalsOf(p.Turn, func(s rules.Seat) bool { return s == seat })
	if len(lines) == 0 {
		return false
	}
	f, _, _ := p.Conditional.Fire(p.Turn.After, lines)
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
func keptFor(c *Turn, seat rules.Seat) bool {
	return slices.ContainsFunc(c.Owed(seat), func(d rules.Decision) bool {
		return !d.Sealed && slices.ContainsFunc(c.Match.Held, func(h Held) bool { return fits(h, d) })
	})
}

// endTiming ends everybody's waits. Whose orders are held back is told why they are dropped.
func endTiming(c *Turn, why string) {
	for i := range c.Match.Seats {
		t := &c.Match.Seats[i].Timing
		if t.Waiting != nil {
			c.Tell(rules.Seat(i), "", OutcomeLapsed, why)
		}
		t.Waiting = nil
		t.EndDelay()
	}
}

// DropHeldBack drops what is held back for anybody when the match is over: it will not
// be asked for any more.
func (c *Turn) DropHeldBack() {
	if c.Match.State == Over {
		endTiming(c, "The match is over, and the orders that were held back for you are dropped.")
	}
}
