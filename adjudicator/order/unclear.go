package order

import (
	"fmt"
	"strings"
)

// Unclear refuses a line that is not understood. Its message is for the reader
// who wrote the line.
type Unclear struct {
	// Text is the line.
	Text string
	// Part is what was not understood in it, empty if something is missing.
	Part string
	// Problem says what is wrong with it: a phrase that goes on from Part.
	Problem string
	// Candidates are what could be meant.
	Candidates []string
	// Ambiguous means that each of the candidates fits; otherwise they are only
	// near.
	Ambiguous bool
	// Hint says what there is, where nothing is near.
	Hint string
	// cause is for errors.Is.
	cause error
}

// Unwrap returns what sort of problem it is, if it has a name.
func (u *Unclear) Unwrap() error { return u.cause }

// Error is the sentence for the reader.
func (u *Unclear) Error() string {
	var b strings.Builder
	if u.Part != "" {
		fmt.Fprintf(&b, "%q ", u.Part)
	}
	b.WriteString(u.Problem)
	if len(u.Candidates) == 0 {
		if u.Hint != "" {
			b.WriteString("; " + u.Hint)
		}
		return b.String()
	}
	if u.Ambiguous {
		b.WriteString(": " + either(u.Candidates))
	} else {
		b.WriteString("; did you mean " + either(u.Candidates) + "?")
	}
	return b.String()
}

// mostNamed is how many candidates a message names.
const mostNamed = 8

// either writes "a, b or c".
func either(list []string) string { return joined(list, "or") }

// and writes "a, b and c".
func and(list []string) string { return joined(list, "and") }

func joined(list []string, word string) string {
	tail := ""
	if len(list) > mostNamed {
		tail = fmt.Sprintf(" %s %d others", word, len(list)-mostNamed)
		list = list[:mostNamed]
	}
	switch {
	case len(list) < 2 || tail != "":
		return strings.Join(list, ", ") + tail
	default:
		return strings.Join(list[:len(list)-1], ", ") + " " + word + " " + list[len(list)-1]
	}
}
