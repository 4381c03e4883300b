package adjudicator

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/rules"
)

// subject writes the subject of a letter: what matters, what it is about, and the tag that
// names the match. It stands in lists of letters and on locked telephones, which show its
// beginning.
func subject(m *Match, first, about string) string {
	if !strings.HasSuffix(first, "?") {
		first += ":"
	}
	return fmt.Sprintf("%s %s [%s]", first, about, m.ID)
}

// subjectTag is how the subjects of our letters name their match: at the end, or, in
// letters from before, with a word of its own.
var subjectTag = regexp.MustCompile(`(?i)\[samizdat ([a-z0-9]+)\]|\[(m[a-z2-7]{7})\]\s*$`)

// otherMatch returns the match that a subject names, if it is not this one.
func (j *adjudication) otherMatch() string {
	other := ""
	for _, tag := range subjectTag.FindAllStringSubmatch(j.letter.Subject, -1) {
		if other = strings.ToLower(tag[1] + tag[2]); other == j.turn.m.ID {
			return ""
		}
	}
	return other
}

// subject is the subject of a letter to a reader, with what it encloses for him alone.
func (c *account) subject(reader rules.Seat, own enclosure) string {
	about := capital(c.m.Game)
	if len(c.m.Seats) == 2 && reader != rules.Nobody {
		about += " v. " + c.short(1-reader)
	} else {
		about += c.versus()
	}
	if c.game.Headline != nil && c.pos != nil {
		if where := c.game.Headline(c.pos.View(reader)); where != "" {
			about += ", " + where
		}
	}
	return subject(c.m, c.first(reader, own), about)
}

// first is the beginning of a subject: what a letter wants of its reader, or why it comes.
func (c *account) first(reader rules.Seat, own enclosure) string {
	asked := ""
	if c.pos != nil && c.pos.Stalled() {
		asked = "Waiting for chance"
	} else if reader != rules.Nobody {
		asked = c.wanted(reader)
	}
	why := ""
	switch {
	case c.m.State == CalledOff:
		return asked
	case c.isOver():
		r, _ := c.pos.Result()
		return capital(c.fewWords(r, reader))
	case reader == rules.Nobody:
		return "You watch"
	case own.ask != nil && len(own.ask.Taps) > 0, own.extent == slip && own.misread:
		why = "Not done yet"
	case slices.ContainsFunc(c.lines[reader], func(l lineReport) bool { return l.Outcome == outcomeRefused }):
		why = "Refused"
	case own.writer != "":
		why = capital(own.writer) + " writes"
	case own.extent == reminder:
		why = "Reminder"
	case own.extent == answers:
		why = "What you asked"
	}
	switch {
	case why == "":
		return asked
	case strings.HasPrefix(asked, "Waiting"):
		return why
	}
	return why + "; " + strings.ToLower(asked[:1]) + asked[1:]
}

// isOver reports whether the match has a result.
func (c *account) isOver() bool {
	if c.pos == nil {
		return false
	}
	_, over := c.pos.Result()
	return over
}

// mostNamed is how many seats a subject names.
const mostNamed = 3

// wanted says in a few words what a letter wants of the player of a seat. What wants
// nothing begins with Waiting.
func (c *account) wanted(seat rules.Seat) string {
	if c.pos == nil {
		if c.m.State == CalledOff {
			return "Called off"
		}
		_, opens := c.asksToOpen(seat)
		switch {
		case !c.m.Seats[seat].Joined:
			return "Please join"
		case opens:
			return "Please open your words"
		case c.m.AwaitsBeacon():
			return "Waiting for the beacon"
		case c.m.Unjoined() == 0:
			return "Waiting for all words to be open"
		}
		return "Waiting for all to join"
	}
	open, answered := c.asks(seat)
	switch owed := c.playing(c.pos.Owed(nil)); {
	case open:
		return "Your move"
	case c.asksConsent(seat):
		return "Your consent is asked"
	case answered:
		return "Waiting for the other answers"
	case len(c.m.Seats) == 2:
		return "Waiting" // Whom for is said already.
	case len(owed) > mostNamed:
		return fmt.Sprintf("Waiting for %d others", len(owed))
	default:
		return "Waiting for " + c.names(owed)
	}
}

// role is who a seat is, in the game's words where it has some.
func (c *account) role(seat rules.Seat) string {
	name := c.m.Seats[seat].Name
	if c.game.Role != nil && c.pos != nil {
		return c.game.Role(c.pos.View(seat))
	}
	return RoleBefore(c.game, c.setup(), seat, name)
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

// capital writes a role at the beginning of a sentence.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
