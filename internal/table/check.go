package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"samizdat/rules"
)

// Check says what the orders of a seat mean and what they would do; without a name
// they are of the position's reader, or of whoever is to move. It returns false when a
// line is not good.
func (t *Trial) Check(ctx context.Context, out io.Writer, name, orders string) (good bool, err error) {
	if name == "" {
		name = t.reader
	}
	seat, err := t.seat(name)
	if err != nil {
		return false, err
	}
	name = t.store.match.Seats[seat].Name
	if t.reader != "" && name != t.reader {
		return false, fmt.Errorf("the position shows what the %s sees: only his orders can be tried in it", t.reader)
	}
	fmt.Fprintf(out, "Orders of the %s\n\n", name)
	d, err := t.write(ctx, seat, "PREVIEW\n"+orders)
	if err != nil {
		return false, err
	}
	parts := letterParts(d.Body)
	// The first line only says that this is a preview.
	_, outcome, _ := strings.Cut(joinLines(only(parts, partOrders)), "\n- ")
	if outcome == "" {
		return false, errors.New("there were no orders on the standard input")
	}
	fmt.Fprintf(out, "- %s\n", outcome)
	answers, err := t.answers(seat, parts, outcome)
	if err != nil {
		return false, err
	}
	if text := joinParts(answers); text != "" {
		fmt.Fprintf(out, "\n%s\n", text)
	}
	return !strings.Contains(outcome, ": refused") && !strings.Contains(outcome, "It would be refused."), nil
}

// answers are the parts of a letter that answer questions: what does not stand in
// every letter, and of that what was asked for.
func (t *Trial) answers(seat rules.Seat, parts []letterPart, outcome string) ([]letterPart, error) {
	pos, err := t.position()
	if err != nil {
		return nil, err
	}
	view := pos.View(seat)
	leave := []string{"", partOrders, partHappened, partDecision}
	informer, informs := t.game.(rules.Informer)
	for _, s := range t.game.Sections(view) {
		asked := informs && slices.ContainsFunc([]rules.Query{rules.QueryHand, rules.QueryMap}, func(q rules.Query) bool {
			answer := informer.Inform(view, q)
			return strings.Contains("\n- "+strings.ToUpper(outcome), "\n- "+string(q)+": ") && len(answer) > 0 && answer[0].Title == s.Title
		})
		if !asked {
			leave = append(leave, strings.ToUpper(s.Title))
		}
	}
	return without(parts, leave...), nil
}
