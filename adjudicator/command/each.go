package command

import (
	"slices"
	"strings"

	"samizdat/adjudicator/order"
)

// each makes a line of each number that a question lists, "CARD 70, 8" and "RESEND 3 and 5".
// Titles are not cut: some have these words in them. CARD has to be in capitals, as "card 36,
// 3" may be a play.
func (r *Reader) each(lines []order.Line) (out []order.Line) {
	for _, l := range lines {
		word, rest, _ := strings.Cut(l.Text, " ")
		var numbers []string
		if word == string(Card) || strings.EqualFold(word, string(Resend)) {
			numbers = strings.FieldsFunc(rest, func(c rune) bool { return strings.ContainsRune(" ,&", c) })
			numbers = slices.DeleteFunc(numbers, func(w string) bool { return strings.EqualFold(w, "and") })
		}
		if len(numbers) < 2 || len(numbers) > mostAsked || slices.ContainsFunc(numbers, func(w string) bool { return strings.Trim(w, "0123456789") != "" }) {
			out = append(out, l)
			continue
		}
		for _, n := range numbers {
			one := l
			one.Text = word + " " + n
			out = append(out, one)
		}
	}
	return out
}
