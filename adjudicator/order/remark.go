package order

import (
	_ "embed" // the words of remarks
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A letter says more than orders: greetings, thanks, small talk. What of that is
// harmless is known by its words; whatever else stands beside an order may doubt it,
// take it back or put a condition to it, in more ways than anybody can list.

//go:embed remarks.txt
var remarksText string

//go:embed given.txt
var givenText string

// remarks are the words of remarks.txt, and given names besides.
var remarks = sync.OnceValue(func() vocabulary { return readRemarks(remarksText + "[given]\n" + givenText) })

// vocabulary is what is known of remarks.
type vocabulary struct {
	// phrases, openers, what is idle in an order, and what begins a footer are by their
	// first words.
	phrases, openers, idle, footers map[string][][]string
	// everyday words make small talk, against words speak against orders, unless they say
	// when in a wish; those that deny are among them.
	everyday, against, denying, when map[string]bool
	// others words are for other people than the writer.
	others map[string]bool
	// life words are what small talk is about, saying words make sentences of it, letters
	// words show that a piece is none; turning words are everyday ones that may turn an
	// order down where they are no sentence.
	life, saying, letters, turning map[string]bool
	// persons are those and the animals who may have written what their writer did not mean;
	// excused are the words for what is apologized for in letters.
	persons, excused map[string]bool
	// given names are those of persons.
	given map[string]bool
}

func readRemarks(text string) vocabulary {
	v := vocabulary{phrases: map[string][][]string{}, openers: map[string][][]string{}, idle: map[string][][]string{}, footers: map[string][][]string{}, everyday: map[string]bool{}, against: map[string]bool{}, denying: map[string]bool{}, others: map[string]bool{},
		life: map[string]bool{}, letters: map[string]bool{}, saying: map[string]bool{}, turning: map[string]bool{}, persons: map[string]bool{}, excused: map[string]bool{}, given: map[string]bool{},
		when: map[string]bool{"tomorrow": true, "next": true, "soon": true, "this": true, "last": true, "all": true, "it": true}}
	lists := map[string]map[string][][]string{"phrases": v.phrases, "openers": v.openers, "idle": v.idle, "footers": v.footers}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		case lists[section] != nil && strings.Contains(line, "|"):
			for phrase := range strings.SplitSeq(line, "|") {
				if p := strings.Fields(phrase); len(p) > 0 {
					lists[section][p[0]] = append(lists[section][p[0]], p)
				}
			}
		case lists[section] != nil:
			for _, w := range strings.Fields(line) {
				lists[section][w] = append(lists[section][w], []string{w})
			}
		default:
			of := map[string]map[string]bool{"everyday": v.everyday, "against": v.against, "denying": v.denying, "others": v.others, "life": v.life, "letters": v.letters, "saying": v.saying, "turning": v.turning, "persons": v.persons, "excused": v.excused, "given": v.given}[section]
			for _, w := range strings.Fields(line) {
				of[w] = true
			}
		}
	}
	maps.Copy(v.against, v.denying)
	maps.Copy(v.life, v.persons)
	return v
}

// longestPhrase is how many words the longest phrase that begins ws has.
func longestPhrase(list map[string][][]string, ws []word) int {
	n := 0
	if len(ws) > 0 {
		for _, p := range list[ws[0].text] {
			if len(p) > n && (len(p) == 1 || len(ws) > 1 && p[1] == ws[1].text && begun(p, ws)) {
				n = len(p)
			}
		}
	}
	return n
}

// Harmless reports whether a line says nothing about orders: whether all of it is
// greeting, thanks or small talk.
func (p *Parser) Harmless(line string) bool {
	if len(line) > longest {
		return false
	}
	greeted := false
	if strings.Contains(line, "?") && len(p.wordsOf(line)) == 0 {
		return false
	}
	for _, f := range p.pieces(line) {
		if !p.harmless(f) && !(greeted && p.Signature(f.text, false)) {
			return false
		}
		greeted = p.greets(f.text)
	}
	return true
}

// harmless reports it of a piece: it is made of phrases, perhaps with everyday words
// between them. Everyday words alone may put an order off ("on Sunday") or take it back
// ("all off"), unless they make a sentence of small talk.
func (p *Parser) harmless(f piece) bool {
	if f.aside {
		return true
	}
	says := func() bool {
		ws := p.wordsOf(f.text)
		return !toKin(ws) && !byPerson(ws) && !idiomatic(ws) && (present(ws) || p.saysNothing(f))
	}
	if p.found == nil {
		return says()
	}
	return p.found.harmless.get(f.text+string(f.end), says)
}

// idiomatic reports whether words hold an idiom that doubts, and is no part of a phrase that they
// begin with: "see you on Sunday".
func idiomatic(ws []word) bool {
	rest, _ := withoutLeading(ws)
	phrase := len(ws) - len(rest) + longestPhrase(remarks().phrases, rest)
	for i := range ws {
		if n := longestPhrase(languages().idioms, ws[i:]); n > 0 && (i >= phrase || n == len(ws)) {
			return true
		}
	}
	return false
}

func (p *Parser) saysNothing(f piece) bool {
	ws := p.wordsOf(f.text)
	ws, said := withoutLeading(ws) // said: there is a phrase
	for i := 0; i < len(ws); {
		n, w := longestPhrase(remarks().phrases, ws[i:]), ws[i]
		switch {
		case p.opened(ws[i:], i == 0):
			return f.end != '?'
		case n == 1 && i > 0 && remarks().turning[w.text]:
			return p.smallTalk(f) // "Good evening", and not "in the evening"
		case f.end == '?' && (n > 0 || i == 0 && w.text == "how"):
			return p.politeQuestion(f, ws, n)
		case n > 0:
			i, said = i+n, true
			continue
		case everyday(w):
		case single(w, ws, f.text), said && kiss(ws[i:]):
			said = true
		case i == 0 && sender(ws), i > 0 && p.aName(w, f.text):
		default:
			return p.sentence(f)
		}
		i++
	}
	return (said || len(ws) == 0) && f.end != '?' || p.sentence(f)
}

// everyday reports whether a word makes small talk, and turns no order down.
func everyday(w word) bool { return remarks().everyday[w.text] && !remarks().turning[w.text] }

// sender reports whether words begin with a person who does what a phrase says: "Anyu sends her love".
func sender(ws []word) bool {
	return (kin[ws[0].text] || remarks().given[ws[0].text]) && longestPhrase(remarks().phrases, ws[1:]) > 1
}

// present reports whether words say who writes: "Ben here".
func present(ws []word) bool {
	return len(ws) == 2 && remarks().given[ws[0].text] && writing[ws[1].text]
}

var writing = wordSet("here again speaking writing calling")

// kin are those to whom no orders are sent.
var kin = wordSet("grandma grandpa granny gran grandad mum mummy mom mommy dad daddy mother father son daughter wife husband brother sister sis aunt auntie uncle darling honey sweetheart diary santa oma opa mama papa mutti vati schatz liebling tagebuch babciu mamo tato kochanie babi mami tati anyu apu maman mamie cherie mamma nonna abuela pamietniku denicku naplom diario journal")

// toKin reports whether words greet one of those: "Dear Grandma".
func toKin(ws []word) bool {
	return len(ws) == 2 && longestPhrase(remarks().phrases, ws) == 1 && kin[ws[1].text]
}

// byPerson reports whether words name who did something: "typed by my son".
func byPerson(ws []word) bool {
	for i, w := range ws {
		if w.text == "by" && slices.ContainsFunc(ws[i:min(i+3, len(ws))], func(o word) bool { return remarks().persons[o.text] }) {
			return true
		}
	}
	return false
}

// ToKin reports whether a salutation is for one of those.
func ToKin(line string) bool {
	ws := words(line)
	return len(ws) > 1 && kin[ws[len(ws)-1].text]
}

// withoutLeading are words without the one that joins them to what stands before; said
// reports that it is a phrase itself.
func withoutLeading(ws []word) (rest []word, said bool) {
	if len(ws) > 1 && leading[ws[0].text] {
		return ws[1:], ws[0].text == "so"
	}
	return ws, false
}

// kiss reports whether words are no more than a kiss at the end.
func kiss(ws []word) bool { return len(ws) == 1 && strings.Trim(ws[0].text, "x") == "" }

// sentence reports whether a piece is harmless as a sentence, whatever its words are.
func (p *Parser) sentence(f piece) bool { return p.smallTalk(f) || excuse(f) }

// politeQuestion reports whether a question whose first words are a phrase asks nothing of the
// referee.
func (p *Parser) politeQuestion(f piece, ws []word, phrase int) bool {
	if ws[0].text == "how" {
		return phrase == len(ws) || p.smallTalk(piece{text: f.text[ws[0].end:]}) // "How was your weekend?"
	}
	return phrase == len(ws) && asksNothing(ws) // "How are you?", and not "Right?"
}

// excuse reports whether a piece apologizes for what is of letters and not of orders, such
// as a delay.
func excuse(f piece) bool {
	ws := words(f.text)
	i := slices.IndexFunc(ws, func(w word) bool { return apologies[w.text] })
	if i < 0 || i > 2 || i+2 >= len(ws) || !apologized[ws[i+1].text] || f.end == '?' || len(ws) > i+10 {
		return false
	}
	said := false
	for k, w := range ws {
		said = said || remarks().excused[w.text]
		if k != i && !remarks().excused[w.text] && !beside[w.text] {
			return false
		}
	}
	return said
}

// apologies begin an excuse, apologized words follow them, and those beside it say nothing else.
var (
	apologies  = wordSet("sorry apologies excuse forgive pardon")
	apologized = wordSet("for about my the to i im it this our")
	beside     = wordSet("please my the our a an for about to be being i am im was it its so very too this of all in as is once again and by have had me us kindly sincere with took you your everybody everyone reply replies answer answers response letter letters turn turns move while hours days weeks summer holiday work phone")
)

// articles stand before what has a name, being words join it to what it is.
var (
	articles = wordSet("a an the my our some from in at with of by near on")
	being    = wordSet("am is are was were be been being im")
)

// wordSet is a set of words.
func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// leading words join a remark to what stands before it.
var leading = map[string]bool{"but": true, "and": true, "so": true}

// opened reports whether words are a phrase and what follows it, and cannot be about orders;
// at the beginning of a piece they may say where their writer is.
func (p *Parser) opened(ws []word, first bool) bool {
	n := longestPhrase(remarks().openers, ws)
	switch {
	case n == 0, ws[0].text == "what" && slices.ContainsFunc(ws, func(w word) bool { return remarks().letters[w.text] && w.text != "what" }):
		return false
	case first && ws[n-1].text == "from" && len(ws) < n+4 && place(ws[n:]):
		return true
	case strings.HasPrefix(ws[0].text, "thank"):
		// "Thanks for running this"
		return p.unrelated(slices.DeleteFunc(slices.Clone(ws[n:]), func(w word) bool { return pointing[w.text] || w.text == "it" || w.text == "all" || w.text == "last" }))
	}
	return p.unrelated(ws[n:])
}

// initial reports whether a word of a text is the initial of a name.
func initial(w word, text string) bool {
	return len(w.text) == 1 && unicode.IsUpper(rune(text[w.start])) && (w.end == len(text) || text[w.end] == '.')
}

// asksNothing reports whether a phrase that ends with a question mark asks nothing of the
// referee.
func asksNothing(ws []word) bool { return len(ws) > 2 || ws[0].text == "how" }

// single reports whether a word is an initial, or a kiss.
func single(w word, ws []word, text string) bool {
	return initial(w, text) || len(w.text) == 1 && w.number < 0 && len(ws) == 1
}

// smallTalk reports whether a piece is a sentence about the writer's life, all of whose
// words are known, and nothing in it can be about orders.
func (p *Parser) smallTalk(f piece) bool {
	ws := p.wordsOf(f.text)
	if len(ws) < 3 || len(ws) > 20 || uttering[ws[0].text] || announces(spokenOf(ws)) {
		return false
	}
	life, says, turns := false, false, false
	for i, w := range ws {
		switch {
		case remarks().letters[w.text], remarks().against[w.text] && !remarks().when[w.text], w.digits, p.known(ws[i:]):
			return false
		case remarks().life[w.text], remarks().everyday[w.text], remarks().when[w.text], i > 0 && p.nameOf(w, f.text):
			life, says = life || remarks().life[w.text], says || remarks().saying[w.text]
			turns = turns || remarks().turning[w.text] || remarks().when[w.text]
		default:
			return false
		}
	}
	return life && (says || !turns && ws[len(ws)-1].text != "first")
}

// where reports whether a text is the name of a thing and nothing else.
func (p *Parser) where(text string) bool {
	return len(p.names.kindsOf[strings.Join(Words(text), " ")]) > 0
}

// greets reports whether a piece holds a phrase behind which a name may stand.
func (p *Parser) greets(text string) bool {
	ws := p.wordsOf(text)
	for i := range ws {
		if longestPhrase(remarks().phrases, ws[i:]) > 0 {
			return true
		}
	}
	return false
}

// place reports whether words may be a place from where somebody writes, of the game or not.
func place(ws []word) bool {
	return len(ws) > 0 && !slices.ContainsFunc(ws, func(w word) bool { return remarks().against[w.text] || remarks().letters[w.text] || w.digits })
}

// unrelated reports whether words cannot be about orders.
func (p *Parser) unrelated(ws []word) bool {
	for i, w := range ws {
		if remarks().against[w.text] && !remarks().when[w.text] || w.digits || p.known(ws[i:]) {
			return false
		}
	}
	return true
}

// known reports whether a word of orders begins ws: a keyword, or the name of a thing.
func (p *Parser) known(ws []word) bool { return p.knownWords(ws) > 0 }

// knownWords is how many words of orders begin ws.
func (p *Parser) knownWords(ws []word) int {
	if k, ok := p.keywords.at(ws); ok && !fillers[ws[0].text] {
		return len(k.words)
	}
	for n := p.names.spelt(ws); n > 0; n-- {
		if len(p.names.kindsOf[strings.Join(texts(ws[:n]), " ")]) > 0 {
			return n
		}
	}
	return 0
}

// aName reports it of a word that cannot put an order off, as a day does.
func (p *Parser) aName(w word, text string) bool {
	return p.nameOf(w, text) && !remarks().turning[w.text]
}

// nameOf reports whether a word may be the name of a person or of a place that has
// nothing to do with the game.
func (p *Parser) nameOf(w word, text string) bool {
	r, _ := utf8.DecodeRuneInString(text[w.start:])
	return unicode.IsUpper(r) && !w.digits && !remarks().against[w.text] && !p.known([]word{w})
}
