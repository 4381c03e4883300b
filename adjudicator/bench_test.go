package adjudicator_test

import (
	"testing"

	"samizdat/mail"
	"samizdat/rules/dawn1989"
)

// BenchmarkReceive measures a letter from its bytes to the commit: parsed,
// carried out, both players' letters composed, everything stored in a real
// database. Each letter is of a match of its own, as in a club.
func BenchmarkReceive(b *testing.B) {
	c := newClub(b, dawn1989.Game{})
	letters := make([]mail.Received, b.N)
	for i := range letters {
		c.mailbox = map[string][]mail.Letter{}
		c.match("1989", nil, dawnSeats...)
		raw, err := c.letter("communist", "PLACE Miskolc, Debrecen").Render()
		if err != nil {
			b.Fatal(err)
		}
		letters[i] = mail.Received{UIDValidity: 1, UID: uint32(i), Arrived: c.now, Size: int64(len(raw)), Raw: raw}
	}
	clerk := c.clerk()
	b.ResetTimer()
	for _, l := range letters {
		if f, err := clerk.Handle(b.Context(), l); err != nil || f != mail.Done {
			b.Fatalf("filed in %s, %v", f, err)
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "letters/s")
}
