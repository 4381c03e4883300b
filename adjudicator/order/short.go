package order

import (
	"slices"

	"samizdat/rules"
)

// shortAnswer is the keyword that a letter means which says it in other words, and nothing
// else but what is harmless.
func (p *Parser) shortAnswer(lines []string, q *Question) (rules.Order, bool) {
	var ws []word
	for _, line := range lines {
		for _, f := range pieces(line) {
			list := words(f.text)
			if f.end == '?' || !p.short(list, q) && !p.harmless(f) {
				return rules.Order{}, false
			}
			ws = append(ws, list...)
		}
	}
	for _, k := range p.listed {
		if slices.Contains(q.Verbs, k.Word) && len(k.Short) > 0 && p.short(ws, q) {
			return rules.Order{Text: k.Word, Clauses: []rules.Clause{{Word: k.Word}}}, true
		}
	}
	return rules.Order{}, false
}

// short reports whether words mean a keyword that has no names, with what says nothing
// around it.
func (p *Parser) short(ws []word, q *Question) bool {
	found := false
	for i := 0; i < len(ws); {
		n := 0
		for _, k := range p.listed {
			if slices.Contains(q.Verbs, k.Word) && len(k.Takes) == 0 {
				for _, s := range append(slices.Clone(k.Short), k.Word) {
					if w := Words(s); len(w) > n && len(k.Short) > 0 && begun(w, ws[i:]) {
						n = len(w)
					}
				}
			}
		}
		found = found || n > 0
		if n == 0 {
			if n = emptyWords(ws[i:]); n == 0 {
				return false
			}
		}
		i += n
	}
	return found
}
