// Package usage counts how the members of a club play a game: the uses of each card by side and turn, the placements
// of the set-up, the dice, and the lengths and results of matches. A Match holds the counts of a finished match;
// Totals are the sums over matches.
package usage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

// Match holds the counts of a match. The keys of its maps are names of seats.
type Match struct {
	// LastTurn is the turn in which the match ended.
	LastTurn int `json:"turns,omitempty"`
	// Dice counts how often each number was rolled; index 0 is for the number 1.
	Dice map[string][6]int `json:"dice,omitempty"`
	// Plays holds the turns in which a seat used a card. For example, {"democrat":{"14 event":[3]}}: the Democrat used
	// card 14 for its event in turn 3.
	Plays map[string]map[string][]int `json:"plays,omitempty"`
	// Openings are the placements of the set-up. For example, {"democrat":"Poznan 3, Szeged 2"}.
	Openings map[string]string `json:"openings,omitempty"`
}

// Counter computes the counts of a match from its events, in their order.
type Counter struct {
	game       *rules.Game
	match      Match
	placed     map[rules.Seat]map[string]int
	plays      map[rules.Seat]map[string][]int
	dice       map[rules.Seat][6]int
	cardPlayed bool
}

// NewCounter returns the counter of a match.
func NewCounter(g *rules.Game) *Counter {
	return &Counter{game: g, placed: map[rules.Seat]map[string]int{}, plays: map[rules.Seat]map[string][]int{}, dice: map[rules.Seat][6]int{}}
}

// Add counts public events. v is the public view of the position after the events. Placements before the first card
// count as the set-up.
func (c *Counter) Add(v rules.View, events []rules.Event) {
	if c.game.Turn != nil {
		c.match.LastTurn = c.game.Turn(v)
	}
	if c.game.Counts != nil {
		for _, d := range c.game.Counts.Dice(v, events) {
			dice := c.dice[d.Seat]
			dice[d.N-1]++
			c.dice[d.Seat] = dice
		}
	}
	if c.game.Uses == nil {
		return
	}
	for _, u := range c.game.Uses(v, events) {
		switch {
		case u.Card > 0:
			c.cardPlayed = true
			key := fmt.Sprintf("%d %s", u.Card, u.How)
			countsOf(c.plays, u.Seat)[key] = append(c.plays[u.Seat][key], c.match.LastTurn)
		case !c.cardPlayed:
			countsOf(c.placed, u.Seat)[u.Place] += u.N
		}
	}
}

func countsOf[V any](bySeat map[rules.Seat]map[string]V, seat rules.Seat) map[string]V {
	if bySeat[seat] == nil {
		bySeat[seat] = map[string]V{}
	}
	return bySeat[seat]
}

// Match returns the counts. names are the names of the seats in results.
func (c *Counter) Match(names []string) Match {
	m := c.match
	m.Dice, m.Plays, m.Openings = map[string][6]int{}, map[string]map[string][]int{}, map[string]string{}
	for seat, name := range names {
		if dice, ok := c.dice[rules.Seat(seat)]; ok {
			m.Dice[name] = dice
		}
		if plays := c.plays[rules.Seat(seat)]; plays != nil {
			m.Plays[name] = plays
		}
		var opening []string
		placed := c.placed[rules.Seat(seat)]
		for _, place := range slices.Sorted(maps.Keys(placed)) {
			if n := placed[place]; n > 1 {
				place = fmt.Sprintf("%s %d", place, n)
			}
			opening = append(opening, place)
		}
		if len(opening) > 0 {
			m.Openings[name] = strings.Join(opening, ", ")
		}
	}
	return m
}

// Score counts the matches of a seat. For example, {10, 6, 1} is ten matches: six won, one drawn, three lost.
type Score struct {
	N     int `json:"n"`
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
}

func (s *Score) add(o Score) { s.N, s.Won, s.Drawn = s.N+o.N, s.Won+o.Won, s.Drawn+o.Drawn }

// Use counts the plays of a card by a seat for one purpose, e.g. How "event". Score counts the matches with these
// plays. Turns counts the plays by turn.
type Use struct {
	Card int    `json:"card"`
	Seat string `json:"seat"`
	How  string `json:"how"`
	Score
	Turns map[int]int `json:"turns"`
}

func (u Use) Plays() (n int) {
	for _, k := range u.Turns {
		n += k
	}
	return n
}

// Opening counts the matches in which a seat has placed its set-up in one way, e.g. Place "Poznan 3, Szeged 2".
type Opening struct {
	Seat  string `json:"seat"`
	Place string `json:"place"`
	Score
}

// Totals are the sums over matches. Seats counts the matches by seat, Lengths by their last turn.
type Totals struct {
	Matches  int               `json:"matches"`
	Lengths  map[int]int       `json:"lengths"`
	Dice     map[string][6]int `json:"dice"`
	Seats    map[string]Score  `json:"seats"`
	uses     map[string]*Use
	openings map[string]*Opening
}

// NewTotals returns totals of 0 matches.
func NewTotals() *Totals {
	return &Totals{Lengths: map[int]int{}, Dice: map[string][6]int{}, Seats: map[string]Score{}, uses: map[string]*Use{},
		openings: map[string]*Opening{}}
}

// Add adds a match and the scores of its seats, by name.
func (t *Totals) Add(m Match, scores map[string]Score) {
	t.Matches++
	if m.LastTurn > 0 {
		t.Lengths[m.LastTurn]++
	}
	for seat, score := range scores {
		sum := t.Seats[seat]
		sum.add(score)
		t.Seats[seat] = sum
	}
	for seat, dice := range m.Dice {
		sum := t.Dice[seat]
		for i, n := range dice {
			sum[i] += n
		}
		t.Dice[seat] = sum
	}
	for seat, plays := range m.Plays {
		for key, turns := range plays {
			u := t.uses[seat+" "+key]
			if u == nil {
				u = &Use{Seat: seat, Turns: map[int]int{}}
				card, how, _ := strings.Cut(key, " ")
				u.How = how
				u.Card, _ = strconv.Atoi(card) // Counter.Add has written the number.
				t.uses[seat+" "+key] = u
			}
			u.Score.add(scores[seat])
			for _, turn := range turns {
				u.Turns[turn]++
			}
		}
	}
	for seat, place := range m.Openings {
		o := t.openings[seat+" "+place]
		if o == nil {
			o = &Opening{Seat: seat, Place: place}
			t.openings[seat+" "+place] = o
		}
		o.Score.add(scores[seat])
	}
}

func (t *Totals) SeatNames() []string { return slices.Sorted(maps.Keys(t.Seats)) }

// SortedTurns returns the turns that have a count, in order.
func SortedTurns(counts map[int]int) []int { return slices.Sorted(maps.Keys(counts)) }

// Uses lists the uses of cards: by card, then by seat, the most frequent first.
func (t *Totals) Uses() []Use {
	out := make([]Use, 0, len(t.uses))
	for _, u := range t.uses {
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b Use) int {
		return cmp.Or(a.Card-b.Card, strings.Compare(a.Seat, b.Seat), b.Plays()-a.Plays(), strings.Compare(a.How, b.How))
	})
	return out
}

// FrequentOpenings lists at most maximum set-ups of each seat, the most frequent first.
func (t *Totals) FrequentOpenings(maximum int) (out []Opening) {
	listed := map[string]int{}
	for _, o := range t.Openings() {
		if listed[o.Seat]++; listed[o.Seat] <= maximum {
			out = append(out, o)
		}
	}
	return out
}

// Openings lists the set-ups of each seat, the most frequent first.
func (t *Totals) Openings() []Opening {
	out := make([]Opening, 0, len(t.openings))
	for _, o := range t.openings {
		out = append(out, *o)
	}
	slices.SortFunc(out, func(a, b Opening) int {
		return cmp.Or(strings.Compare(a.Seat, b.Seat), b.N-a.N, strings.Compare(a.Place, b.Place))
	})
	return out
}
