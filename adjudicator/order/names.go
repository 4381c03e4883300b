package order

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"samizdat/rules"
)

// matchQuality says how well words of a line match a name. The constants go from the worst match to the best.
type matchQuality int

const (
	matchNone matchQuality = iota
	// matchAlias is an abbreviation of an alias.
	matchAlias
	// matchBeginning is an abbreviation of the name, e.g. "hels" for Helsinki Final Act.
	matchBeginning
	// matchWords are some words of the name, e.g. "final act".
	matchWords
	matchFull
)

// indexEntry is a name with the words of its texts, in lower case and without accents. A text is a spelling of the
// name: the full name or an alias. The texts of all names are numbered; firstText is the number of the entry's first
// text.
type indexEntry struct {
	name      rules.Name
	texts     [][]string
	firstText int
}

// nameIndex finds the names that words of a line may mean. For example, "helsinki" finds the card Helsinki Final Act. It is immutable.
type nameIndex struct {
	byKind map[rules.NameKind][]*indexEntry
	byID   map[nameID]*indexEntry
	// maxWords is the number of words of the longest text. textCount is the number of texts.
	maxWords, textCount int
	// kindsByText maps a text to the kinds of its names. textsByWord maps a word to the texts that contain it.
	kindsByText map[string][]rules.NameKind
	textsByWord map[string]textSet
	// stems maps a text without its final vowel to the text, e.g. varn -> varna, because a case ending replaces that vowel.
	stems             map[string]string
	similarTextsCache resultCache[textSet]
	suggestionCache   resultCache[suggestion]
}

// textSet is a bit set of the numbers of texts.
type textSet []uint64

func (s textSet) isEmpty() bool {
	return !slices.ContainsFunc(s, func(chunk uint64) bool { return chunk != 0 })
}
func (s textSet) contains(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

func (s textSet) addAll(o textSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

func newNameIndex(names []rules.Name) *nameIndex {
	x := &nameIndex{byKind: map[rules.NameKind][]*indexEntry{}, byID: map[nameID]*indexEntry{}, kindsByText: map[string][]rules.NameKind{},
		textsByWord: map[string]textSet{}, stems: map[string]string{}}
	for _, n := range names {
		e := &indexEntry{name: n, firstText: x.textCount}
		for _, ws := range spellings(n) {
			if len(ws) == 0 {
				continue
			}
			e.texts = append(e.texts, ws)
			x.maxWords, x.textCount = max(x.maxWords, len(ws)), x.textCount+1
			full := strings.Join(ws, " ")
			if stem := strings.TrimRight(full, "aeiouy"); len(ws) == 1 && len(stem) == len(full)-1 {
				x.stems[stem] = full
			}
			x.kindsByText[full] = append(x.kindsByText[full], n.Kind)
		}
		x.byKind[n.Kind] = append(x.byKind[n.Kind], e)
		x.byID[nameID{n.Kind, n.Code}] = e
	}
	for _, entries := range x.byKind {
		for _, e := range entries {
			for i, text := range e.texts {
				for _, w := range text {
					x.addWord(w, e.firstText+i)
				}
			}
		}
	}
	return x
}

func (x *nameIndex) addWord(word string, text int) {
	if x.textsByWord[word] == nil {
		x.textsByWord[word] = make(textSet, x.textCount/64+1)
	}
	x.textsByWord[word][text/64] |= 1 << (text % 64)
}

func spellings(n rules.Name) (out [][]string) {
	for _, t := range append([]string{n.Text}, n.Aliases...) {
		out = append(out, Words(t))
	}
	return out
}

// findCandidates returns the texts in which each word of ws has a similar word. With skipLinking, linking words are
// ignored.
func (x *nameIndex) findCandidates(ws []word, skipLinking bool) textSet {
	out := make(textSet, x.textCount/64+1)
	for i := range out {
		out[i] = ^uint64(0)
	}
	for _, w := range ws {
		if skipLinking && linkingWords[w.text] {
			continue
		}
		for i, near := range x.findSimilarTexts(w) {
			out[i] &= near
		}
	}
	return out
}

// findSimilarTexts returns the texts with a word that w may mean: w itself, or a word that w abbreviates or misspells.
func (x *nameIndex) findSimilarTexts(w word) textSet {
	return x.similarTextsCache.get(w.text, func() textSet {
		s, letters := make(textSet, x.textCount/64+1), lettersOf(w.text)
		// "six" can mean "6", and "armies" can mean "army", although their letters differ.
		hasOtherForm := numerals[w.text] > 0 || strings.HasSuffix(w.text, "ies")
		for t, texts := range x.textsByWord {
			if (hasOtherForm || bits.OnesCount64(letters&^lettersOf(t)) <= maxWrongLetters) && countWrongLetters(w, t) <= maxWrongLetters {
				s.addAll(texts)
			}
		}
		return s
	})
}

// lettersOf returns the letters of a word as a bit set. Comparing these sets is faster than comparing words.
func lettersOf(w string) (set uint64) {
	for i := range len(w) {
		set |= 1 << (w[i] % 64)
	}
	return set
}

// match returns how well the words ws together match the name. isOtherKind is set if ws is the full name of a thing of
// another kind. Then ws does not abbreviate an alias: "Poland" is a country, and does not abbreviate "Poland Catholic
// Church".
func (e *indexEntry) match(ws []string, candidates textSet, isOtherKind bool) matchQuality {
	best := matchNone
	for i, t := range e.texts {
		if !candidates.contains(e.firstText + i) {
			continue
		}
		if m := matchText(ws, t); m == matchFull || !e.forbidsAbbreviation(i, len(ws), isOtherKind) {
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

// forbidsAbbreviation reports whether this number of words must not abbreviate text i. An alias (i > 0) is not
// abbreviated by the full name of a thing of another kind (isOtherKind); and an alias of several words is not abbreviated
// by a single word.
func (e *indexEntry) forbidsAbbreviation(i, words int, isOtherKind bool) bool {
	return i > 0 && (isOtherKind || words < 2 && len(e.texts[i]) > 1)
}

// matchText compares words of a line with the words of one text. Words of the text may be skipped: "helsinki act" is
// Helsinki Final Act.
func matchText(ws, text []string) matchQuality {
	if slices.Equal(ws, text) {
		return matchFull
	}
	best, hasContent, i := matchWords, false, 0
	for _, w := range ws {
		equalAt := i + slices.Index(text[i:], w)
		prefixAt := i + slices.IndexFunc(text[i:], func(t string) bool { return isAbbreviation(t, w) })
		switch {
		case equalAt >= i:
			i = equalAt + 1
		case prefixAt >= i:
			i, best = prefixAt+1, matchBeginning
		default:
			return matchNone
		}
		hasContent = hasContent || !stopWords[w]
	}
	if !hasContent {
		return matchNone
	}
	return best
}

// isAbbreviation reports whether w abbreviates the word t. Numbers are never abbreviated: 3 is not the beginning of 36.
func isAbbreviation(t, w string) bool {
	return len(w) < len(t) && strings.HasPrefix(t, w) && parseNumber(w) < 0 && !stopWords[w]
}

// stopWords are words that alone are no name and abbreviate no name. For example, AND between two names does not
// abbreviate Andijan.
var stopWords = map[string]bool{"a": true, "an": true, "and": true, "are": true, "as": true, "at": true, "by": true,
	"for": true, "from": true, "in": true, "is": true, "it": true, "its": true, "my": true, "of": true, "on": true,
	"or": true, "the": true, "to": true, "we": true, "with": true}

// find looks for ws among the names of the given kinds. It returns the names that match best, and the quality of their
// match. A number matches the thing with that number.
func (x *nameIndex) find(kinds []rules.NameKind, ws []word) ([]rules.Name, matchQuality) {
	best := matchNone
	var out []rules.Name
	candidates := x.findCandidates(ws, false)
	if candidates.isEmpty() && (len(ws) > 1 || ws[0].number < 0) {
		return nil, best
	}
	isOtherKind, wordTexts := x.isOtherKindName(kinds, ws), texts(ws)
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			quality := e.match(wordTexts, candidates, isOtherKind)
			if len(ws) == 1 && e.name.Number != 0 && ws[0].number == e.name.Number && ws[0].text[0] != 'x' {
				quality = matchFull
			}
			if quality == matchNone || quality < best {
				continue
			}
			if quality > best {
				best, out = quality, nil
			}
			out = append(out, e.name)
		}
	}
	return out, best
}

// isOtherKindName reports whether ws is a full name, but only of things of other kinds than the given kinds.
func (x *nameIndex) isOtherKindName(kinds []rules.NameKind, ws []word) bool {
	found := x.kindsByText[strings.Join(texts(ws), " ")]
	return len(found) > 0 && !slices.ContainsFunc(found, func(k rules.NameKind) bool { return slices.Contains(kinds, k) })
}

// similarity describes an inexact match. For example, "krakwo" has 1 wrong letter. "walls" for The Wall has none,
// because plurals are accepted.
type similarity struct {
	wrongLetters int
	// isWholeName is set if the words contain every word of the name.
	isWholeName bool
}

// rank rates a similarity from 0 to 3: 2 for no wrong letters, and 1 more for the whole name.
func (s similarity) rank() (n int) {
	if s.wrongLetters == 0 {
		n = 2
	}
	if s.isWholeName {
		n++
	}
	return n
}

// linkingWords may appear among the words of a name: "the city of Lodz".
var linkingWords = wordSet("the of for to in at a an")

const maxWrongLetters = 2

// findSimilar looks for ws among the names of the given kinds. It returns all names with the best rank, even if their
// numbers of wrong letters differ, because two names with the same rank make an order ambiguous. best is the similarity
// of the first name.
func (x *nameIndex) findSimilar(kinds []rules.NameKind, ws []word) (out []rules.Name, best similarity) {
	candidates := x.findCandidates(ws, true)
	if candidates.isEmpty() || x.isOtherKindName(kinds, ws) {
		return nil, best // East Germany is not a misspelt East German Lutheran Church.
	}
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			similar, ok := e.compare(ws, candidates)
			switch {
			case !ok:
			case len(out) == 0 || similar.rank() > best.rank():
				out, best = append(out[:0], e.name), similar
			case similar.rank() == best.rank() && !slices.ContainsFunc(out, func(n rules.Name) bool {
				return n.Text == e.name.Text && n.Kind == e.name.Kind
			}):
				out = append(out, e.name)
			}
		}
	}
	return out, best
}

// compare returns the similarity of ws to the most similar text; ok is false if no text is similar.
func (e *indexEntry) compare(ws []word, candidates textSet) (best similarity, ok bool) {
	for i, t := range e.texts {
		if e.name.NoAbbreviation || !candidates.contains(e.firstText+i) {
			continue
		}
		similar, isSimilar := compareWords(ws, t)
		if isSimilar && (similar.isWholeName || !e.forbidsAbbreviation(i, len(ws), false)) &&
			(!ok || similar.isWholeName && !best.isWholeName || similar.isWholeName == best.isWholeName &&
				similar.wrongLetters < best.wrongLetters) {
			best, ok = similar, true
		}
	}
	return best, ok
}

// compareWords compares words of a line with a text. The words may be in any order, in the singular or plural, and have wrong letters. The
// line may have linking words that are not in the text.
func compareWords(ws []word, text []string) (out similarity, ok bool) {
	out.isWholeName = true
	used, hasContent := make([]bool, len(text)), false
	for _, w := range ws {
		best, cost := -1, maxWrongLetters+1
		for i, t := range text {
			if c := countWrongLetters(w, t); !used[i] && c < cost {
				best, cost = i, c
			}
		}
		switch {
		case best >= 0:
			used[best] = true
			out.wrongLetters, hasContent = out.wrongLetters+cost, hasContent || !stopWords[w.text]
		case !linkingWords[w.text]:
			return out, false
		}
	}
	for i, t := range text {
		out.isWholeName = out.isWholeName && (used[i] || stopWords[t])
	}
	return out, hasContent && out.wrongLetters <= maxWrongLetters
}

func maxTypos(t string) int {
	switch n := len(t); {
	case n < 5:
		return 0
	case n < 8:
		return 1
	}
	return maxWrongLetters
}

// countWrongLetters returns the number of wrong letters in w as a spelling of t: 0 for abbreviations and plurals, more than
// maxWrongLetters for a different word. Numbers are never misspelt.
func countWrongLetters(w word, t string) int {
	switch {
	case w.text == t, isAbbreviation(t, w.text), w.text[0] == t[0] && singular(w.text) == singular(t) && w.number < 0:
		return 0
	case isDigitByte(t[0]) && numerals[w.text] > 0 && parseNumber(t) == numerals[w.text]:
		return 0
	case len(w.text) < 4 || w.hasDigits || stopWords[w.text]:
		return maxWrongLetters + 1
	}
	limit := maxTypos(t)
	if d := editDistance(w.text, t, limit); d <= limit && !strings.ContainsAny(t, "0123456789") {
		return d
	}
	return maxWrongLetters + 1
}

// singular returns a word without the ending of the plural, e.g. "army" for "armies".
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

const maxDistanceLength = 48

// editDistance returns the minimum number of changes from a to b (optimal string alignment distance). A change inserts,
// deletes or replaces a letter, or swaps two neighbours. If the distance exceeds the limit, the result is any number
// above the limit.
func editDistance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit || len(a) > maxDistanceLength || len(b) > maxDistanceLength {
		return limit + 1
	}
	if limit < 2 && a != "" && b != "" && a[0] != b[0] && a[len(a)-1] != b[len(b)-1] {
		return limit + 1 // A single change cannot mend both the first and the last letter.
	}
	var rows [3][maxDistanceLength + 1]int
	beforeLast, last, row := &rows[0], &rows[1], &rows[2]
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
				row[j] = min(row[j], beforeLast[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		beforeLast, last, row = last, row, beforeLast
	}
	return last[len(b)]
}

// caseEndings are the endings of place names in Hungarian, Polish and Czech, the longest first. For example, "Debrecenben" means "in
// Debrecen".
var caseEndings = strings.Fields("iach ban ben bol rol tol nal nel hoz hez nak nek owi ovi iem ach ech ich ett ott ba be on en ra re ot et at ia ie iu em ou u a i y e t")

const minStemLength = 3

// findInflected returns the places that a word with a case ending means, e.g. Krakowie -> Krakow.
func (v *vocabulary) findInflected(kinds []rules.NameKind, w word) []rules.Name {
	for _, end := range caseEndings {
		stem := strings.TrimSuffix(w.text, end)
		if len(stem) == len(w.text) || len(stem) < minStemLength || w.hasDigits {
			continue
		}
		w := w
		if w.text = stem; v.names.textsByWord[stem] == nil {
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

// resultCache caches results by text: a letter repeats words, and each line is read in several ways.
type resultCache[T any] struct {
	mu      sync.Mutex
	results map[string]T
}

// maxCached is the maximum number of results in a cache; a full cache is emptied. A letter has fewer words.
const maxCached = 8192

func (m *resultCache[T]) get(key string, compute func() T) T {
	m.mu.Lock()
	value, ok := m.results[key]
	m.mu.Unlock()
	if ok {
		return value
	}
	value = compute()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.results == nil || len(m.results) >= maxCached {
		m.results = map[string]T{}
	}
	m.results[key] = value
	return value
}
