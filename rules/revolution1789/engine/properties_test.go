package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"samizdat/internal/test/long"
	"samizdat/rules"
)

// lasting is what of a position never goes back.
type lasting struct {
	verdicts  [Spaces]uint8
	ministers [Reforms]Colour
	turn      uint8
	shown     rules.Seats
}

func lastingOf(p *Position) lasting { return lasting{p.Verdicts, p.Ministers, p.Turn, p.ShownSeats} }

// follows reports what went back from one position to the next.
func (l lasting) follows(t *rapid.T, was lasting) {
	for s := range l.verdicts {
		if was.verdicts[s] != CrisisOpen && l.verdicts[s] != was.verdicts[s] {
			t.Fatalf("the crisis at space %d was voted on twice", s)
		}
	}
	for r := range l.ministers {
		if was.ministers[r] != NoColour && l.ministers[r] == NoColour {
			t.Fatalf("the minister for %s reforms is gone", Reform(r))
		}
	}
	if l.turn < was.turn || was.shown&^l.shown != 0 {
		t.Fatalf("from turn %d to %d, cards shown %b to %b", was.turn, l.turn, was.shown, l.shown)
	}
}

// TestProperties holds matches in which anything is answered, revolutions too, to what is true
// of every position: who sits where, what is voted on, that no unit is purged for one crisis
// twice, and that a crisis stays voted on and a reform keeps a minister. Every match ends.
func TestProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		players := rapid.IntRange(MinSeats, MaxSeats).Draw(t, "players")
		table, err := Rules{}.NewSimulation(rules.Setup{Seats: players, Revision: newestRevision})
		if err != nil {
			t.Fatal(err)
		}
		m := table.(*simulation)
		if err := m.Begin(newDice(rapid.Uint64().Draw(t, "deal"))); err != nil {
			t.Fatal(err)
		}
		answers := newDice(rapid.Uint64().Draw(t, "answers"))
		calls := rapid.Bool().Draw(t, "calls")
		was := lastingOf(&m.pos)
		for {
			d, options, isOpen := m.Ask()
			if !isOpen {
				break
			}
			a := options[answers.r.IntN(len(options))]
			if d.Kind == KindCall && !calls {
				a = options[0]
			}
			if err := m.Answer(a); err != nil {
				t.Fatal(err)
			}
			is := lastingOf(&m.pos)
			is.follows(t, was)
			was = is
			properties(t, &m.pos)
		}
		if _, isOver := m.Result(); !isOver {
			t.Fatal("nothing is asked and the match goes on")
		}
		if m.pos.Turn > 29 {
			t.Fatalf("turn %d", m.pos.Turn)
		}
	})
}

// properties are what is true of every position.
func properties(t *rapid.T, p *Position) {
	for s := Space(1); s < Spaces; s++ {
		seats := map[rules.Seat]bool{}
		for _, u := range UnitsAround(s) {
			h := p.Holders[u]
			if h != rules.NoSeat && seats[h] {
				t.Fatalf("%s sits twice at space %d", CitizenKey(int(h)), s)
			}
			seats[h] = true
		}
		under := p.VoteSpace == s || p.VoteQueue[0] == s || p.VoteQueue[1] == s
		if p.IsFull(s) && p.Verdicts[s] == CrisisOpen && !under && p.Phase != Over && p.Phase < GivingFirst {
			t.Fatalf("the open crisis at space %d is full and not voted on", s)
		}
	}
	if p.Phase == Voting {
		chairs := 0
		for i, v := range p.Voters {
			if v == p.ChairmanSeat() {
				chairs++
			}
			for _, w := range p.Voters[:i] {
				if v == w {
					t.Fatalf("%s votes twice", CitizenKey(int(v)))
				}
			}
		}
		if chairs != 1 {
			t.Fatalf("the Chairman votes %d times", chairs)
		}
	}
	for u := Unit(1); u < Units; u++ {
		a, b := u.Spaces()
		n := 0
		for _, s := range p.Traces[u] {
			if s != rules.NoSeat {
				n++
			}
		}
		voted := 0
		for _, s := range [...]Space{a, b} {
			if p.Verdicts[s] != CrisisOpen || p.VoteSpace == s {
				voted++
			}
		}
		if n > voted {
			t.Fatalf("unit %s was purged %d times at %d votes", u, n, voted)
		}
	}
}

// dice is chance for tests, the same for the same seed.
type dice struct{ r *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1789))} }

func (d dice) Roll(rules.Reason) (int, error)    { return 1 + d.r.IntN(6), nil }
func (d dice) Draw(draw rules.Draw) (int, error) { return d.r.IntN(len(draw.Pile)), nil }

// figures are what 1789's facts tell of random play without revolutions.
type figures struct{ turns, most, votes, doubles, complete, cycles float64 }

// play plays one match at random without revolutions, checks the invariants at each step and
// counts.
func play(t *testing.T, table *simulation, seed uint64, sum *figures) {
	d := newDice(seed)
	if err := table.Begin(d); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		decision, options, isOpen := table.Ask()
		if !isOpen {
			break
		}
		if n > 2000 {
			t.Fatalf("seed %d: no end after %d answers", seed, n)
		}
		checkInvariants(t, &table.pos, seed)
		a := options[d.r.IntN(len(options))]
		if decision.Kind == KindCall {
			a = options[0]
		}
		if err := table.Answer(a); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, e := range table.events {
			switch e.Kind {
			case EventVote:
				sum.votes++
			case EventUnresolved:
				sum.cycles++
			}
		}
		if table.pos.Phase == Seating && table.pos.ChosenUnit != 0 {
			sum.doubles++
		}
	}
	if _, isOver := table.Result(); !isOver {
		t.Fatalf("seed %d: nothing is asked and the match goes on", seed)
	}
	turns := float64(table.Turn())
	sum.turns += turns
	sum.most = max(sum.most, turns)
	if table.pos.HasAllMinisters() {
		sum.complete++
	}
}

// checkInvariants holds a position to section 1.1 of the facts.
func checkInvariants(t *testing.T, p *Position, seed uint64) {
	t.Helper()
	for s := Space(1); s < Spaces; s++ {
		var held []rules.Seat
		for _, u := range UnitsAround(s) {
			if h := p.Holders[u]; h != rules.NoSeat {
				if slices.Contains(held, h) {
					t.Fatalf("seed %d: %s sits twice at space %d", seed, CitizenKey(int(h)), s)
				}
				held = append(held, h)
			}
		}
		under := p.VoteSpace == s || slices.Contains(p.VoteQueue[:], s)
		if len(held) == 3 && p.Verdicts[s] == CrisisOpen && !under {
			t.Fatalf("seed %d: the open crisis at space %d is full", seed, s)
		}
		if p.VoteSpace == s && p.Phase == Voting && p.VoteQueue[0] == 0 && !slices.Contains(held, p.ChairmanSeat()) {
			t.Fatalf("seed %d: the Chairman does not vote at space %d", seed, s)
		}
	}
	if p.Turn > 29 {
		t.Fatalf("seed %d: turn %d", seed, p.Turn)
	}
}

// TestRandomPlay holds random play without revolutions to the figures of the facts (section
// 3.6): turns, crises voted on, two filled at once, all ministers.
func TestRandomPlay(t *testing.T) {
	t.Parallel()
	games := long.N(75, 20_000)
	spread := 1 / math.Sqrt(float64(games)/2000)
	for _, want := range []struct {
		players                      int
		turns, votes, doubles, share float64
	}{{4, 17.8, 7.6, 1.7, .70}, {5, 19.2, 9.3, 2.2, .82}, {6, 20.0, 10.2, 2.5, .88}, {8, 20.5, 10.9, 2.7, .92}, {12, 21.1, 11.6, 2.8, .94}} {
		t.Run(fmt.Sprint(want.players), func(t *testing.T) {
			t.Parallel()
			table, err := Rules{}.NewSimulation(rules.Setup{Seats: want.players, Revision: newestRevision})
			if err != nil {
				t.Fatal(err)
			}
			var sum figures
			n := float64(games)
			for seed := range uint64(games) {
				play(t, table.(*simulation), seed, &sum)
			}
			for _, c := range []struct {
				name           string
				got, want, off float64
			}{
				{"turns", sum.turns / n, want.turns, .15 + .1*spread}, {"votes", sum.votes / n, want.votes, .1 + .1*spread},
				{"two filled at once", sum.doubles / n, want.doubles, .1 + .06*spread}, {"all ministers", sum.complete / n, want.share, .02 + .02*spread},
			} {
				if math.Abs(c.got-c.want) > c.off {
					t.Errorf("%s: %.2f a match, the facts have %.2f", c.name, c.got, c.want)
				}
			}
			t.Logf("%+v", sum)
		})
	}
}

func BenchmarkRandomMatch(b *testing.B) {
	table, err := Rules{}.NewSimulation(rules.Setup{Seats: 6, Revision: newestRevision})
	if err != nil {
		b.Fatal(err)
	}
	d := newDice(1)
	b.ReportAllocs()
	for b.Loop() {
		if err := table.Begin(d); err != nil {
			b.Fatal(err)
		}
		for {
			decision, options, isOpen := table.Ask()
			if !isOpen {
				break
			}
			a := options[d.r.IntN(len(options))]
			if decision.Kind == KindCall {
				a = options[0]
			}
			if err := table.Answer(a); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// TestRuling7Tokens: tokens forbid nothing. A citizen has five, and may hold more than five units.
func TestRuling7Tokens(t *testing.T) {
	t.Parallel()
	m := board(t, 4).hold(1, "1-6", "2-3", "4-5", "7-12")
	m.hold(1, "8-9")
	m.want("a sixth seat is legal", m.IsLegalUnit(1, m.unit("10-11")), true)
}

// TestRuling8PurgeIsOpened: the three answers are told with names, and a purge without a victim
// ends the crisis, though not the turn.
func TestRuling8PurgeIsOpened(t *testing.T) {
	t.Parallel()
	m := church(t)
	m.vote(2, 1)
	before := len(m.events)
	m.point([2]rules.Seat{arch, grape}, [2]rules.Seat{cheese, arch}, [2]rules.Seat{grape, cheese})
	picks := map[rules.Seat]int16{}
	for _, e := range m.events[before:] {
		if e.Kind == EventPicked {
			picks[e.Seat] = e.Args[0]
			m.want("everybody is told", e.Audience, rules.Everyone)
		}
	}
	m.want("picks told", len(picks), 3)
	m.want("verdict", m.Verdicts[2], Unresolved)
}

// TestRuling9OneVoteIsEnough puts a minister where the colour that was voted last has him.
func TestRuling9OneVoteIsEnough(t *testing.T) {
	t.Parallel()
	for _, before := range []Colour{NoColour, Republican, Monarchist} {
		m := church(t)
		m.Ministers[Social] = before
		m.vote(3, 0)
		m.want("Social", m.Ministers[Social], Monarchist)
	}
}

// TestRuling10FixedPoints: nobody is asked for a revolution while a reform is empty, nor between
// a seat and its vote; the last chance comes before the ministers decide.
func TestRuling10FixedPoints(t *testing.T) {
	t.Parallel()
	m := board(t, 5)
	copy(m.Ministers[:], []Colour{Republican, Monarchist, NoColour})
	m.take("3-4")
	m.want("with an empty reform", m.Phase, Seating)

	m = board(t, 5).deal("robespierre", "louis", "antoinette", "napoleon", "danton").hold(grape, "2-3").hold(cheese, "2-8")
	copy(m.Ministers[:], []Colour{Republican, Monarchist, Republican})
	m.take("1-2")
	m.want("behind a seat that fills a crisis", m.Phase, Voting)
	m.vote(1, 2)
	m.want("behind the counts", m.Phase, Purging)

	m = printed(t, Republican, Monarchist, Republican)
	for s := range m.Verdicts {
		m.Verdicts[s] = Unresolved
	}
	m.want("before the end", m.Phase, Calling)
	m.holdAll(nil)
	m.want("the ministers decide", m.Phase, Over)
}

// TestRuling11EverybodyIsAsked: the question goes to all, and looks the same but for what the
// seat's own card lets it do.
func TestRuling11EverybodyIsAsked(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	decisions := m.OpenDecisions(nil)
	m.want("asked", len(decisions), 5)
	for _, d := range decisions {
		d.ID, d.Seat = decisions[0].ID, decisions[0].Seat
		m.want("the question", d, decisions[0])
	}
}

// TestRuling12SecondShowsHisCard: when the first has given, the second leader's card is open,
// before he gives himself, and nobody else decides anything any more.
func TestRuling12SecondShowsHisCard(t *testing.T) {
	t.Parallel()
	m := printed(t, Republican, Monarchist, Republican)
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call})
	m.want("shown while the first gives", m.ShownSeats, rules.Only(arch))
	m.want("the public view hides the second", m.View(lamp).(*View).Objectives[cheese], Objective(0))
	m.answer(arch, give(lamp)...)
	m.want("shown", m.ShownSeats, rules.Only(arch)|rules.Only(cheese))
	decisions := m.OpenDecisions(nil)
	m.want("asked", len(decisions) == 1 && decisions[0].Seat == cheese, true)
}

// TestRuling15Silence says for each question what silence means.
func TestRuling15Silence(t *testing.T) {
	t.Parallel()
	p := dealt(t, 5, 1)
	m := &match{Position: p, t: t, dice: newDice(1)}
	m.want("to the Chairman's name", silenceOf(m, 0), NewAtom(VerbAbstain, 0))

	m = board(t, 5)
	m.want("in the chair", m.decision(arch).Silence, rules.SilenceLot)
	m = church(t)
	m.want("at a ballot", m.decision(arch).Silence, rules.SilenceLot)
	m.vote(2, 1)
	m.want("at a purge", m.decision(arch).Silence, rules.SilenceLot)
	m.want("picks by lot", slices.Equal(m.Options(nil, m.DecisionIDs[arch]), []rules.Atom{NewAtom(VerbPurge, int(cheese)), NewAtom(VerbPurge, int(grape))}), true)

	m = printed(t, Monarchist, Monarchist, Monarchist)
	m.want("to a revolution", silenceOf(m, arch), NewAtom(VerbHold, 0))
	m.holdAll(map[rules.Seat][]rules.Atom{arch: call})
	m.want("of the first, without a list", silenceOf(m, arch), NewAtom(VerbEndGifts, 0))
	m.answer(arch, give()...)
	m.want("of the second, with all ministers", silenceOf(m, cheese), NewAtom(VerbDecline, 0))
}

// silenceOf is what a seat's silence answers.
func silenceOf(m *match, seat rules.Seat) rules.Atom {
	m.t.Helper()
	m.want("silence", m.decision(seat).Silence, rules.SilenceDefault)
	return m.Options(nil, m.DecisionIDs[seat])[0]
}

// TestRule54VictimSitsAgain: who was purged may take the very place again while its other
// crisis is open, and somebody else may as well.
func TestRule54VictimSitsAgain(t *testing.T) {
	t.Parallel()
	m := church(t)
	m.vote(2, 1)
	m.point([2]rules.Seat{arch, cheese}, [2]rules.Seat{grape, cheese}, [2]rules.Seat{cheese, grape})
	m.want("for Cheese", m.IsLegalUnit(cheese, m.unit("2-8")), true)
	m.want("for Lamp", m.IsLegalUnit(lamp, m.unit("2-8")), true)
	m.Verdicts[8] = Unresolved
	m.want("when both are voted on", m.IsLegalUnit(lamp, m.unit("2-8")), false)
}

// TestRule56Clockwise gives the chair to the next player of the order, and after the last to
// the first.
func TestRule56Clockwise(t *testing.T) {
	t.Parallel()
	m := board(t, 4)
	for _, unit := range []string{"1-2", "3-4", "5-6", "7-8", "9-10"} {
		at := m.Chairman
		m.take(unit)
		m.want("the chair", m.Chairman, uint8((int(at)+1)%4))
	}
}
