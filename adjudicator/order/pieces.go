package order

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a stretch of a text between two marks of punctuation.
type piece struct {
	text string
	// end is the mark behind it, 0 at the end of the text; of a run of marks it is the
	// one that says most.
	end rune
}

// faces are drawn with signs. They say nothing, and end a sentence.
var faces = regexp.MustCompile(`(?:^|\s)(?:[:;=]['o-]?[()DPp/|]+|[xX]D|<3|\^\^)(?:$|[\s.,!])`)

// marks end a piece. Stops, hyphens and colons do only where a space follows.
const marks = "!?,;()[]{}\"“”„«»…—–*|<>~"

// pieces cuts a line where its punctuation does.
func pieces(line string) []piece {
	if strings.ContainsAny(line, ":;=<^") || strings.Contains(line, "xD") || strings.Contains(line, "XD") {
		line = faces.ReplaceAllStringFunc(line, func(f string) string { return strings.Repeat(" ", len(f)-2) + ". " })
	}
	var out []piece
	start := 0
	cut := func(from, to int, mark rune) {
		text := strings.TrimSpace(line[start:from])
		start = to
		switch n := len(out); {
		case text != "":
			out = append(out, piece{text: text, end: mark})
		case n > 0 && (mark == '?' || out[n-1].end == ','):
			out[n-1].end = mark
		}
	}
	var row row
	for i, r := range line {
		if _, size := utf8.DecodeRuneInString(line[i:]); cuts(r, line[:i], line[i+size:], row.several) {
			cut(i, i+size, r)
		}
		row.add(r)
	}
	cut(len(line), len(line), 0)
	return out
}

// row is what stands in a line so far, or behind its last closing bracket: several words have a
// blank between them.
type row struct{ begun, blank, several bool }

func (w *row) add(r rune) {
	switch {
	case strings.ContainsRune("\n])}", r):
		*w = row{}
	case !unicode.IsSpace(r):
		w.several, w.begun = w.several || w.blank, true
	default:
		w.blank = w.blank || w.begun && r == ' '
	}
}

// cuts reports whether a character ends a piece between what stands before and behind it;
// several words stand before it in its row.
func cuts(r rune, before, behind string, several bool) bool {
	next, _ := utf8.DecodeRuneInString(behind)
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case strings.ContainsRune(marks, r), pictures(r):
		return true
	case r == '.' && unicode.IsSpace(next) && numbers(lastWord(before)) && digitAhead(behind):
		return false // "No. 14"
	case r == ':' && !several:
		return false // "Event: after"
	case r == '.' || r == ':':
		return !unicode.IsLetter(next) && !unicode.IsDigit(next)
	}
	return r == '-' && (unicode.IsSpace(next) || unicode.IsSpace(last) || before == "")
}

// numbers reports whether a word stands before the number of something.
func numbers(word string) bool {
	word = strings.ToLower(strings.TrimLeft(word, "(["))
	return numbering[word] || word == "no"
}

// digitAhead reports whether a text goes on with a figure.
func digitAhead(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && digit(text[0])
}

// pictures reports whether a character is a sign or an emoji, and no part of a word.
func pictures(r rune) bool {
	return r >= 0x2190 && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
}

// lastWord is what stands behind the last blank of a text. Of what is long its end will do.
func lastWord(text string) string {
	text = text[max(0, len(text)-longestWord):]
	return text[strings.LastIndexByte(text, ' ')+1:]
}

// sentenceEnd is where the sentence ends that begins with the piece at from.
func sentenceEnd(cut []piece, from int) int {
	to := from + 1
	for to < len(cut) && !strings.ContainsRune(".!?", cut[to-1].end) {
		to++
	}
	return to
}
