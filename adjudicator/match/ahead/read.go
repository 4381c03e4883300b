package ahead

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

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

// Interpreter parses and executes the conditional orders of a game.
type Interpreter struct {
	game   *rules.Game
	orders *order.Parser
	// names parses names, with a verb for each kind. It is made when the first condition needs it.
	names func() *order.Parser
	// labels maps a label without spaces, in lower case, to the label.
	labels map[string]string
	// verbs has the first words of the game's verbs and their synonyms, in capitals. planSources has the labels of orders that are plans.
	verbs       map[string]bool
	planSources map[string]bool
}

// New returns the interpreter of a game, or nil if the game has no conditional orders. orders parses the orders.
func New(g *rules.Game, orders *order.Parser) *Interpreter {
	if g.Ahead == nil {
		return nil
	}
	in := &Interpreter{game: g, orders: orders, names: sync.OnceValue(func() *order.Parser { return order.New(kindLanguage{g}) }),
		labels: map[string]string{}, planSources: map[string]bool{}, verbs: map[string]bool{}}
	for _, label := range g.Ahead.Labels() {
		in.labels[removeSpaces(label)] = label
	}
	for _, k := range g.Keywords() {
		if label := g.Ahead.PlanLabel(rules.Order{Clauses: []rules.Clause{{Word: k.Word}}}); label != "" {
			in.planSources[label] = true
		}
		if k.IsVerb {
			for _, w := range append([]string{k.Word}, k.Synonyms...) {
				first, _, _ := strings.Cut(strings.ToUpper(w), " ")
				in.verbs[first] = true
			}
		}
	}
	return in
}

// kindLanguage is a language with one verb for each kind of name, to find a name with the order parser:
// "NAMED CARD solidarity" is an order with the card Solidarity.
type kindLanguage struct{ rules.Language }

func (l kindLanguage) Keywords() []rules.Keyword {
	var out []rules.Keyword
	seen := map[rules.NameKind]bool{}
	for _, n := range l.Names() {
		if !seen[n.Kind] {
			seen[n.Kind] = true
			out = append(out, rules.Keyword{Word: kindVerb(n.Kind), IsVerb: true, NameKinds: []rules.NameKind{n.Kind}})
		}
	}
	return out
}

// kindVerb returns the verb for a kind of name. No name of a game contains such words.
func kindVerb(k rules.NameKind) string { return "NAMED " + strings.ToUpper(string(k)) }

func (in *Interpreter) findName(kind rules.NameKind, text string) (rules.Name, error) {
	o, err := in.names().ParsePlain(kindVerb(kind) + " " + text)
	if err != nil {
		var unclear *order.UnclearError
		if !errors.As(err, &unclear) || len(unclear.Candidates) == 0 {
			return rules.Name{}, fmt.Errorf("%q is not a %s", text, kind)
		}
		if unclear.Ambiguous {
			return rules.Name{}, fmt.Errorf("%q can be %s", text, joinOr(unclear.Candidates))
		}
		return rules.Name{}, fmt.Errorf("%q is not a %s; did you mean %s?", text, kind, joinOr(unclear.Candidates))
	}
	return o.Clauses[0].Items[0].Name, nil
}

func joinOr(list []string) string {
	if n := len(list) - 1; n > 0 {
		return strings.Join(list[:n], ", ") + " or " + list[n]
	}
	return strings.Join(list, "")
}

// IsConditional reports whether the first word of a line marks a conditional order, e.g. ANSWER.
func IsConditional(text string) bool {
	w := strings.Fields(text)
	return len(w) > 1 && slices.Contains([]string{WordAnswer, WordNext, WordIf}, normalizeWord(w[0]))
}

// IsLasting reports whether the last word of a line is ALWAYS or ANYWAY, which only conditional orders have.
func IsLasting(text string) bool {
	words := strings.Fields(text)
	return len(words) > 1 && new(Line).parseModifier(words[len(words)-1])
}

func normalizeWord(word string) string { return strings.ToUpper(strings.TrimRight(word, ",:")) }

// maxLineLength is the maximum length of a line in bytes. It limits the work for a line.
const maxLineLength = 1000

// Parse parses a line. Its errors are shown to players.
func (in *Interpreter) Parse(text string) (*Line, error) {
	if len(text) > maxLineLength {
		return nil, fmt.Errorf("an order ahead has at most %d bytes, and this one has %d", maxLineLength, len(text))
	}
	l := &Line{}
	words, isNext, err := in.parseOpening(l, text)
	if err != nil {
		return nil, err
	}
	if err := l.parseBranches(words); err != nil {
		return nil, err
	}
	switch {
	case l.Then == "" && l.Else == "":
		return nil, errors.New("there is no order in it: whether the condition holds or not, you would be asked")
	case l.If == "" && l.Else != "":
		return nil, errors.New("ELSE needs an IF before it: IF <condition>: <order> ELSE <order>")
	}
	arePlans, err := in.parseBodies(l, isNext)
	if err != nil {
		return nil, err
	}
	l.Plan = in.planSources[l.Source]
	if l.Source == "" && l.Always {
		return nil, errors.New("ALWAYS is for answers: what is planned for an action is carried out once")
	}
	l.Text = l.formatCanonical(l.Plan && arePlans)
	return l, nil
}

// parseOpening parses the part before the orders: ALWAYS and ANYWAY, the condition, and the source. It
// returns the remaining words, and whether they are for the next move.
func (in *Interpreter) parseOpening(l *Line, text string) (words []string, isNext bool, err error) {
	if words, err = l.parseIf(l.parseModifiers(splitWords(text))); err != nil {
		return nil, false, err
	}
	if len(words) == 0 {
		return nil, false, errors.New("there is no order after the condition")
	}
	switch normalizeWord(words[0]) {
	case WordNext:
		isNext = true
		words, err = l.parseIf(words[1:])
	case WordAnswer:
		words, err = in.parseSource(l, words[1:])
	}
	if err != nil || l.If == "" {
		return words, isNext, err
	}
	c, err := in.parseCondition(l.If)
	if err != nil {
		return nil, false, err
	}
	l.If = c.text
	return words, isNext, nil
}

func (in *Interpreter) parseBodies(l *Line, isNext bool) (arePlans bool, err error) {
	arePlans = true
	for _, text := range []*string{&l.Then, &l.Else} {
		if *text == "" {
			continue
		}
		isPlan, err := in.parseBody(l, text, isNext)
		if err != nil {
			return false, err
		}
		arePlans = arePlans && isPlan
	}
	return arePlans, nil
}

var spaceAfterMarks = strings.NewReplacer(",", ", ", ":", ": ")

// splitWords cuts a line into words. Commas and colons end a word.
func splitWords(text string) []string {
	out := strings.Fields(spaceAfterMarks.Replace(text))
	n := 0
	for _, w := range out {
		if n > 0 && strings.Trim(w, ".,:;") == "" {
			out[n-1] += w
			continue
		}
		out[n] = w
		n++
	}
	return out[:n]
}

// parseModifiers removes ALWAYS and ANYWAY, which may be at the end or after the first word.
func (l *Line) parseModifiers(words []string) []string {
	out := slices.Clone(words)
	for len(out) > 0 && (l.parseModifier(out[len(out)-1]) || trimPunctuation(out[len(out)-1]) == "") {
		out = out[:len(out)-1]
	}
	for len(out) > 1 && l.parseModifier(out[1]) {
		out = slices.Delete(out, 1, 2)
	}
	return out
}

func (l *Line) parseModifier(word string) bool {
	switch strings.ToUpper(trimPunctuation(word)) {
	case wordAlways:
		l.Always = true
	case wordAnyway:
		l.Anyway = true
	default:
		return false
	}
	return true
}

func (l *Line) parseIf(words []string) ([]string, error) {
	if len(words) == 0 || normalizeWord(words[0]) != WordIf {
		return words, nil
	}
	if l.If != "" {
		return nil, errors.New("one line has one IF; join conditions with AND")
	}
	hasColon := strings.Contains(words[0], ":")
	words = words[1:]
	i := slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, ":") })
	if i < 0 && !hasColon {
		return nil, errors.New("a colon ends the condition: IF <condition>: <order>")
	}
	if i >= 0 {
		before, after, _ := strings.Cut(words[i], ":")
		l.If = strings.TrimSpace(strings.Join(append(slices.Clone(words[:i]), before), " "))
		words = append(strings.Fields(after), words[i+1:]...)
	}
	if l.If == "" {
		return nil, errors.New("there is no condition after IF")
	}
	return words, nil
}

func (l *Line) parseBranches(words []string) error {
	isElse := func(w string) bool { return strings.EqualFold(strings.Trim(w, ".,:"), wordElse) }
	thenWords, elseWords := words, []string(nil)
	if i := slices.IndexFunc(words, isElse); i >= 0 {
		thenWords, elseWords = words[:i], words[i+1:]
		switch {
		case len(elseWords) == 0:
			return errors.New("an order is missing after ELSE; ELSE ASK asks you, and so does a line without ELSE")
		case normalizeWord(elseWords[0]) == WordIf, slices.ContainsFunc(elseWords, isElse):
			return errors.New("one line has one IF and one ELSE; write a line of its own for each further condition")
		}
	}
	branch := func(words []string) string {
		text := strings.TrimRight(strings.Join(words, " "), ", ")
		if strings.EqualFold(strings.Trim(text, "."), wordAsk) {
			return ""
		}
		return text
	}
	l.Then, l.Else = branch(thenWords), branch(elseWords)
	return nil
}

// parseBody parses an order of the line and replaces it by its canonical text. It reports whether the order is a plan for the line's
// source, so that the canonical text needs no ANSWER.
func (in *Interpreter) parseBody(l *Line, text *string, isNext bool) (isPlan bool, err error) {
	o, err := in.orders.ParseOrder(*text)
	if err != nil {
		return false, err
	}
	answers, err := in.game.Answers(o, nil)
	if err != nil {
		return false, err
	}
	*text, o = in.canonicalize(*text, o, answers)
	l.Verbs = append(l.Verbs, o.Clauses[0].Word)
	l.Kinds = append(l.Kinds, answers[0].Kinds)
	isAction, label := in.isAction(answers), in.game.Ahead.PlanLabel(o)
	switch {
	case l.Source == "" && !isNext && !isAction && label != "":
		l.Source = label
	case l.Source == "" && !isAction && isNext:
		return false, fmt.Errorf("%s is for your next action; an answer to something else is written %s <source> %s", WordNext,
			WordAnswer, *text)
	case l.Source == "" && !isAction:
		return false, fmt.Errorf("nothing like that is asked now. To keep it for later, say what it answers: %s <source> %s", WordAnswer, *text)
	case isNext && l.Source != "":
		return false, fmt.Errorf("%s and %s do not go together", WordNext, WordAnswer)
	}
	return l.Source != "" && l.Source == label, nil
}

// isAction reports whether answers can only be a move: they fit only decisions for which rules.Planner.IsAction is true.
func (in *Interpreter) isAction(answers []rules.Answer) bool {
	return !slices.ContainsFunc(answers[0].Kinds, func(k string) bool { return !in.game.Ahead.IsAction(rules.Decision{Kind: k}) })
}

// LooksConditional reports whether a line that cannot be parsed was meant as a conditional order: it is true for
// "NEXT PLAY 99 FOR NOTHING" and false for "If you like, play faster".
func (in *Interpreter) LooksConditional(text string) bool {
	words := strings.Fields(text)
	if len(words) < 2 {
		return false
	}
	inCapitals := words[0] == strings.ToUpper(words[0])
	switch normalizeWord(words[0]) {
	case WordIf:
		_, rest, hasColon := strings.Cut(text, ":")
		return hasColon && (inCapitals || IsConditional(rest) || in.orders.IsOrder(rest))
	case WordNext:
		return inCapitals || strings.EqualFold(words[1], WordIf) && strings.Contains(text, ":") ||
			in.orders.IsOrder(strings.Join(words[1:], " "))
	case WordAnswer:
		return inCapitals || in.orders.IsOrder(strings.Join(words[2:], " "))
	}
	return false
}

// Period returns the number of the period of a position. Lines are dropped at the end of their period.
func (in *Interpreter) Period(pos rules.Position) int {
	return in.game.Ahead.Period(pos.View(rules.NoSeat))
}
