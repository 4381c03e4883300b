package storage

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestBody: a letter that waits to be sent comes out as it was; what is cut short, or another
// program stored, is an error.
func TestBody(t *testing.T) {
	t.Parallel()
	page := strings.ReplaceAll(string(bodyText), "\n", "\r\n")
	for _, text := range []string{"", "F", "Date: now\r\n\r\nIt is your move.\r\n", page, page + page, strings.Repeat("x", 1<<20), "\x06", "\x0e", "a\x00b"} {
		raw := []byte(text)
		stored, err := inBody{&raw}.Value()
		must(t, err)
		packed := stored.([]byte)
		var got []byte
		if err := (inBody{&got}).Scan(packed); err != nil || string(got) != text {
			t.Errorf("%.80q became %.80q, %v", text, got, err)
		}
		for i := 1; i < min(len(packed), 200); i++ {
			if err := (inBody{&got}).Scan(packed[:i]); err == nil {
				t.Errorf("%.80q: no error for its first %d bytes of %d", text, i, len(packed))
			}
			broken := bytes.Clone(packed)
			broken[i] ^= 0x41
			_ = (inBody{&got}).Scan(broken) // It comes back.
		}
	}
	for _, other := range []string{"Date: now\r\n\r\n", "\x0enewer"} {
		var got []byte
		if err := (inBody{&got}).Scan([]byte(other)); !errors.Is(err, errMark) {
			t.Errorf("a letter of another program: %q, %v", got, err)
		}
	}
	var none []byte
	if stored, err := (inBody{&none}).Value(); stored != nil || err != nil {
		t.Errorf("no letter is stored as %v, %v", stored, err)
	}
	small := bytes.Repeat([]byte(page), 2)
	stored, err := inBody{&small}.Value()
	must(t, err)
	if n := len(stored.([]byte)); n > 1000 {
		t.Errorf("a page as in the dictionary takes %d bytes", n)
	}
}
