package message

import (
	"strings"
	"testing"
)

// TestLetterID: an id comes back from wherever it is read, fits into a local part, and
// is no token.
func TestLetterID(t *testing.T) {
	t.Parallel()
	const base = "abcdefghijklmnopqrst@club.example"
	key := []byte("a key")
	for name, id := range map[string]LetterID{
		"seat": NewLetterID(key, Name{"mabcdefg", Seat, 1, 12345}), "observer": NewLetterID(key, Name{"mabcdefg", Observer, 12, 12345}),
	} {
		raw, err := Draft{From: base, To: "ann@x.example", Subject: "x", MessageID: id.String() + "@club.example", Text: "x\n"}.Render()
		if err != nil {
			t.Fatal(err)
		}
		report := ReportAddress(base, id.String())
		if local, _, _ := strings.Cut(report, "@"); len(local) > maxLocalPart || !strings.HasPrefix(local, "abcdefghijklmnopqrst+b-mabcdefg-") {
			t.Errorf("%s: reports go to %s", name, report)
		}
		for where, text := range map[string]string{
			"Message-ID": string(raw), "address": "To: " + strings.ToUpper(report), "picture": "<map." + id.String() + "@club.example>",
			"newest": "<mabcdefg-" + strings.Split(id.String(), "-")[1] + "-7-abcdefghijklmnop@club.example> <" + id.String() + "@club.example>",
		} {
			got, ok := findLetterID(text, base)
			if !ok || got.Number != 12345 || !got.Valid(key) || got.Valid([]byte("another")) {
				t.Errorf("%s, %s: found %+v, %v", name, where, got, ok)
			}
		}
		if _, ok := findLetterID(string(raw), "judge@another.example"); ok {
			t.Errorf("%s: found for another referee", name)
		}
		if got, ok := Newest(FindTokens(Letter{To: []string{report, strings.Replace(report, "+b-", "+", 1)}}, base, Seat)); ok && got.Valid(key) {
			t.Errorf("%s: an id is good as a token", name)
		}
		if got, ok := Newest(FindTokens(Letter{To: []string{report, strings.Replace(report, "+b-", "+", 1)}}, base, Observer)); ok && got.Valid(key) {
			t.Errorf("%s: an id is good as an observer's token", name)
		}
	}
	// The token for answers shows as much.
	seat, observer := TokenAddress(base, NewToken(key, Name{"m1", Seat, 1, 7}).String()), TokenAddress(base, NewToken(key, Name{"m1", Observer, 3, 7}).String())
	for _, text := range []string{"Reply-To: " + seat, "<mailto:" + strings.Replace(observer, "+", "%2B", 1) + "?subject=x>", "[samizdat m1-1-7-" + NewToken(key, Name{"m1", Seat, 1, 7}).MAC + "] 1989"} {
		if got, ok := findLetterID(text, base); !ok || !got.Valid(key) {
			t.Errorf("%s: found %+v, %v", text, got, ok)
		}
	}
	if got, ok := findLetterID(seat+" "+observer, base); ok {
		t.Errorf("two readers: %+v", got)
	}
	// One that anybody could guess is none.
	if id, ok := findLetterID("Message-ID: <m1-1-7@club.example>", base); ok {
		t.Errorf("got %+v", id)
	}
	// Without an id, and without room for it, reports go to the plain address.
	for _, id := range []string{"", NewLetterID(key, Name{strings.Repeat("m", 30), Seat, 1, 7}).String()} {
		if got := ReportAddress(base, id); got != base {
			t.Errorf("reports go to %s", got)
		}
	}
}
