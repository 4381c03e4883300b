package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/bench"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// quick is a plan of which only a few measures are made.
func quick(t *testing.T, only string) bench.Plan {
	t.Helper()
	p := bench.Quick
	p.Games, p.Dir, p.Matches, p.Letters = rules.Games{dawn1989.Game{}}, t.TempDir(), 12, 4
	p.Only = regexp.MustCompile("^(?:" + only + ")$")
	return p
}

// TestMeasures: the loops, the null loop and what is measured in this process give rows with
// values, and leave matches that are sound.
func TestMeasures(t *testing.T) {
	t.Parallel()
	p := quick(t, "loop|record|picture|engine|outbox")
	table, err := bench.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"null loop", "letters, 1 match, text and page", "letters, 12 matches, text and page", "an entry of a record played again",
		"one picture drawn and written as a file", "engine, with new views, and the position as JSON", "100 letters wait: sending"} {
		i := slices.IndexFunc(table.Rows, func(r bench.Row) bool { return r.Name == want })
		if i < 0 || len(table.Rows[i].Values) == 0 || table.Rows[i].Values[0] <= 0 {
			t.Errorf("%q was not measured: %+v", want, table.Rows)
		}
	}
	made(t, filepath.Join(p.Dir, "many"), p.Entries)
}

// made are the matches that measures made: their records verify, and are played again by
// another build as they are stored.
func made(t *testing.T, dir string, entries int) {
	t.Helper()
	d, err := daemon.Open(t.Context(), config.Local(dir, nil), games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	untouched := 0
	for i := range 12 {
		rec, err := d.Adjudicator.Export(t.Context(), fmt.Sprintf("many%d", i), true)
		if err != nil {
			t.Fatal(err)
		}
		_, err = record.ReplayVerified(rec, dawn1989.Game{}, nil)
		if err := errors.Join(err, record.VerifyStream(rec)); err != nil || len(rec.Steps) < entries {
			t.Errorf("a record of %d entries: %v", len(rec.Steps), err)
		}
		if len(rec.Steps) == entries {
			untouched++
		}
	}
	d.Adjudicator.Build = "another"
	_, err = d.Adjudicator.Rebuild(t.Context(), "many4")
	if err := errors.Join(err, d.Close()); err != nil || untouched == 0 {
		t.Errorf("%d matches have as many entries as they were made with; %v", untouched, err)
	}
}

// TestTableOfMeasures: the table of a plan as a text and as JSON.
func TestTableOfMeasures(t *testing.T) {
	t.Parallel()
	p := quick(t, "engine")
	p.Runs = 2
	table, err := bench.Run(t.Context(), p)
	if err != nil || len(table.Rows) == 0 || slices.ContainsFunc(table.Rows, func(r bench.Row) bool { return len(r.Values) != 2 }) {
		t.Errorf("two runs give %+v, %v", table.Rows, err)
	}
	table.Rows = []bench.Row{{Name: "one", Unit: "ms", Values: []float64{3, 1234567, 2.346}}, {Name: "two", Unit: "MB", Values: []float64{0.003, 1234.567, 0.002346}}}
	var text, data bytes.Buffer
	if err := errors.Join(table.Write(&text), table.WriteJSON(&data)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| one | ms | 2.35 | 3.00 | 1,234,567 |\n", "| two | MB | 0.00 | 0.00 | 1,235 |\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	var read bench.Table
	if err := json.Unmarshal(data.Bytes(), &read); err != nil || len(read.Rows) != 2 || len(read.Rows[0].Values) != 3 {
		t.Errorf("the JSON has %+v, %v", read, err)
	}
}
