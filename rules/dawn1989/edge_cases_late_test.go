package dawn1989

import "testing"

// The edge cases of cards 21 to 40, in the order of each card's list.

// TestCard21 holds Common European Home against its edge cases.
func TestCard21(t *testing.T) {
	t.Parallel()
	put := []func(*Position){holds(Communist, 21, 40, 14, 35), sp("Varna", 0, 1)}
	t.Run("card 21, edge case 1: two cards leave the hand", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, put...)
		before := p.piles[PileCommunist].len()
		p = carry(t, p, nil, "PLAY 21 WITH 40 OPS PLACE Varna 3")
		if got := p.piles[PileCommunist].len(); got != before-2 {
			t.Errorf("%d cards are left of %d", got, before)
		}
	})
	t.Run("card 21, edge case 2: the cancelled card is discarded, asterisk or not", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, put...), nil, "PLAY 21 WITH 40 OPS PLACE Varna 3")
		lies(t, p, 40, PileDiscard)
		lies(t, p, 21, PileDiscard)
		if p.force.happened.has(40) {
			t.Error("the event counts as played")
		}
	})
	t.Run("card 21, edge case 3: only the other card's Ops count", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, put...)
		for _, n := range []string{"2", "4", "5"} {
			mustRefuse(t, p, "PLAY 21 WITH 40 OPS PLACE Varna "+n)
		}
	})
	t.Run("card 21, edge case 4: for Ops the enemy has 1 VP, at once", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, append(put, vpAt(19))...)
		if q := carry(t, p, nil, "PLAY 21 OPS PLACE Varna 2"); q.ending != AutomaticVictory {
			t.Error("the match goes on at +20")
		} else {
			has(t, q, "Varna", 0, 1) // the VP come before the Ops
		}
		p = scene(t, Democrat, holds(Democrat, 21), sp("Lodz", 1, 0))
		hasVP(t, carry(t, p, nil, "PLAY 21 OPS PLACE Lodz 2"), -1)
	})
	t.Run("card 21, edge case 5: an attempt is a use for Ops", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 21))
		hasVP(t, carry(t, p, []any{1}, "PLAY 21 OPS TIANANMEN"), -1)
		p = scene(t, Communist, put...)
		mustRefuse(t, p, "PLAY 21 WITH 40 OPS TIANANMEN")
	})
	t.Run("card 21, edge case 6: it is no event in itself, not with box 8 either", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, append(put, boxes(0, 8))...)
		for _, m := range []Mode{PlayEvent, PlayBothFirst, PlayBothAfter, PlayNoEvent, PlayEventFirst, PlayEventAfter} {
			if offers(p, play(21, m)) {
				t.Errorf("it may be played as %v", modeNames[m])
			}
		}
	})
	t.Run("card 21, edge case 7: besides box 7 and the attempt of the turn", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, append(put, boxes(0, 7))...)
		p = carry(t, p, nil, "PLAY 21 WITH 40 OPS PLACE Varna 3")
		if tr := p.tiananmen[Communist]; tr.Seventh || tr.Attempted {
			t.Errorf("it has used up %+v", tr)
		}
	})
	t.Run("card 21, edge case 8: it cancels neither own, silver nor scoring cards", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, append(put, holds(Communist, PolandScoring))...)
		for _, c := range []Card{14, 35, 21, PolandScoring, TearGas} {
			if offers(p, play(c, PlayWithHome)) {
				t.Errorf("it may be played with card %d", c)
			}
		}
		if !offers(p, play(40, PlayWithHome)) {
			t.Error("it may not be played with card 40")
		}
	})
	t.Run("card 21, edge case 9: announced under Stasi it is for Ops; it may be added to another", func(t *testing.T) {
		t.Parallel()
		announce := func(c Card) func(*Position) { return func(p *Position) { p.force.announced = c } }
		p := scene(t, Democrat, holds(Democrat, 21, 12, 34), announce(21), sp("Lodz", 1, 0))
		if !offers(p, play(21, PlayOps)) || offers(p, play(12, PlayWithHome)) || offers(p, play(34, PlayEvent)) {
			t.Error("announced, it is not bound to its Ops")
		}
		p = scene(t, Democrat, holds(Democrat, 21, 12, 34), announce(12), sp("Lodz", 1, 0))
		if !offers(p, play(12, PlayWithHome)) || offers(p, play(21, PlayOps)) {
			t.Error("it cannot be added to the announced card")
		}
		p = carry(t, p, nil, "PLAY 21 WITH 12 OPS PLACE Lodz 2")
		lies(t, p, 12, PileDiscard)
	})
	t.Run("card 21, edge case 10: not in a strike round", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, append(put, lasting(GeneralStrike))...)
		if offers(p, play(40, PlayWithHome)) {
			t.Error("it may be played under General Strike")
		}
		hasVP(t, carry(t, p, []any{1}, "PLAY 21 STRIKE"), 0) // thrown away, not used for Ops
	})
	t.Run("card 21, edge case 11: it does not satisfy Ligachev", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 21, 12), lasting(Ligachev), sp("Lodz", 1, 0))
		hasVP(t, carry(t, p, nil, "PLAY 21 WITH 12 OPS PLACE Lodz 2"), -3)
		hasVP(t, carry(t, p, nil, "PLAY 21 OPS PLACE Lodz 2"), -4)
	})
}

// TestCard26 holds Helsinki Final Act against its edge cases.
func TestCard26(t *testing.T) {
	t.Parallel()
	t.Run("card 26, edge case 1: 1 VP for each check, whatever its result", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, TheWall), lasting(HelsinkiFinalAct), sp("Czech Writers", 2, 0))
		p = carry(t, p, []any{1, 1}, "PLAY 9 OPS CHECK Czech Writers")
		has(t, p, "Czech Writers", 2, 0)
		hasVP(t, p, 2)
	})
	t.Run("card 26, edge case 2: checks of events and of box 6 too, removals not", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 14), lasting(HelsinkiFinalAct), sp("Czech Writers", 5, 0), sp("Lodz", 1, 0))
		q := carry(t, p, []any{1}, "PLAY 14 EVENT", "REMOVE Czech Writers 2", "CHECK Lodz")
		hasVP(t, q, 0)
		hasVP(t, carry(t, p, []any{1}, "PLAY 14 EVENT", "REMOVE Czech Writers 2", "CHECK Czech Writers"), 1)
		p = finish(t, lastRound(t, boxes(0, 6), lasting(HelsinkiFinalAct), sp("Czech Writers", 5, 0)))
		x := Run{Chance: &dieThenNone{die: 1}}
		if err := p.Decide(&x, at(VerbCheck, space("Czech Writers"))); err == nil {
			t.Fatal("the next turn is dealt without chance")
		}
		hasVP(t, p, 1)
	})
	t.Run("card 26, edge case 3: tested after each check, so that the second may not be made", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 14), lasting(HelsinkiFinalAct), vpAt(19), sp("Charles University", 9, 0))
		p = carry(t, p, []any{1}, "PLAY 14 OPS CHECK Charles University")
		has(t, p, "Charles University", 6, 0) // 1 + 4 against 2, once
		if p.ending != AutomaticVictory {
			t.Errorf("the ending is %v", p.ending)
		}
	})
	t.Run("card 26, edge case 4: the twelve spaces", func(t *testing.T) {
		t.Parallel()
		for s := Space(1); s < spaces; s++ {
			p := scene(t, Communist, lasting(HelsinkiFinalAct))
			x := Run{p: p}
			x.checked(s)
			want := 0
			if ofKind[Student].or(ofKind[Intellectual]).has(s) {
				want = 1
			}
			if int(p.vp) != want {
				t.Errorf("%v: %d VP, want %d", s, p.vp, want)
			}
		}
	})
	t.Run("card 26, edge case 5: with the Ops first its own checks do not count", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 26), sp("Czech Writers", 2, 0), sp("Charles University", 3, 0))
		hasVP(t, carry(t, p, []any{1, 1}, "PLAY 26 OPS CHECK Czech Writers, Charles University EVENT AFTER"), 0)
		hasVP(t, carry(t, p, []any{1, 1}, "PLAY 26 OPS EVENT FIRST", "OPS CHECK Czech Writers, Charles University"), 2)
	})
	t.Run("card 26: the Democrat's own checks pay nothing", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 14), lasting(HelsinkiFinalAct, EcoGlasnost), sp("Czech Writers", 0, 2), sp("Ruse", 0, 2))
		hasVP(t, carry(t, p, []any{1, 1}, "PLAY 14 OPS CHECK Czech Writers, Ruse"), 0)
	})
}

// TestCard27 holds Consumerism against its edge cases.
func TestCard27(t *testing.T) {
	t.Parallel()
	t.Run("card 27, edge case 1: without a point to remove there is no check", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Democrat, holds(Democrat, 27), sp("Budapest", 0, 3)), nil, "PLAY 27 EVENT")
		lies(t, p, 27, PileDiscard)
		has(t, p, "Budapest", 0, 3)
	})
	t.Run("card 27, edge case 2: the last one removed, the check lapses", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 27), sp("Lodz", 0, 1), sp("Warszawa", 0, 3), sp("Ruse", 0, 3))
		p = carry(t, p, nil, "PLAY 27 EVENT", "CHOOSE Lodz")
		mustAsk(t, p, AskRound, Communist)
		has(t, p, "Ruse", 0, 3)
	})
	t.Run("card 27, edge case 3: the removal can end the control that stands against the check", func(t *testing.T) {
		t.Parallel()
		// As in the sample turn: Miskolc, then Debrecen.
		p := scene(t, Communist, holds(Communist, 27), sp("Miskolc", 0, 3), sp("Debrecen", 0, 4))
		p = carry(t, p, []any{6}, "PLAY 27 OPS EVENT FIRST", "CHOOSE Miskolc", "CHECK Debrecen", "OPS PLACE Debrecen 3")
		has(t, p, "Miskolc", 0, 2)
		has(t, p, "Debrecen", 0, 4) // 6 + 3 against 6 took 3
	})
	t.Run("card 27, edge case 4: the Ops are the Democrat's (rule 7.3.3)", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			put  []func(*Position)
			want int
		}{{nil, 1}, {[]func(*Position){prudent(Democrat)}, 2}, {[]func(*Position){prudent(Communist), lasting(Perestroika)}, 1}, {[]func(*Position){lasting(SinatraDoctrine)}, 0}} {
			p := scene(t, Communist, append(tt.put, holds(Communist, 27), sp("Lodz", 0, 4), func(p *Position) { p.tiananmen[Communist].Attempted = true })...)
			p = carry(t, p, []any{5}, "PLAY 27 OPS EVENT FIRST") // 1 removed, then 5 + 3 against 6
			has(t, p, "Lodz", 0, tt.want)
		}
	})
	t.Run("card 27, edge case 5: in East Germany cards 58, 59 and 74 count", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			cards []Card
			want  int
		}{{nil, 2}, {[]Card{AustriaHungaryBorder}, 1}, {[]Card{Grenztruppen}, 3}, {[]Card{FRGEmbassies, AustriaHungaryBorder}, 0}} {
			p := scene(t, Democrat, holds(Democrat, 27), lasting(tt.cards...), sp("Rostock", 0, 5))
			has(t, carry(t, p, []any{5}, "PLAY 27 EVENT"), "Rostock", 0, tt.want)
		}
	})
	t.Run("card 27, edge case 6: only worker spaces, and of one country", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 27), sp("Lodz", 0, 2), sp("Krakow", 0, 2), sp("Warszawa", 0, 2), sp("Lublin", 0, 2),
			sp("Bydgoszcz", 0, 2), sp("Ruse", 0, 2))
		p = carry(t, p, nil, "PLAY 27 EVENT")
		for _, s := range []string{"Warszawa", "Lublin", "Bydgoszcz"} {
			mustRefuse(t, p, "CHOOSE "+s)
		}
		p = carry(t, p, nil, "CHOOSE Lodz")
		for _, s := range []string{"Warszawa", "Ruse"} {
			mustRefuse(t, p, "CHECK "+s)
		}
		carry(t, p, []any{1}, "CHECK Lodz")
	})
	t.Run("card 27, edge case 7: in Romania it may capture the Tyrant", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 27), refuge("Iasi"), sp("Iasi", 3, 1))
		p = carry(t, p, nil, "PLAY 27 EVENT")
		hasVP(t, p, 2)
		if p.force.refuge != 0 {
			t.Error("the marker still lies")
		}
	})
}

// TestCards33To40 holds the other Democratic cards against their edge cases.
func TestCards33To40(t *testing.T) {
	t.Parallel()
	t.Run("card 33, edge case 1: +20 ends the match before the points are placed", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 33), vpAt(19), sp("Lodz", 0, 1)), nil, "PLAY 33 OPS EVENT FIRST")
		if p.ending != AutomaticVictory || p.holds[Democrat].len() != 0 || p.ussr != 0 {
			t.Errorf("the ending is %v, the Democrat holds %v", p.ending, spaceNames(p.holds[Democrat]))
		}
	})
	t.Run("card 33, edge case 2: both spaces controlled already (ruling 19: in play for either player)", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 33), sp("Razgrad", 4, 0), sp("Harghita/Covasna", 6, 2), sp("Lodz", 0, 1))
		p = carry(t, p, nil, "PLAY 33 OPS PLACE Lodz 2 EVENT AFTER")
		hasVP(t, p, 1)
		lies(t, p, 33, PileInPlay)
		if !p.playable(BalticWay, Democrat) {
			t.Error("The Baltic Way cannot take place")
		}
	})
	t.Run("card 33, edge case 3: a destroyed Minority space leaves no choice", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Democrat, holds(Democrat, 33), ruined("Harghita/Covasna")), nil, "PLAY 33 EVENT")
		has(t, p, "Razgrad", 4, 0)
	})
	t.Run("card 33, edge case 4: 4 + the Communist's - one's own", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Democrat, holds(Democrat, 33), sp("Razgrad", 3, 3)), nil, "PLAY 33 EVENT", "CHOOSE Razgrad")
		has(t, p, "Razgrad", 7, 3)
	})
	t.Run("card 33, edge case 5: +2 VP for the Tyrant's refuge (ruling 35: at once)", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 33), refuge("Harghita/Covasna"), vpAt(17))
		p = carry(t, p, nil, "PLAY 33 EVENT", "CHOOSE Harghita/Covasna")
		if p.ending != AutomaticVictory || p.vp != 20 {
			t.Errorf("the ending is %v at VP %d", p.ending, p.vp)
		}
	})
	t.Run("card 34: the Communist's points stay", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Communist, holds(Communist, 34), sp("Eotvos Lorand University", 1, 3), sp("Lodz", 0, 1)), nil, "PLAY 34 OPS PLACE Lodz 2 EVENT AFTER")
		has(t, p, "Eotvos Lorand University", 6, 3)
		lies(t, p, 34, PileRemoved)
	})
	t.Run("card 35, edge cases 1 and 2: the turn's period, whoever plays it", func(t *testing.T) {
		t.Parallel()
		for n, want := range map[int8]int{3: -3, 4: -1, 7: -1, 8: 3, 10: 3} {
			p := scene(t, Democrat, holds(Democrat, 35), turn(n), sp("Lodz", 1, 0))
			hasVP(t, carry(t, p, nil, "PLAY 35 OPS PLACE Lodz 3 EVENT AFTER"), want)
		}
		// Its owner avoids it in the Late Year by playing it for Ops.
		p := scene(t, Communist, holds(Communist, 35), turn(8), sp("Lodz", 0, 1))
		hasVP(t, carry(t, p, nil, "PLAY 35 OPS PLACE Lodz 3"), 0)
	})
	t.Run("card 35, edge case 4: the match may end before the Ops", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Democrat, holds(Democrat, 35), vpAt(-17), sp("Lodz", 1, 0)), nil, "PLAY 35 OPS EVENT FIRST")
		if p.ending != AutomaticVictory {
			t.Errorf("the ending is %v", p.ending)
		}
		has(t, p, "Lodz", 1, 0)
	})
	t.Run("card 39, edge cases 1 to 3: checks of Ruse pay, removals do not", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 14), lasting(EcoGlasnost), sp("Ruse", 6, 0), sp("Lodz", 1, 0))
		hasVP(t, carry(t, p, []any{1}, "PLAY 14 EVENT", "REMOVE Ruse 2", "CHECK Lodz"), 0)
		hasVP(t, carry(t, p, []any{1}, "PLAY 14 EVENT", "REMOVE Ruse 2", "CHECK Ruse"), 1)
		p = scene(t, Communist, holds(Communist, 14), lasting(EcoGlasnost), sp("Ruse", 6, 0), vpAt(19))
		if q := carry(t, p, []any{1}, "PLAY 14 OPS CHECK Ruse"); q.ending != AutomaticVictory {
			t.Error("the match goes on at +20")
		}
	})
	t.Run("card 39, edge case 4: with the Ops first its own checks do not count", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 39), sp("Ruse", 2, 0))
		hasVP(t, carry(t, p, []any{1, 1}, "PLAY 39 OPS CHECK Ruse EVENT AFTER"), 0)
		hasVP(t, carry(t, p, []any{1, 1}, "PLAY 39 OPS EVENT FIRST", "OPS CHECK Ruse"), 2)
	})
	t.Run("card 40, edge case 1: control won by the placement helps the check", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 40), sp("Miskolc", 0, 2))
		p = carry(t, p, []any{4}, "PLAY 40 EVENT", "PLACE Budapest 3")
		has(t, p, "Miskolc", 0, 0) // 4 + 3 + 1 against 6
	})
	t.Run("card 40, edge case 2: without a target the check lapses and the card is gone", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Democrat, holds(Democrat, 40), sp("Lodz", 0, 2)), nil, "PLAY 40 EVENT", "PLACE Pecs 3")
		lies(t, p, 40, PileRemoved)
		has(t, p, "Lodz", 0, 2)
	})
	t.Run("card 40, edge case 3: the Democrat's modifiers; card 58 is not for Hungary", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			put  []func(*Position)
			want int
		}{
			{nil, 4}, {[]func(*Position){lasting(SinatraDoctrine)}, 3}, {[]func(*Position){prudent(Democrat)}, 5}, {[]func(*Position){lasting(FRGEmbassies)}, 3},
			{[]func(*Position){lasting(AustriaHungaryBorder)}, 4}, {[]func(*Position){func(p *Position) { p.force.standFast = int8(Communist) + 1 }}, 5},
		} {
			p := scene(t, Communist, append(tt.put, holds(Communist, 40), sp("Gyor", 0, 6))...)
			p = carry(t, p, []any{5}, "PLAY 40 OPS EVENT FIRST", "PLACE Pecs 3")
			has(t, p, "Gyor", 0, tt.want) // 5 + 3 against 6
		}
	})
	t.Run("card 40, edge case 4: a Communist space costs no more", func(t *testing.T) {
		t.Parallel()
		p := carry(t, scene(t, Democrat, holds(Democrat, 40), sp("Gyor", 0, 6)), []any{1}, "PLAY 40 EVENT", "PLACE Gyor 3")
		has(t, p, "Gyor", 3, 6)
	})
}
