package engine_test

import (
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// lastRound is the Democrat's seventh round of a turn, with one card.
func lastRound(t *testing.T, changes ...func(*engine.Position)) *engine.Position {
	t.Helper()
	p := scene(t, engine.Democrat, append([]func(*engine.Position){func(p *engine.Position) {
		p.Round = engine.RoundsPerTurn
		p.StandAt(engine.MatchExtraRound)
		lay(engine.PileDiscard, engine.TearGas)(p)
	}}, changes...)...)
	return p
}

// finish plays the Democrat's card for a Tiananmen attempt that fails, and
// returns the position when the next card is to be dealt or somebody is asked.
func finish(t *testing.T, p *engine.Position) *engine.Position {
	t.Helper()
	q := *p
	x := engine.Run{Chance: &dieThenNone{die: 1}}
	q.Tiananmen[engine.Democrat].Attempted = false
	if err := q.Decide(&x, engine.PlayAtom(29, engine.PlayTiananmen)); err != nil && !q.Stalled() {
		t.Fatal(err)
	}
	sound(t, &q)
	return &q
}

// dieThenNone is chance with one die.
type dieThenNone struct {
	die  int
	used bool
}

func (d *dieThenNone) Roll(rules.Reason) (int, error) {
	if d.used {
		return 0, rules.ErrNoOutcome
	}
	d.used = true
	return d.die, nil
}

func (*dieThenNone) Draw(rules.Draw) (int, error) { return 0, rules.ErrNoOutcome }

// TestSetup holds set-up against rule 3.
func TestSetup(t *testing.T) {
	t.Parallel()
	p := begin(t, newDice(3))
	for name, want := range map[string][2]int{
		"Bydgoszcz": {0, 1}, "Warszawa": {0, 1}, "Lublin": {0, 1}, "Dresden": {0, 2}, "Berlin": {0, 2}, "Plzen": {0, 2}, "Praha": {0, 2},
		"Brno": {0, 1}, "Szombathely": {0, 1}, "Cluj-Napoca": {0, 2}, "Bucuresti": {0, 2}, "Sofia": {0, 2}, "Stara Zagora": {0, 1},
		"Polish Catholic Church": {5, 0}, "Gdansk": {1, 0}, "Krakow": {1, 0}, "East German Lutheran Church": {1, 0}, "Czech Writers": {2, 0},
		"Czech Catholic Church": {1, 0}, "Budapest": {1, 0}, "Szeged": {1, 0}, "Hungarian Catholic Church": {1, 0}, "Szekesfehervar": {1, 0},
	} {
		has(t, p, name, want[0], want[1])
	}
	if p.Piles[engine.PileDemocrat].Len() != 8 || p.Piles[engine.PileCommunist].Len() != 8 || p.Piles[engine.PileDeck].Len() != 24 {
		t.Error("the hands or the deck are not dealt as rule 3.1 says")
	}
	mustRefuse(t, p, "PLACE Gdansk, Lodz")
	for i, want := range []struct {
		side  engine.Side
		order string
	}{
		{engine.Communist, "PLACE Lodz 2"}, {engine.Democrat, "PLACE Pecs 3"}, {engine.Communist, "PLACE Lodz 3"}, {engine.Democrat, "PLACE Pecs 4"}, {engine.Communist, "PLACE Berlin 2"},
	} {
		if p.Question.Kind != engine.AskSetup || p.Question.Side != want.side {
			t.Fatalf("helping %d is asked of the %v, want the %v (rule 3.4)", i+1, p.Question.Side, want.side)
		}
		p = carry(t, p, nil, want.order)
	}
	mustAsk(t, p, engine.AskRound, engine.Communist)
}

// TestExtra: a "+N" match gives the Democrat a sixth helping (rule 3.4).
func TestExtra(t *testing.T) {
	t.Parallel()
	pos, err := dawn1989.Game().Begin(rules.Setup{Seats: 2, Revision: 1, Options: map[string]string{dawn1989.OptionExtra: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	p := pos.(*engine.Position)
	x := engine.Run{Chance: newDice(4)}
	if err := p.Advance(&x); err != nil {
		t.Fatal(err)
	}
	p = carry(t, p, nil, "PLACE Lodz 2", "PLACE Pecs 3", "PLACE Lodz 3", "PLACE Pecs 4", "PLACE Lodz 2")
	mustAsk(t, p, engine.AskSetup, engine.Democrat)
	mustRefuse(t, p, "PLACE Lodz 2")
	mustAsk(t, carry(t, p, nil, "PLACE Pecs 2"), engine.AskRound, engine.Communist)
}

// TestTurn holds the turn against rule 4.5.
func TestTurn(t *testing.T) {
	t.Parallel()
	t.Run("rule 4.5.1: the deal alternates, the Communist first, and skips whoever has enough", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, holds(engine.Democrat, 29, 1, 3, 4, 5, 6, 7, 10, 11)))
		var order []rules.Seat
		x := engine.Run{Chance: watching{newDice(5), &order}}
		if err := p.Advance(&x); err != nil {
			t.Fatal(err)
		}
		if len(order) != 8 || order[0] != 1 || order[7] != 1 {
			t.Errorf("dealt to the seats %v, want 8 times the Communist's", order)
		}
		if p.Turn != 2 || p.Piles[engine.PileCommunist].Len() != engine.HandSize {
			t.Errorf("turn %d, %d cards", p.Turn, p.Piles[engine.PileCommunist].Len())
		}
	})
	t.Run("rule 4.3: a deck that runs out in mid-deal is made of the discards at once", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist)
		r := engine.NewRun(p, newDice(1))
		lay(engine.PileRemoved, p.Piles[engine.PileDeck].List()...)(p)
		lay(engine.PileDeck, 7)(p)
		lay(engine.PileDiscard, 10, 11)(p)
		if c, err := r.Deal(engine.Communist, engine.PileCommunist, engine.ReasonDeal); c != 7 || err != nil {
			t.Fatalf("dealt %d, %v", c, err)
		}
		if p.Piles[engine.PileDeck].Len() != 2 || !p.Piles[engine.PileDiscard].IsEmpty() {
			t.Error("the discards have not become the deck")
		}
	})
	t.Run("ruling 5: with deck and discards empty the draw is lost", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist)
		lay(engine.PileRemoved, p.Piles[engine.PileDeck].List()...)(p)
		r := engine.NewRun(p, newDice(1))
		if c, err := r.Deal(engine.Communist, engine.PileCommunist, engine.ReasonDeal); c != 0 || err != nil {
			t.Errorf("dealt %d, %v", c, err)
		}
	})
	t.Run("rule 4.4: Middle and Late Year cards join the draw deck, not the discards", func(t *testing.T) {
		t.Parallel()
		for n, want := range map[int8]engine.Period{3: engine.Middle, 7: engine.Late} {
			p := lastRound(t, turn(n), lay(engine.PileDiscard, 7))
			if n == 7 {
				p.Piles[engine.PileFuture] = p.Piles[engine.PileFuture].Minus(engine.InPeriod[engine.Middle])
				p.Piles[engine.PileRemoved] = p.Piles[engine.PileRemoved].Or(engine.InPeriod[engine.Middle])
			}
			p = finish(t, p)
			if !engine.InPeriod[want].Minus(p.Piles[engine.PileDeck]).IsEmpty() {
				t.Errorf("after turn %d the %v cards are not in the deck", n, engine.PeriodNames[want])
			}
			lies(t, p, 7, engine.PileDiscard)
		}
	})
	t.Run("rule 7.2: what lasts a turn ends with it", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(engine.Perestroika, engine.HelsinkiFinalAct), func(p *engine.Position) {
			p.Effects.Prudence[engine.Democrat], p.Effects.DebtCountry, p.Effects.StandFast = 1, engine.Hungary, 1
			p.Tiananmen[engine.Communist] = engine.Track{Box: 7, Attempted: true, UsedBox7: true, UsedBox8: true, Failed: true}
		}))
		lies(t, p, engine.Perestroika, engine.PileRemoved)
		lies(t, p, engine.HelsinkiFinalAct, engine.PileInPlay)
		if p.Effects.Cards.Has(engine.Perestroika) || p.Effects.Prudence[engine.Democrat] != 0 || p.Effects.DebtCountry != engine.NoCountry || p.Effects.StandFast != 0 {
			t.Error("an effect goes on")
		}
		if tr := p.Tiananmen[engine.Communist]; tr.Attempted || tr.UsedBox7 || tr.UsedBox8 || !tr.Failed {
			t.Errorf("the track is %+v", tr)
		}
	})
	t.Run("rule 4.5.4: a held scoring card loses; two are a draw", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			put     []func(*engine.Position)
			winners rules.Seats
		}{
			{[]func(*engine.Position){holds(engine.Communist, 22)}, rules.Only(0)},
			{[]func(*engine.Position){holds(engine.Democrat, 29, 22)}, rules.Only(1)},
			{[]func(*engine.Position){holds(engine.Communist, 22), holds(engine.Democrat, 29, 23)}, 0},
		} {
			p := finish(t, lastRound(t, tt.put...))
			if p.Ending != engine.HeldCard || p.Winners != tt.winners {
				t.Errorf("the ending is %v for %b, want %v for %b", p.Ending, p.Winners, engine.HeldCard, tt.winners)
			}
		}
	})
	t.Run("card 77: a scoring card put aside is not in hand, and comes back", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lay(engine.PileAside, 22)))
		if p.Ending != engine.NotOver {
			t.Errorf("the match has ended: %v", p.Ending)
		}
		lies(t, p, 22, engine.PileDemocrat)
	})
	t.Run("card 15: an eighth round after the Democrat's seventh, which may be declined", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, holds(engine.Communist, 12), func(p *engine.Position) { p.Effects.ExtraRound = true }, sp("Praha", 0, 1)))
		mustAsk(t, p, engine.AskExtraRound, engine.Communist)
		if q, err := try(t, p, gate.NoChance{}, "PLAY 12 OPS PLACE Praha 2"); err != nil || q.Support[engine.Communist][engine.FindSpace("Praha")] != 3 {
			t.Errorf("the eighth round: %v", err)
		}
		if q, err := try(t, p, gate.NoChance{}, "PASS"); err != nil || q.Turn != 2 {
			t.Errorf("declining: %v", err)
		}
	})
	t.Run("box 5: a card may be changed at the beginning of a turn", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, boxes(0, 5)))
		x := engine.Run{Chance: newDice(6)}
		if err := p.Advance(&x); err != nil {
			t.Fatal(err)
		}
		mustAsk(t, p, engine.AskDiscard, engine.Communist)
		set := p.Piles[engine.PileCommunist].Minus(engine.ScoringCards)
		q := *p
		if err := q.Decide(&x, engine.NewAtom(engine.VerbDiscard, 0, int(set.Next()))); err != nil || q.Piles[engine.PileCommunist].Len() != engine.HandSize {
			t.Errorf("%d cards, %v", q.Piles[engine.PileCommunist].Len(), err)
		}
		mustAsk(t, carry(t, p, nil, "PASS"), engine.AskRound, engine.Communist)
	})
	t.Run("box 6: a free check of 2 Ops at the end of a turn, which may be declined", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, boxes(0, 6), sp("Lodz", 2, 0), sp("Praha", 1, 0)))
		mustAsk(t, p, engine.AskCheck, engine.Communist)
		for _, b := range []int8{5, 6} {
			if q := finish(t, lastRound(t, boxes(b, b), sp("Lodz", 2, 0))); q.Question.Kind == engine.AskCheck {
				t.Errorf("a check is asked with both markers in box %d", b)
			}
		}
		if q := finish(t, lastRound(t, boxes(0, 5), sp("Lodz", 2, 0))); q.Question.Kind == engine.AskCheck {
			t.Error("a check is asked in box 5")
		}
		q := *p
		x := engine.Run{Chance: &dieThenNone{die: 5}}
		if err := q.Decide(&x, engine.SpaceAtom(engine.VerbCheck, engine.FindSpace("Lodz"))); err == nil || !q.Stalled() {
			t.Fatal(err)
		}
		has(t, &q, "Lodz", 1, 0) // 5 + 2 against 6
	})
	t.Run("card 65: the Communist is dealt to seven", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(engine.PresidentialVisit)))
		x := engine.Run{Chance: newDice(7)}
		if err := p.Advance(&x); err != nil {
			t.Fatal(err)
		}
		if n := p.Piles[engine.PileCommunist].Len(); n != engine.HandSize-1 {
			t.Errorf("%d cards, want %d", n, engine.HandSize-1)
		}
		lies(t, p, engine.PresidentialVisit, engine.PileRemoved)
	})
}

// watching notes who is dealt to.
type watching struct {
	dice
	order *[]rules.Seat
}

func (w watching) Draw(d rules.Draw) (int, error) {
	*w.order = append(*w.order, d.To)
	return w.dice.Draw(d)
}

// TestRounds holds what may replace an action round against its cards.
func TestRounds(t *testing.T) {
	t.Parallel()
	t.Run("card 5: a card is discarded, and 6 or more ends the strike", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 35, 1, 22), lasting(engine.GeneralStrike))
		mustRefuse(t, p, "PLAY 35 EVENT")
		q := carry(t, p, []any{2}, "PLAY 35 STRIKE")
		lies(t, q, 35, engine.PileDiscard)
		lies(t, q, engine.GeneralStrike, engine.PileInPlay)
		hasVP(t, q, 0)
		lies(t, carry(t, p, []any{3}, "PLAY 35 STRIKE"), engine.GeneralStrike, engine.PileRemoved)
		// A scoring card is played instead; the strike goes on.
		q = carry(t, p, []any{1, 1}, "PLAY 22 EVENT")
		lies(t, q, engine.GeneralStrike, engine.PileInPlay)
	})
	t.Run("card 13: the Democrat shows the card that he must play", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 34, 40, 39), lasting(engine.Stasi), func(p *engine.Position) { p.Effects.StasiFrom = 2 }, sp("Lodz", 1, 0))
		p = carry(t, p, nil, "PLAY 34 EVENT")
		mustAsk(t, p, engine.AskAnnounce, engine.Democrat)
		p = carry(t, p, nil, "CHOOSE 40")
		mustAsk(t, p, engine.AskRound, engine.Communist)
		p = carry(t, p, []any{1}, "PLAY 30 OPS TIANANMEN")
		mustRefuse(t, p, "PLAY 39 EVENT")
		carry(t, p, nil, "PLAY 40 OPS PLACE Lodz 3")
	})
	t.Run("card 99: -3 VP unless Gorbachev Charms the West is played for the event", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Democrat, holds(engine.Democrat, 14), lasting(engine.Ligachev), sp("Lodz", 1, 3), sp("Praha", 0, 3))
		hasVP(t, carry(t, p, nil, "PLAY 14 OPS PLACE Lodz 4"), -3)
		hasVP(t, carry(t, p, nil, "PLAY 14 EVENT"), 0)
		// Before anything else: at -17 the match is over (rule 10.1).
		p = scene(t, engine.Democrat, holds(engine.Democrat, 29), lasting(engine.Ligachev), vpAt(-17))
		if q := carry(t, p, nil, "PLAY 29 OPS TIANANMEN"); q.Ending != engine.AutomaticVictory {
			t.Error("-20 has not ended the match")
		}
	})
	t.Run("card 41: at the end of its round Bucuresti may lose a point", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 12), sp("Timisoara", 1, 0), sp("Bucuresti", 0, 2), func(p *engine.Position) { p.Effects.CeausescuPending = true })
		has(t, carry(t, p, nil, "PLAY 12 OPS PLACE Bucuresti 2"), "Bucuresti", 0, 3)
	})
}

// TestVictory holds the ends of a match against rule 10.
func TestVictory(t *testing.T) {
	t.Parallel()
	t.Run("rule 10.1: 20 VP either way, in the middle of a card", func(t *testing.T) {
		t.Parallel()
		p := scene(t, engine.Communist, holds(engine.Communist, 35), vpAt(-17))
		if q := carry(t, p, nil, "PLAY 35 EVENT"); q.Ending != engine.AutomaticVictory || q.Winners != rules.Only(1) {
			t.Errorf("the ending is %v for %b", q.Ending, q.Winners)
		}
	})
	t.Run("rule 10.4: final scoring", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			name    string
			put     []func(*engine.Position)
			vp      int
			winners rules.Seats
		}{
			{"-4 for each country under Communist Power", []func(*engine.Position){vpAt(30)}, 30 - 24, rules.Only(0)},
			{"a draw", []func(*engine.Position){vpAt(24)}, 0, 0},
			{"-2 for the Ceausescus at large", []func(*engine.Position){vpAt(25), func(p *engine.Position) { p.Effects.Refuge = engine.Bucuresti }}, -1, rules.Only(1)},
			{"all countries are scored", []func(*engine.Position){vpAt(19), sp("Lodz", 3, 0), sp("Pecs", 4, 0)}, 19 - 24 + 4 + 1, 0},
		} {
			p := finish(t, lastRound(t, append(tt.put, turn(engine.Turns))...))
			if p.Ending != engine.FinalScoring || int(p.VP) != tt.vp || p.Winners != tt.winners {
				t.Errorf("%s: the ending is %v at VP %d for %b, want VP %d for %b", tt.name, p.Ending, p.VP, p.Winners, tt.vp, tt.winners)
			}
		}
	})
	t.Run("rule 10.3: the New Year's Eve Party ends the match, after a last struggle", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, vpAt(5), func(p *engine.Position) { p.Effects.EndDeclared = true }))
		mustAsk(t, p, engine.AskCountry, engine.Democrat)
		q := carry(t, p, nil, "PASS")
		if q.Ending != engine.NewYear || q.Winners != rules.Only(0) {
			t.Errorf("the ending is %v for %b", q.Ending, q.Winners)
		}
		// Poland: nobody has cards, the Democrat loses, the Communist keeps Power: -3.
		q = carry(t, p, []any{1, 1}, "CHOOSE Poland", "KEEP POWER")
		if q.Ending != engine.NewYear || q.VP != 2 || q.Winners != rules.Only(0) {
			t.Errorf("the ending is %v at VP %d for %b", q.Ending, q.VP, q.Winners)
		}
	})
}
