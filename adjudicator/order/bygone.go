package order

import (
	"slices"
	"strings"
)

// Where somebody comes from, lived or has just arrived is no order, though it names a place: "My
// wife is from Ruse", "I studied in Brno as a young man", "just landed in Krakow".

// bygone reports whether the words of a piece that ends so say no more than that. It takes a verb of being or living, a word
// for where before the place, and nothing else but words of daily life.
func (p *Parser) bygone(ws []word, end rune) bool {
	if end == '?' || end == ':' || len(ws) < 3 || len(ws) > 20 || !bygoneFirst[ws[0].text] {
		return false
	}
	at, lived := 0, false
	for ; at < len(ws) && p.knownPlace(ws, at) == 0; at++ {
		w := ws[at].text
		if !bygoneWords[w] && !dwelling[w] && !remarks().persons[w] || ws[at].digits {
			return false
		}
		lived = lived || dwelling[w]
	}
	n := 0
	if at < len(ws) {
		n = p.knownPlace(ws, at)
	}
	return n > 0 && lived && !slices.ContainsFunc(ws[at+n:], func(w word) bool { return !bygoneWords[w.text] && !dwelling[w.text] && tongues()[0].of(w.text) != life })
}

// knownPlace is how many words at i name a place behind a word for where: something that is counted.
func (p *Parser) knownPlace(ws []word, i int) int {
	if i == 0 || !whereabouts[ws[i-1].text] {
		return 0
	}
	return p.knownPlaces(ws[i:])
}

// knownPlaces is how many words begin ws that name something that is counted.
func (p *Parser) knownPlaces(ws []word) int {
	for n := min(len(ws), p.names.longest); n > 0; n-- {
		if slices.ContainsFunc(p.names.kindsOf[strings.Join(texts(ws[:n]), " ")], p.counted) {
			return n
		}
	}
	return 0
}

// explicit reports whether a letter has words of orders, or counts: a name alone may belong to what
// is told of a place.
func explicit(parts []scanned) bool {
	return slices.ContainsFunc(parts, func(s scanned) bool {
		return slices.ContainsFunc(s.tokens, func(t token) bool { return t.part == partCount || t.part == partWord && !t.key.Modifies })
	})
}

var (
	bygoneFirst = wordSet("i im ive we weve my our on just born been back sitting stuck")
	// dwelling words are what people do in places, and no order does there.
	dwelling = wordSet("from born lived live living studied grew worked landed arrived married was were been train bus tram plane ferry boat holiday stuck")
	// bygoneWords stand beside these.
	bygoneWords = wordSet("i im ive we weve my our am is are was were have has had been just back up on the a an in to at near as once too also myself originally student child kid boy girl " +
		"young man woman soldier years year year's ago last week weekend month summer winter spring autumn january february march april june july august september october november december " +
		"yesterday when sitting for long time way morning all my life and of so it's its nice there beautiful wonderful")
)
