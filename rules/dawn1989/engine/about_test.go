package engine_test

import (
	"slices"
	"strings"
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// TestAbout says what CARD answers of some cards.
func TestAbout(t *testing.T) {
	t.Parallel()
	start := scene(t, engine.Communist)
	for _, tt := range []struct {
		name string
		p    *engine.Position
		card engine.Card
		want []string
		not  []string
	}{
		{"all that is printed", start, 3, []string{"3 Walesa: 3 Ops, Democrat, early year, asterisk", "Place 4 Democratic points in Poland."}, nil},
		{"what it needs", start, 3, []string{"needs the event of 2 Solidarity Legalized, which has not happened yet", "cannot happen now"}, nil},
		{"what it needed", scene(t, engine.Communist, happened(2)), 3, []string{"2 Solidarity Legalized, which has happened"}, []string{"cannot happen now"}},
		{"what waits for it", start, 84, []string{"Waiting for it: 109 Kremlin Coup!.", "No longer possible after it: 14 Gorbachev Charms the West.", "red title"}, nil},
		{"what forbids it", scene(t, engine.Communist, happened(83)), 15, []string{"after the event of 83 Modrow, which has happened", "cannot happen now"}, nil},
		{"a neutral card", start, 67, []string{"Who plays the event", "when the Democrat plays it", "when the Communist plays it"}, nil},
		{"a scoring card", start, 22, []string{"22 Poland Scoring: scoring card, neutral"}, []string{"Ops", "asterisk"}},
		{"where it lies", scene(t, engine.Communist, lay(engine.PileDiscard, 34)), 34, []string{"It lies in the discard pile."}, nil},
		{"not where it is hidden", scene(t, engine.Communist, holds(engine.Democrat, 34)), 34, nil, []string{"It lies", "hand"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(about(tt.p, 0, tt.card), "\n")
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is missing in\n%s", w, got)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(got, w) {
					t.Errorf("%q stands in\n%s", w, got)
				}
			}
		})
	}
}

func about(p *engine.Position, seat rules.Seat, c engine.Card) []string {
	return dawn1989.Game{}.About(p.View(seat), rules.Name{Kind: rules.CardName, Code: int(c), Text: c.String(), Number: int(c)})
}

// TestAboutIsPublic: whoever asks, and whatever is hidden, the answer is one.
func TestAboutIsPublic(t *testing.T) {
	t.Parallel()
	for _, hide := range []func(*engine.Position){
		holds(engine.Democrat, 34, 14), holds(engine.Communist, 34, 14), lay(engine.PileAside, 34), lay(engine.PileShown, 34),
	} {
		p, plain := scene(t, engine.Communist, hide), scene(t, engine.Communist)
		for c := engine.Card(1); c < engine.Cards; c++ {
			want := about(plain, rules.Nobody, c)
			for _, seat := range []rules.Seat{0, 1, rules.Nobody} {
				if got := about(p, seat, c); !slices.Equal(got, want) {
					t.Errorf("seat %d is told of card %d:\n%s\nwant\n%s", seat, c, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		}
	}
}
