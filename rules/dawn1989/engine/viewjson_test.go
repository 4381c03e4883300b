package engine_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// TestViewIsRead reads back what each seat sees, all through random matches. What is
// imagined of it can be stored, and shows the same again.
func TestViewIsRead(t *testing.T) {
	t.Parallel()
	g := dawn1989.Game{}
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
			buf = p.Choices(buf[:0])
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
		"a card too many": {strings.Replace(text, `"deck_count":`, `"deck_count":1`, 1), "every card once"},
		"no view":         {`{"format":"x"}`, "unknown field"},
	} {
		seat := rules.Seat(1)
		if name == "another seat's" {
			seat = 0
		}
		if _, err := (dawn1989.Game{}).DecodeView([]byte(tt.text), seat); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}
