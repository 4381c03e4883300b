package order

import (
	"slices"

	"samizdat/rules"
)

// itemList is the unfinished list of items of a clause. An item is a name with its count, e.g. "Lodz 2".
type itemList struct {
	items []rules.Item
	// hasCount is set for each item with a count. hasCountBefore is set for each item with its count before the name.
	hasCount, hasCountBefore []bool
	// pendingCount waits for the name after it. countForEach is the count of every name, e.g. 2 in "2 each".
	pendingCount, countForEach int
	isAfterComma               bool
}

// buildItems builds the items of a clause from its tokens. It returns false if the counts and names do not fit together.
func (d *draft) buildItems(c *draftClause) ([]rules.Item, bool) {
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
			ok = items.lacksLastCount()
			items.setLastCount(t.number)
		case tokenEach:
			items.useCountForEach()
		case tokenCount:
			ok = d.addCount(&items, c, i, t.number)
		case tokenRemainder:
			d.usedChoices |= choiceRemainder
			ok = d.addCount(&items, c, i, d.remainder)
		}
		if !ok {
			return nil, false
		}
	}
	if items.pendingCount > 0 {
		return nil, false
	}
	return d.finishItems(c.keyword, items)
}

// namesFor returns the names of a token that a keyword takes, or all its names if the keyword takes none of them.
func (t token) namesFor(k keyword) []rules.Name {
	isRefused := func(n rules.Name) bool { return !slices.Contains(k.NameKinds, n.Kind) }
	if !slices.ContainsFunc(t.names, isRefused) {
		return t.names
	}
	accepted := slices.DeleteFunc(slices.Clone(t.names), isRefused)
	if len(accepted) == 0 {
		return t.names
	}
	return accepted
}

func (l *itemList) addModifier(k keyword, name rules.Name) {
	last := &l.items[len(l.items)-1]
	last.Modifiers = append(last.Modifiers, rules.Modifier{Word: k.Word, Name: name})
}

func (l *itemList) add(name rules.Name) {
	l.items = append(l.items, rules.Item{Name: name, Count: l.pendingCount})
	l.hasCount, l.hasCountBefore = append(l.hasCount, l.pendingCount > 0), append(l.hasCountBefore, l.pendingCount > 0)
	l.pendingCount, l.isAfterComma = 0, false
}

func (l *itemList) lacksLastCount() bool { return len(l.items) > 0 && !l.hasCount[len(l.items)-1] }

func (l *itemList) setLastCount(n int) {
	if last := len(l.items) - 1; last >= 0 {
		l.items[last].Count, l.hasCount[last] = n, true
	}
}

func (l *itemList) useCountForEach() {
	l.countForEach, l.pendingCount = l.pendingCount, 0
	l.countForEach = max(l.countForEach, 1)
}

// addCount gives the count n to the name before it or to the next name. position is the index of the count's token in the
// clause. It returns false if the count does not fit.
func (d *draft) addCount(items *itemList, c *draftClause, position, n int) bool {
	if n == 0 || items.pendingCount > 0 {
		return false
	}
	if !items.lacksLastCount() || !d.countsNameBefore(c.tokens[position+1:], items.isAfterComma) {
		items.pendingCount = n
		return true
	}
	items.setLastCount(n)
	return c.keyword.AllowsCounts || c.tokens[position].isTimes || n == 1 && !c.tokens[position].inDigits // "Swap one in Lodz"
}

// countsNameBefore reports whether a count belongs to the name before it. rest are the tokens after the count; isAfterComma is set if a
// comma separates the name and the count.
func (d *draft) countsNameBefore(rest []token, isAfterComma bool) bool {
	next := slices.IndexFunc(rest, func(t token) bool { return t.kind == tokenName || t.isSeparator() })
	switch {
	case len(rest) > 0 && rest[0].kind == tokenEach:
		return false
	case next < 0, rest[next].isSeparator():
		return true
	case isAfterComma:
		return false
	}
	return true
}

// finishItems gives each item its final count. If the keyword takes no counts, it repeats the name instead.
func (d *draft) finishItems(k keyword, l itemList) ([]rules.Item, bool) {
	out := make([]rules.Item, 0, len(l.items))
	for i, item := range l.items {
		d.isCountAmbiguous = d.isCountAmbiguous || k.AllowsCounts && l.isCountAmbiguousAt(i)
		if (l.hasCount[i] || l.countForEach > 0) && !k.AllowsCounts && k.Word == d.list.Word && !d.isListWritten {
			return nil, false // A keyword that takes no counts, e.g. CHECK, must be written in the line if names have counts.
		}
		item.Count = d.finalCount(k, l, i)
		if !k.AllowsList && item.Count > 1 {
			return nil, false
		}
		switch {
		case k.AllowsCounts:
			out = addOrSum(out, item)
		case i > 0 && d.listTotal == 0 && !l.hasCount[i] && isSameThing(item, l.items[i-1]) && l.namesOneThing() && d.usesChoice(choiceRepeat):
			// The second name only explains the first: "a petition against a petition".
		default:
			n := min(item.Count, maxRepeats)
			item.Count = 1
			for range n {
				out = append(out, item)
			}
		}
	}
	return out, d.matchesTotal(k, out)
}

// isCountAmbiguousAt reports whether exactly one item, i-1 or i, has a count, and this count is at least 2 and before the
// name. For example, "2 in Krakow and Lodz" may give two to Krakow, or one to each.
func (l *itemList) isCountAmbiguousAt(i int) bool {
	if i == 0 || l.countForEach > 0 {
		return false
	}
	hasOnlyFirstCount := func(one, other int) bool {
		return l.hasCountBefore[one] && l.items[one].Count > 1 && !l.hasCount[other]
	}
	return hasOnlyFirstCount(i-1, i) || hasOnlyFirstCount(i, i-1)
}

// finalCount returns the count of item i: its written count, the count for each item or, for a single item, the total in
// the line. Without any of these it is 1.
func (d *draft) finalCount(k keyword, l itemList, i int) int {
	switch {
	case l.hasCount[i]:
		return l.items[i].Count
	case l.countForEach > 0:
		return l.countForEach
	case k.AllowsList && len(l.items) == 1 && d.listTotal > 0 && d.usesChoice(choiceRepeat):
		return d.listTotal
	case k.AllowsList && k.AllowsCounts && len(l.items) == 1 && d.pointTotal > 1 && d.usesChoice(choiceRepeat):
		d.spendsAll = true
		return d.pointTotal
	}
	return 1
}

func isSameThing(a, b rules.Item) bool {
	return a.Name.Kind == b.Name.Kind && a.Name.Code == b.Name.Code
}

func (l *itemList) namesOneThing() bool {
	return !slices.ContainsFunc(l.items, func(item rules.Item) bool { return !isSameThing(item, l.items[0]) })
}

func addOrSum(list []rules.Item, item rules.Item) []rules.Item {
	if i := slices.IndexFunc(list, func(o rules.Item) bool { return isSameThing(o, item) }); i >= 0 {
		list[i].Count += item.Count
		return list
	}
	return append(list, item)
}

func (d *draft) matchesTotal(k keyword, items []rules.Item) bool {
	sum := 0
	for _, item := range items {
		sum += item.Count
	}
	return d.listTotal == 0 || k.AllowsCounts || !k.AllowsList || sum == d.listTotal
}

// maxRepeats is the maximum number of repetitions of a name. No list of a game is longer.
const maxRepeats = 20
