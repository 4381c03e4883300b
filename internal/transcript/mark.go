package transcript

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"samizdat/rules"
)

// mark is an outcome of chance in the text. For example, "!roll 4, 2" is two marks, and "!draw to democrat 36" is one.
type mark struct {
	line int
	// roll is the number on a die; 0 in a draw.
	roll int
	// element is the drawn element; empty for "!draw ?".
	element string
	// seat is the drawing seat and pile the pile; NoSeat and "" if not given.
	seat rules.Seat
	pile string
	// reason is the reason for a die, the text after "for"; empty if not given.
	reason string
	isUsed bool
}

// isUnknown reports whether the mark is "!draw ?". It stands for all unknown draws of its line.
func (m *mark) isUnknown() bool { return m.roll == 0 && m.element == "" }

func (m *mark) String() string {
	switch {
	case m.roll > 0:
		return fmt.Sprintf("!roll %d", m.roll)
	case m.isUnknown():
		return "!draw ?"
	}
	return "!draw " + m.element
}

// cutMarks separates the marks from a line. For example, "PLAY 26 !roll 4" gives "PLAY 26" and the mark "roll 4".
func cutMarks(text string) (order string, marks []string) {
	parts := markStart.Split(" "+text, -1)
	return strings.TrimSpace(parts[0]), parts[1:]
}

var (
	markStart     = regexp.MustCompile(`\s!`)
	reasonPattern = regexp.MustCompile(`(?i)\sfor\s+(.+)$`)
	seatPattern   = regexp.MustCompile(`(?i)\sto\s+([^\s,:]+):?`)
	pilePattern   = regexp.MustCompile(`(?i)\sfrom\s+([^\s,:]+):?\s*$`)
	separators    = regexp.MustCompile(`\s*[,;]\s*`)
)

// maxMarks limits the number of outcomes after a single "!roll" or "!draw".
const maxMarks = 1000

// parseMarks parses the text after a "!". For example, "roll 4, 2" gives two marks. An error contains an example of the
// expected text.
func (r *reader) parseMarks(number int, text string) ([]*mark, error) {
	word, remaining, _ := strings.Cut(strings.TrimSpace(text), " ")
	m := mark{line: number, seat: rules.NoSeat}
	cut := func(re *regexp.Regexp) string {
		at := re.FindStringSubmatchIndex(remaining)
		if at == nil {
			return ""
		}
		found := remaining[at[2]:at[3]]
		remaining = remaining[:at[0]] + " " + remaining[at[1]:]
		return strings.TrimSpace(found)
	}
	remaining = " " + remaining
	switch strings.ToLower(word) {
	case "roll":
		m.reason = cut(reasonPattern)
		return m.parseRolls(remaining)
	case "draw":
		if at := seatPattern.FindStringSubmatch(remaining); at != nil {
			seat, ok := r.findSeat(at[1])
			if !ok {
				return nil, r.unknownSeatError(at[1])
			}
			m.seat = seat
			cut(seatPattern)
		}
		m.pile = cut(pilePattern)
		return m.parseDraws(remaining)
	}
	return nil, fmt.Errorf("unknown mark %q; expected !roll or !draw", "!"+word)
}

// parseRolls parses the text after "!roll": "4, 2" gives two marks.
func (m mark) parseRolls(text string) ([]*mark, error) {
	var out []*mark
	for _, f := range strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || c == ',' }) {
		n, err := strconv.Atoi(f)
		if err != nil || n < 1 || n > 6 {
			return nil, fmt.Errorf("invalid die %q: expected 1 to 6", f)
		}
		next := m
		next.roll = n
		out = append(out, &next)
	}
	if len(out) == 0 || len(out) > maxMarks {
		return nil, errors.New(`expected numbers after !roll, for example "!roll 4" or "!roll 4, 2"`)
	}
	return out, nil
}

// parseDraws parses the elements after "!draw": numbers, or names separated by commas. For example, "1 14 36" and "1, 14,
// 36" both give three marks.
func (m mark) parseDraws(text string) ([]*mark, error) {
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
		return nil, errors.New(`expected elements after !draw, for example "!draw 36" or "!draw to NAME 1, 14, 36", ` +
			`or "!draw ?" if they are unknown`)
	}
	return out, nil
}
