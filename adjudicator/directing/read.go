package directing

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"samizdat/adjudicator/consent"
	"samizdat/internal/lazyregexp"
)

// Talk tells what in a letter is known to say nothing about orders.
type Talk interface {
	// Harmless: all of a row is greeting or farewell. Signature: it may be a name below a letter.
	Harmless(row string) bool
	Signature(row string) bool
}

// Letter is what a letter of a director says.
type Letter struct {
	// Acts are the acts that could be read. A letter that has more than one does none.
	Acts []Act
	// Yes and No answer the question whether an act is meant.
	Yes, No bool
	// Status, Help and History ask; Entry is the entry at the end of what is asked for, or
	// -1.
	Status, Help, History bool
	Entry                 int
	// Refused are rows that are meant as acts and cannot be understood.
	Refused []Refusal
	// Doubts are rows that are neither acts nor known to be harmless.
	Doubts []string
}

// Refusal is a row that was not understood.
type Refusal struct{ Row, Why string }

var (
	status  = row(`status`)
	help    = row(`help`)
	history = row(`history(?:\s+(?:to\s+)?#?(\d{1,6}))?`)
	// because stands between an act and its reason, reasoned before a reason in a row of
	// its own.
	because  = lazyregexp.New(`(?i)[\s,;:]+because(?:[\s:,]+|$)`)
	reasoned = lazyregexp.New(`(?i)^(?:(?:why|reason)\s*[:=]\s*|(?:why|reason|because)\s+)(.*)$`)
)

// Read reads a letter, without what a mail program has quoted.
func Read(text string, t Talk) Letter {
	r := reading{Letter: Letter{Entry: -1}, talk: t}
	rows := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	for i := 0; i < len(rows); {
		i += r.row(rows[i:])
	}
	r.settle()
	return r.Letter
}

// reading is a letter being read.
type reading struct {
	Letter
	talk Talk
	// found are the acts with their rows, why is the reason that stands apart from them.
	found []found
	why   []string
	// read means that something was understood above; then a name may stand below.
	read bool
}

// found is an act that was read.
type found struct {
	row   string
	act   Act
	entry *entry
	why   string
}

// row reads what begins with the first of the rows, and says how many it takes.
func (r *reading) row(rows []string) int {
	text := strings.TrimSpace(rows[0])
	switch m := history.FindStringSubmatch(text); {
	case text == "":
		return 1
	case consent.Read(text) == consent.Yes:
		r.Yes, r.read = true, true
		return 1
	case consent.Read(text) == consent.No:
		r.No, r.read = true, true
		return 1
	case status.MatchString(text):
		r.Status, r.read = true, true
		return 1
	case help.MatchString(text):
		r.Help, r.read = true, true
		return 1
	case m != nil:
		r.History, r.read = true, true
		if n, err := strconv.Atoi(m[1]); err == nil {
			r.Entry = n
		}
		return 1
	}
	if m := reasoned.FindStringSubmatch(text); m != nil {
		n := r.paragraph(rows)
		r.why = append(r.why, joined(m[1], rows[1:n]))
		r.read = true
		return n
	}
	return r.act(text, rows)
}

// act reads an act, or talk.
func (r *reading) act(text string, rows []string) int {
	n, said, why := 1, text, ""
	if at := because.FindStringIndex(text); at != nil && !begins(text, string(Tell)) {
		n = r.paragraph(rows)
		said, why = text[:at[0]], joined(text[at[1]:], rows[1:n])
	}
	if begins(text, string(Tell)) {
		for n < len(rows) && strings.TrimSpace(rows[n]) != "" {
			n++
		}
		said = strings.Join(append([]string{text}, rows[1:n]...), "\n")
	}
	a, e, err := parse(said)
	switch {
	case errors.Is(err, errNoAct):
		r.spoken(text)
		return 1
	case err != nil:
		r.Refused = append(r.Refused, Refusal{text, sentence(err)})
	default:
		a.Text = shown(a.Text)
		r.found = append(r.found, found{text, a, e, why})
	}
	r.read = true
	return n
}

// paragraph is how many rows a paragraph has, up to one that is read by itself.
func (r *reading) paragraph(rows []string) int {
	for n := 1; n < len(rows); n++ {
		text := strings.TrimSpace(rows[n])
		if text == "" || consent.Read(text) != consent.None || reasoned.MatchString(text) {
			return n
		}
		if _, _, err := parse(text); err == nil {
			return n
		}
	}
	return len(rows)
}

// spoken takes a row that is no act.
func (r *reading) spoken(text string) {
	if r.talk.Harmless(text) || r.talk.Signature(text) && (r.read || strings.HasSuffix(text, ",")) {
		return
	}
	r.Doubts = append(r.Doubts, text)
}

// settle gives the acts their reasons: what stands behind BECAUSE, or else apart from it
// in a letter with one act.
func (r *reading) settle() {
	for _, f := range r.found {
		why := f.why
		if why == "" {
			why = strings.Join(r.why, " ")
		}
		if err := f.entry.reason(&f.act, why); err != nil {
			r.Refused = append(r.Refused, Refusal{f.row, sentence(err)})
			continue
		}
		r.Acts = append(r.Acts, f.act)
	}
}

// joined is a text with the rows that go on with it.
func joined(text string, rows []string) string {
	return strings.TrimSpace(strings.Join(append([]string{text}, rows...), " "))
}

// printable is a text in one row, without signs that cannot be seen.
func printable(text string) string { return strings.Join(strings.Fields(shown(text)), " ") }

// shown is a text without signs that cannot be seen.
func shown(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n', unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return -1
	}, text))
}

// sentence makes an error read like a sentence.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// asked finds the match in a letter that asks to direct it.
var asked = lazyregexp.New(`(?i)^\s*(?:(?:re|aw|sv)\s*:\s*)?direct(?:\s+match)?[\s:]+\[?(m[a-z2-7]{7})\]?\s*[.!]?\s*$`)

// Match is the match that a letter without a token asks to direct, in a row of its own or
// in its subject; empty where it asks for none.
func Match(text, subject string) string {
	for _, row := range append(strings.Split(text, "\n"), subject) {
		if m := asked.FindStringSubmatch(row); m != nil {
			return strings.ToLower(m[1])
		}
	}
	return ""
}
