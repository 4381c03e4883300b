package match

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Role is who a seat is, in the game's words where it has some.
func (c *Turn) Role(seat rules.Seat) string {
	name := c.Match.Seats[seat].Name
	if c.Game.Role != nil && c.After != nil {
		return c.Game.Role(c.After.View(seat))
	}
	return RoleBefore(c.Game, c.Setup(), seat, name)
}

// RoleOf is the role of the seat that a record names.
func (c *Turn) RoleOf(name record.SeatName) string {
	if i := slices.IndexFunc(c.Match.Seats, func(o Seat) bool { return o.Name == string(name) }); i >= 0 {
		return c.Role(rules.Seat(i))
	}
	return "the " + string(name)
}

// RoleBefore is who a seat of a name will be when a match has begun, as the game writes the
// name; the name as it stands where sides are not given out yet.
func RoleBefore(g *rules.Game, s rules.Setup, seat rules.Seat, name string) string {
	if g.Role != nil {
		if pos, err := g.Begin(s); err == nil {
			if role := g.Role(pos.View(seat)); strings.EqualFold(strings.TrimPrefix(role, "the "), name) {
				return role
			}
		}
	}
	return "the " + name
}

// Roles are those of some seats.
func (c *Turn) Roles(of rules.Seats) (names []string) {
	for i := range c.Match.Seats {
		if of.Has(rules.Seat(i)) {
			names = append(names, c.Called(rules.Seat(i)))
		}
	}
	return names
}

// Called is who sits in a seat, with the side: "Ben (Communist)", or the side alone where
// no name is known.
func (c *Turn) Called(seat rules.Seat) string {
	role := c.Role(seat)
	if name := c.Match.Seats[seat].Called; name != "" {
		return name + " (" + strings.TrimPrefix(role, "the ") + ")"
	}
	return role
}

// ShortName is the same in short: the name alone, or the side.
func (c *Turn) ShortName(seat rules.Seat) string {
	if name := c.Match.Seats[seat].Called; name != "" {
		return name
	}
	return c.Role(seat)
}

// NamesOf lists the seats that owe decisions, each once.
func (c *Turn) NamesOf(owed []rules.Decision) string {
	var names []string
	for _, d := range owed {
		if n := c.Called(d.Seat); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return List(names)
}

// Opponents are what all others are called who play in a match.
func (c *Turn) Opponents(seat rules.Seat) []string {
	return c.Roles(^(rules.Only(seat) | c.Match.Acts.Resigned))
}

// BrokenOff reports whether the match has ended without a result.
func (c *Turn) BrokenOff() bool {
	return c.Match.Acts.Ended != nil && c.Match.Acts.Ended.Act.Kind.BreaksOff()
}

// Capital writes a role at the beginning of a sentence.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// List writes names in a row: "A, B and C".
func List(names []string) string { return joined(names, " and ") }

// Or writes names of which one is enough: "A, B or C".
func Or(names []string) string { return joined(names, " or ") }

func joined(names []string, last string) string {
	if n := len(names); n > 2 {
		names = []string{strings.Join(names[:n-1], ", "), names[n-1]}
	}
	return strings.Join(names, last)
}

// Sentence writes what an error says as a sentence.
func Sentence(err error) string {
	t := strings.TrimSpace(err.Error())
	if t == "" {
		return ""
	}
	t = strings.ToUpper(t[:1]) + t[1:]
	if !strings.ContainsAny(t[len(t)-1:], ".!?") {
		t += "."
	}
	return t
}

// Silences tells which answers of an entry were found for seats that stayed silent,
// as far as all may know them.
func (c *Turn) Silences(e *record.Entry) (out []string) {
	say := func(seat record.SeatName, how string, private bool, orders []string) {
		if how != "" && !private && len(orders) > 0 {
			who, by := c.RoleOf(seat), Capital(silenceWords(how))
			said := fmt.Sprintf("%s did not answer in time. %s did: %s.", Capital(who), by, orders[0])
			if c.Match.Acts.Resigned&c.Match.SeatsOf([]record.SeatName{seat}) != 0 {
				said = fmt.Sprintf("%s answered for %s: %s.", by, who, orders[0])
			}
			out = append(out, said)
		}
	}
	say(e.Seat, e.Silence, e.Private, e.Orders)
	for _, a := range e.Answers {
		say(a.Seat, a.Silence, a.Private, a.Orders)
	}
	return out
}

func silenceWords(how string) string {
	if how == record.SilenceLot {
		return "a lot"
	}
	return "the rule for silence"
}

// TookBack tells of an entry that takes back.
func (c *Turn) TookBack(entries []record.Entry, e *record.Entry) string {
	what := "an order"
	if e.Takeback < len(entries) && len(entries[e.Takeback].Orders) > 0 {
		what = strings.Join(entries[e.Takeback].Orders, "; ")
	}
	return fmt.Sprintf("%s takes back %s, and what followed. All have agreed, and the match stands as it did before.", Capital(c.RoleOf(e.Seat)), what)
}
