package playout

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// Summary summarises the matches of a plan. All fields except Seconds and PerSecond depend only on the plan.
type Summary struct {
	Game    string   `json:"game"`
	Robots  []string `json:"robots"`
	Seed    uint64   `json:"seed"`
	Matches int      `json:"games"`
	// Decisions counts the atoms that robots chose; Orders counts complete answers.
	Decisions int `json:"decisions"`
	Orders    int `json:"orders"`
	// HandOvers counts how often the next decision was for another seat.
	HandOvers int `json:"hand_overs"`
	// HandOversPerGame is the mean of HandOvers, rounded to one decimal.
	HandOversPerGame float64 `json:"hand_overs_per_game"`
	Seconds          float64 `json:"seconds"`
	PerSecond        float64 `json:"games_per_second"`
	// Results counts matches by reason and winners. For example, the key is "resignation democrat"
	// with two seats and "resignation 2 of 5" (the number of winners) with more.
	Results map[string]int `json:"results"`
	// Wins counts matches by winner. With more than two seats, a match counts once for each of its winners. The key is
	// "draw" if no seat won, or "nobody" if every seat lost.
	Wins map[string]int `json:"wins"`
	// Turns counts matches by their last turn.
	Turns map[int]int `json:"turns"`
	// Figures are the game's own counts: the mean per match, rounded to three decimals.
	Figures map[string]float64 `json:"figures,omitempty"`
	// Illegal counts matches with a refused answer, an answer outside the options, or a failure of the program, e.g. a
	// panic. Stuck counts matches that could not continue.
	Illegal int `json:"illegal"`
	Stuck   int `json:"stuck"`
	// Bad describes the first illegal or stuck matches.
	Bad []BadMatch `json:"bad,omitempty"`
}

// BadMatch is a match that was illegal or stuck. A plan with this Seed and one match plays the match again.
type BadMatch struct {
	Number    int    `json:"game"`
	Seed      uint64 `json:"seed"`
	Decisions int    `json:"decisions"`
	What      string `json:"what"`
}

const maxBadMatches = 20

func (s *Summary) begin(plan Plan, seats []string) {
	*s = Summary{Game: plan.Game.Name(), Seed: plan.Seed, Results: map[string]int{}, Wins: map[string]int{}, Turns: map[int]int{}}
	for seat := range seats {
		s.Robots = append(s.Robots, plan.Robots[min(seat, len(plan.Robots)-1)])
	}
}

func (s *Summary) addBad(n int, seed uint64, m *matchCounts, err error) {
	if errors.Is(err, errStuck) {
		s.Stuck++
	} else {
		m.isFaulty = true
	}
	if len(s.Bad) < maxBadMatches {
		s.Bad = append(s.Bad, BadMatch{Number: n, Seed: seed, Decisions: m.decisions, What: err.Error()})
	}
}

func (s *Summary) countMatch(n int, g *playedMatch, names []string) {
	if g.err != nil {
		s.addBad(n, g.seed, &g.matchCounts, g.err)
	}
	s.Matches++
	s.Decisions += g.decisions
	s.Orders += g.orders
	s.HandOvers += g.handovers
	s.Turns[g.turn]++
	for _, x := range g.statistics {
		if s.Figures == nil {
			s.Figures = map[string]float64{}
		}
		s.Figures[x.Name] += float64(x.N)
	}
	if g.isFaulty {
		s.Illegal++
		return
	}
	if !g.isOver {
		return
	}
	won := g.result.WinnersOf(names)
	switch {
	case g.result.AllLost:
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
	name := strings.Join(won, "+")
	s.Results[g.result.Reason+" "+name]++
	s.Wins[name]++
}

func (s *Summary) finish(duration time.Duration) {
	if s.Matches > 0 {
		s.HandOversPerGame = math.Round(10*float64(s.HandOvers)/float64(s.Matches)) / 10
	}
	for name, sum := range s.Figures {
		s.Figures[name] = math.Round(1000*sum/float64(s.Matches)) / 1000
	}
	s.Seconds = duration.Seconds()
	if s.Seconds > 0 {
		s.PerSecond = float64(s.Matches) / s.Seconds
	}
}
