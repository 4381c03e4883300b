package order

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"samizdat/rules"
)

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
