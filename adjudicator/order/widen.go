package order

import (
	"strconv"

	"samizdat/rules"
)

// leastNumbered is from where on a number is none of points, and needs no word before it to
// be that of a thing.
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
			for _, kind := range p.kinds(q) {
				if w.number < leastNumbered && (i == 0 || ws[i-1].text != string(kind)) {
					continue
				}
				names, _ := p.names.find([]rules.NameKind{kind}, []word{{text: strconv.Itoa(w.number), number: w.number, digits: true}})
				for _, n := range names {
					if n.Number == w.number {
						q.name(n)
					}
				}
			}
		}
	}
}
