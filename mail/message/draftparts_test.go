package message

import (
	netmail "net/mail"
	"strings"
	"testing"
)

// TestPlainASCII: what travels unencoded is found out eight characters at a time, wherever among them the one stands
// that must not.
func TestPlainASCII(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		want := c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c < 0x7f
		for before := range 17 {
			text := strings.Repeat("a", before) + string([]byte{byte(c)}) + "tail of a line"
			if isPlainASCII(text) != want {
				t.Errorf("%q: plain is not %v", text, want)
			}
		}
	}
	for _, end := range []string{"", "\n", "\r\n", "\r", "\n" + strings.Repeat("b", mostInLine)} {
		for first := range 8 {
			head := strings.Repeat("h", first) + "\n"
			if line := strings.Repeat("x", mostInLine); !isPlainASCII(head + line + end) {
				t.Errorf("a line of %d characters is too long before %.4q", mostInLine, end)
			}
			if line := strings.Repeat("x", mostInLine+1); isPlainASCII(head + line + end) {
				t.Errorf("a line of %d characters is not too long before %.4q", mostInLine+1, end)
			}
		}
	}
}

// TestSimpleAddresses: an address that is not parsed would come out of parsing as it is.
func TestSimpleAddresses(t *testing.T) {
	t.Parallel()
	const parts = "a. @<\"-"
	simple := 0
	var try func(addr string, more int)
	try = func(addr string, more int) {
		if isSimple(addr) {
			simple++
			a, err := netmail.ParseAddress(addr)
			if err != nil || strings.Trim(a.String(), "<>") != addr {
				t.Errorf("%q is simple, and is parsed to %v, %v", addr, a, err)
			}
		}
		for i := range len(parts) * min(more, 1) {
			try(addr+parts[i:i+1], more-1)
		}
	}
	try("", 6)
	for _, addr := range []string{"ada+m1.tok=x_1@mail-1.example.org", "A@b"} {
		if !isSimple(addr) {
			t.Errorf("%s is not simple", addr)
		}
	}
	if simple == 0 {
		t.Error("none is simple")
	}
}
