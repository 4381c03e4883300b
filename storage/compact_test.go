package storage

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// TestNumbers: what letters asked comes out as it was; what another program stored is an error.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, want := range [][]rules.DecisionID{nil, {7}, {7, 8, 1 << 30, 3}} {
		stored, err := inNumbers{&want}.Value()
		must(t, err)
		var got []rules.DecisionID
		if err := (inNumbers{&got}).Scan(stored); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%v became %v, %v", want, got, err)
		}
		if err := (inNumbers{&got}).Scan([]byte("[7]")); !errors.Is(err, errMark) {
			t.Errorf("a list in JSON: %v", err)
		}
	}
}
