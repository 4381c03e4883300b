package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/internal/playout"
)

func playoutCommand() *cobra.Command {
	plan := playout.Plan{}
	var game, robots string
	cmd := &cobra.Command{
		Use:   "playout",
		Short: "Play many matches between robots in memory, and sum them up",
		Long: "Play matches between robots, without mail or database, and print one JSON object\n" +
			"that sums them up. The same seed gives the same matches. The first match has the\n" +
			"seed that was given, so that a match told of in \"bad\" is played again alone with\n" +
			"--games 1 and its own seed. The status is 1 if a match was stuck or illegal. Ctrl-C sums\n" +
			"up those that were played.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if plan.Game, err = games.Find(game); err != nil {
				return err
			}
			plan.Robots = strings.Split(robots, ",")
			sum, err := playout.Run(cmd.Context(), plan)
			if err != nil && cmd.Context().Err() == nil {
				return err
			}
			out, failed := json.Marshal(sum)
			if failed != nil {
				return failed
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", out)
			if err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d matches were played.\n", sum.Games, plan.Games)
				return err
			}
			if sum.Illegal > 0 || sum.Stuck > 0 {
				return errDiffers
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&plan.Games, "games", 1000, "number of matches")
	cmd.Flags().Uint64Var(&plan.Seed, "seed", 1, "seed of the dice and the robots")
	cmd.Flags().StringVar(&robots, "robots", "random", "the robot of every seat, or one for each, separated by commas")
	cmd.Flags().StringVar(&game, "game", "1989", "the game")
	cmd.Flags().IntVar(&plan.Seats, "players", 0, "number of seats (default: as many as robots are named, or the least that the game has)")
	cmd.Flags().IntVar(&plan.Revision, "rules", 0, "revision of the rules (default: the newest)")
	return cmd
}
