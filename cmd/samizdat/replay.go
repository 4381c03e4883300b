package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/record"
	"samizdat/rules"
)

func replayCommand() *cobra.Command {
	var state, every bool
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Play a record again, and compare it with what it expects",
		Long: "Play a record again with the outcomes that it holds, and stop at the first entry\n" +
			"that is illegal or does not match. Expectations in the record are compared, and\n" +
			"every difference is printed with its line. \"-\" reads the standard input.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			return replay(cmd.OutOrStdout(), rec, state, every)
		},
	}
	cmd.Flags().BoolVar(&state, "state", false, "print the position after the last entry, as JSON")
	cmd.Flags().BoolVar(&every, "every", false, "print the position after each entry, a line each")
	return cmd
}

// readRecord reads a record from a file, or from the standard input.
func readRecord(cmd *cobra.Command, path string) (*record.Record, error) {
	if path != "-" {
		return record.ReadFile(path)
	}
	rec, err := record.Read(cmd.InOrStdin())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rec, nil
}

// replay plays a record again. Positions are written as one line of JSON each.
func replay(out io.Writer, rec *record.Record, state, every bool) error {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return err
	}
	final, err := record.Replay(rec, g, func(v record.Visit) error {
		if every {
			return writePosition(out, v.Position)
		}
		return nil
	})
	if final.Position != nil && state && !every {
		if err := writePosition(out, final.Position); err != nil {
			return err
		}
	}
	var diffs record.Differences
	if errors.As(err, &diffs) {
		fmt.Fprintln(out, diffs)
	}
	var failure *record.Failure
	switch {
	case errors.As(err, &failure):
		return failure
	case len(diffs) > 0:
		return errDiffers
	case err != nil:
		return err
	}
	if !state && !every {
		fmt.Fprintf(out, "%d entries played again, no difference\n", final.Entries)
	}
	return nil
}

func writePosition(out io.Writer, p rules.Position) error {
	data, err := p.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", data)
	return err
}
