package command

import "strings"

// join takes the seat that its writer was invited to; behind it stand words of his own,
// whatever they look like.
var join = &Entry{Word: Join, Class: Aside}

// Invited reads a letter of a match that has not begun. Its rows stay whole, since a
// player's words may look like anything.
func (r *Reader) Invited(l Letter) []Line {
	out, rest, messages := r.rows(l)
	for text := range strings.SplitSeq(rest, "\n") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		line := Line{Text: text, Kind: HostOrder}
		first, words, _ := strings.Cut(text, " ")
		first = strings.ToUpper(strings.Trim(first, ".!,:"))
		alone := strings.TrimSpace(words) == ""
		if c, _, ok := r.find(text, Question); ok {
			line.Command = c
		} else if first == string(Join) {
			line.Command = Command{Word: Join, Text: words, entry: join}
		} else if e := entryOf(Word(first)); alone && (e == help || e == status || e == resend) {
			line.Command = Command{Word: e.Word, entry: e}
		} else {
			line.Kind = Talk
		}
		out = append(out, line)
	}
	return append(out, messages...)
}
