package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// part is what a token of a sentence is.
type part int

const (
	partName part = iota
	partWord
	partCount
	// partEach is a count for every name, partRest the count that is left, partTimes a count of the name before it.
	partEach
	partRest
	partTimes
	// partComma separates names, partBreak sentences.
	partComma
	partBreak
)

// token is a name, a keyword or a number of a sentence.
type token struct {
	part part
	// names are the possible names of the token, or the things that have its number.
	names []rules.Name
	key   keyword
	n     int
	// aside: the token is in brackets and names a further place, e.g. "Charles University (Prague)".
	aside bool
	// denied: the word before it denies it, e.g. "not the event".
	denied bool
	// digits are numbers in figures, numeral those in figures or number words, and not "the other"; times are numbers written as "x2";
	// purpose are keywords behind "for", e.g. "Lodz 3 for ops".
	digits, numeral, times, purpose bool
}

// account holds the tokens of a sentence, and the words that are neither part of a token nor function words.
type account struct {
	tokens  []token
	unknown []string
	// guessed: a name or a keyword is only guessed, since several are near.
	guessed bool
	// dangling: the last word cannot end a sentence.
	dangling bool
	// points: the sentence has a word for the things that are counted.
	points bool
}

// take accounts for the words at i, and returns their number.
func (a *account) take(v *vocabulary, q *Question, ws []word, i int) int {
	rest := ws[i:]
	if n := v.asked(q, rest); n > 0 {
		a.dangling = false
		return n
	}
	if units := v.unitAt(q, rest); units > 0 {
		a.points, a.dangling = true, false
		return units
	}
	if t, n := v.tokenAt(q, a, rest); n > 0 {
		t.purpose = t.part == partWord && i > 0 && purposes[ws[i-1].text]
		a.tokens = append(a.tokens, *t)
		a.dangling = t.part == partWord && t.key.Modifies
		return n
	}
	if n := a.passOver(v, q, rest, i == 0); n > 0 {
		return n
	}
	a.unknown = append(a.unknown, rest[0].text)
	return 1
}

// passOver accounts for words that are no token and may stand around orders: "I would like to", the "number" of "number 36", and the
// title of the card that asks. It returns the number of words; 0 if ws begin with none.
func (a *account) passOver(v *vocabulary, q *Question, ws []word, first bool) int {
	word := ws[0].text
	if n := lexical().function.begins(ws); n > 0 && (first || !opening[word]) {
		a.dangling = !referring[word] && (a.dangling || lexical().link.begins(ws) == n)
		if joining[word] && n == 1 {
			a.tokens = append(a.tokens, token{part: partComma})
		}
		return n
	}
	if numbering[word] && len(ws) > 1 && ws[1].number >= 0 {
		return 1
	}
	return v.asked(q, ws)
}

// opening words are function words at the beginning only: "I'll play 36", "yes, march".
var opening = wordSet("ill yes ok okay so well right alright oh")

// referring words end a phrase that begins with a linking word, e.g. "and take Razgrad with it".
var referring = wordSet("it me us that mine course")

// purposes are the words before what points are for, e.g. "Lodz 3 for ops".
var purposes = wordSet("for as fur als")

func (a *account) last() token {
	if n := len(a.tokens); n > 0 {
		return a.tokens[n-1]
	}
	return token{part: partBreak}
}

// kindsBehind are the kinds of names that may begin ws behind a token. A modifier takes kinds of its own.
func (v *vocabulary) kindsBehind(q *Question, before token, ws []word) []rules.NameKind {
	if before.part == partWord && before.key.Modifies {
		if n, _, _ := v.matchName(q, before.key.Takes, ws); n > 0 {
			return before.key.Takes
		}
	}
	return v.answerKindsOf(q)
}

// tokenAt reads the name, the keyword or the number that begins ws.
func (v *vocabulary) tokenAt(q *Question, a *account, ws []word) (*token, int) {
	if t, n := v.thingAt(q, a, ws, v.kindsBehind(q, a.last(), ws)); n > 0 {
		return t, n
	}
	return v.countAt(q, ws, a.last())
}

// thingAt reads the name or the keyword that begins ws, whichever has more words.
func (v *vocabulary) thingAt(q *Question, a *account, ws []word, kinds []rules.NameKind) (*token, int) {
	n, names, sure := v.matchName(q, kinds, ws)
	if n == 1 && numeral(ws[0]) >= 0 {
		n = 0 // A number may count, and name something as well.
	}
	k, length := v.keywordAt(ws)
	function := lexical().function.begins(ws)
	switch concerns := v.concerns(q, k); {
	case length == 1 && counting[ws[0].text] > 0 && (!concerns || len(ws) > 1 && v.plural(ws[1])):
		return nil, 0 // "both in Lodz", "both checks"
	case n > length && n >= function, n == length && n > 0 && !concerns:
		a.guessed = a.guessed || !sure
		return &token{part: partName, names: names}, n
	case length > 0 && length >= function && (concerns || function == 0 || len(k.words) > 1):
		return &token{part: partWord, key: k}, length
	}
	return nil, 0
}

// countAt reads a number, or a word that counts, behind a token.
func (v *vocabulary) countAt(q *Question, ws []word, before token) (*token, int) {
	w := ws[0]
	n := numeral(w)
	if c, ok := counting[w.text]; ok {
		n = c
	}
	switch {
	case repeated[w.text] > 0:
		return &token{part: partTimes, n: repeated[w.text]}, 1
	case eaching[w.text]:
		return &token{part: partEach}, 1
	case n >= 0 && n <= mostNumber:
		times := w.text[0] == 'x'
		t := v.number(q, n, !w.digits || times || n < minBareNumber && before.part == partName)
		t.digits, t.times = w.digits, times
		return t, 1
	}
	return v.restAt(q, ws, before)
}

// mostNumber is the greatest number that counts or names anything. A year such as 1989 does neither.
const mostNumber = 999

// restAt reads words for the points that the numbers before leave, e.g. "the rest" and "the other two". Before is the token before it.
func (v *vocabulary) restAt(q *Question, ws []word, before token) (*token, int) {
	switch {
	case !remaining[ws[0].text]:
		return nil, 0
	case len(ws) > 1 && numeral(ws[1]) > 0:
		return v.number(q, numeral(ws[1]), false), 2
	case before.part == partCount:
		return nil, 0 // "both remaining points"
	}
	return &token{part: partRest}, 1
}

// number is the token of a number, with the names of the things that have this number, unless it only counts.
func (v *vocabulary) number(q *Question, n int, counts bool) *token {
	t := &token{part: partCount, n: n, numeral: true}
	if counts {
		return t
	}
	if len(q.answerNames) == 0 { // Nothing is asked, and anything may be named.
		if names, _ := v.names.find(v.answerKindsOf(q), []word{numberWord(n)}); len(names) == 1 && names[0].Number == n {
			t.names = names
		}
		return t
	}
	t.names = v.bestAnswerNames(q, v.answerKindsOf(q), []word{numberWord(n)})
	for _, name := range q.answerNames {
		if name.Number == n && n > 0 && slices.Contains(v.answerKindsOf(q), name.Kind) {
			t.names = []rules.Name{name}
		}
	}
	return t
}

// asked is the number of words at the beginning of ws that name the card which asks the question, in full or by its number. For
// example, "Consumerism: Debrecen" and "Debrecen with card 27".
func (v *vocabulary) asked(q *Question, ws []word) int {
	if len(ws) > 1 && q.Said != "" && ws[0].text == string(rules.CardName) && ws[1].digits {
		names, _ := v.names.find([]rules.NameKind{rules.CardName}, ws[1:2])
		if len(names) == 1 && strings.Contains(q.Said, names[0].Text) && !q.hasName(names[0]) {
			return 2
		}
	}
	for n := min(len(ws), v.names.longest); n > 0 && q.Said != ""; n-- {
		for _, k := range v.names.kindsOf[strings.Join(texts(ws[:n]), " ")] {
			names, quality := v.names.find([]rules.NameKind{k}, ws[:n])
			if (n > 1 || k == rules.CardName) && quality == matchFull && len(names) == 1 && !q.hasName(names[0]) &&
				strings.Contains(q.Said, names[0].Text) {
				return n
			}
		}
	}
	return 0
}

// unitAt is the number of words at the beginning of ws that mean the counted things, such as "points".
func (v *vocabulary) unitAt(q *Question, ws []word) (n int) {
	for _, k := range v.listed {
		for _, u := range v.keywords.named(k.Word).units {
			if len(u) > n && begun(u, ws) && (!k.RemovesPoints || slices.Contains(q.verbs, k.Word)) {
				n = len(u)
			}
		}
	}
	return n
}

// numbered reports whether a token names a thing that has a number.
func (t token) numbered() bool { return len(t.names) > 0 && t.names[0].Number > 0 }

// plural reports whether a word is the plural of a counted thing, e.g. "both checks".
func (v *vocabulary) plural(w word) bool {
	one := singular(w.text)
	single := func(u []string) bool { return len(u) == 1 }
	return one != w.text && (len(v.keywords.by[one]) > 0 || slices.ContainsFunc(v.keywords.units[w.text], single))
}

// keywordAt finds the longest keyword that begins ws, and the number of its words. Up to three function words may stand between those
// of the keyword, as in "then the event".
func (v *vocabulary) keywordAt(ws []word) (found keyword, n int) {
	found = none
	for _, k := range v.keywords.by[ws[0].text] {
		at := 1
		for _, t := range k.words[1:] {
			for gap := 0; at < len(ws) && ws[at].text != t && gap < mostGap && ws[at].text != "then" && lexical().function.has(ws[at].text); gap++ {
				at++
			}
			if at++; at > len(ws) || ws[at-1].text != t {
				at = 0
				break
			}
		}
		if at > n {
			found, n = k, at
		}
	}
	return found, n
}

// mostGap bounds the function words between two words of a keyword.
const mostGap = 3
