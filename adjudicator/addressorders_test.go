package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"
)

// TestAddressOnly: who drops the second address has another token, since it had one; its
// reader is told, and told of what is asked soon after.
func TestAddressOnly(t *testing.T) {
	t.Parallel()
	c, id := secondClub(t)
	key, leaked := c.seat(id, "democrat").Key, c.last("democrat")
	c.sends("democrat", "ADDRESS ONLY")
	if l := c.last("second"); len(l.ReplyTo) > 0 {
		t.Errorf("an address that was dropped can answer to %s", l.ReplyTo)
	}
	if bytes.Equal(key, c.seat(id, "democrat").Key) {
		t.Error("a token that the second address has had is still good")
	}
	had := c.total()
	c.receive(c.reply(leaked, "second", "STATUS"))
	if c.total() != had {
		t.Error("it is still answered")
	}
	_, notice := c.asks("democrat", "ADDRESS new@players.test")
	dropped := c.notice("second")
	golden(t, "addresses/dropped-notice.txt", dropped.Text)
	c.receive(c.letter("new", "YES"))
	c.receive(c.reply(dropped, "second", "YES"))
	c.receive(c.reply(notice, "second", "YES"))
	if c.at(id) != "democrat@players.test" {
		t.Fatal("an address that was dropped can say YES")
	}
	c.receive(c.reply(dropped, "second", "ADDRESS KEEP"))
	if c.seat(id, "democrat").Addresses.Request != nil {
		t.Error("an address that was dropped cannot object")
	}
	c.due(8 * day)
	c.asks("democrat", "ADDRESS new@players.test")
	if strings.Contains(c.last("second").Subject, "is it you who asks?") {
		t.Error("it is told for ever")
	}
}

// TestAddressOnlyAstray: the only address that works is not dropped.
func TestAddressOnlyAstray(t *testing.T) {
	t.Parallel()
	c, id := secondClub(t)
	c.returns(t, c.sends("democrat", "STATUS"), true)
	wants(t, c.sends("second", "ADDRESS ONLY").Text, "ADDRESS ONLY: refused", "ADDRESS second@players.test makes it the only one.")
	// That needs one YES, since both are his.
	c.receive(c.letter("second", "ADDRESS second@players.test"))
	c.receive(c.letter("second", "YES"))
	if c.at(id) != "second@players.test" {
		t.Errorf("the letters go to %s", c.at(id))
	}
}
