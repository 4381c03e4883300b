package engine_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unsafe"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// seen is a seat's view as JSON.
func seen(t *testing.T, p *engine.Position, seat rules.Seat) []byte {
	t.Helper()
	data, err := json.Marshal(p.View(seat))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestHidden exchanges what a seat may not know, and compares what it sees and
// is offered; who may know it sees the difference.
func TestHidden(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		p      *engine.Position
		change func(p *engine.Position)
		blind  []rules.Seat
		sees   rules.Seat
	}{
		{"a hand and the deck", scene(t, engine.Communist, holds(engine.Democrat, 34, 39)), func(p *engine.Position) {
			p.Move(34, engine.PileDemocrat, engine.PileDeck)
			p.Move(40, engine.PileDeck, engine.PileDemocrat)
		}, []rules.Seat{1, rules.NoSeat}, 0},
		{"the card of Samizdat (card 77) and the hand", scene(t, engine.Communist, holds(engine.Democrat, 34), lay(engine.PileAside, 39)), func(p *engine.Position) {
			p.Move(39, engine.PileAside, engine.PileDemocrat)
			p.Move(34, engine.PileDemocrat, engine.PileAside)
		}, []rules.Seat{1, rules.NoSeat}, 0},
		{"the three cards of box 3", scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2)), nil, []rules.Seat{0, rules.NoSeat}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, b := tt.p.Clone().(*engine.Position), tt.p.Clone().(*engine.Position)
			if tt.change != nil {
				tt.change(b)
			} else {
				for i, p := range []*engine.Position{a, b} {
					x := engine.Run{Chance: &script{t, []any{6, []engine.Card{35, 40}[i], engine.Card(12), engine.Card(22)}}}
					if err := p.Decide(&x, engine.PlayAtom(14, engine.PlayTiananmen)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if *a == *b {
				t.Fatal("nothing was exchanged")
			}
			for _, seat := range tt.blind {
				if one, two := seen(t, a, seat), seen(t, b, seat); !bytes.Equal(one, two) {
					t.Errorf("seat %d sees it:\n%s\n%s", seat, one, two)
				}
			}
			if bytes.Equal(seen(t, a, tt.sees), seen(t, b, tt.sees)) {
				t.Errorf("seat %d does not see it", tt.sees)
			}
		})
	}
	t.Run("events tell each seat no more than its view", func(t *testing.T) {
		t.Parallel()
		p := engine.NewPosition()
		x := engine.Run{Chance: newDice(8)}
		if err := p.Advance(&x); err != nil {
			t.Fatal(err)
		}
		for _, e := range x.Events {
			if e.Kind != engine.EvDealt {
				continue
			}
			for s := engine.Democrat; s <= engine.Communist; s++ {
				if isKnown := e.Args[0] != 0; e.Audience.Has(p.SeatOfSide[s]) && isKnown && engine.Side(e.Args[1]) != s {
					t.Errorf("the %v is told of the enemy's card %d", s, e.Args[0])
				}
			}
			if e.Audience.Has(rules.NoSeat) && e.Args[0] != 0 {
				t.Errorf("spectators are told of card %d", e.Args[0])
			}
		}
	})
	t.Run("card 13: the announcement does not outlast the rounds", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(engine.Stasi), func(p *engine.Position) { p.Effects.AnnouncedCard, p.Effects.ExtraRound = 29, true }, holds(engine.Communist, 12)))
		if p.Effects.AnnouncedCard != 0 {
			t.Errorf("card %d is still announced", p.Effects.AnnouncedCard)
		}
	})
}

// seenBy is a side's view as it is stored.
func seenBy(t *testing.T, p *engine.Position, side engine.Side) []byte {
	t.Helper()
	data, err := json.Marshal(p.View(p.SeatOfSide[side]))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSamizdatHidesKnownCards: after Samizdat (card 77) nobody can be certain
// that a card which was announced is still in the hand.
func TestSamizdatHidesKnownCards(t *testing.T) {
	t.Parallel()
	known := func(p *engine.Position) { p.KnownCards[engine.Democrat].Add(engine.EcoGlasnost) }
	p := scene(t, engine.Communist, holds(engine.Communist, engine.Samizdat), holds(engine.Democrat, engine.EcoGlasnost, engine.Fidesz), known, sp("Lodz", 0, 3))
	p = carry(t, p, nil, "PLAY 77 OPS EVENT FIRST")
	one := tell(t, p, &told{t: t, draws: []string{"1"}}, "CHOOSE 39")
	two := tell(t, p, &told{t: t, draws: []string{"1"}}, "CHOOSE 34")
	if !bytes.Equal(seenBy(t, one, engine.Communist), seenBy(t, two, engine.Communist)) {
		t.Error("the Communist's view tells which card was put aside")
	}
}

// TestAnnouncedCardIsFree: a card that was announced under Stasi (card 13), left
// the hand and was drawn again binds no longer.
func TestAnnouncedCardIsFree(t *testing.T) {
	t.Parallel()
	p := scene(t, engine.Communist, holds(engine.Communist, engine.ExitVisas), holds(engine.Democrat, engine.EcoGlasnost), lasting(engine.Stasi), sp("Lodz", 0, 3),
		lay(engine.PileRemoved, engine.InPeriod[engine.Early].List()...), holds(engine.Democrat, engine.EcoGlasnost, engine.Fidesz), lasting(engine.Stasi), holds(engine.Communist, engine.ExitVisas),
		func(p *engine.Position) { p.Effects.AnnouncedCard = engine.EcoGlasnost })
	lay(engine.PileDeck, engine.PapalVisit)(p)
	p = carry(t, p, nil, "PLAY 75 OPS EVENT FIRST")
	p = tell(t, p, &told{t: t, draws: []string{"19", "39"}}, "DISCARD 34, 39")
	lies(t, p, engine.EcoGlasnost, engine.PileDemocrat)
	if p.Effects.AnnouncedCard != 0 {
		t.Error("the card that came back still binds the Democrat")
	}
}

// TestOptionsOnlyList: listing the options of either bid leaves the position as
// it is (rule 13).
func TestOptionsOnlyList(t *testing.T) {
	t.Parallel()
	pos, err := dawn1989.Game().Begin(rules.Setup{Seats: 2, Revision: engine.NewestRevision, Options: map[string]string{dawn1989.OptionBidding: engine.BidYes}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(&told{t: t}, nil); err != nil {
		t.Fatal(err)
	}
	p := pos.(*engine.Position)
	before := *p
	for _, d := range p.OpenDecisions(nil) {
		if len(p.Options(nil, d.ID)) != 2*(engine.MaxBid+1) {
			t.Errorf("decision %d has %d options", d.ID, len(p.Options(nil, d.ID)))
		}
	}
	if *p != before {
		t.Error("the position has changed")
	}
}

// TestViewIsRead reads back what each seat sees, all through random matches. What is
// imagined of it can be stored, and shows the same again.
func TestViewIsRead(t *testing.T) {
	t.Parallel()
	g := dawn1989.Game()
	for seed := range uint64(long.N(3, 6)) {
		d := newDice(seed)
		p := begin(t, d)
		var x engine.Run
		var buf []rules.Atom
		for n := 0; p.Ending == engine.NotOver; n++ {
			for seat := range rules.Seat(2) {
				if n%long.N(5, 1) != 0 {
					continue
				}
				v := p.View(seat).(*engine.View)
				text := seen(t, p, seat)
				if again, err := engine.WrittenAgain(text, true); err != nil || !bytes.Equal(again, text) {
					t.Fatalf("%v: encoding/json writes\n%s\nand not\n%s", err, again, text)
				}
				read, err := g.DecodeView(text, seat)
				if err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, text)
				}
				if *read.(*engine.View) != *v {
					t.Fatalf("seed %d: another view was read of\n%s", seed, text)
				}
				if n%40 != 0 {
					continue
				}
				for _, w := range g.Imagine(read) {
					data, err := json.Marshal(w)
					if err != nil {
						t.Fatal(err)
					}
					stored, err := g.Decode(data)
					if err != nil {
						t.Fatalf("seed %d: what is imagined cannot be stored: %v", seed, err)
					}
					if again := seen(t, stored.(*engine.Position), seat); string(again) != string(text) {
						t.Fatalf("seed %d: another view:\n%s\n%s", seed, again, text)
					}
				}
			}
			buf = p.LegalAtoms(buf[:0])
			x.Chance, x.Events = d, x.Events[:0]
			if err := p.Decide(&x, buf[d.r.IntN(len(buf))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestViewIsRefused: what is no view of the seat is no view.
func TestViewIsRefused(t *testing.T) {
	t.Parallel()
	p := scene(t, engine.Communist, holds(engine.Democrat, 34, 39), holds(engine.Communist, 14))
	text := string(seen(t, p, 1))
	whole, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"another seat's":  {text, "seat 0 may not see"},
		"a position":      {string(whole), "of 0 cards"},
		"a card too many": {strings.Replace(text, `"deck_count":`, `"deck_count":1`, 1), "missing or in two piles"},
		"no view":         {`{"format":"x"}`, "unknown field"},
	} {
		seat := rules.Seat(1)
		if name == "another seat's" {
			seat = 0
		}
		if _, err := dawn1989.Game().DecodeView([]byte(tt.text), seat); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

// TestViewAgain: a view that is made over an older one is the same as a new one.
func TestViewAgain(t *testing.T) {
	t.Parallel()
	d := newDice(4)
	p := begin(t, d)
	x := engine.Run{Chance: d}
	var again engine.View
	for n := 0; p.Ending == engine.NotOver && n < 2000; n++ {
		for _, seat := range []rules.Seat{0, 1, rules.NoSeat} {
			p.Show(&again, seat)
			if fresh := p.View(seat).(*engine.View); *fresh != again {
				t.Fatalf("decision %d: the view of seat %d over another differs from a new one", n, seat)
			}
		}
		options := p.LegalAtoms(nil)
		if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTableLeavesNoGarbage: a decision on a table allocates nothing, the view
// included.
func TestTableLeavesNoGarbage(t *testing.T) {
	table, err := engine.Rules{}.NewSimulation(rules.Setup{Seats: 2, Revision: engine.NewestRevision})
	if err != nil {
		t.Fatal(err)
	}
	d := newDice(1)
	r := rules.NewRandomRobot(1)
	look := table.View
	decisions := 0
	play := func() {
		if err := table.Begin(d); err != nil {
			t.Fatal(err)
		}
		for {
			dec, options, isOpen := table.Ask()
			if !isOpen {
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

// TestSizes: a position is under 4 kB as a value and under 8 kB as JSON, at any
// time of a match.
func TestSizes(t *testing.T) {
	t.Parallel()
	if n := unsafe.Sizeof(engine.Position{}); n >= 4096 {
		t.Errorf("a position has %d bytes", n)
	}
	maximum := 0
	for seed := range uint64(long.N(8, 60)) {
		d := newDice(seed)
		p := begin(t, d)
		x := engine.Run{Chance: d}
		for n := 0; p.Ending == engine.NotOver; n++ {
			options := p.LegalAtoms(nil)
			x.Events = x.Events[:0]
			if err := p.Decide(&x, options[d.r.IntN(len(options))]); err != nil {
				t.Fatal(err)
			}
			if n%5 != 0 {
				continue
			}
			data, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			maximum = max(maximum, len(data))
		}
	}
	if maximum >= 8000 {
		t.Errorf("a position has %d bytes as JSON", maximum)
	}
	t.Logf("%d bytes as a value, at most %d as JSON", unsafe.Sizeof(engine.Position{}), maximum)
}
