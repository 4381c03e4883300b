package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/internal/daemon"
	"samizdat/rules"
)

func replaceCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "replace MATCH SEAT ADDRESS",
		Short: "Put another player into a seat, in the middle of a match",
		Long: "Put another player into a seat of a match that is under way. He is sent how the\n" +
			"match stands for the seat, and may know all that the seat was told. From then on the\n" +
			"letters of the player before do nothing, and what was kept for him is dropped. All\n" +
			"players are told, and the record has an entry of it. Before the match begins he is\n" +
			"invited in the other's place. SEAT is a seat's name or number; ADDRESS may come with\n" +
			"the player's name.",
		Example: "  samizdat replace mabcdefg democrat \"Bob <bob@example.org>\" --yes",
		Args:    arguments("MATCH", "SEAT", "ADDRESS"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSeat(cmd, args[0], args[1], func(d *daemon.Daemon, m *adjudicator.Match, seat rules.Seat) error {
				name, was, out := m.Seats[seat].Name, m.Seats[seat].Player.Address, cmd.OutOrStdout()
				if !yes {
					fmt.Fprintf(out, "Match %s, %s: %s would take the seat of %s, and would know all that it knows.\nNothing was changed; --yes does it.\n",
						m.ID, name, args[2], was)
					return nil
				}
				if err := d.Adjudicator.Replace(cmd.Context(), m.ID, seat, args[2]); err != nil {
					return err
				}
				fmt.Fprintf(out, "Match %s, %s: %s has taken the seat of %s. Letters go out as soon as \"samizdat serve\" runs.\n", m.ID, name, args[2], was)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it; without this the command only says what it would do")
	return cmd
}
