package storage

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// digest is a hash of something.
func digest(of string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(of))) }

// TestCompact: what is compressed with a dictionary comes out as it was, and what is cut short or
// changed is an error, or something else: it ends, and takes nothing with it.
func TestCompact(t *testing.T) {
	t.Parallel()
	for _, c := range []*compact{entryRows, letterRows} {
		for _, text := range []string{
			"", "{}", `{"seq":1,"hash":"` + digest("a") + `"}`, strings.Repeat(digest("a"), 3), digest("a")[1:], digest("a") + "0",
			"From: n@x.test\r\n\r\nPASS\r\n", "a\x00b", digest("a") + "\x00", strings.Repeat("x", 1<<17), string(c.dictionary), "\x06\x80",
		} {
			packed, err := c.pack([]byte(text))
			must(t, err)
			again, err := c.unpack(packed)
			if err != nil || string(again) != text || !marked(packed) {
				t.Errorf("%.80q became %.80q, %v", text, again, err)
			}
			for i := range min(len(packed), 200) {
				if _, err := c.unpack(packed[:i]); err == nil {
					t.Errorf("%.80q: no error for its first %d bytes of %d", text, i, len(packed))
				}
				broken := bytes.Clone(packed)
				broken[i] ^= 0x41
				_, _ = c.unpack(broken) // It comes back.
			}
		}
	}
}

// TestDictionaries: rows that were made with a dictionary need it as it was.
func TestDictionaries(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]struct {
		text []byte
		want string
	}{
		"entry1":  {entryText, "4e24ad9ef814063151998a9b05495210792cb5ec2914882bae6f990f9e222b4f"},
		"body1":   {bodyText, "db3cd56fc1319290c9259347fe8b3b924393f950ecf54d1818d3ca71340773b5"},
		"letter1": {letterText, "a8282720899660eec2b869118df35bf1d50d5d3b59250666cf43ff2bbff2b8e2"},
	} {
		if got := digest(string(d.text)); got != d.want {
			t.Errorf("the dictionary %s is %s", name, got)
		}
	}
}

// TestOldRows: entries, letters that came in and what letters asked are read as they were stored before
// there were dictionaries.
func TestOldRows(t *testing.T) {
	t.Parallel()
	k, err := newKey(make([]byte, 32))
	must(t, err)
	const entry = `{"seq":1}`
	nonce := make([]byte, k.aead.NonceSize())
	stored := k.aead.Seal(nonce, nonce, append([]byte(entry+"\x80"), make([]byte, 256-len(entry)-1)...), []byte("entries.entry m 1"))
	var e record.Entry
	if err := k.unsealed(inJSON{&e}, entryColumn, "m", 1).Scan(stored); err != nil || e.Seq != 1 {
		t.Errorf("the entry is %+v, %v", e, err)
	}
	var deflated bytes.Buffer
	z, err := flate.NewWriter(&deflated, flate.BestSpeed)
	must(t, err)
	_, err = z.Write([]byte("PASS"))
	must(t, err)
	must(t, z.Close())
	packed, err := letterRows.pack([]byte("PASS"))
	must(t, err)
	for _, stored := range [][]byte{deflated.Bytes(), packed} {
		if got := inflated(string(stored)); got != "PASS" {
			t.Errorf("the letter is %q", got)
		}
	}
	for _, want := range [][]rules.DecisionID{nil, {7}, {7, 8, 1 << 30, 3}} {
		stored, err := inNumbers{&want}.Value()
		must(t, err)
		inText, err := inJSON{append([]rules.DecisionID{}, want...)}.Value()
		must(t, err)
		for _, v := range []any{stored, inText} {
			var got []rules.DecisionID
			if err := (inNumbers{&got}).Scan(v); err != nil || len(got) != len(want) || len(got) > 0 && cmp.Diff(want, got) != "" {
				t.Errorf("%v became %v, %v", want, got, err)
			}
		}
	}
}
