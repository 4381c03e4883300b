package order

import (
	"slices"

	"samizdat/rules"
)

// draftClause is a clause of a draft: a keyword with its names and numbers, in the order of the line.
type draftClause struct {
	keyword keyword
	tokens  []token
}

// draft is an unfinished order. buildOrder adds tokens to its clauses, and finishOrder checks them.
type draft struct {
	tokenReading
	// usedChoices are the choices on which the order depends, as far as it is built.
	usedChoices choices
	clauses     []*draftClause
	openClause  *draftClause
	// pendingTokens are the numbers after the last name. listTotal is the number of items that the line states ("two
	// checks"). pointTotal is the number of points that it states ("3 ops").
	pendingTokens         []token
	listTotal, pointTotal int
	// spendsAll is set if all points go to the only name, e.g. in "3 points to Gdansk".
	spendsAll bool
	// hasTwoVerbs is set if the tokens contain a second order. isListWritten is set if the player wrote the keyword of the
	// list, e.g. PLACE. Otherwise it is implied.
	hasTwoVerbs, isListWritten bool
	// pointTotalMayBeName is set if pointTotal may also be a name, e.g. card 10 in "10 ops, his event first". The number
	// is a total only if the counts of the list add up to it.
	pointTotalMayBeName bool
	// isCountAmbiguous is set if a name with a count is next to a name without one, e.g. "2 in Krakow and Lodz".
	isCountAmbiguous bool
	// hasUnusedNumber is set if a number that may name a card or another thing is in no clause.
	hasUnusedNumber bool
	pendingModifier keyword
}

// buildOrder makes the order that tokens mean in a reading. ok is false if they are no order.
func (a *assembly) buildOrder(tokens []token, reading tokenReading) (o rules.Order, d *draft, ok bool) {
	d = &draft{tokenReading: reading}
	a.lastDraft = d
	number := 0
	for i, t := range tokens {
		if t.kind == tokenCount && len(t.names) > 0 {
			if number < maxNumberNames && !countsNextName(t, tokens[i+1:]) && d.usesChoice(choiceNumberNames<<number) {
				t.kind = tokenName
			}
			number++
		}
		switch t.kind {
		case tokenName:
			if !d.addName(t) {
				return o, d, false
			}
		case tokenKeyword:
			d.addKeyword(tokens, i)
		default:
			d.pendingTokens = append(d.pendingTokens, t)
		}
	}
	d.flushPending(d.openClause)
	if d.hasTwoVerbs {
		return o, d, false
	}
	o, ok = d.finishOrder()
	return o, d, ok
}

// usesChoice reports whether the reading makes a choice, and records that this choice affects the order.
func (d *draft) usesChoice(c choices) bool {
	d.usedChoices |= c
	return d.choices&c > 0
}

// countsNextName reports whether a number counts the name directly after it. For example, "1 intellectual" is one
// intellectual, and not Rally-1 and an intellectual.
func countsNextName(t token, rest []token) bool {
	return !t.hasNumberedName() && len(rest) > 0 && rest[0].kind == tokenName
}

// flushPending moves the pending tokens to a clause, or drops them if the clause is nil.
func (d *draft) flushPending(c *draftClause) {
	switch {
	case c != nil:
		c.tokens = append(c.tokens, d.pendingTokens...)
	case slices.ContainsFunc(d.pendingTokens, func(t token) bool { return t.kind == tokenCount && len(t.names) > 0 }):
		d.hasUnusedNumber = true
	}
	d.pendingTokens = d.pendingTokens[:0]
}

func (d *draft) findOrAddClause(k keyword) *draftClause {
	for _, c := range d.clauses {
		if c.keyword.Word == k.Word {
			return c
		}
	}
	c := &draftClause{keyword: k}
	d.clauses = append(d.clauses, c)
	return c
}

func (d *draft) hasClause(word string) bool {
	return slices.ContainsFunc(d.clauses, func(c *draftClause) bool { return c.keyword.Word == word })
}

func takesName(k keyword, t token) bool {
	return slices.ContainsFunc(t.names, func(n rules.Name) bool { return slices.Contains(k.NameKinds, n.Kind) })
}

// addName returns false if no clause takes the name.
func (d *draft) addName(t token) bool {
	if d.pendingModifier.spelling != nil && takesName(d.pendingModifier, t) {
		if d.openClause == nil || !d.openClause.hasNames() {
			return false // A modifier needs a name before it.
		}
		d.pendingTokens = append(d.pendingTokens, token{kind: tokenKeyword, keyword: d.pendingModifier}, t)
		d.flushPending(d.openClause)
		d.pendingModifier = keyword{}
		return true
	}
	clause := d.chooseClause(t)
	switch {
	case clause == nil:
		return false
	case clause.keyword.Word == d.verb.Word && !d.verb.AllowsList && clause.hasNames():
		d.hasTwoVerbs = d.hasTwoVerbs && d.openClause != clause
		return clause.mentions(t.names[0]) // A second name after the verb belongs to a second order: "Score Poland. Play 22."
	case clause != d.openClause && d.pendingCountEndsOpenList():
		d.flushPending(d.openClause)
	}
	d.openClause = clause
	d.flushPending(clause)
	clause.tokens = append(clause.tokens, t)
	return true
}

// chooseClause returns the first clause that accepts a name: the open clause, the clause of the verb, or the clause of the list. It
// returns nil if none accepts the name.
func (d *draft) chooseClause(t token) *draftClause {
	switch {
	case d.openClause != nil && takesName(d.openClause.keyword, t) && (d.openClause.keyword.AllowsList || !d.openClause.hasNames()):
		return d.openClause
	case takesName(d.verb, t) && !(d.hasClause(d.verb.Word) && takesName(d.list, t)):
		return d.findOrAddClause(d.verb)
	case d.list.Word != "" && takesName(d.list, t):
		return d.findOrAddClause(d.list)
	}
	return nil
}

// pendingCountEndsOpenList reports whether a pending count belongs to the last name of the open list, and not to the next name.
func (d *draft) pendingCountEndsOpenList() bool {
	return d.openClause != nil && d.openClause.keyword.AllowsList && len(d.pendingTokens) > 0 && d.pendingTokens[0].kind == tokenCount
}

func (c *draftClause) mentions(n rules.Name) bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == tokenName && t.names[0].Code == n.Code })
}

func (c *draftClause) hasNames() bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == tokenName })
}

func (d *draft) addKeyword(tokens []token, i int) {
	t := tokens[i]
	k := t.keyword
	d.readTotal(t)
	switch {
	case k.IsModifier:
		if d.usesChoice(choiceModifier) {
			d.pendingModifier = t.keyword
		}
	case len(k.NameKinds) > 0 && !k.IsVerb && !d.usesChoice(choiceModifier):
		// Here the keyword, e.g. WITH, is only a function word.
	case len(k.NameKinds) == 0:
		d.hasTwoVerbs = d.hasTwoVerbs || k.IsVerb && i > 0 && tokens[i-1].isOtherSpelling(k) // "I decline to pass"
		if !d.hasClause(k.Word) {
			d.clauses = append(d.clauses, &draftClause{keyword: k})
		}
		if k.TakesNumber {
			d.flushPending(d.openClause)
			d.openClause = d.findOrAddClause(k)
		}
	default:
		d.flushPending(d.openClause)
		d.openClause, d.isListWritten = d.findOrAddClause(k), d.isListWritten || k.Word == d.list.Word
	}
}

// isOtherSpelling reports whether a token is another spelling of a keyword: "decline" and "pass" both mean PASS.
func (t token) isOtherSpelling(k keyword) bool {
	return t.kind == tokenKeyword && t.keyword.Word == k.Word && !slices.Equal(t.keyword.words, k.words)
}

// readTotal uses the number directly before a keyword as the total of points or of the list, as in "3 ops" and "two checks".
func (d *draft) readTotal(keywordToken token) {
	n := len(d.pendingTokens) - 1
	keyword := keywordToken.keyword
	if n < 0 || d.pendingTokens[n].kind != tokenCount || keyword.CountKeyword == "" && !keyword.AllowsList ||
		d.countsPreviousName(keywordToken) {
		return
	}
	if number := d.pendingTokens[n]; keyword.AllowsList {
		d.listTotal, d.pointTotal = number.number, 0
	} else {
		d.pointTotal, d.pointTotalMayBeName = number.number, d.pointTotalMayBeName || len(number.names) > 0
	}
	d.pendingTokens = d.pendingTokens[:n]
}

// countsPreviousName reports whether the last number counts the name before it, and not the keyword after it. For
// example, 3 counts Lodz in "Lodz 3 for ops" and "Lodz x3 ops".
func (d *draft) countsPreviousName(next token) bool {
	last := d.pendingTokens[len(d.pendingTokens)-1]
	return (next.isAfterFor || last.isTimes) && len(d.pendingTokens) == 1 && d.openClause != nil && d.openClause.keyword.AllowsList &&
		d.openClause.keyword.AllowsCounts && len(d.openClause.tokens) > 0 && d.openClause.tokens[len(d.openClause.tokens)-1].kind == tokenName
}

// finishOrder makes the order from the clauses of the draft. It returns false if they are not a complete order.
func (d *draft) finishOrder() (rules.Order, bool) {
	if d.usedChoices |= choiceInserted; d.insertedKeyword.Word != "" {
		if d.hasClause(d.insertedKeyword.Word) {
			return rules.Order{}, false
		}
		d.clauses = slices.Insert(d.clauses, min(1, len(d.clauses)), &draftClause{keyword: d.insertedKeyword})
	}
	if d.openClause == nil && len(d.pendingTokens) > 0 && slices.ContainsFunc(d.pendingTokens,
		func(t token) bool { return !t.isSeparator() }) {
		return rules.Order{}, false
	}
	var o rules.Order
	for _, c := range d.clauses {
		switch clause, ok := d.finishClause(c); {
		case !ok:
			return o, false
		case clause.Word == "":
		case clause.Word == d.verb.Word:
			o.Clauses = slices.Insert(o.Clauses, 0, clause)
		default:
			o.Clauses = append(o.Clauses, clause)
		}
	}
	switch {
	case len(o.Clauses) > 0 && o.Clauses[0].Word == d.verb.Word:
	case len(d.verb.NameKinds) == 0 && d.verb.CountKeyword != "" && len(o.Clauses) > 0:
		o.Clauses = slices.Insert(o.Clauses, 0, rules.Clause{Word: d.verb.Word})
	default:
		return o, false
	}
	o.Text = Format(o)
	return o, !d.hasUnusedNumber && d.hasPlausibleTotal(o)
}

// finishClause converts a draft clause to a clause; ok is false if the keyword does not take the names or numbers. The
// clause is empty if its keyword is only a function word, e.g. "put" in "put 14 on ...".
func (d *draft) finishClause(c *draftClause) (clause rules.Clause, ok bool) {
	clause.Word = c.keyword.Word
	if c.keyword.TakesNumber {
		if clause.Number = c.onlyNumber(); clause.Number == nil {
			return clause, false
		}
	}
	if len(c.keyword.NameKinds) == 0 {
		return clause, true
	}
	if clause.Items, ok = d.buildItems(c); ok && len(clause.Items) == 0 {
		return rules.Clause{}, c.keyword.isSynonym || c.keyword.Word != d.verb.Word && sharedLexicon().function.hasWord(c.keyword.firstWord())
	}
	return clause, ok
}

// onlyNumber returns the number of a clause that has exactly one number and no name. It returns nil for other clauses.
func (c *draftClause) onlyNumber() *int {
	counts := slices.DeleteFunc(slices.Clone(c.tokens), token.isSeparator)
	if len(counts) != 1 || counts[0].kind != tokenCount {
		return nil
	}
	return &counts[0].number
}

// hasPlausibleTotal reports whether pointTotal can be a number of points. It must be less than minBareNumber. If it may also
// be a name, it must instead equal the sum of the counts in the list.
func (d *draft) hasPlausibleTotal(o rules.Order) bool {
	list := slices.IndexFunc(d.clauses, func(c *draftClause) bool { return c.keyword.AllowsList })
	if !d.pointTotalMayBeName {
		return d.pointTotal < minBareNumber
	}
	if list < 0 {
		return false
	}
	sum := 0
	clause, _ := o.Clause(d.clauses[list].keyword.Word)
	for _, item := range clause.Items {
		sum += item.Count
	}
	return sum == d.pointTotal
}

func (k keyword) firstWord() string { return Words(k.Word)[0] }
