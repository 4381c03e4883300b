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
	// verbs are the first words of legal answers, words the keywords without names in them, namesAsked their names, and named the
	// things behind these names.
	verbs, words []string
	namesAsked   []rules.Name
	named        map[thing]bool
	// Forms are the numbered answers, if the letter numbers them.
	Forms []rules.Order
	known *analysis
	// Said is the text of the question, Heading the line of the letter with the state of the match ("Turn 1 of 10, round 2 of 7.").
	// Words of an answer that repeat them mean nothing new.
	Said, Heading string
	// Try returns the trial of an order as an answer; nil if the order is not legal.
	Try func(rules.Order) *Trial
}

// thing identifies the thing that a name belongs to.
type thing struct {
	kind rules.NameKind
	code int
}

// Trial is the result of a legal answer.
type Trial struct {
	// Answer is the answer in canonical form. Whole answers leave nothing for later.
	Answer string
	Whole  bool
	// Next returns the next question to the same writer behind the answer; nil if there is none, or if chance comes first.
	Next func() *Question
}

// Ask makes a question from legal answers in canonical form, e.g. "PLAY 36 EVENT".
func (p *Parser) Ask(answers []string, try func(rules.Order) *Trial) *Question {
	q := &Question{Try: try, named: map[thing]bool{}}
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
				q.name(it.Name)
				for _, m := range it.Mods {
					q.name(m.Name)
				}
			}
		}
	}
	return q
}

func (q *Question) name(n rules.Name) {
	if !q.names(n) {
		q.namesAsked, q.named[thing{n.Kind, n.Code}] = append(q.namesAsked, n), true
	}
}

// names reports whether a legal answer names a thing.
func (q *Question) names(n rules.Name) bool { return q.named[thing{n.Kind, n.Code}] }

func (v *vocabulary) kinds(q *Question) []rules.NameKind { return v.analyse(q).kinds }

// kindsAsked are the kinds of names that may stand in answers: those that the verbs take, and if a verb leads to other keywords, those
// that they take.
func (v *vocabulary) kindsAsked(q *Question) []rules.NameKind {
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
	if v.leads(q) {
		for _, k := range v.listed {
			if k.List && slices.ContainsFunc(k.Takes, v.counted) {
				add(k)
			}
		}
	}
	return out
}

// leads reports whether an answer may go on with a list of its own.
func (v *vocabulary) leads(q *Question) bool {
	return v.analyse(q).leads
}

// counted reports whether things of a kind are counted behind some keyword.
func (v *vocabulary) counted(kind rules.NameKind) bool { return v.keywords.counted[kind] }

// named looks for the name of some kinds that begins ws. It returns the number of words and the names that fit; if any of these are in
// the question's answers, only those. Sure is false if several names are near.
func (v *vocabulary) named(q *Question, kinds []rules.NameKind, ws []word) (n int, names []rules.Name, sure bool) {
	all := ws[:min(len(ws), v.names.longest)]
	for n := len(all); n > 0; n-- {
		list := all[:n]
		if n > 2 && v.names.fit(list, true).empty() {
			continue
		}
		if slices.ContainsFunc(list[1:], func(w word) bool { return w.comma }) {
			continue
		}
		v.analyse(q).looks++
		if names, sure := v.fitting(q, kinds, list); len(names) > 0 {
			return n, names, sure
		}
	}
	return 0, nil, false
}

// fitting are the names that words fit. The first of these steps that finds any decides: exact words, beginnings or initials, case
// endings, wrong letters.
func (v *vocabulary) fitting(q *Question, kinds []rules.NameKind, ws []word) (names []rules.Name, sure bool) {
	names, quality := v.names.find(kinds, ws)
	own, single := q.own(names), len(ws) == 1
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
		if names := v.declined(kinds, ws[0]); len(names) == 1 {
			return names, true
		}
	}
	short := func(n rules.Name) bool { return !single || shortens(n, ws[0].text) }
	if own := v.among(q, kinds, ws); len(own) > 0 {
		sure := slices.ContainsFunc(own, short)
		if !sure && weak(ws) {
			return nil, false
		}
		return own, sure
	}
	if len(strings.Join(texts(ws), "")) < 4 {
		return nil, false // "Ada" and "ty" are no beginnings.
	}
	if quality != matchNone && len(q.namesAsked) == 0 {
		return names, slices.ContainsFunc(names, short)
	}
	return v.misspelt(q, kinds, ws)
}

// weak reports whether words are a single word, too short to be an inexact part of a name. For example, "turn" is not The Crowd Turns
// Against Ceausescu, nor "would" Heal Our Bleeding Wound.
func weak(ws []word) bool { return len(ws) == 1 && len(ws[0].text) < 7 }

// misspelt are the names that words misspell. A name outside the legal answers must be written in full, unless an answer goes on with a
// list.
func (v *vocabulary) misspelt(q *Question, kinds []rules.NameKind, ws []word) (names []rules.Name, sure bool) {
	names, l := v.names.like(kinds, ws)
	own := q.own(names)
	anything := v.leads(q) || len(q.namesAsked) == 0
	slight := l.cost == 0 || l.cost <= len(ws) && slices.ContainsFunc(names, func(n rules.Name) bool { return endsAs(n, ws[len(ws)-1]) })
	switch {
	case weak(ws) && !l.whole:
		return nil, false
	case anything && (len(names) == 1 || len(names) > 0 && l.cost == 0):
		return names, slight
	case len(own) == 1:
		return own, len(names) == 1 && slight
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

// sortedLetters are the letters of a word in alphabetical order.
func sortedLetters(w string) string {
	b := []byte(w)
	slices.Sort(b)
	return string(b)
}

// fullOnly reports whether words are a name only if written in full: a number, a number before a word, and function words at either
// end. For example, "third", "un à Prague" and "in Lodz".
func fullOnly(ws []word) bool {
	first := ws[0]
	if idle(first) || idle(ws[len(ws)-1]) {
		return true
	}
	if len(ws) == 1 {
		return first.number >= 0 || ordinals[first.text]
	}
	return counting[first.text] > 0 || numerals[first.text] > 0
}

// idle reports whether a word begins and ends no name that is not written in full.
func idle(w word) bool { return lexical().function.has(w.text) || lexical().denial.has(w.text) }

// isEveryday reports whether a word of daily life is neither a shortened nor a misspelt name.
func isEveryday(w string) bool { return lexical().everyday.has(w) }

// own are the names that the question's answers contain.
func (q *Question) own(names []rules.Name) []rules.Name {
	return slices.DeleteFunc(slices.Clone(names), func(n rules.Name) bool { return !q.names(n) })
}

// among are the names of the question's answers that fit words better than the other answers' names: by any beginnings or by a word
// alone.
func (v *vocabulary) among(q *Question, kinds []rules.NameKind, ws []word) []rules.Name {
	var out []rules.Name
	best, list, single := matchNone, texts(ws), texts(ws)
	for i, w := range single {
		single[i] = singular(w)
	}
	for _, n := range q.namesAsked {
		if n.NoAbbreviation || !slices.Contains(kinds, n.Kind) {
			continue
		}
		m := matchNone
		for _, t := range v.names.of[thing{n.Kind, n.Code}].texts {
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

// leastNumbered is the least number that cannot count points, and so names a thing without a word like "card" before it.
const leastNumbered = 10

// Widen lets answers name a thing that a line names by its number, although no legal answer does. For example, "card 36" that the
// writer does not hold.
func (p *Parser) Widen(q *Question, lines []string) {
	for _, line := range lines {
		ws := p.wordsOf(line)
		for i, w := range ws {
			if !w.digits || w.number < 1 {
				continue
			}
			for _, kind := range p.vocabulary.kinds(q) {
				if w.number < leastNumbered && (i == 0 || ws[i-1].text != string(kind)) {
					continue
				}
				names, _ := p.vocabulary.names.find([]rules.NameKind{kind}, []word{{text: strconv.Itoa(w.number), number: w.number, digits: true}})
				for _, n := range names {
					if n.Number == w.number {
						q.name(n)
					}
				}
			}
		}
	}
}

// analysis caches the analysis of a question, and of the pieces of a letter as answers to it. A letter is analysed several times with much
// the same pieces.
type analysis struct {
	// leads reports whether an answer may go on with a list of its own; kinds are the kinds of
	// names that may stand in answers.
	leads  bool
	kinds  []rules.NameKind
	trials map[string]*Trial
	effort
}

// effort counts the work for one letter as an answer to a question: words read, runs of words looked up as names, parts of orders
// assembled, orders tried, and later questions asked.
type effort struct {
	words, looks, parts, tried, asked int
}

// mostWork bounds the work for one letter, in about tenths of a microsecond; a letter above it is not understood. The hardest of some
// 3,000 letters that people wrote makes 44,000: it assembles 31,000 parts and tries 142 orders.
const mostWork = 40000

// work is the weighted sum of the effort.
func (e *effort) work() int { return 20*e.words + 30*e.looks + e.parts + 60*e.tried + 2500*e.asked }

// Work is the work for the letter so far, in the unit of mostWork.
func (q *Question) Work() int {
	if q.known == nil {
		return 0
	}
	return q.known.work()
}

func (e *effort) spent() bool { return e.work() > mostWork }

// analyse returns the analysis of a question. A question reads one letter at a time.
func (v *vocabulary) analyse(q *Question) *analysis {
	if q.known != nil {
		return q.known
	}
	g := &analysis{trials: map[string]*Trial{}}
	q.known = g
	g.leads = slices.ContainsFunc(v.listed, func(k rules.Keyword) bool {
		return (k.Implied || k.CountKeyword != "") && slices.Contains(q.verbs, k.Word)
	})
	g.kinds = v.kindsAsked(q)
	return g
}

// try returns the trial of an order as an answer to the question.
func (x *assembly) try(o rules.Order) *Trial {
	g := x.vocabulary.analyse(x.q)
	key := []byte(o.Text)
	for _, c := range o.Clauses {
		for _, it := range c.Items { // Things of different kinds may have the same name.
			key = strconv.AppendInt(append(append(key, it.Name.Kind...), ' '), int64(it.Name.Code), 10)
		}
	}
	t, ok := g.trials[string(key)]
	if !ok {
		if x.effort.tried++; x.effort.spent() {
			return nil
		}
		if t = x.q.Try(o); t != nil && t.Next != nil {
			next := t.Next
			t.Next = sync.OnceValue(func() *Question {
				if x.effort.asked++; x.effort.spent() {
					return nil
				}
				return next()
			})
		}
		g.trials[string(key)] = t
	}
	return t
}
