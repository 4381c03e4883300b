package command

import (
	"slices"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// markDoubts tells the talk of a letter that is harmless from what may speak against the
// orders beside it. What stands beside an order and is not known to be harmless is a
// doubt: nobody can list how people take back, put off and wonder about what they wrote.
func (r *Reader) markDoubts(lines []Line, split []order.Line) {
	last := -1
	for i := range lines {
		if lines[i].Kind > Unreadable {
			last = i
		}
	}
	first := slices.IndexFunc(lines, func(l Line) bool { return l.Kind > Doubt })
	signed, footer := false, false // the line above may be a name or a farewell, or is a company's
	for i := range lines {
		l := &lines[i]
		if i > 0 && split[i].Below && r.signature(lines[i-1]) {
			l.below = "It stands right below a name, as an address does."
		}
		if l.Kind != Talk {
			signed = false
			continue
		}
		if footer = i > last && (footer && split[i].Below || r.Orders.Footer(l.Text)); footer {
			continue
		}
		block := signed && split[i].Below
		switch {
		case r.Orders.Harmless(l.Text), i < first && r.above(lines, split, i):
			signed = i > last
		case i > last && (signed && r.Orders.Signature(l.Text, block) || r.Orders.Person(l.Text)), i == 0 && r.salutes(l.Text):
			signed = i > last
		default:
			l.Kind, signed = Doubt, false
		}
	}
}

// above reports whether a line above all orders is harmless there.
func (r *Reader) above(lines []Line, split []order.Line, i int) bool {
	return r.Orders.HarmlessAbove(lines[i].Text, !split[i+1].Below && !split[i+1].Beside)
}

// salutes reports whether a line may be a salutation to the referee.
func (r *Reader) salutes(line string) bool {
	return strings.HasSuffix(line, ",") && r.Orders.Signature(line, false) && !order.ToKin(line)
}

// beneath doubts the orders that stand right below a quoted line: a mail program may have
// broken that one there.
func beneath(lines []Line, quoted []string) {
	for i, l := range lines {
		if slices.ContainsFunc(quoted, func(q string) bool { return strings.HasPrefix(l.Text, q) || strings.HasPrefix(q, l.Text) }) {
			if lines[i].below = "It stands right below a quoted line, and may be the end of that."; l.Acts() {
				lines[i].Unsure = lines[i].below
			}
		}
	}
}

// signature reports whether a line is a name, and no address of a reader.
func (r *Reader) signature(l Line) bool {
	return l.Kind == Talk && !strings.HasSuffix(l.Text, ",") && r.Orders.Signature(l.Text, false)
}

// apart doubts the orders that count only as a paragraph of their own, where they are
// none: a mail program may have broken a sentence right before them. Names and farewells
// may stand below.
func (r *Reader) apart(lines []Line, split []order.Line) {
	for i := range lines {
		l := &lines[i]
		if !l.Acts() || !r.alone(*l) {
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

// alone reports whether an order counts only as a paragraph of its own.
func (r *Reader) alone(l Line) bool {
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

// brokenOff doubts the orders that end in the midst of something, or have words that doubt.
func (r *Reader) brokenOff(lines []Line) {
	for i, l := range lines {
		if l.Unsure != "" || l.Kind != GameOrder {
			continue
		}
		if end := r.Orders.BrokenOff(l.Text); end != "" {
			lines[i].Unsure = `It ends with "` + end + `", and may go on.`
		} else if said := r.Orders.Doubted(l.Text); said != "" {
			lines[i].Unsure = `It says "` + said + `".`
		}
	}
}

// torn takes the lone words that ask for talk again that stand right below a line which ends in the
// midst of a sentence: a mail program has broken it there. A comma ends a salutation, "Dear robot,", far
// more often than a row of a broken sentence, and what asks does no harm; lines are cut at semicolons.
func (r *Reader) torn(lines []Line, split []order.Line) {
	for i := 1; i < len(lines); i++ {
		l, above := &lines[i], lines[i-1]
		if l.Command.lone && split[i].Below && above.Kind <= Doubt && !r.Orders.Harmless(above.Text) && !strings.ContainsAny(above.Text[len(above.Text)-1:], ".!?:,)") {
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

// comments are the remarks behind orders that are not harmless.
func (r *Reader) comments(text string) []Line {
	var out []Line
	for _, c := range order.Comments(text) {
		if !r.Orders.Harmless(c) {
			out = append(out, Line{Text: "// " + c, Kind: Doubt, Why: "It is no order."})
		}
	}
	return out
}

// aside are the lines below a signature that may take back what stands above it.
func (r *Reader) aside(lines []string) []Line {
	var out []Line
	for _, l := range lines {
		switch {
		case order.Disclaimer(l):
			return out
		case order.TakesBack(l):
			out = append(out, Line{Text: l, Kind: Doubt, Why: "It stands below your signature, and is no order."})
		}
	}
	return out
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
