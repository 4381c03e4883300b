package order

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

// What cannot be read line by line is read by what it names: the letter is taken apart
// into names, keywords and numbers, these are put together in every way that makes an
// order, and what is a legal answer to the question asked is what may have been meant.
// Whatever is left over speaks against it.

// Gist is what a letter seems to mean.
type Gist struct {
	// Orders are the answers, to the question and to those that follow from them. None
	// means that nothing was found; Several lists what could be meant where that is more
	// than one thing.
	Orders  []rules.Order
	Several []string
	// Used are the lines that the orders were taken from.
	Used []bool
	// Doubts are the parts of those lines that were not understood or that doubt, Left
	// are keywords that had to be added. Surplus means that more is named than is asked.
	Doubts, Left []string
	Surplus      bool
}

// Plain reports whether orders were found, and nothing speaks against them.
func (g Gist) Plain() bool {
	return len(g.Orders) > 0 && len(g.Doubts)+len(g.Left) == 0 && !g.Surplus
}

// The work that one letter makes is bounded.
const (
	mostPieces = 60
	mostTokens = 40
)

// Gist finds out what the lines of a letter mean as an answer to a question: as they
// stand, or as one, where a mail program may have broken them.
func (p *Parser) Gist(lines []string, q *Question) Gist {
	if o, ok := p.shortAnswer(lines, q); ok {
		return Gist{Orders: []rules.Order{o}, Used: slices.Repeat([]bool{true}, len(lines))}
	}
	lines = slices.Clone(lines)
	for i, line := range lines {
		lines[i] = twice.ReplaceAllStringFunc(line, p.once)
	}
	g := p.gist(lines, q)
	if len(lines) > 1 && len(g.Orders)+len(g.Several) == 0 {
		if whole := p.gist([]string{strings.ReplaceAll(strings.Join(lines, "\n"), "-\n", "-")}, q); len(whole.Orders) > 0 {
			whole.Used = slices.Repeat([]bool{true}, len(lines))
			return whole
		}
	}
	return g
}

// twice is a number that is repeated in brackets, as in contracts: "three (3)".
var twice = regexp.MustCompile(`\b\pL+ \(\d+\)`)

// once is such a number without its repetition, or a name that ends with a number in brackets
// without these: "Petition (6)".
func (p *Parser) once(text string) string {
	said, again, _ := strings.Cut(text, " (")
	again = strings.TrimSuffix(again, ")")
	switch {
	case strconv.Itoa(numerals[strings.ToLower(said)]) == again:
		return said
	case p.where(said + " " + again):
		return said + " " + again
	}
	return text
}

// gist finds out what lines mean: of all that they say, or of the pieces alone that are
// understood.
func (p *Parser) gist(lines []string, q *Question) Gist {
	parts, ok := p.takeApart(lines, q)
	if !ok {
		return Gist{}
	}
	g := p.fromParts(parts, len(lines), q, true)
	if flagged, some := p.flagged(q, parts); some && len(g.Orders)+len(g.Several) == 0 {
		g = p.fromParts(flagged, len(lines), q, true)
	}
	if len(g.Orders)+len(g.Several) == 0 {
		return p.fromParts(parts, len(lines), q, false)
	}
	unread := func(s scanned) bool { return s.unread && len(s.tokens) > 0 }
	if !(g.Surplus || len(g.Several) > 0) || !slices.ContainsFunc(parts, unread) {
		return g
	}
	// What is not understood need not be a part of it.
	if less := p.fromParts(parts, len(lines), q, false); len(less.Orders) > 0 && !less.Surplus && len(less.Left) == 0 {
		return less
	}
	if less := p.Lesser(lines, q); g.Surplus && len(less.Orders) > 0 {
		return less
	}
	return g
}

// flagged are pieces of which those that are not understood say nothing but the keywords of
// several words that have no names: "event first so I know where I stand". It reports whether
// there are some.
func (p *Parser) flagged(q *Question, parts []scanned) (out []scanned, some bool) {
	out = slices.Clone(parts)
	for i, s := range out {
		if !s.unread {
			continue
		}
		out[i].tokens = slices.DeleteFunc(slices.Clone(s.tokens), func(t token) bool {
			return t.part < partComma && (t.part != partWord || len(t.key.Takes) > 0 || len(t.key.words) < 2 || !p.concerns(q, t.key))
		})
		some = some || slices.ContainsFunc(out[i].tokens, func(t token) bool { return t.part == partWord })
	}
	return out, some
}

// takeApart takes lines apart, if they are not too many.
func (p *Parser) takeApart(lines []string, q *Question) (parts []scanned, ok bool) {
	named := false
	for i, line := range lines {
		if len(line) > longest || len(parts) > mostPieces {
			return nil, false
		}
		bracket, farewell := false, false
		cut := p.pieces(line)
		if !named {
			p.preambles(q, cut)
		}
		for at, f := range cut {
			if p.tooMuch(q, parts) {
				return nil, false
			}
			s := p.scan(q, f, bracket, named)
			if s.bare() && yielded(cut[:at]) {
				s.against()
			}
			last := at > 0 && at == len(cut)-1 && i == len(lines)-1 && len(unkissed(p.wordsOf(f.text))) == 1
			p.signed(&s, bracket, farewell, last, stops(cut, at))
			named = named || len(s.tokens) > 0
			farewell = len(s.tokens) == 0 && !s.unread && p.greets(f.text)
			bracket = f.end == '(' || bracket && f.end != ')'
			s.line, s.stops = i, stops(cut, at)
			p.pointsBack(&s, parts)
			parts = append(parts, s)
		}
		breaks(parts)
	}
	return parts, true
}

// signed passes over a piece that says nothing of what stands before it. Stops means that its
// sentence ends behind it.
func (p *Parser) signed(s *scanned, bracket, farewell, last, stops bool) {
	if farewell && stops && p.Person(s.text) {
		s.tokens = nil // "Thanks, Carl" is not from Karl-Marx-Stadt.
	}
	if len(s.tokens) == 0 && p.apart(s.text, bracket, farewell, last) {
		s.unread = false
	}
}

// tooMuch reports whether a letter makes too much work to be taken apart any further.
func (p *Parser) tooMuch(q *Question, parts []scanned) bool {
	return len(parts) > 2*mostPieces || p.grasp(q).spent()
}

// breaks notes that a line ends behind the last piece.
func breaks(parts []scanned) {
	if n := len(parts); n > 0 && len(parts[n-1].tokens) > 0 {
		parts[n-1].tokens = append(parts[n-1].tokens, token{part: partBreak})
	}
}

// stops reports whether a sentence ends behind a piece.
func stops(cut []piece, at int) bool {
	return at == len(cut)-1 || cut[at].end != 0 && strings.ContainsRune(".!?", cut[at].end)
}

// unkissed are words without the kisses behind them.
func unkissed(ws []word) []word {
	if n := len(ws); n > 1 && strings.Trim(ws[n-1].text, "x") == "" {
		return ws[:n-1]
	}
	return ws
}

// apart reports whether a text says nothing of what stands before it: in brackets it may say
// where a place is, behind a farewell or at the very end it may be a name.
func (p *Parser) apart(text string, bracket, farewell, last bool) bool {
	return bracket && p.where(strings.TrimPrefix(strings.TrimPrefix(text, "near "), "in ")) || farewell && p.Signature(text, false) || last && p.Person(text)
}

// fromParts finds out what pieces of so many lines mean, all of them or those that are
// understood.
func (p *Parser) fromParts(parts []scanned, lines int, q *Question, all bool) Gist {
	g := Gist{Used: make([]bool, lines)}
	var tokens []token
	for _, s := range parts {
		if len(s.tokens) > 0 && (all || !s.unread) {
			tokens = append(tokens, s.tokens...)
			g.Used[s.line] = true
		}
	}
	told := explicit(parts)
	for _, s := range parts {
		if s.unread && g.Used[s.line] && !(s.bygone && told) && !(all && p.agrees(&s)) {
			g.Doubts = append(g.Doubts, s.text)
		}
	}
	points := slices.ContainsFunc(parts, func(s scanned) bool { return len(s.tokens) > 0 && p.unit(s.text) })
	tokens = p.countedOps(p.ownVerbs(q, p.picked(tokens)), points)
	named := slices.DeleteFunc(slices.Clone(parts), func(s scanned) bool { return len(s.tokens) == 0 })
	x := &assembly{p: p, q: q, built: new(int), effort: &p.grasp(q).effort, inTurn: len(named) > 1 && !slices.ContainsFunc(named[min(1, len(named)):], func(s scanned) bool { return !s.then }), points: points}
	if n, ok := numbered(tokens); ok && n <= len(q.Forms) {
		g.Orders = []rules.Order{q.Forms[n-1]}
	} else if len(tokens) <= mostTokens {
		if g.Orders, g.Several = x.answersOrNumber(q, tokens); x.exhausted() {
			g.Orders, g.Several = nil, nil
		}
	}
	g.Left, g.Surplus = x.left, x.surplus || p.unlisted(q, tokens, g.Orders)
	p.weighed(&g, q, parts)
	return g
}

// unlisted reports whether tokens begin with a number that stands apart, counts nothing in a list of the
// orders and is of no answer: "15, 1 as event" names a card that cannot be played.
func (p *Parser) unlisted(q *Question, tokens []token, orders []rules.Order) bool {
	first := slices.IndexFunc(tokens, func(t token) bool { return t.part == partCount })
	if first < 0 || len(orders) == 0 || len(tokens[first].names) > 0 || tokens[first].n <= max(1, len(q.Forms)) || !ofAll(tokens, first) {
		return false
	}
	return !slices.ContainsFunc(orders, func(o rules.Order) bool {
		return slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool { return p.keywords.named(c.Word).List })
	})
}

// weighed adds the doubts that the orders found raise, and drops those that they settle.
func (p *Parser) weighed(g *Gist, q *Question, parts []scanned) {
	for _, s := range parts {
		if misnumbers(&s, q, g.Orders) || p.keepsBack(&s, g.Orders) || p.leads(q) && !s.unread && p.placesTaken(&s, g.Orders) {
			g.Doubts = append(g.Doubts, s.text)
		}
	}
	if len(g.Orders) > 0 {
		g.Doubts = slices.DeleteFunc(g.Doubts, func(text string) bool { return p.deniesOther(text, g.Orders) })
	}
	if len(g.Orders) > 0 && p.leavesOpen(g.Orders[len(g.Orders)-1]) {
		g.Doubts = slices.DeleteFunc(g.Doubts, leavesForLater)
	}
}

// misnumbers reports whether a piece is the number of an answer, and the orders give another: "3", beside
// the name of the first.
func misnumbers(s *scanned, q *Question, orders []rules.Order) bool {
	n, ok := numbered(s.tokens)
	return ok && len(orders) > 0 && n <= len(q.Forms) && Write(orders[0]) != Write(q.Forms[n-1])
}

// leavesOpen reports whether an order leaves open what it is for, until its writer is asked.
func (p *Parser) leavesOpen(o rules.Order) bool {
	opens := false
	for _, c := range o.Clauses {
		k := p.keywords.named(c.Word)
		opens = opens || k.Counted != "" && k.Verb
		if k.List && len(c.Items) > 0 {
			return false
		}
	}
	return opens
}

// leavesForLater reports whether a piece says that its writer will say later what an order is
// for that leaves it open: "my points I tell you when I see where he goes".
func leavesForLater(text string) bool {
	ws := words(text)
	has := func(list map[string]bool) bool {
		return slices.ContainsFunc(ws, func(w word) bool { return list[w.text] })
	}
	told := has(ownPoints) || len(ws) < 6 && len(ws) > 0 && (ws[0].text == "i" || ws[0].text == "ill") && has(placing)
	return told && has(willTell) && has(thereafter) && !has(notAll)
}

var (
	ownPoints  = wordSet("ops points operations operation spend spending")
	placing    = wordSet("place spend")
	willTell   = wordSet("say tell name do place spend direct decide choose see come comes follow follows write send go")
	thereafter = wordSet("when after once then later afterwards thereafter next follow follows")
	notAll     = wordSet("if unless not no or instead maybe perhaps might before until first whether wait hold should would could nothing dont cant cannot wont card other")
)

// countedOps drops the word for operations where it stands behind the first count of a letter, and
// only says what that counts: "both ops points into Miskolc". Points means that a word for what is
// counted stands in the letter: without, "all three ops to Lodz" may be checks.
func (p *Parser) countedOps(tokens []token, points bool) []token {
	for i, t := range tokens {
		switch {
		case t.part == partWord && t.key.Counted == "" && t.key.Verb:
			points = true
			continue
		case !points:
			return tokens
		case t.part != partCount || i+2 >= len(tokens):
			return tokens
		}
		ops, next := tokens[i+1], tokens[i+2]
		if ops.part == partWord && ops.key.Verb && ops.key.Counted != "" && (next.part == partName || next.part == partWord && next.key.Modifies) {
			return slices.Delete(slices.Clone(tokens), i+1, i+2)
		}
		return tokens
	}
	return tokens
}

// ownVerbs drops the verbs of other questions beside one that answers this, where they are for
// things of other kinds: "I discard three leaders to raise" raises.
func (p *Parser) ownVerbs(q *Question, tokens []token) []token {
	if !slices.ContainsFunc(tokens, func(t token) bool { return t.part == partWord && slices.Contains(q.Verbs, t.key.Word) }) {
		return tokens
	}
	own := p.kinds(q)
	return slices.DeleteFunc(tokens, func(t token) bool {
		return t.part == partWord && t.key.Verb && len(t.key.Takes) > 0 && !p.concerns(q, t.key) &&
			!slices.ContainsFunc(t.key.Takes, func(k rules.NameKind) bool { return slices.Contains(own, k) })
	})
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
