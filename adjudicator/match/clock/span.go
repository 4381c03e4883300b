package clock

import (
	"slices"
	"time"
)

// Span is the time from From until before To. A zero To is an open end.
type Span struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
}

func (s Span) hasEnded(at time.Time) bool { return !s.To.IsZero() && !s.To.After(at) }

func (s Span) isEmpty() bool { return s.hasEnded(s.From) }

// Pauses are spans in which the clock does not run, sorted and separate.
type Pauses []Span

// MergeSpans makes Pauses of spans in any order, which may overlap.
func MergeSpans(sets ...[]Span) Pauses {
	all := slices.DeleteFunc(slices.Concat(sets...), Span.isEmpty)
	slices.SortFunc(all, func(a, b Span) int { return a.From.Compare(b.From) })
	var out Pauses
	for _, s := range all {
		if n := len(out); n > 0 && (out[n-1].To.IsZero() || !s.From.After(out[n-1].To)) {
			if last := &out[n-1]; !last.To.IsZero() && !s.hasEnded(last.To) {
				last.To = s.To
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// CountTime returns the time between two moments without pauses.
func (p Pauses) CountTime(from, to time.Time) time.Duration {
	if !to.After(from) {
		return 0
	}
	counted := to.Sub(from)
	for _, o := range p {
		begin, end := o.From, o.To
		if begin.Before(from) {
			begin = from
		}
		if end.IsZero() || end.After(to) {
			end = to
		}
		if end.After(begin) {
			counted -= end.Sub(begin)
		}
	}
	return counted
}

// TimeAfter returns the first moment at which the clock has run for a duration since from; false if a pause has no
// end.
func (p Pauses) TimeAfter(from time.Time, remaining time.Duration) (time.Time, bool) {
	at := from
	for _, o := range p {
		switch {
		case remaining <= 0:
			return at, true
		case o.hasEnded(at):
			continue
		}
		if run := max(0, o.From.Sub(at)); run >= remaining {
			break
		} else {
			remaining -= run
		}
		if o.To.IsZero() {
			return time.Time{}, false
		}
		at = o.To
	}
	return at.Add(max(0, remaining)), true
}

// Contains reports whether the clock is paused at a moment.
func (p Pauses) Contains(at time.Time) bool {
	return slices.ContainsFunc(p, func(o Span) bool { return !o.From.After(at) && !o.hasEnded(at) })
}
