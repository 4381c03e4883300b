package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Subject writes the subject of a letter: what matters, what it is about, and the tag that
// names the match. It stands in lists of letters and on locked telephones, which show its
// beginning.
func Subject(m *match.Match, first, about string) string {
	if !strings.HasSuffix(first, "?") {
		first += ":"
	}
	return fmt.Sprintf("%s %s [%s]", first, about, m.ID)
}

// SubjectFor is the subject of a letter to a reader, with what it encloses for him alone.
func SubjectFor(c *match.Turn, reader rules.Seat, own Options) string {
	about := match.Capital(c.Match.Game)
	if len(c.Match.Seats) == 2 && reader != rules.Nobody {
		about += " v. " + c.ShortName(1-reader)
	} else {
		about += Versus(c)
	}
	if c.Game.Headline != nil && c.After != nil {
		if where := c.Game.Headline(c.After.View(reader)); where != "" {
			about += ", " + where
		}
	}
	return Subject(c.Match, subjectStart(c, reader, own), about)
}

// subjectStart is the beginning of a subject: what a letter wants of its reader, or why it comes.
func subjectStart(c *match.Turn, reader rules.Seat, own Options) string {
	asked := ""
	if c.After != nil && c.After.Stalled() {
		asked = "Waiting for chance"
	} else if reader != rules.Nobody {
		asked = wanted(c, reader)
	}
	why := ""
	switch {
	case c.Match.State == match.CalledOff:
		return asked
	case c.IsOver():
		r, _ := c.After.Result()
		return match.Capital(fewWords(c, r, reader))
	case reader == rules.Nobody:
		return "You watch"
	case own.Ask != nil && len(own.Ask.Taps) > 0, own.Extent == Slip && own.Misread:
		why = "Not done yet"
	case slices.ContainsFunc(c.Lines[reader], func(l match.LineReport) bool { return l.Outcome == match.OutcomeRefused }):
		why = "Refused"
	case own.Writer != "":
		why = match.Capital(own.Writer) + " writes"
	case own.Extent == Reminder:
		why = "Reminder"
	case own.Extent == Answers:
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

// mostNamed is how many seats a subject names.
const mostNamed = 3

// wanted says in a few words what a letter wants of the player of a seat. What wants
// nothing begins with Waiting.
func wanted(c *match.Turn, seat rules.Seat) string {
	if c.After == nil {
		if c.Match.State == match.CalledOff {
			return "Called off"
		}
		_, opens := asksToOpen(c, seat)
		switch {
		case !c.Match.Seats[seat].Joined:
			return "Please join"
		case opens:
			return "Please open your words"
		case c.Match.AwaitsBeacon():
			return "Waiting for the beacon"
		case c.Match.Unjoined() == 0:
			return "Waiting for all words to be open"
		}
		return "Waiting for all to join"
	}
	open, answered := c.Asks(seat)
	switch owed := c.WithoutResigned(c.After.Owed(nil)); {
	case open:
		return "Your move"
	case asksConsent(c, seat):
		return "Your consent is asked"
	case answered:
		return "Waiting for the other answers"
	case len(c.Match.Seats) == 2:
		return "Waiting" // Whom for is said already.
	case len(owed) > mostNamed:
		return fmt.Sprintf("Waiting for %d others", len(owed))
	default:
		return "Waiting for " + c.NamesOf(owed)
	}
}

// whoseMove says in a line whose move it is.
func whoseMove(c *match.Turn, reader rules.Seat) string {
	if c.After == nil {
		return notBegun(c, reader)
	}
	if r, over := c.After.Result(); over {
		return ended(c, r, reader)
	}
	if c.After.Stalled() {
		return "The match waits for chance."
	}
	waits := "The match waits for " + c.NamesOf(c.WithoutResigned(c.After.Owed(nil))) + "."
	switch open, answered := c.Asks(reader); {
	case open && asksConsent(c, reader):
		return "It is your move. You are asked for your consent as well."
	case open:
		return "It is your move."
	case answered:
		return "You have answered. The match waits until all sealed answers are in."
	case reader == rules.Nobody:
		return waits
	case asksConsent(c, reader):
		return "You are asked for your consent. " + waits
	}
	return "Nothing is asked of you now. " + waits
}

// notBegun says for whom a match that has not begun waits. With a delay, observers are
// not told whether it has.
func notBegun(c *match.Turn, reader rules.Seat) string {
	switch {
	case c.Match.State == match.CalledOff && c.Remarks == nil:
		return "The match was called off before it began. " + CalledOff(c)
	case c.Match.State == match.CalledOff:
		return "The match was called off before it began."
	case reader == rules.Nobody && (c.Match.ObserverPolicy.Delay > 0 || c.Match.State != match.Inviting):
		return "You watch match " + c.Match.ID + "."
	case reader == rules.Nobody:
		return "You watch match " + c.Match.ID + ". It has not begun."
	case !c.Match.Seats[reader].Joined:
		return "The match has not begun: it waits for you to join."
	}
	return Joining(c, reader)
}

// Joining says what is missing before the match can begin.
func Joining(c *match.Turn, reader rules.Seat) string {
	unopened := c.Match.Unopened()
	if c.Match.AwaitsBeacon() {
		return "The match has not begun: it waits for the public beacon. " + roundNamed(c, reader)
	}
	switch unjoined := c.Match.Unjoined(); {
	case unjoined != 0:
		return "The match has not begun: it waits for " + match.List(c.Roles(unjoined)) + " to join."
	case unopened.Has(reader):
		return "The match has not begun: it waits for you to open your words."
	}
	return "The match has not begun: it waits for " + match.List(c.Roles(unopened)) + " to open the sealed words."
}

// Versus names the players of a match of two, if their names are known.
func Versus(c *match.Turn) string {
	s := c.Match.Seats
	if len(s) != 2 || s[0].Called == "" || s[1].Called == "" {
		return ""
	}
	return ", " + s[0].Called + " v. " + s[1].Called
}

// company tells a player who sits where, if anybody has a name, or who sat there in a match
// that is over: he may have several, and read of its end much later.
func company(c *match.Turn, reader rules.Seat, over bool) string {
	are, play := "are", "play"
	if over {
		are, play = "were", "played"
	}
	if !slices.ContainsFunc(c.Match.Seats, func(s match.Seat) bool { return s.Called != "" }) {
		return "You " + are + " " + c.Role(reader) + "."
	}
	var others []string
	for i := range c.Match.Seats {
		if seat := rules.Seat(i); seat != reader {
			others = append(others, c.Called(seat))
		}
	}
	return "You " + are + " " + c.Called(reader) + ". You " + play + " against " + strings.Join(others, ", ") + "."
}
