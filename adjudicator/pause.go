package adjudicator

import (
	"context"
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Halt is a pause of a match.
type Halt struct {
	Since time.Time `json:"since"`
	// Until is when it ends; zero where it goes on until somebody ends it.
	Until time.Time `json:"until,omitzero"`
	// Director means that it is the director's to end.
	Director bool `json:"director,omitempty"`
}

// noticeOfResuming is how long a pause goes on when a player has ended it.
const noticeOfResuming = 24 * time.Hour

// The lengths of a pause.
const (
	leastPause = 24 * time.Hour
	mostPause  = 90 * 24 * time.Hour
)

// halt does to the clocks what an act says about a pause.
func (m *Match) halt(a *record.Act, now time.Time) {
	h := m.Acts.Halt
	if a.Kind == record.Pause {
		m.endRequest(record.Pause) // There is a pause, and whose it is stays so.
	}
	switch {
	case a.Kind == record.Pause && h == nil:
		m.Acts.Halt = &Halt{Since: now, Until: a.Until, Director: a.By == record.ByDirector}
	case a.Kind == record.Pause:
		m.Acts.Halt = &Halt{Since: h.Since, Until: a.Until, Director: a.By == record.ByDirector}
	case a.Kind == record.Resume && h != nil && a.Until.After(now):
		m.Acts.Halt = &Halt{Since: h.Since, Until: a.Until}
	case a.Kind == record.Resume && h != nil:
		m.resume(now)
	}
}

// resume ends the pause that there is.
func (m *Match) resume(at time.Time) {
	m.Acts.Halts = append(slices.Clone(m.Acts.Halts), clock.Span{From: m.Acts.Halt.Since, To: at})
	m.Acts.Halt = nil
}

// halts are the times in which the match was paused, or will be.
func (m *Match) halts() []clock.Span {
	if h := m.Acts.Halt; h != nil {
		return append(slices.Clone(m.Acts.Halts), clock.Span{From: h.Since, To: h.Until})
	}
	return m.Acts.Halts
}

// paused reports whether the match is paused at a time.
func (m *Match) paused(at time.Time) bool { return clock.Union(m.halts()).At(at) }

// resumed tells all that a pause is over.
func (a *Adjudicator) resumed(ctx context.Context, m *Match) error {
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	m.resume(m.Acts.Halt.Until)
	j.turn.remarks = append(j.turn.remarks, "The pause is over: clocks run again.")
	return j.apply(ctx, rules.Nobody)
}

// pausedLine says that the match is paused; empty where it is not.
func (c *account) pausedLine(reader rules.Seat) string {
	switch h := c.m.Acts.Halt; {
	case h == nil, c.m.State != Playing:
		return ""
	case h.Until.IsZero():
		return "The match is paused: clocks stand still until the director lets them run."
	default:
		return "The match is paused: clocks stand still until " + c.clockTime(reader, h.Until) + ". Orders count all the same."
	}
}
