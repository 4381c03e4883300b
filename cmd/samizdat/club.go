package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/clubmail"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/letter"
	"samizdat/internal/daemon"
	"samizdat/internal/report"
)

// byOperator is the name in the club's log for the author of changes by these commands.
const byOperator = "the operator"

func clubCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "club",
		Short: "Manage the club: its members, results and tournaments",
		Long:  "Manage the club. Every change needs a reason, which the members can read.",
	}
	for _, a := range []struct{ use, short string }{
		{"admit", "Admit an applicant"}, {"refuse", "Refuse an applicant"}, {"ban", "Ban a member; the running matches continue"},
		{"unban", "Admit a banned member again"},
	} {
		cmd.AddCommand(newDirectiveCommand(a.use, a.short))
	}
	cmd.AddCommand(membersCommand(), clubExportCommand(), tournamentCommand(), announceCommand(), annulCommand(club.Annul, "annul",
		"Remove a result from the ladder"),
		annulCommand(club.Restore, "restore", "Restore an annulled result"))
	return cmd
}

func annulCommand(verb club.Verb, use, short string) *cobra.Command {
	var reason string
	return addReasonFlag(&reason, &cobra.Command{
		Use:   use + " MATCH --why REASON",
		Short: short,
		Args:  exactArgs("MATCH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return applyDirective(cmd, club.Directive{Verb: verb, Name: args[0], Reason: reason},
				"Done. The ladder is computed again within two minutes.")
		},
	})
}

func addReasonFlag(reason *string, cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(reason, "why", "", "the reason, for the log of the club")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if *reason == "" {
			return usageError{cmd, errors.New("--why is missing: the members can read the reason")}
		}
		return nil
	}
	return cmd
}

func applyDirective(cmd *cobra.Command, d club.Directive, done string) error {
	return withClub(cmd, func(_ *daemon.Daemon, s *clubmail.Mail) error {
		if err := s.ApplyDirective(cmd.Context(), d, byOperator); err != nil {
			return err
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), done)
		return err
	})
}

func newDirectiveCommand(use, short string) *cobra.Command {
	var reason string
	cmd := addReasonFlag(&reason, &cobra.Command{
		Use:   use + " NAME [--why REASON]",
		Short: short,
		Args:  exactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			directive, err := letter.ReadClubDirective(use+" "+args[0], reason)
			if err != nil {
				return err
			}
			return applyDirective(cmd, directive, "Done. The member is told by mail.")
		},
	})
	if use == "admit" {
		cmd.PreRunE = nil
	}
	return cmd
}

func membersCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "members",
		Short: "List the members, with their addresses",
		Args:  exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withClub(cmd, func(d *daemon.Daemon, _ *clubmail.Mail) error {
				for _, state := range []club.MemberState{club.MemberApplied, club.MemberActive, club.MemberBanned, club.MemberLeft} {
					members, err := d.DB.Club.Members(cmd.Context(), state)
					if err != nil {
						return err
					}
					for i := range members {
						m := &members[i]
						fmt.Fprintf(cmd.OutOrStdout(), "%-8s %-24s %s since %s\n", state, m.Name, m.Address, m.Since.Format(time.DateOnly))
					}
				}
				return nil
			})
		},
	}
}

func clubExportCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "export -o DIRECTORY",
		Short: "Write the public data of the club as JSON",
		Long: "Write the data that \"samizdat site\" writes next to its pages into a directory: ladders, players,\n" +
			"matches, results and tournaments as JSON, with a JSON Schema (club.schema.json), and the\n" +
			"records of finished matches.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return usageError{cmd, errors.New("-o is missing: name a directory")}
			}
			return withClub(cmd, func(d *daemon.Daemon, _ *clubmail.Mail) error {
				w, err := d.WriteSite(cmd.Context(), dir, true)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "The data of the club are in %s: %d files, and the records of its matches.\n", dir, w.Files)
				return err
			})
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the directory")
	return cmd
}

func announceCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "announce TEXT",
		Short: "Announce a text in the digests and on the pages of the club",
		Long: "Announce a text in the next digests and on the pages of the club. Members without digests\n" +
			"can read it only on the pages; the command prints their number.",
		Args: exactArgs("TEXT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withClub(cmd, func(_ *daemon.Daemon, s *clubmail.Mail) error {
				if err := s.ApplyDirective(cmd.Context(), club.Directive{Verb: club.Announce, Text: args[0]}, byOperator); err != nil {
					return err
				}
				reach, err := s.AnnouncementReach(cmd.Context())
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(cmd.OutOrStdout(), reach)
				return err
			})
		},
	}
}

func tournamentCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tournament",
		Short: "Hold tournaments",
		Long:  "Hold tournaments: create one, correct a pairing, remove a player, call one off.",
	}
	cmd.AddCommand(newTournamentCommand(), startTournamentCommand(), swapCommand(), withdrawCommand(), callOffCommand())
	return cmd
}

func startTournamentCommand() *cobra.Command {
	var reason string
	return addReasonFlag(&reason, &cobra.Command{
		Use:   "start NAME --why REASON",
		Short: "Close the entries of a tournament and start it now",
		Args:  exactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return applyDirective(cmd, club.Directive{Verb: club.OpenTournament, Name: args[0], Text: "STARTS NOW", Reason: reason},
				fmt.Sprintf("The tournament %s starts within a minute, while \"samizdat serve\" runs.", args[0]))
		},
	})
}

func newTournamentCommand() *cobra.Command {
	var t club.Tournament
	var terms tournament.Terms
	var game, kind, starts, tempo, reason string
	cmd := &cobra.Command{
		Use:   "new NAME --game GAME --kind KIND --starts DAY --why REASON",
		Short: "Let members enter a tournament",
		Long: "Let members enter a tournament, by mail, with ENTER and its name. It starts on its day:\n" +
			"entries close and the first round is paired. The kinds are swiss, round-robin and\n" +
			"knock-out (docs/club.md).",
		Example: "  samizdat club tournament new autumn-cup --game 1989 --kind swiss --rounds 5 --tempo slow --starts 2026-12-01 --why \"as " +
			"every year\"",
		Args: exactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			for flag, value := range map[string]string{"game": game, "kind": kind, "starts": starts, "why": reason} {
				if value == "" {
					return usageError{cmd, fmt.Errorf("--%s is missing", flag)}
				}
			}
			if t.Starts, err = club.ParseStart(starts); err != nil {
				return usageError{cmd, fmt.Errorf("--starts %q: write %w", starts, err)}
			}
			terms.Kind = tournament.Kind(strings.ReplaceAll(kind, "round-robin", string(tournament.RoundRobin)))
			t.Name, t.MatchTerms = args[0], club.Terms{Game: game, Tempo: tempo}
			return withClub(cmd, func(_ *daemon.Daemon, s *clubmail.Mail) error {
				if err := s.OpenTournament(cmd.Context(), t, terms, byOperator, reason); err != nil {
					return err
				}
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "Members enter it with ENTER %s, until %s.\n", t.Name,
					t.Starts.Format("2 January 2006, 15:04 UTC"))
				return err
			})
		},
	}
	cmd.Flags().StringVar(&t.Title, "title", "", "full name of the tournament (default: NAME)")
	cmd.Flags().StringVar(&game, "game", "", "the game, for two players")
	cmd.Flags().StringVar(&kind, "kind", "", "swiss, round-robin or knock-out")
	cmd.Flags().StringVar(&starts, "starts", "", "when it starts, in UTC: 2026-12-01 (at 0:00) or \"2026-12-01 19:00\"")
	cmd.Flags().StringVar(&tempo, "tempo", "", "time of the players; must limit the length of a match (default: the club's)")
	cmd.Flags().IntVar(&terms.Rounds, "rounds", 0, "number of rounds of a swiss tournament (default: enough to find the best player)")
	cmd.Flags().BoolVar(&terms.Twice, "twice", false, "play a round robin twice, with sides changed")
	cmd.Flags().BoolVar(&terms.Together, "together", false, "begin all matches of a round robin at once")
	cmd.Flags().IntVar(&terms.MaxEntrants, "most", 0, "maximum number of entrants (default: no limit)")
	cmd.Flags().StringVar(&reason, "why", "", "the reason, for the log of the club")
	return cmd
}

// tournamentChange reads the arguments of a command. It returns a change of a tournament, and its description for the club's log.
type tournamentChange func(*cobra.Command, *clubmail.Mail, []string) (description string,
	change func(*tournament.Tournament) ([]string, error), err error)

func newTournamentChangeCommand(use, short string, args cobra.PositionalArgs, newChange tournamentChange) *cobra.Command {
	var reason string
	return addReasonFlag(&reason, &cobra.Command{
		Use:   use + " --why REASON",
		Short: short,
		Args:  args,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withClub(cmd, func(_ *daemon.Daemon, s *clubmail.Mail) error {
				description, change, err := newChange(cmd, s, args)
				if err != nil {
					return err
				}
				calledOff, err := s.CorrectTournament(cmd.Context(), args[0], byOperator, description, reason, change)
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), "Done. The players of the tournament are told by mail.")
				for _, m := range calledOff {
					fmt.Fprintf(cmd.OutOrStdout(), "Match %s no longer belongs to the tournament. To end the match: samizdat director %s\n", m, m)
				}
				return nil
			})
		},
	})
}

func swapCommand() *cobra.Command {
	return newTournamentChangeCommand("swap NAME MEMBER MEMBER", "Exchange two members in the newest round of a swiss tournament",
		exactArgs("NAME", "MEMBER", "MEMBER"),
		func(cmd *cobra.Command, s *clubmail.Mail, args []string) (string, func(*tournament.Tournament) ([]string, error), error) {
			a, err := s.FindMember(cmd.Context(), args[1])
			if err != nil {
				return "", nil, err
			}
			b, err := s.FindMember(cmd.Context(), args[2])
			if err != nil {
				return "", nil, err
			}
			return fmt.Sprintf("two players of the tournament %s were swapped", args[0]),
				func(t *tournament.Tournament) ([]string, error) { return t.Swap(a.ID, b.ID) }, nil
		})
}

func withdrawCommand() *cobra.Command {
	return newTournamentChangeCommand("withdraw NAME MEMBER", "Remove a member from a tournament", exactArgs("NAME", "MEMBER"),
		func(cmd *cobra.Command, s *clubmail.Mail, args []string) (string, func(*tournament.Tournament) ([]string, error), error) {
			m, err := s.FindMember(cmd.Context(), args[1])
			if err != nil {
				return "", nil, err
			}
			return fmt.Sprintf("a player was withdrawn from the tournament %s", args[0]),
				func(t *tournament.Tournament) ([]string, error) { return nil, t.Withdraw(m.ID) }, nil
		})
}

func callOffCommand() *cobra.Command {
	return newTournamentChangeCommand("call-off NAME", "Call a tournament off; its matches continue as separate matches", exactArgs("NAME"),
		func(_ *cobra.Command, _ *clubmail.Mail, args []string) (string, func(*tournament.Tournament) ([]string, error), error) {
			return fmt.Sprintf("the tournament %s is called off", args[0]),
				func(t *tournament.Tournament) ([]string, error) { return nil, t.CallOff() }, nil
		})
}

var errNoClub = errors.New("there is no club: set \"club: registration\" in the configuration")

func withClub(cmd *cobra.Command, do func(*daemon.Daemon, *clubmail.Mail) error) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		if d.Club == nil {
			return errNoClub
		}
		return do(d, d.Club)
	})
}

func ladderCommand() *cobra.Command {
	var recompute, asJSON bool
	cmd := &cobra.Command{
		Use:   "ladder GAME",
		Short: "Show the ladder of a game, or compute it again from its results",
		Long: "Show the ladder of a game as it was last computed. Ratings depend only on the\n" +
			"results: --recompute computes them again, for the time of the stored ladder, and\n" +
			"ends with status 1 if anything differs. With --json the ladder is one JSON object.",
		Args: exactArgs("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withClub(cmd, func(d *daemon.Daemon, s *clubmail.Mail) error {
				if _, err := games.Find(args[0]); err != nil {
					return err
				}
				if err := s.RateMatches(cmd.Context(), time.Now()); err != nil {
					return err
				}
				storedLadder, err := d.DB.Club.Ladder(cmd.Context(), args[0])
				switch {
				case err != nil:
					return err
				case storedLadder == nil:
					_, err := fmt.Fprintf(cmd.OutOrStdout(), "No rated match of %s has ended yet.\n", args[0])
					return err
				case recompute:
					recomputed, err := s.ComputeLadder(cmd.Context(), args[0], storedLadder.ComputedAt)
					if err != nil {
						return err
					}
					isSame, err := report.CompareLadders(cmd.OutOrStdout(), *storedLadder, recomputed)
					return differsError(isSame, err)
				case asJSON:
					return report.WriteLadderJSON(cmd.OutOrStdout(), *storedLadder)
				}
				names, err := s.PlayerNames(cmd.Context(), *storedLadder)
				if err != nil {
					return err
				}
				return report.PrintLadder(cmd.OutOrStdout(), *storedLadder, names)
			})
		},
	}
	cmd.Flags().BoolVar(&recompute, "recompute", false, "compute it again and compare")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write it as JSON")
	return cmd
}
