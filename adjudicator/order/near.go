package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// near lists names of the kinds that ws may be a misspelling of: the full text
// or one word of it is at most one change in five letters away, and nothing is
// nearer.
func (x *index) near(kinds []rules.NameKind, ws []word) []rules.Name {
	typed := strings.Join(texts(ws), "")
	limit := len(typed) / 5
	if len(typed) == 4 {
		limit = 1
	}
	var out []rules.Name
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			if e.name.Whole {
				continue
			}
			d := e.distance(typed, limit)
			if d > limit || d == 0 {
				continue
			}
			if d < limit {
				limit, out = d, nil
			}
			out = append(out, e.name)
		}
	}
	return out
}

// distance is the least distance of typed to a text of the name or to one of
// its longer words.
func (e *entry) distance(typed string, limit int) int {
	best := limit + 1
	for _, t := range e.texts {
		best = min(best, distance(typed, strings.Join(t, ""), limit))
		for _, w := range t {
			if len(w) >= 4 {
				best = min(best, distance(typed, w, limit))
			}
		}
	}
	return best
}

// distance counts the letters to insert, drop, change or swap with a neighbour
// that lead from a to b. Above the limit it may return any greater number.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		if slices.Min(row) > limit {
			return limit + 1
		}
		before, last = last, row
	}
	return last[len(b)]
}
