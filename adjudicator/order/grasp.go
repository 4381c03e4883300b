package order

import (
	"slices"
	"strconv"
	"sync"

	"samizdat/rules"
)

// grasp is what was found out of a question, and of the pieces of a letter as answers to it. A
// letter is taken apart several times, and much of that comes to the same.
type grasp struct {
	// leads reports whether an answer may go on with a list of its own; kinds are the kinds of
	// names that may stand in answers.
	leads bool
	kinds []rules.NameKind
	// short are the keywords of one word that may be written short.
	short  []keyword
	trials map[string]*Trial
	// legals are the answers that tokens can be put together to.
	legals map[string][]outcome
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
func (p *Parser) grasp(q *Question) *grasp {
	if q.known != nil {
		return q.known
	}
	g := &grasp{trials: map[string]*Trial{}, legals: map[string][]outcome{}}
	q.known = g
	g.leads = slices.ContainsFunc(p.listed, func(k rules.Keyword) bool {
		return (k.Implied || k.Counted != "") && slices.Contains(q.verbs, k.Word)
	})
	g.kinds = p.kindsAsked(q)
	for _, k := range p.keywords.list {
		if len(k.words) == 1 && !k.alias && !k.Exact && p.concerns(q, k) {
			g.short = append(g.short, k)
		}
	}
	return g
}

// try is what an order comes to as an answer to the question.
func (x *assembly) try(o rules.Order) *Trial {
	g := x.p.grasp(x.q)
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
