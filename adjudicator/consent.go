package adjudicator

import (
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// mostRequests is how often a player may ask for an act of one kind on a day (UTC).
const mostRequests = 3

// sought are the words for what players ask each other to agree to.
var sought = map[record.ActKind]struct {
	word letter.Word
	// what is asked for, and the note that stands below the question.
	what, note string
}{
	record.Draw:  {letter.Draw, "a draw", "A draw ends the match at once and for good. An order of yours that is carried out declines it."},
	record.Abort: {letter.Abort, "an abort", "A match that is broken off ends at once and for good, and counts for nobody."},
	record.Pause: {letter.Pause, "a pause", "Clocks stand still in a pause. PAUSE OFF of anybody ends it, with a day's notice."},
}

// requested says what a request is for.
func requested(r Request) string {
	if r.Span > 0 {
		return sought[r.Kind].what + " of " + wholeDays(r.Span)
	}
	return sought[r.Kind].what
}

// wholeDays writes a span of whole days.
func wholeDays(d time.Duration) string {
	if n := int(d / (24 * time.Hour)); n != 1 {
		return fmt.Sprintf("%d days", n)
	}
	return "1 day"
}

// asksConsent reports whether a seat is asked to agree to something.
func asksConsent(c *match.Turn, seat rules.Seat) bool {
	return len(takebackPrompt(c, seat)) > 0 || slices.ContainsFunc(c.Match.Acts.Requests, func(r Request) bool { return c.MayAgree(r, seat) })
}

// requestPrompts ask a seat whether it agrees to what others ask for.
func requestPrompts(c *match.Turn, seat rules.Seat) (out []templates.Prompt) {
	for _, r := range c.Match.Acts.Requests {
		if !c.MayAgree(r, seat) {
			continue
		}
		s := sought[r.Kind]
		out = append(out, templates.Prompt{
			Question: fmt.Sprintf("%s asks for %s. Do you agree?", match.Capital(c.Called(r.Seat)), requested(r)),
			Forms:    []string{string(s.word) + " YES", string(s.word) + " NO"},
			Notes:    []string{s.note},
		})
	}
	return out
}

// requestSection tells a seat of requests that it has nothing to answer to.
func requestSection(c *match.Turn, seat rules.Seat) []rules.Section {
	var lines []string
	for _, r := range c.Match.Acts.Requests {
		text := ""
		switch {
		case seat == rules.Nobody:
		case r.Seat == seat:
			text = fmt.Sprintf("You ask for %s. It is done when all others agree.", requested(r))
		case r.Agreed.Has(seat):
			text = fmt.Sprintf("%s asks for %s. You have agreed; others have not answered yet.", match.Capital(c.Called(r.Seat)), requested(r))
		}
		if text != "" {
			lines = append(lines, paragraphs(text)...)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return []rules.Section{{Title: "Requests", Lines: lines}}
}
