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

// entriesToTell returns the history as far as the reader may know it: an observer knows it only after the agreed delay.
func entriesToTell(ctx context.Context, run *letterRun) ([]record.Entry, error) {
	entries, err := run.play.LoadHistory(ctx)
	if run.play.Seat == rules.NoSeat && err == nil {
		entries = entries[:countKnownEntries(run, entries)]
	}
	return entries, err
}

// loadHistory returns the history that the writer may know. It needs a replay of the match, so the result is
// cached for the letter.
func (run *letterRun) loadHistory(ctx context.Context) (*compose.History, error) {
	if run.history != nil {
		return run.history, nil
	}
	entries, err := entriesToTell(ctx, run)
	if err != nil {
		return nil, err
	}
	var letters []exchange.Sent
	if run.play.Seat != rules.NoSeat {
		if letters, err = run.adjudicator.Store.Letters(ctx, run.turn.Match.ID, run.play.Seat); err != nil {
			return nil, err
		}
	}
	if run.history, err = compose.ReadHistory(run.turn, run.play.Seat, entries, letters); err != nil {
		return nil, fmt.Errorf("tell the history of %s: %w", run.turn.Match.ID, err)
	}
	return run.history, nil
}

// dropCopied removes lines that the mail program copied from our letter. If the letter has no other order, the
// answer names the orders in the copy.
func dropCopied(ctx context.Context, run *letterRun) error {
	if run.turn.After == nil || run.letter.TooLong() {
		return nil
	}
	copies := letter.NewCopyFinder(run.letter.Orders, run.letter.BelowQuotes, run.reader.Orders.IsOrder)
	if copies == nil {
		return nil
	}
	sent := letter.Shingles{}
	sent.Add(compose.WriteLetter(run.turn, run.play.Seat, compose.Options{Extent: compose.Whole}).Text())
	if !copies.MayContain(sent) {
		return nil
	}
	h, err := run.loadHistory(ctx)
	if err != nil {
		return err
	}
	if until := h.UpTo(run.answered); until != nil {
		past := until.TurnAsOf(run.answered)
		l := compose.WriteLetter(&past, run.play.Seat, compose.Options{Extent: compose.Whole})
		l.Number = run.letter.Token.Number
		sent.Add(l.Text())
	}
	text, orders := copies.Remove(sent)
	if run.letter.Orders = text; len(orders) > 0 {
		run.answer.Problems = append(run.answer.Problems, fmt.Sprintf("These lines are inside a copy of our letter, so we "+
			"ignored them: %s. If one of them is your order, please send it again in a new letter without the "+
			"copy.", strings.Join(orders, " | ")))
	}
	return nil
}
