package adjudicator

import (
	"context"
	"errors"

	"samizdat/adjudicator/command"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// almost says why the rules do not allow what lines seem to mean that came to nothing: they are
// read once more, as if answers that the rules refuse, or that say too little, were legal. It is
// empty where that leads to no order, to several, or to one that something in them speaks against.
func (j *adjudication) almost(ctx context.Context, lines []string) (string, error) {
	try, err := j.try(ctx)
	if err != nil || try == nil {
		return "", err
	}
	q, err := j.toAnswer(ctx)
	if err != nil || q == nil {
		return "", err
	}
	mine := j.owed(j.seat)
	q.Try = func(o rules.Order) *order.Trial {
		if t := try(o); t != nil {
			return t
		}
		return j.refusedTrial(o, mine)
	}
	j.reader.Orders.Widen(q, lines)
	g := j.reader.Orders.Gist(lines, q)
	if len(g.Orders) != 1 || len(g.Doubts) > 0 || g.Surplus {
		return "", nil
	}
	o := g.Orders[0]
	why, err := j.wouldRefuse(ctx, command.Line{Kind: command.GameOrder, Text: order.Write(o), Order: o})
	if err != nil || why == "" {
		return "", err
	}
	return seemsRefused(o, why), nil
}

// seemsRefused names what a letter seems to say and why it would not be done. It is no order to
// be written, and does not begin as one that is named for that.
func seemsRefused(o rules.Order, why string) string {
	return "Your letter seems to say " + order.Write(o) + ", which is refused: " + why
}

// refusedTrial is what an order comes to that answers what is asked, and that the rules refuse for
// what it says, or for what it does not say yet.
func (j *adjudication) refusedTrial(o rules.Order, mine []rules.Decision) *order.Trial {
	given, err := j.game.Answers(o, mine)
	if err != nil {
		return nil
	}
	_, err = gate.Check(j.pos, j.seat, given[0])
	var illegal *gate.Illegal
	var short *gate.Short
	if !errors.As(err, &illegal) && !errors.As(err, &short) {
		return nil
	}
	return &order.Trial{Answer: j.game.Line(given[0].Atoms), Whole: len(given) == 1}
}
