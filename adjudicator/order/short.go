package order

import "slices"

// Number reads a line that is a number and nothing more: "2", "2.", "#2".
func Number(line string) (n int, ok bool) {
	ws := words(line)
	for len(ws) > 1 && courtesy[ws[len(ws)-1].text] {
		ws = ws[:len(ws)-1]
	}
	if len(ws) == 2 && (ws[0].text == "option" || ws[0].text == "number" || ws[0].text == "answer") {
		ws = ws[1:]
	}
	if len(ws) != 1 || ws[0].number < 0 || ws[0].text[0] == 'x' {
		return 0, false
	}
	return ws[0].number, true
}

// Counted reports whether a line has words and a count, so that it may be a list
// whose verb was left out.
func Counted(line string) bool {
	if len(line) > longest {
		return false
	}
	ws := words(line)
	return len(ws) > 1 && slices.ContainsFunc(ws, func(w word) bool { return numeral(w) >= 0 })
}

// Exact returns the keyword that a line may mean but does not say exactly, where
// the keyword has to be written as it is: "I concede", "surender power". It is
// empty where there is none.
func (p *Parser) Exact(line string) string {
	if len(line) > longest {
		return ""
	}
	for _, w := range words(line) {
		for _, k := range p.keywords.list {
			if k.Exact && !k.alias && wrong(w, k.words[0]) <= 1 && len(w.text) > 3 {
				return k.Word
			}
		}
	}
	return ""
}
