package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/club"
	"samizdat/internal/daemon"
	"samizdat/internal/secretary"
)

// byOperator is who has done what is done on the command line, in the club's log.
const byOperator = "the operator"

func clubCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "club",
		Short: "Look after the club: its members, results and tournaments",
		Long:  "Look after the club. What changes something wants a reason, which the members can read.",
	}
	for _, a := range []struct{ use, short string }{
		{"admit", "Admit somebody who has asked to join"}, {"refuse", "Do not admit him"}, {"ban", "Shut a member out; his matches go on"}, {"unban", "Let him in again"},
	} {
		cmd.AddCommand(actCommand(a.use, a.short))
	}
	cmd.AddCommand(membersCommand(), tournamentCommand(), announceCommand(), annulCommand("annul", "Take a result from the ladder", true), annulCommand("restore", "Put a result back that was annulled", false))
	return cmd
}

// annulCommand takes a result from the ladder, or puts it back.
func annulCommand(use, short string, annul bool) *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use:   use + " MATCH --why REASON",
		Short: short,
		Args:  arguments("MATCH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if why == "" {
				return errUsage{cmd, errors.New("--why is missing: the members can read the reason")}
			}
			return withClub(cmd, func(_ *daemon.Daemon, s *secretary.Secretary) error {
				if err := s.Annul(cmd.Context(), args[0], byOperator, why, annul); err != nil {
					return err
				}
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "It is done. The ladder is computed again within two minutes.")
				return err
			})
		},
	}
	cmd.Flags().StringVar(&why, "why", "", "the reason, for the log of the club")
	return cmd
}

// actCommand does an act about a member.
func actCommand(use, short string) *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use:   use + " NAME [--why REASON]",
		Short: short,
		Args:  arguments("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if why == "" && use != "admit" {
				return errUsage{cmd, errors.New("--why is missing: the members can read the reason")}
			}
			act, err := club.ReadDirective(use+" "+args[0], why)
			if err != nil {
				return err
			}
			return withClub(cmd, func(_ *daemon.Daemon, s *secretary.Secretary) error {
				if err := s.Act(cmd.Context(), act, byOperator); err != nil {
					return err
				}
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "It is done, and those concerned are told by mail.")
				return err
			})
		},
	}
	cmd.Flags().StringVar(&why, "why", "", "the reason, for the log of the club")
	return cmd
}

// membersCommand lists the members.
func membersCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "members",
		Short: "List the members, with their addresses",
		Args:  arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withClub(cmd, func(d *daemon.Daemon, _ *secretary.Secretary) error {
				for _, state := range []club.State{club.Applied, club.Active, club.Banned, club.Left} {
					all, err := d.DB.Members(cmd.Context(), state)
					if err != nil {
						return err
					}
					for i := range all {
						m := &all[i]
						fmt.Fprintf(cmd.OutOrStdout(), "%-8s %-24s %s since %s\n", state, m.Name, m.Address, m.Since.Format(time.DateOnly))
					}
				}
				return nil
			})
		},
	}
}

// announceCommand lets all members know something.
func announceCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "announce TEXT",
		Short: "Let all members know something",
		Long:  "Let all members know something: it stands in the digests and on the pages of the club.",
		Args:  arguments("TEXT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withClub(cmd, func(_ *daemon.Daemon, s *secretary.Secretary) error {
				if err := s.Announce(cmd.Context(), args[0], byOperator); err != nil {
					return err
				}
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "It stands in the next digests and on the pages.")
				return err
			})
		},
	}
}
