package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/statistics"
	"samizdat/internal/daemon"
	"samizdat/internal/report"
)

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
				return errUsage{cmd, errors.New("name records, --player or --club")}
			}
			if len(files) > 0 && club {
				return errUsage{cmd, errors.New("--club takes no files")}
			}
			var sum statistics.Sum
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
			return writeFile(svg, func(w io.Writer) error { return report.Plot(w, &sum) })
		},
	}
	cmd.Flags().StringVar(&svg, "svg", "", "file to draw the dice to")
	cmd.Flags().StringVar(&player, "player", "", "count what this player did, and the others together")
	cmd.Flags().BoolVar(&club, "club", false, "count all matches of the database")
	return cmd
}

// others are all who are not the player that is asked about.
const others = "the others"

// counts adds a record. Without a player each seat counts by itself; with one he does, and all
// others together, of the matches that he plays in.
func counts(sum *statistics.Sum, rec *record.Record, player string, is func(seat string) bool) error {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return err
	}
	who := func(seat string) string { return cmp.Or(seat, "several at once") }
	if player != "" {
		plays := false
		for seat := range rec.Header.Seats {
			plays = plays || is(seat)
		}
		if !plays {
			return nil
		}
		who = func(seat string) string {
			if is(seat) {
				return player
			}
			return others
		}
		sum.Seat(player)
	}
	return sum.Record(g, rec, who)
}

func countFiles(cmd *cobra.Command, sum *statistics.Sum, files []string, player string) error {
	for _, file := range files {
		rec, err := readRecord(cmd, file)
		if err == nil {
			err = counts(sum, rec, player, func(seat string) bool { return strings.EqualFold(rec.Header.Seats[seat], player) })
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func countMatches(cmd *cobra.Command, sum *statistics.Sum, player string) error {
	return withDatabase(cmd, func(d *daemon.Daemon) error {
		ids, err := d.DB.Begun(cmd.Context())
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
				plays[s.Name] = strings.EqualFold(s.Player.Address, player) || strings.EqualFold(s.Called, player)
			}
			rec, err := d.Adjudicator.Export(cmd.Context(), id, false)
			if err == nil {
				err = counts(sum, rec, player, func(seat string) bool { return plays[seat] })
			}
			if err != nil {
				return fmt.Errorf("match %s: %w", id, err)
			}
		}
		return nil
	})
}
