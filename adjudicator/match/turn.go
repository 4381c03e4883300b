package match

import (
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Turn is a match before and after what is carried out, with what happened between. Play moves it;
// package compose reads it to write letters, and changes nothing.
type Turn struct {
	Match *Match
	// Now is when the turn began.
	Now  time.Time
	Game *rules.Game
	// Before and After are the positions before the turn and as it stands; nil until the match is dealt.
	// Neither is ever changed: the gate works on copies.
	Before, After rules.Position
	// TakebackBefore and RequestsBefore are the requests of players that were open before the turn.
	TakebackBefore *Takeback
	RequestsBefore []Request
	// Published means that the turn has published what was hidden of a match that is over.
	Published bool
	// Entries are the entries of the history that the turn has added, Events what they have led to.
	Entries []record.Entry
	Events  []rules.Event
	// Lines say, for each seat, what became of its orders.
	Lines map[rules.Seat][]LineReport
	// Untold is, for each seat, what happened in earlier turns since the last letter that asked it something.
	Untold map[rules.Seat]Untold
	// Remarks are sentences for all seats beside the events, such as "The pause is over: clocks run again."
	Remarks []string
}

// Untold is what earlier turns have led to that a seat has not been told by a letter that asks.
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
func (t *Turn) Setup() rules.Setup {
	return rules.Setup{Seats: len(t.Match.Seats), Options: t.Match.Options, Revision: t.Match.Revision}
}

// Changed reports whether the match has moved.
func (t *Turn) Changed() bool { return len(t.Entries) > 0 }

// IsOver reports whether the match has a result.
func (t *Turn) IsOver() bool {
	if t.After == nil {
		return false
	}
	_, over := t.After.Result()
	return over
}

// EventsFor lists the events that the letter to a reader tells.
func (t *Turn) EventsFor(reader rules.Seat) []rules.Event {
	return slices.Concat(t.Untold[reader].Events, HeardBy(t.Events, reader))
}

// HeardBy are the events that a reader is an audience of.
func HeardBy(events []rules.Event, reader rules.Seat) []rules.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(reader) })
}

// Tell adds what became of an order of a seat, for that seat's letter.
func (t *Turn) Tell(seat rules.Seat, line string, came Outcome, text string) {
	t.Lines[seat] = append(t.Lines[seat], LineReport{Line: line, Outcome: came, Text: text})
}

// MarkPlayed notes that the last line that was told a seat is of an order that was carried out,
// and that the events say what it has led to.
func (t *Turn) MarkPlayed(seat rules.Seat) {
	if n := len(t.Lines[seat]); n > 0 {
		t.Lines[seat][n-1].Played = true
	}
}

// HeadBefore is the head that the match had before what is carried out.
func (t *Turn) HeadBefore() string {
	if len(t.Entries) > 0 {
		return t.Entries[0].Prev
	}
	return t.Match.Head
}

// Owed lists a seat's open decisions.
func (t *Turn) Owed(seat rules.Seat) []rules.Decision { return t.WithoutResigned(Owed(t.After, seat)) }

// Owed lists those of a position.
func Owed(pos rules.Position, seat rules.Seat) []rules.Decision {
	return slices.DeleteFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool { return d.Seat != seat })
}

// WithoutResigned are those decisions that are not asked of a player who has resigned.
func (t *Turn) WithoutResigned(of []rules.Decision) []rules.Decision {
	return slices.DeleteFunc(of, func(d rules.Decision) bool { return t.Match.Acts.Resigned.Has(d.Seat) })
}

// IsOpen reports whether a decision is open.
func (t *Turn) IsOpen(id rules.DecisionID) bool {
	return slices.ContainsFunc(t.After.OpenDecisions(nil), func(d rules.Decision) bool { return d.ID == id })
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
func (t *Turn) Asks(seat rules.Seat) (open, answered bool) {
	for _, d := range t.Owed(seat) {
		_, is := t.SealedAnswer(d)
		open, answered = open || !is, answered || is
	}
	return open, answered
}

// Asking are the decisions that a seat owes, the answered ones among them that are sealed.
func (t *Turn) Asking(seat rules.Seat) []rules.Decision {
	if t.After == nil || t.Match.State != Playing {
		return nil
	}
	return t.Owed(seat)
}

// AskedBefore reports whether a decision was open when the letter in hand came.
func (t *Turn) AskedBefore(d rules.Decision) bool {
	return t.Before != nil && slices.Contains(IDs(Owed(t.Before, d.Seat)), d.ID)
}

// Answerable reports whether silence answers a decision that has no answer yet.
func (t *Turn) Answerable(d rules.Decision) bool {
	return d.Silence != rules.SilenceWaits && !t.HeldFor(d)
}

// GroupAsked is the group of sealed answers that is asked now, or 0.
func (t *Turn) GroupAsked() uint32 {
	if t.After == nil {
		return 0
	}
	for _, d := range t.After.OpenDecisions(nil) {
		if d.Sealed {
			return d.Group
		}
	}
	return 0
}

// HasLeft reports whether the player of a seat has resigned while the match goes on: no letter
// comes to him but answers, until it ends.
func (t *Turn) HasLeft(seat rules.Seat) bool {
	return t.Match.Acts.Resigned.Has(seat) && t.Match.State == Playing
}

// MayAgree reports whether a seat has still to answer a request.
func (t *Turn) MayAgree(r Request, seat rules.Seat) bool {
	return seat != rules.NoSeat && r.Seat != seat && !r.Agreed.Has(seat) && !t.Match.Acts.Resigned.Has(seat) && t.Match.State == Playing
}

// Proposed is what the writer of a letter may say YES to; nil when there is nothing.
func (t *Turn) Proposed(seat rules.Seat) *Proposal {
	who := &t.Match.Seats[seat]
	p := who.Timing.Proposed
	if p == nil || t.Match.State != Playing || p.Number <= who.Floor || !slices.Equal(p.Decisions, IDs(t.Owed(seat))) {
		return nil
	}
	return p
}

// MayClaim reports whether a reader could claim the match from whoever has no time left.
func (t *Turn) MayClaim(reader rules.Seat) bool {
	return reader != rules.NoSeat && !t.Match.Acts.Resigned.Has(reader) && !t.Match.Seats[reader].Clock.OutOfTime()
}

// LateAfter is when the time for the letters of the writer is over; false where none comes too
// late.
func (t *Turn) LateAfter(seat rules.Seat) (time.Time, bool) {
	k, stops := &t.Match.Seats[seat].Clock, t.Match.Stops(seat)
	switch {
	case t.Match.Tempo.IsUntimed(), t.Match.State != Playing, t.Match.Zero == clock.Claim:
		return time.Time{}, false
	case t.Match.Zero == clock.Forfeit:
		return k.TimeoutAt(clock.ForfeitGrace, stops)
	case !slices.ContainsFunc(t.Asking(seat), t.Answerable):
		return time.Time{}, false // The match waits for the answer, however late it comes.
	}
	return k.TimeoutAt(0, stops)
}

// meant reports whether an answer to the decision may have been meant by the
// writer of a letter that answers one of ours. It may unless a decision that we
// asked there is closed, and this one was not asked there: then it cannot be
// told which of the two he saw.
func meant(t *Turn, d rules.Decision, asked []rules.DecisionID) bool {
	closed := slices.ContainsFunc(asked, func(id rules.DecisionID) bool { return !t.IsOpen(id) })
	return !closed || slices.Contains(asked, d.ID)
}

// NoteAsked notes for every seat since when it has been asked what it is asked now. An
// answer that goes on with another question begins anew.
func (t *Turn) NoteAsked() {
	if t.After == nil || t.Match.State == Over {
		for i := range t.Match.Seats {
			t.Match.Seats[i].Since = time.Time{}
		}
		return
	}
	ids := func(pos rules.Position, seat rules.Seat) []rules.DecisionID {
		if pos == nil {
			return nil
		}
		return IDs(t.WithoutResigned(Owed(pos, seat)))
	}
	for i := range t.Match.Seats {
		seat := &t.Match.Seats[i]
		is := ids(t.After, rules.Seat(i))
		switch {
		case len(is) == 0:
			seat.Since = time.Time{}
		case seat.Since.IsZero(), t.Changed() && !slices.Equal(ids(t.Before, rules.Seat(i)), is):
			seat.Since = t.Now.Truncate(time.Second)
		}
	}
}

// Summarize keeps the summary of the match as it stands by now.
func (t *Turn) Summarize() {
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
