package order

import (
	"slices"

	"samizdat/rules"
)

// outcome is an order that is a legal answer.
type outcome struct {
	order rules.Order
	// stray: see building.
	stray bool
	// spends: all points that the letter counts go to the only place that it names.
	spends bool
	// twoWays: see building.
	twoWays bool
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
	found := x.counting(x.plainest(spending(x.legal(tokens))))
	if depth == 0 && len(found) == 0 && !x.spendsOnNothing(tokens) {
		found = x.completed(tokens)
	}
	if list := distinct(found); len(list) == 1 {
		x.twoWays = found[0].twoWays
		if x.guesses(found[0].order, tokens) || found[0].spends && !x.saysHow(tokens) {
			x.left = []string{"what the points are for"}
		}
		x.surplus = x.surplus || !found[0].Whole && !x.inTurn && !x.p.leads(q) || !slices.ContainsFunc(found, func(o outcome) bool { return !o.stray })
		return []rules.Order{found[0].order}, nil
	} else if len(list) > 1 {
		return nil, list
	}
	return x.parted(q, tokens, depth), nil
}

// parted finds an answer to the question with others behind it for what follows.
func (x *assembly) parted(q *Question, tokens []token, depth int) []rules.Order {
	for k := len(tokens) - 1; k > 0; k-- {
		if tokens[k].part < partComma {
			continue
		}
		x.q = q
		first := x.first(q, trimmed(tokens[:k]))
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

// first lists the answers that tokens stand for before others: the number of one, where they are
// numbered.
func (x *assembly) first(q *Question, tokens []token) []outcome {
	if n, ok := numbered(tokens); ok && n <= len(q.Forms) {
		if t := q.Try(q.Forms[n-1]); t != nil {
			return []outcome{{order: q.Forms[n-1], Trial: t}}
		}
	}
	return x.legal(tokens)
}

// answersOrNumber finds the orders that tokens stand for, the number of an answer beside its name
// left aside.
func (x *assembly) answersOrNumber(q *Question, tokens []token) (orders []rules.Order, several []string) {
	if orders, several = x.answers(q, tokens, 0); len(orders) == 0 {
		if both := x.asNumbered(q, tokens); len(both) > 0 {
			return both, nil
		}
	}
	return orders, several
}

// asNumbered are the orders of tokens that name an answer and say its number as well: "Debrecen,
// number 5".
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

// alsoToFirst reports whether what follows an answer, and counts nothing, may as well be a second answer to the
// same question: "one from Krakow and one from Lodz", "Krakow and Lodz".
func alsoToFirst(first, rest []token) bool {
	has := func(tokens []token, is part) bool {
		return slices.ContainsFunc(tokens, func(t token) bool { return t.part == is })
	}
	return has(first, partCount) && has(rest, partCount) || !has(first, partWord) && !has(rest, partWord)
}

// counted reports whether an order counts anything.
func (x *assembly) counted(o rules.Order) bool {
	return slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool { return x.p.keywords.named(c.Word).Counts })
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

// guesses reports whether an order lists names behind a keyword that counts nothing and that
// the letter does not say, though what is done may be counted: "all three ops to Gdansk".
func (x *assembly) guesses(o rules.Order, tokens []token) bool {
	return len(o.Clauses) > 1 && slices.ContainsFunc(o.Clauses[1:], func(c rules.Clause) bool {
		k := x.p.keywords.named(c.Word)
		return k.List && !k.Counts && len(c.Items) > 0 && !slices.ContainsFunc(tokens, func(t token) bool { return t.part == partWord && t.key.Word == c.Word })
	})
}

// spendsOnNothing reports whether tokens have the word for points and nothing that they could go to: "36 for
// ops". Of what they are for a single word that fits would be a guess.
func (x *assembly) spendsOnNothing(tokens []token) bool {
	spends := false
	for _, t := range tokens {
		switch {
		case t.part == partName && slices.ContainsFunc(t.names, func(n rules.Name) bool { return x.p.counted(n.Kind) }):
			return false
		case t.part == partWord && t.key.Counted != "":
			spends = true
		}
	}
	return spends
}

// saysHow reports whether a letter says what its points are for: it has a word for those that are
// counted, or the keyword of a list. "All three ops to Gdansk" may mean checks.
func (x *assembly) saysHow(tokens []token) bool {
	return x.points || slices.ContainsFunc(tokens, func(t token) bool { return t.part == partWord && t.key.List })
}

// counting are the answers in which something is counted, where the letter has a word for
// that and there are others: "both points into Budapest" checks nothing.
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

// spending are the answers that spend all points that the letter counts on the only place that it
// names, where there are some: "both Ops points into Budapest".
func spending(found []outcome) []outcome {
	if all := slices.DeleteFunc(slices.Clone(found), func(o outcome) bool { return !o.spends }); len(all) > 0 {
		return all
	}
	return found
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
