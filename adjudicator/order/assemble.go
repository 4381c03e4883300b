package order

import (
	"slices"

	"samizdat/rules"
)

// assembly puts tokens together to orders.
type assembly struct {
	p *Parser
	q *Question
	// tries counts the orders that were tried, left are keywords that had to be added.
	tries int
	left  []string
	// surplus means that an answer names more than is asked.
	surplus bool
}

// manner is one way to put tokens together.
type manner struct {
	verb keyword
	// list is the keyword for names that stand behind none, insert one that was left
	// out; both may be empty.
	list, insert keyword
	// modifies takes words like AS for keywords, before takes a number between two names
	// for the count of the second, repeats takes the number of all for that of the only
	// name.
	modifies, before, repeats bool
	// total takes the first number for that of all.
	total bool
	// numbers says which of the numbers name things, asides drops what stands in
	// brackets.
	numbers uint
	asides  bool
	// rest is the count of what is left.
	rest int
}

// mostTries is how many orders are tried for one letter.
const mostTries = 600

// legal lists the legal answers that tokens can be put together to.
func (x *assembly) legal(tokens []token) []outcome {
	var out []outcome
	if len(tokens) == 1 && tokens[0].part == partWord && len(x.q.Only[tokens[0].key.Word].Clauses) > 0 {
		o := x.q.Only[tokens[0].key.Word]
		if t := x.q.Try(o); t != nil {
			return []outcome{{o, t}}
		}
	}
	seen := map[string]bool{}
	for m := range x.manners(tokens) {
		o, ok := x.build(tokens, m)
		if !ok {
			continue
		}
		text := Write(o)
		if seen[text] || x.tries >= mostTries {
			continue
		}
		seen[text] = true
		x.tries++
		if t := x.q.Try(o); t != nil {
			out = append(out, outcome{o, t})
		}
	}
	return out
}

// completed lists the legal answers that tokens are with a keyword that they leave out. That
// it was left out is a doubt.
func (x *assembly) completed(tokens []token) []outcome {
	var found, whole []outcome
	for _, w := range x.q.Words {
		k := x.p.keywords.named(w)
		if k.Number {
			continue
		}
		for _, o := range x.legal(append(slices.Clone(tokens), token{part: partWord, key: k})) {
			x.left = append(x.left, w)
			found = append(found, o)
			if o.Whole {
				whole = append(whole, o)
			}
		}
	}
	if len(distinct(found)) > 1 && len(distinct(whole)) == 1 {
		found = whole
	}
	if len(distinct(found)) == 1 {
		for _, w := range x.q.Words {
			if _, ok := found[0].order.Clause(w); ok && slices.Contains(x.left, w) {
				x.left = []string{w}
				return found
			}
		}
	}
	x.left = nil
	return nil
}

// manners goes through the ways to put tokens together, the plainest first.
func (x *assembly) manners(tokens []token) func(yield func(manner) bool) {
	p := x.p
	var lists, inserts []keyword
	leads := p.leads(x.q)
	for _, k := range p.listed {
		switch {
		case leads && k.List && slices.ContainsFunc(k.Takes, p.counted):
			lists = append(lists, p.keywords.named(k.Word))
		case leads && k.Counted != "" && k.Verb:
			inserts = append(inserts, p.keywords.named(k.Word))
		}
	}
	lists, inserts = append(lists, keyword{}), append([]keyword{{}}, inserts...)
	numbers, counts, asides, rest := 0, 0, false, false
	for _, t := range tokens {
		if t.part == partCount {
			counts++
		}
		if t.part == partCount && len(t.names) > 0 {
			numbers++
		}
		asides, rest = asides || t.aside, rest || t.part == partRest
	}
	numbers = min(numbers, mostNumbers)
	return func(yield func(manner) bool) {
		for _, v := range x.q.Verbs {
			for _, list := range lists {
				for _, insert := range inserts {
					for bits := range 64 {
						m := manner{verb: p.keywords.named(v), list: list, insert: insert, modifies: bits&1 > 0, before: bits&2 > 0, repeats: bits&4 > 0, asides: bits&8 > 0, total: bits&32 > 0}
						if m.asides && !asides || bits&16 > 0 && numbers == 0 || m.total && counts < 1 {
							continue
						}
						for mask := range uint(1) << numbers {
							if (mask > 0) != (bits&16 > 0) {
								continue
							}
							m.numbers = mask
							for m.rest = 1; m.rest == 1 || rest && m.rest <= mostRest; m.rest++ {
								if !yield(m) {
									return
								}
							}
						}
					}
				}
			}
		}
	}
}

// mostNumbers is how many numbers may name things or count them, mostRest the largest
// count that is left unsaid.
const (
	mostNumbers = 3
	mostRest    = 6
)

// gathered is a clause with its names and numbers in the order in which they stand.
type gathered struct {
	key  keyword
	list []token
}

// building is one order under way.
type building struct {
	manner
	clauses []*gathered
	open    *gathered
	// pending numbers stand behind the last name. Value is the number before the keyword
	// of a list, sum that of all points.
	pending    []token
	value, sum int
	// torn means that a verb stands twice, said that the keyword of the list is written,
	// bracket that something in brackets is named beside the others.
	torn, said, bracket bool
	// mod is a modifying keyword that waits for its name.
	mod *keyword
}

// build puts tokens together in one manner.
func (x *assembly) build(tokens []token, m manner) (rules.Order, bool) {
	b := &building{manner: m}
	number, counted := 0, false
	for i, t := range tokens {
		if t.part == partCount && m.total && !counted {
			if counted = true; len(t.names) > 0 || !ofAll(tokens, i) {
				return rules.Order{}, false
			}
			b.sum = t.n
			continue
		}
		if t.aside && m.asides && t.part != partCount {
			continue
		}
		if t.part == partCount && len(t.names) > 0 {
			if m.numbers>>number&1 > 0 && number < mostNumbers {
				t.part = partName
			}
			number++
		}
		switch t.part {
		case partName:
			if !b.name(t) {
				return rules.Order{}, false
			}
		case partWord:
			b.word(t)
		default:
			b.pending = append(b.pending, t)
		}
	}
	b.flush(b.open)
	if b.torn || b.bracket {
		return rules.Order{}, false
	}
	return b.order()
}

// ofAll reports whether a number can be that of all points: no name stands before it, and
// it stands apart from the names, or each of them has its own.
func ofAll(tokens []token, i int) bool {
	named := slices.ContainsFunc(tokens[:i], func(t token) bool { return t.part == partName && !t.numbered() })
	each := slices.ContainsFunc(tokens, func(t token) bool { return t.part == partEach })
	return !named && (each || i+1 < len(tokens) && tokens[i+1].part >= partComma)
}

// numbered reports whether a token names something that has a number.
func (t token) numbered() bool { return len(t.names) > 0 && t.names[0].Number > 0 }

// flush gives the pending numbers to a clause.
func (b *building) flush(c *gathered) {
	if c != nil {
		c.list = append(c.list, b.pending...)
	}
	b.pending = nil
}

// clause is the clause of a keyword, which is begun where there is none.
func (b *building) clause(k keyword) *gathered {
	for _, c := range b.clauses {
		if c.key.Word == k.Word {
			return c
		}
	}
	c := &gathered{key: k}
	b.clauses = append(b.clauses, c)
	return c
}

func (b *building) has(word string) bool {
	return slices.ContainsFunc(b.clauses, func(c *gathered) bool { return c.key.Word == word })
}

// takes reports whether a name of the token may stand behind a keyword.
func takes(k keyword, t token) bool {
	return slices.ContainsFunc(t.names, func(n rules.Name) bool { return slices.Contains(k.Takes, n.Kind) })
}

// name puts a name into the clause that it belongs to.
func (b *building) name(t token) bool {
	if b.mod != nil && takes(*b.mod, t) {
		b.pending = append(b.pending, token{part: partWord, key: *b.mod}, t)
		b.flush(b.open)
		b.mod = nil
		return true
	}
	into := b.open
	switch {
	case into != nil && takes(into.key, t) && (into.key.List || !into.names()):
	case takes(b.verb, t) && b.has(b.verb.Word):
		into = b.clause(b.verb)
		if !b.verb.List && into.names() {
			return slices.ContainsFunc(into.list, func(o token) bool { return o.part == partName && o.names[0].Code == t.names[0].Code })
		}
	case takes(b.verb, t):
		into = b.clause(b.verb)
	case b.list.Word != "" && takes(b.list, t):
		into = b.clause(b.list)
	default:
		return false
	}
	if into != b.open && b.open != nil && len(b.pending) > 0 && b.pending[0].part == partCount && !b.before && b.open.key.List {
		b.flush(b.open)
	}
	b.open = into
	b.bracket = b.bracket || t.aside && into.names() && !slices.ContainsFunc(b.pending, func(t token) bool { return t.part == partCount })
	b.flush(into)
	into.list = append(into.list, t)
	return true
}

// names reports whether the clause has a name.
func (c *gathered) names() bool {
	return slices.ContainsFunc(c.list, func(t token) bool { return t.part == partName })
}

// word takes a keyword in.
func (b *building) word(t token) {
	k := t.key
	if n := len(b.pending); n > 0 && b.pending[n-1].part == partCount && (k.Counted != "" || k.List) {
		// "3 ops", "two checks": that many there are in all.
		if k.List {
			b.value = b.pending[n-1].n
		}
		b.pending = b.pending[:n-1]
	}
	switch {
	case k.Modifies:
		if b.modifies {
			b.mod = &k
		}
	case len(k.Takes) > 0 && !k.Verb && !b.modifies:
		// WITH is a word of the sentence.
	case len(k.Takes) == 0:
		if !b.has(k.Word) {
			b.clauses = append(b.clauses, &gathered{key: k})
		}
	default:
		b.flush(b.open)
		b.open, b.said = b.clause(k), b.said || k.Word == b.list.Word
		// "CHECK Lodz. CHECK Krakow." is no list.
		b.torn = b.torn || b.open.names() && !k.Counts && k.Word == b.verb.Word
	}
}

// order makes the order of what was gathered.
func (b *building) order() (rules.Order, bool) {
	if b.insert.Word != "" {
		if b.has(b.insert.Word) {
			return rules.Order{}, false
		}
		b.clauses = slices.Insert(b.clauses, min(1, len(b.clauses)), &gathered{key: b.insert})
	}
	if b.open == nil && len(b.pending) > 0 && slices.ContainsFunc(b.pending, func(t token) bool { return t.part < partComma }) {
		return rules.Order{}, false
	}
	var o rules.Order
	for _, c := range b.clauses {
		clause := rules.Clause{Word: c.key.Word}
		if len(c.key.Takes) > 0 {
			items, ok := b.items(c)
			if !ok {
				return o, false
			}
			if len(items) == 0 {
				if c.key.alias || c.key.Word != b.verb.Word && idle(c.key.words0()) {
					continue // "put 14 on ..."
				}
				return o, false
			}
			clause.Items = items
		}
		if c.key.Word == b.verb.Word {
			o.Clauses = slices.Insert(o.Clauses, 0, clause)
		} else {
			o.Clauses = append(o.Clauses, clause)
		}
	}
	switch {
	case len(o.Clauses) > 0 && o.Clauses[0].Word == b.verb.Word:
	case len(b.verb.Takes) == 0 && b.verb.Counted != "" && len(o.Clauses) > 0:
		o.Clauses = slices.Insert(o.Clauses, 0, rules.Clause{Word: b.verb.Word})
	default:
		return o, false
	}
	o.Text = Write(o)
	return o, true
}

// words0 is the first word of a keyword as it is compared.
func (k keyword) words0() string { return Words(k.Word)[0] }

// items makes the names of a clause with their counts.
func (b *building) items(c *gathered) ([]rules.Item, bool) {
	var out []rules.Item
	each, pending, apart := 0, 0, true
	counted := []bool{}
	for i, t := range c.list {
		switch t.part {
		case partName:
			n := max(0, slices.IndexFunc(t.names, func(n rules.Name) bool { return slices.Contains(c.key.Takes, n.Kind) }))
			if k := i - 1; k >= 0 && c.list[k].part == partWord {
				out[len(out)-1].Mods = append(out[len(out)-1].Mods, rules.Mod{Word: c.list[k].key.Word, Name: t.names[n]})
				continue
			}
			if len(t.names) > 1 {
				return nil, false
			}
			out, counted = append(out, rules.Item{Name: t.names[n], Count: max(pending, 0)}), append(counted, pending > 0)
			pending, apart = 0, false
		case partWord:
			if len(out) == 0 {
				return nil, false
			}
		case partComma, partBreak:
			apart = true
		case partTimes:
			if len(out) == 0 || counted[len(out)-1] {
				return nil, false
			}
			last := len(out) - 1
			out[last].Count, counted[last] = t.n, true
		case partEach:
			if each = pending; each == 0 && len(out) > 0 {
				each = 1
				if last := len(out) - 1; counted[last] {
					each, counted[last] = out[last].Count, false
				}
			}
			each, pending = max(each, 1), 0
		case partCount, partRest:
			n := t.n
			if t.part == partRest {
				n = b.rest
			}
			switch {
			case n == 0 || pending > 0:
				return nil, false
			case len(out) > 0 && !counted[len(out)-1] && b.behind(c.list[i+1:], apart):
				if !c.key.Counts && !t.times && n > 1 {
					return nil, false
				}
				out[len(out)-1].Count, counted[len(out)-1] = n, true
			default:
				pending = n
			}
		}
	}
	if pending > 0 {
		return nil, false
	}
	return b.counted(c.key, out, counted, each)
}

// behind reports whether a count belongs to the name before it: apart says that a comma
// stands between them, rest is what follows.
func (b *building) behind(rest []token, apart bool) bool {
	next := slices.IndexFunc(rest, func(t token) bool { return t.part == partName || t.part >= partComma })
	switch {
	case len(rest) > 0 && rest[0].part == partEach:
		return false
	case next < 0:
		return true
	case rest[next].part >= partComma:
		return !apart || true
	case apart:
		return false
	}
	return !b.before
}

// counted gives each name its count, and repeats names where the keyword takes none.
func (b *building) counted(k keyword, items []rules.Item, counted []bool, each int) ([]rules.Item, bool) {
	var out []rules.Item
	for i, it := range items {
		if counted[i] && !k.Counts && k.Word == b.list.Word && !b.said {
			return nil, false // Points are counted, and checks are not.
		}
		switch {
		case counted[i]:
		case each > 0:
			it.Count = each
		case b.repeats && len(items) == 1 && b.value > 0:
			it.Count = b.value
		default:
			it.Count = 1
		}
		if !k.List && it.Count > 1 {
			return nil, false
		}
		if k.Counts {
			if j := slices.IndexFunc(out, func(o rules.Item) bool { return o.Name.Kind == it.Name.Kind && o.Name.Code == it.Name.Code }); j >= 0 {
				out[j].Count += it.Count
				continue
			}
			out = append(out, it)
			continue
		}
		if i > 0 && b.repeats && b.value == 0 && !counted[i] && it.Name.Kind == items[i-1].Name.Kind && it.Name.Code == items[i-1].Name.Code {
			continue // "A petition against a petition"
		}
		n := min(it.Count, mostRepeats)
		it.Count = 1
		out = append(out, slices.Repeat([]rules.Item{it}, n)...)
	}
	sum := 0
	for _, it := range out {
		sum += it.Count
	}
	return out, (b.value == 0 || k.Counts || !k.List || sum == b.value) && (b.sum == 0 || !k.List || sum == b.sum)
}
