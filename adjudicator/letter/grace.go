package letter

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"samizdat/rules"
)

// grace is for how long a player's orders are held back, delay within what time his
// conditional orders answer.
var (
	grace = &Entry{
		Word: "GRACE", Class: Setting, Line: span("GRACE"),
		Help: []Form{{Order: "GRACE 1 hour", Does: "holds your orders back for so long; GRACE OFF does not"}},
		Do:   wait(24*time.Hour, func(p *Preferences) *time.Duration { return &p.Grace }, graceNote),
	}
	delay = &Entry{
		Word: "DELAY", Class: Setting, Line: span("DELAY"),
		Help: []Form{{Order: "DELAY 6 h", Does: "lets kept orders answer at a random time; DELAY OFF at once", In: is[rules.Planner]}},
		Do:   wait(48*time.Hour, func(p *Preferences) *time.Duration { return &p.Delay }, delayNote),
	}
)

// The choices: none asks how it stands.
const (
	off = "OFF"
	// Set is the choice of a time.
	Set = "SET"
)

// span reads a length of time behind a word. A line that asks for one in a way that is
// not understood is unreadable; talk may begin with these words.
func span(word string) func(*Reader, said) (Command, string, bool) {
	exact := row(word+`(?:\s*[:=]?\s*(?:(OFF|NONE|0)|(\d{1,4})\s*(M|MIN|MINS|MINUTES?|H|HRS?|HOURS?)))?`, func(m []string) (Command, string) {
		switch {
		case m[1] != "":
			return Command{Choice: off}, ""
		case m[2] == "":
			return Command{}, ""
		}
		n, _ := strconv.Atoi(m[2]) // Four digits at most.
		unit := time.Minute
		if strings.EqualFold(m[3][:1], "H") {
			unit = time.Hour
		}
		return Command{Choice: Set, Time: time.Duration(n) * unit}, ""
	})
	like := row(word+`\s*[:=]?\s*(?:\d.*|(?:ON|MINUTES?|HOURS?|DAYS?))`, func([]string) (Command, string) {
		return Command{}, fmt.Sprintf("Write %[1]s 30 minutes, %[1]s 2 hours or %[1]s OFF.", word)
	})
	return func(r *Reader, l said) (Command, string, bool) {
		if c, why, ok := exact(r, l); ok {
			return c, why, ok
		}
		return like(r, l)
	}
}

// wait sets one of the lengths of time, and says how it stands.
func wait(most time.Duration, of func(*Preferences) *time.Duration, note func(time.Duration) string) func(context.Context, Host, Command) (Outcome, error) {
	return func(_ context.Context, h Host, c Command) (Outcome, error) {
		p := h.Preferences()
		t := of(&p)
		switch {
		case c.Choice == Set && h.Facts().AtTable:
			return Refused("There is no waiting at one table: orders are carried out as they come, and what is kept answers at once.")
		case c.Choice == Set && (c.Time < time.Minute || c.Time > most):
			return Refused(fmt.Sprintf("It can be from 1 minute to %s, or OFF.", Span(most)))
		case c.Choice != "":
			*t = c.Time
			h.Prefer(p)
		}
		return Done(note(*t))
	}
}

func graceNote(d time.Duration) string {
	if d == 0 {
		return "Your orders are carried out as soon as they come."
	}
	return "Your orders are held back for " + Span(d) + ". Until then another letter with orders takes their place, CANCEL ORDERS drops them, and NOW carries them out."
}

func delayNote(d time.Duration) string {
	if d == 0 {
		return "What is kept for you answers at once."
	}
	return "What is kept for you answers another's letter within " + Span(d) + ", at a time that nobody can tell beforehand."
}

// Span writes a length of time.
func Span(d time.Duration) string {
	n, unit := int(d/time.Minute), "minute"
	if d%time.Hour == 0 {
		n, unit = int(d/time.Hour), "hour"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
