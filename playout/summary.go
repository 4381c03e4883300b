package playout

import (
	"errors"
	"strings"
	"time"

	"samizdat/rules"
)

// Summary is how the matches of a plan went. All of it but the times depends only
// on the plan.
type Summary struct {
	Game   string   `json:"game"`
	Robots []string `json:"robots"`
	Style  string   `json:"style,omitempty"`
	Seed   uint64   `json:"seed"`
	Games  int      `json:"games"`
	// Decisions counts atoms, Orders whole answers.
	Decisions int `json:"decisions"`
	Orders    int `json:"orders"`
	// HandOvers counts how often another seat had to write than the one before.
	HandOvers int `json:"hand_overs"`
	// WithoutAhead is what that would be in the same matches if every answer were
	// written when it is asked for. Saved splits the difference.
	WithoutAhead int     `json:"hand_overs_without_orders_ahead,omitempty"`
	Saved        *Saved  `json:"hand_overs_saved_by,omitempty"`
	Fired        int     `json:"orders_ahead_fired,omitempty"`
	Dropped      int     `json:"orders_ahead_dropped,omitempty"`
	Seconds      float64 `json:"seconds"`
	PerSecond    float64 `json:"games_per_second"`
	// Results counts matches by the kind of their ending and by who won.
	Results map[string]int `json:"results"`
	// Wins counts matches by the names of the winners, "draw" for none.
	Wins map[string]int `json:"wins"`
	// Turns counts matches by the turn that they reached.
	Turns map[int]int `json:"turns"`
	// Illegal counts matches in which an answer was refused, or no option was
	// chosen, or the engine failed. Stuck counts those that could not go on.
	Illegal int `json:"illegal"`
	Stuck   int `json:"stuck"`
	// Bad tells the first of both.
	Bad []Bad `json:"bad,omitempty"`
}

// Bad is a match that did not end as matches do. It can be played again alone
// with its own seed.
type Bad struct {
	Game      int    `json:"game"`
	Seed      uint64 `json:"seed"`
	Decisions int    `json:"decisions"`
	What      string `json:"what"`
}

// mostBad is how many bad matches are told in words.
const mostBad = 20

func (s *Summary) begin(plan Plan, seats []string) {
	*s = Summary{Game: plan.Game.Name(), Seed: plan.Seed, Results: map[string]int{}, Wins: map[string]int{}, Turns: map[int]int{}}
	if plan.Style == StylePrograms {
		s.Style, s.Saved = plan.Style, new(Saved)
	}
	for seat := range seats {
		s.Robots = append(s.Robots, plan.Robots[min(seat, len(plan.Robots)-1)])
	}
}

func (s *Summary) bad(n int, seed uint64, m *match, err error) {
	if errors.Is(err, errStuck) {
		s.Stuck++
	} else {
		m.illegal = true
	}
	if len(s.Bad) < mostBad {
		s.Bad = append(s.Bad, Bad{Game: n, Seed: seed, Decisions: m.decisions, What: err.Error()})
	}
}

// book adds a match that has been played.
func (s *Summary) book(m *match, turn int, r rules.Result, over bool, names []string) {
	s.Games++
	s.Decisions += m.decisions
	s.Orders += m.orders
	s.HandOvers += m.handovers
	if s.Saved != nil {
		s.WithoutAhead += m.changes
		s.Fired += m.fired
		s.Dropped += m.dropped
		s.Saved.Answers += m.saved.Answers
		s.Saved.Plans += m.saved.Plans
		s.Saved.LookAhead += m.saved.LookAhead
	}
	s.Turns[turn]++
	if m.illegal {
		s.Illegal++
		return
	}
	if !over {
		return
	}
	who := winners(r.Winners, names)
	s.Results[r.Reason+" "+who]++
	s.Wins[who]++
}

// winners names who won.
func winners(set rules.Seats, names []string) string {
	var out []string
	for seat, name := range names {
		if set.Has(rules.Seat(seat)) {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return "draw"
	}
	return strings.Join(out, "+")
}

func (s *Summary) end(took time.Duration) {
	s.Seconds = took.Seconds()
	if s.Seconds > 0 {
		s.PerSecond = float64(s.Games) / s.Seconds
	}
}
