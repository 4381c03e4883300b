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

// mark is one outcome as it was written down.
type mark struct {
	number int
	// roll is a die; 0 in a draw.
	roll int
	// element is what was drawn; empty where nobody wrote it down.
	element string
	// to is who drew it, and from the pile; each counts where it is written.
	to   rules.Seat
	from string
	// why is what a die was for, where that is written.
	why  string
	used bool
}

// unknown draws stand for all that were made there and that nobody wrote down.
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

// cutMarks cuts the marks off a line.
func cutMarks(text string) (said string, marks []string) {
	parts := markBegins.Split(" "+text, -1)
	return strings.TrimSpace(parts[0]), parts[1:]
}

var (
	markBegins = regexp.MustCompile(`\s!`)
	whyWords   = regexp.MustCompile(`(?i)\sfor\s+(.+)$`)
	toWords    = regexp.MustCompile(`(?i)\sto\s+([^\s,:]+):?`)
	fromWords  = regexp.MustCompile(`(?i)\sfrom\s+([^\s,:]+):?\s*$`)
	separators = regexp.MustCompile(`\s*[,;]\s*`)
)

// mostMarks bounds how much one line may hold.
const mostMarks = 1000

// marks reads what stands behind "!".
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
		m.why = cut(whyWords)
		return m.rolls(rest)
	case "draw":
		if at := toWords.FindStringSubmatch(rest); at != nil {
			seat, ok := r.find(at[1])
			if !ok {
				return nil, fmt.Errorf("there is no seat %q; there are %s", at[1], match.List(r.words.Seats))
			}
			m.to = seat
			cut(toWords)
		}
		m.from = cut(fromWords)
		return m.draws(rest)
	}
	return nil, fmt.Errorf("there is no mark %q; there are !roll and !draw", "!"+word)
}

// rolls are the dice of a mark.
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
	if len(out) == 0 || len(out) > mostMarks {
		return nil, errors.New(`what was rolled stands behind it: "!roll 4", or "!roll 4, 2"`)
	}
	return out, nil
}

// draws are the elements of a mark: numbers, or names with commas between them.
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
	if len(out) == 0 || len(out) > mostMarks {
		return nil, errors.New(`what was drawn stands behind it: "!draw 36", "!draw to NAME 1, 14, 36", or "!draw ?" where nobody wrote it down`)
	}
	return out, nil
}
