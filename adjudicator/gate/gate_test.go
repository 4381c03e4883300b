package gate_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

var (
	game   = rulestest.Game()
	parser = order.New(game)
)

// The seats of Three Orchards.
const (
	north rules.Seat = iota
	east
	west
)

// begun is a one-round match in which north begins, holding 1, 4 and 7, east
// 2, 5 and 8, west 3, 6 and 9: rulestest.Rolls draws the first of every pile.
func begun(t testing.TB) rules.Position {
	t.Helper()
	pos, err := game.Begin(rules.Setup{Seats: 3, Options: map[string]string{"rounds": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pos.Resume(&rulestest.Rolls{}, nil); err != nil {
		t.Fatal(err)
	}
	return pos
}

// answer reads an order.
func answer(t testing.TB, text string) rules.Answer {
	t.Helper()
	o, err := parser.ParseOrder(text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := game.Answers(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a[0]
}

// carry carries out an order that must be legal.
func carry(t testing.TB, pos rules.Position, seat rules.Seat, text string, rolls ...int) gate.Result {
	t.Helper()
	r, err := gate.Execute(pos, seat, answer(t, text), &rulestest.Rolls{Left: rolls})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

// ballots is a position in which all owe KEEP and VOTE.
func ballots(t testing.TB) rules.Position {
	t.Helper()
	pos := begun(t)
	pos = carry(t, pos, north, "PLAY 1 SOW Mill Lane 2", 3).Position
	pos = carry(t, pos, east, "PLAY 2 SOW Millpond 3", 2).Position
	return carry(t, pos, west, "PLAY 3 SOW Millpond", 4).Position
}

func state(t testing.TB, p rules.Position) []byte {
	t.Helper()
	data, err := p.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCarry(t *testing.T) {
	t.Parallel()
	pos := begun(t)
	before := state(t, pos)
	r := carry(t, pos, north, "PLAY 1 SOW Mill Lane, Long Acre", 5)
	if got := state(t, pos); !bytes.Equal(got, before) {
		t.Errorf("the position handed in has changed:\n%s", cmp.Diff(string(got), string(before)))
	}
	if r.Stalled || r.Private || r.Decision.Kind != "play" || len(r.Atoms) != 3 || len(r.Events) != 4 {
		t.Errorf("%+v", r)
	}
	owed := r.Position.OpenDecisions(nil)
	if len(owed) != 1 || owed[0].Kind != "water" || owed[0].Source != "1" {
		t.Fatalf("owed %+v", owed)
	}
	// One of up to two: the gate gives the Stop.
	r = carry(t, r.Position, north, "WATER Millpond")
	if len(r.Atoms) != 2 {
		t.Errorf("atoms %x, want a token and a stop", r.Atoms)
	}
	if owed := r.Position.OpenDecisions(nil); len(owed) != 1 || owed[0].Seat != east {
		t.Errorf("owed %+v", owed)
	}
}

func TestStall(t *testing.T) {
	t.Parallel()
	r := carry(t, begun(t), north, "PLAY 1 SOW Mill Lane 2")
	if !r.Stalled || !r.Position.Stalled() {
		t.Fatal("not stalled without a die")
	}
	if _, err := r.Position.Resume(&rulestest.Rolls{Left: []int{3}}, nil); err != nil {
		t.Fatal(err)
	}
	if r.Position.Stalled() {
		t.Error("still stalled")
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	water := func(t testing.TB) rules.Position {
		return carry(t, begun(t), north, "PLAY 1 SOW Mill Lane 2", 5).Position
	}
	for _, test := range []struct {
		name  string
		pos   func(testing.TB) rules.Position
		seat  rules.Seat
		order string
		want  any
		says  string
	}{
		{"not my turn", begun, east, "PLAY 2 SOW Millpond 3", new(*gate.NoOpenDecisionError), "nothing is asked of you now"},
		{"other question", begun, north, "KEEP 1", new(*gate.NotAskedError), "that answers another question than the one asked (play)"},
		{"not my card", begun, north, "PLAY 2 SOW Millpond 3", new(*gate.IllegalError), "that is not among the 3 legal answers to the question (play)"},
		{"too short", begun, north, "PLAY 1 SOW Millpond", new(*gate.TooShortError), "the answer is too short: 1 more wanted (sow)"},
		{"only begun", begun, north, "PLAY 1", new(*gate.TooShortError), "the answer is too short: 2 more wanted (sow)"},
		{"too long", begun, north, "PLAY 1 SOW Millpond 3", new(*gate.TooLongError), "the answer is too long: 3 of 4 parts were wanted (play)"},
		{"too long by a list", water, north, "WATER Millpond, Mill Lane, Long Acre", new(*gate.TooLongError), "the answer is too long: 2 of 3 parts were wanted (water, asked by 1)"},
		{"illegal later", water, north, "WATER Mill Lane 2", new(*gate.IllegalError), "part 2 of the answer is not legal by then (water, asked by 1)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pos := test.pos(t)
			before := state(t, pos)
			_, err := gate.Execute(pos, test.seat, answer(t, test.order), &rulestest.Rolls{Left: []int{3}})
			if !errors.Is(err, gate.ErrRefused) || !errors.As(err, test.want) {
				t.Fatalf("got %T %v, want %T", err, err, test.want)
			}
			if err.Error() != test.says {
				t.Errorf("got  %s\nwant %s", err, test.says)
			}
			if !bytes.Equal(state(t, pos), before) {
				t.Error("a refused answer has changed the position")
			}
		})
	}
	if _, err := gate.Execute(begun(t), west, answer(t, "PLAY 3 SOW Millpond"), gate.NoChance{}); !errors.Is(err, gate.ErrNoOpenDecision) {
		t.Errorf("got %v, want ErrNothingOwed", err)
	}
	var owed *gate.NoOpenDecisionError
	if _, err := gate.Execute(begun(t), west, rules.Answer{}, nil); !errors.As(err, &owed) || owed.OtherDecisions[0].Seat != north {
		t.Errorf("got %v, want who owes", err)
	}
	var short *gate.TooShortError
	if _, err := gate.Execute(begun(t), north, rules.Answer{}, nil); !errors.As(err, &short) || len(short.Options) != 3 {
		t.Errorf("got %v, want what is wanted", err)
	}
}

// A seat that owes two answers at once gives each by its kind, and without one
// by what is an option.
func TestTwoOwed(t *testing.T) {
	t.Parallel()
	pos := ballots(t)
	r := carry(t, pos, north, "KEEP 4")
	if !r.Private || r.Decision.Kind != "keep" {
		t.Errorf("%+v", r.Decision)
	}
	vote := answer(t, "VOTE RAIN")
	vote.Kinds = nil
	checked, err := gate.Check(pos, north, vote)
	if err != nil {
		t.Fatal(err)
	}
	if checked.Decision.Kind != "vote" || checked.Private {
		t.Errorf("%+v", checked.Decision)
	}
}

func TestSource(t *testing.T) {
	t.Parallel()
	pos := carry(t, begun(t), north, "PLAY 1 SOW Mill Lane 2", 5).Position
	a := answer(t, "WATER Millpond")
	a.Source = "2"
	var not *gate.NotAskedError
	if _, err := gate.Execute(pos, north, a, gate.NoChance{}); !errors.As(err, &not) {
		t.Errorf("got %v, want NotAsked", err)
	}
	a.Source = "1"
	if _, err := gate.Execute(pos, north, a, gate.NoChance{}); err != nil {
		t.Error(err)
	}
}

func TestCarryAll(t *testing.T) {
	t.Parallel()
	pos := ballots(t)
	for s, text := range []string{"KEEP 7", "KEEP 5", "KEEP 9"} {
		pos = carry(t, pos, rules.Seat(s), text).Position
	}
	votes := []gate.SealedAnswer{{Seat: west, Answer: answer(t, "VOTE SUN")}, {Seat: north, Answer: answer(t, "VOTE SUN")},
		{Seat: east, Answer: answer(t, "VOTE RAIN")}}
	before := state(t, pos)
	var missing *gate.IncompleteError
	if _, err := gate.ExecuteSealed(pos, votes[:2], gate.NoChance{}); !errors.As(err, &missing) || missing.Missing[0].Seat != east {
		t.Errorf("got %v, want east missing", err)
	}
	o, err := gate.ExecuteSealed(pos, votes, gate.NoChance{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(state(t, pos), before) {
		t.Error("the position handed in has changed")
	}
	for i, g := range o.Answers {
		if int(g.Seat) != i {
			t.Errorf("answer %d is of seat %d", i, g.Seat)
		}
	}
	if votes[0].Seat != west {
		t.Error("the caller's list was sorted")
	}
	if _, over := o.Position.Result(); !over {
		t.Error("not over")
	}
	if len(o.Events) == 0 || len(o.Answers[2].Result.Events) == 0 || len(o.Answers[0].Result.Events) != 0 {
		t.Error("the ballots were not opened by the last")
	}
	votes[1].Answer = rules.Answer{Kinds: []string{"vote"}, Atoms: []rules.Atom{99}}
	if _, err := gate.ExecuteSealed(pos, votes, gate.NoChance{}); !errors.Is(err, gate.ErrRefused) {
		t.Errorf("got %v, want a refusal", err)
	}
	keep := []gate.SealedAnswer{{Seat: north, Answer: answer(t, "KEEP 7")}}
	if _, err := gate.ExecuteSealed(ballots(t), keep, gate.NoChance{}); !errors.Is(err, gate.ErrRefused) {
		t.Errorf("an open answer among the sealed: got %v, want a refusal", err)
	}
}

// Whatever a seat answers, it takes effect whole or not at all, and a legal
// answer is never refused.
func TestWholeOrNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dice := rulestest.NewDice(rapid.Uint64().Draw(rt, "seed"))
		pos, err := game.Begin(rules.Setup{Seats: 3})
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := pos.Resume(dice, nil); err != nil {
			rt.Fatal(err)
		}
		for owed := pos.OpenDecisions(nil); len(owed) > 0; owed = pos.OpenDecisions(nil) {
			d := owed[dice.Intn(len(owed))]
			atoms := rulestest.Pick(pos, d, dice.Intn)
			before := state(t, pos)
			bad := append([]rules.Atom(nil), atoms...)
			i := rapid.IntRange(0, len(bad)-1).Draw(rt, "spoilt")
			bad[i] ^= 1 << rapid.IntRange(0, 31).Draw(rt, "bit")
			if _, err := gate.Execute(pos, d.Seat, rules.Answer{Atoms: bad}, dice); err != nil && !errors.Is(err, gate.ErrRefused) {
				rt.Fatal(err)
			}
			if !bytes.Equal(state(t, pos), before) {
				rt.Fatal("the position handed in has changed")
			}
			r, err := gate.Execute(pos, d.Seat, rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}}, dice)
			if err != nil {
				rt.Fatalf("%s: %v", game.FormatOrder(atoms), err)
			}
			if r.Decision.ID != d.ID {
				rt.Fatalf("decision %d answered instead of %d", r.Decision.ID, d.ID)
			}
			for _, o := range r.Position.OpenDecisions(nil) {
				if o.Midway {
					rt.Fatalf("midway after %s", game.FormatOrder(atoms))
				}
			}
			pos = r.Position
		}
	})
}
