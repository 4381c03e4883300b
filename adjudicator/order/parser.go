package order

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

// maxOrderLength is the maximum length of a line in bytes, to bound the work for it. Real orders are much shorter in all
// games.
const maxOrderLength = 1000

// Parser reads the orders of one game, and the letters that contain them. It is immutable and safe for concurrent use.
type Parser struct {
	vocabulary *vocabulary
	// cache holds results for the lines of a letter (ForLetter). If it is nil, nothing is cached.
	cache *parseCache
	// writerNames holds the words of the writer's names (ForLetter).
	writerNames map[string]bool
}

type vocabulary struct {
	lang        rules.Language
	keywordList []rules.Keyword
	keywords    keywords
	shortForms  map[string][]shortForm
	names       *nameIndex
	verbs       []string
	noVerbText  string
}

// New returns a parser for a game's language.
func New(lang rules.Language) *Parser {
	keywordList := lang.Keywords()
	v := &vocabulary{lang: lang, keywordList: keywordList, keywords: newKeywords(keywordList), shortForms: shortFormsByFirstWord(keywordList),
		names: newNameIndex(lang.Names())}
	v.verbs = v.keywordWords(func(k rules.Keyword) bool { return k.IsVerb })
	v.noVerbText = "is not the start of an order; orders begin with " + orList(v.verbs)
	return &Parser{vocabulary: v}
}

// ParsePlain parses a line that follows the grammar, e.g. "PLAY 36 OPS". It does not guess. Programs, e.g. robots and the
// desk, write only lines that follow the grammar.
func (p *Parser) ParsePlain(text string) (rules.Order, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxOrderLength {
		return rules.Order{}, &UnclearError{Text: text, Part: strings.ToValidUTF8(text[:40], "") + "...",
			problem: fmt.Sprintf("is longer than any order (at most %d bytes)", maxOrderLength)}
	}
	r := &lineParser{vocabulary: p.vocabulary, text: text, words: p.wordsOf(text)}
	return r.parse()
}

func (l *lineParser) parse() (rules.Order, error) {
	k, ok := l.vocabulary.keywords.longestVerb(l.words)
	if !ok {
		return rules.Order{}, l.refuseVerb()
	}
	o := rules.Order{Text: l.text}
	for {
		c, err := l.parseClause(k)
		if err != nil {
			return rules.Order{}, err
		}
		if _, isRepeated := o.Clause(c.Word); !isRepeated || len(k.NameKinds) > 0 || k.TakesNumber { // "PASS PASS" is PASS.
			o.Clauses = append(o.Clauses, c)
		}
		if l.isAtEnd() {
			return o, nil
		}
		if k, ok = l.nextKeyword(); !ok || k.IsModifier {
			return rules.Order{}, l.refuseRest(c)
		}
	}
}

// lineParser is the recursive descent parser for one line; position is the index of the next word. The grammar is in doc.go.
type lineParser struct {
	vocabulary *vocabulary
	text       string
	words      []word
	position   int
}

func (l *lineParser) isAtEnd() bool     { return l.position >= len(l.words) }
func (l *lineParser) remaining() []word { return l.words[l.position:] }
func (l *lineParser) nextKeyword() (keyword, bool) {
	return l.vocabulary.keywords.longestKeyword(l.remaining())
}

// sourceText returns the text of words[from:to] as it is in the line.
func (l *lineParser) sourceText(from, to int) string {
	if a, b := l.words[from].start, l.words[to-1].end; a < b {
		return l.text[a:b]
	}
	return strings.Join(texts(l.words[from:to]), " ") // Number words that were joined have no source text.
}

func (l *lineParser) parseClause(k keyword) (rules.Clause, error) {
	c := rules.Clause{Word: k.Word}
	l.position += len(k.words)
	switch {
	case k.TakesNumber:
		return c, l.parseNumber(k, &c)
	case len(k.NameKinds) == 0:
		return c, nil
	}
	for !l.isAtEnd() && (len(c.Items) == 0 || k.AllowsList) {
		l.skipAnd(k, len(c.Items))
		item, found, err := l.parseItem(k, len(c.Items) == 0)
		if err != nil {
			return c, err
		}
		if !found {
			break
		}
		c.Items = append(c.Items, item)
	}
	if len(c.Items) == 0 {
		return c, l.refuseMissing(k)
	}
	return c, nil
}

func (l *lineParser) parseNumber(k keyword, c *rules.Clause) error {
	if l.isAtEnd() || l.remaining()[0].number < 0 {
		return l.refuseMissing(k)
	}
	n := l.remaining()[0].number
	c.Number = &n
	l.position++
	return nil
}

// skipAnd skips AND between two names of a list, unless AND begins a name. itemsBefore is the number of names before AND.
func (l *lineParser) skipAnd(k keyword, itemsBefore int) {
	if itemsBefore == 0 || l.remaining()[0].text != "and" || len(l.remaining()) < 2 {
		return
	}
	if n, _, _ := l.parseName(k.NameKinds, true); n == 0 {
		l.position++
	}
}

// parseItem reads a name with its count and modifiers. found is false if the current word begins a new clause. A word
// that is a keyword and also a name is read as a name if it is the first of its clause.
func (l *lineParser) parseItem(k keyword, isFirst bool) (item rules.Item, found bool, err error) {
	item.Count = 1
	_, isKeyword := l.nextKeyword()
	n, names, quality := l.parseName(k.NameKinds, false)
	if isKeyword && (n == 0 || quality < matchWords || !isFirst && quality < matchFull) {
		return item, false, nil
	}
	switch {
	case n == 0 && !isFirst && l.nextIsCount():
		return item, false, l.refuseNumber(k)
	case n == 0:
		return item, false, l.refuseName(k)
	case len(names) > 1:
		return item, false, l.refuseAmbiguous(k, n, names)
	}
	item.Name = names[0]
	l.position += n
	if k.AllowsCounts && l.nextIsCount() {
		if item.Count = l.remaining()[0].number; item.Count == 0 {
			return item, false, l.refuse(l.position, l.position+1, "is not a count: leave the name out instead")
		}
		l.position++
	}
	return item, true, l.parseModifiers(&item)
}

// nextIsCount reports whether the current word is a number with no comma before it.
func (l *lineParser) nextIsCount() bool {
	return !l.isAtEnd() && !l.remaining()[0].afterComma && l.remaining()[0].number >= 0
}

func (l *lineParser) parseModifiers(item *rules.Item) error {
	for !l.isAtEnd() {
		m, ok := l.nextKeyword()
		if !ok || !m.IsModifier {
			return nil
		}
		l.position += len(m.words)
		if l.isAtEnd() {
			return l.refuseMissing(m)
		}
		n, names, _ := l.parseName(m.NameKinds, false)
		switch {
		case n == 0:
			return l.refuseName(m)
		case len(names) > 1:
			return l.refuseAmbiguous(m, n, names)
		}
		l.position += n
		item.Modifiers = append(item.Modifiers, rules.Modifier{Word: m.Word, Name: names[0]})
	}
	return nil
}

// parseName reads the longest name of the kinds at the current word. n is the number of its words, names are the names
// that match best, and quality is the quality of their match. If fullOnly is set, parseName accepts only full names.
func (l *lineParser) parseName(kinds []rules.NameKind, fullOnly bool) (n int, names []rules.Name, quality matchQuality) {
	rest := l.remaining()
	for n := min(len(rest), l.vocabulary.names.maxWords); n > 0; n-- {
		names, quality := l.vocabulary.names.find(kinds, rest[:n])
		if n == 1 && l.isCountOfNext(kinds, names) {
			break
		}
		if quality == matchFull || quality > matchNone && !fullOnly && l.canAbbreviate(n) {
			return n, names, quality
		}
	}
	return 0, nil, matchNone
}

// isCountOfNext reports whether the current word is a number that counts the name after it. names are the names that
// the number could also mean. For example, "1 intellectual" is one intellectual, and not Rally-1 and an intellectual.
func (l *lineParser) isCountOfNext(kinds []rules.NameKind, names []rules.Name) bool {
	rest := l.remaining()
	if rest[0].number < 0 || len(rest) == 1 || rest[1].afterComma || rest[1].number >= 0 {
		return false
	}
	numbered := func(n rules.Name) bool { return n.Number == rest[0].number }
	_, next := l.vocabulary.names.find(kinds, rest[1:2])
	return next > matchNone && !slices.ContainsFunc(names, numbered)
}

// canAbbreviate reports whether the next n words may abbreviate a name: there is no comma between them, and no keyword
// begins after the first word.
func (l *lineParser) canAbbreviate(n int) bool {
	for i := 1; i < n; i++ {
		if l.remaining()[i].afterComma {
			return false
		}
		if _, ok := l.vocabulary.keywords.longestKeyword(l.remaining()[i:]); ok {
			return false
		}
	}
	return true
}

// parseCache caches results for the lines of one letter, because they are read several times.
type parseCache struct {
	orders resultCache[orderResult]
	words  resultCache[[]word]
}

type orderResult struct {
	order rules.Order
	err   error
}

// ForLetter returns a parser with a cache, for one letter. names are the writer's names, which a signature may contain.
func (p *Parser) ForLetter(names ...string) *Parser {
	l := *p
	l.cache, l.writerNames = &parseCache{}, map[string]bool{}
	for _, name := range names {
		for _, w := range Words(name) {
			l.writerNames[w] = true
		}
	}
	return &l
}

// wordsOf returns the cached words of a text. The caller must not change them.
func (p *Parser) wordsOf(text string) []word {
	if p.cache == nil {
		return words(text)
	}
	return p.cache.words.get(text, func() []word { return slices.Clip(words(text)) })
}

// CachedWords returns Words(line), from the cache of the letter if possible.
func (p *Parser) CachedWords(line string) []string { return texts(p.wordsOf(line)) }

// keyword is a spelling of a keyword, or noKeyword.
type keyword struct{ *spelling }

var noKeyword = keyword{&spelling{}}

// spelling is a rules.Keyword with the words of a single spelling: its own text or a synonym.
type spelling struct {
	rules.Keyword
	words     []string
	isSynonym bool
	// units are the phrases for the things that the keyword counts, e.g. "points", longer phrases first.
	units [][]string
}

// keywords holds the spellings of all keywords, longer spellings first. exact are the keywords with rules.Keyword.Exact,
// without synonyms.
type keywords struct {
	exact       []keyword
	byFirstWord map[string][]keyword
	// byWord maps a rules.Keyword.Word to its keyword without words, for lines that omit the keyword.
	byWord map[string]keyword
	// units holds the phrases for counted things, e.g. "points", by their first word. countedKinds are the kinds of
	// names that a keyword takes with a count.
	units        map[string][][]string
	countedKinds map[rules.NameKind]bool
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
				out = append(out, keyword{&spelling{Keyword: k, words: ws, isSynonym: i > 0, units: units}})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b keyword) int { return len(b.words) - len(a.words) })
	ks := keywords{byFirstWord: map[string][]keyword{}, byWord: map[string]keyword{}, units: map[string][][]string{},
		countedKinds: map[rules.NameKind]bool{}}
	for _, k := range list {
		for _, u := range k.Units {
			if ws := texts(words(u)); len(ws) > 0 {
				ks.units[ws[0]] = append(ks.units[ws[0]], ws)
			}
		}
		for _, kind := range k.NameKinds {
			ks.countedKinds[kind] = ks.countedKinds[kind] || k.AllowsCounts
		}
	}
	for _, k := range out {
		if k.Exact && !k.isSynonym {
			ks.exact = append(ks.exact, k)
		}
		if _, ok := ks.byWord[k.Word]; !ok && !k.isSynonym {
			ks.byWord[k.Word] = keyword{&spelling{Keyword: k.Keyword, units: k.units}}
		}
		ks.byFirstWord[k.words[0]] = append(ks.byFirstWord[k.words[0]], k)
	}
	return ks
}

func hasPhrasePrefix(phrase []string, ws []word) bool {
	return len(phrase) <= len(ws) && slices.EqualFunc(phrase, ws[:len(phrase)], func(s string, w word) bool { return s == w.text })
}

// lookUp returns noKeyword if the word is unknown.
func (ks keywords) lookUp(word string) keyword {
	if k, ok := ks.byWord[word]; ok {
		return k
	}
	return noKeyword
}

func (ks keywords) longestKeyword(ws []word) (keyword, bool) { return ks.longestPhrase(ws, false) }

func (ks keywords) longestVerb(ws []word) (keyword, bool) { return ks.longestPhrase(ws, true) }

// longestPhrase returns the longest keyword, or the longest verb, at the beginning of ws.
func (ks keywords) longestPhrase(ws []word, onlyVerbs bool) (keyword, bool) {
	if len(ws) == 0 {
		return noKeyword, false
	}
	for _, k := range ks.byFirstWord[ws[0].text] {
		if (k.IsVerb || !onlyVerbs) && hasPhrasePrefix(k.words, ws) {
			return k, true
		}
	}
	return noKeyword, false
}

func (v *vocabulary) keywordWords(include func(rules.Keyword) bool) []string {
	var out []string
	for _, k := range v.keywordList {
		if include(k) {
			out = append(out, k.Word)
		}
	}
	return out
}

func (v *vocabulary) mayAnswer(q *Question, k keyword) bool {
	mayContinue := k.AllowsList && slices.ContainsFunc(k.NameKinds, v.isCounted) || k.CountKeyword != "" && k.IsVerb
	return k.IsModifier || slices.Contains(q.verbs, k.Word) || slices.Contains(q.keywords, k.Word) || mayContinue && v.mayContinueWithList(q)
}

// Format writes an order in canonical form, which ParsePlain reads, e.g. "PLAY 36 EVENT". A name with a number, e.g. of a
// card, is written as the number.
func Format(o rules.Order) string {
	var clauses []string
	for _, c := range o.Clauses {
		text := []byte(c.Word)
		for i, item := range c.Items {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(append(text, ' '), formatName(item.Name)...)
			if item.Count > 1 {
				text = strconv.AppendInt(append(text, ' '), int64(item.Count), 10)
			}
			for _, m := range item.Modifiers {
				text = append(append(append(append(text, ' '), m.Word...), ' '), formatName(m.Name)...)
			}
		}
		if c.Number != nil {
			text = strconv.AppendInt(append(text, ' '), int64(*c.Number), 10)
		}
		clauses = append(clauses, string(text))
	}
	return strings.Join(clauses, " ")
}

func formatName(n rules.Name) string {
	if n.Number != 0 {
		return strconv.Itoa(n.Number)
	}
	return n.Text
}
