package adjudicator

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

func entriesToTell(ctx context.Context, j *letterRun) ([]record.Entry, error) {
	entries, err := j.play.LoadHistory(ctx)
	if j.play.Seat == rules.NoSeat && err == nil {
		entries = entries[:knownEntries(j, entries)]
	}
	return entries, err
}

// loadHistory returns the history that the writer may know. It needs a replay of the match, so the result is
// cached for the letter.
func (j *letterRun) loadHistory(ctx context.Context) (*compose.History, error) {
	if j.history != nil {
		return j.history, nil
	}
	entries, err := entriesToTell(ctx, j)
	if err != nil {
		return nil, err
	}
	var letters []exchange.Sent
	if j.play.Seat != rules.NoSeat {
		if letters, err = j.a.Store.Letters(ctx, j.turn.Match.ID, j.play.Seat); err != nil {
			return nil, err
		}
	}
	if j.history, err = compose.ReadHistory(j.turn, j.play.Seat, entries, letters); err != nil {
		return nil, fmt.Errorf("tell the history of %s: %w", j.turn.Match.ID, err)
	}
	return j.history, nil
}

// dropCopied removes lines that the mail program copied from our letter. If the letter has no other order, the
// answer names the orders in the copy.
func dropCopied(ctx context.Context, j *letterRun) error {
	if j.turn.After == nil || j.letter.TooLong() {
		return nil
	}
	copies := letter.FindCopies(j.letter.Orders, j.letter.Below, j.reader.Orders.IsOrder)
	if copies == nil {
		return nil
	}
	sent := letter.Sequences{}
	sent.Add(compose.Letter(j.turn, j.play.Seat, compose.Options{Extent: compose.Whole}).Text())
	if !copies.MayHold(sent) {
		return nil
	}
	h, err := j.loadHistory(ctx)
	if err != nil {
		return err
	}
	if until := h.UpTo(j.answered); until != nil {
		then := until.TurnAsOf(j.answered)
		l := compose.Letter(&then, j.play.Seat, compose.Options{Extent: compose.Whole})
		l.Number = j.letter.Token.Number
		sent.Add(l.Text())
	}
	text, orders := copies.Remove(sent)
	if j.letter.Orders = text; len(orders) > 0 {
		j.answer.Problems = append(j.answer.Problems, fmt.Sprintf("These lines stand in a copy of our letter, and were left out: %s. If "+
			"one of them is your order, please send it again in a new letter without the copy.", strings.Join(orders, " | ")))
	}
	return nil
}
