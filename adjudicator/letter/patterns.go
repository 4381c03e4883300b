package letter

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/consent"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/order"
	"samizdat/adjudicator/zone"
)

// lineText is a line in three forms: the text as written, its words as order.Words returns them, and these words without polite words such
// as "please" (questionWords). questionWords is nil for a line that is too long for a question.
type lineText struct {
	text                 string
	words, questionWords []string
}

func (r *Reader) newLineText(text string) lineText {
	words := r.Orders.CachedWords(text)
	return lineText{text, words, withoutPoliteWords(words)}
}

// lineReader reads an order to the referee from a line; ok is false if the line is not this order. reason describes an error in the order;
// empty for none.
type lineReader func(r *Reader, l lineText) (c Command, reason string, ok bool)

// argReader reads the text after the word of a member's order.
type argReader func(reader MemberReader, rest string, c *Command) error

// matchPattern returns a reader for lines that match a pattern as a whole, in any case, with or without a full stop.
// build makes the command from the submatches. The pattern is compiled at first use, so that the program starts faster.
func matchPattern(pattern string, build func(m []string) (c Command, reason string)) lineReader {
	re := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s*(?:` + pattern + `)\s*[.!;]?\s*$`) })
	return func(_ *Reader, l lineText) (c Command, reason string, ok bool) {
		m := re().FindStringSubmatch(l.text)
		if m == nil {
			return c, "", false
		}
		if build != nil {
			c, reason = build(m)
		}
		return c, reason, true
	}
}

// readChoice stores the first submatch as Command.Choice in capitals. readLowerText stores it as Command.Text in lower case.
func readChoice(m []string) (Command, string)    { return Command{Choice: strings.ToUpper(m[1])}, "" }
func readLowerText(m []string) (Command, string) { return Command{Text: strings.ToLower(m[1])}, "" }

const matchIDPattern = `(m[a-z2-7]{7})`

// readAbort reads "ABORT YES" and "ABORT mabcdefg".
func readAbort(m []string) (Command, string) {
	return Command{Choice: strings.ToUpper(m[1]), Text: strings.ToLower(m[2])}, ""
}

// readPause reads "PAUSE", "PAUSE YES" and "PAUSE 3 days".
func readPause(m []string) (Command, string) {
	return Command{Choice: strings.ToUpper(m[1]), Duration: parseDuration(m[2], m[3])}, ""
}

// readReplace reads "REPLACE communist WITH ROBOT 3" and "REPLACE YES". The level is 0 if the text names none.
func readReplace(m []string) (Command, string) {
	level, _ := strconv.Atoi(m[3])
	return Command{Choice: strings.ToUpper(m[1]), Text: m[2], Number: level}, ""
}

// readGive reads "GIVE 2 days".
func readGive(m []string) (Command, string) { return Command{Duration: parseDuration(m[1], m[2])}, "" }

// parseDuration returns a duration from a number and a unit, e.g. "3" and "days". Only the first letter of the unit counts.
func parseDuration(n, unit string) time.Duration {
	count, _ := strconv.Atoi(n)
	for letter, length := range map[string]time.Duration{"M": time.Minute, "H": time.Hour, "D": 24 * time.Hour, "W": 7 * 24 * time.Hour} {
		if strings.HasPrefix(strings.ToUpper(unit), letter) {
			return time.Duration(count) * length
		}
	}
	return 0
}

// maxQuestionWords is the maximum number of words of a question; a longer line is talk.
const maxQuestionWords = 8

func withoutPoliteWords(words []string) []string {
	if len(words) > 1 {
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "please" || w == "pls" || w == "thanks" })
	}
	if len(words) > maxQuestionWords {
		return nil
	}
	return words
}

// matchWords returns a reader for a question that is exactly a form in the list, because a longer line may be talk.
func matchWords(forms ...string) lineReader {
	return func(_ *Reader, l lineText) (Command, string, bool) {
		return Command{}, "", slices.Contains(forms, strings.Join(l.questionWords, " "))
	}
}

// matchNumbered returns a reader for a word with a number. For example, "RESEND 12" and "HISTORY of turn 2".
func matchNumbered(word, unit string) lineReader {
	return func(_ *Reader, l lineText) (c Command, reason string, ok bool) {
		if len(l.questionWords) < 2 || l.questionWords[0] != word {
			return c, "", false
		}
		rest := slices.DeleteFunc(slices.Clone(l.questionWords[1:]), func(w string) bool { return w == unit || w == "of" })
		if len(rest) != 1 {
			return c, "", false
		}
		n, err := strconv.Atoi(rest[0])
		return Command{Number: n}, "", err == nil && n >= 0
	}
}

func readHistory(r *Reader, l lineText) (Command, string, bool) {
	if len(l.questionWords) == 1 && l.questionWords[0] == "history" {
		return Command{}, "", true
	}
	return matchNumbered("history", "turn")(r, l)
}

var notePattern = regexp.MustCompile(`^\s*NOTE(?:\s+TO\s+(?:MY)?SELF)?\b[\s:]*(.*)$`)

// readNote reads a private note. For example, "NOTE Ben holds Rally" and "NOTE CLEAR". NOTE is in capitals, because "Note that
// I am away" is talk.
func readNote(_ *Reader, l lineText) (c Command, reason string, ok bool) {
	m := notePattern.FindStringSubmatch(l.text)
	if m == nil {
		return c, "", false
	}
	if c.Text = CleanLine(m[1]); strings.EqualFold(strings.Trim(c.Text, ".!"), "CLEAR") {
		return Command{Choice: choiceOff}, "", true
	}
	return c, "", true
}

// readCall reads the writer's new name. For example, "call me Ben" is the order, and "call me back tomorrow" is not.
func readCall(_ *Reader, l lineText) (c Command, reason string, ok bool) {
	m := callPattern.FindStringSubmatch(l.text)
	if m == nil || m[1] != string(CallMe) && !isCapitalized(m[2]) {
		return c, "", false
	}
	return Command{PersonName: m[2]}, "", true
}

var callPattern = regexp.MustCompile(`^\s*((?i:call\s+me))\s*[:=]?\s+"?([^",;:!?]+?)"?[.!]?\s*$`)

func isCapitalized(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		first, _ := utf8.DecodeRuneInString(word)
		return !unicode.IsUpper(first)
	})
}

// readAddress reads ADDRESS with an address, KEEP or YES, e.g. "ADDRESS ALSO ada@new.example". ALSO adds a second address, ONLY removes it.
// A space, a colon or "=" must follow the word, because a line may begin with the mail address "address@x.org".
var readAddress = matchPattern(`ADDRESS(?:\s*[:=]\s*|\s+|$)(?:(KEEP|ONLY|YES)|(?:(ALSO|SECOND)\s+)?(\S+@\S+?))?`,
	func(m []string) (Command, string) {
		return Command{Choice: strings.ToUpper(m[1] + m[2]), Text: m[3]}, ""
	})

// The values of Command.Choice in orders with durations and vacations. Without a choice the order asks for the current value.
const (
	choiceOff = "OFF"
	ChoiceSet = "SET"
)

// matchDuration returns a reader for a word with a duration, e.g. "GRACE 30 minutes". A line with the word and another text is
// refused with a reason, unless it looks like talk.
func matchDuration(word string) lineReader {
	exact := matchPattern(word+`(?:\s*[:=]?\s*(?:(OFF|NONE|0)|(\d{1,4})\s*(M|MIN|MINS|MINUTES?|H|HRS?|HOURS?)))?`,
		func(m []string) (Command, string) {
			switch {
			case m[1] != "":
				return Command{Choice: choiceOff}, ""
			case m[2] == "":
				return Command{}, ""
			}
			return Command{Choice: ChoiceSet, Duration: parseDuration(m[2], m[3])}, ""
		})
	nearMiss := matchPattern(word+`\s*[:=]?\s*(?:\d.*|(?:ON|MINUTES?|HOURS?|DAYS?))`, func([]string) (Command, string) {
		return Command{}, fmt.Sprintf("Write %[1]s 30 minutes, %[1]s 2 hours or %[1]s OFF.", word)
	})
	return matchFirst(exact, nearMiss)
}

func matchFirst(readers ...lineReader) lineReader {
	return func(r *Reader, l lineText) (c Command, reason string, ok bool) {
		for _, read := range readers {
			if c, reason, ok = read(r, l); ok {
				return c, reason, ok
			}
		}
		return c, reason, ok
	}
}

const vacationSyntax = "VACATION 2026-12-20 TO 2027-01-04"

const dayPattern = `(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.?\s+\pL{3,9}\.?,?\s+\d{4}|\pL{3,9}\.?\s+\d{1,2},?\s+\d{4})`

// readVacation reads VACATION, e.g. "VACATION 2026-12-20 TO 2027-01-04". A line with unreadable dates is refused, unless it looks like
// talk.
var readVacation = matchFirst(
	matchPattern(`VACATIONS?`, nil),
	matchPattern(`VACATIONS?\s*[:=]?\s*(?:OFF|END|ENDS|NONE|CANCEL|OVER)(?:\s+`+dayPattern+`)?`,
		func(m []string) (Command, string) { return readVacationDays(choiceOff, m[1], m[1]) }),
	matchPattern(`VACATIONS?\s*[:=]?\s*(?:FROM\s+)?`+dayPattern+`\s*(?:TO|UNTIL|TILL|THROUGH|THRU|-|–|—|\.\.+)\s*`+dayPattern,
		func(m []string) (Command, string) { return readVacationDays(ChoiceSet, m[1], m[2]) }),
	matchPattern(`VACATIONS?\s*(?:[:=].*|(?:(?:FROM|ON|OFF|UNTIL|TILL|TO)\s+)?[\d/.-]+.{0,40}|(?:ON|START|BEGIN|FROM|UNTIL|NEXT|THIS|TOMORROW|TODAY|\d+)(?:\s+\S+){0,4})`,
		func([]string) (Command, string) {
			return Command{}, "Write the first day and the last, with the year: " + vacationSyntax + ". VACATION OFF ends a vacation."
		}))

func readVacationDays(choice, first, last string) (Command, string) {
	c := Command{Choice: choice}
	for i, text := range []string{first, last} {
		if text == "" {
			continue
		}
		at, ok := readDay(text)
		if !ok {
			return c, "There is no such day as " + text + ". Days are written as in 2026-12-20."
		}
		*[]*string{&c.First, &c.Last}[i] = at.Format(time.DateOnly)
	}
	return c, ""
}

var readQuiet = matchFirst(
	matchPattern(`QUIET(?:\s*[:=]?\s*(?:(OFF|NONE)|(\d\d?:\d\d)\s*(?:-|–|TO|UNTIL)\s*(\d\d?:\d\d)))?`, func(m []string) (Command, string) {
		c := Command{First: m[2], Last: m[3]}
		switch _, ok := clock.ParseQuietHours(c.First, c.Last); {
		case m[1] != "":
			c.Choice = choiceOff
		case m[2] != "" && !ok:
			return c, quietSyntax
		case m[2] != "":
			c.Choice = ChoiceSet
		}
		return c, ""
	}),
	matchPattern(`QUIET\s*[:=]?\s*(?:\d.*|FROM\b.*|ON)`, func([]string) (Command, string) { return Command{}, quietSyntax }))

const quietSyntax = "Write two times of the day: QUIET 22:00-07:00. QUIET OFF ends it."

// readDay reads a day in an unambiguous form, e.g. 2026-12-20.
func readDay(text string) (time.Time, bool) {
	text = strings.Join(strings.Fields(strings.NewReplacer(".", " ", ",", " ").Replace(strings.ToLower(text))), " ")
	for _, layout := range []string{"2006-1-2", "2 January 2006", "2 Jan 2006", "January 2 2006", "Jan 2 2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

var matchZone = matchPattern(`(?:TIME[ -]?ZONE|TZ)(?:(\s*[:=]\s*|\s+)(\S.{0,60}?))?`, func(m []string) (Command, string) {
	return Command{Choice: strings.TrimSpace(m[1]), Text: order.ASCII(m[2])}, ""
})

// readZone reads a time zone. After TIMEZONE, three or more words that are no known zone are talk; fewer words are an error.
func readZone(r *Reader, l lineText) (Command, string, bool) {
	c, _, ok := matchZone(r, l)
	if !ok || c.Text == "" {
		return c, "", ok
	}
	name, err := zone.ParseName(c.Text)
	if err != nil {
		return c, match.ErrorSentence(err), c.Choice != "" || strings.Contains(c.Text, "/") || len(strings.Fields(c.Text)) < 3
	}
	return Command{Text: name}, "", true
}

// matchConsent returns a reader for YES (or NO) in free words, and for lines that match the pattern, which confirm (or reject) a change of
// address.
func matchConsent(answer consent.Answer, pattern string) lineReader {
	addressPattern := regexp.MustCompile(`(?i)^\s*(?:` + pattern + `)$`)
	return func(_ *Reader, l lineText) (c Command, reason string, ok bool) {
		switch {
		case consent.Read(l.text) == answer:
			return Command{}, "", true
		case addressPattern.MatchString(l.text):
			return Command{Choice: "ADDRESS"}, "", true
		}
		return Command{}, "", false
	}
}

var subjectTagPattern = regexp.MustCompile(`\[[^\]]*\]`)

// FindCommandInLetter returns the first order with this word in a letter. If no line of the text is the order, it reads
// the subject: a mail program with a button to unsubscribe sends a letter without text.
func FindCommandInLetter(text, subject string, word Word) (c Command, ok bool) {
	e := findPlayerOrderSpec(word)
	for _, l := range append(order.Split(text), order.Line{Text: subject}, order.Line{Text: subjectTagPattern.ReplaceAllString(subject, "")}) {
		if c, _, ok = e.ReadLine(nil, lineText{text: l.Text}); ok {
			break
		}
	}
	return c, ok
}
