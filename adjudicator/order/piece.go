package order

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a stretch of a text between two marks of punctuation.
type piece struct {
	text string
	// end is the mark behind it, 0 at the end of the text; of a run of marks it is the strongest.
	end rune
}

// marks end a piece. Stops, hyphens and colons do only where a space follows.
const marks = "!?,;()[]{}\"“”„«»…—–*|<>~"

// pieces cuts a line where its punctuation does.
func pieces(line string) []piece {
	var out []piece
	start := 0
	cut := func(from, to int, mark rune) {
		text := strings.TrimSpace(line[start:from])
		start = to
		switch n := len(out); {
		case text != "":
			out = append(out, piece{text: text, end: mark})
		case n > 0 && (mark == '?' || mark == ')' && !strings.ContainsRune(".!?", out[n-1].end) || out[n-1].end == ','):
			out[n-1].end = mark
		}
	}
	for i, r := range line {
		if _, size := utf8.DecodeRuneInString(line[i:]); cuts(r, line[:i], line[i+size:]) {
			cut(i, i+size, r)
		}
	}
	cut(len(line), len(line), 0)
	return out
}

// cuts reports whether a character ends a piece between the texts before and behind it.
func cuts(r rune, before, behind string) bool {
	next, _ := utf8.DecodeRuneInString(behind)
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case isMinus(r, before, behind):
		return false
	case strings.ContainsRune(marks, r):
		return true
	case r == '.' || r == ':':
		return !unicode.IsLetter(next) && !unicode.IsDigit(next)
	}
	return r == '-' && (unicode.IsSpace(next) || unicode.IsSpace(last) || before == "")
}

// sentenceEnd is the end of the sentence that begins with the piece at from.
func sentenceEnd(cut []piece, from int) int {
	to := from + 1
	for to < len(cut) && !strings.ContainsRune(".!?", cut[to-1].end) {
		to++
	}
	return to
}
