package templates

import (
	"html"
	"strings"
	"unicode/utf8"
)

// A list of letters shows the first words of each beside its subject. A page begins with
// words for it that nobody sees who has opened the letter.
const (
	// mostHappened is how long what happened may be there: what is asked follows it.
	mostHappened = 90
	// A letter's page is copied into the answer to it, and some mail programs copy what
	// is hidden too. These signs, which are nothing to see, tell package message that a
	// copy begins; the spaces between more of them keep what follows out of the list.
	hiddenSign = "&#847;"
	// shown is how many of the first characters a list shows at most.
	shown = 140
)

// preheader hides a text at the beginning of a page.
func preheader(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	padding := max(4, (shown-utf8.RuneCountInString(text))/2)
	return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;opacity:0">` + hiddenSign + hiddenSign +
		html.EscapeString(text) + strings.Repeat(" "+hiddenSign, padding) + "</div>"
}

// summary says what happened and what is asked.
func (l Letter) summary() string {
	var refused []string
	for _, line := range l.Lines {
		if line.Outcome == "refused" {
			refused = append(refused, line.Note)
		}
	}
	if refused == nil {
		refused = l.Happened
	}
	asked := l.Whose
	if l.Ask != nil && len(l.Ask.Taps) > 0 {
		return strings.Join(append([]string{l.Ask.Question}, l.Ask.Orders...), " ")
	}
	if len(l.Prompts) > 0 {
		asked = l.Prompts[0].Question
	}
	return shorten(strings.Join(refused, " "), mostHappened) + " " + asked
}

// shorten cuts a text behind a word.
func shorten(text string, most int) string {
	words, n := strings.Fields(text), 0
	for i, w := range words {
		if n += 1 + utf8.RuneCountInString(w); n > most {
			return strings.Join(words[:i], " ") + " ..."
		}
	}
	return strings.Join(words, " ")
}
