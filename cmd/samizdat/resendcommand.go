package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/internal/daemon"
	"samizdat/rules"
)

func resendCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "resend MATCH SEAT",
		Short: "Write to a player how his match stands, when letters to him were lost",
		Long: "Queue a letter to a seat that says how things stand now, as STATUS does, for a player\n" +
			"who has no letter left that he can answer. It goes where his letters go, with a token\n" +
			"that is good. Nothing else changes, and nobody else is told. It can be done while a\n" +
			"daemon serves. SEAT is a seat's name or number.",
		Example: "  samizdat resend mabcdefg democrat",
		Args:    arguments("MATCH", "SEAT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSeat(cmd, args[0], args[1], func(d *daemon.Daemon, m *adjudicator.Match, seat rules.Seat) error {
				r, err := d.Adjudicator.Resend(cmd.Context(), m.ID, seat)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Match %s, %s: letter %d, which says how things stand now, goes to %s as soon as \"samizdat serve\" runs.\n",
					m.ID, m.Seats[seat].Name, r.Number, r.To)
				return nil
			})
		},
	}
}
