package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/rules/revolution1789"
)

// TestRobots plays a whole match by mail: it ends, and its record plays again.
func TestRobots(t *testing.T) {
	t.Parallel()
	long.Only(t)
	var b bytes.Buffer
	if err := demo.PlayRobots(t.Context(), &b, games[0], 0, t.TempDir(), 21, demo.Options{}); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	for _, want := range []string{"Turn 1 begins.", "A power struggle begins", "The match is over", "played again without a difference"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the digest does not say %q:\n%s", want, b.String())
		}
	}
}

// TestLettersOfWholeMatch: a match of ten turns takes at most 185 letters to each player and 10 MB, and
// 200 letters and 10.5 MB where the others take their time; those letters that ask nothing have at most
// 5 kB. The seeds are those of twenty with the most. Who gives each order a letter of its own
// gets more of them, and no more than 12 MB.
func TestLettersOfWholeMatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		seed        uint64
		how         demo.Options
		letters, mb float64
		turns       string
	}{
		{1, demo.Options{}, 35, 2.5, ""}, // It ends early.
		{8, demo.Options{}, 185, 10, "Turn 10 begins."},
		{19, demo.Options{}, 185, 10, "Turn 10 begins."},
		{8, demo.Options{IsSlow: true}, 200, 10.5, "Turn 10 begins."},
		{19, demo.Options{IsSlow: true}, 200, 10.5, "Turn 10 begins."},
		{6, demo.Options{OneOrderPerLetter: true}, 210, 12, "Turn 10 begins."},
	} {
		t.Run(fmt.Sprintf("%d %+v", tt.seed, tt.how), func(t *testing.T) {
			t.Parallel()
			if tt.turns != "" {
				long.Only(t)
			}
			lettersOfWholeMatch(t, tt.seed, tt.how, []float64{tt.letters, tt.mb, 5}, tt.turns)
		})
	}
}

// lettersOfWholeMatch holds letters, megabytes and the kilobytes of the largest letter that
// asks nothing against the most that there may be.
func lettersOfWholeMatch(t *testing.T, seed uint64, options demo.Options, most []float64, turns string) {
	t.Helper()
	var b bytes.Buffer
	if err := demo.PlayRobots(t.Context(), &b, games[0], 0, t.TempDir(), seed, options); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	counts := regexp.MustCompile(`(?m)^(\w+) +got (\d+) letters, ([0-9.]+) MB: .*(?:the largest has ([0-9.]+) kB|there is no other)$`).FindAllStringSubmatch(b.String(), -1)
	if len(counts) != 2 || !strings.Contains(b.String(), turns) {
		t.Fatalf("it tells:\n%s", b.String())
	}
	for _, c := range counts {
		t.Log(c[0])
		for i, maximum := range most {
			if c[i+2] == "" {
				continue // There is none of that kind.
			}
			if n, err := strconv.ParseFloat(c[i+2], 64); err != nil || n > maximum {
				t.Errorf("the %s got more than there may be: %s", c[1], c[0])
			}
		}
	}
}

// TestSameSeed: with the same seed the same orders meet the same chance.
func TestSameSeed(t *testing.T) {
	t.Parallel()
	const until = "\nTurn 2 begins."
	varying := regexp.MustCompile(`[0-9.]+ s\)|, match m\w+`)
	var heads [2]string
	var steps [2][]string
	for i := range 2 {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var b bytes.Buffer
		if err := demo.PlayRobots(ctx, &upTo{to: &b, end: until, then: cancel}, games[0], 0, dir, 21, demo.Options{}); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v\n%s", err, b.String())
		}
		id := regexp.MustCompile(`match (m\w+)`).FindStringSubmatch(b.String())[1]
		steps[i] = stepsOf(t, stored(t, dir, id))
		heads[i], _, _ = strings.Cut(varying.ReplaceAllString(b.String(), ""), until)
	}
	n := min(len(steps[0]), len(steps[1]))
	if n < 20 || !slices.Equal(steps[0][:n], steps[1][:n]) {
		t.Errorf("the same seed gives other steps:\n%s\nand\n%s", strings.Join(steps[0], "\n"), strings.Join(steps[1], "\n"))
	}
	if heads[0] != heads[1] {
		t.Errorf("the same seed gives another digest:\n%s\n%s", heads[0], heads[1])
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
// asked next; here they seal their words for the dice.
func TestRobotsAtLargerTables(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := demo.PlayRobots(t.Context(), &b, rulestest.Game(), 0, t.TempDir(), 1, demo.Options{SealWords: true}); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if out := b.String(); !strings.Contains(out, "between three robots") || !strings.Contains(out, "\nas the letters to seat ") || !strings.Contains(out, "played again without a difference") {
		t.Errorf("it tells:\n%s", out)
	}
}

// TestRobotsOf1789 plays a whole match of seven by mail.
func TestRobotsOf1789(t *testing.T) {
	t.Parallel()
	long.Only(t)
	var b bytes.Buffer
	if err := demo.PlayRobots(t.Context(), &b, revolution1789.Game(), 7, t.TempDir(), 4, demo.Options{}); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	for _, want := range []string{"by mail between seven robots", "Turn 1: ", "is voted ", "The match is over", "played again without a difference"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not told in\n%s", want, b.String())
		}
	}
}
