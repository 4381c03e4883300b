package order

import (
	"slices"

	"samizdat/rules"
)

// mostLesser is how many tokens a letter may have of which one is left out.
const mostLesser = 12

// Lesser finds out what lines mean that are no answer as a whole: what one of them says
// alone, or what all of them say but for one word, if that is one answer. What is left out is a
// doubt: whoever wrote it has to be asked.
func (p *Parser) Lesser(lines []string, q *Question) Gist {
	parts, ok := p.takeApart(unnumbered(lines), q)
	if !ok || len(parts) > mostLesser {
		return Gist{}
	}
	named := slices.DeleteFunc(slices.Clone(parts), func(s scanned) bool { return len(s.tokens) == 0 })
	for _, some := range [][][]scanned{alone(named), p.without(named)} {
		var found []rules.Order
		var left []string
		for _, tried := range some {
			var tokens []token
			for _, s := range tried {
				tokens = append(tokens, s.tokens...)
			}
			x := &assembly{p: p, q: q}
			orders, _ := x.answers(q, tokens, 0)
			if len(orders) == 0 || len(x.left) > 0 || x.surplus || slices.ContainsFunc(found, func(o rules.Order) bool { return Write(o) == Write(orders[0]) }) {
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
	for i, s := range named {
		if len(tried) != len(named) {
			if s.text != tried[0].text {
				return s.text
			}
		} else if len(tried[i].tokens) != len(s.tokens) {
			return s.text
		}
	}
	return named[0].text
}
