package pairing

import (
	"cmp"
	"slices"
)

// Game is a result in half points: 2 and 0, 1 and 1, 0 and 2, or 0 and 0 if both lost. A bye has no
// Second.
type Game struct {
	Pair
	Points [2]int
}

// TieBreak is a criterion for players with equal points.
type TieBreak int

// The tie-breaks.
const (
	// Buchholz is the sum of the opponents' points. A bye counts as an opponent with the player's
	// own points.
	Buchholz TieBreak = iota
	// SonnebornBerger is the sum of the points of beaten opponents, plus half the points of drawn
	// opponents. Byes do not count.
	SonnebornBerger
	// Direct is the points in games among the tied players, if all have met.
	Direct
	// Wins is the number of wins.
	Wins
	tieBreaks
)

// The tie-breaks of each kind of tournament.
var (
	SwissTieBreaks      = []TieBreak{Buchholz, SonnebornBerger, Direct}
	RoundRobinTieBreaks = []TieBreak{SonnebornBerger, Direct, Wins}
)

// Standing is a line of a table.
type Standing struct {
	// Place is the rank, from 1. Players who are equal in everything share a place.
	Place int
	ID    ID
	// Points are half points. Played counts games without byes.
	Points, Played int
	// TieBreakScores are the values of the tie-breaks: Buchholz and Direct in half points,
	// SonnebornBerger in quarters, Wins in games.
	TieBreakScores [tieBreaks]int
}

// Table returns the table of a tournament, best first. Players who are equal in everything keep the order of
// players.
func Table(players []ID, games []Game, by []TieBreak) []Standing {
	t := newTable(players, games)
	groups := splitGroups([][]ID{players}, func(group []ID, p ID) int { return t.points[p] })
	for _, b := range by {
		groups = splitGroups(groups, func(group []ID, p ID) int {
			t.values[b][p] = t.value(b, group, p)
			return t.values[b][p]
		})
	}
	var out []Standing
	place := 1
	for _, group := range groups {
		for _, p := range group {
			s := Standing{Place: place, ID: p, Points: t.points[p], Played: len(t.gamesOf[p])}
			for b := range t.values {
				s.TieBreakScores[b] = t.values[b][p]
			}
			out = append(out, s)
		}
		place += len(group)
	}
	return out
}

// splitGroups splits groups by a value of each player, highest first.
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

type played struct {
	opponent ID
	points   int
}

type table struct {
	points, byes map[ID]int
	gamesOf      map[ID][]played
	values       [tieBreaks]map[ID]int
}

func newTable(players []ID, games []Game) *table {
	t := &table{points: map[ID]int{}, byes: map[ID]int{}, gamesOf: map[ID][]played{}}
	for b := range t.values {
		t.values[b] = map[ID]int{}
	}
	for _, g := range games {
		t.points[g.First] += g.Points[0]
		if g.Second == 0 {
			t.byes[g.First]++
			continue
		}
		t.points[g.Second] += g.Points[1]
		t.gamesOf[g.First] = append(t.gamesOf[g.First], played{g.Second, g.Points[0]})
		t.gamesOf[g.Second] = append(t.gamesOf[g.Second], played{g.First, g.Points[1]})
	}
	return t
}

// value returns a tie-break score of a player in a group of tied players.
func (t *table) value(b TieBreak, group []ID, p ID) (sum int) {
	for _, g := range t.gamesOf[p] {
		switch b {
		case Buchholz:
			sum += t.points[g.opponent]
		case SonnebornBerger:
			sum += g.points * t.points[g.opponent]
		case Direct:
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
	if b == Direct && !t.allMet(group) {
		return 0
	}
	return sum
}

func (t *table) allMet(group []ID) bool {
	for i, p := range group {
		for _, q := range group[:i] {
			if !slices.ContainsFunc(t.gamesOf[p], func(g played) bool { return g.opponent == q }) {
				return false
			}
		}
	}
	return true
}
