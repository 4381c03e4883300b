package letter

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// join takes the seat that its writer was invited to; behind it stand what he wants to be
// called, if he likes, and words of his own, whatever they look like.
var join = &Entry{Word: Join, Class: Aside}

// open opens the words that were sealed with JOIN SEALED.
var open = &Entry{Word: Open, Class: Aside}

// Sealed is the choice of a JOIN whose words are sealed: its text is the seal.
const Sealed = "SEALED"

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

// seals is a seal behind JOIN, or behind the name there.
var seals = regexp.MustCompile(`(?i)^\s*(?:(as\s[^,;:!?]*?)[\s,;:!?]+)?\bsealed\b[\s:=]*(.*)$`)

// digits is a row that goes on with a seal for which the row above had no room.
var digits = regexp.MustCompile(`^\s*[0-9A-Fa-f]{64}\b`)

// joins reads what stands behind JOIN; below are the rows that follow, of which it takes so
// many.
func joins(words string, below []string) (c Command, n int) {
	c = Command{Word: Join, entry: join}
	if m := seals.FindStringSubmatch(words); m != nil {
		as, rest := calls(m[1])
		if rest == "" {
			c.Choice, c.As, c.Text = Sealed, as, m[2]
			if m[2] == "" && len(below) > 0 && digits.MatchString(below[0]) {
				c.Text, n = below[0], 1
			}
			return c, n
		}
	}
	c.As, c.Text = calls(words)
	return c, 0
}

// opens reads what stands behind OPEN. The rest of its paragraph may belong to it: a mail
// program may have broken the words into rows.
func opens(words string, below []string) (c Command, n int) {
	rows := []string{words}
	for ; n < len(below) && strings.TrimSpace(below[n]) != ""; n++ {
		rows = append(rows, below[n])
	}
	return Command{Word: Open, Text: strings.Join(rows, "\n"), entry: open}, n
}

// Invited reads a letter of a match that has not begun. Its rows stay whole, since a
// player's words may look like anything.
func (r *Reader) Invited(l Letter) []Line {
	out, rest, messages := r.rows(l)
	if long, ok := tooMany(rest); ok {
		return []Line{long}
	}
	rows := strings.Split(rest, "\n")
	for i := 0; i < len(rows); i++ {
		text := strings.TrimSpace(rows[i])
		if text == "" {
			continue
		}
		line := Line{Text: text, Kind: HostOrder}
		first, words := text, ""
		if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
			first, words = text[:i], strings.TrimSpace(text[i:])
		}
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
			n := 0
			line.Command, n = joins(words, rows[i+1:])
			i += n
		} else if first == string(Open) {
			// Nothing repeats the words before all are open.
			n := 0
			line.Text = string(Open)
			line.Command, n = opens(words, rows[i+1:])
			i += n
		} else if c, _, ok := help.Line(r, r.say(text)); ok {
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
