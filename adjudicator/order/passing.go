package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// Words that are passed over: they say nothing of an order that is told with them, or are about
// what another has done.

// passed is how many words at i say nothing of an order that is told with them.
func passed(before token, ws []word, i int) int {
	switch w := ws[i].text; {
	case taken(ws, i), w == "again" && before.part < partCount:
		return 1
	case w == "this" && i+1 < len(ws) && ws[i+1].text == "time":
		return 2
	}
	return 0
}

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
	if !meeting[ws[0].text] {
		return 0
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
func following(ws []word) int {
	n := 0
	switch {
	case len(ws) > 1 && ws[0].text == "after" && ws[1].text == "that":
		n = 2
	case len(ws) > 0 && sequence[ws[0].text]:
		n = 1
	}
	if n == len(ws) || remarks().letters[ws[n].text] || remarks().turning[ws[n].text] {
		return 0 // "next turn"
	}
	return n
}
