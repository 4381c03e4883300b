package templates

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"samizdat/rules"
)

// Text lays out the letter as text.
func (l Letter) Text() string {
	t := text{spoken: l.Spoken}
	t.Grow(8 << 10)
	t.add(l.Mark, "")
	if l.Ask != nil {
		t.ask(*l.Ask)
	}
	if l.Slip {
		t.answer(l)
		t.add("", Wrap(l.Whose), optional(l.Time), optional(l.Clock))
	} else {
		t.add(Wrap(l.Whose), optional(l.Time), optional(l.Status), optional(l.Clock))
		t.answer(l)
	}
	if len(l.Happened) > 0 {
		t.writeHeading("What happened")
		for _, s := range l.Happened {
			t.addBullet(s)
		}
	}
	t.writeSections(l.Parts)
	for _, p := range l.Prompts {
		t.writePrompt(p)
	}
	if l.Board != "" {
		t.add("", openBoard+":", l.Board)
	}
	t.writeSections(l.Sections)
	t.writeChance(l)
	t.add("", Wrap(l.closing()))
	if !l.Short && !l.Slip {
		t.add(Wrap(l.Credit))
	}
	if text := l.questions(); text != "" {
		t.add(Wrap(text))
	}
	t.add(Wrap(l.Footer()))
	if l.Head != "" {
		t.add(l.Head)
	}
	return t.String()
}

// nothing stands for a missing line; an empty string is an empty line.
const nothing = "\x00"

// optional wraps a text that may be missing.
func optional(s string) string {
	if s == "" {
		return nothing
	}
	return Wrap(s)
}

func bullet(s string) string { return wrap(s, "- ", "  ") }
func indent(s string) string { return wrap(s, "    ", "      ") }

// text is the lines of a letter. It allows no two empty lines in succession and no trailing spaces. If spoken,
// headings have no underline and list entries no dash.
type text struct {
	strings.Builder
	gap, spoken bool
}

func (t *text) addBullet(s string) {
	if t.spoken {
		t.add(Wrap(s))
	} else {
		t.add(bullet(s))
	}
}

// add adds lines, each of which may contain line breaks.
func (t *text) add(lines ...string) {
	for _, many := range lines {
		if many == nothing {
			continue
		}
		for line := range strings.SplitSeq(many, "\n") {
			line = strings.TrimRight(line, " ")
			if line == "" {
				t.gap = t.Len() > 0
				continue
			}
			if t.gap {
				t.WriteByte('\n')
				t.gap = false
			}
			t.WriteString(line)
			t.WriteByte('\n')
		}
	}
}

func (t *text) writeSections(list []rules.Section) {
	for _, s := range list {
		t.writeHeading(s.Title)
		t.add(s.Lines...)
	}
}

func (t *text) writeHeading(title string) {
	if t.spoken {
		t.add("", title, "")
	} else {
		t.add("", heading(title))
	}
}

func (t *text) ask(a Ask) {
	t.add(Wrap(a.Question))
	for _, rows := range [][]string{a.Orders, a.Taps} {
		t.add("")
		for _, o := range rows {
			t.add(indent(o))
		}
	}
	t.add("")
}

func (t *text) answer(l Letter) {
	if len(l.Lines) > 0 {
		t.writeHeading("Your " + l.letterNoun())
	}
	for _, x := range l.Lines {
		switch {
		case x.Text == "":
			t.addBullet(x.Note)
		case x.Note == "" || x.Note == x.Text:
			t.addBullet(x.Text + ": " + x.Outcome)
		default:
			t.addBullet(x.Text + ": " + x.Outcome)
			t.add(wrap(x.Note, "  ", "  "))
		}
	}
	t.add("")
	for _, p := range l.Problems {
		t.addBullet(p)
	}
}

func (t *text) writeChance(l Letter) {
	if l.Given {
		t.writeHeading("The dice")
		t.add(Wrap(givenDice))
	}
	if l.Secret != "" {
		t.writeHeading("The dice")
		t.add(Wrap(publishedSecret), "", "    "+l.Secret, "", l.describeCommitment(), "", "    "+l.Commitment, "")
		if l.Record == "" {
			t.add(Wrap(recordByMail))
		} else {
			t.add(Wrap(recordAttached), "")
			t.add(Checking(l.Record)...)
		}
	}
	if len(l.Words) > 0 {
		t.writeHeading("The dice")
		t.add(mixedWords, "")
		for _, w := range l.Words {
			t.add(indent(w.Seat + ": " + w.Words))
		}
		if hasDigests(l.Words) {
			t.add("", Wrap(mixedDigests))
		}
		t.add("", Wrap(mixedSecret), "", "    "+l.Commitment)
	}
}

func (t *text) writePrompt(p Prompt) {
	t.writeHeading("Your decision")
	t.add(Wrap(p.Question), "")
	if p.Examples {
		t.add("For example:")
	}
	for i, f := range p.Forms {
		if p.Numbered {
			t.add(wrap(f, fmt.Sprintf("    %d. ", i+1), "       "))
		} else {
			t.add(indent(f))
		}
	}
	if p.Numbered {
		t.add("", numberAlone)
	}
	t.add("")
	for _, n := range p.Notes {
		t.add(Wrap(n))
	}
}

// Note is a letter without a match, for example a letter of the club.
type Note struct {
	// Mark is the line above our text.
	Mark string
	// Ask asks the reader to confirm an order; nil for no question.
	Ask *Ask
	// Paragraphs are the first paragraphs.
	Paragraphs []string
	// Lines are the results of the reader's orders, line by line; Problems are unreadable parts of
	// the letter.
	Lines    []Line
	Problems []string
	// Parts are titled parts.
	Parts []Part
	// Closing are the last paragraphs.
	Closing []string
}

// Part is a part of a note: wrapped paragraphs, or rows without wrapping.
type Part struct {
	Title      string
	Paragraphs []string
	// Rows are a table or orders, indented. List has the wrapped lines of a list, such as " 1. HELP shows how orders are written.".
	Rows, List []string
}

// Text lays out the note as text.
func (n Note) Text() string {
	var t text
	t.add(n.Mark, "")
	if n.Ask != nil {
		t.ask(*n.Ask)
	}
	t.writeParagraphs(n.Paragraphs)
	if len(n.Lines)+len(n.Problems) > 0 {
		t.writeHeading("Your letter")
	}
	for _, l := range n.Lines {
		if t.add(""); l.Text != "" {
			t.add(bullet(l.Text+": "+l.Outcome), wrap(l.Note, "  ", "  "))
		} else {
			t.add(bullet(l.Note))
		}
	}
	for _, p := range n.Problems {
		t.add("", bullet(p))
	}
	for _, p := range n.Parts {
		if p.Title != "" {
			t.writeHeading(p.Title)
		}
		t.writeParagraphs(p.Paragraphs)
		t.add("")
		t.add(p.List...)
		for _, r := range p.Rows {
			if row := "    " + r; utf8.RuneCountInString(row) <= Width {
				t.add(row)
			} else {
				t.add(indent(r))
			}
		}
	}
	t.writeParagraphs(n.Closing)
	return t.String()
}

// writeParagraphs adds paragraphs with an empty line above each.
func (t *text) writeParagraphs(list []string) {
	for _, s := range list {
		t.add("", Wrap(s))
	}
}

func heading(title string) string {
	return strings.ToUpper(title) + "\n" + strings.Repeat("-", utf8.RuneCountInString(title))
}

// Columns aligns rows of cells; the last cell of a row may be long.
func Columns(rows [][]string) []string {
	var width []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	out := make([]string, len(rows))
	for n, r := range rows {
		for i, c := range r {
			out[n] += c
			if i < len(r)-1 {
				out[n] += strings.Repeat(" ", width[i]-utf8.RuneCountInString(c)+2)
			}
		}
		out[n] = strings.TrimRight(out[n], " ")
	}
	return out
}
