package engine

import (
	"slices"
	"testing"

	"samizdat/rules"
)

// TestRuling1Cards: each ordered pair of different reforms is on two crisis cards, and the
// objectives are the two leaders and every way to want two reforms in given colours.
func TestRuling1Cards(t *testing.T) {
	t.Parallel()
	pairs := map[[2]Reform]int{}
	for c := Crisis(1); c < Crises; c++ {
		pairs[[2]Reform{c.Reform(Monarchist), c.Reform(Republican)}]++
	}
	for r := range Reforms {
		for s := range Reforms {
			if n := pairs[[2]Reform{r, s}]; r != s && n != 2 || r == s && n != 0 {
				t.Errorf("%s for Monarchy and %s for the Republic are on %d cards", r, s, n)
			}
		}
	}
	seen, factions := map[[Reforms]Colour]bool{}, map[Faction]int{}
	for o := Objective(1); o < Objectives; o++ {
		wants, n, of := [Reforms]Colour{}, 0, map[Colour]bool{}
		for r := range Reforms {
			if wants[r] = o.Wants(r); wants[r] != NoColour {
				n++
				of[wants[r]] = true
			}
		}
		factions[o.Faction()]++
		switch {
		case o.Leader() != (n == 3), !o.Leader() && n != 2, seen[wants]:
			t.Errorf("%s wants %v", o, wants)
		case (o.Faction() == Bonapartes) != (len(of) == 2):
			t.Errorf("%s is of the %s", o, o.Faction())
		case o.Faction() != Bonapartes && !of[o.Faction().Colour()]:
			t.Errorf("%s wants what its faction does not", o)
		}
		seen[wants] = true
	}
	if factions[Monarchists] != 4 || factions[Republicans] != 4 || factions[Bonapartes] != 6 {
		t.Errorf("factions: %v", factions)
	}
}

// TestRuling1Satisfied: any three ministers satisfy three of the twelve objectives beside the
// leaders.
func TestRuling1Satisfied(t *testing.T) {
	t.Parallel()
	for n := range 8 {
		var m [Reforms]Colour
		for r := range m {
			m[r] = Monarchist
			if n>>r&1 == 1 {
				m[r] = Republican
			}
		}
		met := 0
		for o := others; o < Objectives; o++ {
			if o.Met(m) {
				met++
			}
		}
		if met != 3 {
			t.Errorf("%v satisfies %d", m, met)
		}
	}
}

// TestRuling2Board: three seats at each space, sixteen between two and two connected pairs, all
// of one board.
func TestRuling2Board(t *testing.T) {
	t.Parallel()
	pairs, touched := 0, map[Space]int{}
	for u := Unit(1); u < Units; u++ {
		a, b := u.Spaces()
		touched[a]++
		touched[b]++
		if u.Pair() {
			pairs++
		}
		if a >= b || u.String() == "" {
			t.Errorf("seat %s lies between %d and %d", u, a, b)
		}
	}
	for s := Space(1); s < Spaces; s++ {
		if around := Around(s); touched[s] != 3 || slices.Contains(around[:], 0) {
			t.Errorf("space %d has %d seats", s, touched[s])
		}
	}
	if pairs != 2 {
		t.Errorf("%d connected pairs", pairs)
	}
	reached := map[Space]bool{1: true}
	for range int(Spaces) {
		for u := Unit(1); u < Units; u++ {
			if a, b := u.Spaces(); reached[a] || reached[b] {
				reached[a], reached[b] = true, true
			}
		}
	}
	if len(reached) != int(Spaces)-1 {
		t.Errorf("only %d spaces hang together", len(reached))
	}
}

// dealt is a new match of so many, as chance deals it.
func dealt(t *testing.T, players int, seed uint64) *Position {
	t.Helper()
	pos, err := Rules{}.Begin(rules.Setup{Seats: players, Revision: newestRevision})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(newDice(seed), nil); err != nil {
		t.Fatal(err)
	}
	return pos.(*Position)
}

// TestRuling3Seating: who sits beside whom is drawn by lot, and every order can come; the
// citizens go to the seats in the order in which they are invited.
func TestRuling3Seating(t *testing.T) {
	t.Parallel()
	orders := map[[4]rules.Seat]bool{}
	for seed := range uint64(300) {
		p := dealt(t, 4, seed)
		order := [4]rules.Seat(p.Order[:4])
		orders[order] = true
		slices.Sort(order[:])
		if order != [4]rules.Seat{0, 1, 2, 3} {
			t.Fatalf("order %v", p.Order[:4])
		}
	}
	if len(orders) != 24 {
		t.Errorf("%d of 24 orders came", len(orders))
	}
	for i, want := range []string{"arch", "cheese", "croissant", "grape", "lamp"} {
		if got := Citizen(i); got != want {
			t.Errorf("seat %d is %s", i, got)
		}
	}
}

// TestRule3Objectives: both leaders are in every game, all cards differ, and each of the others
// can be left out.
func TestRule3Objectives(t *testing.T) {
	t.Parallel()
	for players := LeastSeats; players <= MostSeats; players++ {
		came := map[Objective]bool{}
		for seed := range uint64(60) {
			p := dealt(t, players, seed)
			cards := slices.Clone(p.Objectives[:players])
			slices.Sort(cards)
			if cards[0] != LouisXVI || cards[1] != Robespierre || len(slices.Compact(cards)) != players {
				t.Fatalf("%d players: %v", players, cards)
			}
			for _, o := range cards {
				came[o] = true
			}
		}
		if len(came) != int(Objectives)-1 {
			t.Errorf("%d players: only %d cards ever come", players, len(came))
		}
	}
}
