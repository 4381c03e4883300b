// Package match holds the state of a match as plain values: seats, players, clocks, what is kept
// for later questions, and what becomes of it with time. It knows no mail, no log and no store.
package match

import (
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Match is a match as it is stored between two letters.
type Match struct {
	ID       string
	Game     string
	Revision int
	Options  map[string]string
	State    State
	Seats    []Seat
	Held     []Held
	// Takeback is what a player asks to take back; nil when nobody does.
	Takeback *Takeback
	// Version rises with every change; a change made from an older version is
	// a conflict.
	Version int64
	Created time.Time
	// Directing is where the director's letters about the match stand.
	Directing Directing
	// Acts is what acts have made of the match.
	Acts Acts
	Chance
	Progress
	Observing
	TimeControl
}

// State is where a match stands in its life.
type State string

// The states of a match.
const (
	Inviting State = "inviting"
	Playing  State = "playing"
	Over     State = "over"
	// CalledOff is a match that was called off before it began.
	CalledOff State = "off"
)

// Chance is where a match's dice and shuffles come from.
type Chance struct {
	Secret record.Secret
	// Recorded is the list of outcomes of a match whose chance comes from
	// elsewhere, Used how many are gone. Nil means the sealed stream.
	Recorded []record.Outcome
	Used     int
	Epoch    int
	// SealedWords means that every seat has to seal its words.
	SealedWords bool
	// Beacon is the public beacon that is mixed into the chance; nil for none.
	Beacon *Beacon
}

// Progress is how far a match has come.
type Progress struct {
	// Position is the canonical JSON of the position; nil before the deal. Build
	// names the program that wrote it.
	Position []byte
	Build    string
	// Stopped names the program that has come to another position; empty where none has.
	Stopped string
	// Entries counts the history's entries, Ordered those with game orders,
	// Head is the newest hash.
	Entries, Ordered int
	Head             string
	// Summary is what a list says of the match; nil before the deal.
	Summary *Summary
}

// Observing is who observes a match. ObserverPolicy is what is agreed about it, Observers are those who
// do now, LastObserver is the highest number that one was given.
type Observing struct {
	ObserverPolicy ObserverPolicy
	Observers      []Observer
	LastObserver   int
}

// TimeControl is how much time the seats have.
type TimeControl struct {
	// Tempo is how much time they have, and Zero what happens when none is left.
	Tempo clock.Tempo
	Zero  clock.TimeoutPolicy
	// Deaf are the times since one of the clocks began to run in which nobody looked for
	// letters. The store knows them.
	Deaf clock.Pauses
}

// At is the position of a match as the match stands; nil before the deal. Of a match that an
// act has ended nothing is asked any more.
func (m *Match) At(g *rules.Game) (rules.Position, error) {
	if m.Position == nil {
		return nil, nil
	}
	pos, err := g.Decode(m.Position)
	if err != nil {
		return nil, fmt.Errorf("match %s: %w", m.ID, err)
	}
	if e := m.Acts.Ended; e != nil {
		return record.EndPosition(pos, e.Act.Result(m.SeatNames())), nil
	}
	return record.ExcludeAbsent(g, pos, m.Acts.Left), nil
}

// Published reports whether the match is over and nothing of it is hidden any more.
func (m *Match) Published() bool {
	return m.State == Over && (m.Acts.Ended == nil || m.Acts.Ended.Final.IsZero())
}

// SeatNames lists the names of the seats in records.
func (m *Match) SeatNames() (names []string) {
	for _, s := range m.Seats {
		names = append(names, s.Name)
	}
	return names
}

// PlayerNames lists what the players are called; empty where nobody has said it.
func (m *Match) PlayerNames() (names []string) {
	for _, s := range m.Seats {
		names = append(names, s.Called)
	}
	return names
}

// Words lists the words that the players mix into the chance.
func (m *Match) Words() (words []string) {
	for _, s := range m.Seats {
		words = append(words, s.Words)
	}
	return words
}

// SeatsOf are the seats of some names.
func (m *Match) SeatsOf(names []record.SeatName) (out rules.Seats) {
	for _, n := range names {
		if i := slices.IndexFunc(m.Seats, func(s Seat) bool { return s.Name == string(n) }); i >= 0 {
			out |= rules.Only(rules.Seat(i))
		}
	}
	return out
}

// Unanswered lists the decisions that are open in a position of the match, without
// those whose sealed answer waits for the others'.
func (m *Match) Unanswered(pos rules.Position) []rules.Decision {
	return slices.DeleteFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool {
		return slices.ContainsFunc(m.Held, func(h Held) bool { return h.Decision == d.ID })
	})
}

// HasPlayer reports whether somebody at an address plays in a match.
func (m *Match) HasPlayer(address string) bool {
	return slices.ContainsFunc(m.Seats, func(s Seat) bool { return s.Player.Contains(address) })
}

// Summary is what a list of matches says of one that was dealt. All may know it.
type Summary struct {
	// Began is the time of the first entry, Ended that of the newest when the match is over.
	Began time.Time `json:"began,omitzero"`
	Ended time.Time `json:"ended,omitzero"`
	// Over means that the match has a result: Winners, Lost and Reason are those of it.
	Over    bool        `json:"over,omitempty"`
	Winners rules.Seats `json:"winners,omitempty"`
	Lost    bool        `json:"lost,omitempty"`
	Reason  string      `json:"reason,omitempty"`
	// Asked are the seats that owe an answer. Stalled means that chance does.
	Asked   rules.Seats `json:"asked,omitempty"`
	Stalled bool        `json:"stalled,omitempty"`
	// Turn and Phase are where the match stands, as far as the game says it: a number, and
	// a few words.
	Turn  int    `json:"turn,omitempty"`
	Phase string `json:"phase,omitempty"`
	// Score are the numbers whose course the game has drawn.
	Score []Points `json:"score,omitempty"`
}

// Points is a number of a game and what it counts, such as "Victory points".
type Points struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

// Result is the result that a summary tells; false while the match goes on.
func (s *Summary) Result() (rules.Result, bool) {
	return rules.Result{Winners: s.Winners, Lost: s.Lost, Reason: s.Reason}, s.Over
}

// Summarize says how a position stands. It does not know when the match began.
func Summarize(g *rules.Game, pos rules.Position) Summary {
	var s Summary
	view := pos.View(rules.NoSeat)
	if g.Turn != nil {
		s.Turn = g.Turn(view)
	}
	if g.Headline != nil {
		s.Phase = g.Headline(view)
	}
	if g.Chronicle != nil {
		for _, n := range g.Chronicle.Curves(view) {
			s.Score = append(s.Score, Points{n.Name, n.Value})
		}
	}
	if r, over := pos.Result(); over {
		s.Over, s.Winners, s.Lost, s.Reason = true, r.Winners, r.Lost, r.Reason
		return s
	}
	if s.Stalled = pos.Stalled(); s.Stalled {
		return s
	}
	for _, d := range pos.OpenDecisions(nil) {
		s.Asked |= rules.Only(d.Seat)
	}
	return s
}

// Listed is what a list of matches says of one: nothing that opens a letter.
type Listed struct {
	ID, Game string
	State    State
	// Since is when the state began.
	Since time.Time
	Seats []ListedSeat
	// Summary is how it stands; nil before the deal.
	Summary *Summary
	// Acts is what acts have made of a match that was called off; otherwise nil.
	Acts *Acts
	// Stopped means that a program has come to another position.
	Stopped bool
}

// Timed reports whether clocks run in the match.
func (l Listed) Timed() bool {
	return slices.ContainsFunc(l.Seats, func(s ListedSeat) bool { return s.Timed })
}

// ListedSeat is a seat of a listed match.
type ListedSeat struct {
	Name, Address string
	Joined        bool
	// Asked is since when the seat is asked; zero when that is not known, or when it is
	// asked nothing.
	Asked time.Time
	// Timed means that the seat has a clock, which shows Left; it runs until Until where that
	// is known.
	Timed bool
	Left  time.Duration
	Until time.Time
	// Bounces is how many letters to the player did not arrive since one last did.
	Bounces int
}
