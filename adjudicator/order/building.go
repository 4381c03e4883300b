package order

import (
	"slices"

	"samizdat/rules"
)

// gathered is a clause with its names and numbers in the order in which they stand.
type gathered struct {
	key  keyword
	list []token
	// written: its keyword stands in the letter.
	written bool
}

// building is one order under way.
type building struct {
	manner
	// asked are the ways that mattered.
	asked   ways
	clauses []*gathered
	open    *gathered
	// pending numbers stand behind the last name. Value is the number before the keyword
	// of a list, sum that of all points, ops that before the keyword of what they are spent on.
	pending         []token
	value, sum, ops int
	// spends means that all of those go to the only name.
	spends bool
	// torn means that a verb stands twice, said that the keyword of the list is written.
	// summed means that the points of a list come to sum.
	torn, said, summed bool
	// stray means that a number stands apart from the names, where none is counted, twofold that the
	// ops are a number which names something as well: it is a count only if so many points are spent,
	// as in "10 ops, his event first" beside another card they are not.
	stray, twofold bool
	// twoWays means that a count stands beside a name without one: "2 in Krakow and Lodz".
	twoWays bool
	// lost means that a number which names something is in no clause.
	lost bool
	// kept are the clauses that were begun, room for those of the next order; items0 and
	// counted0 are room for a list.
	kept     []*gathered
	items0   []rules.Item
	counted0 []bool
	// mod is a modifying keyword that waits for its name.
	mod keyword
}

// build puts tokens together in one manner.
func (x *assembly) build(tokens []token, m manner) (o rules.Order, b *building, ok bool) {
	b = x.fresh(m)
	number, counted := 0, false
	for i, t := range tokens {
		if t.part == partCount && !counted && b.reads(total) {
			if counted = true; len(t.names) > 0 || !ofAll(tokens, i) {
				return o, b, false
			}
			b.sum = t.n
			continue
		}
		if t.part == partCount && len(t.names) > 0 {
			if number < mostNumbers && !counts(t, tokens[i+1:]) && b.reads(naming<<number) {
				t.part = partName
			}
			number++
		}
		switch t.part {
		case partName:
			if !b.name(t) {
				return o, b, false
			}
		case partWord:
			b.word(tokens, i)
		default:
			b.pending = append(b.pending, t)
		}
	}
	b.flush(b.open)
	if b.torn {
		return o, b, false
	}
	o, ok = b.order()
	return o, b, ok
}

// fresh is a building to begin with: thousands are made for one letter, and the room of the
// last is used again.
func (x *assembly) fresh(m manner) *building {
	b := &x.last
	*b = building{manner: m, clauses: b.clauses[:0], pending: b.pending[:0], kept: b.kept[:0], items0: b.items0, counted0: b.counted0}
	return b
}

// begin is a new clause.
func (b *building) begin(k keyword) *gathered {
	n := len(b.kept)
	if n == cap(b.kept) {
		b.kept = append(b.kept, &gathered{})
	} else if b.kept = b.kept[:n+1]; b.kept[n] == nil {
		b.kept[n] = &gathered{}
	}
	c := b.kept[n]
	*c = gathered{key: k, list: c.list[:0]}
	return c
}

// reads reports whether its manner reads something in one of the ways.
func (b *building) reads(w ways) bool {
	b.asked |= w
	return b.ways&w > 0
}

// counts reports whether a number stands right before a name that it counts: "1 intellectual"
// is not Rally-1 and an intellectual.
func counts(t token, rest []token) bool {
	return !t.numbered() && len(rest) > 0 && rest[0].part == partName
}

// ofAll reports whether a number can be that of all points: no name stands before it, and
// it stands apart from the names, or each of them has its own.
func ofAll(tokens []token, i int) bool {
	named := slices.ContainsFunc(tokens[:i], func(t token) bool { return t.part == partName && !t.numbered() })
	each := slices.ContainsFunc(tokens, func(t token) bool { return t.part == partEach })
	if i+1 < len(tokens) && tokens[i+1].part == partEach {
		return false // "2 each in Gdansk, Poznan"
	}
	return !named && (each || i+1 < len(tokens) && tokens[i+1].part >= partComma)
}

// flush gives the pending numbers to a clause.
func (b *building) flush(c *gathered) {
	switch {
	case c != nil:
		c.list = append(c.list, b.pending...)
	case slices.ContainsFunc(b.pending, func(t token) bool { return t.part == partCount && len(t.names) > 0 }):
		b.lost = true
	}
	b.pending = b.pending[:0]
}

// clause is the clause of a keyword, which is begun where there is none.
func (b *building) clause(k keyword) *gathered {
	for _, c := range b.clauses {
		if c.key.Word == k.Word {
			return c
		}
	}
	c := b.begin(k)
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
	if b.mod.spelling != nil && takes(b.mod, t) {
		if b.open == nil || !b.open.names() {
			return false // It says how of nothing.
		}
		b.pending = append(b.pending, token{part: partWord, key: b.mod}, t)
		b.flush(b.open)
		b.mod = keyword{}
		return true
	}
	into := b.home(t)
	switch {
	case into == nil:
		return false
	case into.key.Word == b.verb.Word && !b.verb.List && into.names():
		b.torn = b.torn && b.open != into
		return into.holds(t.names[0]) // "Score Poland. Play 22."
	case into != b.open && b.follows():
		b.flush(b.open)
	}
	b.open = into
	b.flush(into)
	into.list = append(into.list, t)
	return true
}

// home is the clause that a name belongs to: that which is open if it has room, that of the
// verb, or that of the list; nil where none takes it.
func (b *building) home(t token) *gathered {
	switch {
	case b.open != nil && takes(b.open.key, t) && (b.open.key.List || !b.open.names()):
		return b.open
	case takes(b.verb, t):
		return b.clause(b.verb)
	case b.list.Word != "" && takes(b.list, t):
		return b.clause(b.list)
	}
	return nil
}

// follows reports whether a pending count belongs to the list that is open, and not to the
// name of another clause behind it.
func (b *building) follows() bool {
	return b.open != nil && b.open.key.List && len(b.pending) > 0 && b.pending[0].part == partCount && !b.reads(before)
}

// holds reports whether the clause names a thing.
func (c *gathered) holds(n rules.Name) bool {
	return slices.ContainsFunc(c.list, func(t token) bool { return t.part == partName && t.names[0].Code == n.Code })
}

// names reports whether the clause has a name.
func (c *gathered) names() bool {
	return slices.ContainsFunc(c.list, func(t token) bool { return t.part == partName })
}

// word takes a keyword in.
func (b *building) word(tokens []token, i int) {
	t := tokens[i]
	k := t.key
	b.countAll(t)
	switch {
	case k.Modifies:
		if b.reads(modifies) {
			b.mod = t.key
		}
	case len(k.Takes) > 0 && !k.Verb && !b.reads(modifies):
		// WITH is a word of the sentence.
	case len(k.Takes) == 0:
		b.torn = b.torn || k.Verb && i > 0 && tokens[i-1].part == partWord && tokens[i-1].key.Word == k.Word // "I decline to pass"
		if !b.has(k.Word) {
			b.clauses = append(b.clauses, b.begin(k))
		}
		if k.Number {
			b.flush(b.open)
			b.open = b.clause(k)
		}
	default:
		b.flush(b.open)
		b.open, b.said = b.clause(k), b.said || k.Word == b.list.Word
		// "CHECK Lodz. CHECK Krakow." is no list.
		b.torn = b.torn || b.open.written && b.open.names() && !k.Counts && k.Word == b.verb.Word
		b.open.written = true
	}
}

// countAll takes the number right before a keyword for that of all points or of the whole list: "3 ops", "two checks".
func (b *building) countAll(word token) {
	n := len(b.pending) - 1
	if n < 0 || b.pending[n].part != partCount || word.key.Counted == "" && !word.key.List || b.ofName(word) {
		return
	}
	if number := b.pending[n]; word.key.List {
		b.value, b.ops = number.n, 0
	} else {
		b.ops, b.twofold = number.n, b.twofold || len(number.names) > 0
	}
	b.pending = b.pending[:n]
}

// ofName reports whether the last number counts the name before it, and is none of a keyword behind it: "Lodz 3
// for ops", "Lodz x3 ops".
func (b *building) ofName(word token) bool {
	last := b.pending[len(b.pending)-1]
	return (word.purpose || last.times) && len(b.pending) == 1 && b.open != nil && b.open.key.List && b.open.key.Counts &&
		len(b.open.list) > 0 && b.open.list[len(b.open.list)-1].part == partName
}

// order makes the order of what was gathered.
func (b *building) order() (rules.Order, bool) {
	if b.asked |= inserted; b.insert.Word != "" {
		if b.has(b.insert.Word) {
			return rules.Order{}, false
		}
		b.clauses = slices.Insert(b.clauses, min(1, len(b.clauses)), b.begin(b.insert))
	}
	if b.open == nil && len(b.pending) > 0 && slices.ContainsFunc(b.pending, func(t token) bool { return t.part < partComma }) {
		return rules.Order{}, false
	}
	var o rules.Order
	for _, c := range b.clauses {
		switch clause, ok := b.finish(c); {
		case !ok:
			return o, false
		case clause.Word == "":
		case clause.Word == b.verb.Word:
			o.Clauses = slices.Insert(o.Clauses, 0, clause)
		default:
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
	return o, !b.lost && b.spent(o) && (b.sum == 0 || b.summed)
}

// finish makes the clause of an order of what was gathered; ok is false where its names or its number are wrong. The
// clause is empty where its keyword is only a word of the sentence: "put 14 on ...".
func (b *building) finish(c *gathered) (clause rules.Clause, ok bool) {
	clause.Word = c.key.Word
	if c.key.Number {
		if clause.Number = c.number(); clause.Number == nil {
			return clause, false
		}
	}
	if len(c.key.Takes) == 0 {
		return clause, true
	}
	if clause.Items, ok = b.items(c); ok && len(clause.Items) == 0 {
		return rules.Clause{}, c.key.alias || c.key.Word != b.verb.Word && lexical().function.has(c.key.words0())
	}
	return clause, ok
}

// number is the only number of the clause, nil where there is none or more than one.
func (c *gathered) number() *int {
	counts := slices.DeleteFunc(slices.Clone(c.list), func(t token) bool { return t.part >= partComma })
	if len(counts) != 1 || counts[0].part != partCount || !counts[0].numeral {
		return nil
	}
	return &counts[0].n
}

// spent reports whether the points of an order's list come to its ops, where these are a number that
// names something as well.
func (b *building) spent(o rules.Order) bool {
	list := slices.IndexFunc(b.clauses, func(c *gathered) bool { return c.key.List })
	if !b.twofold {
		return b.ops < leastNumbered
	}
	if list < 0 {
		return false
	}
	sum := 0
	clause, _ := o.Clause(b.clauses[list].key.Word)
	for _, it := range clause.Items {
		sum += it.Count
	}
	return sum == b.ops
}

// words0 is the first word of a keyword as it is compared.
func (k keyword) words0() string { return Words(k.Word)[0] }
