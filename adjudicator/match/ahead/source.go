package ahead

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

const maxSourceWords = 12

// parseSource parses the source of an ANSWER: the longest label, or the words of a card before a verb.
func (r *Reader) parseSource(l *Line, words []string) ([]string, error) {
	for len(words) > 1 && slices.Contains([]string{"TO", "FOR", "CARD"}, firstWord(words[0])) {
		words = words[1:]
	}
	var problem error
	for i := min(len(words)-1, maxSourceWords); i > 0; i-- {
		if first := firstWord(trimPunctuation(words[i])); !r.verbs[first] && first != WordIf {
			continue
		}
		name := strings.TrimRight(strings.Join(words[:i], " "), ":,")
		l.Source = r.labels[removeSpaces(name)]
		if l.Source == "" {
			n, err := r.findName(rules.CardName, name)
			if err == nil && n.Number != 0 {
				l.Source = strconv.Itoa(n.Number)
			} else if err != nil {
				problem = err
			}
		}
		if l.Source != "" {
			return l.parseIf(words[i:])
		}
	}
	text := "say what the answer is for and then the order: ANSWER <source> <order>. A source is a card or one of " +
		strings.Join(r.game.Ahead.Labels(), ", ")
	if problem != nil {
		return nil, fmt.Errorf("%s (%w)", text, problem)
	}
	return nil, errors.New(text)
}

// removeSpaces returns a text without case, spaces and punctuation, for comparing labels.
func removeSpaces(text string) string { return strings.Join(order.Words(text), "") }
