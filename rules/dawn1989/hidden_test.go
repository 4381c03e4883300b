package dawn1989

import (
	"bytes"
	"encoding/json"
	"testing"

	"samizdat/rules"
)

// seen is a seat's view as JSON.
func seen(t *testing.T, p *Position, seat rules.Seat) []byte {
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
		p      *Position
		change func(p *Position)
		blind  []rules.Seat
		sees   rules.Seat
	}{
		{"a hand and the deck", scene(t, Communist, holds(Democrat, 34, 39)), func(p *Position) {
			p.move(34, PileDemocrat, PileDeck)
			p.move(40, PileDeck, PileDemocrat)
		}, []rules.Seat{1, rules.Nobody}, 0},
		{"the card of Samizdat (card 77) and the hand", scene(t, Communist, holds(Democrat, 34), lay(PileAside, 39)), func(p *Position) {
			p.move(39, PileAside, PileDemocrat)
			p.move(34, PileDemocrat, PileAside)
		}, []rules.Seat{1, rules.Nobody}, 0},
		{"the three cards of box 3", scene(t, Communist, holds(Communist, 14), boxes(0, 2)), nil, []rules.Seat{0, rules.Nobody}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, b := tt.p.Clone().(*Position), tt.p.Clone().(*Position)
			if tt.change != nil {
				tt.change(b)
			} else {
				for i, p := range []*Position{a, b} {
					x := Run{Chance: &script{t, []any{6, []Card{35, 40}[i], Card(12), Card(22)}}}
					if err := p.Decide(&x, play(14, PlayTiananmen)); err != nil {
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
		p := newPosition()
		x := Run{Chance: newDice(8)}
		if err := p.Go(&x); err != nil {
			t.Fatal(err)
		}
		for _, e := range x.Events {
			if e.Kind != EvDealt {
				continue
			}
			for s := Democrat; s <= Communist; s++ {
				if known := e.Args[0] != 0; e.Audience.Has(p.sits[s]) && known && Side(e.Args[1]) != s {
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
		p := finish(t, lastRound(t, lasting(Stasi), func(p *Position) { p.force.announced, p.force.extraRound = 29, true }, holds(Communist, 12)))
		if p.force.announced != 0 {
			t.Errorf("card %d is still announced", p.force.announced)
		}
	})
}
