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
