package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

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
	// numeral counts are written as numbers or number words: "2", "two", and not "the other".
	numeral bool
	// aside tokens stand in brackets; times are numbers written as "x2"; purpose are keywords behind
	// "for": "Lodz 3 for ops".
	aside, times, purpose bool
}

// scanned is a piece of a letter taken apart.
type scanned struct {
	tokens []token
	text   string
	// unread means that not all of it is understood, turned that it has a word that may turn an
	// order down, or tells of what it names.
	unread, turned bool
	line           int
	// strange are the words that are not understood; speaks means that something else speaks
	// against the piece.
	strange []string
	speaks  bool
	// stops: its sentence ends behind it.
	stops bool
	// heads is how many words say a turn or round; then: what it names comes after the rest.
	heads int
	then  bool
	// again is how many words say what the question says: which card it is about.
	again int
	// kept is what it says that is kept back.
	kept []rules.Name
	// bygone: it only says who comes from a place, or was there.
	bygone bool
}

// takenIn is a piece taken apart, see scan.
func (p *Parser) takenIn(q *Question, f piece, aside, behind bool) scanned {
	s, kinds := scanned{text: f.text}, p.kinds(q)
	ws := p.answering(q, f)
	if n := p.following(ws); behind && n > 0 {
		if _, words := p.keywordAt(q, ws); words <= n {
			ws, s.then = ws[n:], true // "event first, afterwards Lodz"
		}
	}
	for i := 0; i < len(ws); {
		n := s.take(p, q, kinds, ws, i, aside)
		p.grasp(q).words += n
		if i += n; p.grasp(q).spent() {
			s.against()
			break
		}
	}
	s.turn(p, q, ws)
	if s.speaks = s.speaks || s.turned; s.turned && s.onlyName() || len(s.tokens) > 0 && p.otherwise(q, ws) {
		s.against()
	}
	p.weigh(&s, q, f, ws)
	if p.doubts(&s, f, ws) {
		s.against()
	}
	s.end(f, aside)
	return s
}

// against notes that something speaks against a piece, whatever its words are.
func (s *scanned) against() { s.unread, s.speaks = true, true }

// answering are the words of a piece as an answer to a question.
func (p *Parser) answering(q *Question, f piece) []word {
	ws := p.spokenWords(f)
	if !p.countsAny(q) {
		// "+3 in Lodz" is what a die would be helped by.
		ws = slices.DeleteFunc(ws, func(w word) bool { return w.digits && w.start > 0 && f.text[w.start-1] == '+' })
	}
	p.lettered(q, ws)
	return ws
}

// take takes in the words at i, and says how many.
func (s *scanned) take(p *Parser, q *Question, kinds []rules.NameKind, ws []word, i int, aside bool) int {
	w, last := ws[i].text, i+1 == len(ws)
	before := token{part: partBreak}
	if k := len(s.tokens) - 1; k >= 0 {
		before = s.tokens[k]
	}
	if n := max(p.met(q, kinds, ws[i:]), p.passed(before, ws, i), s.ofCard(p, q, ws, i)); n > 0 {
		return n
	}
	if n, names := p.kept(q, kinds, ws, i); n > 0 {
		s.kept = append(s.kept, names...)
		return n
	}
	switch {
	case (w == "turn" || w == "round") && !last && ws[i+1].number > 0:
		if s.heads += 2; !p.now(q, ws[i:]) {
			s.against() // "Round 3: ..." may be for later.
		}
		return 2
	case before.part == partName:
		if n := p.behindName(before, ws[i:]); n > 0 && !(w == "one" && s.countsBehind()) {
			return n
		}
	}
	s.turned = s.turned || s.tells(p, before, ws, i)
	t, n := p.tokenAt(q, p.kindsBehind(q, kinds, before, ws[i:]), ws, i)
	switch {
	case n == 0 && joins(before, ws, i):
	case n == 0:
		s.unread = true
		s.strange = append(s.strange, w)
	case t != nil:
		t.aside, t.purpose = aside, purposed(t.part, ws, i)
		s.tokens = append(s.tokens, *t)
	case n == 1 && turns(ws, i):
		s.turned = true
	}
	return max(n, 1)
}

// purposed reports whether a keyword stands behind a word that says what something is for.
func purposed(of part, ws []word, i int) bool {
	return of == partWord && i > 0 && purposes[ws[i-1].text]
}

var purposes = wordSet("for as fur als")

// tells reports whether the word at i tells of what was named: "Lodz is lovely", "The meeting is in
// Krakow".
func (s *scanned) tells(p *Parser, before token, ws []word, i int) bool {
	if n := longestPhrase(remarks().idle, ws[i:]); !telling[ws[i].text] || i+1 == len(ws) || n > 1 && i+n == len(ws) {
		return false // "Miskolc is my choice"
	}
	if before.part == partBreak && i > 0 && p.names.holds(ws[i-1].text) && !idle(ws[i-1].text) {
		return true // "The Pope was in Hungary"
	}
	past := i > 0 && (ws[i].text == "was" || ws[i].text == "were")
	return before.part == partName || past || len(s.strange) > 0 && whereabouts[ws[i+1].text]
}

// lettered reads "E39" and "39 E" as a number with the keyword of the question that the letter
// begins, if just one does.
func (p *Parser) lettered(q *Question, ws []word) {
	if len(ws) < 2 || len(ws) > 3 || !ws[0].digits == !ws[1].digits || len(ws) > 2 && emptyWords(ws[2:]) == 0 {
		return
	}
	i := 0
	if ws[0].digits {
		i = 1
	}
	var found []string
	for _, w := range q.Words {
		if k := Words(w); len(ws[i].text) == 1 && len(k) == 1 && strings.HasPrefix(k[0], ws[i].text) {
			found = append(found, k[0])
		}
	}
	if len(found) == 1 {
		ws[i].text = found[0]
	}
}

// countsAny reports whether an answer to the question counts anything.
func (p *Parser) countsAny(q *Question) bool {
	return p.leads(q) || slices.ContainsFunc(p.listed, func(k rules.Keyword) bool { return k.Counts && slices.Contains(q.Verbs, k.Word) })
}

// turns reports whether the word at i may turn an order down among others.
func turns(ws []word, i int) bool {
	w, last := ws[i].text, i+1 == len(ws)
	return len(ws) > 1 && (remarks().turning[w] || w == "ill" && last)
}

// now reports whether a word and the number behind it say when the question is asked.
func (p *Parser) now(q *Question, ws []word) bool {
	at := p.wordsOf(q.Now)
	i := slices.IndexFunc(at, func(w word) bool { return w.text == ws[0].text })
	return i >= 0 && i+1 < len(at) && at[i+1].number == ws[1].number
}

// talk reports whether a piece names nothing, and has no keyword that stands by itself.
func (s *scanned) talk() bool {
	return !slices.ContainsFunc(s.tokens, func(t token) bool { return t.part == partName || t.part == partWord && !t.key.Modifies })
}

// spokenWords are the words of a piece with numbers and words taken apart.
func (p *Parser) spokenWords(f piece) []word {
	r := &reading{p: p, text: f.text, words: slices.Clone(p.wordsOf(f.text)), loose: true}
	r.apart()
	r.abbreviated()
	r.spoken()
	r.words = slices.DeleteFunc(r.words, func(w word) bool {
		return w.text == "no" && w.end < len(f.text) && f.text[w.end] == '.' && digitAhead(f.text[w.end+1:])
	}) // "(no. 14)"
	r.words = slices.DeleteFunc(r.words, func(w word) bool { return suffixed(f.text, w) })
	if ws := r.words; len(ws) > 1 && (ws[0].text == "but" || ws[0].text == "so" || ws[0].text == "where" && strings.HasPrefix(f.text[ws[0].end:], ":")) {
		return ws[1:] // "No hard feelings, but Miskolc"
	}
	return r.words
}

// bare reports whether a token is a verb that says all by itself.
func (t token) bare() bool { return t.part == partWord && t.key.Verb && len(t.key.Takes) == 0 }

// whole reports whether a piece has such a verb that leaves nothing open, as OPS does.
func (s *scanned) whole() bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool { return t.bare() && t.key.Counted == "" })
}

// bare reports whether a piece has a verb that says all by itself.
func (s *scanned) bare() bool { return slices.ContainsFunc(s.tokens, token.bare) }

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
	w, empty := rest[0], emptyWords(rest)
	if t, n := nextAt(ws, i); n > 0 {
		return t, n
	}
	if t, n := p.thingAt(q, kinds, rest, empty, p.isNoun(q, ws, i)); n > 0 {
		return p.unsaid(q, t, rest, n), n
	}
	if empty > 1 {
		return nil, p.upToKeyword(q, rest, empty)
	}
	if t, n := p.countAt(q, kinds, rest, i > 0); n > 0 {
		return p.needed(q, t, rest[n:]), n
	}
	if n := p.unitAt(rest); n > 0 {
		return nil, n
	}
	if n := p.saidIn(q, rest); n > 0 {
		return nil, n
	}
	switch {
	case joining[w.text]:
		return &token{part: partComma}, 1
	case pointing[w.text] && len(rest) > 1 && !w.comma:
		if _, n := p.thingAt(q, kinds, rest[1:], 0, false); n > 0 {
			return nil, 1 // "that Tiananmen thing"
		}
	case empty > 0:
		return nil, empty
	case p.repeats(q, w), numbering[w.text] && len(rest) > 1 && rest[1].number >= 0:
		return nil, 1
	case len(w.text) == 1 && w.number < 0 && (w.text != "x" || len(rest) == 1):
		return nil, 1
	}
	return nil, 0
}

// needed is a count, if the question is for what is counted: "The three points go to Lodz" says no
// more than Lodz where nothing but a place is asked.
func (p *Parser) needed(q *Question, t *token, behind []word) *token {
	if t != nil && t.part == partCount && !p.countsAny(q) && len(behind) > 0 && p.unitAt(behind) > 0 {
		return nil
	}
	return t
}

// emptyWords is how many words begin ws that say nothing beside an order in the same piece:
// what denies says something there, whatever it is in a sentence of its own.
func emptyWords(ws []word) int {
	n := phraseWords(ws)
	if slices.ContainsFunc(ws[:n], func(w word) bool { return remarks().denying[w.text] }) || n == 1 && !idle(ws[0].text) && remarks().turning[ws[0].text] {
		return 0
	}
	return n
}

// phraseWords is how many words begin ws that say nothing.
func phraseWords(ws []word) int {
	return max(longestPhrase(remarks().phrases, ws), longestPhrase(remarks().idle, ws))
}

// thingAt reads the name or the keyword that begins ws, whichever has more words, unless
// more of them are empty.
func (p *Parser) thingAt(q *Question, kinds []rules.NameKind, ws []word, empty int, noun bool) (*token, int) {
	n, names := p.named(q, kinds, ws)
	if n == 0 && noun {
		n, names = p.nounAt(q, kinds, ws)
	}
	k, words := p.keywordAt(q, ws)
	concerns := p.concerns(q, k)
	if p.outdone(ws, words, words == n, concerns) {
		words = 0
	}
	switch {
	case n > 1 && n > words, n == 1 && words == 0 && ws[0].number < 0 && empty < 2:
		return &token{part: partName, names: names}, n
	case words == 0 || words < empty:
		return nil, 0
	case words == 1 && !concerns && (idle(ws[0].text) || k.alias && k.Verb && len(k.Takes) > 0 && !k.List):
		return nil, 1 // "My pick" is no CHOOSE where a card is to be played.
	}
	return &token{part: partWord, key: k}, words
}

// outdone reports whether what so many words are called like is meant, and not the keyword:
// a thing of the question where it has no use for the keyword, or a number.
func (p *Parser) outdone(ws []word, words int, named, concerns bool) bool {
	counts := words == 1 && counting[ws[0].text] > 0
	return !concerns && (named || counts) || counts && len(ws) > 1 && p.plural(ws[1])
}

// unit reports whether a text has a word for what is counted.
func (p *Parser) unit(text string) bool {
	ws := p.wordsOf(text)
	for i := range ws {
		if p.unitAt(ws[i:]) > 0 {
			return true
		}
	}
	return false
}

// unitAt is how many words begin ws that are for what is counted.
func (p *Parser) unitAt(ws []word) int {
	return longestPhrase(p.keywords.units, ws)
}

// plural reports whether a word is one for several of what is counted: "both checks".
func (p *Parser) plural(w word) bool {
	one := singular(w.text)
	return one != w.text && (len(p.keywords.by[one]) > 0 || slices.ContainsFunc(p.keywords.units[w.text], func(u []string) bool { return len(u) == 1 }))
}
