package engine

import (
	"testing"

	"pgregory.net/rapid"

	"samizdat/rules"
)

// lasting is what of a position never goes back.
type lasting struct {
	verdicts  [Spaces]uint8
	ministers [Reforms]Colour
	turn      uint8
	shown     rules.Seats
}

func lastingOf(p *Position) lasting { return lasting{p.Verdicts, p.Ministers, p.Turn, p.Shown} }

// follows reports what went back from one position to the next.
func (l lasting) follows(t *rapid.T, was lasting) {
	for s := range l.verdicts {
		if was.verdicts[s] != Open && l.verdicts[s] != was.verdicts[s] {
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
		players := rapid.IntRange(LeastSeats, MostSeats).Draw(t, "players")
		table, err := Rules{}.Table(rules.Setup{Seats: players, Revision: newestRevision})
		if err != nil {
			t.Fatal(err)
		}
		m := table.(*matchTable)
		if err := m.Begin(newDice(rapid.Uint64().Draw(t, "deal"))); err != nil {
			t.Fatal(err)
		}
		answers := newDice(rapid.Uint64().Draw(t, "answers"))
		calls := rapid.Bool().Draw(t, "calls")
		was := lastingOf(&m.p)
		for {
			d, options, open := m.Ask()
			if !open {
				break
			}
			a := options[answers.r.IntN(len(options))]
			if d.Kind == KindCall && !calls {
				a = options[0]
			}
			if err := m.Answer(a); err != nil {
				t.Fatal(err)
			}
			is := lastingOf(&m.p)
			is.follows(t, was)
			was = is
			properties(t, &m.p)
		}
		if _, over := m.Result(); !over {
			t.Fatal("nothing is asked and the match goes on")
		}
		if m.p.Turn > 29 {
			t.Fatalf("turn %d", m.p.Turn)
		}
	})
}

// properties are what is true of every position.
func properties(t *rapid.T, p *Position) {
	for s := Space(1); s < Spaces; s++ {
		seats := map[rules.Seat]bool{}
		for _, u := range Around(s) {
			h := p.Holders[u]
			if h != rules.Nobody && seats[h] {
				t.Fatalf("%s sits twice at space %d", Citizen(int(h)), s)
			}
			seats[h] = true
		}
		under := p.VotedOn == s || p.Queue[0] == s || p.Queue[1] == s
		if p.Full(s) && p.Verdicts[s] == Open && !under && p.Phase != Over && p.Phase < GivingFirst {
			t.Fatalf("the open crisis at space %d is full and not voted on", s)
		}
	}
	if p.Phase == Voting {
		chairs := 0
		for i, v := range p.Voters {
			if v == p.InChair() {
				chairs++
			}
			for _, w := range p.Voters[:i] {
				if v == w {
					t.Fatalf("%s votes twice", Citizen(int(v)))
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
			if s != rules.Nobody {
				n++
			}
		}
		voted := 0
		for _, s := range [...]Space{a, b} {
			if p.Verdicts[s] != Open || p.VotedOn == s {
				voted++
			}
		}
		if n > voted {
			t.Fatalf("unit %s was purged %d times at %d votes", u, n, voted)
		}
	}
}
