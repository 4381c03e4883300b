package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// keyword is a spelling of a keyword; none has nothing.
type keyword struct{ *spelling }

var none = keyword{&spelling{}}

// spelling is a rules.Keyword with its words folded.
type spelling struct {
	rules.Keyword
	words []string
	// letters are those of each word.
	letters []letterSet
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
	// bare are the first words of keywords that take nothing.
	bare map[string]bool
	// units are the words for what is counted, by their first words; counted are the kinds of
	// things that are counted behind some keyword.
	units   map[string][][]string
	counted map[rules.NameKind]bool
	// misspelt is what words were found to be that are no keyword as they stand.
	misspelt *memo[misspelt]
}

type misspelt struct {
	keyword
	ok bool
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
				out = append(out, keyword{&spelling{Keyword: k, words: ws, letters: lettersOfAll(ws), alias: i > 0, units: units}})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b keyword) int { return len(b.words) - len(a.words) })
	ks := keywords{list: out, by: map[string][]keyword{}, omitted: map[string]keyword{}, bare: map[string]bool{}, units: map[string][][]string{}, counted: map[rules.NameKind]bool{}, misspelt: &memo[misspelt]{}}
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
		ks.bare[k.words[0]] = ks.bare[k.words[0]] || len(k.Takes) == 0 && !k.Number
	}
	return ks
}

// begun reports whether ws begin with a phrase.
func begun(phrase []string, ws []word) bool {
	return len(phrase) <= len(ws) && slices.EqualFunc(phrase, ws[:len(phrase)], func(s string, w word) bool { return s == w.text })
}

// near returns the only keyword that begins ws but for a wrong letter or two in
// its longer words. Verbs that say all by themselves are never guessed at the
// beginning of a line.
func (ks keywords) near(ws []word, first bool) (keyword, bool) {
	if len(ws) == 0 || len(ks.list) == 0 {
		return none, false
	}
	ws = ws[:min(len(ws), len(ks.list[0].words))]
	key := strings.Join(texts(ws), " ")
	if first {
		key += "!"
	}
	m := ks.misspelt.get(key, func() (m misspelt) {
		m.keyword, m.ok = ks.nearest(ws, first)
		return m
	})
	return m.keyword, m.ok
}

func (ks keywords) nearest(ws []word, first bool) (keyword, bool) {
	found, letters := none, lettersOfAll(texts(ws))
	for _, k := range ks.list {
		if k.Exact || k.alias && len(k.words) == 1 || len(k.words) > len(ws) || first && (!k.Verb || len(k.Takes) == 0) {
			continue
		}
		switch {
		case k.apart(ws, letters), k.wrong(ws, first) > mostWrong:
		case found.Word == "":
			found = k
		case found.Word != k.Word && len(found.words) <= len(k.words):
			return none, false
		}
	}
	return found, found.Word != ""
}

// apart reports whether the words that begin ws, which have these letters, cannot be the keyword's
// but for wrong letters.
func (k *keyword) apart(ws []word, letters []letterSet) bool {
	for i, t := range k.letters {
		if letters[i].beyond(t) > mostWrong && !unlike(ws[i].text) {
			return true
		}
	}
	return false
}

// wrong counts the wrong letters of the words that begin ws and may be the keyword's.
func (k *keyword) wrong(ws []word, first bool) (cost int) {
	for i, t := range k.words {
		if begins(t, ws[i].text) || len(t) < 5 && ws[i].text != t && !(first && len(t) == 4) {
			return mostWrong + 1
		}
		cost += wrong(ws[i], t)
	}
	return cost
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

// turnOf is the keyword of two words of which the second stands in a piece that names but what the
// order plays: "let the Pope come first".
func (p *Parser) turnOf(q *Question, s *scanned, ws []word) (token, bool) {
	if !p.leads(q) || len(s.tokens) == 0 || slices.ContainsFunc(s.tokens, func(t token) bool {
		return t.part != partName && t.part < partComma || t.part == partName && p.counted(t.names[0].Kind)
	}) {
		return token{}, false
	}
	for _, said := range q.Words {
		k := p.keywords.named(said)
		if at := Words(said); len(at) == 2 && len(k.Takes) == 0 && slices.ContainsFunc(ws, func(w word) bool { return w.text == at[1] }) {
			return token{part: partWord, key: k}, true
		}
	}
	return token{}, false
}

// turn takes in such a keyword. Unless it is granted, it may be wished, or feared.
func (s *scanned) turn(p *Parser, q *Question, ws []word) {
	if t, ok := p.turnOf(q, s, ws); ok {
		if s.tokens = append(s.tokens, t); !granted(ws) && (len(s.strange) > 0 || s.turned || !coming[ws[len(ws)-2].text]) {
			s.against()
		}
	}
}

// coming words tell that something is next: "the Pope goes first".
var coming = wordSet("goes comes")

// granted reports whether words let another have something: "let the Pope come first", "he may have
// the visit first".
func granted(ws []word) bool {
	return ws[0].text == "let" || len(ws) > 2 && (ws[0].text == "he" || ws[0].text == "she") && ws[1].text == "may" && ws[2].text == "have"
}

// upToKeyword is how many of the words that say nothing, which are so many, stand before a keyword
// that begins among them and ends behind: "with the | event first".
func (p *Parser) upToKeyword(q *Question, ws []word, empty int) int {
	for at := 1; at < empty; at++ {
		if k, n := p.keywordAt(q, ws[at:]); at+n > empty && len(k.words) > 1 && p.concerns(q, k) {
			return at
		}
	}
	return empty
}

// keywordAt finds a keyword that begins ws; what says nothing may stand between its words.
func (p *Parser) keywordAt(q *Question, ws []word) (keyword, int) {
	best, n := none, 0
	if k, ok := p.keywords.at(ws); ok {
		best, n = k, len(k.words)
	}
	for _, k := range p.keywords.by[ws[0].text] {
		if len(k.words) < 2 || !slices.Contains(q.Words, k.Word) {
			continue
		}
		if at := p.spaced(k, ws); at > n {
			best, n = k, at
		}
	}
	if n > 0 {
		return best, n
	}
	return p.shortened(q, ws[0])
}

// spaced is how many words a keyword has at the beginning of ws with what stands between
// its words; 0 where it is not there.
func (p *Parser) spaced(k keyword, ws []word) int {
	at := 1
	for _, t := range k.words[1:] {
		if !slices.ContainsFunc(ws[at:min(at+mostGap+1, len(ws))], func(w word) bool { return w.text == t }) {
			return 0
		}
		for gap := 0; at < len(ws) && ws[at].text != t && gap < mostGap && p.between(ws[at:]); gap++ {
			at++
		}
		if at >= len(ws) || ws[at].text != t {
			return 0
		}
		at++
	}
	return at
}

// shortened finds the keyword of one word of which a word is the beginning, or which it is
// but for one letter.
func (p *Parser) shortened(q *Question, w word) (keyword, int) {
	if len(w.text) < 3 || idle(w.text) || remarks().everyday[w.text] {
		return none, 0
	}
	for _, k := range p.grasp(q).short {
		if begins(k.words[0], w.text) || len(w.text) > 4 && wrong(w, k.words[0]) == 1 {
			return k, 1
		}
	}
	return none, 0
}

// mostGap is how many words may stand between those of a keyword.
const mostGap = 5

// between reports whether the first of the words may stand between those of a keyword, as
// in "his event is to happen first": it denies nothing, and is nothing of the game.
func (p *Parser) between(ws []word) bool {
	w := ws[0]
	return !w.comma && !w.digits && numerals[w.text] == 0 && counting[w.text] == 0 && !joining[w.text] && (idle(w.text) || w.text == "can" || w.text == "may" || w.text == "should" || w.text == "must" ||
		!remarks().against[w.text] && !p.known(ws))
}

// concerns reports whether a keyword may stand in an answer to the question.
func (p *Parser) concerns(q *Question, k keyword) bool {
	return slices.Contains(q.Verbs, k.Word) || slices.Contains(q.Words, k.Word) || p.leads(q) && (k.List && slices.ContainsFunc(k.Takes, p.counted) || k.Counted != "" && k.Verb) ||
		k.Modifies
}
