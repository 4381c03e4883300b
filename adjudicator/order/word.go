package order

import (
	_ "embed" // for words.txt
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"samizdat/rules"
)

type word struct {
	// text is the word in lower case, without accents.
	text string
	// start and end are the byte offsets of the word in the line.
	start, end int
	// number is the word's value if it is a number, and -1 otherwise.
	number int
	// afterComma is set if a comma is between the word before and this word.
	afterComma bool
	hasDigits  bool
}

// undecomposedLetters has the ASCII form of letters that Unicode does not decompose into a letter and an accent.
var undecomposedLetters = map[rune]string{'ł': "l", 'đ': "d", 'ø': "o", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'ı': "i", 'þ': "th",
	'ð': "d", 'ħ': "h", 'ŧ': "t"}

// apostrophes separate no words: "Year's" is one word.
const apostrophes = "'’‘`´ʼ"

// words splits a line into its words: runs of letters and digits, in lower case, without accents and apostrophes. For
// example, "Łódź 2, New Year's" has the words lodz, 2, new, years.
func words(line string) []word {
	out := make([]word, 0, len(line)/4+1)
	comma, minus := false, false
	for i := 0; i < len(line); {
		w, end := wordAt(line, i)
		if w.text != "" {
			if w.afterComma, comma = comma, false; minus {
				w.text, w.start, w.number, minus = "-"+w.text, i-1, -1, false
			}
			out = append(out, w)
		}
		if end == i {
			r, size := utf8.DecodeRuneInString(line[i:])
			comma = comma || r == ','
			end += size
			minus = isMinus(r, line[:i], line[end:])
		}
		i = end
	}
	return out
}

// isMinus reports whether the character r makes the number after it negative. For example, "Lodz -1" has a minus; "March-3" and "- 2 in
// Lodz" have none.
func isMinus(r rune, before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return strings.ContainsRune("-−–", r) && after != "" && isDigitByte(after[0]) && (before == "" || unicode.IsSpace(last) || last == '(')
}

// wordAt returns the word that begins at a byte offset of a line, and its end. The word is empty if no letter or digit is there.
func wordAt(line string, start int) (w word, end int) {
	var folded strings.Builder
	hasDigits := false
	for end = start; end < len(line); {
		r, size := utf8.DecodeRuneInString(line[end:])
		isLetter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !isLetter && (end == start || !unicode.Is(unicode.Mn, r) && !strings.ContainsRune(apostrophes, r)) {
			break
		}
		if isLetter {
			writeFolded(&folded, r)
			hasDigits = hasDigits || isASCIIDigit(r)
		}
		end += size // A combining accent and the apostrophe of "Year's" are part of the word.
	}
	text := folded.String()
	if text == "w" && end < len(line) && line[end] == '/' {
		text = "with" // "w/"
	}
	return word{text: text, start: start, end: end, number: parseNumber(text), hasDigits: hasDigits}, end
}

func isASCIIDigit(r rune) bool { return '0' <= r && r <= '9' }

// FirstWord returns the first word that Words returns for a line, or "" if there is none.
func FirstWord(line string) string {
	if ws := words(line[:min(len(line), maxOrderLength)]); len(ws) > 0 {
		return ws[0].text
	}
	return ""
}

func writeFolded(b *strings.Builder, r rune) {
	if r < utf8.RuneSelf {
		b.WriteRune(unicode.ToLower(r))
		return
	}
	for _, d := range norm.NFKD.String(string(r)) {
		d = unicode.ToLower(d)
		switch s, ok := undecomposedLetters[d]; {
		case ok:
			b.WriteString(s)
		case unicode.IsLetter(d) || unicode.IsDigit(d):
			b.WriteRune(d)
		}
	}
}

// parseNumber returns the value of a number of at most four digits, also in the form "x2"; -1 for other words.
func parseNumber(t string) int {
	if len(t) > 1 && t[0] == 'x' {
		t = t[1:]
	}
	if t == "" || !isDigitByte(t[0]) || len(t) > 4 {
		return -1 // Most words return here, because an error of ParseUint is slow.
	}
	if n, err := strconv.ParseUint(t, 10, 16); err == nil {
		return int(n)
	}
	return -1
}

func texts(ws []word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.text
	}
	return out
}

// Words returns a line's words as the parser compares them: in lower case, without accents and punctuation. Other packages use it for
// orders that belong to no game, such as HELP.
func Words(line string) []string { return texts(words(line)) }

var asciiPunctuation = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "“", `"`, "”", `"`, "„", `"`,
	"«", `"`, "»", `"`, "‘", "'", "’", "'", "‚", "'", "…", "...", "\u00a0", " ", "×", "x")

// ASCII returns a text with ASCII characters only, e.g. without accents and with straight quotes. For example, "Łódź"
// becomes "Lodz". A character without an ASCII equivalent becomes a question mark.
func ASCII(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(asciiPunctuation.Replace(s)) {
		replacement, isUndecomposed := undecomposedLetters[unicode.ToLower(r)]
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case isUndecomposed && unicode.IsUpper(r):
			b.WriteString(strings.ToUpper(replacement[:1]) + replacement[1:])
		case isUndecomposed:
			b.WriteString(replacement)
		case !unicode.Is(unicode.Mn, r):
			b.WriteByte('?')
		}
	}
	return b.String()
}

var numerals = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19}

// countingWords are words for small numbers that are always counts and never the number of a card: "both", and the
// numerals of other languages than English.
var countingWords = map[string]int{"both": 2, "couple": 2, "pair": 2, "single": 1, "double": 2, "triple": 3, "ein": 1, "eine": 1,
	"einen": 1, "eins": 1, "zwei": 2, "drei": 3, "vier": 4,
	"un": 1, "deux": 2, "trois": 3, "dos": 2, "tres": 3, "dwa": 2, "dwie": 2, "trzy": 3, "dva": 2, "dve": 2, "ketto": 2, "kettot": 2,
	"harom": 3, "harmat": 3, "egy": 1, "egyet": 1, "mindket": 2, "mindketto": 2, "mindkettot": 2,
	"beide": 2, "beiden": 2, "einer": 1, "jeden": 1, "jedna": 1, "jednego": 1, "oba": 2, "obydwa": 2, "obie": 2, "obe": 2, "ctyri": 4,
	"cztery": 4, "negy": 4, "quatre": 4, "une": 1, "uno": 1, "due": 2, "doi": 2, "doua": 2}

var (
	// tens are number words that are too large for counts. They are only numbers of cards, e.g. "card thirty".
	tens = map[string]int{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
	// repetitionWords count the name before them: "Lodz twice".
	repetitionWords = map[string]int{"once": 1, "twice": 2}
	eachWords       = wordSet("each apiece every jeweils chacun chacune")
	// remainderWords mean the points that are left: "the rest in Lodz".
	remainderWords = wordSet("rest remaining remainder other all everything")
	conjunctions   = wordSet("and plus then")
	// numberPrefixes precede the number of a card: "number 36".
	numberPrefixes = wordSet("number nr num numero nro nummer numer cislo szam")
	ordinals       = wordSet("first second third fourth fifth")
)

func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }

// numberValue returns the value of a number in digits or in words; -1 for other words.
func numberValue(w word) int {
	if w.number >= 0 {
		return w.number
	}
	if n, ok := numerals[w.text]; ok {
		return n
	}
	return -1
}

func numberWord(n int) word {
	return word{text: strconv.Itoa(n), number: n, hasDigits: true}
}

// wordsWithNumbers returns the words of a text with number words replaced. For example, "thirty-six" becomes "36", and
// "card nine" becomes "card 9".
func (p *Parser) wordsWithNumbers(text string) []word {
	ws := slices.Clone(p.wordsOf(text))
	for i := 0; i < len(ws); i++ {
		n, used := tens[ws[i].text], 1
		switch {
		case n > 0 && i+1 < len(ws) && !ws[i+1].afterComma && numerals[ws[i+1].text] < 10 && numerals[ws[i+1].text] > 0:
			n, used = n+numerals[ws[i+1].text], 2
		case i > 0 && n == 0 && !ws[i].afterComma && (ws[i-1].text == string(rules.CardName) || numberPrefixes[ws[i-1].text]):
			n = numerals[ws[i].text]
		}
		if n > 0 {
			w := ws[i]
			w.text, w.number, w.hasDigits, w.end = strconv.Itoa(n), n, true, ws[i+used-1].end
			ws = slices.Replace(ws, i, i+used, w)
		}
	}
	return ws
}

//go:embed words.txt
var wordsText string

// lexicon holds the words of words.txt: words in several languages that occur in letters to any game, but no names or
// keywords of a game.
type lexicon struct {
	// function words may accompany an order without changing it, e.g. for, the and please in "I'll play 36 for the event please".
	function phraseList
	// link words are function words that cannot end a sentence, e.g. "the".
	link phraseList
	// greeting words begin a salutation, e.g. "Hi". closing words form a farewell, e.g. "Best wishes".
	greeting, closing phraseList
	// addressee words follow a greeting, e.g. "all".
	addressee phraseList
	// denial words show that a sentence is no order: it denies, takes back, asks or sets a condition.
	denial phraseList
	// footer words occur only in the footers of company mail, e.g. "confidential".
	footer phraseList
	// everyday words are never read as shortened or misspelt names.
	everyday phraseList
}

// phraseList maps the first word of a phrase to the phrases that begin with it.
type phraseList map[string][][]string

var sharedLexicon = sync.OnceValue(func() *lexicon {
	l := &lexicon{}
	lists := map[string]*phraseList{
		"function": &l.function, "link": &l.link, "footer": &l.footer, "addressee": &l.addressee, "greeting": &l.greeting,
		"closing": &l.closing, "denial": &l.denial, "everyday": &l.everyday}
	var list phraseList
	for line := range strings.Lines(wordsText) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "["), "]"); ok {
			list = phraseList{}
			*lists[name] = list
			continue
		}
		for phrase := range strings.FieldsSeq(line) {
			if ws := Words(strings.ReplaceAll(phrase, "_", " ")); list != nil && len(ws) > 0 {
				list[ws[0]] = append(list[ws[0]], ws)
			}
		}
	}
	for first, phrases := range l.link {
		l.function[first] = append(l.function[first], phrases...)
	}
	return l
})

// prefixLength returns the number of words of the longest listed phrase that begins ws; 0 for none.
func (l phraseList) prefixLength(ws []word) int {
	n := 0
	if len(ws) > 0 {
		for _, p := range l[ws[0].text] {
			if len(p) > n && hasPhrasePrefix(p, ws) {
				n = len(p)
			}
		}
	}
	return n
}

// covers reports whether ws consists of one or more phrases of the list.
func (l phraseList) covers(ws []word) bool {
	for i := 0; i < len(ws); {
		n := l.prefixLength(ws[i:])
		if n == 0 {
			return false
		}
		i += n
	}
	return len(ws) > 0
}

func (l phraseList) hasWord(w string) bool {
	isSingleWord := func(p []string) bool { return len(p) == 1 }
	return slices.ContainsFunc(l[w], isSingleWord)
}

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// IsKnownWord reports whether a word has a meaning for this package in all games, e.g. "please" or "two". Tests use it to
// find names of a game that equal these words, e.g. a card called "Please".
func IsKnownWord(word string) bool {
	l := sharedLexicon()
	for _, list := range []phraseList{l.function, l.greeting, l.closing, l.addressee, l.denial, l.everyday} {
		for _, phrases := range list {
			if slices.ContainsFunc(phrases, func(p []string) bool { return slices.Contains(p, word) }) {
				return true
			}
		}
	}
	return numerals[word] > 0 || countingWords[word] > 0 || repetitionWords[word] > 0 || eachWords[word] || remainderWords[word] ||
		ordinals[word] || tens[word] > 0 || numberPrefixes[word]
}
