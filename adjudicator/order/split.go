package order

import (
	"regexp"
	"strconv"
	"strings"
)

// Line is a line of a letter that may be an order.
type Line struct {
	// Number is the row of the line in the letter, from 1.
	Number int
	// Text is the line without comments and surrounding space.
	Text string
	// Continues is set for a line that begins with AND and follows another line directly.
	Continues bool
	// FollowsLine is set if the line is directly below another line. AfterSemicolon is set if another line and a semicolon
	// are before it in the same row.
	FollowsLine, AfterSemicolon bool
	// Enclosed is set for lines between BEGIN and END, which are always read as orders.
	Enclosed bool
}

// Split splits the text of a letter into lines, without empty lines, comments, BEGIN and END. For example, "PLAY 36
// OPS; PASS // ok" has the lines PLAY 36 OPS and PASS. A BEGIN without END applies to the rest of the letter.
// Parser.SplitLines also joins lines that continue an order.
func Split(text string) []Line {
	var out []Line
	inBlock, followsLine := false, false
	for i, row := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		row = cutComment(row)
		if strings.TrimSpace(row) == "" {
			followsLine = false
			continue
		}
		if strings.ContainsAny(row, ":;=<^D") { // Each emoticon has one of these.
			row = emoticonPattern.ReplaceAllString(row, "$1$2")
		}
		for j, part := range strings.Split(row, ";") {
			part = strings.TrimSpace(part)
			switch word := strings.ToUpper(strings.Trim(part, ".:! ")); {
			case part == "":
				continue
			case word == "BEGIN":
				inBlock, followsLine = true, false
				continue
			case word == "END":
				inBlock, followsLine = false, false
				continue
			}
			out = append(out, Line{Number: i + 1, Text: part, Enclosed: inBlock, Continues: followsLine && startsWithAnd(part),
				FollowsLine: followsLine && j == 0, AfterSemicolon: followsLine && j > 0})
			followsLine = true
		}
	}
	stripListNumbers(out)
	return out
}

// listNumberPattern matches the number of a list item: "1. Lodz", "2) event", "(a) Lodz".
var listNumberPattern = regexp.MustCompile(`^(\d{1,2}|\(?[a-h])([.)])\s+\S`)

// stripListNumbers removes list numbers, because they would be read as card numbers or counts. It always removes a
// number with a parenthesis, as in "2) event". It removes numbers with a period only if at least two lines are numbered
// 1, 2, ...
func stripListNumbers(lines []Line) {
	var numbered []int
	for i := range lines {
		switch m := listNumberPattern.FindStringSubmatch(lines[i].Text); {
		case m == nil:
		case m[2] == ")":
			lines[i].Text = strings.TrimSpace(lines[i].Text[len(m[1])+1:])
		case m[1] == strconv.Itoa(len(numbered)+1):
			numbered = append(numbered, i)
		}
	}
	if len(numbered) < 2 {
		return
	}
	for n, i := range numbered {
		lines[i].Text = strings.TrimSpace(lines[i].Text[len(strconv.Itoa(n+1))+1:])
	}
}

// CountWords returns the number of words in a letter that the parser has to read. Repeated lines, and lines that are too
// long for an order, are not counted.
func CountWords(text string) (n int) {
	seen := map[string]bool{}
	for _, l := range Split(text) {
		if len(l.Text) <= maxOrderLength && !seen[l.Text] {
			seen[l.Text] = true
			n += len(words(l.Text))
		}
	}
	return n
}

// emoticonPattern matches ASCII emoticons. They are removed so that the semicolon in ";-)" does not separate orders.
var emoticonPattern = regexp.MustCompile(`(^|\s)(?:[:;=]['’o-]?[()DPpo*/|]+|[xX]D|<3|\^\^)($|[\s.,!])`)

// strikePattern matches text that is struck out in Markdown, e.g. "~~PASS~~". The parser ignores this text.
var strikePattern = regexp.MustCompile(`~~[^~\s](?:[^~]*[^~\s])?~~`)

// cutComment removes the comment at the end of a row, and text that is struck out. The "//" of an address such as
// https://club.example does not start a comment.
func cutComment(row string) string {
	if strings.Contains(row, "~~") {
		row = strikePattern.ReplaceAllString(row, "")
	}
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

// A mail program may have wrapped a line of at least minWrapWidth bytes. An order of more than maxJoinedLength bytes is
// not joined with the next line, because each join parses the whole order again.
const (
	minWrapWidth    = 56
	maxJoinedLength = 400
)

// SplitLines splits the text of a letter into lines, as Split does, and joins a line that continues the order above it. For example, "AND
// Krakow" continues PLACE, and "And see you on Sunday!" does not.
func (p *Parser) SplitLines(text string) []Line {
	var out []Line
	inList := false // The order above is a list with one name in each line.
	for _, l := range Split(text) {
		if n := len(out); n > 0 {
			head := &out[n-1]
			verbOnly := p.hasOnlyVerb(head.Text)
			separator := " "
			if inList && !verbOnly || l.AfterSemicolon {
				separator = ", "
			}
			isNear := l.FollowsLine || l.AfterSemicolon || verbOnly && l.Number <= head.Number+2
			if isNear && (verbOnly || inList || p.mayContinue(head.Text, l)) && p.completesOrder(head.Text, separator, l.Text) {
				head.Text, inList = head.Text+separator+l.Text, inList || verbOnly
				continue
			}
		}
		inList, l.Continues = false, false
		out = append(out, l)
	}
	return out
}

// hasOnlyVerb reports whether a line is only a verb that takes names, e.g. PLACE.
func (p *Parser) hasOnlyVerb(line string) bool {
	ws := p.wordsOf(line)
	verb, ok := p.vocabulary.keywords.longestVerb(ws)
	return ok && len(verb.NameKinds) > 0 && len(ws) == len(verb.words)
}

// mayContinue reports whether a line may continue head, the order above it. It may if head ends with a comma or "and",
// if head may have been wrapped, or if the line begins with AND or a keyword such as EVENT FIRST.
func (p *Parser) mayContinue(head string, l Line) bool {
	k, ok := p.vocabulary.keywords.longestKeyword(p.wordsOf(l.Text))
	return l.AfterSemicolon || l.Continues || strings.ContainsAny(head[len(head)-1:], ",:+&") ||
		strings.HasSuffix(strings.ToLower(head), " and") || ok && !k.IsVerb && !k.IsModifier || len(head) >= minWrapWidth
}

// completesOrder reports whether a line alone is not an order, but the line above it and this line together are.
func (p *Parser) completesOrder(head, separator, line string) bool {
	if _, err := p.ParsePlain(line); err == nil || len(head) > maxJoinedLength {
		return false
	}
	_, err := p.ParsePlain(head + separator + line)
	return err == nil
}
