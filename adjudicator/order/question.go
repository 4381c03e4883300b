package order

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"samizdat/rules"
)

// Question describes the open question, with all that helps to understand the letter that answers it.
type Question struct {
	// verbs are the first words of legal answers, words the keywords without names in them, and answerNames the names in them.
	// nameSet is the same names as a set.
	verbs, words []string
	answerNames  []rules.Name
	nameSet      map[nameID]bool
	// Forms are the numbered answers, if the letter numbers them.
	Forms    []rules.Order
	analysis *analysis
	// Said is the text of the question, Heading the line of the letter with the state of the match ("Turn 1 of 10, round 2 of 7.").
	// Words quoted from them are ignored.
	Said, Heading string
	// Try returns the trial of an order as an answer; nil if the order is not legal.
	Try func(rules.Order) *Trial
}

// nameID identifies the card, space or other thing that a name belongs to. Several names may have the same ID.
type nameID struct {
	kind rules.NameKind
	code int
}

// Trial is the result of a legal answer.
type Trial struct {
	// Answer is the answer in canonical form. Whole is set if nothing remains to be asked.
	Answer string
	Whole  bool
	// Next returns the next question to the same writer after the answer; nil if there is none, or if chance comes first.
	Next func() *Question
}

// Ask makes a question from legal answers in canonical form, e.g. "PLAY 36 EVENT".
func (p *Parser) Ask(answers []string, try func(rules.Order) *Trial) *Question {
	q := &Question{Try: try, nameSet: map[nameID]bool{}}
	for _, a := range answers {
		o, err := p.Plain(a)
		if err != nil {
			continue
		}
		for i, c := range o.Clauses {
			switch {
			case i == 0 && !slices.Contains(q.verbs, c.Word):
				q.verbs = append(q.verbs, c.Word)
			case i > 0 && len(c.Items) == 0 && !slices.Contains(q.words, c.Word):
				q.words = append(q.words, c.Word)
			}
			for _, it := range c.Items {
				q.addName(it.Name)
				for _, m := range it.Mods {
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

// hasName reports whether a legal answer contains a name of the same thing.
func (q *Question) hasName(n rules.Name) bool { return q.nameSet[nameID{n.Kind, n.Code}] }

func (v *vocabulary) answerKindsOf(q *Question) []rules.NameKind { return v.analyse(q).kinds }

// findAnswerKinds returns the kinds of names that may stand in answers: those that the verbs take, and if a second keyword may follow a
// verb, those that the second keyword takes.
func (v *vocabulary) findAnswerKinds(q *Question) []rules.NameKind {
	var out []rules.NameKind
	add := func(k rules.Keyword) {
		for _, t := range k.Takes {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	for _, k := range v.listed {
		if slices.Contains(q.verbs, k.Word) {
			add(k)
		}
	}
	if v.mayContinueWithList(q) {
		for _, k := range v.listed {
			if k.List && slices.ContainsFunc(k.Takes, v.isCounted) {
				add(k)
			}
		}
	}
	return out
}

// mayContinueWithList reports whether the verb of a legal answer may be followed by a second keyword with its own list of names.
func (v *vocabulary) mayContinueWithList(q *Question) bool {
	return v.analyse(q).leads
}

// isCounted reports whether some keyword takes a count for names of this kind, e.g. "PLACE Lodz 2".
func (v *vocabulary) isCounted(kind rules.NameKind) bool { return v.keywords.counted[kind] }

// matchName looks for a name of the given kinds at the beginning of ws. It returns the number of words and the names that match; if any
// of these are in legal answers, only those. Sure is false if several names are near.
func (v *vocabulary) matchName(q *Question, kinds []rules.NameKind, ws []word) (n int, names []rules.Name, sure bool) {
	all := ws[:min(len(ws), v.names.longest)]
	for n := len(all); n > 0; n-- {
		list := all[:n]
		if n > 2 && v.names.fit(list, true).empty() {
			continue
		}
		if slices.ContainsFunc(list[1:], func(w word) bool { return w.comma }) {
			continue
		}
		v.analyse(q).lookups++
		if names, sure := v.lookUp(q, kinds, list); len(names) > 0 {
			return n, names, sure
		}
	}
	return 0, nil, false
}

// lookUp returns the names that the words match. The first of these steps that finds any decides: exact words, beginnings or initials, case
// endings, wrong letters.
func (v *vocabulary) lookUp(q *Question, kinds []rules.NameKind, ws []word) (names []rules.Name, sure bool) {
	names, quality := v.names.find(kinds, ws)
	own, single := q.inAnswers(names), len(ws) == 1
	switch {
	case quality == matchFull && len(own) > 0:
		return own, true
	case quality == matchFull:
		return names, true
	case fullOnly(ws):
		return nil, false
	case single && isEveryday(ws[0].text):
		return nil, false
	case quality == matchNone && single:
		if names := v.inflected(kinds, ws[0]); len(names) == 1 {
			return names, true
		}
	}
	isShortened := func(n rules.Name) bool { return !single || shortens(n, ws[0].text) }
	if own := v.bestAnswerNames(q, kinds, ws); len(own) > 0 {
		sure := slices.ContainsFunc(own, isShortened)
		if !sure && isTooShort(ws) {
			return nil, false
		}
		return own, sure
	}
	if len(strings.Join(texts(ws), "")) < 4 {
		return nil, false // "Ada" and "ty" are too short for the beginning of a name.
	}
	if quality != matchNone && len(q.answerNames) == 0 {
		return names, slices.ContainsFunc(names, isShortened)
	}
	return v.findMisspelt(q, kinds, ws)
}

// isTooShort reports whether words are a single word, too short to be an inexact part of a name. For example, "turn" is not The Crowd Turns
// Against Ceausescu, nor "would" Heal Our Bleeding Wound.
func isTooShort(ws []word) bool { return len(ws) == 1 && len(ws[0].text) < 7 }

// findMisspelt returns the names that the words misspell. A name outside the legal answers must be written in full, unless an answer
// may continue with a list.
func (v *vocabulary) findMisspelt(q *Question, kinds []rules.NameKind, ws []word) (names []rules.Name, sure bool) {
	names, l := v.names.like(kinds, ws)
	own := q.inAnswers(names)
	allowsAnyName := v.mayContinueWithList(q) || len(q.answerNames) == 0
	isNear := l.cost == 0 || l.cost <= len(ws) && slices.ContainsFunc(names, func(n rules.Name) bool { return endsAs(n, ws[len(ws)-1]) })
	switch {
	case isTooShort(ws) && !l.whole:
		return nil, false
	case allowsAnyName && (len(names) == 1 || len(names) > 0 && l.cost == 0):
		return names, isNear
	case len(own) == 1:
		return own, len(names) == 1 && isNear
	}
	return nil, false
}

// shortens reports whether a word is a word of a name, or begins the name's text. To take "demo"
// for a later word of a name, or "clause" for another name of Cluj, would be a guess.
func shortens(n rules.Name, w string) bool {
	return strings.HasPrefix(First(n.Text), w) || slices.ContainsFunc(spellings(n), func(t []string) bool {
		return slices.Contains(t, w) || slices.Contains(t, singular(w))
	})
}

// endsAs reports whether a name has a word with the same first and last letter as a misspelt word, or with the same letters. For
// example, "krakiw" and "krakwo", and not "consumers" or "tally".
func endsAs(n rules.Name, w word) bool {
	return slices.ContainsFunc(spellings(n), func(t []string) bool {
		return slices.ContainsFunc(t, func(t string) bool {
			return t[0] == w.text[0] && (t[len(t)-1] == w.text[len(w.text)-1] || sortedLetters(t) == sortedLetters(w.text)) && wrong(w, t) < mostWrong
		})
	})
}

// sortedLetters returns the letters of a word in alphabetical order.
func sortedLetters(w string) string {
	b := []byte(w)
	slices.Sort(b)
	return string(b)
}

// fullOnly reports whether words are a name only if written in full: a number, a number before a word, and function words at either
// end. For example, "third", "un à Prague" and "in Lodz".
func fullOnly(ws []word) bool {
	first := ws[0]
	if isFunctionWord(first) || isFunctionWord(ws[len(ws)-1]) {
		return true
	}
	if len(ws) == 1 {
		return first.number >= 0 || ordinals[first.text]
	}
	return counting[first.text] > 0 || numerals[first.text] > 0
}

// isFunctionWord reports whether a word is a function word such as "the" or "not", which can begin or end a name only if the name is
// written in full.
func isFunctionWord(w word) bool {
	return lexical().function.has(w.text) || lexical().denial.has(w.text)
}

// isEveryday reports whether a word of daily life is neither a shortened nor a misspelt name.
func isEveryday(w string) bool { return lexical().everyday.has(w) }

// inAnswers returns the names that legal answers contain.
func (q *Question) inAnswers(names []rules.Name) []rules.Name {
	return slices.DeleteFunc(slices.Clone(names), func(n rules.Name) bool { return !q.hasName(n) })
}

// bestAnswerNames returns the names in legal answers that match the words best. Abbreviations and single words of a name count.
func (v *vocabulary) bestAnswerNames(q *Question, kinds []rules.NameKind, ws []word) []rules.Name {
	var out []rules.Name
	best, list, single := matchNone, texts(ws), texts(ws)
	for i, w := range single {
		single[i] = singular(w)
	}
	for _, n := range q.answerNames {
		if n.NoAbbreviation || !slices.Contains(kinds, n.Kind) {
			continue
		}
		m := matchNone
		for _, t := range v.names.of[nameID{n.Kind, n.Code}].texts {
			m = max(m, match(list, t), match(single, t))
		}
		switch {
		case m == matchNone || m < best, m == matchBeginning && len(ws) == 1 && len(list[0]) < 3:
		case m > best:
			out, best = []rules.Name{n}, m
		default:
			out = append(out, n)
		}
	}
	return out
}

// minBareNumber is the smallest number that can name a card without a word like "card" before it. Smaller numbers may be point counts.
const minBareNumber = 10

// Widen lets answers name a thing that a line names by its number, although no legal answer does. For example, "card 36" that the
// writer does not hold.
func (p *Parser) Widen(q *Question, lines []string) {
	for _, line := range lines {
		ws := p.wordsOf(line)
		for i, w := range ws {
			if !w.digits || w.number < 1 {
				continue
			}
			for _, kind := range p.vocabulary.answerKindsOf(q) {
				if w.number < minBareNumber && (i == 0 || ws[i-1].text != string(kind)) {
					continue
				}
				names, _ := p.vocabulary.names.find([]rules.NameKind{kind}, []word{{text: strconv.Itoa(w.number), number: w.number, digits: true}})
				for _, n := range names {
					if n.Number == w.number {
						q.addName(n)
					}
				}
			}
		}
	}
}

// analysis caches the analysis of a question, and of the pieces of a letter as answers to it. A letter is analysed several times with much
// the same pieces.
type analysis struct {
	// leads is the result of mayContinueWithList, kinds that of findAnswerKinds.
	leads  bool
	kinds  []rules.NameKind
	trials map[string]*Trial
	effort
}

// effort counts the work for one letter as an answer to a question: words read, runs of words looked up as names, parts of orders
// assembled, orders tried, and later questions asked.
type effort struct {
	words, lookups, parts, tried, asked int
}

// maxWork bounds the work for one letter, in about tenths of a microsecond; a letter above it is not understood. Without the bound, the
// hardest of some 3,000 letters that people wrote makes 44,000: it assembles 31,000 parts and tries 142 orders.
const maxWork = 40000

// work is the weighted sum of the effort.
func (e *effort) work() int { return 20*e.words + 30*e.lookups + e.parts + 60*e.tried + 2500*e.asked }

// Work is the work for the letter so far, in the unit of maxWork.
func (q *Question) Work() int {
	if q.analysis == nil {
		return 0
	}
	return q.analysis.work()
}

func (e *effort) isSpent() bool { return e.work() > maxWork }

// analyse returns the analysis of a question. A question reads one letter at a time.
func (v *vocabulary) analyse(q *Question) *analysis {
	if q.analysis != nil {
		return q.analysis
	}
	a := &analysis{trials: map[string]*Trial{}}
	q.analysis = a
	a.leads = slices.ContainsFunc(v.listed, func(k rules.Keyword) bool {
		return (k.Implied || k.CountKeyword != "") && slices.Contains(q.verbs, k.Word)
	})
	a.kinds = v.findAnswerKinds(q)
	return a
}

// try returns the trial of an order as an answer to the question.
func (x *assembly) try(o rules.Order) *Trial {
	a := x.vocabulary.analyse(x.q)
	key := []byte(o.Text)
	for _, c := range o.Clauses {
		for _, it := range c.Items { // Things of different kinds may have the same name.
			key = strconv.AppendInt(append(append(key, it.Name.Kind...), ' '), int64(it.Name.Code), 10)
		}
	}
	t, ok := a.trials[string(key)]
	if !ok {
		if x.effort.tried++; x.effort.isSpent() {
			return nil
		}
		if t = x.q.Try(o); t != nil && t.Next != nil {
			next := t.Next
			t.Next = sync.OnceValue(func() *Question {
				if x.effort.asked++; x.effort.isSpent() {
					return nil
				}
				return next()
			})
		}
		a.trials[string(key)] = t
	}
	return t
}
