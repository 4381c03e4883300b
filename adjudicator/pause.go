package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/letter"
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

// Pause implements letter.Host.
func (s host) Pause(ctx context.Context, c letter.Command) (letter.Outcome, error) {
	if s.j.turn.m.State == Playing && !s.j.turn.m.Acts.Resigned.Has(s.j.play.seat) {
		switch {
		case s.j.turn.m.Acts.Tournament && s.j.turn.m.Acts.Halt == nil:
			return letter.Refused("A match of a tournament is not paused, since the others wait for its end. VACATION stops your own clock; the director can pause the match.")
		case s.j.turn.m.Tempo.None():
			return letter.Refused("This match has no time limit, so there is nothing to pause. A MESSAGE tells the others that you are away.")
		case s.j.turn.m.Acts.Halt != nil && c.Choice != "YES" && c.Choice != "NO":
			return s.inPause(ctx, c)
		}
		if why := s.unpausable(c); why != "" {
			return letter.Refused(why)
		}
	}
	return s.consent(ctx, Request{Kind: record.Pause, Seat: s.j.play.seat, Span: c.Time}, c.Choice)
}

// unpausable says why a pause cannot be asked for so.
func (s host) unpausable(c letter.Command) string {
	_, open := s.j.turn.m.request(record.Pause)
	switch {
	case c.Choice == "OFF" && !open:
		return "The match is not paused, and nobody asks for that."
	case c.Choice != "":
		return ""
	case c.Time == 0:
		return "Say for how long, from a day on: PAUSE 3 days, or PAUSE 2 weeks. The others have to agree."
	case c.Time < leastPause || c.Time > mostPause:
		return "A pause can be from 1 day to " + wholeDays(mostPause) + "."
	}
	return ""
}

// inPause takes the order while the match is paused: OFF ends that.
func (s host) inPause(ctx context.Context, c letter.Command) (letter.Outcome, error) {
	h := s.j.turn.m.Acts.Halt
	switch {
	case c.Choice == "OFF" && h.Director:
		return letter.Refused("The director has paused the match, and only the director ends that.")
	case c.Choice == "OFF":
		return s.endPause(ctx)
	case h.Until.IsZero():
		return letter.Refused("The match is paused already.")
	}
	return letter.Refused(fmt.Sprintf("The match is paused already, until %s. PAUSE OFF ends that.", s.j.turn.clockTime(s.j.play.seat, h.Until)))
}

// endPause gives notice that the pause ends.
func (s host) endPause(ctx context.Context) (letter.Outcome, error) {
	at := s.j.play.a.Now().UTC().Add(noticeOfResuming).Truncate(time.Second)
	if until := s.j.turn.m.Acts.Halt.Until; !until.IsZero() && !until.After(at) {
		return letter.Refused(fmt.Sprintf("The pause ends on %s anyway.", s.j.turn.clockTime(s.j.play.seat, until)))
	}
	e := record.Entry{Seat: record.SeatName(s.j.turn.m.Seats[s.j.play.seat].Name), Letter: s.j.digest(), Act: &record.Act{Kind: record.Resume, Until: at}}
	if err := s.j.play.act(ctx, e); err != nil {
		return letter.Outcome{}, err
	}
	return letter.Done("The pause ends.")
}

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
