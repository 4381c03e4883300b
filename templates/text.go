package templates

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"samizdat/rules"
)

// Text lays out the letter as text.
func (l Letter) Text() string {
	t := text{isSpoken: l.IsSpoken}
	t.Grow(8 << 10)
	t.add(l.MarkerLine, "")
	if l.Ask != nil {
		t.writeAsk(*l.Ask)
	}
	if l.IsSlip {
		t.writeResults(l)
		t.add("", Wrap(l.ToMove), wrapOptional(l.Time), wrapOptional(l.WaitingSince))
	} else {
		t.add(Wrap(l.ToMove), wrapOptional(l.Time), wrapOptional(l.Status), wrapOptional(l.WaitingSince))
		t.writeResults(l)
	}
	if len(l.Events) > 0 {
		t.writeHeading("What happened")
		for _, s := range l.Events {
			t.addBullet(s)
		}
	}
	t.writeSections(l.Replies)
	for _, p := range l.Prompts {
		t.writePrompt(p)
	}
	if l.BoardLink != "" {
		t.add("", openBoard+":", l.BoardLink)
	}
	t.writeSections(l.Sections)
	t.writeChance(l)
	t.add("", Wrap(l.closingText()))
	if !l.IsShort && !l.IsSlip {
		t.add(Wrap(l.Credit))
	}
	if text := l.contactSentence(); text != "" {
		t.add(Wrap(text))
	}
	t.add(Wrap(l.Footer()))
	if l.HistoryHash != "" {
		t.add(l.HistoryHash)
	}
	return t.String()
}

// noLine stands for a missing line; an empty string is an empty line.
const noLine = "\x00"

func wrapOptional(s string) string {
	if s == "" {
		return noLine
	}
	return Wrap(s)
}

func formatBullet(s string) string   { return wrap(s, "- ", "  ") }
func formatIndented(s string) string { return wrap(s, "    ", "      ") }

// text collects the lines of a letter. It allows no two empty lines in succession and no trailing spaces. If isSpoken
// is set, headings have no underline and list entries no dash.
type text struct {
	strings.Builder
	hasPendingBlank, isSpoken bool
}

func (t *text) addBullet(s string) {
	if t.isSpoken {
		t.add(Wrap(s))
	} else {
		t.add(formatBullet(s))
	}
}

// add adds lines. A line may contain line breaks.
func (t *text) add(lines ...string) {
	for _, block := range lines {
		if block == noLine {
			continue
		}
		for line := range strings.SplitSeq(block, "\n") {
			line = strings.TrimRight(line, " ")
			if line == "" {
				t.hasPendingBlank = t.Len() > 0
				continue
			}
			if t.hasPendingBlank {
				t.WriteByte('\n')
				t.hasPendingBlank = false
			}
			t.WriteString(line)
			t.WriteByte('\n')
		}
	}
}

func (t *text) writeSections(sections []rules.Section) {
	for _, s := range sections {
		t.writeHeading(s.Title)
		t.add(s.Lines...)
	}
}

func (t *text) writeHeading(title string) {
	if t.isSpoken {
		t.add("", title, "")
	} else {
		t.add("", formatHeading(title))
	}
}

func (t *text) writeAsk(a Ask) {
	addRows := func(rows []string) {
		t.add("")
		for _, o := range rows {
			t.add(formatIndented(o))
		}
		t.add("")
	}
	t.add(Wrap(a.Question))
	addRows(a.Orders)
	t.add(wrapOptional(a.Note))
	addRows(a.Answers)
}

func (t *text) writeResults(l Letter) {
	if len(l.Lines) > 0 {
		t.writeHeading(l.resultsTitle())
	}
	for _, line := range l.Lines {
		switch {
		case line.Text == "":
			t.addBullet(line.Remark)
		case line.Remark == "" || line.Remark == line.Text:
			t.addBullet(line.label())
		default:
			t.addBullet(line.label())
			t.add(wrap(line.Remark, "  ", "  "))
		}
	}
	t.add("")
	for _, p := range l.Problems {
		t.addBullet(p)
	}
}

func (t *text) writeChance(l Letter) {
	if l.HasFixedDice {
		t.writeHeading("The dice")
		t.add(Wrap(fixedDice))
	}
	if l.Secret != "" {
		t.writeHeading("The dice")
		t.add(Wrap(publishedSecret), "", "    "+l.Secret, "", l.describeCommitment(), "", "    "+l.Commitment, "")
		if l.Record == "" {
			t.add(Wrap(recordByMail))
		} else {
			t.add(Wrap(recordAttached), "")
			t.add(VerifyCommands(l.Record)...)
		}
	}
	if len(l.Words) > 0 {
		t.writeHeading("The dice")
		t.add(mixedWords, "")
		for _, w := range l.Words {
			t.add(formatIndented(w.Seat + ": " + w.Words))
		}
		if hasDigests(l.Words) {
			t.add("", Wrap(mixedDigests))
		}
		t.add("", Wrap(mixedSecret), "", "    "+l.Commitment)
	}
}

func (t *text) writePrompt(p Prompt) {
	t.writeHeading(p.title())
	t.add(Wrap(p.Question), "")
	if p.FormsAreExamples {
		t.add("For example:")
	}
	for i, f := range p.Forms {
		if p.IsNumbered {
			t.add(wrap(f, fmt.Sprintf("    %d. ", i+1), "       "))
		} else {
			t.add(formatIndented(f))
		}
	}
	if p.IsNumbered {
		t.add("", numberAlone)
	}
	t.add("")
	for _, n := range p.Hints {
		t.add(Wrap(n))
	}
}

// PlainLetter is a letter without a match, for example a letter of the club.
type PlainLetter struct {
	MarkerLine string
	Ask        *Ask
	// Paragraphs are at the start of the letter, Closing at the end.
	Paragraphs []string
	Lines      []Line
	// Problems are warnings about the reader's letter, e.g. that the letter also went to another address.
	Problems []string
	Sections []PlainSection
	Closing  []string
	// IsSpoken reports whether the reader uses a screen reader: tables become sentences.
	IsSpoken bool
}

// PlainSection is a section of a PlainLetter.
type PlainSection struct {
	Title      string
	Paragraphs []string
	// Rows are indented, e.g. orders. List holds the lines of a list, already wrapped, e.g. " 1. HELP shows how orders
	// are written.".
	Rows, List []string
	// Table follows the rows. HasHeader means that its first row names the columns.
	Table     [][]string
	HasHeader bool
}

// signWords replaces signs that a screen reader skips or spells, e.g. in the rating 1500 +-60.
var signWords = strings.NewReplacer(" +-", " plus or minus ", " - ", " against ", " v. ", " against ", " : ", " to ")

// speakTable writes the rows of the table as sentences: "1, player Ada, points 3." for a table with a header, and "NAME:
// Ada." for a table without one.
func (p PlainSection) speakTable() (sentences []string) {
	rows := p.Table
	if p.HasHeader && len(rows) > 0 {
		rows = rows[1:]
	}
	for _, row := range rows {
		sentence := ""
		for i, cell := range row {
			if day, err := time.Parse(time.DateOnly, cell); err == nil {
				cell = day.Format("2 January 2006")
			}
			switch {
			case p.HasHeader:
				cell = strings.TrimSpace(p.Table[0][i] + " " + cell)
			case i == 1:
				sentence += ": "
			}
			if sentence != "" && !strings.HasSuffix(sentence, " ") && cell != "" {
				sentence += ", "
			}
			sentence += cell
		}
		sentences = append(sentences, strings.TrimRight(signWords.Replace(sentence), ".")+".")
	}
	return sentences
}

// Text lays out the letter as text.
func (n PlainLetter) Text() string {
	t := text{isSpoken: n.IsSpoken}
	if n.IsSpoken {
		n.MarkerLine = strings.Trim(n.MarkerLine, "= ")
	}
	t.add(n.MarkerLine, "")
	if n.Ask != nil {
		t.writeAsk(*n.Ask)
	}
	t.writeParagraphs(n.Paragraphs)
	if len(n.Lines)+len(n.Problems) > 0 {
		t.writeHeading("Your letter")
	}
	for _, l := range n.Lines {
		if t.add(""); l.Text != "" {
			t.addBullet(l.plainLabel())
			t.add(wrap(l.Remark, "  ", "  "))
		} else {
			t.addBullet(l.Remark)
		}
	}
	for _, p := range n.Problems {
		t.add("")
		t.addBullet(p)
	}
	for _, p := range n.Sections {
		t.writeSection(p)
	}
	t.writeParagraphs(n.Closing)
	return t.String()
}

// writeSection writes a section. In a spoken letter the table becomes sentences.
func (t *text) writeSection(p PlainSection) {
	if p.Title != "" {
		t.writeHeading(p.Title)
	}
	t.writeParagraphs(p.Paragraphs)
	t.add("")
	rows := slices.Concat(p.Rows, Columns(p.Table))
	if t.isSpoken {
		rows = p.Rows
		for _, l := range p.List {
			t.add(strings.TrimPrefix(l, "- "))
		}
		for _, sentence := range p.speakTable() {
			t.add(Wrap(sentence))
		}
	} else {
		t.add(p.List...)
	}
	for _, r := range rows {
		if row := "    " + r; utf8.RuneCountInString(row) <= Width {
			t.add(row)
		} else {
			t.add(formatIndented(r))
		}
	}
}

func (t *text) writeParagraphs(paragraphs []string) {
	for _, s := range paragraphs {
		t.add("", Wrap(s))
	}
}

func formatHeading(title string) string {
	return strings.ToUpper(title) + "\n" + strings.Repeat("-", utf8.RuneCountInString(title))
}

// Columns aligns the cells of rows in columns, with two spaces between them.
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
