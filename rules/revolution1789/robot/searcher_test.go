package robot

import (
	"testing"

	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// TestSearcherWinsMore: in the place of a partisan among partisans, a searcher wins more matches with the same dice.
// tools/league measures how many.
func TestSearcherWinsMore(t *testing.T) {
	t.Parallel()
	const games, players = 100, 5
	weak := func(seed uint64) rules.Robot {
		r := newSearcher(seed).(*searcher)
		r.simulations = 60
		return r
	}
	won := [2]int{}
	for i, inSeat := range [...]func(uint64) rules.Robot{newPartisan, weak} {
		table, err := engine.Rules{}.NewSimulation(rules.Setup{Seats: players, Revision: engine.Rules{}.Revision()})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(games) {
			robots := make([]rules.Robot, players)
			for s := range robots {
				robots[s] = newPartisan(seed*players + uint64(s))
			}
			seat := seed % players
			robots[seat] = inSeat(seed)
			if err := table.Begin(rulestest.NewDice(seed)); err != nil {
				t.Fatal(err)
			}
			for d, options, open := table.Ask(); open; d, options, open = table.Ask() {
				if err := table.Answer(robots[d.Seat].Choose(table.View, d, options)); err != nil {
					t.Fatal(err)
				}
			}
			if r, _ := table.Result(); r.Winners.Has(rules.Seat(seat)) {
				won[i]++
			}
		}
	}
	if won[1] < won[0]*5/4 {
		t.Errorf("a searcher wins %d of %d matches, a partisan in its place %d", won[1], games, won[0])
	}
}

// TestDealFollowsTheBelief: a deal has all cards in play once, and a card that fits a seat better is dealt to it more
// often.
func TestDealFollowsTheBelief(t *testing.T) {
	t.Parallel()
	var p engine.Position
	begun, err := engine.Rules{}.Begin(rules.Setup{Seats: 5, Revision: engine.Rules{}.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	p = *begun.(*engine.Position)
	if _, err := p.Resume(rulestest.NewDice(1), nil); err != nil {
		t.Fatal(err)
	}
	v := p.View(0).(*engine.View)
	var b belief
	b.update(v)
	b.fit[1][engine.Robespierre] = bestFit / 64
	r := newSearcher(1).(*searcher)
	got := [2]int{}
	for n := range 2000 {
		r.simulationRandom.Seed(1, uint64(n))
		dealt, seen := b.dealObjectives(&r.simulationRandom), map[engine.Objective]bool{}
		for s, o := range dealt[:5] {
			if o == 0 || seen[o] || rules.Seat(s) == 0 && o != v.Objectives[0] {
				t.Fatalf("the deal %v", dealt)
			}
			seen[o] = true
			if o == engine.Robespierre && s < 3 && s > 0 {
				got[s-1]++
			}
		}
		if !seen[engine.LouisXVI] || !seen[engine.Robespierre] {
			t.Fatalf("the deal %v has no leader", dealt)
		}
	}
	if got[0] > got[1]/8 || got[1] < 300 {
		t.Errorf("Robespierre is dealt to seat 1 %d times, to seat 2 %d times", got[0], got[1])
	}
}

// TestSearcherSeesItsView: two positions that a seat cannot tell apart give the same choice. In the second position two
// other players have exchanged their hidden objectives.
func TestSearcherSeesItsView(t *testing.T) {
	t.Parallel()
	asked := 0
	for seed := uint64(1); asked < long.N(200, 2000); seed++ {
		begun, err := engine.Rules{}.Begin(rules.Setup{Seats: 5, Revision: engine.Rules{}.Revision()})
		if err != nil {
			t.Fatal(err)
		}
		p, dice := begun.(*engine.Position), rulestest.NewDice(seed)
		if _, err := p.Resume(dice, nil); err != nil {
			t.Fatal(err)
		}
		for open := p.OpenDecisions(nil); len(open) > 0; open = p.OpenDecisions(nil) {
			monarchy := 0
			for _, d := range open {
				a := chooseBlind(t, p, d, seed)
				asked++
				if p.Phase != engine.Voting {
					if _, err := p.Apply(d.ID, a, dice, nil); err != nil {
						t.Fatal(err)
					}
					break
				}
				if engine.Colour(engine.AtomValue(a)) == engine.Monarchist {
					monarchy++
				}
			}
			if len(open) == 3 && p.Phase == engine.Voting {
				p.ApplyVoteCount(monarchy, nil)
			}
		}
	}
}

// chooseBlind returns the choice of a new searcher. It fails if the searcher chooses differently when two other players
// have exchanged their hidden objectives.
func chooseBlind(t *testing.T, p *engine.Position, d rules.Decision, seed uint64) rules.Atom {
	t.Helper()
	options := p.Options(nil, d.ID)
	choose := func(from *engine.Position) rules.Atom {
		r := newSearcher(seed).(*searcher)
		r.simulations = 20
		return r.Choose(func() rules.View { return from.View(d.Seat) }, d, options)
	}
	other := *p
	var hidden []rules.Seat
	for s := range rules.Seat(p.Players) {
		if s != d.Seat && !p.ShownSeats.Has(s) {
			hidden = append(hidden, s)
		}
	}
	if len(hidden) > 1 {
		a, b := hidden[0], hidden[1]
		other.Objectives[a], other.Objectives[b] = other.Objectives[b], other.Objectives[a]
	}
	chosen := choose(p)
	if c := choose(&other); c != chosen {
		t.Fatalf("seed %d: seat %d answers %#x, and %#x when others have other objectives", seed, d.Seat, chosen, c)
	}
	return chosen
}
