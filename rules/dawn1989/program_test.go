package dawn1989

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"samizdat/rules"
)

// found looks names up as they are written here, in full or by number.
func found(kind rules.NameKind, text string) (rules.Name, error) {
	for _, n := range (Game{}).Names() {
		if n.Kind == kind && (strings.EqualFold(n.Text, text) || n.Number != 0 && strconv.Itoa(n.Number) == text) {
			return n, nil
		}
	}
	return rules.Name{}, errors.New("no such name")
}

// middle is a position in the middle of a match between sensible robots: the first
// question of a kind from a turn on.
func middle(t testing.TB, seed uint64, turn int8, kind Ask) *Position {
	t.Helper()
	table, err := Game{}.Table(rules.Setup{Seats: 2, Revision: Game{}.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Begin(newDice(seed)); err != nil {
		t.Fatal(err)
	}
	robot := &sensible{}
	for {
		d, options, open := table.Ask()
		if !open {
			t.Fatal("the match ended before")
		}
		if p := &table.(*matchTable).p; p.turn >= turn && p.question.Ask == kind && !d.Midway {
			return p.Clone().(*Position)
		}
		if err := table.Answer(robot.Choose(table.Look, d, options)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCondition(t *testing.T) {
	t.Parallel()
	p := middle(t, 7, 2, AskRound)
	side := p.question.Side
	v := p.View(p.sits[side])
	lodz, _ := found(nameSpace, "Lodz")
	s := Space(lodz.Code)
	p.vp = -3
	for _, test := range []struct {
		text string
		want bool
		set  func(p *Position)
	}{
		{"Lodz MINE", true, func(p *Position) { p.set(side.Enemy(), s, 0); p.set(side, s, 9) }},
		{"lodz theirs", false, func(p *Position) { p.set(side.Enemy(), s, 0); p.set(side, s, 9) }},
		{"Lodz THEIRS", true, func(p *Position) { p.set(side, s, 0); p.set(side.Enemy(), s, 9) }},
		{"Lodz FREE", true, func(p *Position) { p.set(side, s, 2); p.set(side.Enemy(), s, 2) }},
		{"Lodz 2", true, func(p *Position) { p.set(side, s, 2) }},
		{"Lodz 3", false, func(p *Position) { p.set(side, s, 2) }},
		{"VP -3", true, nil}, {"VP -2", false, nil}, {"vp -2 or less", true, nil}, {"VP +1 OR MORE", false, nil},
		{"TURN " + strconv.Itoa(int(p.turn)), true, nil}, {"TURN 9 OR MORE", false, nil}, {"ROUND 1 OR MORE", true, nil},
		{"HOLD 27", true, func(p *Position) { p.piles[hand(side)].add(27) }},
		{"HOLD 27", false, func(p *Position) { p.piles[hand(side)].drop(27); p.piles[hand(side.Enemy())].add(27) }},
		{"HAPPENED 2", true, func(p *Position) { p.force.happened.add(2) }},
		{"HAPPENED 2", false, func(p *Position) { p.force.happened.drop(2) }},
	} {
		q := *p
		if test.set != nil {
			test.set(&q)
		}
		holds, err := Game{}.Condition(test.text, found)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := holds(q.View(v.Seat())); got != test.want {
			t.Errorf("%s: %t, want %t", test.text, got, test.want)
		}
		if test.text == "Lodz MINE" && holds(q.View(rules.Nobody)) {
			t.Error("a spectator has a space")
		}
	}
	for _, bad := range []string{"", "Lodz", "Lodz OURS", "Nowhere MINE", "VP", "VP much", "VP 3 OR SO", "HOLD Nothing", "MINE", "HOLD"} {
		if _, err := (Game{}).Condition(bad, found); err == nil {
			t.Errorf("%q is understood", bad)
		}
	}
}

func TestSurprises(t *testing.T) {
	t.Parallel()
	p := middle(t, 7, 2, AskRound)
	side := p.question.Side
	seat := p.sits[side]
	base := Game{}.Baseline(p.View(seat))
	event := func(kind rules.EventKind, args ...int) []rules.Event {
		e := rules.Event{Kind: kind, Audience: rules.Everyone}
		for i, a := range args {
			e.Args[i] = int16(a)
		}
		return []rules.Event{e}
	}
	me, other, poland := int(side), int(side.Enemy()), int(scoringCard[Poland])
	for name, test := range map[string]struct {
		set    func(p *Position)
		events []rules.Event
		want   bool
	}{
		"nothing":                  {nil, nil, false},
		"scoring card":             {nil, event(EvPlayed, poland, int(PlayEvent), other, 0), true},
		"own scoring card":         {nil, event(EvPlayed, poland, int(PlayEvent), me, 0), false},
		"scoring card, used again": {nil, event(EvEvent, poland, other), true},
		"own, used again":          {nil, event(EvEvent, poland, me), false},
		"another card":             {nil, event(EvPlayed, 40, int(PlayEvent), other, 0), false},
		"two points":               {func(p *Position) { p.vp += 2 }, nil, false},
		"three points":             {func(p *Position) { p.vp -= 3 }, nil, true},
		"space lost":               {func(p *Position) { c := p.controls[side]; p.set(side, c.next(), 0) }, nil, true},
		"space of the others":      {func(p *Position) { c := p.controls[side.Enemy()]; p.set(side.Enemy(), c.next(), 0) }, nil, false},
		"card shown":               {nil, event(EvShown, me, 40), true},
		"card of the others shown": {nil, event(EvShown, other, 40), false},
		"card drawn and discarded": {nil, event(EvDiscarded, me, 40, int(KissOfDeath)), true},
		"card of the others":       {nil, event(EvDiscarded, other, 40, int(KissOfDeath)), false},
		"discarded by choice":      {nil, event(EvDiscarded, me, 40, int(ExitVisas)), false},
		"discarded for box 5":      {nil, event(EvDiscarded, me, 40, int(SourceBox5)), false},
		"handed over":              {nil, event(EvHandedOver, me, 40), true},
		"taken":                    {nil, event(EvTaken, other, 40, takenFromEnemy), true},
		"taken by me":              {nil, event(EvTaken, me, 40, takenFromEnemy), false},
		"taken from the pile":      {nil, event(EvTaken, other, 40, takenToUse), false},
		"own card played": {func(p *Position) {
			c := p.piles[hand(side)]
			p.phasing = side.Enemy()
			p.move(c.next(), hand(side), PileDiscard)
		}, nil, false},
	} {
		q := *p
		if test.set != nil {
			test.set(&q)
		}
		why := Game{}.Surprise("", base, q.View(seat), test.events)
		if (why != "") != test.want {
			t.Errorf("%s: %q", name, why)
		}
		if why := (Game{}).Surprise("LOSS", base, q.View(seat), test.events); why != "" {
			t.Errorf("%s: an answer for a power struggle: %q", name, why)
		}
	}
}

// TestRash: an action round that leaves more scoring cards than rounds is rash, and
// only such a one.
func TestRash(t *testing.T) {
	t.Parallel()
	p := middle(t, 7, 2, AskRound)
	side := p.question.Side
	for s := range scoringCard {
		if c := scoringCard[s]; c != 0 {
			for pile := range piles {
				p.piles[pile].drop(c)
			}
			p.piles[PileFuture].add(c)
		}
	}
	give := func(c Country) { p.move(scoringCard[c], PileFuture, hand(side)) }
	ask := func(c Card, m Mode) string {
		return Game{}.Rash(p.View(p.sits[side]), rules.Decision{}, []rules.Atom{play(c, m)})
	}
	p.force.extraRound = false
	p.round = roundsATurn
	other := p.piles[hand(side)]
	c := other.next()
	if why := ask(c, PlayTiananmen); why != "" {
		t.Errorf("without a scoring card: %s", why)
	}
	give(Poland)
	if ask(c, PlayTiananmen) == "" {
		t.Error("the last round is played otherwise")
	}
	if why := ask(scoringCard[Poland], PlayEvent); why != "" {
		t.Errorf("the scoring card itself: %s", why)
	}
	p.round--
	if why := ask(c, PlayTiananmen); why != "" {
		t.Errorf("with a round left: %s", why)
	}
	give(Romania)
	if ask(c, PlayTiananmen) == "" {
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
	for seed := range uint64(6) {
		for _, kind := range []Ask{AskRound, AskAttack, AskDefend, AskRemove, AskPlace} {
			p := middle(t, seed, int8(1+seed), kind)
			for seat := range rules.Seat(2) {
				v := p.View(seat)
				worlds := Game{}.Imagine(v)
				enemy := p.sideOf(seat).Enemy()
				where := map[Card]int{}
				for _, w := range worlds {
					if !bytes.Equal(text(w.View(seat)), text(v)) {
						t.Fatalf("seed %d: another view:\n%s\n%s", seed, text(w.View(seat)), text(v))
					}
					for i, x := range (Game{}).Imagine(w.View(seat)) {
						if !bytes.Equal(text(x), text(worlds[i])) {
							t.Fatalf("seed %d: the truth shows in what is imagined", seed)
						}
					}
					q := w.(*Position)
					for _, c := range cardsOf(q.piles[hand(enemy)]) {
						where[c]++
					}
					n := 0
					for pile := range piles {
						n += q.piles[pile].len()
						if pile != PileDeck && q.piles[pile].len() != p.piles[pile].len() {
							t.Fatalf("seed %d: pile %d has %d cards, not %d", seed, pile, q.piles[pile].len(), p.piles[pile].len())
						}
					}
					if n != int(cards)-1 {
						t.Fatalf("seed %d: %d cards", seed, n)
					}
				}
				for _, c := range v.(*View).hiddenCards() {
					if n := where[c]; p.piles[hand(enemy)].len() > 0 && (n == 0 || n == len(worlds)) && v.(*View).told.len() < p.piles[hand(enemy)].len() {
						t.Fatalf("seed %d: card %d is in the hand in %d of %d worlds", seed, c, n, len(worlds))
					}
				}
			}
		}
	}
}
