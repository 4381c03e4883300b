package adjudicator

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
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
		if other = strings.ToLower(tag[1] + tag[2]); other == j.turn.Match.ID {
			return ""
		}
	}
	return other
}

// subjectOf is the subject of a letter to a reader, with what it encloses for him alone.
func subjectOf(c *match.Turn, reader rules.Seat, own enclosure) string {
	about := match.Capital(c.Match.Game)
	if len(c.Match.Seats) == 2 && reader != rules.Nobody {
		about += " v. " + c.ShortName(1-reader)
	} else {
		about += versus(c)
	}
	if c.Game.Headline != nil && c.After != nil {
		if where := c.Game.Headline(c.After.View(reader)); where != "" {
			about += ", " + where
		}
	}
	return subject(c.Match, subjectStart(c, reader, own), about)
}

// subjectStart is the beginning of a subject: what a letter wants of its reader, or why it comes.
func subjectStart(c *match.Turn, reader rules.Seat, own enclosure) string {
	asked := ""
	if c.After != nil && c.After.Stalled() {
		asked = "Waiting for chance"
	} else if reader != rules.Nobody {
		asked = wanted(c, reader)
	}
	why := ""
	switch {
	case c.Match.State == CalledOff:
		return asked
	case c.IsOver():
		r, _ := c.After.Result()
		return match.Capital(fewWords(c, r, reader))
	case reader == rules.Nobody:
		return "You watch"
	case own.ask != nil && len(own.ask.Taps) > 0, own.extent == slip && own.misread:
		why = "Not done yet"
	case slices.ContainsFunc(c.Lines[reader], func(l match.LineReport) bool { return l.Outcome == match.OutcomeRefused }):
		why = "Refused"
	case own.writer != "":
		why = match.Capital(own.writer) + " writes"
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

// mostNamed is how many seats a subject names.
const mostNamed = 3

// wanted says in a few words what a letter wants of the player of a seat. What wants
// nothing begins with Waiting.
func wanted(c *match.Turn, seat rules.Seat) string {
	if c.After == nil {
		if c.Match.State == CalledOff {
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
