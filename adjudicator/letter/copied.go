package letter

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// A mail program may quote a part of our letter without marks, broken anew at its own width, and without the line that ends
// the text to be read. Such a copy is found by comparing the player's lines with the letter that he answers, which is composed again.

const (
	// inARow is how many words are compared at a time. Fewer stand in anybody's letters.
	inARow = 4
	// leastCopied is how many words of our prose make a copy. No order has so many, and a player who takes an order from the letter
	// copies one line.
	leastCopied = 15
	// mostCompared is how many lines are compared. Our longest letter, broken into halves, has fewer.
	mostCompared = 1000
	// mostLeftOut is how many orders of a copy are named.
	mostLeftOut = 10
)

// Below is a line right below a quoted line, whose end it may be.
type Below struct{ Line, Quoted string }

// Copies finds the lines of a letter that are copied from ours.
type Copies struct {
	rows    []string
	below   []Below
	isOrder func(string) bool
}

// FindCopies looks for copies in a text. Below are its lines right below quoted ones, isOrder reports whether a line is an order.
// It returns nil where the text is too short to hold a copy, or too long to be compared.
func FindCopies(text string, below []Below, isOrder func(string) bool) *Copies {
	c := &Copies{strings.Split(text, "\n"), below, isOrder}
	if len(c.rows) > mostCompared || c.prose(c.rows) < leastCopied && len(below) == 0 {
		return nil
	}
	return c
}

// Sequences are the runs of inARow words that stand in letters of ours.
type Sequences map[string]bool

// MayHold reports whether some of the lines stand in the letter as it would be written now, or look like lines of a letter: few
// letters are worth composing the answered one again.
func (c *Copies) MayHold(now Sequences) bool {
	for _, b := range c.below {
		if !c.isOrder(b.Line) && slices.Contains(now.cover(b.tail()), true) {
			return true
		}
	}
	return slices.Contains(now.cover(plainWords(strings.Join(c.rows, " "))), true) ||
		slices.ContainsFunc(c.rows, func(row string) bool { return strings.HasPrefix(row, "- ") })
}

// Remove empties the lines that are copied. Orders are those that stood among them, where no order is left.
func (c *Copies) Remove(sent Sequences) (text string, orders []string) {
	c.removeTails(sent)
	copied, removed := c.copied(sent), []string(nil)
	for from := 0; from < len(c.rows); {
		to := from
		for to < len(c.rows) && copied[to] {
			to++
		}
		if to > from && c.prose(c.rows[from:to]) >= leastCopied {
			removed = append(removed, c.rows[from:to]...)
			clear(c.rows[from:to])
		}
		from = to + 1
	}
	if slices.ContainsFunc(c.rows, c.isOrder) {
		removed = nil
	}
	for _, row := range removed {
		if c.isOrder(row) && len(orders) < mostLeftOut {
			orders = append(orders, strings.TrimSpace(row))
		}
	}
	return strings.Join(c.rows, "\n"), orders
}

// tail are the words of the line, behind the last words of the quoted line above it.
func (b Below) tail() []string {
	end := plainWords(b.Quoted)
	return append(slices.Clone(end[max(0, len(end)-inARow+1):]), plainWords(b.Line)...)
}

// removeTails empties lines that are the ends of quoted lines, which a program has broken off and not marked: with the end of
// the quoted line they stand in our letter. Orders stay.
func (c *Copies) removeTails(sent Sequences) {
	for _, b := range c.below {
		words := b.tail()
		at := slices.IndexFunc(c.rows, func(row string) bool { return strings.TrimSpace(row) == b.Line })
		if at >= 0 && len(words) >= inARow && !c.isOrder(b.Line) && !slices.Contains(sent.cover(words), false) {
			c.rows[at] = ""
		}
	}
}

// prose is how many words stand in lines that are no orders; 0 where a message to other players stands among the lines, which may
// quote our letter.
func (c *Copies) prose(rows []string) (n int) {
	words := map[string]int{} // A letter may say the same on hundreds of lines.
	for _, row := range rows {
		if Begins(row, Message) {
			return 0
		}
		if _, known := words[row]; !known {
			if words[row] = len(plainWords(row)); words[row] > 0 && c.isOrder(row) {
				words[row] = 0
			}
		}
		n += words[row]
	}
	return n
}

// copied says of each line whether each word of it stands in our letter, in a run of inARow words. Blank lines count as copied.
func (c *Copies) copied(sent Sequences) []bool {
	var words []string
	ends := make([]int, len(c.rows))
	for i, row := range c.rows {
		words = append(words, plainWords(row)...)
		ends[i] = len(words)
	}
	covered := sent.cover(words)
	out := make([]bool, len(c.rows))
	from := 0
	for i, to := range ends {
		out[i] = !slices.Contains(covered[from:to], false)
		from = to
	}
	return out
}

// Add takes in the runs of a text.
func (s Sequences) Add(text string) {
	words := plainWords(text)
	for i := range words[:max(0, len(words)-inARow+1)] {
		s[strings.Join(words[i:i+inARow], " ")] = true
	}
}

// cover says of each word whether it stands in one of the runs.
func (s Sequences) cover(words []string) []bool {
	covered := make([]bool, len(words))
	for i := range words[:max(0, len(words)-inARow+1)] {
		if s[strings.Join(words[i:i+inARow], " ")] {
			for k := range inARow {
				covered[i+k] = true
			}
		}
	}
	return covered
}

// plainWords are the words of a text in small letters, without signs and hashes.
func plainWords(text string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }),
		func(w string) bool {
			return strings.Trim(w, "-=*_>|.") == "" || len(w) == 2*sha256.Size && strings.Trim(w, "0123456789abcdef") == ""
		})
}
