package adjudicator_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// wholeAfter is sampleAfter with the whole position in every letter of a power struggle.
func wholeAfter(t *testing.T, letters int) (c *club, id string) {
	t.Helper()
	c, id = sampleAfter(t, letters)
	g := *c.games[0] // The other tests have the same.
	g.Focus = nil
	c.games = []*rules.Game{&g}
	c.reopen()
	return c, id
}

// TestStruggleLetters: within a power struggle a letter shows only the struggle, unless its reader lacks the rest: a new address has
// no earlier letter, a letter with the position came back, or STATUS asks for it.
func TestStruggleLetters(t *testing.T) {
	t.Parallel()
	const me = "democrat"
	for name, tt := range map[string]struct {
		do    func(c *club, a *archive, id string)
		who   string
		whole bool
	}{
		"nothing": {func(*club, *archive, string) {}, me, false},
		"address": {func(c *club, _ *archive, _ string) {
			_, n := c.asks(me, "ADDRESS "+address("new"))
			c.receive(c.reply(n, me, "YES"))
			c.receive(c.letter("new", "YES"))
		}, "new", true},
		"came back": {func(c *club, a *archive, id string) {
			list := a.letters[address(me)]
			i := len(list) - 1
			for !strings.Contains(list[i].Body, "\nTHE MAP\n") {
				i--
			}
			if err := c.db.RecordBounce(c.t.Context(), id, 0, list[i].Number, exchange.Bounce{Hard: true, Recipient: address(me), Status: "5.1.1"}, c.now); err != nil {
				c.t.Fatal(err)
			}
		}, me, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, id := sampleAfter(t, 33)
			a := pages(c)
			for n := 33; n < 39; n++ {
				sampleLetter(t, c, n)
			}
			tt.do(c, a, id)
			sampleLetter(t, c, 39) // The other attacks.
			outgoing := a.last(tt.who)
			for _, title := range []string{"\nTHE MAP\n", "\nWHAT IS KNOWN\n", "\nYOUR HAND\n"} {
				if strings.Contains(outgoing.Body, title) != tt.whole {
					t.Fatalf("whole position wanted: %t\n%s", tt.whole, outgoing.Body)
				}
			}
			if !strings.Contains(outgoing.Body, "\nTHE POWER STRUGGLE IN POLAND\n") || strings.Contains(outgoing.Body, "STATUS sends all of it") == tt.whole {
				t.Errorf("the letter lacks the struggle, or how to get the rest:\n%s", outgoing.Body)
			}
			if c.sends(tt.who, "STATUS"); !strings.Contains(a.last(tt.who).Body, "\nTHE MAP\n") {
				t.Error("STATUS does not show the map")
			}
		})
	}
}

// TestFirstStruggleLetter: the letter that tells that a power struggle has begun shows the whole position, even if the map is as before.
func TestFirstStruggleLetter(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 39)
	g := dawn1989.Game()
	pos, err := g.Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	view := pos.View(0)
	if g.Focus(view, nil) == nil {
		t.Error("a later letter of the struggle shows all")
	}
	if titles := g.Focus(view, []rules.Event{{Kind: engine.EvStruggle}}); titles != nil {
		t.Errorf("the first letter of the struggle shows only %q", titles)
	}
}

// TestPictureOnce: a map that is as the last picture shows it is not sent again; the page says
// which letter shows it. Whoever asks for it gets it, and so does who takes a seat.
func TestPictureOnce(t *testing.T) {
	t.Parallel()
	c, id := wholeAfter(t, 35)
	a := pages(c)
	var last exchange.OutgoingLetter // the last that had a picture
	said := 0
	for n := 35; n < 45; n++ {
		sampleLetter(t, c, n)
		outgoing := a.last("democrat")
		_, again, _ := strings.Cut(outgoing.HTML, "The map has not changed since the picture in your letter ")
		switch {
		case again == "":
		case outgoing.Drawing != nil || !strings.HasPrefix(again, fmt.Sprint(last.Number, ". ")):
			t.Errorf("letter %d, with a drawing of %d bytes, says that the map is in letter %.4s; the last with one was %d", outgoing.Number, len(outgoing.Drawing), again, last.Number)
		default:
			said++
		}
		if outgoing.Drawing != nil {
			last = outgoing
		}
	}
	if said == 0 {
		t.Fatal("each letter of a power struggle has its picture")
	}
	for _, order := range []string{"STATUS", "MAP", "FORMAT PICTURE\nSTATUS"} {
		c.sends("democrat", order)
		if outgoing := a.last("democrat"); outgoing.Drawing == nil || strings.Contains(outgoing.HTML, "The map is as") {
			t.Errorf("%s gets no picture", order)
		}
	}
	if err := c.adj.Replace(t.Context(), id, 0, "new@players.test"); err != nil {
		t.Fatal(err)
	}
	if list := a.letters["new@players.test"]; len(list) == 0 || list[len(list)-1].Drawing == nil {
		t.Errorf("who takes the seat gets no picture in %d letters", len(list))
	}
}

// TestPictureMoved: a page names no letter as the one with the picture that went to another
// address or came back, whatever was changed in between; and a map that is there already is
// not sent again.
func TestPictureMoved(t *testing.T) {
	t.Parallel()
	const me = "democrat"
	change := func(c *club, from, to string) {
		_, n := c.asks(from, "ADDRESS "+address(to))
		c.receive(c.reply(n, from, "YES"))
		c.receive(c.letter(to, "YES"))
	}
	for name, tt := range map[string]struct {
		do    func(c *club, a *archive, id string) error
		who   string
		fresh bool // The map has to be sent again.
	}{
		"nothing": {func(*club, *archive, string) error { return nil }, me, false},
		"address": {func(c *club, _ *archive, _ string) error { change(c, me, "new"); return nil }, "new", true},
		"address of the operator": {func(c *club, _ *archive, id string) error {
			_, err := c.adj.StartAddressChange(c.t.Context(), id, 0, address("new"))
			c.deliver()
			for range 30 {
				c.due(24 * time.Hour)
			}
			return err
		}, "new", true},
		"there and back": {func(c *club, _ *archive, _ string) error { change(c, me, "new"); change(c, "new", me); return nil }, me, true},
		"token":          {func(c *club, _ *archive, _ string) error { c.sends(me, "NEW TOKEN"); return nil }, me, false},
		"format": {func(c *club, _ *archive, _ string) error {
			c.sends(me, "FORMAT TEXT")
			c.sends(me, "FORMAT PICTURE")
			return nil
		}, me, false},
		"resend": {func(c *club, _ *archive, id string) error {
			_, err := c.adj.Resend(c.t.Context(), id, 0)
			c.deliver()
			return err
		}, me, false},
		"came back": {func(c *club, a *archive, id string) error {
			list := a.letters[address(me)]
			i := len(list) - 1
			for list[i].Drawing == nil {
				i--
			}
			err := c.db.RecordBounce(c.t.Context(), id, 0, list[i].Number, exchange.Bounce{Hard: true, Recipient: address(me), Status: "5.1.1"}, c.now)
			list[i].Drawing = nil // He has not seen it.
			return err
		}, me, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, id := wholeAfter(t, 35)
			a := pages(c)
			had := func(outgoing exchange.OutgoingLetter) bool {
				_, named, _ := strings.Cut(outgoing.HTML, "The map has not changed since the picture in your letter ")
				return named != "" && slices.ContainsFunc(a.letters[outgoing.To], func(l exchange.OutgoingLetter) bool {
					return l.Drawing != nil && strings.HasPrefix(named, fmt.Sprint(l.Number, ". "))
				})
			}
			for n := 35; n < 39; n++ {
				sampleLetter(t, c, n)
			}
			if err := tt.do(c, a, id); err != nil {
				t.Fatal(err)
			}
			told := len(a.letters[address(tt.who)])
			sampleLetter(t, c, 39) // The other attacks.
			if outgoing := a.last(tt.who); len(a.letters[address(tt.who)]) != told+1 || (outgoing.Drawing != nil) != tt.fresh || had(outgoing) == tt.fresh {
				t.Errorf("letter %d to %s has a drawing of %d bytes, want one: %v; or names one that he has: %v", outgoing.Number, outgoing.To, len(outgoing.Drawing), tt.fresh, had(outgoing))
			}
			c.sends(tt.who, "DEFEND Church Leader")
			sampleLetter(t, c, 41)
			if outgoing := a.last(tt.who); outgoing.Drawing != nil || !had(outgoing) {
				t.Errorf("letter %d to %s has a drawing of %d bytes, or names none that he has", outgoing.Number, outgoing.To, len(outgoing.Drawing))
			}
		})
	}
}

// TestPictureBackWhenOver: a report that comes when a match is over changes nothing in it, even
// of a letter with a picture.
func TestPictureBackWhenOver(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 35)
	a := pages(c)
	for n := 35; n < 42; n++ {
		sampleLetter(t, c, n)
	}
	c.sends("democrat", "RESIGN "+id)
	before, reports := c.stored(id), 0
	if before.State != match.Over {
		t.Fatal("the match is not over")
	}
	for seat, name := range []string{"democrat", "communist"} {
		for _, outgoing := range a.letters[address(name)] {
			if outgoing.Drawing == nil {
				continue
			}
			reports++
			if err := c.db.RecordBounce(t.Context(), id, rules.Seat(seat), outgoing.Number, exchange.Bounce{Hard: true, Recipient: address(name), Status: "5.1.1"}, c.now); err != nil {
				t.Fatal(err)
			}
		}
	}
	if after := c.stored(id); reports == 0 || !reflect.DeepEqual(after, before) {
		t.Errorf("after %d reports the match is of version %d, want %d as it was", reports, after.Version, before.Version)
	}
}
