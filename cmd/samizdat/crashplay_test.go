package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/demo"
	"samizdat/internal/mailclient"
	"samizdat/internal/playout"
	"samizdat/mail/embedded"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// crashPlayer is a mail program that gets over a mail server which goes away.
type crashPlayer struct {
	*mailclient.Client
	crash *crash
	// newest is the number of the last letter: letters may come late.
	newest int
}

// lateLetter is a copy of a letter that is delivered a second time, later.
type lateLetter struct {
	from *crashPlayer
	to   string
	raw  []byte
}

// redial connects anew until it has worked.
func (p *crashPlayer) redial() {
	for c := p.crash; p.Redial() != nil; c.pass(20 * time.Millisecond) {
		if c.ctx.Err() != nil {
			c.t.Fatal(context.Cause(c.ctx))
		}
	}
}

// deliver hands a letter in until the server has taken it. It may have taken it
// before as well.
func (p *crashPlayer) deliver(to string, raw []byte) {
	for p.Send(to, raw) != nil {
		p.redial()
	}
}

// letters reads what has come for a match.
func (p *crashPlayer) letters(g *crashGame) {
	for {
		l, ok, err := p.Fetch()
		switch {
		case err != nil:
			p.redial()
			continue
		case !ok:
			return
		}
		if number := letterNumber(l, g.id); number > p.newest {
			p.newest, p.Last = number, l
		}
		if l.InReplyTo == g.waits {
			g.waits = ""
		}
		g.over = g.over || letterNumber(l, g.id) > 0 && strings.Contains(l.Text, "\nThe match is over")
	}
}

// letterNumber is the number of a letter of ours to a seat of a match, or 0.
func letterNumber(l message.Letter, match string) int {
	id, _, _ := strings.Cut(l.MessageID, "@")
	parts := strings.Split(id, "-")
	if len(parts) != 4 || parts[0] != match {
		return 0
	}
	n, err := strconv.Atoi(parts[2])
	if err != nil {
		return 0
	}
	return n
}

// move reads the letters of a match, and sends the order that is asked for, if one
// is. It reports whether it has sent something.
func (c *crash) move(g *crashGame) bool {
	for _, p := range g.players {
		p.letters(g)
	}
	if g.waits != "" || g.over {
		c.pass(10 * time.Millisecond)
		return false
	}
	var m *match.Match
	c.try(func() (err error) { m, err = c.reader.DB.Match(c.ctx, g.id); return err })
	if m.State == match.Inviting {
		for s, p := range g.players {
			if !m.Seats[s].Joined && p.newest > 0 {
				c.send(g, p, "JOIN "+demo.JoinWords, false)
				return true
			}
		}
		c.pass(10 * time.Millisecond)
		return false
	}
	pos, err := dawn1989.Game().Decode(m.Position)
	c.must(err)
	for s, p := range g.players {
		if int64(p.newest) != m.Seats[s].LastLetter || !demo.IsMoveRequest(p.Last) {
			continue
		}
		if c.rng.IntN(12) == 0 {
			// A question beside the orders is answered, and changes nothing.
			c.send(g, p, "STATUS", false)
			return true
		}
		asked := m.UnansweredDecisions(pos)
		i := slices.IndexFunc(asked, func(d rules.Decision) bool { return d.Seat == rules.Seat(s) })
		if i < 0 {
			c.t.Fatalf("the letter to %s asks for an order, but nothing is owed", p.Address)
		}
		atoms, err := playout.Answer(pos, asked[i], g.robots[s])
		c.must(err)
		// A robot may have to lose.
		c.send(g, p, dawn1989.Game().FormatOrder(atoms)+" SURELY", true)
		return true
	}
	c.pass(10 * time.Millisecond)
	return false
}

// send sends a letter; its answer is waited for. Some letters are sent twice, at
// once or later.
func (c *crash) send(g *crashGame, p *crashPlayer, text string, order bool) {
	d, err := p.Draft(text)
	c.must(err)
	raw, err := d.Render()
	c.must(err)
	g.sent[d.MessageID], g.waits = order, d.MessageID
	l := lateLetter{p, d.To, raw}
	p.deliver(l.to, l.raw)
	switch c.rng.IntN(8) {
	case 0:
		p.deliver(l.to, l.raw)
		c.twice++
	case 1, 2:
		c.late = append(c.late, l)
	}
}

// settle delivers what is late still, waits until every letter is answered, and ends the daemon.
func (c *crash) settle() {
	c.rest()
	c.daemon.end()
}

// rest delivers what is late still, and waits until every letter is answered.
func (c *crash) rest() {
	for _, l := range c.late {
		l.from.deliver(l.to, l.raw)
		c.twice++
	}
	for _, g := range c.tables {
		for g.waits != "" {
			for _, p := range g.players {
				p.letters(g)
			}
			c.pass(10 * time.Millisecond)
		}
	}
	// The outbox is empty when everything was delivered; what is handled a second
	// time is not answered, so that nobody can wait for it.
	for {
		var s storage.Stats
		c.try(func() (err error) { s, err = c.reader.DB.Operator.Stats(c.ctx); return err })
		if s.Outbox["failed"] > 0 {
			c.t.Errorf("%d letters could not be delivered", s.Outbox["failed"])
		}
		if s.Outbox["waiting"] == 0 && c.inbox() == 0 {
			break
		}
		c.pass(50 * time.Millisecond)
	}
}

// mailbox is all that lies in a mailbox.
func (c *crash) mailbox(address, password string) [][]byte {
	raws, err := c.folder(embedded.Account{Address: address, Password: password})
	c.must(err)
	return raws
}

// inbox counts what the daemon has not filed yet.
func (c *crash) inbox() int {
	referee := c.boxes.Accounts[0]
	return len(c.mailbox(referee.Address, referee.Password))
}

// check looks at what became of a match, and counts its orders.
func (c *crash) check(g *crashGame) int {
	rec, err := c.reader.Adjudicator.Export(c.ctx, g.id, true)
	c.must(err)
	if err := errors.Join(record.VerifyChain(rec), record.VerifyStream(rec)); err != nil {
		c.t.Errorf("match %s: %v", g.id, err)
	}
	if _, err := record.Replay(rec, dawn1989.Game(), nil); err != nil {
		c.t.Errorf("match %s: %v", g.id, err)
	}
	done, sent := map[string]bool{}, 0
	for _, e := range rec.Entries() {
		if e.HasOrders() && done[e.Letter] {
			c.t.Errorf("match %s: the order of letter %s was carried out twice", g.id, e.Letter)
		}
		if e.HasOrders() {
			done[e.Letter] = true
		}
	}
	for _, order := range g.sent {
		if order {
			sent++
		}
	}
	if len(done) != sent {
		c.t.Errorf("match %s: %d orders were sent, %d carried out", g.id, sent, len(done))
	}
	c.answers(g)
	return len(done)
}

// answers looks at all that lies in the mailboxes of a match: every letter was
// answered, by one letter, whose copies are the same.
func (c *crash) answers(g *crashGame) {
	answered := map[string]string{}
	bodies := map[string][]byte{}
	for _, p := range g.players {
		raws := c.mailbox(p.Address, p.Password)
		for _, raw := range raws {
			l := message.Read(raw)
			if letterNumber(l, g.id) == 0 {
				continue
			}
			// What servers on the way add stands above the letter.
			_, own, _ := bytes.Cut(raw, []byte("\r\nFrom: "))
			if was, ok := bodies[l.MessageID]; ok && !bytes.Equal(was, own) {
				c.t.Errorf("letter %s came twice, and not the same", l.MessageID)
			}
			bodies[l.MessageID] = own
			if _, isOurs := g.sent[l.InReplyTo]; !isOurs {
				continue
			}
			if by := answered[l.InReplyTo]; by != "" && by != l.MessageID {
				c.t.Errorf("letter %s was answered by %s and by %s", l.InReplyTo, by, l.MessageID)
			}
			answered[l.InReplyTo] = l.MessageID
			if strings.Contains(l.Text, ": refused\n") {
				c.t.Errorf("letter %s was refused:\n%s", l.InReplyTo, l.Text)
			}
		}
	}
	for id := range g.sent {
		if answered[id] == "" {
			c.t.Errorf("letter %s was not answered", id)
		}
	}
}
