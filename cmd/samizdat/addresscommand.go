package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/internal/daemon"
	"samizdat/rules"
)

func addressCommand() *cobra.Command {
	var yes, keep bool
	cmd := &cobra.Command{
		Use:   "address MATCH SEAT {NEW | --keep}",
		Short: "Send a player's letters elsewhere, when he has lost his mailbox",
		Long: "Send the letters of a seat to a new address, for a player who has lost his mailbox.\n" +
			"All other matches that he plays under the old one go with it.\n" +
			"The address that he has is told, and can prevent it for three days with ADDRESS\n" +
			"KEEP. A change that was asked for before is off then, whoever asked. With --keep\n" +
			"nothing changes: the change that is asked for is off, as with ADDRESS KEEP, and\n" +
			"the player gets a letter with another address to answer to. A player who still\n" +
			"reads his mail writes ADDRESS himself. SEAT is a seat's name or number.",
		Example: "  samizdat address mabcdefg democrat ada@example.org --yes\n" +
			"  samizdat address mabcdefg democrat --keep",
		Args: func(cmd *cobra.Command, args []string) error {
			if keep {
				return arguments("MATCH", "SEAT")(cmd, args)
			}
			return arguments("MATCH", "SEAT", "NEW")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSeat(cmd, args[0], args[1], func(d *daemon.Daemon, m *adjudicator.Match, seat rules.Seat) error {
				if keep {
					return keepSeat(cmd, d, m, seat)
				}
				return moveSeat(cmd, d, m, seat, args[2], yes)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it; without this the command only says what it would do")
	cmd.Flags().BoolVar(&keep, "keep", false, "end the change that is asked for, instead of asking for one")
	return cmd
}

// keepSeat ends the change of address that is asked for.
func keepSeat(cmd *cobra.Command, d *daemon.Daemon, m *adjudicator.Match, seat rules.Seat) error {
	if err := d.Adjudicator.KeepSeat(cmd.Context(), m.ID, seat); err != nil {
		return err
	}
	s := &m.Seats[seat]
	fmt.Fprintf(cmd.OutOrStdout(), "Match %s, %s: the change that was asked for is off. Letters go to %s; those from before can no longer be answered.\n",
		m.ID, s.Name, s.Player.Address)
	return nil
}

// moveSeat asks for a change of address, or says what that would do.
func moveSeat(cmd *cobra.Command, d *daemon.Daemon, m *adjudicator.Match, seat rules.Seat, to string, yes bool) error {
	s, out := &m.Seats[seat], cmd.OutOrStdout()
	told := s.Player.Address
	if !yes {
		instead := ""
		if r := s.Player.Request; r != nil {
			instead = fmt.Sprintf("What was asked for before, a change to %s, would be off.\n", r.To)
		}
		fmt.Fprintf(out, "Match %s, %s: letters go to %s, and would go to %s three days after a letter to %s is sent.\n%sNothing was changed; --yes does it.\n",
			m.ID, s.Name, told, to, told, instead)
		return nil
	}
	due, err := d.Adjudicator.MoveSeat(cmd.Context(), m.ID, seat, to)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Match %s, %s: a letter goes to %s as soon as \"samizdat serve\" runs.\nFrom %s on letters go to %s, unless ADDRESS KEEP comes back.\n",
		m.ID, s.Name, told, due.UTC().Format("2 January 2006, 15:04 UTC"), to)
	return nil
}

// withSeat opens the database, and finds a match and its seat by name, or by number from 1
// on.
func withSeat(cmd *cobra.Command, match, name string, use func(*daemon.Daemon, *adjudicator.Match, rules.Seat) error) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		m, err := d.DB.Match(cmd.Context(), match)
		if err != nil {
			return fmt.Errorf("%s: %w", match, err)
		}
		var names []string
		for i, s := range m.Seats {
			if strings.EqualFold(s.Name, name) || strconv.Itoa(i+1) == name {
				return use(d, m, rules.Seat(i))
			}
			names = append(names, s.Name)
		}
		return fmt.Errorf("match %s has no seat %q, but %s", m.ID, name, strings.Join(names, ", "))
	})
}
