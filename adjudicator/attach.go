package adjudicator

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// maxAttachment is the maximum size of an attached record in bytes, because mail servers refuse very large letters.
// The record of a match of ten turns has a tenth of this size.
const maxAttachment = 2 << 20

// attachRecord adds the record to the answer if the writer asks for it or the match has ended, unless the record would
// show hidden information (compose.RecordShowsHidden). The record stays compressed until the letter is sent.
func attachRecord(ctx context.Context, run *letterRun) error {
	if !run.answer.IsLastLetter(run.turn) && !run.answer.HasQuery(letter.Record) || compose.RecordShowsHidden(run.turn) {
		return nil
	}
	entries, err := run.execution.LoadHistory(ctx)
	if err != nil {
		return err
	}
	entries = slices.Concat(entries, run.turn.Entries)
	rec := exportedRecord(run.adjudicator, run.turn.Game, run.turn.Match, entries, false)
	var compressed bytes.Buffer
	compressor := gzip.NewWriter(&compressed)
	size := new(byteCounter)
	if err := rec.Write(io.MultiWriter(compressor, size)); err != nil {
		return err
	}
	if err := compressor.Close(); err != nil {
		return fmt.Errorf("compress the record: %w", err)
	}
	run.answer.Record = &compose.AttachedRecord{EntryCount: len(entries), Size: int(*size), IsComplete: rec.Header.Secret != "",
		Compressed: compressed.Bytes()}
	if run.answer.Record.Size > maxAttachment {
		run.answer.Record.Compressed = nil
	}
	return nil
}

type byteCounter int

func (c *byteCounter) Write(p []byte) (int, error) {
	*c += byteCounter(len(p))
	return len(p), nil
}

func attachFile(outgoing *exchange.OutgoingLetter, r *compose.AttachedRecord) {
	if r != nil {
		outgoing.FileName, outgoing.File = compose.RecordFileName(outgoing.Match), r.Compressed
	}
}

// Export returns the record of a match. Until the secret is published, the record contains only public fields; withHidden adds the hidden
// fields and the secret, for the operator. A match with recorded chance, e.g. an imported match, is always exported in full.
func (a *Adjudicator) Export(ctx context.Context, id string, withHidden bool) (*record.Record, error) {
	m, err := a.Store.Match(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", id, err)
	}
	g, err := findGame(a.Games, m.Game)
	if err != nil {
		return nil, err
	}
	entries, err := a.Store.History(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", id, err)
	}
	return exportedRecord(a, g, m, entries, withHidden || m.Recorded != nil), nil
}

// exportedRecord returns the full record if the secret is published or withHidden is set, and otherwise only the
// public fields.
func exportedRecord(a *Adjudicator, g *rules.Game, m *match.Match, entries []record.Entry, withHidden bool) *record.Record {
	rec := match.RecordOf(g, m, entries)
	if !m.IsPublished() && !withHidden {
		return rec.Public()
	}
	rec.Header.Secret = m.Secret.Hex()
	return rec
}

// publishSecret makes the provisional end of a match final, and publishes everything hidden.
func publishSecret(ctx context.Context, a *Adjudicator, m *match.Match) error {
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	ended := *m.Ended
	ended.Final = time.Time{}
	m.Ended, run.turn.HasPublished = &ended, true
	outcome := "The result"
	if ended.Act.Kind == record.Annul {
		outcome = "The end of the match"
	}
	run.turn.Remarks = append(run.turn.Remarks, outcome+" is final, and everything that was hidden is now published.")
	return run.store(ctx, rules.NoSeat)
}
