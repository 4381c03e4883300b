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

// source parses the source of an ANSWER: the longest label, or the words of a card before a verb.
func (r *Reader) source(l *Line, words []string) ([]string, error) {
	for len(words) > 1 && slices.Contains([]string{"TO", "FOR", "CARD"}, head(words[0])) {
		words = words[1:]
	}
	var problem error
	for i := min(len(words)-1, maxSourceWords); i > 0; i-- {
		if first := head(bare(words[i])); !r.verbs[first] && first != WordIf {
			continue
		}
		name := strings.TrimRight(strings.Join(words[:i], " "), ":,")
		l.Source = r.labels[squeezed(name)]
		if l.Source == "" {
			n, err := r.find(rules.CardName, name)
			if err == nil && n.Number != 0 {
				l.Source = strconv.Itoa(n.Number)
			} else if err != nil {
				problem = err
			}
		}
		if l.Source != "" {
			return l.condition(words[i:])
		}
	}
	text := "say what the answer is for and then the order: ANSWER <source> <order>. A source is a card or one of " +
		strings.Join(r.game.Ahead.Labels(), ", ")
	if problem != nil {
		return nil, fmt.Errorf("%s (%w)", text, problem)
	}
	return nil, errors.New(text)
}

// squeezed is a text without case, spaces and punctuation, for comparing labels.
func squeezed(text string) string { return strings.Join(order.Words(text), "") }
