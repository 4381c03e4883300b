package order

import (
	"slices"
	"strconv"

	"samizdat/rules"
)

// counting words are numbers of points besides numerals, or stand for what is left.
var (
	counting = map[string]int{"both": 2, "couple": 2, "pair": 2, "single": 1, "double": 2, "triple": 3, "ein": 1, "eine": 1, "einen": 1, "eins": 1, "zwei": 2, "drei": 3, "vier": 4,
		"un": 1, "deux": 2, "trois": 3, "dos": 2, "tres": 3, "dwa": 2, "dwie": 2, "trzy": 3, "dva": 2, "dve": 2, "ketto": 2, "kettot": 2, "harom": 3, "harmat": 3, "egy": 1, "egyet": 1, "mindket": 2, "mindketto": 2, "mindkettot": 2,
		"beide": 2, "beiden": 2, "einer": 1, "jeden": 1, "jedna": 1, "jednego": 1, "oba": 2, "obydwa": 2, "obie": 2, "obe": 2, "ctyri": 4, "cztery": 4, "negy": 4, "quatre": 4, "une": 1, "uno": 1, "due": 2, "doi": 2, "doua": 2}
	eaching  = map[string]bool{"each": true, "apiece": true, "every": true, "jeweils": true, "chacun": true, "chacune": true}
	resting  = map[string]bool{"rest": true, "remaining": true, "remainder": true, "other": true, "all": true, "everything": true, "last": true}
	joining  = map[string]bool{"and": true, "plus": true, "then": true, "u": true}
	ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
	telling  = map[string]bool{"is": true, "was": true, "are": true, "were": true, "will": true, "has": true}
	pointing = map[string]bool{"that": true, "this": true, "those": true, "these": true}
	sequence = map[string]bool{"then": true, "next": true, "afterwards": true, "thereafter": true, "secondly": true, "finally": true, "lastly": true}
	repeated = map[string]int{"once": 1, "twice": 2, "thrice": 3}
)

// countAt reads a number, or a word that counts.
func (p *Parser) countAt(q *Question, kinds []rules.NameKind, ws []word, behind bool) (*token, int) {
	w := ws[0]
	n := numeral(w)
	if c, ok := counting[w.text]; ok {
		n = c
	}
	switch {
	case n > 0 && len(ws) > 3 && ws[1].text == "of" && numeral(ws[3]) >= n:
		return &token{part: partCount, n: n}, 4 // "one of the two rallies"
	case n > 0 && len(ws) > 2 && ws[1].text == "of" && (ws[2].text == "us" || ws[2].text == "you"):
		return nil, 0 // "the five of us"
	case n > 0 && len(ws) > 1 && ws[1].text == "times":
		return &token{part: partTimes, n: n}, 2
	case repeated[w.text] > 0:
		return &token{part: partTimes, n: repeated[w.text]}, 1
	case eaches(ws):
		return &token{part: partEach}, 1
	case n >= 0:
		return p.number(q, kinds, n, w.text[0] == 'x'), 1
	case resting[w.text]:
		return restAt(ws, behind)
	case ordinals[w.text] > 0:
		return p.ordinalAt(q, ws, behind)
	}
	return nil, 0
}

// eaches reports whether words begin with one for each; "je" is French for I where no number
// follows.
func eaches(ws []word) bool {
	return eaching[ws[0].text] || ws[0].text == "je" && len(ws) > 1 && (ws[1].digits || counting[ws[1].text] > 0)
}

// number is the token of a number, with the names that have it.
func (p *Parser) number(q *Question, kinds []rules.NameKind, n int, times bool) *token {
	t := &token{part: partCount, n: n, times: times, numeral: true}
	if times {
		return t
	}
	t.names = p.among(q, kinds, []word{numberWord(n)})
	for _, name := range q.Names {
		if name.Number == n && n > 0 && slices.Contains(kinds, name.Kind) {
			t.names = []rules.Name{name}
		}
	}
	return t
}

// restAt reads what stands for all that is left, or for the other one.
func restAt(ws []word, behind bool) (*token, int) {
	switch w := ws[0].text; {
	case len(ws) > 1 && numeral(ws[1]) > 0:
		return &token{part: partCount, n: numeral(ws[1])}, 2
	case w == "all" && len(ws) > 1 && ws[1].text == "of":
		return &token{part: partRest}, 2
	case w == "last":
		return nil, 0
	case w == "other" && behind:
		return &token{part: partCount, n: 1}, 1
	}
	return &token{part: partRest}, 1
}

// ordinalAt reads "the second one": the number of an answer, or one more thing.
func (p *Parser) ordinalAt(q *Question, ws []word, behind bool) (*token, int) {
	nth := ordinals[ws[0].text]
	switch {
	case len(q.Forms) > 0 && len(ws) > 1 && ws[1].text == "one":
		return &token{part: partCount, n: nth}, 2
	case len(q.Forms) > 0 && !p.leads(q):
		return &token{part: partCount, n: nth}, 1
	case len(ws) > 1 && slices.ContainsFunc(p.keywords.by[ws[1].text], func(k keyword) bool { return k.List && !k.Counts && len(k.words) == 1 }):
		return nil, 1 // "second check Sofia"
	case nth > 1 && behind:
		return &token{part: partCount, n: 1}, 1 + ofOne(ws[1:])
	}
	return nil, 0
}

// ofOne is 1 where "one" begins ws, which an ordinal has counted: "the second one in Budapest".
func ofOne(ws []word) int {
	if len(ws) > 1 && ws[0].text == "one" && !ws[0].comma {
		return 1
	}
	return 0
}

// nextAt reads an ordinal that counts one more: "2 in Poznan and the third in Lodz".
func nextAt(ws []word, i int) (*token, int) {
	if i == 0 || i+1 == len(ws) || ordinals[ws[i].text] < 2 || !towards[ws[i+1].text] {
		return nil, 0
	}
	return &token{part: partCount, n: 1}, 1
}

// towards are words between a count and its place.
var towards = wordSet("in into to goes for at on")

// numberWord is a number as a word of a line.
func numberWord(n int) word {
	return word{text: strconv.Itoa(n), number: n, digits: true}
}

// countsBehind reports whether a number stands right behind a name: "Krakow two Lodz one".
func (s *scanned) countsBehind() bool {
	for i, t := range s.tokens {
		if t.part == partCount && i > 0 && s.tokens[i-1].part == partName {
			return true
		}
	}
	return false
}
