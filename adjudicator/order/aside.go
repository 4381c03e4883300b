package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An aside is a sentence about something else than the match. It is known by its shape: it
// names nothing of the game, holds no word of doubt in any language that is read, most of its
// words are common ones of its language, and some are of daily life.

// pieces cuts a line, and marks the asides in it.
func (p *Parser) pieces(line string) []piece {
	if p.found == nil {
		return p.withAsides(line)
	}
	return slices.Clone(p.found.pieces.get(line, func() []piece { return p.withAsides(line) }))
}

func (p *Parser) withAsides(line string) []piece {
	cut := pieces(line)
	for from, to := 0, 0; from < len(cut); from = to {
		to = sentenceEnd(cut, from)
		if p.aside(cut[from:to], false) || p.banter(cut[from:to]) {
			mark(cut[from:to])
		} else {
			p.besides(cut[from:to])
		}
	}
	return cut
}

// mark marks pieces as parts of an aside.
func mark(sentence []piece) {
	for i := range sentence {
		sentence[i].aside = true
	}
}

// besides marks the asides that stand in the sentence of an order, before or behind it.
func (p *Parser) besides(sentence []piece) {
	orders := func(f piece) bool { return p.orders(p.wordsOf(f.text)) }
	first := slices.IndexFunc(sentence, orders)
	if first < 0 {
		return
	}
	last := len(sentence) - 1
	for !orders(sentence[last]) {
		last--
	}
	front := first > 0 && p.aside(sentence[:first], true)
	rear := last < len(sentence)-1 && p.aside(sentence[last+1:], true)
	switch {
	case front && rear: // "We had a picnic, PLAY 40 EVENT, ice cream"
	case front:
		mark(sentence[:first])
	case rear:
		mark(sentence[last+1:])
	}
}

// orders reports whether words hold a keyword that is no word of daily life.
func (p *Parser) orders(ws []word) bool {
	for i := range ws {
		if k, ok := p.keywords.at(ws[i:]); ok && !fillers[ws[i].text] && (!k.alias || k.Counted != "") && !idiom(ws[i].text) {
			return true
		}
	}
	return false
}

// longestAside is how many words a sentence may have to be looked at.
const longestAside = 60

// aside reports whether a sentence, or what stands beside an order in one, is about something
// else than the match.
func (p *Parser) aside(sentence []piece, beside bool) bool {
	s := narrative{p: p, beside: beside}
	end := sentence[len(sentence)-1].end
	if end != 0 && strings.ContainsRune(":\"“”„«»|<>~", end) {
		return false
	}
	for _, f := range sentence {
		if f.end == ':' || f.end == '"' || !s.add(f) {
			return false
		}
	}
	if w := lastOf(sentence); end == 0 && (dangling[w] || small[w] || trailing[w]) {
		return false // "I am in no state for", and what is behind it is the order.
	}
	if end == '?' {
		return s.inquires()
	}
	return !s.putsOff() && s.foreign()
}

// lastOf is the last word of a sentence.
func lastOf(sentence []piece) string {
	ws := words(sentence[len(sentence)-1].text)
	if len(ws) == 0 {
		return ""
	}
	return ws[len(ws)-1].text
}

// trailing words end no sentence, in whatever language.
var trailing = wordSet("would will could should might about like than if when that which who into until till before after und oder der die das den dem ein eine mit von fur zu zum zur dass wenn " +
	"i z ze w na do od dla lub oraz v k s se za nebo aby es vagy hogy et ou le la les de du des pour avec que con para por y o el en un una per di e il che se")

// spoken is a word of a sentence with what it may do there.
type spoken struct {
	text  string
	known bool // a phrase, or a name
	piece int
	named bool
	// place is a name of the game that stands where a place is named.
	place bool
}

// narrative is a sentence that may be an aside.
type narrative struct {
	p     *Parser
	words []spoken
	piece int
	// beside: the rest of the sentence is an order.
	beside bool
}

// add takes in a piece, unless something in it is of the game.
func (s *narrative) add(f piece) bool {
	ws := words(f.text)
	s.piece++
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		if longestPhrase(idioms(), ws[i:]) > 0 {
			return false
		}
		if n := longestPhrase(remarks().phrases, ws[i:]); n > 1 || n == 1 && len(ws) == 1 {
			for range n {
				s.words = append(s.words, spoken{known: true, piece: s.piece})
			}
			i += n - 1
			continue
		}
		if w.digits || w.number >= 0 {
			if !measured(ws, i, f.text) {
				return false
			}
			s.words = append(s.words, spoken{known: true, piece: s.piece})
			continue
		}
		if n := s.p.knownWords(ws[i:]); n > 0 && !idiom(w.text) {
			if i == 0 || !whereabouts[ws[i-1].text] || !slices.ContainsFunc(s.p.names.kindsOf[strings.Join(texts(ws[i:i+n]), " ")], s.p.counted) {
				return false
			}
			s.words = append(s.words, spoken{known: true, piece: s.piece, place: true})
			i += n - 1
			continue
		}
		r, _ := utf8.DecodeRuneInString(f.text[w.start:])
		text := w.text
		if at := strings.IndexAny(f.text[w.start:w.end], apostrophes); at > 0 && at < 3 {
			text = elided(text, at)
		}
		s.words = append(s.words, spoken{text: text, piece: s.piece, named: unicode.IsUpper(r) && i > 0})
	}
	return len(s.words) <= longestAside
}

// idiom reports whether a word of orders is one of daily life as well.
func idiom(w string) bool { s := tongues()[0].words[w]; return s == soft || s == mild || s == common }

// whereabouts are words behind which places are named.
var whereabouts = wordSet("in from to near at of nach aus bei do ze we na en de desde da di")

// inquires reports whether the sentence is a question about the reader's life.
func (s *narrative) inquires() bool {
	t := s.tongue()
	if t == nil || len(s.words) < 3 || !inquiring[s.words[0].text] {
		return false
	}
	for i, w := range s.words {
		if of := s.sense(t, i); i > 0 && (of == unknown || of > person || remarks().turning[w.text] || w.text == "i" || w.place) {
			return false
		}
	}
	return true
}

// inquiring words begin a question about daily life.
var inquiring = wordSet("how hows is are was were has have did wie ist jak como come comment hogy")

// elided is a word without the article before its apostrophe, unless that denies.
func elided(w string, at int) string {
	if at < len(w)-1 && w[0] != 'n' {
		return w[at:]
	}
	return w
}

// measured reports whether the number at i is one of something else than orders: 35 degrees,
// a score of 4:2.
func measured(ws []word, i int, text string) bool {
	if begun(shade, ws[i+1:]) {
		return true
	}
	if i+1 < len(ws) && (units[ws[i+1].text] || ws[i+1].digits && strings.ContainsAny(text[ws[i].end:ws[i+1].start], ":-")) {
		return true
	}
	if i > 0 && ws[i-1].digits && strings.ContainsAny(text[ws[i-1].end:ws[i].start], ":-") {
		return true
	}
	return strings.HasSuffix(ws[i].text, "th") || strings.HasPrefix(text[ws[i].end:], "°") || strings.HasPrefix(text[ws[i].end:], "%")
}

// shade follows degrees.
var shade = []string{"in", "the", "shade"}

// units are what is counted in daily life.
var units = wordSet("degrees km kilometres kilometers miles mile meters metres metre meter kilo kilos kg litres percent pages people guests years " +
	"grad stunden jahre kilometer personen stopni godziny godzin lat osob stupnu hodin hodiny let fok ora eves degres heures ans personnes grados horas anos gradi ore anni")

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
