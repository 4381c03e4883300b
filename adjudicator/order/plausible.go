package order

import "strings"

// IsOrder reports whether a line that stands by itself, among talk, is meant to
// be an order: it begins with a verb, and the verb has a plausible object. A
// misspelt name is plausible, so that the line is refused and not overlooked.
func (p *Parser) IsOrder(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) > longest {
		return false
	}
	r := reading{p: p, text: text, words: words(text)}
	verb, ok := p.keywords.verb(r.words)
	if !ok {
		return false
	}
	r.at = len(verb.words)
	if len(verb.Takes) == 0 && !verb.Number {
		_, follows := r.keyword()
		return r.done() || follows
	}
	for ; !r.done(); r.at++ {
		if r.at > len(verb.words) && !r.rest()[0].comma {
			continue
		}
		if r.plausible(verb) {
			return true
		}
	}
	return false
}

// plausible reports whether an object of the verb may begin here.
func (r *reading) plausible(verb keyword) bool {
	if verb.Number {
		return r.rest()[0].number >= 0
	}
	if n, names, quality := r.name(verb.Takes, false); n > 0 {
		// "Check me" is not the beginning of ten spaces.
		return quality > matchBeginning || len(names) == 1 || len(r.written(r.at, r.at+n)) > 2
	}
	if k, ok := r.keyword(); ok {
		return !k.Modifies
	}
	if r.rest()[0].number >= 0 && r.p.names.numbered(verb.Takes) {
		return true // PLAY 300: no such card, but nothing else can be meant.
	}
	// Misspelt names of four letters are too near to common words ("Play well!"),
	// unless the verb is shouted as orders are.
	shortest := 5
	if v := r.written(0, len(verb.words)); v == strings.ToUpper(v) {
		shortest = 4
	}
	for n := r.extent(); n > 0; n-- {
		if len(r.written(r.at, r.at+n)) >= shortest && len(r.p.names.near(verb.Takes, r.rest()[:n])) > 0 {
			return true
		}
	}
	return false
}
