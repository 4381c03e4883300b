package transcript

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// mark is one written outcome. For example, "!roll 4, 2" is two marks, and "!draw to democrat 36" is one.
type mark struct {
	number int
	// roll is the number on a die; 0 in a draw.
	roll int
	// element is the drawn element; empty for "!draw ?".
	element string
	// to is the drawing seat and from the pile; NoSeat and "" if the mark does not say.
	to   rules.Seat
	from string
	// why is the reason for a die roll, the text after "for"; empty if the mark does not say.
	why  string
	used bool
}

// unknown reports whether the mark is "!draw ?". It stands for every unwritten draw of its line.
func (m *mark) unknown() bool { return m.roll == 0 && m.element == "" }

func (m *mark) String() string {
	switch {
	case m.roll > 0:
		return fmt.Sprintf("!roll %d", m.roll)
	case m.unknown():
		return "!draw ?"
	}
	return "!draw " + m.element
}

// cutMarks splits the marks from a line. For example, "PLAY 26 !roll 4" yields "PLAY 26" and the mark "roll 4".
func cutMarks(text string) (said string, marks []string) {
	parts := markBegins.Split(" "+text, -1)
	return strings.TrimSpace(parts[0]), parts[1:]
}

var (
	markBegins   = regexp.MustCompile(`\s!`)
	explainWords = regexp.MustCompile(`(?i)\sfor\s+(.+)$`)
	toWords      = regexp.MustCompile(`(?i)\sto\s+([^\s,:]+):?`)
	fromWords    = regexp.MustCompile(`(?i)\sfrom\s+([^\s,:]+):?\s*$`)
	separators   = regexp.MustCompile(`\s*[,;]\s*`)
)

// maxMarks limits the outcomes of a mark.
const maxMarks = 1000

// marks parses a mark without its "!". For example, "roll 4, 2" yields two marks. An error tells the writer which
// form is expected.
func (r *reader) marks(number int, text string) ([]*mark, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	m := mark{number: number, to: rules.NoSeat}
	cut := func(re *regexp.Regexp) string {
		at := re.FindStringSubmatchIndex(rest)
		if at == nil {
			return ""
		}
		found := rest[at[2]:at[3]]
		rest = rest[:at[0]] + " " + rest[at[1]:]
		return strings.TrimSpace(found)
	}
	rest = " " + rest
	switch strings.ToLower(word) {
	case "roll":
		m.why = cut(explainWords)
		return m.rolls(rest)
	case "draw":
		if at := toWords.FindStringSubmatch(rest); at != nil {
			seat, ok := r.find(at[1])
			if !ok {
				return nil, fmt.Errorf("there is no seat %q; there are %s", at[1], match.JoinAnd(r.words.Seats))
			}
			m.to = seat
			cut(toWords)
		}
		m.from = cut(fromWords)
		return m.draws(rest)
	}
	return nil, fmt.Errorf("there is no mark %q; there are !roll and !draw", "!"+word)
}

func (m mark) rolls(text string) ([]*mark, error) {
	var out []*mark
	for _, f := range strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || c == ',' }) {
		n, err := strconv.Atoi(f)
		if err != nil || n < 1 || n > 6 {
			return nil, fmt.Errorf("a die shows 1 to 6, not %q", f)
		}
		next := m
		next.roll = n
		out = append(out, &next)
	}
	if len(out) == 0 || len(out) > maxMarks {
		return nil, errors.New(`what was rolled stands behind it: "!roll 4", or "!roll 4, 2"`)
	}
	return out, nil
}

// draws parses the elements of a mark: numbers, or names with commas between them. For example, "1 14 36" and "1,
// 14, 36" both yield three draws.
func (m mark) draws(text string) ([]*mark, error) {
	var out []*mark
	for _, part := range separators.Split(strings.TrimSpace(text), -1) {
		items := []string{part}
		if fields := strings.Fields(part); len(fields) > 1 && strings.IndexFunc(part, unicode.IsLetter) < 0 {
			items = fields
		}
		for _, item := range items {
			if item == "" {
				continue
			}
			next := m
			if next.element = item; item == "?" {
				next.element = ""
			}
			out = append(out, &next)
		}
	}
	if len(out) == 0 || len(out) > maxMarks {
		return nil, errors.New(`what was drawn stands behind it: "!draw 36", "!draw to NAME 1, 14, 36", or "!draw ?" where nobody wrote it down`)
	}
	return out, nil
}
