// Package match holds the state of a match as plain values: seats, players, clocks and pending answers. Execution carries
// out orders and changes these values. The package uses no mail, log or store.
package match

import (
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Match is a match as it is stored.
type Match struct {
	ID       string
	Game     string
	Revision int
	Options  map[string]string
	State    State
	Seats    []Seat
	Pending  []PendingAnswer
	// Takeback is the open request to take an order back; nil for none.
	Takeback *Takeback
	// Version rises with every change. Storing a match that was read at an older version fails with ErrConflict.
	Version  int64
	Created  time.Time
	Director DirectorState
	Lifecycle
	Chance
	Progress
	Observing
	TimeControl
}

// State is the stage of a match, e.g. "playing".
type State string

const (
	Inviting State = "inviting"
	Playing  State = "playing"
	Over     State = "over"
	// CalledOff is the state of a match that was called off before it began.
	CalledOff State = "off"
)

// Chance is the source of a match's dice and shuffles: the secret of the referee, mixed with words of the players and a public beacon.
type Chance struct {
	Secret record.Secret
	// Recorded lists the outcomes of a match that takes its chance from a recorded game. Used counts the used outcomes. If
	// Recorded is nil, the chance comes from the sealed stream (record.Stream).
	Recorded []record.Outcome
	Used     int
	// Epoch rises with every take-back, undo and restore, so that dice rolled after it differ from those before (record.Place).
	Epoch int
	// SealedWords is set if every seat has to commit to its words by their hash before it shows them.
	SealedWords bool
	// Beacon is the public beacon that is mixed into the chance; nil for none.
	Beacon *Beacon
}

// Progress is the position and the length of the history.
type Progress struct {
	// Position is the canonical JSON of the position; nil before the deal. Build is the program version that wrote it.
	Position []byte
	Build    string
	// DivergedBuild is the program version (build) that replayed the same history and got another position; empty if
	// all builds agree. That build must not continue the match.
	DivergedBuild string
	// EntryCount counts all entries of the history, OrderEntryCount those with game orders. Head is the hash of the last entry.
	EntryCount, OrderEntryCount int
	Head                        string
	// Summary is shown in lists of matches; nil before the deal.
	Summary *Summary
	// BackgroundJob is the job that Adjudicator.RunBackgroundJobs runs next for the match.
	BackgroundJob BackgroundJob
}

// BackgroundJob is a job that takes seconds and runs apart from the handling of letters.
type BackgroundJob string

const (
	NoJob BackgroundJob = ""
	// AnalysisJob means that the match is over and must be analysed.
	AnalysisJob BackgroundJob = "analysis"
	// RobotJob means that a robot must answer.
	RobotJob BackgroundJob = "robot"
)

// Observing holds the observers of a match and the policy that the players agreed on.
type Observing struct {
	ObserverPolicy ObserverPolicy
	Observers      []Observer
	// LastObserver is the highest Observer.Number so far.
	LastObserver int
}

// TimeControl holds the time limits for the players of a match.
type TimeControl struct {
	// Tempo is the time that each seat has. OnTimeout says what happens at a time-out.
	Tempo     clock.Tempo
	OnTimeout clock.TimeoutPolicy
	// InboxOutages are the spans, since the start of the oldest running clock, in which the inbox was not scanned.
	// They are loaded from the store.
	InboxOutages []clock.Span
}

// CurrentPosition decodes the position; nil before the deal. If the match ended by an act (record.Act,
// e.g. a forfeit), the position has no open decisions.
func (m *Match) CurrentPosition(g *rules.Game) (rules.Position, error) {
	if m.Position == nil {
		return nil, nil
	}
	pos, err := g.Decode(m.Position)
	if err != nil {
		return nil, fmt.Errorf("match %s: %w", m.ID, err)
	}
	if e := m.Ended; e != nil {
		return record.EndPosition(pos, e.Act.Result(m.SeatNames())), nil
	}
	return record.ExcludeAbsent(g, pos, m.Absent), nil
}

// IsPublished reports whether the match is over and its hidden information is public.
func (m *Match) IsPublished() bool {
	return m.State == Over && (m.Ended == nil || m.Ended.Final.IsZero())
}

// SeatNames lists the names of the seats in records, e.g. "communist".
func (m *Match) SeatNames() (names []string) {
	for _, s := range m.Seats {
		names = append(names, s.Name)
	}
	return names
}

// PlayerNames lists the names of the players; empty where unknown.
func (m *Match) PlayerNames() (names []string) {
	for _, s := range m.Seats {
		names = append(names, s.PlayerName)
	}
	return names
}

// SeedWords returns the words that the players contribute to the seed of the chance, in the order of seats.
func (m *Match) SeedWords() (words []string) {
	for _, s := range m.Seats {
		words = append(words, s.SeedWords)
	}
	return words
}

// SeatsOf returns the seats with these names.
func (m *Match) SeatsOf(names []record.SeatName) (out rules.Seats) {
	for _, n := range names {
		if i := slices.IndexFunc(m.Seats, func(s Seat) bool { return s.Name == string(n) }); i >= 0 {
			out |= rules.Only(rules.Seat(i))
		}
	}
	return out
}

// UnansweredDecisions lists the open decisions of a position that have no sealed answer.
func (m *Match) UnansweredDecisions(pos rules.Position) []rules.Decision {
	return slices.DeleteFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool {
		return slices.ContainsFunc(m.Pending, func(pending PendingAnswer) bool { return pending.Decision == d.ID })
	})
}

// HasPlayer reports whether a player of the match has this address.
func (m *Match) HasPlayer(address string) bool {
	return slices.ContainsFunc(m.Seats, func(s Seat) bool { return s.Player.Contains(address) })
}

// Summary is the public state of a match in a list of matches.
type Summary struct {
	// Began is the time of the first entry. Ended is the time of the last entry if the match is over; zero before.
	Began time.Time `json:"began,omitzero"`
	Ended time.Time `json:"ended,omitzero"`
	// Over is set if the match has a result, with Winners, AllLost and Reason.
	Over    bool        `json:"over,omitempty"`
	Winners rules.Seats `json:"winners,omitempty"`
	AllLost bool        `json:"lost,omitempty"`
	Reason  string      `json:"reason,omitempty"`
	// ToMove are the seats with open decisions. Stalled is set if the match waits for the next outcome of a recorded game.
	ToMove  rules.Seats `json:"asked,omitempty"`
	Stalled bool        `json:"stalled,omitempty"`
	// Turn and Phase are the game's turn and phase, e.g. 3 and "Turn 3, action round 2".
	Turn  int    `json:"turn,omitempty"`
	Phase string `json:"phase,omitempty"`
	// Score holds the numbers that are drawn as curves over the match.
	Score []CurveValue `json:"score,omitempty"`
}

// CurveValue is a named number of a game, e.g. "Victory points".
type CurveValue struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

// Result returns the result of the match; false while the match is in play.
func (s *Summary) Result() (rules.Result, bool) {
	return rules.Result{Winners: s.Winners, AllLost: s.AllLost, Reason: s.Reason}, s.Over
}

// Summarize returns the summary of a position. The caller sets Began and Ended.
func Summarize(g *rules.Game, pos rules.Position) Summary {
	var summary Summary
	view := pos.View(rules.NoSeat)
	if g.Turn != nil {
		summary.Turn = g.Turn(view)
	}
	if g.Headline != nil {
		summary.Phase = g.Headline(view)
	}
	if g.Chronicle != nil {
		for _, n := range g.Chronicle.Curves(view) {
			summary.Score = append(summary.Score, CurveValue{n.Name, n.Value})
		}
	}
	if r, over := pos.Result(); over {
		summary.Over, summary.Winners, summary.AllLost, summary.Reason = true, r.Winners, r.AllLost, r.Reason
		return summary
	}
	if summary.Stalled = pos.Stalled(); summary.Stalled {
		return summary
	}
	for _, d := range pos.OpenDecisions(nil) {
		summary.ToMove |= rules.Only(d.Seat)
	}
	return summary
}

// ListedMatch is a match in a list of matches. It contains no secrets.
type ListedMatch struct {
	ID, Game string
	State    State
	// Since is the time when the state began.
	Since time.Time
	Seats []ListedSeat
	// Summary is nil before the deal.
	Summary *Summary
	// Lifecycle is set if the match was called off.
	Lifecycle *Lifecycle
	// Diverged is set if two program versions (builds) computed different positions from the same history, and the match is stopped.
	Diverged bool
}

// IsTimed reports whether the match has clocks.
func (l ListedMatch) IsTimed() bool {
	return slices.ContainsFunc(l.Seats, func(s ListedSeat) bool { return s.HasClock })
}

// ListedSeat is a seat of a listed match.
type ListedSeat struct {
	Name, Address string
	Joined        bool
	// ToMoveSince is the time at which the seat came to move; zero if it is unknown, or if the seat is not to move.
	ToMoveSince time.Time
	// HasClock is set if the seat has a clock. TimeLeft is the remaining time, and Until is the time-out; zero if unknown.
	HasClock bool
	TimeLeft time.Duration
	Until    time.Time
	// Bounces counts the letters to the player that bounced since the last delivered letter.
	Bounces int
}
