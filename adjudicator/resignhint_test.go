package adjudicator_test

import (
	"testing"

	"samizdat/adjudicator/match"
)

// TestResignHint: words that may give up the match are answered with the order for it, and do nothing.
func TestResignHint(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 0)
	before := c.stored(id).EntryCount
	for _, text := range []string{"CONCEDE", "concede the match", "I concede.", "SURRENDER", "GIVE UP", "I give up", "I surrender"} {
		wants(t, c.sends("communist", text).Text, "To give the match up, write RESIGN; we will ask you to confirm it.")
		if m := c.stored(id); m.EntryCount != before || m.State != match.Playing {
			t.Errorf("%q has changed the match", text)
		}
	}
	lacks(t, c.sends("communist", "PLACE Gdansk").Text, "RESIGN")
}
