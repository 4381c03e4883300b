package order

import (
	"slices"

	"samizdat/rules"
)

// draftClause is a clause of a draft: a keyword with its names and numbers in the order of the line.
type draftClause struct {
	keyword keyword
	tokens  []token
}

// draft is an unfinished order: tokens are added to clauses, and finish checks them.
type draft struct {
	tokenReading
	// usedChoices are the choices that the order depends on.
	usedChoices choices
	clauses     []*draftClause
	openClause  *draftClause
	// pendingNumbers are the numbers after the last name. listTotal is the number before the keyword of a list ("two checks"),
	// pointTotal the number before the keyword that spends points ("3 ops").
	pendingNumbers        []token
	listTotal, pointTotal int
	// spendsAll is set if all points go to the only name.
	spendsAll bool
	// hasTwoVerbs is set if the tokens contain a second order. isListWritten is set if the keyword of the list is written.
	hasTwoVerbs, isListWritten bool
	// pointTotalIsName is set if pointTotal may also be a name, e.g. card 10 in "10 ops, his event first". It is a total only if the
	// order spends exactly that many points.
	pointTotalIsName bool
	// isCountAmbiguous is set if a name with a count is next to a name without one, e.g. "2 in Krakow and Lodz".
	isCountAmbiguous bool
	// hasUnusedNumber is set if a number that names a thing is in no clause.
	hasUnusedNumber bool
	// pendingModifier is a modifying keyword that waits for its name.
	pendingModifier keyword
}

// build makes the order of tokens in one reading; ok is false if they make none.
func (x *assembly) build(tokens []token, m tokenReading) (o rules.Order, b *draft, ok bool) {
	b = &draft{tokenReading: m}
	x.lastDraft = b
	number := 0
	for i, t := range tokens {
		if t.kind == tokenCount && len(t.names) > 0 {
			if number < maxNumberNames && !countsNextName(t, tokens[i+1:]) && b.chooses(choiceNumberNames<<number) {
				t.kind = tokenName
			}
			number++
		}
		switch t.kind {
		case tokenName:
			if !b.addName(t) {
				return o, b, false
			}
		case tokenKeyword:
			b.addKeyword(tokens, i)
		default:
			b.pendingNumbers = append(b.pendingNumbers, t)
		}
	}
	b.flushNumbers(b.openClause)
	if b.hasTwoVerbs {
		return o, b, false
	}
	o, ok = b.finish()
	return o, b, ok
}

// chooses reports whether the reading makes a choice, and records that the order depends on it.
func (b *draft) chooses(c choices) bool {
	b.usedChoices |= c
	return b.choices&c > 0
}

// countsNextName reports whether a number counts the name directly after it. For example, "1 intellectual" is not Rally-1 and an
// intellectual.
func countsNextName(t token, rest []token) bool {
	return !t.hasNumberedThing() && len(rest) > 0 && rest[0].kind == tokenName
}

// flushNumbers moves the pending numbers to a clause.
func (b *draft) flushNumbers(c *draftClause) {
	switch {
	case c != nil:
		c.tokens = append(c.tokens, b.pendingNumbers...)
	case slices.ContainsFunc(b.pendingNumbers, func(t token) bool { return t.kind == tokenCount && len(t.names) > 0 }):
		b.hasUnusedNumber = true
	}
	b.pendingNumbers = b.pendingNumbers[:0]
}

// clause returns the clause of a keyword, and adds it if necessary.
func (b *draft) clause(k keyword) *draftClause {
	for _, c := range b.clauses {
		if c.keyword.Word == k.Word {
			return c
		}
	}
	c := &draftClause{keyword: k}
	b.clauses = append(b.clauses, c)
	return c
}

func (b *draft) hasClause(word string) bool {
	return slices.ContainsFunc(b.clauses, func(c *draftClause) bool { return c.keyword.Word == word })
}

// takes reports whether a keyword takes a name of the token.
func takes(k keyword, t token) bool {
	return slices.ContainsFunc(t.names, func(n rules.Name) bool { return slices.Contains(k.Takes, n.Kind) })
}

// addName adds a name to its clause; false if no clause takes it.
func (b *draft) addName(t token) bool {
	if b.pendingModifier.spelling != nil && takes(b.pendingModifier, t) {
		if b.openClause == nil || !b.openClause.hasNames() {
			return false // there is no name to modify
		}
		b.pendingNumbers = append(b.pendingNumbers, token{kind: tokenKeyword, keyword: b.pendingModifier}, t)
		b.flushNumbers(b.openClause)
		b.pendingModifier = keyword{}
		return true
	}
	clause := b.clauseFor(t)
	switch {
	case clause == nil:
		return false
	case clause.keyword.Word == b.verb.Word && !b.verb.List && clause.hasNames():
		b.hasTwoVerbs = b.hasTwoVerbs && b.openClause != clause
		return clause.namesThing(t.names[0]) // a second name for the verb is a second order: "Score Poland. Play 22."
	case clause != b.openClause && b.pendingBelongsToOpen():
		b.flushNumbers(b.openClause)
	}
	b.openClause = clause
	b.flushNumbers(clause)
	clause.tokens = append(clause.tokens, t)
	return true
}

// clauseFor returns the clause for a name: the open clause if it takes one more, that of the verb, or that of the list; nil for none.
func (b *draft) clauseFor(t token) *draftClause {
	switch {
	case b.openClause != nil && takes(b.openClause.keyword, t) && (b.openClause.keyword.List || !b.openClause.hasNames()):
		return b.openClause
	case takes(b.verb, t) && !(b.hasClause(b.verb.Word) && takes(b.list, t)):
		return b.clause(b.verb)
	case b.list.Word != "" && takes(b.list, t):
		return b.clause(b.list)
	}
	return nil
}

// pendingBelongsToOpen reports whether a pending count belongs to the open list, and not to the next name.
func (b *draft) pendingBelongsToOpen() bool {
	return b.openClause != nil && b.openClause.keyword.List && len(b.pendingNumbers) > 0 && b.pendingNumbers[0].kind == tokenCount
}

// namesThing reports whether the clause names the thing.
func (c *draftClause) namesThing(n rules.Name) bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == tokenName && t.names[0].Code == n.Code })
}

func (c *draftClause) hasNames() bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == tokenName })
}

// addKeyword adds the keyword token i.
func (b *draft) addKeyword(tokens []token, i int) {
	t := tokens[i]
	k := t.keyword
	b.takeTotal(t)
	switch {
	case k.Modifies:
		if b.chooses(choiceModifier) {
			b.pendingModifier = t.keyword
		}
	case len(k.Takes) > 0 && !k.Verb && !b.chooses(choiceModifier):
		// here WITH is only a function word
	case len(k.Takes) == 0:
		b.hasTwoVerbs = b.hasTwoVerbs || k.Verb && i > 0 && tokens[i-1].isSynonym(k) // "I decline to pass"
		if !b.hasClause(k.Word) {
			b.clauses = append(b.clauses, &draftClause{keyword: k})
		}
		if k.Number {
			b.flushNumbers(b.openClause)
			b.openClause = b.clause(k)
		}
	default:
		b.flushNumbers(b.openClause)
		b.openClause, b.isListWritten = b.clause(k), b.isListWritten || k.Word == b.list.Word
	}
}

// isSynonym reports whether a token is the same keyword in other words.
func (t token) isSynonym(k keyword) bool {
	return t.kind == tokenKeyword && t.keyword.Word == k.Word && !slices.Equal(t.keyword.words, k.words)
}

// takeTotal uses the number directly before a keyword as the total of points or of the list. For example, "3 ops" and "two checks".
func (b *draft) takeTotal(word token) {
	n := len(b.pendingNumbers) - 1
	if n < 0 || b.pendingNumbers[n].kind != tokenCount || word.keyword.CountKeyword == "" && !word.keyword.List || b.countsNameOf(word) {
		return
	}
	if number := b.pendingNumbers[n]; word.keyword.List {
		b.listTotal, b.pointTotal = number.number, 0
	} else {
		b.pointTotal, b.pointTotalIsName = number.number, b.pointTotalIsName || len(number.names) > 0
	}
	b.pendingNumbers = b.pendingNumbers[:n]
}

// countsNameOf reports whether the last number counts the name before it, and not the keyword after it. For example, "Lodz 3 for ops"
// and "Lodz x3 ops".
func (b *draft) countsNameOf(word token) bool {
	last := b.pendingNumbers[len(b.pendingNumbers)-1]
	return (word.isAfterFor || last.isTimes) && len(b.pendingNumbers) == 1 && b.openClause != nil && b.openClause.keyword.List &&
		b.openClause.keyword.Counts && len(b.openClause.tokens) > 0 && b.openClause.tokens[len(b.openClause.tokens)-1].kind == tokenName
}

// finish returns the order of the draft; false if it is none.
func (b *draft) finish() (rules.Order, bool) {
	if b.usedChoices |= choiceInserted; b.insert.Word != "" {
		if b.hasClause(b.insert.Word) {
			return rules.Order{}, false
		}
		b.clauses = slices.Insert(b.clauses, min(1, len(b.clauses)), &draftClause{keyword: b.insert})
	}
	if b.openClause == nil && len(b.pendingNumbers) > 0 && slices.ContainsFunc(b.pendingNumbers,
		func(t token) bool { return t.kind < tokenComma }) {
		return rules.Order{}, false
	}
	var o rules.Order
	for _, c := range b.clauses {
		switch clause, ok := b.finishClause(c); {
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
	o.Text = Format(o)
	return o, !b.hasUnusedNumber && b.spendsTotal(o)
}

// finishClause returns the clause of a draft clause; ok is false if names or numbers do not fit. The clause is empty if its keyword is
// only a function word, e.g. "put 14 on ...".
func (b *draft) finishClause(c *draftClause) (clause rules.Clause, ok bool) {
	clause.Word = c.keyword.Word
	if c.keyword.Number {
		if clause.Number = c.onlyNumber(); clause.Number == nil {
			return clause, false
		}
	}
	if len(c.keyword.Takes) == 0 {
		return clause, true
	}
	if clause.Items, ok = b.buildItems(c); ok && len(clause.Items) == 0 {
		return rules.Clause{}, c.keyword.alias || c.keyword.Word != b.verb.Word && sharedLexicon().function.hasWord(c.keyword.firstWord())
	}
	return clause, ok
}

// onlyNumber returns the number of the clause; nil unless it has exactly one.
func (c *draftClause) onlyNumber() *int {
	counts := slices.DeleteFunc(slices.Clone(c.tokens), func(t token) bool { return t.kind >= tokenComma })
	if len(counts) != 1 || counts[0].kind != tokenCount || !counts[0].isNumeral {
		return nil
	}
	return &counts[0].number
}

// spendsTotal reports whether the counts of the list add up to pointTotal, if pointTotal may also be a name.
func (b *draft) spendsTotal(o rules.Order) bool {
	list := slices.IndexFunc(b.clauses, func(c *draftClause) bool { return c.keyword.List })
	if !b.pointTotalIsName {
		return b.pointTotal < minBareNumber
	}
	if list < 0 {
		return false
	}
	sum := 0
	clause, _ := o.Clause(b.clauses[list].keyword.Word)
	for _, it := range clause.Items {
		sum += it.Count
	}
	return sum == b.pointTotal
}

// firstWord returns the first word of a keyword, folded.
func (k keyword) firstWord() string { return Words(k.Word)[0] }
