package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// Interpretation is what the lines of a letter mean as an answer to a question: the legal orders that
// are consistent with all names, keywords and numbers in them.
type Interpretation struct {
	// Orders are the answer to the question, and those to the questions behind it. There are none where
	// nothing was found, where several could be meant, or where the letter denies what it names.
	Orders []rules.Order
	// Choices are two or three orders of which the letter may mean one.
	Choices []string
	// Whole means that every word is accounted for and that there is one reading: the orders may be
	// carried out at once.
	Whole bool
	// Denied means that a sentence denies, retracts, asks or conditions what the letter names.
	Denied bool
	// Bare means that nothing but a word on a line of its own denies: "no", beside an order on its own line.
	Bare bool
	// Own is the first word of an order that is never proposed, since it cannot be undone.
	Own string
	// Used are the lines that the orders were taken from.
	Used []bool
	// Unread are the sentences that were not understood, Left the keywords that had to be added.
	Unread, Left []string
	// Surplus means that more is named than is asked.
	Surplus bool
	// twoWays means that a number may be for one name or for several: "2 in Krakow and Lodz". Of a question it is
	// known which of the two is legal.
	twoWays bool
}

// mostChoices is how many orders a writer is offered to pick one.
const mostChoices = 3

// Interpret finds out what the lines of a letter mean as an answer to a question.
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
		p.read(q, list, &in, sentence.orders)
		in.Whole = len(in.Orders) > 0 && !in.Surplus && len(in.Left) == 0
		return in
	}
	if in.Denied = slices.ContainsFunc(list, sentence.retracts); in.Denied {
		in.Bare = bare(list)
		return in
	}
	p.propose(q, list, &in)
	if in.Denied = denied(list, in.Orders); in.Denied {
		in.Orders = nil
	}
	if len(in.Orders) > 0 && p.keywords.named(in.Orders[0].Clauses[0].Word).Final {
		in.Own, in.Orders = in.Orders[0].Clauses[0].Word, nil
	}
	return in
}

// propose looks for what a letter may mean of which not all is understood: by all sentences that deny
// nothing, by those alone that are understood, and by each of them.
func (p *Parser) propose(q *Question, list []sentence, in *Interpretation) {
	some := func(s sentence) bool { return s.orders() && !s.denies }
	clear := func(s sentence) bool { return some(s) && s.accounted() }
	for _, of := range []func(sentence) bool{some, clear} {
		if p.read(q, list, in, of); len(in.Orders)+len(in.Choices) > 0 {
			return
		}
	}
	parts := slices.Clone(list)
	for i, s := range parts {
		parts[i].tokens = s.clear
	}
	if p.read(q, parts, in, some); len(in.Orders)+len(in.Choices) > 0 {
		return
	}
	var found []Interpretation
	for i := range list {
		one := Interpretation{Used: make([]bool, len(in.Used))}
		p.read(q, list[i:i+1], &one, some)
		if len(one.Orders) > 0 && !slices.ContainsFunc(found, func(o Interpretation) bool { return Write(o.Orders[0]) == Write(one.Orders[0]) }) {
			found = append(found, one)
		}
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

// read puts together what some sentences say.
func (p *Parser) read(q *Question, list []sentence, in *Interpretation, of func(sentence) bool) {
	var tokens []token
	points := false
	for _, s := range list {
		if of(s) {
			tokens, points = append(tokens, s.tokens...), points || s.points
		}
	}
	tokens = p.picked(tokens)
	x := &assembly{p: p, q: q, built: new(int), effort: &p.grasp(q).effort, points: points}
	if n, ok := numbered(tokens); ok && n <= len(q.Forms) {
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

// use notes the lines that orders are taken from.
func (in *Interpretation) use(list []sentence, of func(sentence) bool) {
	for _, s := range list {
		in.Used[s.line] = in.Used[s.line] || of(s)
	}
}

// exact is the word of an order that a sentence names and that counts only as it is written.
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
		return s.retracts() && (!s.denial || s.refers || len(s.unknown) > 1 || beside)
	})
}

// denied reports whether a sentence that asks names what is in the orders, or one that corrects it by something of the
// same kind: "March 3. No, the worker."
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
	clean := slices.ContainsFunc(list, func(s sentence) bool { return s.orders() && s.accounted() })
	return slices.ContainsFunc(list, func(s sentence) bool {
		named := slices.ContainsFunc(s.tokens, func(t token) bool { return len(t.names) > 0 })
		return s.denies && (len(orders) == 0 && !clean && s.orders() || slices.ContainsFunc(s.tokens, func(t token) bool { return has(t, named, s.corrects) }))
	})
}

// shortAnswer is the keyword that a letter means which says it in other words, and nothing else:
// "No thanks" is PASS.
func (p *Parser) shortAnswer(list []sentence, q *Question) (rules.Order, bool) {
	answer := ""
	for i := range list {
		s := &list[i]
		if s.courtesy {
			continue
		}
		word, ok := p.short(p.wordsOf(s.text), q)
		if !ok || strings.Contains(s.text, "?") || answer != "" && answer != word {
			return rules.Order{}, false
		}
		answer = word
	}
	return rules.Order{Text: answer, Clauses: []rules.Clause{{Word: answer}}}, answer != ""
}

// short is the keyword that words mean, with function words and courtesy around it.
func (p *Parser) short(ws []word, q *Question) (answer string, ok bool) {
	for i := 0; i < len(ws); {
		k, n := p.shortAt(ws[i:], q)
		switch {
		case n > 0 && answer != "" && (answer != k.Word || !ws[i].comma):
			return "", false // "I decline to pass"
		case n > 0:
			answer = k.Word
		default:
			if n = max(lexical().function.begins(ws[i:]), lexical().closing.begins(ws[i:]), lexical().greeting.begins(ws[i:])); n == 0 || i+n == len(ws) && dangles(ws) {
				return "", false
			}
		}
		i += n
	}
	return answer, answer != ""
}

// shortAt finds the longest of the words for a keyword without names that begin ws, and how
// many they are.
func (p *Parser) shortAt(ws []word, q *Question) (found rules.Keyword, n int) {
	for _, s := range p.shorts[ws[0].text] {
		if len(s.words) > n && slices.Contains(q.verbs, s.of.Word) && begun(s.words, ws) {
			found, n = s.of, len(s.words)
		}
	}
	return found, n
}

// shortForm is a way to say a keyword that says all by itself.
type shortForm struct {
	words []string
	of    rules.Keyword
}

// shortForms are those of keywords, by their first words.
func shortForms(listed []rules.Keyword) map[string][]shortForm {
	out := map[string][]shortForm{}
	for _, k := range listed {
		if len(k.Short) == 0 || len(k.Takes) > 0 {
			continue
		}
		for _, s := range append(slices.Clone(k.Short), k.Word) {
			if w := Words(s); len(w) > 0 {
				out[w[0]] = append(out[w[0]], shortForm{w, k})
			}
		}
	}
	return out
}

// numbered is the number of an answer where a letter says nothing else.
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

// Courtesies says of each line whether it is nothing but a salutation, a closing or a name.
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

// Harmless reports whether a line is nothing but courtesy.
func (p *Parser) Harmless(line string) bool { return p.Courtesies([]string{line})[0] }

// picked are tokens of which one names something, and one is a number that only says which: "the
// march with the five", "a strike, the small one (3)".
func (p *Parser) picked(tokens []token) []token {
	name, count := -1, -1
	for i, t := range tokens {
		switch {
		case t.part == partName && name >= 0, t.part == partCount && (count >= 0 || name < 0), t.part == partEach, t.part == partRest, t.part == partTimes:
			return tokens
		case t.part == partName:
			name = i
		case t.part == partCount:
			count = i
		}
	}
	if count < 0 || p.counted(tokens[name].names[0].Kind) {
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
