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

type sentence struct {
	tokenScan
	text string
	// line is the index of the line in the letter that contains the sentence.
	line int
	// clearTokens are the tokens of those pieces that contain no unknown word.
	clearTokens []token
	// endsWithFarewell is set for a sentence such as "Play 36, thanks". The next line may then be the writer's name.
	endsWithFarewell bool
	// mayBeFarewell is set if the sentence begins with a closing and has few other words: "Greetings from Basel".
	mayBeFarewell bool
	// isCourtesy is set if the sentence is only a salutation, a closing, a person's name or part of a footer.
	isCourtesy bool
	// denies is set if the sentence denies, retracts or questions an order, or sets a condition. hasDenialWord is set for a
	// word such as "not", hasPronoun for a pronoun such as "it", and refersToLetter for a word that refers to the letter or
	// its orders, such as "above". startsWithDenial is set if the sentence begins with a denial, e.g. "No, ...".
	denies, hasDenialWord, hasPronoun, refersToLetter, startsWithDenial bool
}

func (s sentence) isUnderstood() bool {
	return s.isCourtesy || !s.denies && !s.isGuess && len(s.unknown) == 0
}

func (s sentence) hasTokens() bool { return len(s.tokens) > 0 }

// isRetraction reports whether the sentence may retract the orders of other sentences: it denies something and contains no order
// itself. Examples are "Wait, no.", "Cancel that." and "Please ignore the above!"
func (s sentence) isRetraction() bool {
	n := len(s.unknown)
	refersBack := s.hasDenialWord && (s.refersToLetter || s.hasPronoun && n <= maxRetractionWords)
	return s.denies && !s.hasTokens() && (n == 0 || refersBack || s.startsWithDenial && n <= maxCorrectionWords)
}

// maxRetractionWords limits the unknown words of a retraction with a pronoun. For example, "Forget that, my son typed it."
const maxRetractionWords = 3

// maxCorrectionWords limits the unknown words of a retraction that starts with a denial. For example, "No, wrong card."
const maxCorrectionWords = 2

// pronouns are words that may refer to an earlier order. letterWords are words that may refer to the letter or its
// orders.
var (
	pronouns    = wordSet("that this it there das alles")
	letterWords = wordSet("above below before order orders move moves mail match")
)

// Limits for reading a letter: its sentences, and the tokens of a sentence. See also maxWork.
const (
	maxSentences = 40
	maxTokens    = 40
)

var (
	// multiplicationPattern matches a number with a multiplication sign: "Lodz*2", "2 × Lodz", "2x".
	multiplicationPattern = regexp.MustCompile(`(?i)(?:[*×]|\bx)\s?(\d{1,3})\b|\b(\d{1,3})\s?(?:[*×]|x\b)`)
	// wordNumberPattern matches a word and a number without a space between them: "march6", "36event".
	wordNumberPattern = regexp.MustCompile(`(\pL{3})(\d)|(\d)(\pL{3})`)
	// pluralNumberPattern matches the plural of a number: "two march 3s".
	pluralNumberPattern = regexp.MustCompile(`\b(\d)s\b`)
	// numberPrefixPattern matches the abbreviation of "number": "No. 14", but not "no 14".
	numberPrefixPattern = regexp.MustCompile(`(?i)\b(?:no|nr)\.\s?(\d)`)
	plusPattern         = regexp.MustCompile(`\s\+\s`)
)

// readSentences divides the lines of a letter into sentences, and scans them. ok is false if the letter exceeds a limit.
func (p *Parser) readSentences(q *Question, lines []string) (out []sentence, ok bool) {
	for i, line := range lines {
		if len(line) > maxOrderLength || len(out) > maxSentences || p.vocabulary.analyse(q).isExceeded() {
			return nil, false
		}
		line = separateNumbers(line)
		pieces := splitPieces(line)
		if len(pieces) == 0 && strings.Contains(line, "?") {
			out = append(out, sentence{text: line, line: i, denies: true})
		}
		for from := 0; from < len(pieces); {
			to := sentenceEnd(pieces, from)
			s := sentence{line: i}
			p.scanSentence(q, &s, pieces[from:to], len(out) == 0)
			out = append(out, s)
			from = to
		}
	}
	markFooter(out)
	p.markSignature(out)
	return out, true
}

const minFooterWords = 5

// markFooter marks the first sentence with a word of a footer, and all sentences after it, as courtesy. A footer is e.g.
// the notice on confidentiality that the mail server of a company adds below a letter.
func markFooter(sentences []sentence) {
	inFooter := false
	for i := range sentences {
		s := &sentences[i]
		ws := words(s.text)
		inFooter = inFooter || i > 0 && len(ws) >= minFooterWords && slices.ContainsFunc(ws,
			func(w word) bool { return sharedLexicon().footer.hasWord(w.text) })
		if inFooter {
			*s = sentence{text: s.text, line: s.line, isCourtesy: true}
		}
	}
}

// separateNumbers writes numbers as separate words: "Lodz*2 + march6" -> "Lodz x2 , march 6".
func separateNumbers(line string) string {
	if !strings.ContainsAny(line, "0123456789+") {
		return line
	}
	line = wordNumberPattern.ReplaceAllString(pluralNumberPattern.ReplaceAllString(line, "$1"), "$1$3 $2$4")
	line = plusPattern.ReplaceAllString(multiplicationPattern.ReplaceAllString(line, " x$1$2 "), " , ")
	return numberPrefixPattern.ReplaceAllString(line, "number $1")
}

// scanSentence scans the pieces of a sentence into s. isFirst is set for the first sentence of the letter.
func (p *Parser) scanSentence(q *Question, s *sentence, pieces []piece, isFirst bool) {
	wordCount, isClosing, inBrackets := 0, false, false
	for i, part := range pieces {
		ws := p.wordsWithNumbers(part.text)
		ws = ws[p.vocabulary.salutationLength(part.text, ws, isFirst && i == 0):]
		isClosing = p.vocabulary.isFarewellText(part.text, ws) || isClosing && p.vocabulary.mayBePersonName(part.text, ws)
		if isClosing || len(ws) == 0 {
			continue // e.g. both pieces of "Thanks, Ben"
		}
		ws = cutFarewell(ws)
		tokensBefore, unknownBefore := len(s.tokens), len(s.unknown)
		p.scanPiece(q, s, part, ws, wordCount, inBrackets)
		wordCount += len(ws)
		isRepeated := inBrackets && unknownBefore == len(s.unknown) && isRepetition(s.tokens[:tokensBefore], s.tokens[tokensBefore:])
		inBrackets = part.mark == '(' || inBrackets && part.mark != ')'
		if isRepeated {
			s.tokens = trimSeparators(s.tokens[:tokensBefore])
			continue
		}
		if i+1 < len(pieces) && len(s.tokens) > 0 {
			s.tokens = append(s.tokens, token{kind: tokenComma})
		}
		if unknownBefore == len(s.unknown) {
			s.clearTokens = append(s.clearTokens, s.tokens[tokensBefore:]...)
		}
	}
	s.text, s.endsWithFarewell = piecesText(pieces), isClosing
	s.mayBeFarewell = len(pieces) == 1 && len(s.tokens) == 0 && len(s.unknown) <= maxFarewellWords && beginsFarewell(p.wordsOf(pieces[0].text))
	if s.isCourtesy = wordCount == 0; !s.isCourtesy && len(s.tokens) > 0 {
		s.tokens = append(s.tokens, token{kind: tokenBreak})
	}
}

// isRepetition reports whether words in brackets only repeat the token before them. Examples are "two (2)", "Danzig
// (Gdansk)" and "card 26 (Helsinki Final Act)".
func isRepetition(before, bracket []token) bool {
	before = trimSeparators(before)
	if len(before) == 0 || len(bracket) != 1 {
		return false
	}
	last, t := before[len(before)-1], bracket[0]
	return sharesName([]token{last}, t) || last.kind == tokenCount && t.kind == tokenCount && last.number == t.number
}

// scanPiece scans the words ws of a piece. wordsBefore is the number of words of the sentence before ws.
func (p *Parser) scanPiece(q *Question, s *sentence, part piece, ws []word, wordsBefore int, inBrackets bool) {
	tokens := len(s.tokens)
	p.vocabulary.scanWords(q, s, ws, wordsBefore)
	s.denies = s.denies || part.mark == '?'
	if inBrackets && p.vocabulary.namesNewPlace(s.tokens[:tokens], s.tokens[tokens:]) {
		s.isGuess = true
		for i := tokens; i < len(s.tokens); i++ {
			s.tokens[i].inBrackets = true
		}
	}
	s.isGuess = s.isGuess || s.isIncomplete && (part.mark == 0 || strings.ContainsRune(".!?;", part.mark))
}

// maxInterjectionLetters is the maximum length of an interjection before a denial, e.g. "Hm, no".
const maxInterjectionLetters = 3

// maxFarewellWords is the maximum number of unknown words of a farewell.
const maxFarewellWords = 2

// beginsFarewell reports whether words begin with a closing and do not contain "for" or "as". For example, "Thanks for
// stopping me" is not a farewell.
func beginsFarewell(ws []word) bool {
	return sharedLexicon().closing.prefixLength(ws) > 0 && !slices.ContainsFunc(ws, func(w word) bool { return purposeWords[w.text] })
}

// cutFarewell returns the words of a piece without the farewell at its end: "36 event thanks a lot" -> "36 event".
func cutFarewell(ws []word) []word {
	for i := 1; i < len(ws); i++ {
		if len(ws[i].text) > 1 && ws[i-1].text != "is" && !isIncomplete(ws[:i]) && sharedLexicon().closing.covers(ws[i:]) {
			return ws[:i]
		}
	}
	return ws
}

// scanWords adds the tokens of the words ws to s. wordsBefore is the number of words of the sentence before ws.
func (v *vocabulary) scanWords(q *Question, s *sentence, ws []word, wordsBefore int) {
	afterDenial := false
	for at := 0; at < len(ws) && !v.analyse(q).isExceeded(); {
		denial := sharedLexicon().denial.prefixLength(ws[at:])
		if denial > max(0, sharedLexicon().function.prefixLength(ws[at:])-1, sharedLexicon().closing.prefixLength(ws[at:])-1) &&
			!v.hasPhraseAt(ws[at:]) {
			s.denies, s.hasDenialWord, s.startsWithDenial = true, true, s.startsWithDenial || wordsBefore+at == 0 || wordsBefore+at == 1 &&
				len(s.unknown) == 1 && len(s.unknown[0]) <= maxInterjectionLetters
			afterDenial = true
		}
		s.hasPronoun, s.refersToLetter = s.hasPronoun || pronouns[ws[at].text], s.refersToLetter || letterWords[ws[at].text]
		tokens, unknown := len(s.tokens), len(s.unknown)
		n := s.scanNext(v, q, ws, at)
		if afterDenial && len(s.tokens) > tokens {
			s.tokens[tokens].isNegated = true
		}
		afterDenial = afterDenial && len(s.tokens) == tokens && (denial > 0 || len(s.unknown) == unknown)
		v.analyse(q).words += n
		at += n
	}
}

func piecesText(pieces []piece) string {
	var texts []string
	for _, p := range pieces {
		if p.mark != 0 {
			p.text += string(p.mark)
		}
		texts = append(texts, p.text)
	}
	return strings.Join(texts, " ")
}

// namesNewPlace reports whether words in brackets name a place that the words before them do not name. Then it is not
// certain whether the place is a part of the order, or explains another name.
func (v *vocabulary) namesNewPlace(before, bracket []token) bool {
	return slices.ContainsFunc(bracket, func(t token) bool {
		return t.kind == tokenName && v.isCounted(t.names[0].Kind) && !sharesName(before, t)
	})
}

// hasPhraseAt reports whether a keyword of several words begins ws, e.g. NO EVENT.
func (v *vocabulary) hasPhraseAt(ws []word) bool {
	k, ok := v.keywords.longestKeyword(ws)
	return ok && len(k.words) > 1
}

// salutationLength returns the number of words of the salutation at the beginning of ws: a greeting and at most
// maxPersonNameWords words. Only the first piece of a letter (isFirst) has a salutation.
func (v *vocabulary) salutationLength(text string, ws []word, isFirst bool) int {
	n := sharedLexicon().greeting.prefixLength(ws)
	if n == 0 || !isFirst {
		return 0
	}
	if rest := ws[n:]; len(rest) <= maxPersonNameWords && !slices.ContainsFunc(rest, func(w word) bool { return !v.mayAddress(w) }) {
		return len(ws)
	}
	return n
}

// mayAddress reports whether a word may follow the greeting of a salutation: it is not a name or keyword of the game, a number or a
// denial. For example, "Hi team" is a salutation, "Hi 36" is not.
func (v *vocabulary) mayAddress(w word) bool {
	l := sharedLexicon()
	if l.addressee.hasWord(w.text) {
		return true
	}
	if w.hasDigits || numberValue(w) >= 0 || l.denial.hasWord(w.text) || isEverydayWord(w.text) || len(v.names.kindsByText[w.text]) > 0 {
		return false
	}
	_, isKeyword := v.keywords.longestKeyword([]word{w})
	return !isKeyword
}

const maxPersonNameWords = 3

// mayBePersonName reports whether words of a text may be a person's name: each begins with a capital, none is a number, a
// denial or a keyword, and together they are no name of the game.
func (v *vocabulary) mayBePersonName(text string, ws []word) bool {
	if len(ws) > maxPersonNameWords {
		return false
	}
	for i, w := range ws {
		if !startsWithCapital(text[w.start:]) || w.hasDigits || sharedLexicon().denial.hasWord(w.text) || isEverydayWord(w.text) ||
			numberValue(w) >= 0 {
			return false
		}
		if _, ok := v.keywords.longestKeyword(ws[i:]); ok && !sharedLexicon().function.hasWord(w.text) {
			return false
		}
	}
	return len(ws) == 0 || len(v.names.kindsByText[strings.Join(texts(ws), " ")]) == 0
}

// isFarewellText reports whether a text is only a farewell, with or without a name after it. Examples are "many thanks
// and good luck" and "MfG Dieter".
func (v *vocabulary) isFarewellText(text string, ws []word) bool {
	for at := 0; at < len(ws); {
		n := sharedLexicon().closing.prefixLength(ws[at:])
		if n == 0 && (at > 0 || ws[at].text == "and") {
			n = sharedLexicon().function.prefixLength(ws[at:])
		}
		if n == 0 {
			return at > 0 && v.mayBePersonName(text, ws[at:])
		}
		at += n
	}
	return len(ws) > 0
}

// markSignature marks closings and the signature below the orders as courtesy. A signature is a name after a closing, or
// a name of the writer in this match.
func (p *Parser) markSignature(sentences []sentence) {
	for i, s := range sentences {
		if s.mayBeFarewell && s.line > 0 && !s.denies {
			sentences[i] = sentence{text: s.text, line: s.line, isCourtesy: true, endsWithFarewell: true}
		}
	}
	p.markLastName(sentences)
	for i := len(sentences) - 1; i >= 0; i-- {
		s := &sentences[i]
		if strings.ContainsAny(s.text, "?!:;") {
			return
		}
		ws := p.wordsOf(s.text)
		switch {
		case s.isCourtesy, p.isWriterName(s.text):
		case i == len(sentences)-1 && i > 0 && sentences[i-1].endsWithFarewell && p.vocabulary.mayBePersonName(s.text, ws):
		default:
			return
		}
		*s = sentence{text: s.text, line: s.line, isCourtesy: true}
	}
}

// markLastName marks the last line of a letter as courtesy, if it may be a person's name and is below other lines.
// Examples are "Honza" and "E. Marsh".
func (p *Parser) markLastName(sentences []sentence) {
	last := len(sentences) - 1
	firstOfLine := last
	for firstOfLine > 0 && sentences[firstOfLine-1].line == sentences[last].line {
		firstOfLine--
	}
	if firstOfLine <= 0 {
		return
	}
	var texts []string
	for _, s := range sentences[firstOfLine:] {
		if !s.isCourtesy {
			texts = append(texts, s.text)
		}
	}
	text := strings.Join(texts, " ")
	ws := p.wordsOf(text)
	if len(ws) == 0 || strings.ContainsAny(text, "?!:;,") || !p.vocabulary.mayBePersonName(text, ws) ||
		slices.ContainsFunc(ws, func(w word) bool {
			initial := w.end < len(text) && text[w.end] == '.' && w.end-w.start == 1 // the E of "E. Marsh" is not a function word
			return sharedLexicon().function.hasWord(w.text) && !initial || len(p.vocabulary.names.kindsByText[w.text]) > 0
		}) {
		return
	}
	initial := len(text) == 2 && text[1] == '.'
	if len(ws) == 1 && !initial && !(sentences[0].isCourtesy && sentences[0].line != sentences[1].line) {
		return // A single word is read as a person's name only in a letter with a salutation.
	}
	for i := firstOfLine; i <= last; i++ {
		sentences[i] = sentence{text: sentences[i].text, line: sentences[i].line, isCourtesy: true}
	}
}

func (p *Parser) isWriterName(text string) bool {
	ws := p.wordsOf(text)
	return len(ws) > 0 && !slices.ContainsFunc(ws, func(w word) bool { return !p.writerNames[w.text] })
}

func startsWithCapital(text string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "-–—~/* "))
	return unicode.IsUpper(r)
}

// IsStatement reports whether a line can be an order: it has no question mark, is complete, and has no remark in brackets.
func (p *Parser) IsStatement(line string) bool {
	ws := p.wordsOf(line)
	if k, ok := p.vocabulary.keywords.longestVerb(ws); ok && k.isSynonym && len(ws) == len(k.words) {
		return false // A synonym alone, such as "Operations.", is a heading.
	}
	return !strings.Contains(line, "?") && !bracketPattern.MatchString(line) && !isIncomplete(ws)
}

// isIncomplete reports whether words end with a word that cannot end a sentence, e.g. "the".
func isIncomplete(ws []word) bool {
	n := len(ws)
	return n == 0 || sharedLexicon().link.hasWord(ws[n-1].text) || n > 1 && sharedLexicon().link.prefixLength(ws[n-2:]) == 2
}

// bracketPattern matches an opening bracket and the text up to a word of at least three letters, e.g. "(or Lodz".
var bracketPattern = regexp.MustCompile(`\([^)]*\pL{3}`)

var noGameParser = sync.OnceValue(func() *Parser { return New(noLanguage{}) })

type noLanguage struct{ rules.Language }

func (noLanguage) Keywords() []rules.Keyword { return nil }
func (noLanguage) Names() []rules.Name       { return nil }

// MarkCourtesies reports for each line of a letter outside a match, such as a letter to a club, whether it is only a
// salutation, a closing or a name. Examples are "Hi," and "Thanks, Ada". names are the writer's names.
func MarkCourtesies(lines []string, names ...string) []bool {
	return noGameParser().ForLetter(names...).MarkCourtesies(lines)
}

// TrimFunctionWord removes a phrase of function words from the beginning of a line: "please ENTER autumn-cup" -> "ENTER
// autumn-cup". ok is false if the line does not begin with a function word, or has no other word.
func TrimFunctionWord(line string) (rest string, ok bool) {
	ws := words(line)
	n := sharedLexicon().function.prefixLength(ws)
	if n == 0 || n >= len(ws) {
		return "", false
	}
	return strings.TrimSpace(line[ws[n].start:]), true
}

// TrimThanks removes polite words at the end of a line: "ACCEPT 1 please" -> "ACCEPT 1".
func TrimThanks(line string) string {
	ws := words(line)
	last := len(ws) - 1
	for last >= 0 && politeWords[ws[last].text] {
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

var politeWords = wordSet("please pls plz thanks thank you thx ty bitte danke prosze poprosze dziekuje prosim kerem merci gracias por favor sil te vous plait")

// IsCourtesy reports whether a word is only polite, e.g. "bitte", or closes a letter, e.g. "cheers".
func IsCourtesy(word string) bool { return politeWords[word] || sharedLexicon().closing.hasWord(word) }
