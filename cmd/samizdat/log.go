package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"samizdat/internal/history"
	"samizdat/internal/report"
)

func logCommand() *cobra.Command {
	var log history.Log
	var seat string
	cmd := &cobra.Command{
		Use:   "log MATCH|FILE",
		Short: "Write the history of a match as lines, for programs",
		Long: "Write the history of a match as lines: orders, dice, draws, and what letters told of\n" +
			"them. A line has six fields between tabs: entry, time, turn, seat, kind, text. The\n" +
			"kinds are order, die, draw, remark, told, alone (told to one seat alone) and curve\n" +
			"(a number of the game after the entry). With --json a line is an object. What is\n" +
			"shown to whom is as with history. A record with public fields only has no turns,\n" +
			"and of the kinds order, die, draw and remark.",
		Example: "  samizdat log match.jsonl --turn 3 | grep -P '\\tdie\\t'",
		Args:    arguments("MATCH or FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := recordOf(cmd, args[0])
			if err != nil {
				return err
			}
			s, err := report.History(games, rec, seat, time.Now())
			if errors.Is(err, report.ErrPublic) && seat == "" {
				s, err = report.Outline(games, rec)
			}
			if err != nil {
				return err
			}
			return log.Write(cmd.OutOrStdout(), s)
		},
	}
	cmd.Flags().IntVar(&log.Turn, "turn", 0, "write only this turn")
	cmd.Flags().BoolVar(&log.JSON, "json", false, "write lines of JSON")
	seatFlag(cmd, &seat)
	return cmd
}
