package clock

import (
	"slices"
	"time"
)

// Clock is the clock of a seat. Everything that is asked of it is computed from the times
// that it keeps.
type Clock struct {
	// Left is what is left; while the seat owes, what was left when it was asked.
	Left time.Duration `json:"left"`
	// Owes means that the seat owes an answer, as far as others know.
	Owes bool `json:"owes,omitempty"`
	// Asks are the letters that ask what it owes, the oldest first.
	Asks []Ask `json:"asks,omitempty"`
	// Wrote is when the player wrote first after one of them was taken.
	Wrote time.Time `json:"wrote,omitzero"`
	// Answered is when nothing was unanswered any more that the seat still owes: its
	// sealed answers wait for those of others.
	Answered time.Time `json:"answered,omitzero"`
	// Between are times in which it had answered, while it owed again later. They are
	// known to the seat alone.
	Between []Span `json:"between,omitempty"`
	// Reminded is when the seat was reminded last; there are no reminders before less than
	// RemindedLeft is left.
	Reminded     time.Time     `json:"reminded,omitzero"`
	RemindedLeft time.Duration `json:"remindedLeft,omitempty"`
	// Flagged is set when it was told that nothing is left.
	Flagged bool `json:"flagged,omitempty"`
	// Restarts counts the reports that have let its time for what it is asked begin anew;
	// Untold means that the others have not been told of the first. Voided is how much time such
	// reports have cost the others in the match, before it was asked this.
	Restarts int           `json:"restarts,omitempty"`
	Untold   bool          `json:"untold,omitempty"`
	Voided   time.Duration `json:"voided,omitempty"`
	// Over is when its time was over for good: what the seat was asked then is answered
	// otherwise, or the match is over. A letter that comes later is told so once.
	Over time.Time `json:"over,omitzero"`
}

// Ask is a letter that asks.
type Ask struct {
	Number int64 `json:"n"`
	// Accepted is when the mail server had taken it; zero while it waits to be sent.
	Accepted time.Time `json:"at,omitzero"`
	// Bounced is when somebody reported that it did not arrive, or not yet.
	Bounced time.Time `json:"bounced,omitzero"`
}

// mostAsks bounds how many letters that ask the same are remembered.
const mostAsks = 16

// New is the clock of a seat when a match begins.
func New(t Tempo) Clock { return Clock{Left: t.Bank} }

// Ask lets the seat owe.
func (c *Clock) Ask(t Tempo) {
	*c = Clock{Left: c.Left, Owes: true, Over: c.Over, Voided: c.voided()}
	if t.Phase > 0 {
		c.Left = t.Phase
	}
}

// AskAgain lets the seat owe something else than before, without having owed nothing
// between.
func (c *Clock) AskAgain(t Tempo, at time.Time, stops Stops) {
	c.Left = c.Remains(at, stops)
	c.Ask(t)
}

// Rest lets the seat owe nothing.
func (c *Clock) Rest(at time.Time, stops Stops) {
	*c = Clock{Left: c.Remains(at, stops), Over: c.Over, Voided: c.voided()}
}

// Gain adds the increment.
func (c *Clock) Gain(t Tempo) { c.Left = max(c.Left, min(c.Left+t.Increment, t.Cap)) }

// Answers notes that nothing is unanswered that the seat owes.
func (c *Clock) Answers(at time.Time) {
	if c.Answered.IsZero() {
		c.Answered = micro(at)
	}
}

// Reopens notes that something is unanswered again.
func (c *Clock) Reopens(at time.Time) {
	if !c.Answered.IsZero() {
		c.Between = append(c.Between, Span{c.Answered, micro(at)})
		c.Answered = time.Time{}
	}
}

// Letter notes a letter that asks what the seat owes.
func (c *Clock) Letter(number int64) {
	if !c.Owes || !c.Answered.IsZero() {
		return
	}
	if len(c.Asks) == mostAsks {
		c.Asks = slices.Delete(c.Asks, mostAsks/2, mostAsks/2+1)
	}
	c.Asks = append(slices.Clip(c.Asks), Ask{Number: number})
}

// Accepts notes that the mail server has taken a letter, and reports whether the clock
// knows it.
func (c *Clock) Accepts(number int64, at time.Time) bool {
	return c.letter(number, func(a *Ask) bool {
		known := a.Accepted.IsZero()
		if known {
			a.Accepted = micro(at)
		}
		return known
	})
}

// AskLater is for how long nobody writes to where letters bounce.
const AskLater = 24 * time.Hour

// Again is when the seat is to be asked again, since all letters that ask have bounced;
// false where one may still arrive, or its player has written.
func (c *Clock) Again() (at time.Time, ok bool) {
	if _, runs := c.Start(); runs || !c.Owes || !c.Answered.IsZero() {
		return at, false
	}
	for _, a := range c.Asks {
		if a.Bounced.IsZero() {
			return at, false
		}
		if a.Bounced.After(at) {
			at = a.Bounced
		}
	}
	return at.Add(AskLater), !at.IsZero()
}

func (c *Clock) letter(number int64, note func(*Ask) bool) bool {
	i := slices.IndexFunc(c.Asks, func(a Ask) bool { return a.Number == number })
	if i < 0 {
		return false
	}
	c.Asks = slices.Clone(c.Asks)
	return note(&c.Asks[i])
}

// Writes notes a letter of the player.
func (c *Clock) Writes(at time.Time) {
	taken := slices.ContainsFunc(c.Asks, func(a Ask) bool { return !a.Accepted.IsZero() && !a.Accepted.After(at) })
	if taken && c.Wrote.IsZero() {
		c.Wrote = micro(at)
	}
}

// Arrival is the moment for which a letter counts that came at a time and is read now.
func (c *Clock) Arrival(came, now time.Time) time.Time {
	if came.IsZero() || came.After(now) {
		came = now
	}
	if start, ok := c.Start(); ok && came.Before(start) {
		came = start
	}
	return micro(came)
}

// own are all stops of the seat.
func (c *Clock) own(stops Stops) Stops {
	if len(c.Between) == 0 {
		return stops
	}
	return Union(stops, c.Between)
}

// Remains is what is left for the seat at a time.
func (c *Clock) Remains(at time.Time, stops Stops) time.Duration {
	return c.remains(c.until(at), c.own(stops))
}

// until is the moment until which time is counted at a moment.
func (c *Clock) until(at time.Time) time.Time {
	if !c.Answered.IsZero() && c.Answered.Before(at) {
		return c.Answered
	}
	return at
}

// Shown is what others are told that is left.
func (c *Clock) Shown(at time.Time, stops Stops) time.Duration { return c.remains(at, stops) }

func (c *Clock) remains(at time.Time, stops Stops) time.Duration {
	start, ok := c.Start()
	if !c.Owes || !ok {
		return c.Left
	}
	return max(0, c.Left-stops.Counted(start, at))
}

// Zero is when nothing is left, or so much beyond; false while that is not known to come.
// Who has answered is not waited for.
func (c *Clock) Zero(beyond time.Duration, stops Stops) (time.Time, bool) {
	if !c.Answered.IsZero() {
		return time.Time{}, false
	}
	return c.zero(beyond, c.own(stops))
}

// ShownZero is what others are told of Zero.
func (c *Clock) ShownZero(beyond time.Duration, stops Stops) (time.Time, bool) {
	return c.zero(beyond, stops)
}

func (c *Clock) zero(beyond time.Duration, stops Stops) (time.Time, bool) {
	start, ok := c.Start()
	if !c.Owes || !ok {
		return time.Time{}, false
	}
	return stops.After(start, c.Left+beyond)
}

// OutOfTime reports whether the seat was told that nothing is left, and has not answered
// since.
func (c *Clock) OutOfTime() bool { return c.Flagged && c.Answered.IsZero() }

// Extend gives the seat more time than is left at a moment.
func (c *Clock) Extend(by time.Duration, at time.Time, stops Stops) {
	over := time.Duration(0)
	if start, ok := c.Start(); ok && c.Owes {
		over = max(0, c.own(stops).Counted(start, c.until(at))-c.Left)
	}
	c.Left, c.Flagged = c.Left+over+by, false
	c.RemindedLeft = c.Remains(at, stops)
}

// Newest is the newest time that the clock keeps.
func (c *Clock) Newest() time.Time {
	var at time.Time
	c.times(func(t *time.Time) {
		if t.After(at) {
			at = *t
		}
	})
	return at
}

// SetBack lets what began at a time that is still to come begin now.
func (c *Clock) SetBack(now time.Time) {
	c.Asks, c.Between = slices.Clone(c.Asks), slices.Clone(c.Between)
	c.times(func(t *time.Time) {
		if t.After(now) {
			*t = micro(now)
		}
	})
}

func (c *Clock) times(do func(*time.Time)) {
	for i := range c.Asks {
		do(&c.Asks[i].Accepted)
		do(&c.Asks[i].Bounced)
	}
	for i := range c.Between {
		do(&c.Between[i].From)
		do(&c.Between[i].To)
	}
	do(&c.Wrote)
	do(&c.Answered)
	do(&c.Reminded)
	do(&c.Over)
}

// micro is a time as it is kept.
func micro(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }
