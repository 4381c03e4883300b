package dawn1989

import (
	"testing"

	"samizdat/internal/playout"
	"samizdat/rules"
)

// TestSensibleBeatsRandom: on either side the sensible robot wins at least 95 of
// 100 matches against the random one, and never loses one by holding a scoring
// card.
func TestSensibleBeatsRandom(t *testing.T) {
	t.Parallel()
	for side, robots := range [][]string{{robotSensible, robotRandom}, {robotRandom, robotSensible}} {
		me := Side(side)
		t.Run(me.String(), func(t *testing.T) {
			t.Parallel()
			sum, err := playout.Run(playout.Plan{Game: Game{}, Robots: robots, Games: 100, Seed: 1989})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(sum.Results)
			if sum.Illegal > 0 || sum.Stuck > 0 {
				t.Errorf("illegal %d, stuck %d: %+v", sum.Illegal, sum.Stuck, sum.Bad)
			}
			if n := sum.Wins[me.String()]; n < 95 {
				t.Errorf("%d wins, want at least 95", n)
			}
			if n := sum.Results[HeldCard.String()+" "+me.Enemy().String()]; n > 0 {
				t.Errorf("%d matches lost by a scoring card in hand", n)
			}
		})
	}
}

// TestRobotSeesItsView: what the sensible robot answers does not depend on cards
// that are hidden from it.
func TestRobotSeesItsView(t *testing.T) {
	t.Parallel()
	asked := 0
	for seed := range uint64(12) {
		d := newDice(seed)
		p := begin(t, d)
		x := Run{Chance: d}
		var one sensible
		for n := 0; p.ending == NotOver && n < 3000; n++ {
			options := p.Choices(nil)
			side := p.question.Side
			owner := side.Enemy()
			q := *p
			mine, deck := q.piles[hand(owner)].minus(q.known[owner]).cards(), q.piles[PileDeck].cards()
			if len(mine) > 0 && len(deck) > 0 {
				a, b := mine[d.r.IntN(len(mine))], deck[d.r.IntN(len(deck))]
				q.move(a, hand(owner), PileDeck)
				q.move(b, PileDeck, hand(owner))
			}
			dec := p.Owed(nil)[0]
			a := one.Choose(func() rules.View { return p.View(p.sits[side]) }, dec, options)
			// The second is new, so that nothing is remembered either.
			b := new(sensible).Choose(func() rules.View { return q.View(q.sits[side]) }, dec, options)
			if a != b {
				t.Fatalf("seed %d: %v to %v answers %#x, and %#x when the enemy holds other cards", seed, side, p.question.Ask, a, b)
			}
			asked++
			x.Events = x.Events[:0]
			if err := p.Decide(&x, a); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Log(asked, "answers")
}

// TestRobotNames: every robot that is named is made, and no other.
func TestRobotNames(t *testing.T) {
	t.Parallel()
	for _, name := range (Game{}).Robots() {
		if _, err := (Game{}).Robot(name, 1); err != nil {
			t.Error(err)
		}
	}
	if _, err := (Game{}).Robot("grandmaster", 1); err == nil {
		t.Error("a robot that does not exist was made")
	}
}

// TestViewAgain: a view that is made over an older one is the same as a new one.
func TestViewAgain(t *testing.T) {
	t.Parallel()
	d := newDice(4)
	p := begin(t, d)
	x := Run{Chance: d}
	var again View
	for n := 0; p.ending == NotOver && n < 2000; n++ {
		for _, seat := range []rules.Seat{0, 1, rules.Nobody} {
			p.show(&again, seat)
			if fresh := p.View(seat).(*View); *fresh != again {
				t.Fatalf("decision %d: the view of seat %d over another differs from a new one", n, seat)
			}
		}
		options := p.Choices(nil)
		if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTableLeavesNoGarbage: a decision on a table allocates nothing, the view
// included.
func TestTableLeavesNoGarbage(t *testing.T) {
	table, err := Game{}.Table(rules.Setup{Seats: 2, Revision: revision})
	if err != nil {
		t.Fatal(err)
	}
	d := newDice(1)
	r := rules.NewRandomRobot(1)
	look := table.Look
	decisions := 0
	play := func() {
		if err := table.Begin(d); err != nil {
			t.Fatal(err)
		}
		for {
			dec, options, open := table.Ask()
			if !open {
				return
			}
			look()
			if err := table.Answer(r.Choose(look, dec, options)); err != nil {
				t.Fatal(err)
			}
			decisions++
		}
	}
	play()
	decisions = 0
	if n := testing.AllocsPerRun(50, play); n > 0 {
		t.Errorf("a match of some %d decisions allocates %v times", decisions/51, n)
	}
}

// TestDefendsCheaply: a struggle card that is needed less goes first, and nobody
// concedes who can match.
func TestDefendsCheaply(t *testing.T) {
	t.Parallel()
	var m mind
	p := newPosition()
	p.struggle = Struggle{Country: Poland, Attacker: Communist, Suit: StrikeSuit, Attack: 2, Winner: Neutral}
	p.struggle.Hands[Democrat] = Hand{1: 1, 4: 1, TacticFails: 1}
	p.question = Question{Ask: AskDefend, Side: Democrat, Left: 1}
	options := struggleOptions(p, &Frame{}, nil)
	if a := m.defend(p, options); a != atom(VerbDefend, 0, 1) {
		t.Errorf("defends with %v, want Strike-3", StruggleCard(AtomValue(a)))
	}
}

// TestScoresInTime: with as many scoring cards as action rounds left, one is
// played whatever it costs.
func TestScoresInTime(t *testing.T) {
	t.Parallel()
	p := begin(t, newDice(3))
	for c := Card(1); c < cards; c++ {
		if p.piles[PileDemocrat].has(c) {
			p.move(c, PileDemocrat, PileDiscard)
		}
	}
	for _, c := range []Card{PolandScoring, Walesa, SolidarityLegalized} {
		for pile := range piles {
			if p.piles[pile].has(c) {
				p.move(c, pile, PileDemocrat)
			}
		}
	}
	for s := Space(1); s < spaces; s++ {
		if s.Info().Country == Poland {
			p.set(Democrat, s, 0)
			p.set(Communist, s, 9)
		}
	}
	var r sensible
	for _, tt := range []struct {
		round  int8
		scores bool
	}{{6, false}, {7, true}} {
		q := *p
		q.phase, q.round, q.phasing = PhaseRounds, tt.round, Democrat
		q.stack[1], q.depth = Frame{Proc: ProcRound, Side: Democrat}, 2
		q.question = Question{Ask: AskRound, Side: Democrat, Left: 1, ID: 99}
		a := r.Choose(func() rules.View { return q.View(0) }, q.Owed(nil)[0], q.Choices(nil))
		if scores := Card(AtomValue(a)) == PolandScoring; scores != tt.scores {
			t.Errorf("round %d: plays %v", tt.round, Card(AtomValue(a)))
		}
	}
}
