package order

import (
	"errors"
	"slices"
	"strings"
)

// IsOrder reports whether a line that stands by itself, among talk, is meant to
// be an order: it begins with a verb, and the verb has a plausible object. A
// misspelt name is plausible, so that the line is refused and not overlooked.
func (p *Parser) IsOrder(text string) bool {
	text = strings.TrimSpace(text)
	if p.found == nil || len(text) > longest {
		return len(text) <= longest && p.isOrder(text)
	}
	return p.found.are.get(text, func() bool { return p.isOrder(text) })
}

func (p *Parser) isOrder(text string) bool {
	r := &reading{p: p, text: text, words: slices.Clone(p.wordsOf(text))}
	if verb, ok := p.keywords.verb(r.words); ok && !verb.other() && r.begins(verb) {
		return true
	}
	if strings.HasSuffix(text, "?") {
		return false // Somebody asks, and does not order.
	}
	if r = p.forgiving(text); r == nil {
		return false
	}
	verb, ok := p.keywords.verb(r.words)
	switch {
	case !ok:
	case r.polite(verb) && r.begins(verb), r.counts(verb):
		return true
	case verb.other() && !r.telling(verb):
		return false
	}
	r.at = 0
	_, err := r.order()
	if err == nil || errors.Is(err, errCounts) {
		return true
	}
	// "I will take Poland" is a tale; with a number or a list it is an order,
	// which is refused and not overlooked.
	return ok && (r.weak || verb.alias) && r.detailed() && r.begins(verb)
}

// polite reports whether nothing but polite words stands before a verb in its own word.
func (r *reading) polite(verb keyword) bool {
	return r.led && !r.weak && !verb.Exact && !verb.alias
}

// counts reports whether the verb counts, and a count stands behind it: PLACE 2 in Vienna.
func (r *reading) counts(verb keyword) bool {
	if !verb.Counts || len(r.words) < len(verb.words)+2 {
		return false
	}
	r.at = len(verb.words)
	return r.rest()[0].number >= 0 || numeral(r.rest()[0]) > 0 && r.unit(verb, 1)
}

// mostShouted is how many words a line may have to be an order because its verb is
// shouted and a full name stands anywhere in it.
const mostShouted = 8

// other reports whether a verb is written with another word than its own: ATTACK WITH
// is still ATTACK.
func (k *keyword) other() bool {
	own, _, _ := strings.Cut(k.Word, " ")
	return k.alias && !strings.EqualFold(own, k.words[0])
}

// telling reports whether a line that begins with another word for a verb tells
// enough to be an order: "Operations" and "use of the work" do not.
func (r *reading) telling(verb keyword) bool {
	if r.signs(verb) > 0 || r.weak {
		return true
	}
	if len(verb.Takes) == 0 {
		return verb.Counted == "" || len(r.words) > len(verb.words)
	}
	defer r.back(r.at)
	r.at = len(verb.words)
	r.skipFillers(verb)
	n, _, quality := r.name(verb.Takes, false)
	return n > 0 && quality > matchBeginning
}

// detailed reports whether the line has figures.
func (r *reading) detailed() bool {
	return slices.ContainsFunc(r.words, func(w word) bool { return w.number >= 0 })
}

// begins reports whether the verb at the beginning of the line has a plausible
// object.
func (r *reading) begins(verb keyword) bool {
	r.at = len(verb.words)
	if len(verb.Takes) > 0 && r.signs(verb) > 1 {
		return true // PLAY 1O EVENT, PLACE Vienna 3
	}
	if len(verb.Takes) == 0 && !verb.Number {
		_, follows := r.keyword()
		return r.done() || follows
	}
	shouted := r.shouted(len(verb.words))
	for ; !r.done(); r.at++ {
		if shouted && len(r.words) < mostShouted && len(verb.Takes) > 0 {
			if n, _, quality := r.name(verb.Takes, true); n > 0 && quality == matchFull {
				return true // PLACE zwei in Krakow
			}
		}
		if r.at > len(verb.words) && !r.rest()[0].comma && r.words[r.at-1].text != "and" {
			continue
		}
		if r.plausible(verb, r.at > len(verb.words)) {
			return true
		}
	}
	return false
}

// signs counts what makes a line look like an order behind its verb: that the
// verb is shouted, that there are figures, and that there is another keyword.
func (r *reading) signs(verb keyword) int {
	n := 0
	if r.shouted(len(verb.words)) {
		n++
	}
	if slices.ContainsFunc(r.words, func(w word) bool { return digit(w.text[0]) }) {
		n++
	}
	for i := len(verb.words); i < len(r.words); i++ {
		if k, ok := r.p.keywords.at(r.words[i:]); ok && !fillers[r.words[i].text] && !k.alias && k.Word != verb.Word {
			return n + 1
		}
	}
	return n
}

// plausible reports whether an object of the verb may begin here. A further
// object must be named in whole words: "Take care, Ann" names no anniversary.
func (r *reading) plausible(verb keyword, further bool) bool {
	if verb.Number {
		return r.rest()[0].number >= 0
	}
	if n, names, quality := r.name(verb.Takes, false); n > 0 {
		// "Check me" is not the beginning of ten spaces.
		switch {
		case quality > matchBeginning:
			return true
		case further || len(names) > 1 && len(r.written(r.at, r.at+n)) <= 2:
			return false
		case r.signs(verb) > 0:
			return true
		}
		// "Play again soon": a mere beginning of a name, and nothing else that
		// looks like an order, has to be all there is.
		return r.at+n == len(r.words)
	}
	if k, ok := r.keyword(); ok {
		return !k.Modifies && !fillers[r.rest()[0].text]
	}
	if r.rest()[0].number >= 0 && r.p.names.numbered(verb.Takes) {
		return true // PLAY 300: no such card, but nothing else can be meant.
	}
	// Misspelt names of four letters are too near to common words ("Play well!"),
	// unless the verb is shouted as orders are.
	shortest := 5
	if r.shouted(len(verb.words)) {
		shortest = 4
	}
	for n := r.extent(); n > 0; n-- {
		if len(r.written(r.at, r.at+n)) >= shortest && len(r.p.names.near(verb.Takes, r.rest()[:n])) > 0 {
			return true
		}
	}
	return false
}

// Inside finds an order in a line that is none: behind other words, or with a verb of
// which only the beginning is written. It is for saying what could have been meant,
// and nothing that is carried out.
func (p *Parser) Inside(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > longest || strings.HasSuffix(text, "?") {
		return ""
	}
	ws := p.wordsOf(text)
	for i := 1; i < len(ws); i++ {
		if _, ok := p.keywords.verb(ws[i:]); ok {
			// Behind the first verb there is none that matters.
			return p.whole(text[ws[i].start:])
		}
	}
	if len(ws) < 2 || len(ws[0].text) < 3 {
		return ""
	}
	verb := ""
	for _, k := range p.listed {
		switch {
		case !k.Verb || k.Exact || !begins(p.wordsOf(k.Word)[0].text, ws[0].text):
		case verb != "":
			return ""
		default:
			verb = k.Word
		}
	}
	if verb == "" {
		return ""
	}
	return p.whole(verb + " " + strings.TrimLeft(text[ws[0].end:], " .:"))
}

// whole returns a text that is an order, and nothing otherwise.
func (p *Parser) whole(text string) string {
	if _, err := p.Order(text); err != nil || !p.IsOrder(text) {
		return ""
	}
	return text
}

// Number reads a line that is a number and nothing more: "2", "2.", "#2".
func Number(line string) (n int, ok bool) {
	ws := words(line)
	for len(ws) > 1 && courtesy[ws[len(ws)-1].text] {
		ws = ws[:len(ws)-1]
	}
	if len(ws) == 2 && (ws[0].text == "option" || ws[0].text == "number" || ws[0].text == "answer") {
		ws = ws[1:]
	}
	if len(ws) != 1 || ws[0].number < 0 || ws[0].text[0] == 'x' {
		return 0, false
	}
	return ws[0].number, true
}

// Counted reports whether a line has words and a count, so that it may be a list
// whose verb was left out.
func Counted(line string) bool {
	if len(line) > longest {
		return false
	}
	ws := words(line)
	return len(ws) > 1 && slices.ContainsFunc(ws, func(w word) bool { return numeral(w) >= 0 })
}

// Exact returns the keyword that a line may mean but does not say exactly, where
// the keyword has to be written as it is: "I concede", "surender power". It is
// empty where there is none.
func (p *Parser) Exact(line string) string {
	if len(line) > longest {
		return ""
	}
	for _, w := range p.wordsOf(line) {
		if len(w.text) < 4 {
			continue
		}
		for _, k := range p.keywords.exact {
			if wrong(w, k.words[0]) <= 1 {
				return k.Word
			}
		}
	}
	return ""
}
