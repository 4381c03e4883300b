package order

import "strings"

// Inside finds an order in a line that is none: behind other words, or with a verb of
// which only the beginning is written. It is for saying what could have been meant,
// and nothing that is carried out.
func (p *Parser) Inside(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > longest || strings.HasSuffix(text, "?") {
		return ""
	}
	ws := words(text)
	for i := 1; i < len(ws); i++ {
		if _, ok := p.keywords.verb(ws[i:]); ok {
			// Behind the first verb there is none that matters.
			return p.whole(text[ws[i].start:])
		}
	}
	if len(ws) < 2 || len(ws[0].text) < 3 {
		return ""
	}
	verb := ""
	for _, k := range p.listed {
		switch {
		case !k.Verb || k.Exact || !begins(words(k.Word)[0].text, ws[0].text):
		case verb != "":
			return ""
		default:
			verb = k.Word
		}
	}
	if verb == "" {
		return ""
	}
	return p.whole(verb + " " + strings.TrimLeft(text[ws[0].end:], " .:"))
}

// whole returns a text that is an order, and nothing otherwise.
func (p *Parser) whole(text string) string {
	if _, err := p.Order(text); err != nil || !p.IsOrder(text) {
		return ""
	}
	return text
}
