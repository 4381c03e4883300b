package ahead_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/order"
	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

var (
	game   = dawn1989.Game()
	orders = order.New(game)
	reader = ahead.New(game, orders)
)

// dice are chance from a seed.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1989))} }

func (d dice) Roll(rules.Reason) (int, error) { return 1 + d.IntN(6), nil }
func (d dice) Draw(w rules.Draw) (int, error) { return d.IntN(len(w.Pile)), nil }

// table is a match played by the sensible robot.
type table struct {
	t      testing.TB
	pos    rules.Position
	chance rules.Chance
	robots [2]rules.Robot
	events []rules.Event
}

func newTable(t testing.TB, seed uint64) *table {
	t.Helper()
	pos, err := game.Begin(rules.Setup{Seats: 2, Revision: game.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	x := &table{t: t, pos: pos, chance: newDice(seed)}
	for i := range x.robots {
		if x.robots[i], err = game.Robot("sensible", 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := pos.Resume(x.chance, nil); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *table) owed() rules.Decision {
	if owed := x.pos.OpenDecisions(nil); len(owed) > 0 {
		return owed[0]
	}
	return rules.Decision{Seat: rules.NoSeat}
}

// robot is the whole answer of the robot to what is asked.
func (x *table) robot() []rules.Atom {
	work, d := x.pos.Clone(), x.owed()
	var atoms []rules.Atom
	for {
		a := x.robots[d.Seat].Choose(func() rules.View { return work.View(d.Seat) }, d, work.Options(nil, d.ID))
		atoms = append(atoms, a)
		if _, err := work.Apply(d.ID, a, gate.NoChance{}, nil); err != nil && !work.Stalled() {
			x.t.Fatal(err)
		}
		owed := work.OpenDecisions(nil)
		if len(owed) == 0 || !owed[0].Midway || owed[0].Seat != d.Seat {
			return atoms
		}
		d = owed[0]
	}
}

// give answers what is asked.
func (x *table) give(atoms []rules.Atom) {
	x.t.Helper()
	r, err := gate.Execute(x.pos, x.owed().Seat, rules.Answer{Atoms: atoms}, x.chance)
	if err != nil {
		x.t.Fatalf("%s: %v", game.FormatOrder(atoms), err)
	}
	x.pos, x.events = r.Position, r.Events
}

// until plays with the robot until a question of the kind is asked.
func (x *table) until(want func(d rules.Decision) bool) bool {
	for d := x.owed(); d.Seat != rules.NoSeat; d = x.owed() {
		if want(d) {
			return true
		}
		x.give(x.robot())
	}
	return false
}

// read reads and arms a line.
func read(t testing.TB, pos rules.Position, seat rules.Seat, text string) ahead.Line {
	t.Helper()
	l, err := reader.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	reader.Bind(l, pos, seat)
	return *l
}

func state(t testing.TB, pos rules.Position) []byte {
	t.Helper()
	data, err := pos.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestStruggleByPlans: a power struggle that is fought by two plans ends as the
// same choices card by card, with the same chance, in the same position and by the
// same orders.
func TestStruggleByPlans(t *testing.T) {
	t.Parallel()
	fought, cards := 0, 0
	for seed := range uint64(long.N(3, 12)) {
		x := newTable(t, seed)
		for x.until(func(d rules.Decision) bool { return d.Kind == "attack" }) {
			begin, play := x.pos, x.owed().Play
			inStruggle := func(d rules.Decision) bool { return d.Source == "STRUGGLE" && d.Play == play }
			x.chance = newDice(seed + 1000)
			var history []string
			lists := [2]map[string][]string{{}, {}}
			for inStruggle(x.owed()) {
				atoms, seat := x.robot(), x.owed().Seat
				line := game.FormatOrder(atoms)
				history = append(history, fmt.Sprint(seat, " ", line))
				verb, what, ok := strings.Cut(line, " ")
				if !ok {
					verb, what = "DEFEND", line // CONCEDE
				}
				lists[seat][verb] = append(lists[seat][verb], what)
				x.give(atoms)
				cards++
			}
			end := state(t, x.pos)

			y := &table{t: t, pos: begin, chance: newDice(seed + 1000)}
			var lines []ahead.Line
			for seat, verbs := range lists {
				for _, verb := range []string{"ATTACK", "DEFEND"} {
					if list := verbs[verb]; len(list) > 0 {
						lines = append(lines, read(t, begin, rules.Seat(seat), verb+" "+strings.Join(list, ", ")))
					}
				}
			}
			var again []string
			for {
				fired, remaining, dropped := reader.Fire(y.pos, lines)
				if len(dropped) > 0 {
					t.Fatalf("seed %d: dropped %+v", seed, dropped)
				}
				if fired == nil {
					break
				}
				again = append(again, fmt.Sprint(fired.Decision.Seat, " ", game.FormatOrder(fired.Answer.Atoms)))
				y.give(fired.Answer.Atoms)
				lines = remaining
			}
			if d := cmp.Diff(history, again); d != "" {
				t.Fatalf("seed %d: by hand - by plans +\n%s", seed, d)
			}
			if got := state(t, y.pos); !bytes.Equal(got, end) {
				t.Fatalf("seed %d: the plans end elsewhere:\n%s", seed, cmp.Diff(string(end), string(got)))
			}
			if left, _ := reader.Review(y.pos, nil, lines); slices.ContainsFunc(left, func(l ahead.Line) bool { return l.Play != 0 }) && !inStruggle(y.owed()) {
				t.Errorf("seed %d: plans outlive their struggle: %+v", seed, left)
			}
			fought++
		}
	}
	if fought < 10 || cards < 3*fought {
		t.Errorf("only %d power struggles with %d cards", fought, cards)
	}
}
