package ahead_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// toStruggle plays on to the first attack of a power struggle, or fails.
func toStruggle(t *testing.T, seed uint64) *table {
	t.Helper()
	x := newTable(t, seed)
	if !x.until(func(d rules.Decision) bool { return d.Kind == "attack" }) {
		t.Fatal("no power struggle: take another seed")
	}
	return x
}

// TestPlanOfOneStruggle: plans that were written before a power struggle end with it,
// even if nothing of them was asked for.
func TestPlanOfOneStruggle(t *testing.T) {
	t.Parallel()
	var x *table
	var before rules.Position
	for seed := uint64(0); ; seed++ {
		x = newTable(t, seed)
		if !x.until(func(d rules.Decision) bool { return d.Kind == "round" }) {
			t.Fatal("no round")
		}
		before = x.pos
		if x.until(func(d rules.Decision) bool { return d.Kind == "attack" }) && reader.Period(x.pos) == reader.Period(before) {
			break
		}
	}
	seat := 1 - x.owed().Seat // He defends, and has a plan for an attack only.
	lines := []ahead.Line{read(t, before, seat, "ATTACK March-6"), read(t, before, seat, "ATTACK Rally ALWAYS"),
		read(t, before, 1-seat, "ANSWER STRUGGLE CONCEDE")}
	play := x.owed().Play
	lines, _ = reader.Review(x.pos, nil, lines)
	if len(lines) != 3 {
		t.Fatalf("kept %+v", lines)
	}
	if fired, _, _ := reader.Fire(x.pos, lines); fired != nil {
		t.Fatalf("%s is fired", fired.Line.Text)
	}
	for x.owed().Play == play {
		x.give(x.robot())
	}
	if lines, _ = reader.Review(x.pos, nil, lines); len(lines) != 1 || !lines[0].Always {
		t.Errorf("after the power struggle: %+v", lines)
	}
}

// TestBranchesAreApart: what is used of one list of a line is not gone from the other.
func TestBranchesAreApart(t *testing.T) {
	t.Parallel()
	x := toStruggle(t, 3)
	seat := x.owed().Seat
	options := []string{}
	for _, a := range x.pos.Options(nil, x.owed().ID) {
		options = append(options, game.FormatOrder([]rules.Atom{a})[len("ATTACK "):])
	}
	if len(options) < 3 {
		t.Fatal("too few cards: take another seed")
	}
	l := read(t, x.pos, seat, fmt.Sprintf("IF TURN 9: ATTACK %s, %s ELSE ATTACK %s", options[0], options[1], options[2]))
	l.Used, l.Play = []int{0, 1}, x.owed().Play
	fired, remaining, dropped := reader.Fire(x.pos, []ahead.Line{l})
	if fired == nil || game.FormatOrder(fired.Answer.Atoms) != "ATTACK "+options[2] {
		t.Fatalf("%+v, dropped %+v", fired, dropped)
	}
	if len(remaining) != 0 {
		t.Errorf("both lists are used up: %+v", remaining)
	}
}

// TestAskMeansAsk: where a line says ASK, no other line answers.
func TestAskMeansAsk(t *testing.T) {
	t.Parallel()
	x := toStruggle(t, 3)
	seat := x.owed().Seat
	attack := game.FormatOrder([]rules.Atom{x.pos.Options(nil, x.owed().ID)[0]})
	for text, want := range map[string]bool{
		"ANSWER STRUGGLE IF TURN 1 OR MORE: ASK ELSE " + attack: false,
		"ANSWER STRUGGLE IF TURN 9: " + attack:                  true,
		"ANSWER STRUGGLE IF TURN 9: " + attack + " ELSE ASK":    true,
	} {
		lines := []ahead.Line{read(t, x.pos, seat, text), read(t, x.pos, seat, attack)}
		fired, remaining, dropped := reader.Fire(x.pos, lines)
		if (fired != nil) != want || len(dropped) > 0 || !want && len(remaining) != 2 {
			t.Errorf("%s: %+v, kept %+v, dropped %+v", text, fired, remaining, dropped)
		}
	}
}

// TestBounded: however many lines both seats keep, a match goes on by them no further
// than to the end of the turn.
func TestBounded(t *testing.T) {
	t.Parallel()
	total := 0
	for seed := range uint64(8) {
		x := newTable(t, seed)
		if !x.until(func(d rules.Decision) bool { return d.Kind == "round" }) {
			t.Fatal("no round")
		}
		var lines []ahead.Line
		for seat := range rules.Seat(2) {
			for source, list := range everyOrder {
				for _, o := range list {
					lines = append(lines, read(t, x.pos, seat, "ANSWER "+source+" "+o+" ALWAYS ANYWAY"))
				}
			}
			slices.SortFunc(lines, func(a, b ahead.Line) int { return len(a.Text) - len(b.Text) })
			lines = append(lines, playsOfHand(t, x, seat)...)
		}
		turn, fired, byHand := reader.Period(x.pos), 0, 0
		for n := 0; byHand < 40 && x.owed().Seat != rules.NoSeat; n++ {
			if n > 1000 {
				t.Fatalf("seed %d: no end", seed)
			}
			lines, _ = reader.Review(x.pos, x.events, lines)
			f, remaining, dropped := reader.Fire(x.pos, lines)
			lines = remaining
			switch {
			case f != nil:
				fired++
				if reader.Period(x.pos) != turn && f.Line.Source == "" {
					t.Fatalf("%s fires in turn %d", f.Line.Text, reader.Period(x.pos))
				}
				x.give(f.Answer.Atoms)
			case len(dropped) == 0:
				byHand++
				x.give(x.robot())
			}
		}
		total += fired
	}
	if total < 8 {
		t.Errorf("only %d firings", total)
	}
}

// playsOfHand are plays of every card in a seat's hand, ahead.
func playsOfHand(t *testing.T, x *table, seat rules.Seat) (lines []ahead.Line) {
	t.Helper()
	data, err := json.Marshal(x.pos.View(seat))
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ Hands map[string][]int }
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	spaces := ""
	for _, n := range game.Names() {
		if n.Kind == "space" && len(spaces) < 900 {
			spaces += ", " + n.Text
		}
	}
	for side, hand := range v.Hands {
		for _, c := range hand {
			info := engine.Card(c).Info()
			switch owner := info.Side.String(); {
			case info.Scoring != engine.NoCountry:
				lines = append(lines, read(t, x.pos, seat, fmt.Sprintf("NEXT PLAY %d EVENT ANYWAY", c)))
			case owner == side || info.Side == engine.Neutral:
				lines = append(lines, read(t, x.pos, seat, fmt.Sprintf("NEXT PLAY %d OPS PLACE %s ANYWAY", c, spaces[2:])))
			}
		}
	}
	return lines
}
