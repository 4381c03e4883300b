package order

import (
	"slices"
	"strconv"
)

// assembly puts tokens together to orders.
type assembly struct {
	p *Parser
	q *Question
	// tries counts the orders that were tried, left are keywords that had to be added.
	tries int
	left  []string
	// built counts what was put together, here and for other parts of the same letter.
	built  *int
	effort *effort
	last   building
	// surplus means that an answer names more than is asked, points that a word for what is
	// counted stands in the letter.
	surplus, points bool
	// twoWays: see building.
	twoWays bool
	// inTurn means that all but the first thing is said to come after it.
	inTurn bool
}

// mostTries is how many orders are tried for one letter, mostBuilt how many may be put together:
// a letter for which that is not enough is not understood.
const (
	mostTries = 600
	mostBuilt = 12000
)

// exhausted reports whether not all could be put together: what was found may not be all.
func (x *assembly) exhausted() bool { return *x.built > mostBuilt || x.effort.spent() }

// legal lists the legal answers that tokens can be put together to. The same beginnings of a
// letter are put together again and again, with another rest behind them.
func (x *assembly) legal(tokens []token) []outcome {
	x.effort.parts += len(tokens) / 4
	g, key := x.p.grasp(x.q), spelled(tokens)
	out, ok := g.legals[key]
	if !ok {
		if out = x.assembled(tokens); !x.exhausted() {
			g.legals[key] = out
		}
	}
	return out
}

// spelled is a text that differs between lists of tokens that differ.
func spelled(tokens []token) string {
	b := make([]byte, 0, 16*len(tokens))
	for i := range tokens {
		t := &tokens[i]
		b = append(b, byte('0'+t.part))
		if t.times {
			b = append(b, '*')
		}
		switch t.part {
		case partWord:
			b = append(b, t.key.Word...)
			if t.key.alias {
				b = append(b, '~')
			}
			if t.purpose {
				b = append(b, '>')
			}
		default:
			b = strconv.AppendInt(b, int64(t.n), 10)
		}
		for _, n := range t.names {
			b = strconv.AppendInt(append(append(append(b, ' '), n.Kind...), ' '), int64(n.Code), 10)
		}
		b = append(b, ';')
	}
	return string(b)
}

// assembled is legal, put together anew.
func (x *assembly) assembled(tokens []token) []outcome {
	var out []outcome
	if len(tokens) == 1 && tokens[0].part == partWord && len(x.q.only[tokens[0].key.Word].Clauses) > 0 {
		o := x.q.only[tokens[0].key.Word]
		if t := x.try(o); t != nil {
			return []outcome{{order: o, Trial: t}}
		}
	}
	at := map[string]int{} // where the answer stands in out, which is -1 for what is none
	for m := range x.manners(tokens) {
		*x.built++
		if x.effort.parts += len(tokens); x.exhausted() {
			return nil
		}
		o, b, ok := x.build(tokens, m)
		if !ok {
			continue
		}
		text := o.Text
		if i, seen := at[text]; seen || x.tries >= mostTries {
			if seen && i >= 0 {
				out[i].stray = out[i].stray && b.stray
			}
			continue
		}
		at[text] = -1
		x.tries++
		if t := x.try(o); t != nil {
			at[text] = len(out)
			out = append(out, outcome{o, b.stray, b.spends, b.twoWays, t})
		}
	}
	return out
}

// completed lists the legal answers that tokens are with a keyword that they leave out. That
// it was left out is a doubt.
func (x *assembly) completed(tokens []token) []outcome {
	var found, whole []outcome
	for _, w := range x.q.words {
		k := x.p.keywords.named(w)
		if k.Number {
			continue
		}
		for _, o := range x.legal(append(slices.Clone(tokens), token{part: partWord, key: k})) {
			x.left = append(x.left, w)
			found = append(found, o)
			if o.Whole {
				whole = append(whole, o)
			}
		}
	}
	if len(distinct(found)) > 1 && len(distinct(whole)) == 1 {
		found = whole
	}
	if len(distinct(found)) == 1 {
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
