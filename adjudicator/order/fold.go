package order

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// word is one word of a line, folded for comparison.
type word struct {
	text string
	// start and end are where it stands in the line as it was written.
	start, end int
	// number is the word's value if it is a number, and -1 otherwise.
	number int
	// comma means that a comma stands somewhere between the word before and it.
	comma bool
	// digits means that there are digits in it.
	digits bool
}

// stroked are the letters that do not come apart into a letter and an accent.
var stroked = map[rune]string{'ł': "l", 'đ': "d", 'ø': "o", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'ı': "i", 'þ': "th",
	'ð': "d", 'ħ': "h", 'ŧ': "t"}

// apostrophes join the letters beside them.
const apostrophes = "'’‘`´ʼ"

// words cuts a line into its words: runs of letters and digits, without case,
// accents and apostrophes. Everything else separates words.
func words(line string) []word {
	out := make([]word, 0, len(line)/4+1)
	low := lowered(line)
	comma := false
	for i := 0; i < len(line); {
		w, end := asciiAt(low, i)
		if end < len(line) && (line[end] >= utf8.RuneSelf || apostrophe[line[end]] || line[end] == '/') {
			w, end = wordAt(line, i)
		}
		if w.text != "" {
			w.comma, comma = comma, false
			out = append(out, w)
		}
		if end == i {
			r, size := utf8.DecodeRuneInString(line[i:])
			comma = comma || r == ','
			end += size
		}
		i = end
	}
	return out
}

// lowered is a line with its letters of ASCII in lower case.
func lowered(line string) string {
	for i := range len(line) {
		if c := line[i]; 'A' <= c && c <= 'Z' {
			low := []byte(line)
			for k, c := range low[i:] {
				if 'A' <= c && c <= 'Z' {
					low[i+k] = c | 0x20
				}
			}
			return string(low)
		}
	}
	return line
}

// apostrophe has those of ASCII.
var apostrophe = [utf8.RuneSelf]bool{'\'': true, '`': true}

// asciiAt is the word of ASCII letters and digits that begins at a place of a line without
// capitals.
func asciiAt(line string, start int) (w word, end int) {
	digits := false
	for end = start; end < len(line); end++ {
		c := line[end]
		if digit(c) {
			digits = true
		} else if c < 'a' || c > 'z' {
			break
		}
	}
	w = word{text: line[start:end], start: start, end: end, number: -1, digits: digits}
	if digits {
		w.number = number(w.text)
	}
	return w, end
}

// wordAt is the word that begins at a place of a line; there is none where another
// character stands.
func wordAt(line string, start int) (w word, end int) {
	var b strings.Builder
	folds := false
	for end = start; end < len(line); {
		if c := line[end]; 'a' <= c && c <= 'z' || digit(c) {
			if end++; folds {
				b.WriteByte(c)
			}
			continue
		}
		if c := line[end]; 'A' <= c && c <= 'Z' {
			if !folds {
				b.Grow(longestWord)
				b.WriteString(line[start:end])
				folds = true
			}
			b.WriteByte(c | 0x20)
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(line[end:])
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !letter && (end == start || !unicode.Is(unicode.Mn, r) && !strings.ContainsRune(apostrophes, r)) {
			break
		}
		if !folds {
			b.WriteString(line[start:end])
			folds = true
		}
		if letter {
			writeFolded(&b, r)
		}
		end += size // A combining accent, or the apostrophe of "Year's", is no letter.
	}
	text := line[start:end]
	if folds {
		text = b.String()
	}
	if text == "w" && end < len(line) && line[end] == '/' {
		text = "with" // "w/" is with.
	}
	return word{text: text, start: start, end: end, number: number(text), digits: strings.ContainsFunc(text, figure)}, end
}

// figure reports whether a character is a figure of ASCII.
func figure(r rune) bool { return '0' <= r && r <= '9' }

// First is the first of a line's Words; empty where it has none.
func First(line string) string {
	for i := 0; i < len(line); {
		w, end := wordAt(line, i)
		if w.text != "" {
			return w.text
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		i = max(end, i+size)
	}
	return ""
}

// writeFolded writes a letter or digit without case and accent.
func writeFolded(b *strings.Builder, r rune) {
	if r < utf8.RuneSelf {
		b.WriteRune(unicode.ToLower(r))
		return
	}
	b.WriteString(folded.get(string(r), func() string {
		var out strings.Builder
		for _, d := range norm.NFKD.String(string(r)) {
			d = unicode.ToLower(d)
			switch s, ok := stroked[d]; {
			case ok:
				out.WriteString(s)
			case unicode.IsLetter(d) || unicode.IsDigit(d):
				out.WriteRune(d)
			}
		}
		return out.String()
	}))
}

// folded remembers what letters with accents are without.
var folded memo[string]

// number reads a word that is a small number, also written "x2".
func number(t string) int {
	if len(t) > 1 && t[0] == 'x' {
		t = t[1:]
	}
	if t == "" || !digit(t[0]) || len(t) > 4 {
		return -1 // Most words: an error would cost more than the rest.
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

// Words returns a line's words as the parser compares them: lower case, without
// accents and punctuation. It is for commands that are no game's orders.
func Words(line string) []string { return texts(words(line)) }

// dashes and quotes that have an ASCII character of their own.
var punctuation = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "“", `"`, "”", `"`, "„", `"`,
	"«", `"`, "»", `"`, "‘", "'", "’", "'", "‚", "'", "…", "...", "\u00a0", " ", "×", "x")

// ASCII writes a text without accents. A character that has no likeness in ASCII
// becomes a question mark.
func ASCII(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(punctuation.Replace(s)) {
		like, stroke := stroked[unicode.ToLower(r)]
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case stroke && unicode.IsUpper(r):
			b.WriteString(strings.ToUpper(like[:1]) + like[1:])
		case stroke:
			b.WriteString(like)
		case !unicode.Is(unicode.Mn, r):
			b.WriteByte('?')
		}
	}
	return b.String()
}
