package letter

import (
	"slices"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// beneath doubts the orders that stand right below a quoted line: a mail program may have
// broken that one there.
func beneath(lines []Line, quoted []string) {
	for i, l := range lines {
		if slices.ContainsFunc(quoted, func(q string) bool { return strings.HasPrefix(l.Text, q) || strings.HasPrefix(q, l.Text) }) {
			if lines[i].below = "It stands right below a quoted line, and may be the end of that."; l.Kind == Doubt && len(order.Words(l.Text)) == 1 {
				lines[i].Kind, lines[i].Why = Talk, ""
			} else if l.Acts() {
				lines[i].Unsure = lines[i].below
			}
		}
	}
}

// apart doubts the orders that count only as a paragraph of their own, where they are
// none: a mail program may have broken a sentence right before them. Names and farewells
// may stand below.
func (r *Reader) apart(lines []Line, split []order.Line) {
	for i := range lines {
		l := &lines[i]
		if !l.Acts() || !r.countsAlone(*l) {
			continue
		}
		other := split[i].Below || split[i].Beside
		for k := i + 1; k < len(lines) && (split[k].Below || split[k].Beside); k++ {
			other = other || lines[k].Kind != Talk
		}
		if other {
			l.Unsure = apart(*l)
		}
	}
}

// countsAlone reports whether an order counts only as a paragraph of its own.
func (r *Reader) countsAlone(l Line) bool {
	if l.Kind == HostOrder {
		return l.Command.entry.Alone
	}
	return l.Kind == GameOrder && slices.ContainsFunc(r.keywords, func(k rules.Keyword) bool { return k.Exact && k.Word == l.Order.Clauses[0].Word })
}

// apart says why an order is doubted that stands among other words.
func apart(l Line) string {
	word := string(l.Command.Word)
	if l.Kind == GameOrder {
		word = l.Order.Clauses[0].Word
	}
	return word + " counts only as a paragraph of its own."
}

// torn takes the lone words that ask for talk that stand right below a line which ends in the midst of a
// sentence: a mail program has broken it there. A comma ends a salutation far more often.
func torn(lines []Line, split []order.Line) {
	for i := 1; i < len(lines); i++ {
		l, above := &lines[i], lines[i-1]
		if l.Command.lone && split[i].Below && above.Kind == Doubt && !strings.ContainsAny(above.Text[len(above.Text)-1:], ".!?:,)") {
			*l = Line{Text: l.Text, Kind: Doubt, Why: NotUnderstood}
		}
	}
}

// against doubts the orders that undo something, beside an order that they may be meant to
// undo.
func against(lines []Line) {
	if !slices.ContainsFunc(lines, func(l Line) bool { return l.Kind == GameOrder }) {
		return
	}
	for i, l := range lines {
		switch {
		case l.Is(TakeBack) && l.Command.Choice == "":
			lines[i].Unsure = "It may be meant for the order beside it. Write TAKEBACK in a letter of its own."
		case l.Is(drop.Word), l.Is(cancel.Word):
			lines[i].Unsure = "It may be meant for the order beside it."
		}
	}
}

// Doubts says, a sentence each, what in a letter speaks against its orders being carried
// out at once.
func Doubts(lines []Line) []string {
	var out, talk []string
	acts := false
	for _, l := range lines {
		acts = acts || l.Acts()
		switch {
		case l.Kind == Doubt:
			talk = append(talk, l.Text)
		case l.Unsure != "" && !slices.Contains(out, l.Unsure):
			out = append(out, l.Unsure)
		}
	}
	switch {
	case !acts:
		return nil
	case len(talk) > 0:
		out = append(out, AlsoSays(talk))
	}
	return out
}

// mostQuoted is how much of what speaks against orders is repeated.
const mostQuoted = 60

// AlsoSays quotes what speaks against orders.
func AlsoSays(talk []string) string {
	text := strings.TrimSpace(talk[0])
	if r := []rune(text); len(r) > mostQuoted {
		text = strings.TrimSpace(string(r[:mostQuoted])) + " ..."
	}
	text = `Your letter also says "` + text + `"`
	if len(talk) > 1 {
		text += " and more"
	}
	return text + "."
}
