package order

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"samizdat/rules"
)

// Question is what a letter answers, as far as it helps to understand the letter.
type Question struct {
	// verbs are what legal answers begin with, words the keywords without names that
	// stand in them, namesAsked what they name, which are the things named.
	verbs, words []string
	namesAsked   []rules.Name
	named        map[thing]bool
	// only are the answers that are the only ones with their verb.
	only map[string]rules.Order
	// Forms are the numbered answers, where the letter numbers them.
	Forms []rules.Order
	known *grasp
	// Said is the text of the question, Heading the line of the letter that says where the match stands ("Turn 1 of
	// 10, round 2 of 7."): what an answer repeats of them says nothing new.
	Said, Heading string
	// Try says what an order comes to as an answer; nil when it is none that is legal.
	Try func(rules.Order) *Trial
}

// thing is what a name is of.
type thing struct {
	kind rules.NameKind
	code int
}

// Trial is a legal answer.
type Trial struct {
	// Answer is the answer in canonical form. Whole answers say nothing for later.
	Answer string
	Whole  bool
	// Next is the question that its writer is asked behind it; nil where there is none, or chance comes before it.
	Next func() *Question
}

// Ask makes a question of legal answers in canonical form.
func (p *Parser) Ask(answers []string, try func(rules.Order) *Trial) *Question {
	q := &Question{Try: try, only: map[string]rules.Order{}, named: map[thing]bool{}}
	for _, a := range answers {
		o, err := p.Plain(a)
		if err != nil {
			continue
		}
		verb := o.Clauses[0].Word
		if q.only[verb] = o; slices.Contains(q.verbs, verb) {
			q.only[verb] = rules.Order{}
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

// kinds are those of names that may stand in answers.
func (v *vocabulary) kinds(q *Question) []rules.NameKind { return v.grasp(q).kinds }

// kindsAsked are the kinds of names that may stand in answers: those that the verbs take, and
// where a verb leads to other keywords, those that they take.
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
	return v.grasp(q).leads
}

// counted reports whether things of a kind are counted behind some keyword.
func (v *vocabulary) counted(kind rules.NameKind) bool { return v.keywords.counted[kind] }

// named looks for the name that begins ws, among all of some kinds: how many words it has, and the names that fit,
// those of the question's answers if any of them does. It is not sure where several names are near.
func (v *vocabulary) named(q *Question, kinds []rules.NameKind, ws []word) (n int, names []rules.Name, sure bool) {
	all := slices.Clone(ws[:min(len(ws), v.names.longest)])
	for i, w := range all {
		if v := numerals[w.text]; v > 0 && i > 0 {
			all[i] = numberWord(v)
		}
	}
	for n := len(all); n > 0; n-- {
		list := all[:n]
		if n > 2 && v.names.fit(list, true).empty() {
			continue
		}
		if slices.ContainsFunc(list[1:], func(w word) bool { return w.comma }) {
			if names, quality := v.names.find(kinds, list); quality == matchFull {
				return n, names, true
			}
			continue
		}
		v.grasp(q).looks++
		if names, sure := v.fitting(q, kinds, list); len(names) > 0 {
			return n, names, sure
		}
	}
	return 0, nil, false
}

// fitting are the names that words fit: as they stand, as beginnings or initials, with endings, or with
// letters wrong, whichever is first.
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
	case quality == matchWords && len(own) == 1:
		return own, true
	case single && v.everyday(ws[0].text):
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
	if quality != matchNone && (v.leads(q) || len(q.namesAsked) == 0) {
		return names, slices.ContainsFunc(names, short)
	}
	return v.misspelt(q, kinds, ws)
}

// weak reports whether words are a single one that is too short for a part of a name that it is not quite: "turn" is not
// The Crowd Turns Against Ceausescu, nor "would" Heal Our Bleeding Wound.
func weak(ws []word) bool { return len(ws) == 1 && len(ws[0].text) < 7 }

// misspelt are the names that words are but for letters that are wrong. What is no answer is named in
// full, or not at all, unless an answer goes on with a list.
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

// shortens reports whether a word is one of a name, begins the name's text, or has the first letters of its words. That
// "demo" begins a word further behind, or "clause" another name of Cluj, is a guess.
func shortens(n rules.Name, w string) bool {
	return strings.HasPrefix(First(n.Text), w) || slices.ContainsFunc(spellings(n), func(t []string) bool {
		return acronym(t) == w || slices.Contains(t, w) || slices.Contains(t, singular(w))
	})
}

// endsAs reports whether a name has a word with the same end as a misspelt one, or the same letters: "krakiw" and "krakwo",
// and not "consumers".
func endsAs(n rules.Name, w word) bool {
	return slices.ContainsFunc(spellings(n), func(t []string) bool {
		return slices.ContainsFunc(t, func(t string) bool {
			return (t[len(t)-1] == w.text[len(w.text)-1] || sortedLetters(t) == sortedLetters(w.text)) && wrong(w, t) < mostWrong
		})
	})
}

// sortedLetters are the letters of a word in the order of the alphabet.
func sortedLetters(w string) string {
	b := []byte(w)
	slices.Sort(b)
	return string(b)
}

// fullOnly reports whether words are no name unless it is written just so: a number, a number before a word, and
// function words at either end: "third", "un à Prague", "in Lodz".
func fullOnly(ws []word) bool {
	first := ws[0]
	if idle(first) || idle(ws[len(ws)-1]) {
		return true
	}
	if len(ws) == 1 {
		return first.number >= 0 || ordinals[first.text] > 0
	}
	return counting[first.text] > 0 || numerals[first.text] > 0
}

// idle reports whether a word begins and ends no name that is not written in full.
func idle(w word) bool { return lexical().function.has(w.text) || lexical().denial.has(w.text) }

// everyday reports whether a word of daily life is neither a shortened nor a misspelt name.
func (v *vocabulary) everyday(w string) bool { return lexical().everyday.has(w) }

// own are those of some names that the question's answers name.
func (q *Question) own(names []rules.Name) []rules.Name {
	return slices.DeleteFunc(slices.Clone(names), func(n rules.Name) bool { return !q.names(n) })
}

// among are the names of the question's answers that words fit better than the others of
// them: by any beginnings, by a word alone, or by their initials.
func (v *vocabulary) among(q *Question, kinds []rules.NameKind, ws []word) []rules.Name {
	var out []rules.Name
	best, list, single := matchNone, texts(ws), singulars(ws)
	for _, n := range q.namesAsked {
		if n.NoAbbreviation || !slices.Contains(kinds, n.Kind) {
			continue
		}
		m := matchNone
		for _, t := range v.names.of[thing{n.Kind, n.Code}].texts {
			m = max(m, match(list, t), match(single, t))
			if len(ws) == 1 && len(t) > 2 && list[0] == acronym(t) {
				m = matchFull
			}
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

// singulars are words without the endings of the plural.
func singulars(ws []word) []string {
	out := texts(ws)
	for i, w := range out {
		out[i] = singular(w)
	}
	return out
}

// acronym is made of the first letters of words.
func acronym(text []string) string {
	var b strings.Builder
	for _, t := range text {
		b.WriteByte(t[0])
	}
	return b.String()
}

// leastNumbered is from where on a number is none of points, and needs no word before it to be that of a thing.
const leastNumbered = 10

// Widen lets answers to a question name what lines name by its number, although no legal answer
// does: "card 36" that its writer does not hold.
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

// grasp is what was found out of a question, and of the pieces of a letter as answers to it. A
// letter is taken apart several times, and much of that comes to the same.
type grasp struct {
	// leads reports whether an answer may go on with a list of its own; kinds are the kinds of
	// names that may stand in answers.
	leads bool
	kinds []rules.NameKind
	// short are the keywords that may be written short.
	short  []keyword
	trials map[string]*Trial
	effort
}

// effort is the work that a letter has made as an answer to a question: words that were taken
// in, runs of words that were looked up as names, parts of orders that were put together, orders that were
// tried, and questions behind these that were asked.
type effort struct {
	words, looks, parts, tried, asked int
}

// mostWork bounds the work that one letter makes as an answer, in about tenths of a microsecond; one
// that would make more says nothing that could be done. Of some 3,000 letters that people wrote the hardest makes
// 44,000: it puts 31,000 parts together and tries 142 orders.
const mostWork = 40000

// work is what all that came to.
func (e *effort) work() int { return 20*e.words + 30*e.looks + e.parts + 60*e.tried + 2500*e.asked }

// Work is the work that a letter has made as an answer to the question, in the measure of its bound.
func (q *Question) Work() int {
	if q.known == nil {
		return 0
	}
	return q.known.work()
}

// spent reports whether a letter has made as much work as any may.
func (e *effort) spent() bool { return e.work() > mostWork }

// grasp is what is known of a question. One letter is read at a time with a question.
func (v *vocabulary) grasp(q *Question) *grasp {
	if q.known != nil {
		return q.known
	}
	g := &grasp{trials: map[string]*Trial{}}
	q.known = g
	g.leads = slices.ContainsFunc(v.listed, func(k rules.Keyword) bool {
		return (k.Implied || k.CountKeyword != "") && slices.Contains(q.verbs, k.Word)
	})
	g.kinds = v.kindsAsked(q)
	for _, k := range v.keywords.list {
		if !k.alias && !k.Exact && v.concerns(q, k) {
			g.short = append(g.short, k)
		}
	}
	return g
}

// try is what an order comes to as an answer to the question.
func (x *assembly) try(o rules.Order) *Trial {
	g := x.vocabulary.grasp(x.q)
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
