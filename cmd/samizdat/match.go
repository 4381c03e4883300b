package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/internal/daemon"
)

func newMatchCommand() *cobra.Command {
	var seats, options []string
	var chance, observe string
	cmd := &cobra.Command{
		Use:   "new GAME",
		Short: "Begin a match: invite its players by mail",
		Long: "Begin a match: invite its players, in the order of seats. In 1989 the first seat is\n" +
			"the Democrat, the second the Communist. The match starts when all have joined.",
		Example: "  samizdat new 1989 --seat ada@example.org --seat ben@example.org",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			inv := adjudicator.Invitation{Game: args[0], Players: seats, Options: map[string]string{}}
			for _, o := range options {
				name, value, ok := strings.Cut(o, "=")
				if !ok {
					return fmt.Errorf("--option %s: write name=value", o)
				}
				inv.Options[name] = value
			}
			if chance != "" {
				rec, err := record.ReadFile(chance)
				if err != nil {
					return err
				}
				inv.Recorded = rec.Outcomes()
			}
			if inv.ObserverPolicy, err = adjudicator.ParseObserverPolicy(observe); err != nil {
				return fmt.Errorf("--observe: %w", err)
			}
			return withDaemon(cmd, func(d *daemon.Daemon) error {
				m, err := d.Adjudicator.New(cmd.Context(), inv)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Match %s: invitations go to %s as soon as \"samizdat serve\" runs.\n", m.ID, strings.Join(seats, ", "))
				return nil
			})
		},
	}
	cmd.Flags().StringArrayVar(&seats, "seat", nil, "a player's mail address; once for each seat")
	cmd.Flags().StringArrayVar(&options, "option", nil, "an option of the game, as name=value (1989: extra=0 to 9, or bidding=yes)")
	cmd.Flags().StringVar(&observe, "observe", "open", "whether others may watch by mail: no, open, or how much later they are told, as 36h or 3d")
	cmd.Flags().StringVar(&chance, "chance", "", "take all dice and cards from a record, to play a game from elsewhere again")
	return cmd
}

func exportCommand() *cobra.Command {
	var hidden bool
	cmd := &cobra.Command{
		Use:   "export MATCH",
		Short: "Write a match's record",
		Long: "Write a match's record as JSON Lines. Before the match is over it holds public fields\n" +
			"only; --hidden adds the rest, for the operator's own eyes.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withDaemon(cmd, func(d *daemon.Daemon) error {
				rec, err := d.Adjudicator.Export(cmd.Context(), args[0], hidden)
				if err != nil {
					return err
				}
				return rec.Write(cmd.OutOrStdout())
			})
		},
	}
	cmd.Flags().BoolVar(&hidden, "hidden", false, "write hidden fields and the secret as well")
	return cmd
}
