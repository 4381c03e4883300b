package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/report"
)

func replayCommand() *cobra.Command {
	var state, every bool
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Play a record again, and compare it with what it expects",
		Long: "Play a record again with the outcomes that it holds, and stop at the first entry\n" +
			"that is illegal or does not match. Expectations in the record are compared, and\n" +
			"every difference is printed with its line. \"-\" reads the standard input.",
		Args: arguments("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			same, err := report.Replay(cmd.OutOrStdout(), games, rec, state, every)
			return orDiffers(same, err)
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
	rec, err := record.Read(input(cmd, "A record is read from the terminal."))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rec, nil
}
