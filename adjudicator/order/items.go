package order

import (
	"slices"

	"samizdat/rules"
)

// itemList is the unfinished list of items of a clause. An item is a name with its count, e.g. Lodz 2.
type itemList struct {
	items []rules.Item
	// counted marks the items with a count of their own, countBefore those with the count before the name.
	counted, countBefore []bool
	// pendingCount is a count that waits for the name after it. countForEach is a count for every name.
	pendingCount, countForEach int
	// isAfterComma is set if a comma follows the last name.
	isAfterComma bool
}

// buildItems returns the names of a clause with their counts; false if they do not fit together.
func (b *draft) buildItems(c *draftClause) ([]rules.Item, bool) {
	items := itemList{isAfterComma: true}
	for i, t := range c.tokens {
		ok := true
		switch t.kind {
		case tokenName:
			if names := t.namesFor(c.keyword); i > 0 && c.tokens[i-1].kind == tokenKeyword {
				items.addModifier(c.tokens[i-1].keyword, names[0])
			} else if ok = len(names) == 1; ok {
				items.add(names[0])
			}
		case tokenKeyword:
			ok = len(items.items) > 0
		case tokenComma, tokenBreak:
			items.isAfterComma = true
		case tokenTimes:
			ok = items.lastLacksCount()
			items.setLastCount(t.number)
		case tokenEach:
			items.shareCount()
		case tokenCount:
			ok = b.addCount(&items, c, i, t.number)
		case tokenRemainder:
			b.usedChoices |= choiceRemainder
			ok = b.addCount(&items, c, i, b.remainder)
		}
		if !ok {
			return nil, false
		}
	}
	if items.pendingCount > 0 {
		return nil, false
	}
	return b.finishItems(c.keyword, items)
}

// namesFor returns the names of a token that a keyword takes; all names of the token if the keyword takes none.
func (t token) namesFor(k keyword) []rules.Name {
	isRefused := func(n rules.Name) bool { return !slices.Contains(k.Takes, n.Kind) }
	if !slices.ContainsFunc(t.names, isRefused) {
		return t.names
	}
	accepted := slices.DeleteFunc(slices.Clone(t.names), isRefused)
	if len(accepted) == 0 {
		return t.names
	}
	return accepted
}

// addModifier adds a modifier to the last item.
func (l *itemList) addModifier(k keyword, name rules.Name) {
	last := &l.items[len(l.items)-1]
	last.Mods = append(last.Mods, rules.Mod{Word: k.Word, Name: name})
}

// add begins an item, with the pending count.
func (l *itemList) add(name rules.Name) {
	l.items = append(l.items, rules.Item{Name: name, Count: l.pendingCount})
	l.counted, l.countBefore = append(l.counted, l.pendingCount > 0), append(l.countBefore, l.pendingCount > 0)
	l.pendingCount, l.isAfterComma = 0, false
}

// lastLacksCount reports whether the last item has no count yet.
func (l *itemList) lastLacksCount() bool { return len(l.items) > 0 && !l.counted[len(l.items)-1] }

func (l *itemList) setLastCount(n int) {
	if last := len(l.items) - 1; last >= 0 {
		l.items[last].Count, l.counted[last] = n, true
	}
}

// shareCount makes the pending count the count of each item.
func (l *itemList) shareCount() {
	l.countForEach, l.pendingCount = l.pendingCount, 0
	l.countForEach = max(l.countForEach, 1)
}

// addCount adds the count n, which is the token at a position of a clause, to the name before it or to the next name.
func (b *draft) addCount(items *itemList, c *draftClause, at, n int) bool {
	if n == 0 || items.pendingCount > 0 {
		return false
	}
	if !items.lastLacksCount() || !b.countsNameBefore(c.tokens[at+1:], items.isAfterComma) {
		items.pendingCount = n
		return true
	}
	items.setLastCount(n)
	return c.keyword.Counts || c.tokens[at].isTimes || n == 1 && !c.tokens[at].inDigits // "Swap one in Lodz"
}

// countsNameBefore reports whether a count belongs to the name before it. rest are the tokens after the count; isAfterComma is set if a
// comma separates the name and the count.
func (b *draft) countsNameBefore(rest []token, isAfterComma bool) bool {
	next := slices.IndexFunc(rest, func(t token) bool { return t.kind == tokenName || t.kind >= tokenComma })
	switch {
	case len(rest) > 0 && rest[0].kind == tokenEach:
		return false
	case next < 0, rest[next].kind >= tokenComma:
		return true
	case isAfterComma:
		return false
	}
	return true
}

// finishItems gives each item its final count. If the keyword takes no counts, it repeats the name instead.
func (b *draft) finishItems(k keyword, l itemList) ([]rules.Item, bool) {
	out := make([]rules.Item, 0, len(l.items))
	for i, it := range l.items {
		b.isCountAmbiguous = b.isCountAmbiguous || k.Counts && l.isHalfCounted(i)
		if (l.counted[i] || l.countForEach > 0) && !k.Counts && k.Word == b.list.Word && !b.isListWritten {
			return nil, false // points have counts, checks have none
		}
		it.Count = b.countOf(k, l, i)
		if !k.List && it.Count > 1 {
			return nil, false
		}
		switch {
		case k.Counts:
			out = addSummed(out, it)
		case i > 0 && b.listTotal == 0 && !l.counted[i] && isSameThing(it, l.items[i-1]) && l.namesOneThing() && b.chooses(choiceRepeat):
			// the second name explains: "a petition against a petition"
		default:
			n := min(it.Count, maxRepeats)
			it.Count = 1
			for range n {
				out = append(out, it)
			}
		}
	}
	return out, b.matchesTotal(k, out)
}

// isHalfCounted reports whether only one of the items i-1 and i has a count, of two or more and before its name. For
// example, "2 in Krakow and Lodz" may give two to Krakow, or one to each.
func (l *itemList) isHalfCounted(i int) bool {
	if i == 0 || l.countForEach > 0 {
		return false
	}
	only := func(one, other int) bool { return l.countBefore[one] && l.items[one].Count > 1 && !l.counted[other] }
	return only(i-1, i) || only(i, i-1)
}

// countOf returns the count of item i: its own, the count for each item, or the total of points if it is the only item.
func (b *draft) countOf(k keyword, l itemList, i int) int {
	switch {
	case l.counted[i]:
		return l.items[i].Count
	case l.countForEach > 0:
		return l.countForEach
	case k.List && len(l.items) == 1 && b.listTotal > 0 && b.chooses(choiceRepeat):
		return b.listTotal
	case k.List && k.Counts && len(l.items) == 1 && b.pointTotal > 1 && b.chooses(choiceRepeat):
		b.spendsAll = true
		return b.pointTotal
	}
	return 1
}

func isSameThing(a, b rules.Item) bool {
	return a.Name.Kind == b.Name.Kind && a.Name.Code == b.Name.Code
}

// namesOneThing reports whether all items name the same thing.
func (l *itemList) namesOneThing() bool {
	return !slices.ContainsFunc(l.items, func(it rules.Item) bool { return !isSameThing(it, l.items[0]) })
}

// addSummed adds an item to a list, or its count to the item of the same thing.
func addSummed(list []rules.Item, it rules.Item) []rules.Item {
	if i := slices.IndexFunc(list, func(o rules.Item) bool { return isSameThing(o, it) }); i >= 0 {
		list[i].Count += it.Count
		return list
	}
	return append(list, it)
}

// matchesTotal reports whether the counts add up to the total that the letter gives.
func (b *draft) matchesTotal(k keyword, items []rules.Item) bool {
	sum := 0
	for _, it := range items {
		sum += it.Count
	}
	return b.listTotal == 0 || k.Counts || !k.List || sum == b.listTotal
}

// maxRepeats limits the repetitions of one name. No list of a game is longer.
const maxRepeats = 20
