// Package directing reads what the director of matches wants done: in his letters, and
// on the command line. Both say it in the same words, of one small table.
//
// What a director does ends a match or changes it, for people who are not asked. So
// nothing is guessed here: an act is a row of its own that says all, with a reason. The
// rest of a letter is talk that is known to be harmless, or a doubt.
package directing

import (
	"fmt"
	"strings"
	"time"
)

// Verb is what a director does.
type Verb string

// The verbs.
const (
	Pause   Verb = "PAUSE"
	Resume  Verb = "RESUME"
	Extend  Verb = "EXTEND"
	Replace Verb = "REPLACE"
	Undo    Verb = "UNDO"
	Annul   Verb = "ANNUL"
	Rule    Verb = "RULE"
	Cancel  Verb = "CANCEL"
	Tell    Verb = "TELL ALL"
)

// Act is one thing that a director wants done, with his reason. Which of its fields say
// something is the verb's affair. Seats are named as he wrote them.
type Act struct {
	Verb Verb `json:"verb"`
	// Seat is whose clock is extended, or who is replaced, by whoever has the Address,
	// which may come with a name.
	Seat    string `json:"seat,omitempty"`
	Address string `json:"address,omitempty"`
	// Span is for how long: 0 of a pause is until it is ended.
	Span time.Duration `json:"span,omitempty"`
	// Entry is the first entry of the history that is undone.
	Entry int `json:"entry,omitempty"`
	// Winners are those whom a ruling names; Draw and Nobody are the other rulings.
	Winners []string `json:"winners,omitempty"`
	Draw    bool     `json:"draw,omitempty"`
	Nobody  bool     `json:"nobody,omitempty"`
	// Text is what all are told.
	Text string `json:"text,omitempty"`
	// Why is the reason.
	Why string `json:"why,omitempty"`
}

// String is the act as it is written, without its reason.
func (a Act) String() string {
	rest := ""
	switch a.Verb {
	case Pause:
		if a.Span > 0 {
			rest = Span(a.Span)
		}
	case Extend:
		rest = a.Seat + " BY " + Span(a.Span)
	case Replace:
		rest = a.Seat + " WITH " + a.Address
	case Undo:
		rest = fmt.Sprintf("TO %d", a.Entry)
	case Rule:
		switch {
		case a.Draw:
			rest = "DRAW"
		case a.Nobody:
			rest = "NOBODY"
		default:
			rest = strings.Join(a.Winners, ", ")
		}
	case Tell:
		rest = a.Text
	}
	return strings.TrimSpace(string(a.Verb) + " " + rest)
}

// Span writes a length of time in its greatest whole unit.
func Span(d time.Duration) string {
	for _, u := range units {
		if d%u.is != 0 || d == 0 {
			continue
		}
		if n := int(d / u.is); n != 1 {
			return fmt.Sprintf("%d %ss", n, u.name)
		}
		return "1 " + u.name
	}
	return "0 minutes"
}

// units are those of spans, the greatest first.
var units = []struct {
	name string
	is   time.Duration
}{{"week", 7 * 24 * time.Hour}, {"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}}
