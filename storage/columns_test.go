package storage

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"samizdat/internal/test/pgtest"
	"samizdat/rules"
)

// TestEveryColumn: docs/storage.md says of every column what it holds and whether it is
// sealed. What is sealed is in a column for bytes, and nothing else is.
func TestEveryColumn(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "the tables of both are compared elsewhere")
	text, err := os.ReadFile("../docs/storage.md")
	must(t, err)
	said := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| (.*?) \\| .* \\| (open|sealed|keyed) \\|$").FindAllStringSubmatch(string(text), -1) {
		for column := range strings.SplitSeq(row[2], ", ") {
			said[row[1]+"."+strings.Trim(column, "`")] = row[3] == "sealed"
		}
	}
	db := open(t, t.TempDir())
	is := map[string]bool{}
	must(t, eachRow(t.Context(), db.writer, func(scan func(...any) error) error {
		var column string
		var bytes bool
		err := scan(&column, &bytes)
		is[column] = bytes
		return err
	}, `SELECT t.name || '.' || c.name, c.type = 'BLOB' FROM sqlite_schema t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'goose%' AND t.name NOT LIKE 'sqlite%'`))
	if d := cmp.Diff(is, said); d != "" {
		t.Errorf("what is sealed (-is +docs/storage.md):\n%s", d)
	}
}

// TestBound: a sealed value opens in its own column and row only, and with its key only.
// Two values of nearly the same length are stored at the same length.
func TestBound(t *testing.T) {
	t.Parallel()
	k, err := newKey([]byte(strings.Repeat("k", 32)))
	must(t, err)
	other, err := newKey([]byte(strings.Repeat("o", 32)))
	must(t, err)
	stored, err := k.seal(`["PLAY 12 EVENT"]`, "matches.held", "mabc")
	must(t, err)
	if got, err := k.unseal(stored, "matches.held", "mabc"); err != nil || string(got) != `["PLAY 12 EVENT"]` {
		t.Errorf("unsealed: %s, %v", got, err)
	}
	for name, open := range map[string]func() ([]byte, error){
		"another row":    func() ([]byte, error) { return k.unseal(stored, "matches.held", "mabd") },
		"another column": func() ([]byte, error) { return k.unseal(stored, "matches.position", "mabc") },
		"another key":    func() ([]byte, error) { return other.unseal(stored, "matches.held", "mabc") },
		"text":           func() ([]byte, error) { return k.unseal(string(stored), "matches.held", "mabc") },
		"cut off":        func() ([]byte, error) { return k.unseal(stored[:4], "matches.held", "mabc") },
	} {
		if got, err := open(); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	none, err := k.seal("[]", "matches.held", "mabc")
	must(t, err)
	if len(none) != len(stored) {
		t.Errorf("the length tells whether something is held: %d and %d", len(none), len(stored))
	}
	for _, v := range []string{"", "\x80", "x\x80\x00", strings.Repeat("x", 64)} {
		stored, err := k.seal(v, "sent.decisions", "m", 1)
		must(t, err)
		if got, err := k.unseal(stored, "sent.decisions", "m", 1); err != nil || string(got) != v {
			t.Errorf("%q: %q, %v", v, got, err)
		}
	}
}

// digest is a hash of something.
func digest(of string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(of))) }

// TestCompact: what is compressed with a dictionary comes out as it was, and what is cut short or
// changed is an error, or something else: it ends, and takes nothing with it.
func TestCompact(t *testing.T) {
	t.Parallel()
	for _, c := range []*dictionaryCodec{entryCodec, letterCodec} {
		for _, text := range []string{
			"", "{}", `{"seq":1,"hash":"` + digest("a") + `"}`, strings.Repeat(digest("a"), 3), digest("a")[1:], digest("a") + "0",
			"From: n@x.test\r\n\r\nPASS\r\n", "a\x00b", digest("a") + "\x00", strings.Repeat("x", 1<<17), string(c.dictionary), "\x06\x80",
		} {
			packed, err := c.pack([]byte(text))
			must(t, err)
			again, err := c.unpack(packed)
			if err != nil || string(again) != text || !hasMark(packed) {
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
		stored, err := deltaColumn{&want}.Value()
		must(t, err)
		var got []rules.DecisionID
		if err := (deltaColumn{&got}).Scan(stored); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%v became %v, %v", want, got, err)
		}
		if err := (deltaColumn{&got}).Scan([]byte("[7]")); !errors.Is(err, errMark) {
			t.Errorf("a list in JSON: %v", err)
		}
	}
}

// TestSqueeze: what is compressed comes back to the byte, and what was not compressed here
// is an error.
func TestSqueeze(t *testing.T) {
	t.Parallel()
	z, err := zstd.NewWriter(nil)
	must(t, err)
	a := strings.Repeat("0123456789abcdef", 4)
	for _, text := range []string{"", "{}", a, `{"hash":"` + a + `","prev":"` + a + `"}`, a + a + a[:63], strings.ToUpper(a), a[:63],
		"\n" + a + "\nä"} {
		small := compressArchive(z, []byte(text))
		if got, err := decompressArchive(small); err != nil || string(got) != text {
			t.Errorf("%q comes back as %q, %v", text, got, err)
		}
		for _, other := range [][]byte{small[:len(small)-1], append(small[:len(small):len(small)], 0), nil} {
			if got, err := decompressArchive(other); err == nil {
				t.Errorf("%q of %q is taken for %q", other, small, got)
			}
		}
	}
}

// TestBody: a letter that waits to be sent comes out as it was; what is cut short, or another
// program stored, is an error.
func TestBody(t *testing.T) {
	t.Parallel()
	page := strings.ReplaceAll(string(bodyText), "\n", "\r\n")
	for _, text := range []string{"", "F", "Date: now\r\n\r\nIt is your move.\r\n", page, page + page, strings.Repeat("x", 1<<20), "\x06",
		"\x0e", "a\x00b"} {
		raw := []byte(text)
		stored, err := bodyColumn{&raw}.Value()
		must(t, err)
		packed := stored.([]byte)
		var got []byte
		if err := (bodyColumn{&got}).Scan(packed); err != nil || string(got) != text {
			t.Errorf("%.80q became %.80q, %v", text, got, err)
		}
		for i := 1; i < min(len(packed), 200); i++ {
			if err := (bodyColumn{&got}).Scan(packed[:i]); err == nil {
				t.Errorf("%.80q: no error for its first %d bytes of %d", text, i, len(packed))
			}
			broken := bytes.Clone(packed)
			broken[i] ^= 0x41
			_ = (bodyColumn{&got}).Scan(broken) // It comes back.
		}
	}
	for _, other := range []string{"Date: now\r\n\r\n", "\x0enewer"} {
		var got []byte
		if err := (bodyColumn{&got}).Scan([]byte(other)); !errors.Is(err, errMark) {
			t.Errorf("a letter of another program: %q, %v", got, err)
		}
	}
	var none []byte
	if stored, err := (bodyColumn{&none}).Value(); stored != nil || err != nil {
		t.Errorf("no letter is stored as %v, %v", stored, err)
	}
	small := bytes.Repeat([]byte(page), 2)
	stored, err := bodyColumn{&small}.Value()
	must(t, err)
	if n := len(stored.([]byte)); n > 1000 {
		t.Errorf("a page as in the dictionary takes %d bytes", n)
	}
}
