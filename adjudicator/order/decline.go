package order

import (
	"strings"

	"samizdat/rules"
)

// Names of places have endings in the languages of those who live there: "w Krakowie", "do
// Lipska", "Debrecenben".

// caseEndings are those of Hungarian, Polish and Czech, the longest first.
var caseEndings = strings.Fields("iach ban ben bol rol tol nal nel hoz hez nak nek owi ovi iem ach ech ich ett ott ba be on en ra re ot et at ia ie iu em ou u a i y e t")

// shortestDeclined is how many letters a name has before its ending.
const shortestDeclined = 4

// declined lists the places of the kinds that a word is with an ending behind it.
func (p *Parser) declined(kinds []rules.NameKind, w word) []rules.Name {
	for _, end := range caseEndings {
		stem := strings.TrimSuffix(w.text, end)
		if len(stem) == len(w.text) || len(stem) < shortestDeclined || w.digits {
			continue
		}
		w := w
		if w.text = stem; !p.names.words[stem] {
			w.text = p.names.stems[stem]
		}
		if w.text == "" {
			continue
		}
		if names, quality := p.names.find(kinds, []word{w}); quality == matchFull && p.counted(names[0].Kind) {
			return names
		}
	}
	return nil
}

// suffixed reports whether a word is no more than the ending of a number: "39-es" in Hungarian.
func suffixed(text string, w word) bool {
	return w.start > 1 && text[w.start-1] == '-' && digit(text[w.start-2]) && (w.text == "es" || w.text == "as" || w.text == "os" || w.text == "er")
}
