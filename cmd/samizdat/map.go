package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/daemon"
	"samizdat/internal/report"
)

func mapCommand() *cobra.Command {
	plan := report.Map{}
	cmd := &cobra.Command{
		Use:   "map RECORD [-o FILE]",
		Short: "Draw the map of a record or of a match",
		Long: "Play a record and draw the map at its end, or after an entry. The name of the file\n" +
			"says how: .svg, .png, or .txt for a map in letters (also for \"-\", the standard\n" +
			"output). The map shows what spectators may see, or the seat of --seat. What the last\n" +
			"entry changed is marked, or what all entries after --since did. RECORD is a file, or\n" +
			"the identifier of a match in the database.",
		Args: arguments("RECORD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := recordOf(cmd, args[0])
			if err != nil {
				return err
			}
			return plan.Write(cmd.OutOrStdout(), games, rec)
		},
	}
	cmd.Flags().StringVarP(&plan.Path, "output", "o", "-", "file to write: .txt, .svg or .png")
	cmd.Flags().StringVar(&plan.Seat, "seat", "", "whose eyes to draw for (without it those of spectators)")
	cmd.Flags().IntVar(&plan.Entry, "entry", -1, "number of the last entry to play (without it all)")
	cmd.Flags().IntVar(&plan.Since, "since", -1, "mark what entries after this one changed")
	cmd.Flags().Float64Var(&plan.Scale, "scale", 1, "size of a PNG: 1 is 1000 pixels wide for 1989")
	return cmd
}

// recordOf reads a record from a file; where there is none of that name, from
// the database.
func recordOf(cmd *cobra.Command, name string) (*record.Record, error) {
	rec, err := readRecord(cmd, name)
	if !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(name, `./\`) {
		return rec, err
	}
	err = withDatabase(cmd, func(d *daemon.Daemon) (err error) {
		// A position needs the hidden fields; the map shows none of them.
		rec, err = d.Adjudicator.Export(cmd.Context(), name, true)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s is no file, and no match: %w", name, err)
	}
	return rec, nil
}
