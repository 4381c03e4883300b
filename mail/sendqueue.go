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

// addressee is a recipient, or a reader: letters to either keep their order.
type addressee struct {
	reader bool
	name   string
}

// addressees are those of letters that others must not overtake.
type addressees map[addressee]bool

// add notes whom a letter is for. It reports whether one to him is noted already.
func (c addressees) add(o *Outgoing) (was bool) {
	to, reader := addressee{false, strings.ToLower(o.To)}, addressee{true, o.Reader}
	was = c[to]
	c[to] = true
	if o.Reader != "" {
		was = was || c[reader]
		c[reader] = true
	}
	return was
}

// startable are the places of the first letters, so many at most, whose addressees have no older
// ones in the queue or on their way: busy notes those. The letters to recipients of whom the
// server said what may mean us come last, and alone, urgent or not: one that it takes tells
// that it did not.
func (q queue) startable(busy addressees, unclear *ambiguity, most int) []int {
	alone := len(busy) == 0
	var first, last []int
	for i := range q {
		switch {
		case len(first) == most:
			return first
		case busy.add(&q[i]):
		case unclear.names(q[i].To):
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
