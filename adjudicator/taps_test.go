package adjudicator_test

import (
	"context"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/long"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
)

// unkept is a store that can be told to keep nothing: what a letter leads to is shown,
// and the match stays as it is.
type unkept struct {
	*archive
	dry   bool
	shown exchange.Change
}

func (s *unkept) Apply(ctx context.Context, c exchange.Change) error {
	s.shown = c
	if s.dry {
		return nil
	}
	return s.archive.Apply(ctx, c)
}

var anchor = regexp.MustCompile(`(?s)<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>`)

// taps are the letters that mail programs begin at the links of a page, sent as they
// stand: below the order stands what a telephone adds.
func taps(t *testing.T, from, page string) (out []message.Draft) {
	t.Helper()
	for i, m := range anchor.FindAllStringSubmatch(page, -1) {
		u, err := url.Parse(html.UnescapeString(m[1]))
		if err != nil || u.Scheme != "mailto" || len(m[1]) > 500 {
			t.Fatalf("a link to %s: %v", m[1], err)
		}
		to, err := url.PathUnescape(u.Opaque)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, message.Draft{
			From: from, To: to, Subject: u.Query().Get("subject"), MessageID: fmt.Sprintf("%d.%s", i, to), Date: time.Date(1989, 6, 4, 12, 0, 0, 0, time.UTC),
			Text: u.Query().Get("body") + "\r\nSent from my iPhone\r\n",
		})
	}
	return out
}

// accepted taps every link of a letter and fails when one is not done or kept. The match
// stays as it is.
func accepted(t *testing.T, c *club, s *unkept, seat string, outgoing exchange.OutgoingLetter) int {
	t.Helper()
	was := c.adj.LetterOptions
	c.adj.LetterOptions, s.dry = conversation.LetterOptions{}, true
	defer func() { c.adj.LetterOptions, s.dry = was, false }()
	list := taps(t, address(seat), outgoing.HTML)
	for _, m := range list {
		if m.Subject != "Re: "+outgoing.Subject {
			t.Errorf("a link answers %q with %q", outgoing.Subject, m.Subject)
		}
		s.shown = exchange.Change{}
		if _, err := c.try(m); err != nil {
			t.Fatal(err)
		}
		answer := ""
		for _, l := range s.shown.Letters {
			if l.To == address(seat) {
				answer = l.Body
			}
		}
		_, lines, _ := strings.Cut(answer, "YOUR ORDERS\n")
		lines, _, _ = strings.Cut(lines, "\n\n")
		if s.shown.Receipt == nil || s.shown.Receipt.Disposition != exchange.DispositionDone || !strings.Contains(lines, ": done") && !strings.Contains(lines, ": saved") ||
			strings.Contains(lines, ": ignored") || strings.Contains(lines, ": not ") {
			t.Errorf("a tap in letter %d (%s) sends %q and gets:\n%s", outgoing.Number, outgoing.Subject, m.Text, answer)
		}
	}
	return len(list)
}

// TestTaps: every link of every page of a match begins a letter that is accepted as it
// stands. In an ordinary run that is the first turn.
func TestTaps(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	c.rand = rand.NewChaCha8([32]byte{9, 7})
	s := &unkept{archive: &archive{letters: map[string][]exchange.OutgoingLetter{}}}
	c.store = func(db exchange.Store) exchange.Store { s.Store = db; return s }
	c.reopen()
	c.adj.LetterOptions = conversation.LetterOptions{HTML: true}
	id := c.match("1989", nil, dawnSeats...)
	tapped, seen := 0, map[string]int64{}
	played(t, c, id, long.N(40, 1000), func(int, int) {
		for _, seat := range dawnSeats {
			if outgoing := s.last(seat); seen[seat] != outgoing.Number {
				seen[seat] = outgoing.Number
				tapped += accepted(t, c, s, seat, outgoing)
			}
		}
	})
	if tapped < 150 {
		t.Errorf("only %d links", tapped)
	}
}

// tap sends what a link for an order in somebody's newest letter begins.
func (c *club) tap(name, order string) {
	c.t.Helper()
	box := c.bytes[address(name)]
	_, parts := leaves(c.t, []byte(box[len(box)-1]))
	for _, m := range taps(c.t.(*testing.T), address(name), string(parts[1].data)) {
		if strings.HasPrefix(m.Text, order+"\r\n") {
			if f := c.receive(m); f != mail.Done {
				c.t.Fatalf("%s of %s is filed in %s", order, name, f)
			}
			return
		}
	}
	c.t.Fatalf("no link for %s in\n%s", order, parts[1].data)
}

// TestTapsYes: invitations and questions that want a word for an answer are answered by a
// tap. Who observes has nothing to tap.
func TestTapsYes(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	c.adj.LetterOptions = conversation.LetterOptions{HTML: true}
	id := c.inviteObserved(openly, "1989", nil, dawnSeats...)
	c.tap("democrat", "JOIN")
	c.tap("communist", "JOIN")
	c.receive(c.toReferee("ann", "OBSERVE "+id))
	c.tap("ann", "YES")
	if bad := anchor.FindString(c.bytes[address("ann")][1]); bad != "" || !strings.Contains(c.last("ann").Text, "This is match "+id) {
		t.Errorf("an observer has the link %q in\n%s", bad, c.last("ann").Text)
	}
	c.sends("communist", "PLACE Miskolc, Debrecen\nWould that be good?")
	c.tap("communist", "YES")
	wants(t, c.last("communist").Text, "PLACE Miskolc, Debrecen: done")
	for _, answer := range []string{"NO", "YES"} {
		c.sends("communist", "TAKEBACK")
		c.tap("democrat", "TAKEBACK "+answer)
		wants(t, c.last("democrat").Text, "TAKEBACK "+answer+": done")
	}
	c.asks("democrat", "ADDRESS new@players.test")
	c.tap("new", "YES")
	c.tap("democrat", "YES")
	if got := c.at(id); got != address("new") {
		t.Errorf("letters go to %s", got)
	}
}
