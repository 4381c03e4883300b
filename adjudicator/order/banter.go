package order

import (
	"slices"
	"strings"
)

// Banter is what players say about what has happened in the match: what the other side has
// done or has, how the dice fell, praise and pity. It may name things of the game. It is known
// by its grammar: it tells, in a past or lasting form, of the other side or of dice, and has no
// word that asks, doubts, conditions or puts off, and none that may stand for an order.

// banter reports whether all pieces of a sentence are banter, or harmless beside it.
func (p *Parser) banter(sentence []piece) bool {
	if len(sentence) == 0 || sentence[len(sentence)-1].end == '?' || sentence[len(sentence)-1].end == ':' {
		return false
	}
	found := false
	for _, f := range sentence {
		switch {
		case strings.ContainsRune(":\"“”„«»|<>", f.end) && f.end != 0:
			return false
		case p.teases(f):
			found = true
		case strings.EqualFold(f.text, "sorry") && len(sentence) > 1:
			found = true // The rest of the sentence is what for.
		case !p.harmless(f):
			return false
		}
	}
	return found
}

// teases reports whether a piece is banter.
func (p *Parser) teases(f piece) bool {
	ws := p.wordsOf(f.text)
	for len(ws) > 0 && interjections[ws[0].text] {
		ws = ws[1:]
	}
	if n := longestPhrase(languages().marvelling, ws); n > 0 {
		ws = ws[n:]
	}
	switch {
	case describes(ws):
		return true
	case len(ws) < 3 || len(ws) > 16:
		return false
	case p.ofOther(ws) || p.ofDice(ws) || p.wishes(ws):
		return true
	}
	if n := longestPhrase(languages().surprises, ws); n > 0 {
		return p.telling(ws[n:], true)
	}
	n := longestPhrase(languages().praises, ws)
	return n > 0 && p.telling(ws[n:], true) && (ws[n-1].text == "by" || p.ofMatch(ws[n:]) || !slices.ContainsFunc(ws, func(w word) bool { return w.text == "to" })) && !slices.ContainsFunc(ws, func(w word) bool { return w.text == "me" || w.text == "us" })
}

// describes reports whether words only say what a turn or a roll is like: "tough turn".
func describes(ws []word) bool {
	if len(ws) < 2 || !described[ws[len(ws)-1].text] {
		return false
	}
	return !slices.ContainsFunc(ws[:len(ws)-1], func(w word) bool { return !liked[w.text] && !sayingNothing[w.text] })
}

// ofOther reports whether words tell what the other side did or has.
func (p *Parser) ofOther(ws []word) bool {
	who, i := ws[0].text, 1
	for i < len(ws) && sayingNothing[ws[i].text] {
		i++
	}
	switch {
	case contracted[who]:
	case who != "he" && who != "she" && who != "they", i >= len(ws), !achieving[ws[i].text]:
		return false
	default:
		i++
	}
	aims := slices.ContainsFunc(ws[:i], func(w word) bool { return struck[w.text] })
	return i < len(ws) && p.telling(ws[i:], true) && p.ofMatch(ws) && (aims || !slices.ContainsFunc(ws, func(w word) bool { return w.text == "me" || w.text == "us" }))
}

// ofMatch reports whether words are about the match, and not about somebody at the table.
func (p *Parser) ofMatch(ws []word) bool {
	for i, w := range ws {
		if ofMatch[w.text] || p.knownWords(ws[i:]) > 0 && !fillers[w.text] && !idiom(w.text) {
			return true
		}
	}
	return false
}

// wishes reports whether words hope that something is done to the other side: "That should annoy
// him a bit."
func (p *Parser) wishes(ws []word) bool {
	return len(ws) > 3 && len(ws) < 8 && (pointing[ws[0].text] || ws[0].text == "it") && (ws[1].text == "will" || ws[1].text == "should") &&
		p.innocuous(ws[2].text) && ws[2].text != "be" && ws[2].text != "have" && otherOnes[ws[3].text] && p.telling(ws[4:], false)
}

// otherOnes are those of the other side.
var otherOnes = wordSet("him her them")

// ofDice reports whether words tell how dice fell.
func (p *Parser) ofDice(ws []word) bool {
	return !ofDice[ws[0].text] && slices.ContainsFunc(ws, func(w word) bool { return ofDice[w.text] }) && p.telling(ws, false) &&
		!slices.ContainsFunc(ws, func(w word) bool { return w.digits || remarks().persons[w.text] })
}

// telling reports whether none of the words may be about an order; named: things of the game
// may be among them, if they are not counted.
func (p *Parser) telling(ws []word, named bool) bool {
	things, numbers := 0, 0
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		switch n := p.knownWords(ws[i:]); {
		case w.digits:
			return false
		case numeral(w) > 0:
			numbers++
		case n > 0 && !idiom(w.text) && !innocuous[w.text]:
			if k, ok := p.keywords.at(ws[i:]); !named || ok && k.Verb && !k.alias && k.Counted == "" {
				return false
			}
			things++
			i += n - 1
		case named && p.names.holds(w.text) && tongues()[0].of(w.text) == unknown:
			things++ // "the Forum card"
		case !p.innocuous(w.text):
			return false
		}
	}
	return things == 0 || numbers == 0
}

// innocuous reports whether a word says nothing about orders in banter.
func (p *Parser) innocuous(w string) bool {
	switch of := tongues()[0].of(w); {
	case innocuous[w]:
		return true
	case of == doubt, of == mild, of == soft, of == person, accomplices[w], of == unknown && p.names.begun(w):
		return false
	case of == unknown:
		return !p.doubtful(w)
	}
	return true
}

var (
	interjections = wordSet("well so ouch ok okay oh ah ha haha hm hmm wow and but phew damn hey yes no argh")
	sayingNothing = wordSet("just really already also even surely certainly finally still almost")
	contracted    = wordSet("hes shes theyre")
	achieving     = wordSet("is was has had got gave took lost won rolled went made hit kept came left played raised attacked defended placed checked scored beat threw used spent missed earned managed deserved surprised needed grabbed stole owns holds controls")
	struck        = wordSet("beat hit surprised")
	ofMatch       = wordSet("cards turn round odds points control event match hand struggle rally strike march petition luck lucky dice die roll rolled stakes raised nothing back over lost won beat everywhere ahead")
	ofDice        = wordSet("roll rolls rolled die dice pip pips luck lucky unlucky")
	innocuous     = wordSet("nothing no all both last time back again first same lost won took taken come came card cards turn round rounds odds points control event game match hand check checks struggle rally strike march petition it's left over every once now him her them his their luck lucky dice die roll rolled rolls hit played raised got already so far me us you your stakes stake place places points played by with")
	accomplices   = wordSet("wish wishes i im ive id ill my mine myself choice chose chosen selection made decides decide keyboard phone mouse laptop computer screen email mail inbox letter message text line lines")
	described     = wordSet("turn round game hand hands draw roll rolls dice fight match start opening struggle finish battle luck")
	liked         = wordSet("a an what such very so too quite rather tough hard difficult nasty brutal cruel harsh rough wild crazy strange weird funny nice good great lovely fine strong weak bad terrible awful horrible lucky unlucky close tight tense long short exciting interesting boring slow fun cool")
)
