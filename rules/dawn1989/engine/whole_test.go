package engine_test

import (
	"math/rand/v2"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// wholeMatch is a match played at random to its end. It begins with some VP, so
// that all endings occur.
type wholeMatch struct {
	t testing.TB
	r *rand.Rand
}

func (w wholeMatch) begin() *engine.Position {
	p := engine.NewPosition()
	p.VP = int16(w.r.IntN(31) - 15)
	if w.r.IntN(4) == 0 {
		p.StandAt(engine.MatchBid)
	}
	x := engine.Run{Chance: dice{w.r}}
	if err := p.Advance(&x); err != nil {
		w.t.Fatal(err)
	}
	return p
}

// accounts holds what happened against the positions before and after.
func (w wholeMatch) accounts(before, after *engine.Position, events []rules.Event) {
	t := w.t
	t.Helper()
	vp := int(before.VP)
	var sps [2][engine.Spaces]int
	for side := range sps {
		for s := range sps[side] {
			sps[side][s] = int(before.Support[side][s])
		}
	}
	box := [2]int8{before.Tiananmen[engine.Democrat].Box, before.Tiananmen[engine.Communist].Box}
	isOver, destroyed := false, before.Destroyed
	for _, e := range events {
		a := e.Args
		if isOver {
			t.Fatalf("event %v after the end of the match", e)
		}
		switch e.Kind {
		case engine.EvVP:
			vp += int(a[0])
			if int(a[1]) != vp {
				t.Fatalf("VP %d are told, the sum is %d", a[1], vp)
			}
		case engine.EvPlaced, engine.EvRemoved:
			n := int(a[2])
			if e.Kind == engine.EvRemoved {
				n = -n
			}
			sps[a[0]][a[1]] += n
			if d, c := sps[engine.Democrat][a[1]], sps[engine.Communist][a[1]]; int(a[3]) != d || int(a[4]) != c || d < 0 || c < 0 {
				t.Fatalf("%v has %d and %d, told are %d and %d", engine.Space(a[1]), d, c, a[3], a[4])
			}
		case engine.EvCheck:
			// side, space, die, ops, own, enemy, mods, total, need, removed, added
			total, need := int(a[2]+a[3]+a[4]-a[5]+a[6]), 2*engine.Space(a[1]).Info().Stability
			there := sps[engine.Side(a[0]).Enemy()][a[1]]
			margin := max(0, total-need)
			own, enemy := w.beside(destroyed, &sps, engine.Side(a[0]), engine.Space(a[1]))
			wall := engine.Side(a[0]) == engine.Communist && before.Effects.Cards.Has(engine.TheWall) && engine.Space(a[1]).Info().Country == engine.EastGermany && a[5] == 0
			if int(a[4]) != own || int(a[5]) != enemy && !wall {
				t.Fatalf("the check %v of %v counts wrong neighbours: %d and %d stand beside it", a, engine.Space(a[1]), own, enemy)
			}
			// The Kremlin Coup checks with and without a target.
			coup := engine.Side(a[0]) == engine.Communist && engine.Space(a[1]).Info().Type == engine.Bureaucrat
			if there == 0 && !coup || int(a[7]) != total || int(a[8]) != need || int(a[9]) != min(margin, there) || int(a[9]+a[10]) != margin {
				t.Fatalf("the check %v of %v with %d enemy points does not add up", a, engine.Space(a[1]), there)
			}
		case engine.EvAttempt:
			// side, box, die, ops, mods, total, need, success, card
			need := [2][]int16{{5, 5, 6, 6, 7, 8, 9, 10}, {6, 6, 7, 7, 8, 7, 6, 5}}[a[0]][box[a[0]]]
			if before.Tiananmen[a[0]].Attempted || a[5] != a[2]+a[3]+a[4] || a[6] != need || (a[7] == 1) != (a[5] >= need) || a[3] < 1 {
				t.Fatalf("the attempt %v at box %d does not add up, or is the second of the turn", a, box[a[0]]+1)
			}
		case engine.EvLoss, engine.EvVictory:
			// side, die, modifier, modified, result, taken
			m := min(max(a[1]+a[2], 0), 7)
			if a[3] != m || a[4] != []int16{0, 0, 1, 1, 2, 2, 3, 4}[m] || e.Kind == engine.EvVictory && (a[5] == 1) != (a[0] == 0 && m >= 4) {
				t.Fatalf("the dice of the aftermath %v do not add up", a)
			}
		case engine.EvBox:
			box[a[0]]++
			if box[a[0]] != int8(a[1]) || box[a[0]] > 8 {
				t.Fatalf("the %v's marker goes from box %d to %d", engine.Side(a[0]), box[a[0]]-1, a[1])
			}
		case engine.EvScored:
			for side := engine.Democrat; side <= engine.Communist; side++ {
				level, battles := w.scored(destroyed, &sps, side, engine.Country(a[0]))
				won := [...][4]int16{engine.EastGermany: {0, 3, 6, 9}, engine.Poland: {0, 3, 6, 9}, engine.Czechoslovakia: {0, 2, 4, 6}, engine.Hungary: {0, 1, 2, 4},
					engine.Romania: {0, 2, 4, 6}, engine.Bulgaria: {0, 1, 2, 3}}[a[0]][level]
				if got := a[1+3*side:][:3]; got[0] != level || got[1] != won || got[2] != battles {
					t.Fatalf("%v is scored %v for the %v, want level %d, %d VP and %d battlegrounds", engine.Country(a[0]), got, side, level, won, battles)
				}
			}
		case engine.EvDestroyed:
			destroyed = engine.Space(a[0])
		case engine.EvOver:
			isOver = true
		}
	}
	if vp != int(after.VP) {
		t.Fatalf("VP %d, the events sum up to %d", after.VP, vp)
	}
	for side := range sps {
		for s := range sps[side] {
			if sps[side][s] != int(after.Support[side][s]) {
				t.Fatalf("%v has %d points of the %v, the events sum up to %d", engine.Space(s), after.Support[side][s], engine.Side(side), sps[side][s])
			}
		}
	}
	for s := range box {
		if box[s] != after.Tiananmen[s].Box {
			t.Fatalf("the %v's marker is in box %d, the events say %d", engine.Side(s), after.Tiananmen[s].Box, box[s])
		}
	}
}

// ruler says by counting who controls a space.
func ruler(sps *[2][engine.Spaces]int, s engine.Space) engine.Side {
	switch lead := sps[engine.Democrat][s] - sps[engine.Communist][s]; {
	case lead >= s.Info().Stability:
		return engine.Democrat
	case -lead >= s.Info().Stability:
		return engine.Communist
	}
	return engine.Neutral
}

// beside counts the neighbours that each side controls, line by line.
func (w wholeMatch) beside(d engine.Space, sps *[2][engine.Spaces]int, side engine.Side, s engine.Space) (own, enemy int) {
	for o := engine.Space(1); o < engine.Spaces; o++ {
		line := engine.Adjacent[s].Has(o) || d != 0 && engine.Adjacent[s].Has(d) && engine.Adjacent[d].Has(o)
		if !line || o == s || o == d {
			continue
		}
		switch ruler(sps, o) {
		case side:
			own++
		case side.Enemy():
			enemy++
		}
	}
	return own, enemy
}

// scored finds a side's level in a country, and its battlegrounds, by counting.
func (w wholeMatch) scored(destroyed engine.Space, sps *[2][engine.Spaces]int, side engine.Side, c engine.Country) (level, battles int16) {
	var all, theirs, theirBattles, there int16
	for s := engine.Space(1); s < engine.Spaces; s++ {
		info := s.Info()
		if info.Country != c || s == destroyed {
			continue
		}
		if info.Battleground {
			there++
		}
		switch ruler(sps, s) {
		case side:
			all++
			if info.Battleground {
				battles++
			}
		case side.Enemy():
			theirs++
			if info.Battleground {
				theirBattles++
			}
		}
	}
	switch {
	case all > theirs && battles == there:
		return int16(engine.Control), battles
	case all > theirs && battles > theirBattles && battles < all:
		return int16(engine.Domination), battles
	case all > 0:
		return int16(engine.Presence), battles
	}
	return 0, battles
}

// TestWholeMatches plays matches to their ends. All endings occur, nothing runs
// for ever, and what happened adds up; ordinary runs play fewer, and hold every seventh against
// that.
func TestWholeMatches(t *testing.T) {
	t.Parallel()
	type end struct {
		how engine.Ending
		who rules.Seats
	}
	ends := map[end]int{}
	asked := map[engine.QuestionKind]int{}
	rounds8 := 0
	for seed := range uint64(long.N(250, 400)) {
		w := wholeMatch{t, rand.New(rand.NewPCG(seed, 89))}
		held := seed%uint64(long.N(7, 1)) == 0
		p := w.begin()
		p.Keep(revisionOf(seed))
		var buf []rules.Atom
		var x engine.Run
		n := 0
		for ; p.Ending == engine.NotOver; n++ {
			if n > 5000 {
				t.Fatalf("seed %d: the match does not end", seed)
			}
			buf = p.LegalAtoms(buf[:0])
			if len(buf) == 0 {
				t.Fatalf("seed %d, turn %d: nothing to answer to %v %v, hand %v", seed, p.Turn, p.Question.Kind, p.Question.Source, p.Piles[engine.HandPile(p.Question.Side)].List())
			}
			asked[p.Question.Kind]++
			a := buf[w.r.IntN(len(buf))]
			// Whoever holds a scoring card mostly plays it; in some matches nobody
			// does as long as there is another card.
			if p.Question.Kind == engine.AskRound && seed%3 != 0 {
				for _, b := range buf {
					scoring := engine.AtomVerb(b) == engine.VerbPlay && engine.ScoringCards.Has(engine.Card(engine.AtomValue(b)))
					if scoring != (seed%12 == 4) {
						a = b
					}
				}
			}
			before := *p
			x.Chance, x.Events = dice{w.r}, x.Events[:0]
			if err := p.Decide(&x, a); err != nil {
				t.Fatal(err)
			}
			if held {
				sound(t, p)
				w.accounts(&before, p, x.Events)
			}
			if p.Round == 8 {
				rounds8++
			}
			if held && n%29 == 0 {
				sameAfterStorage(t, p)
			}
			if held && n%31 == 0 && p.Ending == engine.NotOver {
				hiddenCardsHide(t, p, dice{w.r})
				onlyOptions(t, p, dice{w.r})
			}
		}
		if _, isOver := p.Result(); !isOver || len(p.OpenDecisions(nil)) != 0 || len(p.LegalAtoms(nil)) != 0 {
			t.Fatalf("seed %d: something is owed after the end", seed)
		}
		sameAfterStorage(t, p)
		ends[end{p.Ending, p.Winners}]++
	}
	for _, e := range []end{
		{engine.AutomaticVictory, rules.Only(0)}, {engine.AutomaticVictory, rules.Only(1)}, {engine.HeldCard, rules.Only(0)}, {engine.HeldCard, rules.Only(1)},
		{engine.HeldCard, 0}, {engine.NewYear, rules.Only(0)}, {engine.NewYear, rules.Only(1)}, {engine.FinalScoring, rules.Only(0)}, {engine.FinalScoring, rules.Only(1)},
	} {
		if ends[e] == 0 {
			t.Errorf("no match has ended by %v for seats %b; the ends are %v", e.how, e.who, ends)
		}
	}
	for a := engine.AskSetup; a < engine.QuestionKinds; a++ {
		if asked[a] == 0 {
			t.Errorf("nothing has asked for %v", a)
		}
	}
	if rounds8 == 0 {
		t.Error("no eighth round")
	}
}
