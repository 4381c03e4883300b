package adjudicator_test

import (
	"context"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// reads counts the positions that are read, which is the first that is done for a letter whose token
// is good.
type reads struct {
	dawn1989.Game
	n *int
}

func (g reads) Decode(data []byte) (rules.Position, error) {
	*g.n++
	return g.Game.Decode(data)
}

// TestTokenFirst: of a stranger's letter its header and the beginning of its text are read, and its
// token is looked at: no history is read, no position, no order, and nothing is stored.
func TestTokenFirst(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	n, seen := 0, &counting{}
	c.games = []rules.Game{reads{n: &n}}
	c.store = func(s adjudicator.Store) adjudicator.Store { seen.Store = s; return seen }
	c.reopen()
	orders := strings.Repeat("I would like to place two in Krakwo and 1 in Lodz, or maybe check Gdansk\n", 200)
	own := c.letter("communist", orders)
	for name, change := range map[string]func(*message.Draft){
		"no token":           func(m *message.Draft) { m.To = c.codec.Address },
		"a player's token":   func(m *message.Draft) {},
		"a token of nothing": func(m *message.Draft) { m.To = strings.Replace(m.To, id, "mnothing", 1) },
		"a long letter":      func(m *message.Draft) { m.Text = strings.Repeat(orders, 60) },
		"a page":             func(m *message.Draft) { m.HTML = "<p>" + strings.Repeat(orders, 20) },
	} {
		m := own
		m.From, m.MessageID = "eve@strangers.test", strings.ReplaceAll(name, " ", "-")+"@strangers.test"
		change(&m)
		if f := c.receive(m); f != mail.Ignored || n > 0 || seen.history > 0 || seen.applied > 0 {
			t.Errorf("%s: filed in %s; %d positions read, %d histories, %d times stored", name, f, n, seen.history, seen.applied)
		}
	}
	if f := c.receive(own); f != mail.Refused || n == 0 || seen.applied == 0 {
		t.Errorf("the player's own letter is filed in %s; %d positions read, %d times stored", f, n, seen.applied)
	}
}

// counting counts what is read and stored.
type counting struct {
	adjudicator.Store
	history, applied int
}

func (s *counting) History(ctx context.Context, id string) ([]record.Entry, error) {
	s.history++
	return s.Store.History(ctx, id)
}

func (s *counting) Apply(ctx context.Context, c adjudicator.Change) error {
	s.applied++
	return s.Store.Apply(ctx, c)
}
