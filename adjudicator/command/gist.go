package command

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// gist reads what could not be read line by line: all that a letter says to the question
// is taken together.
func (r *Reader) gist(lines []Line, letter Letter) ([]Line, error) {
	if letter.Try == nil || !slices.ContainsFunc(lines, func(l Line) bool { return l.Class() == None }) {
		return lines, nil
	}
	try, err := letter.Try()
	if err != nil || try == nil || settled(lines, try) {
		return lines, err
	}
	q, err := letter.Question()
	if err != nil {
		return lines, err
	}
	if plain, found := cardsNamed(lines); found {
		if out, err := r.answers(plain, q); err != nil || slices.ContainsFunc(out, func(l Line) bool { return l.Kind == GameOrder }) {
			return out, err
		}
	}
	return r.answers(lines, q)
}

// cardsNamed are the lines of a letter in which what names a card does not ask about it but
// is a part of an order, as "card: 36" is above "event".
func cardsNamed(lines []Line) (out []Line, found bool) {
	out = slices.Clone(lines)
	for i, l := range out {
		if l.Is(Card) && !strings.HasPrefix(l.Text, string(Card)) {
			out[i], found = Line{Text: l.Text, Kind: Doubt}, true
		}
	}
	return out, found && slices.ContainsFunc(lines, func(l Line) bool { return l.Kind > Talk && l.Class() == None })
}

// answers reads the lines of a letter together.
func (r *Reader) answers(lines []Line, q *order.Question) ([]Line, error) {
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
	if !g.Plain() {
		// A name below the orders may be called like a place.
		if talk := slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.Kind == Talk }); len(talk) > 0 && len(talk) < len(lines) {
			return r.without(lines, talk, g, q)
		}
	}
	return r.put(lines, texts, g, q), nil
}

// without reads a letter without its harmless lines.
func (r *Reader) without(lines, rest []Line, g order.Gist, q *order.Question) ([]Line, error) {
	var texts, all []string
	for _, l := range rest {
		if l.Class() == None {
			texts = append(texts, l.Text)
		}
	}
	for _, l := range lines {
		if l.Class() == None {
			all = append(all, l.Text)
		}
	}
	h := r.Orders.Gist(texts, q)
	if len(h.Orders) == 0 || len(g.Orders) > 0 && !h.Plain() {
		return r.put(lines, all, g, q), nil
	}
	talk := slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.Kind != Talk })
	return append(r.put(rest, texts, h, q), talk...), nil
}

// put puts what was found in the place of the lines.
func (r *Reader) put(lines []Line, texts []string, g order.Gist, q *order.Question) []Line {
	switch {
	case len(g.Several) > 0 && !slices.ContainsFunc(lines, func(l Line) bool { return l.Kind == GameOrder && q.Try(l.Order) != nil }):
		return append(lines, Line{Text: strings.Join(texts, "; "), Kind: Unreadable, Names: true, Can: g.Several,
			Why: "It can mean " + strings.Join(g.Several, ", or ") + ". Write the one that you mean."})
	case len(g.Orders) == 0:
		for i, l := range lines {
			if l.Kind == GameOrder && bracketedWords.MatchString(l.Text) {
				lines[i].Unsure = "It has something in brackets, which may be a remark."
			}
		}
		if !slices.ContainsFunc(lines, func(l Line) bool { return l.Acts() || l.Class() != None }) {
			if g = r.Orders.Lesser(texts, q); len(g.Orders) > 0 {
				return r.taken(lines, g)
			}
		}
		return lines
	}
	return r.taken(lines, g)
}

// unclear lines are what was not understood, and what may speak against an order.
func unclear(l Line) bool { return l.Kind == Doubt || l.Kind == Unreadable && l.Class() == None }

// settled reports whether nothing but harmless talk stands beside orders, of which the
// first answers the question as it stands. What was only guessed to be another order, and
// is not asked behind it, is none: "I take it back" takes no card.
func settled(lines []Line, try func(rules.Order) *order.Trial) bool {
	var first *order.Trial
	var follows func(rules.Order) bool
	for i, l := range lines {
		switch {
		case l.Kind != GameOrder:
		case first == nil:
			if first = try(l.Order); first != nil {
				follows = behind(first)
			}
		case l.guessed && !l.Later && !follows(l.Order):
			lines[i].Kind, lines[i].Why = Doubt, "It is no answer to what is asked."
		}
	}
	if slices.ContainsFunc(lines, unclear) {
		return false
	}
	i := slices.IndexFunc(lines, func(l Line) bool { return l.Kind == GameOrder })
	if i >= 0 && bracketedWords.MatchString(lines[i].Text) {
		return false // A place in brackets may say where another one is.
	}
	return i >= 0 && try(lines[i].Order) != nil
}

// behind reports whether an order answers what its writer is asked behind another. That is found out
// once, and once for each order: hundreds of lines may say the same.
func behind(first *order.Trial) func(rules.Order) bool {
	next := sync.OnceValue(func() *order.Question {
		if first.Next == nil {
			return nil
		}
		return first.Next()
	})
	known := map[string]bool{}
	return func(o rules.Order) bool {
		text := order.Write(o)
		is, ok := known[text]
		if !ok {
			is = next() != nil && next().Try(o) != nil
			known[text] = is
		}
		return is
	}
}

// bracketedWords are words in brackets.
var bracketedWords = regexp.MustCompile(`\([^)]*\pL{3}`)

// taken puts what was understood in the place of the lines that say it.
func (r *Reader) taken(lines []Line, g order.Gist) []Line {
	var out []Line
	var texts []string
	at, n, surely, asks, below := -1, 0, false, false, ""
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
		texts, surely, asks = append(texts, l.Text), surely || l.Surely, asks || wonders(l.Text)
		below = cmp.Or(below, l.below)
	}
	unsure := ""
	switch {
	case len(g.Doubts) > 0 && asks:
		unsure = questioned
	case len(g.Doubts) > 0:
		unsure = AlsoSays(g.Doubts)
	case below != "":
		unsure = below
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
		if r.ordered(&l, rules.Order{Text: order.Write(o), Clauses: o.Clauses}); l.Unsure == "" && r.alone(l) {
			l.Unsure = apart(l)
		}
		read = append(read, l)
	}
	return slices.Insert(out, max(at, 0), read...)
}
