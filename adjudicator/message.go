package adjudicator

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"samizdat/adjudicator/command"
	"samizdat/rules"
	"samizdat/templates"
)

// mostMessages is how many messages a seat may send in a day.
const mostMessages = 5

// Said counts the messages that a seat has sent to others on a day.
type Said struct {
	Day   string
	Count int
}

// Send implements command.Host: it puts a message into the letters of the seats that it is
// for.
func (s host) Send(to []rules.Seat, text string) (command.Outcome, error) {
	if !s.maySay() {
		return command.Declined(fmt.Sprintf("You have sent %d messages today, and more are not carried. It was sent to nobody.", mostMessages))
	}
	lines := barred(text)
	var names []string
	for _, to := range to {
		title := capital(s.called(s.seat)) + " writes"
		if n := len(s.mail[to]); n > 0 {
			title = fmt.Sprintf("%s (%d)", title, n+1)
		}
		s.mail[to] = append(s.mail[to], rules.Section{Title: title, Lines: lines})
		names = append(names, s.called(to))
	}
	return command.Done(fmt.Sprintf("Sent to %s: %s.", templates.List(names), lineCount(1+strings.Count(text, "\n"))))
}

// maySay counts what the writer wants to have passed on, as long as that is not too much
// for a day.
func (s host) maySay() bool {
	seat := &s.m.Seats[s.seat]
	day := s.a.Now().UTC().Format(time.DateOnly)
	if seat.Said.Day != day {
		seat.Said = Said{Day: day}
	}
	if seat.Said.Count >= mostMessages {
		return false
	}
	seat.Said.Count++
	return true
}

// barred lays out what a player writes. The bar keeps it apart from what Samizdat writes.
func barred(text string) (lines []string) {
	for l := range strings.SplitSeq(text, "\n") {
		for _, row := range narrowRows(l) {
			lines = append(lines, wrapped(row, "| ", "| ")...)
		}
	}
	return lines
}

// mostColumns is how wide a row of a player's words is at most: a mail program that
// quotes it again and again still need not break it, and nothing of it comes back as if
// its reader had written it.
const mostColumns = 52

// narrowRows breaks a row at its blanks.
func narrowRows(row string) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(row) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > mostColumns {
			out = append(out, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + w)
	}
	return append(out, line)
}

func lineCount(n int) string {
	if n == 1 {
		return "one line"
	}
	return fmt.Sprintf("%d lines", n)
}
