package order

import (
	"slices"

	"samizdat/rules"
)

// keyword is a rules.Keyword with its words folded.
type keyword struct {
	rules.Keyword
	words []string
}

// keywords are sorted so that longer phrases come first.
type keywords []keyword

func newKeywords(list []rules.Keyword) keywords {
	var out keywords
	for _, k := range list {
		if ws := texts(words(k.Word)); len(ws) > 0 {
			out = append(out, keyword{Keyword: k, words: ws})
		}
	}
	slices.SortStableFunc(out, func(a, b keyword) int { return len(b.words) - len(a.words) })
	return out
}

// at returns the longest keyword that begins ws.
func (ks keywords) at(ws []word) (keyword, bool) {
	for _, k := range ks {
		if len(k.words) <= len(ws) && slices.Equal(k.words, texts(ws[:len(k.words)])) {
			return k, true
		}
	}
	return keyword{}, false
}

// verb returns the longest verb that begins ws.
func (ks keywords) verb(ws []word) (keyword, bool) {
	for _, k := range ks {
		if k.Verb && len(k.words) <= len(ws) && slices.Equal(k.words, texts(ws[:len(k.words)])) {
			return k, true
		}
	}
	return keyword{}, false
}

// verbs lists the verbs in the language's order, for messages.
func (p *Parser) verbs() []string {
	var out []string
	for _, k := range p.listed {
		if k.Verb {
			out = append(out, k.Word)
		}
	}
	return out
}
