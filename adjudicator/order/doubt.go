package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// What stands beside names in a piece, or what names it has, may say that they are no order.

// doubts reports whether a piece asks, or its words speak against what it has for an order.
func (p *Parser) doubts(s *scanned, f piece, ws []word) bool {
	switch {
	case s.denied(), s.whole() && others(ws), s.said() && p.aboutLetters(ws), len(s.tokens) > 0 && habitual(ws), takesAway(ws) && (len(s.strange) > 0 || byOther(ws)), len(s.tokens) > 0 && (questions(ws) || wanted(ws) || dated(ws) || isSetAside(ws)), idiomatic(ws):
		return true
	}
	return f.end == '?' && (len(s.tokens) > 0 || !p.harmless(f))
}

// habitual reports whether words tell what happens again and again, as no order does: a name
// that is a clause of English as well may be one among them, as in "my tactic fails every time".
func habitual(ws []word) bool {
	for i, w := range ws {
		if habits[w.text] {
			return true
		}
		if (w.text == "every" || w.text == "each" || w.text == "all") && slices.ContainsFunc(ws[i+1:min(i+4, len(ws))], func(o word) bool { return periods[o.text] }) {
			return true
		}
	}
	return false
}

var (
	habits  = wordSet("always usually often sometimes constantly regularly normally generally repeatedly everytime lately nowadays whenever dream dreams")
	periods = wordSet("time times game games match matches day days week weeks month months year years evening night")
)

// otherwise reports whether words say the opposite of what is asked, or speak of what another
// has: "take 3 from Lodz" where points are placed, "this rally of yours".
func (p *Parser) otherwise(q *Question, ws []word) bool {
	if slices.ContainsFunc(ws, func(w word) bool { return w.text == "yours" || w.text == "hers" || w.text == "theirs" }) {
		return true
	}
	return takesAway(ws) && !p.leads(q) && !p.grasp(q).says(q, "loses") && !p.takes(q.Verbs)
}

// byOther reports whether words begin with somebody else than their writer: "He will take one".
func byOther(ws []word) bool {
	return ws[0].text == "he" || ws[0].text == "she" || ws[0].text == "they"
}

// takes reports whether one of some verbs takes away what is where it is.
func (p *Parser) takes(verbs []string) bool {
	return slices.ContainsFunc(p.keywords.by["take"], func(k keyword) bool { return k.alias && slices.Contains(verbs, k.Word) })
}

// placesTaken reports whether a piece takes something away, and none of the orders does.
func (p *Parser) placesTaken(s *scanned, orders []rules.Order) bool {
	var verbs []string
	for _, o := range orders {
		verbs = append(verbs, o.Clauses[0].Word)
	}
	return len(s.tokens) > 0 && takesAway(words(s.text)) && !p.takes(verbs)
}

// takesAway reports whether words say that something is taken from where it is.
func takesAway(ws []word) bool {
	i := slices.IndexFunc(ws, func(w word) bool { return strings.HasPrefix(w.text, "tak") })
	return i >= 0 && slices.ContainsFunc(ws[i:], func(w word) bool {
		return w.text == "from" || w.text == "off" || w.text == "away" || w.text == "out"
	})
}

// deniesOther reports whether a piece only denies what orders do not say: "not the event", beside
// one that uses the operations.
func (p *Parser) deniesOther(text string, orders []rules.Order) bool {
	ws := p.wordsOf(text)
	if len(ws) < 2 || ws[0].text != "not" && ws[0].text != "no" {
		return false
	}
	denied := 0
	for i := 1; i < len(ws); {
		k, ok := p.keywords.at(ws[i:])
		switch {
		case ok && !fillers[ws[i].text]:
			if k.Verb || slices.ContainsFunc(orders, func(o rules.Order) bool { return saysAny(o, k) }) {
				return false
			}
			denied++
			i += len(k.words)
		case deniedWith[ws[i].text], small[ws[i].text], idle(ws[i].text):
			i++
		default:
			return false
		}
	}
	return denied == 1
}

// deniedWith words stand in "not for the event", "not as the event this time".
var deniedWith = wordSet("for as this time")

// saysAny reports whether an order has a clause whose word begins as a keyword does: EVENT AFTER
// has the event as well.
func saysAny(o rules.Order, k keyword) bool {
	first := strings.Fields(k.Word)[0]
	return slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool { return strings.Fields(c.Word)[0] == first })
}

// onlyName reports whether one name is all that a piece says.
func (s *scanned) onlyName() bool {
	names := 0
	for _, t := range s.tokens {
		switch {
		case t.part == partName:
			names++
		case t.part == partWord && !t.key.Modifies, t.part == partCount:
			return false
		}
	}
	return names == 1
}

// said reports whether a piece has a verb that is said in other words too.
func (s *scanned) said() bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool { return t.bare() && len(t.key.Short) > 0 })
}

// idlePhrase reports whether words are one phrase that says nothing, in a piece of its own
// as well.
func idlePhrase(ws []word) bool {
	return phraseWords(ws) == len(ws) && (len(ws) != 1 || !remarks().turning[ws[0].text] && !remarks().others[ws[0].text])
}

// denied reports whether a piece has two of the words for a verb that says all by itself:
// one of them may deny the other, as in "I decline to pass".
func (s *scanned) denied() bool {
	for i, t := range s.tokens {
		if t.bare() && slices.ContainsFunc(s.tokens[:i], func(o token) bool {
			return o.part == partWord && o.key.Word == t.key.Word && !slices.Equal(o.key.words, t.key.words)
		}) {
			return true
		}
	}
	return false
}

// aboutLetters reports whether words speak of letters and answers: beside a verb that says all
// by itself, as in "I decline to answer", they may be all that it is about.
func (p *Parser) aboutLetters(ws []word) bool {
	return slices.ContainsFunc(ws, func(w word) bool {
		return remarks().letters[w.text] && !slices.ContainsFunc(p.keywords.by[w.text], func(k keyword) bool { return len(k.words) == 1 }) && !pointing[w.text] && w.text != "it" && w.text != "one" && w.text != "turn" && w.text != "round"
	})
}

// others reports whether words speak of other people than their writer.
func others(ws []word) bool {
	return slices.ContainsFunc(ws, func(w word) bool { return remarks().others[w.text] })
}

// yielded reports whether the words before a piece in its sentence give the turn to the
// reader: "your turn, pass" orders him to.
func yielded(before []piece) bool {
	if len(before) == 0 || strings.ContainsRune(".!?", before[len(before)-1].end) {
		return false
	}
	ws := words(before[len(before)-1].text)
	return others(ws) || len(ws) > 1 && ws[len(ws)-1].text == "you" && ws[len(ws)-2].text == "to"
}

// agrees reports whether a piece of an order that is legal with all that it names has only words
// of English besides that the order may be told with: "the Hungarians get the Pope".
func (p *Parser) agrees(s *scanned) bool {
	ws := p.wordsOf(s.text)
	if s.speaks || len(s.tokens) == 0 || s.said() || forAnybody(ws) || abroad(ws) || another(ws) {
		return false // What answers by itself is in ordinary sentences too: "pass the salt".
	}
	slang := 0
	if p.inEnglish(ws) {
		slang = 1
	}
	return !slices.ContainsFunc(s.strange, func(w string) bool {
		of := tongues()[0].of(w)
		switch {
		case performing[w]:
			return false
		case of == unknown && len(w) <= longestSlang && slang > 0 && !remarks().given[w] && !p.doubtful(w):
			slang--
			return false
		}
		return of != unknown || remarks().others[w] || !p.names.holds(w) && !stretched(w) && !slipped(w)
	})
}

// longestSlang is how many letters a word may have to be no more than slang: "obvs".
const longestSlang = 4

// inEnglish reports whether one of some words is of English and of no order: a word beside it that is
// not known is slang, and no denial in a language that is not read.
func (p *Parser) inEnglish(ws []word) bool {
	return slices.ContainsFunc(ws, func(w word) bool {
		return !w.digits && tongues()[0].of(w.text) != unknown && !p.known([]word{w})
	})
}

// slipped reports whether a word is one that says nothing in an order but for a letter.
func slipped(w string) bool {
	if len(w) < 5 {
		return false
	}
	for o := range remarks().idle {
		if len(o) > 4 && wrong(word{text: w, number: -1}, o) == 1 {
			return true
		}
	}
	return false
}

// abroad reports whether another language knows as many of some words as English does: what they say
// of an order there is not known.
func abroad(ws []word) bool {
	known := func(t *tongue) (n int) {
		for _, w := range ws {
			if t.at(w.text, shortestStem) != unknown {
				n++
			}
		}
		return n
	}
	all := tongues()
	least := max(1, known(all[0]))
	return slices.ContainsFunc(all[1:], func(t *tongue) bool { return known(t) >= least })
}

// stretched reports whether a word has a letter three times in a row, as people write who shout.
func stretched(w string) bool {
	for i := 2; i < len(w); i++ {
		if w[i] == w[i-1] && w[i] == w[i-2] && !digit(w[i]) {
			return true
		}
	}
	return false
}

// another reports whether words are for another round, or for when somebody else has done his part:
// "39 event next turn", "Gdansk after you".
func another(ws []word) bool {
	for i, w := range ws {
		last := i+1 == len(ws)
		switch {
		case w.text == "next" && (last && i > 0 || !last && rounds[ws[i+1].text]), w.text == "after" && !last && (awaited[ws[i+1].text] || remarks().given[ws[i+1].text]):
			return true
		}
	}
	return false
}

var (
	rounds  = wordSet("turn turns round rounds time times week month year game match letter mail move")
	awaited = wordSet("you him her he she they them all this hearing lunch dinner work")
)

// forAnybody reports whether words order nobody in person; "all three" and "all of them" count.
func forAnybody(ws []word) bool {
	for i, w := range ws {
		if anybody[w.text] && !(w.text == "all" && i+1 < len(ws) && (numeral(ws[i+1]) > 0 || ws[i+1].text == "of")) {
			return true
		}
	}
	return false
}

var (
	// performing words doubt an order where they stand beside it, and tell it among its own.
	performing = wordSet("am doing do played playing next after shall lead leading answer answering against both put putting this time use using name meet meeting now last mine man men deserve deserves throw throws throwing pile ldr step steps travel travels visit visits settle settles " +
		"attacking making placing going spending countering choosing picking dropping go goes get gets hit hits hurt hurts knock knocks kick kicks sends flip flips push pushes bring brings stand stands need needs cost costs roll rolls block blocks finish finishes open opens opening start starts starting begin begins end fill fills strengthen strengthens protect protects secure secures grab steal steals burn burns uses dump dumps squeeze rescue cover covers disappear disappears vanish vanishes leave leaves die dies occur occurs happen happens serve serves land lands join joins marches preach preaches strengthening " +
		"around away down up full flat good big small strong mighty useless little trusty favourite favorite whole entire own very only simply therefore finally already there here straight directly immediately just really too also today double between near over under natural sounds seems looks " +
		"box table way present presents spot area region town city space pope popes catholic")
	// anybody may do what an order names: "Everyone takes Gdansk here."
	anybody = wordSet("everyone everybody anyone anybody someone somebody people most many they all others nobody who")
)
