package order

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"samizdat/rules"
)

// Question is an open question of a game to a player. Interpret reads a letter as an answer to it.
type Question struct {
	// verbs are the first words of the legal answers. keywords are other keywords in them, if no name follows. answerNames
	// are the names in the legal answers, and nameSet has their IDs. For example, PLAY 36 EVENT has the verb PLAY, the
	// keyword EVENT and the name of card 36.
	verbs, keywords []string
	answerNames     []rules.Name
	nameSet         map[nameID]bool
	// NumberedAnswers are the answers that the letter with the question lists with numbers from 1, so that the player may
	// write "2". It is empty if the letter has no numbered answers.
	NumberedAnswers []rules.Order
	analysis        *questionAnalysis
	// Text is the text of the question. Heading is the line with the state of the match in the letter with the question,
	// e.g. "Turn 1 of 10, round 2 of 7." Words that the player quotes from Text or Heading are ignored.
	Text, Heading string
	// Try tries an order as an answer. It returns nil if the order is not legal.
	Try func(rules.Order) *Trial
}

// nameID identifies the card, space or other thing that a name belongs to. Several names may have the same ID.
type nameID struct {
	kind rules.NameKind
	code int
}

// Trial is the result of trying an order as an answer.
type Trial struct {
	// Answer is the answer in canonical form. IsSingleAnswer is set if the order answers only this question, and no later
	// question.
	Answer         string
	IsSingleAnswer bool
	// Next returns the question to the same player that follows the answer directly. It returns nil if no question follows,
	// or if dice are rolled or cards are drawn before it.
	Next func() *Question
}

// NewQuestion makes a question from legal answers in canonical form, e.g. "PLAY 36 EVENT".
func (p *Parser) NewQuestion(answers []string, try func(rules.Order) *Trial) *Question {
	q := &Question{Try: try, nameSet: map[nameID]bool{}}
	for _, a := range answers {
		o, err := p.ParsePlain(a)
		if err != nil {
			continue
		}
		for i, c := range o.Clauses {
			switch {
			case i == 0 && !slices.Contains(q.verbs, c.Word):
				q.verbs = append(q.verbs, c.Word)
			case i > 0 && len(c.Items) == 0 && !slices.Contains(q.keywords, c.Word):
				q.keywords = append(q.keywords, c.Word)
			}
			for _, item := range c.Items {
				q.addName(item.Name)
				for _, m := range item.Modifiers {
					q.addName(m.Name)
				}
			}
		}
	}
	return q
}

func (q *Question) addName(n rules.Name) {
	if !q.hasName(n) {
		q.answerNames, q.nameSet[nameID{n.Kind, n.Code}] = append(q.answerNames, n), true
	}
}

// HasVerb reports whether a word begins a legal answer.
func (q *Question) HasVerb(word string) bool { return slices.Contains(q.verbs, word) }

func (q *Question) hasName(n rules.Name) bool { return q.nameSet[nameID{n.Kind, n.Code}] }

func (v *vocabulary) answerKindsOf(q *Question) []rules.NameKind { return v.analyse(q).answerKinds }

// findAnswerKinds returns the kinds of names that answers may contain: the kinds that the verbs take, and the kinds
// that a second keyword takes. For example, PLAY takes cards, and PLACE after it takes spaces.
func (v *vocabulary) findAnswerKinds(q *Question) []rules.NameKind {
	var out []rules.NameKind
	add := func(k rules.Keyword) {
		for _, t := range k.NameKinds {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	for _, k := range v.keywordList {
		if slices.Contains(q.verbs, k.Word) {
			add(k)
		}
	}
	if v.mayContinueWithList(q) {
		for _, k := range v.keywordList {
			if k.AllowsList && slices.ContainsFunc(k.NameKinds, v.isCounted) {
				add(k)
			}
		}
	}
	return out
}

// mayContinueWithList reports whether the verb of a legal answer may be followed by a second keyword with its own list of names.
func (v *vocabulary) mayContinueWithList(q *Question) bool {
	return v.analyse(q).allowsList
}

// isCounted reports whether some keyword takes a count for names of this kind, e.g. "PLACE Lodz 2".
func (v *vocabulary) isCounted(kind rules.NameKind) bool { return v.keywords.countedKinds[kind] }

// matchName looks for a name of the given kinds at the beginning of ws, as long as possible. n is the number of its
// words. names are the names that match; if legal answers contain some of them, names has only these. isCertain is false
// if the words are only similar to a name.
func (v *vocabulary) matchName(q *Question, kinds []rules.NameKind, ws []word) (n int, names []rules.Name, isCertain bool) {
	longest := ws[:min(len(ws), v.names.maxWords)]
	for n := len(longest); n > 0; n-- {
		prefix := longest[:n]
		if n > 2 && v.names.findCandidates(prefix, true).isEmpty() {
			continue
		}
		if slices.ContainsFunc(prefix[1:], func(w word) bool { return w.afterComma }) {
			continue
		}
		v.analyse(q).lookups++
		if names, isCertain := v.lookUpName(q, kinds, prefix); len(names) > 0 {
			return n, names, isCertain
		}
	}
	return 0, nil, false
}

// lookUpName returns the names that the words mean. It looks for a full name, then a case ending, an abbreviation, and
// wrong letters. The first step that finds names gives the result.
func (v *vocabulary) lookUpName(q *Question, kinds []rules.NameKind, ws []word) (names []rules.Name, isCertain bool) {
	names, quality := v.names.find(kinds, ws)
	inLegalAnswers, isSingleWord := q.namesInAnswers(names), len(ws) == 1
	switch {
	case quality == matchFull && len(inLegalAnswers) > 0:
		return inLegalAnswers, true
	case quality == matchFull:
		return names, true
	case needsFullName(ws):
		return nil, false
	case isSingleWord && isEverydayWord(ws[0].text):
		return nil, false
	case quality == matchNone && isSingleWord:
		if names := v.findInflected(kinds, ws[0]); len(names) == 1 {
			return names, true
		}
	}
	isShortened := func(n rules.Name) bool { return !isSingleWord || isPartOfName(n, ws[0].text) }
	if inLegalAnswers := v.bestAnswerNames(q, kinds, ws); len(inLegalAnswers) > 0 {
		isCertain := slices.ContainsFunc(inLegalAnswers, isShortened)
		if !isCertain && isTooShort(ws) {
			return nil, false
		}
		return inLegalAnswers, isCertain
	}
	if len(strings.Join(texts(ws), "")) < 4 {
		return nil, false // "Ada" and "ty" are too short to abbreviate a name
	}
	if quality != matchNone && len(q.answerNames) == 0 {
		return names, slices.ContainsFunc(names, isShortened)
	}
	return v.findMisspelt(q, kinds, ws)
}

// isTooShort reports whether ws is a single word of fewer than 7 letters, which is too short for an inexact match. For example, "turn"
// is not The Crowd Turns Against Ceausescu, and "would" is not Heal Our Bleeding Wound.
func isTooShort(ws []word) bool { return len(ws) == 1 && len(ws[0].text) < 7 }

// findMisspelt returns the names that the words misspell. It accepts a name outside the legal answers only if an answer may continue
// with a list, or if no answer contains a name.
func (v *vocabulary) findMisspelt(q *Question, kinds []rules.NameKind, ws []word) (names []rules.Name, isCertain bool) {
	names, similarity := v.names.findSimilar(kinds, ws)
	inLegalAnswers := q.namesInAnswers(names)
	allowsAnyName := v.mayContinueWithList(q) || len(q.answerNames) == 0
	isNear := similarity.wrongLetters == 0 || similarity.wrongLetters <= len(ws) &&
		slices.ContainsFunc(names, func(n rules.Name) bool { return hasLikelyTypo(n, ws[len(ws)-1]) })
	switch {
	case isTooShort(ws) && !similarity.isWholeName:
		return nil, false
	case allowsAnyName && (len(names) == 1 || len(names) > 0 && similarity.wrongLetters == 0):
		return names, isNear
	case len(inLegalAnswers) == 1:
		return inLegalAnswers, len(names) == 1 && isNear
	}
	return nil, false
}

// isPartOfName reports whether w is a word of a name or abbreviates its first word. Abbreviations of later words do not
// count, because they are guesses.
func isPartOfName(n rules.Name, w string) bool {
	return strings.HasPrefix(FirstWord(n.Text), w) || slices.ContainsFunc(spellings(n), func(t []string) bool {
		return slices.Contains(t, w) || slices.Contains(t, singular(w))
	})
}

// hasLikelyTypo reports whether w looks like a typing error in a word of the name: it has the same first and last letter, e.g. "krakiw" for
// Krakow, or the same first letter and the same letters, e.g. "krakwo". But "tally" is not Italy.
func hasLikelyTypo(n rules.Name, w word) bool {
	return slices.ContainsFunc(spellings(n), func(ws []string) bool {
		return slices.ContainsFunc(ws, func(t string) bool {
			return t[0] == w.text[0] && (t[len(t)-1] == w.text[len(w.text)-1] || sortedLetters(t) == sortedLetters(w.text)) &&
				countWrongLetters(w, t) < maxWrongLetters
		})
	})
}

func sortedLetters(w string) string {
	b := []byte(w)
	slices.Sort(b)
	return string(b)
}

// needsFullName reports whether words can only be a full name, not an abbreviation or a misspelling. This holds for
// numbers, e.g. "third", for words after a number, e.g. "un à Prague", and for words with a function word at either end,
// e.g. "in Lodz".
func needsFullName(ws []word) bool {
	first := ws[0]
	if isFunctionWord(first) || isFunctionWord(ws[len(ws)-1]) {
		return true
	}
	if len(ws) == 1 {
		return first.number >= 0 || ordinals[first.text]
	}
	return countingWords[first.text] > 0 || numerals[first.text] > 0
}

func isFunctionWord(w word) bool {
	return sharedLexicon().function.hasWord(w.text) || sharedLexicon().denial.hasWord(w.text)
}

func isEverydayWord(w string) bool { return sharedLexicon().everyday.hasWord(w) }

func (q *Question) namesInAnswers(names []rules.Name) []rules.Name {
	return slices.DeleteFunc(slices.Clone(names), func(n rules.Name) bool { return !q.hasName(n) })
}

// bestAnswerNames returns those names in the legal answers that match the words best. The words may be an abbreviation,
// or some words of a name.
func (v *vocabulary) bestAnswerNames(q *Question, kinds []rules.NameKind, ws []word) []rules.Name {
	var out []rules.Name
	best, wordTexts, singulars := matchNone, texts(ws), texts(ws)
	for i, w := range singulars {
		singulars[i] = singular(w)
	}
	for _, n := range q.answerNames {
		if n.NoAbbreviation || !slices.Contains(kinds, n.Kind) {
			continue
		}
		m := matchNone
		for _, t := range v.names.byID[nameID{n.Kind, n.Code}].texts {
			m = max(m, matchText(wordTexts, t), matchText(singulars, t))
		}
		switch {
		case m == matchNone || m < best, m == matchBeginning && len(ws) == 1 && len(wordTexts[0]) < 3:
		case m > best:
			out, best = []rules.Name{n}, m
		default:
			out = append(out, n)
		}
	}
	return out
}

// minBareNumber is the smallest number that can name a card without a word like "card" before it. Smaller numbers may
// be numbers of points.
const minBareNumber = 10

// AllowNumberedNames adds to a question the names whose numbers are in the lines, even if no legal answer has them. For
// example, "card 36" then means card 36 even if the player does not hold it, so that the refusal can name the card.
func (p *Parser) AllowNumberedNames(q *Question, lines []string) {
	for _, line := range lines {
		ws := p.wordsOf(line)
		for i, w := range ws {
			if !w.hasDigits || w.number < 1 {
				continue
			}
			for _, kind := range p.vocabulary.answerKindsOf(q) {
				if w.number < minBareNumber && (i == 0 || ws[i-1].text != string(kind)) {
					continue
				}
				names, _ := p.vocabulary.names.find([]rules.NameKind{kind}, []word{{text: strconv.Itoa(w.number), number: w.number, hasDigits: true}})
				for _, n := range names {
					if n.Number == w.number {
						q.addName(n)
					}
				}
			}
		}
	}
}

type questionAnalysis struct {
	// allowsList is the result of mayContinueWithList. answerKinds is the result of findAnswerKinds. trials holds the
	// results of Question.Try by order.
	allowsList  bool
	answerKinds []rules.NameKind
	trials      map[string]*Trial
	effort
}

// effort counts the work for one letter: words scanned, names looked up, parts of orders assembled, orders tried, and
// questions that follow an answer.
type effort struct {
	words, lookups, parts, trials, followUps int
}

// maxWork is the limit of the work for one letter, in units of about 0.1 microseconds. A letter that exceeds the limit
// is not understood. Among about 3,000 letters that people wrote, a single letter exceeds the limit, with 44,000.
const maxWork = 40000

func (e *effort) total() int {
	return 20*e.words + 30*e.lookups + e.parts + 60*e.trials + 2500*e.followUps
}

// Work returns the work for the letter so far, in the unit of maxWork.
func (q *Question) Work() int {
	if q.analysis == nil {
		return 0
	}
	return q.analysis.total()
}

func (e *effort) isExceeded() bool { return e.total() > maxWork }

func (v *vocabulary) analyse(q *Question) *questionAnalysis {
	if q.analysis != nil {
		return q.analysis
	}
	a := &questionAnalysis{trials: map[string]*Trial{}}
	q.analysis = a
	a.allowsList = slices.ContainsFunc(v.keywordList, func(k rules.Keyword) bool {
		return (k.Implied || k.CountKeyword != "") && slices.Contains(q.verbs, k.Word)
	})
	a.answerKinds = v.findAnswerKinds(q)
	return a
}

// tryOrder tries an order as an answer to the question. It returns nil if the order is not legal, or if the work exceeds its limit.
func (a *assembly) tryOrder(o rules.Order) *Trial {
	analysis := a.vocabulary.analyse(a.question)
	key := []byte(o.Text)
	for _, c := range o.Clauses {
		for _, item := range c.Items { // Things of different kinds may have the same name.
			key = strconv.AppendInt(append(append(key, item.Name.Kind...), ' '), int64(item.Name.Code), 10)
		}
	}
	t, ok := analysis.trials[string(key)]
	if !ok {
		if a.effort.trials++; a.effort.isExceeded() {
			return nil
		}
		if t = a.question.Try(o); t != nil && t.Next != nil {
			next := t.Next
			t.Next = sync.OnceValue(func() *Question {
				if a.effort.followUps++; a.effort.isExceeded() {
					return nil
				}
				return next()
			})
		}
		analysis.trials[string(key)] = t
	}
	return t
}
