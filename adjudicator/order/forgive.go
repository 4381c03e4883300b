package order

import (
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

// A line that cannot be read as it stands is read once more with forgiveness:
// without polite words, with numbers in words, plurals, counts before their
// names, and names that are nearly right. What can be read as it stands is never
// read in another way.

// fillers say nothing between the words of an order.
var fillers = map[string]bool{"a": true, "an": true, "as": true, "at": true, "for": true, "in": true, "into": true,
	"it": true, "its": true, "my": true, "of": true, "on": true, "onto": true, "the": true, "to": true, "with": true,
	"their": true, "from": true, "please": true, "then": true, "also": true, "more": true, "card": true, "cards": true, "and": true, "plus": true, "by": true,
	"is": true}

// numbering words stand in front of the number of a card.
var numbering = map[string]bool{"number": true, "nr": true, "num": true, "numero": true, "nro": true, "nummer": true, "numer": true, "cislo": true, "szam": true}

// closing words may stand at the end of an order.
var closing = map[string]bool{"card": true, "cards": true, "also": true, "then": true, "it": true}

// polite words may stand in front of an order and say nothing.
var polite = phrases("please", "pls", "plz", "kindly", "then", "next", "now", "ok", "okay", "so", "finally", "and then",
	"my order is", "my orders are", "my order", "my orders", "order", "orders", "my move is", "my move", "move", "my answer is",
	"my answer", "here are my orders", "here is my order", "here is my move", "first", "second", "secondly", "also", "no thanks", "no thank you")

// willing phrases say that somebody will do something, which may be an order or
// a tale of what he will do.
var willing = phrases("i would like to", "id like to", "i want to", "i wish to", "i will", "ill", "i am going to",
	"im going to", "i shall", "i am", "im", "i choose to", "i", "let me", "let us", "lets", "we will", "well", "we would like to", "we")

// courtesy words may stand behind an order and say nothing.
var courtesy = map[string]bool{"please": true, "pls": true, "plz": true, "thanks": true, "thank": true, "you": true, "thx": true,
	"cheers": true, "good": true, "luck": true, "have": true, "fun": true, "ok": true, "okay": true, "regards": true, "best": true,
	"your": true, "turn": true, "move": true, "very": true, "much": true, "now": true, "many": true, "kind": true}

// numerals are the numbers that are read as words.
var numerals = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20}

// times are the words that count behind a name.
var times = map[string]int{"once": 1, "twice": 2, "thrice": 3}

// phrases folds phrases, the longest first.
func phrases(list ...string) [][]string {
	out := make([][]string, len(list))
	for i, p := range list {
		out[i] = strings.Fields(p)
	}
	slices.SortStableFunc(out, func(a, b []string) int { return len(b) - len(a) })
	return out
}

// begin returns how many words of the longest phrase begin ws.
func begin(list [][]string, ws []word) int {
	for _, p := range list {
		if len(p) < len(ws) && begun(p, ws) {
			return len(p)
		}
	}
	return 0
}

// forgiving prepares the second reading of a line. It is nil where nothing may
// be forgiven.
func (p *Parser) forgiving(text string) *reading {
	r := &reading{p: p, text: text, words: slices.Clone(p.wordsOf(text)), loose: true}
	r.apart()
	r.abbreviated()
	r.spoken()
	r.lead()
	r.tail()
	if len(r.words) == 0 {
		return nil
	}
	r.turn()
	if k, ok := p.keywords.at(r.words); ok && k.Exact {
		return nil
	}
	return r
}

// apart cuts "krakow2", "march6" and "2x" into letters and digits.
func (r *reading) apart() {
	for i := 0; i < len(r.words); i++ {
		w := r.words[i]
		cut := strings.IndexFunc(w.text, func(c rune) bool { return (c >= '0' && c <= '9') != digit(w.text[0]) })
		if cut <= 0 || w.end-w.start != len(w.text) {
			continue
		}
		a, b := w, w
		a.text, a.end, b.text, b.start, b.comma = w.text[:cut], w.start+cut, w.text[cut:], w.start+cut, false
		a.number, b.number = number(a.text), number(b.text)
		a.digits, b.digits = digit(a.text[0]), digit(b.text[0])
		switch {
		case w.number >= 0, a.text == "x": // "x2" is a number already.
			continue
		case b.text == "s" && a.number >= 0:
			r.words[i] = a // "two march 3s"
			continue
		case b.text == "x" && a.number >= 0:
			r.words[i].text, r.words[i].number = "x"+a.text, a.number
			continue
		case a.number >= 0 && len(b.text) < 3, a.number < 0 && b.number < 0 && len(r.p.keywords.by[a.text]) == 0:
			continue // "40th", and what is cut more than once, unless it is "play36event"
		}
		r.words = slices.Insert(slices.Delete(r.words, i, i+1), i, a, b)
	}
	// "x 2" and "2 x" are one number.
	for i := 0; i+1 < len(r.words); i++ {
		a, b := r.words[i], r.words[i+1]
		switch {
		case b.comma:
		case a.text == "x" && b.number >= 0, b.text == "x" && a.number >= 0:
			n := max(a.number, b.number)
			a.text, a.number, a.end = "x"+strings.Trim(a.text+b.text, "x"), n, b.end
			r.words = slices.Replace(r.words, i, i+2, a)
		}
	}
}

// tens are the numbers that no count reaches: they are the numbers of things.
var tens = map[string]int{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

// abbreviated reads "No. 14", which "no 14" is not.
func (r *reading) abbreviated() {
	for i, w := range r.words {
		if w.text == "no" && i+1 < len(r.words) && strings.HasPrefix(r.text[w.end:], ".") {
			r.words[i].text = "number"
		}
	}
}

// spoken reads the numbers of things as a telephone takes them down: "thirty-six",
// "card nine", "one hundred and four".
func (r *reading) spoken() {
	for i := 0; i < len(r.words); i++ {
		if n, used := r.spokenAt(i); used > 0 {
			w := r.words[i]
			w.text, w.number, w.digits, w.end = strconv.Itoa(n), n, true, r.words[i+used-1].end
			r.words = slices.Replace(r.words, i, i+used, w)
		}
	}
}

// spokenAt reads the number of a thing whose first word stands i words from the
// beginning, and says how many words it takes.
func (r *reading) spokenAt(i int) (n, used int) {
	hundred := slices.Equal(texts(r.words[i:min(i+2, len(r.words))]), []string{"one", "hundred"})
	numbered := i > 0 && !r.words[i].comma && (strings.TrimSuffix(r.words[i-1].text, "s") == "card" || numbering[r.words[i-1].text])
	if hundred {
		if n, used = 100, 2; i+2 < len(r.words) && r.words[i+2].text == "and" {
			used = 3
		}
	}
	if m := r.named(tens, i, used); m > 0 {
		n, used = n+m, used+1
		if m := r.named(numerals, i, used); m > 0 && m < 10 {
			n, used = n+m, used+1
		}
	} else if m := r.named(numerals, i, used); m > 0 && (hundred || numbered) {
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

// named is the number that a word behind some others is a name of, if no comma stands
// between; 0 when there is none.
func (r *reading) named(of map[string]int, from, behind int) int {
	i := from + behind
	if i >= len(r.words) || behind > 0 && r.words[i].comma {
		return 0
	}
	return of[r.words[i].text]
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// lead drops what stands politely in front of the order.
func (r *reading) lead() {
	for len(r.words) > 1 {
		if _, ok := r.p.keywords.at(r.words); ok {
			return
		}
		n := begin(polite, r.words)
		if n == 0 {
			if n = begin(willing, r.words); n > 0 {
				r.weak = true
			}
		}
		if n == 0 && r.listed() {
			n = 1
		}
		if n == 0 {
			return
		}
		r.words = r.words[n:]
		r.led = true
	}
}

// listed reports whether the first word is the number of a line in a list: "1.",
// "2)" or "b)" before a verb, or the key cap that telephones make of it.
func (r *reading) listed() bool {
	first := r.words[0]
	if k, ok := r.p.keywords.verb(r.words[1:]); !ok || len(k.Takes) == 0 {
		return false
	}
	if first.number < 0 && (len(first.text) != 1 || first.text > "h") || first.number > 9 || first.text[0] == 'x' || r.words[1].start < first.end {
		return false
	}
	switch strings.TrimSpace(r.text[first.end:r.words[1].start]) {
	case ".", ")", ":", ".)":
		return true
	case "-", "–", "—", "\ufe0f\u20e3", "\u20e3":
		return first.number >= 0
	}
	return false
}

// tail drops thanks behind the order.
func (r *reading) tail() {
	for len(r.words) > 1 && courtesy[r.words[len(r.words)-1].text] {
		r.words = r.words[:len(r.words)-1]
	}
}

// turn brings a line that begins with another keyword into the order in which
// it is read: "EVENT FIRST PLAY 36".
func (r *reading) turn() {
	if _, ok := r.p.keywords.verb(r.words); ok {
		return
	}
	i := 0
	for i < len(r.words) {
		k, ok := r.p.keywords.at(r.words[i:])
		switch {
		case ok && k.Verb && i > 0:
			front := slices.Clone(r.words[:i])
			r.words = append(slices.Clone(r.words[i:]), front...)
			r.words[0].comma = false
			r.words[len(r.words)-i].comma = true
			r.led = true
			return
		case ok && !k.Verb && len(k.Takes) == 0 && !k.Number:
			i += len(k.words)
		case i > 0 && fillers[r.words[i].text]:
			i++
		default:
			return
		}
	}
}

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

// skipFillers passes over words that say nothing here. A word that begins a name
// of the kinds, or a clause, says something.
func (r *reading) skipFillers(k keyword) {
	for len(r.rest()) > 1 && !(k.Counts && r.rest()[0].text == "a" && r.unit(k, 1)) && (fillers[r.rest()[0].text] || numbering[r.rest()[0].text] && r.rest()[1].number >= 0) {
		if n, _, _ := r.name(k.Takes, true); n > 0 {
			return
		}
		own := slices.ContainsFunc(k.Takes, func(n rules.NameKind) bool { return string(n) == singular(r.rest()[0].text) })
		if m, ok := r.p.keywords.at(r.rest()); ok && !own && !r.idle(m) {
			return
		}
		r.at++
	}
}

// idle reports whether the keyword here is only a word of the sentence: "in"
// and "as" where no name stands behind them that they could take, or none before
// them that they could modify.
func (r *reading) idle(m keyword) bool {
	if m.Modifies {
		return true
	}
	if len(m.Takes) == 0 || !fillers[r.rest()[0].text] || len(r.rest()) < 2 {
		return false
	}
	defer r.back(r.at)
	r.at += len(m.words)
	n, _, _ := r.name(m.Takes, false)
	return n == 0
}

// skipBetween passes over what says nothing between two clauses.
func (r *reading) skipBetween(verb string) {
	from := r.at
	defer func() {
		if r.at > from && r.done() && !closing[r.words[r.at-1].text] {
			r.at = from // "Hold on" is no HOLD.
		}
	}()
	for !r.done() {
		w := r.rest()[0]
		m, ok := r.p.keywords.at(r.rest())
		switch {
		case ok && m.alias && m.Word == verb && len(r.rest()) > 1 && r.rest()[1].text == "it":
			r.at += len(m.words) + 1 // "and use it for"
		case !ok && r.value(from):
			r.at++ // "for 3 ops", "(3 Ops)"
			return
		case ok && !(fillers[w.text] && r.idle(m)), !ok && !fillers[w.text]:
			return
		default:
			r.at++
		}
	}
}

// value reports whether the number here only says what the next keyword is worth. It
// has to stand behind a word that says nothing, or in brackets: "3 6 OPS" may be a 36.
func (r *reading) value(from int) bool {
	if len(r.rest()) < 2 || numeral(r.rest()[0]) <= 0 || r.rest()[1].comma {
		return false
	}
	m, ok := r.p.keywords.at(r.rest()[1:])
	bracket := r.at > 0 && strings.Contains(r.text[r.words[r.at-1].end:max(r.words[r.at-1].end, r.words[r.at].start)], "(")
	return ok && m.Counted != "" && (r.at > from || bracket)
}

// skipUnits passes over words for what a number counts.
func (r *reading) skipUnits(k keyword) {
	for !r.done() {
		i := slices.IndexFunc(k.units, func(u []string) bool { return begun(u, r.rest()) })
		if i < 0 {
			return
		}
		r.at += len(k.units[i])
	}
}
