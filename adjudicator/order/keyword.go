package order

import (
	"slices"

	"samizdat/rules"
)

// keyword is a spelling of a keyword; none has nothing.
type keyword struct{ *spelling }

var none = keyword{&spelling{}}

// spelling is a rules.Keyword with its words folded.
type spelling struct {
	rules.Keyword
	words []string
	// alias is set for another word than the keyword's own.
	alias bool
	units [][]string
}

// keywords are sorted so that longer phrases come first.
type keywords struct {
	list []keyword
	// exact are those that have to be written as they are.
	exact []keyword
	// by are the keywords that begin with a word.
	by map[string][]keyword
	// omitted are the keywords by their own words, as they are read where they are left out.
	omitted map[string]keyword
	// units are the words for what is counted, by their first words; counted are the kinds of
	// things that are counted behind some keyword.
	units   map[string][][]string
	counted map[rules.NameKind]bool
}

func newKeywords(list []rules.Keyword) keywords {
	var out []keyword
	for _, k := range list {
		units := make([][]string, len(k.Units))
		for i, u := range k.Units {
			units[i] = texts(words(u))
		}
		slices.SortStableFunc(units, func(a, b []string) int { return len(b) - len(a) })
		for i, t := range append([]string{k.Word}, k.Also...) {
			if ws := texts(words(t)); len(ws) > 0 {
				out = append(out, keyword{&spelling{Keyword: k, words: ws, alias: i > 0, units: units}})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b keyword) int { return len(b.words) - len(a.words) })
	ks := keywords{list: out, by: map[string][]keyword{}, omitted: map[string]keyword{}, units: map[string][][]string{}, counted: map[rules.NameKind]bool{}}
	for _, k := range list {
		for _, u := range k.Units {
			if ws := texts(words(u)); len(ws) > 0 {
				ks.units[ws[0]] = append(ks.units[ws[0]], ws)
			}
		}
		for _, kind := range k.Takes {
			ks.counted[kind] = ks.counted[kind] || k.Counts
		}
	}
	for _, k := range out {
		if k.Exact && !k.alias {
			ks.exact = append(ks.exact, k)
		}
		if _, ok := ks.omitted[k.Word]; !ok && !k.alias {
			ks.omitted[k.Word] = keyword{&spelling{Keyword: k.Keyword, units: k.units}}
		}
		ks.by[k.words[0]] = append(ks.by[k.words[0]], k)
	}
	return ks
}

// begun reports whether ws begin with a phrase.
func begun(phrase []string, ws []word) bool {
	return len(phrase) <= len(ws) && slices.EqualFunc(phrase, ws[:len(phrase)], func(s string, w word) bool { return s == w.text })
}

// named returns a keyword by its own word, to be read where it was left out.
func (ks keywords) named(word string) keyword {
	if k, ok := ks.omitted[word]; ok {
		return k
	}
	return none
}

// at returns the longest keyword that begins ws.
func (ks keywords) at(ws []word) (keyword, bool) { return ks.longest(ws, false) }

// verb returns the longest verb that begins ws.
func (ks keywords) verb(ws []word) (keyword, bool) { return ks.longest(ws, true) }

func (ks keywords) longest(ws []word, verb bool) (keyword, bool) {
	if len(ws) == 0 {
		return none, false
	}
	for _, k := range ks.by[ws[0].text] {
		if (k.Verb || !verb) && begun(k.words, ws) {
			return k, true
		}
	}
	return none, false
}

// words lists the keywords of a sort in the language's order, for messages.
func (p *Parser) words(of func(rules.Keyword) bool) []string {
	var out []string
	for _, k := range p.listed {
		if of(k) {
			out = append(out, k.Word)
		}
	}
	return out
}

// concerns reports whether a keyword may stand in an answer to the question.
func (p *Parser) concerns(q *Question, k keyword) bool {
	return slices.Contains(q.verbs, k.Word) || slices.Contains(q.words, k.Word) || p.leads(q) && (k.List && slices.ContainsFunc(k.Takes, p.counted) || k.Counted != "" && k.Verb) ||
		k.Modifies
}
