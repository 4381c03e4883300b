package order

import (
	"slices"
	"strings"

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
