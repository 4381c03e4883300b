package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"

	"github.com/spf13/cobra"

	"samizdat/internal/demo"
)

func demoCommand() *cobra.Command {
	var sample bool
	var dir string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a whole game by mail, or the rulebook's sample turn, on this machine",
		Long: "Start a mail server and the daemon, and let two mail programs play a match of 1989\n" +
			"from the invitation to the end, a letter for each order, with robots for players. The\n" +
			"record is written to a file and played again. The same --seed gives the same match;\n" +
			"without it every match is another.\n\n" +
			"With --sample the mail programs play the sample turn of the 1989 rulebook one letter a\n" +
			"decision, and the position is compared with the book's.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if sample && cmd.Flags().Changed("seed") {
				return errors.New("the sample turn has its own dice: --seed is for a whole game")
			}
			if dir == "" {
				if dir, err = os.MkdirTemp("", "samizdat-demo-"); err != nil {
					return err
				}
			}
			limit := demo.SampleTime
			if !sample {
				limit = demo.RobotsTime
			}
			ctx, cancel := context.WithTimeoutCause(cmd.Context(), limit, errors.New("the demonstration took too long"))
			defer cancel()
			if sample {
				n, err := demo.Sample(ctx, cmd.OutOrStdout(), games, dir)
				return orDiffers(n == 0, err)
			}
			if !cmd.Flags().Changed("seed") {
				seed = rand.Uint64()
			}
			return demo.Robots(ctx, cmd.OutOrStdout(), games[0], dir, seed)
		},
	}
	cmd.Flags().BoolVar(&sample, "sample", false, "play the sample turn of the 1989 rulebook")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the dice and the robots of a whole game")
	cmd.Flags().StringVar(&dir, "data", "", "directory for database and mailboxes (default: a new temporary one)")
	return cmd
}
