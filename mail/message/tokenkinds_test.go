package message

import (
	"strings"
	"testing"
)

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
			a := TokenAddress(base, NewToken(key, Name{"mabcdefg", Observer, tt.observer, tt.number}).String())
			if local, _, _ := strings.Cut(a, "@"); len(local) > maxLocalPart || a != strings.ToLower(a) {
				t.Errorf("the address %s is too long, or not in lower case", a)
			}
			got, ok := Newest(FindTokens(Letter{Cc: []string{"x@y.example", strings.ToUpper(a)}}, base, Observer))
			if !ok || got.Match != "mabcdefg" || got.Holder != tt.observer || got.Number != tt.number || !got.Valid(key) {
				t.Errorf("found %+v, %v", got, ok)
			}
			if got.Valid([]byte("another key")) {
				t.Error("the token is good for another address")
			}
			got.Number++
			if got.Valid(key) {
				t.Error("the token is good for another letter")
			}
			if seat, ok := Newest(FindTokens(Letter{To: []string{a}}, base, Seat)); ok {
				t.Errorf("it reads as the token of seat %d", seat.Holder)
			}
		})
	}
	for _, bad := range []string{
		"", "mabcdefg-3-1-aaaaaaaaaaaaaaaa", "mabcdefg-o03-1-aaaaaaaaaaaaaaaa", "mabcdefg-o3-01-aaaaaaaaaaaaaaaa", "mabcdefg-o-3-1-aaaaaaaaaaaaaaaa",
		"mabcdefg-o+3-1-aaaaaaaaaaaaaaaa", "mabcdefg-o3-1-aaaaaaaaaaaaaaa", "mabcdefg-o3-1-aaaaaaaaaaaaaaa1", "m_bcdefg-o3-1-aaaaaaaaaaaaaaaa",
	} {
		if got, ok := Newest(FindTokens(Letter{To: []string{"referee+" + bad + "@club.example"}}, base, Observer)); ok {
			t.Errorf("%q reads as %+v", bad, got)
		}
	}
}
