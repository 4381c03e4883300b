package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// found looks names up as they are written here, in full or by number.
func found(kind rules.NameKind, text string) (rules.Name, error) {
	for _, n := range dawn1989.Game().Names() {
		if n.Kind == kind && (strings.EqualFold(n.Text, text) || n.Number != 0 && strconv.Itoa(n.Number) == text) {
			return n, nil
		}
	}
	return rules.Name{}, errors.New("no such name")
}

// sensible is a robot of common sense.
func sensible(t testing.TB) rules.Robot {
	t.Helper()
	r, err := dawn1989.Game().Robot("sensible", 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// middle is a position in the middle of a match between sensible robots: the first
// question of a kind from a turn on.
func middle(t testing.TB, seed uint64, turn int8, kind engine.QuestionKind) *engine.Position {
	t.Helper()
	table, err := dawn1989.Game().NewSimulation(rules.Setup{Seats: 2, Revision: dawn1989.Game().Revision()})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Begin(newDice(seed)); err != nil {
		t.Fatal(err)
	}
	robot := sensible(t)
	for {
		d, options, isOpen := table.Ask()
		if !isOpen {
			t.Fatal("the match ended before")
		}
		if p := engine.PositionAt(table); p.Turn >= turn && p.Question.Kind == kind && !d.Midway {
			return p.Clone().(*engine.Position)
		}
		if err := table.Answer(robot.Choose(table.View, d, options)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCondition(t *testing.T) {
	t.Parallel()
	p := middle(t, 7, 2, engine.AskRound)
	side := p.Question.Side
	v := p.View(p.SeatOfSide[side])
	lodz, _ := found("space", "Lodz")
	s := engine.Space(lodz.Code)
	p.VP = -3
	for _, test := range []struct {
		text string
		want bool
		set  func(p *engine.Position)
	}{
		{"Lodz MINE", true, func(p *engine.Position) { p.SetSupport(side.Enemy(), s, 0); p.SetSupport(side, s, 9) }},
		{"lodz theirs", false, func(p *engine.Position) { p.SetSupport(side.Enemy(), s, 0); p.SetSupport(side, s, 9) }},
		{"Lodz THEIRS", true, func(p *engine.Position) { p.SetSupport(side, s, 0); p.SetSupport(side.Enemy(), s, 9) }},
		{"Lodz FREE", true, func(p *engine.Position) { p.SetSupport(side, s, 2); p.SetSupport(side.Enemy(), s, 2) }},
		{"Lodz 2", true, func(p *engine.Position) { p.SetSupport(side, s, 2) }},
		{"Lodz 3", false, func(p *engine.Position) { p.SetSupport(side, s, 2) }},
		{"VP -3", true, nil}, {"VP -2", false, nil}, {"vp -2 or less", true, nil}, {"VP +1 OR MORE", false, nil},
		{"TURN " + strconv.Itoa(int(p.Turn)), true, nil}, {"TURN 9 OR MORE", false, nil}, {"ROUND 1 OR MORE", true, nil},
		{"HOLD 27", true, func(p *engine.Position) { p.Piles[engine.HandPile(side)].Add(27) }},
		{"HOLD 27", false, func(p *engine.Position) {
			p.Piles[engine.HandPile(side)].Drop(27)
			p.Piles[engine.HandPile(side.Enemy())].Add(27)
		}},
		{"HAPPENED 2", true, func(p *engine.Position) { p.Effects.PastEvents.Add(2) }},
		{"HAPPENED 2", false, func(p *engine.Position) { p.Effects.PastEvents.Drop(2) }},
	} {
		q := *p
		if test.set != nil {
			test.set(&q)
		}
		holds, err := dawn1989.Game().Ahead.ParseCondition(test.text, found)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := holds(q.View(v.Seat())); got != test.want {
			t.Errorf("%s: %t, want %t", test.text, got, test.want)
		}
		if test.text == "Lodz MINE" && holds(q.View(rules.NoSeat)) {
			t.Error("a spectator has a space")
		}
	}
	for _, bad := range []string{"", "Lodz", "Lodz OURS", "Nowhere MINE", "VP", "VP much", "VP 3 OR SO", "HOLD Nothing", "MINE", "HOLD"} {
		if _, err := dawn1989.Game().Ahead.ParseCondition(bad, found); err == nil {
			t.Errorf("%q is understood", bad)
		}
	}
}

func TestSurprises(t *testing.T) {
	t.Parallel()
	p := middle(t, 7, 2, engine.AskRound)
	side := p.Question.Side
	seat := p.SeatOfSide[side]
	base := dawn1989.Game().Ahead.Baseline(p.View(seat))
	event := func(kind rules.EventKind, args ...int) []rules.Event {
		e := rules.Event{Kind: kind, Audience: rules.Everyone}
		for i, a := range args {
			e.Args[i] = int16(a)
		}
		return []rules.Event{e}
	}
	me, other, poland := int(side), int(side.Enemy()), int(engine.ScoringCardOf[engine.Poland])
	for name, test := range map[string]struct {
		set    func(p *engine.Position)
		events []rules.Event
		want   bool
	}{
		"nothing":                  {nil, nil, false},
		"scoring card":             {nil, event(engine.EvPlayed, poland, int(engine.PlayEvent), other, 0), true},
		"own scoring card":         {nil, event(engine.EvPlayed, poland, int(engine.PlayEvent), me, 0), false},
		"scoring card, used again": {nil, event(engine.EvEvent, poland, other), true},
		"own, used again":          {nil, event(engine.EvEvent, poland, me), false},
		"another card":             {nil, event(engine.EvPlayed, 40, int(engine.PlayEvent), other, 0), false},
		"two points":               {func(p *engine.Position) { p.VP += 2 }, nil, false},
		"three points":             {func(p *engine.Position) { p.VP -= 3 }, nil, true},
		"space lost":               {func(p *engine.Position) { c := p.Controlled[side]; p.SetSupport(side, c.Next(), 0) }, nil, true},
		"space of the others":      {func(p *engine.Position) { c := p.Controlled[side.Enemy()]; p.SetSupport(side.Enemy(), c.Next(), 0) }, nil, false},
		"card shown":               {nil, event(engine.EvShown, me, 40), true},
		"card of the others shown": {nil, event(engine.EvShown, other, 40), false},
		"card drawn and discarded": {nil, event(engine.EvDiscarded, me, 40, int(engine.KissOfDeath)), true},
		"card of the others":       {nil, event(engine.EvDiscarded, other, 40, int(engine.KissOfDeath)), false},
		"discarded by choice":      {nil, event(engine.EvDiscarded, me, 40, int(engine.ExitVisas)), false},
		"discarded for box 5":      {nil, event(engine.EvDiscarded, me, 40, int(engine.SourceBox5)), false},
		"handed over":              {nil, event(engine.EvHandedOver, me, 40), true},
		"taken":                    {nil, event(engine.EvTaken, other, 40, engine.TakenFromEnemy), true},
		"taken by me":              {nil, event(engine.EvTaken, me, 40, engine.TakenFromEnemy), false},
		"taken from the pile":      {nil, event(engine.EvTaken, other, 40, engine.TakenToUse), false},
		"own card played": {func(p *engine.Position) {
			c := p.Piles[engine.HandPile(side)]
			p.Phasing = side.Enemy()
			p.Move(c.Next(), engine.HandPile(side), engine.PileDiscard)
		}, nil, false},
	} {
		q := *p
		if test.set != nil {
			test.set(&q)
		}
		reason := dawn1989.Game().Ahead.DescribeSurprise("", base, q.View(seat), test.events)
		if (reason != "") != test.want {
			t.Errorf("%s: %q", name, reason)
		}
		if reason := dawn1989.Game().Ahead.DescribeSurprise("LOSS", base, q.View(seat), test.events); reason != "" {
			t.Errorf("%s: an answer for a power struggle: %q", name, reason)
		}
	}
}

// TestRash: an action round that leaves more scoring cards than rounds is rash, and
// only such a one.
func TestRash(t *testing.T) {
	t.Parallel()
	p := middle(t, 7, 2, engine.AskRound)
	side := p.Question.Side
	for s := range engine.ScoringCardOf {
		if c := engine.ScoringCardOf[s]; c != 0 {
			for pile := range engine.Piles {
				p.Piles[pile].Drop(c)
			}
			p.Piles[engine.PileFuture].Add(c)
		}
	}
	give := func(c engine.Country) { p.Move(engine.ScoringCardOf[c], engine.PileFuture, engine.HandPile(side)) }
	ask := func(c engine.Card, m engine.Mode) string {
		return dawn1989.Game().Warning(p.View(p.SeatOfSide[side]), rules.Decision{}, []rules.Atom{engine.PlayAtom(c, m)})
	}
	p.Effects.ExtraRound = false
	p.Round = engine.RoundsPerTurn
	other := p.Piles[engine.HandPile(side)]
	c := other.Next()
	if reason := ask(c, engine.PlayTiananmen); reason != "" {
		t.Errorf("without a scoring card: %s", reason)
	}
	give(engine.Poland)
	if ask(c, engine.PlayTiananmen) == "" {
		t.Error("the last round is played otherwise")
	}
	if reason := ask(engine.ScoringCardOf[engine.Poland], engine.PlayEvent); reason != "" {
		t.Errorf("the scoring card itself: %s", reason)
	}
	p.Round--
	if reason := ask(c, engine.PlayTiananmen); reason != "" {
		t.Errorf("with a round left: %s", reason)
	}
	give(engine.Romania)
	if ask(c, engine.PlayTiananmen) == "" {
		t.Error("two cards and two rounds")
	}
}

// TestImagine: what is imagined of a view shows the same view, is made from it
// alone, and has every hidden card in the enemy's hand somewhere and elsewhere not.
func TestImagine(t *testing.T) {
	t.Parallel()
	text := func(m json.Marshaler) []byte {
		data, err := m.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for seed := range uint64(long.N(2, 6)) {
		for _, kind := range []engine.QuestionKind{engine.AskRound, engine.AskAttack, engine.AskDefend, engine.AskRemove, engine.AskPlace} {
			p := middle(t, seed, int8(1+seed), kind)
			for seat := range rules.Seat(2) {
				v := p.View(seat)
				positions := dawn1989.Game().Imagine(v)
				enemy := p.SideOf(seat).Enemy()
				where := map[engine.Card]int{}
				seen := text(v)
				var made [][]byte
				for _, w := range positions {
					made = append(made, text(w))
				}
				for _, w := range positions {
					if !bytes.Equal(text(w.View(seat)), seen) {
						t.Fatalf("seed %d: another view:\n%s\n%s", seed, text(w.View(seat)), text(v))
					}
					for i, x := range dawn1989.Game().Imagine(w.View(seat)) {
						if !bytes.Equal(text(x), made[i]) {
							t.Fatalf("seed %d: the truth shows in what is imagined", seed)
						}
					}
					q := w.(*engine.Position)
					for _, c := range q.Piles[engine.HandPile(enemy)].List() {
						where[c]++
					}
					n := 0
					for pile := range engine.Piles {
						n += q.Piles[pile].Len()
						if pile != engine.PileDeck && q.Piles[pile].Len() != p.Piles[pile].Len() {
							t.Fatalf("seed %d: pile %d has %d cards, not %d", seed, pile, q.Piles[pile].Len(), p.Piles[pile].Len())
						}
					}
					if n != int(engine.Cards)-1 {
						t.Fatalf("seed %d: %d cards", seed, n)
					}
				}
				for _, c := range v.(*engine.View).HiddenCards() {
					if n := where[c]; p.Piles[engine.HandPile(enemy)].Len() > 0 && (n == 0 || n == len(positions)) && v.(*engine.View).KnownEnemyCards.Len() < p.Piles[engine.HandPile(enemy)].Len() {
						t.Fatalf("seed %d: card %d is in the hand in %d of %d worlds", seed, c, n, len(positions))
					}
				}
			}
		}
	}
}
