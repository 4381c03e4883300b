package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// Words that are passed over: they say nothing of an order that is told with them, or are about
// what another has done.

// keeping words stand before what their writer does not play: "and keep the five", "keeping the
// big strike".
var keeping = wordSet("keep keeping save saving spare sparing")

// kept is how many words at i say what is kept back, and the names that it may have; none where an
// answer to the question keeps something.
func (p *Parser) kept(q *Question, kinds []rules.NameKind, ws []word, i int) (int, []rules.Name) {
	if !keeping[ws[i].text] || p.known(ws[i:]) && p.concerns(q, p.keywordOf(ws[i:])) || p.leads(q) {
		return 0, nil
	}
	for at := i + 1; at < len(ws) && at < i+mostGap; at++ {
		n, names := p.named(q, kinds, ws[at:])
		if n == 0 && p.isNoun(q, ws, at) {
			n, names = p.nounAt(q, kinds, ws[at:])
		}
		switch {
		case n > 0:
		case numeral(ws[at]) > 0:
			n, names = 1, p.number(q, kinds, numeral(ws[at]), false).names
		case articles[ws[at].text], marking[ws[at].text], ws[at].text == "back":
			continue
		}
		if n == 0 || len(names) == 0 || p.counted(names[0].Kind) {
			return 0, nil
		}
		at += n
		for at < len(ws) && !joining[ws[at].text] && !ws[at].comma && (laterWords[ws[at].text] || articles[ws[at].text]) {
			at++
		}
		return at - i, names
	}
	return 0, nil
}

// laterWords say until when something is kept.
var laterWords = wordSet("for later little bit longer while now back secret safe when its needed until then end up sleeve hand one ones")

// keywordOf is the keyword that begins ws.
func (p *Parser) keywordOf(ws []word) keyword {
	k, ok := p.keywords.at(ws)
	if !ok {
		return none
	}
	return k
}

// keepsBack reports whether a piece keeps back what orders name.
func (p *Parser) keepsBack(s *scanned, orders []rules.Order) bool {
	return slices.ContainsFunc(s.kept, func(n rules.Name) bool {
		return slices.ContainsFunc(orders, func(o rules.Order) bool {
			return slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool {
				return slices.ContainsFunc(c.Items, func(it rules.Item) bool { return it.Name.Kind == n.Kind && it.Name.Code == n.Code })
			})
		})
	})
}

// passed is how many words at i say nothing of an order that is told with them.
func (p *Parser) passed(before token, ws []word, i int) int {
	switch w := ws[i].text; {
	case before.part == partWord && ofKeyword(ws[i:]) > 0:
		return ofKeyword(ws[i:])
	case before.part == partComma && i > 0:
		return p.following(ws[i:]) // "and after that check Debrecen"
	case taken(ws, i), w == "again" && before.part < partCount, w == "rather" && i+1 < len(ws) && keeping[ws[i+1].text]:
		return 1
	case before.part == partName && i+2 == len(ws) && w == "after" && ws[i+1].text == "that" && slices.ContainsFunc(ws[:i], func(b word) bool { return joining[b.text] }):
		return 2 // "Take one in Miskolc and check Debrecen after that"
	case w == "this" && i+1 < len(ws) && ws[i+1].text == "time":
		return 2
	}
	return 0
}

// ofKeyword is how many words begin ws that say no more than where or when what a keyword stands for
// is done: "the swap takes place in Poznan", "for the check that follows: Lodz".
func ofKeyword(ws []word) int { return longestPhrase(languages().doneSo, ws) }

// joins reports whether a word that is not understood only joins what stands beside it: "for the ops
// but let him have the event first".
func joins(before token, ws []word, i int) bool {
	switch ws[i].text {
	case "but":
		return i > 0 && i+1 < len(ws) && before.part < partComma && !everything[ws[i-1].text] && ws[i+1].text != "for"
	case "may", "come":
		return granted(ws)
	}
	return false
}

// everything words stand before a "but" that leaves something out.
var everything = wordSet("all any anything anywhere nothing none nowhere everything everywhere everyone")

// taken reports whether the word at i goes with a verb before it: "take one off Lodz", "flip
// one over in Lodz".
func taken(ws []word, i int) bool {
	if i+1 == len(ws) {
		return false
	}
	switch w := ws[i].text; {
	case w == "off", w == "away", w == "over", w == "out" && ws[i+1].text == "of":
		return slices.ContainsFunc(ws[:i], func(b word) bool { return moving[b.text] || strings.HasPrefix(b.text, "tak") })
	}
	return false
}

// moving words do something to what stands in a place.
var moving = wordSet("flip flips turn knock knocks pull pulls kick kicks wipe wipes strip strips pick picks remove removes swap swaps")

// behindName is how many words behind a name only say more of it: "the Bulgarian one", "my
// Strike-4 against your Strike-6".
func (p *Parser) behindName(name token, ws []word) int {
	switch n := 0; {
	case facing[ws[0].text]:
		if n = p.faced(name, ws[1:]); n > 0 {
			return 1 + n
		}
	case (ws[0].text == "one" || ws[0].text == "ones") && !ws[0].comma:
		return 1
	}
	return 0
}

// met is how many words begin ws that name what another has done, and what is set against it is
// named behind them: "I meet the rally with Petition-6".
func (p *Parser) met(q *Question, kinds []rules.NameKind, ws []word) int {
	if n := p.opposed(q, kinds, ws); n > 0 || !meeting[ws[0].text] {
		return n
	}
	with := slices.IndexFunc(ws[:min(len(ws), mostGap+2)], func(w word) bool { return w.text == "with" })
	if with < 2 || with+1 >= len(ws) || slices.ContainsFunc(ws[1:with], func(w word) bool { return w.comma || remarks().against[w.text] && !remarks().others[w.text] }) {
		return 0
	}
	if n, _ := p.named(q, kinds, ws[with-1:with]); n == 0 && !p.known(ws[with-1:with]) {
		return 0
	}
	return with + 1
}

// opposed is how many words begin ws that name what another has done, and what is set against it
// stands behind them: "his strike meets | Tactic Fails", "against a march | the Worker Leader".
func (p *Parser) opposed(q *Question, kinds []rules.NameKind, ws []word) int {
	against := facing[ws[0].text]
	from := opponents(ws)
	if from == 0 || from >= len(ws) || small[ws[from].text] || p.leads(q) {
		return 0
	}
	for n := min(len(ws)-from, p.names.longest); n > 0; n-- {
		names, _ := p.names.find(kinds, ws[from:from+n])
		behind := ws[from+n:]
		switch {
		case len(names) == 0 || p.counted(names[0].Kind):
		case against && p.anyNamed(q, kinds, behind):
			return from + n
		case len(behind) > 1 && ws[0].text != "my" && metBy[behind[0].text] && p.anyNamed(q, kinds, behind[1:]):
			return from + n + 1
		default:
			return 0
		}
	}
	return 0
}

// opponents is how many words begin ws that stand before what another has done: "against his".
func opponents(ws []word) int {
	n := 0
	if facing[ws[0].text] {
		n = 1
	}
	for n < min(len(ws), mostGap) && (articles[ws[n].text] || remarks().others[ws[n].text] || otherOnes[ws[n].text] || ws[n].text == "his" || ws[n].text == "their") {
		n++
	}
	return n
}

// metBy words stand between what another has done and what is set against it.
var metBy = wordSet("meets faces encounters")

// anyNamed reports whether words name an answer to the question.
func (p *Parser) anyNamed(q *Question, kinds []rules.NameKind, ws []word) bool {
	for i := range ws {
		if n, names := p.named(q, kinds, ws[i:]); n > 0 && len(q.own(names)) > 0 {
			return true
		}
	}
	return false
}

// meeting words stand before what another has done.
var meeting = wordSet("meet meets answer answers counter counters cover match parry beat")

// facing words stand before what another has: "my Strike-4 against your Strike-6".
var facing = wordSet("against vs versus beats meets")

// faced is how many words name something of another that what a token names is set against:
// something that is not counted, as places are.
func (p *Parser) faced(own token, ws []word) int {
	kinds := []rules.NameKind{own.names[0].Kind}
	from := 0
	for from < len(ws) && (idle(ws[from].text) || remarks().others[ws[from].text]) {
		from++
	}
	for n := min(len(ws)-from, p.names.longest); n > 0 && !p.counted(kinds[0]); n-- {
		if names, _ := p.names.find(kinds, ws[from:from+n]); len(names) > 0 {
			return from + n
		}
	}
	return 0
}

// following is how many words begin ws that only say that something comes next.
func (p *Parser) following(ws []word) int {
	n := 0
	switch {
	case len(ws) > 1 && ws[0].text == "after" && ws[1].text == "that":
		n = 2
	case len(ws) > 0 && sequence[ws[0].text]:
		n = 1
	}
	if _, ok := p.keywords.verb(ws[n:]); n == len(ws) || !(ok && n > 1) && (remarks().letters[ws[n].text] || remarks().turning[ws[n].text]) {
		return 0 // "next turn"
	}
	return n
}
