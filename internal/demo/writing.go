package demo

import (
	"errors"
	"slices"
	"strings"

	"samizdat/internal/playout"
	"samizdat/rules"
)

const maxRobotAnswers = 5

// line is a line of a robot's letter. It may be a list, for example of two support checks: decision is the question
// before the first check, and answers has an answer for each check.
type line struct {
	decision rules.Decision
	answers  [][]rules.Atom
}

// writeOrder returns the order of a robot, followed by its orders for the questions that come next, as long as these do
// not depend on hidden facts. In a list of orders, for example two support checks, the robot assumes the best die for
// each. After a worse die the referee may drop the second check and ask again. After a line with a die the robot writes
// no further line.
func (m *Match) writeOrder(pos rules.Position, d rules.Decision) (text string, err error) {
	robot := m.robots[d.Seat]
	atoms, err := playout.Answer(pos, d, robot)
	if err != nil {
		return "", err
	}
	if m.options.WriteAnswer != nil {
		return m.options.WriteAnswer(m.Clients[m.Seats[d.Seat]].Last, pos, d, atoms)
	}
	lines := []line{{d, [][]rules.Atom{atoms}}}
	if m.game.Imagine == nil || m.options.OneOrderPerLetter || d.Sealed {
		return m.game.FormatOrder(atoms), nil
	}
	positions := m.game.Imagine(pos.View(d.Seat))
	for range maxRobotAnswers - 1 {
		next, hasRolled, ok := continueAnswer(positions, d, atoms)
		if !ok {
			break
		}
		if atoms, err = playout.Answer(positions[0], next, robot); err != nil {
			return "", err
		}
		last := &lines[len(lines)-1]
		extended := line{last.decision, append(slices.Clone(last.answers), atoms)}
		switch {
		case strings.Contains(m.formatLines(lines[len(lines)-1:]), m.findVerb(atoms)) && m.canBeReadBack(extended):
			*last = extended
		case hasRolled, next.Kind == d.Kind: // The referee would read both lines as answers to the same question.
			return m.formatLines(lines), nil
		default:
			lines = append(lines, line{next, [][]rules.Atom{atoms}})
		}
		d = next
	}
	return m.formatLines(lines), nil
}

func (m *Match) formatLines(lines []line) string {
	var out []string
	for _, l := range lines {
		out = append(out, m.game.FormatOrder(slices.Concat(l.answers...)))
	}
	return strings.Join(out, "\n")
}

// findVerb returns the verb of an order: the words in upper case at its start. A list of orders has one verb.
func (m *Match) findVerb(atoms []rules.Atom) string {
	words := strings.Fields(m.game.FormatOrder(atoms))
	n := slices.IndexFunc(words, func(w string) bool { return w != strings.ToUpper(w) })
	if n < 0 {
		n = len(words)
	}
	return strings.Join(words[:n], " ")
}

// canBeReadBack reports whether a line is parsed as one order with the same answers.
func (m *Match) canBeReadBack(l line) bool {
	o, err := m.parser.ParsePlain(m.formatLines([]line{l}))
	if err != nil {
		return false
	}
	answers, err := m.game.Answers(o, []rules.Decision{l.decision})
	return err == nil && slices.EqualFunc(answers, l.answers, func(a rules.Answer, atoms []rules.Atom) bool {
		return slices.Equal(a.Atoms, atoms)
	})
}

// continueAnswer applies an answer to all possible positions. It returns the next question, and whether dice were
// rolled. ok is false if the answer cannot be applied, if the question is not to the same seat in the same play
// (rules.Decision.Play), or if the question or its options differ between the positions.
func continueAnswer(positions []rules.Position, d rules.Decision, atoms []rules.Atom) (next rules.Decision, hasRolled, ok bool) {
	var options []rules.Atom
	var dice maximalDice
	for i, pos := range positions {
		if !applyAnswer(pos, d, atoms, &dice) {
			return next, false, false
		}
		open := pos.OpenDecisions(nil)
		if len(open) != 1 || open[0].Seat != d.Seat || open[0].Play != d.Play || open[0].Sealed {
			return next, false, false
		}
		choice := pos.Options(nil, open[0].ID)
		if i == 0 {
			next, options = open[0], choice
		} else if open[0] != next || !slices.Equal(choice, options) {
			return next, false, false
		}
	}
	return next, dice.hasRolled, len(positions) > 0
}

// applyAnswer applies an answer to a position. It returns false if the answer is illegal or draws cards.
func applyAnswer(pos rules.Position, d rules.Decision, atoms []rules.Atom, dice *maximalDice) bool {
	for _, a := range atoms {
		open := pos.OpenDecisions(nil)
		i := slices.IndexFunc(open, func(o rules.Decision) bool { return o.Seat == d.Seat })
		if i < 0 || !slices.Contains(pos.Options(nil, open[i].ID), a) {
			return false
		}
		if _, err := pos.Apply(open[i].ID, a, dice, nil); err != nil {
			return false
		}
	}
	return true
}

// maximalDice is a source of chance with the best dice and without cards.
type maximalDice struct{ hasRolled bool }

func (d *maximalDice) Roll(rules.Reason) (int, error) {
	d.hasRolled = true
	return 6, nil
}

var errNoCards = errors.New("a robot cannot draw cards while it plans")

func (*maximalDice) Draw(rules.Draw) (int, error) { return 0, errNoCards }
