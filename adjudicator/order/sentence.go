package order

import (
	"slices"
	"strings"
	"unicode"

	"samizdat/rules"
)

// Words lists the words of a sentence without what in it is harmless.
func (p *Parser) Words(sentence string) []string {
	var out []string
	for _, f := range pieces(sentence) {
		if !p.harmless(f) {
			out = append(out, Words(f.text)...)
		}
	}
	return out
}

// Sentences cuts a line behind its stops, and behind question and exclamation marks.
func Sentences(line string) []string {
	var out []string
	start := 0
	for i, r := range line {
		if !strings.ContainsRune(".?!", r) || i+1 < len(line) && !unicode.IsSpace(rune(line[i+1])) {
			continue
		}
		out = append(out, strings.TrimSpace(line[start:i+1]))
		start = i + 1
	}
	if rest := strings.TrimSpace(line[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// Named finds the things of a kind that a text names in full, or so that nothing else
// of the kind can be meant, and returns the other words.
func (p *Parser) Named(text string, kind rules.NameKind) (names []rules.Name, rest []string) {
	ws := p.wordsOf(text)
	kinds, none := []rules.NameKind{kind}, &Question{}
	for i := 0; i < len(ws); {
		n, found := 0, []rules.Name(nil)
		if !idle(ws[i].text) || ws[i].text == "the" {
			n, found = p.named(none, kinds, ws[i:])
		}
		if n == 0 && ws[i].number > 0 {
			found, _ = p.names.find(kinds, ws[i:i+1])
			n = len(found)
		}
		if len(found) != 1 {
			rest = append(rest, ws[i].text)
			i++
			continue
		}
		if !slices.ContainsFunc(names, func(o rules.Name) bool { return o.Code == found[0].Code }) {
			names = append(names, found[0])
		}
		i += n
	}
	return names, rest
}

// BrokenOff is the end of an order that may go on: a word that wants another behind it, or a
// beginning of one too short to tell; empty where there is none.
func (p *Parser) BrokenOff(order string) string {
	ws := p.wordsOf(order)
	if len(ws) < 2 || strings.ContainsAny(order[ws[len(ws)-1].end:], ".!;)") {
		return ""
	}
	w := ws[len(ws)-1]
	if w.text == "an" && slices.ContainsFunc(ws, func(w word) bool { return strings.HasPrefix(w.text, "greif") }) {
		return "" // "Marsch 4 greift an"
	}
	if dangling[w.text] || w.text == "then" && ws[len(ws)-2].text == "and" || p.fragment(ws) {
		return order[w.start:w.end]
	}
	return ""
}

// fragment reports whether the last word of an order may be the beginning of a longer one: two
// letters; or three that are no word of daily life, and no name, where somebody writes in
// sentences ("fine i play pol") and not in abbreviations.
func (p *Parser) fragment(ws []word) bool {
	last := ws[len(ws)-1:]
	w := last[0]
	switch {
	case w.digits, small[w.text], idle(w.text), remarks().given[w.text], p.known(last), longestPhrase(remarks().phrases, last) > 0:
		return false
	case len(w.text) == 3:
		return tongues()[0].of(w.text) == unknown && numeral(w) < 0 && slices.ContainsFunc(ws, func(o word) bool { return o.text == "i" })
	}
	return len(w.text) == 2
}

// dangling words want another behind them.
var dangling = wordSet("from for to at with of in into onto on the a an my his by or but because if und oder mit fur and since while whereas although though unless until till etc et")
