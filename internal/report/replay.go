package report

import (
	"errors"
	"fmt"
	"io"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Replay plays a record again, and returns false if it differs from what it expects.
// The last position is written if state is wanted, that after each entry if every is, as
// one line of JSON each.
func Replay(out io.Writer, games rules.Games, rec *record.Record, state, every bool) (same bool, err error) {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return false, err
	}
	final, err := record.Replay(rec, g, func(v record.Visit) error {
		if every {
			return writePosition(out, v.Position)
		}
		return nil
	})
	if final.Position != nil && state && !every {
		if err := writePosition(out, final.Position); err != nil {
			return false, err
		}
	}
	var diffs record.Differences
	if errors.As(err, &diffs) {
		fmt.Fprintln(out, diffs)
	}
	var failure *record.Failure
	switch {
	case errors.As(err, &failure):
		return false, failure
	case len(diffs) > 0:
		return false, nil
	case err != nil:
		return false, err
	}
	if state || every {
		out = io.Discard // It has positions, and nothing else.
	}
	fmt.Fprintf(out, "%d entries played again, no difference\n", final.Entries)
	_, err = epochs(out, rec)
	return err == nil, err
}

func writePosition(out io.Writer, p rules.Position) error {
	data, err := p.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", data)
	return err
}
