package main

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/internal/table"
)

func playCommand() *cobra.Command {
	plan := table.Plan{}
	var game, path string
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play a match in the terminal, at one keyboard or against a robot",
		Long: "Play a match in the terminal: the same engine and the same orders as by mail. All\n" +
			"seats share the keyboard, or robots play all but one. \"help\" explains orders,\n" +
			"\"quit\" ends. Several orders at once stand between \"begin\" and \"end\". People at one\n" +
			"terminal each see a cleared screen. The same --seed gives the same dice.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if plan.Game, err = games.Find(game); err != nil {
				return err
			}
			if !cmd.Flags().Changed("seed") {
				var b [8]byte
				if _, err := rand.Read(b[:]); err != nil {
					return err
				}
				plan.Seed = binary.BigEndian.Uint64(b[:])
			}
			m, err := table.Begin(cmd.Context(), plan)
			if err != nil {
				return err
			}
			if err := m.Play(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout()); err != nil || path == "" {
				return err
			}
			if err := m.Keep(cmd.Context(), path); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "record: %s\n", path)
			return nil
		},
	}
	cmd.Flags().Uint64Var(&plan.Seed, "seed", 0, "seed of the dice and the robots (default: another each time)")
	cmd.Flags().StringVar(&plan.Robot, "robot", "", "robot that plays each of the other seats")
	cmd.Flags().StringVar(&plan.Seat, "seat", "", "seat that you play against robots (default: the first)")
	cmd.Flags().StringVar(&game, "game", games[0].Name(), "the game")
	cmd.Flags().IntVar(&plan.Seats, "seats", 0, "number of seats (default: as many as the game has)")
	cmd.Flags().StringVar(&path, "record", "", "file to write the record of the match to")
	return cmd
}
