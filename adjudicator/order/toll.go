package order

import (
	"slices"
	"strings"
)

// What the words of a sentence weigh: those of daily life against those that may doubt what stands beside it.

// foreign decides by the words of the sentence whether it is about something else.
func (s *narrative) foreign() bool {
	t := s.tongue()
	if t == nil || len(s.words) < 2 || uttering[s.words[0].text] || announces(s.words) || s.beside && t == tongues()[0] && !s.says() {
		return false
	}
	w := weight{tolls: map[int]*toll{}}
	for i, at := range s.words {
		agent := at.text == "by" && slices.ContainsFunc(s.words[i:min(i+3, len(s.words))], func(o spoken) bool { return remarks().persons[o.text] })
		if agent || !w.add(s, t, i) {
			return false
		}
	}
	for _, l := range w.tolls {
		if l.doubts > 2*max(1, l.life) || l.mild && l.words < 5 {
			return false
		}
	}
	if w.of[life] == 0 {
		return (w.phrases > 1 || len(s.words) > 4 && t == tongues()[0]) && s.plain(&w)
	}
	return s.tells(&w)
}

// putsOff reports whether a piece of the sentence may say that something is still to be done to what
// stands beside it: "I'll finish this tonight", "I'm still ironing it out".
func (s *narrative) putsOff() bool {
	later, piece := false, -1
	for _, w := range s.words {
		if w.piece != piece {
			later, piece = false, w.piece
		}
		if later = later || toCome[w.text]; later && (itself[w.text] || pointing[w.text]) {
			return true
		}
	}
	return false
}

// uttering words behind what somebody says begin "cries the gallery".
var uttering = wordSet("cries cried shouts shouted screams screamed yells yelled laughs laughed sings sang whispers whispered sighs sighed exclaims exclaimed grumbles grumbled groans groaned mutters muttered chants chanted roars roared begs begged calls called")

// says reports whether the sentence has a verb of its own, and is no list or addition.
func (s *narrative) says() bool {
	return slices.ContainsFunc(s.words, func(w spoken) bool {
		return remarks().saying[w.text] || w.known || len(w.text) > 4 && (strings.HasSuffix(w.text, "ed") || strings.HasSuffix(w.text, "ing"))
	})
}

// plain reports whether all words of the sentence are common ones, of which none may put an
// order off.
func (s *narrative) plain(w *weight) bool {
	return w.of[common] == len(s.words) && w.places == 0 && !slices.ContainsFunc(s.words, func(w spoken) bool { return remarks().turning[w.text] || itself[w.text] })
}

// tells reports whether a sentence with words of daily life tells of that: the more in it
// doubts, or may have been done by others, the fewer words may be unknown.
func (s *narrative) tells(w *weight) bool {
	n, doubts := len(s.words), w.of[soft]+w.of[mild]
	most := n / 3
	if doubts > 0 || w.of[person] > 0 {
		most = n / 6
	}
	switch {
	case n < 4:
		return w.of[unknown] == 0 && doubts == 0 && !s.beside
	case w.places > 0 && w.of[life] < 2, w.of[person] > 0 && w.kin:
		return false
	}
	return w.of[unknown] <= most && (doubts == 0 || n > 4 && w.places == 0 && !s.beside)
}

// weight is what the words of a sentence say, and what each of its pieces weighs.
type weight struct {
	of              [doubt + 1]int
	tolls           map[int]*toll
	places, phrases int
	// kin: persons and animals may not be told of with one of the words.
	kin bool
}

// add weighs the word at i; it reports whether the sentence may be an aside yet.
func (w *weight) add(s *narrative, t *tongue, i int) bool {
	at, of := s.words[i], s.sense(t, i)
	switch {
	case of == unknown && !at.named && s.p.names.begun(at.text), of == life && s.p.names.holds(at.text), of == doubt:
		return false
	case at.place:
		w.places++
	case at.known:
		w.phrases++
	}
	w.kin = w.kin || of == soft && !family[at.text]
	if w.tolls[at.piece] == nil {
		w.tolls[at.piece] = &toll{}
	}
	w.of[of]++
	return w.tolls[at.piece].add(s, t, i, of)
}

// toll is what the doubts of a piece weigh, against its words of daily life.
type toll struct {
	doubts, life, words int
	mild                bool
}

// add weighs the word at i; it reports whether its piece may be about something else yet. A
// piece that begins with a doubt is not.
func (l *toll) add(s *narrative, t *tongue, i int, of sense) bool {
	l.words++
	switch {
	case of == life:
		l.life++
	case of == soft && s.softens(t, i):
		l.doubts++
	case of == soft:
		l.doubts += 2
		return l.words > 1
	case of == mild:
		l.mild = true
		l.doubts += 2
		if !s.touches(t, i) {
			l.doubts++
		}
		return l.words > 1
	}
	return true
}

// tongue is the language that knows most words of the sentence; nil where none knows half.
func (s *narrative) tongue() *tongue {
	var best *tongue
	most := 0
	for _, t := range tongues() {
		n := 0
		for _, w := range s.words {
			if w.known || t.of(w.text) != unknown || remarks().given[w.text] {
				n++
			}
		}
		if n > most {
			best, most = t, n
		}
	}
	if most*2 < len(s.words) {
		return nil
	}
	return best
}

// sense is what a word does in a sentence in a language: what is a doubt in another is one
// where the word is not known.
func (s *narrative) sense(t *tongue, i int) sense {
	w := s.words[i]
	if w.known || nextDay[w.text] && slices.ContainsFunc(s.words, func(w spoken) bool { return travels[w.text] }) {
		return common
	}
	of := t.of(w.text)
	if of == unknown && (remarks().given[w.text] || len(remarks().phrases[w.text]) > 0 && longestPhrase(remarks().phrases, []word{{text: w.text}}) > 0) {
		return common
	}
	if of == unknown && s.p.doubtful(w.text) {
		return doubt
	}
	if of == unknown && w.named && t != tongues()[1] {
		return called // Nouns have capitals in German only.
	}
	return of
}

// Who travels the next day says no more by that.
var (
	nextDay = wordSet("tomorrow morgen jutro zitra holnap demain manana domani")
	travels = wordSet("drive fly sail travel hike ski swim fahren fahre fliegen fliege reisen jedziemy lecimy jade jedeme letime jedu letim utazunk megyunk partons allons roulons vamos viajamos salimos andiamo partiamo voliamo")
)

// near is the sense of the word n behind that at i, in the same piece.
func (s *narrative) near(t *tongue, i, n int) sense {
	if i+n < 0 || i+n >= len(s.words) || s.words[i+n].piece != s.words[i].piece {
		return unknown
	}
	return s.sense(t, i+n)
}

// touches reports whether the mild word at i touches something of daily life: it stands behind
// it, or before it with "was" or "is" between.
func (s *narrative) touches(t *tongue, i int) bool {
	if s.near(t, i, -1) == unknown {
		return false // It begins its piece.
	}
	if s.near(t, i, 1) == life || s.near(t, i, 2) == life || s.near(t, i, 3) == life {
		return true
	}
	return being[s.words[i-1].text] && (s.near(t, i, -2) == life || s.near(t, i, -3) == life)
}

// softens reports whether the soft word at i is about what its sentence tells.
func (s *narrative) softens(t *tongue, i int) bool {
	w := s.words[i].text
	first := i == 0 || s.words[i-1].piece != s.words[i].piece
	last := i+1 == len(s.words) || s.words[i+1].piece != s.words[i].piece
	next := s.near(t, i, 1)
	alive := next == life || s.near(t, i, 2) == life
	switch {
	case w == "no":
		return alive && (next == life || next == common)
	case remarks().denying[w]:
		return !first && next != unknown && next <= life
	case pointsAt[w]:
		return alive || !last && remarks().turning[s.words[i+1].text]
	case pronouns[w]:
		return !s.blames(i) && (first && !last || s.lived(t, i))
	}
	return !last && (!first || exclaims[w])
}

// blames reports whether the word at i names who did something: "It was the beer."
func (s *narrative) blames(i int) bool {
	return i+2 < len(s.words) && s.words[i+1].text == "was" && articles[s.words[i+2].text]
}

// lived reports whether something of daily life stands before the word at i.
func (s *narrative) lived(t *tongue, i int) bool {
	return slices.ContainsFunc(s.words[:i], func(w spoken) bool { return t.of(w.text) == life })
}

// pointsAt are words that say which, pronouns stand for a thing, exclaims those that may begin what somebody tells.
var (
	pointsAt = wordSet("this that these those first last next every same one ones")
	pronouns = wordSet("it its them")
	exclaims = wordSet("what how like likes feels feel now again because took back but")
)

// family are the soft words that may tell of persons and animals.
var family = wordSet("like likes passed won this that all no now first every again back them its")
