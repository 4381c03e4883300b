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

// loadKnownEntries returns the entries that the writer may know: an observer knows an entry only after the agreed delay.
func loadKnownEntries(ctx context.Context, run *letterRun) ([]record.Entry, error) {
	entries, err := run.execution.LoadHistory(ctx)
	if run.execution.Seat == rules.NoSeat && err == nil {
		entries = entries[:countKnownEntries(run, entries)]
	}
	return entries, err
}

// loadHistory returns the history that the writer may know. It replays the match, so the run caches the result.
func (run *letterRun) loadHistory(ctx context.Context) (*compose.History, error) {
	if run.history != nil {
		return run.history, nil
	}
	entries, err := loadKnownEntries(ctx, run)
	if err != nil {
		return nil, err
	}
	var letters []exchange.SentLetter
	if run.execution.Seat != rules.NoSeat {
		if letters, err = run.adjudicator.Store.Letters(ctx, run.turn.Match.ID, run.execution.Seat); err != nil {
			return nil, err
		}
	}
	if run.history, err = compose.ReadHistory(run.turn, run.execution.Seat, entries, letters); err != nil {
		return nil, fmt.Errorf("load the history of match %s: %w", run.turn.Match.ID, err)
	}
	return run.history, nil
}

// dropCopiedLines removes lines that the mail program copied from our letter without a quote prefix.
func dropCopiedLines(ctx context.Context, run *letterRun) error {
	if run.turn.After == nil || run.letter.IsTooLong() {
		return nil
	}
	copies := letter.NewCopyFinder(run.letter.Text, run.letter.BelowQuotes, run.reader.Orders.IsOrder)
	if copies == nil {
		return nil
	}
	ourShingles := letter.Shingles{}
	ourShingles.Add(compose.WriteLetter(run.turn, run.execution.Seat, compose.Options{Extent: compose.ExtentFull}).Text())
	if !copies.MayContain(ourShingles) {
		return nil
	}
	history, err := run.loadHistory(ctx)
	if err != nil {
		return err
	}
	if answeredHistory := history.UpTo(run.answeredLetter); answeredHistory != nil {
		answeredTurn := answeredHistory.TurnAsOf(run.answeredLetter)
		answeredLetter := compose.WriteLetter(&answeredTurn, run.execution.Seat, compose.Options{Extent: compose.ExtentFull})
		answeredLetter.Number = run.letter.Token.Number
		ourShingles.Add(answeredLetter.Text())
	}
	text, orders := copies.Remove(ourShingles)
	if run.letter.Text = text; len(orders) > 0 {
		run.answer.Problems = append(run.answer.Problems, fmt.Sprintf("These lines are inside a copy of our letter, so we "+
			"ignored them: %s. If one of them is your order, please send it again in a new letter without the "+
			"copy.", strings.Join(orders, " | ")))
	}
	return nil
}
