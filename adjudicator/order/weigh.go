package order

import "slices"

// What a piece names may be none of an order: what it has besides says so.

// weigh drops what a piece names where its words say that it is none of an order.
func (p *Parser) weigh(s *scanned, q *Question, f piece, ws []word) {
	if longestPhrase(remarks().openers, ws) > 0 {
		s.tokens, s.unread = nil, !p.harmless(f) // "Greetings from Poznan"
	}
	switch {
	case len(s.tokens) > 0 && p.bygone(ws, f.end):
		s.tokens, s.unread, s.bygone = nil, true, true
	case s.heads == len(ws):
		s.tokens = nil // "Turn 2 round 1" says when, and no more.
	case s.onlyAgain(f, ws):
		// "Cult of Personality: ..." says what for, and no more.
	case s.talk() && (s.unread || len(s.tokens) == 0 || len(ws) > 2 && s.onlyRest() && longestPhrase(remarks().phrases, ws) > 0):
		// Numbers among other words are none of an order.
		heading := f.end == ':' && empty(ws) && !s.turned
		s.tokens, s.unread = nil, !heading && !p.harmless(f) && (s.unread || len(s.kept) == 0 && !idlePhrase(ws)) && !p.ofPoints(s, ws)
	case s.onlyDenies(p, q):
		s.tokens, s.unread = nil, true // "No event", where none is asked about
	}
}

// onlyDenies reports whether a piece has nothing but a keyword that denies, and that answers nothing.
func (s *scanned) onlyDenies(p *Parser, q *Question) bool {
	return len(s.tokens) == 1 && s.tokens[0].part == partWord && (s.tokens[0].key.words[0] == "no" || s.tokens[0].key.words[0] == "without") && !p.concerns(q, s.tokens[0].key)
}

// onlyRest reports whether a piece has nothing but words for what is left: "Regards to all".
func (s *scanned) onlyRest() bool {
	return !slices.ContainsFunc(s.tokens, func(t token) bool { return t.part != partRest && t.part < partComma })
}

// ofPoints reports whether a piece says no more than that points are used: "I use the points".
func (p *Parser) ofPoints(s *scanned, ws []word) bool {
	return len(s.strange) == 0 && !s.turned && len(ws) > 2 && len(ws) < 6 && p.unitAt(ws[len(ws)-1:]) == 1 && !slices.ContainsFunc(ws, func(w word) bool { return remarks().denying[w.text] || remarks().others[w.text] })
}
