package order

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is the text between two punctuation marks.
type piece struct {
	text string
	// mark is the punctuation mark after the text; 0 at the end of the line. If several marks follow the text, mark is the
	// mark that ends a sentence.
	mark rune
}

// pieceMarks are the marks that always end a piece. endsPiece handles full stops, hyphens and colons.
const pieceMarks = "!?,;()[]{}\"“”„«»…—–*|<>~"

// splitPieces splits a line at its punctuation. For example, "No, the worker." has the pieces "No" and "the worker".
func splitPieces(line string) []piece {
	var out []piece
	start := 0
	addPiece := func(from, to int, mark rune) {
		text := strings.TrimSpace(line[start:from])
		start = to
		switch n := len(out); {
		case text != "":
			out = append(out, piece{text: text, mark: mark})
		case n > 0 && (mark == '?' || mark == ')' && !strings.ContainsRune(".!?", out[n-1].mark) || out[n-1].mark == ','):
			out[n-1].mark = mark
		}
	}
	for i, r := range line {
		if _, size := utf8.DecodeRuneInString(line[i:]); endsPiece(r, line[:i], line[i+size:]) {
			addPiece(i, i+size, r)
		}
	}
	addPiece(len(line), len(line), 0)
	return out
}

func endsPiece(r rune, before, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case isMinus(r, before, after):
		return false
	case strings.ContainsRune(pieceMarks, r):
		return true
	case r == '.' || r == ':':
		return !unicode.IsLetter(next) && !unicode.IsDigit(next)
	}
	return r == '-' && (unicode.IsSpace(next) || unicode.IsSpace(last) || before == "")
}

func sentenceEnd(pieces []piece, from int) int {
	to := from + 1
	for to < len(pieces) && !strings.ContainsRune(".!?", pieces[to-1].mark) {
		to++
	}
	return to
}
