package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// playsNoMore answers whoever has resigned while the match goes on.
const playsNoMore = "You play no more in this match, and have no say in it."

// leave takes the player of a seat out of the match by an act: it ends as the game says, where
// late seats do not win, or goes on without him.
func (p *progress) leave(ctx context.Context, seat rules.Seat, act record.Act, letter string, late rules.Seats) error {
	gone := p.turn.m.Acts.Resigned | rules.Only(seat)
	if act.End = record.Resigned(p.turn.game, p.turn.pos, gone, p.words.Seats); act.End != nil {
		act.End.Winners = slices.DeleteFunc(act.End.Winners, func(w record.SeatName) bool { return late&p.turn.m.SeatsOf([]record.SeatName{w}) != 0 })
	} else {
		p.turn.m.Acts.Resigned = gone
		p.turn.dropKept(seat)
		p.turn.m.DropRequestsOf(seat)
	}
	if err := p.act(ctx, record.Entry{Seat: record.SeatName(p.turn.m.Seats[seat].Name), Letter: letter, Act: &act}); err != nil {
		return err
	}
	for _, r := range p.turn.m.Acts.Requests {
		if p.turn.m.State != Playing {
			break // One that all have agreed on has ended the match.
		}
		// He may have been the last whose consent it wanted.
		if _, err := p.agreed(ctx, r); err != nil {
			return err
		}
	}
	_, err := p.settle(ctx)
	return err
}

// ending says what an order means that ends the match for its writer; empty of any other, and
// of one that names another match.
func (j *adjudication) ending(ctx context.Context, l letter.Line) (means string, err error) {
	switch named := l.Command.Text; {
	case named != "" && named != j.turn.m.ID:
	case l.Is(letter.Resign):
		means = j.resigning()
	case l.Is(letter.Abort) && l.Command.Choice == "":
		alone, err := j.play.fresh(ctx)
		if !alone || err != nil {
			return "", err
		}
		means = j.aborting()
	}
	return means, nil
}

// resigning says what resigning means to its writer before he does it.
func (j *adjudication) resigning() string {
	means := "You would give up match " + j.turn.m.ID
	end := record.Resigned(j.turn.game, j.turn.pos, j.turn.m.Acts.Resigned|rules.Only(j.play.seat), j.play.words.Seats)
	switch {
	case end == nil:
		return means + ", which goes on without you: whatever your seat is asked, the rule for silence answers it, and you cannot win any more. That cannot be undone."
	case end.Draw:
		return means + ", and it ends as a draw. That cannot be undone."
	case len(end.Winners) == 0:
		return means + ", and nobody wins it. That cannot be undone."
	}
	names, win := j.turn.roles(j.turn.m.SeatsOf(end.Winners)), "win"
	if len(names) == 1 {
		win = "wins"
	}
	return fmt.Sprintf("%s, and %s %s it. That cannot be undone.", means, list(names), win)
}

// left reports whether the player of a seat has resigned while the match goes on: no letter
// comes to him but answers, until it ends.
func (c *account) left(seat rules.Seat) bool {
	return c.m.Acts.Resigned.Has(seat) && c.m.State == Playing
}

// dropKept drops what is kept for a seat that does not play any more.
func (c *account) dropKept(seat rules.Seat) {
	c.m.Held = slices.DeleteFunc(slices.Clone(c.m.Held), func(h Held) bool { return h.Seat == seat })
	t := &c.m.Seats[seat].Timing
	t.Waiting = nil
	t.EndDelay()
}

// answerResigned lets silence answer a question to a seat whose player has resigned.
func (p *progress) answerResigned(ctx context.Context) (settlement, error) {
	if p.turn.m.Acts.Resigned == 0 || p.turn.pos.Stalled() {
		return unsettled, nil
	}
	for _, d := range p.turn.m.Unanswered(p.turn.pos) {
		if !p.turn.m.Acts.Resigned.Has(d.Seat) {
			continue
		}
		before := p.turn.m.Entries
		err := p.silent(ctx, d)
		if errors.Is(err, gate.ErrWaits) {
			p.fault(d.Seat, true, err, "a seat has resigned, and the match waits for it")
			continue
		}
		if p.turn.m.Entries == before {
			return settled, err // It is sealed until all answers are in.
		}
		return p.settledFor(d.Seat), err
	}
	return unsettled, nil
}
