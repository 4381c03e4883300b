package order

import (
	"iter"
	"slices"
	"strings"

	"samizdat/rules"
)

// assembly assembles orders from the tokens of a letter, e.g. PLAY 36 EVENT from the tokens of "36 event".
type assembly struct {
	vocabulary *vocabulary
	question   *Question
	// words are the words of all sentences that deny no order. unknown are the words that belong to no token, in the sentences of tokens.
	words   []string
	unknown []string
	// added are the keywords that were added although the letter does not contain them.
	added     []string
	effort    *effort
	lastDraft *draft // the draft that buildOrder made last
	// namesMore is set if an answer contains more than the question asks for.
	namesMore bool
	// hasPointWord is set if the letter has a word for the counted things, such as "points".
	hasPointWord bool
	// isCountAmbiguous is set if a name with a count is next to a name without one, e.g. "2 in Krakow and Lodz".
	isCountAmbiguous bool
}

func (a *assembly) isExhausted() bool { return a.effort.isExceeded() }

// findLegalAnswers returns the legal orders that the tokens can mean, each once. It returns nil if the work reaches maxWork.
func (a *assembly) findLegalAnswers(tokens []token) []legalOrder {
	var out []legalOrder
	seen := map[string]bool{}
	for reading := range a.readings(tokens) {
		if a.effort.parts += len(tokens); a.isExhausted() {
			return nil
		}
		o, d, ok := a.buildOrder(tokens, reading)
		if !ok {
			continue
		}
		if seen[o.Text] {
			continue
		}
		seen[o.Text] = true
		if t := a.tryOrder(o); t != nil {
			out = append(out, legalOrder{o, d.spendsAll, d.isCountAmbiguous, t})
		}
	}
	return out
}

// findAnswersWithKeyword returns the legal answers from the tokens and one added keyword. Such an answer needs a confirmation.
func (a *assembly) findAnswersWithKeyword(tokens []token) []legalOrder {
	var found []legalOrder
	missing, isInLetter := a.findOmittedKeywords()
	if !isInLetter && a.lacksPlaceForPoints(tokens) {
		return nil
	}
	for _, k := range missing {
		with := slices.Clone(tokens)
		if slices.ContainsFunc(tokens, func(t token) bool { return t.kind == tokenKeyword && t.keyword.CountKeyword != "" }) {
			with = slices.DeleteFunc(with, func(t token) bool { // EVENT is part of the added EVENT FIRST.
				return t.kind == tokenKeyword && t.keyword.Word != k.Word && t.keyword.Word == strings.ToUpper(FirstWord(k.Word))
			})
		}
		for _, o := range a.findLegalAnswers(append(with, token{kind: tokenKeyword, keyword: k})) {
			a.added, found = append(a.added, k.Word), append(found, o)
		}
	}
	if found = preferOnlyComplete(found); len(distinctAnswers(found)) == 1 {
		for _, w := range a.question.keywords {
			if _, ok := found[0].order.Clause(w); ok && slices.Contains(a.added, w) {
				a.added = []string{w}
				return found
			}
		}
	}
	a.added = nil
	return nil
}

// findOmittedKeywords returns the keywords of the question that the letter may have omitted. It prefers a keyword of two
// words if the second word is in the letter, first among the unknown words, then among all words; isInLetter is then true.
// If there is no such keyword, it returns all keywords. For example, "The pope goes first" may omit EVENT FIRST, but not EVENT AFTER.
func (a *assembly) findOmittedKeywords() (out []keyword, isInLetter bool) {
	for _, words := range [][]string{a.unknown, a.words, nil} {
		for _, w := range a.question.keywords {
			isInLetter := slices.ContainsFunc(a.vocabulary.keywords.byFirstWord[FirstWord(w)], func(s keyword) bool {
				return s.Word == w && len(s.words) == 2 && slices.Contains(words, s.words[1])
			})
			if k := a.vocabulary.keywords.lookUp(w); !k.TakesNumber && (isInLetter || words == nil) {
				out = append(out, k)
			}
		}
		if len(out) > 0 {
			return out, words != nil
		}
	}
	return nil, false
}

// tokenReading is one reading of ambiguous tokens. For example, "Lodz 2 Gdansk" is Lodz 2 and Gdansk, or Lodz and 2 for Gdansk.
type tokenReading struct {
	verb keyword
	// list is the implied keyword of names without a keyword before them, e.g. PLACE for "Lodz 2". insertedKeyword is a keyword that
	// the letter does not contain. Both may be noKeyword.
	list, insertedKeyword keyword
	choices
	// remainder is the count that "the rest" stands for.
	remainder int
}

// choices is a bit set: each bit chooses between two meanings of ambiguous tokens.
type choices uint

const (
	// choiceModifier reads words like AS as keywords, and not as function words.
	choiceModifier choices = 1 << iota
	// choiceRepeat reads a total as the count of the only name, e.g. 3 in "3 points to Gdansk", and a name that is there twice as one
	// thing, e.g. "a petition against a petition".
	choiceRepeat
	// choiceNumberNames is the first of maxNumberNames bits, one for each number. A number with its bit set is a name, e.g. card 36.
	choiceNumberNames
	// choiceRemainder marks that the order depends on tokenReading.remainder.
	choiceRemainder = choiceNumberNames << maxNumberNames
	// choiceInserted marks that the order depends on tokenReading.insertedKeyword.
	choiceInserted = choiceRemainder << 1
)

// readings yields the readings of tokens, the plainest first. It skips a reading that cannot give a new order: it differs from
// an earlier reading only in choices that did not affect the order of the earlier reading (isEquivalent).
func (a *assembly) readings(tokens []token) iter.Seq[tokenReading] {
	ambiguous := findAmbiguities(tokens)
	return func(yield func(tokenReading) bool) {
		var last tokenReading
		var made []usedReading
		for _, reading := range a.plainReadings(tokens) {
			ambiguous, ok := reading.dropNumbersWithoutKeyword(tokens, ambiguous)
			if !ok {
				continue
			}
			if reading.verb != last.verb || reading.list != last.list {
				last, made = reading, made[:0]
			}
			for reading := range reading.variants(ambiguous) {
				if slices.ContainsFunc(made, reading.isEquivalent) {
					continue
				}
				if !yield(reading) {
					return
				}
				made = append(made, usedReading{a.lastDraft.tokenReading, a.lastDraft.usedChoices})
			}
		}
	}
}

// usedReading is a reading and the choices that its order depended on.
type usedReading struct {
	tokenReading
	used choices
}

// isEquivalent reports whether r differs from an earlier reading only in choices on which the earlier order did not depend.
func (r tokenReading) isEquivalent(earlier usedReading) bool {
	return (r.choices^earlier.choices)&earlier.used == 0 && (earlier.used&choiceRemainder == 0 || r.remainder == earlier.remainder) &&
		(earlier.used&choiceInserted == 0 || r.insertedKeyword == earlier.insertedKeyword)
}

func hasKeyword(tokens []token, keyword string) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.kind == tokenKeyword && t.keyword.Word == keyword })
}

// plainReadings returns the plainest readings, one for each combination of a verb, an implied list keyword and an inserted keyword.
func (a *assembly) plainReadings(tokens []token) []tokenReading {
	allowsList := a.vocabulary.mayContinueWithList(a.question)
	lists, insertable := []keyword{}, []keyword{noKeyword}
	hasIrrelevantList := false // set when lists has a list that takes no token; a second is not needed
	for _, k := range a.vocabulary.keywordList {
		switch {
		case allowsList && k.AllowsList && slices.ContainsFunc(k.NameKinds, a.vocabulary.isCounted):
			list := a.vocabulary.keywords.lookUp(k.Word)
			if takesName := slices.ContainsFunc(tokens, func(t token) bool { return takesName(list, t) }); takesName || !hasIrrelevantList {
				lists, hasIrrelevantList = append(lists, list), hasIrrelevantList || !takesName
			}
		case allowsList && len(a.question.answerNames) > 0 && k.CountKeyword != "" && k.IsVerb && !hasKeyword(tokens, k.Word):
			insertable = append(insertable, a.vocabulary.keywords.lookUp(k.Word))
		}
	}
	if !hasIrrelevantList {
		lists = append(lists, noKeyword)
	}
	var out []tokenReading
	for _, v := range a.question.verbs {
		for _, list := range lists {
			for _, inserted := range insertable {
				out = append(out, tokenReading{verb: a.vocabulary.keywords.lookUp(v), list: list, insertedKeyword: inserted})
			}
		}
	}
	return out
}

type ambiguities struct {
	// numberCount is how many numbers in the tokens may also be names, at most maxNumberNames. Bit i of separateNumbers is set if
	// number i of these is not the count of the name after it.
	numberCount     int
	separateNumbers uint
	// hasRepeats is set if a thing is named twice, or a number may be the total of a list.
	hasRepeats                bool
	hasRemainder, hasModifier bool
}

func findAmbiguities(tokens []token) ambiguities {
	var a ambiguities
	first := slices.IndexFunc(tokens, func(t token) bool { return t.kind == tokenCount })
	for i, t := range tokens {
		switch t.kind {
		case tokenName:
			a.hasRepeats = a.hasRepeats || sharesName(tokens[:i], t)
		case tokenKeyword:
			a.hasModifier = a.hasModifier || t.keyword.IsModifier || len(t.keyword.NameKinds) > 0 && !t.keyword.IsVerb
			a.hasRepeats = a.hasRepeats || (t.keyword.AllowsList || t.keyword.CountKeyword != "") && first >= 0 && first < i
		case tokenCount:
			a.addNumber(tokens, i)
		}
		a.hasRemainder = a.hasRemainder || t.kind == tokenRemainder
	}
	a.numberCount = min(a.numberCount, maxNumberNames)
	return a
}

func (a *ambiguities) addNumber(tokens []token, i int) {
	t := tokens[i]
	if len(t.names) == 0 {
		return
	}
	if !countsNextName(t, tokens[i+1:]) {
		a.separateNumbers |= 1 << a.numberCount
		a.hasRepeats = a.hasRepeats || sharesName(tokens[:i], t)
	}
	a.numberCount++
}

// dropNumbersWithoutKeyword returns ambiguous without the numbers that cannot be names in this reading, because none of its keywords
// takes them. It returns false if the tokens contain a name that none of these keywords takes: then the reading is impossible.
func (r tokenReading) dropNumbersWithoutKeyword(tokens []token, ambiguous ambiguities) (ambiguities, bool) {
	isUnclaimed := func(t token) bool {
		takesToken := func(o token) bool { return o.kind == tokenKeyword && takesName(o.keyword, t) }
		return !takesName(r.verb, t) && !takesName(r.list, t) && !slices.ContainsFunc(tokens, takesToken)
	}
	number := 0
	for _, t := range tokens {
		switch {
		case t.kind == tokenName && isUnclaimed(t):
			return ambiguous, false
		case t.kind == tokenCount && len(t.names) > 0:
			if isUnclaimed(t) {
				ambiguous.separateNumbers &^= 1 << number
			}
			number++
		}
	}
	return ambiguous, true
}

// sharesName reports whether one of the tokens may name the same thing as t.
func sharesName(tokens []token, t token) bool {
	return slices.ContainsFunc(tokens, func(o token) bool {
		return slices.ContainsFunc(o.names, func(n rules.Name) bool {
			return slices.ContainsFunc(t.names, func(m rules.Name) bool { return n.Kind == m.Kind && n.Code == m.Code })
		})
	})
}

// isRedundant reports whether the reading resolves an ambiguity that the tokens do not have.
func (r tokenReading) isRedundant(ambiguous ambiguities) bool {
	has := func(c choices) bool { return r.choices&c > 0 }
	return has(choiceModifier) && !ambiguous.hasModifier || has(choiceRepeat) && !ambiguous.hasRepeats
}

// variants yields the reading with every combination of choices for the ambiguities.
func (r tokenReading) variants(ambiguous ambiguities) iter.Seq[tokenReading] {
	return func(yield func(tokenReading) bool) {
		for bits := range 8 { // The bits are choiceModifier, choiceRepeat, and 4 if numbers may be names.
			plain := choices(bits) & (choiceModifier | choiceRepeat)
			if r.choices = plain; r.isRedundant(ambiguous) {
				continue
			}
			first, limit := uint(0), uint(1)
			if bits&4 > 0 && ambiguous.numberCount == 0 {
				continue
			} else if bits&4 > 0 {
				first, limit = 1, 1<<ambiguous.numberCount
			}
			for n := first; n < limit; n++ {
				if n&^ambiguous.separateNumbers > 0 {
					continue
				}
				r.choices = plain | choices(n)*choiceNumberNames
				for r.remainder = 1; r.remainder == 1 || ambiguous.hasRemainder && r.remainder <= maxRemainder; r.remainder++ {
					if !yield(r) {
						return
					}
				}
			}
		}
	}
}

// maxNumberNames is the maximum number of numbers that may be names, maxRemainder the maximum count that "the rest" may mean.
const (
	maxNumberNames = 3
	maxRemainder   = 6
)

type legalOrder struct {
	order            rules.Order
	spendsAll        bool
	isCountAmbiguous bool
	*Trial
}

func distinctAnswers(list []legalOrder) []string {
	var out []string
	seen := map[string]bool{}
	for _, o := range list {
		if !seen[o.Answer] {
			seen[o.Answer] = true
			out = append(out, Format(o.order))
		}
	}
	return out
}

// findAnswers returns the orders that tokens make: an order for the question q, and orders for the questions that follow. If several
// different answers to q are possible, it returns them as alternatives. depth is the number of earlier questions.
func (a *assembly) findAnswers(q *Question, tokens []token, depth int) (orders []rules.Order, alternatives []string) {
	tokens = trimSeparators(tokens)
	if len(tokens) == 0 || q == nil || depth > maxLaterQuestions {
		return nil, nil
	}
	a.question = q
	found := a.preferCounted(a.preferComplete(a.findLegalAnswers(tokens)))
	if depth == 0 && len(found) == 0 {
		found = a.findAnswersWithKeyword(tokens)
	}
	if list := distinctAnswers(found); len(list) == 1 {
		a.isCountAmbiguous = found[0].isCountAmbiguous
		if found[0].spendsAll && !a.hasPointWord {
			a.added = []string{"what the points are for"}
		}
		a.namesMore = a.namesMore || !found[0].IsSingleAnswer && !a.vocabulary.mayContinueWithList(q)
		return []rules.Order{found[0].order}, nil
	} else if len(list) > 1 {
		return nil, list
	}
	return a.splitAnswers(q, tokens, depth), nil
}

func (a *assembly) splitAnswers(q *Question, tokens []token, depth int) []rules.Order {
	for k := len(tokens) - 1; k > 0; k-- {
		if !tokens[k].isSeparator() {
			continue
		}
		a.question = q
		first := a.findLegalAnswers(trimSeparators(tokens[:k]))
		if len(distinctAnswers(first)) != 1 || first[0].Next == nil {
			continue
		}
		rest, _ := a.findAnswers(first[0].Next(), tokens[k+1:], depth+1)
		if len(rest) == 0 || !a.hasCount(rest[0]) && mayAlsoAnswerFirst(tokens[:k], tokens[k+1:]) {
			continue
		}
		return append([]rules.Order{first[0].order}, rest...)
	}
	return nil
}

// findAnswersOrNumber is findAnswers for tokens that may also contain the number of the answer.
func (a *assembly) findAnswersOrNumber(q *Question, tokens []token) (orders []rules.Order, alternatives []string) {
	if orders, alternatives = a.findAnswers(q, tokens, 0); len(orders) == 0 {
		if both := a.findAnswersBesideNumber(q, tokens); len(both) > 0 {
			return both, nil
		}
	}
	return orders, alternatives
}

// findAnswersBesideNumber returns the order for tokens that contain an answer and also its number in our letter, for example
// "Debrecen, number 5".
func (a *assembly) findAnswersBesideNumber(q *Question, tokens []token) []rules.Order {
	i := slices.IndexFunc(tokens, func(t token) bool { return t.kind == tokenCount })
	if i < 0 || tokens[i].number < 1 || tokens[i].number > len(q.NumberedAnswers) {
		return nil
	}
	orders, _ := a.findAnswers(q, slices.Delete(slices.Clone(tokens), i, i+1), 0)
	if len(orders) != 1 || Format(orders[0]) != Format(q.NumberedAnswers[tokens[i].number-1]) {
		return nil
	}
	return orders
}

// mayAlsoAnswerFirst reports whether rest may answer the same question as first. For example, "one from Krakow and one from Lodz" and
// "Krakow and Lodz".
func mayAlsoAnswerFirst(first, rest []token) bool {
	has := func(tokens []token, kind tokenKind) bool {
		return slices.ContainsFunc(tokens, func(t token) bool { return t.kind == kind })
	}
	return has(first, tokenCount) && has(rest, tokenCount) || !has(first, tokenKeyword) && !has(rest, tokenKeyword)
}

// hasCount reports whether an order has a keyword that allows counts.
func (a *assembly) hasCount(o rules.Order) bool {
	return slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool { return a.vocabulary.keywords.lookUp(c.Word).AllowsCounts })
}

// preferComplete works like preferOnlyComplete. If the verb allows different uses of points, the complete answer needs a
// confirmation, so preferComplete records in added what the letter omits.
func (a *assembly) preferComplete(found []legalOrder) []legalOrder {
	complete := preferOnlyComplete(found)
	if len(complete) < len(found) && a.vocabulary.mayContinueWithList(a.question) {
		a.added = []string{"what the points are for"}
	}
	return complete
}

// preferOnlyComplete returns the only complete answer of several; all answers if there is not exactly one.
func preferOnlyComplete(found []legalOrder) []legalOrder {
	complete := slices.DeleteFunc(slices.Clone(found), func(o legalOrder) bool { return !o.IsSingleAnswer })
	if len(distinctAnswers(found)) < 2 || len(distinctAnswers(complete)) != 1 {
		return found
	}
	return complete
}

// lacksPlaceForPoints reports whether tokens spend points without a place for them, e.g. "36 for ops".
func (a *assembly) lacksPlaceForPoints(tokens []token) bool {
	hasPointKeyword := false
	for _, t := range tokens {
		switch {
		case t.kind == tokenName && slices.ContainsFunc(t.names, func(n rules.Name) bool { return a.vocabulary.isCounted(n.Kind) }):
			return false
		case t.kind == tokenKeyword && t.keyword.CountKeyword != "":
			hasPointKeyword = true
		}
	}
	return hasPointKeyword
}

// preferCounted returns only the answers with a count if the letter has a word for points. For example, "both points
// into Budapest" places points, and is not a CHECK.
func (a *assembly) preferCounted(found []legalOrder) []legalOrder {
	if !a.hasPointWord || len(distinctAnswers(found)) < 2 {
		return found
	}
	withCount := slices.DeleteFunc(slices.Clone(found), func(o legalOrder) bool { return !a.hasCount(o.order) })
	if len(withCount) == 0 {
		return found
	}
	return withCount
}

// maxLaterQuestions is the maximum number of questions, after the first, that a letter answers without separate lines.
const maxLaterQuestions = 4

func trimSeparators(tokens []token) []token {
	for len(tokens) > 0 && tokens[0].isSeparator() {
		tokens = tokens[1:]
	}
	for len(tokens) > 0 && tokens[len(tokens)-1].isSeparator() {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}
