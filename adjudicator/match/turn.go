package match

import (
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Turn is what letters tell of: a match before and after, and what has happened
// between. To compose letters reads it, and changes nothing.
type Turn struct {
	Match *Match
	// Now is when it is told.
	Now  time.Time
	Game *rules.Game
	// After is the position now, before the one that was found; nil until the match plays. Neither
	// is ever changed: the gate works on copies.
	After, Before rules.Position
	// TakebackBefore is what was asked to be taken back before, requests what else was asked for.
	TakebackBefore *Takeback
	RequestsBefore []Request
	// Published means that what was hidden of a match that is over is hidden no more.
	Published bool
	// Entries and events are what has happened.
	Entries []record.Entry
	Events  []rules.Event
	// Lines say, for each seat, what became of its orders.
	Lines map[rules.Seat][]LineReport
	// Untold are what happened before, and asking letters are to tell.
	Untold map[rules.Seat]Untold
	// Remarks are what all seats are told beside the events.
	Remarks []string
}

// Untold is what entries before the letter in hand have told nobody yet who is to be asked
// something: for each seat the events since the last letter that asked it, and what else
// all were told.
type Untold struct {
	Events  []rules.Event
	Remarks []string
}

// Outcome is what became of a line of a letter, as the answer names it.
type Outcome string

// The outcomes.
const (
	OutcomeDone       Outcome = "done"
	OutcomeKept       Outcome = "kept"
	OutcomePreview    Outcome = "preview"
	OutcomeAsked      Outcome = "not done yet"
	OutcomeIgnored    Outcome = "ignored"
	OutcomeRefused    Outcome = "refused"
	OutcomeLapsed     Outcome = "lapsed"
	OutcomeNotReached Outcome = "not reached"
	OutcomeDropped    Outcome = "dropped"
	OutcomeUnread     Outcome = "not understood"
)

// LineReport is what the answer says of one line: the line, its outcome and an
// explanation in the player's words.
type LineReport struct {
	Line    string
	Outcome Outcome
	Text    string
	// Played means that what it led to is among the events, and there is no more to it.
	Played bool
}

// Setup is what the game of the match begins with.
func (c *Turn) Setup() rules.Setup {
	return rules.Setup{Seats: len(c.Match.Seats), Options: c.Match.Options, Revision: c.Match.Revision}
}

// Changed reports whether the match has moved.
func (c *Turn) Changed() bool { return len(c.Entries) > 0 }

// IsOver reports whether the match has a result.
func (c *Turn) IsOver() bool {
	if c.After == nil {
		return false
	}
	_, over := c.After.Result()
	return over
}

// EventsFor lists the events that the letter to a reader tells.
func (c *Turn) EventsFor(reader rules.Seat) []rules.Event {
	return slices.Concat(c.Untold[reader].Events, HeardBy(c.Events, reader))
}

// HeardBy are the events that a reader is an audience of.
func HeardBy(events []rules.Event, reader rules.Seat) []rules.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(reader) })
}

// Tell adds what became of an order of a seat, for that seat's letter.
func (c *Turn) Tell(seat rules.Seat, line string, came Outcome, text string) {
	c.Lines[seat] = append(c.Lines[seat], LineReport{Line: line, Outcome: came, Text: text})
}

// MarkPlayed notes that the last line that was told a seat is of an order that was carried out,
// and that the events say what it has led to.
func (c *Turn) MarkPlayed(seat rules.Seat) {
	if n := len(c.Lines[seat]); n > 0 {
		c.Lines[seat][n-1].Played = true
	}
}

// HeadBefore is the head that the match had before what is carried out.
func (c *Turn) HeadBefore() string {
	if len(c.Entries) > 0 {
		return c.Entries[0].Prev
	}
	return c.Match.Head
}

// Owed lists a seat's open decisions.
func (c *Turn) Owed(seat rules.Seat) []rules.Decision { return c.WithoutResigned(Owed(c.After, seat)) }

// Owed lists those of a position.
func Owed(pos rules.Position, seat rules.Seat) []rules.Decision {
	return slices.DeleteFunc(pos.Owed(nil), func(d rules.Decision) bool { return d.Seat != seat })
}

// WithoutResigned are those decisions that are not asked of a player who has resigned.
func (c *Turn) WithoutResigned(of []rules.Decision) []rules.Decision {
	return slices.DeleteFunc(of, func(d rules.Decision) bool { return c.Match.Acts.Resigned.Has(d.Seat) })
}

// IsOpen reports whether a decision is open.
func (c *Turn) IsOpen(id rules.DecisionID) bool {
	return slices.ContainsFunc(c.After.Owed(nil), func(d rules.Decision) bool { return d.ID == id })
}

// IDs lists the names of decisions.
func IDs(decisions []rules.Decision) (out []rules.DecisionID) {
	for _, d := range decisions {
		out = append(out, d.ID)
	}
	return out
}

// Asks reports whether a seat is asked something that it has not answered, or only what
// it has.
func (c *Turn) Asks(seat rules.Seat) (open, answered bool) {
	for _, d := range c.Owed(seat) {
		_, is := c.SealedAnswer(d)
		open, answered = open || !is, answered || is
	}
	return open, answered
}

// Asking are the decisions that a seat owes, the answered ones among them that are sealed.
func (c *Turn) Asking(seat rules.Seat) []rules.Decision {
	if c.After == nil || c.Match.State != Playing {
		return nil
	}
	return c.Owed(seat)
}

// AskedBefore reports whether a decision was open when the letter in hand came.
func (c *Turn) AskedBefore(d rules.Decision) bool {
	return c.Before != nil && slices.Contains(IDs(Owed(c.Before, d.Seat)), d.ID)
}

// Answerable reports whether silence answers a decision that has no answer yet.
func (c *Turn) Answerable(d rules.Decision) bool {
	return d.Silence != rules.SilenceWaits && !c.HeldFor(d)
}

// GroupAsked is the group of sealed answers that is asked now, or 0.
func (c *Turn) GroupAsked() uint32 {
	if c.After == nil {
		return 0
	}
	for _, d := range c.After.Owed(nil) {
		if d.Sealed {
			return d.Group
		}
	}
	return 0
}

// HasLeft reports whether the player of a seat has resigned while the match goes on: no letter
// comes to him but answers, until it ends.
func (c *Turn) HasLeft(seat rules.Seat) bool {
	return c.Match.Acts.Resigned.Has(seat) && c.Match.State == Playing
}

// MayAgree reports whether a seat has still to answer a request.
func (c *Turn) MayAgree(r Request, seat rules.Seat) bool {
	return seat != rules.Nobody && r.Seat != seat && !r.Agreed.Has(seat) && !c.Match.Acts.Resigned.Has(seat) && c.Match.State == Playing
}

// Proposed is what the writer of a letter may say YES to; nil when there is nothing.
func (c *Turn) Proposed(seat rules.Seat) *Proposal {
	who := &c.Match.Seats[seat]
	p := who.Timing.Proposed
	if p == nil || c.Match.State != Playing || p.Number <= who.Floor || !slices.Equal(p.Decisions, IDs(c.Owed(seat))) {
		return nil
	}
	return p
}

// MayClaim reports whether a reader could claim the match from whoever has no time left.
func (c *Turn) MayClaim(reader rules.Seat) bool {
	return reader != rules.Nobody && !c.Match.Acts.Resigned.Has(reader) && !c.Match.Seats[reader].Clock.OutOfTime()
}

// LateAfter is when the time for the letters of the writer is over; false where none comes too
// late.
func (c *Turn) LateAfter(seat rules.Seat) (time.Time, bool) {
	k, stops := &c.Match.Seats[seat].Clock, c.Match.Stops(seat)
	switch {
	case c.Match.Tempo.None(), c.Match.State != Playing, c.Match.Zero == clock.Claim:
		return time.Time{}, false
	case c.Match.Zero == clock.Forfeit:
		return k.Zero(clock.Grace, stops)
	case !slices.ContainsFunc(c.Asking(seat), c.Answerable):
		return time.Time{}, false // The match waits for the answer, however late it comes.
	}
	return k.Zero(0, stops)
}

// meant reports whether an answer to the decision may have been meant by the
// writer of a letter that answers one of ours. It may unless a decision that we
// asked there is closed, and this one was not asked there: then it cannot be
// told which of the two he saw.
func meant(c *Turn, d rules.Decision, asked []rules.DecisionID) bool {
	closed := slices.ContainsFunc(asked, func(id rules.DecisionID) bool { return !c.IsOpen(id) })
	return !closed || slices.Contains(asked, d.ID)
}

// NoteAsked notes for every seat since when it has been asked what it is asked now. An
// answer that goes on with another question begins anew.
func (c *Turn) NoteAsked() {
	if c.After == nil || c.Match.State == Over {
		for i := range c.Match.Seats {
			c.Match.Seats[i].Since = time.Time{}
		}
		return
	}
	ids := func(pos rules.Position, seat rules.Seat) []rules.DecisionID {
		if pos == nil {
			return nil
		}
		return IDs(c.WithoutResigned(Owed(pos, seat)))
	}
	for i := range c.Match.Seats {
		seat := &c.Match.Seats[i]
		is := ids(c.After, rules.Seat(i))
		switch {
		case len(is) == 0:
			seat.Since = time.Time{}
		case seat.Since.IsZero(), c.Changed() && !slices.Equal(ids(c.Before, rules.Seat(i)), is):
			seat.Since = c.Now.Truncate(time.Second)
		}
	}
}

// Summarize keeps the summary of the match as it stands by now.
func (c *Turn) Summarize() {
	t := c
	if t.After == nil || t.Match.Summary != nil && len(t.Entries) == 0 {
		return
	}
	s := Summarize(t.Game, t.After)
	if t.Match.Summary != nil {
		s.Began = t.Match.Summary.Began
	} else if len(t.Entries) > 0 {
		s.Began = t.Entries[0].At
	}
	if t.Match.State == Over && len(t.Entries) > 0 {
		s.Ended = t.Entries[len(t.Entries)-1].At
	}
	t.Match.Summary = &s
}
