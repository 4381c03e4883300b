package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// playsNoMore answers whoever has resigned while the match goes on.
const playsNoMore = "You play no more in this match, and have no say in it."

// ending says what an order means that ends the match for its writer; empty of any other, and
// of one that names another match.
func (j *adjudication) ending(ctx context.Context, l letter.Line) (means string, err error) {
	switch named := l.Command.Text; {
	case named != "" && named != j.turn.Match.ID:
	case l.Is(letter.Resign):
		means = j.resigning()
	case l.Is(letter.Abort) && l.Command.Choice == "":
		alone, err := j.play.IsFresh(ctx)
		if !alone || err != nil {
			return "", err
		}
		means = j.aborting()
	}
	return means, nil
}

// resigning says what resigning means to its writer before he does it.
func (j *adjudication) resigning() string {
	means := "You would give up match " + j.turn.Match.ID
	end := record.Resigned(j.turn.Game, j.turn.After, j.turn.Match.Acts.Resigned|rules.Only(j.play.Seat), j.play.Words.Seats)
	switch {
	case end == nil:
		return means + ", which goes on without you: whatever your seat is asked, the rule for silence answers it, and you cannot win any more. That cannot be undone."
	case end.Draw:
		return means + ", and it ends as a draw. That cannot be undone."
	case len(end.Winners) == 0:
		return means + ", and nobody wins it. That cannot be undone."
	}
	names, win := j.turn.Roles(j.turn.Match.SeatsOf(end.Winners)), "win"
	if len(names) == 1 {
		win = "wins"
	}
	return fmt.Sprintf("%s, and %s %s it. That cannot be undone.", means, match.List(names), win)
}
