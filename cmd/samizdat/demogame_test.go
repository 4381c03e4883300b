package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"samizdat/adjudicator/record"
)

// TestDemoGame plays a whole match by mail, twice with the same seed: it ends,
// its record plays again, and both times the same orders met the same chance.
func TestDemoGame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("two whole matches by mail")
	}
	play := func() (out string, steps []string) {
		dir := t.TempDir()
		var b bytes.Buffer
		if err := demoGame(t.Context(), &b, dir, 12); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		path := filepath.Join(dir, "record.jsonl")
		var again, errs bytes.Buffer
		if code := run(context.Background(), []string{"replay", path}, &again, &errs); code != 0 {
			t.Fatalf("replay: status %d\n%s%s", code, again.String(), errs.String())
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rec, err := record.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range rec.Entries() {
			steps = append(steps, strings.Join(e.Orders, "; "))
		}
		return b.String(), steps
	}
	out, steps := play()
	for _, want := range []string{"Turn 1 begins.", "A power struggle begins", "The match is over", "played again without a difference"} {
		if !strings.Contains(out, want) {
			t.Errorf("the digest does not say %q:\n%s", want, out)
		}
	}
	other, otherSteps := play()
	if strings.Join(steps, "\n") != strings.Join(otherSteps, "\n") {
		t.Error("the same seed gives other orders")
	}
	varying := regexp.MustCompile(`[0-9.]+ s\)|in [0-9.]+ seconds|(record: |replay )\S+`)
	if a, b := varying.ReplaceAllString(out, ""), varying.ReplaceAllString(other, ""); a != b {
		t.Errorf("the same seed gives another digest:\n%s\n%s", a, b)
	}
}
