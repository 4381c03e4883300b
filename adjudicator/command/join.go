package command

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/order"
)

// join takes the seat that its writer was invited to; behind it stand what he wants to be
// called, if he likes, and words of his own, whatever they look like.
var join = &Entry{Word: Join, Class: Aside}

// decline declines the invitation; behind it may stand a word for the others. It has no turn, as
// JOIN has none, and is known only before the match begins.
var decline = &Entry{Word: Decline, Class: Aside}

// declines is a row that declines an invitation: the word alone, or in capitals, or with a stop
// between it and what follows.
var declines = regexp.MustCompile(`^\s*(?:DECLINE|(?i:decline)\s*[.,:;!-]|(?i:decline)\s*$)\s*[.,:;!-]*\s*(.*)$`)

// called is a name behind JOIN, up to a comma or the like.
var called = regexp.MustCompile(`^\s*([Aa][Ss])\s+([^,;:!?]+)[,;:!?]*(.*)$`)

// calls takes a name off what stands behind JOIN. Words of one's own may begin with "as"
// too: a name begins with a capital, or the AS before it is one.
func calls(words string) (as, rest string) {
	m := called.FindStringSubmatch(words)
	if m == nil {
		return "", words
	}
	as = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(m[2]), "."))
	if first, _ := utf8.DecodeRuneInString(as); m[1] != "AS" && !unicode.IsUpper(first) {
		return "", words
	}
	return as, m[3]
}

// Invited reads a letter of a match that has not begun. Its rows stay whole, since a
// player's words may look like anything.
func (r *Reader) Invited(l Letter) []Line {
	out, rest, messages := r.rows(l)
	rows := strings.Split(rest, "\n")
	for i, text := range rows {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		line := Line{Text: text, Kind: HostOrder}
		first, words, _ := strings.Cut(text, " ")
		first = strings.ToUpper(strings.Trim(first, ".!,:"))
		bare := strings.TrimSpace(words) == ""
		if c, _, ok := r.find(text, Question); ok {
			line.Command = c
		} else if c, _, ok := call.Line(r, said{text: text}); ok {
			c.Word, c.entry = call.Word, call
			line.Command = c
		} else if m := declines.FindStringSubmatch(text); m != nil && first == string(Decline) {
			if line.Command = (Command{Word: Decline, Text: strings.TrimSpace(m[1]), entry: decline}); !alone(rows, i) {
				line = Line{Text: text, Kind: Talk, Why: string(Decline) + " counts only as a paragraph of its own."}
			}
		} else if first == string(Join) {
			as, words := calls(words)
			line.Command = Command{Word: Join, Text: words, As: as, entry: join}
		} else if c, _, ok := help.Line(r, said{text, order.Words(text)}); ok {
			c.Word, c.entry = HelpWord, help
			line.Command = c
		} else if e := entryOf(Word(first)); bare && (e == status || e == resend) {
			line.Command = Command{Word: e.Word, entry: e}
		} else {
			line.Kind = Talk
		}
		out = append(out, line)
	}
	return append(out, messages...)
}
