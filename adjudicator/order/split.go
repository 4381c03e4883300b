package order

import (
	"regexp"
	"strconv"
	"strings"
)

// Line is one line of a letter that may be an order.
type Line struct {
	// Number is the number of the line in the letter, counted from 1.
	Number int
	// Text is the line without comments and surrounding space.
	Text string
	// Continues is set for a line that begins with AND below another one.
	Continues bool
	// Below is set for a line directly below another, Beside for one behind the same line's semicolon.
	Below, Beside bool
	// Enclosed lines stand between BEGIN and END: they are orders, whatever they look like.
	Enclosed bool
}

// Split cuts the text of a letter into lines. Empty lines, comments, and the words BEGIN and END themselves are left
// out. An END may be missing. A line that begins with AND stays by itself; Parser.Lines joins it to the list above.
func Split(text string) []Line {
	var out []Line
	enclosed, continues := false, false
	for i, row := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		row = cutComment(row)
		if strings.TrimSpace(row) == "" {
			continues = false
			continue
		}
		row = faces.ReplaceAllString(row, "$1$2")
		for j, part := range strings.Split(row, ";") {
			part = strings.TrimSpace(part)
			switch word := strings.ToUpper(strings.Trim(part, ".:! ")); {
			case part == "":
				continue
			case word == "BEGIN":
				enclosed, continues = true, false
				continue
			case word == "END":
				enclosed, continues = false, false
				continue
			}
			out = append(out, Line{Number: i + 1, Text: part, Enclosed: enclosed, Continues: continues && startsWithAnd(part),
				Below: continues && j == 0, Beside: continues && j > 0})
			continues = true
		}
	}
	unnumber(out)
	return out
}

// listNumber is the number of a line in a list: "1. Lodz", "2) event", "(a) Lodz".
var listNumber = regexp.MustCompile(`^(\d{1,2}|\(?[a-h])([.)])\s+\S`)

// unnumber removes list numbers, which would otherwise name cards or be counts: numbers with a bracket ("2) event"), and numbers with a
// stop if at least two lines are numbered from 1 on.
func unnumber(lines []Line) {
	var stops []int
	for i := range lines {
		switch m := listNumber.FindStringSubmatch(lines[i].Text); {
		case m == nil:
		case m[2] == ")":
			lines[i].Text = strings.TrimSpace(lines[i].Text[len(m[1])+1:])
		case m[1] == strconv.Itoa(len(stops)+1):
			stops = append(stops, i)
		}
	}
	if len(stops) < 2 {
		return
	}
	for n, i := range stops {
		lines[i].Text = strings.TrimSpace(lines[i].Text[len(strconv.Itoa(n+1))+1:])
	}
}

// WordsRead counts the words that the parser reads. Lines that are too long for any order are skipped, and repeated words cost little.
func WordsRead(text string) (n int) {
	seen := map[string]bool{}
	for _, l := range Split(text) {
		if len(l.Text) <= longest && !seen[l.Text] {
			seen[l.Text] = true
			n += len(words(l.Text))
		}
	}
	return n
}

// faces are smileys of ASCII signs, which mean nothing: ";-)" separates no orders.
var faces = regexp.MustCompile(`(^|\s)(?:[:;=]['’o-]?[()DPpo*/|]+|[xX]D|<3|\^\^)($|[\s.,!])`)

// struckOut is text between ~~ and ~~, which Markdown strikes out. The parser ignores it.
var struckOut = regexp.MustCompile(`~~[^~\s](?:[^~]*[^~\s])?~~`)

// cutComment removes the comment at the end of a row. The "//" of an address such as https://club.example begins no comment.
func cutComment(row string) string {
	row = struckOut.ReplaceAllString(row, "")
	for from := 0; ; {
		i := strings.Index(row[from:], "//")
		switch i += from; {
		case i < from:
			return row
		case i == 0 || row[i-1] != ':':
			return row[:i]
		}
		from = i + 2
	}
}

func startsWithAnd(s string) bool {
	first, rest, _ := strings.Cut(s, " ")
	return (strings.EqualFold(strings.TrimRight(first, ","), "and") || first == "+" || first == "&") && strings.TrimSpace(rest) != ""
}

// wide is the length from which a line may have been broken by a mail program. No line is joined to an order of longestHead or more,
// since each join reads the order again.
const (
	wide        = 56
	longestHead = 400
)

// Lines cuts the text of a letter into lines, as Split does, and joins a line that continues the order above it. For example, "AND
// Krakow" continues PLACE, and "And see you on Sunday!" does not.
func (p *Parser) Lines(text string) []Line {
	var out []Line
	column := false // A list stands in a column, a name a line.
	for _, l := range Split(text) {
		if n := len(out); n > 0 {
			head := &out[n-1]
			bare := p.bare(head.Text)
			joint := " "
			if column && !bare || l.Beside {
				joint = ", "
			}
			near := l.Below || l.Beside || bare && l.Number <= head.Number+2
			if near && (bare || column || p.goesOn(head.Text, l)) && p.joins(head.Text, joint, l.Text) {
				head.Text, column = head.Text+joint+l.Text, column || bare
				continue
			}
		}
		column, l.Continues = false, false
		out = append(out, l)
	}
	return out
}

// bare reports whether a line is only a verb that needs names behind it.
func (p *Parser) bare(line string) bool {
	ws := p.wordsOf(line)
	verb, ok := p.vocabulary.keywords.verb(ws)
	return ok && len(verb.Takes) > 0 && len(ws) == len(verb.words)
}

// goesOn reports whether a line may continue the order above it: that order ends with a comma or the like, or was broken off, or the
// line begins with AND or a keyword such as EVENT FIRST.
func (p *Parser) goesOn(head string, l Line) bool {
	k, ok := p.vocabulary.keywords.at(p.wordsOf(l.Text))
	return l.Beside || l.Continues || strings.ContainsAny(head[len(head)-1:], ",:+&") || strings.HasSuffix(strings.ToLower(head), " and") ||
		ok && !k.Verb && !k.Modifies || len(head) >= wide
}

// joins reports whether a line is no order by itself, but is an order together with the line above it.
func (p *Parser) joins(head, joint, line string) bool {
	if _, err := p.Plain(line); err == nil || len(head) > longestHead {
		return false
	}
	_, err := p.Plain(head + joint + line)
	return err == nil
}
