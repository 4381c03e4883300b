package adjudicator

import (
	"fmt"
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

// subject is the subject of a seat's letter.
func (s *session) subject(seat rules.Seat) string {
	refused := ""
	for _, l := range s.lines[seat] {
		if l.Fate == fateRefused {
			refused = "an order was refused; "
		}
	}
	if s.pos == nil {
		return subject(s.m, "", refused+s.waiting(seat))
	}
	where := ""
	if h, ok := s.game.(rules.Headliner); ok {
		where = h.Headline(s.pos.View(seat))
	}
	return subject(s.m, where, refused+s.wanted(seat))
}

// waiting is what is wanted before the match begins.
func (c *account) waiting(seat rules.Seat) string {
	if c.m.Seats[seat].Joined {
		return "waiting for all to join"
	}
	return "waiting for you to join"
}

// wanted says in a few words what a letter wants of its seat.
func (c *account) wanted(seat rules.Seat) string {
	if r, over := c.pos.Result(); over {
		switch {
		case r.Winners == 0:
			return "the match is over, a draw"
		case r.Winners.Has(seat):
			return "the match is over, you have won"
		}
		return "the match is over, you have not won"
	}
	if c.pos.Stalled() {
		return "waiting for chance"
	}
	mine, open := c.owed(seat), false
	for _, d := range mine {
		_, answered := c.sealedAnswer(d)
		open = open || !answered
	}
	switch {
	case open:
		return "your move as " + c.role(seat)
	case len(mine) > 0:
		return "waiting for the other sealed answers"
	}
	return "waiting for " + c.names(c.pos.Owed(nil))
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
