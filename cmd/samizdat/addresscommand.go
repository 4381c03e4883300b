package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/rules"
)

func addressCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "address MATCH SEAT NEW",
		Short: "Send a player's letters elsewhere, when he has lost his mailbox",
		Long: "Send the letters of a seat to a new address, for a player who has lost his mailbox.\n" +
			"The addresses that he has are told, and can prevent it for three days with ADDRESS\n" +
			"KEEP. A player who still reads his mail writes ADDRESS himself. SEAT is a seat's\n" +
			"name or number.",
		Example: "  samizdat address mabcdefg democrat ada@example.org --yes",
		Args:    cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withDaemon(cmd, func(d *daemon) error {
				m, err := d.db.Match(cmd.Context(), args[0])
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				seat, err := seatOf(m, args[1])
				if err != nil {
					return err
				}
				s, out := &m.Seats[seat], cmd.OutOrStdout()
				told := s.Address
				if second := s.Addresses.Second; second != "" && !strings.EqualFold(second, args[2]) {
					told += " and " + second
				}
				if !yes {
					fmt.Fprintf(out, "Match %s, %s: letters go to %s, and would go to %s three days after a letter to %s is sent.\nNothing was changed; --yes does it.\n",
						m.ID, s.Name, s.Mailbox(), args[2], told)
					return nil
				}
				due, err := d.adjudicator.MoveSeat(cmd.Context(), m.ID, seat, args[2])
				if err != nil {
					return err
				}
				fmt.Fprintf(out, "Match %s, %s: a letter goes to %s as soon as \"samizdat serve\" runs.\nFrom %s on letters go to %s, unless ADDRESS KEEP comes back.\n",
					m.ID, s.Name, told, due.UTC().Format("2 January 2006, 15:04 UTC"), args[2])
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it; without this the command only says what it would do")
	return cmd
}

// seatOf finds a seat by its name, or by its number from 1 on.
func seatOf(m *adjudicator.Match, text string) (rules.Seat, error) {
	var names []string
	for i, s := range m.Seats {
		if strings.EqualFold(s.Name, text) || strconv.Itoa(i+1) == text {
			return rules.Seat(i), nil
		}
		names = append(names, s.Name)
	}
	return rules.Nobody, fmt.Errorf("match %s has no seat %q, but %s", m.ID, text, strings.Join(names, ", "))
}
