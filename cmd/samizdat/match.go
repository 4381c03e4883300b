package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/history"
	"samizdat/internal/report"
	"samizdat/internal/table"
	"samizdat/rules"
	"samizdat/storage"
)

func newMatchCommand() *cobra.Command {
	var seats, options []string
	var chanceFile string
	var terms matchTerms
	var createsDatabase bool
	cmd := &cobra.Command{
		Use:   "new GAME",
		Short: "Begin a match: invite its players by mail",
		Long: "Begin a match: invite its players, in the order of seats. In 1989 the first seat is\n" +
			"the Democrat, the second the Communist. The match starts when all have joined. A\n" +
			"missing database is created by \"samizdat serve\", or here with --create.",
		Example: "  samizdat new 1989 --seat \"Ada <ada@example.org>\" --seat \"Ben <ben@example.org>\"",
		Args:    exactArgs("GAME"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			inv := adjudicator.Invitation{Game: args[0], Players: seats, Options: map[string]string{}}
			for _, o := range options {
				name, value, ok := strings.Cut(o, "=")
				if !ok {
					return fmt.Errorf("--option %s: write name=value", o)
				}
				inv.Options[name] = value
			}
			if chanceFile != "" {
				rec, err := record.ReadFile(chanceFile)
				if err != nil {
					return err
				}
				inv.Recorded = rec.Outcomes()
			}
			if chanceFile != "" && cmp.Or(terms.words, terms.beacon) != "" {
				return errors.New("--chance cannot be used with --words or --beacon: all dice and cards come from the record")
			}
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			if err := terms.apply(&inv, cfg); err != nil {
				return err
			}
			if len(seats) == 0 {
				return usageError{cmd, errors.New("--seat ADDRESS is missing; write it once for each seat")}
			}
			return invite(cmd, inv, createsDatabase)
		},
	}
	cmd.Flags().StringArrayVar(&seats, "seat", nil,
		"a player's mail address, with a name or without: \"Ben <ben@example.org>\"; once for each seat")
	cmd.Flags().StringArrayVar(&options, "option", nil, "an option of the game, as name=value (1989: extra=0 to 9, or bidding=yes)")
	terms.addFlags(cmd)
	cmd.Flags().BoolVar(&createsDatabase, "create", false, "create a new database if there is none")
	cmd.Flags().StringVar(&chanceFile, "chance", "", "take all dice and cards from a record, to replay a game played elsewhere")
	return cmd
}

// matchTerms are the flags for the terms of a new match. An empty flag means the configured value.
type matchTerms struct{ observe, tempo, timeout, words, beacon, talk string }

func (t *matchTerms) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.observe, "observe", "open",
		"whether others may watch by mail: no, open, or a delay, such as 36h or 3d")
	cmd.Flags().StringVar(&t.tempo, "tempo", "",
		"time of the players: none, fast, standard, slow, a tempo such as 72h+12h<=120h, or \"phase 48h\" (default: as configured)")
	cmd.Flags().StringVar(&t.timeout, "zero", "", "what happens when a player has no time left: claim, forfeit or silence "+
		"(default: as configured)")
	cmd.Flags().StringVar(&t.words, "words", "",
		"how the words of players are mixed into the dice: open (shown at once), or sealed (each player commits to words before any "+
			"are shown) (default: as configured)")
	cmd.Flags().StringVar(&t.beacon, "beacon", "",
		"mix a public beacon into the dice: none, wait (the match begins only with its value), or try (after a time, such as "+
			"\"try 6h\", it begins without the value) (default: as configured)")
	cmd.Flags().StringVar(&t.talk, "talk", "on", "whether players can send each other messages: on or off")
}

func (t matchTerms) apply(inv *adjudicator.Invitation, cfg config.Config) (err error) {
	if inv.ObserverPolicy, err = match.ParseObserverPolicy(t.observe); err != nil {
		return fmt.Errorf("--observe: %w", err)
	}
	if inv.Tempo, err = clock.ParseTempo(cmp.Or(t.tempo, cfg.Tempo)); err != nil {
		return fmt.Errorf("--tempo: %w", err)
	}
	if inv.OnTimeout, err = clock.ParseTimeoutPolicy(cmp.Or(t.timeout, cfg.OnTimeout)); err != nil {
		return fmt.Errorf("--zero: %w", err)
	}
	if inv.SealedWords, err = invitation.ParseWords(cmp.Or(t.words, cfg.Words)); err != nil {
		return fmt.Errorf("--words: %w", err)
	}
	if inv.Beacon, err = invitation.ParseBeacon(cmp.Or(t.beacon, cfg.Beacon.Mode)); err != nil {
		return fmt.Errorf("--beacon: %w", err)
	}
	talk, err := invitation.ParseTalk(t.talk)
	if err != nil {
		return fmt.Errorf("--talk: %w", err)
	}
	inv.TalkOff = !talk
	if inv.Beacon.IsUsed && strings.TrimSpace(cfg.Beacon.ServerURLs) == "" {
		return errors.New("--beacon needs a beacon server: set \"beacon: url\" in the configuration")
	}
	return nil
}

func invite(cmd *cobra.Command, inv adjudicator.Invitation, create bool) error {
	// The invitation is checked before a database is created.
	if err := table.TryInvitation(cmd.Context(), games, inv); err != nil {
		return err
	}
	open := withDatabase
	if create {
		open = withDaemon
	}
	err := open(cmd, func(d *daemon.Daemon) error {
		m, err := d.Adjudicator.CreateMatch(cmd.Context(), inv)
		if err != nil {
			return err
		}
		return printNewMatch(cmd.OutOrStdout(), d, m.ID, inv.Players)
	})
	if errors.Is(err, config.ErrNoDatabase) {
		return fmt.Errorf("%w. To create a new database there, add --create", err)
	}
	return err
}

func printNewMatch(out io.Writer, d *daemon.Daemon, match string, players []string) error {
	isServed, err := daemon.IsServed(d.Config.Data)
	if err != nil {
		return err
	}
	when := "now, by the running daemon"
	if !isServed {
		when = "when \"samizdat serve\" runs; it is not running now"
	}
	path, err := d.Config.FindDatabase()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Match %s: invitations go to %s.\nThe database is %s. The invitations are sent %s.\n", match,
		strings.Join(players, ", "), path, when)
	return nil
}

func exportCommand() *cobra.Command {
	var hidden bool
	cmd := &cobra.Command{
		Use:   "export MATCH",
		Short: "Write a match's record",
		Long: "Write a match's record as JSON Lines. Before the match is over, it contains only public\n" +
			"fields; --hidden adds the others, for the operator alone.",
		Args: exactArgs("MATCH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withDatabase(cmd, func(d *daemon.Daemon) error {
				rec, err := d.Adjudicator.Export(cmd.Context(), args[0], hidden)
				if err != nil {
					return err
				}
				return rec.Write(cmd.OutOrStdout())
			})
		},
	}
	cmd.Flags().BoolVar(&hidden, "hidden", false, "also write hidden fields and the secret")
	return cmd
}

func matchesCommand() *cobra.Command {
	var includeOver, addresses, asJSON bool
	cmd := &cobra.Command{
		Use:   "matches",
		Short: "List the matches: their states, and whom they wait for",
		Long: "List the running matches, and those that players are invited to, one per line: name, game,\n" +
			"state and its start, who has to move, and since what time. The match that has waited longest\n" +
			"comes first. If clocks run, the line shows the time left of each seat and the deadline. All\n" +
			"times are UTC. With --json a line is an object, which also has the turn, the score, and for\n" +
			"each seat the number of letters that did not arrive. Hidden information is not shown. The\n" +
			"command only reads the database, so it can run next to a daemon.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := loadConfig(cmd)
			if err != nil {
				return err
			}
			if err := checkDatabase(cfg); err != nil {
				return err
			}
			list, err := storage.ListMatches(cmd.Context(), cfg.DSN(), cfg.KeyFile(), time.Now(),
				storage.ListOptions{Over: includeOver, Addresses: addresses})
			if err != nil {
				return err
			}
			if asJSON {
				return report.WriteMatchesJSON(cmd.OutOrStdout(), list, addresses)
			}
			return report.PrintMatches(cmd.OutOrStdout(), list, includeOver, addresses)
		},
	}
	cmd.Flags().BoolVar(&includeOver, "all", false, "also list finished matches, with their results")
	cmd.Flags().BoolVar(&addresses, "addresses", false, "also show the players' addresses; letters go to the first address of a seat")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write lines of JSON")
	return cmd
}

func logCommand() *cobra.Command {
	var log history.LogWriter
	var seat string
	cmd := &cobra.Command{
		Use:   "log MATCH|FILE",
		Short: "Write the history of a match as lines, for programs",
		Long: "Write the history of a match as lines: orders, dice, draws, and what letters told of\n" +
			"them. A line has six fields, separated by tabs: entry, time, turn, seat, kind, text. The\n" +
			"kinds are order, die, draw, remark, told, alone (told only to one seat) and curve\n" +
			"(a number of the game after the entry). With --json a line is an object. It shows\n" +
			"the same information as the command history. A record with only public fields has no turns,\n" +
			"and only the kinds order, die, draw and remark.",
		Example: "  samizdat log match.jsonl --turn 3 | grep -P '\\tdie\\t'",
		Args:    exactArgs("MATCH or FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readOrExportRecord(cmd, args[0])
			if err != nil {
				return err
			}
			s, err := report.NewHistory(games, rec, seat, time.Now())
			if errors.Is(err, report.ErrPublic) && seat == "" {
				s, err = report.NewOutline(games, rec)
			}
			if err != nil {
				return err
			}
			return log.Write(cmd.OutOrStdout(), s)
		},
	}
	cmd.Flags().IntVar(&log.Turn, "turn", 0, "write only this turn")
	cmd.Flags().BoolVar(&log.JSON, "json", false, "write lines of JSON")
	addSeatFlag(cmd, &seat)
	return cmd
}

func resendCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "resend MATCH SEAT",
		Short: "Send a player the state of the match, if letters to the player were lost",
		Long: "Queue a letter to a seat with the current state of the match, as STATUS does, for a\n" +
			"player who has no letter left to answer. It goes to the player's address, with a valid\n" +
			"token. Nothing else changes, and the other players are not told. You can run this\n" +
			"command while a daemon is running. SEAT is a seat's name or number.",
		Example: "  samizdat resend mabcdefg democrat",
		Args:    exactArgs("MATCH", "SEAT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSeat(cmd, args[0], args[1], func(d *daemon.Daemon, m *match.Match, seat rules.Seat) error {
				r, err := d.Adjudicator.Resend(cmd.Context(), m.ID, seat)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Match %s, %s: letter %d with the current position goes to %s as soon as \"samizdat serve\" runs.\n",
					m.ID, m.Seats[seat].Name, r.Number, r.To)
				return nil
			})
		},
	}
}
