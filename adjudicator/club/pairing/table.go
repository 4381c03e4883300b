package pairing

import (
	"cmp"
	"slices"
)

// Game is a result of a tournament. Points are half points of First and Second: 2 and 0, 1 and
// 1, 0 and 2; or 0 and 0 where both have lost. A bye has nobody as Second.
type Game struct {
	Pair
	Points [2]int
}

// TieBreak is what tells those of equal points apart.
type TieBreak int

// The tie-breaks.
const (
	// Buchholz is the sum of the points of all opponents. A bye counts as an opponent with
	// as many points as the player himself.
	Buchholz TieBreak = iota
	// SonnebornBerger is the sum of the points of the opponents that were beaten, and half
	// of those of the opponents with a draw. Byes count nothing.
	SonnebornBerger
	// Direct is the points from games among those who are still equal, if each of them has
	// met each other.
	Direct
	// Wins is the number of games won.
	Wins
	tieBreaks
)

// The orders of tie-breaks of each kind of tournament.
var (
	SwissTieBreaks      = []TieBreak{Buchholz, SonnebornBerger, Direct}
	RoundRobinTieBreaks = []TieBreak{SonnebornBerger, Direct, Wins}
)

// Standing is a line of a table.
type Standing struct {
	// Place is 1 for the first; those who are equal in everything share one.
	Place int
	ID    ID
	// Points and Played are half points, and games without byes.
	Points, Played int
	// TieBreakScores are the tie-breaks: of Buchholz in half points, of SonnebornBerger in quarters, of
	// Direct in half points, of Wins in games.
	TieBreakScores [tieBreaks]int
}

// Table is the table of a tournament, the first first. Those who are equal in everything stand
// in the order of players.
func Table(players []ID, games []Game, by []TieBreak) []Standing {
	t := newTable(players, games)
	groups := split([][]ID{players}, func(group []ID, p ID) int { return t.points[p] })
	for _, b := range by {
		groups = split(groups, func(group []ID, p ID) int {
			t.values[b][p] = t.value(b, group, p)
			return t.values[b][p]
		})
	}
	var out []Standing
	place := 1
	for _, group := range groups {
		for _, p := range group {
			s := Standing{Place: place, ID: p, Points: t.points[p], Played: len(t.of[p])}
			for b := range t.values {
				s.TieBreakScores[b] = t.values[b][p]
			}
			out = append(out, s)
		}
		place += len(group)
	}
	return out
}

// split splits groups further, by a value of each in his group, the highest first.
func split(groups [][]ID, value func(group []ID, p ID) int) (out [][]ID) {
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

// played is a game as one of its players sees it.
type played struct {
	opponent ID
	points   int
}

type table struct {
	points, byes map[ID]int
	of           map[ID][]played
	values       [tieBreaks]map[ID]int
}

func newTable(players []ID, games []Game) *table {
	t := &table{points: map[ID]int{}, byes: map[ID]int{}, of: map[ID][]played{}}
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
		t.of[g.First] = append(t.of[g.First], played{g.Second, g.Points[0]})
		t.of[g.Second] = append(t.of[g.Second], played{g.First, g.Points[1]})
	}
	return t
}

// value is a tie-break of a player among those who are equal so far.
func (t *table) value(b TieBreak, group []ID, p ID) (sum int) {
	for _, g := range t.of[p] {
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

// allMet reports whether each of a group has met each other.
func (t *table) allMet(group []ID) bool {
	for i, p := range group {
		for _, q := range group[:i] {
			if !slices.ContainsFunc(t.of[p], func(g played) bool { return g.opponent == q }) {
				return false
			}
		}
	}
	return true
}
