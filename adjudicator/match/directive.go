package match

import (
	"fmt"
	"strings"
	"time"
)

// DirectorVerb is what a director does.
type DirectorVerb string

// The verbs.
const (
	DirectorPause   DirectorVerb = "PAUSE"
	DirectorResume  DirectorVerb = "RESUME"
	DirectorExtend  DirectorVerb = "EXTEND"
	DirectorReplace DirectorVerb = "REPLACE"
	DirectorUndo    DirectorVerb = "UNDO"
	DirectorAnnul   DirectorVerb = "ANNUL"
	DirectorRule    DirectorVerb = "RULE"
	DirectorCancel  DirectorVerb = "CANCEL"
	DirectorTell    DirectorVerb = "TELL ALL"
)

// DirectorAct is one thing that a director wants done, with his reason. Which of its fields say
// something is the verb's affair. Seats are named as he wrote them.
type DirectorAct struct {
	Verb DirectorVerb `json:"verb"`
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
func (a DirectorAct) String() string {
	rest := ""
	switch a.Verb {
	case DirectorPause:
		if a.Span > 0 {
			rest = Span(a.Span)
		}
	case DirectorExtend:
		rest = a.Seat + " BY " + Span(a.Span)
	case DirectorReplace:
		rest = a.Seat + " WITH " + a.Address
	case DirectorUndo:
		rest = fmt.Sprintf("TO %d", a.Entry)
	case DirectorRule:
		switch {
		case a.Draw:
			rest = "DRAW"
		case a.Nobody:
			rest = "NOBODY"
		default:
			rest = strings.Join(a.Winners, ", ")
		}
	case DirectorTell:
		rest = a.Text
	}
	return strings.TrimSpace(string(a.Verb) + " " + rest)
}

// Span writes a length of time in its greatest whole unit.
func Span(d time.Duration) string {
	for _, u := range SpanUnits {
		if d%u.Is != 0 || d == 0 {
			continue
		}
		if n := int(d / u.Is); n != 1 {
			return fmt.Sprintf("%d %ss", n, u.Name)
		}
		return "1 " + u.Name
	}
	return "0 minutes"
}

// SpanUnits are the units of spans, the greatest first.
var SpanUnits = []struct {
	Name string
	Is   time.Duration
}{{"week", 7 * 24 * time.Hour}, {"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}}

// Directing is where the letters of the director about a match stand.
type Directing struct {
	// Letters is the number of the newest letter that he may answer.
	Letters int64 `json:"letters,omitempty"`
	// Proposed is the act that this letter asks about; nil when there is none.
	Proposed *Directive `json:"proposed,omitempty"`
}

// Directive is an act that the director is asked about.
type Directive struct {
	Act DirectorAct `json:"act"`
	// Entries is how many entries the history had, Asked is when.
	Entries int       `json:"entries"`
	Asked   time.Time `json:"asked"`
}
