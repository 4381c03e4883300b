package program

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// The words of orders ahead.
const (
	WordAnswer = "ANSWER"
	WordNext   = "NEXT"
	WordIf     = "IF"
	wordElse   = "ELSE"
	wordAsk    = "ASK"
	wordAnd    = "AND"
	wordNot    = "NOT"
	wordAlways = "ALWAYS"
	wordAnyway = "ANYWAY"
)

// Reader reads and fires the orders ahead of one game.
type Reader struct {
	game    rules.Game
	planner rules.Planner
	orders  *order.Parser
	// names has a verb for each kind of names, for looking them up.
	names  *order.Parser
	labels []string
	verbs  map[string]bool
}

// New returns a reader for a game, or nil when the game takes no orders ahead.
// Orders are read with the parser.
func New(g rules.Game, orders *order.Parser) *Reader {
	p, ok := g.(rules.Planner)
	if !ok {
		return nil
	}
	r := &Reader{game: g, planner: p, orders: orders, names: order.New(byKind{g}), labels: slices.Clone(p.Labels()), verbs: map[string]bool{}}
	slices.SortStableFunc(r.labels, func(a, b string) int { return len(b) - len(a) })
	for _, k := range g.Keywords() {
		if k.Verb {
			for _, w := range append([]string{k.Word}, k.Also...) {
				first, _, _ := strings.Cut(strings.ToUpper(w), " ")
				r.verbs[first] = true
			}
		}
	}
	return r
}

// byKind is a language in which the name of a kind is a verb that takes one name
// of the kind.
type byKind struct{ rules.Game }

// Keywords implements rules.Language.
func (l byKind) Keywords() []rules.Keyword {
	var out []rules.Keyword
	seen := map[rules.NameKind]bool{}
	for _, n := range l.Names() {
		if !seen[n.Kind] {
			seen[n.Kind] = true
			out = append(out, rules.Keyword{Word: kindVerb(n.Kind), Verb: true, Takes: []rules.NameKind{n.Kind}})
		}
	}
	return out
}

// kindVerb is a word that is no part of any name.
func kindVerb(k rules.NameKind) string { return "NAMED " + strings.ToUpper(string(k)) }

// find implements rules.Finder.
func (r *Reader) find(kind rules.NameKind, text string) (rules.Name, error) {
	o, err := r.names.Plain(kindVerb(kind) + " " + text)
	if err != nil {
		return rules.Name{}, fmt.Errorf("%q is no %s, or not only one", text, kind)
	}
	return o.Clauses[0].Items[0].Name, nil
}

// IsAhead reports whether a line says by its first word that it is an order ahead.
func IsAhead(text string) bool {
	w := strings.Fields(text)
	return len(w) > 1 && slices.Contains([]string{WordAnswer, WordNext, WordIf}, head(w[0]))
}

// head is the first word of a line as it is compared.
func head(word string) string { return strings.ToUpper(strings.TrimRight(word, ",:")) }

// Read reads a line. What is wrong with it is said in words for its writer.
func (r *Reader) Read(text string) (*Line, error) {
	l := &Line{}
	words := l.modifiers(strings.Fields(text))
	words, err := l.condition(words)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("there is no order behind the condition")
	}
	next := false
	switch head(words[0]) {
	case WordNext:
		next = true
		if words, err = l.condition(words[1:]); err != nil {
			return nil, err
		}
	case WordAnswer:
		if words, err = r.source(l, words[1:]); err != nil {
			return nil, err
		}
	}
	if l.If != "" {
		if _, err := r.test(l.If); err != nil {
			return nil, err
		}
	}
	l.branches(words)
	if l.Then == "" && l.Else == "" {
		return nil, errors.New("there is no order in it: whether the condition holds or not, you would be asked")
	}
	if l.If == "" && l.Else != "" {
		return nil, errors.New("ELSE wants an IF before it: IF <condition>: <order> ELSE <order>")
	}
	for _, text := range []string{l.Then, l.Else} {
		if err := r.body(l, text, next); err != nil {
			return nil, err
		}
	}
	if l.Source == "" && l.Always {
		return nil, errors.New("ALWAYS is for answers: what is planned for an action is carried out once")
	}
	l.Text = l.canonical()
	return l, nil
}

// modifiers takes ALWAYS and ANYWAY out of a line. They may stand at its end or
// behind the first word.
func (l *Line) modifiers(words []string) []string {
	out := slices.Clone(words)
	for len(out) > 0 && l.modifier(out[len(out)-1]) {
		out = out[:len(out)-1]
	}
	for len(out) > 1 && l.modifier(out[1]) {
		out = slices.Delete(out, 1, 2)
	}
	return out
}

func (l *Line) modifier(word string) bool {
	switch strings.ToUpper(strings.Trim(word, ".,;")) {
	case wordAlways:
		l.Always = true
	case wordAnyway:
		l.Anyway = true
	default:
		return false
	}
	return true
}

// condition takes IF and what stands before its colon off the words.
func (l *Line) condition(words []string) ([]string, error) {
	if len(words) == 0 || head(words[0]) != WordIf {
		return words, nil
	}
	if l.If != "" {
		return nil, errors.New("one line has one IF; join conditions with AND")
	}
	for i, w := range words {
		before, after, found := strings.Cut(w, ":")
		if !found {
			continue
		}
		parts := append(slices.Clone(words[1:i]), before)
		l.If = strings.TrimSpace(strings.Join(parts, " "))
		rest := slices.Clone(words[i+1:])
		if after != "" {
			rest = append([]string{after}, rest...)
		}
		if l.If == "" {
			return nil, errors.New("there is no condition behind IF")
		}
		return rest, nil
	}
	return nil, errors.New("a colon ends the condition: IF <condition>: <order>")
}

// source takes the source of an ANSWER off the words: the longest label, or as
// many words as name a card in front of a verb.
func (r *Reader) source(l *Line, words []string) ([]string, error) {
	for i := len(words) - 1; i > 0; i-- {
		name := strings.TrimRight(strings.Join(words[:i], " "), ":,")
		if !r.verbs[strings.ToUpper(strings.Trim(words[i], ",:"))] && !strings.EqualFold(words[i], WordIf) {
			continue
		}
		for _, label := range r.labels {
			if strings.EqualFold(name, label) {
				l.Source = label
			}
		}
		if l.Source == "" {
			if n, err := r.find(rules.CardName, name); err == nil && n.Number != 0 {
				l.Source = strconv.Itoa(n.Number)
			}
		}
		if l.Source != "" {
			return l.condition(words[i:])
		}
	}
	return nil, fmt.Errorf("say what the answer is for and then the order: ANSWER <source> <order>. A source is a card or one of %s",
		strings.Join(r.planner.Labels(), ", "))
}

// branches splits the words at ELSE.
func (l *Line) branches(words []string) {
	then, other := words, []string(nil)
	if i := slices.IndexFunc(words, func(w string) bool { return strings.EqualFold(strings.Trim(w, ".,"), wordElse) }); i >= 0 {
		then, other = words[:i], words[i+1:]
	}
	branch := func(words []string) string {
		text := strings.TrimRight(strings.Join(words, " "), ", ")
		if strings.EqualFold(strings.Trim(text, "."), wordAsk) {
			return ""
		}
		return text
	}
	l.Then, l.Else = branch(then), branch(other)
}

// body reads one of the orders of a line.
func (r *Reader) body(l *Line, text string, next bool) error {
	if text == "" {
		return nil
	}
	o, err := r.orders.Order(text)
	if err != nil {
		return err
	}
	answers, err := r.game.Answers(o, nil)
	if err != nil {
		return err
	}
	l.Verbs = append(l.Verbs, o.Clauses[0].Word)
	action := r.action(answers)
	switch plan := r.planner.Plan(o); {
	case l.Source == "" && !next && !action && plan != "":
		l.Source = plan
	case l.Source == "" && !action && next:
		return fmt.Errorf("%s is for your next action; an answer to something else is written ANSWER <source> %s", WordNext, text)
	case l.Source == "" && !action:
		return fmt.Errorf("nothing like that is asked now. To keep it for later, say what it answers: ANSWER <source> %s", text)
	case next && l.Source != "":
		return fmt.Errorf("%s and %s do not go together", WordNext, WordAnswer)
	}
	l.Plan = l.Source != "" && l.Source == r.planner.Plan(o)
	return nil
}

// action reports whether an order is one for an action, and for nothing else.
func (r *Reader) action(answers []rules.Answer) bool {
	return !slices.ContainsFunc(answers[0].Kinds, func(k string) bool { return !r.planner.Action(rules.Decision{Kind: k}) })
}

// canonical is the line as its owner is shown it.
func (l *Line) canonical() string {
	var out []string
	switch {
	case l.Plan:
	case l.Source != "":
		out = append(out, WordAnswer, l.Source)
	default:
		out = append(out, WordNext)
	}
	if l.If != "" {
		out = append(out, WordIf, l.If+":")
	}
	if l.Then == "" {
		out = append(out, wordAsk)
	} else {
		out = append(out, l.Then)
	}
	if l.Else != "" {
		out = append(out, wordElse, l.Else)
	}
	if l.Always {
		out = append(out, wordAlways)
	}
	if l.Anyway {
		out = append(out, wordAnyway)
	}
	return strings.Join(out, " ")
}

// Plausible reports whether a line that begins like an order ahead, and cannot be
// read as one, is meant to be one, and is not talk: "If you like, play faster" is
// talk, and "NEXT PLAY 99 FOR NOTHING" is not.
func (r *Reader) Plausible(text string) bool {
	words := strings.Fields(text)
	if len(words) < 2 {
		return false
	}
	shouted := words[0] == strings.ToUpper(words[0])
	switch head(words[0]) {
	case WordIf:
		_, rest, colon := strings.Cut(text, ":")
		return colon && (shouted || IsAhead(rest) || r.orders.IsOrder(rest))
	case WordNext:
		return shouted || strings.EqualFold(words[1], WordIf) && strings.Contains(text, ":") || r.orders.IsOrder(strings.Join(words[1:], " "))
	case WordAnswer:
		return shouted || r.orders.IsOrder(strings.Join(words[2:], " "))
	}
	return false
}

// Period is where a position stands in the periods that lines are kept for.
func (r *Reader) Period(pos rules.Position) int { return r.planner.Period(pos.View(rules.Nobody)) }
