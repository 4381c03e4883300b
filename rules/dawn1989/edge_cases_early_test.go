package dawn1989

import "testing"

// The edge cases of cards 1 to 19, in the order of each card's list.

// prudent puts a side under one Prudence (card 8).
func prudent(s Side) func(*Position) { return func(p *Position) { p.force.prudence[s]++ } }

// ruined destroys a space (card 69).
func ruined(name string) func(*Position) {
	return func(p *Position) {
		sp(name, 0, 0)(p)
		p.destroyed = space(name)
	}
}

// refuge lays the Tyrant's marker (card 97) after that event.
func refuge(name string) func(*Position) {
	return func(p *Position) {
		p.force.refuge, p.force.tyrantGone, p.force.crowdStruck = space(name), true, true
	}
}

// sumOf is what a check adds to its die now.
func sumOf(p *Position, side Side, name string, printed int) int {
	return p.sum(side, space(name), printed, 0, false).total()
}

// TestCard1 holds Legacy of Martial Law against its edge cases.
func TestCard1(t *testing.T) {
	t.Parallel()
	t.Run("card 1, edge case 1: the swap changes what is adjacent to the check", func(t *testing.T) {
		t.Parallel()
		// Krakow, of 3, is no longer the Democrat's after the swap, so that the
		// check of Lodz is at 2 and not at 2 - 1: 5 + 2 against 6.
		p := scene(t, Communist, holds(Communist, 1), sp("Krakow", 3, 0), sp("Lodz", 1, 0))
		p = carry(t, p, []any{5}, "PLAY 1 EVENT", "CHOOSE Krakow", "CHECK Lodz")
		has(t, p, "Krakow", 2, 1)
		has(t, p, "Lodz", 0, 0)
	})
	t.Run("card 1, edge case 2: in Gdansk under card 2 the swap is legal, the check is not", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 1), lasting(SolidarityLegalized), sp("Gdansk", 3, 0), sp("Lodz", 1, 0), sp("Krakow", 1, 0))
		p = carry(t, p, nil, "PLAY 1 EVENT", "CHOOSE Gdansk")
		has(t, p, "Gdansk", 2, 1)
		mustAsk(t, p, AskCheck, Communist)
		mustRefuse(t, p, "CHECK Gdansk")
		p = scene(t, Communist, holds(Communist, 1), lasting(SolidarityLegalized), sp("Gdansk", 3, 0))
		p = carry(t, p, nil, "PLAY 1 EVENT")
		lies(t, p, 1, PileRemoved)
		mustAsk(t, p, AskRound, Democrat)
	})
	t.Run("card 1, edge case 3: a space whose only point was swapped is no target", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 1), sp("Krakow", 1, 0))
		p = carry(t, p, nil, "PLAY 1 EVENT")
		has(t, p, "Krakow", 0, 1)
		mustAsk(t, p, AskRound, Democrat)
	})
	t.Run("card 1, edge case 4: nothing in Poland, and the card is gone", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 1), sp("Praha", 3, 0)), nil, "PLAY 1 EVENT")
		has(t, p, "Praha", 3, 0)
		lies(t, p, 1, PileRemoved)
	})
	t.Run("card 1, edge case 5: card 49 in Poland leaves the swap", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 1), sp("Krakow", 3, 0), func(p *Position) { p.force.debt = Poland })
		p = carry(t, p, nil, "PLAY 1 EVENT")
		has(t, p, "Krakow", 2, 1)
		lies(t, p, 1, PileRemoved)
	})
	t.Run("card 1, edge case 6: the Ops are the Communist's in either round", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			put  []func(*Position)
			left int
		}{
			{nil, 3}, {[]func(*Position){lasting(Perestroika)}, 2}, {[]func(*Position){prudent(Communist)}, 4},
			{[]func(*Position){prudent(Democrat), lasting(SinatraDoctrine)}, 3},
		} {
			// 6 points, 1 swapped, die 6: 6 + 2 against 6 takes 2.
			p := scene(t, Democrat, append(tt.put, holds(Democrat, 1), sp("Krakow", 6, 0))...)
			has(t, carry(t, p, []any{6}, "PLAY 1 OPS EVENT FIRST"), "Krakow", tt.left, 1)
		}
	})
	t.Run("card 1, edge case 7: students and intellectuals pay card 26, and use up card 30", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 1), lasting(HelsinkiFinalAct, TearGas), sp("Jagiellonian University", 9, 0))
		p = carry(t, p, []any{1}, "PLAY 1 EVENT")
		hasVP(t, p, 1)
		has(t, p, "Jagiellonian University", 6, 1) // 1 swapped; 1 + 2 + 1 against 2
		lies(t, p, TearGas, PileRemoved)
		p = scene(t, Communist, holds(Communist, 1), lasting(HelsinkiFinalAct, TearGas), sp("Polish Writers", 9, 0))
		p = carry(t, p, []any{1}, "PLAY 1 EVENT")
		hasVP(t, p, 1)
		lies(t, p, TearGas, PileInPlay)
	})
}

// TestCard9 holds The Wall against its edge cases.
func TestCard9(t *testing.T) {
	t.Parallel()
	t.Run("card 9, edge case 1: the very next check in East Germany, with or without need", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 14), lasting(TheWall), sp("Rostock", 2, 0), sp("Lodz", 2, 0))
		q := carry(t, p, []any{1, 1}, "PLAY 14 OPS CHECK Lodz, Lodz")
		lies(t, q, TheWall, PileInPlay)
		lies(t, carry(t, p, []any{1, 1}, "PLAY 14 OPS CHECK Rostock, Lodz"), TheWall, PileRemoved)
		// The Democrat's checks are none of its business.
		p = scene(t, Democrat, holds(Democrat, 14), lasting(TheWall), sp("Rostock", 0, 2))
		lies(t, carry(t, p, []any{1, 1}, "PLAY 14 OPS CHECK Rostock"), TheWall, PileInPlay)
	})
	t.Run("card 9, edge case 2: own neighbours still help", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, lasting(TheWall), sp("Leipzig", 3, 0), sp("Halle", 3, 0), sp("Karl-Marx-Stadt", 0, 3))
		if s := p.sum(Communist, leipzig, 2, 0, false); s.own != 1 || s.enemy != 0 {
			t.Errorf("the sum is %+v, want one space for and none against", s)
		}
	})
	t.Run("card 9, edge case 3: the second check of the card is as ever", func(t *testing.T) {
		t.Parallel()
		// Leipzig: 2 + 4 against 6 does nothing, then with Halle against: 3 + 4 - 1.
		p := scene(t, Communist, holds(Communist, 14), lasting(TheWall), sp("Leipzig", 2, 0), sp("Halle", 3, 0))
		has(t, carry(t, p, []any{2, 3}, "PLAY 14 OPS CHECK Leipzig, Leipzig"), "Leipzig", 2, 0)
		has(t, carry(t, p, []any{3, 3}, "PLAY 14 OPS CHECK Leipzig, Leipzig"), "Leipzig", 1, 0)
	})
	t.Run("card 9, edge case 4: checks of events and of box 6 use it too", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 14), lasting(TheWall), sp("Leipzig", 5, 0), sp("Halle", 3, 0))
		p = carry(t, p, []any{3}, "PLAY 14 EVENT", "REMOVE Leipzig 2", "CHECK Leipzig")
		has(t, p, "Leipzig", 2, 0) // 3 + 4 against 6
		lies(t, p, TheWall, PileRemoved)
		p = finish(t, lastRound(t, boxes(0, 6), lasting(TheWall), sp("Leipzig", 2, 0), sp("Halle", 3, 0)))
		x := Run{Chance: &dieThenNone{die: 5}}
		if err := p.Decide(&x, at(VerbCheck, leipzig)); err == nil {
			t.Fatal("the next turn is dealt without chance")
		}
		has(t, p, "Leipzig", 1, 0) // 5 + 2 against 6
		lies(t, p, TheWall, PileRemoved)
	})
	t.Run("card 9, edge case 5: neighbours abroad are left out as well", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, lasting(TheWall), sp("Dresden", 4, 0), sp("Wroclaw", 3, 0), sp("Plzen", 4, 0))
		if got := sumOf(p, Communist, "Dresden", 2); got != 2 {
			t.Errorf("Dresden is checked at %+d, want +2", got)
		}
		if got := sumOf(p, Communist, "Wroclaw", 2); got != 1 {
			t.Errorf("Wroclaw, in Poland, is checked at %+d, want +1 (Dresden against)", got)
		}
	})
	t.Run("card 9, edge case 6: it lasts over turns", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(TheWall)))
		if p.turn != 2 || !p.force.cards.has(TheWall) {
			t.Error("the Wall has ended with the turn")
		}
		lies(t, p, TheWall, PileInPlay)
	})
	t.Run("card 9, edge case 8: after the Wall has fallen it has no effect and is gone", func(t *testing.T) {
		t.Parallel()
		fallen := func(p *Position) { p.force.wallFallen = true }
		p := carry(t, scene(t, Communist, holds(Communist, TheWall), fallen), nil, "PLAY 9 EVENT")
		lies(t, p, TheWall, PileRemoved)
		if p.force.cards.has(TheWall) {
			t.Error("the Wall is in force")
		}
		p = carry(t, scene(t, Democrat, holds(Democrat, TheWall), fallen, sp("Lodz", 1, 0)), nil, "PLAY 9 OPS PLACE Lodz EVENT AFTER")
		lies(t, p, TheWall, PileRemoved)
	})
}

// TestCard10And12 holds Cult of Personality and Apparatchiks against their edge
// cases.
func TestCard10And12(t *testing.T) {
	t.Parallel()
	t.Run("card 10, edge case 1: no effect after the Tyrant is gone, also for the Democrat's Ops", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 10), refuge("Iasi"), sp("Lodz", 1, 0))
		p = carry(t, p, nil, "PLAY 10 OPS EVENT FIRST", "OPS PLACE Lodz 3")
		lies(t, p, 10, PileRemoved)
	})
	t.Run("card 10, edge case 2: while card 97 only waits it works", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 10), lasting(CrowdTurns, TyrantIsGone))
		p = carry(t, p, nil, "PLAY 10 EVENT", "PLACE Iasi 2, Galati 2")
		has(t, p, "Iasi", 0, 2)
	})
	t.Run("card 10, edge case 3: a destroyed space is none", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 10), ruined("Iasi")), nil, "PLAY 10 EVENT")
		mustRefuse(t, p, "PLACE Iasi 2, Galati 2")
		if n := len(p.Choices(nil)); n != 7 {
			t.Errorf("%d spaces are offered, want 7", n)
		}
	})
	t.Run("card 10, edge case 4: the Democrat's spaces cost no more, capitals are no worker spaces", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 10), sp("Iasi", 5, 0)), nil, "PLAY 10 EVENT")
		mustRefuse(t, p, "PLACE Bucuresti 2, Iasi 2")
		mustRefuse(t, p, "PLACE Harghita/Covasna 2, Iasi 2")
		has(t, carry(t, p, nil, "PLACE Iasi 2, Targu Mures, Craiova"), "Iasi", 5, 2)
	})
	t.Run("card 12, edge case 1: all three in one space, of the Democrat too", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 12), sp("Budapest", 4, 0)), nil, "PLAY 12 EVENT")
		has(t, carry(t, p, nil, "PLACE Budapest 3"), "Budapest", 4, 3)
		has(t, carry(t, p, nil, "PLACE Berlin, Warszawa, Sofia"), "Berlin", 0, 1)
	})
	t.Run("card 12, edge case 2: Bucuresti may be destroyed", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 12), ruined("Bucuresti")), nil, "PLAY 12 EVENT")
		mustRefuse(t, p, "PLACE Bucuresti 3")
		carry(t, p, nil, "PLACE Sofia 3")
	})
}

// TestCard14 holds Gorbachev Charms the West against its edge cases.
func TestCard14(t *testing.T) {
	t.Parallel()
	t.Run("card 14, edge case 1: the removal changes what is adjacent to the check", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 14), sp("Krakow", 3, 0), sp("Lodz", 3, 0))
		p = carry(t, p, []any{4}, "PLAY 14 EVENT", "REMOVE Krakow 2", "CHECK Lodz")
		has(t, p, "Lodz", 1, 0) // 4 + 4 against 6
	})
	t.Run("card 14, edge case 2: after Breakaway Baltic Republics it is Ops only", func(t *testing.T) {
		t.Parallel()
		for side := Democrat; side <= Communist; side++ {
			p := scene(t, side, holds(side, 14), happened(BreakawayRepublics), sp("Lodz", 1, 1))
			if offers(p, play(14, PlayEvent)) || !offers(p, play(14, PlayOps)) {
				t.Errorf("the %v has the wrong plays", side)
			}
		}
	})
	t.Run("card 14, edge case 3: for Ops it triggers nothing", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 14), sp("Lodz", 1, 0), sp("Praha", 0, 4))
		mustRefuse(t, p, "PLAY 14 OPS PLACE Lodz 4 EVENT AFTER")
		p = carry(t, p, nil, "PLAY 14 OPS PLACE Lodz 4")
		has(t, p, "Praha", 0, 4)
		lies(t, p, 14, PileDiscard)
	})
	t.Run("card 14, edge case 4: the bans are for the check, not for the removal", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 14), lasting(SolidarityLegalized, WeAreThePeople, HelsinkiFinalAct, TearGas),
			func(p *Position) { p.force.debt = Hungary },
			sp("Gdansk", 2, 0), sp("Leipzig", 2, 0), sp("Szeged", 2, 0), sp("Charles University", 2, 0), sp("Lodz", 1, 0))
		p = carry(t, p, nil, "PLAY 14 EVENT", "REMOVE Gdansk, Leipzig")
		for _, s := range []string{"Gdansk", "Leipzig", "Szeged"} {
			mustRefuse(t, p, "CHECK "+s)
		}
		p = carry(t, p, []any{1}, "CHECK Charles University")
		has(t, p, "Charles University", 0, 2) // 1 + 4 + 1 against 2
		hasVP(t, p, 1)
		lies(t, p, TearGas, PileRemoved)
	})
	t.Run("card 14, edge case 5: the Democrat's modifiers, and the Tyrant's capture in both steps", func(t *testing.T) {
		t.Parallel()
		put := []func(*Position){holds(Democrat, 14), refuge("Iasi"), sp("Lodz", 0, 3)}
		p := scene(t, Democrat, append(put, sp("Iasi", 4, 3))...)
		q := carry(t, p, nil, "PLAY 14 EVENT", "REMOVE Iasi 2")
		hasVP(t, q, 2)
		p = scene(t, Democrat, append(put, sp("Iasi", 2, 1), lasting(Elena))...)
		q = carry(t, p, []any{5}, "PLAY 14 EVENT", "REMOVE Lodz 2", "CHECK Iasi")
		has(t, q, "Iasi", 3, 0) // 5 + 4 - 1 against 6
		hasVP(t, q, 2)
		// East Germany: the bonus of card 58 and the malus of card 59.
		p = scene(t, Democrat, holds(Democrat, 14), lasting(AustriaHungaryBorder, Grenztruppen, FRGEmbassies), sp("Berlin", 0, 5), sp("Lodz", 0, 3))
		q = carry(t, p, []any{4}, "PLAY 14 EVENT", "REMOVE Lodz 2", "CHECK Berlin")
		has(t, q, "Berlin", 0, 2) // 4 + 5 - 1 + 1 against 6
	})
	t.Run("card 14, edge case 7: as an event it satisfies Ligachev, with box 8 as well", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 14), lasting(Ligachev))
		q := carry(t, p, nil, "PLAY 14 EVENT")
		hasVP(t, q, 0)
		lies(t, q, Ligachev, PileRemoved)
		p = scene(t, Democrat, holds(Democrat, 14), lasting(Ligachev), boxes(8, 0), sp("Lodz", 1, 0))
		hasVP(t, carry(t, p, nil, "PLAY 14 BOTH PLACE Lodz 4 EVENT AFTER"), 0)
		hasVP(t, carry(t, p, nil, "PLAY 14 BOTH EVENT FIRST", "OPS PLACE Lodz 4"), 0)
		q = carry(t, p, nil, "PLAY 14 OPS PLACE Lodz 4")
		hasVP(t, q, -3)
		lies(t, q, Ligachev, PileRemoved)
	})
	t.Run("card 14, edge case 8: it neither moves the U.S.S.R. marker nor forbids anything", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Democrat, holds(Democrat, 14)), nil, "PLAY 14 EVENT")
		if p.ussr != 0 {
			t.Errorf("the marker is in box %d", p.ussr)
		}
		lies(t, p, 14, PileDiscard)
	})
}

// TestCard19 holds Papal Visit against its edge cases.
func TestCard19(t *testing.T) {
	t.Parallel()
	t.Run("card 19, edge case 1: all three in one Catholic Church", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Democrat, holds(Democrat, 19)), nil, "PLAY 19 EVENT")
		if n := len(p.Choices(nil)); n != 3 {
			t.Errorf("%d churches are offered, want 3", n)
		}
		for _, s := range []string{"East German Lutheran Church", "Romanian Orthodox Church", "Bulgarian Orthodox Church"} {
			mustRefuse(t, p, "CHOOSE "+s)
		}
		has(t, carry(t, p, nil, "CHOOSE Hungarian Catholic Church"), "Hungarian Catholic Church", 3, 0)
	})
	t.Run("card 19, edge case 2: the Democrat chooses in the Communist's round", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 19), sp("Praha", 0, 1)), nil, "PLAY 19 OPS EVENT FIRST")
		mustAsk(t, p, AskSpace, Democrat)
		p = carry(t, p, nil, "CHOOSE Polish Catholic Church", "OPS PLACE Praha 2")
		lies(t, p, 19, PileRemoved)
	})
}
