package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/internal/daemon"
	"samizdat/rules"
)

func renameCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rename MATCH SEAT NAME",
		Short: "Change what a player is called in a match",
		Long: "Change what a player is called in the letters to all who play or watch, as he can\n" +
			"himself with CALL ME and a name. Nothing else changes, and no letter is sent for it.\n" +
			"It can be done while a daemon serves. SEAT is a seat's name or number.",
		Example: "  samizdat rename mabcdefg democrat Ada",
		Args:    arguments("MATCH", "SEAT", "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSeat(cmd, args[0], args[1], func(d *daemon.Daemon, m *adjudicator.Match, seat rules.Seat) error {
				called, err := d.Adjudicator.Rename(cmd.Context(), m.ID, seat, args[2])
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Match %s, %s: the player is called %s from now on.\n", m.ID, m.Seats[seat].Name, called)
				return nil
			})
		},
	}
}
