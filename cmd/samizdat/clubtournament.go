package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/internal/daemon"
	"samizdat/internal/secretary"
)

func tournamentCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tournament",
		Short: "Hold tournaments",
		Long:  "Hold tournaments: make one, correct a pairing, take somebody out, call one off.",
	}
	cmd.AddCommand(newTournamentCommand(), swapCommand(), withdrawCommand(), callOffCommand())
	return cmd
}

func newTournamentCommand() *cobra.Command {
	var t club.Tournament
	var terms tournament.Terms
	var game, kind, starts, tempo, why string
	cmd := &cobra.Command{
		Use:   "new NAME --game GAME --kind KIND --starts DAY --why REASON",
		Short: "Let members enter a tournament",
		Long: "Let members enter a tournament, by mail, with ENTER and its name. It starts on its day:\n" +
			"entries close and the first round is paired. The kinds are swiss, round-robin and\n" +
			"knock-out (docs/club.md).",
		Example: "  samizdat club tournament new autumn-cup --game 1989 --kind swiss --rounds 5 --tempo slow --starts 2026-12-01 --why \"as every year\"",
		Args:    arguments("NAME"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			for flag, value := range map[string]string{"game": game, "kind": kind, "starts": starts, "why": why} {
				if value == "" {
					return errUsage{cmd, fmt.Errorf("--%s is missing", flag)}
				}
			}
			if t.Starts, err = time.Parse(time.DateOnly, starts); err != nil {
				return errUsage{cmd, fmt.Errorf("--starts: %q is no day such as 2026-12-01", starts)}
			}
			terms.Kind = tournament.Kind(strings.ReplaceAll(kind, "round-robin", string(tournament.RoundRobin)))
			t.Name, t.Match = args[0], club.Terms{Game: game, Tempo: tempo}
			return withClub(cmd, func(_ *daemon.Daemon, s *secretary.Secretary) error {
				if err := s.NewTournament(cmd.Context(), t, terms, byOperator, why); err != nil {
					return err
				}
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "Members enter it with ENTER %s, until %s.\n", t.Name, t.Starts.Format("2 January 2006, 15:04 UTC"))
				return err
			})
		},
	}
	cmd.Flags().StringVar(&t.Title, "title", "", "what it is called; its name, if not given")
	cmd.Flags().StringVar(&game, "game", "", "the game, for two players")
	cmd.Flags().StringVar(&kind, "kind", "", "swiss, round-robin or knock-out")
	cmd.Flags().StringVar(&starts, "starts", "", "the day on which it starts, at 0:00 UTC, such as 2026-12-01")
	cmd.Flags().StringVar(&tempo, "tempo", "", "how much time the players have, so that each match ends; the club's, if not given")
	cmd.Flags().IntVar(&terms.Rounds, "rounds", 0, "how many rounds a swiss tournament has; as many as find the best, if not given")
	cmd.Flags().BoolVar(&terms.Twice, "twice", false, "play a round robin twice, with sides changed")
	cmd.Flags().BoolVar(&terms.Together, "together", false, "begin all matches of a round robin at once")
	cmd.Flags().IntVar(&terms.Most, "most", 0, "how many may enter; any number, if not given")
	cmd.Flags().StringVar(&why, "why", "", "the reason, for the log of the club")
	return cmd
}

// directTournament is a command that changes a tournament. Act says what was done.
func directTournament(use, short string, args cobra.PositionalArgs, act func(cmd *cobra.Command, s *secretary.Secretary, args []string) (string, func(*tournament.Tournament) ([]string, error), error)) *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use:   use + " --why REASON",
		Short: short,
		Args:  args,
		RunE: func(cmd *cobra.Command, args []string) error {
			if why == "" {
				return errUsage{cmd, errors.New("--why is missing: the members can read the reason")}
			}
			return withClub(cmd, func(_ *daemon.Daemon, s *secretary.Secretary) error {
				done, change, err := act(cmd, s, args)
				if err != nil {
					return err
				}
				off, err := s.DirectTournament(cmd.Context(), args[0], byOperator, done, why, change)
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), "It is done, and those who play in it are told.")
				for _, m := range off {
					fmt.Fprintf(cmd.OutOrStdout(), "Match %s is no longer part of it. To end it: samizdat director %s\n", m, m)
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&why, "why", "", "the reason, for the log of the club")
	return cmd
}

func swapCommand() *cobra.Command {
	return directTournament("swap NAME MEMBER MEMBER", "Let two members trade their places in the newest round of a swiss tournament", arguments("NAME", "MEMBER", "MEMBER"),
		func(cmd *cobra.Command, s *secretary.Secretary, args []string) (string, func(*tournament.Tournament) ([]string, error), error) {
			a, err := s.MemberNamed(cmd.Context(), args[1])
			if err != nil {
				return "", nil, err
			}
			b, err := s.MemberNamed(cmd.Context(), args[2])
			if err != nil {
				return "", nil, err
			}
			return fmt.Sprintf("in the tournament %s two have traded their places", args[0]),
				func(t *tournament.Tournament) ([]string, error) { return t.Swap(a.ID, b.ID) }, nil
		})
}

func withdrawCommand() *cobra.Command {
	return directTournament("withdraw NAME MEMBER", "Take a member out of a tournament", arguments("NAME", "MEMBER"),
		func(cmd *cobra.Command, s *secretary.Secretary, args []string) (string, func(*tournament.Tournament) ([]string, error), error) {
			m, err := s.MemberNamed(cmd.Context(), args[1])
			if err != nil {
				return "", nil, err
			}
			return fmt.Sprintf("somebody is taken out of the tournament %s", args[0]),
				func(t *tournament.Tournament) ([]string, error) { return nil, t.Withdraw(m.ID) }, nil
		})
}

func callOffCommand() *cobra.Command {
	return directTournament("call-off NAME", "Call a tournament off; its matches go on as matches of their own", arguments("NAME"),
		func(_ *cobra.Command, _ *secretary.Secretary, args []string) (string, func(*tournament.Tournament) ([]string, error), error) {
			return fmt.Sprintf("the tournament %s is called off", args[0]),
				func(t *tournament.Tournament) ([]string, error) { return nil, t.CallOff() }, nil
		})
}
