package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// Interpretation is the meaning of the lines of a letter as an answer to a question: the legal orders that are consistent with all
// names, keywords and numbers in the lines.
type Interpretation struct {
	// Orders are the answer to the question, and the answers to the questions that follow. The list is empty if no
	// order was found, if several orders are possible, or if the letter denies its order.
	Orders []rules.Order
	// Choices are the orders, 2 to maxChoices, that the letter may mean; empty if it can mean only Orders, no order, or too many.
	Choices []string
	// Certain is set if every word is understood and there is one reading. The orders are then carried out at once; otherwise they are
	// proposed to the player.
	Certain bool
	// Denied is set if a sentence denies, retracts or questions the order that the letter names, or sets a condition.
	Denied bool
	// OnlyDenial is set if Denied is set and each denial is a single word alone on its line, e.g. "no" above a line with an order.
	OnlyDenial bool
	// FinalVerb is the verb of an order that cannot be undone, e.g. CONCEDE, if the letter may contain such an order.
	// Such an order is never proposed.
	FinalVerb string
	// UsedLines is set for each line that contains a part of the orders.
	UsedLines []bool
	// NotUnderstood are the sentences that were not understood. Added are the keywords that were added to complete an
	// order.
	NotUnderstood, Added []string
	// NamesMore is set if the letter names things that the question does not ask for.
	NamesMore bool
	// isCountAmbiguous is set if a number may belong to one name or to several names, e.g. "2 in Krakow and Lodz".
	isCountAmbiguous bool
}

const maxChoices = 3

// Interpret reads the lines of a letter as an answer to a question. For example, "36 event, my train is late" gives the
// order PLAY 36 EVENT, but is not Certain.
func (p *Parser) Interpret(lines []string, q *Question) Interpretation {
	sentences, ok := p.readSentences(q, lines)
	result := Interpretation{UsedLines: make([]bool, len(lines))}
	if !ok {
		result.NotUnderstood = lines
		return result
	}
	isUnderstood := true
	for _, s := range sentences {
		if !s.isUnderstood() {
			isUnderstood = false
			result.NotUnderstood = append(result.NotUnderstood, s.text)
		}
	}
	if word, ok := findExactKeyword(sentences); ok {
		result.FinalVerb = word
		return result
	}
	if o, ok := p.readShortAnswer(sentences, q); ok {
		result.Orders, result.Certain, result.NotUnderstood = []rules.Order{o}, true, nil
		result.markUsed(sentences, func(s sentence) bool { return !s.isCourtesy })
		return result
	}
	if isUnderstood {
		p.vocabulary.findOrders(q, sentences, &result, sentence.hasTokens)
		result.Certain = len(result.Orders) > 0 && !result.NamesMore && len(result.Added) == 0
		return result
	}
	if result.Denied = slices.ContainsFunc(sentences, sentence.isRetraction); result.Denied {
		result.OnlyDenial = isOnlyDenial(sentences)
		return result
	}
	p.vocabulary.propose(q, sentences, &result)
	if result.Denied = deniesOrders(sentences, result.Orders); result.Denied {
		result.Orders = nil
	}
	if len(result.Orders) > 0 && p.vocabulary.keywords.lookUp(result.Orders[0].Clauses[0].Word).Final {
		result.FinalVerb, result.Orders = result.Orders[0].Clauses[0].Word, nil
	}
	return result
}

// propose looks for the orders of a letter that is not wholly understood. It leaves out sentences with a denial, and tries four times:
// all words, the words outside brackets, only the pieces of sentences that are understood, and each sentence alone.
func (v *vocabulary) propose(q *Question, sentences []sentence, result *Interpretation) {
	mayOrder := func(s sentence) bool { return s.hasTokens() && !s.denies }
	if v.findOrders(q, sentences, result, mayOrder); result.keepIfSafe(sentences, sentences, mayOrder) {
		return
	}
	inBrackets := func(t token) bool { return t.inBrackets }
	for _, tokensOf := range []func(sentence) []token{
		// Words in brackets may only explain another name.
		func(s sentence) []token { return slices.DeleteFunc(slices.Clone(s.tokens), inBrackets) },
		func(s sentence) []token { return s.clearTokens },
	} {
		parts := slices.Clone(sentences)
		for i, s := range parts {
			parts[i].tokens = tokensOf(s)
		}
		if v.findOrders(q, parts, result, mayOrder); result.keepIfSafe(sentences, parts, mayOrder) {
			return
		}
	}
	v.proposeEach(q, sentences, result, mayOrder)
}

// proposeEach looks for an order in each sentence alone. A single order becomes Orders. If there are 2 to maxChoices
// different orders, they become Choices.
func (v *vocabulary) proposeEach(q *Question, sentences []sentence, result *Interpretation, mayOrder func(sentence) bool) {
	var found []Interpretation
	for i := range sentences {
		single := Interpretation{UsedLines: make([]bool, len(result.UsedLines))}
		v.findOrders(q, sentences[i:i+1], &single, mayOrder)
		if single.NamesMore || single.omitsName(sentences[i:i+1], sentences[i:i+1], mayOrder) {
			return
		}
		isSame := func(o Interpretation) bool { return Format(o.Orders[0]) == Format(single.Orders[0]) }
		if len(single.Orders) > 0 && !slices.ContainsFunc(found, isSame) {
			found = append(found, single)
		}
	}
	isUsed := func(s sentence) bool { return mayOrder(s) && found[0].UsedLines[s.line] }
	if len(found) == 1 && found[0].omitsName(sentences, sentences, isUsed) {
		return
	}
	switch n := len(found); {
	case n == 1:
		result.Orders, result.UsedLines, result.Added, result.NamesMore = found[0].Orders, found[0].UsedLines, found[0].Added, found[0].NamesMore
	case n > 1 && n <= maxChoices:
		for _, f := range found {
			result.Choices = append(result.Choices, Format(f.Orders[0]))
		}
	}
}

// keepIfSafe drops the orders of the result if they leave out a part of the letter (NamesMore, omitsName). It reports
// whether orders or choices remain. For example, it drops PLACE Gdansk 2 for "Gdansk 2, Warsaw evnt aftr".
func (result *Interpretation) keepIfSafe(sentences, parts []sentence, include func(sentence) bool) bool {
	if len(result.Orders) > 0 && (result.NamesMore || result.omitsName(sentences, parts, include)) {
		*result = Interpretation{UsedLines: make([]bool, len(result.UsedLines)), NotUnderstood: result.NotUnderstood}
	}
	return len(result.Orders)+len(result.Choices) > 0
}

// omitsName reports whether the letter names a thing that is missing from the orders, although the orders name another thing of the same
// kind, e.g. another card. Only sentences that are included or fully understood count. parts are the same sentences, with the tokens that
// the orders were made from.
func (result *Interpretation) omitsName(sentences, parts []sentence, include func(sentence) bool) bool {
	for i, s := range sentences {
		if s.denies || s.isCourtesy || !include(parts[i]) && !s.isUnderstood() {
			continue
		}
		for _, t := range s.tokens {
			if (t.kind == tokenName || t.kind == tokenCount && t.number >= minBareNumber) && len(t.names) > 0 && !t.inBrackets &&
				result.lacksName(t) {
				return true
			}
		}
	}
	return false
}

// lacksName reports whether the orders have a name of the same kind as a token, e.g. a card, but not the name of the
// token.
func (result *Interpretation) lacksName(t token) bool {
	hasKind, hasThing := false, false
	check := func(n rules.Name) {
		for _, m := range t.names {
			hasKind, hasThing = hasKind || n.Kind == m.Kind, hasThing || n.Kind == m.Kind && n.Code == m.Code
		}
	}
	for _, o := range result.Orders {
		for _, c := range o.Clauses {
			for _, item := range c.Items {
				check(item.Name)
				for _, m := range item.Modifiers {
					check(m.Name)
				}
			}
		}
	}
	return hasKind && !hasThing
}

func (v *vocabulary) findOrders(q *Question, sentences []sentence, result *Interpretation, include func(sentence) bool) {
	a := &assembly{vocabulary: v, question: q, effort: &v.analyse(q).effort}
	var tokens []token
	for _, s := range sentences {
		if include(s) {
			tokens, a.unknown, a.hasPointWord = append(tokens, s.tokens...), append(a.unknown, s.unknown...), a.hasPointWord || s.hasPointWord
		}
		if !s.denies {
			a.words = append(a.words, Words(s.text)...)
		}
	}
	tokens = v.resolveNumber(tokens)
	if n, ok := onlyNumber(tokens); ok && n <= len(q.NumberedAnswers) && (len(a.unknown) == 0 || !slices.ContainsFunc(tokens, isNumberWord)) {
		result.Orders = []rules.Order{q.NumberedAnswers[n-1]}
	} else if len(tokens) <= maxTokens {
		if result.Orders, result.Choices = a.findAnswersOrNumber(q, tokens); a.isExhausted() {
			result.Orders, result.Choices = nil, nil
		}
	}
	if len(result.Choices) > maxChoices {
		result.Choices = nil
	}
	result.Added, result.NamesMore, result.isCountAmbiguous = a.added, a.namesMore, a.isCountAmbiguous
	if len(result.Orders) > 0 {
		result.markUsed(sentences, include)
	}
}

// isNumberWord reports whether a token is a number in words. In a sentence with unknown words, e.g. "lose one there",
// such a number does not choose a numbered answer.
func isNumberWord(t token) bool { return t.kind == tokenCount && !t.inDigits }

func (result *Interpretation) markUsed(sentences []sentence, include func(sentence) bool) {
	for _, s := range sentences {
		result.UsedLines[s.line] = result.UsedLines[s.line] || include(s)
	}
}

func findExactKeyword(sentences []sentence) (string, bool) {
	for _, s := range sentences {
		for _, t := range s.tokens {
			if t.kind == tokenKeyword && t.keyword.Exact {
				return t.keyword.Word, true
			}
		}
	}
	return "", false
}

// isOnlyDenial reports whether each retraction is a single word on a separate line, and not a question.
func isOnlyDenial(sentences []sentence) bool {
	return !slices.ContainsFunc(sentences, func(s sentence) bool {
		beside := slices.ContainsFunc(sentences, func(o sentence) bool { return o.line == s.line && o.text != s.text })
		return s.isRetraction() && (!s.hasDenialWord || s.hasPronoun || s.refersToLetter || len(s.unknown) > 1 || beside)
	})
}

// deniesOrders reports whether a sentence denies or questions a word of the orders, or corrects a name in the orders. For
// example, in "March 3. No, the worker." the second sentence corrects the name March 3.
func deniesOrders(sentences []sentence, orders []rules.Order) bool {
	matchesOrders := func(t token, hasName, corrects bool) bool {
		return slices.ContainsFunc(orders, func(o rules.Order) bool {
			return slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool {
				return !hasName && t.kind == tokenKeyword && t.keyword.Word == c.Word || slices.ContainsFunc(c.Items, func(item rules.Item) bool {
					return slices.ContainsFunc(t.names, func(n rules.Name) bool {
						return n.Kind == item.Name.Kind && (corrects || n.Code == item.Name.Code)
					})
				})
			})
		})
	}
	hasClearOrder, wasCorrected := false, false
	for _, s := range sentences {
		hasName := slices.ContainsFunc(s.tokens, func(t token) bool { return len(t.names) > 0 })
		namesSame := slices.ContainsFunc(s.tokens, func(t token) bool { return matchesOrders(t, hasName && !t.isNegated, s.startsWithDenial) })
		namesOther := slices.ContainsFunc(s.tokens, func(t token) bool { return matchesOrders(t, true, true) && !matchesOrders(t, true, false) })
		if s.denies && namesSame || wasCorrected && namesOther {
			return true
		}
		hasClearOrder = hasClearOrder || s.hasTokens() && s.isUnderstood()
		wasCorrected = hasClearOrder && s.startsWithDenial && !hasName
	}
	return len(orders) == 0 && !hasClearOrder && slices.ContainsFunc(sentences, func(s sentence) bool { return s.denies && s.hasTokens() })
}

// readShortAnswer returns the order of a letter that consists of a short form of a keyword (rules.Keyword.ShortAnswers), e.g. "No thanks"
// -> PASS.
func (p *Parser) readShortAnswer(sentences []sentence, q *Question) (rules.Order, bool) {
	answer := ""
	for i := range sentences {
		s := &sentences[i]
		if s.isCourtesy {
			continue
		}
		word, ok := p.vocabulary.readShortKeyword(p.wordsOf(s.text), q)
		if !ok || strings.Contains(s.text, "?") || answer != "" && answer != word {
			return rules.Order{}, false
		}
		answer = word
	}
	return rules.Order{Text: answer, Clauses: []rules.Clause{{Word: answer}}}, answer != ""
}

// readShortKeyword returns the keyword of a short form, e.g. PASS for "no thanks". Function words and courtesies may
// surround the short form.
func (v *vocabulary) readShortKeyword(ws []word, q *Question) (answer string, ok bool) {
	for i := 0; i < len(ws); {
		k, n := v.longestShortForm(ws[i:], q)
		switch {
		case n > 0 && answer != "" && (answer != k.Word || !ws[i].afterComma):
			return "", false // "I decline to pass" has two short forms.
		case n > 0:
			answer = k.Word
		default:
			l := sharedLexicon()
			if n = max(l.function.prefixLength(ws[i:]), l.closing.prefixLength(ws[i:]), l.greeting.prefixLength(ws[i:])); n == 0 ||
				i+n == len(ws) && isIncomplete(ws) {
				return "", false
			}
		}
		i += n
	}
	return answer, answer != ""
}

func (v *vocabulary) longestShortForm(ws []word, q *Question) (found rules.Keyword, n int) {
	for _, s := range v.shortForms[ws[0].text] {
		if len(s.words) > n && slices.Contains(q.verbs, s.keyword.Word) && hasPhrasePrefix(s.words, ws) {
			found, n = s.keyword, len(s.words)
		}
	}
	return found, n
}

// shortForm is a phrase that means a keyword without names, e.g. "no" for PASS (rules.Keyword.ShortAnswers).
type shortForm struct {
	words   []string
	keyword rules.Keyword
}

func shortFormsByFirstWord(listed []rules.Keyword) map[string][]shortForm {
	out := map[string][]shortForm{}
	for _, k := range listed {
		if len(k.ShortAnswers) == 0 || len(k.NameKinds) > 0 {
			continue
		}
		for _, s := range append(slices.Clone(k.ShortAnswers), k.Word) {
			if w := Words(s); len(w) > 0 {
				out[w[0]] = append(out[w[0]], shortForm{w, k})
			}
		}
	}
	return out
}

// onlyNumber returns the number of a numbered answer if the tokens contain nothing else.
func onlyNumber(tokens []token) (n int, ok bool) {
	for _, t := range tokens {
		switch {
		case t.isSeparator():
		case t.kind != tokenCount || ok || t.number < 1 || t.isTimes:
			return 0, false
		default:
			n, ok = t.number, true
		}
	}
	return n, ok
}

// MarkCourtesies reports for each line whether it is only a salutation, a closing or a person's name. For example, it
// reports true for "Thanks, Ben".
func (p *Parser) MarkCourtesies(lines []string) []bool {
	out := make([]bool, len(lines))
	sentences, ok := p.readSentences(&Question{}, lines)
	for i := range out {
		out[i] = ok
	}
	for _, s := range sentences {
		out[s.line] = out[s.line] && s.isCourtesy
	}
	return out
}

// IsCourtesyLine is MarkCourtesies for a single line.
func (p *Parser) IsCourtesyLine(line string) bool { return p.MarkCourtesies([]string{line})[0] }

// resolveNumber merges a number and a name if the number selects a thing from several with this name. For example, "the
// march with the five" means March-5.
func (v *vocabulary) resolveNumber(tokens []token) []token {
	name, count := -1, -1
	for i, t := range tokens {
		switch {
		case t.kind == tokenName && name >= 0, t.kind == tokenCount && (count >= 0 || name < 0), t.kind > tokenCount && !t.isSeparator():
			return tokens
		case t.kind == tokenName:
			name = i
		case t.kind == tokenCount:
			count = i
		}
	}
	if count < 0 || v.isCounted(tokens[name].names[0].Kind) {
		return tokens
	}
	matching := slices.DeleteFunc(slices.Clone(tokens[name].names), func(n rules.Name) bool {
		ws := words(n.Text)
		return len(ws) < 2 || ws[len(ws)-1].number != tokens[count].number
	})
	if len(matching) != 1 {
		return tokens
	}
	out := slices.Clone(tokens)
	out[name].names = matching
	return slices.Delete(out, count, count+1)
}
