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

// entry is one name with all its full texts, folded.
type entry struct {
	name  rules.Name
	texts [][]string
	// joined are the texts, each in one word.
	joined []string
	// letters are those of each text.
	letters []letterSet
	// initials are the first letters of each text's words.
	initials []uint64
	// first is the number of the first text among those of all names.
	first int
}

// initials are the first letters of words as a set: a word that has a letter
// which no word of a text begins with cannot abbreviate the text.
func initials(ws []string) (set uint64) {
	for _, w := range ws {
		set |= 1 << (w[0] % 64)
	}
	return set
}

// index finds names. It is made once and only read afterwards.
type index struct {
	byKind map[rules.NameKind][]*entry
	// longest is the number of words of the longest name.
	longest int
	// kindsOf are the kinds of each full name.
	kindsOf map[string][]rules.NameKind
	// words are those of all names.
	words map[string]bool
	// stems are names of one word without the vowel that their endings take the place of.
	stems map[string]string
	*nearby
}

func newIndex(names []rules.Name) index {
	x := index{byKind: map[rules.NameKind][]*entry{}, kindsOf: map[string][]rules.NameKind{}, words: map[string]bool{}, stems: map[string]string{}}
	var all []*entry
	for _, n := range names {
		e := &entry{name: n}
		for _, t := range append([]string{n.Text}, n.Aliases...) {
			if ws := texts(words(t)); len(ws) > 0 {
				e.texts, e.joined, e.initials = append(e.texts, ws), append(e.joined, strings.Join(ws, "")), append(e.initials, initials(ws))
				e.letters = append(e.letters, lettersOf(e.joined[len(e.joined)-1]))
				x.longest = max(x.longest, len(ws))
				for _, w := range ws {
					x.words[w] = true
				}
				full := strings.Join(ws, " ")
				if stem := strings.TrimRight(full, "aeiouy"); len(ws) == 1 && len(stem) == len(full)-1 {
					x.stems[stem] = full
				}
				x.kindsOf[full] = append(x.kindsOf[full], n.Kind)
			}
		}
		x.byKind[n.Kind] = append(x.byKind[n.Kind], e)
		all = append(all, e)
	}
	x.nearby = newNearby(all)
	return x
}

// match says how well all of ws together match the name. First are their
// initials; other means that they are the full name of a thing of another kind,
// and so no abbreviation of an alias: Poland is no church, although there is a
// Poland Catholic Church.
func (e *entry) match(ws []string, first uint64, fit textSet, other bool) int {
	best := matchNone
	for i, t := range e.texts {
		if first&^e.initials[i] != 0 || !fit.has(e.first+i) {
			continue
		}
		if m := match(ws, t); m == matchFull || !e.partly(i, len(ws), other) {
			if i > 0 && m == matchBeginning {
				m = matchAlias
			}
			best = max(best, m)
		}
	}
	if best < matchFull && e.name.Whole {
		return matchNone
	}
	return best
}

// partly reports whether so many words are too few of an alias: a single word of
// several, or the full name of a thing of another kind.
func (e *entry) partly(i, words int, other bool) bool {
	return i > 0 && (other || words < 2 && len(e.texts[i]) > 1)
}

// match compares words of a line with the words of one text, of which some may
// be skipped.
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

// find lists the names of the kinds that match ws best, and how well. Numbers
// name things by their number.
func (x *index) find(kinds []rules.NameKind, ws []word) ([]rules.Name, int) {
	best := matchNone
	var out []rules.Name
	fit := x.fit(ws, false)
	if fit.empty() && (len(ws) > 1 || ws[0].number < 0) {
		return nil, best
	}
	other, list := x.other(kinds, ws), texts(ws)
	first := initials(list)
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			m := e.match(list, first, fit, other)
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

// spelt is how many words of names begin ws: no name in full is longer.
func (x *index) spelt(ws []word) int {
	n := 0
	for n < min(len(ws), x.longest) && x.words[ws[n].text] {
		n++
	}
	return n
}

// likeness is how a name fits words of a line that do not match it as they
// stand.
type likeness struct {
	// cost counts the letters that are wrong.
	cost int
	// whole means that every word of the name is there.
	whole bool
	// short means that a word of only four letters was mended.
	short bool
}

// linking words may stand among the words of a name.
var linking = map[string]bool{"the": true, "of": true, "for": true, "to": true, "in": true, "at": true, "a": true, "an": true}

// mostWrong is how many letters of one name may be wrong.
const mostWrong = 2

// alike compares words of a line with one text: in any order, in the singular or
// plural, with single letters wrong. Words that say nothing may be in the line
// and not in the text.
func alike(ws []word, text []string) (likeness, bool) {
	out := likeness{whole: true}
	if together(ws, text, &out) {
		return out, true
	}
	var used [16]bool
	if len(text) > len(used) {
		return out, false
	}
	solid := false
	for _, w := range ws {
		best, cost := -1, mostWrong+1
		for i, t := range text {
			if used[i] {
				continue
			}
			if c := wrong(w, t); c < cost {
				best, cost = i, c
			}
		}
		switch {
		case best < 0 && linking[w.text]:
			continue
		case best < 0:
			return out, false
		}
		used[best] = true
		out.cost += cost
		out.short = out.short || cost > 0 && len(w.text) == 4
		solid = solid || !small[w.text]
	}
	for i, t := range text {
		out.whole = out.whole && (used[i] || small[t])
	}
	return out, solid && out.cost <= mostWrong
}

// together compares what is written in one word with what is two, or the other
// way round: "targumures", "bab es".
func together(ws []word, text []string, out *likeness) bool {
	if len(ws) == len(text) || len(ws) > 2 {
		return false
	}
	a, b := strings.Join(texts(ws), ""), strings.Join(text, "")
	if d := len(a) - len(b); len(a) < 5 || d > mostWrong || -d > mostWrong || slices.ContainsFunc(ws, func(w word) bool { return w.digits }) {
		return false
	}
	limit := min(allowed(b), 1)
	if len(ws) > len(text) {
		limit = 0 // "Schwerin jk" is not Schwerin.
	}
	out.cost = distance(a, b, limit)
	return out.cost <= limit
}

// allowed is how many letters of a word may be wrong.
func allowed(t string) int {
	switch n := len(t); {
	case n < 5:
		return 0
	case n < 8:
		return 1
	}
	return mostWrong
}

// wrong counts the wrong letters of w as a spelling of t; beginnings and plurals
// have none. Numbers are right or not meant.
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

// like lists the names of the kinds that ws are like. Names without a wrong
// letter go before the others, and whole names before parts of names; what is
// left is listed even if some have fewer wrong letters than others, since only a
// single name is ever understood.
func (x *index) like(kinds []rules.NameKind, ws []word) ([]rules.Name, likeness) {
	var out []rules.Name
	var best likeness
	if x.other(kinds, ws) {
		return nil, best // East Germany is no misspelt East German Lutheran Church.
	}
	fit := x.fit(ws, true)
	if fit.empty() {
		return nil, best
	}
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			l, ok := e.like(ws, fit)
			if !ok {
				continue
			}
			switch {
			case len(out) == 0 || l.rank() > best.rank():
				out, best = append(out[:0], e.name), l
			case l.rank() == best.rank() && !slices.ContainsFunc(out, func(n rules.Name) bool { return n.Text == e.name.Text && n.Kind == e.name.Kind }):
				out = append(out, e.name)
			}
		}
	}
	return out, best
}

// rank is what decides between names: first whether a letter is wrong, then whether the
// name is whole.
func (l likeness) rank() (n int) {
	if l.cost == 0 {
		n = 2
	}
	if l.whole {
		n++
	}
	return n
}

// like compares ws with all texts of the name.
func (e *entry) like(ws []word, fit textSet) (best likeness, ok bool) {
	if e.name.Whole {
		return best, false
	}
	for i, t := range e.texts {
		if !fit.has(e.first + i) {
			continue
		}
		l, fits := alike(ws, t)
		if fits && (l.whole || !e.partly(i, len(ws), false)) && (!ok || l.whole && !best.whole || l.whole == best.whole && l.cost < best.cost) {
			best, ok = l, true
		}
	}
	return best, ok
}

// near lists names of the kinds that ws may be a misspelling of: the full text
// or one word of it is at most one change in five letters away, and nothing is
// nearer.
func (x *index) near(kinds []rules.NameKind, ws []word) []rules.Name {
	typed := strings.Join(texts(ws), "")
	return x.misspelt.get(keyOf(typed, kinds), func() []rules.Name { return x.nearest(kinds, typed) })
}

// keyOf is what is remembered of a text beside kinds of names.
func keyOf(text string, kinds []rules.NameKind) string {
	key := []byte(text)
	for _, k := range kinds {
		key = append(append(key, ' '), k...)
	}
	return string(key)
}

func (x *index) nearest(kinds []rules.NameKind, typed string) []rules.Name {
	limit := len(typed) / 5
	if len(typed) == 4 {
		limit = 1
	}
	var out []rules.Name
	letters := lettersOf(typed)
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			if e.name.Whole {
				continue
			}
			d := e.distance(typed, letters, limit)
			if d > limit || d == 0 {
				continue
			}
			if d < limit {
				limit, out = d, nil
			}
			out = append(out, e.name)
		}
	}
	return out
}

// distance is the least distance of typed, which has these letters, to a text of the name or
// to one of its longer words.
func (e *entry) distance(typed string, letters letterSet, limit int) int {
	best := limit + 1
	for i, t := range e.texts {
		if letters.beyond(e.letters[i]) > limit {
			continue // Those of the text are all that its words have.
		}
		best = min(best, distance(typed, e.joined[i], limit))
		for _, w := range t {
			if len(w) >= 4 {
				best = min(best, distance(typed, w, limit))
			}
		}
	}
	return best
}

// longestWord is the length of the longest text that distances are measured of.
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

// texts that names are compared with, as a set of their numbers.
type textSet []uint64

func (s textSet) add(i int) { s[i/64] |= 1 << (i % 64) }
func (s textSet) empty() bool {
	return !slices.ContainsFunc(s, func(some uint64) bool { return some != 0 })
}
func (s textSet) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// memo remembers what was found out lately. A letter says the same words several times,
// and its lines are read in several ways.
type memo[T any] struct {
	mu    sync.Mutex
	known map[string]T
}

// mostKnown bounds what is remembered: a letter has fewer words.
const mostKnown = 8192

// get gives what was found out for a key, or finds it out.
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

// nearby finds the texts that a word can stand in, with letters wrong or without. To
// compare all texts with each few words of a letter would take long.
type nearby struct {
	texts []string // each in one word, by number
	// letters are those of each text.
	letters []letterSet
	// in has the words of the texts.
	in []inTexts

	words, pairs memo[textSet]
	misspelt     memo[[]rules.Name]
	hints        memo[string]
}

// inTexts is a word with its letters, and the texts that it stands in.
type inTexts struct {
	word    string
	letters letterSet
	texts   textSet
}

// letterSet are the letters of a word: to go through those of all words takes less than to compare
// the words.
type letterSet uint64

func lettersOf(w string) (set letterSet) {
	for i := range len(w) {
		set |= 1 << (w[i] % 64)
	}
	return set
}

// unlike reports whether a word may stand for one that has not even its letters but for two: "-ies" may be "-y",
// and "six" a figure.
func unlike(w string) bool { return numerals[w] > 0 || strings.HasSuffix(w, "ies") }

// beyond is how many letters of one are none of the other's.
func (s letterSet) beyond(o letterSet) int { return bits.OnesCount64(uint64(s &^ o)) }

// apart reports whether words of these letters differ in more than so many: each that is wrong
// takes one letter from a word, and may give it another.
func (s letterSet) apart(o letterSet, limit int) bool {
	return s.beyond(o) > limit || o.beyond(s) > limit
}

func newNearby(entries []*entry) *nearby {
	v := &nearby{}
	for _, e := range entries {
		e.first = len(v.texts)
		v.texts = append(v.texts, e.joined...)
	}
	for _, t := range v.texts {
		v.letters = append(v.letters, lettersOf(t))
	}
	at := map[string]int{}
	for _, e := range entries {
		for i, t := range e.texts {
			for _, w := range t {
				k, ok := at[w]
				if !ok {
					k = len(v.in)
					at[w], v.in = k, append(v.in, inTexts{w, lettersOf(w), v.none()})
				}
				v.in[k].texts.add(e.first + i)
			}
		}
	}
	return v
}

// none is no text.
func (v *nearby) none() textSet { return make(textSet, len(v.texts)/64+1) }

// near are the texts with a word that w may be.
func (v *nearby) near(w word) textSet {
	return v.words.get(w.text, func() textSet {
		s, letters := v.none(), lettersOf(w.text)
		some := unlike(w.text)
		for _, in := range v.in {
			if !some && letters.beyond(in.letters) > mostWrong || wrong(w, in.word) > mostWrong {
				continue
			}
			for i := range s {
				s[i] |= in.texts[i]
			}
		}
		return s
	})
}

// joined are the texts that words may be which are written in one, or apart.
func (v *nearby) joined(ws []word) textSet {
	a := strings.Join(texts(ws), "")
	return v.pairs.get(a, func() textSet {
		s, letters := v.none(), lettersOf(a)
		for i, t := range v.texts {
			if !letters.apart(v.letters[i], mostWrong) && distance(a, t, allowed(t)) <= allowed(t) {
				s.add(i)
			}
		}
		return s
	})
}

// reach is how many of the words that begin ws may stand for one text, by whatever is said to be
// alike. Two are written in one word at times, and more are not.
func (v *nearby) reach(ws []word) int {
	var in textSet
	for i, w := range ws {
		if linking[w.text] {
			continue
		}
		near := v.near(w)
		one := near
		if t := singular(w.text); t != w.text {
			one = v.near(word{text: t, number: number(t), digits: w.digits})
		}
		if in == nil {
			in = v.none()
			for i := range in {
				in[i] = ^uint64(0)
			}
		}
		for i := range in {
			in[i] &= near[i] | one[i]
		}
		if in.empty() {
			return max(i, min(2, len(ws)))
		}
	}
	return len(ws)
}

// fit are the texts that words may be alike: each of them has to be near, but for linking
// words if those may be idle.
func (v *nearby) fit(ws []word, idle bool) textSet {
	var out textSet
	for _, w := range ws {
		if idle && linking[w.text] {
			continue
		}
		near := v.near(w)
		if out == nil {
			out = slices.Clone(near)
			continue
		}
		for i := range out {
			out[i] &= near[i]
		}
	}
	if out == nil {
		out = v.none()
		for i := range out {
			out[i] = ^uint64(0)
		}
	}
	if idle && len(ws) <= 2 {
		for i, joined := range v.joined(ws) {
			out[i] |= joined
		}
	}
	return out
}

// Names of places have endings in the languages of those who live there: "w Krakowie", "do
// Lipska", "Debrecenben".

// caseEndings are those of Hungarian, Polish and Czech, the longest first.
var caseEndings = strings.Fields("iach ban ben bol rol tol nal nel hoz hez nak nek owi ovi iem ach ech ich ett ott ba be on en ra re ot et at ia ie iu em ou u a i y e t")

// shortestDeclined is how many letters a name has before its ending.
const shortestDeclined = 3

// declined lists the places of the kinds that a word is with an ending behind it.
func (p *Parser) declined(kinds []rules.NameKind, w word) []rules.Name {
	for _, end := range caseEndings {
		stem := strings.TrimSuffix(w.text, end)
		if len(stem) == len(w.text) || len(stem) < shortestDeclined || w.digits {
			continue
		}
		w := w
		if w.text = stem; !p.names.words[stem] {
			w.text = p.names.stems[stem]
		}
		if w.text == "" {
			continue
		}
		if names, quality := p.names.find(kinds, []word{w}); quality == matchFull && p.counted(names[0].Kind) {
			return names
		}
	}
	return nil
}
