package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

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
