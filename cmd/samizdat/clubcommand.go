package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

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
	cmd.AddCommand(annulCommand("annul", "Take a result from the ladder", true), annulCommand("restore", "Put a result back that was annulled", false), tournamentCommand())
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
