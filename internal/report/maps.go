package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Map is what map to draw, and where it goes.
type Map struct {
	// Path is the file, whose ending says what kind of map it gets; "-" is the output.
	Path string
	// Seat is whose eyes to draw for; empty for those of observers.
	Seat string
	// Entry is the last entry to play, Since the last that changes are not marked
	// of; negative numbers are not given.
	Entry, Since int
	// Scale is the size of a PNG.
	Scale float64
}

// errFarEnough ends a replay at the entry that was asked for.
var errFarEnough = errors.New("far enough")

// Write plays the record and writes the map.
func (m Map) Write(out io.Writer, games rules.Games, rec *record.Record) error {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return err
	}
	maps, ok := g.(adjudicator.Cartographer)
	if !ok {
		return fmt.Errorf("there is no map of %s", g.Title())
	}
	seat, err := seatNamed(g, rec, m.Seat)
	if err != nil {
		return err
	}
	p, since, err := m.play(g, rec, seat)
	if err != nil {
		return err
	}
	view := p.View(seat)
	switch kind := strings.ToLower(filepath.Ext(m.Path)); {
	case m.Path == "-":
		return writeLines(out, maps.TextMap(view, since))
	case kind == ".txt":
		return writeFile(m.Path, func(w io.Writer) error { return writeLines(w, maps.TextMap(view, since)) })
	case kind == ".svg":
		return writeFile(m.Path, maps.Draw(view, since).SVG)
	case kind == ".png":
		return writeFile(m.Path, func(w io.Writer) error { return maps.Draw(view, since).PNG(w, m.Scale) })
	}
	return fmt.Errorf("%s: maps are written to files that end in .txt, .svg or .png", m.Path)
}

// play plays the record as far as asked, and gathers the events whose changes
// are to be marked, as far as the seat was an audience of them.
func (m Map) play(g rules.Game, rec *record.Record, seat rules.Seat) (rules.Position, []rules.Event, error) {
	var since []rules.Event
	final, err := record.Replay(rec, g, func(v record.Visit) error {
		if m.Since < 0 || v.Entry.Seq <= m.Since {
			since = since[:0]
		}
		if m.Since < 0 || v.Entry.Seq > m.Since {
			for _, e := range v.Events {
				if e.Audience.Has(seat) {
					since = append(since, e)
				}
			}
		}
		if m.Entry >= 0 && v.Entry.Seq >= m.Entry {
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
	if m.Entry >= 0 {
		return nil, nil, fmt.Errorf("the record has no entry %d: %d were played", m.Entry, final.Entries)
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
