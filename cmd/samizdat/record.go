package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/statistics"
	"samizdat/internal/daemon"
	"samizdat/internal/report"
)

func verifyCommand() *cobra.Command {
	var evidence report.Evidence
	var isPartial bool
	var mailboxes []string
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check records: their chain, dice, cards and orders",
		Long: "Check a record without other data: that each entry continues the chain, that every die\n" +
			"and card follows from the published secret and the players' words, and that every order\n" +
			"was legal and had the recorded effect. Everything that gave new dice and cards is listed:\n" +
			"a take-back, an undo, a restore. Of a running match, only the chain and that list can be\n" +
			"checked. \"-\" reads the standard input.\n\n" +
			"The history must reach the end of the match; --partial accepts a shorter history.\n" +
			"The record of a running match alone cannot prove that no entry is missing at its end, or\n" +
			"that its last entries were not undone later. Your own data can: --hash takes a hash from\n" +
			"the end of any letter, --commitment takes the commitment of the invitation, and --words\n" +
			"takes your own words for the dice. A record that does not contain these values is not the\n" +
			"record of that match.\n\n" +
			"--letters checks all this with the mailbox that contains your letters, an mbox, a\n" +
			"maildir or a directory of messages: each letter of the match must show a hash of this\n" +
			"history; the hashes must come in the order of the history, with the right epochs. Once\n" +
			"the secret is published, the dice, hand, map, winner and side to move must be those of\n" +
			"the record. A letter that differs is named by its date and subject. The mailbox may\n" +
			"contain other mail. With several FILEs, the command prints one line for each.",
		Example: "  samizdat verify match.jsonl --hash e204c455b365bc84bb725710ff36184d4cbbb3894d4652e5f51049780f97ffa8\n" +
			"  samizdat verify match.jsonl --letters ~/Mail/samizdat",
		Args: requireFiles,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if evidence.Letters, err = report.ReadLetters(mailboxes); err != nil {
				return err
			}
			if len(args) > 1 {
				if len(evidence.Hashes)+len(evidence.Commitments)+len(evidence.Words) > 0 {
					return usageError{cmd, errors.New("--hash, --commitment and --words need a single FILE, because they belong to a match")}
				}
				// With fewer garbage collections many records are verified faster.
				defer debug.SetGCPercent(debug.SetGCPercent(800))
				isSame, err := report.VerifyFiles(cmd.Context(), cmd.OutOrStdout(), games, args, evidence.Letters, isPartial)
				return differsError(isSame, err)
			}
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			isSame, err := report.Verify(cmd.OutOrStdout(), games, rec, evidence, isPartial)
			return differsError(isSame, err)
		},
	}
	cmd.Flags().StringArrayVar(&evidence.Hashes, "hash", nil, "a history hash of a letter; may be given more than once")
	cmd.Flags().StringArrayVar(&evidence.Commitments, "commitment", nil, "the SHA-256 of the secret, from the invitation")
	cmd.Flags().StringArrayVar(&evidence.Words, "words", nil,
		"a player's words for the dice; may be given more than once")
	cmd.Flags().StringArrayVar(&mailboxes, "letters", nil,
		"a mailbox with letters of the referee: an mbox, a maildir, or a directory of messages")
	cmd.Flags().StringArrayVar(&evidence.Seals, "seal", nil,
		"a seal of words, from the letter that shows them all; may be given more than once")
	cmd.Flags().Int64SliceVar(&evidence.Rounds, "round", nil, "the round of a public beacon, from the letter that names it")
	cmd.Flags().BoolVar(&isPartial, "partial", false, "accept a record that stops before the end of the match")
	return cmd
}

func requireFiles(cmd *cobra.Command, args []string) error {
	return exactArgs("FILE")(cmd, args[:min(len(args), 1)])
}

func replayCommand() *cobra.Command {
	var withState, withEachState bool
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Replay a record, and compare the results with the expected results in it",
		Long: "Replay a record with the outcomes in it, and stop at the first entry that is illegal or\n" +
			"does not match. Expected results in the record are compared, and every difference is\n" +
			"printed with its line. \"-\" reads the standard input.",
		Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			isSame, err := report.Replay(cmd.OutOrStdout(), games, rec, withState, withEachState)
			return differsError(isSame, err)
		},
	}
	cmd.Flags().BoolVar(&withState, "state", false, "print the position after the last entry, as JSON")
	cmd.Flags().BoolVar(&withEachState, "every", false, "print the position after each entry, one per line")
	return cmd
}

// readRecord reads a record from a file or, if path is "-", from the standard input.
func readRecord(cmd *cobra.Command, path string) (*record.Record, error) {
	if path != "-" {
		return record.ReadFile(path)
	}
	rec, err := record.Read(input(cmd, "A record is read from the terminal."))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rec, nil
}

func historyCommand() *cobra.Command {
	var dir, seat string
	cmd := &cobra.Command{
		Use:   "history MATCH|FILE -o DIR",
		Short: "Write the history of a match as a page",
		Long: "Write the history of a match as one page that needs no other file: move by move, with\n" +
			"the drawn map, every die, the sentences of the letters, curves of the score, and the\n" +
			"result of verify. After the end of the match it shows all cards. Before the end it shows\n" +
			"public information, or with --seat the information of that seat. FILE is a complete\n" +
			"record; MATCH is the identifier of a match in the database.",
		Example: "  samizdat history match.jsonl -o pages",
		Args:    exactArgs("MATCH or FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readOrExportRecord(cmd, args[0])
			if err != nil {
				return err
			}
			s, err := report.NewHistory(games, rec, seat, time.Now())
			if err != nil {
				return err
			}
			s.Build = version()
			name := cmp.Or(s.Match, strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])))
			if seat != "" {
				name += "-" + strings.ToLower(seat)
			}
			path := filepath.Join(dir, name+".html")
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return fmt.Errorf("create the directory: %w", err)
			}
			if err := report.WriteFile(path, s.HTML); err != nil {
				return fmt.Errorf("write the page: %w", err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d entries\n", path, len(s.Moves))
			return err
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", ".", "directory to write to; it is created if missing")
	addSeatFlag(cmd, &seat)
	return cmd
}

func addSeatFlag(cmd *cobra.Command, seat *string) {
	cmd.Flags().StringVar(seat, "seat", "", "show the information of this seat")
}

func mapCommand() *cobra.Command {
	options := report.MapOptions{}
	cmd := &cobra.Command{
		Use:   "map RECORD [-o FILE]",
		Short: "Draw the map of a record or of a match",
		Long: "Replay a record and draw the map at its end, or after an entry. The extension of the file\n" +
			"selects the format: .svg, .png, or .txt for a map in text (also for \"-\", the standard\n" +
			"output). The map shows what observers may see, or the seat of --seat. The changes of the\n" +
			"last entry, or of all entries after --since, are marked. RECORD is a file, or the\n" +
			"identifier of a match in the database.",
		Args: exactArgs("RECORD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readOrExportRecord(cmd, args[0])
			if err != nil {
				return err
			}
			return options.Write(cmd.OutOrStdout(), games, rec)
		},
	}
	cmd.Flags().StringVarP(&options.Path, "output", "o", "-", "file to write: .txt, .svg or .png")
	cmd.Flags().StringVar(&options.Seat, "seat", "", "draw what this seat may see (default: what observers may see)")
	cmd.Flags().IntVar(&options.Entry, "entry", -1, "number of the last entry to replay (default: all)")
	cmd.Flags().IntVar(&options.Since, "since", -1, "mark the changes of entries after this one")
	cmd.Flags().Float64Var(&options.Scale, "scale", 1, "size of a PNG: 1 is 1000 pixels wide for 1989")
	return cmd
}

func readOrExportRecord(cmd *cobra.Command, name string) (*record.Record, error) {
	rec, err := readRecord(cmd, name)
	if !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(name, `./\`) {
		return rec, err
	}
	err = withDatabase(cmd, func(d *daemon.Daemon) (err error) {
		// Replaying the record needs the hidden fields. The caller does not show them.
		rec, err = d.Adjudicator.Export(cmd.Context(), name, true)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s is neither a file nor a match: %w", name, err)
	}
	return rec, nil
}

func statsCommand() *cobra.Command {
	var svg, player string
	var club bool
	cmd := &cobra.Command{
		Use:   "stats FILE... | --player NAME | --club",
		Short: "Print statistics of dice and cards, and whether they look fair",
		Long: "Count dice, draws, and other numbers of a game, in records, or in the matches of the\n" +
			"database: all of them (--club), or those of a player (--player, an address or a name; in\n" +
			"records the name in the header). Dice are counted by face, with chi-square and the\n" +
			"probabilities that fair dice would be at least as uneven, and that their mean would be at\n" +
			"most as high. --svg draws the dice. In running matches, only public information counts.",
		Example: "  samizdat stats *.jsonl --svg dice.svg",
		RunE: func(cmd *cobra.Command, files []string) error {
			if len(files) == 0 && !club && player == "" {
				return usageError{cmd, errors.New("name records, --player or --club")}
			}
			if len(files) > 0 && club {
				return usageError{cmd, errors.New("--club takes no files")}
			}
			var totals statistics.Totals
			var err error
			if len(files) > 0 {
				err = countFiles(cmd, &totals, files, player)
			} else {
				err = countMatches(cmd, &totals, player)
			}
			if err == nil && totals.Matches == 0 {
				err = errors.New("there is no such match")
			}
			if err == nil {
				err = report.PrintStatistics(cmd.OutOrStdout(), &totals)
			}
			if err != nil || svg == "" {
				return err
			}
			return report.WriteFile(svg, func(w io.Writer) error { return report.DrawDice(w, &totals) })
		},
	}
	cmd.Flags().StringVar(&svg, "svg", "", "file to draw the dice to")
	cmd.Flags().StringVar(&player, "player", "", "count this player, and all others together")
	cmd.Flags().BoolVar(&club, "club", false, "count all matches of the database")
	return cmd
}

const otherSeatsLabel = "the others"

// countRecord adds a record to the statistics. If player is empty, it counts each seat. Otherwise it counts the player, and
// all other seats together, and ignores matches without the player.
func countRecord(totals *statistics.Totals, rec *record.Record, player string, isPlayer func(seat string) bool) error {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return err
	}
	nameOf := func(seat string) string { return cmp.Or(seat, "several at once") }
	if player != "" {
		isPlaying := false
		for seat := range rec.Header.Seats {
			isPlaying = isPlaying || isPlayer(seat)
		}
		if !isPlaying {
			return nil
		}
		nameOf = func(seat string) string {
			if isPlayer(seat) {
				return player
			}
			return otherSeatsLabel
		}
		totals.FindSeat(player)
	}
	return totals.AddRecord(g, rec, nameOf)
}

func countFiles(cmd *cobra.Command, totals *statistics.Totals, files []string, player string) error {
	for _, file := range files {
		rec, err := readRecord(cmd, file)
		if err == nil {
			err = countRecord(totals, rec, player, func(seat string) bool { return strings.EqualFold(rec.Header.Seats[seat], player) })
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func countMatches(cmd *cobra.Command, totals *statistics.Totals, player string) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		ids, err := d.DB.StartedMatches(cmd.Context())
		if err != nil {
			return err
		}
		for _, id := range ids {
			m, err := d.DB.Match(cmd.Context(), id)
			if err != nil {
				return err
			}
			isPlaying := map[string]bool{}
			for _, s := range m.Seats {
				isPlaying[s.Name] = strings.EqualFold(s.Player.Address, player) || strings.EqualFold(s.PlayerName, player)
			}
			rec, err := d.Adjudicator.Export(cmd.Context(), id, false)
			if err == nil {
				err = countRecord(totals, rec, player, func(seat string) bool { return isPlaying[seat] })
			}
			if err != nil {
				return fmt.Errorf("match %s: %w", id, err)
			}
		}
		return nil
	})
}
