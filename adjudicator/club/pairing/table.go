package pairing

import (
	"cmp"
	"slices"
)

// Game is a finished game. Points are half points: 2 and 0, 1 and 1, 0 and 2, or 0 and 0 if both lost. A bye has no
// Second.
type Game struct {
	Pair
	Points [2]int
}

// TieBreak is a criterion for players with equal points.
type TieBreak int

// The tie-breaks.
const (
	// Buchholz is the sum of the opponents' points. For a bye the player's own points are added.
	Buchholz TieBreak = iota
	// SonnebornBerger is the sum of the points of beaten opponents, plus half the points of drawn
	// opponents. Byes do not count.
	SonnebornBerger
	// DirectEncounter is the sum of the points in games among the tied players, if all of them have met.
	DirectEncounter
	Wins
	tieBreakCount
)

// The tie-breaks of each kind of tournament.
var (
	SwissTieBreaks      = []TieBreak{Buchholz, SonnebornBerger, DirectEncounter}
	RoundRobinTieBreaks = []TieBreak{SonnebornBerger, DirectEncounter, Wins}
)

// Standing is a player's line in the table of a tournament.
type Standing struct {
	// Place is the rank, from 1. Players with equal points and equal tie-breaks share a place.
	Place int
	ID    ID
	// Points are half points. Played is the number of games; a bye is no game.
	Points, Played int
	// TieBreakScores are the scores by tie-break: Buchholz and DirectEncounter in half points, SonnebornBerger in quarters,
	// Wins in games.
	TieBreakScores [tieBreakCount]int
}

// Table returns the table of a tournament, best first. Players with equal points and equal tie-breaks keep their
// order in the list players.
func Table(players []ID, games []Game, tieBreaks []TieBreak) []Standing {
	t := newTable(players, games)
	groups := splitGroups([][]ID{players}, func(group []ID, p ID) int { return t.points[p] })
	for _, b := range tieBreaks {
		groups = splitGroups(groups, func(group []ID, p ID) int {
			t.scores[b][p] = t.tieBreakScore(b, group, p)
			return t.scores[b][p]
		})
	}
	var out []Standing
	place := 1
	for _, group := range groups {
		for _, p := range group {
			s := Standing{Place: place, ID: p, Points: t.points[p], Played: len(t.gamesOf[p])}
			for b := range t.scores {
				s.TieBreakScores[b] = t.scores[b][p]
			}
			out = append(out, s)
		}
		place += len(group)
	}
	return out
}

// splitGroups splits each group into groups of players with equal values, the highest value first.
func splitGroups(groups [][]ID, value func(group []ID, p ID) int) (out [][]ID) {
	for _, group := range groups {
		values := map[ID]int{}
		for _, p := range group {
			values[p] = value(group, p)
		}
		group = slices.Clone(group)
		slices.SortStableFunc(group, func(a, b ID) int { return cmp.Compare(values[b], values[a]) })
		for len(group) > 0 {
			n := 1
			for n < len(group) && values[group[n]] == values[group[0]] {
				n++
			}
			out, group = append(out, group[:n]), group[n:]
		}
	}
	return out
}

type gameResult struct {
	opponent ID
	points   int
}

type table struct {
	points, byes map[ID]int
	gamesOf      map[ID][]gameResult
	scores       [tieBreakCount]map[ID]int
}

func newTable(players []ID, games []Game) *table {
	t := &table{points: map[ID]int{}, byes: map[ID]int{}, gamesOf: map[ID][]gameResult{}}
	for b := range t.scores {
		t.scores[b] = map[ID]int{}
	}
	for _, g := range games {
		t.points[g.First] += g.Points[0]
		if g.Second == 0 {
			t.byes[g.First]++
			continue
		}
		t.points[g.Second] += g.Points[1]
		t.gamesOf[g.First] = append(t.gamesOf[g.First], gameResult{g.Second, g.Points[0]})
		t.gamesOf[g.Second] = append(t.gamesOf[g.Second], gameResult{g.First, g.Points[1]})
	}
	return t
}

// tieBreakScore returns a player's score for the tie-break b. group holds the tied players.
func (t *table) tieBreakScore(b TieBreak, group []ID, p ID) (sum int) {
	for _, g := range t.gamesOf[p] {
		switch b {
		case Buchholz:
			sum += t.points[g.opponent]
		case SonnebornBerger:
			sum += g.points * t.points[g.opponent]
		case DirectEncounter:
			if slices.Contains(group, g.opponent) {
				sum += g.points
			}
		case Wins:
			if g.points == 2 {
				sum++
			}
		}
	}
	if b == Buchholz {
		sum += t.byes[p] * t.points[p]
	}
	if b == DirectEncounter && !t.haveAllMet(group) {
		return 0
	}
	return sum
}

func (t *table) haveAllMet(group []ID) bool {
	for i, p := range group {
		for _, q := range group[:i] {
			if !slices.ContainsFunc(t.gamesOf[p], func(g gameResult) bool { return g.opponent == q }) {
				return false
			}
		}
	}
	return true
}
