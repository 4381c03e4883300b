package order

import "strings"

// mostWithin is how many parts of a line are looked at for an order; of a longer one nobody could
// say which of its parts was meant.
const mostWithin = 6

// Within finds an order among the parts of a line that its punctuation makes, with greetings and
// thanks around it: the one that takes in most of them. Like Inside it is for saying what was meant,
// and nothing that is carried out.
func (p *Parser) Within(text string) string {
	if len(text) > longest || strings.Contains(text, "?") {
		return ""
	}
	cut := pieces(text)
	if len(cut) > mostWithin {
		return ""
	}
	for n := len(cut); n > 0; n-- {
		for from := 0; from+n <= len(cut); from++ {
			parts := make([]string, 0, n)
			for _, f := range cut[from : from+n] {
				parts = append(parts, f.text)
			}
			// A comma behind what is played is no more than a pause.
			for _, sep := range []string{", ", " "} {
				if found := p.whole(strings.Join(parts, sep)); found != "" {
					return found
				}
			}
		}
	}
	return ""
}
