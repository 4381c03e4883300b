package order

import (
	"slices"
	"strconv"
	"strings"
)

// numerals are the numbers that are read as words.
var numerals = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20}

// counting words are numbers of points besides numerals, in all languages.
var counting = map[string]int{"both": 2, "couple": 2, "pair": 2, "single": 1, "double": 2, "triple": 3, "ein": 1, "eine": 1, "einen": 1, "eins": 1, "zwei": 2, "drei": 3, "vier": 4,
	"un": 1, "deux": 2, "trois": 3, "dos": 2, "tres": 3, "dwa": 2, "dwie": 2, "trzy": 3, "dva": 2, "dve": 2, "ketto": 2, "kettot": 2, "harom": 3, "harmat": 3, "egy": 1, "egyet": 1, "mindket": 2, "mindketto": 2, "mindkettot": 2,
	"beide": 2, "beiden": 2, "einer": 1, "jeden": 1, "jedna": 1, "jednego": 1, "oba": 2, "obydwa": 2, "obie": 2, "obe": 2, "ctyri": 4, "cztery": 4, "negy": 4, "quatre": 4, "une": 1, "uno": 1, "due": 2, "doi": 2, "doua": 2}

var (
	// tens are the numbers that no count reaches: they are the numbers of things.
	tens = map[string]int{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
	// repeated words count the name before them.
	repeated = map[string]int{"once": 1, "twice": 2, "thrice": 3}
	eaching  = wordSet("each apiece every jeweils chacun chacune")
	// remaining words stand for the count that is left.
	remaining = wordSet("rest remaining remainder other all everything")
	joining   = wordSet("and plus then")
	// numbering words stand in front of the number of a card.
	numbering = wordSet("number nr num numero nro nummer numer cislo szam")
	ordinals  = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
)

func digit(c byte) bool { return c >= '0' && c <= '9' }

// numeral is the value of a number, in digits or in words, and -1 otherwise.
func numeral(w word) int {
	if w.number >= 0 {
		return w.number
	}
	if n, ok := numerals[w.text]; ok {
		return n
	}
	return -1
}

// numberWord is a number as a word of a line.
func numberWord(n int) word {
	return word{text: strconv.Itoa(n), number: n, digits: true}
}

// spoken are the words of a text with its numbers taken apart from letters and put together from
// words: "krakow2" is Krakow and 2, "2x" is x2, "thirty-six" is 36.
func (p *Parser) spoken(text string) []word {
	ws := p.apart(slices.Clone(p.wordsOf(text)))
	for i, w := range ws {
		if w.text == "no" && i+1 < len(ws) && strings.HasPrefix(text[w.end:], ".") && ws[i+1].number >= 0 {
			ws[i].text = "number" // "No. 14", which "no 14" is not.
		}
	}
	for i := range ws {
		if n, used := spokenAt(ws, i); i < len(ws) && used > 0 {
			w := ws[i]
			w.text, w.number, w.digits, w.end = strconv.Itoa(n), n, true, ws[i+used-1].end
			ws = slices.Replace(ws, i, i+used, w)
		}
	}
	return ws
}

// apart cuts "krakow2" and "march6" into letters and digits, and makes one number of "2x", "x 2" and "2 x".
func (p *Parser) apart(ws []word) []word {
	for i := 0; i < len(ws); i++ {
		head, tail, cut := p.cut(ws[i])
		if ws[i] = head; cut {
			ws = slices.Insert(ws, i+1, tail)
		}
	}
	for i := 0; i+1 < len(ws); i++ {
		a, b := ws[i], ws[i+1]
		if !b.comma && (a.text == "x" && b.number >= 0 || b.text == "x" && a.number >= 0) {
			n := max(a.number, b.number)
			a.text, a.number, a.end = "x"+strings.Trim(a.text+b.text, "x"), n, b.end
			ws = slices.Replace(ws, i, i+2, a)
		}
	}
	return ws
}

// cut cuts a word where letters and digits meet; ok is false where it stays one word, which is then a.
func (p *Parser) cut(w word) (a, b word, ok bool) {
	at := strings.IndexFunc(w.text, func(c rune) bool { return (c >= '0' && c <= '9') != digit(w.text[0]) })
	if at <= 0 || w.end-w.start != len(w.text) {
		return w, w, false
	}
	a, b = w, w
	a.text, a.end, b.text, b.start, b.comma = w.text[:at], w.start+at, w.text[at:], w.start+at, false
	a.number, b.number = number(a.text), number(b.text)
	a.digits, b.digits = digit(a.text[0]), digit(b.text[0])
	switch {
	case w.number >= 0, len(a.text) == 1 && a.number < 0: // "x2" is a number already, and "l4" none.
		return w, w, false
	case b.text == "s" && a.number >= 0:
		return a, w, false // "two march 3s"
	case b.text == "x" && a.number >= 0:
		w.text, w.number = "x"+a.text, a.number
		return w, w, false
	case a.number >= 0 && len(b.text) < 3, a.number < 0 && b.number < 0 && len(p.keywords.by[a.text]) == 0:
		return w, w, false // "40th", and what is cut more than once, unless it is "play36event"
	}
	return a, b, true
}

// spokenAt reads the number of a thing whose first word is ws[i], and says how many words it takes.
func spokenAt(ws []word, i int) (n, used int) {
	if i >= len(ws) {
		return 0, 0
	}
	hundred := slices.Equal(texts(ws[i:min(i+2, len(ws))]), []string{"one", "hundred"})
	numbered := i > 0 && !ws[i].comma && (strings.TrimSuffix(ws[i-1].text, "s") == "card" || numbering[ws[i-1].text])
	if hundred {
		if n, used = 100, 2; i+2 < len(ws) && ws[i+2].text == "and" {
			used = 3
		}
	}
	if m := numberedBy(tens, ws, i, used); m > 0 {
		n, used = n+m, used+1
		if m := numberedBy(numerals, ws, i, used); m > 0 && m < 10 {
			n, used = n+m, used+1
		}
	} else if m := numberedBy(numerals, ws, i, used); m > 0 && (hundred || numbered) {
		n, used = n+m, used+1
	}
	switch {
	case n == 20 && !numbered && used == 1: // "twenty" may be a count.
		return 0, 0
	case hundred && used == 3 && n == 100:
		used = 2 // "one hundred and Lodz"
	}
	return n, used
}

// numberedBy is the number that a word behind some others is a name of, if no comma stands
// between; 0 when there is none.
func numberedBy(of map[string]int, ws []word, from, behind int) int {
	i := from + behind
	if i >= len(ws) || behind > 0 && ws[i].comma {
		return 0
	}
	return of[ws[i].text]
}
