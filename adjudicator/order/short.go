package order

import (
	"slices"

	"samizdat/rules"
)

// shortAnswer is the keyword that a letter means which says it in other words, and nothing
// else but what is harmless.
func (p *Parser) shortAnswer(lines []string, q *Question) (rules.Order, bool) {
	answer := ""
	for i, line := range lines {
		cut := p.pieces(line)
		for at, f := range cut {
			ws := p.wordsOf(f.text)
			word, ok := p.short(ws, q)
			ok = ok && !questions(ws)
			switch {
			case !ok && answer != "" && i == len(lines)-1 && at == len(cut)-1 && p.Person(f.text):
				// "No, thanks. Ada"
			case f.end == '?', ok && yielded(cut[:at]), !ok && !f.aside && !(empty(ws) && p.harmless(f)):
				return rules.Order{}, false
			case ok:
				answer = word
			}
		}
	}
	return rules.Order{Text: answer, Clauses: []rules.Clause{{Word: answer}}}, answer != ""
}

// longestShort is how many words an answer in words of its own may have, with what says nothing.
const longestShort = 60

// short is the keyword that the words of a piece mean, with what says nothing around it.
// Beside the keyword itself, or right before it, another answer may deny it, as in "no pass" and
// "nie pasuję", and it may be for somebody else.
func (p *Parser) short(ws []word, q *Question) (answer string, ok bool) {
	answers, itself := 0, false
	if len(ws) > longestShort {
		return "", false
	}
	for i := 0; i < len(ws); {
		k, n := p.shortAt(ws[i:], q)
		switch {
		case n > 0:
			itself = itself || begun(Words(k.Word), ws[i:]) || answers > 0 && !ws[i].comma
			answer = k.Word
			answers++
		default:
			if n = emptyWords(ws[i:]); n == 0 && p.own[ws[i].text] {
				n = 1
			}
			if w := ws[i].text; n == 0 || n == 1 && (remarks().turning[w] || remarks().letters[w] && w != "it" && w != "this" || w == "on" && i == len(ws)-1) {
				return "", false // "No time", "pass it on"
			}
		}
		i += n
	}
	return answer, !others(ws) && (answers == 1 || answers > 1 && !itself)
}

// shortAt finds the longest of the words for a keyword without names that begin ws, and how
// many they are.
func (p *Parser) shortAt(ws []word, q *Question) (found rules.Keyword, n int) {
	for _, s := range p.shorts[ws[0].text] {
		if len(s.words) > n && slices.Contains(q.Verbs, s.of.Word) && begun(s.words, ws) {
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

// empty reports whether words say nothing.
func empty(ws []word) bool {
	for i := 0; i < len(ws); {
		n := phraseWords(ws[i:])
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}
