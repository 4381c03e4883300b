package order

import (
	"slices"

	"samizdat/rules"
)

// Words that may speak against an order are things of the game where a noun stands: "my strike",
// and not "strike that". Which of several things of that name is meant, a number may say.

// isNoun reports whether the word at i is a thing of the writer's, by what stands beside it: "my
// strike", "strike again". Without, "strike" may strike something out; what the question names may
// be another's.
func (p *Parser) isNoun(q *Question, ws []word, i int) bool {
	before := i > 0 && (marking[ws[i-1].text] || articles[ws[i-1].text]) || i+1 < len(ws) && ws[i+1].text == "again"
	return before && (i > 0 && ws[i-1].text == "my" || !p.grasp(q).says(q, ws[i].text))
}

// marking words stand before a thing, as articles do.
var marking = wordSet("another next second third big small little last only")

// nounAt looks for the name of one word that begins ws, where that is known to be a thing: all
// that it may name of the question's answers.
func (p *Parser) nounAt(q *Question, kinds []rules.NameKind, ws []word) (int, []rules.Name) {
	names, quality := p.names.find(kinds, ws[:1])
	if own := q.own(names); quality == matchWords && len(own) > 0 && !idle(ws[0].text) && !p.leads(q) {
		return 1, own
	}
	return 0, nil
}

// picked are tokens of which one names something, and one is a number that only says which: "the
// march with the five", "a strike, the small one (3)".
func (p *Parser) picked(tokens []token) []token {
	name, count := -1, -1
	for i, t := range tokens {
		switch {
		case t.part == partName && name >= 0, t.part == partCount && (count >= 0 || name < 0), t.part == partEach, t.part == partRest, t.part == partTimes:
			return tokens
		case t.part == partName:
			name = i
		case t.part == partCount:
			count = i
		}
	}
	if count < 0 || p.counted(tokens[name].names[0].Kind) {
		return tokens
	}
	fit := slices.DeleteFunc(slices.Clone(tokens[name].names), func(n rules.Name) bool {
		ws := words(n.Text)
		return len(ws) < 2 || ws[len(ws)-1].number != tokens[count].n
	})
	if len(fit) != 1 {
		return tokens
	}
	out := slices.Clone(tokens)
	out[name].names = fit
	return slices.Delete(out, count, count+1)
}
