package engine

import (
	"slices"
	"testing"

	"samizdat/rules"
)

// The seats of five players are the five citizens that the rule book prints.
const (
	arch rules.Seat = iota
	cheese
	croissant
	grape
	lamp
)

// match is a position under test.
type match struct {
	*Position
	t      *testing.T
	dice   dice
	events []rules.Event
}

// board is a position in which the first player of the order, arch, is in the chair and
// asked for a unit: the crises lie on the spaces in the order of their numbers, but the
// Catholic Church on space 2, and the seats have the first objectives that there are.
func board(t *testing.T, players int) *match {
	t.Helper()
	m := &match{Position: new(Position), t: t, dice: newDice(1)}
	m.setUp(players, newestRevision)
	for s := Space(1); s < Spaces; s++ {
		m.Cards[s] = Crisis(s)
	}
	m.Cards[1], m.Cards[2] = m.Cards[2], m.Cards[1]
	m.CrisesDealt, m.SeatsPlaced, m.Turn = 12, uint8(players), 1
	for s := range players {
		m.Order[s], m.Objectives[s] = rules.Seat(s), Objective(s+1)
	}
	m.Phase = Seating
	m.DecisionIDs[arch] = m.nextID()
	return m
}

// hold gives a unit to a seat.
func (m *match) hold(seat rules.Seat, names ...string) *match {
	for _, name := range names {
		m.Holders[m.unit(name)] = seat
	}
	return m
}

func (m *match) unit(name string) Unit {
	m.t.Helper()
	for u := Unit(1); u < Units; u++ {
		if u.String() == name {
			return u
		}
	}
	m.t.Fatalf("no unit %s", name)
	return 0
}

// answer answers for a seat, as the adjudicator does: of sealed answers all of a group.
func (m *match) answer(seat rules.Seat, atoms ...rules.Atom) {
	m.t.Helper()
	for _, a := range atoms {
		id := m.DecisionIDs[seat]
		if id == 0 {
			m.t.Fatalf("%s is not asked in phase %s", CitizenKey(int(seat)), m.Phase)
		}
		var err error
		if m.events, err = m.Apply(id, a, m.dice, m.events); err != nil {
			m.t.Fatalf("%s: %v", CitizenKey(int(seat)), err)
		}
	}
}

// vote declares the counts of the vote under way.
func (m *match) vote(monarchy, republic int) {
	m.t.Helper()
	data, err := Rules{}.CountBallots(ballots(monarchy, republic))
	if err == nil {
		m.events, err = Rules{}.ApplyOutcome(m.Position, m.Group, data, m.dice, m.events)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func ballots(monarchy, republic int) (out []rules.Ballot) {
	for range monarchy {
		out = append(out, rules.Ballot{Atom: NewAtom(VerbVote, int(Monarchist))})
	}
	for range republic {
		out = append(out, rules.Ballot{Atom: NewAtom(VerbVote, int(Republican))})
	}
	return out
}

// take has the Chairman take a unit.
func (m *match) take(name string) {
	m.t.Helper()
	m.answer(m.ChairmanSeat(), NewAtom(VerbSeat, int(m.unit(name))))
}

// point has voters point at others.
func (m *match) point(pairs ...[2]rules.Seat) {
	m.t.Helper()
	for _, p := range pairs {
		m.answer(p[0], NewAtom(VerbPurge, int(p[1])))
	}
}

// holdAll answers the question for a revolution for all, with calls by some.
func (m *match) holdAll(calls map[rules.Seat][]rules.Atom) {
	m.t.Helper()
	for s := range rules.Seat(m.Players) {
		if m.Phase == Calling && m.DecisionIDs[s] != 0 {
			atoms := calls[s]
			if atoms == nil {
				atoms = []rules.Atom{NewAtom(VerbHold, 0)}
			}
			m.answer(s, atoms...)
		}
	}
}

// call calls a revolution without announcing gifts.
var call = []rules.Atom{NewAtom(VerbRevolution, 0), NewAtom(VerbEndAnswer, 0)}

// give is an answer that gives tokens.
func give(to ...rules.Seat) (out []rules.Atom) {
	for _, s := range to {
		out = append(out, NewAtom(VerbGive, int(s)))
	}
	if len(out) < maxGifts {
		out = append(out, NewAtom(VerbEndGifts, 0))
	}
	return out
}

// winners are the seats that have won.
func (m *match) winners() []rules.Seat {
	m.t.Helper()
	r, isOver := m.Result()
	if !isOver {
		m.t.Fatalf("the match goes on, in phase %s", m.Phase)
	}
	if r.AllLost != (r.Winners == 0) {
		m.t.Errorf("lost is %v with winners %b", r.AllLost, r.Winners)
	}
	var out []rules.Seat
	for s := range rules.Seat(m.Players) {
		if r.Winners.Has(s) {
			out = append(out, s)
		}
	}
	return out
}

func (m *match) want(what string, got, want any) {
	m.t.Helper()
	if got != want {
		m.t.Errorf("%s: %v, not %v", what, got, want)
	}
}

// wantWinners compares the winners.
func (m *match) wantWinners(want ...rules.Seat) {
	m.t.Helper()
	if got := m.winners(); !slices.Equal(got, want) {
		m.t.Errorf("winners %v, not %v", got, want)
	}
}

// objectives deals cards by name to the seats in order.
func (m *match) deal(names ...string) *match {
	l := &lookup{players: m.Players}
	for s, name := range names {
		m.Objectives[s] = Objective(l.objective(name))
	}
	if l.err != nil {
		m.t.Fatal(l.err)
	}
	return m
}

// legalUnits are those that a seat may take.
func (m *match) legalUnits(seat rules.Seat) (out []string) {
	for u := Unit(1); u < Units; u++ {
		if m.IsLegalUnit(seat, u) {
			out = append(out, u.String())
		}
	}
	return out
}

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
			if wants[r] = o.WantedColour(r); wants[r] != NoColour {
				n++
				of[wants[r]] = true
			}
		}
		factions[o.Faction()]++
		switch {
		case o.IsLeader() != (n == 3), !o.IsLeader() && n != 2, seen[wants]:
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
		for o := firstNonLeader; o < Objectives; o++ {
			if o.IsMet(m) {
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
		if u.IsPair() {
			pairs++
		}
		if a >= b || u.String() == "" {
			t.Errorf("seat %s lies between %d and %d", u, a, b)
		}
	}
	for s := Space(1); s < Spaces; s++ {
		if around := UnitsAround(s); touched[s] != 3 || slices.Contains(around[:], 0) {
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
		if got := CitizenKey(i); got != want {
			t.Errorf("seat %d is %s", i, got)
		}
	}
}

// TestRule3Objectives: both leaders are in every game, all cards differ, and each of the others
// can be left out.
func TestRule3Objectives(t *testing.T) {
	t.Parallel()
	for players := MinSeats; players <= MaxSeats; players++ {
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
