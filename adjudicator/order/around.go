package order

import (
	"strings"
	"sync"

	"samizdat/rules"
)

// noGame reads letters in which nothing of a game is named.
var noGame = sync.OnceValue(func() *Parser { return New(noLanguage{}) })

// noLanguage is the language of no game.
type noLanguage struct{ rules.Language }

func (noLanguage) Keywords() []rules.Keyword { return nil }
func (noLanguage) Names() []rules.Name       { return nil }

// Courtesies says of each line of a letter to no match, such as one to a club, whether it is nothing but a
// salutation, a closing or a name: "Hi,", "Thanks, Ada".
func Courtesies(lines []string) []bool { return noGame().Courtesies(lines) }

// WithoutFunctionWord is a line without the function word that it begins with, and ok is false if it begins with
// none: "please ENTER autumn-cup" becomes "ENTER autumn-cup". "I would like to" takes several calls.
func WithoutFunctionWord(line string) (rest string, ok bool) {
	ws := words(line)
	n := lexical().function.begins(ws)
	if n == 0 || n >= len(ws) {
		return "", false
	}
	return strings.TrimSpace(line[ws[n].start:]), true
}

// WithoutThanks is a line without the thanks and requests at its end: "ACCEPT 1 please" becomes "ACCEPT 1".
func WithoutThanks(line string) string {
	ws := words(line)
	last := len(ws) - 1
	for last >= 0 && requests[ws[last].text] {
		last--
	}
	switch {
	case last == len(ws)-1:
		return line
	case last < 0:
		return ""
	}
	return line[:ws[last].end]
}

// requests are the words that ask politely behind an order.
var requests = wordSet("please pls plz thanks thank you thx ty bitte danke prosze dziekuje prosim merci gracias")
