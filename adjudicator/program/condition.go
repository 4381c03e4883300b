package program

import (
	"errors"
	"strings"

	"samizdat/rules"
)

// test reads a condition: tests of the game, joined with AND, each with a NOT
// before it or not. A name may hold an AND of its own.
func (r *Reader) test(text string) (func(rules.View) bool, error) {
	return r.all(strings.Fields(text))
}

// all reads tests joined with AND, the longest first one that there is.
func (r *Reader) all(words []string) (func(rules.View) bool, error) {
	first, err := r.one(words)
	if err == nil {
		return first, nil
	}
	for i := len(words) - 2; i > 0; i-- {
		if !strings.EqualFold(words[i], wordAnd) {
			continue
		}
		left, why := r.one(words[:i])
		if why != nil {
			continue
		}
		right, why := r.all(words[i+1:])
		if why != nil {
			return nil, why
		}
		return func(v rules.View) bool { return left(v) && right(v) }, nil
	}
	return nil, err
}

// one reads a single test.
func (r *Reader) one(words []string) (func(rules.View) bool, error) {
	if len(words) == 0 {
		return nil, errors.New("a condition is missing")
	}
	if strings.EqualFold(words[0], wordNot) {
		test, err := r.one(words[1:])
		if err != nil {
			return nil, err
		}
		return func(v rules.View) bool { return !test(v) }, nil
	}
	return r.planner.Condition(strings.Join(words, " "), r.find)
}
