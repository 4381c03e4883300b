package letter

import (
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/order"
	"strings"
)

// mostBroken is how many lines a conditional order may be broken into, brokenFrom the
// length from which a mail program may have broken it.
const (
	mostBroken = 8
	brokenFrom = 55
)

// joinConditional joins the lines of a conditional order that was broken: behind a comma,
// or where it cannot be read as it stands and can with the lines below.
func (r *Reader) joinConditional(lines []order.Line) []order.Line {
	if r.Conditional == nil {
		return lines
	}
	var out []order.Line
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if ahead.IsAhead(l.Text) {
			n := r.broken(lines[i:])
			for range n {
				i++
				l.Text += " " + lines[i].Text
			}
		}
		out = append(out, l)
	}
	return out
}

// broken counts the lines below the first that go on with it.
func (r *Reader) broken(lines []order.Line) int {
	text, goes := lines[0].Text, 0
	_, err := r.Conditional.Read(text)
	whole := err == nil
	for i, l := range lines[1:min(len(lines), mostBroken)] {
		last := text[strings.LastIndexByte(text, ' ')+1:]
		comma := strings.HasSuffix(text, ",")
		if !l.Below || ahead.IsAhead(l.Text) || Begins(l.Text, Message) || !comma && whole && len(last)+len(text) < brokenFrom {
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
			goes = i + 1 // What is wrong with it is said of the whole.
		}
	}
	return goes
}

// readConditional reads a line as a conditional order, if it begins like one and is not
// talk. A plan needs no source before it, and may say how long it is to last.
func (r *Reader) readConditional(l *Line, o order.Line) bool {
	begins := ahead.IsAhead(o.Text)
	if r.Conditional == nil || !begins && !ahead.Lasting(o.Text) {
		return false
	}
	line, err := r.Conditional.Read(o.Text)
	switch {
	case err != nil && begins && (o.Enclosed || r.Conditional.Plausible(o.Text)):
		l.Kind, l.Why = Unreadable, Sentence(err)
	case err != nil:
		return false
	case !begins && !line.Plan:
		l.Kind, l.Why = Unreadable, "ALWAYS and ANYWAY are for orders ahead. If you mean one, write: "+line.Text
	case begins && l.Surely:
		l.Kind, l.Why = Unreadable, Surely+" is for an order that is carried out now. An order ahead that would lose the match is never carried out; "+
			"you are asked then."
	default:
		l.Kind, l.Conditional = ConditionalOrder, line
	}
	return true
}

// cutPreview takes PREVIEW off the beginning of a line. What stands behind it on
// the line is an order of its own.
func (r *Reader) cutPreview(lines []order.Line) []order.Line {
	var out []order.Line
	for _, l := range lines {
		first, rest, _ := strings.Cut(l.Text, " ")
		rest = strings.TrimSpace(rest)
		if strings.EqualFold(strings.Trim(first, ":.,"), string(Preview)) &&
			(first == strings.ToUpper(first) || rest == "" || ahead.IsAhead(rest) || r.Orders.IsOrder(rest)) {
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

// later reports whether a line says that it is for later.
func later(text string) bool {
	words := order.Words(text)
	return len(words) > 1 && (words[0] == "then" || words[0] == "and" && words[1] == "then")
}

// surely takes SURELY off an order.
func surely(text string) (string, bool) {
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
