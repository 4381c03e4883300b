package order

import (
	"iter"
	"slices"
	"strings"

	"samizdat/rules"
)

// assembly puts tokens together to orders. For example, the tokens of "36 event" make PLAY 36 EVENT.
type assembly struct {
	vocabulary *vocabulary
	q          *Question
	// words are the words of all sentences without a negation.
	words []string
	// unknown are the words that belong to no token.
	unknown []string
	// left are the keywords that the assembly had to add.
	left   []string
	effort *effort
	last   *building
	// surplus reports whether an answer names more than the question asks.
	surplus bool
	// points reports whether the letter has a word for the things that are counted, such as "points".
	points bool
	// twoWays reports whether a name with a count stands beside a name without one, e.g. "2 in Krakow and Lodz".
	twoWays bool
}

// exhausted reports whether the search reached its bound; the orders found may then be incomplete.
func (x *assembly) exhausted() bool { return x.effort.isSpent() }

// legal lists the legal answers that can be made of tokens.
func (x *assembly) legal(tokens []token) []outcome {
	var out []outcome
	seen := map[string]bool{}
	for m := range x.interpretations(tokens) {
		if x.effort.parts += len(tokens); x.exhausted() {
			return nil
		}
		o, b, ok := x.build(tokens, m)
		if !ok {
			continue
		}
		if seen[o.Text] {
			continue
		}
		seen[o.Text] = true
		if t := x.try(o); t != nil {
			out = append(out, outcome{o, b.spends, b.twoWays, t})
		}
	}
	return out
}

// withAddedKeyword lists the legal answers of tokens with one keyword added. The added keyword makes the answer doubtful.
func (x *assembly) withAddedKeyword(tokens []token) []outcome {
	var found []outcome
	missing, said := x.candidateKeywords()
	if !said && x.spendsOnNothing(tokens) {
		return nil
	}
	for _, k := range missing {
		with := slices.Clone(tokens)
		if slices.ContainsFunc(tokens, func(t token) bool { return t.part == partWord && t.key.CountKeyword != "" }) {
			with = slices.DeleteFunc(with, func(t token) bool { // The EVENT of EVENT FIRST, beside OPS.
				return t.part == partWord && t.key.Word != k.Word && t.key.Word == strings.ToUpper(First(k.Word))
			})
		}
		for _, o := range x.legal(append(with, token{part: partWord, key: k})) {
			x.left, found = append(x.left, k.Word), append(found, o)
		}
	}
	if found = onlyWhole(found); len(distinct(found)) == 1 {
		for _, w := range x.q.words {
			if _, ok := found[0].order.Clause(w); ok && slices.Contains(x.left, w) {
				x.left = []string{w}
				return found
			}
		}
	}
	x.left = nil
	return nil
}

// candidateKeywords lists the keywords that may have been left out. These are the keywords of two words, in one spelling, whose second word
// stands in the letter outside any token; failing that, those whose second word stands anywhere in the letter; failing that, all of
// them. For example, "The pope goes first" is EVENT FIRST, and not EVENT AFTER.
func (x *assembly) candidateKeywords() (out []keyword, said bool) {
	for _, words := range [][]string{x.unknown, x.words, nil} {
		for _, w := range x.q.words {
			said := slices.ContainsFunc(x.vocabulary.keywords.by[First(w)], func(s keyword) bool {
				return s.Word == w && len(s.words) == 2 && slices.Contains(words, s.words[1])
			})
			if k := x.vocabulary.keywords.named(w); !k.Number && (said || words == nil) {
				out = append(out, k)
			}
		}
		if len(out) > 0 {
			return out, words != nil
		}
	}
	return nil, false
}

// interpretation is one reading of the tokens. For example, "Lodz 2 Gdansk" is Lodz 2 and Gdansk, or Lodz and 2 for Gdansk.
type interpretation struct {
	verb keyword
	// list is the keyword for names without a keyword before them, insert an added keyword; both may be empty.
	list, insert keyword
	choices
	// rest is the count of the points that are left.
	rest int
}

// choices has a bit for each decision of an interpretation about ambiguous tokens.
type choices uint

const (
	// choiceModifier reads words like AS as keywords.
	choiceModifier choices = 1 << iota
	// choiceRepeat reads the number of all points as the count of the only name, e.g. 3 in "3 points to Gdansk".
	choiceRepeat
	// choiceNumberNames is the first bit of the numbers: a number with its bit is a name, e.g. 36 a card.
	choiceNumberNames
	// choiceRest marks the use of the count of the points that are left.
	choiceRest = choiceNumberNames << mostNumbers
	// choiceInserted marks the use of the added keyword.
	choiceInserted = choiceRest << 1
)

// interpretations yields the readings of tokens, the plainest first. It skips readings that would build the same order again:
// an assembled order records the choices that it used, and the same used choices give the same order.
func (x *assembly) interpretations(tokens []token) iter.Seq[interpretation] {
	f := featuresOf(tokens)
	return func(yield func(interpretation) bool) {
		var last interpretation
		var made []usedInterpretation
		for _, m := range x.completions(tokens) {
			f, ok := m.dropUnclaimed(tokens, f)
			if !ok {
				continue
			}
			if m.verb != last.verb || m.list != last.list {
				last, made = m, made[:0]
			}
			for m := range m.variants(f) {
				if slices.ContainsFunc(made, m.sameChoices) {
					continue
				}
				if !yield(m) {
					return
				}
				made = append(made, usedInterpretation{x.last.interpretation, x.last.used})
			}
		}
	}
}

// usedInterpretation is an interpretation and the choices that its order used.
type usedInterpretation struct {
	interpretation
	used choices
}

// sameChoices reports whether the interpretation differs from an earlier one only in choices that the earlier order did not use.
func (m interpretation) sameChoices(a usedInterpretation) bool {
	return (m.choices^a.choices)&a.used == 0 && (a.used&choiceRest == 0 || m.rest == a.rest) && (a.used&choiceInserted == 0 || m.insert == a.insert)
}

// says reports whether a keyword is among tokens.
func says(tokens []token, keyword string) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.part == partWord && t.key.Word == keyword })
}

// completions lists the plainest interpretations, one for each pair of a verb and a keyword that may have been left out.
func (x *assembly) completions(tokens []token) []interpretation {
	leads := x.vocabulary.mayContinueWithList(x.q)
	lists, inserts := []keyword{}, []keyword{none}
	idle := false // A list that takes none of the names adds no interpretation.
	for _, k := range x.vocabulary.listed {
		switch {
		case leads && k.List && slices.ContainsFunc(k.Takes, x.vocabulary.isCounted):
			list := x.vocabulary.keywords.named(k.Word)
			if taken := slices.ContainsFunc(tokens, func(t token) bool { return takes(list, t) }); taken || !idle {
				lists, idle = append(lists, list), idle || !taken
			}
		case leads && len(x.q.answerNames) > 0 && k.CountKeyword != "" && k.Verb && !says(tokens, k.Word):
			inserts = append(inserts, x.vocabulary.keywords.named(k.Word))
		}
	}
	if !idle {
		lists = append(lists, none)
	}
	var out []interpretation
	for _, v := range x.q.verbs {
		for _, list := range lists {
			for _, insert := range inserts {
				out = append(out, interpretation{verb: x.vocabulary.keywords.named(v), list: list, insert: insert})
			}
		}
	}
	return out
}

// features are the ambiguities of tokens. An interpretation decides each of them.
type features struct {
	// numbers is the count of numbers that may name things, at most mostNumbers; apart marks those that do not count the
	// name behind them.
	numbers int
	apart   uint
	// repeats: a thing is named twice, or a number may be that of a list.
	repeats         bool
	rests, modifies bool
}

func featuresOf(tokens []token) features {
	var f features
	first := slices.IndexFunc(tokens, func(t token) bool { return t.part == partCount })
	for i, t := range tokens {
		switch t.part {
		case partName:
			f.repeats = f.repeats || namedIn(tokens[:i], t)
		case partWord:
			f.modifies = f.modifies || t.key.Modifies || len(t.key.Takes) > 0 && !t.key.Verb
			f.repeats = f.repeats || (t.key.List || t.key.CountKeyword != "") && first >= 0 && first < i
		case partCount:
			f.number(tokens, i)
		}
		f.rests = f.rests || t.part == partRest
	}
	f.numbers = min(f.numbers, mostNumbers)
	return f
}

// number records a token that is a number and may name a thing.
func (f *features) number(tokens []token, i int) {
	t := tokens[i]
	if len(t.names) == 0 {
		return
	}
	if !counts(t, tokens[i+1:]) {
		f.apart |= 1 << f.numbers
		f.repeats = f.repeats || namedIn(tokens[:i], t)
	}
	f.numbers++
}

// dropUnclaimed removes the numbers that can name nothing in this interpretation, since no keyword takes them. It reports whether each of
// the names has a keyword that takes it.
func (m interpretation) dropUnclaimed(tokens []token, f features) (features, bool) {
	unclaimed := func(t token) bool {
		claims := func(o token) bool { return o.part == partWord && takes(o.key, t) }
		return !takes(m.verb, t) && !takes(m.list, t) && !slices.ContainsFunc(tokens, claims)
	}
	number := 0
	for _, t := range tokens {
		switch {
		case t.part == partName && unclaimed(t):
			return f, false
		case t.part == partCount && len(t.names) > 0:
			if unclaimed(t) {
				f.apart &^= 1 << number
			}
			number++
		}
	}
	return f, true
}

// namedIn reports whether a token may name the same thing as t.
func namedIn(tokens []token, t token) bool {
	return slices.ContainsFunc(tokens, func(o token) bool {
		return slices.ContainsFunc(o.names, func(n rules.Name) bool {
			return slices.ContainsFunc(t.names, func(m rules.Name) bool { return n.Kind == m.Kind && n.Code == m.Code })
		})
	})
}

// isRedundant reports whether an interpretation makes a choice for an ambiguity that the tokens do not have.
func (m interpretation) isRedundant(f features) bool {
	has := func(c choices) bool { return m.choices&c > 0 }
	return has(choiceModifier) && !f.modifies || has(choiceRepeat) && !f.repeats
}

// variants yields an interpretation with every combination of choices for the ambiguities of the tokens.
func (m interpretation) variants(f features) iter.Seq[interpretation] {
	return func(yield func(interpretation) bool) {
		for bits := range 8 {
			plain := choices(bits) & (choiceModifier | choiceRepeat)
			if m.choices = plain; m.isRedundant(f) {
				continue
			}
			from, to := uint(0), uint(1)
			if bits&4 > 0 && f.numbers == 0 {
				continue
			} else if bits&4 > 0 { // some of the numbers name things
				from, to = 1, 1<<f.numbers
			}
			for n := from; n < to; n++ {
				if n&^f.apart > 0 {
					continue
				}
				m.choices = plain | choices(n)*choiceNumberNames
				for m.rest = 1; m.rest == 1 || f.rests && m.rest <= mostRest; m.rest++ {
					if !yield(m) {
						return
					}
				}
			}
		}
	}
}

// mostNumbers is the largest count of numbers that may name or count things, mostRest the largest unsaid count.
const (
	mostNumbers = 3
	mostRest    = 6
)

// outcome is an order that is a legal answer.
type outcome struct {
	order rules.Order
	// spends: all points that the letter counts go to its only place.
	spends bool
	// twoWays: see building.
	twoWays bool
	*Trial
}

// distinct lists the different answers.
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

// answers finds the orders of tokens: one order for the question, or several, where the later orders answer the questions behind the
// first.
func (x *assembly) answers(q *Question, tokens []token, depth int) (orders []rules.Order, several []string) {
	tokens = trimmed(tokens)
	if len(tokens) == 0 || q == nil || depth > mostAnswers {
		return nil, nil
	}
	x.q = q
	found := x.counting(x.plainest(x.legal(tokens)))
	if depth == 0 && len(found) == 0 {
		found = x.withAddedKeyword(tokens)
	}
	if list := distinct(found); len(list) == 1 {
		x.twoWays = found[0].twoWays
		if found[0].spends && !x.points {
			x.left = []string{"what the points are for"}
		}
		x.surplus = x.surplus || !found[0].Whole && !x.vocabulary.mayContinueWithList(q)
		return []rules.Order{found[0].order}, nil
	} else if len(list) > 1 {
		return nil, list
	}
	return x.parted(q, tokens, depth), nil
}

// parted splits tokens into an answer to the question and answers to the questions behind it.
func (x *assembly) parted(q *Question, tokens []token, depth int) []rules.Order {
	for k := len(tokens) - 1; k > 0; k-- {
		if tokens[k].part < partComma {
			continue
		}
		x.q = q
		first := x.legal(trimmed(tokens[:k]))
		if len(distinct(first)) != 1 || first[0].Next == nil {
			continue
		}
		rest, _ := x.answers(first[0].Next(), tokens[k+1:], depth+1)
		if len(rest) == 0 || !x.counted(rest[0]) && alsoToFirst(tokens[:k], tokens[k+1:]) {
			continue
		}
		return append([]rules.Order{first[0].order}, rest...)
	}
	return nil
}

// answersOrNumber finds the orders of tokens; the number of an answer beside its name is ignored.
func (x *assembly) answersOrNumber(q *Question, tokens []token) (orders []rules.Order, several []string) {
	if orders, several = x.answers(q, tokens, 0); len(orders) == 0 {
		if both := x.asNumbered(q, tokens); len(both) > 0 {
			return both, nil
		}
	}
	return orders, several
}

// asNumbered lists the orders of tokens that name an answer and its number. For example, "Debrecen, number 5".
func (x *assembly) asNumbered(q *Question, tokens []token) []rules.Order {
	i := slices.IndexFunc(tokens, func(t token) bool { return t.part == partCount })
	if i < 0 || tokens[i].n < 1 || tokens[i].n > len(q.Forms) {
		return nil
	}
	orders, _ := x.answers(q, slices.Delete(slices.Clone(tokens), i, i+1), 0)
	if len(orders) != 1 || Write(orders[0]) != Write(q.Forms[tokens[i].n-1]) {
		return nil
	}
	return orders
}

// alsoToFirst reports whether the tokens behind an answer, without a count, may be a second answer to the same question. For example,
// "one from Krakow and one from Lodz" and "Krakow and Lodz".
func alsoToFirst(first, rest []token) bool {
	has := func(tokens []token, is part) bool {
		return slices.ContainsFunc(tokens, func(t token) bool { return t.part == is })
	}
	return has(first, partCount) && has(rest, partCount) || !has(first, partWord) && !has(rest, partWord)
}

// counted reports whether an order has a count.
func (x *assembly) counted(o rules.Order) bool {
	return slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool { return x.vocabulary.keywords.named(c.Word).Counts })
}

// plainest prefers the only answer that says no more than the question asks to answers that say more, such as a thing named twice, or
// checks where points can be placed. The omission is a doubt where an operation could be another.
func (x *assembly) plainest(found []outcome) []outcome {
	whole := onlyWhole(found)
	if len(whole) < len(found) && x.vocabulary.mayContinueWithList(x.q) {
		x.left = []string{"what the points are for"}
	}
	return whole
}

// onlyWhole is the only whole answer of several; all answers if there is no such answer.
func onlyWhole(found []outcome) []outcome {
	whole := slices.DeleteFunc(slices.Clone(found), func(o outcome) bool { return !o.Whole })
	if len(distinct(found)) < 2 || len(distinct(whole)) != 1 {
		return found
	}
	return whole
}

// spendsOnNothing reports whether tokens have the word for points and no place for them, e.g. "36 for ops". To choose the place by the
// only word that fits would be a guess.
func (x *assembly) spendsOnNothing(tokens []token) bool {
	spends := false
	for _, t := range tokens {
		switch {
		case t.part == partName && slices.ContainsFunc(t.names, func(n rules.Name) bool { return x.vocabulary.isCounted(n.Kind) }):
			return false
		case t.part == partWord && t.key.CountKeyword != "":
			spends = true
		}
	}
	return spends
}

// counting prefers answers with a count, if the letter has a word for points. For example, "both points into Budapest" checks nothing.
func (x *assembly) counting(found []outcome) []outcome {
	if !x.points || len(distinct(found)) < 2 {
		return found
	}
	some := slices.DeleteFunc(slices.Clone(found), func(o outcome) bool { return !x.counted(o.order) })
	if len(some) == 0 {
		return found
	}
	return some
}

// mostAnswers bounds the orders that one letter may hold without separate lines.
const mostAnswers = 4

// trimmed is a list of tokens without idle separators.
func trimmed(tokens []token) []token {
	for len(tokens) > 0 && tokens[0].part >= partComma {
		tokens = tokens[1:]
	}
	for len(tokens) > 0 && tokens[len(tokens)-1].part >= partComma {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}
