package message

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var seatKey = []byte("0123456789abcdef0123456789abcdef")

func TestTokenRoundTrip(t *testing.T) {
	t.Parallel()
	tok := NewToken(seatKey, "m7k2", 1, 431)
	addr := tok.Address("Judge@Demo.example")
	// The bytes are fixed: letters in players' mailboxes must stay good.
	if want := "judge+m7k2-1-431-" + tok.MAC + "@demo.example"; addr != want || tok.MAC != "cwfkxf34u247ph3d" {
		t.Errorf("got %s, want %s", addr, want)
	}
	for _, l := range []Letter{
		{To: []string{"bob@x", addr}},
		{Cc: []string{addr}},
		{DeliveredTo: []string{strings.ToUpper(addr)}},
	} {
		got, ok := FindToken(l, "judge@demo.example")
		if !ok || got != tok || !got.Valid(seatKey) {
			t.Errorf("%v: got %v %v", l, got, ok)
		}
	}
	if tok.Valid([]byte("another key")) {
		t.Error("valid under another key")
	}
	for name, bad := range map[string]Token{
		"match":  {"m7k3", 1, 431, tok.MAC},
		"seat":   {"m7k2", 0, 431, tok.MAC},
		"letter": {"m7k2", 1, 432, tok.MAC},
		"mac":    {"m7k2", 1, 431, strings.Repeat("a", 16)},
		"empty":  {"m7k2", 1, 431, ""},
	} {
		if bad.Valid(seatKey) {
			t.Errorf("a changed %s is valid", name)
		}
	}
}

func TestTokenLength(t *testing.T) {
	t.Parallel()
	long := NewToken(seatKey, "m1234567890", 11, 9_999_999_999)
	if !long.Fits("samizdat@demo.example") {
		t.Errorf("%s is too long", long.Address("samizdat@demo.example"))
	}
	if long.Fits(strings.Repeat("x", 40) + "@demo.example") {
		t.Error("65 bytes fit")
	}
}

func TestFindTokenRefuses(t *testing.T) {
	t.Parallel()
	mac := strings.Repeat("a", 16)
	for _, a := range []string{
		"judge@demo.example",
		"judge+m1-0-7-" + mac + "@elsewhere.example",
		"other+m1-0-7-" + mac + "@demo.example",
		"judge+m1-0-7@demo.example",
		"judge+m1-0-7-short@demo.example",
		"judge+m1-00-7-" + mac + "@demo.example",
		"judge+m1-+1-7-" + mac + "@demo.example",
		"judge+m1-0--7-" + mac + "@demo.example",
		"judge+m1-0-99999999999999999999-" + mac + "@demo.example",
		"judge+-0-7-" + mac + "@demo.example",
		"judge+m_1-0-7-" + mac + "@demo.example",
		"judge+m1-0-7-" + strings.Repeat("1", 16) + "@demo.example",
		"", "@", "judge+@demo.example",
	} {
		if got, ok := FindToken(Letter{To: []string{a}}, "judge@demo.example"); ok {
			t.Errorf("%s: got %v", a, got)
		}
	}
	two := []string{"judge+m1-0-7-" + mac + "@demo.example", "judge+m2-0-7-" + mac + "@demo.example"}
	got := FindTokens(Letter{To: two, DeliveredTo: two[1:]}, "judge@demo.example")
	want := []Token{{"m1", 0, 7, mac}, {"m2", 0, 7, mac}}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
}

func FuzzFindToken(f *testing.F) {
	f.Add(NewToken(seatKey, "m1", 0, 7).Address("judge@demo.example"))
	f.Add("judge+m1-0-7-aaaaaaaaaaaaaaaa@demo.example")
	f.Add("judge+m1-00-7-aaaaaaaaaaaaaaaa@demo.example")
	f.Fuzz(func(t *testing.T, a string) {
		tok, ok := FindToken(Letter{To: []string{a}}, "judge@demo.example")
		if !ok {
			return
		}
		if got := tok.Address("judge@demo.example"); got != strings.ToLower(strings.TrimSpace(a)) {
			t.Errorf("%q gives %v, which gives %q", a, tok, got)
		}
		if tok.Valid([]byte("nobody's key")) {
			t.Errorf("%q is valid under a key nobody has", a)
		}
	})
}
