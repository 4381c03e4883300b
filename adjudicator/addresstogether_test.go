package adjudicator_test

import (
	"context"
	"testing"

	"samizdat/adjudicator/exchange"
	"samizdat/storage"
)

// between does something just before the next change is stored.
type between struct {
	*storage.DB
	do func()
}

func (b *between) Apply(ctx context.Context, c exchange.Change) error {
	if do := b.do; do != nil {
		b.do = nil
		do()
	}
	return b.DB.Apply(ctx, c)
}

// TestOperatorTogether: the old address can object to the operator's change although its
// token has changed while the letter that says so was written.
func TestOperatorTogether(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	var store *between
	c.store = func(s exchange.Store) exchange.Store {
		store = &between{DB: s.(*storage.DB)}
		return store
	}
	c.reopen()
	store.do = func() { c.sends("democrat", "NEW TOKEN") }
	if _, err := c.adj.StartAddressChange(t.Context(), id, 0, "new@players.test"); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	wants(t, c.last("democrat").Text, "The operator of Samizdat was asked")
	c.receive(c.letter("democrat", "ADDRESS KEEP"))
	if request := c.stored(id).Seats[0].Player.Request; request != nil {
		t.Errorf("nobody could object to %+v:\n%s", request, c.last("democrat").Text)
	}
}

// TestKeepSeatElsewhere: whichever match the operator names, the letter with which somebody
// has asked counts no more.
func TestKeepSeatElsewhere(t *testing.T) {
	t.Parallel()
	c, played, _, _ := regular(t)
	leaked := c.of(played[0], "democrat", 0)
	c.receive(c.reply(leaked, "democrat", "ADDRESS mallory@players.test"))
	if err := c.adj.CancelAddressChange(t.Context(), played[1], 1); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.receive(c.reply(leaked, "democrat", "ADDRESS mallory@players.test"))
	if request := c.stored(played[0]).Seats[0].Player.Request; request != nil {
		t.Errorf("a letter from before asks again: %+v", request)
	}
	c.receive(c.reply(c.of(played[0], "democrat", 0), "democrat", "STATUS"))
	wants(t, c.last("democrat").Text, "STATUS: done")
}
