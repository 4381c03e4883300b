package adjudicator_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/report"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/test/recordtest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// python runs tools/verify.py, which shares no code with us, and returns what it says of
// each file.
func python(t *testing.T, files []string, flags ...string) map[string]string {
	t.Helper()
	long.Needs(t, "python3")
	cmd := exec.CommandContext(t.Context(), "python3", slices.Concat([]string{filepath.Join("..", "tools", "verify.py")}, flags, files)...)
	out, err := cmd.Output()
	if _, wrong := err.(*exec.ExitError); err != nil && !wrong {
		t.Fatalf("call the second verifier: %v", err)
	}
	if failed := regexp.MustCompile(`: (WRONG|NOT CHECKED): `).Match(out); failed != (err != nil) {
		t.Fatalf("it refuses a record: %t, and exits with %v", failed, err)
	}
	said := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if file, verdict, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && slices.Contains(files, file) {
			said[file] = verdict
		}
	}
	if len(said) != len(files) {
		t.Fatalf("it says something of %d files out of %d:\n%s", len(said), len(files), out)
	}
	return said
}

// approved reports whether `samizdat verify` finds nothing wrong.
func approved(file, head string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	rec, err := record.Read(f)
	if err != nil {
		return false
	}
	same, err := report.Verify(io.Discard, rules.Games{dawn1989.Game()}, rec, report.Evidence{Hashes: []string{head}}, false)
	return same && err == nil
}

// TestPythonVerifier: the verifier that is written from the documents alone takes every good
// record, finds every one that was tampered with, where it was, and agrees with ours.
func TestPythonVerifier(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "tools/verify.py reads the file")
	c := newClub(t, dawn1989.Game())
	id := timed(t, c, "1989", "72h+12h<=120h", clock.Claim, dawnSeats...)
	for range 2 {
		c.sends("communist", "PLACE Miskolc, Debrecen")
		c.sends("communist", "TAKEBACK")
		c.sends("democrat", "TAKEBACK YES")
	}
	c.sends("communist", "PLACE Gyor, Debrecen")
	path, backup := filepath.Join(c.dir, "club.db"), filepath.Join(c.dir, "backup.db")
	if err := errors.Join(storage.Backup(t.Context(), path, backup), c.db.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := storage.Restore(t.Context(), backup, path, filepath.Join(c.dir, "club.key"), storage.RestoreOptions{}, c.now); err != nil {
		t.Fatal(err)
	}
	c.open()
	for _, text := range []string{"pause", "resume", "undo to 1"} {
		a, err := letter.ParseDirective(text, "a trial")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.adj.ExecuteDirective(t.Context(), id, a, true); err != nil {
			t.Fatal(err)
		}
		c.deliver()
	}
	c.sends("democrat", "WITNESS")
	c.sends("communist", "PLACE Gyor, Debrecen")
	going := c.export(id, false)
	for _, act := range []record.ActKind{record.Undo, record.Pause, record.Resume, record.Restore, record.Witness} {
		if !bytes.Contains(going, fmt.Appendf(nil, `"kind":%q`, act)) {
			t.Fatalf("the record has no %s", act)
		}
	}
	c.sends("democrat", "RESIGN "+id)
	over := c.export(id, false)
	if bytes.Contains(going, []byte(`"secret"`)) || !bytes.Contains(over, []byte(`"secret"`)) {
		t.Fatal("the secret is published when the match is over, and not before")
	}
	for name, trial := range map[string]struct {
		good []byte
		n    int
	}{
		"going": {going, long.N(24, 90)},
		"over":  {over, long.N(30, 110)},
		"seals": {sealedRecord(t), 24},
		"dice":  {recordtest.Unpacked(t, filepath.Join("..", "testdata", "records", "1989-rules1-random-14.jsonl.gz")), 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tamperings(t, trial.good, trial.n)
		})
	}
}

// quicknet1000 is the signature of a round that quicknet has published.
const quicknet1000 = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"

// sealedRecord is the record of a match whose words were sealed, one of them with echo, and
// into which a real round of quicknet is mixed.
func sealedRecord(t *testing.T) []byte {
	t.Helper()
	c := newClub(t, dawn1989.Game())
	id := c.invites(adjudicator.Invitation{Game: "1989", SealedWords: true, Beacon: invitation.BeaconTerms{IsUsed: true}}, dawnSeats)
	c.adj.Rounds = &rounds{c: c, sign: func(int64) []byte {
		signature, _ := hex.DecodeString(quicknet1000)
		return signature
	}}
	c.sends("democrat", "JOIN SEALED "+record.SealWords(secretWords["north"]))
	c.sends("communist", "JOIN SEALED "+record.SealWords(secretWords["east"]+"\n"))
	c.sends("democrat", "OPEN "+secretWords["north"])
	c.now = beacon.Quicknet.PublicationTime(1000).Add(-15*time.Minute - time.Minute)
	c.sends("communist", "OPEN "+secretWords["east"])
	if n := c.due(time.Hour); n != 1 {
		t.Fatalf("%d things were done, and the beacon is %+v", n, c.stored(id).Beacon)
	}
	c.sends("communist", "PLACE Gyor, Debrecen")
	c.sends("democrat", "RESIGN "+id)
	return c.export(id, false)
}

// TestPythonVerifierRecords: it takes whole matches of every revision.
func TestPythonVerifierRecords(t *testing.T) {
	t.Parallel()
	packed, err := filepath.Glob(filepath.Join("..", "testdata", "records", "*.gz"))
	if err != nil || len(packed) == 0 {
		t.Fatal("there are no records", err)
	}
	var some []string // In an ordinary run one of each revision, as their names are sorted.
	for i, file := range packed {
		if i%long.N(3, 1) == 0 {
			some = append(some, file)
		}
	}
	for file, text := range python(t, some, "--partial") {
		if !strings.HasPrefix(text, "good: ") {
			t.Errorf("%s: %s", file, text)
		}
	}
	for file, text := range python(t, some[:1]) {
		if !strings.HasPrefix(text, "NOT CHECKED: no letter shows its last entry, ") {
			t.Errorf("%s: whether it is cut off only its game tells: %s", file, text)
		}
	}
}

// tamperings holds both verifiers to a good record and to n that are made from it.
func tamperings(t *testing.T, good []byte, n int) {
	t.Helper()
	dir, rnd := t.TempDir(), rand.New(rand.NewPCG(19, 89))
	entries := recordLines(t, good)
	head := entries[len(entries)-1]["hash"].(string)
	want := map[string]string{}
	write := func(name string, data []byte, says string) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		want[file] = says
	}
	write("good", good, "good")
	for i := range n {
		what, changed, says := tamper(rnd, recordLines(t, good))
		write(fmt.Sprintf("%d %s", i, what), recordText(t, changed), says)
	}
	said := python(t, slices.Sorted(maps.Keys(want)), "--hash", head)
	for file, says := range want {
		if !strings.HasPrefix(said[file], says) {
			t.Errorf("%s: it says %q, want %q", filepath.Base(file), said[file], says)
		}
		if isOurs := approved(file, head); isOurs != (says == "good") {
			t.Errorf("%s: samizdat verify approves: %t", filepath.Base(file), isOurs)
		}
	}
}

// tamper changes a record whose lines are given, and tells what was done and what has to
// be said of it.
func tamper(rnd *rand.Rand, all []map[string]any) (what string, changed []map[string]any, says string) {
	k := 1 + rnd.IntN(len(all)-2)
	at := fmt.Sprintf("WRONG: entry %d: ", k-1)
	_, whole := all[0]["secret"]
	switch rnd.IntN(8) {
	case 0:
		return "dropped", slices.Delete(all, k, k+1), at
	case 1:
		return "repeated", slices.Insert(all, k, all[k]), fmt.Sprintf("WRONG: entry %d: ", k)
	case 2:
		all[k], all[k+1] = all[k+1], all[k]
		return "swapped", all, at
	case 3:
		return "cut", all[:k+1], "WRONG: record: "
	case 4:
		parts := []string{"game", "rules", "match", "commitment", "words"}
		if _, sealed := all[0]["seals"]; sealed {
			parts = append(parts, "seals", "beacon")
		}
		part := parts[rnd.IntN(len(parts))]
		all[0][part] = another(rnd, all[0][part])
		return "header " + part, all, "WRONG: "
	case 5:
		if whole {
			break
		}
		field := alter(rnd, all[k], "seq", "sealed", "prev", "hash", "setup")
		return "rechained " + field, rechained(all), "WRONG: "
	case 6:
		if whole {
			break
		}
		for _, e := range all[k:] {
			was, _ := e["epoch"].(json.Number)
			up, _ := was.Int64()
			e["epoch"] = up + 1
		}
		return "epoch ground", rechained(all), at + "the epoch goes"
	}
	return "changed " + alter(rnd, all[k]), all, at
}

// alter changes one field of an entry.
func alter(rnd *rand.Rand, e map[string]any, except ...string) string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(e)), func(k string) bool { return slices.Contains(except, k) })
	name := names[rnd.IntN(len(names))]
	e[name] = another(rnd, e[name])
	return name
}

// another is a value of the same kind that is not v: in a list or an object, one part of it is
// another.
func another(rnd *rand.Rand, v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := v.Int64()
		return n + 1
	case string:
		if last := v[len(v)-1]; last == '1' {
			return v[:len(v)-1] + "2"
		}
		return v[:len(v)-1] + "1"
	case []any:
		i := rnd.IntN(len(v))
		v[i] = another(rnd, v[i])
		return v
	case map[string]any:
		if len(v) > 0 {
			alter(rnd, v)
			return v
		}
	case bool:
		return !v
	}
	return "something"
}

// rechained makes the hashes of a public record anew. What is sealed stays: nobody can seal
// without the secret.
func rechained(all []map[string]any) []map[string]any {
	prev := all[0]["commitment"]
	for _, e := range all[1:] {
		public := maps.Clone(e)
		for _, k := range []string{"sealed", "prev", "hash"} {
			delete(public, k)
		}
		sum := sha256.Sum256(bytes.TrimSuffix(marshalled([]any{prev, public, e["sealed"]}), []byte("\n")))
		e["prev"], e["hash"] = prev, hex.EncodeToString(sum[:])
		prev = e["hash"]
	}
	return all
}

func marshalled(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // it came out of JSON
	return b.Bytes()
}

func recordLines(t *testing.T, data []byte) (all []map[string]any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	for dec.More() {
		var m map[string]any
		if err := dec.Decode(&m); err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

func recordText(t *testing.T, all []map[string]any) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, m := range all {
		b.Write(marshalled(m))
	}
	return b.Bytes()
}
