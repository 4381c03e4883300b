package ahead_test

import (
	"fmt"
	"testing"

	"samizdat/adjudicator/match/ahead"
	"samizdat/internal/test/long"
	"samizdat/rules"
)

// TestFiringSeesItsView: which line fires, what it answers and what is dropped is the
// same in every position that its owner cannot tell from the real one.
func TestFiringSeesItsView(t *testing.T) {
	t.Parallel()
	told := func(pos rules.Position, lines []ahead.Line, seat rules.Seat) string {
		// The owner is told of what he keeps alone.
		lines, late := reader.Review(pos, nil, lines)
		fired, remaining, dropped := reader.Fire(pos, lines)
		text := fmt.Sprint(late, dropped, len(remaining))
		if fired != nil {
			text += fmt.Sprint(fired.Line.Text, fired.Answer.Atoms, fired.LaterAnswers)
		}
		return text
	}
	asked := 0
	for seed := range uint64(long.N(3, 5)) {
		x := newTable(t, seed)
		before := [2]rules.Position{x.pos, x.pos}
		for d := x.owed(); d.Seat != rules.NoSeat && asked < 4000; d = x.owed() {
			atoms := x.robot()
			if asked++; asked%4 == 0 {
				written := []string{"ANSWER 46 TAKE 84, 33, 22", "NEXT IF HOLD 39 AND NOT HAPPENED 35: PLAY 39 EVENT ELSE ASK", "ANSWER LOSS REMOVE Lodz 9",
					"DEFEND March-3, Tactic Fails, Rally, CONCEDE", "ATTACK Rally, Scare Tactics, March-6"}
				if d.Source != "" && d.Kind != "setup" {
					written = append(written, "ANSWER "+d.Source+" "+game.FormatOrder(atoms))
				} else if d.Kind == "round" {
					written = append(written, "NEXT "+game.FormatOrder(atoms))
				}
				lines := []ahead.Line{}
				for _, text := range written {
					if l, err := reader.Parse(text); err == nil {
						reader.Bind(l, before[d.Seat], d.Seat)
						lines = append(lines, *l)
					}
				}
				want := told(x.pos, lines, d.Seat)
				for i, w := range game.Imagine(x.pos.View(d.Seat)) {
					if got := told(w, lines, d.Seat); got != want {
						t.Fatalf("seed %d, %s %s, world %d: %s, not %s", seed, d.Kind, d.Source, i, got, want)
					}
				}
			}
			before[d.Seat] = x.pos
			x.give(atoms)
		}
	}
	t.Log(asked, "questions")
}
