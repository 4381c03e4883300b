package adjudicator

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"samizdat/rules"
	"samizdat/templates"
)

// patienceLine is an order about time: a line of its own.
var patienceLine = regexp.MustCompile(`(?i)^\s*(GRACE|DELAY)(?:\s*[:=]?\s*(?:(OFF|NONE|0)|(\d{1,4})\s*(M|MIN|MINS|MINUTES?|H|HRS?|HOURS?)))?\s*[.!;]?\s*$`)

// patienceLike is a line that asks for a time in a way that is not understood.
// Talk may begin with these words.
var patienceLike = regexp.MustCompile(`(?i)^\s*(GRACE|DELAY)\s*[:=]?\s*(\d|(ON|MINUTES?|HOURS?|DAYS?)\s*[.!;]?\s*$)`)

// The longest times that a player may choose.
const (
	longestGrace = 24 * time.Hour
	longestDelay = 48 * time.Hour
)

// patience carries out the orders about time: how long orders are held back, and
// within what time orders ahead answer. They are the player's own affair.
func (s *session) patience(row string) bool {
	m := patienceLine.FindStringSubmatch(row)
	if m == nil {
		like := patienceLike.FindStringSubmatch(row)
		if like == nil {
			return false
		}
		verb := strings.ToUpper(like[1])
		s.unclear = true
		s.report(strings.TrimSpace(row), fateRefused, "Write "+verb+" 30 minutes, "+verb+" 2 hours or "+verb+" OFF.")
		return true
	}
	row = strings.TrimSpace(row)
	t := &s.m.Seats[s.seat].Thoughts
	set, most := &t.Grace, longestGrace
	grace := strings.EqualFold(m[1], "GRACE")
	if !grace {
		set, most = &t.Delay, longestDelay
	}
	switch {
	case m[2] != "":
		*set = 0
	case m[3] != "" && s.a.AtTable:
		s.unclear = true
		s.report(row, fateRefused, "There is no waiting at one table: orders are carried out as they come, and what is kept answers at once.")
		return true
	case m[3] != "":
		n, err := strconv.Atoi(m[3])
		unit := time.Minute
		if strings.EqualFold(m[4][:1], "H") {
			unit = time.Hour
		}
		d := time.Duration(n) * unit
		if err != nil || d < time.Minute || d > most {
			s.unclear = true
			s.report(row, fateRefused, fmt.Sprintf("It can be from 1 minute to %s, or OFF.", span(most)))
			return true
		}
		*set = d
	}
	s.report(row, fateDone, map[bool]string{true: graceNote(t.Grace), false: delayNote(t.Delay)}[grace])
	return true
}

func graceNote(d time.Duration) string {
	if d == 0 {
		return "Your orders are carried out as soon as they come."
	}
	return "Your orders are held back for " + span(d) + ". Until then another letter with orders takes their place, CANCEL ORDERS drops them, and NOW carries them out."
}

func delayNote(d time.Duration) string {
	if d == 0 {
		return "What is kept for you answers at once."
	}
	return "What is kept for you answers another's letter within " + span(d) + ", at a time that nobody can tell beforehand."
}

// span writes a length of time.
func span(d time.Duration) string {
	n, unit := int(d/time.Minute), "minute"
	if d%time.Hour == 0 {
		n, unit = int(d/time.Hour), "hour"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// patienceLines say what is held back for a seat, or waits for its time.
func (c *account) patienceLines(seat rules.Seat) []templates.Line {
	if seat == rules.Nobody {
		return nil
	}
	var out []templates.Line
	t := c.m.Seats[seat].Thoughts
	if w := t.Waiting; w != nil {
		out = append(out, templates.Line{Note: "Your orders are held back until " + clockTime(w.Due) + ". Until then another letter with orders takes " +
			"their place; CANCEL ORDERS drops them, and NOW carries them out. Nobody else is told."})
	}
	if !t.Wake.IsZero() {
		out = append(out, templates.Line{Note: "What is kept for you answers within " + span(t.Delay) + ", unless you write first."})
	}
	return out
}
