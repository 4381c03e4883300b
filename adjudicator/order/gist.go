package order

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"samizdat/rules"
)

// What cannot be read line by line is read by what it names: the letter is taken apart
// into names, keywords and numbers, these are put together in every way that makes an
// order, and what is a legal answer to the question asked is what may have been meant.
// Whatever is left over speaks against it.

// Gist is what a letter seems to mean.
type Gist struct {
	// Orders are the answers, to the question and to those that follow from them. None
	// means that nothing was found; Several lists what could be meant where that is more
	// than one thing.
	Orders  []rules.Order
	Several []string
	// Used are the lines that the orders were taken from.
	Used []bool
	// Doubts are the parts of those lines that were not understood or that doubt, Left
	// are keywords that had to be added. Surplus means that more is named than is asked.
	Doubts, Left []string
	Surplus      bool
}

// part is what a piece of a letter is made of.
type part int

const (
	partName part = iota
	partWord
	partCount
	// partEach means that a count is for every name, partRest that a count is what is
	// left, partTimes counts the name before it.
	partEach
	partRest
	partTimes
	// partComma separates names, partBreak sentences.
	partComma
	partBreak
)

// token is a part of a letter with what it says.
type token struct {
	part part
	// names are what a name can be, or what a number can number.
	names []rules.Name
	key   keyword
	n     int
	// aside tokens stand in brackets; times are numbers written as "x2".
	aside, times bool
}

// scanned is a piece of a letter taken apart.
type scanned struct {
	tokens []token
	text   string
	// unread means that not all of it is understood.
	unread bool
	line   int
}

// most bounds the work that one letter makes.
const (
	mostPieces = 60
	mostTokens = 40
	mostTries  = 600
)

// Gist finds out what the lines of a letter mean as an answer to a question: as they
// stand, or as one, where a mail program may have broken them.
func (p *Parser) Gist(lines []string, q *Question) Gist {
	if o, ok := p.shortAnswer(lines, q); ok {
		return Gist{Orders: []rules.Order{o}, Used: slices.Repeat([]bool{true}, len(lines))}
	}
	lines = unnumbered(lines)
	g := p.gist(lines, q)
	if len(lines) > 1 && len(g.Orders)+len(g.Several) == 0 {
		if whole := p.gist([]string{strings.ReplaceAll(strings.Join(lines, "\n"), "-\n", "-")}, q); len(whole.Orders) > 0 {
			whole.Used = slices.Repeat([]bool{true}, len(lines))
			return whole
		}
	}
	return g
}

// listNumber is the number of a line in a list.
var listNumber = regexp.MustCompile(`^\s*(\d{1,2})[.)]\s+\S`)

// unnumbered takes the numbers off lines that are numbered from 1.
func unnumbered(lines []string) []string {
	out, n := slices.Clone(lines), 0
	for i, line := range lines {
		if m := listNumber.FindStringSubmatchIndex(line); m != nil && line[m[2]:m[3]] == strconv.Itoa(n+1) {
			out[i] = line[m[3]+1:]
			n++
		}
	}
	if n < 2 {
		return lines
	}
	return out
}

// gist finds out what lines mean: of all that they say, or of the pieces alone that are
// understood.
func (p *Parser) gist(lines []string, q *Question) Gist {
	parts, ok := p.takeApart(lines, q)
	if !ok {
		return Gist{}
	}
	g := p.fromParts(parts, len(lines), q, true)
	if len(g.Orders)+len(g.Several) == 0 {
		g = p.fromParts(parts, len(lines), q, false)
	}
	return g
}

// takeApart takes lines apart, if they are not too many.
func (p *Parser) takeApart(lines []string, q *Question) (parts []scanned, ok bool) {
	kinds := p.kinds(q)
	for i, line := range lines {
		if len(line) > longest || len(parts) > mostPieces {
			return nil, false
		}
		bracket, farewell := false, false
		cut := pieces(line)
		for at, f := range cut {
			s := p.scan(q, kinds, f, bracket)
			// A name stands behind a farewell, or at the very end.
			last := at > 0 && at == len(cut)-1 && i == len(lines)-1 && len(words(f.text)) == 1
			if len(s.tokens) == 0 && (bracket && p.where(f.text) || (farewell || last) && p.Signature(f.text, false)) {
				s.unread = false // "Bydgoszcz (Poland)", "thanks, Ada"
			}
			farewell = len(s.tokens) == 0 && !s.unread && p.greets(f.text)
			bracket = f.end == '(' || bracket && f.end != ')'
			s.line = i
			parts = append(parts, s)
		}
		if n := len(parts); n > 0 && len(parts[n-1].tokens) > 0 {
			parts[n-1].tokens = append(parts[n-1].tokens, token{part: partBreak})
		}
	}
	return parts, true
}

// fromParts finds out what pieces of so many lines mean, all of them or those that are
// understood.
func (p *Parser) fromParts(parts []scanned, lines int, q *Question, all bool) Gist {
	g := Gist{Used: make([]bool, lines)}
	var tokens []token
	for _, s := range parts {
		if len(s.tokens) > 0 && (all || !s.unread) {
			tokens = append(tokens, s.tokens...)
			g.Used[s.line] = true
		}
	}
	for _, s := range parts {
		if s.unread && g.Used[s.line] {
			g.Doubts = append(g.Doubts, s.text)
		}
	}
	x := &assembly{p: p, q: q}
	if n, ok := numbered(tokens); ok && n <= len(q.Forms) {
		g.Orders = []rules.Order{q.Forms[n-1]}
	} else if len(tokens) <= mostTokens {
		g.Orders, g.Several = x.answers(q, tokens, 0)
	}
	g.Left, g.Surplus = x.left, x.surplus
	return g
}

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
			if n = max(longestPhrase(remarks.phrases, ws[i:]), longestPhrase(remarks.idle, ws[i:])); n == 0 {
				return false
			}
		}
		i += n
	}
	return found
}

// numbered is the number of an answer where a letter says nothing else.
func numbered(tokens []token) (n int, ok bool) {
	for _, t := range tokens {
		switch {
		case t.part == partComma || t.part == partBreak:
		case t.part != partCount || ok || t.n < 1 || t.times:
			return 0, false
		default:
			n, ok = t.n, true
		}
	}
	return n, ok
}

// counting words are numbers of points besides numerals, or stand for what is left.
var (
	counting = map[string]int{"both": 2, "couple": 2, "pair": 2, "single": 1, "ein": 1, "eine": 1, "einen": 1, "eins": 1, "zwei": 2, "drei": 3, "vier": 4,
		"un": 1, "deux": 2, "trois": 3, "dos": 2, "tres": 3, "dwa": 2, "dwie": 2, "trzy": 3, "dva": 2, "dve": 2, "ketto": 2, "harom": 3, "doi": 2, "doua": 2}
	eaching  = map[string]bool{"each": true, "apiece": true, "every": true}
	resting  = map[string]bool{"rest": true, "remaining": true, "remainder": true, "other": true, "all": true, "everything": true, "last": true}
	joining  = map[string]bool{"and": true, "plus": true, "then": true, "u": true}
	ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
	repeated = map[string]int{"once": 1, "twice": 2, "thrice": 3}
)

// scan takes a piece apart. Aside pieces stand in brackets.
func (p *Parser) scan(q *Question, kinds []rules.NameKind, f piece, aside bool) scanned {
	s := scanned{text: f.text}
	r := &reading{p: p, text: f.text, words: words(f.text), loose: true}
	r.apart()
	r.spoken()
	ws := r.words
	if len(ws) > 1 && (ws[0].text == "but" || ws[0].text == "so") {
		ws = ws[1:] // "No hard feelings, but Miskolc"
	}
	talk := true
	for i := 0; i < len(ws); {
		before := token{part: partBreak}
		if k := len(s.tokens) - 1; k >= 0 {
			before = s.tokens[k]
		}
		t, n := p.tokenAt(q, p.kindsBehind(q, kinds, before, ws[i:]), ws, i)
		switch {
		case before.part == partName && (ws[i].text == "one" || ws[i].text == "ones") && !ws[i].comma:
			i++ // "the Bulgarian one"
			continue
		case n == 0:
			s.unread = true
			i++
			continue
		case t != nil:
			t.aside = aside
			s.tokens = append(s.tokens, *t)
			talk = talk && t.part > partWord
		}
		i += n
	}
	if talk && (s.unread || len(s.tokens) == 0) {
		// Numbers among other words are none of an order.
		s.tokens, s.unread = nil, s.unread && !p.harmless(f)
	}
	s.unread = s.unread || f.end == '?' && (len(s.tokens) > 0 || !p.harmless(f))
	s.end(f, aside)
	return s
}

// kindsBehind are the kinds of names that may begin ws behind a token: what modifies a name
// has kinds of its own.
func (p *Parser) kindsBehind(q *Question, kinds []rules.NameKind, before token, ws []word) []rules.NameKind {
	if before.part == partWord && before.key.Modifies {
		if n, _ := p.named(q, before.key.Takes, ws); n > 0 {
			return before.key.Takes
		}
	}
	return kinds
}

// end closes the tokens of a piece as its punctuation does.
func (s *scanned) end(f piece, aside bool) {
	if len(s.tokens) == 0 || f.end == '(' || f.end == 0 {
		return
	}
	end := partBreak
	if f.end == ',' || f.end == ')' || f.end == '-' {
		end = partComma
	}
	s.tokens = append(s.tokens, token{part: end, aside: aside && f.end != ')'})
}

// tokenAt reads the token that begins with the word at i, and how many words it has: none
// where it is not understood. What says nothing is no token.
func (p *Parser) tokenAt(q *Question, kinds []rules.NameKind, ws []word, i int) (*token, int) {
	rest := ws[i:]
	w := rest[0]
	said := max(longestPhrase(remarks.phrases, rest), longestPhrase(remarks.idle, rest))
	k, words := p.keywordAt(q, rest)
	n, names := p.named(q, kinds, rest)
	if words == 1 && counting[w.text] > 0 && !p.concerns(q, k) {
		words = 0
	}
	if words > 0 && n == words && !p.concerns(q, k) {
		words = 0 // A thing of the question is called like a keyword that it has no use for.
	}
	switch {
	case n > 1 && n > words, n == 1 && words == 0 && w.number < 0 && said < 2:
		return &token{part: partName, names: names}, n
	case words > 0 && words >= said:
		if !p.concerns(q, k) && idle(w.text) && words == 1 {
			return nil, 1
		}
		return &token{part: partWord, key: k}, words
	}
	if said > 1 {
		return nil, said
	}
	if t, n := p.countAt(q, kinds, rest, i > 0); n > 0 {
		return t, n
	}
	switch {
	case joining[w.text]:
		return &token{part: partComma}, 1
	case said > 0:
		return nil, said
	case numbering[w.text] && len(rest) > 1 && rest[1].number >= 0:
		return nil, 1
	case len(w.text) == 1 && w.number < 0 && (w.text != "x" || len(rest) == 1):
		return nil, 1
	}
	return nil, 0
}

// keywordAt finds a keyword that begins ws; what says nothing may stand between its words.
func (p *Parser) keywordAt(q *Question, ws []word) (keyword, int) {
	best, n := keyword{}, 0
	if k, ok := p.keywords.at(ws); ok {
		best, n = k, len(k.words)
	}
	for _, k := range p.keywords.by[ws[0].text] {
		if len(k.words) < 2 || !slices.Contains(q.Words, k.Word) {
			continue
		}
		at, gap := 1, 0
		for _, t := range k.words[1:] {
			for gap = 0; at < len(ws) && ws[at].text != t && gap < mostGap && p.between(ws[at:]); gap++ {
				at++
			}
			if at >= len(ws) || ws[at].text != t {
				at = 0
				break
			}
			at++
		}
		if at > n {
			best, n = k, at
		}
	}
	if n == 0 && len(ws[0].text) > 2 {
		for _, k := range p.keywords.list {
			if len(k.words) == 1 && !k.alias && !k.Exact && p.concerns(q, k) && (begins(k.words[0], ws[0].text) || len(ws[0].text) > 4 && wrong(ws[0], k.words[0]) == 1) && !idle(ws[0].text) && !remarks.everyday[ws[0].text] {
				return k, 1
			}
		}
	}
	return best, n
}

// mostGap is how many words may stand between those of a keyword.
const mostGap = 5

// between reports whether the first of the words may stand between those of a keyword, as
// in "his event is to happen first": it denies nothing, and is nothing of the game.
func (p *Parser) between(ws []word) bool {
	w := ws[0]
	return !w.comma && !w.digits && numerals[w.text] == 0 && (idle(w.text) || w.text == "can" || w.text == "may" || w.text == "should" || w.text == "must" ||
		!remarks.against[w.text] && !p.known(ws))
}

// concerns reports whether a keyword may stand in an answer to the question.
func (p *Parser) concerns(q *Question, k keyword) bool {
	return slices.Contains(q.Verbs, k.Word) || slices.Contains(q.Words, k.Word) || p.leads(q) && (k.List && slices.ContainsFunc(k.Takes, p.counted) || k.Counted != "" && k.Verb) ||
		k.Modifies
}

// countAt reads a number, or a word that counts.
func (p *Parser) countAt(q *Question, kinds []rules.NameKind, ws []word, behind bool) (*token, int) {
	w := ws[0]
	next := ""
	if len(ws) > 1 {
		next = ws[1].text
	}
	n := numeral(w)
	if c, ok := counting[w.text]; ok {
		n = c
	}
	switch {
	case repeated[w.text] > 0:
		return &token{part: partTimes, n: repeated[w.text]}, 1
	case eaching[w.text]:
		return &token{part: partEach}, 1
	case n >= 0:
		t := &token{part: partCount, n: n, times: w.text[0] == 'x'}
		if !t.times {
			t.names = p.among(q, kinds, []word{numberWord(n)})
			for _, name := range q.Names {
				if name.Number == n && n > 0 && slices.Contains(kinds, name.Kind) {
					t.names = []rules.Name{name}
				}
			}
		}
		return t, 1
	case resting[w.text] && len(ws) > 1 && numeral(ws[1]) > 0:
		return &token{part: partCount, n: numeral(ws[1])}, 2
	case w.text == "all" && next == "of":
		return &token{part: partRest}, 2
	case w.text == "last":
		return nil, 0
	case w.text == "other" && behind:
		return &token{part: partCount, n: 1}, 1
	case resting[w.text]:
		return &token{part: partRest}, 1
	case ordinals[w.text] > 0 && (len(q.Forms) > 0 || ordinals[w.text] > 1 && behind):
		if len(q.Forms) > 0 {
			n := 1
			if next == "one" {
				n = 2
			}
			return &token{part: partCount, n: ordinals[w.text]}, n
		}
		return &token{part: partCount, n: 1}, 1
	}
	return nil, 0
}

// numberWord is a number as a word of a line.
func numberWord(n int) word {
	return word{text: strconv.Itoa(n), number: n, digits: true}
}

// outcome is an order that is a legal answer.
type outcome struct {
	order rules.Order
	*Trial
}

// distinct lists orders that are different answers, each once.
func distinct(list []outcome) []string {
	var out []string
	seen := map[string]bool{}
	for _, o := range list {
		if !seen[o.Answer] {
			seen[o.Answer] = true
			out = append(out, Write(o.order))
		}
	}
	return out
}

// answers finds the orders that tokens stand for: one for the question, or several, the
// further ones for what is asked behind the first.
func (x *assembly) answers(q *Question, tokens []token, depth int) (orders []rules.Order, several []string) {
	tokens = trimmed(tokens)
	if len(tokens) == 0 || q == nil || depth > mostAnswers {
		return nil, nil
	}
	x.q = q
	found := x.plainest(x.legal(tokens))
	if depth == 0 && len(found) == 0 {
		found = x.completed(tokens)
	}
	if list := distinct(found); len(list) == 1 {
		x.surplus = x.surplus || !found[0].Whole && !x.p.leads(q)
		return []rules.Order{found[0].order}, nil
	} else if len(list) > 1 {
		return nil, list
	}
	for k := len(tokens) - 1; k > 0; k-- {
		if tokens[k].part < partComma {
			continue
		}
		x.q = q
		first := x.legal(trimmed(tokens[:k]))
		if len(distinct(first)) != 1 || first[0].Next == nil {
			continue
		}
		if rest, _ := x.answers(first[0].Next(), tokens[k+1:], depth+1); len(rest) > 0 {
			return append([]rules.Order{first[0].order}, rest...), nil
		}
	}
	return nil, nil
}

// plainest are the answers that say no more than is asked, where those are one and others
// say more: a thing named twice, or checks where points can be placed. What was left out is
// a doubt where an operation could be another.
func (x *assembly) plainest(found []outcome) []outcome {
	whole := slices.DeleteFunc(slices.Clone(found), func(o outcome) bool { return !o.Whole })
	if len(distinct(found)) < 2 || len(distinct(whole)) != 1 {
		return found
	}
	if x.p.leads(x.q) {
		x.left = []string{"what the points are for"}
	}
	return whole
}

// mostAnswers is how many orders one letter may hold in this way.
const mostAnswers = 4

// trimmed is a list of tokens without what separates nothing.
func trimmed(tokens []token) []token {
	for len(tokens) > 0 && tokens[0].part >= partComma {
		tokens = tokens[1:]
	}
	for len(tokens) > 0 && tokens[len(tokens)-1].part >= partComma {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

// Words lists the words of a sentence without what in it is harmless.
func (p *Parser) Words(sentence string) []string {
	var out []string
	for _, f := range pieces(sentence) {
		if !p.harmless(f) {
			out = append(out, Words(f.text)...)
		}
	}
	return out
}

// Sentences cuts a line behind its stops, and behind question and exclamation marks.
func Sentences(line string) []string {
	var out []string
	start := 0
	for i, r := range line {
		if !strings.ContainsRune(".?!", r) || i+1 < len(line) && !unicode.IsSpace(rune(line[i+1])) {
			continue
		}
		out = append(out, strings.TrimSpace(line[start:i+1]))
		start = i + 1
	}
	if rest := strings.TrimSpace(line[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// Named finds the things of a kind that a text names in full, or so that nothing else
// of the kind can be meant, and returns the other words.
func (p *Parser) Named(text string, kind rules.NameKind) (names []rules.Name, rest []string) {
	ws := words(text)
	kinds, none := []rules.NameKind{kind}, &Question{}
	for i := 0; i < len(ws); {
		n, found := 0, []rules.Name(nil)
		if !idle(ws[i].text) || ws[i].text == "the" {
			n, found = p.named(none, kinds, ws[i:])
		}
		if n == 0 && ws[i].number > 0 {
			found, _ = p.names.find(kinds, ws[i:i+1])
			n = len(found)
		}
		if len(found) != 1 {
			rest = append(rest, ws[i].text)
			i++
			continue
		}
		if !slices.ContainsFunc(names, func(o rules.Name) bool { return o.Code == found[0].Code }) {
			names = append(names, found[0])
		}
		i += n
	}
	return names, rest
}
