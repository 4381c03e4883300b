package match

import (
	"slices"
	"time"

	"samizdat/rules"
)

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
	view := pos.View(rules.Nobody)
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
	for _, d := range pos.Owed(nil) {
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
