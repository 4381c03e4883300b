package mail

import (
	"slices"
	"strings"
)

// queue has letters that were read and are not on their way, in the order in which they go.
type queue []Outgoing

// add puts letters behind those that are as urgent. An urgent one takes older ones to its
// reader along.
func (q *queue) add(due []Outgoing) {
	*q = append(*q, due...)
	urgent := map[string]bool{}
	for i := len(*q) - 1; i >= 0; i-- {
		switch o := &(*q)[i]; {
		case o.Reader == "":
		case o.Urgent:
			urgent[o.Reader] = true
		case urgent[o.Reader]:
			o.Urgent = true
		}
	}
	slices.SortStableFunc(*q, func(x, y Outgoing) int {
		switch {
		case x.Urgent == y.Urgent:
			return 0
		case x.Urgent:
			return -1
		}
		return 1
	})
}

// take takes a letter out.
func (q *queue) take(i int) { *q = slices.Delete(*q, i, i+1) }

// claim notes whom a letter is for, so that no newer one to him overtakes it. It reports
// whether one is noted already.
func claim(busy map[string]bool, o Outgoing) (was bool) {
	to, reader := strings.ToLower(o.To), "reader "+o.Reader
	was = busy[to] || o.Reader != "" && busy[reader]
	busy[to], busy[reader] = true, true
	return was
}

// startable are the places of letters whose recipients have no older ones in the queue or on
// their way: busy notes those. The letters to recipients of whom the server said what may
// mean us come last, and alone, urgent or not: one that it takes tells that it did not.
func (q queue) startable(busy map[string]bool, unclear *ambiguity) []int {
	alone := len(busy) == 0
	var first, last []int
	for i, o := range q {
		switch {
		case claim(busy, o):
		case unclear.names(o.To):
			last = append(last, i)
		default:
			first = append(first, i)
		}
	}
	if len(first) == 0 && alone && len(last) > 0 {
		return last[:1]
	}
	return first
}

// without leaves out letters.
func without(list []Outgoing, ids []int64) []Outgoing {
	return slices.DeleteFunc(list, func(o Outgoing) bool { return slices.Contains(ids, o.ID) })
}
