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
const shortestDeclined = 3

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
