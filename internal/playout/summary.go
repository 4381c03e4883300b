package playout

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// Summary is how the matches of a plan went. All of it but the times depends only
// on the plan.
type Summary struct {
	Game   string   `json:"game"`
	Robots []string `json:"robots"`
	Seed   uint64   `json:"seed"`
	Games  int      `json:"games"`
	// Decisions counts atoms, Orders whole answers.
	Decisions int `json:"decisions"`
	Orders    int `json:"orders"`
	// HandOvers counts how often another seat had to write than the one before.
	HandOvers int `json:"hand_overs"`
	// HandOversPerGame is the same for one match, with one decimal.
	HandOversPerGame float64 `json:"hand_overs_per_game"`
	Seconds          float64 `json:"seconds"`
	PerSecond        float64 `json:"games_per_second"`
	// Results counts matches by the kind of their ending and by who won, or, where more
	// than two sit down, by how many did.
	Results map[string]int `json:"results"`
	// Wins counts matches by the names of the winners, each of them where more than two
	// sit down; "draw" or "nobody" for none.
	Wins map[string]int `json:"wins"`
	// Turns counts matches by the turn that they reached.
	Turns map[int]int `json:"turns"`
	// Figures are what the game counts, as means of a match, with three decimals.
	Figures map[string]float64 `json:"figures,omitempty"`
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

// book adds match n, which has been played.
func (s *Summary) book(n int, g *played, names []string) {
	if g.err != nil {
		s.bad(n, g.seed, &g.match, g.err)
	}
	s.Games++
	s.Decisions += g.decisions
	s.Orders += g.orders
	s.HandOvers += g.handovers
	s.Turns[g.turn]++
	for _, x := range g.figures {
		if s.Figures == nil {
			s.Figures = map[string]float64{}
		}
		s.Figures[x.Name] += float64(x.N)
	}
	if g.illegal {
		s.Illegal++
		return
	}
	if !g.over {
		return
	}
	won := g.result.WinnersOf(names)
	switch {
	case g.result.Lost:
		won = []string{"nobody"}
	case len(won) == 0:
		won = []string{"draw"}
	case len(names) > 2:
		s.Results[fmt.Sprintf("%s %d of %d", g.result.Reason, len(won), len(names))]++
		for _, name := range won {
			s.Wins[name]++
		}
		return
	}
	who := strings.Join(won, "+")
	s.Results[g.result.Reason+" "+who]++
	s.Wins[who]++
}

func (s *Summary) end(took time.Duration) {
	if s.Games > 0 {
		s.HandOversPerGame = math.Round(10*float64(s.HandOvers)/float64(s.Games)) / 10
	}
	for name, sum := range s.Figures {
		s.Figures[name] = math.Round(1000*sum/float64(s.Games)) / 1000
	}
	s.Seconds = took.Seconds()
	if s.Seconds > 0 {
		s.PerSecond = float64(s.Games) / s.Seconds
	}
}
