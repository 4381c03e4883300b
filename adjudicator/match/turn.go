package match

import (
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Turn is a match before and after a letter or a due event, with the events of this change. It is not a turn of the game.
// Execution changes it; package compose reads it to write letters.
type Turn struct {
	Match *Match
	Now   time.Time
	Game  *rules.Game
	// Before and After are the positions at the start and now; nil until the deal. They are never modified in place.
	Before, After rules.Position
	// TakebackBefore and RequestsBefore are the requests that were open at the start.
	TakebackBefore *Takeback
	RequestsBefore []Request
	// HasPublished is set if the turn has published the hidden information of a match that is over.
	HasPublished bool
	// Entries are the entries that the turn has added to the history, and Events the events of these entries.
	Entries []record.Entry
	Events  []rules.Event
	// LineReports are the reports on the lines of the letter, by the seat that they are for.
	LineReports map[rules.Seat][]LineReport
	// Unreported holds, for each seat, the events and remarks since the last letter that asked it a question.
	Unreported map[rules.Seat]Unreported
	// Remarks are sentences for all seats beside the events, e.g. "The pause is over, and the clocks are running again."
	Remarks []string
}

// Unreported holds the events and remarks of earlier turns that the next letter with a question to a seat has to report.
type Unreported struct {
	Events  []rules.Event
	Remarks []string
}

// LineOutcome is the result of a line of a player's letter, in the words of our reply.
type LineOutcome string

const (
	OutcomeDone       LineOutcome = "done"
	OutcomeSaved      LineOutcome = "saved"
	OutcomePreview    LineOutcome = "preview"
	OutcomeAsked      LineOutcome = "not done yet" // waits for a YES
	OutcomeIgnored    LineOutcome = "ignored"
	OutcomeRefused    LineOutcome = "refused"
	OutcomeLapsed     LineOutcome = "lapsed"
	OutcomeNotReached LineOutcome = "not reached" // an earlier line stopped the letter
	OutcomeDropped    LineOutcome = "dropped"
	OutcomeUnread     LineOutcome = "not understood"
)

// LineReport is the report on one line of a letter: the line, its outcome and an explanation.
type LineReport struct {
	Line    string
	Outcome LineOutcome
	Text    string
	// CoveredByEvents is set if the events already report the effect of the order.
	CoveredByEvents bool
}

// Setup returns the setup of the game.
func (t *Turn) Setup() rules.Setup {
	return rules.Setup{Seats: len(t.Match.Seats), Options: t.Match.Options, Revision: t.Match.Revision}
}

// HasChanged reports whether the turn has added entries.
func (t *Turn) HasChanged() bool { return len(t.Entries) > 0 }

// IsOver reports whether the match has a result.
func (t *Turn) IsOver() bool {
	if t.After == nil {
		return false
	}
	_, over := t.After.Result()
	return over
}

// EventsFor lists the events for the letter to a reader.
func (t *Turn) EventsFor(reader rules.Seat) []rules.Event {
	return slices.Concat(t.Unreported[reader].Events, EventsVisibleTo(t.Events, reader))
}

// EventsVisibleTo returns the events that a reader is allowed to see.
func EventsVisibleTo(events []rules.Event, reader rules.Seat) []rules.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(reader) })
}

// ReportLine adds a line to the report for a seat.
func (t *Turn) ReportLine(seat rules.Seat, line string, outcome LineOutcome, text string) {
	t.LineReports[seat] = append(t.LineReports[seat], LineReport{Line: line, Outcome: outcome, Text: text})
}

// MarkCoveredByEvents sets CoveredByEvents in the last line report of a seat.
func (t *Turn) MarkCoveredByEvents(seat rules.Seat) {
	if n := len(t.LineReports[seat]); n > 0 {
		t.LineReports[seat][n-1].CoveredByEvents = true
	}
}

// HeadBefore returns the hash of the last entry of the history at the start of the turn.
func (t *Turn) HeadBefore() string {
	if len(t.Entries) > 0 {
		return t.Entries[0].Prev
	}
	return t.Match.Head
}

// OpenDecisions lists a seat's open decisions; none if its player has resigned.
func (t *Turn) OpenDecisions(seat rules.Seat) []rules.Decision {
	return t.WithoutResigned(rules.OpenDecisionsOf(t.After, seat))
}

// WithoutResigned removes the decisions of resigned players.
func (t *Turn) WithoutResigned(decisions []rules.Decision) []rules.Decision {
	return slices.DeleteFunc(decisions, func(d rules.Decision) bool { return t.Match.Resigned.Has(d.Seat) })
}

// IsDecisionOpen reports whether a decision is open.
func (t *Turn) IsDecisionOpen(id rules.DecisionID) bool {
	return slices.ContainsFunc(t.After.OpenDecisions(nil), func(d rules.Decision) bool { return d.ID == id })
}

// DecisionIDs lists the numbers of decisions.
func DecisionIDs(decisions []rules.Decision) (out []rules.DecisionID) {
	for _, d := range decisions {
		out = append(out, d.ID)
	}
	return out
}

// AskStatus reports whether a seat has open decisions without an answer, and whether it has decisions with a sealed answer.
func (t *Turn) AskStatus(seat rules.Seat) (isOpen, hasAnswered bool) {
	for _, d := range t.OpenDecisions(seat) {
		_, ok := t.SealedAnswer(d)
		isOpen, hasAnswered = isOpen || !ok, hasAnswered || ok
	}
	return isOpen, hasAnswered
}

// CurrentDecisions lists a seat's open decisions while the match is in play, including the decisions with a sealed answer.
func (t *Turn) CurrentDecisions(seat rules.Seat) []rules.Decision {
	if t.After == nil || t.Match.State != Playing {
		return nil
	}
	return t.OpenDecisions(seat)
}

// WasOpenBefore reports whether a decision was open at the start of the turn.
func (t *Turn) WasOpenBefore(d rules.Decision) bool {
	return t.Before != nil && slices.Contains(DecisionIDs(rules.OpenDecisionsOf(t.Before, d.Seat)), d.ID)
}

// IsAnsweredBySilence reports whether a decision would be answered automatically after a time-out.
func (t *Turn) IsAnsweredBySilence(d rules.Decision) bool {
	return d.Silence != rules.SilenceWaits && !t.HasSealedAnswer(d)
}

// OpenGroup returns the group of the open sealed decisions of a position; 0 for none, or without a position.
func OpenGroup(pos rules.Position) uint32 {
	if pos == nil {
		return 0
	}
	for _, d := range pos.OpenDecisions(nil) {
		if d.Sealed {
			return d.Group
		}
	}
	return 0
}

// HasLeft reports whether the player of a seat has resigned while the match is in play. Until the match ends, this
// player gets only replies to letters.
func (t *Turn) HasLeft(seat rules.Seat) bool {
	return t.Match.Resigned.Has(seat) && t.Match.State == Playing
}

// MayAgree reports whether a seat may still agree to a request.
func (t *Turn) MayAgree(r Request, seat rules.Seat) bool {
	return seat != rules.NoSeat && r.needsConsent(t.Match, seat) && t.Match.State == Playing
}

// OpenProposal returns the proposal to which the player of a seat may say YES; nil for none.
func (t *Turn) OpenProposal(seat rules.Seat) *Proposal {
	seatState := &t.Match.Seats[seat]
	proposal := seatState.Private.Proposal
	if proposal == nil || t.Match.State != Playing || proposal.Number <= seatState.ClosedThrough ||
		!slices.Equal(proposal.Decisions, DecisionIDs(t.OpenDecisions(seat))) {
		return nil
	}
	return proposal
}

// MayClaim reports whether a reader may claim the match when another player is out of time.
func (t *Turn) MayClaim(reader rules.Seat) bool {
	return reader != rules.NoSeat && !t.Match.Resigned.Has(reader) && !t.Match.Seats[reader].Clock.IsOutOfTime()
}

// LetterDeadline returns the time after which a letter of the seat comes too late; false if no letter can be late.
func (t *Turn) LetterDeadline(seat rules.Seat) (time.Time, bool) {
	seatClock, pauses := &t.Match.Seats[seat].Clock, t.Match.PausesOf(seat)
	switch {
	case t.Match.Tempo.IsUntimed(), t.Match.State != Playing, t.Match.OnTimeout == clock.Claim:
		return time.Time{}, false
	case t.Match.OnTimeout == clock.Forfeit:
		return seatClock.TimeoutAt(clock.ForfeitGrace, pauses)
	case !slices.ContainsFunc(t.CurrentDecisions(seat), t.IsAnsweredBySilence):
		return time.Time{}, false // The match is waiting for the answer without a limit.
	}
	return seatClock.TimeoutAt(0, pauses)
}

// mayAnswer reports whether an answer in a letter may be meant for decision d. asked are the decisions that the answered letter
// asked. If a decision in asked is closed, only decisions in asked may be answered, because the writer may not have seen later ones.
func mayAnswer(t *Turn, d rules.Decision, asked []rules.DecisionID) bool {
	hasClosed := slices.ContainsFunc(asked, func(id rules.DecisionID) bool { return !t.IsDecisionOpen(id) })
	return !hasClosed || slices.Contains(asked, d.ID)
}

// UpdateAskedSince updates AskedSince of every seat. A change of the seat's open decisions sets AskedSince to now.
func (t *Turn) UpdateAskedSince() {
	if t.After == nil || t.Match.State == Over {
		for i := range t.Match.Seats {
			t.Match.Seats[i].AskedSince = time.Time{}
		}
		return
	}
	decisionIDs := func(pos rules.Position, seat rules.Seat) []rules.DecisionID {
		if pos == nil {
			return nil
		}
		return DecisionIDs(t.WithoutResigned(rules.OpenDecisionsOf(pos, seat)))
	}
	for i := range t.Match.Seats {
		seat := &t.Match.Seats[i]
		current := decisionIDs(t.After, rules.Seat(i))
		recordAnswerTime(t, seat)
		switch {
		case len(current) == 0:
			seat.AskedSince = time.Time{}
		case seat.AskedSince.IsZero(), t.HasChanged() && !slices.Equal(decisionIDs(t.Before, rules.Seat(i)), current):
			seat.AskedSince = t.Now.Truncate(time.Second)
		}
	}
}

const maxAnswerTimes = 20

// recordAnswerTime records how long the player took for an answer in this turn. Sealed answers do not count.
func recordAnswerTime(t *Turn, seat *Seat) {
	isOwnEntry := func(entry record.Entry) bool {
		return entry.Seat == record.SeatName(seat.Name) && entry.Silence == "" && len(entry.Orders) > 0
	}
	if seat.AskedSince.IsZero() || seat.Robot != "" || !slices.ContainsFunc(t.Entries, isOwnEntry) {
		return
	}
	answers := append(slices.Clone(seat.Private.AnswerTimes), t.Now.Unix()/60, int64(t.Now.Sub(seat.AskedSince)/time.Minute))
	seat.Private.AnswerTimes = answers[max(0, len(answers)-2*maxAnswerTimes):]
}

// UpdateSummary updates the summary of the match.
func (t *Turn) UpdateSummary() {
	if t.After == nil || t.Match.Summary != nil && len(t.Entries) == 0 {
		return
	}
	summary := Summarize(t.Game, t.After)
	if t.Match.Summary != nil {
		summary.Began = t.Match.Summary.Began
	} else if len(t.Entries) > 0 {
		summary.Began = t.Entries[0].At
	}
	if t.Match.State == Over && len(t.Entries) > 0 {
		summary.Ended = t.Entries[len(t.Entries)-1].At
	}
	t.Match.Summary = &summary
}
