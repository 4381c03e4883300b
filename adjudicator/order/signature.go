package order

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Footer reports whether a line begins what a company or a server puts below letters.
func (p *Parser) Footer(line string) bool {
	ws := p.wordsOf(line)
	return longestPhrase(remarks().footers, ws) > 0 && !idiomatic(ws) && !byPerson(ws)
}

// Signature reports whether a line may be somebody's name, or what stands below a name
// in letters of business: block says that it stands right below such a line.
func (p *Parser) Signature(line string, block bool) bool {
	line = faces.ReplaceAllString(line, "")
	if block && len(line) < 80 && !strings.ContainsAny(line, "?!") {
		return p.business(line)
	}
	ws := p.wordsOf(line)
	if len(ws) == 2 && remarks().given[ws[1].text] && epithets[ws[0].text] {
		ws = ws[1:] // "Old Tom"
	}
	if len(ws) == 0 || len(ws) > 4 || !remarks().given[ws[0].text] && slices.ContainsFunc(ws, ordinary) || strings.ContainsAny(line, "?!:") {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(line[ws[0].start:]); !unicode.IsUpper(first) && (len(ws) > 1 || len(ws[0].text) > 1) {
		return false
	}
	for i, w := range ws {
		if w.digits || len(w.text) > 2 && (!p.nameOf(w, line) || p.known(ws[i:])) {
			return false
		}
	}
	return true
}

// ordinary reports whether a word is one of sentences, and no name.
func ordinary(w word) bool {
	t := w.text
	return len(t) > 1 && !remarks().given[t] && (remarks().against[t] || remarks().letters[t] || remarks().everyday[t] || remarks().turning[t] || idle(t))
}

// Person reports whether a line is the name of a person beyond doubt: it is that of its
// writer, has a given name, or begins with an initial.
func (p *Parser) Person(line string) bool {
	ws := p.wordsOf(line)
	if p.owns(ws) {
		return true
	}
	if len(ws) == 2 && ranks[ws[0].text] && p.nameOf(ws[1], line) && !ordinary(ws[1]) {
		return true
	}
	if toKin(ws) || !p.Signature(line, false) {
		return false
	}
	return len(ws) == 1 && len(ws[0].text) == 1 || initial(ws[0], line) && len(ws) > 1 && len(ws[len(ws)-1].text) > 2 ||
		slices.ContainsFunc(ws, func(w word) bool { return remarks().given[w.text] })
}

// epithets may stand before a given name.
var epithets = wordSet("big old little young your good poor happy lucky grumpy sleepy tired")

// ranks may stand before a name.
var ranks = wordSet("ssg sgt sfc msg cpl pfc lt capt cpt maj col gen adm cdr")

// owns reports whether words are what the writer of the letter is called.
func (p *Parser) owns(ws []word) bool {
	return len(ws) > 0 && !slices.ContainsFunc(ws, func(w word) bool { return !p.own[w.text] }) &&
		slices.ContainsFunc(ws, func(w word) bool { return !remarks().against[w.text] })
}

// business reports whether a line below a name can be the rest of what stands there: it
// neither orders nor takes anything back.
func (p *Parser) business(line string) bool {
	ws := p.wordsOf(line)
	k, ok := p.keywords.verb(ws)
	return (!ok || k.alias) && !slices.ContainsFunc(ws, func(w word) bool { return remarks().against[w.text] && len(w.text) > 2 })
}

// TakesBack reports whether a line that stands below a signature, where orders do not count,
// may take back what stands above it, or put it off.
func TakesBack(line string) bool {
	takes, back := false, false
	for _, w := range words(line) {
		takes, back = takes || taking[w.text], back || w.text == "back"
		if takingBack[w.text] {
			return true
		}
	}
	return takes && back
}

// Disclaimer reports whether a line is one of those that companies put below all letters: what
// follows it speaks of the letter, and not of what its writer wants.
func Disclaimer(line string) bool {
	return slices.ContainsFunc(words(line), func(w word) bool { return disclaiming[w.text] })
}

var (
	takingBack = wordSet("sorry oops wait ignore disregard early mistake mistaken wrong cancel cancelled undo scratch withdraw retract hold stop draft joke kidding " +
		"instead not dont correction unless provided until tomorrow later changed nicht noch warte warten falsch versehen irrtum entwurf erst morgen " +
		"erreur ignorez annulez attendez brouillon demain equivoque error ignore espera manana sbagliato aspetta domani bozza nie czekaj pomylka jutro " +
		"pockej omyl zitra varj tevedes holnap vanta fel imorgon wacht vergissing morgen")
	taking      = wordSet("take taking taken took takes") // back
	disclaiming = wordSet("confidential confidentiality privileged recipient recipients intended addressee addressees disclaimer notify virus viruses scanned print printing " +
		"environment unsubscribe registered vertraulich empfanger umwelt ausdrucken handelsregister confidentiel destinataire imprimer confidencial destinatario confidenziale")
)
