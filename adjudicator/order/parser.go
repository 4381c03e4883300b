package order

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

// longest is the length in bytes of the longest line that is read. It bounds the work for one line; orders of all games are much
// shorter.
const maxOrderLength = 1000

// Parser reads the orders of one language, and the letters that hold them. It never changes after New and may be used by several
// goroutines at once.
type Parser struct {
	vocabulary *vocabulary
	// found caches results for the lines of one letter; nil caches nothing.
	found *findings
	// own are the words of the writer's names.
	own map[string]bool
}

// vocabulary holds the words and names of a language.
type vocabulary struct {
	lang     rules.Language
	listed   []rules.Keyword
	keywords keywords
	shorts   map[string][]shortForm
	names    *index
	// verbs are those of the language; noVerb is the error text for another word.
	verbs  []string
	noVerb string
}

// New indexes a language.
func New(lang rules.Language) *Parser {
	listed := lang.Keywords()
	v := &vocabulary{lang: lang, listed: listed, keywords: newKeywords(listed), shorts: shortForms(listed), names: newIndex(lang.Names())}
	v.verbs = v.words(func(k rules.Keyword) bool { return k.Verb })
	v.noVerb = "is not the start of an order; orders begin with " + either(v.verbs)
	return &Parser{vocabulary: v}
}

// Plain reads one line exactly as written, and guesses nothing. It is for lines that a program wrote. For example, "PLAY 36 OPS".
func (p *Parser) Plain(text string) (rules.Order, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxOrderLength {
		return rules.Order{}, &Unclear{Text: text, Part: strings.ToValidUTF8(text[:40], "") + "...",
			problem: fmt.Sprintf("is longer than any order, which have at most %d letters", maxOrderLength)}
	}
	r := &reading{vocabulary: p.vocabulary, text: text, words: p.wordsOf(text)}
	return r.order()
}

// order reads the line.
func (r *reading) order() (rules.Order, error) {
	k, ok := r.vocabulary.keywords.verb(r.words)
	if !ok {
		return rules.Order{}, r.noVerb()
	}
	o := rules.Order{Text: r.text}
	for {
		c, err := r.clause(k)
		if err != nil {
			return rules.Order{}, err
		}
		if _, again := o.Clause(c.Word); !again || len(k.Takes) > 0 || k.Number { // PASS PASS is PASS.
			o.Clauses = append(o.Clauses, c)
		}
		if r.done() {
			return o, nil
		}
		if k, ok = r.keyword(); !ok || k.Modifies {
			return rules.Order{}, r.leftOver(c)
		}
	}
}

// reading is the state of reading one line: at is the next word.
type reading struct {
	vocabulary *vocabulary
	text       string
	words      []word
	at         int
}

func (r *reading) done() bool               { return r.at >= len(r.words) }
func (r *reading) rest() []word             { return r.words[r.at:] }
func (r *reading) keyword() (keyword, bool) { return r.vocabulary.keywords.at(r.rest()) }

// written is the original text of some words.
func (r *reading) written(from, to int) string {
	if a, b := r.words[from].start, r.words[to-1].end; a < b {
		return r.text[a:b]
	}
	return strings.Join(texts(r.words[from:to]), " ") // A turned line.
}

// clause reads the keyword at the current word, and its names or number.
func (r *reading) clause(k keyword) (rules.Clause, error) {
	c := rules.Clause{Word: k.Word}
	r.at += len(k.words)
	switch {
	case k.Number:
		return c, r.number(k, &c)
	case len(k.Takes) == 0:
		return c, nil
	}
	for !r.done() && (len(c.Items) == 0 || k.List) {
		r.skipAnd(k, len(c.Items))
		it, found, err := r.item(k, len(c.Items) == 0)
		if err != nil {
			return c, err
		}
		if !found {
			break
		}
		c.Items = append(c.Items, it)
	}
	if len(c.Items) == 0 {
		return c, r.missing(k)
	}
	return c, nil
}

// number reads the number of a keyword that takes one.
func (r *reading) number(k keyword, c *rules.Clause) error {
	if r.done() || r.rest()[0].number < 0 {
		return r.missing(k)
	}
	n := r.rest()[0].number
	c.Number = &n
	r.at++
	return nil
}

// skipAnd skips the AND between two names of a list, unless a name begins with it.
func (r *reading) skipAnd(k keyword, before int) {
	if before == 0 || r.rest()[0].text != "and" || len(r.rest()) < 2 {
		return
	}
	if n, _, _ := r.name(k.Takes, true); n == 0 {
		r.at++
	}
}

// item reads a name with its count and modifiers. It finds none if the next clause begins. The first item of a clause is looked for
// even there, since a thing may be called like a keyword.
func (r *reading) item(k keyword, first bool) (rules.Item, bool, error) {
	it := rules.Item{Count: 1}
	_, isKeyword := r.keyword()
	n, names, quality := r.name(k.Takes, false)
	if isKeyword && (n == 0 || quality < matchWords || !first && quality < matchFull) {
		return it, false, nil
	}
	switch {
	case n == 0 && !first && r.figures():
		return it, false, r.strayNumber(k)
	case n == 0:
		return it, false, r.unknown(k)
	case len(names) > 1:
		return it, false, r.ambiguous(k, n, names)
	}
	it.Name = names[0]
	r.at += n
	if k.Counts && r.figures() {
		if it.Count = r.rest()[0].number; it.Count == 0 {
			return it, false, r.problem(r.at, r.at+1, "is no count: leave the name out instead")
		}
		r.at++
	}
	return it, true, r.modifiers(&it)
}

// figures reports whether the current word is a number with no comma before it.
func (r *reading) figures() bool {
	return !r.done() && !r.rest()[0].comma && r.rest()[0].number >= 0
}

// modifiers reads the modifying keywords behind a name.
func (r *reading) modifiers(it *rules.Item) error {
	for !r.done() {
		m, ok := r.keyword()
		if !ok || !m.Modifies {
			return nil
		}
		r.at += len(m.words)
		if r.done() {
			return r.missing(m)
		}
		n, names, _ := r.name(m.Takes, false)
		switch {
		case n == 0:
			return r.unknown(m)
		case len(names) > 1:
			return r.ambiguous(m, n, names)
		}
		r.at += n
		it.Mods = append(it.Mods, rules.Mod{Word: m.Word, Name: names[0]})
	}
	return nil
}

// name looks for the longest run of words here that is a name of the kinds. It returns the number of words, the names that fit best,
// and the quality of the match. With full it looks for full names only.
func (r *reading) name(kinds []rules.NameKind, full bool) (int, []rules.Name, int) {
	rest := r.rest()
	for n := min(len(rest), r.vocabulary.names.longest); n > 0; n-- {
		names, quality := r.vocabulary.names.find(kinds, rest[:n])
		if n == 1 && r.figureBefore(kinds, names) {
			break
		}
		if quality == matchFull || quality > matchNone && !full && r.unbroken(n) {
			return n, names, quality
		}
	}
	return 0, nil, matchNone
}

// figureBefore reports whether a figure, which could be a part of names, counts the name behind it. For example, "1 intellectual" is
// not Rally-1 and an intellectual.
func (r *reading) figureBefore(kinds []rules.NameKind, names []rules.Name) bool {
	rest := r.rest()
	if rest[0].number < 0 || len(rest) == 1 || rest[1].comma || rest[1].number >= 0 {
		return false
	}
	numbered := func(n rules.Name) bool { return n.Number == rest[0].number }
	_, next := r.vocabulary.names.find(kinds, rest[1:2])
	return next > matchNone && !slices.ContainsFunc(names, numbered)
}

// unbroken reports whether the next n words are free of commas and, after the
// first, of keywords, so that they can be an abbreviation.
func (r *reading) unbroken(n int) bool {
	for i := 1; i < n; i++ {
		if r.rest()[i].comma {
			return false
		}
		if _, ok := r.vocabulary.keywords.at(r.rest()[i:]); ok {
			return false
		}
	}
	return true
}

// findings caches results for the lines of one letter, which are read several times.
type findings struct {
	orders memo[reads]
	words  memo[[]word]
}

// reads is a result of Order.
type reads struct {
	order rules.Order
	err   error
}

// Letter returns a parser for one letter, whose lines are read several times: it caches its results. Called are the names of the
// writer.
func (p *Parser) Letter(called ...string) *Parser {
	l := *p
	l.found, l.own = &findings{}, map[string]bool{}
	for _, c := range called {
		for _, w := range Words(c) {
			l.own[w] = true
		}
	}
	return &l
}

// wordsOf returns the cached words of a text, which must not be changed: the words of a line are read in some thirty ways.
func (p *Parser) wordsOf(text string) []word {
	if p.found == nil {
		return words(text)
	}
	return p.found.words.get(text, func() []word { return slices.Clip(words(text)) })
}

// Texts returns the words of a line of a letter, as Words does, from the cache.
func (p *Parser) Texts(line string) []string { return texts(p.wordsOf(line)) }

// keyword is a spelling of a keyword, or none.
type keyword struct{ *spelling }

var none = keyword{&spelling{}}

// spelling is a rules.Keyword with its words folded.
type spelling struct {
	rules.Keyword
	words []string
	// alias: the spelling differs from the keyword's own word.
	alias bool
	units [][]string
}

// keywords are sorted so that longer phrases come first.
type keywords struct {
	list []keyword
	// exact keywords may not be abbreviated or misspelt.
	exact []keyword
	// by lists the keywords by their first word.
	by map[string][]keyword
	// omitted maps the own word of a keyword to the keyword as it is read if the line leaves it out.
	omitted map[string]keyword
	// units are the words for the counted things, by their first words; counted are the kinds of things that some keyword counts.
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
		for i, t := range append([]string{k.Word}, k.Synonyms...) {
			if ws := texts(words(t)); len(ws) > 0 {
				out = append(out, keyword{&spelling{Keyword: k, words: ws, alias: i > 0, units: units}})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b keyword) int { return len(b.words) - len(a.words) })
	ks := keywords{list: out, by: map[string][]keyword{}, omitted: map[string]keyword{}, units: map[string][][]string{},
		counted: map[rules.NameKind]bool{}}
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

// named returns a keyword by its own word, as it is read if the line leaves it out.
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

// words lists the keywords that of chooses in the language's order, for messages.
func (v *vocabulary) words(of func(rules.Keyword) bool) []string {
	var out []string
	for _, k := range v.listed {
		if of(k) {
			out = append(out, k.Word)
		}
	}
	return out
}

// concerns reports whether a keyword may stand in an answer to the question.
func (v *vocabulary) concerns(q *Question, k keyword) bool {
	more := k.List && slices.ContainsFunc(k.Takes, v.isCounted) || k.CountKeyword != "" && k.Verb
	return k.Modifies || slices.Contains(q.verbs, k.Word) || slices.Contains(q.words, k.Word) || more && v.mayContinueWithList(q)
}

// Write writes an order in the form that Plain reads: keywords in their own words, things by their number if they have one. For
// example, PLAY 36 EVENT for The July Concept.
func Write(o rules.Order) string {
	var clauses []string
	for _, c := range o.Clauses {
		text := []byte(c.Word)
		for i, it := range c.Items {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(append(text, ' '), written(it.Name)...)
			if it.Count > 1 {
				text = strconv.AppendInt(append(text, ' '), int64(it.Count), 10)
			}
			for _, m := range it.Mods {
				text = append(append(append(append(text, ' '), m.Word...), ' '), written(m.Name)...)
			}
		}
		if c.Number != nil {
			text = strconv.AppendInt(append(text, ' '), int64(*c.Number), 10)
		}
		clauses = append(clauses, string(text))
	}
	return strings.Join(clauses, " ")
}

func written(n rules.Name) string {
	if n.Number != 0 {
		return strconv.Itoa(n.Number)
	}
	return n.Text
}
