package adjudicator_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// keepTo is a directory for the records of matches that tests play. Those with something
// that no kept record has belong into testdata/kept/matches.
var keepTo = flag.String("keep", "", "directory to write the records of tests' matches to")

// keep writes a match's record, if that is asked for.
func keep(t *testing.T, c *club, id string) {
	t.Helper()
	if *keepTo == "" {
		return
	}
	name := strings.Trim(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(t.Name(), "-"), "-")
	f, err := os.Create(filepath.Join(*keepTo, name+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	_, err = z.Write(c.export(id, true))
	if err := errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// keptMatches are the kept records with all that is hidden, by their names.
func keptMatches(t *testing.T) map[string]*record.Record {
	t.Helper()
	out := map[string]*record.Record{}
	files, err := filepath.Glob(filepath.Join("testdata", "kept", "matches", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no kept records: %v", err)
	}
	older, err := filepath.Glob(filepath.Join("testdata", "kept", "records", "*-hidden.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(files, older...) {
		if out[filepath.Base(path)], err = record.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestKeptRecords: records that programs of before have made are read,
// played again and verified as ever. They are never written again, and together have every
// sort of act and every member of an entry that docs/record.md knows.
func TestKeptRecords(t *testing.T) {
	t.Parallel()
	known := rules.Games{dawn1989.Game(), rulestest.Game(), council.Game()}
	has := map[string]bool{}
	for name, rec := range keptMatches(t) {
		g, err := known.Find(rec.Header.Game)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := record.Replay(rec, g, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for what, check := range map[string]func(*record.Record) error{"chain": record.VerifyChain, "seals": record.VerifySeals, "stream": record.VerifyStream} {
			if err := check(rec); err != nil {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
		has["seals"] = has["seals"] || len(rec.Header.Seals) > 0
		has["beacon"] = has["beacon"] || rec.Header.Beacon != nil
		var file bytes.Buffer
		if err := rec.Write(&file); err != nil {
			t.Fatal(err)
		}
		for _, member := range regexp.MustCompile(`[{,]"(\w+)":`).FindAllStringSubmatch(file.String(), -1) {
			has[member[1]] = true
		}
		for _, entry := range rec.Entries() {
			if entry.Act != nil {
				has["act "+string(entry.Act.Kind)] = true
			}
		}
	}
	var missing []string
	for _, what := range documented(t) {
		if !has[what] {
			missing = append(missing, what)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no kept record has %q: -keep DIR writes those of the tests' matches", missing)
	}
}

// documented are the members of entries and the sorts of acts that docs/record.md has. Those
// of foreign records are told by imported ones.
func documented(t *testing.T) (out []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "record.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := regexp.MustCompile(`(?m)^    ([a-z]+(?:, [a-z]+)*) {1,8}\S`)
	for _, part := range []struct{ from, to, mark string }{
		{"(except seq and seat):\n", "\nAfter an entry", ""}, {"All of it is public.\n", "\nA draw, abort,", "act "},
	} {
		_, after, ok := strings.Cut(string(text), part.from)
		inside, _, ends := strings.Cut(after, part.to)
		if !ok || !ends {
			t.Fatalf("docs/record.md has no part from %q to %q", part.from, part.to)
		}
		for _, row := range words.FindAllStringSubmatch(inside, -1) {
			for _, w := range strings.Split(row[1], ", ") {
				if !slices.Contains([]string{"source", "forced", "note"}, w) {
					out = append(out, part.mark+w)
				}
			}
		}
	}
	if len(out) < 30 {
		t.Fatalf("only %q are found in docs/record.md", out)
	}
	return append(out, "seals", "beacon")
}
