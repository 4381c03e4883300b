package message

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var seatKey = []byte("0123456789abcdef0123456789abcdef")

func TestTokenRoundTrip(t *testing.T) {
	t.Parallel()
	tok := NewToken(seatKey, LetterName{"m7k2", Seat, 1, 431})
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
		got, ok := NewestToken(FindTokens(l, "judge@demo.example", Seat))
		if !ok || got != tok || !got.IsValid(seatKey) {
			t.Errorf("%v: got %v %v", l, got, ok)
		}
	}
	if tok.IsValid([]byte("another key")) {
		t.Error("valid under another key")
	}
	for name, bad := range map[string]Token{
		"match":  {LetterName{"m7k3", Seat, 1, 431}, tok.MAC},
		"kind":   {LetterName{"m7k2", Observer, 1, 431}, tok.MAC},
		"seat":   {LetterName{"m7k2", Seat, 0, 431}, tok.MAC},
		"letter": {LetterName{"m7k2", Seat, 1, 432}, tok.MAC},
		"mac":    {LetterName{"m7k2", Seat, 1, 431}, strings.Repeat("a", 16)},
		"empty":  {LetterName{"m7k2", Seat, 1, 431}, ""},
	} {
		if bad.IsValid(seatKey) {
			t.Errorf("a changed %s is valid", name)
		}
	}
}

// TestTokenBytes: the bytes are fixed, for letters in players' mailboxes must stay good.
func TestTokenBytes(t *testing.T) {
	t.Parallel()
	seat, observer := LetterName{"m7k2", Seat, 1, 431}, LetterName{"m7k2", Observer, 3, 431}
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
	long := NewToken(seatKey, LetterName{"m1234567890", Seat, 11, 9_999_999_999})
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
		if got, ok := NewestToken(FindTokens(Letter{To: []string{a}}, "judge@demo.example", Seat)); ok {
			t.Errorf("%s: got %v", a, got)
		}
	}
	two := []string{"judge+m1-0-7-" + mac + "@demo.example", "judge+m2-0-7-" + mac + "@demo.example"}
	got := FindTokens(Letter{To: two, DeliveredTo: two[1:]}, "judge@demo.example", Seat)
	want := []Token{{LetterName{"m1", Seat, 0, 7}, mac}, {LetterName{"m2", Seat, 0, 7}, mac}}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
}

func FuzzFindTokens(f *testing.F) {
	f.Add(TokenAddress("judge@demo.example", NewToken(seatKey, LetterName{"m1", Seat, 0, 7}).String()))
	f.Add("judge+m1-0-7-aaaaaaaaaaaaaaaa@demo.example")
	f.Add("judge+m1-00-7-aaaaaaaaaaaaaaaa@demo.example")
	f.Fuzz(func(t *testing.T, a string) {
		tok, ok := NewestToken(FindTokens(Letter{To: []string{a}}, "judge@demo.example", Seat))
		if !ok {
			return
		}
		if got := TokenAddress("judge@demo.example", tok.String()); got != strings.ToLower(strings.TrimSpace(a)) {
			t.Errorf("%q gives %v, which gives %q", a, tok, got)
		}
		if tok.IsValid([]byte("nobody's key")) {
			t.Errorf("%q is valid under a key nobody has", a)
		}
	})
}

func TestTag(t *testing.T) {
	t.Parallel()
	const base = "judge@demo.example"
	tok, other := NewToken(seatKey, LetterName{"m7k2", Seat, 1, 431}), NewToken(seatKey, LetterName{"m7k3", Seat, 1, 431})
	tag := SubjectTag(tok.String())
	if tag != "[samizdat m7k2-1-431-cwfkxf34u247ph3d]" {
		t.Errorf("the tag is %s", tag)
	}
	old := NewToken(seatKey, LetterName{"m7k2", Seat, 1, 9})
	for _, tt := range []struct {
		name, subject string
		want          *Token
	}{
		{"reply", "Re: " + tag + " 1989: your move", &tok},
		{"folded", "AW: [samizdat\r\n m7k2-1-431-cwfkxf34u247ph3d] x", &tok},
		{"upper case", "RE: [SAMIZDAT M7K2-1-431-CWFKXF34U247PH3D]", &tok},
		{"twice", tag + " " + tag, &tok},
		{"with the match's own tag", "[samizdat m7k2] " + tag, &tok},
		{"two letters of a seat", SubjectTag(old.String()) + tag, &tok},
		{"two matches", tag + SubjectTag(other.String()), nil},
		{"the match's own tag alone", "[samizdat m7k2] 1989", nil},
		{"one sign less", "[samizdat m7k2-1-431-cwfkxf34u247ph3]", nil},
		{"leading zero", "[samizdat m7k2-01-431-cwfkxf34u247ph3d]", nil},
		{"none", "Hello", nil},
	} {
		got, ok := NewestToken(FindTokens(AddSubjectTokens(Read([]byte("Subject: "+tt.subject+"\r\n\r\n")), base), base, Seat))
		if ok != (tt.want != nil) || ok && got != *tt.want {
			t.Errorf("%s: got %v %v", tt.name, got, ok)
		}
	}
}

// TestObserverToken: a token comes back from any spelling of its address, fits into
// a local part, and is never a seat's.
func TestObserverToken(t *testing.T) {
	t.Parallel()
	const base = "referee@club.example"
	key := []byte("the key of an address")
	for _, tt := range []struct {
		name     string
		observer int
		number   int64
	}{{"confirmation", 0, 20778}, {"observer", 3, 1}, {"many letters", 9999, 999999}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := TokenAddress(base, NewToken(key, LetterName{"mabcdefg", Observer, tt.observer, tt.number}).String())
			if local, _, _ := strings.Cut(a, "@"); len(local) > maxLocalPart || a != strings.ToLower(a) {
				t.Errorf("the address %s is too long, or not in lower case", a)
			}
			got, ok := NewestToken(FindTokens(Letter{Cc: []string{"x@y.example", strings.ToUpper(a)}}, base, Observer))
			if !ok || got.Match != "mabcdefg" || got.Reader != tt.observer || got.Number != tt.number || !got.IsValid(key) {
				t.Errorf("found %+v, %v", got, ok)
			}
			if got.IsValid([]byte("another key")) {
				t.Error("the token is good for another address")
			}
			got.Number++
			if got.IsValid(key) {
				t.Error("the token is good for another letter")
			}
			if seat, ok := NewestToken(FindTokens(Letter{To: []string{a}}, base, Seat)); ok {
				t.Errorf("it reads as the token of seat %d", seat.Reader)
			}
		})
	}
	for _, bad := range []string{
		"", "mabcdefg-3-1-aaaaaaaaaaaaaaaa", "mabcdefg-o03-1-aaaaaaaaaaaaaaaa", "mabcdefg-o3-01-aaaaaaaaaaaaaaaa", "mabcdefg-o-3-1-aaaaaaaaaaaaaaaa",
		"mabcdefg-o+3-1-aaaaaaaaaaaaaaaa", "mabcdefg-o3-1-aaaaaaaaaaaaaaa", "mabcdefg-o3-1-aaaaaaaaaaaaaaa1", "m_bcdefg-o3-1-aaaaaaaaaaaaaaaa",
	} {
		if got, ok := NewestToken(FindTokens(Letter{To: []string{"referee+" + bad + "@club.example"}}, base, Observer)); ok {
			t.Errorf("%q reads as %+v", bad, got)
		}
	}
}

func TestFeet(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("a1", 32), strings.Repeat("b2", 32)
	for name, tt := range map[string]struct {
		text           string
		feet, inQuotes []Footer
	}{
		"a letter":         {"Match m1, letter 5 to you, epoch 2. The hash of its history so far:\n" + a + "\n", []Footer{{"m1", 5, 2, a}}, []Footer{{"m1", 5, 2, a}}},
		"an older letter":  {"Match m1, letter 5 to you. The hash of its history so far:\n" + a, []Footer{{"m1", 5, -1, a}}, []Footer{{"m1", 5, -1, a}}},
		"to an observer":   {"Match m1, epoch 0. The hash of its history so far:\n" + a, []Footer{{"m1", 0, 0, a}}, []Footer{{"m1", 0, 0, a}}},
		"filled":           {"Match m1, letter 5 to you,\nepoch 2. The hash of its\nhistory so far: " + a, []Footer{{"m1", 5, 2, a}}, []Footer{{"m1", 5, 2, a}}},
		"a quote":          {"WITNESS\n\n> Match m1, letter 5 to you, epoch 2. The hash of\n> its history so far:\n> " + a, nil, []Footer{{"m1", 5, 2, a}}},
		"a quote in both":  {"> > Match m1, letter 4 to you, epoch 0. The hash of its history so far:\n> > " + b + "\n> Match m1, letter 5 to you, epoch 0. The hash of its history so far:\n> " + a, nil, []Footer{{"m1", 4, 0, b}, {"m1", 5, 0, a}}},
		"without a hash":   {"Match m1, letter 5 to you.\n", nil, nil},
		"the newer words":  {"Match m1, letter 5 to you. Check number of the history\nso far:\n" + a, []Footer{{"m1", 5, 0, a}}, []Footer{{"m1", 5, 0, a}}},
		"after a restore":  {"Match m1, letter 5 to you, epoch 2. Check number of the history so far:\n" + a, []Footer{{"m1", 5, 2, a}}, []Footer{{"m1", 5, 2, a}}},
		"a hash too short": {"Match m1, epoch 0. The hash of its history so far:\n" + a[:63] + "\n", nil, nil},
		"a hash too long":  {"Match m1, epoch 0. The hash of its history so far:\n" + a + "a\n", nil, nil},
	} {
		if d := cmp.Diff(tt.feet, FindFooters(tt.text)); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		if d := cmp.Diff(tt.inQuotes, FindQuotedFooters(tt.text)); d != "" {
			t.Errorf("%s, in quotes:\n%s", name, d)
		}
	}
}
