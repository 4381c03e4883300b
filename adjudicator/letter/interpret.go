package letter

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// needsInterpretation reports whether a line still needs an interpretation: it is neither an order nor polite talk.
func (l *Line) needsInterpretation() bool {
	return l.Class() == None && (l.Kind == Doubt || l.Kind == Unreadable)
}

// markCourtesy marks the salutation, the closing and the name of a letter as talk.
func (r *Reader) markCourtesy(lines []Line) {
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.Text)
	}
	for i, ok := range r.Orders.Courtesies(texts) {
		if ok && lines[i].needsInterpretation() {
			lines[i].Kind, lines[i].Why = Talk, ""
		}
	}
}

// interpret reads the lines that are no orders together with the orders beside them. If every word is used and one
// legal reading is left, this is the letter's order. Otherwise the writer is asked about the orders that it seems
// to mean.
func (r *Reader) interpret(lines []Line, letter Letter) ([]Line, error) {
	open := slices.ContainsFunc(lines, func(l Line) bool { return l.needsInterpretation() })
	first := slices.IndexFunc(lines, func(l Line) bool { return l.Kind == GameOrder && !l.IsForLater })
	if !open && first < 0 {
		return lines, nil
	}
	var q *order.Question
	if letter.Try != nil {
		try, err := letter.Try()
		if err != nil {
			return nil, err
		}
		if !open && (try == nil || try(lines[first].Order) != nil) {
			return lines, nil
		}
		if try != nil {
			if q, err = letter.Question(); err != nil {
				return nil, err
			}
		}
	}
	return r.interpretTogether(lines, open, cmp.Or(q, &order.Question{})), nil
}

// interpretTogether reads lines as one answer to a question. open reports whether a line still needs an
// interpretation.
func (r *Reader) interpretTogether(lines []Line, open bool, q *order.Question) []Line {
	var texts []string
	var at []int
	for i := range lines {
		if lines[i].isReadable() {
			texts, at = append(texts, lines[i].Text), append(at, i)
		}
	}
	in := r.Orders.Interpret(texts, q)
	used := make([]bool, len(lines))
	for k, i := range at {
		used[i] = in.UsedLines[k]
	}
	strict := slices.ContainsFunc(lines, func(l Line) bool { return l.Kind == GameOrder })
	switch orders := len(in.Orders) > 0; {
	case !open && (!orders || in.Certain), orders && open && strict && !isToldBy(lines, used):
		return lines // The orders are on lines of their own.
	case len(in.Choices) > 0:
		return append(lines, Line{Text: strings.Join(texts, "; "), Kind: Unreadable, NamesOrders: true, PossibleOrders: in.Choices,
			Why: "It can mean " + strings.Join(in.Choices, ", or ") + ". Write the one that you mean."})
	case orders:
		return r.applyInterpretation(lines, used, in)
	case in.OnlyDenial && strict:
		return lines
	case in.Denied || in.FinalVerb != "":
		return findWithdrawal(lines, in.FinalVerb)
	}
	return r.readAlone(lines)
}

// isReadable reports whether a line may be part of an interpretation: an order for now, a line that is no order, or a CARD line, e.g.
// "Card 36 for the event".
func (l *Line) isReadable() bool {
	if l.Is(Card) {
		return !strings.HasPrefix(l.Text, string(Card))
	}
	return l.Class() == None && l.Kind != Talk && l.Kind != ConditionalOrder && !l.IsForLater
}

func isToldBy(lines []Line, used []bool) bool {
	for i, l := range lines {
		if used[i] && l.needsInterpretation() {
			return true
		}
	}
	return false
}

// readAlone reads each remaining line by itself: it may be an order that the rules forbid now, and is answered as
// such.
func (r *Reader) readAlone(lines []Line) []Line {
	for i := range lines {
		l := &lines[i]
		if !l.needsInterpretation() {
			continue
		}
		switch said, err := r.Orders.Order(l.Text); {
		case err == nil && r.Orders.IsStatement(l.Text):
			r.storeOrder(l, said)
		case err != nil && numberedCard.MatchString(l.Text):
			l.Kind, l.IsCardPlay, l.Why = Unreadable, true, match.ErrorSentence(err)
		}
	}
	return lines
}

// numberedCard begins a question about a card that may be a play, e.g. "card 36: Lodz 2".
var numberedCard = regexp.MustCompile(`^(?:card|Card)\s+#?\d`)

// findWithdrawal finds lines that deny the orders of other lines, or mean an order that needs a line of its own. Then nothing is proposed.
func findWithdrawal(lines []Line, own string) []Line {
	for i := range lines {
		if l := &lines[i]; l.HasEffect() && l.Class() != Telling && !l.Is(Yes) && !l.Is(No) {
			l.Kind, l.Why = Doubt, "Write the order that you mean on a line of its own."
		}
		if lines[i].Kind == Doubt {
			lines[i].NeedsOwnLine = own
		}
	}
	return lines
}

// applyInterpretation replaces lines by their interpretation.
func (r *Reader) applyInterpretation(lines []Line, used []bool, in order.Interpretation) []Line {
	var out []Line
	var texts []string
	at, surely, below := -1, false, ""
	for i, l := range lines {
		if !used[i] {
			if l.needsInterpretation() || l.Kind == GameOrder && !l.IsForLater {
				l.Kind = Doubt
			}
			out = append(out, l)
			continue
		}
		if at < 0 {
			at = len(out)
		}
		texts, surely, below = append(texts, l.Text), surely || l.Confirmed, cmp.Or(below, l.quotedAbove)
	}
	unsure := ""
	switch {
	case in.Certain:
		unsure = below
	case len(in.NotUnderstood) > 0:
		unsure = AlsoSays(in.NotUnderstood)
	case in.NamesMore:
		unsure = "It names more than is asked now."
	case len(in.Added) > 0:
		unsure = "You did not write " + in.Added[0] + "."
	}
	var read []Line
	for i, o := range in.Orders {
		l := Line{Text: strings.Join(texts, "; "), Confirmed: surely, Doubt: unsure}
		if i > 0 {
			l.Text = order.Format(o)
		}
		if r.storeOrder(&l, rules.Order{Text: order.Format(o), Clauses: o.Clauses}); l.Doubt == "" && r.countsAlone(l) {
			l.Doubt = explainApart(l)
		}
		read = append(read, l)
	}
	return slices.Insert(out, max(at, 0), read...)
}

// markQuoteEnds marks orders right below a quoted line as doubtful: a mail program may have broken the quoted line
// there.
func markQuoteEnds(lines []Line, quoted []string) {
	for i, l := range lines {
		if slices.ContainsFunc(quoted, func(q string) bool { return strings.HasPrefix(l.Text, q) || strings.HasPrefix(q, l.Text) }) {
			lines[i].quotedAbove = "It stands right below a quoted line, and may be the end of that."
			if l.Kind == Doubt && len(order.Words(l.Text)) == 1 {
				lines[i].Kind, lines[i].Why = Talk, ""
			} else if l.HasEffect() {
				lines[i].Doubt = lines[i].quotedAbove
			}
		}
	}
}

// markApart marks orders as doubtful that count only as a paragraph of their own, and are none: a mail program may
// have broken a sentence before them. Names and closings may follow.
func (r *Reader) markApart(lines []Line, split []order.Line) {
	for i := range lines {
		l := &lines[i]
		if !l.HasEffect() || !r.countsAlone(*l) {
			continue
		}
		other := split[i].FollowsLine || split[i].AfterSemicolon
		for k := i + 1; k < len(lines) && (split[k].FollowsLine || split[k].AfterSemicolon); k++ {
			other = other || lines[k].Kind != Talk
		}
		if other {
			l.Doubt = explainApart(*l)
		}
	}
}

// countsAlone reports whether an order was not carried out, because it was not on a line by itself with blank lines around it.
func (r *Reader) countsAlone(l Line) bool {
	if l.Kind == HostOrder {
		return findEntryOf(l.Command.Word).Alone
	}
	return l.Kind == GameOrder && slices.ContainsFunc(r.keywords, func(k rules.Keyword) bool {
		return k.Exact && k.Word == l.Order.Clauses[0].Word
	})
}

// explainApart returns the reason to doubt an order among other words.
func explainApart(l Line) string {
	word := string(l.Command.Word)
	if l.Kind == GameOrder {
		word = l.Order.Clauses[0].Word
	}
	return word + " was not carried out, because it was not on a line by itself with blank lines around it."
}

// markContradictions marks orders that undo something as doubtful, beside an order that they may be meant to undo.
func markContradictions(lines []Line) {
	if !slices.ContainsFunc(lines, func(l Line) bool { return l.Kind == GameOrder }) {
		return
	}
	for i, l := range lines {
		switch {
		case l.Is(TakeBack) && l.Command.Choice == "":
			lines[i].Doubt = "It may belong to the order next to it. Send TAKEBACK in a separate letter."
		case l.Is(Drop), l.Is(CancelOrders):
			lines[i].Doubt = "It may belong to the order next to it."
		}
	}
}

// Doubts returns the reasons, one sentence each, not to carry out a letter's orders at once.
func Doubts(lines []Line) []string {
	var out, talk []string
	acts := false
	for _, l := range lines {
		acts = acts || l.HasEffect()
		switch {
		case l.Kind == Doubt:
			talk = append(talk, l.Text)
		case l.Doubt != "" && !slices.Contains(out, l.Doubt):
			out = append(out, l.Doubt)
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

const maxQuoted = 60

// AlsoSays quotes the lines that speak against the orders.
func AlsoSays(talk []string) string {
	text := strings.TrimSpace(talk[0])
	if r := []rune(text); len(r) > maxQuoted {
		text = strings.TrimSpace(string(r[:maxQuoted])) + " ..."
	}
	text = `Your letter also says "` + text + `"`
	if len(talk) > 1 {
		text += " and more"
	}
	return text + "."
}

// maxBrokenLines is the number of lines of a broken conditional order. brokenFrom is the length at which a mail
// program may break a line.
const (
	maxBrokenLines = 8
	brokenFrom     = 55
)

// joinConditional joins the lines of a broken conditional order: after a comma, or if only the joined lines can be
// read.
func (r *Reader) joinConditional(lines []order.Line) []order.Line {
	if r.Conditional == nil {
		return lines
	}
	var out []order.Line
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if ahead.IsConditional(l.Text) {
			n := r.countBroken(lines[i:])
			for range n {
				i++
				l.Text += " " + lines[i].Text
			}
		}
		out = append(out, l)
	}
	return out
}

func (r *Reader) countBroken(lines []order.Line) int {
	text, goes := lines[0].Text, 0
	_, err := r.Conditional.Read(text)
	whole := err == nil
	for i, l := range lines[1:min(len(lines), maxBrokenLines)] {
		last := text[strings.LastIndexByte(text, ' ')+1:]
		comma := strings.HasSuffix(text, ",")
		if !l.FollowsLine || ahead.IsConditional(l.Text) || StartsWith(l.Text, Message) || !comma && whole && len(last)+len(text) < brokenFrom {
			break
		}
		if (comma || whole) && r.Orders.IsOrder(l.Text) {
			break
		}
		text += " " + l.Text
		_, err := r.Conditional.Read(text)
		switch {
		case err == nil:
			whole, goes = true, i+1
		case comma && goes == i:
			goes = i + 1 // The error is reported for the whole.
		}
	}
	return goes
}

// readConditional reads a line that starts like a conditional order. A plan needs no condition, and may say how
// long it lasts.
func (r *Reader) readConditional(l *Line, o order.Line) bool {
	begins := ahead.IsConditional(o.Text)
	if r.Conditional == nil || !begins && !ahead.IsLasting(o.Text) {
		return false
	}
	line, err := r.Conditional.Read(o.Text)
	switch {
	case err != nil && begins && (o.Enclosed || r.Conditional.LooksConditional(o.Text)):
		l.Kind, l.Why = Unreadable, match.ErrorSentence(err)
		if word := hostWord(o.Text); word != "" {
			l.Why = string(word) + " cannot wait for a condition; only orders of the game can. Write " + string(word) +
				" in a letter of its own when you mean it."
		}
	case err != nil:
		return false
	case !begins && !line.Plan:
		l.Kind, l.Why = Unreadable, "ALWAYS and ANYWAY are for orders saved for later. If you mean one, write: "+line.Text
	case begins && l.Confirmed:
		l.Kind, l.Why = Unreadable, Surely+" is for an order that is carried out now. A saved order that would lose the match "+
			"is never carried out; we ask you then."
	default:
		l.Kind, l.Conditional = ConditionalOrder, line
	}
	return true
}

// hostWord returns the order to the host in a conditional order. For example, RESIGN in "IF VP 20: RESIGN".
func hostWord(text string) Word {
	_, body, _ := strings.Cut(text, ":")
	word := Word(strings.ToUpper(order.First(strings.TrimSpace(body))))
	if e := findEntryOf(word); e == nil || e.Class != Acting {
		return ""
	}
	return word
}

func (r *Reader) cutPreview(lines []order.Line) []order.Line {
	var out []order.Line
	for _, l := range lines {
		first, rest, _ := strings.Cut(l.Text, " ")
		rest = strings.TrimSpace(rest)
		if strings.EqualFold(strings.Trim(first, ":.,"), string(Preview)) &&
			(first == strings.ToUpper(first) || rest == "" || ahead.IsConditional(rest) || r.Orders.IsOrder(rest)) {
			head := l
			head.Text = string(Preview)
			out = append(out, head)
			if l.Text = rest; rest == "" {
				continue
			}
		}
		out = append(out, l)
	}
	return out
}

func isForLater(text string) bool {
	words := order.Words(text)
	return len(words) > 1 && (words[0] == "then" || words[0] == "and" && words[1] == "then")
}

func cutConfirm(text string) (string, bool) {
	words := strings.Fields(text)
	is := func(w string) bool { return strings.EqualFold(strings.Trim(w, ".,!"), Surely) }
	switch {
	case len(words) < 2:
		return text, false
	case is(words[len(words)-1]):
		words = words[:len(words)-1]
	case is(words[0]):
		words = words[1:]
	default:
		return text, false
	}
	return strings.TrimRight(strings.Join(words, " "), ","), true
}
