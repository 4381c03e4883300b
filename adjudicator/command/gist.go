package command

import (
	"slices"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// gist reads what could not be read line by line: all that a letter says to the question
// is taken together.
func (r *Reader) gist(lines []Line, question func() (*order.Question, error)) ([]Line, error) {
	if question == nil || !slices.ContainsFunc(lines, func(l Line) bool { return l.Class() == None }) {
		return lines, nil
	}
	q, err := question()
	if err != nil || q == nil || settled(lines, q) {
		return lines, err
	}
	var texts []string
	for _, l := range lines {
		switch {
		case l.Kind == ConditionalOrder, l.Is(Preview):
			return lines, nil
		case l.Class() == None:
			texts = append(texts, l.Text)
		}
	}
	g := r.Orders.Gist(texts, q)
	switch {
	case len(g.Several) > 0:
		return append(lines, Line{Text: strings.Join(texts, "; "), Kind: Unreadable,
			Why: "It can mean " + strings.Join(g.Several, ", or ") + ". Write the one that you mean."}), nil
	case len(g.Orders) == 0:
		return lines, nil
	}
	return r.taken(lines, g), nil
}

// unclear lines are what was not understood, and what may speak against an order.
func unclear(l Line) bool { return l.Kind == Doubt || l.Kind == Unreadable && l.Class() == None }

// settled reports whether nothing but harmless talk stands beside orders, of which the
// first answers the question as it stands.
func settled(lines []Line, q *order.Question) bool {
	if slices.ContainsFunc(lines, unclear) {
		return false
	}
	i := slices.IndexFunc(lines, func(l Line) bool { return l.Kind == GameOrder })
	return i >= 0 && q.Try(lines[i].Order) != nil
}

// taken puts what was understood in the place of the lines that say it.
func (r *Reader) taken(lines []Line, g order.Gist) []Line {
	var out []Line
	var texts []string
	at, n, surely := -1, 0, false
	for _, l := range lines {
		if l.Class() != None {
			out = append(out, l)
			continue
		}
		if n++; !g.Used[n-1] {
			if l.Kind > Doubt {
				l.Kind = Doubt
			}
			out = append(out, l)
			continue
		}
		if at < 0 {
			at = len(out)
		}
		texts, surely = append(texts, l.Text), surely || l.Surely
	}
	unsure := ""
	switch {
	case len(g.Doubts) > 0:
		unsure = alsoSays(g.Doubts)
	case g.Surplus:
		unsure = "It names more than is asked now."
	case len(g.Left) > 0:
		unsure = "You did not write " + g.Left[0] + "."
	}
	var read []Line
	for i, o := range g.Orders {
		l := Line{Text: strings.Join(texts, "; "), Surely: surely, Unsure: unsure}
		if i > 0 {
			l.Text = order.Write(o)
		}
		r.ordered(&l, rules.Order{Text: order.Write(o), Clauses: o.Clauses})
		read = append(read, l)
	}
	return slices.Insert(out, max(at, 0), read...)
}
