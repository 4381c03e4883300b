package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"samizdat/internal/table"
)

func playCommand() *cobra.Command {
	plan := table.Plan{}
	var game, path, resume string
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play a match in the terminal, at one keyboard or against a robot",
		Long: "Play a match in the terminal: the same engine and the same orders as by mail. All\n" +
			"seats share the keyboard, or robots play all but one. \"help\" explains orders,\n" +
			"\"quit\" ends. Several orders at once stand between \"begin\" and \"end\". People at one\n" +
			"terminal each see a cleared screen. The same --seed gives the same dice.\n\n" +
			"Whoever leaves before the end, also with Ctrl-C, is told how to go on: the match is\n" +
			"kept in the file of --record, or else in ~/.local/state/samizdat.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			// A terminal that is closed is left as by Ctrl-C.
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGHUP)
			defer stop()
			if !cmd.Flags().Changed("seed") {
				var b [8]byte
				if _, err := rand.Read(b[:]); err != nil {
					return err
				}
				plan.Seed = binary.BigEndian.Uint64(b[:])
			}
			if plan.Game, err = games.Find(game); err != nil {
				return err
			}
			m, err := beginOrResume(ctx, cmd, plan, &path, resume)
			if err != nil {
				return err
			}
			played := m.Play(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
			kept, err := m.Save(context.WithoutCancel(ctx), path)
			if kept != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "record: %s\n", kept)
				if !m.Over() {
					fmt.Fprintf(cmd.OutOrStdout(), "To go on: %s play --resume %s\n", typed(), shellWord(kept))
				}
			}
			return errors.Join(played, err)
		},
	}
	cmd.Flags().Uint64Var(&plan.Seed, "seed", 0, "seed of the dice and the robots (default: another each time)")
	cmd.Flags().StringVar(&plan.Robot, "robot", "", "robot that plays each of the other seats")
	cmd.Flags().StringVar(&plan.Seat, "seat", "", "seat that you play against robots (default: the first)")
	cmd.Flags().StringVar(&game, "game", games[0].Name(), "the game")
	cmd.Flags().IntVar(&plan.Seats, "seats", 0, "number of seats (default: as many as the game has)")
	cmd.Flags().StringVar(&path, "record", "", "new file to write the record of the match to")
	cmd.Flags().StringVar(&resume, "resume", "", "go on with a match that was left, in this file")
	return cmd
}

// beginOrResume begins a match, whose record can be written to the path, or goes on with one,
// whose path it is then.
func beginOrResume(ctx context.Context, cmd *cobra.Command, plan table.Plan, path *string, resume string) (*table.Match, error) {
	if cmd.Flags().Changed("resume") {
		for _, other := range []string{"robot", "seat", "seats", "game", "record"} {
			if cmd.Flags().Changed(other) {
				return nil, errUsage{cmd, fmt.Errorf("--resume goes on with a match as it was left, without --%s", other)}
			}
		}
		*path = resume
		return table.Resume(ctx, games, resume, plan.Seed)
	}
	m, err := table.Begin(ctx, plan)
	if err == nil && *path != "" {
		err = table.TryRecord(*path)
	}
	return m, err
}
