package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"samizdat/internal/history"
	"samizdat/internal/report"
)

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
		Args:    arguments("MATCH or FILE"),
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
			if err := writeFile(path, s.HTML); err != nil {
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

func logCommand() *cobra.Command {
	var log history.Log
	var seat string
	cmd := &cobra.Command{
		Use:   "log MATCH|FILE",
		Short: "Write the history of a match as lines, for programs",
		Long: "Write the history of a match as lines: orders, dice, draws, and what letters told of\n" +
			"them. A line has six fields between tabs: entry, time, turn, seat, kind, text. The\n" +
			"kinds are order, die, draw, remark, told, alone (told to one seat alone) and curve\n" +
			"(a number of the game after the entry). With --json a line is an object. What is\n" +
			"shown to whom is as with history. A record with public fields only has no turns,\n" +
			"and of the kinds order, die, draw and remark.",
		Example: "  samizdat log match.jsonl --turn 3 | grep -P '\\tdie\\t'",
		Args:    arguments("MATCH or FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := recordOf(cmd, args[0])
			if err != nil {
				return err
			}
			s, err := report.History(games, rec, seat, time.Now())
			if errors.Is(err, report.ErrPublic) && seat == "" {
				s, err = report.Outline(games, rec)
			}
			if err != nil {
				return err
			}
			return log.Write(cmd.OutOrStdout(), s)
		},
	}
	cmd.Flags().IntVar(&log.Turn, "turn", 0, "write only this turn")
	cmd.Flags().BoolVar(&log.JSON, "json", false, "write lines of JSON")
	seatFlag(cmd, &seat)
	return cmd
}

func seatFlag(cmd *cobra.Command, seat *string) {
	cmd.Flags().StringVar(seat, "seat", "", "tell what this seat may know")
}

// writeFile creates a file and writes it.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b := bufio.NewWriter(f)
	return errors.Join(write(b), b.Flush())
}
