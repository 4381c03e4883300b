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
	"samizdat/adjudicator/order"
	"samizdat/adjudicator/zone"
)

// said is a line as entries read it: as it was written, its words as package order compares
// them, and those of them that may ask.
type said struct {
	text         string
	words, asked []string
}

// say is a line as it was written.
func (r *Reader) say(text string) said {
	words := r.Orders.Texts(text)
	return said{text, words, asked(words)}
}

// lineReader reads a line that is an order: ok says whether it is, and why, when not empty, what is wrong with it.
type lineReader func(r *Reader, l said) (c Command, why string, ok bool)

// behindReader reads what stands behind the word of a member's order.
type behindReader func(m Members, rest string, c *Command) error

// row makes the reading of a line out of a pattern, which stands for the whole line in
// any case, with or without a stop behind it. The pattern is compiled for the first line: all
// of them together take a good part of the start of a program that may read none.
func row(pattern string, of func(m []string) (c Command, why string)) lineReader {
	re := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s*(?:` + pattern + `)\s*[.!;]?\s*$`) })
	return func(_ *Reader, l said) (c Command, why string, ok bool) {
		m := re().FindStringSubmatch(l.text)
		if m == nil {
			return c, "", false
		}
		if of != nil {
			c, why = of(m)
		}
		return c, why, true
	}
}

// choice takes what a pattern finds for what was chosen, lowText for a text in small letters.
func choice(m []string) (Command, string)  { return Command{Choice: strings.ToUpper(m[1])}, "" }
func lowText(m []string) (Command, string) { return Command{Text: strings.ToLower(m[1])}, "" }

// matchName is how a match is named behind an order that ends it.
const matchName = `(m[a-z2-7]{7})`

// abortTaken takes what was chosen, or the name of the match.
func abortTaken(m []string) (Command, string) {
	return Command{Choice: strings.ToUpper(m[1]), Text: strings.ToLower(m[2])}, ""
}

// pauseTaken takes what was chosen, or for how many days or weeks.
func pauseTaken(m []string) (Command, string) {
	return Command{Choice: strings.ToUpper(m[1]), Time: timeOf(m[2], m[3])}, ""
}

// timeTaken takes a length of time, in hours or in days.
func timeTaken(m []string) (Command, string) { return Command{Time: timeOf(m[1], m[2])}, "" }

// timeOf is a length of time, of four digits at most, in the unit that begins with a letter.
func timeOf(n, unit string) time.Duration {
	many, _ := strconv.Atoi(n)
	for letter, is := range map[string]time.Duration{"M": time.Minute, "H": time.Hour, "D": 24 * time.Hour, "W": 7 * 24 * time.Hour} {
		if strings.HasPrefix(strings.ToUpper(unit), letter) {
			return time.Duration(many) * is
		}
	}
	return 0
}

// mostAsked is how many words a question has at most: more of them are talk.
const mostAsked = 8

// asked are the words of a question without the polite ones; nil where there are too
// many.
func asked(words []string) []string {
	if len(words) > 1 {
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "please" || w == "pls" || w == "thanks" })
	}
	if len(words) > mostAsked {
		return nil
	}
	return words
}

// words reads a question that has just these words. What asks is read only as it is written, so that no
// talk of hands and maps is taken for it.
func words(forms ...string) lineReader {
	return func(_ *Reader, l said) (Command, string, bool) {
		return Command{}, "", slices.Contains(forms, strings.Join(l.asked, " "))
	}
}

// numbered reads a word with a number behind it: RESEND 12, HISTORY of turn 2.
func numbered(word, unit string) lineReader {
	return func(_ *Reader, l said) (c Command, why string, ok bool) {
		if len(l.asked) < 2 || l.asked[0] != word {
			return c, "", false
		}
		rest := slices.DeleteFunc(slices.Clone(l.asked[1:]), func(w string) bool { return w == unit || w == "of" })
		if len(rest) != 1 {
			return c, "", false
		}
		n, err := strconv.Atoi(rest[0])
		return Command{Number: n}, "", err == nil && n >= 0
	}
}

// readHistory reads HISTORY, with a turn or without.
func readHistory(r *Reader, l said) (Command, string, bool) {
	if len(l.asked) == 1 && l.asked[0] == "history" {
		return Command{}, "", true
	}
	return numbered("history", "turn")(r, l)
}

// readCall reads what the writer wants to be called in the match: to be called back tomorrow is another thing.
func readCall(_ *Reader, l said) (c Command, why string, ok bool) {
	m := callText.FindStringSubmatch(l.text)
	if m == nil || m[1] != string(CallMe) && !capitals(m[2]) {
		return c, "", false
	}
	return Command{As: m[2]}, "", true
}

var callText = regexp.MustCompile(`^\s*((?i:call\s+me))\s*[:=]?\s+"?([^",;:!?]+?)"?[.!]?\s*$`)

// capitals reports whether each word begins with a capital, as in names.
func capitals(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		first, _ := utf8.DecodeRuneInString(word)
		return !unicode.IsUpper(first)
	})
}

// readAddress reads a line about where letters go. Its choice is KEEP, YES, or none,
// with or without an address; ALSO lets orders count from an address too, and ONLY ends that. The word
// stands apart from what is behind it: a line may begin with an address.
var readAddress = row(`ADDRESS(?:\s*[:=]\s*|\s+|$)(?:(KEEP|ONLY|YES)|(?:(ALSO|SECOND)\s+)?(\S+@\S+?))?`, func(m []string) (Command, string) {
	return Command{Choice: strings.ToUpper(m[1] + m[2]), Text: m[3]}, ""
})

// The choices of lengths of time and of vacations: none asks how it stands.
const (
	off = "OFF"
	// Set is the choice of a time.
	Set = "SET"
)

// span reads a length of time behind a word. A line that asks for one in a way that is
// not understood is unreadable; talk may begin with these words.
func span(word string) lineReader {
	exact := row(word+`(?:\s*[:=]?\s*(?:(OFF|NONE|0)|(\d{1,4})\s*(M|MIN|MINS|MINUTES?|H|HRS?|HOURS?)))?`, func(m []string) (Command, string) {
		switch {
		case m[1] != "":
			return Command{Choice: off}, ""
		case m[2] == "":
			return Command{}, ""
		}
		return Command{Choice: Set, Time: timeOf(m[2], m[3])}, ""
	})
	like := row(word+`\s*[:=]?\s*(?:\d.*|(?:ON|MINUTES?|HOURS?|DAYS?))`, func([]string) (Command, string) {
		return Command{}, fmt.Sprintf("Write %[1]s 30 minutes, %[1]s 2 hours or %[1]s OFF.", word)
	})
	return firstOf(exact, like)
}

// firstOf reads a line in the first of some ways that reads it.
func firstOf(ways ...lineReader) lineReader {
	return func(r *Reader, l said) (c Command, why string, ok bool) {
		for _, read := range ways {
			if c, why, ok = read(r, l); ok {
				return c, why, ok
			}
		}
		return c, why, ok
	}
}

// vacationForm is how a vacation is planned.
const vacationForm = "VACATION 2026-12-20 TO 2027-01-04"

const dayForm = `(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.?\s+\pL{3,9}\.?,?\s+\d{4}|\pL{3,9}\.?\s+\d{1,2},?\s+\d{4})`

// readVacation reads what a line says of a vacation. One that says it in a way that is not
// understood is unreadable; talk may begin with the word.
var readVacation = firstOf(
	row(`VACATIONS?`, nil),
	row(`VACATIONS?\s*[:=]?\s*(?:OFF|END|ENDS|NONE|CANCEL|OVER)(?:\s+`+dayForm+`)?`,
		func(m []string) (Command, string) { return vacationDays(off, m[1], m[1]) }),
	row(`VACATIONS?\s*[:=]?\s*(?:FROM\s+)?`+dayForm+`\s*(?:TO|UNTIL|TILL|THROUGH|THRU|-|–|—|\.\.+)\s*`+dayForm,
		func(m []string) (Command, string) { return vacationDays(Set, m[1], m[2]) }),
	row(`VACATIONS?\s*(?:[:=].*|(?:(?:FROM|ON|OFF|UNTIL|TILL|TO)\s+)?[\d/.-]+.{0,40}|(?:ON|START|BEGIN|FROM|UNTIL|NEXT|THIS|TOMORROW|TODAY|\d+)(?:\s+\S+){0,4})`,
		func([]string) (Command, string) {
			return Command{}, "Write the first day and the last, with the year: " + vacationForm + ". VACATION OFF ends one."
		}))

func vacationDays(choice, first, last string) (Command, string) {
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

// readDay reads a day in a way that everybody reads alike.
func readDay(text string) (time.Time, bool) {
	text = strings.Join(strings.Fields(strings.NewReplacer(".", " ", ",", " ").Replace(strings.ToLower(text))), " ")
	for _, form := range []string{"2006-1-2", "2 January 2006", "2 Jan 2006", "January 2 2006", "Jan 2 2006"} {
		if at, err := time.Parse(form, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// zoneRow is a line that says a zone, or asks for it.
var zoneRow = row(`(?:TIME[ -]?ZONE|TZ)(?:(\s*[:=]\s*|\s+)(\S.{0,60}?))?`, func(m []string) (Command, string) {
	return Command{Choice: strings.TrimSpace(m[1]), Text: order.ASCII(m[2])}, ""
})

// readZone finds the zone that is meant. A longer line with these words that names none
// is talk.
func readZone(r *Reader, l said) (Command, string, bool) {
	c, _, ok := zoneRow(r, l)
	if !ok || c.Text == "" {
		return c, "", ok
	}
	name, err := zone.ParseName(c.Text)
	if err != nil {
		return c, match.Sentence(err), c.Choice != "" || strings.Contains(c.Text, "/") || len(strings.Fields(c.Text)) < 3
	}
	return Command{Text: name}, "", true
}

// consentLine reads YES or NO as people write them, and a pattern of the form for addresses.
func consentLine(answer consent.Answer, pattern string) lineReader {
	address := regexp.MustCompile(`(?i)^\s*(?:` + pattern + `)$`)
	return func(_ *Reader, l said) (c Command, why string, ok bool) {
		switch {
		case consent.Read(l.text) == answer:
			return Command{}, "", true
		case address.MatchString(l.text):
			return Command{Choice: "ADDRESS"}, "", true
		}
		return Command{}, "", false
	}
}

// bracketed is what we write into subjects, such as the token of a letter.
var bracketed = regexp.MustCompile(`\[[^\]]*\]`)

// Find returns the first line of a letter that is an order to the host which stands on a
// line of its own, or else its subject: mail programs that unsubscribe send no text.
func Find(text, subject string, word Word) (c Command, ok bool) {
	e := entryOf(word)
	for _, l := range append(order.Split(text), order.Line{Text: subject}, order.Line{Text: bracketed.ReplaceAllString(subject, "")}) {
		if c, _, ok = e.Line(nil, said{text: l.Text}); ok {
			break
		}
	}
	return c, ok
}
