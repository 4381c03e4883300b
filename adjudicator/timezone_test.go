package adjudicator_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// answersTo are letters of a seat, with what each was answered.
func (c *club) answersTo(seat string, letters ...string) string {
	c.t.Helper()
	var b strings.Builder
	for _, l := range letters {
		text := c.sends(seat, l).Text
		narrow(c.t, text)
		fmt.Fprintf(&b, "> %s\n%s\n", strings.ReplaceAll(l, "\n", "\n> "), ordersPart(text))
	}
	return b.String()
}

// TestTimeZone: a player's letters write times as they are where he is, in all of his
// matches and after a restart; nobody else's do, and nobody else hears of it.
func TestTimeZone(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	was, had := c.export(id, true), c.letters("democrat")
	wants(t, c.last("communist").Text, "Waiting since 4 June 1989, 09:")
	wants(t, c.sends("communist", "TIMEZONE Warsaw\nGRACE 2 hours").Text, "TIMEZONE Warsaw: done Your time zone is Europe/Warsaw: it is now 4 June 1989, 11:",
		"CEST. Other players are not told.", "Waiting since 4 June 1989, 11:0")
	if c.letters("democrat") != had || !bytes.Equal(was, c.export(id, true)) {
		t.Error("somebody else was told, or the match has changed")
	}
	c.reopen()
	wants(t, c.sends("communist", "PLACE Miskolc, Debrecen").Text, "Your orders wait until 4 June 1989, 13:")
	wants(t, c.sends("communist", "SHOW ORDERS").Text, "(waiting until 4 June 1989, 13:")
	answer, _ := c.asks("communist", "ADDRESS communist@new.test")
	wants(t, answer.Text, "not before 7 June 1989, 11:")
	c.now = time.Date(1989, 12, 1, 10, 0, 0, 0, time.UTC)
	wants(t, c.sends("communist", "NOW\nTIMEZONE").Text, "it is now 1 December 1989, 11:01 CET.")
	for _, l := range c.mailbox[address("democrat")] {
		lacks(t, l.Text, "CET", "CEST", "Warsaw")
	}
	for _, l := range c.mailbox["communist@new.test"] {
		lacks(t, l.Text, "CET", "CEST", "Warsaw")
	}
	wants(t, c.sends("democrat", "STATUS").Text, "Waiting since 1 December 1989, 10:01 UTC.")
	wants(t, c.sends("communist", "TIMEZONE UTC").Text, "Your time zone is UTC: it is now 1 December 1989, 10:0")
}

// TestTimeZoneMisused: whoever names no place is told what to write, and his orders wait;
// talk of time zones is talk.
func TestTimeZoneMisused(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	golden(t, "absence/timezone-misused.txt", c.answersTo("communist", "TIMEZONE", "TIMEZONE CET", "timezone: UTC+2", "TIME ZONE Krakow", "TZ=Europe/Warsw", "TIMEZONE Europe",
		"TIMEZONE new york", "TIMEZONE Asia/Calcutta", "TIMEZONE ../../etc/passwd", "TIMEZONE São Paulo", "TIMEZONE utc",
		"The time zone here is awful.", "TIMEZONE Local\nPLACE Miskolc, Debrecen"))
	if n := len(entriesOf(t, c, id)); n != 0 {
		t.Errorf("%d entries", n)
	}
}
