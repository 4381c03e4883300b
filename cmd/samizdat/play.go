package main

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/internal/table"
)

func playCommand() *cobra.Command {
	plan := table.Plan{Game: games[0]}
	var path string
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play a match in the terminal, at one keyboard or against a robot",
		Long: "Play a match in the terminal: the same engine and the same orders as by mail. Both\n" +
			"sides share the keyboard, or a robot plays one of them. \"help\" explains orders,\n" +
			"\"quit\" ends. Several orders at once stand between \"begin\" and \"end\". Two people at\n" +
			"one terminal each see a cleared screen. The same --seed gives the same dice.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
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
	cmd.Flags().Uint64Var(&plan.Seed, "seed", 0, "seed of the dice and the robot (default: another each time)")
	cmd.Flags().StringVar(&plan.Robot, "robot", "", "robot that plays the other side")
	cmd.Flags().StringVar(&plan.Seat, "seat", "", "seat that you play against the robot (default: the first)")
	cmd.Flags().StringVar(&path, "record", "", "file to write the record of the match to")
	return cmd
}
