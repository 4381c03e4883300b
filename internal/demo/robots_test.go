package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/rules/rulestest"
)

// TestRobots plays a whole match by mail: it ends, and its record plays again. With
// the same seed the first turns are played once more: the same orders meet the same
// chance.
func TestRobots(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a whole match by mail")
	}
	const seed, until = 21, "\nTurn 3 begins."
	dir := t.TempDir()
	var b bytes.Buffer
	if err := Robots(t.Context(), &b, games[0], dir, seed); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	out := b.String()
	for _, want := range []string{"Turn 1 begins.", "A power struggle begins", "The match is over", "played again without a difference"} {
		if !strings.Contains(out, want) {
			t.Errorf("the digest does not say %q:\n%s", want, out)
		}
	}
	path := filepath.Join(dir, "record.jsonl")
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	steps := stepsOf(t, rec)

	dir = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b.Reset()
	if err := Robots(ctx, &upTo{to: &b, end: until, then: cancel}, games[0], dir, seed); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v\n%s", err, b.String())
	}
	other := b.String()
	otherSteps := stepsOf(t, stored(t, dir, rec.Header.Match))
	if n := len(otherSteps); n < 40 || n >= len(steps) || !slices.Equal(steps[:n], otherSteps) {
		t.Errorf("the same seed gives other steps: %d of\n%s\nand %d of\n%s", len(steps), strings.Join(steps, "\n"), n, strings.Join(otherSteps, "\n"))
	}
	varying := regexp.MustCompile(`[0-9.]+ s\)`)
	head, _, ok := strings.Cut(varying.ReplaceAllString(out, ""), until)
	otherHead, _, otherOK := strings.Cut(varying.ReplaceAllString(other, ""), until)
	if head != otherHead || !ok || !otherOK {
		t.Errorf("the same seed gives another digest:\n%s\n%s", head, otherHead)
	}
}

// upTo is a writer that does something when it has got certain words.
type upTo struct {
	to   *bytes.Buffer
	end  string
	then func()
}

func (u *upTo) Write(p []byte) (int, error) {
	n, err := u.to.Write(p)
	if strings.Contains(u.to.String(), u.end) {
		u.then()
	}
	return n, err
}

// stored exports a demonstration's match.
func stored(t *testing.T, dir, id string) *record.Record {
	t.Helper()
	d, err := daemon.Open(t.Context(), config.Local(dir, nil), games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	rec, err := d.Adjudicator.Export(t.Context(), id, true)
	if err := errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
	return rec
}

// stepsOf are the orders and the chance of each entry of a record.
func stepsOf(t *testing.T, rec *record.Record) (steps []string) {
	t.Helper()
	for _, e := range rec.Entries() {
		b, err := json.Marshal(e.Chance)
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, strings.Join(e.Orders, "; ")+" "+string(b))
	}
	return steps
}

// TestRobotsAtLargerTables: what plays two robots plays as many as sit down, whoever is
// asked next.
func TestRobotsAtLargerTables(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Robots(t.Context(), &b, rulestest.Game{}, t.TempDir(), 1); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if out := b.String(); !strings.Contains(out, "between three robots") || !strings.Contains(out, "played again without a difference") {
		t.Errorf("it tells:\n%s", out)
	}
}
