// Package templates lays letters out as text. What a letter says comes from the
// adjudicator and from the game; here is only where it stands, and that no line
// is wider than 78 columns.
package templates

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
	"unicode/utf8"
)

// Width is how wide a line of a letter may be.
const Width = 78

// Letter is what a match's letter says, in the order of the page.
type Letter struct {
	// Mark is the line above everything that we write.
	Mark string
	// Match and Title name the match, Credit whose game it is.
	Match, Title, Credit string
	// Whose says whose move it is, Status where the match stands.
	Whose, Status string
	// Lines say what became of the reader's orders, line by line.
	Lines []Line
	// Problems are parts of the reader's letter that could not be read.
	Problems []string
	// Words and Commitment are shown when the match begins, Secret and
	// Commitment when it is over. Given, at the beginning, means that chance is
	// a list from elsewhere.
	Words              []Words
	Commitment, Secret string
	Given              bool
	// Happened tells what happened, a sentence or two each.
	Happened []string
	Prompts  []Prompt
	Sections []Section
	// Help adds the page on orders, Verbs are what the game's orders begin with,
	// Cards means that the game has cards to ask about.
	Help  bool
	Cards bool
	Verbs []string
	// Head is the newest hash of the match's history.
	Head string
}

// Line is what became of one line of a letter: "done", "kept", "ignored",
// "refused", "lapsed" or "not reached".
type Line struct{ Text, Fate, Note string }

// Words are what a seat mixed into the dice.
type Words struct{ Seat, Words string }

// Prompt is a question with the ways to answer it.
type Prompt struct {
	Question     string
	Forms, Notes []string
}

// Section is a part that is laid out already.
type Section struct {
	Title string
	Lines []string
}

//go:embed letter.tmpl
var letterText string

var letter = template.Must(template.New("letter").Option("missingkey=error").Funcs(template.FuncMap{
	"wrap":   Wrap,
	"bullet": func(s string) string { return wrap(s, "- ", "  ") },
	"list":   func(s []string) string { return strings.Join(s, ", ") },
	"wrap2":  func(s string) string { return wrap(s, "  ", "  ") },
	"indent": func(s string) string { return wrap(s, "    ", "      ") },
	"rule": func(s string) string {
		return strings.ToUpper(s) + "\n" + strings.Repeat("-", utf8.RuneCountInString(s))
	},
}).Parse(letterText))

// Text lays the letter out.
func (l Letter) Text() (string, error) {
	var b strings.Builder
	if err := letter.Execute(&b, l); err != nil {
		return "", fmt.Errorf("lay out a letter of match %s: %w", l.Match, err)
	}
	return tidy(b.String()), nil
}

// Wrap breaks a text at spaces into lines of Width. A line of the text stays one.
func Wrap(text string) string { return wrap(text, "", "") }

// wrap breaks a text at spaces. A line of the text stays a line.
func wrap(text, first, rest string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		cur, empty := first, true
		for _, w := range words(line, Width-utf8.RuneCountInString(rest)) {
			if !empty && utf8.RuneCountInString(cur)+1+utf8.RuneCountInString(w) > Width {
				out = append(out, cur)
				cur, empty = rest, true
			}
			if !empty {
				cur += " "
			}
			cur += w
			empty = false
		}
		out = append(out, strings.TrimRight(cur, " "))
		first = rest
	}
	return strings.Join(out, "\n")
}

// words splits a line at spaces, and words that would not fit into a line of
// their own anywhere.
func words(line string, most int) []string {
	var out []string
	for _, w := range strings.Fields(line) {
		for r := []rune(w); ; r = r[most:] {
			if len(r) <= most {
				out = append(out, string(r))
				break
			}
			out = append(out, string(r[:most]))
		}
	}
	return out
}

// tidy leaves no more than one empty line between parts, and no spaces at the
// ends of lines.
func tidy(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " ")
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n") + "\n"
}
