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
	var partial bool
	var mailboxes []string
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check records: their chain, their dice and cards, and every order",
		Long: "Check a record from nothing but itself: that each entry follows on the one before,\n" +
			"that every die and card is what the published secret and the players' words give,\n" +
			"and that every order was legal and led where the record says. Whatever made dice and\n" +
			"cards new is listed: a take-back, an undo, a restore. Of a match that goes on only\n" +
			"the chain and that list can be checked. \"-\" reads the standard input.\n\n" +
			"The history must reach the end of the match: --partial takes one that stops before.\n" +
			"A cut leaves no trace in a record of a match that goes on, nor at an end that was\n" +
			"undone later. What you hold yourself tells: --hash takes a hash from the foot of any\n" +
			"letter, --commitment that of the invitation, and --words your own words for the dice.\n" +
			"A record that does not have them is not that of the match that the letters told of.\n\n" +
			"--letters does all of it with the mailbox in which you keep letters, an mbox, a maildir\n" +
			"or a directory of messages: each letter of the match must show a hash of this\n" +
			"history, in its order and with its epoch, and once the secret is published dice, hand,\n" +
			"map, winner and whose move it is must be those of the record. One that is otherwise is\n" +
			"named by its date and subject. Other mails may lie between. Of several FILEs a line\n" +
			"each is printed.",
		Example: "  samizdat verify match.jsonl --hash e204c455b365bc84bb725710ff36184d4cbbb3894d4652e5f51049780f97ffa8\n" +
			"  samizdat verify match.jsonl --letters ~/Mail/samizdat",
		Args: requireFiles,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if evidence.Letters, err = report.ReadLetters(mailboxes); err != nil {
				return err
			}
			if len(args) > 1 {
				if len(evidence.Hashes)+len(evidence.Commitments)+len(evidence.Words) > 0 {
					return usageError{cmd, errors.New("--hash, --commitment and --words are of one match: name one FILE")}
				}
				// Records are short-lived, so fewer garbage collections suffice.
				defer debug.SetGCPercent(debug.SetGCPercent(800))
				same, err := report.VerifyFiles(cmd.Context(), cmd.OutOrStdout(), games, args, evidence.Letters, partial)
				return orDiffers(same, err)
			}
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			same, err := report.Verify(cmd.OutOrStdout(), games, rec, evidence, partial)
			return orDiffers(same, err)
		},
	}
	cmd.Flags().StringArrayVar(&evidence.Hashes, "hash", nil, "a history hash of a letter; may be given more than once")
	cmd.Flags().StringArrayVar(&evidence.Commitments, "commitment", nil, "the SHA-256 of the secret, as the invitation says it")
	cmd.Flags().StringArrayVar(&evidence.Words, "words", nil,
		"the words for the dice that a player has joined with; may be given more than once")
	cmd.Flags().StringArrayVar(&mailboxes, "letters", nil,
		"a mailbox with letters of the referee: an mbox, a maildir, or a directory of messages")
	cmd.Flags().StringArrayVar(&evidence.Seals, "seal", nil,
		"a seal of words, out of the letter that showed them all; may be given more than once")
	cmd.Flags().Int64SliceVar(&evidence.Rounds, "round", nil, "the round of a public beacon, out of the letter that named it")
	cmd.Flags().BoolVar(&partial, "partial", false, "take a record that stops before the match ends")
	return cmd
}

func requireFiles(cmd *cobra.Command, args []string) error {
	return exactArgs("FILE")(cmd, args[:min(len(args), 1)])
}

func replayCommand() *cobra.Command {
	var state, every bool
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Play a record again, and compare it with what it expects",
		Long: "Play a record again with the outcomes that it holds, and stop at the first entry\n" +
			"that is illegal or does not match. Expectations in the record are compared, and\n" +
			"every difference is printed with its line. \"-\" reads the standard input.",
		Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := readRecord(cmd, args[0])
			if err != nil {
				return err
			}
			same, err := report.Replay(cmd.OutOrStdout(), games, rec, state, every)
			return orDiffers(same, err)
		},
	}
	cmd.Flags().BoolVar(&state, "state", false, "print the position after the last entry, as JSON")
	cmd.Flags().BoolVar(&every, "every", false, "print the position after each entry, a line each")
	return cmd
}

// readRecord reads a record from a file, or from the standard input.
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
		Long: "Write the history of a match as one page that needs nothing beside itself: move by\n" +
			"move, with the drawn map, every die, what letters told, a curve, and what verify\n" +
			"finds. After the match it shows the cards of all. Before, it shows what everybody may\n" +
			"see, or with --seat what that seat sees. FILE is a whole record; MATCH is the\n" +
			"identifier of a match in the database.",
		Example: "  samizdat history match.jsonl -o pages",
		Args:    exactArgs("MATCH or FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := recordOf(cmd, args[0])
			if err != nil {
				return err
			}
			s, err := report.History(games, rec, seat, time.Now())
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
				return fmt.Errorf("make the directory: %w", err)
			}
			if err := report.WriteFile(path, s.HTML); err != nil {
				return fmt.Errorf("write the page: %w", err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d entries\n", path, len(s.Moves))
			return err
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", ".", "directory to write to; it is made if it is not there")
	seatFlag(cmd, &seat)
	return cmd
}

func seatFlag(cmd *cobra.Command, seat *string) {
	cmd.Flags().StringVar(seat, "seat", "", "tell what this seat may know")
}

func mapCommand() *cobra.Command {
	plan := report.Map{}
	cmd := &cobra.Command{
		Use:   "map RECORD [-o FILE]",
		Short: "Draw the map of a record or of a match",
		Long: "Play a record and draw the map at its end, or after an entry. The name of the file\n" +
			"says how: .svg, .png, or .txt for a map in letters (also for \"-\", the standard\n" +
			"output). The map shows what spectators may see, or the seat of --seat. What the last\n" +
			"entry changed is marked, or what all entries after --since did. RECORD is a file, or\n" +
			"the identifier of a match in the database.",
		Args: exactArgs("RECORD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := recordOf(cmd, args[0])
			if err != nil {
				return err
			}
			return plan.Write(cmd.OutOrStdout(), games, rec)
		},
	}
	cmd.Flags().StringVarP(&plan.Path, "output", "o", "-", "file to write: .txt, .svg or .png")
	cmd.Flags().StringVar(&plan.Seat, "seat", "", "whose eyes to draw for (without it those of spectators)")
	cmd.Flags().IntVar(&plan.Entry, "entry", -1, "number of the last entry to play (without it all)")
	cmd.Flags().IntVar(&plan.Since, "since", -1, "mark what entries after this one changed")
	cmd.Flags().Float64Var(&plan.Scale, "scale", 1, "size of a PNG: 1 is 1000 pixels wide for 1989")
	return cmd
}

// recordOf reads a record from a file or, without a file of this name, exports it from the database.
func recordOf(cmd *cobra.Command, name string) (*record.Record, error) {
	rec, err := readRecord(cmd, name)
	if !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(name, `./\`) {
		return rec, err
	}
	err = withDatabase(cmd, func(d *daemon.Daemon) (err error) {
		// A position needs the hidden fields, which the map does not show.
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
		Short: "Say in numbers what dice and cards have done, and whether fair ones do so",
		Long: "Count dice, draws, and what a game counts beside them, in records, or in the matches\n" +
			"of the database: all of them (--club), or those of a player (--player, his address or\n" +
			"what he is called; in records the name in the header). Dice are counted by face, with\n" +
			"the chi-square and how often fair dice are as uneven, or have so low a mean. --svg\n" +
			"draws them. Of matches that go on only what everybody may know is counted.",
		Example: "  samizdat stats *.jsonl --svg dice.svg",
		RunE: func(cmd *cobra.Command, files []string) error {
			if len(files) == 0 && !club && player == "" {
				return usageError{cmd, errors.New("name records, --player or --club")}
			}
			if len(files) > 0 && club {
				return usageError{cmd, errors.New("--club takes no files")}
			}
			var sum statistics.Totals
			var err error
			if len(files) > 0 {
				err = countFiles(cmd, &sum, files, player)
			} else {
				err = countMatches(cmd, &sum, player)
			}
			if err == nil && sum.Matches == 0 {
				err = errors.New("there is no such match")
			}
			if err == nil {
				err = report.Statistics(cmd.OutOrStdout(), &sum)
			}
			if err != nil || svg == "" {
				return err
			}
			return report.WriteFile(svg, func(w io.Writer) error { return report.Plot(w, &sum) })
		},
	}
	cmd.Flags().StringVar(&svg, "svg", "", "file to draw the dice to")
	cmd.Flags().StringVar(&player, "player", "", "count what this player did, and the others together")
	cmd.Flags().BoolVar(&club, "club", false, "count all matches of the database")
	return cmd
}

// otherSeats is the label of all players except that of --player.
const otherSeats = "the others"

// countRecord adds a record to the statistics. Without a player each seat is counted, otherwise the player and all
// other seats together, in the player's matches only.
func countRecord(sum *statistics.Totals, rec *record.Record, player string, isPlayer func(seat string) bool) error {
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
			return otherSeats
		}
		sum.FindSeat(player)
	}
	return sum.AddRecord(g, rec, nameOf)
}

func countFiles(cmd *cobra.Command, sum *statistics.Totals, files []string, player string) error {
	for _, file := range files {
		rec, err := readRecord(cmd, file)
		if err == nil {
			err = countRecord(sum, rec, player, func(seat string) bool { return strings.EqualFold(rec.Header.Seats[seat], player) })
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func countMatches(cmd *cobra.Command, sum *statistics.Totals, player string) error {
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
			plays := map[string]bool{}
			for _, s := range m.Seats {
				plays[s.Name] = strings.EqualFold(s.Player.Address, player) || strings.EqualFold(s.PlayerName, player)
			}
			rec, err := d.Adjudicator.Export(cmd.Context(), id, false)
			if err == nil {
				err = countRecord(sum, rec, player, func(seat string) bool { return plays[seat] })
			}
			if err != nil {
				return fmt.Errorf("match %s: %w", id, err)
			}
		}
		return nil
	})
}
