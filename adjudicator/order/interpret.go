package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// Interpretation is the meaning of the lines of a letter as an answer to a question: the legal orders that
// are consistent with all names, keywords and numbers in the lines.
type Interpretation struct {
	// Orders are the answer to the question, and the answers to the questions behind it. Orders is empty if no order was found, if
	// several could be meant, or if the letter denies the order that it names.
	Orders []rules.Order
	// Choices are two or three orders; the letter may mean any single order of these.
	Choices []string
	// Whole: every word is accounted for and there is one reading, so the orders may be carried out at once.
	Whole bool
	// Denied: a sentence denies, retracts, asks or conditions the order that the letter names.
	Denied bool
	// Bare: the only denial is a word on a line of its own, e.g. "no" beside an order on its own line.
	Bare bool
	// Own is the first word of an order that cannot be undone and so is never proposed.
	Own string
	// Used are the lines that the orders were taken from.
	Used []bool
	// Unread are the sentences that were not understood, Left the keywords that had to be added.
	Unread, Left []string
	// Surplus: the letter names more than the question asks.
	Surplus bool
	// twoWays: a number may be for a single name or for several, e.g. "2 in Krakow and Lodz". The legal answers of a question decide.
	twoWays bool
}

// mostChoices bounds the orders that a writer is offered to choose from.
const mostChoices = 3

// Interpret reads the lines of a letter as an answer to a question. For example, "36 event, my train is late" is not Whole, and
// proposes PLAY 36 EVENT.
func (p *Parser) Interpret(lines []string, q *Question) Interpretation {
	list, ok := p.sentences(q, lines)
	in := Interpretation{Used: make([]bool, len(lines))}
	if !ok {
		in.Unread = lines
		return in
	}
	whole := true
	for _, s := range list {
		if !s.accounted() {
			whole = false
			in.Unread = append(in.Unread, s.text)
		}
	}
	if word, ok := exact(list); ok {
		in.Own = word
		return in
	}
	if o, ok := p.shortAnswer(list, q); ok {
		in.Orders, in.Whole, in.Unread = []rules.Order{o}, true, nil
		in.use(list, func(s sentence) bool { return !s.courtesy })
		return in
	}
	if whole {
		p.vocabulary.read(q, list, &in, sentence.orders)
		in.Whole = len(in.Orders) > 0 && !in.Surplus && len(in.Left) == 0
		return in
	}
	if in.Denied = slices.ContainsFunc(list, sentence.retracts); in.Denied {
		in.Bare = bare(list)
		return in
	}
	p.vocabulary.propose(q, list, &in)
	if in.Denied = denied(list, in.Orders); in.Denied {
		in.Orders = nil
	}
	if len(in.Orders) > 0 && p.vocabulary.keywords.named(in.Orders[0].Clauses[0].Word).Final {
		in.Own, in.Orders = in.Orders[0].Clauses[0].Word, nil
	}
	return in
}

// propose looks for the orders of a letter that is not wholly understood: in all sentences that deny nothing, in the
// understood pieces of these sentences, and in each sentence by itself.
func (v *vocabulary) propose(q *Question, list []sentence, in *Interpretation) {
	some := func(s sentence) bool { return s.orders() && !s.denies }
	if v.read(q, list, in, some); in.proposes(list, list, some) {
		return
	}
	aside := func(t token) bool { return t.aside }
	for _, of := range []func(sentence) []token{
		func(s sentence) []token { return slices.DeleteFunc(slices.Clone(s.tokens), aside) }, // What stands in brackets may explain.
		func(s sentence) []token { return s.clear },
	} {
		parts := slices.Clone(list)
		for i, s := range parts {
			parts[i].tokens = of(s)
		}
		if v.read(q, parts, in, some); in.proposes(list, parts, some) {
			return
		}
	}
	v.proposeEach(q, list, in, some)
}

// proposeEach looks for the orders of each sentence by itself: one order is proposed, and a few different ones are a choice.
func (v *vocabulary) proposeEach(q *Question, list []sentence, in *Interpretation, some func(sentence) bool) {
	var found []Interpretation
	for i := range list {
		one := Interpretation{Used: make([]bool, len(in.Used))}
		v.read(q, list[i:i+1], &one, some)
		if one.Surplus || one.omits(list[i:i+1], list[i:i+1], some) {
			return
		}
		if len(one.Orders) > 0 && !slices.ContainsFunc(found, func(o Interpretation) bool { return Write(o.Orders[0]) == Write(one.Orders[0]) }) {
			found = append(found, one)
		}
	}
	if len(found) == 1 && found[0].omits(list, list, func(s sentence) bool { return some(s) && found[0].Used[s.line] }) {
		return
	}
	switch n := len(found); {
	case n == 1:
		in.Orders, in.Used, in.Left, in.Surplus = found[0].Orders, found[0].Used, found[0].Left, found[0].Surplus
	case n > 1 && n <= mostChoices:
		for _, f := range found {
			in.Choices = append(in.Choices, Write(f.Orders[0]))
		}
	}
}

// proposes reports whether the sentences that of chooses hold an order, made of the tokens in parts. It drops orders that may leave out
// or add to the text of the letter: an order for later, or an order whose sentence, or another sentence that is wholly accounted for,
// names another thing of the same sort. For example, "Gdansk 2, Warsaw evnt aftr" is not PLACE Gdansk 2.
func (in *Interpretation) proposes(list, parts []sentence, of func(sentence) bool) bool {
	if len(in.Orders) > 0 && (in.Surplus || in.omits(list, parts, of)) {
		*in = Interpretation{Used: make([]bool, len(in.Used)), Unread: in.Unread}
	}
	return len(in.Orders)+len(in.Choices) > 0
}

// omits reports whether the sentences name a thing that is missing from orders, though the orders have other names of the same sort.
func (in *Interpretation) omits(list, parts []sentence, of func(sentence) bool) bool {
	for i, s := range list {
		if s.denies || s.courtesy || !of(parts[i]) && !s.accounted() {
			continue
		}
		for _, t := range s.tokens {
			if (t.part == partName || t.part == partCount && t.n >= minBareNumber) && len(t.names) > 0 && !t.aside && in.lacks(t) {
				return true
			}
		}
	}
	return false
}

// lacks reports whether orders have names of the same sort as a token, but not the thing that the token names.
func (in *Interpretation) lacks(t token) bool {
	kind, has := false, false
	see := func(n rules.Name) {
		for _, m := range t.names {
			kind, has = kind || n.Kind == m.Kind, has || n.Kind == m.Kind && n.Code == m.Code
		}
	}
	for _, o := range in.Orders {
		for _, c := range o.Clauses {
			for _, it := range c.Items {
				see(it.Name)
				for _, m := range it.Mods {
					see(m.Name)
				}
			}
		}
	}
	return kind && !has
}

// read makes orders of the sentences that of chooses.
func (v *vocabulary) read(q *Question, list []sentence, in *Interpretation, of func(sentence) bool) {
	x := &assembly{vocabulary: v, q: q, effort: &v.analyse(q).effort}
	var tokens []token
	for _, s := range list {
		if of(s) {
			tokens, x.unknown, x.points = append(tokens, s.tokens...), append(x.unknown, s.unknown...), x.points || s.points
		}
		if !s.denies {
			x.words = append(x.words, Words(s.text)...)
		}
	}
	tokens = v.picked(tokens)
	if n, ok := numbered(tokens); ok && n <= len(q.Forms) && (len(x.unknown) == 0 || !slices.ContainsFunc(tokens, inWords)) {
		in.Orders = []rules.Order{q.Forms[n-1]}
	} else if len(tokens) <= mostTokens {
		if in.Orders, in.Choices = x.answersOrNumber(q, tokens); x.exhausted() {
			in.Orders, in.Choices = nil, nil
		}
	}
	if len(in.Choices) > mostChoices {
		in.Choices = nil
	}
	in.Left, in.Surplus, in.twoWays = x.left, x.surplus, x.twoWays
	if len(in.Orders) > 0 {
		in.use(list, of)
	}
}

// inWords reports whether a token is a number word. Among unknown words a number word answers nothing, e.g. "lose one there".
func inWords(t token) bool { return t.part == partCount && !t.digits }

// use records the lines that orders are taken from.
func (in *Interpretation) use(list []sentence, of func(sentence) bool) {
	for _, s := range list {
		in.Used[s.line] = in.Used[s.line] || of(s)
	}
}

// exact is the first word of an order that a sentence names, if that order must be written in full.
func exact(list []sentence) (string, bool) {
	for _, s := range list {
		for _, t := range s.tokens {
			if t.part == partWord && t.key.Exact {
				return t.key.Word, true
			}
		}
	}
	return "", false
}

// bare reports whether all sentences that retract are a word on a line of their own, and not "?".
func bare(list []sentence) bool {
	return !slices.ContainsFunc(list, func(s sentence) bool {
		beside := slices.ContainsFunc(list, func(o sentence) bool { return o.line == s.line && o.text != s.text })
		return s.retracts() && (!s.denial || s.refers || s.refersBack || len(s.unknown) > 1 || beside)
	})
}

// denied reports whether a sentence asks about a thing in the orders, or corrects it by a thing of the same kind. For example, "March
// 3. No, the worker."
func denied(list []sentence, orders []rules.Order) bool {
	has := func(t token, named, corrects bool) bool {
		return slices.ContainsFunc(orders, func(o rules.Order) bool {
			return slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool {
				return !named && t.part == partWord && t.key.Word == c.Word || slices.ContainsFunc(c.Items, func(it rules.Item) bool {
					return slices.ContainsFunc(t.names, func(n rules.Name) bool { return n.Kind == it.Name.Kind && (corrects || n.Code == it.Name.Code) })
				})
			})
		})
	}
	clean, correcting := false, false
	for _, s := range list {
		named := slices.ContainsFunc(s.tokens, func(t token) bool { return len(t.names) > 0 })
		same := slices.ContainsFunc(s.tokens, func(t token) bool { return has(t, named && !t.denied, s.corrects) })
		other := slices.ContainsFunc(s.tokens, func(t token) bool { return has(t, true, true) && !has(t, true, false) })
		if s.denies && same || correcting && other {
			return true
		}
		clean = clean || s.orders() && s.accounted()
		correcting = clean && s.corrects && !named
	}
	return len(orders) == 0 && !clean && slices.ContainsFunc(list, func(s sentence) bool { return s.denies && s.orders() })
}

// shortAnswer is the keyword of a letter that says only this keyword, in other words. For example, "No thanks" is PASS.
func (p *Parser) shortAnswer(list []sentence, q *Question) (rules.Order, bool) {
	answer := ""
	for i := range list {
		s := &list[i]
		if s.courtesy {
			continue
		}
		word, ok := p.vocabulary.short(p.wordsOf(s.text), q)
		if !ok || strings.Contains(s.text, "?") || answer != "" && answer != word {
			return rules.Order{}, false
		}
		answer = word
	}
	return rules.Order{Text: answer, Clauses: []rules.Clause{{Word: answer}}}, answer != ""
}

// short is the keyword of words that may have function words and courtesy around it.
func (v *vocabulary) short(ws []word, q *Question) (answer string, ok bool) {
	for i := 0; i < len(ws); {
		k, n := v.shortAt(ws[i:], q)
		switch {
		case n > 0 && answer != "" && (answer != k.Word || !ws[i].comma):
			return "", false // "I decline to pass"
		case n > 0:
			answer = k.Word
		default:
			l := lexical()
			if n = max(l.function.begins(ws[i:]), l.closing.begins(ws[i:]), l.greeting.begins(ws[i:])); n == 0 || i+n == len(ws) && dangles(ws) {
				return "", false
			}
		}
		i += n
	}
	return answer, answer != ""
}

// shortAt finds the longest phrase for a keyword without names that begins ws, and the number of its words.
func (v *vocabulary) shortAt(ws []word, q *Question) (found rules.Keyword, n int) {
	for _, s := range v.shorts[ws[0].text] {
		if len(s.words) > n && slices.Contains(q.verbs, s.of.Word) && begun(s.words, ws) {
			found, n = s.of, len(s.words)
		}
	}
	return found, n
}

// shortForm is a phrase for a keyword that needs no names.
type shortForm struct {
	words []string
	of    rules.Keyword
}

// shortForms maps the first words of such phrases to the phrases.
func shortForms(listed []rules.Keyword) map[string][]shortForm {
	out := map[string][]shortForm{}
	for _, k := range listed {
		if len(k.ShortAnswers) == 0 || len(k.Takes) > 0 {
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

// numbered is the number of an answer, if the letter has no other token.
func numbered(tokens []token) (n int, ok bool) {
	for _, t := range tokens {
		switch {
		case t.part == partComma || t.part == partBreak:
		case t.part != partCount || ok || t.n < 1 || t.times:
			return 0, false
		default:
			n, ok = t.n, true
		}
	}
	return n, ok
}

// Courtesies reports for each line whether it is only a salutation, a closing or a name. For example, "Thanks, Ben" is.
func (p *Parser) Courtesies(lines []string) []bool {
	out := make([]bool, len(lines))
	list, ok := p.sentences(&Question{}, lines)
	for i := range out {
		out[i] = ok
	}
	for _, s := range list {
		out[s.line] = out[s.line] && s.courtesy
	}
	return out
}

// Harmless reports whether a line is only courtesy.
func (p *Parser) Harmless(line string) bool { return p.Courtesies([]string{line})[0] }

// picked are the tokens of a name and of a number that only says which thing is meant. For example, "the march with the five" and "a
// strike, the small one (3)".
func (v *vocabulary) picked(tokens []token) []token {
	name, count := -1, -1
	for i, t := range tokens {
		switch {
		case t.part == partName && name >= 0, t.part == partCount && (count >= 0 || name < 0), t.part > partCount && t.part < partComma:
			return tokens
		case t.part == partName:
			name = i
		case t.part == partCount:
			count = i
		}
	}
	if count < 0 || v.isCounted(tokens[name].names[0].Kind) {
		return tokens
	}
	fit := slices.DeleteFunc(slices.Clone(tokens[name].names), func(n rules.Name) bool {
		ws := words(n.Text)
		return len(ws) < 2 || ws[len(ws)-1].number != tokens[count].n
	})
	if len(fit) != 1 {
		return tokens
	}
	out := slices.Clone(tokens)
	out[name].names = fit
	return slices.Delete(out, count, count+1)
}
