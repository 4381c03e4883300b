package adjudicator_test

import (
	"strings"
	"testing"
	"time"
)

// TestGivenUp: a letter that the mail server refuses at once brings no report. It is
// booked all the same, and the player is reached at his second address.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, reason string
		book         string
		strays       bool
	}{
		{"no such address", "RCPT refused: 550 5.1.1 no such user", "hard 5.1.1", true},
		{"no such address, no code", "RCPT refused: 550 0.0.0 No such user here", "hard ", true},
		{"tried for too long", "given up after 35 tries: RCPT refused: 450 4.2.1 busy", "soft 4.2.1", false},
		{"content", "final dot refused: 554 5.7.1 looks like spam", "soft 5.7.1", false},
		{"our own account", "RCPT refused: 550 5.4.5 Daily user sending limit exceeded", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := secondClub(t)
			had := c.got("second")
			if _, err := c.try(c.letter("democrat", "STATUS")); err != nil {
				t.Fatal(err)
			}
			box := c.db.Outbox(c.office.Address)
			due, err := box.Due(t.Context(), c.now, 10)
			if err != nil || len(due) != 1 {
				t.Fatalf("%d letters, %v", len(due), err)
			}
			if err := box.Failed(t.Context(), due[0].ID, c.now, c.now, true, tt.reason); err != nil {
				t.Fatal(err)
			}
			// What has happened is not lost with the process.
			c.reopen()
			c.now = c.now.Add(time.Minute)
			for range 2 {
				if err := c.adj.GivenUp(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			c.deliver()
			list, err := c.db.Bounces(t.Context(), id, 0)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, b := range list {
				got = map[bool]string{true: "hard ", false: "soft "}[b.Hard] + b.Status
			}
			if got != tt.book {
				t.Errorf("the book says %q, want %q", got, tt.book)
			}
			if strays := c.got("second")-had == 1; strays != tt.strays {
				t.Errorf("the second address got %d letters", c.got("second")-had)
			}
			if tt.strays && !strings.Contains(strings.Join(strings.Fields(c.last("second").Text), " "), "did not arrive. They come to your second address") {
				t.Errorf("it is told\n%s", c.last("second").Text)
			}
		})
	}
}
