package rulestest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

var game = rulestest.Game()

func init() { long.Checks(40) }

func begin(t testing.TB) rules.Position {
	t.Helper()
	pos, err := game.Begin(rules.Setup{Seats: 3, Revision: 1})
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

func text(t testing.TB, m json.Marshaler) string {
	t.Helper()
	data, err := m.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// walk plays a random match and calls check at every position on the way, with
// what happened since the last.
func walk(t testing.TB, seed uint64, check func(pos rules.Position, events []rules.Event)) rules.Position {
	t.Helper()
	dice := rulestest.NewDice(seed)
	pos := begin(t)
	check(pos, nil)
	events, err := pos.Resume(dice, nil)
	for ; err == nil; events, err = one(t, pos, dice) {
		check(pos, events)
		if len(pos.OpenDecisions(nil)) == 0 {
			return pos
		}
	}
	t.Fatal(err)
	return nil
}

// one gives one random atom.
func one(t testing.TB, pos rules.Position, dice *rulestest.Dice) ([]rules.Event, error) {
	t.Helper()
	owed := pos.OpenDecisions(nil)
	d := owed[dice.Intn(len(owed))]
	for _, o := range owed {
		if o.Midway {
			d = o
		}
	}
	options := pos.Options(nil, d.ID)
	if len(options) == 0 || !slices.IsSorted(options) {
		t.Fatalf("options of %+v: %x", d, options)
	}
	return pos.Apply(d.ID, options[dice.Intn(len(options))], dice, nil)
}

func TestWholeMatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		last := rules.DecisionID(0)
		end := walk(t, seed, func(pos rules.Position, events []rules.Event) {
			data := text(t, pos)
			again, err := game.Decode([]byte(data))
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(text(t, again), data); diff != "" {
				rt.Fatalf("decoded and written: got - want +\n%s", diff)
			}
			if diff := cmp.Diff(again.OpenDecisions(nil), pos.OpenDecisions(nil)); diff != "" {
				rt.Fatalf("owed: got - want +\n%s", diff)
			}
			if diffs, err := game.Differences(pos, []byte(data)); err != nil || len(diffs) > 0 {
				rt.Fatalf("differs from itself: %v %v", diffs, err)
			}
			for _, d := range pos.OpenDecisions(nil) {
				last = max(last, d.ID)
			}
			conserved(rt, data)
			letters(rt, pos, events)
		})
		if _, over := end.Result(); !over {
			rt.Fatal("nothing is owed, but the match is not over")
		}
		if last < 12 {
			rt.Fatalf("only %d questions", last)
		}
	})
}

// conserved checks that all cards are somewhere, once.
func conserved(rt *rapid.T, data string) {
	var p struct {
		Hands         map[string][]int
		Deck, Discard []int
	}
	if err := json.Unmarshal([]byte(data), &p); err != nil {
		rt.Fatal(err)
	}
	all := slices.Concat(p.Deck, p.Discard, p.Hands["north"], p.Hands["east"], p.Hands["west"])
	slices.Sort(all)
	if diff := cmp.Diff(all, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}); diff != "" {
		rt.Fatalf("cards: got - want +\n%s", diff)
	}
}

// letters checks what seats are told: that there are words, that they fit, and
// that nobody is told an event of which he is no audience.
func letters(rt *rapid.T, pos rules.Position, events []rules.Event) {
	for s := rules.NoSeat; s < 3; s++ {
		v := pos.View(s)
		heard := 0
		for _, e := range events {
			if e.Audience.Has(s) {
				heard++
			}
		}
		lines := game.Sentences(v, events)
		if len(lines) != heard {
			rt.Fatalf("%d sentences of %d events", len(lines), heard)
		}
		lines = append(lines, game.Status(v))
		for _, sec := range game.Sections(v) {
			lines = append(lines, sec.Lines...)
		}
		for _, d := range pos.OpenDecisions(nil) {
			if d.Seat == s {
				p := game.Prompt(v, d, pos.Options(nil, d.ID))
				if len(p.Forms) == 0 {
					rt.Fatalf("no form for %+v", d)
				}
				lines = append(append(lines, p.Question), p.Forms...)
			}
		}
		for _, l := range lines {
			if l == "" || utf8.RuneCountInString(l) > 78 {
				rt.Fatalf("a line of %d letters: %q", utf8.RuneCountInString(l), l)
			}
		}
	}
}

// What a seat may not know does not change its view: here, the cards of the
// others and the deck, exchanged.
func TestHiddenStaysHidden(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		walk(t, rapid.Uint64().Draw(rt, "seed"), func(pos rules.Position, _ []rules.Event) {
			if _, over := pos.Result(); over {
				return
			}
			var p map[string]any
			if err := json.Unmarshal([]byte(text(t, pos)), &p); err != nil {
				rt.Fatal(err)
			}
			hands := p["hands"].(map[string]any)
			deck, _ := p["deck"].([]any)
			if east := hands["east"].([]any); len(east) > 0 && len(deck) > 0 {
				east[0], deck[0] = deck[0], east[0]
			}
			for _, m := range []string{"kept", "votes"} {
				if x, ok := p[m].(map[string]any); ok && x["west"] != nil {
					x["west"] = map[string]any{"kept": 14.0, "votes": "SUN"}[m]
				}
			}
			other, err := json.Marshal(p)
			if err != nil {
				rt.Fatal(err)
			}
			twin, err := game.Decode(other)
			if err != nil {
				rt.Fatal(err)
			}
			for _, s := range []rules.Seat{rules.NoSeat, 0} {
				if diff := cmp.Diff(text(t, twin.View(s)), text(t, pos.View(s))); diff != "" {
					rt.Fatalf("seat %d sees what it was never told:\n%s", s, diff)
				}
			}
		})
	})
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	pos := begin(t)
	if _, err := pos.Resume(&rulestest.Rolls{}, nil); err != nil {
		t.Fatal(err)
	}
	before := text(t, pos)
	d := pos.OpenDecisions(nil)[0]
	for _, try := range []struct {
		id rules.DecisionID
		a  rules.Atom
	}{{d.ID, 0}, {d.ID + 1, pos.Options(nil, d.ID)[0]}, {0, 0}} {
		if _, err := pos.Apply(try.id, try.a, &rulestest.Rolls{}, nil); err == nil {
			t.Errorf("decision %d took %x", try.id, try.a)
		}
	}
	if diff := cmp.Diff(text(t, pos), before); diff != "" {
		t.Error(diff)
	}
}

func TestStalls(t *testing.T) {
	t.Parallel()
	pos := begin(t)
	if !pos.Stalled() || len(pos.OpenDecisions(nil)) != 0 {
		t.Fatal("a new position is not stalled")
	}
	if _, err := pos.Resume(&rulestest.Rolls{}, nil); err != nil {
		t.Fatal(err)
	}
	d := pos.OpenDecisions(nil)[0]
	rolls := &rulestest.Rolls{}
	var err error
	for _, a := range rulestest.Pick(pos, d, func(int) int { return 0 }) {
		_, err = pos.Apply(pos.OpenDecisions(nil)[0].ID, a, rolls, nil)
	}
	if !errors.Is(err, rules.ErrNoOutcome) || !pos.Stalled() {
		t.Fatalf("got %v, stalled %t", err, pos.Stalled())
	}
}

func TestBegin(t *testing.T) {
	t.Parallel()
	for _, s := range []rules.Setup{{Seats: 2}, {Seats: 4}, {Seats: 3, Options: map[string]string{"rounds": "3"}},
		{Seats: 3, Options: map[string]string{"colour": "red"}}} {
		if _, err := game.Begin(s); err == nil {
			t.Errorf("%+v: begun", s)
		}
	}
}

func FuzzDecode(f *testing.F) {
	pos := begin(f)
	f.Add([]byte(text(f, pos)))
	if _, err := pos.Resume(rulestest.NewDice(1), nil); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(text(f, pos)))
	f.Fuzz(func(t *testing.T, data []byte) {
		pos, err := game.Decode(data)
		if err != nil {
			return
		}
		once := text(t, pos)
		again, err := game.Decode([]byte(once))
		if err != nil || !bytes.Equal([]byte(text(t, again)), []byte(once)) {
			t.Errorf("%s is not read as it was written (%v)", once, err)
		}
	})
}
