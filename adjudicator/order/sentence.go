package order

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"samizdat/rules"
)

// sentence is a part of a letter between two stops, with the findings about its words.
type sentence struct {
	account
	text string
	line int
	// clear are the tokens of the pieces in which each word is accounted for.
	clear []token
	// closes: it ends with a farewell.
	closes bool
	// farewell: it begins with a closing, with a few words of any kind behind it: "Greetings from Basel".
	farewell bool
	// courtesy: all of it is a salutation, a closing or a name.
	courtesy bool
	// denies: it denies, retracts, asks or conditions; denial: it has a word of denial. refers: it has a word like "that" or "it",
	// refersBack a word for the text before. corrects: it begins with such a denial.
	denies, denial, refers, refersBack, corrects bool
}

// accounted reports whether each word of the sentence is part of an order, or a function word.
func (s sentence) accounted() bool {
	return s.courtesy || !s.denies && !s.guessed && len(s.unknown) == 0
}

// orders reports whether the sentence has a token of an order.
func (s sentence) orders() bool { return len(s.tokens) > 0 }

// retracts reports whether the sentence denies without naming an order. It may then deny the orders of other sentences. For example,
// "Wait, no.", "Cancel that." and "Please ignore the above!"
func (s sentence) retracts() bool {
	n := len(s.unknown)
	denies := s.denial && (s.refersBack || s.refers && n <= mostRetracting)
	return s.denies && !s.orders() && (n == 0 || denies || s.corrects && n <= mostCorrecting)
}

// mostRetracting bounds the unknown words of a sentence that denies "that" or "it". For example, "Forget that, my son typed it."
const mostRetracting = 3

// mostCorrecting bounds the unknown words of a sentence that only corrects. For example, "No, the worker."
const mostCorrecting = 2

// pointing words may stand for an order before them, referringBack words name the text before them.
var (
	pointing      = wordSet("that this it there das alles")
	referringBack = wordSet("above below before order orders move moves mail match")
)

// The work that one letter makes is bounded.
const (
	mostSentences = 40
	mostTokens    = 40
)

var (
	// multiplied are the signs of multiplication beside a number: "Lodz*2", "2 × Lodz", "2x".
	multiplied = regexp.MustCompile(`(?i)(?:[*×]|\bx)\s?(\d{1,3})\b|\b(\d{1,3})\s?(?:[*×]|x\b)`)
	// glued are a word and a number without a blank between them: "march6", "36event".
	glued = regexp.MustCompile(`(\pL{3})(\d)|(\d)(\pL{3})`)
	// numerous is the plural of a number: "two march 3s".
	numerous = regexp.MustCompile(`\b(\d)s\b`)
	// numero is the abbreviation before a number: "No. 14", which "no 14" is not.
	numero = regexp.MustCompile(`(?i)\b(?:no|nr)\.\s?(\d)`)
	// added is a plus between two things.
	added = regexp.MustCompile(`\s\+\s`)
)

// sentences cuts lines into sentences and accounts for their words; ok is false if the letter exceeds its bounds.
func (p *Parser) sentences(q *Question, lines []string) (out []sentence, ok bool) {
	for i, line := range lines {
		if len(line) > maxOrderLength || len(out) > mostSentences || p.vocabulary.analyse(q).isSpent() {
			return nil, false
		}
		line = spaced(line)
		cut := pieces(line)
		if len(cut) == 0 && strings.Contains(line, "?") {
			out = append(out, sentence{text: line, line: i, denies: true})
		}
		for from := 0; from < len(cut); {
			to := sentenceEnd(cut, from)
			s := sentence{line: i}
			p.accountFor(q, &s, cut[from:to], len(out) == 0)
			out = append(out, s)
			from = to
		}
	}
	dropFooter(out)
	p.sign(out)
	return out, true
}

// leastFooter is the least number of words in a sentence of a footer.
const leastFooter = 5

// dropFooter drops the footer that a company's mail server has added below the letter.
func dropFooter(list []sentence) {
	below := false
	for i := range list {
		s := &list[i]
		ws := words(s.text)
		below = below || i > 0 && len(ws) >= leastFooter && slices.ContainsFunc(ws, func(w word) bool { return lexical().footer.has(w.text) })
		if below {
			*s = sentence{text: s.text, line: s.line, courtesy: true}
		}
	}
}

// spaced writes the numbers of a line apart. For example, "Lodz*2 + march6" becomes "Lodz x2  , march 6".
func spaced(line string) string {
	line = glued.ReplaceAllString(numerous.ReplaceAllString(line, "$1"), "$1$3 $2$4")
	line = added.ReplaceAllString(multiplied.ReplaceAllString(line, " x$1$2 "), " , ")
	return numero.ReplaceAllString(line, "number $1")
}

// accountFor accounts for the words of a sentence, piece by piece; first is the first of the letter.
func (p *Parser) accountFor(q *Question, s *sentence, cut []piece, first bool) {
	words, closed, bracket := 0, false, false
	for i, f := range cut {
		ws := p.spoken(f.text)
		ws = ws[p.vocabulary.greeted(f.text, ws, first && i == 0):]
		closed = p.vocabulary.closes(f.text, ws) || closed && p.vocabulary.mayName(f.text, ws)
		if closed || len(ws) == 0 {
			continue // "Thanks, Ben"
		}
		ws = withoutFarewell(ws)
		before, unknown := len(s.tokens), len(s.unknown)
		p.accountForPiece(q, s, f, ws, words, bracket)
		words += len(ws)
		repeated := bracket && unknown == len(s.unknown) && saysAgain(s.tokens[:before], s.tokens[before:])
		bracket = f.end == '(' || bracket && f.end != ')'
		if repeated {
			s.tokens = trimmed(s.tokens[:before])
			continue
		}
		if i+1 < len(cut) && len(s.tokens) > 0 {
			s.tokens = append(s.tokens, token{part: partComma})
		}
		if unknown == len(s.unknown) {
			s.clear = append(s.clear, s.tokens[before:]...)
		}
	}
	s.text, s.closes = piecesText(cut), closed
	s.farewell = len(cut) == 1 && len(s.tokens) == 0 && len(s.unknown) <= mostFarewell && isFarewell(p.wordsOf(cut[0].text))
	if s.courtesy = words == 0; !s.courtesy && len(s.tokens) > 0 {
		s.tokens = append(s.tokens, token{part: partBreak})
	}
}

// saysAgain reports whether a bracket only repeats the tokens before it. For example, "two (2)", "Danzig (Gdansk)" and "card 26
// (Helsinki Final Act)".
func saysAgain(before, bracket []token) bool {
	before = trimmed(before)
	if len(before) == 0 || len(bracket) != 1 {
		return false
	}
	last, t := before[len(before)-1], bracket[0]
	return namedIn([]token{last}, t) || last.part == partCount && t.part == partCount && last.n == t.n
}

// accountForPiece accounts for the words of a piece. Before is the number of words of the sentence before it; bracket: the piece is in
// brackets.
func (p *Parser) accountForPiece(q *Question, s *sentence, f piece, ws []word, before int, bracket bool) {
	tokens := len(s.tokens)
	p.vocabulary.takeAll(q, s, ws, before)
	s.denies = s.denies || f.end == '?'
	if bracket && p.vocabulary.namesMore(s.tokens[:tokens], s.tokens[tokens:]) {
		s.guessed = true
		for i := tokens; i < len(s.tokens); i++ {
			s.tokens[i].aside = true
		}
	}
	s.guessed = s.guessed || s.dangling && (f.end == 0 || strings.ContainsRune(".!?;", f.end))
}

// longestInterjection bounds the letters of a word before a correction, e.g. "Hm, no".
const longestInterjection = 3

// mostFarewell bounds the other words in a farewell beside its closing.
const mostFarewell = 2

// isFarewell reports whether words begin with a closing and give no reason for thanks. For example, "Thanks for stopping me" is no
// farewell.
func isFarewell(ws []word) bool {
	return lexical().closing.begins(ws) > 0 && !slices.ContainsFunc(ws, func(w word) bool { return purposes[w.text] })
}

// withoutFarewell are the words of a piece without the farewell at its end. For example, "36 event please, thanks a lot" ends with one.
func withoutFarewell(ws []word) []word {
	for i := 1; i < len(ws); i++ {
		if len(ws[i].text) > 1 && ws[i-1].text != "is" && !dangles(ws[:i]) && lexical().closing.covers(ws[i:]) {
			return ws[:i]
		}
	}
	return ws
}

// takeAll accounts for each word of a piece, and records words that deny or refer back. Before is the number of words of the sentence
// before the piece.
func (v *vocabulary) takeAll(q *Question, s *sentence, ws []word, before int) {
	denied := false
	for at := 0; at < len(ws) && !v.analyse(q).isSpent(); {
		denial := lexical().denial.begins(ws[at:])
		if denial > max(0, lexical().function.begins(ws[at:])-1, lexical().closing.begins(ws[at:])-1) && !v.phraseAt(ws[at:]) {
			s.denies, s.denial, s.corrects = true, true, s.corrects || before+at == 0 || before+at == 1 && len(s.unknown) == 1 && len(s.unknown[0]) <= longestInterjection
			denied = true
		}
		s.refers, s.refersBack = s.refers || pointing[ws[at].text], s.refersBack || referringBack[ws[at].text]
		tokens, unknown := len(s.tokens), len(s.unknown)
		n := s.take(v, q, ws, at)
		if denied && len(s.tokens) > tokens {
			s.tokens[tokens].denied = true
		}
		denied = denied && len(s.tokens) == tokens && (denial > 0 || len(s.unknown) == unknown)
		v.analyse(q).words += n
		at += n
	}
}

// piecesText is the text of pieces with the marks behind them.
func piecesText(cut []piece) string {
	var texts []string
	for _, f := range cut {
		if f.end != 0 {
			f.text += string(f.end)
		}
		texts = append(texts, f.text)
	}
	return strings.Join(texts, " ")
}

// namesMore reports whether a bracket names a place that is not named before. The place may be one more, or may locate another name.
func (v *vocabulary) namesMore(before, bracket []token) bool {
	return slices.ContainsFunc(bracket, func(t token) bool { return t.part == partName && v.isCounted(t.names[0].Kind) && !namedIn(before, t) })
}

// phraseAt reports whether a keyword of several words begins ws, as NO EVENT does.
func (v *vocabulary) phraseAt(ws []word) bool {
	k, ok := v.keywords.at(ws)
	return ok && len(k.words) > 1
}

// greeted is the number of words of the salutation that begins ws, with up to three words behind the greeting; 0 unless the letter
// begins with it.
func (v *vocabulary) greeted(text string, ws []word, first bool) int {
	n := lexical().greeting.begins(ws)
	if n == 0 || !first {
		return 0
	}
	if rest := ws[n:]; len(rest) <= mostName && !slices.ContainsFunc(rest, func(w word) bool { return !v.mayAddress(w) }) {
		return len(ws)
	}
	return n
}

// mayAddress reports whether a word may stand behind the greeting of a salutation: it is no name or keyword of the game, no number, and
// no denial. For example, "Hi team" greets, "Hi 36" does not.
func (v *vocabulary) mayAddress(w word) bool {
	l := lexical()
	if l.addressee.has(w.text) {
		return true
	}
	if w.digits || numeral(w) >= 0 || l.denial.has(w.text) || isEveryday(w.text) || len(v.names.kindsOf[w.text]) > 0 {
		return false
	}
	_, keyword := v.keywords.at([]word{w})
	return !keyword
}

// mostName bounds the words of a person's name.
const mostName = 3

// mayName reports whether words of a text may be the name of a person: each has a capital, and none of them is a
// number, denies anything or orders.
func (v *vocabulary) mayName(text string, ws []word) bool {
	if len(ws) > mostName {
		return false
	}
	for i, w := range ws {
		if !capital(text[w.start:]) || w.digits || lexical().denial.has(w.text) || isEveryday(w.text) || numeral(w) >= 0 {
			return false
		}
		if _, ok := v.keywords.at(ws[i:]); ok && !lexical().function.has(w.text) {
			return false
		}
	}
	return len(ws) == 0 || len(v.names.kindsOf[strings.Join(texts(ws), " ")]) == 0
}

// closes reports whether a text is only a farewell, perhaps with a name behind it. For example, "many thanks and good luck" and "MfG
// Dieter".
func (v *vocabulary) closes(text string, ws []word) bool {
	for at := 0; at < len(ws); {
		n := lexical().closing.begins(ws[at:])
		if n == 0 && (at > 0 || ws[at].text == "and") {
			n = lexical().function.begins(ws[at:])
		}
		if n == 0 {
			return at > 0 && v.mayName(text, ws[at:])
		}
		at += n
	}
	return len(ws) > 0
}

// sign finds the name of the writer below the orders: a line behind a closing, or a line with a name by which the match knows the
// writer.
func (p *Parser) sign(list []sentence) {
	for i, s := range list {
		if s.farewell && s.line > 0 && !s.denies {
			list[i] = sentence{text: s.text, line: s.line, courtesy: true, closes: true}
		}
	}
	p.signLast(list)
	for i := len(list) - 1; i >= 0; i-- {
		s := &list[i]
		if strings.ContainsAny(s.text, "?!:;") {
			return
		}
		ws := p.wordsOf(s.text)
		switch {
		case s.courtesy, p.isOwn(s.text):
		case i == len(list)-1 && i > 0 && list[i-1].closes && p.vocabulary.mayName(s.text, ws):
		default:
			return
		}
		*s = sentence{text: s.text, line: s.line, courtesy: true}
	}
}

// signLast takes the last line of a letter as the name of its writer, if the line may be a name and stands below other lines. For
// example, "Honza" and "E. Marsh".
func (p *Parser) signLast(list []sentence) {
	last := len(list) - 1
	from := last
	for from > 0 && list[from-1].line == list[last].line {
		from--
	}
	if from <= 0 {
		return
	}
	var texts []string
	for _, s := range list[from:] {
		if !s.courtesy {
			texts = append(texts, s.text)
		}
	}
	text := strings.Join(texts, " ")
	ws := p.wordsOf(text)
	if len(ws) == 0 || strings.ContainsAny(text, "?!:;,") || !p.vocabulary.mayName(text, ws) || slices.ContainsFunc(ws, func(w word) bool {
		initial := w.end < len(text) && text[w.end] == '.' && w.end-w.start == 1 // The E of "E. Marsh" is no function word.
		return lexical().function.has(w.text) && !initial || len(p.vocabulary.names.kindsOf[w.text]) > 0
	}) {
		return
	}
	initial := len(text) == 2 && text[1] == '.'
	if len(ws) == 1 && !initial && !(list[0].courtesy && list[0].line != list[1].line) {
		return // "Skip" is no name; "Andrew" is, below a letter that greets.
	}
	for i := from; i <= last; i++ {
		list[i] = sentence{text: list[i].text, line: list[i].line, courtesy: true}
	}
}

// isOwn reports whether a text is only the writer's name.
func (p *Parser) isOwn(text string) bool {
	ws := p.wordsOf(text)
	return len(ws) > 0 && !slices.ContainsFunc(ws, func(w word) bool { return !p.own[w.text] })
}

func capital(text string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "-–—~/* "))
	return unicode.IsUpper(r)
}

// Stands reports whether an order may be carried out as it stands: it does not ask, is not broken off, and has no remark in brackets.
func (p *Parser) Stands(line string) bool {
	ws := p.wordsOf(line)
	if k, ok := p.vocabulary.keywords.verb(ws); ok && k.alias && len(ws) == len(k.words) {
		return false // "Operations." is a heading.
	}
	return !strings.Contains(line, "?") && !bracketed.MatchString(line) && !dangles(ws)
}

// dangles reports whether words end with a word that cannot end a sentence.
func dangles(ws []word) bool {
	n := len(ws)
	return n == 0 || lexical().link.has(ws[n-1].text) || n > 1 && lexical().link.begins(ws[n-2:]) == 2
}

// bracketed are words in brackets.
var bracketed = regexp.MustCompile(`\([^)]*\pL{3}`)

// noGame reads letters without orders of a game.
var noGame = sync.OnceValue(func() *Parser { return New(noLanguage{}) })

type noLanguage struct{ rules.Language }

func (noLanguage) Keywords() []rules.Keyword { return nil }
func (noLanguage) Names() []rules.Name       { return nil }

// Courtesies reports for each line of a letter outside a match, such as a letter to a club, whether it is only a salutation, a closing
// or a name. For example, "Hi," and "Thanks, Ada". Called are the names of the writer.
func Courtesies(lines []string, called ...string) []bool {
	return noGame().Letter(called...).Courtesies(lines)
}

// WithoutFunctionWord is a line without the function word that it begins with; ok is false if it begins with none. For example, "please
// ENTER autumn-cup" becomes "ENTER autumn-cup". "I would like to" takes several calls.
func WithoutFunctionWord(line string) (rest string, ok bool) {
	ws := words(line)
	n := lexical().function.begins(ws)
	if n == 0 || n >= len(ws) {
		return "", false
	}
	return strings.TrimSpace(line[ws[n].start:]), true
}

// WithoutThanks is a line without the thanks and requests at its end. For example, "ACCEPT 1 please" becomes "ACCEPT 1".
func WithoutThanks(line string) string {
	ws := words(line)
	last := len(ws) - 1
	for last >= 0 && requests[ws[last].text] {
		last--
	}
	switch {
	case last == len(ws)-1:
		return line
	case last < 0:
		return ""
	}
	return line[:ws[last].end]
}

// requests are the words that ask politely behind an order.
var requests = wordSet("please pls plz thanks thank you thx ty bitte danke prosze poprosze dziekuje prosim kerem merci gracias por favor sil te vous plait")

// IsCourtesy reports whether a word only thanks, asks politely or takes leave, e.g. "bitte" and "cheers".
func IsCourtesy(word string) bool { return requests[word] || lexical().closing.has(word) }
