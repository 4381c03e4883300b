package adjudicator

import (
	"context"
	"errors"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// almost says why the rules do not allow what lines seem to mean that came to nothing. It is
// empty where that is no order, several, or one that something in them speaks against.
func (j *adjudication) almost(ctx context.Context, lines []string) (string, error) {
	g, err := j.allowing(ctx, lines)
	if err != nil {
		return "", err
	}
	return j.hindered(ctx, g)
}

// hindered is almost for what lines mean.
func (j *adjudication) hindered(ctx context.Context, g order.Interpretation) (string, error) {
	if len(g.Orders) != 1 || len(g.Unread) > 0 || g.Surplus {
		return "", nil
	}
	return j.seemsRefused(ctx, order.Write(g.Orders[0]), g.Orders[0])
}

// allowing is what lines mean if answers that the rules refuse, or that say too little, were legal.
func (j *adjudication) allowing(ctx context.Context, lines []string) (g order.Interpretation, err error) {
	try, err := j.try(ctx)
	if err != nil || try == nil {
		return g, err
	}
	q, err := j.toAnswer(ctx)
	if err != nil || q == nil {
		return g, err
	}
	mine := j.turn.Owed(j.play.Seat)
	q.Try = func(o rules.Order) *order.Trial {
		if t := try(o); t != nil {
			return t
		}
		return j.refusedTrial(o, mine)
	}
	j.reader.Orders.Widen(q, lines)
	return j.reader.Orders.Interpret(lines, q), nil
}

// cardPlayed says of a line that names a card, and goes on as an order does, what is in the way of
// that order, or how it is written; it is empty where the line is none.
func (j *adjudication) cardPlayed(ctx context.Context, l letter.Line) (string, error) {
	g, err := j.allowing(ctx, []string{l.Text})
	if err != nil {
		return "", err
	}
	if text, err := j.hindered(ctx, g); err != nil || text != "" {
		return text, err
	}
	if len(g.Orders) != 1 {
		// It may be an order that is not asked for.
		_, rest, _ := strings.Cut(strings.TrimSpace(l.Text), " ")
		o, err := j.reader.Orders.Order(rest)
		if err != nil {
			return "", nil
		}
		return j.seemsRefused(ctx, rest, o)
	}
	row := j.wouldDo(order.Write(g.Orders[0]))
	if row == "" {
		return "", nil
	}
	return "It begins as a question about a card. If you mean " + row + ", write just that on a line of its own.", nil
}

// seemsRefused says of an order, as it is written, why it would not be done; it is empty where it would be. What it
// says is no order to be written, and does not begin as one that is named for that.
func (j *adjudication) seemsRefused(ctx context.Context, text string, o rules.Order) (string, error) {
	why, err := j.wouldRefuse(ctx, letter.Line{Kind: letter.GameOrder, Text: text, Order: o})
	if err != nil || why == "" {
		return "", err
	}
	return "Your letter seems to say " + order.Write(o) + ", which is refused: " + why, nil
}

// refusedTrial is what an order comes to that answers what is asked, and that the rules refuse for
// what it says, or for what it does not say yet.
func (j *adjudication) refusedTrial(o rules.Order, mine []rules.Decision) *order.Trial {
	given, err := j.turn.Game.Answers(o, mine)
	if err != nil {
		return nil
	}
	_, err = gate.Check(j.turn.After, j.play.Seat, given[0])
	var illegal *gate.Illegal
	var short *gate.Short
	if !errors.As(err, &illegal) && !errors.As(err, &short) {
		return nil
	}
	return &order.Trial{Answer: j.turn.Game.Line(given[0].Atoms), Whole: len(given) == 1}
}
