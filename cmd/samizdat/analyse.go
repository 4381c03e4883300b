package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/analysis"
)

func analyseCommand() *cobra.Command {
	var simulations int
	cmd := &cobra.Command{
		Use:   "analyse FILE",
		Short: "Find the costliest decisions of a finished match, and the decisive dice and draws",
		Long: "Judge a finished match of 1989 from its record. The output has a curve of the chances to\n" +
			"win, and the dice and draws that changed them most. For each player it has the three\n" +
			"decisions that cost most, judged by what the player could see, with the order that the\n" +
			"strongest robot would have given. More --simulations give a better judgement and take\n" +
			"longer: with 100, a match takes about half a minute. \"-\" reads the standard input.",
		Example: "  samizdat analyse match.jsonl --simulations 400",
		Args:    exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			shownTenths := -1
			a, err := analysis.Analyse(cmd.Context(), games, rec, simulations, func(done, total int) {
				if tenths := 10 * done / total; tenths > shownTenths {
					shownTenths = tenths
					fmt.Fprintf(cmd.ErrOrStderr(), "%d %% of %d entries\n", 10*tenths, total)
				}
			})
			if err != nil {
				return err
			}
			return a.Write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().IntVar(&simulations, "simulations", 100, "number of simulations for each judgement")
	return cmd
}
