package letter

import (
	"context"
	"strings"
	"time"
)

// vacationForm is how a vacation is planned.
const vacationForm = "VACATION 2026-12-20 TO 2027-01-04"

// vacation plans, ends or shows vacations.
var vacation = &Entry{
	Word: "VACATION", Class: Setting, Line: readVacation,
	Help: []Form{{Order: "VACATION ...", Does: "stops your clocks: " + vacationForm}},
	Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.Vacation(ctx, c) },
}

const dayForm = `(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.?\s+\pL{3,9}\.?,?\s+\d{4}|\pL{3,9}\.?\s+\d{1,2},?\s+\d{4})`

var (
	vacationOff  = row(`VACATIONS?\s*[:=]?\s*(?:OFF|END|ENDS|NONE|CANCEL|OVER)(?:\s+`+dayForm+`)?`, func(m []string) (Command, string) { return vacationDays(off, m[1], m[1]) })
	vacationSet  = row(`VACATIONS?\s*[:=]?\s*(?:FROM\s+)?`+dayForm+`\s*(?:TO|UNTIL|TILL|THROUGH|THRU|-|–|—|\.\.+)\s*`+dayForm, func(m []string) (Command, string) { return vacationDays(Set, m[1], m[2]) })
	vacationShow = row(`VACATIONS?`, nil)
	vacationLike = row(`VACATIONS?\s*(?:[:=].*|(?:(?:FROM|ON|OFF|UNTIL|TILL|TO)\s+)?[\d/.-]+.{0,40}|(?:ON|START|BEGIN|FROM|UNTIL|NEXT|THIS|TOMORROW|TODAY|\d+)(?:\s+\S+){0,4})`, func([]string) (Command, string) {
		return Command{}, "Write the first day and the last, with the year: " + vacationForm + ". VACATION OFF ends one."
	})
)

// readVacation reads what a line says of a vacation. One that says it in a way that is not
// understood is unreadable; talk may begin with the word.
func readVacation(r *Reader, l said) (c Command, why string, ok bool) {
	for _, read := range []func(*Reader, said) (Command, string, bool){vacationShow, vacationOff, vacationSet, vacationLike} {
		if c, why, ok = read(r, l); ok {
			return c, why, ok
		}
	}
	return c, "", false
}

// Vacation reads a line about a vacation, where no match is written of; false for a line that
// says none.
func Vacation(line string) (c Command, why string, ok bool) {
	return readVacation(nil, said{text: line})
}

func vacationDays(choice, first, last string) (Command, string) {
	c := Command{Choice: choice}
	for _, d := range []struct {
		to   *string
		text string
	}{{&c.First, first}, {&c.Last, last}} {
		if d.text == "" {
			continue
		}
		at, ok := readDay(d.text)
		if !ok {
			return c, "There is no such day as " + d.text + ". Days are written as in 2026-12-20."
		}
		*d.to = at.Format(time.DateOnly)
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
