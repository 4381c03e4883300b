package order

import (
	"slices"

	"samizdat/rules"
)

// gathered is a clause with its names and numbers in the order of the line.
type gathered struct {
	key  keyword
	list []token
}

// building is one order under way.
type building struct {
	interpretation
	// asked are the choices that the order has used.
	used    choices
	clauses []*gathered
	open    *gathered
	// pending numbers stand behind the last name. Value is the number before the keyword of a list, ops the number before
	// the keyword that spends points.
	pending    []token
	value, ops int
	// spends: all points go to the only name.
	spends bool
	// torn: a verb stands twice. said: the keyword of the list is written.
	torn, said bool
	// twofold reports whether the number of ops names a thing too. The number is a count only if the order spends exactly
	// that many points. For example, "10 ops, his event first" beside another card spends none.
	twofold bool
	// twoWays: a name with a count stands beside a name without a count, e.g. "2 in Krakow and Lodz".
	twoWays bool
	// lost: a number that names a thing is in no clause.
	lost bool
	// mod is a modifying keyword that waits for its name.
	mod keyword
}

// build makes an order of tokens in one interpretation.
func (x *assembly) build(tokens []token, m interpretation) (o rules.Order, b *building, ok bool) {
	b = &building{interpretation: m}
	x.last = b
	number := 0
	for i, t := range tokens {
		if t.part == partCount && len(t.names) > 0 {
			if number < mostNumbers && !counts(t, tokens[i+1:]) && b.reads(choiceNumberNames<<number) {
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

// reads reports whether the interpretation makes a choice, and records that the order has used it.
func (b *building) reads(c choices) bool {
	b.used |= c
	return b.choices&c > 0
}

// counts reports whether a number stands directly before the name that it counts. For example, "1 intellectual" is not Rally-1 and an
// intellectual.
func counts(t token, rest []token) bool {
	return !t.numbered() && len(rest) > 0 && rest[0].part == partName
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

// clause returns the clause of a keyword, and begins it if necessary.
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

// name adds a name to its clause.
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

// home returns the clause of a name: the open clause if it has room, that of the verb, or that of the list; nil if no clause takes the
// name.
func (b *building) home(t token) *gathered {
	switch {
	case b.open != nil && takes(b.open.key, t) && (b.open.key.List || !b.open.names()):
		return b.open
	case takes(b.verb, t) && !(b.has(b.verb.Word) && takes(b.list, t)):
		return b.clause(b.verb)
	case b.list.Word != "" && takes(b.list, t):
		return b.clause(b.list)
	}
	return nil
}

// follows reports whether a pending count belongs to the open list, and not to a name of another clause behind it.
func (b *building) follows() bool {
	return b.open != nil && b.open.key.List && len(b.pending) > 0 && b.pending[0].part == partCount
}

// holds reports whether the clause names a thing.
func (c *gathered) holds(n rules.Name) bool {
	return slices.ContainsFunc(c.list, func(t token) bool { return t.part == partName && t.names[0].Code == n.Code })
}

func (c *gathered) names() bool {
	return slices.ContainsFunc(c.list, func(t token) bool { return t.part == partName })
}

// word adds a keyword.
func (b *building) word(tokens []token, i int) {
	t := tokens[i]
	k := t.key
	b.countAll(t)
	switch {
	case k.Modifies:
		if b.reads(choiceModifier) {
			b.mod = t.key
		}
	case len(k.Takes) > 0 && !k.Verb && !b.reads(choiceModifier):
		// WITH is a word of the sentence.
	case len(k.Takes) == 0:
		b.torn = b.torn || k.Verb && i > 0 && tokens[i-1].saysOtherwise(k) // "I decline to pass"
		if !b.has(k.Word) {
			b.clauses = append(b.clauses, &gathered{key: k})
		}
		if k.Number {
			b.flush(b.open)
			b.open = b.clause(k)
		}
	default:
		b.flush(b.open)
		b.open, b.said = b.clause(k), b.said || k.Word == b.list.Word
	}
}

// saysOtherwise reports whether a token is the same keyword in other words.
func (t token) saysOtherwise(k keyword) bool {
	return t.part == partWord && t.key.Word == k.Word && !slices.Equal(t.key.words, k.words)
}

// countAll reads the number directly before a keyword as that of all points or of the whole list. For example, "3 ops" and "two
// checks".
func (b *building) countAll(word token) {
	n := len(b.pending) - 1
	if n < 0 || b.pending[n].part != partCount || word.key.CountKeyword == "" && !word.key.List || b.ofName(word) {
		return
	}
	if number := b.pending[n]; word.key.List {
		b.value, b.ops = number.n, 0
	} else {
		b.ops, b.twofold = number.n, b.twofold || len(number.names) > 0
	}
	b.pending = b.pending[:n]
}

// ofName reports whether the last number counts the name before it, and not the keyword behind it. For example, "Lodz 3 for ops" and
// "Lodz x3 ops".
func (b *building) ofName(word token) bool {
	last := b.pending[len(b.pending)-1]
	return (word.purpose || last.times) && len(b.pending) == 1 && b.open != nil && b.open.key.List && b.open.key.Counts &&
		len(b.open.list) > 0 && b.open.list[len(b.open.list)-1].part == partName
}

// order makes the order of the gathered clauses.
func (b *building) order() (rules.Order, bool) {
	if b.used |= choiceInserted; b.insert.Word != "" {
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
	case len(b.verb.Takes) == 0 && b.verb.CountKeyword != "" && len(o.Clauses) > 0:
		o.Clauses = slices.Insert(o.Clauses, 0, rules.Clause{Word: b.verb.Word})
	default:
		return o, false
	}
	o.Text = Write(o)
	return o, !b.lost && b.spent(o)
}

// finish makes a clause of gathered names and numbers; ok is false if they are wrong. The clause is empty if its keyword is only a word
// of the sentence, e.g. "put 14 on ...".
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

// number is the only number of the clause; nil if it has none or more than one.
func (c *gathered) number() *int {
	counts := slices.DeleteFunc(slices.Clone(c.list), func(t token) bool { return t.part >= partComma })
	if len(counts) != 1 || counts[0].part != partCount || !counts[0].numeral {
		return nil
	}
	return &counts[0].n
}

// spent reports whether the points of an order's list add up to its ops, if the number of ops names a thing as well.
func (b *building) spent(o rules.Order) bool {
	list := slices.IndexFunc(b.clauses, func(c *gathered) bool { return c.key.List })
	if !b.twofold {
		return b.ops < minBareNumber
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

// words0 is the first word of a keyword, folded.
func (k keyword) words0() string { return Words(k.Word)[0] }
