package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/record"
	"samizdat/internal/daemon"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// quick is a plan of which only a few measures are made.
func quick(t *testing.T, only string) Plan {
	t.Helper()
	p := Quick
	p.Games, p.Dir, p.Matches, p.Letters = rules.Games{dawn1989.Game{}}, t.TempDir(), 12, 4
	p.Only = regexp.MustCompile("^(?:" + only + ")$")
	return p
}

// TestMeasures: the loops, the null loop and what is measured in this process give rows with
// values.
func TestMeasures(t *testing.T) {
	t.Parallel()
	table, err := Run(t.Context(), quick(t, "loop|record|picture|engine|outbox"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"null loop", "letters, 1 match, text and page", "letters, 12 matches, text and page", "an entry of a record played again",
		"one picture drawn and written as a file", "engine, with new views, and the position as JSON", "100 letters wait: sending"} {
		i := slices.IndexFunc(table.Rows, func(r Row) bool { return r.Name == want })
		if i < 0 || len(table.Rows[i].Values) == 0 || table.Rows[i].Values[0] <= 0 {
			t.Errorf("%q was not measured: %+v", want, table.Rows)
		}
	}
}

// TestMadeMatches: matches that were made have records that verify, and are played again by
// another build as they are stored.
func TestMadeMatches(t *testing.T) {
	t.Parallel()
	p := quick(t, "")
	k, err := newMaker(p.Games[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Plan: p, maker: k}
	dir, err := b.fill(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = b.with(t.Context(), b.configuration(filepath.Clean(dir), false), func(d *daemon.Daemon) error {
		rec, err := d.Adjudicator.Export(t.Context(), manyID(3), true)
		if err != nil {
			return err
		}
		_, err = record.ReplayVerified(rec, b.game, nil)
		if err := errors.Join(err, record.VerifyStream(rec)); err != nil || len(rec.Steps) != p.Entries {
			t.Errorf("a record of %d entries: %v", len(rec.Steps), err)
		}
		d.Adjudicator.Build = "another"
		_, err = d.Adjudicator.Rebuild(t.Context(), manyID(4))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var table Table
	for _, v := range []float64{3, 1234567, 2.346} {
		table.note("one", "ms", v)
		table.note("two", "MB", v/1000)
	}
	var text, data bytes.Buffer
	if err := errors.Join(table.Write(&text), table.WriteJSON(&data)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| one | ms | 2.35 | 3.00 | 1,234,567 |\n", "| two | MB | 0.00 | 0.00 | 1,235 |\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	var read Table
	if err := json.Unmarshal(data.Bytes(), &read); err != nil || len(read.Rows) != 2 || len(read.Rows[0].Values) != 3 {
		t.Errorf("the JSON has %+v, %v", read, err)
	}
}
