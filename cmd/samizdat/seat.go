package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/internal/daemon"
	"samizdat/rules"
)

func addressCommand() *cobra.Command {
	var yes, keep bool
	cmd := &cobra.Command{
		Use:   "address MATCH SEAT {NEW | --keep}",
		Short: "Send a player's letters to another address, after the loss of a mailbox",
		Long: "Send the letters of a seat to a new address, for a player who has lost a mailbox. All\n" +
			"other matches of the player under the old address change too. The change takes effect\n" +
			"three days after a letter to the old address; a reply ADDRESS KEEP from there prevents\n" +
			"it. A change that was requested before is cancelled. With --keep the requested change is\n" +
			"cancelled, and the player gets a letter with a new reply address of the referee. A\n" +
			"player who can still read the old mailbox writes ADDRESS instead. SEAT is a seat's name\n" +
			"or number.",
		Example: "  samizdat address mabcdefg democrat ada@example.org --yes\n" +
			"  samizdat address mabcdefg democrat --keep",
		Args: func(cmd *cobra.Command, args []string) error {
			if keep {
				return exactArgs("MATCH", "SEAT")(cmd, args)
			}
			return exactArgs("MATCH", "SEAT", "NEW")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSeat(cmd, args[0], args[1], func(d *daemon.Daemon, m *match.Match, seat rules.Seat) error {
				if keep {
					return cancelAddressChange(cmd, d, m, seat)
				}
				return startAddressChange(cmd, d, m, seat, args[2], yes)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it; without this flag the command only says what it would do")
	cmd.Flags().BoolVar(&keep, "keep", false, "cancel the requested change instead of requesting one")
	return cmd
}

func cancelAddressChange(cmd *cobra.Command, d *daemon.Daemon, m *match.Match, seat rules.Seat) error {
	if err := d.Adjudicator.CancelAddressChange(cmd.Context(), m.ID, seat); err != nil {
		return err
	}
	s := &m.Seats[seat]
	fmt.Fprintf(cmd.OutOrStdout(), "Match %s, %s: the requested change of address is cancelled. Letters go to %s; "+
		"replies to older letters no longer count.\n", m.ID, s.Name, s.Player.Address)
	return nil
}

// Without yes, startAddressChange only prints what would happen.
func startAddressChange(cmd *cobra.Command, d *daemon.Daemon, m *match.Match, seat rules.Seat, to string, yes bool) error {
	s, out := &m.Seats[seat], cmd.OutOrStdout()
	current := s.Player.Address
	if !yes {
		cancelled := ""
		if r := s.Player.Request; r != nil {
			cancelled = fmt.Sprintf("The earlier request for a change to %s would be cancelled.\n", r.To)
		}
		fmt.Fprintf(out, "Match %s, %s: letters go to %s, and would go to %s three days after a letter to %s is sent.\n%sNothing was changed; "+
			"--yes does it.\n", m.ID, s.Name, current, to, current, cancelled)
		return nil
	}
	due, err := d.Adjudicator.StartAddressChange(cmd.Context(), m.ID, seat, to)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Match %s, %s: a letter goes to %s as soon as \"samizdat serve\" runs.\nLetters go to %s from %s, "+
		"unless the player replies ADDRESS KEEP.\n", m.ID, s.Name, current, to, due.UTC().Format("2 January 2006, 15:04 UTC"))
	return nil
}

// name is the name of a seat, e.g. democrat, or its number from 1.
func withSeat(cmd *cobra.Command, match, name string, do func(*daemon.Daemon, *match.Match, rules.Seat) error) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		m, err := d.DB.Match(cmd.Context(), match)
		if err != nil {
			return fmt.Errorf("%s: %w", match, err)
		}
		var names []string
		for i, s := range m.Seats {
			if strings.EqualFold(s.Name, name) || strconv.Itoa(i+1) == name {
				return do(d, m, rules.Seat(i))
			}
			names = append(names, s.Name)
		}
		return fmt.Errorf("match %s has no seat %q; its seats are %s", m.ID, name, strings.Join(names, ", "))
	})
}

func renameCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rename MATCH SEAT NAME",
		Short: "Change the name of a player in a match",
		Long: "Change the name of a player in the letters to all players and observers, as the player\n" +
			"can with CALL ME and a name. Nothing else changes, and no letter is sent. You can\n" +
			"run this while a daemon is running. SEAT is a seat's name or number.",
		Example: "  samizdat rename mabcdefg democrat Ada",
		Args:    exactArgs("MATCH", "SEAT", "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSeat(cmd, args[0], args[1], func(d *daemon.Daemon, m *match.Match, seat rules.Seat) error {
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

func replaceCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "replace MATCH SEAT ADDRESS",
		Short: "Replace the player of a seat during a match",
		Long: "Put another player into a seat of a running match. The new player gets a letter with the\n" +
			"state of the match, and may see everything that the seat has seen. From then on, letters\n" +
			"of the previous player have no effect, and pending orders of the seat are dropped. All\n" +
			"players are told, and the record gets an entry. Before the start of the match, the new\n" +
			"player is invited instead. SEAT is a seat's name or number; ADDRESS may contain the\n" +
			"player's name.",
		Example: "  samizdat replace mabcdefg democrat \"Bob <bob@example.org>\" --yes",
		Args:    exactArgs("MATCH", "SEAT", "ADDRESS"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSeat(cmd, args[0], args[1], func(d *daemon.Daemon, m *match.Match, seat rules.Seat) error {
				name, before, out := m.Seats[seat].Name, m.Seats[seat].Player.Address, cmd.OutOrStdout()
				if !yes {
					fmt.Fprintf(out, "Match %s, %s: %s would take the seat of %s, and would see its hidden information.\nNothing was changed; "+
						"--yes does it.\n", m.ID, name, args[2], before)
					return nil
				}
				if err := d.Adjudicator.Replace(cmd.Context(), m.ID, seat, args[2]); err != nil {
					return err
				}
				fmt.Fprintf(out, "Match %s, %s: %s has taken the seat of %s. Letters are sent as soon as \"samizdat serve\" runs.\n", m.ID,
					name, args[2], before)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do it; without this flag the command only says what it would do")
	return cmd
}

func directorCommand() *cobra.Command {
	var reason string
	var yes bool
	forms := ""
	for _, f := range letter.Forms(letter.RoleDirector) {
		forms += fmt.Sprintf("\n  %-36s %s", f.Order, f.Effect)
	}
	cmd := &cobra.Command{
		Use:   "director MATCH [ACT] [--why REASON] [--yes]",
		Short: "Correct a match, as its director",
		Long: "Without ACT, show the public state of a match and the numbered entries of its history.\n" +
			"With ACT, carry out an act of the director, written as in a letter. Every act except\n" +
			"TELL ALL needs a reason, which the players are told and the record contains. Nothing is\n" +
			"rewritten: an act is an entry of the history. You can run this while a daemon is\n" +
			"running.\n\n" +
			"The acts:" + forms,
		Example: "  samizdat director mabcdefg\n" +
			"  samizdat director mabcdefg undo to 12 --why \"The wrong letter was taken for an order\" --yes\n" +
			"  samizdat director mabcdefg tell all \"The server moves on Sunday.\" --yes",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exactArgs("MATCH", "ACT")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return showMatch(cmd, args[0])
			}
			directive, err := letter.ParseDirective(strings.Join(args[1:], " "), reason)
			if err != nil {
				return err
			}
			return executeDirective(cmd, args[0], directive, yes)
		},
	}
	cmd.Flags().StringVar(&reason, "why", "", "the reason, for the players and the record")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it; without this flag the command only says what it would do")
	return cmd
}

func showMatch(cmd *cobra.Command, match string) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		text, err := d.Adjudicator.DescribeForDirector(cmd.Context(), match)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\nTo do an act: samizdat director %s ACT --why REASON --yes\n", text, match)
		return err
	})
}

// Without yes, executeDirective only prints what would happen.
func executeDirective(cmd *cobra.Command, match string, directive match.Directive, yes bool) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		effect, err := d.Adjudicator.ExecuteDirective(cmd.Context(), match, directive, yes)
		if err != nil {
			return err
		}
		done := "Nothing was changed; --yes does it."
		if yes {
			done = "Done. Letters are sent as soon as \"samizdat serve\" runs."
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "Match %s, %s:\n%s\n%s\n", match, directive, effect, done)
		return err
	})
}
