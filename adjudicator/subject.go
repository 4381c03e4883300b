package adjudicator

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
)

// subject writes the subject of a letter: the tag, the game, where the match
// stands and what is wanted. It stands in lists of letters, and on locked
// telephones.
func subject(m *Match, where, wanted string) string {
	if where != "" {
		where = ", " + where
	}
	return fmt.Sprintf("[samizdat %s] %s%s: %s", m.ID, m.Game, where, wanted)
}

// subject is the subject of a letter to a reader.
func (c *account) subject(reader rules.Seat) string {
	switch {
	case c.pos == nil && reader == rules.Nobody:
		return subject(c.m, "", "you watch")
	case c.pos == nil && c.m.Seats[reader].Joined:
		return subject(c.m, "", c.refused(reader)+"waiting for all to join")
	case c.pos == nil:
		return subject(c.m, "", c.refused(reader)+"waiting for you to join")
	}
	where, first := "", c.refused(reader)
	if h, ok := c.game.(rules.Headliner); ok {
		where = h.Headline(c.pos.View(reader))
	}
	if reader == rules.Nobody {
		first = "watched; "
	}
	return subject(c.m, where, first+c.wanted(reader))
}

// refused says at the head of a subject that an order was.
func (c *account) refused(reader rules.Seat) string {
	if slices.ContainsFunc(c.lines[reader], func(l lineReport) bool { return l.Outcome == outcomeRefused }) {
		return "an order was refused; "
	}
	return ""
}

// mostNamed is how many seats a subject names.
const mostNamed = 3

// wanted says in a few words what a letter wants of its reader.
func (c *account) wanted(reader rules.Seat) string {
	if r, over := c.pos.Result(); over {
		return "the match is over, " + c.fewWords(r, reader)
	}
	if c.pos.Stalled() {
		return "waiting for chance"
	}
	switch open, answered := c.asks(reader); {
	case open:
		return "your move as " + c.role(reader)
	case answered:
		return "waiting for the other sealed answers"
	}
	owed := c.pos.Owed(nil)
	if n := len(owed); n > mostNamed {
		return fmt.Sprintf("waiting for %d others", n)
	}
	return "waiting for " + c.names(owed)
}

// role is who a seat is, in the game's words where it has some.
func (c *account) role(seat rules.Seat) string {
	if h, ok := c.game.(rules.Headliner); ok && c.pos != nil {
		return h.Role(c.pos.View(seat))
	}
	return "the " + c.m.Seats[seat].Name
}

// capital writes a role at the beginning of a sentence.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
