package adjudicator_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/record"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// reads counts the positions that are read, which is the first that is done for a letter whose token
// is good.
type reads struct {
	rules.Engine
	n *int
}

func (g reads) Decode(data []byte) (rules.Position, error) {
	*g.n++
	return g.Engine.Decode(data)
}

// TestTokenFirst: of a stranger's letter its header and the beginning of its text are read, and its
// token is looked at: no history is read, no position, no order, and nothing is stored but what its player is told.
func TestTokenFirst(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	n, seen, g := 0, &counting{}, dawn1989.Game()
	g.Engine = reads{g.Engine, &n}
	c.games = []*rules.Game{g}
	c.store = func(s exchange.Store) exchange.Store { seen.Store = s; return seen }
	c.reopen()
	orders := strings.Repeat("I would like to place two in Krakwo and 1 in Lodz, or maybe check Gdansk\n", 200)
	own := c.letter("communist", orders)
	for name, change := range map[string]func(*message.Draft){
		"no token":           func(m *message.Draft) { m.To, m.InReplyTo = c.codec.Address, "" },
		"a token of nothing": func(m *message.Draft) { m.To, m.InReplyTo = strings.Replace(m.To, id, "mnothing", 1), "" },
		"an id of nothing": func(m *message.Draft) {
			m.To, m.InReplyTo = c.codec.Address, strings.Replace(m.InReplyTo, id, "mnothing", 1)
		},
		"a long letter":    func(m *message.Draft) { m.To, m.InReplyTo, m.Text = c.codec.Address, "", strings.Repeat(orders, 60) },
		"a player's token": func(m *message.Draft) {},
		"a player's, long": func(m *message.Draft) { m.Text = strings.Repeat(orders, 60) },
		"a player's page":  func(m *message.Draft) { m.HTML = "<p>" + strings.Repeat(orders, 20) },
	} {
		m := own
		m.From, m.MessageID = "eve@strangers.test", strings.ReplaceAll(name, " ", "-")+"@strangers.test"
		change(&m)
		f := c.receive(m)
		if n > 0 || seen.history > 0 || strings.HasPrefix(name, "a player's") == (seen.applied == 0 && f == mail.Ignored) {
			t.Errorf("%s: filed in %s; %d positions read, %d histories, %d times stored", name, f, n, seen.history, seen.applied)
		}
		seen.applied, c.now = 0, c.now.Add(24*time.Hour) // The player is told once a day.
	}
	if f := c.receive(own); f != mail.Refused || n == 0 || seen.applied == 0 {
		t.Errorf("the player's own letter is filed in %s; %d positions read, %d times stored", f, n, seen.applied)
	}
}

// counting counts what is read and stored.
type counting struct {
	exchange.Store
	history, applied int
}

func (s *counting) History(ctx context.Context, id string) ([]record.Entry, error) {
	s.history++
	return s.Store.History(ctx, id)
}

func (s *counting) Apply(ctx context.Context, c exchange.Change) error {
	s.applied++
	return s.Store.Apply(ctx, c)
}
