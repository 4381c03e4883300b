package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

type tokenKind int

const (
	// tokenName is a name, e.g. Lodz; tokenKeyword is a keyword, e.g. EVENT; tokenCount is a number.
	tokenName tokenKind = iota
	tokenKeyword
	tokenCount
	// tokenEach is a count for every name ("each"); tokenRemainder is the number of points that are left ("the rest");
	// tokenTimes is a count of the name before it ("twice").
	tokenEach
	tokenRemainder
	tokenTimes
	// tokenComma separates names, tokenBreak separates sentences.
	tokenComma
	tokenBreak
)

// token is a name, a keyword or a number of a sentence. For example, "2 in Lodz" has the tokens 2 and Lodz.
type token struct {
	kind tokenKind
	// names are the names that a tokenName may mean. For a tokenCount they are the names with this number, e.g. card
	// 36.
	names   []rules.Name
	keyword keyword
	number  int
	// inBrackets is set for a place in brackets after other words. Perhaps it only explains them, e.g. Prague in "Charles
	// University (Prague)".
	inBrackets bool
	// isNegated is set if a denial before the token refers to it, e.g. "not the event".
	isNegated bool
	// inDigits is set for a number in digits. isTimes is set for a number like "x2". isAfterFor is set for a
	// keyword after "for", e.g. "Lodz 3 for ops".
	inDigits, isTimes, isAfterFor bool
}

func (t token) isSeparator() bool { return t.kind >= tokenComma }

type tokenScan struct {
	tokens  []token
	unknown []string
	// isGuess is set if a token is doubtful, e.g. a name that words only resemble. The player must then confirm the order.
	isGuess bool
	// isIncomplete is set after a word that cannot end a sentence, e.g. "the".
	isIncomplete bool
	// hasPointWord is set if the sentence has a word for counted things, e.g. "points".
	hasPointWord bool
}

// scanNext reads a token at ws[i], or words that are no token. It returns the number of words read, at least 1.
func (s *tokenScan) scanNext(v *vocabulary, q *Question, ws []word, i int) int {
	rest := ws[i:]
	if n := v.questionCardLength(q, rest); n > 0 {
		s.isIncomplete = false
		return n
	}
	if units := v.unitLength(q, rest); units > 0 {
		s.hasPointWord, s.isIncomplete = true, false
		return units
	}
	if t, n := v.scanToken(q, s, rest); n > 0 {
		t.isAfterFor = t.kind == tokenKeyword && i > 0 && purposeWords[ws[i-1].text]
		s.tokens = append(s.tokens, *t)
		s.isIncomplete = t.kind == tokenKeyword && t.keyword.IsModifier
		return n
	}
	if n := s.skipWords(v, q, rest, i == 0); n > 0 {
		return n
	}
	s.unknown = append(s.unknown, rest[0].text)
	return 1
}

// skipWords returns the number of words at the beginning of ws that belong to no token but may accompany an order: "I
// would like to", "number" in "number 36", or the title of the card that asks the question.
func (s *tokenScan) skipWords(v *vocabulary, q *Question, ws []word, isFirst bool) int {
	word := ws[0].text
	if n := sharedLexicon().function.prefixLength(ws); n > 0 && (isFirst || !leadingFunctionWords[word]) {
		s.isIncomplete = !wordsAfterLink[word] && (s.isIncomplete || sharedLexicon().link.prefixLength(ws) == n)
		if conjunctions[word] && n == 1 {
			s.tokens = append(s.tokens, token{kind: tokenComma})
		}
		return n
	}
	if numberPrefixes[word] && len(ws) > 1 && ws[1].number >= 0 {
		return 1
	}
	return v.questionCardLength(q, ws)
}

// leadingFunctionWords are function words at the beginning of a sentence, but not elsewhere: "I'll play 36", "yes,
// march".
var leadingFunctionWords = wordSet("ill yes ok okay so well right alright oh")

// wordsAfterLink can end a sentence after a linking word, e.g. "it" in "and take Razgrad with it", or "course" in "of
// course".
var wordsAfterLink = wordSet("it me us that mine course")

// purposeWords introduce the purpose of something, e.g. "for" in "Lodz 3 for ops".
var purposeWords = wordSet("for as fur als")

func (s *tokenScan) lastToken() token {
	if n := len(s.tokens); n > 0 {
		return s.tokens[n-1]
	}
	return token{kind: tokenBreak}
}

// kindsAfter returns the kinds of names that may follow a token. If before is a modifier, and ws begins with a name
// that it takes, these are the kinds that the modifier takes. Otherwise they are the kinds of names in legal answers.
// For example, suits may follow AS in "ATTACK Elite Leader AS Rally".
func (v *vocabulary) kindsAfter(q *Question, before token, ws []word) []rules.NameKind {
	if before.kind == tokenKeyword && before.keyword.IsModifier {
		if n, _, _ := v.matchName(q, before.keyword.NameKinds, ws); n > 0 {
			return before.keyword.NameKinds
		}
	}
	return v.answerKindsOf(q)
}

// scanToken reads the name, keyword or number at the beginning of ws. It returns the token and the number of its words,
// or nil and 0 if there is no token.
func (v *vocabulary) scanToken(q *Question, s *tokenScan, ws []word) (*token, int) {
	if t, n := v.scanNameOrKeyword(q, s, ws, v.kindsAfter(q, s.lastToken(), ws)); n > 0 {
		return t, n
	}
	return v.scanCount(q, ws, s.lastToken())
}

// scanNameOrKeyword reads the name or keyword at the beginning of ws, and the longer of the two if both are possible.
func (v *vocabulary) scanNameOrKeyword(q *Question, s *tokenScan, ws []word, kinds []rules.NameKind) (*token, int) {
	n, names, isCertain := v.matchName(q, kinds, ws)
	if n == 1 && numberValue(ws[0]) >= 0 {
		n = 0 // scanCount reads numbers.
	}
	k, keywordLength := v.findKeyword(ws)
	functionLength := sharedLexicon().function.prefixLength(ws)
	switch isRelevant := v.mayAnswer(q, k); {
	case keywordLength == 1 && countingWords[ws[0].text] > 0 && (!isRelevant || len(ws) > 1 && v.isPlural(ws[1])):
		return nil, 0 // a count: "both in Lodz", "both checks"
	case n > keywordLength && n >= functionLength, n == keywordLength && n > 0 && !isRelevant:
		s.isGuess = s.isGuess || !isCertain
		return &token{kind: tokenName, names: names}, n
	case keywordLength > 0 && keywordLength >= functionLength && (isRelevant || functionLength == 0 || len(k.words) > 1):
		return &token{kind: tokenKeyword, keyword: k}, keywordLength
	}
	return nil, 0
}

// scanCount reads a number or a counting word, e.g. "both", at the beginning of ws. before is the token before ws.
func (v *vocabulary) scanCount(q *Question, ws []word, before token) (*token, int) {
	w := ws[0]
	n := numberValue(w)
	if c, ok := countingWords[w.text]; ok {
		n = c
	}
	switch {
	case repetitionWords[w.text] > 0:
		return &token{kind: tokenTimes, number: repetitionWords[w.text]}, 1
	case eachWords[w.text]:
		return &token{kind: tokenEach}, 1
	case n >= 0 && n <= maxNumber:
		times := w.text[0] == 'x'
		t := v.numberToken(q, n, !w.hasDigits || times || n < minBareNumber && before.kind == tokenName)
		t.inDigits, t.isTimes = w.hasDigits, times
		return t, 1
	}
	return v.scanRemainder(q, ws, before)
}

// maxNumber is the greatest number that can be a count or the number of a card. A year such as 1989 is neither.
const maxNumber = 999

// scanRemainder reads words for the points that are left, e.g. "rest" and "other two". before is the token before ws.
func (v *vocabulary) scanRemainder(q *Question, ws []word, before token) (*token, int) {
	switch {
	case !remainderWords[ws[0].text]:
		return nil, 0
	case len(ws) > 1 && numberValue(ws[1]) > 0:
		return v.numberToken(q, numberValue(ws[1]), false), 2
	case before.kind == tokenCount:
		return nil, 0 // "both remaining points"
	}
	return &token{kind: tokenRemainder}, 1
}

// numberToken returns the token of the number n. Unless onlyCounts is set, the token also contains the names with this number.
func (v *vocabulary) numberToken(q *Question, n int, onlyCounts bool) *token {
	t := &token{kind: tokenCount, number: n}
	if onlyCounts {
		return t
	}
	if len(q.answerNames) == 0 { // Without an open question any name is possible.
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

// questionCardLength returns the number of words at the beginning of ws that name the card of the question, in full or
// by its number. For example, it returns 1 for "Consumerism: Debrecen", and 2 for "card 27".
func (v *vocabulary) questionCardLength(q *Question, ws []word) int {
	if len(ws) > 1 && q.Text != "" && ws[0].text == string(rules.CardName) && ws[1].hasDigits {
		names, _ := v.names.find([]rules.NameKind{rules.CardName}, ws[1:2])
		if len(names) == 1 && strings.Contains(q.Text, names[0].Text) && !q.hasName(names[0]) {
			return 2
		}
	}
	for n := min(len(ws), v.names.maxWords); n > 0 && q.Text != ""; n-- {
		for _, k := range v.names.kindsByText[strings.Join(texts(ws[:n]), " ")] {
			names, quality := v.names.find([]rules.NameKind{k}, ws[:n])
			if (n > 1 || k == rules.CardName) && quality == matchFull && len(names) == 1 && !q.hasName(names[0]) &&
				strings.Contains(q.Text, names[0].Text) {
				return n
			}
		}
	}
	return 0
}

// unitLength returns the number of words at the beginning of ws that name counted things, e.g. 1 for "points".
func (v *vocabulary) unitLength(q *Question, ws []word) (n int) {
	for _, k := range v.keywordList {
		for _, u := range v.keywords.lookUp(k.Word).units {
			if len(u) > n && hasPhrasePrefix(u, ws) && (!k.RemovesPoints || slices.Contains(q.verbs, k.Word)) {
				n = len(u)
			}
		}
	}
	return n
}

func (t token) hasNumberedName() bool { return len(t.names) > 0 && t.names[0].Number > 0 }

// isPlural reports whether a word is the plural of a counted thing, e.g. checks in "both checks".
func (v *vocabulary) isPlural(w word) bool {
	singularText := singular(w.text)
	isSingleWord := func(u []string) bool { return len(u) == 1 }
	return singularText != w.text && (len(v.keywords.byFirstWord[singularText]) > 0 || slices.ContainsFunc(v.keywords.units[w.text],
		isSingleWord))
}

// findKeyword returns the longest keyword at the beginning of ws, and the number of its words. At most maxGapWords
// function words may be between two words of the keyword. For example, "event please first" means EVENT FIRST.
func (v *vocabulary) findKeyword(ws []word) (found keyword, n int) {
	found = noKeyword
	for _, k := range v.keywords.byFirstWord[ws[0].text] {
		at := 1
		for _, t := range k.words[1:] {
			for gap := 0; at < len(ws) && ws[at].text != t && gap < maxGapWords && ws[at].text != "then" &&
				sharedLexicon().function.hasWord(ws[at].text); gap++ {
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

const maxGapWords = 3
