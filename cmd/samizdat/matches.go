package main

import (
	"time"

	"github.com/spf13/cobra"

	"samizdat/internal/report"
	"samizdat/storage"
)

func matchesCommand() *cobra.Command {
	var all, addresses, asJSON bool
	cmd := &cobra.Command{
		Use:   "matches",
		Short: "List the matches: how they stand and whom they wait for",
		Long: "List the matches that players are invited to or that run, a line each: name, game,\n" +
			"state and since when, who has to move and since when. The one that waits longest comes\n" +
			"first. Where clocks run, it shows what each seat has left, and until when. All times\n" +
			"are UTC. With --json a line is an object, which also has turn, score and the letters to each\n" +
			"seat that did not arrive. Nothing that is hidden is shown, and the database is only read, also while a\n" +
			"daemon serves.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := configOf(cmd)
			if err != nil {
				return err
			}
			if err := findDatabase(cfg); err != nil {
				return err
			}
			list, err := storage.ListMatches(cmd.Context(), cfg.Database(), cfg.KeyFile(), time.Now(), storage.Wanted{Over: all, Addresses: addresses})
			if err != nil {
				return err
			}
			if asJSON {
				return report.MatchesJSON(cmd.OutOrStdout(), games, list, addresses)
			}
			return report.Matches(cmd.OutOrStdout(), games, list, all, addresses)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "list those that are over too, with their results")
	cmd.Flags().BoolVar(&addresses, "addresses", false, "show the players' addresses too; letters go to the first of a seat")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write lines of JSON")
	return cmd
}
