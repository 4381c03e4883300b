package order

import (
	_ "embed" // the words of tongues
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An aside is a sentence about something else than the match. It is known by its shape: it
// names nothing of the game, holds no word of doubt in any language that is read, most of its
// words are common ones of its language, and some are of daily life.

//go:embed tongues.txt
var tonguesText string

// sense is what a word may do in an aside.
type sense int

const (
	unknown sense = iota
	common
	life
	// person words are for those who may have written what somebody else did not mean.
	person
	// soft words doubt what stands beside them where their sentence is not plainly about
	// something else.
	soft
	doubt
)

// tongue is a language: what its words may do, and the beginnings of words.
type tongue struct {
	words, stems map[string]sense
}

// tongues are the languages that asides are read in, English first.
var tongues = readTongues(tonguesText)

var senses = map[string]sense{"common": common, "life": life, "persons": person, "soft": soft, "doubt": doubt}

func readTongues(text string) []*tongue {
	out := []*tongue{english()}
	byName := map[string]*tongue{"english": out[0]}
	var in *tongue
	of := unknown
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name, section, _ := strings.Cut(strings.Trim(line, "[]"), " ")
			if in = byName[name]; in == nil {
				in = &tongue{map[string]sense{}, map[string]sense{}}
				byName[name], out = in, append(out, in)
			}
			of = senses[section]
		default:
			for w := range strings.FieldsSeq(line) {
				in.add(w, of)
			}
		}
	}
	return out
}

// add gives a word a sense; the one that says most stays. A star stands for any ending.
func (t *tongue) add(w string, s sense) {
	in := t.words
	if stem, ok := strings.CutSuffix(w, "*"); ok {
		w, in = stem, t.stems
	}
	if s == soft || in[w] != soft && s > in[w] {
		in[w] = s
	}
}

// english has the words of remarks.
func english() *tongue {
	t := &tongue{map[string]sense{}, map[string]sense{}}
	for of, list := range map[sense][]map[string]bool{
		common: {remarks.everyday, remarks.saying, remarks.turning},
		life:   {remarks.life},
		person: {remarks.persons},
		doubt:  {remarks.letters, remarks.against},
	} {
		for _, words := range list {
			for w := range words {
				t.add(w, of)
			}
		}
	}
	return t
}

// of is the sense of a word: its own, or that of its longest beginning.
func (t *tongue) of(w string) sense {
	if s := t.words[w]; s != unknown {
		return s
	}
	for n := len(w); n > 1; n-- {
		if s := t.stems[w[:n]]; s != unknown {
			return s
		}
	}
	return unknown
}

// pieces cuts a line, and marks the asides in it.
func (p *Parser) pieces(line string) []piece {
	if p.found == nil {
		return p.withAsides(line)
	}
	return slices.Clone(p.found.pieces.get(line, func() []piece { return p.withAsides(line) }))
}

func (p *Parser) withAsides(line string) []piece {
	cut := pieces(line)
	for from := 0; from < len(cut); {
		to := from + 1
		for to < len(cut) && !strings.ContainsRune(".!?", cut[to-1].end) {
			to++
		}
		aside := p.aside(cut[from:to])
		for i := from; i < to; i++ {
			cut[i].aside = aside
		}
		from = to
	}
	return cut
}

// longestAside is how many words a sentence may have to be looked at.
const longestAside = 60

// aside reports whether a sentence is about something else than the match.
func (p *Parser) aside(sentence []piece) bool {
	if end := sentence[len(sentence)-1].end; strings.ContainsRune("?:\"“”„«»|<>~", end) && end != 0 {
		return false
	}
	s := narrative{p: p}
	for _, f := range sentence {
		if f.end == ':' || f.end == '"' || !s.add(f) {
			return false
		}
	}
	return s.judge()
}

// spoken is a word of a sentence with what it may do there.
type spoken struct {
	text  string
	known bool // a phrase, or a name
	piece int
	named bool
}

// narrative is a sentence that may be an aside.
type narrative struct {
	p     *Parser
	words []spoken
	piece int
}

// add takes in a piece, unless something in it is of the game.
func (s *narrative) add(f piece) bool {
	ws := words(f.text)
	s.piece++
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		if n := longestPhrase(remarks.phrases, ws[i:]); n > 1 || n == 1 && len(ws) == 1 {
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
		if s.p.known(ws[i:]) && !s.idiom(w.text) {
			return false
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
func (s *narrative) idiom(w string) bool { return tongues[0].words[w] == soft }

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
	if i+1 < len(ws) && (units[ws[i+1].text] || ws[i+1].digits && strings.ContainsAny(text[ws[i].end:ws[i+1].start], ":-")) {
		return true
	}
	if i > 0 && ws[i-1].digits && strings.ContainsAny(text[ws[i-1].end:ws[i].start], ":-") {
		return true
	}
	return strings.HasSuffix(ws[i].text, "th") || strings.HasPrefix(text[ws[i].end:], "°") || strings.HasPrefix(text[ws[i].end:], "%")
}

// units are what is counted in daily life.
var units = wordSet("degrees km kilometres kilometers miles mile meters metres metre meter kilo kilos kg litres percent pages people guests years " +
	"grad stunden jahre kilometer personen stopni godziny godzin lat osob stupnu hodin hodiny let fok ora eves degres heures ans personnes grados horas anos gradi ore anni")

// judge decides by the words of the sentence.
func (s *narrative) judge() bool {
	if len(s.words) < 2 {
		return false
	}
	t := s.tongue()
	if t == nil {
		return false
	}
	count := map[sense]int{}
	for i, w := range s.words {
		of := s.sense(t, w)
		switch {
		case of == unknown && !w.named && s.p.beginsName(w.text):
			return false
		case of == doubt, of == soft && !s.softens(t, i):
			return false
		}
		if of == unknown && w.named && t != tongues[1] {
			of = common
		}
		count[of]++
	}
	switch {
	case count[life] == 0:
		return false
	case count[soft] > 0 && (count[person] > 0 || count[unknown] > 0 || count[soft] > 2 || len(s.words) < 5):
		return false
	case len(s.words) < 4:
		return count[unknown] == 0
	case count[person] > 0:
		return count[unknown]*6 <= len(s.words)
	}
	return count[unknown]*3 <= len(s.words)
}

// tongue is the language that knows most words of the sentence; nil where none knows half.
func (s *narrative) tongue() *tongue {
	var best *tongue
	most := 0
	for _, t := range tongues {
		n := 0
		for _, w := range s.words {
			if w.known || t.of(w.text) != unknown {
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
func (s *narrative) sense(t *tongue, w spoken) sense {
	if w.known {
		return common
	}
	of := t.of(w.text)
	if of == unknown && remarks.given[w.text] {
		return common
	}
	if of == unknown && slices.ContainsFunc(tongues, func(o *tongue) bool { return o.of(w.text) == doubt }) {
		return doubt
	}
	return of
}

// softens reports whether the soft word at i is about what its sentence tells.
func (s *narrative) softens(t *tongue, i int) bool {
	w := s.words[i]
	if i == 0 || s.words[i-1].piece != w.piece {
		if w.text != "it" && w.text != "its" && w.text != "this" && w.text != "that" && w.text != "what" && w.text != "how" {
			return false
		}
	}
	next := func(n int) sense {
		if i+n >= len(s.words) || s.words[i+n].piece != w.piece {
			return unknown
		}
		return s.sense(t, s.words[i+n])
	}
	switch {
	case w.text == "no":
		return next(1) == life || next(1) == common && next(2) == life
	case remarks.denying[w.text]:
		return next(1) == common || next(1) == life
	case w.text == "this" || w.text == "that" || w.text == "these" || w.text == "those":
		return next(1) == life || next(1) == common && next(2) == life
	}
	return i+1 < len(s.words)
}

// beginsName reports whether a word begins a name of the game.
func (p *Parser) beginsName(w string) bool {
	if len(w) < 3 {
		return false
	}
	for _, list := range p.names.byKind {
		for _, e := range list {
			for _, t := range e.texts {
				if slices.ContainsFunc(t, func(of string) bool { return begins(of, w) }) {
					return true
				}
			}
		}
	}
	return false
}
