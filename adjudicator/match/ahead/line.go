// Package ahead parses and executes conditional orders (orders ahead): answers to possible questions (ANSWER), the next move (NEXT),
// and plans, which list the cards to play in a contest. A game supports them with a rules.Planner. A conditional order is one line of a
// letter, so this package calls it a line.
//
// # Lines
//
//	line      = ["IF" condition ":"] body ["ELSE" (order | "ASK")] {word}
//	body      = "ANSWER" source order | "NEXT" ["IF" condition ":"] order | order
//	condition = test {"AND" test}
//	test      = ["NOT"] a test of the game
//	word      = "ALWAYS" | "ANYWAY"
//
// For example:
//
//	ANSWER 54 PLACE Bucuresti 2
//	NEXT IF Gdansk MINE: PLAY 36 OPS ELSE ASK
//
// The game interprets a line without ANSWER or NEXT: a move is for the next action, a list of cards
// is for the contest to which the cards belong. The line is stored in its canonical form with full names, so
// the player sees at once how it was understood, and its meaning never changes.
//
// # Safety
//
// A line sees only its owner's view. Each of its answers is used once (with ALWAYS, once in each play), so no line can loop. If a
// line is for a question but none of its answers is legal, all lines of the seat are dropped and the player is asked. Lines are dropped at
// the end of their period, and after a surprise (rules.Planner.DescribeSurprise).
package ahead

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// Line is a stored conditional order.
type Line struct {
	Seat rules.Seat `json:"seat"`
	// Text is the canonical text; Interpreter.Parse can parse it again.
	Text   string `json:"text"`
	Letter string `json:"letter,omitempty"`
	// Source is the source of the question (rules.Decision.Source); empty for the next move.
	Source string `json:"source,omitempty"`
	// Verbs are the first words of the orders Then and Else. Kinds has a list for each of these orders: the kinds of decision that the
	// order can answer, the simplest kind first. A new line replaces older lines with the same source and a common verb or kind.
	Verbs []string   `json:"verbs"`
	Kinds [][]string `json:"kinds,omitempty"`
	// Always is set if the line stays until it is cancelled. Anyway is set if it stays after surprises.
	Always bool `json:"always,omitempty"`
	Anyway bool `json:"anyway,omitempty"`
	// If is the condition in canonical form; Then and Else are the orders. An empty order means that the player is asked.
	If   string `json:"if,omitempty"`
	Then string `json:"then,omitempty"`
	Else string `json:"else,omitempty"`
	// Plan is set if the line expires at the end of the play in which its source first asked.
	Plan bool `json:"plan,omitempty"`
	// After is the newest decision when the line was written. A line for a move never answers a decision that was
	// already open when it was written.
	After rules.DecisionID `json:"after,omitempty"`
	// Period is the period of the line, Baseline the input of rules.Planner.DescribeSurprise.
	Period   int    `json:"period"`
	Baseline []byte `json:"baseline,omitempty"`
	// Play is the play (in 1989, one played card) that last used the line; for a plan, the play in progress when its source first
	// asked. Used are the indexes of the order's answers that were used, e.g. 0 and 2 after the first and third card of a plan.
	Play uint32 `json:"play,omitempty"`
	Used []int  `json:"used,omitempty"`
}

// String returns the text for the owner, with the number of used answers.
func (l *Line) String() string {
	if len(l.Used) == 0 || l.Always {
		return l.Text
	}
	return fmt.Sprintf("%s (%d used)", l.Text, len(l.Used))
}

func (in *Interpreter) matches(l *Line, d rules.Decision) bool {
	switch {
	case l.Seat != d.Seat || d.Sealed || d.Midway:
		return false
	case l.Source == "":
		return d.ID > l.After && in.game.Ahead.IsAction(d)
	}
	return l.Source == d.Source
}

// Replaces reports whether a line replaces an older line.
func (l *Line) Replaces(old *Line) bool {
	switch {
	case l.Seat != old.Seat || l.Source != old.Source:
		return false
	case l.Source == "", slices.ContainsFunc(l.Verbs, func(v string) bool { return slices.Contains(old.Verbs, v) }):
		return true
	}
	return slices.ContainsFunc(l.Kinds, func(ownKinds []string) bool {
		return slices.ContainsFunc(old.Kinds, func(oldKinds []string) bool {
			return len(ownKinds) > 0 && len(oldKinds) > 0 && (slices.Contains(oldKinds, ownKinds[0]) || slices.Contains(ownKinds, oldKinds[0]))
		})
	})
}

// Bind sets the seat of a parsed line, and the values that depend on the current position: After, Period and Baseline.
func (in *Interpreter) Bind(l *Line, pos rules.Position, seat rules.Seat) {
	view := pos.View(seat)
	l.Seat, l.Period, l.Baseline = seat, in.game.Ahead.Period(view), in.game.Ahead.Baseline(view)
	decisions := pos.OpenDecisions(nil)
	for _, d := range decisions {
		l.After = max(l.After, d.ID)
	}
	l.recordStart(decisions)
}

// DescribeDoubt describes why an order of the line could not be carried out now; empty if it could.
func (in *Interpreter) DescribeDoubt(l *Line, view rules.View) string {
	for _, text := range []string{l.Then, l.Else} {
		o, err := in.orders.ParseOrder(text)
		if text == "" || err != nil {
			continue
		}
		if answers, err := in.game.Answers(o, nil); err == nil {
			if doubt := in.game.Ahead.DescribeDoubt(view, answers); doubt != "" {
				return doubt
			}
		}
	}
	return ""
}

// recordStart sets Line.Play of a plan when its source first asks a seat. The plan ends with that play.
func (l *Line) recordStart(decisions []rules.Decision) {
	if !l.Plan || l.Play != 0 {
		return
	}
	for _, d := range decisions {
		if d.Source == l.Source {
			l.Play = d.Play
		}
	}
}

// formatCanonical returns the canonical text. withoutSource leaves out ANSWER and the source, which a plan does not need.
func (l *Line) formatCanonical(withoutSource bool) string {
	var out []string
	switch {
	case withoutSource:
	case l.Source != "":
		out = append(out, WordAnswer, l.Source)
	default:
		out = append(out, WordNext)
	}
	if l.If != "" {
		out = append(out, WordIf, l.If+":")
	}
	out = append(out, cmp.Or(l.Then, wordAsk))
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

// canonicalize returns the canonical text of an order and the order parsed from that text, so that
// the meaning of a typing error or an abbreviation is fixed and visible.
func (in *Interpreter) canonicalize(text string, o rules.Order, answers []rules.Answer) (string, rules.Order) {
	var forms []string
	if len(answers) == 1 {
		forms = append(forms, in.game.FormatOrder(answers[0].Atoms))
	}
	for _, form := range append(forms, in.formatOrder(o)) {
		if form == text {
			break
		}
		reparsed, err := in.orders.ParsePlain(form)
		if err != nil {
			continue
		}
		if reparsedAnswers, err := in.game.Answers(reparsed, nil); err == nil && reflect.DeepEqual(reparsedAnswers, answers) {
			return form, reparsed
		}
	}
	return text, o
}

func (in *Interpreter) formatOrder(o rules.Order) string {
	var out []string
	for _, c := range o.Clauses {
		out = append(out, c.Word)
		if c.Number != nil {
			out = append(out, strconv.Itoa(*c.Number))
		}
		var items []string
		for _, item := range c.Items {
			text := formatName(item.Name)
			for _, m := range item.Modifiers {
				text += " " + m.Word + " " + formatName(m.Name)
			}
			if item.Count > 1 {
				text += " " + strconv.Itoa(item.Count)
			}
			items = append(items, text)
		}
		if len(items) > 0 {
			out = append(out, strings.Join(items, ", "))
		}
	}
	return strings.Join(out, " ")
}

func formatName(n rules.Name) string {
	if n.Number != 0 {
		return strconv.Itoa(n.Number)
	}
	return n.Text
}

const maxSourceWords = 12

// parseSource parses the words after ANSWER. They begin with the source, which is a card or a label of the game, and
// parseSource returns the words after the source. For example, "54 PLACE Bucuresti 2" sets Source to 54, and leaves "PLACE Bucuresti 2".
func (in *Interpreter) parseSource(l *Line, words []string) ([]string, error) {
	for len(words) > 1 && slices.Contains([]string{"TO", "FOR", "CARD"}, normalizeWord(words[0])) {
		words = words[1:]
	}
	var nameErr error
	for i := min(len(words)-1, maxSourceWords); i > 0; i-- {
		if first := normalizeWord(trimPunctuation(words[i])); !in.verbs[first] && first != WordIf {
			continue
		}
		name := strings.TrimRight(strings.Join(words[:i], " "), ":,")
		l.Source = in.labels[removeSpaces(name)]
		if l.Source == "" {
			n, err := in.findName(rules.CardName, name)
			if err == nil && n.Number != 0 {
				l.Source = strconv.Itoa(n.Number)
			} else if err != nil {
				nameErr = err
			}
		}
		if l.Source != "" {
			return l.parseIf(words[i:])
		}
	}
	text := "say what the answer is for and then the order: ANSWER <source> <order>. A source is a card or one of " +
		strings.Join(in.game.Ahead.Labels(), ", ")
	if nameErr != nil {
		return nil, fmt.Errorf("%s (%w)", text, nameErr)
	}
	return nil, errors.New(text)
}

// removeSpaces returns a text in lower case without spaces and punctuation, for comparing labels.
func removeSpaces(text string) string { return strings.Join(order.Words(text), "") }

// maxTests is the maximum number of tests in a condition. It limits the work of parsing.
const maxTests = 16

type condition struct {
	test func(rules.View) bool
	text string
}

// parseCondition parses a condition: tests of the game joined with AND, each with an optional NOT. Names may
// contain AND. For example, "Gdansk MINE AND NOT HAPPENED 2".
func (in *Interpreter) parseCondition(text string) (condition, error) {
	words := strings.Fields(text)
	andCount := 0
	for i, w := range words {
		switch {
		case strings.EqualFold(w, wordAnd):
			andCount++
		case strings.EqualFold(w, "OR") && i+1 < len(words) && !strings.EqualFold(trimPunctuation(words[i+1]), "MORE") &&
			!strings.EqualFold(trimPunctuation(words[i+1]), "LESS"):
			return condition{}, errors.New("OR joins no conditions: write a line for each, or AND and NOT")
		}
	}
	if andCount >= maxTests {
		return condition{}, fmt.Errorf("a condition joins at most %d tests", maxTests)
	}
	return in.parseConjunction(words)
}

// parseConjunction parses tests joined with AND. It takes the shortest first test after which the rest can be parsed.
func (in *Interpreter) parseConjunction(words []string) (condition, error) {
	var firstErr error
	for i, w := range words {
		if !strings.EqualFold(w, wordAnd) {
			continue
		}
		left, err := in.parseTest(words[:i])
		if err == nil {
			var right condition
			if right, err = in.parseConjunction(words[i+1:]); err == nil {
				return condition{func(view rules.View) bool { return left.test(view) && right.test(view) }, left.text + " " + wordAnd + " " +
					right.text}, nil
			}
		}
		if firstErr == nil {
			firstErr = err
		}
	}
	c, err := in.parseTest(words)
	if err != nil && firstErr != nil {
		return c, firstErr
	}
	return c, err
}

func (in *Interpreter) parseTest(words []string) (condition, error) {
	if len(words) == 0 {
		return condition{}, errors.New("a condition is missing")
	}
	isNegated := false
	for strings.EqualFold(words[0], wordNot) {
		if words, isNegated = words[1:], !isNegated; len(words) == 0 {
			return condition{}, errors.New("a condition is missing after NOT")
		}
	}
	var text strings.Builder
	for i, w := range words {
		if w = trimPunctuation(w); w != "" && i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(w)
	}
	conditionText := text.String()
	typed, name := "", ""
	test, err := in.game.Ahead.ParseCondition(conditionText, func(kind rules.NameKind, text string) (rules.Name, error) {
		n, err := in.findName(kind, text)
		if err == nil {
			typed, name = text, formatName(n)
		}
		return n, err
	})
	if err != nil {
		return condition{}, err
	}
	before, after, _ := strings.Cut(conditionText, typed)
	c := condition{test, strings.ToUpper(before) + name + strings.ToUpper(after)}
	if typed == "" {
		c.text = strings.ToUpper(conditionText)
	}
	if isNegated {
		c.test, c.text = func(view rules.View) bool { return !test(view) }, wordNot+" "+c.text
	}
	return c, nil
}

func trimPunctuation(word string) string { return strings.Trim(word, "().,;!\"'[]{}*_") }
