package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Footer reports whether a line begins what a company or a server puts below letters.
func (p *Parser) Footer(line string) bool { return longestPhrase(remarks.footers, words(line)) > 0 }

// Signature reports whether a line may be somebody's name, or what stands below a name
// in letters of business: block says that it stands right below such a line.
func (p *Parser) Signature(line string, block bool) bool {
	if block && len(line) < 80 && !strings.ContainsAny(line, "?!") {
		return p.business(line)
	}
	ws := words(line)
	if len(ws) == 0 || len(ws) > 4 || remarks.against[ws[0].text] || strings.ContainsAny(line, "?!:") {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(line[ws[0].start:]); !unicode.IsUpper(first) && (len(ws) > 1 || len(ws[0].text) > 1) {
		return false
	}
	for i, w := range ws {
		if w.digits || len(w.text) > 2 && (!p.nameOf(w, line) || p.known(ws[i:])) {
			return false
		}
	}
	return true
}

// business reports whether a line below a name can be the rest of what stands there: it
// neither orders nor takes anything back.
func (p *Parser) business(line string) bool {
	ws := words(line)
	k, ok := p.keywords.verb(ws)
	return (!ok || k.alias) && !slices.ContainsFunc(ws, func(w word) bool { return remarks.against[w.text] && len(w.text) > 2 })
}
