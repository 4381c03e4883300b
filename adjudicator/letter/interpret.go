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
	return l.Class() == ClassNone && (l.Kind == KindDoubt || l.Kind == KindUnreadable)
}

func (r *Reader) markCourtesy(lines []Line) {
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.Text)
	}
	for i, ok := range r.Orders.MarkCourtesies(texts) {
		if ok && lines[i].needsInterpretation() {
			lines[i].Kind, lines[i].Why = KindTalk, ""
		}
	}
}

// interpret reads the orders, and the lines that are not orders by themselves, as a whole. If every word is understood and there is exactly
// one legal reading, the lines become that order. Otherwise the orders that the letter may mean are proposed to the writer.
func (r *Reader) interpret(lines []Line, letter Letter) ([]Line, error) {
	hasUnreadLine := slices.ContainsFunc(lines, func(l Line) bool { return l.needsInterpretation() })
	first := slices.IndexFunc(lines, func(l Line) bool { return l.Kind == KindGameOrder && !l.IsForLater })
	if !hasUnreadLine && first < 0 {
		return lines, nil
	}
	var question *order.Question
	if letter.Trials != nil {
		tryOrder, err := letter.Trials()
		if err != nil {
			return nil, err
		}
		if !hasUnreadLine && (tryOrder == nil || tryOrder(lines[first].Order) != nil) {
			return lines, nil
		}
		if tryOrder != nil {
			if question, err = letter.LoadFullQuestion(); err != nil {
				return nil, err
			}
		}
	}
	return r.interpretTogether(lines, hasUnreadLine, cmp.Or(question, &order.Question{})), nil
}

// interpretTogether interprets all lines as one answer to a question. hasUnreadLine is set if a line still needs an interpretation.
func (r *Reader) interpretTogether(lines []Line, hasUnreadLine bool, question *order.Question) []Line {
	var texts []string
	var indexes []int
	for i := range lines {
		if lines[i].isReadable() {
			texts, indexes = append(texts, lines[i].Text), append(indexes, i)
		}
	}
	result := r.Orders.Interpret(texts, question)
	used := make([]bool, len(lines))
	for k, i := range indexes {
		used[i] = result.UsedLines[k]
	}
	hasGameOrder := slices.ContainsFunc(lines, func(l Line) bool { return l.Kind == KindGameOrder })
	switch hasResult := len(result.Orders) > 0; {
	case !hasUnreadLine && (!hasResult || result.Certain), hasResult && hasUnreadLine && hasGameOrder && !usesUnreadLine(lines, used):
		return lines // The orders are on lines of their own.
	case len(result.Choices) > 0:
		return append(lines, Line{Text: strings.Join(texts, "; "), Kind: KindUnreadable, NamesOrders: true, PossibleOrders: result.Choices,
			Why: "It can mean " + strings.Join(result.Choices, ", or ") + ". Write the one that you mean."})
	case hasResult:
		return r.applyInterpretation(lines, used, result)
	case result.OnlyDenial && hasGameOrder:
		return lines
	case result.Denied || result.FinalVerb != "":
		return withdrawOrders(lines, result.FinalVerb)
	}
	return r.readSeparately(lines)
}

// isReadable reports whether a line may be part of an interpretation: an order that answers an open question, a line
// that is not an order, or a CARD line in small letters, e.g. "Card 36 for the event".
func (l *Line) isReadable() bool {
	if l.Is(Card) {
		return !strings.HasPrefix(l.Text, string(Card))
	}
	return l.Class() == ClassNone && l.Kind != KindTalk && l.Kind != KindConditionalOrder && !l.IsForLater
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

// readSeparately parses each line that still needs an interpretation by itself. It finds orders that are illegal now, and so were not
// found as answers to the question.
func (r *Reader) readSeparately(lines []Line) []Line {
	for i := range lines {
		l := &lines[i]
		if !l.needsInterpretation() {
			continue
		}
		switch parsed, err := r.Orders.ParseOrder(l.Text); {
		case err == nil && r.Orders.IsStatement(l.Text):
			r.storeOrder(l, parsed)
		case err != nil && numberedCardPattern.MatchString(l.Text):
			l.Kind, l.IsCardPlay, l.Why = KindUnreadable, true, match.ErrorSentence(err)
		}
	}
	return lines
}

// numberedCardPattern matches a line that begins like the query CARD 36, but may be an order to play this card, e.g. "card 36:
// Lodz 2".
var numberedCardPattern = regexp.MustCompile(`^(?:card|Card)\s+#?\d`)

// withdrawOrders turns the letter's orders into doubts, so that none is carried out or proposed. It is called if a line denies the
// orders, or if a line of talk may mean an irrevocable order. verb is the verb of the irrevocable order, and empty after a denial.
func withdrawOrders(lines []Line, verb string) []Line {
	for i := range lines {
		if l := &lines[i]; l.HasEffect() && l.Class() != ClassMessage && !l.Is(Yes) && !l.Is(No) {
			l.Kind, l.Why = KindDoubt, "Write the order that you mean on a line of its own."
		}
		if lines[i].Kind == KindDoubt {
			lines[i].IrrevocableVerb = verb
		}
	}
	return lines
}

func (r *Reader) applyInterpretation(lines []Line, used []bool, result order.Interpretation) []Line {
	var out []Line
	var texts []string
	position, isConfirmed, quoteNote := -1, false, ""
	for i, l := range lines {
		if !used[i] {
			if l.needsInterpretation() || l.Kind == KindGameOrder && !l.IsForLater {
				l.Kind = KindDoubt
			}
			out = append(out, l)
			continue
		}
		if position < 0 {
			position = len(out)
		}
		texts, isConfirmed, quoteNote = append(texts, l.Text), isConfirmed || l.IsConfirmed, cmp.Or(quoteNote, l.quoteDoubt)
	}
	doubt := ""
	switch {
	case result.Certain:
		doubt = quoteNote
	case len(result.NotUnderstood) > 0:
		doubt = AlsoSays(result.NotUnderstood)
	case result.NamesMore:
		doubt = "It names more than is asked now: the first answers the question, and the rest waits for the next question of this kind."
	case len(result.Added) > 0:
		doubt = "You did not write " + result.Added[0] + "."
	}
	var orderLines []Line
	for i, o := range result.Orders {
		l := Line{Text: strings.Join(texts, "; "), IsConfirmed: isConfirmed, Doubt: doubt}
		if i > 0 {
			l.Text = order.Format(o)
		}
		if r.storeOrder(&l, rules.Order{Text: order.Format(o), Clauses: o.Clauses}); l.Doubt == "" && r.needsParagraph(l) {
			l.Doubt = explainNeedsParagraph(l)
		}
		orderLines = append(orderLines, l)
	}
	return slices.Insert(out, max(position, 0), orderLines...)
}

// markQuoteEnds makes orders directly below a quoted line doubtful: they may be the end of a quoted line that a mail program has wrapped.
func markQuoteEnds(lines []Line, quoted []string) {
	for i, l := range lines {
		if slices.ContainsFunc(quoted, func(q string) bool { return strings.HasPrefix(l.Text, q) || strings.HasPrefix(q, l.Text) }) {
			lines[i].quoteDoubt = "It stands right below a quoted line, and may be the end of that."
			if l.Kind == KindDoubt && len(order.Words(l.Text)) == 1 {
				lines[i].Kind, lines[i].Why = KindTalk, ""
			} else if l.HasEffect() {
				lines[i].Doubt = lines[i].quoteDoubt
			}
		}
	}
}

// doubtInsideParagraphs makes an order doubtful if it must be a paragraph of its own and is not: it may be the end of a
// sentence that a mail program has wrapped. Names and closings may follow the order.
func (r *Reader) doubtInsideParagraphs(lines []Line, parts []order.Line) {
	for i := range lines {
		l := &lines[i]
		if !l.HasEffect() || !r.needsParagraph(*l) {
			continue
		}
		hasNeighbour := parts[i].FollowsLine || parts[i].AfterSemicolon
		for k := i + 1; k < len(lines) && (parts[k].FollowsLine || parts[k].AfterSemicolon); k++ {
			hasNeighbour = hasNeighbour || lines[k].Kind != KindTalk
		}
		if hasNeighbour {
			l.Doubt = explainNeedsParagraph(*l)
		}
	}
}

// needsParagraph reports whether an order counts only on a line by itself with blank lines around it, e.g. RESIGN.
func (r *Reader) needsParagraph(l Line) bool {
	if l.Kind == KindRefereeOrder {
		return findPlayerOrderSpec(l.Command.Word).NeedsParagraph
	}
	return l.Kind == KindGameOrder && slices.ContainsFunc(r.keywords, func(k rules.Keyword) bool {
		return k.Exact && k.Word == l.Order.Clauses[0].Word
	})
}

func explainNeedsParagraph(l Line) string {
	word := string(l.Command.Word)
	if l.Kind == KindGameOrder {
		word = l.Order.Clauses[0].Word
	}
	return word + " was not carried out, because it was not on a line by itself with blank lines around it."
}

// markContradictions makes TAKEBACK, DROP and CANCEL ORDERS doubtful beside an order of the game, since they may be meant to undo that
// order.
func markContradictions(lines []Line) {
	if !slices.ContainsFunc(lines, func(l Line) bool { return l.Kind == KindGameOrder }) {
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

// Doubts returns the reasons why the orders of a letter need a confirmation, a sentence each. It returns nil for a letter without orders.
func Doubts(lines []Line) []string {
	var out, talk []string
	hasOrder := false
	for _, l := range lines {
		hasOrder = hasOrder || l.HasEffect()
		switch {
		case l.Kind == KindDoubt:
			talk = append(talk, l.Text)
		case l.Doubt != "" && !slices.Contains(out, l.Doubt):
			out = append(out, l.Doubt)
		}
	}
	switch {
	case !hasOrder:
		return nil
	case len(talk) > 0:
		out = append(out, AlsoSays(talk))
	}
	return out
}

// maxQuoted is the maximum number of characters that AlsoSays quotes.
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

const (
	maxWrappedLines = 8
	// minWrapWidth is the minimum number of bytes of a line that a mail program may have wrapped.
	minWrapWidth = 55
)

// joinConditional joins the lines of a conditional order that a mail program has wrapped. It joins a line to the line above if the line
// above ends with a comma, or if only both together can be read.
func (r *Reader) joinConditional(lines []order.Line) []order.Line {
	if r.Conditional == nil {
		return lines
	}
	var out []order.Line
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if ahead.IsConditional(l.Text) {
			n := r.countWrappedLines(lines[i:])
			for range n {
				i++
				l.Text += " " + lines[i].Text
			}
		}
		out = append(out, l)
	}
	return out
}

func (r *Reader) countWrappedLines(lines []order.Line) int {
	text, joinedCount := lines[0].Text, 0
	_, err := r.Conditional.Parse(text)
	isComplete := err == nil
	for i, l := range lines[1:min(len(lines), maxWrappedLines)] {
		last := text[strings.LastIndexByte(text, ' ')+1:]
		endsWithComma := strings.HasSuffix(text, ",")
		if !l.FollowsLine || ahead.IsConditional(l.Text) || StartsWith(l.Text, Message) || !endsWithComma && isComplete &&
			len(last)+len(text) < minWrapWidth {
			break
		}
		if (endsWithComma || isComplete) && r.Orders.IsOrder(l.Text) {
			break
		}
		text += " " + l.Text
		_, err := r.Conditional.Parse(text)
		switch {
		case err == nil:
			isComplete, joinedCount = true, i+1
		case endsWithComma && joinedCount == i:
			joinedCount = i + 1 // The error report quotes all joined lines.
		}
	}
	return joinedCount
}

// readConditional reads a line that starts like a conditional order, e.g. "IF VP 20: ...", or ends with ALWAYS or ANYWAY.
func (r *Reader) readConditional(l *Line, o order.Line) bool {
	hasConditionalWord := ahead.IsConditional(o.Text)
	if r.Conditional == nil || !hasConditionalWord && !ahead.IsLasting(o.Text) {
		return false
	}
	line, err := r.Conditional.Parse(o.Text)
	switch {
	case err != nil && hasConditionalWord && (o.Enclosed || r.Conditional.LooksConditional(o.Text)):
		l.Kind, l.Why = KindUnreadable, match.ErrorSentence(err)
		if word := refereeWord(o.Text); word != "" {
			l.Why = string(word) + " cannot wait for a condition; only orders of the game can. Write " + string(word) +
				" in a letter of its own when you mean it."
		}
	case err != nil:
		return false
	case !hasConditionalWord && !line.Plan:
		l.Kind, l.Why = KindUnreadable, "ALWAYS and ANYWAY are for orders saved for later. If you mean one, write: "+line.Text
	case hasConditionalWord && l.IsConfirmed:
		l.Kind, l.Why = KindUnreadable, ForSure+" is for an order that is carried out now. A saved order that would lose the match "+
			"is never carried out; we ask you then."
	default:
		l.Kind, l.Conditional = KindConditionalOrder, line
	}
	return true
}

// refereeWord returns the order to the referee in a conditional order, e.g. RESIGN in "IF VP 20: RESIGN"; empty for none.
func refereeWord(text string) Word {
	_, body, _ := strings.Cut(text, ":")
	word := Word(strings.ToUpper(order.FirstWord(strings.TrimSpace(body))))
	if e := findPlayerOrderSpec(word); e == nil || e.Class != ClassAction {
		return ""
	}
	return word
}

func (r *Reader) splitPreview(lines []order.Line) []order.Line {
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

func startsWithThen(text string) bool {
	words := order.Words(text)
	return len(words) > 1 && (words[0] == "then" || words[0] == "and" && words[1] == "then")
}

// cutForSure removes FOR SURE or SURELY, which confirm an order: "PLAY 14 EVENT FOR SURE" -> "PLAY 14 EVENT", true.
func cutForSure(text string) (string, bool) {
	words := strings.Fields(text)
	is := func(words []string, confirmation string) bool {
		return strings.EqualFold(strings.Trim(strings.Join(words, " "), ".,!"), confirmation)
	}
	switch n := len(words); {
	case n < 2:
		return text, false
	case is(words[n-1:], Surely):
		words = words[:n-1]
	case n > 2 && is(words[n-2:], ForSure):
		words = words[:n-2]
	case is(words[:1], Surely):
		words = words[1:]
	default:
		return text, false
	}
	return strings.TrimRight(strings.Join(words, " "), ","), true
}
