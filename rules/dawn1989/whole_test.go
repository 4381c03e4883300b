package dawn1989

import (
	"math/rand/v2"
	"testing"

	"samizdat/rules"
)

// wholeMatch is a match played at random to its end. It begins with some VP, so
// that all endings occur.
type wholeMatch struct {
	t testing.TB
	r *rand.Rand
}

func (w wholeMatch) begin() *Position {
	p := newPosition()
	p.vp = int16(w.r.IntN(31) - 15)
	if w.r.IntN(4) == 0 {
		p.stack[0].Step = matchBid
	}
	x := Run{Chance: dice{w.r}}
	if err := p.Go(&x); err != nil {
		w.t.Fatal(err)
	}
	return p
}

// accounts holds what happened against the positions before and after.
func (w wholeMatch) accounts(before, after *Position, events []rules.Event) {
	t := w.t
	t.Helper()
	vp := int(before.vp)
	var sps [2][spaces]int
	for side := range sps {
		for s := range sps[side] {
			sps[side][s] = int(before.support[side][s])
		}
	}
	box := [2]int8{before.tiananmen[Democrat].Box, before.tiananmen[Communist].Box}
	over, destroyed := false, before.destroyed
	for _, e := range events {
		a := e.Args
		if over {
			t.Fatalf("event %v after the end of the match", e)
		}
		switch e.Kind {
		case EvVP:
			vp += int(a[0])
			if int(a[1]) != vp {
				t.Fatalf("VP %d are told, the sum is %d", a[1], vp)
			}
		case EvPlaced, EvRemoved:
			n := int(a[2])
			if e.Kind == EvRemoved {
				n = -n
			}
			sps[a[0]][a[1]] += n
			if d, c := sps[Democrat][a[1]], sps[Communist][a[1]]; int(a[3]) != d || int(a[4]) != c || d < 0 || c < 0 {
				t.Fatalf("%v has %d and %d, told are %d and %d", Space(a[1]), d, c, a[3], a[4])
			}
		case EvCheck:
			// side, space, die, ops, own, enemy, mods, total, need, removed, added
			total, need := int(a[2]+a[3]+a[4]-a[5]+a[6]), 2*Space(a[1]).Info().Stability
			there := sps[Side(a[0]).Enemy()][a[1]]
			margin := max(0, total-need)
			own, enemy := w.beside(destroyed, &sps, Side(a[0]), Space(a[1]))
			wall := Side(a[0]) == Communist && before.force.cards.has(TheWall) && Space(a[1]).Info().Country == EastGermany && a[5] == 0
			if int(a[4]) != own || int(a[5]) != enemy && !wall {
				t.Fatalf("the check %v of %v counts wrong neighbours: %d and %d stand beside it", a, Space(a[1]), own, enemy)
			}
			// The Kremlin Coup checks with and without a target.
			coup := Side(a[0]) == Communist && Space(a[1]).Info().Kind == Bureaucrat
			if there == 0 && !coup || int(a[7]) != total || int(a[8]) != need || int(a[9]) != min(margin, there) || int(a[9]+a[10]) != margin {
				t.Fatalf("the check %v of %v with %d enemy points does not add up", a, Space(a[1]), there)
			}
		case EvAttempt:
			// side, box, die, ops, mods, total, need, success, card
			need := [2][]int16{{5, 5, 6, 6, 7, 8, 9, 10}, {6, 6, 7, 7, 8, 7, 6, 5}}[a[0]][box[a[0]]]
			if before.tiananmen[a[0]].Attempted || a[5] != a[2]+a[3]+a[4] || a[6] != need || (a[7] == 1) != (a[5] >= need) || a[3] < 1 {
				t.Fatalf("the attempt %v at box %d does not add up, or is the second of the turn", a, box[a[0]]+1)
			}
		case EvLoss, EvVictory:
			// side, die, modifier, modified, result, taken
			m := min(max(a[1]+a[2], 0), 7)
			if a[3] != m || a[4] != []int16{0, 0, 1, 1, 2, 2, 3, 4}[m] || e.Kind == EvVictory && (a[5] == 1) != (a[0] == 0 && m >= 4) {
				t.Fatalf("the dice of the aftermath %v do not add up", a)
			}
		case EvBox:
			box[a[0]]++
			if box[a[0]] != int8(a[1]) || box[a[0]] > 8 {
				t.Fatalf("the %v's marker goes from box %d to %d", Side(a[0]), box[a[0]]-1, a[1])
			}
		case EvScored:
			for side := Democrat; side <= Communist; side++ {
				level, battles := w.scored(destroyed, &sps, side, Country(a[0]))
				won := [...][4]int16{EastGermany: {0, 3, 6, 9}, Poland: {0, 3, 6, 9}, Czechoslovakia: {0, 2, 4, 6}, Hungary: {0, 1, 2, 4},
					Romania: {0, 2, 4, 6}, Bulgaria: {0, 1, 2, 3}}[a[0]][level]
				if got := a[1+3*side:][:3]; got[0] != level || got[1] != won || got[2] != battles {
					t.Fatalf("%v is scored %v for the %v, want level %d, %d VP and %d battlegrounds", Country(a[0]), got, side, level, won, battles)
				}
			}
		case EvDestroyed:
			destroyed = Space(a[0])
		case EvOver:
			over = true
		}
	}
	if vp != int(after.vp) {
		t.Fatalf("VP %d, the events sum up to %d", after.vp, vp)
	}
	for side := range sps {
		for s := range sps[side] {
			if sps[side][s] != int(after.support[side][s]) {
				t.Fatalf("%v has %d points of the %v, the events sum up to %d", Space(s), after.support[side][s], Side(side), sps[side][s])
			}
		}
	}
	for s := range box {
		if box[s] != after.tiananmen[s].Box {
			t.Fatalf("the %v's marker is in box %d, the events say %d", Side(s), after.tiananmen[s].Box, box[s])
		}
	}
}

// ruler says by counting who controls a space.
func ruler(sps *[2][spaces]int, s Space) Side {
	switch lead := sps[Democrat][s] - sps[Communist][s]; {
	case lead >= s.Info().Stability:
		return Democrat
	case -lead >= s.Info().Stability:
		return Communist
	}
	return Neutral
}

// beside counts the neighbours that each side controls, line by line.
func (w wholeMatch) beside(d Space, sps *[2][spaces]int, side Side, s Space) (own, enemy int) {
	for o := Space(1); o < spaces; o++ {
		line := adjacent[s].has(o) || d != 0 && adjacent[s].has(d) && adjacent[d].has(o)
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
func (w wholeMatch) scored(destroyed Space, sps *[2][spaces]int, side Side, c Country) (level, battles int16) {
	var all, theirs, theirBattles, there int16
	for s := Space(1); s < spaces; s++ {
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
		return int16(Control), battles
	case all > theirs && battles > theirBattles && battles < all:
		return int16(Domination), battles
	case all > 0:
		return int16(Presence), battles
	}
	return 0, battles
}

// TestWholeMatches plays matches to their ends. All endings occur, nothing runs
// for ever, and what happened adds up.
func TestWholeMatches(t *testing.T) {
	t.Parallel()
	type end struct {
		how Ending
		who rules.Seats
	}
	ends := map[end]int{}
	asked := map[Ask]int{}
	rounds8 := 0
	for seed := range uint64(400) {
		w := wholeMatch{t, rand.New(rand.NewPCG(seed, 89))}
		p := w.begin()
		var buf []rules.Atom
		var x Run
		n := 0
		for ; p.ending == NotOver; n++ {
			if n > 5000 {
				t.Fatalf("seed %d: the match does not end", seed)
			}
			buf = p.Choices(buf[:0])
			if len(buf) == 0 {
				t.Fatalf("seed %d, turn %d: nothing to answer to %v %v, hand %v", seed, p.turn, p.question.Ask, p.question.Source, p.piles[hand(p.question.Side)].numbers())
			}
			asked[p.question.Ask]++
			a := buf[w.r.IntN(len(buf))]
			// Whoever holds a scoring card mostly plays it; in some matches nobody
			// does as long as there is another card.
			if p.question.Ask == AskRound && seed%3 != 0 {
				for _, b := range buf {
					scoring := AtomVerb(b) == VerbPlay && scoringCards.has(Card(AtomValue(b)))
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
			sound(t, p)
			w.accounts(&before, p, x.Events)
			if p.round == 8 {
				rounds8++
			}
			if n%29 == 0 {
				sameAfterStorage(t, p)
			}
			if n%31 == 0 && p.ending == NotOver {
				hiddenCardsHide(t, p, dice{w.r})
				onlyOptions(t, p, dice{w.r})
			}
		}
		if _, over := p.Result(); !over || len(p.Owed(nil)) != 0 || len(p.Choices(nil)) != 0 {
			t.Fatalf("seed %d: something is owed after the end", seed)
		}
		sameAfterStorage(t, p)
		ends[end{p.ending, p.winners}]++
	}
	for _, e := range []end{
		{AutomaticVictory, rules.Only(0)}, {AutomaticVictory, rules.Only(1)}, {HeldCard, rules.Only(0)}, {HeldCard, rules.Only(1)},
		{HeldCard, 0}, {NewYear, rules.Only(0)}, {NewYear, rules.Only(1)}, {FinalScoring, rules.Only(0)}, {FinalScoring, rules.Only(1)},
	} {
		if ends[e] == 0 {
			t.Errorf("no match has ended by %v for seats %b; the ends are %v", e.how, e.who, ends)
		}
	}
	for a := AskSetup; a < asks; a++ {
		if asked[a] == 0 {
			t.Errorf("nothing has asked for %v", a)
		}
	}
	if rounds8 == 0 {
		t.Error("no eighth round")
	}
}
