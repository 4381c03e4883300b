package order

import (
	"slices"

	"samizdat/rules"
)

// mostLesser is how many tokens a letter may have of which one is left out.
const mostLesser = 12

// Lesser finds out what lines mean that are no answer as a whole: what a part of them says
// alone, a sentence or a piece of one, or what all of them or one sentence say but for one word,
// if that is one answer. What is left out is a doubt: whoever wrote it has to be asked.
func (p *Parser) Lesser(lines []string, q *Question) Gist {
	built := 0
	g := p.lesser(lines, q, false, &built)
	if len(g.Orders) == 0 {
		lenient := *q
		lenient.lenient = true
		g = p.lesser(lines, &lenient, true, &built)
	}
	if len(g.Orders) == 0 {
		return p.shortAmong(lines, q)
	}
	return g
}

// shortAmong finds the one sentence, or piece of one, that is an answer in words of its own, such
// as "no thanks".
func (p *Parser) shortAmong(lines []string, q *Question) Gist {
	g := Gist{Used: slices.Repeat([]bool{true}, len(lines))}
	for _, line := range lines {
		for _, f := range p.pieces(line) {
			switch word, ok := p.short(p.wordsOf(f.text), q); {
			case ok && (f.end == '?' || len(g.Orders) > 0):
				return Gist{}
			case ok:
				g.Orders = []rules.Order{{Text: word, Clauses: []rules.Clause{{Word: word}}}}
			default:
				g.Doubts = append(g.Doubts, f.text)
			}
		}
	}
	if len(g.Orders) == 0 {
		return Gist{}
	}
	return g
}

// lesser is Lesser; lenient takes more words for names, and adds a keyword where one alone makes
// an answer.
func (p *Parser) lesser(lines []string, q *Question, lenient bool, built *int) Gist {
	parts, ok := p.takeApart(lines, q)
	if !ok || len(parts) > 2*mostLesser {
		return Gist{}
	}
	named, some := p.lessers(parts)
	for _, some := range some {
		var found []rules.Order
		var left []string
		for _, tried := range some {
			var tokens []token
			for _, s := range tried {
				tokens = append(tokens, s.tokens...)
			}
			if len(tokens) > mostTokens {
				continue
			}
			x := &assembly{p: p, q: q, built: built, effort: &p.grasp(q).effort}
			orders, _ := x.answers(q, tokens, 0)
			if x.exhausted() {
				return Gist{}
			}
			if len(orders) == 0 || len(x.left) > 0 && (!lenient || !p.keepsKinds(orders[0], named, tried)) || x.surplus || p.gainsays(orders[0], named, tried) || slices.ContainsFunc(found, func(o rules.Order) bool { return Write(o) == Write(orders[0]) }) {
				continue
			}
			found = append(found, orders[0])
			left = append(left, leftOut(named, tried))
		}
		if len(found) == 1 {
			g := Gist{Orders: found, Used: make([]bool, len(lines)), Doubts: left}
			for _, s := range named {
				g.Used[s.line] = true
			}
			return g
		}
	}
	return Gist{}
}

// lessers are the pieces that say something, and what is tried of them instead: the readings that
// leave out as much stand together, those that leave out least first.
func (p *Parser) lessers(parts []scanned) (named []scanned, some [][][]scanned) {
	var each [][]scanned
	begins := true
	for _, s := range parts {
		if len(s.tokens) > 0 {
			if named = append(named, s); begins {
				each = append(each, nil)
			}
			each[len(each)-1] = append(each[len(each)-1], s)
			begins = false
		}
		begins = begins || s.stops
	}
	some = [][][]scanned{understood(each), butOne(each), butOnePiece(named), each, alone(named), p.without(named)}
	if len(each) > 1 {
		var less [][]scanned
		for _, s := range each {
			less = append(less, p.without(s)...)
		}
		some = append(some, less)
	}
	return named, some
}

// keepsKinds reports whether an order names something of each kind that is counted and that was
// left out: what is placed nowhere, though places were named, is not what was meant.
func (p *Parser) keepsKinds(o rules.Order, named, tried []scanned) bool {
	if names(tried) == names(named) {
		return true
	}
	has := func(k rules.NameKind) bool {
		return slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool {
			return slices.ContainsFunc(c.Items, func(it rules.Item) bool { return it.Name.Kind == k })
		})
	}
	for _, s := range named {
		for _, t := range s.tokens {
			if t.part == partName && p.counted(t.names[0].Kind) && !has(t.names[0].Kind) {
				return false
			}
		}
	}
	return true
}

// names is how many names pieces have.
func names(of []scanned) (n int) {
	for _, s := range of {
		for _, t := range s.tokens {
			if t.part == partName {
				n++
			}
		}
	}
	return n
}

// understood are the sentences that are wholly understood, together.
func understood(each [][]scanned) [][]scanned {
	whole := slices.DeleteFunc(slices.Clone(each), func(s []scanned) bool {
		return slices.ContainsFunc(s, func(s scanned) bool { return s.unread })
	})
	if len(whole) == 0 || len(whole) == len(each) {
		return nil
	}
	return [][]scanned{slices.Concat(whole...)}
}

// butOne are all sentences but one.
func butOne(each [][]scanned) [][]scanned {
	var out [][]scanned
	for i := range each {
		if len(each) > 2 {
			out = append(out, slices.Concat(slices.Concat(each[:i]...), slices.Concat(each[i+1:]...)))
		}
	}
	return out
}

// butOnePiece are all pieces but one.
func butOnePiece(named []scanned) [][]scanned {
	var out [][]scanned
	for i := range named {
		if len(named) > 2 {
			out = append(out, slices.Concat(named[:i], named[i+1:]))
		}
	}
	return out
}

// alone are pieces that say something, each alone.
func alone(named []scanned) [][]scanned {
	var out [][]scanned
	if len(named) > 1 {
		for i := range named {
			out = append(out, named[i:i+1])
		}
	}
	return out
}

// without are all pieces but for one name or number in one of them.
func (p *Parser) without(named []scanned) [][]scanned {
	var out [][]scanned
	total := 0
	for _, s := range named {
		total += len(s.tokens)
	}
	if total > mostLesser {
		return nil
	}
	for i, s := range named {
		for k, t := range s.tokens {
			if t.part >= partComma {
				continue
			}
			tried := slices.Clone(named)
			tried[i].tokens = slices.Delete(slices.Clone(s.tokens), k, k+1)
			out = append(out, tried)
		}
	}
	return out
}

// leftOut is the text of the first piece that is not tried as it stands.
func leftOut(named, tried []scanned) string {
	for _, s := range named {
		if !slices.ContainsFunc(tried, func(t scanned) bool { return t.text == s.text && len(t.tokens) == len(s.tokens) }) {
			return s.text
		}
	}
	return named[0].text
}
