package message

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var seatKey = []byte("0123456789abcdef0123456789abcdef")

func TestTokenRoundTrip(t *testing.T) {
	t.Parallel()
	tok := NewToken(seatKey, Name{"m7k2", Seat, 1, 431})
	addr := TokenAddress("Judge@Demo.example", tok.String())
	// The bytes are fixed: letters in players' mailboxes must stay good.
	if want := "judge+m7k2-1-431-" + tok.MAC + "@demo.example"; addr != want || tok.MAC != "cwfkxf34u247ph3d" {
		t.Errorf("got %s, want %s", addr, want)
	}
	for _, l := range []Letter{
		{To: []string{"bob@x", addr}},
		{Cc: []string{addr}},
		{DeliveredTo: []string{strings.ToUpper(addr)}},
	} {
		got, ok := Newest(FindTokens(l, "judge@demo.example", Seat))
		if !ok || got != tok || !got.Valid(seatKey) {
			t.Errorf("%v: got %v %v", l, got, ok)
		}
	}
	if tok.Valid([]byte("another key")) {
		t.Error("valid under another key")
	}
	for name, bad := range map[string]Token{
		"match":  {Name{"m7k3", Seat, 1, 431}, tok.MAC},
		"kind":   {Name{"m7k2", Observer, 1, 431}, tok.MAC},
		"seat":   {Name{"m7k2", Seat, 0, 431}, tok.MAC},
		"letter": {Name{"m7k2", Seat, 1, 432}, tok.MAC},
		"mac":    {Name{"m7k2", Seat, 1, 431}, strings.Repeat("a", 16)},
		"empty":  {Name{"m7k2", Seat, 1, 431}, ""},
	} {
		if bad.Valid(seatKey) {
			t.Errorf("a changed %s is valid", name)
		}
	}
}

// TestTokenBytes: the bytes are fixed, for letters in players' mailboxes must stay good.
func TestTokenBytes(t *testing.T) {
	t.Parallel()
	seat, observer := Name{"m7k2", Seat, 1, 431}, Name{"m7k2", Observer, 3, 431}
	for got, want := range map[string]string{
		NewToken(seatKey, seat).String():        "m7k2-1-431-cwfkxf34u247ph3d",
		NewToken(seatKey, observer).String():    "m7k2-o3-431-j5lyb5wjcsq5lwlw",
		NewLetterID(seatKey, seat).String():     "m7k2-1-431-asasx7rq7q2vawnb",
		NewLetterID(seatKey, observer).String(): "m7k2-o3-431-q4sj6ivdkszvddvy",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestTokenLength(t *testing.T) {
	t.Parallel()
	long := NewToken(seatKey, Name{"m1234567890", Seat, 11, 9_999_999_999})
	if local, _, _ := strings.Cut(TokenAddress("samizdat@demo.example", long.String()), "@"); len(local) > maxLocalPart {
		t.Errorf("%s is too long", local)
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
		if got, ok := Newest(FindTokens(Letter{To: []string{a}}, "judge@demo.example", Seat)); ok {
			t.Errorf("%s: got %v", a, got)
		}
	}
	two := []string{"judge+m1-0-7-" + mac + "@demo.example", "judge+m2-0-7-" + mac + "@demo.example"}
	got := FindTokens(Letter{To: two, DeliveredTo: two[1:]}, "judge@demo.example", Seat)
	want := []Token{{Name{"m1", Seat, 0, 7}, mac}, {Name{"m2", Seat, 0, 7}, mac}}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
}

func FuzzFindTokens(f *testing.F) {
	f.Add(TokenAddress("judge@demo.example", NewToken(seatKey, Name{"m1", Seat, 0, 7}).String()))
	f.Add("judge+m1-0-7-aaaaaaaaaaaaaaaa@demo.example")
	f.Add("judge+m1-00-7-aaaaaaaaaaaaaaaa@demo.example")
	f.Fuzz(func(t *testing.T, a string) {
		tok, ok := Newest(FindTokens(Letter{To: []string{a}}, "judge@demo.example", Seat))
		if !ok {
			return
		}
		if got := TokenAddress("judge@demo.example", tok.String()); got != strings.ToLower(strings.TrimSpace(a)) {
			t.Errorf("%q gives %v, which gives %q", a, tok, got)
		}
		if tok.Valid([]byte("nobody's key")) {
			t.Errorf("%q is valid under a key nobody has", a)
		}
	})
}
