package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/internal/daemon"
	"samizdat/rules"
)

// mapPlan is what map to draw, and where it goes.
type mapPlan struct {
	out, seat string
	// entry is the last entry to play, since the last that changes are not marked
	// of; negative numbers are not given.
	entry, since int
	scale        float64
}

func mapCommand() *cobra.Command {
	plan := mapPlan{}
	cmd := &cobra.Command{
		Use:   "map RECORD -o FILE",
		Short: "Draw the map of a record or of a match",
		Long: "Play a record and draw the map at its end, or after an entry. The name of the file\n" +
			"says how: .svg, .png, or .txt for a map in letters (also for \"-\", the standard\n" +
			"output). The map shows what spectators may see, or the seat of --seat. What the last\n" +
			"entry changed is marked, or what all entries after --since did. RECORD is a file, or\n" +
			"the identifier of a match in the database.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rec, err := recordOf(cmd, args[0])
			if err != nil {
				return err
			}
			return plan.write(cmd.OutOrStdout(), rec)
		},
	}
	cmd.Flags().StringVarP(&plan.out, "output", "o", "-", "file to write: .txt, .svg or .png")
	cmd.Flags().StringVar(&plan.seat, "seat", "", "whose eyes to draw for (without it those of spectators)")
	cmd.Flags().IntVar(&plan.entry, "entry", -1, "number of the last entry to play (without it all)")
	cmd.Flags().IntVar(&plan.since, "since", -1, "mark what entries after this one changed")
	cmd.Flags().Float64Var(&plan.scale, "scale", 1, "size of a PNG: 1 is 1000 pixels wide for 1989")
	return cmd
}

// recordOf reads a record from a file; where there is none of that name, from
// the database.
func recordOf(cmd *cobra.Command, name string) (*record.Record, error) {
	rec, err := readRecord(cmd, name)
	if !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(name, `./\`) {
		return rec, err
	}
	err = withDaemon(cmd, func(d *daemon.Daemon) (err error) {
		// A position needs the hidden fields; the map shows none of them.
		rec, err = d.Adjudicator.Export(cmd.Context(), name, true)
		return err
	})
	return rec, err
}

// errFarEnough ends a replay at the entry that was asked for.
var errFarEnough = errors.New("far enough")

// write plays the record and writes the map.
func (m mapPlan) write(out io.Writer, rec *record.Record) error {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return err
	}
	maps, ok := g.(adjudicator.Cartographer)
	if !ok {
		return fmt.Errorf("there is no map of %s", g.Title())
	}
	seat, err := m.seatOf(g, rec)
	if err != nil {
		return err
	}
	p, since, err := m.play(g, rec, seat)
	if err != nil {
		return err
	}
	view := p.View(seat)
	switch kind := strings.ToLower(filepath.Ext(m.out)); {
	case m.out == "-":
		return writeLines(out, maps.TextMap(view, since))
	case kind == ".txt":
		return writeFile(m.out, func(w io.Writer) error { return writeLines(w, maps.TextMap(view, since)) })
	case kind == ".svg":
		return writeFile(m.out, maps.Draw(view, since).SVG)
	case kind == ".png":
		return writeFile(m.out, func(w io.Writer) error { return maps.Draw(view, since).PNG(w, m.scale) })
	}
	return fmt.Errorf("%s: maps are written to files that end in .txt, .svg or .png", m.out)
}

func (m mapPlan) seatOf(g rules.Game, rec *record.Record) (rules.Seat, error) {
	if m.seat == "" {
		return rules.Nobody, nil
	}
	names := g.SeatNames(rec.Header.Setup(g))
	i := slices.Index(names, strings.ToLower(m.seat))
	if i < 0 {
		return rules.Nobody, fmt.Errorf("no seat is called %q; there are %s", m.seat, strings.Join(names, ", "))
	}
	return rules.Seat(i), nil
}

// play plays the record as far as asked, and gathers the events whose changes
// are to be marked, as far as the seat was an audience of them.
func (m mapPlan) play(g rules.Game, rec *record.Record, seat rules.Seat) (rules.Position, []rules.Event, error) {
	var since []rules.Event
	final, err := record.Replay(rec, g, func(v record.Visit) error {
		if m.since < 0 || v.Entry.Seq <= m.since {
			since = since[:0]
		}
		if m.since < 0 || v.Entry.Seq > m.since {
			for _, e := range v.Events {
				if e.Audience.Has(seat) {
					since = append(since, e)
				}
			}
		}
		if m.entry >= 0 && v.Entry.Seq >= m.entry {
			return errFarEnough
		}
		return nil
	})
	var diffs record.Differences
	switch {
	case errors.Is(err, errFarEnough):
		return final.Position, since, nil
	case errors.As(err, &diffs):
		// The replay command tells them; the map can be drawn all the same, unless
		// something failed beside them.
		var failure *record.Failure
		if !errors.As(err, &failure) {
			err = nil
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("playing the record: %w", err)
	}
	if m.entry >= 0 {
		return nil, nil, fmt.Errorf("the record has no entry %d: %d were played", m.entry, final.Entries)
	}
	return final.Position, since, nil
}

func writeLines(w io.Writer, lines []string) error {
	b := bufio.NewWriter(w)
	for _, l := range lines {
		fmt.Fprintln(b, l)
	}
	return b.Flush()
}

// writeFile creates a file and writes it.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}
