package ahead

import (
	"errors"
	"fmt"
	"strings"

	"samizdat/rules"
)

// maxTests is the maximum of tests in a condition; it bounds the work of parsing.
const maxTests = 16

type condition struct {
	test func(rules.View) bool
	text string
}

// parseCondition parses a condition: tests of the game joined with AND, each with an optional NOT. Names may
// contain AND. For example, "Gdansk MINE AND NOT HAPPENED 2".
func (r *Reader) parseCondition(text string) (condition, error) {
	words := strings.Fields(text)
	joined := 0
	for i, w := range words {
		switch {
		case strings.EqualFold(w, wordAnd):
			joined++
		case strings.EqualFold(w, "OR") && i+1 < len(words) && !strings.EqualFold(trimPunctuation(words[i+1]), "MORE") &&
			!strings.EqualFold(trimPunctuation(words[i+1]), "LESS"):
			return condition{}, errors.New("OR joins no conditions: write a line for each, or AND and NOT")
		}
	}
	if joined >= maxTests {
		return condition{}, fmt.Errorf("a condition joins at most %d tests", maxTests)
	}
	return r.parseConjunction(words)
}

// parseConjunction parses tests joined with AND. It takes the shortest first test after which the rest can be
// parsed.
func (r *Reader) parseConjunction(words []string) (condition, error) {
	var problem error
	for i, w := range words {
		if !strings.EqualFold(w, wordAnd) {
			continue
		}
		left, err := r.parseTest(words[:i])
		if err == nil {
			var right condition
			if right, err = r.parseConjunction(words[i+1:]); err == nil {
				return condition{func(v rules.View) bool { return left.test(v) && right.test(v) }, left.text + " " + wordAnd + " " +
					right.text}, nil
			}
		}
		if problem == nil {
			problem = err
		}
	}
	c, err := r.parseTest(words)
	if err != nil && problem != nil {
		return c, problem
	}
	return c, err
}

func (r *Reader) parseTest(words []string) (condition, error) {
	if len(words) == 0 {
		return condition{}, errors.New("a condition is missing")
	}
	not := false
	for strings.EqualFold(words[0], wordNot) {
		if words, not = words[1:], !not; len(words) == 0 {
			return condition{}, errors.New("a condition is missing behind NOT")
		}
	}
	var text strings.Builder
	for i, w := range words {
		if w = trimPunctuation(w); w != "" && i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(w)
	}
	said := text.String()
	typed, name := "", ""
	test, err := r.game.Ahead.ParseCondition(said, func(kind rules.NameKind, text string) (rules.Name, error) {
		n, err := r.findName(kind, text)
		if err == nil {
			typed, name = text, formatName(n)
		}
		return n, err
	})
	if err != nil {
		return condition{}, err
	}
	before, after, _ := strings.Cut(said, typed)
	c := condition{test, strings.ToUpper(before) + name + strings.ToUpper(after)}
	if typed == "" {
		c.text = strings.ToUpper(said)
	}
	if not {
		c.test, c.text = func(v rules.View) bool { return !test(v) }, wordNot+" "+c.text
	}
	return c, nil
}

// trimPunctuation returns a word without the punctuation around it.
func trimPunctuation(word string) string { return strings.Trim(word, "().,;!\"'[]{}*_") }
