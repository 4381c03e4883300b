package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"samizdat/internal/daemon"
	"samizdat/internal/report"
	"samizdat/internal/secretary"
)

// errNoClub is what commands about the club say where there is none.
var errNoClub = errors.New("there is no club here: \"club: registration\" in the configuration makes one")

// withClub lets a command use the club of the database that is there.
func withClub(cmd *cobra.Command, use func(*daemon.Daemon, *secretary.Secretary) error) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		if d.Club == nil {
			return errNoClub
		}
		return use(d, d.Club)
	})
}

func ladderCommand() *cobra.Command {
	var recompute, asJSON bool
	cmd := &cobra.Command{
		Use:   "ladder GAME",
		Short: "Show the ladder of a game, or compute it again from its results",
		Long: "Show the ladder of a game as it was computed last. Ratings depend on nothing but the\n" +
			"results: --recompute computes them again, for the time for which the ladder was made, and\n" +
			"ends with status 1 if anything differs. With --json the ladder is one JSON object.",
		Args: arguments("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withClub(cmd, func(d *daemon.Daemon, s *secretary.Secretary) error {
				if _, err := games.Find(args[0]); err != nil {
					return err
				}
				if err := s.CountAll(cmd.Context(), time.Now()); err != nil {
					return err
				}
				kept, err := d.DB.Ladder(cmd.Context(), args[0])
				switch {
				case err != nil:
					return err
				case kept == nil:
					_, err := fmt.Fprintf(cmd.OutOrStdout(), "No match of %s that is counted has ended yet.\n", args[0])
					return err
				case recompute:
					again, err := s.LadderOf(cmd.Context(), args[0], kept.Made)
					if err != nil {
						return err
					}
					same, err := report.LaddersSame(cmd.OutOrStdout(), *kept, again)
					return orDiffers(same, err)
				case asJSON:
					return report.LadderJSON(cmd.OutOrStdout(), *kept)
				}
				names, err := s.PlayerNames(cmd.Context(), *kept)
				if err != nil {
					return err
				}
				return report.Ladder(cmd.OutOrStdout(), *kept, names)
			})
		},
	}
	cmd.Flags().BoolVar(&recompute, "recompute", false, "compute it again and compare")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write it as JSON")
	return cmd
}
