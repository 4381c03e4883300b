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
	found := x.counting(x.plainest(x.legal(tokens)))
	if depth == 0 && len(found) == 0 {
		found = x.completed(tokens)
	}
	if list := distinct(found); len(list) == 1 {
		if x.guesses(found[0].order, tokens) {
			x.left = []string{"what the points are for"}
		}
		x.surplus = x.surplus || !found[0].Whole && !x.inTurn && !x.p.leads(q) || !slices.ContainsFunc(found, func(o outcome) bool { return !o.stray })
		return []rules.Order{found[0].order}, nil
	} else if len(list) > 1 {
		return nil, list
	}
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
		return append([]rules.Order{first[0].order}, rest...), nil
	}
	return nil, nil
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
