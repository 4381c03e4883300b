package order

import (
	"slices"

	"samizdat/rules"
)

// tally is an unfinished list of items.
type tally struct {
	items []rules.Item
	// counted marks the items with a count of their own, before the items with the count before their name.
	counted, before []bool
	// pending is a count that waits for its name, each a count for every name.
	pending, each int
	// apart: a comma stands behind the last name.
	apart bool
}

// items makes the names of a clause with their counts.
func (b *building) items(c *gathered) ([]rules.Item, bool) {
	l := tally{apart: true}
	for i, t := range c.list {
		ok := true
		switch t.part {
		case partName:
			if names := t.taken(c.key); i > 0 && c.list[i-1].part == partWord {
				l.modify(c.list[i-1].key, names[0])
			} else if ok = len(names) == 1; ok {
				l.add(names[0])
			}
		case partWord:
			ok = len(l.items) > 0
		case partComma, partBreak:
			l.apart = true
		case partTimes:
			ok = l.uncounted()
			l.count(t.n)
		case partEach:
			l.share()
		case partCount:
			ok = b.count(&l, c, i, t.n)
		case partRest:
			b.used |= choiceRest
			ok = b.count(&l, c, i, b.rest)
		}
		if !ok {
			return nil, false
		}
	}
	if l.pending > 0 {
		return nil, false
	}
	return b.counted(c.key, l)
}

// taken are the names of a token that a keyword takes; all names of the token if the keyword takes none.
func (t token) taken(k keyword) []rules.Name {
	no := func(n rules.Name) bool { return !slices.Contains(k.Takes, n.Kind) }
	if !slices.ContainsFunc(t.names, no) {
		return t.names
	}
	own := slices.DeleteFunc(slices.Clone(t.names), no)
	if len(own) == 0 {
		return t.names
	}
	return own
}

// modify puts a modifier behind the last item.
func (l *tally) modify(k keyword, name rules.Name) {
	last := &l.items[len(l.items)-1]
	last.Mods = append(last.Mods, rules.Mod{Word: k.Word, Name: name})
}

// add begins an item with the waiting count.
func (l *tally) add(name rules.Name) {
	l.items = append(l.items, rules.Item{Name: name, Count: l.pending})
	l.counted, l.before = append(l.counted, l.pending > 0), append(l.before, l.pending > 0)
	l.pending, l.apart = 0, false
}

// uncounted reports whether the last item may be given a count.
func (l *tally) uncounted() bool { return len(l.items) > 0 && !l.counted[len(l.items)-1] }

func (l *tally) count(n int) {
	if last := len(l.items) - 1; last >= 0 {
		l.items[last].Count, l.counted[last] = n, true
	}
}

// share gives each item the waiting count.
func (l *tally) share() {
	l.each, l.pending = l.pending, 0
	l.each = max(l.each, 1)
}

// count adds a count at a place of a clause, to the name before it or to a later name.
func (b *building) count(l *tally, c *gathered, at, n int) bool {
	if n == 0 || l.pending > 0 {
		return false
	}
	if !l.uncounted() || !b.behind(c.list[at+1:], l.apart) {
		l.pending = n
		return true
	}
	l.count(n)
	return c.key.Counts || c.list[at].times || n == 1 && !c.list[at].digits // "Swap one in Lodz"
}

// behind reports whether a count belongs to the name before it. apart: a comma stands between them; rest are the tokens behind the
// count.
func (b *building) behind(rest []token, apart bool) bool {
	next := slices.IndexFunc(rest, func(t token) bool { return t.part == partName || t.part >= partComma })
	switch {
	case len(rest) > 0 && rest[0].part == partEach:
		return false
	case next < 0, rest[next].part >= partComma:
		return true
	case apart:
		return false
	}
	return true
}

// counted gives each name its count, and repeats names if the keyword takes no counts.
func (b *building) counted(k keyword, l tally) ([]rules.Item, bool) {
	out := make([]rules.Item, 0, len(l.items))
	for i, it := range l.items {
		b.twoWays = b.twoWays || k.Counts && l.halfCounted(i)
		if (l.counted[i] || l.each > 0) && !k.Counts && k.Word == b.list.Word && !b.said {
			return nil, false // Points are counted, and checks are not.
		}
		it.Count = b.countOf(k, l, i)
		if !k.List && it.Count > 1 {
			return nil, false
		}
		switch {
		case k.Counts:
			out = summed(out, it)
		case i > 0 && b.value == 0 && !l.counted[i] && same(it, l.items[i-1]) && l.single() && b.reads(choiceRepeat):
			// "A petition against a petition"
		default:
			n := min(it.Count, mostRepeats)
			it.Count = 1
			for range n {
				out = append(out, it)
			}
		}
	}
	return out, b.tallies(k, out)
}

// halfCounted reports whether only the first or the second of two neighbouring items has a count, of two or more and before its name.
// For example, "2 in Krakow and Lodz" may give two to Krakow, or one to each.
func (l *tally) halfCounted(i int) bool {
	if i == 0 || l.each > 0 {
		return false
	}
	only := func(one, other int) bool { return l.before[one] && l.items[one].Count > 1 && !l.counted[other] }
	return only(i-1, i) || only(i, i-1)
}

// countOf is the count of an item: its own, the count for each item, or the count of all points if it is the only item.
func (b *building) countOf(k keyword, l tally, i int) int {
	switch {
	case l.counted[i]:
		return l.items[i].Count
	case l.each > 0:
		return l.each
	case k.List && len(l.items) == 1 && b.value > 0 && b.reads(choiceRepeat):
		return b.value
	case k.List && k.Counts && len(l.items) == 1 && b.ops > 1 && b.reads(choiceRepeat):
		b.spends = true
		return b.ops
	}
	return 1
}

// same reports whether two items name the same thing.
func same(a, b rules.Item) bool { return a.Name.Kind == b.Name.Kind && a.Name.Code == b.Name.Code }

// single reports whether a list names only a single thing, perhaps several times.
func (l *tally) single() bool {
	return !slices.ContainsFunc(l.items, func(it rules.Item) bool { return !same(it, l.items[0]) })
}

// summed is a list with one more item; its count is added to an item of the same name.
func summed(list []rules.Item, it rules.Item) []rules.Item {
	if i := slices.IndexFunc(list, func(o rules.Item) bool { return same(o, it) }); i >= 0 {
		list[i].Count += it.Count
		return list
	}
	return append(list, it)
}

// tallies reports whether the counts add up to the number that the letter gives for all points.
func (b *building) tallies(k keyword, items []rules.Item) bool {
	sum := 0
	for _, it := range items {
		sum += it.Count
	}
	return b.value == 0 || k.Counts || !k.List || sum == b.value
}

// mostRepeats exceeds the repeats of a thing in any list.
const mostRepeats = 20
