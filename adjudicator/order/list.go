package order

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
)

// errCounts marks lists that are orders beyond doubt, and whose counts are in
// doubt.
var errCounts = errors.New("doubtful counts")

// Where the count of a name stands.
const (
	countNone = iota
	countBefore
	countBehind
)

// listed is a list of names as the second reading finds it.
type listed struct {
	items []rules.Item
	// counts says where each item's count stands; spoken that it was a phrase
	// ("2 SP in"), which cannot belong to what stands before it.
	counts []int
	spoken []bool
	// each is the count of all the names that follow it.
	each int
}

// list reads the names of a keyword with forgiveness: counts may stand before
// the names, and be words.
func (r *reading) list(k keyword, c *rules.Clause) error {
	var l listed
	for !r.done() && (len(l.items) == 0 || k.List) {
		more, err := r.entry(k, &l)
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if len(l.items) == 0 {
		return r.missing(k)
	}
	for i := range l.items {
		l.items[i].Count = max(1, l.items[i].Count)
	}
	if err := r.consistent(k, &l); err != nil {
		return err
	}
	for i, it := range l.items {
		if k.Counts || l.counts[i] == countNone {
			c.Items = append(c.Items, it)
			continue
		}
		n := min(it.Count, mostRepeats)
		it.Count = 1
		c.Items = append(c.Items, slices.Repeat([]rules.Item{it}, n)...)
	}
	return nil
}

// mostRepeats is more often than any list names the same thing.
const mostRepeats = 20

// entry reads one name with its count.
func (r *reading) entry(k keyword, l *listed) (more bool, err error) {
	first, from, head := len(l.items) == 0, r.at, r.rest()[0]
	r.skipAnd(k, len(l.items))
	r.skipFillers(k)
	before, at, spoken := 0, r.at, false
	if n := r.countable(k); n > 0 && !first && r.isolated(k) {
		return r.countBehind(k, l, n)
	} else if n >= 0 {
		apart := first || head.comma || head.text == "and" || head.text == "plus"
		if before, spoken, err = r.countBefore(k, l, n, apart); err != nil {
			return false, err
		}
		spoken = spoken || !head.comma
	}
	if err := r.figure(k); err != nil {
		return false, err
	}
	r.all, r.counted = 0, before > 0
	it, found, err := r.item(k, first)
	switch {
	case err == nil && !found && before > 0:
		return false, r.problem(at, r.at, "is a number without a name behind it")
	case err == nil && !found && !first:
		r.at = from
		r.skipFillers(k)
	}
	if err != nil || !found {
		return false, err
	}
	l.add(it, before, spoken)
	if r.all > 0 {
		l.forAll(r.all)
	}
	return true, nil
}

// add adds a name, with the count that stands before it.
func (l *listed) add(it rules.Item, before int, spoken bool) {
	where := countNone
	switch {
	case before > 0:
		it.Count, where = before, countBefore
	case it.Count > 0:
		where = countBehind
	case l.each > 0:
		it.Count, where = l.each, countBehind
	}
	l.items, l.counts, l.spoken = append(l.items, it), append(l.counts, where), append(l.spoken, spoken)
}

// countBefore reads a count that stands before its name, and reports whether it is a
// phrase. It is 0 where it is for each of the names behind it. Apart means that it cannot
// belong to the name before it.
func (r *reading) countBefore(k keyword, l *listed, n int, apart bool) (before int, spoken bool, err error) {
	at := r.at
	switch {
	case n == 0:
		return 0, false, r.problem(at, at+1, "is no count: leave the name out instead")
	case !apart && l.counts[len(l.counts)-1] != countBefore:
		return 0, false, r.problem(at, at+1, "is not understood here; write %s %s 2, and so on", k.Word, label(l.items[0].Name))
	}
	r.at++
	r.skipUnits(k)
	r.skipFillers(k)
	if r.take("each") {
		l.each, n = n, 0
		r.skipFillers(k)
	}
	if r.done() {
		return 0, false, r.problem(at, r.at, "is a number without a name behind it")
	}
	return n, r.at > at+1, nil
}

// figure refuses a bare figure before a name where a clause takes no counts.
func (r *reading) figure(k keyword) error {
	if k.Counts || !k.List || r.done() || r.rest()[0].number < 0 {
		return nil
	}
	if n, _, _ := r.name(k.Takes, false); n > 0 || len(r.rest()) < 2 || r.rest()[1].comma {
		return nil
	}
	defer r.back(r.at)
	r.at++
	n, names, _ := r.name(k.Takes, false)
	if n == 0 {
		return nil
	}
	return &Unclear{Text: r.text, Part: r.written(r.at-1, r.at), cause: errCounts,
		Problem: fmt.Sprintf("is a number, and %s takes none; to say it twice, repeat the name: %[1]s %s, %[2]s", k.Word, names[0].Text)}
}

// take passes over a word if it stands here.
func (r *reading) take(word string) bool {
	is := !r.done() && r.rest()[0].text == word
	if is {
		r.at++
	}
	return is
}

// countable is the count that stands here, or -1. Where a clause takes no counts
// only words count, and "x2": a bare figure could be anything.
func (r *reading) countable(k keyword) int {
	if r.done() || !k.List {
		return -1
	}
	w := r.rest()[0]
	if k.Counts && (w.text == "a" || w.text == "an") && r.unit(k, 1) {
		return 1
	}
	if !k.Counts && w.number >= 0 && w.text[0] != 'x' {
		return -1
	}
	if n, _, q := r.name(k.Takes, false); n > 0 && q >= matchWords {
		return -1
	}
	return numeral(w)
}

// unit reports whether a word for what is counted stands i words ahead.
func (r *reading) unit(k keyword, i int) bool {
	defer r.back(r.at)
	r.at += i
	from := r.at
	r.skipUnits(k)
	return r.at > from
}

// isolated reports whether the number here stands alone between commas, or at
// the end: it belongs to the name before it.
func (r *reading) isolated(k keyword) bool {
	defer r.back(r.at)
	r.at++
	r.skipUnits(k)
	r.take("each")
	if r.done() || r.rest()[0].comma {
		return true
	}
	_, ok := r.keyword()
	return ok && !fillers[r.rest()[0].text]
}

// countBehind gives the last name the count that stands behind it.
func (r *reading) countBehind(k keyword, l *listed, n int) (bool, error) {
	at := r.at
	r.at++
	r.skipUnits(k)
	if r.take("each") {
		l.forAll(n)
		return true, nil
	}
	last := len(l.items) - 1
	if l.counts[last] != countNone {
		return false, r.problem(at, r.at, "is a second number for %s", label(l.items[last].Name))
	}
	l.items[last].Count, l.counts[last] = n, countBehind
	return true, nil
}

// forAll gives every name without a count the count n.
func (l *listed) forAll(n int) {
	for i := range l.items {
		if l.counts[i] == countNone {
			l.items[i].Count, l.counts[i] = n, countBehind
		}
	}
}

// consistent gives names without a count 1, and refuses lists in which a count
// may belong to one name or to several.
func (r *reading) consistent(k keyword, l *listed) error {
	if !k.Counts {
		return nil
	}
	for i := 1; i < len(l.items); i++ {
		a, b := l.items[i-1], l.items[i]
		switch {
		case l.counts[i-1] == countBefore && l.counts[i] == countNone && a.Count > 1:
			other := slices.Clone(l.items)
			for j := i; j < len(other) && l.counts[j] == countNone; j++ {
				other[j].Count = a.Count
			}
			return r.twoWays(k, l.items, other)
		case l.counts[i-1] == countNone && l.counts[i] == countBefore && b.Count > 1 && !l.spoken[i]:
			other := slices.Clone(l.items)
			other[i-1].Count, other[i].Count = b.Count, 1
			return r.twoWays(k, l.items, other)
		}
	}
	return nil
}

// twoWays refuses a list that can be read in two ways, and shows both.
func (r *reading) twoWays(k keyword, a, b []rules.Item) error {
	u := &Unclear{Text: r.text, Part: r.text, Problem: "can be meant in two ways", Ambiguous: true, cause: errCounts}
	for _, list := range [][]rules.Item{a, b} {
		var names []string
		for _, it := range list {
			name := it.Name.Text
			if it.Count > 1 {
				name += fmt.Sprintf(" %d", it.Count)
			}
			names = append(names, name)
		}
		u.Candidates = append(u.Candidates, k.Word+" "+strings.Join(names, ", "))
	}
	return u
}

// countAfter reads the count behind a name in the second reading: 0 when there
// is none.
func (r *reading) countAfter(k keyword) int {
	if r.done() || r.rest()[0].comma || !k.List || r.counted {
		return 0
	}
	n, counts := r.countHere(k)
	if !counts {
		return 0
	}
	at := r.at
	r.at++
	r.take("times")
	units := r.at
	r.skipUnits(k)
	switch {
	case n == 0:
		r.at = at
	case r.take("each"):
		r.all = n
	case r.at == units && !r.done() && !r.rest()[0].comma && r.spokenNext(k):
		// "Krakow and 2 in Lodz": the number belongs to what follows.
		r.at = at
		return 0
	}
	return n
}

// countHere is what the word that stands here counts behind a name.
func (r *reading) countHere(k keyword) (n int, counts bool) {
	w := r.rest()[0]
	if n, counts = times[w.text]; counts {
		return n, true
	}
	if n = numerals[w.text]; w.number >= 0 && (k.Counts || w.text[0] == 'x') {
		return w.number, true
	}
	return n, n > 0 && (k.Counts || len(r.rest()) > 1 && r.rest()[1].text == "times")
}

// spokenNext reports whether "in Lodz" follows.
func (r *reading) spokenNext(k keyword) bool {
	defer r.back(r.at)
	if t := r.rest()[0].text; t == "and" || t == "plus" || t == "please" || !fillers[t] {
		return false
	}
	r.skipFillers(k)
	if r.done() {
		return false
	}
	n, _, _ := r.name(k.Takes, false)
	return n > 0
}
