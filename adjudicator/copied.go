package adjudicator

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
)

// A mail program may quote a part of our letter without marks, broken anew at its own width, and
// without the line that ends what is read. Such a copy is told from what the player has written by
// comparing his lines with the letter that he answers, which is composed again.

const (
	// inARow is how many words are compared at a time. Fewer stand in anybody's letters.
	inARow = 4
	// leastCopied is how many words of our prose make a copy. No order has so many, and whoever
	// takes one from the letter copies a line.
	leastCopied = 15
	// mostRows is how many lines are compared: our longest letter, broken into halves, has fewer.
	mostRows = 1000
	// mostLeftOut is how many lines an answer names.
	mostLeftOut = 10
)

// dropCopied takes a copy of our letter out of the lines to be read. Where no order stands beside
// it, the answer names those that stand in it.
func dropCopied(ctx context.Context, j *adjudication) error {
	rows := strings.Split(j.letter.Orders, "\n")
	if j.turn.After == nil || j.letter.TooLong() || len(rows) > mostRows || proseRows(j, rows) < leastCopied && len(j.letter.Below) == 0 {
		return nil
	}
	sent := sequences{}
	sent.add(compose.Letter(j.turn, j.play.Seat, compose.Options{Extent: compose.Whole}).Text())
	if !mayCopy(j, rows, sent) {
		return nil // Few letters are worth playing the match again.
	}
	if err := addSent(ctx, j, sent); err != nil {
		return err
	}
	joinTails(j, rows, sent)
	copied, left := copiedRows(rows, sent), []string(nil)
	for from := 0; from < len(rows); {
		to := from
		for to < len(rows) && copied[to] {
			to++
		}
		if to > from && proseRows(j, rows[from:to]) >= leastCopied {
			left = append(left, rows[from:to]...)
			clear(rows[from:to])
		}
		from = to + 1
	}
	j.letter.Orders = strings.Join(rows, "\n")
	if !slices.ContainsFunc(rows, j.reader.Orders.IsOrder) {
		nameCopied(j, left)
	}
	return nil
}

// mayCopy reports whether some of the lines stand in a letter as it would be written now, or look
// like what one tells.
func mayCopy(j *adjudication, rows []string, now sequences) bool {
	for _, b := range j.letter.Below {
		if !j.reader.Orders.IsOrder(b.Line) && slices.Contains(now.hold(tailOf(b)), true) {
			return true
		}
	}
	return slices.Contains(now.hold(plainWords(strings.Join(rows, " "))), true) || slices.ContainsFunc(rows, func(row string) bool { return strings.HasPrefix(row, "- ") })
}

// tailOf gives the words of the line, with the last of the quoted one above it.
func tailOf(b exchange.Below) []string {
	end := plainWords(b.Quoted)
	return append(slices.Clone(end[max(0, len(end)-inARow+1):]), plainWords(b.Line)...)
}

// joinTails empties lines that are the ends of quoted ones, which a program has broken off and not
// marked: with the end of the line above they stand in our letter. One that is an order stays.
func joinTails(j *adjudication, rows []string, sent sequences) {
	for _, b := range j.letter.Below {
		words := tailOf(b)
		at := slices.IndexFunc(rows, func(row string) bool { return strings.TrimSpace(row) == b.Line })
		if at >= 0 && len(words) >= inARow && !j.reader.Orders.IsOrder(b.Line) && !slices.Contains(sent.hold(words), false) {
			rows[at] = ""
		}
	}
}

// nameCopied names the orders among lines of a copy in the answer.
func nameCopied(j *adjudication, rows []string) {
	var orders []string
	for _, row := range rows {
		if j.reader.Orders.IsOrder(row) && len(orders) < mostLeftOut {
			orders = append(orders, strings.TrimSpace(row))
		}
	}
	if len(orders) > 0 {
		j.letter.Problems = append(j.letter.Problems, fmt.Sprintf("These lines stand in a copy of our letter, and were left out: %s. If one of them is your order, please send it again in a new letter without the copy.", strings.Join(orders, " | ")))
	}
}

// proseRows is how many words stand in lines that are no orders; 0 where a message to other players
// stands there, which may quote what it likes.
func proseRows(j *adjudication, rows []string) (n int) {
	words := map[string]int{} // A letter may say the same on hundreds of lines.
	for _, row := range rows {
		if letter.Begins(row, letter.Message) {
			return 0
		}
		if _, known := words[row]; !known {
			if words[row] = len(plainWords(row)); words[row] > 0 && j.reader.Orders.IsOrder(row) {
				words[row] = 0
			}
		}
		n += words[row]
	}
	return n
}

// copiedRows says of each line whether it is copied: each word of it stands in our letter among so
// many words in the same order. Blank lines count as copied.
func copiedRows(rows []string, sent sequences) []bool {
	var words []string
	ends := make([]int, len(rows))
	for i, row := range rows {
		words = append(words, plainWords(row)...)
		ends[i] = len(words)
	}
	covered := sent.hold(words)
	out := make([]bool, len(rows))
	from := 0
	for i, to := range ends {
		out[i] = !slices.Contains(covered[from:to], false)
		from = to
	}
	return out
}

// sequences are so many words that stand in a letter one behind the other.
type sequences map[string]bool

// add takes in those of a text.
func (s sequences) add(text string) {
	words := plainWords(text)
	for i := range words[:max(0, len(words)-inARow+1)] {
		s[strings.Join(words[i:i+inARow], " ")] = true
	}
}

// hold says of each word whether it stands in one of them.
func (s sequences) hold(words []string) []bool {
	held := make([]bool, len(words))
	for i := range words[:max(0, len(words)-inARow+1)] {
		if s[strings.Join(words[i:i+inARow], " ")] {
			for k := range inARow {
				held[i+k] = true
			}
		}
	}
	return held
}

// plainWords are the words of a line in small letters, without signs and hashes.
func plainWords(row string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(row), func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }),
		func(w string) bool {
			return strings.Trim(w, "-=*_>|.") == "" || len(w) == 2*sha256.Size && strings.Trim(w, "0123456789abcdef") == ""
		})
}

// addSent takes in the letter that the sender answers, unless it is not known or was sent before
// the match began.
func addSent(ctx context.Context, j *adjudication, to sequences) error {
	sent := j.sent
	chapters, err := pastChapters(ctx, j)
	if err != nil {
		return err
	}
	last := chapterOf(j.letter.Token.Number, chapters)
	if last < 0 || sent.Entries == 0 {
		return nil
	}
	then := turnAsOf(j, sent, chapters[:last+1])
	l := compose.Letter(&then, j.play.Seat, compose.Options{Extent: compose.Whole})
	l.Number = j.letter.Token.Number
	to.add(l.Text())
	return nil
}
