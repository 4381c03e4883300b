package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
)

// Every byte of every entry is bound by the chain, in the full and in the public
// form, and so is what the match was agreed to be.
func TestEveryByteIsBound(t *testing.T) {
	t.Parallel()
	// One entry of each sort, as a chain of its own, to keep the test quick.
	m := played(t, 2)
	entries := m.rec.Entries()
	short := &record.Record{Header: m.rec.Header}
	prev := m.secret.Commitment()
	for seq, at := range []int{0, 1, len(entries) - 2, len(entries) - 1} {
		e := *entries[at]
		e.Seq = seq
		if err := m.secret.Seal("m1", prev, &e); err != nil {
			t.Fatal(err)
		}
		prev = e.Hash
		short.Add(e)
	}
	if err := record.VerifyChain(read(t, isCanonical(t, short))); err != nil {
		t.Fatal(err)
	}
	for _, form := range []struct {
		name string
		rec  *record.Record
	}{{"full", short}, {"public", short.Public()}} {
		t.Run(form.name, func(t *testing.T) {
			t.Parallel()
			file := isCanonical(t, form.rec)
			header := bytes.IndexByte(file, '\n')
			for i := range file {
				if i <= header || file[i] == '\n' || i%long.N(3, 1) > 0 {
					continue
				}
				// In an ordinary run every third. Another value and another case, by turns; the lines behind
				// are not needed.
				bad := bytes.Clone(file[:i+bytes.IndexByte(file[i:], '\n')+1])
				bad[i] ^= []byte{1, 0x20}[i%2]
				rec, err := record.Read(bytes.NewReader(bad))
				if err == nil {
					err = record.VerifyChain(rec)
				}
				if err == nil {
					t.Fatalf("byte %d, %q for %q, is not noticed in\n%s", i, bad[i], file[i], around(bad, i))
				}
			}
		})
	}
}

func around(b []byte, i int) []byte { return b[max(0, i-60):min(len(b), i+60)] }

func TestBroken(t *testing.T) {
	t.Parallel()
	file := string(isCanonical(t, played(t, 3).rec))
	lines := strings.SplitAfter(file, "\n")
	for _, test := range []struct {
		name, file, says string
	}{
		{"options", strings.Replace(file, `"rounds":"2"`, `"rounds":"1"`, 1), "line 2, entry 0: setup is not the digest of the header: the header was changed"},
		{"words", strings.Replace(file, "a word", "a work", 1), "line 2, entry 0: setup is not the digest of the header: the header was changed"},
		{"match", strings.Replace(file, `"m1"`, `"m2"`, 1), "line 2, entry 0: setup is not the digest of the header: the header was changed"},
		{"secret", strings.Replace(file, `"secret":"3`, `"secret":"4`, 1), "line 1: the secret does not match the commitment"},
		{"commitment", strings.Replace(file, `"commitment":"`, `"commitment":"0`, 1), "line 1: the secret does not match the commitment"},
		{"no commitment", strings.Replace(file, `"commitment"`, `"promise"`, 1), "line 1: a record without a commitment"},
		{"line left out", lines[0] + lines[1] + strings.Join(lines[3:], ""), "line 3, entry 2: entry 1 is missing"},
		{"first line left out", lines[0] + strings.Join(lines[2:], ""), "line 2, entry 1: entry 0 is missing"},
		{"line inserted", lines[0] + lines[1] + `{"seq":1,"seat":"north"}` + "\n", "line 3, entry 1: prev is not the hash of the entry before"},
		{"member added", strings.Replace(file, `{"seq":1,`, `{"seq":1,"Note":"",`, 1), "line 3, entry 1: the line has members that the hash does not cover"},
		{"member spelt otherwise", strings.Replace(file, `"letter"`, `"Letter"`, 1), "line 3, entry 1: the line has members that the hash does not cover"},
		{"hidden card", strings.Replace(file, `"draw":`, `"draw":1`, 1), "line 2, entry 0: the hidden fields do not match the seal"},
		{"player's name", strings.Replace(file, `"Ann"`, `"Zoe"`, 1), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.file == file {
				t.Fatal("nothing was changed")
			}
			err := record.VerifyChain(read(t, []byte(test.file)))
			switch {
			case test.says == "" && err != nil:
				t.Error(err)
			case test.says != "" && (err == nil || !strings.HasPrefix(err.Error(), test.says)):
				t.Errorf("got  %v\nwant %s", err, test.says)
			}
			if _, replayed := record.Replay(read(t, []byte(test.file)), game, nil); (replayed == nil) != (test.says == "") {
				t.Errorf("replay: %v", replayed)
			}
		})
	}
}

// Whoever has the secret can make a new chain, but not other outcomes.
func TestOtherOutcomesAreNoticed(t *testing.T) {
	t.Parallel()
	m := played(t, 4)
	prev := m.secret.Commitment()
	forged := &record.Record{Header: m.rec.Header}
	changed := 0
	for _, e := range m.rec.Entries() {
		e := *e
		for k, o := range e.Chance {
			if o.Roll == 2 && changed == 0 {
				e.Chance = append([]record.Outcome(nil), e.Chance...)
				e.Chance[k].Roll = 3
				changed = e.Seq
			}
		}
		if err := m.secret.Seal("m1", prev, &e); err != nil {
			t.Fatal(err)
		}
		prev = e.Hash
		forged.Add(e)
	}
	if changed == 0 {
		t.Fatal("the match has no 2")
	}
	rec := read(t, isCanonical(t, forged))
	if err := record.VerifyChain(rec); err != nil {
		t.Fatal(err)
	}
	var broken *record.ChainError
	if err := record.VerifyStream(rec); !errors.As(err, &broken) || broken.Seq != changed {
		t.Errorf("got %v, want entry %d", err, changed)
	}
	var failure *record.ReplayError
	if _, err := record.Replay(rec, game, nil); !errors.As(err, &failure) || failure.Seq != changed {
		t.Errorf("replay: got %v, want entry %d", err, changed)
	}
}

// The public form holds nothing hidden.
func TestPublicHidesAll(t *testing.T) {
	t.Parallel()
	m := played(t, 5)
	for _, line := range bytes.Split(isCanonical(t, m.rec.Public()), []byte("\n")) {
		var e map[string]any
		if len(line) == 0 || json.Unmarshal(line, &e) != nil {
			continue
		}
		if e["secret"] != nil || e["state"] != nil || e["private"] == true && e["orders"] != nil {
			t.Errorf("%s", line)
		}
		chance, _ := e["chance"].([]any)
		for _, o := range chance {
			o := o.(map[string]any)
			if o["hidden"] == true && (o["draw"] != nil || o["i"] != nil || o["n"] == nil || o["to"] == nil) {
				t.Errorf("%v", o)
			}
		}
	}
}
