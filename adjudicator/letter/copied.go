package letter

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// A mail program may quote a part of our letter without quote prefixes (">"), wrap it at another width, and drop the line "Write above
// this line". CopyFinder finds the quoted lines: it compares the text with the answered letter, which is composed again
// for this purpose.

const (
	// shingleLength is the number of words in a shingle: a sequence of words that are compared together.
	shingleLength = 4
	// minCopiedWords is the minimum number of words, outside orders, in a run of copied lines that is removed. So a player may copy a
	// single order from our letter.
	minCopiedWords = 15
	// maxComparedLines is the maximum number of lines to compare. Our longest letter has fewer, even with each line wrapped once.
	maxComparedLines = 1000
	maxCopiesNamed   = 10
)

// LineBelowQuote is a line directly below a quoted line, for example "Poland" below "> We attack". It may be the wrapped end of the quoted
// line.
type LineBelowQuote struct{ Line, Quoted string }

// CopyFinder finds copied lines of a letter.
type CopyFinder struct {
	lines       []string
	belowQuotes []LineBelowQuote
	isOrder     func(string) bool
}

// NewCopyFinder prepares the search in a text; belowQuotes holds its lines directly below quoted lines. It returns nil
// if the text is too short for a copy, or too long.
func NewCopyFinder(text string, belowQuotes []LineBelowQuote, isOrder func(string) bool) *CopyFinder {
	c := &CopyFinder{strings.Split(text, "\n"), belowQuotes, isOrder}
	if len(c.lines) > maxComparedLines || c.countProse(c.lines) < minCopiedWords && len(belowQuotes) == 0 {
		return nil
	}
	return c
}

// Shingles is a set of shingles, e.g. of all text in a letter from us.
type Shingles map[string]bool

// MayContain reports whether the text may have copied lines. This is so if words of the text are in current, the shingles of a letter about
// the current position, or if a line begins with "- ", as many of our lines do. It is a quick check before Remove, which needs the answered
// letter.
func (c *CopyFinder) MayContain(current Shingles) bool {
	for _, below := range c.belowQuotes {
		if !c.isOrder(below.Line) && slices.Contains(current.markCovered(below.tailWords()), true) {
			return true
		}
	}
	return slices.Contains(current.markCovered(plainWords(strings.Join(c.lines, " "))), true) ||
		slices.ContainsFunc(c.lines, func(line string) bool { return strings.HasPrefix(line, "- ") })
}

// Remove returns the text without the lines that are copied from our letter. sent has the shingles of our letter. If no order remains in
// the text, Remove also returns the removed orders, and our reply lists them.
func (c *CopyFinder) Remove(sent Shingles) (text string, orders []string) {
	c.removeTails(sent)
	copied, removedLines := c.findCopied(sent), []string(nil)
	for start := 0; start < len(c.lines); {
		end := start
		for end < len(c.lines) && copied[end] {
			end++
		}
		if end > start && c.countProse(c.lines[start:end]) >= minCopiedWords {
			removedLines = append(removedLines, c.lines[start:end]...)
			clear(c.lines[start:end])
		}
		start = end + 1
	}
	if slices.ContainsFunc(c.lines, c.isOrder) {
		removedLines = nil
	}
	for _, line := range removedLines {
		if c.isOrder(line) && len(orders) < maxCopiesNamed {
			orders = append(orders, strings.TrimSpace(line))
		}
	}
	return strings.Join(c.lines, "\n"), orders
}

// tailWords returns the last words of the quoted line, followed by the words of the line below it.
func (l LineBelowQuote) tailWords() []string {
	quotedWords := plainWords(l.Quoted)
	return append(slices.Clone(quotedWords[max(0, len(quotedWords)-shingleLength+1):]), plainWords(l.Line)...)
}

// removeTails removes lines that are the wrapped ends of quoted lines. Orders stay.
func (c *CopyFinder) removeTails(sent Shingles) {
	for _, below := range c.belowQuotes {
		words := below.tailWords()
		index := slices.IndexFunc(c.lines, func(line string) bool { return strings.TrimSpace(line) == below.Line })
		if index >= 0 && len(words) >= shingleLength && !c.isOrder(below.Line) && !slices.Contains(sent.markCovered(words), false) {
			c.lines[index] = ""
		}
	}
}

// countProse counts the words in the lines that are not orders. It returns 0 if a line begins a message to other players, because a
// message may quote our letter on purpose.
func (c *CopyFinder) countProse(lines []string) (n int) {
	counts := map[string]int{} // by line, because a letter may repeat a line
	for _, line := range lines {
		if StartsWith(line, Message) {
			return 0
		}
		if _, isCounted := counts[line]; !isCounted {
			if counts[line] = len(plainWords(line)); counts[line] > 0 && c.isOrder(line) {
				counts[line] = 0
			}
		}
		n += counts[line]
	}
	return n
}

// findCopied reports for each line whether all its words are in shingles of our letter. Blank lines count as copied.
func (c *CopyFinder) findCopied(sent Shingles) []bool {
	var words []string
	ends := make([]int, len(c.lines))
	for i, line := range c.lines {
		words = append(words, plainWords(line)...)
		ends[i] = len(words)
	}
	covered := sent.markCovered(words)
	out := make([]bool, len(c.lines))
	from := 0
	for i, to := range ends {
		out[i] = !slices.Contains(covered[from:to], false)
		from = to
	}
	return out
}

// Add adds the shingles of a text.
func (s Shingles) Add(text string) {
	words := plainWords(text)
	for i := range words[:max(0, len(words)-shingleLength+1)] {
		s[strings.Join(words[i:i+shingleLength], " ")] = true
	}
}

// markCovered reports for each word whether it is part of a shingle in s.
func (s Shingles) markCovered(words []string) []bool {
	covered := make([]bool, len(words))
	for i := range words[:max(0, len(words)-shingleLength+1)] {
		if s[strings.Join(words[i:i+shingleLength], " ")] {
			for k := range shingleLength {
				covered[i+k] = true
			}
		}
	}
	return covered
}

// plainWords returns the words of a text in lower case. It leaves out words that are only punctuation, and SHA-256 hashes.
func plainWords(text string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }),
		func(w string) bool {
			return strings.Trim(w, "-=*_>|.") == "" || len(w) == 2*sha256.Size && strings.Trim(w, "0123456789abcdef") == ""
		})
}
