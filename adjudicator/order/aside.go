package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An aside is a sentence about something else than the match. It is known by its shape: it
// names nothing of the game, holds no word of doubt in any language that is read, most of its
// words are common ones of its language, and some are of daily life.

// pieces cuts a line, and marks the asides in it.
func (p *Parser) pieces(line string) []piece {
	if p.found == nil {
		return p.withAsides(line)
	}
	return slices.Clone(p.found.pieces.get(line, func() []piece { return p.withAsides(line) }))
}

func (p *Parser) withAsides(line string) []piece {
	cut := pieces(line)
	for from, to := 0, 0; from < len(cut); from = to {
		to = sentenceEnd(cut, from)
		if p.aside(cut[from:to], false) || p.banter(cut[from:to]) {
			mark(cut[from:to])
		} else {
			p.besides(cut[from:to])
		}
	}
	return cut
}

// mark marks pieces as parts of an aside.
func mark(sentence []piece) {
	for i := range sentence {
		sentence[i].aside = true
	}
}

// besides marks the asides that stand in the sentence of an order, before or behind it.
func (p *Parser) besides(sentence []piece) {
	orders := func(f piece) bool { return p.orders(p.wordsOf(f.text)) }
	first := slices.IndexFunc(sentence, orders)
	if first < 0 {
		return
	}
	last := len(sentence) - 1
	for !orders(sentence[last]) {
		last--
	}
	front := first > 0 && p.aside(sentence[:first], true)
	rear := last < len(sentence)-1 && p.aside(sentence[last+1:], true)
	switch {
	case front && rear: // "We had a picnic, PLAY 40 EVENT, ice cream"
	case front:
		mark(sentence[:first])
	case rear:
		mark(sentence[last+1:])
	}
}

// orders reports whether words hold a keyword that is no word of daily life.
func (p *Parser) orders(ws []word) bool {
	for i := range ws {
		if k, ok := p.keywords.at(ws[i:]); ok && !fillers[ws[i].text] && (!k.alias || k.Counted != "") && !idiom(ws[i].text) {
			return true
		}
	}
	return false
}

// longestAside is how many words a sentence may have to be looked at.
const longestAside = 60

// aside reports whether a sentence, or what stands beside an order in one, is about something
// else than the match.
func (p *Parser) aside(sentence []piece, beside bool) bool {
	s := narrative{p: p, beside: beside}
	end := sentence[len(sentence)-1].end
	if end != 0 && strings.ContainsRune(":\"“”„«»|<>~", end) {
		return false
	}
	for _, f := range sentence {
		if f.end == ':' || f.end == '"' || !s.add(f) {
			return false
		}
	}
	if w := lastOf(sentence); end == 0 && (dangling[w] || small[w] || trailing[w]) {
		return false // "I am in no state for", and what is behind it is the order.
	}
	if end == '?' {
		return s.inquires()
	}
	return !s.putsOff() && s.foreign()
}

// lastOf is the last word of a sentence.
func lastOf(sentence []piece) string {
	ws := words(sentence[len(sentence)-1].text)
	if len(ws) == 0 {
		return ""
	}
	return ws[len(ws)-1].text
}

// trailing words end no sentence, in whatever language.
var trailing = wordSet("would will could should might about like than if when that which who into until till before after und oder der die das den dem ein eine mit von fur zu zum zur dass wenn " +
	"i z ze w na do od dla lub oraz v k s se za nebo aby es vagy hogy et ou le la les de du des pour avec que con para por y o el en un una per di e il che se")

// spoken is a word of a sentence with what it may do there.
type spoken struct {
	text  string
	known bool // a phrase, or a name
	piece int
	named bool
	// place is a name of the game that stands where a place is named.
	place bool
}

// narrative is a sentence that may be an aside.
type narrative struct {
	p     *Parser
	words []spoken
	piece int
	// beside: the rest of the sentence is an order.
	beside bool
}

// add takes in a piece, unless something in it is of the game.
func (s *narrative) add(f piece) bool {
	ws := words(f.text)
	s.piece++
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		if longestPhrase(languages().idioms, ws[i:]) > 0 {
			return false
		}
		if n := longestPhrase(remarks().phrases, ws[i:]); n > 1 || n == 1 && len(ws) == 1 {
			for range n {
				s.words = append(s.words, spoken{known: true, piece: s.piece})
			}
			i += n - 1
			continue
		}
		if w.digits || w.number >= 0 {
			if !measured(ws, i, f.text) {
				return false
			}
			s.words = append(s.words, spoken{known: true, piece: s.piece})
			continue
		}
		if n := s.p.knownWords(ws[i:]); n > 0 && !idiom(w.text) {
			if i == 0 || !whereabouts[ws[i-1].text] || !slices.ContainsFunc(s.p.names.kindsOf[strings.Join(texts(ws[i:i+n]), " ")], s.p.counted) {
				return false
			}
			s.words = append(s.words, spoken{known: true, piece: s.piece, place: true})
			i += n - 1
			continue
		}
		r, _ := utf8.DecodeRuneInString(f.text[w.start:])
		text := w.text
		if at := strings.IndexAny(f.text[w.start:w.end], apostrophes); at > 0 && at < 3 {
			text = elided(text, at)
		}
		s.words = append(s.words, spoken{text: text, piece: s.piece, named: unicode.IsUpper(r) && i > 0})
	}
	return len(s.words) <= longestAside
}

// idiom reports whether a word of orders is one of daily life as well.
func idiom(w string) bool { s := tongues()[0].words[w]; return s == soft || s == mild || s == common }

// whereabouts are words behind which places are named.
var whereabouts = wordSet("in from to near at of nach aus bei do ze we na en de desde da di")

// inquires reports whether the sentence is a question about the reader's life.
func (s *narrative) inquires() bool {
	t := s.tongue()
	if t == nil || len(s.words) < 3 || !inquiring[s.words[0].text] {
		return false
	}
	for i, w := range s.words {
		if of := s.sense(t, i); i > 0 && (of == unknown || of > person || remarks().turning[w.text] || w.text == "i" || w.place) {
			return false
		}
	}
	return true
}

// inquiring words begin a question about daily life.
var inquiring = wordSet("how hows is are was were has have did wie ist jak como come comment hogy")

// elided is a word without the article before its apostrophe, unless that denies.
func elided(w string, at int) string {
	if at < len(w)-1 && w[0] != 'n' {
		return w[at:]
	}
	return w
}

// measured reports whether the number at i is one of something else than orders: 35 degrees,
// a score of 4:2.
func measured(ws []word, i int, text string) bool {
	if begun(shade, ws[i+1:]) {
		return true
	}
	if i+1 < len(ws) && (units[ws[i+1].text] || ws[i+1].digits && strings.ContainsAny(text[ws[i].end:ws[i+1].start], ":-")) {
		return true
	}
	if i > 0 && ws[i-1].digits && strings.ContainsAny(text[ws[i-1].end:ws[i].start], ":-") {
		return true
	}
	return strings.HasSuffix(ws[i].text, "th") || strings.HasPrefix(text[ws[i].end:], "°") || strings.HasPrefix(text[ws[i].end:], "%")
}

// shade follows degrees.
var shade = []string{"in", "the", "shade"}

// units are what is counted in daily life.
var units = wordSet("degrees km kilometres kilometers miles mile meters metres metre meter kilo kilos kg litres percent pages people guests years " +
	"grad stunden jahre kilometer personen stopni godziny godzin lat osob stupnu hodin hodiny let fok ora eves degres heures ans personnes grados horas anos gradi ore anni")
