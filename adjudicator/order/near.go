package order

import (
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

// longestWord is the length of the longest text that distances are measured of.
const longestWord = 48

// distance counts the letters to insert, drop, change or swap with a neighbour
// that lead from a to b. Above the limit it may return any greater number.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit || len(a) > longestWord || len(b) > longestWord {
		return limit + 1
	}
	if limit < 2 && a != "" && b != "" && a[0] != b[0] && a[len(a)-1] != b[len(b)-1] {
		return limit + 1 // One change does not reach both ends of a word.
	}
	var rows [3][longestWord + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
