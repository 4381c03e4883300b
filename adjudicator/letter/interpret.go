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

// interpret reads the lines that are not orders together with the orders beside them. If every word is used and there is one legal
// reading, it is the letter's order. Otherwise the writer is asked about the orders that the letter may mean.
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

// interpretTogether reads lines as one answer to a question. hasOpenLine is set if a line still needs an
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
	hasOrder := slices.ContainsFunc(lines, func(l Line) bool { return l.Kind == GameOrder })
	switch found := len(in.Orders) > 0; {
	case !open && (!found || in.Certain), found && open && hasOrder && !usesUnreadLine(lines, used):
		return lines // The orders are on lines of their own.
	case len(in.Choices) > 0:
		return append(lines, Line{Text: strings.Join(texts, "; "), Kind: Unreadable, NamesOrders: true, PossibleOrders: in.Choices,
			Why: "It can mean " + strings.Join(in.Choices, ", or ") + ". Write the one that you mean."})
	case found:
		return r.applyInterpretation(lines, used, in)
	case in.OnlyDenial && hasOrder:
		return lines
	case in.Denied || in.FinalVerb != "":
		return withdrawOrders(lines, in.FinalVerb)
	}
	return r.readAlone(lines)
}

// isReadable reports whether a line may be part of an interpretation: an order for now, a line that is not an order, or a CARD line,
// e.g. "Card 36 for the event".
func (l *Line) isReadable() bool {
	if l.Is(Card) {
		return !strings.HasPrefix(l.Text, string(Card))
	}
	return l.Class() == None && l.Kind != Talk && l.Kind != ConditionalOrder && !l.IsForLater
}

// usesUnreadLine reports whether an interpretation uses a line that is not an order by itself.
func usesUnreadLine(lines []Line, used []bool) bool {
	for i, l := range lines {
		if used[i] && l.needsInterpretation() {
			return true
		}
	}
	return false
}

// readAlone reads each remaining line alone. It may be an order that is illegal now; the answer explains why.
func (r *Reader) readAlone(lines []Line) []Line {
	for i := range lines {
		l := &lines[i]
		if !l.needsInterpretation() {
			continue
		}
		switch parsed, err := r.Orders.Order(l.Text); {
		case err == nil && r.Orders.IsStatement(l.Text):
			r.storeOrder(l, parsed)
		case err != nil && numberedCard.MatchString(l.Text):
			l.Kind, l.IsCardPlay, l.Why = Unreadable, true, match.ErrorSentence(err)
		}
	}
	return lines
}

// numberedCard begins a question about a card that may be a play, e.g. "card 36: Lodz 2".
var numberedCard = regexp.MustCompile(`^(?:card|Card)\s+#?\d`)

// withdrawOrders makes the letter's orders doubtful, because a line denies them, or because it means the irrevocable order verb, which
// needs a line of its own. Nothing is proposed then.
func withdrawOrders(lines []Line, verb string) []Line {
	for i := range lines {
		if l := &lines[i]; l.HasEffect() && l.Class() != Telling && !l.Is(Yes) && !l.Is(No) {
			l.Kind, l.Why = Doubt, "Write the order that you mean on a line of its own."
		}
		if lines[i].Kind == Doubt {
			lines[i].NeedsOwnLine = verb
		}
	}
	return lines
}

// applyInterpretation replaces lines by their interpretation.
func (r *Reader) applyInterpretation(lines []Line, used []bool, in order.Interpretation) []Line {
	var out []Line
	var texts []string
	at, confirmed, quoteNote := -1, false, ""
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
		texts, confirmed, quoteNote = append(texts, l.Text), confirmed || l.Confirmed, cmp.Or(quoteNote, l.quotedAbove)
	}
	doubt := ""
	switch {
	case in.Certain:
		doubt = quoteNote
	case len(in.NotUnderstood) > 0:
		doubt = AlsoSays(in.NotUnderstood)
	case in.NamesMore:
		doubt = "It names more than is asked now."
	case len(in.Added) > 0:
		doubt = "You did not write " + in.Added[0] + "."
	}
	var read []Line
	for i, o := range in.Orders {
		l := Line{Text: strings.Join(texts, "; "), Confirmed: confirmed, Doubt: doubt}
		if i > 0 {
			l.Text = order.Format(o)
		}
		if r.storeOrder(&l, rules.Order{Text: order.Format(o), Clauses: o.Clauses}); l.Doubt == "" && r.needsParagraph(l) {
			l.Doubt = explainNeedsParagraph(l)
		}
		read = append(read, l)
	}
	return slices.Insert(out, max(at, 0), read...)
}

// markQuoteEnds makes orders directly below a quoted line doubtful: they may be the end of a quoted line that a mail program has wrapped.
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

// doubtInsideParagraphs makes orders doubtful that must be a paragraph of their own and are not: a mail program may have wrapped a
// sentence before them. Names and closings may follow.
func (r *Reader) doubtInsideParagraphs(lines []Line, split []order.Line) {
	for i := range lines {
		l := &lines[i]
		if !l.HasEffect() || !r.needsParagraph(*l) {
			continue
		}
		other := split[i].FollowsLine || split[i].AfterSemicolon
		for k := i + 1; k < len(lines) && (split[k].FollowsLine || split[k].AfterSemicolon); k++ {
			other = other || lines[k].Kind != Talk
		}
		if other {
			l.Doubt = explainNeedsParagraph(*l)
		}
	}
}

// needsParagraph reports whether an order counts only on a line by itself with blank lines around it, e.g. RESIGN.
func (r *Reader) needsParagraph(l Line) bool {
	if l.Kind == RefereeOrder {
		return findEntryOf(l.Command.Word).Alone
	}
	return l.Kind == GameOrder && slices.ContainsFunc(r.keywords, func(k rules.Keyword) bool {
		return k.Exact && k.Word == l.Order.Clauses[0].Word
	})
}

// explainNeedsParagraph returns the reason to doubt an order that is not a paragraph of its own.
func explainNeedsParagraph(l Line) string {
	word := string(l.Command.Word)
	if l.Kind == GameOrder {
		word = l.Order.Clauses[0].Word
	}
	return word + " was not carried out, because it was not on a line by itself with blank lines around it."
}

// markContradictions makes TAKEBACK, DROP and CANCEL ORDERS doubtful beside an order of the game, since they may be meant to undo that
// order.
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

// AlsoSays quotes the lines that raise doubts about the orders, e.g. `Your letter also says "if that is allowed".`
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

// maxWrappedLines is the largest number of lines of a wrapped conditional order. A mail program may wrap lines of
// minWrapWidth or more.
const (
	maxWrappedLines = 8
	minWrapWidth    = 55
)

// joinConditional joins the lines of a wrapped conditional order: after a comma, or if only the joined lines can be read.
func (r *Reader) joinConditional(lines []order.Line) []order.Line {
	if r.Conditional == nil {
		return lines
	}
	var out []order.Line
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if ahead.IsConditional(l.Text) {
			n := r.countWrapped(lines[i:])
			for range n {
				i++
				l.Text += " " + lines[i].Text
			}
		}
		out = append(out, l)
	}
	return out
}

func (r *Reader) countWrapped(lines []order.Line) int {
	text, joined := lines[0].Text, 0
	_, err := r.Conditional.Read(text)
	isComplete := err == nil
	for i, l := range lines[1:min(len(lines), maxWrappedLines)] {
		last := text[strings.LastIndexByte(text, ' ')+1:]
		comma := strings.HasSuffix(text, ",")
		if !l.FollowsLine || ahead.IsConditional(l.Text) || StartsWith(l.Text, Message) || !comma && isComplete &&
			len(last)+len(text) < minWrapWidth {
			break
		}
		if (comma || isComplete) && r.Orders.IsOrder(l.Text) {
			break
		}
		text += " " + l.Text
		_, err := r.Conditional.Read(text)
		switch {
		case err == nil:
			isComplete, joined = true, i+1
		case comma && joined == i:
			joined = i + 1 // the error is reported for all joined lines
		}
	}
	return joined
}

// readConditional reads a line that starts like a conditional order, or a plan that says how long it lasts.
func (r *Reader) readConditional(l *Line, o order.Line) bool {
	begins := ahead.IsConditional(o.Text)
	if r.Conditional == nil || !begins && !ahead.IsLasting(o.Text) {
		return false
	}
	line, err := r.Conditional.Read(o.Text)
	switch {
	case err != nil && begins && (o.Enclosed || r.Conditional.LooksConditional(o.Text)):
		l.Kind, l.Why = Unreadable, match.ErrorSentence(err)
		if word := refereeWord(o.Text); word != "" {
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

// refereeWord returns the order to the referee in a conditional order. For example, RESIGN in "IF VP 20: RESIGN".
func refereeWord(text string) Word {
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
