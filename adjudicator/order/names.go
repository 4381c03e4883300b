package order

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"samizdat/rules"
)

// How well words of a line match a name.
const (
	matchNone = iota
	// matchAlias is a beginning of another name, which a beginning of the name itself beats.
	matchAlias
	matchBeginning
	matchWords
	matchFull
)

// entry is one name with all its full texts, folded; first is the number of the first text among those of all names.
type entry struct {
	name  rules.Name
	texts [][]string
	first int
}

// index finds names. It is made once and only read afterwards.
type index struct {
	byKind map[rules.NameKind][]*entry
	of     map[nameID]*entry
	// longest is the number of words of the longest name, count the number of all texts.
	longest, count int
	// kindsOf are the kinds of each full name.
	kindsOf map[string][]rules.NameKind
	// in maps a word to the texts that contain it.
	in map[string]textSet
	// stems maps a name without its final vowel, which case endings replace, to the name.
	stems map[string]string
	// near caches the texts with a word like a given word, suggested the suggestions for an unknown word.
	near      memo[textSet]
	suggested memo[suggestion]
}

// textSet is a set of texts of names, as a bit set of their numbers.
type textSet []uint64

func (s textSet) empty() bool {
	return !slices.ContainsFunc(s, func(some uint64) bool { return some != 0 })
}
func (s textSet) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

func (s textSet) add(o textSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

func newIndex(names []rules.Name) *index {
	x := &index{byKind: map[rules.NameKind][]*entry{}, of: map[nameID]*entry{}, kindsOf: map[string][]rules.NameKind{},
		in: map[string]textSet{}, stems: map[string]string{}}
	for _, n := range names {
		e := &entry{name: n, first: x.count}
		for _, ws := range spellings(n) {
			if len(ws) == 0 {
				continue
			}
			e.texts = append(e.texts, ws)
			x.longest, x.count = max(x.longest, len(ws)), x.count+1
			full := strings.Join(ws, " ")
			if stem := strings.TrimRight(full, "aeiouy"); len(ws) == 1 && len(stem) == len(full)-1 {
				x.stems[stem] = full
			}
			x.kindsOf[full] = append(x.kindsOf[full], n.Kind)
		}
		x.byKind[n.Kind] = append(x.byKind[n.Kind], e)
		x.of[nameID{n.Kind, n.Code}] = e
	}
	for _, entries := range x.byKind {
		for _, e := range entries {
			for i, text := range e.texts {
				for _, w := range text {
					x.note(w, e.first+i)
				}
			}
		}
	}
	return x
}

// note records that a text contains a word.
func (x *index) note(word string, text int) {
	if x.in[word] == nil {
		x.in[word] = make(textSet, x.count/64+1)
	}
	x.in[word][text/64] |= 1 << (text % 64)
}

// spellings lists the words of each spelling of a name.
func spellings(n rules.Name) (out [][]string) {
	for _, t := range append([]string{n.Text}, n.Aliases...) {
		out = append(out, Words(t))
	}
	return out
}

// fit returns the texts that words may mean. Each word must be near to a word of the text, except linking words if those may be idle.
func (x *index) fit(ws []word, idle bool) textSet {
	out := make(textSet, x.count/64+1)
	for i := range out {
		out[i] = ^uint64(0)
	}
	for _, w := range ws {
		if idle && linking[w.text] {
			continue
		}
		for i, near := range x.nearTo(w) {
			out[i] &= near
		}
	}
	return out
}

// nearTo returns the texts with a word that w may be, misspelt or short. Comparing all names with each few words of a letter would take
// long.
func (x *index) nearTo(w word) textSet {
	return x.near.get(w.text, func() textSet {
		s, letters := make(textSet, x.count/64+1), lettersOf(w.text)
		odd := numerals[w.text] > 0 || strings.HasSuffix(w.text, "ies") // "six" may be a figure, and "-ies" a "-y".
		for t, texts := range x.in {
			if (odd || bits.OnesCount64(letters&^lettersOf(t)) <= mostWrong) && wrong(w, t) <= mostWrong {
				s.add(texts)
			}
		}
		return s
	})
}

// lettersOf is the set of the letters of a word. Comparing sets is faster than comparing words.
func lettersOf(w string) (set uint64) {
	for i := range len(w) {
		set |= 1 << (w[i] % 64)
	}
	return set
}

// match says how well all of ws together match the name. Other: they are the full name of a thing of another kind, and so no
// abbreviation of an alias. For example, Poland is no church, although there is a Poland Catholic Church.
func (e *entry) match(ws []string, fit textSet, other bool) int {
	best := matchNone
	for i, t := range e.texts {
		if !fit.has(e.first + i) {
			continue
		}
		if m := match(ws, t); m == matchFull || !e.partly(i, len(ws), other) {
			if i > 0 && m == matchBeginning {
				m = matchAlias
			}
			best = max(best, m)
		}
	}
	if best < matchFull && e.name.NoAbbreviation {
		return matchNone
	}
	return best
}

// partly reports whether a number of words is too small for an alias: a single word of several, or the full name of a thing of another
// kind.
func (e *entry) partly(i, words int, other bool) bool {
	return i > 0 && (other || words < 2 && len(e.texts[i]) > 1)
}

// match compares words of a line with the words of one text. Words of the text may be skipped.
func match(ws, text []string) int {
	if slices.Equal(ws, text) {
		return matchFull
	}
	best, solid, i := matchWords, false, 0
	for _, w := range ws {
		whole := i + slices.Index(text[i:], w)
		begun := i + slices.IndexFunc(text[i:], func(t string) bool { return begins(t, w) })
		switch {
		case whole >= i:
			i = whole + 1
		case begun >= i:
			i, best = begun+1, matchBeginning
		default:
			return matchNone
		}
		solid = solid || !small[w]
	}
	if !solid {
		return matchNone
	}
	return best
}

// begins reports whether w abbreviates the word t. Numbers are never
// abbreviated, so that March-3 is not begun by a count.
func begins(t, w string) bool {
	return len(w) < len(t) && strings.HasPrefix(t, w) && number(w) < 0 && !small[w]
}

// small words never stand for a name by themselves, and are never the beginning
// of another word: AND between two names is not Andijan.
var small = map[string]bool{"a": true, "an": true, "and": true, "are": true, "as": true, "at": true, "by": true,
	"for": true, "from": true, "in": true, "is": true, "it": true, "its": true, "my": true, "of": true, "on": true,
	"or": true, "the": true, "to": true, "we": true, "with": true}

// find lists the names of the kinds that match ws best, and how well. Numbers name things by their number.
func (x *index) find(kinds []rules.NameKind, ws []word) ([]rules.Name, int) {
	best := matchNone
	var out []rules.Name
	fit := x.fit(ws, false)
	if fit.empty() && (len(ws) > 1 || ws[0].number < 0) {
		return nil, best
	}
	other, list := x.other(kinds, ws), texts(ws)
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			m := e.match(list, fit, other)
			if len(ws) == 1 && e.name.Number != 0 && ws[0].number == e.name.Number && ws[0].text[0] != 'x' {
				m = matchFull
			}
			if m == matchNone || m < best {
				continue
			}
			if m > best {
				best, out = m, nil
			}
			out = append(out, e.name)
		}
	}
	return out, best
}

// other reports whether ws are the full name of a thing of another kind.
func (x *index) other(kinds []rules.NameKind, ws []word) bool {
	of := x.kindsOf[strings.Join(texts(ws), " ")]
	return len(of) > 0 && !slices.ContainsFunc(of, func(k rules.NameKind) bool { return slices.Contains(kinds, k) })
}

// likeness describes how a name fits words of a line that do not match it exactly: cost counts the wrong letters, whole means that the
// words contain every word of the name.
type likeness struct {
	cost  int
	whole bool
}

// rank orders likenesses: first whether a letter is wrong, then whether the name is whole.
func (l likeness) rank() (n int) {
	if l.cost == 0 {
		n = 2
	}
	if l.whole {
		n++
	}
	return n
}

// linking words may stand among the words of a name.
var linking = wordSet("the of for to in at a an")

// mostWrong bounds the wrong letters of one name.
const mostWrong = 2

// like lists the names of the kinds that ws are like. Names without a wrong letter go before the others, and whole names before parts
// of names. Names of equal rank are all listed, even if their counts of wrong letters differ, since only a single name is ever
// understood.
func (x *index) like(kinds []rules.NameKind, ws []word) (out []rules.Name, best likeness) {
	fit := x.fit(ws, true)
	if fit.empty() || x.other(kinds, ws) {
		return nil, best // East Germany is no misspelt East German Lutheran Church.
	}
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			l, ok := e.like(ws, fit)
			switch {
			case !ok:
			case len(out) == 0 || l.rank() > best.rank():
				out, best = append(out[:0], e.name), l
			case l.rank() == best.rank() && !slices.ContainsFunc(out, func(n rules.Name) bool { return n.Text == e.name.Text && n.Kind == e.name.Kind }):
				out = append(out, e.name)
			}
		}
	}
	return out, best
}

func (e *entry) like(ws []word, fit textSet) (best likeness, ok bool) {
	for i, t := range e.texts {
		if e.name.NoAbbreviation || !fit.has(e.first+i) {
			continue
		}
		l, fits := alike(ws, t)
		if fits && (l.whole || !e.partly(i, len(ws), false)) && (!ok || l.whole && !best.whole || l.whole == best.whole && l.cost < best.cost) {
			best, ok = l, true
		}
	}
	return best, ok
}

// alike compares words of a line with one text: in any order, in the singular or plural, with single wrong letters. The line may have
// function words that the text has not. For example, "wals" is The Wall.
func alike(ws []word, text []string) (out likeness, ok bool) {
	out.whole = true
	used, solid := make([]bool, len(text)), false
	for _, w := range ws {
		best, cost := -1, mostWrong+1
		for i, t := range text {
			if c := wrong(w, t); !used[i] && c < cost {
				best, cost = i, c
			}
		}
		switch {
		case best >= 0:
			used[best] = true
			out.cost, solid = out.cost+cost, solid || !small[w.text]
		case !linking[w.text]:
			return out, false
		}
	}
	for i, t := range text {
		out.whole = out.whole && (used[i] || small[t])
	}
	return out, solid && out.cost <= mostWrong
}

// allowed is the number of letters of a word that may be wrong.
func allowed(t string) int {
	switch n := len(t); {
	case n < 5:
		return 0
	case n < 8:
		return 1
	}
	return mostWrong
}

// wrong counts the wrong letters of w as a spelling of t; beginnings and plurals have none. A number is never misspelt.
func wrong(w word, t string) int {
	switch {
	case w.text == t, begins(t, w.text), w.text[0] == t[0] && singular(w.text) == singular(t) && w.number < 0:
		return 0
	case digit(t[0]) && numerals[w.text] > 0 && number(t) == numerals[w.text]:
		return 0
	case len(w.text) < 4 || w.digits || small[w.text]:
		return mostWrong + 1
	}
	limit := allowed(t)
	if d := distance(w.text, t, limit); d <= limit && !strings.ContainsAny(t, "0123456789") {
		return d
	}
	return mostWrong + 1
}

// singular is a word without the ending of the plural.
func singular(s string) string {
	switch {
	case len(s) > 4 && strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case len(s) > 4 && (strings.HasSuffix(s, "ches") || strings.HasSuffix(s, "sses")):
		return s[:len(s)-2]
	case len(s) > 3 && strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss"):
		return s[:len(s)-1]
	}
	return s
}

// longestWord is the length of the longest text whose distance is measured.
const longestWord = 48

// distance counts the letters to insert, drop, change or swap with a neighbour
// that lead from a to b. Above the limit it may return any greater number.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit || len(a) > longestWord || len(b) > longestWord {
		return limit + 1
	}
	if limit < 2 && a != "" && b != "" && a[0] != b[0] && a[len(a)-1] != b[len(b)-1] {
		return limit + 1 // One change does not reach both ends of a word.
	}
	var rows [3][longestWord + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Names of places have endings in the languages of those who live there: "w Krakowie", "do Lipska", "Debrecenben".

// caseEndings are those of Hungarian, Polish and Czech, the longest first.
var caseEndings = strings.Fields("iach ban ben bol rol tol nal nel hoz hez nak nek owi ovi iem ach ech ich ett ott ba be on en ra re ot et at ia ie iu em ou u a i y e t")

// shortestDeclined is the least number of letters of a name before its ending.
const shortestDeclined = 3

// inflected returns the places of the kinds that a word names with a case ending. For example, "Krakowie" is Krakow.
func (v *vocabulary) inflected(kinds []rules.NameKind, w word) []rules.Name {
	for _, end := range caseEndings {
		stem := strings.TrimSuffix(w.text, end)
		if len(stem) == len(w.text) || len(stem) < shortestDeclined || w.digits {
			continue
		}
		w := w
		if w.text = stem; v.names.in[stem] == nil {
			w.text = v.names.stems[stem]
		}
		if w.text == "" {
			continue
		}
		if names, quality := v.names.find(kinds, []word{w}); quality == matchFull && v.isCounted(names[0].Kind) {
			return names
		}
	}
	return nil
}

// memo caches results. A letter repeats its words, and its lines are read in several ways.
type memo[T any] struct {
	mu    sync.Mutex
	known map[string]T
}

// mostKnown bounds the cache: a letter has fewer words.
const mostKnown = 8192

func (m *memo[T]) get(key string, find func() T) T {
	m.mu.Lock()
	v, ok := m.known[key]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = find()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= mostKnown {
		m.known = map[string]T{}
	}
	m.known[key] = v
	return v
}
