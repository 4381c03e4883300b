package engine_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"samizdat/rules"
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
		}, []rules.Seat{1, rules.Nobody}, 0},
		{"the card of Samizdat (card 77) and the hand", scene(t, engine.Communist, holds(engine.Democrat, 34), lay(engine.PileAside, 39)), func(p *engine.Position) {
			p.Move(39, engine.PileAside, engine.PileDemocrat)
			p.Move(34, engine.PileDemocrat, engine.PileAside)
		}, []rules.Seat{1, rules.Nobody}, 0},
		{"the three cards of box 3", scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2)), nil, []rules.Seat{0, rules.Nobody}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, b := tt.p.Clone().(*engine.Position), tt.p.Clone().(*engine.Position)
			if tt.change != nil {
				tt.change(b)
			} else {
				for i, p := range []*engine.Position{a, b} {
					x := engine.Run{Chance: &script{t, []any{6, []engine.Card{35, 40}[i], engine.Card(12), engine.Card(22)}}}
					if err := p.Decide(&x, engine.AtomPlay(14, engine.PlayTiananmen)); err != nil {
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
		if err := p.Go(&x); err != nil {
			t.Fatal(err)
		}
		for _, e := range x.Events {
			if e.Kind != engine.EvDealt {
				continue
			}
			for s := engine.Democrat; s <= engine.Communist; s++ {
				if known := e.Args[0] != 0; e.Audience.Has(p.Sits[s]) && known && engine.Side(e.Args[1]) != s {
					t.Errorf("the %v is told of the enemy's card %d", s, e.Args[0])
				}
			}
			if e.Audience.Has(rules.Nobody) && e.Args[0] != 0 {
				t.Errorf("spectators are told of card %d", e.Args[0])
			}
		}
	})
	t.Run("card 13: the announcement does not outlast the rounds", func(t *testing.T) {
		t.Parallel()
		p := finish(t, lastRound(t, lasting(engine.Stasi), func(p *engine.Position) { p.Effects.Announced, p.Effects.ExtraRound = 29, true }, holds(engine.Communist, 12)))
		if p.Effects.Announced != 0 {
			t.Errorf("card %d is still announced", p.Effects.Announced)
		}
	})
}
