package order

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"samizdat/rules"
)

// Interpretation is what the lines of a letter mean as an answer to a question: the legal orders that
// are consistent with all names, keywords and numbers in them.
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
// understood sentences alone, and in each sentence by itself.
func (v *vocabulary) propose(q *Question, list []sentence, in *Interpretation) {
	some := func(s sentence) bool { return s.orders() && !s.denies }
	clear := func(s sentence) bool { return some(s) && s.accounted() }
	for _, of := range []func(sentence) bool{some, clear} {
		if v.read(q, list, in, of); in.proposes(list, list, of) {
			v.compare(q, list, in, func(s sentence) bool { return some(s) && !of(s) })
			return
		}
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

// compare offers a choice if another sentence, with a count or a keyword, is another order.
func (v *vocabulary) compare(q *Question, list []sentence, in *Interpretation, of func(sentence) bool) {
	for i, s := range list {
		if len(in.Orders) != 1 || !of(s) || !slices.ContainsFunc(s.tokens, func(t token) bool { return t.part == partCount }) {
			continue
		}
		one := Interpretation{Used: make([]bool, len(in.Used))}
		if v.read(q, list[i:i+1], &one, of); len(one.Orders) > 0 && Write(one.Orders[0]) != Write(in.Orders[0]) {
			in.Choices, in.Orders = []string{Write(in.Orders[0]), Write(one.Orders[0])}, nil
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
			if (t.part == partName || t.part == partCount && t.n >= leastNumbered) && len(t.names) > 0 && !t.aside && in.lacks(t) {
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
	x := &assembly{vocabulary: v, q: q, effort: &v.grasp(q).effort}
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
	if count < 0 || v.counted(tokens[name].names[0].Kind) {
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

// The parser also reads an order without an open question: an order ahead, an example of HELP, an order that the rules do not allow
// now. Each word has to be accounted for, as in a letter, and the line has to be one order, whatever is asked.

// Order reads one line: exactly as written, or else by its words. Errors are of the type *Unclear. For example, "I'll play The July
// Concept for the event please" is an order.
func (p *Parser) Order(text string) (rules.Order, error) {
	if p.found == nil || len(text) > longest {
		return p.order(text)
	}
	r := p.found.orders.get(text, func() (r reads) {
		r.order, r.err = p.order(text)
		return r
	})
	r.order.Clauses = slices.Clone(r.order.Clauses)
	return r.order, r.err
}

func (p *Parser) order(text string) (rules.Order, error) {
	o, err := p.Plain(text)
	if err == nil || len(text) > longest {
		return o, err
	}
	for _, legal := range []bool{true, false} { // The host's orders and the pages of HELP answer nothing of the game.
		if again, failed := p.spokenOrder(text, legal); failed == nil || legal && failed != errNone {
			return again, failed
		}
	}
	return o, err
}

// errNone means that a line has no order whose words are all accounted for.
var errNone = errors.New("no order")

// spokenOrder reads a line by the words that it is made of. Legal means that it has to be an answer of the game.
func (p *Parser) spokenOrder(text string, legal bool) (rules.Order, error) {
	q := p.unasked(text, legal)
	list, ok := p.sentences(q, []string{text})
	said := slices.ContainsFunc(list, func(s sentence) bool {
		return slices.ContainsFunc(s.tokens, func(t token) bool { return t.part == partWord })
	})
	if !ok || !said || slices.ContainsFunc(list, func(s sentence) bool { return !s.accounted() }) {
		return rules.Order{}, errNone
	}
	var in Interpretation
	in.Used = []bool{false}
	p.vocabulary.read(q, list, &in, sentence.orders)
	switch {
	case len(in.Orders) == 1 && len(in.Left) == 0 && in.twoWays:
		return rules.Order{}, &Unclear{Text: text, Part: text, Ambiguous: true,
			problem: "can be meant in two ways, as a number may be for one name or for several; write one after each name"}
	case len(in.Orders) == 1 && len(in.Left) == 0:
		in.Orders[0].Text = text
		return in.Orders[0], nil
	case len(in.Choices) > 0:
		return rules.Order{}, &Unclear{Text: text, Part: text, problem: "can be meant in several ways", Ambiguous: true, Candidates: in.Choices}
	}
	return rules.Order{}, errNone
}

// unasked is a question that is answered by any order with the verbs of a line, or with those that may be left out.
func (p *Parser) unasked(text string, legal bool) *Question {
	q := &Question{named: map[thing]bool{}, Try: func(o rules.Order) *Trial {
		if _, err := p.vocabulary.lang.Answers(o, nil); legal && err != nil {
			return nil
		}
		return &Trial{Answer: Write(o), Whole: true}
	}}
	ws, implied := p.wordsOf(text), true
	for i := range ws {
		if k, ok := p.vocabulary.keywords.at(ws[i:]); ok && k.Verb && !k.Exact && len(q.verbs) == 0 {
			q.verbs, implied = append(q.verbs, k.Word), i > 0 // "36 ops" leaves PLAY out.
		}
	}
	for _, k := range p.vocabulary.listed {
		switch {
		case k.Implied && implied && !slices.Contains(q.verbs, k.Word):
			q.verbs = append(q.verbs, k.Word)
		case !k.Verb && len(k.Takes) == 0:
			q.words = append(q.words, k.Word)
		}
	}
	return q
}

// IsOrder reports whether a line is an order, and not talk: it can be read as one, or begins with a verb in capitals.
func (p *Parser) IsOrder(line string) bool {
	ws := p.wordsOf(line)
	k, ok := p.vocabulary.keywords.verb(ws)
	if len(line) > longest {
		return false
	}
	if !ok {
		_, err := p.Order(line)
		return err == nil
	}
	if head := line[ws[0].start:ws[len(k.words)-1].end]; head == strings.ToUpper(head) && (len(ws) > len(k.words) || len(k.Takes) == 0) {
		return true
	}
	_, err := p.Order(line)
	return err == nil
}

// Exact returns the keyword that a line may mean but does not say exactly, where the keyword has to be written as it
// is: "I concede", "surender power". It is empty where there is none.
func (p *Parser) Exact(line string) string {
	if len(line) > longest {
		return ""
	}
	for _, w := range p.wordsOf(line) {
		if len(w.text) < 4 {
			continue
		}
		for _, k := range p.vocabulary.keywords.exact {
			if wrong(w, k.words[0]) <= 1 {
				return k.Word
			}
		}
	}
	return ""
}

// Number reads a line that is a number and nothing more: "2", "2.", "#2", "option 2 please".
func Number(line string) (n int, ok bool) {
	n = -1
	for _, w := range words(line) {
		switch {
		case strings.Contains(line, "?"):
			return 0, false
		case w.number >= 0 && w.text[0] != 'x' && n < 0:
			n = w.number
		case w.text != "option" && w.text != "answer" && w.text != "number" && w.text != "please" && w.text != "thanks":
			return 0, false
		}
	}
	return n, n >= 0
}

// Sentences cuts a line behind its stops, and behind question and exclamation marks.
func Sentences(line string) []string {
	var out []string
	start := 0
	for i, r := range line {
		if !strings.ContainsRune(".?!", r) || i+1 < len(line) && !unicode.IsSpace(rune(line[i+1])) {
			continue
		}
		out = append(out, strings.TrimSpace(line[start:i+1]))
		start = i + 1
	}
	if rest := strings.TrimSpace(line[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// Words lists the words of a sentence without its courtesies.
func (p *Parser) Words(sentence string) []string {
	var out []string
	for i, f := range pieces(sentence) {
		ws := p.wordsOf(f.text)
		if ws = ws[p.vocabulary.greeted(f.text, ws, i == 0):]; !p.vocabulary.closes(f.text, ws) {
			out = append(out, texts(ws)...)
		}
	}
	return out
}

// Named finds the things of a kind that a text names in full, or so that nothing else
// of the kind can be meant, and returns the other words.
func (p *Parser) Named(text string, kind rules.NameKind) (names []rules.Name, rest []string) {
	ws := p.wordsOf(text)
	kinds, none := []rules.NameKind{kind}, &Question{}
	for i := 0; i < len(ws); {
		n, found, _ := p.vocabulary.named(none, kinds, ws[i:])
		if n == 0 && ws[i].number > 0 {
			found, _ = p.vocabulary.names.find(kinds, ws[i:i+1])
			n = len(found)
		}
		if len(found) != 1 {
			rest = append(rest, ws[i].text)
			i++
			continue
		}
		if !slices.ContainsFunc(names, func(o rules.Name) bool { return o.Code == found[0].Code }) {
			names = append(names, found[0])
		}
		i += n
	}
	return names, rest
}
