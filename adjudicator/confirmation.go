package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/compose"
	"samizdat/rules"
)

// A letter that asks its reader nothing is a confirmation: what was done with his orders,
// what happened, and for whom the match waits. Whatever it tells of the match, the next
// letter that asks him tells as well, so that nothing is lost with it: each of those tells
// all that has happened since the one before.

// mostConfirmation is how many bytes a confirmation has at most beside what the servers on
// its way add, and what other players have written.
const mostConfirmation = 4800

// mostSlip is how many bytes the text has at most that answers a letter of which nothing was carried out.
const mostSlip = 2 << 10

// catchUp finds what the letters that ask are to tell beside what the letter in hand has led to.
// No prose is stored, and no event twice: what is not remembered is played again.
func catchUp(ctx context.Context, j *adjudication) error {
	began := j.turn.Match.Entries - len(j.turn.Entries)
	behind, first := rules.Seats(0), began
	for i := range j.turn.Match.Seats {
		if told := j.turn.Match.Seats[i].Told; told > 0 && told < began && j.answer.ExtentFor(j.turn, rules.Seat(i)) == compose.Whole && !j.a.AtTable {
			behind, first = behind|rules.Only(rules.Seat(i)), min(first, told)
		}
	}
	if behind == 0 {
		h, _ := j.a.recent.Known(j.turn, began)
		j.a.recent.Remember(j.play, h)
		return nil
	}
	h, err := j.a.recent.Since(ctx, j.play, first)
	if err != nil {
		return fmt.Errorf("tell what has happened in %s: %w", j.turn.Match.ID, err)
	}
	j.turn.Untold = compose.Untold(j.turn, behind, h.Entries, h.Events)
	j.a.recent.Remember(j.play, h)
	return nil
}
