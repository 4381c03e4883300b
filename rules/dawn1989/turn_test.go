package dawn1989

import (
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// lastRound is the Democrat's seventh round of a turn, with one card.
func lastRound(t *testing.T, changes ...func(*Position)) *Position {
	t.Helper()
	p := scene(t, Democrat, append([]func(*Position){func(p *Position) {
		p.round = roundsATurn
		p.stack[0].Step = matchExtraRound
		lay(PileDiscard, TearGas)(p)
	}}, changes...)...)
	return p
}

// finish plays the Democrat's card for a Tiananmen attempt that fails, and
// returns the position when the next card is to be dealt or somebody is asked.
func finish(t *testing.T, p *Position) *Position {
	t.Helper()
	q := *p
	x := Run{Chance: &dieThenNone{die: 1}}
	q.tiananmen[Democrat].Attempted = false
	if err := q.Decide(&x, play(29, PlayTiananmen)); err != nil && !q.stalled {
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
	if p.piles[PileDemocrat].len() != 8 || p.piles[PileCommunist].len() != 8 || p.piles[PileDeck].len() != 24 {
		t.Error("the hands or the deck are not dealt as rule 3.1 says")
	}
	mustRefuse(t, p, "PLACE Gdansk, Lodz")
	for i, want := range []struct {
		side  Side
		order string
	}{
		{Communist, "PLACE Lodz 2"}, {Democrat, "PLACE Pecs 3"}, {Communist, "PLACE Lodz 3"}, {Democrat, "PLACE Pecs 4"}, {Communist, "PLACE Berlin 2"},
	} {
		if p.question.Ask != AskSetup || p.question.Side != want.side {
			t.Fatalf("helping %d is asked of the %v, want the %v (rule 3.4)", i+1, p.question.Side, want.side)
		}
		p = carry(t, p, nil, want.order)
	}
	mustAsk(t, p, AskRound, Communist)
}

// TestExtra: a "+N" match gives the Democrat a sixth helping (rule 3.4).
func TestExtra(t *testing.T) {
	t.Parallel()
	pos, err := Game{}.Begin(rules.Setup{Seats: 2, Revision: 1, Options: map[string]string{OptionExtra: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	p := pos.(*Position)
	x := Run{Chance: newDice(4)}
	if err := p.Go(&x); err != nil {
		t.Fatal(err)
	}
	p = carry(t, p, nil, "PLACE Lodz 2", "PLACE Pecs 3", "PLACE Lodz 3", "PLACE Pecs 4", "PLACE Lodz 2")
	mustAsk(t, p, AskSetup, Democrat)
	mustRefuse(t, p, "PLACE Lodz 2")
	mustAsk(t, carry(t, p, nil, "PLACE Pecs 2"), AskRound, Communist)
}

// TestTurn holds the turn against rule 4.5.
func TestTurn(t *testing.T) {
	t.Parallel()
	t.Run("rule 4.5.1: the deal alternates, the Communist first, and skips whoever has enough", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, holds(Democrat, 29, 1, 3, 4, 5, 6, 7, 10, 11)))
		var order []rules.Seat
		x := Run{Chance: watching{newDice(5), &order}}
		if err := p.Go(&x); err != nil {
			t.Fatal(err)
		}
		if len(order) != 8 || order[0] != 1 || order[7] != 1 {
			t.Errorf("dealt to the seats %v, want 8 times the Communist's", order)
		}
		if p.turn != 2 || p.piles[PileCommunist].len() != handSize {
			t.Errorf("turn %d, %d cards", p.turn, p.piles[PileCommunist].len())
		}
	})
	t.Run("rule 4.3: a deck that runs out in mid-deal is made of the discards at once", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist)
		x := Run{Chance: newDice(1), p: p}
		lay(PileRemoved, p.piles[PileDeck].cards()...)(p)
		lay(PileDeck, 7)(p)
		lay(PileDiscard, 10, 11)(p)
		if c, err := x.deal(Communist, PileCommunist, reasonDeal); c != 7 || err != nil {
			t.Fatalf("dealt %d, %v", c, err)
		}
		if p.piles[PileDeck].len() != 2 || !p.piles[PileDiscard].empty() {
			t.Error("the discards have not become the deck")
		}
	})
	t.Run("ruling 5: with deck and discards empty the draw is lost", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist)
		lay(PileRemoved, p.piles[PileDeck].cards()...)(p)
		x := Run{Chance: newDice(1), p: p}
		if c, err := x.deal(Communist, PileCommunist, reasonDeal); c != 0 || err != nil {
			t.Errorf("dealt %d, %v", c, err)
		}
	})
	t.Run("rule 4.4: Middle and Late Year cards join the draw deck, not the discards", func(t *testing.T) {
		t.Parallel()
		for n, want := range map[int8]Period{3: Middle, 7: Late} {
			p := lastRound(t, turn(n), lay(PileDiscard, 7))
			if n == 7 {
				p.piles[PileFuture] = p.piles[PileFuture].minus(inPeriod[Middle])
				p.piles[PileRemoved] = p.piles[PileRemoved].or(inPeriod[Middle])
			}
			p = finish(t, p)
			if !inPeriod[want].minus(p.piles[PileDeck]).empty() {
				t.Errorf("after turn %d the %v cards are not in the deck", n, periodNames[want])
			}
			lies(t, p, 7, PileDiscard)
		}
	})
	t.Run("rule 7.2: what lasts a turn ends with it", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(Perestroika, HelsinkiFinalAct), func(p *Position) {
			p.force.prudence[Democrat], p.force.debt, p.force.standFast = 1, Hungary, 1
			p.tiananmen[Communist] = Track{Box: 7, Attempted: true, Seventh: true, Eighth: true, Failed: true}
		}))
		lies(t, p, Perestroika, PileRemoved)
		lies(t, p, HelsinkiFinalAct, PileInPlay)
		if p.force.cards.has(Perestroika) || p.force.prudence[Democrat] != 0 || p.force.debt != NoCountry || p.force.standFast != 0 {
			t.Error("an effect goes on")
		}
		if tr := p.tiananmen[Communist]; tr.Attempted || tr.Seventh || tr.Eighth || !tr.Failed {
			t.Errorf("the track is %+v", tr)
		}
	})
	t.Run("rule 4.5.4: a held scoring card loses; two are a draw", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			put     []func(*Position)
			winners rules.Seats
		}{
			{[]func(*Position){holds(Communist, 22)}, rules.Only(0)},
			{[]func(*Position){holds(Democrat, 29, 22)}, rules.Only(1)},
			{[]func(*Position){holds(Communist, 22), holds(Democrat, 29, 23)}, 0},
		} {
			p := finish(t, lastRound(t, tt.put...))
			if p.ending != HeldCard || p.winners != tt.winners {
				t.Errorf("the ending is %v for %b, want %v for %b", p.ending, p.winners, HeldCard, tt.winners)
			}
		}
	})
	t.Run("card 77: a scoring card put aside is not in hand, and comes back", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lay(PileAside, 22)))
		if p.ending != NotOver {
			t.Errorf("the match has ended: %v", p.ending)
		}
		lies(t, p, 22, PileDemocrat)
	})
	t.Run("card 15: an eighth round after the Democrat's seventh, which may be declined", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, holds(Communist, 12), func(p *Position) { p.force.extraRound = true }, sp("Praha", 0, 1)))
		mustAsk(t, p, AskExtraRound, Communist)
		if q, err := try(t, p, gate.NoChance{}, "PLAY 12 OPS PLACE Praha 2"); err != nil || q.support[Communist][space("Praha")] != 3 {
			t.Errorf("the eighth round: %v", err)
		}
		if q, err := try(t, p, gate.NoChance{}, "PASS"); err != nil || q.turn != 2 {
			t.Errorf("declining: %v", err)
		}
	})
	t.Run("box 5: a card may be changed at the beginning of a turn", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, boxes(0, 5)))
		x := Run{Chance: newDice(6)}
		if err := p.Go(&x); err != nil {
			t.Fatal(err)
		}
		mustAsk(t, p, AskDiscard, Communist)
		set := p.piles[PileCommunist].minus(scoringCards)
		q := *p
		if err := q.Decide(&x, atom(VerbDiscard, 0, int(set.next()))); err != nil || q.piles[PileCommunist].len() != handSize {
			t.Errorf("%d cards, %v", q.piles[PileCommunist].len(), err)
		}
		mustAsk(t, carry(t, p, nil, "PASS"), AskRound, Communist)
	})
	t.Run("box 6: a free check of 2 Ops at the end of a turn, which may be declined", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, boxes(0, 6), sp("Lodz", 2, 0), sp("Praha", 1, 0)))
		mustAsk(t, p, AskCheck, Communist)
		for _, b := range []int8{5, 6} {
			if q := finish(t, lastRound(t, boxes(b, b), sp("Lodz", 2, 0))); q.question.Ask == AskCheck {
				t.Errorf("a check is asked with both markers in box %d", b)
			}
		}
		if q := finish(t, lastRound(t, boxes(0, 5), sp("Lodz", 2, 0))); q.question.Ask == AskCheck {
			t.Error("a check is asked in box 5")
		}
		q := *p
		x := Run{Chance: &dieThenNone{die: 5}}
		if err := q.Decide(&x, at(VerbCheck, space("Lodz"))); err == nil || !q.stalled {
			t.Fatal(err)
		}
		has(t, &q, "Lodz", 1, 0) // 5 + 2 against 6
	})
	t.Run("card 65: the Communist is dealt to seven", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(PresidentialVisit)))
		x := Run{Chance: newDice(7)}
		if err := p.Go(&x); err != nil {
			t.Fatal(err)
		}
		if n := p.piles[PileCommunist].len(); n != handSize-1 {
			t.Errorf("%d cards, want %d", n, handSize-1)
		}
		lies(t, p, PresidentialVisit, PileRemoved)
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

// cards lists a set.
func (a CardSet) cards() []Card {
	var out []Card
	for c := a.next(); c != 0; c = a.next() {
		out = append(out, c)
	}
	return out
}

// TestRounds holds what may replace an action round against its cards.
func TestRounds(t *testing.T) {
	t.Parallel()
	t.Run("card 5: a card is discarded, and 6 or more ends the strike", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 35, 1, 22), lasting(GeneralStrike))
		mustRefuse(t, p, "PLAY 35 EVENT")
		q := carry(t, p, []any{2}, "PLAY 35 STRIKE")
		lies(t, q, 35, PileDiscard)
		lies(t, q, GeneralStrike, PileInPlay)
		hasVP(t, q, 0)
		lies(t, carry(t, p, []any{3}, "PLAY 35 STRIKE"), GeneralStrike, PileRemoved)
		// A scoring card is played instead; the strike goes on.
		q = carry(t, p, []any{1, 1}, "PLAY 22 EVENT")
		lies(t, q, GeneralStrike, PileInPlay)
	})
	t.Run("card 13: the Democrat shows the card that he must play", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 34, 40, 39), lasting(Stasi), func(p *Position) { p.force.stasiFrom = 2 }, sp("Lodz", 1, 0))
		p = carry(t, p, nil, "PLAY 34 EVENT")
		mustAsk(t, p, AskAnnounce, Democrat)
		p = carry(t, p, nil, "CHOOSE 40")
		mustAsk(t, p, AskRound, Communist)
		p = carry(t, p, []any{1}, "PLAY 30 OPS TIANANMEN")
		mustRefuse(t, p, "PLAY 39 EVENT")
		carry(t, p, nil, "PLAY 40 OPS PLACE Lodz 3")
	})
	t.Run("card 99: -3 VP unless Gorbachev Charms the West is played for the event", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Democrat, holds(Democrat, 14), lasting(Ligachev), sp("Lodz", 1, 3), sp("Praha", 0, 3))
		hasVP(t, carry(t, p, nil, "PLAY 14 OPS PLACE Lodz 4"), -3)
		hasVP(t, carry(t, p, nil, "PLAY 14 EVENT"), 0)
		// Before anything else: at -17 the match is over (rule 10.1).
		p = scene(t, Democrat, holds(Democrat, 29), lasting(Ligachev), vpAt(-17))
		if q := carry(t, p, nil, "PLAY 29 OPS TIANANMEN"); q.ending != AutomaticVictory {
			t.Error("-20 has not ended the match")
		}
	})
	t.Run("card 41: at the end of its round Bucuresti may lose a point", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 12), sp("Timisoara", 1, 0), sp("Bucuresti", 0, 2), func(p *Position) { p.force.ceausescu = true })
		has(t, carry(t, p, nil, "PLAY 12 OPS PLACE Bucuresti 2"), "Bucuresti", 0, 3)
	})
}

// TestVictory holds the ends of a match against rule 10.
func TestVictory(t *testing.T) {
	t.Parallel()
	t.Run("rule 10.1: 20 VP either way, in the middle of a card", func(t *testing.T) {
		t.Parallel()
		p := scene(t, Communist, holds(Communist, 35), vpAt(-17))
		if q := carry(t, p, nil, "PLAY 35 EVENT"); q.ending != AutomaticVictory || q.winners != rules.Only(1) {
			t.Errorf("the ending is %v for %b", q.ending, q.winners)
		}
	})
	t.Run("rule 10.4: final scoring", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct {
			name    string
			put     []func(*Position)
			vp      int
			winners rules.Seats
		}{
			{"-4 for each country under Communist Power", []func(*Position){vpAt(30)}, 30 - 24, rules.Only(0)},
			{"a draw", []func(*Position){vpAt(24)}, 0, 0},
			{"-2 for the Ceausescus at large", []func(*Position){vpAt(25), func(p *Position) { p.force.refuge = bucuresti }}, -1, rules.Only(1)},
			{"all countries are scored", []func(*Position){vpAt(19), sp("Lodz", 3, 0), sp("Pecs", 4, 0)}, 19 - 24 + 4 + 1, 0},
		} {
			p := finish(t, lastRound(t, append(tt.put, turn(turns))...))
			if p.ending != FinalScoring || int(p.vp) != tt.vp || p.winners != tt.winners {
				t.Errorf("%s: the ending is %v at VP %d for %b, want VP %d for %b", tt.name, p.ending, p.vp, p.winners, tt.vp, tt.winners)
			}
		}
	})
	t.Run("rule 10.3: the New Year's Eve Party ends the match, after a last struggle", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, vpAt(5), func(p *Position) { p.force.party = true }))
		mustAsk(t, p, AskCountry, Democrat)
		q := carry(t, p, nil, "PASS")
		if q.ending != NewYear || q.winners != rules.Only(0) {
			t.Errorf("the ending is %v for %b", q.ending, q.winners)
		}
		// Poland: nobody has cards, the Democrat loses, the Communist keeps Power: -3.
		q = carry(t, p, []any{1, 1}, "CHOOSE Poland", "KEEP POWER")
		if q.ending != NewYear || q.vp != 2 || q.winners != rules.Only(0) {
			t.Errorf("the ending is %v at VP %d for %b", q.ending, q.vp, q.winners)
		}
	})
}
