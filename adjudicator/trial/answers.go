package trial

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// Answers are the writer's answers to open decisions that an order gives, or the sentence that refuses it. Stale: the order answers a
// closed question.
func (w *Writer) Answers(l letter.Line, stale bool) (answers []rules.Answer, reason string) {
	mine := w.toMove()
	if len(mine) == 0 || stale {
		w.Overtaken = w.Overtaken || stale
		return nil, w.Play.Turn.ExplainNotAsked(w.Play.Seat, stale, stale && len(w.Asked()) > 0)
	}
	answers, err := w.game().Answers(l.Order, mine)
	if err != nil {
		return nil, match.ErrorSentence(err)
	}
	if reason := w.Loss(answers[0]); reason != "" && !l.Surely {
		return nil, withSurely(reason, l)
	}
	return answers, ""
}

// WouldRefuse is the reason why an order would be refused now; empty if it is legal. An error is a fault of the program.
func (w *Writer) WouldRefuse(l letter.Line) (reason string, err error) {
	answers, reason := w.Answers(l, w.IsStale())
	if reason != "" {
		return reason, nil
	}
	_, err = gate.Check(w.position(), w.Play.Seat, answers[0])
	reason, ours := w.Play.Turn.ExplainRefusal(w.Play.Seat, err)
	if !ours {
		return w.SuggestInstead(reason, err, answers[0]), nil
	}
	return "", err
}

// Loss describes what a legal answer loses at once, as far as its writer can see. For example, a card that is discarded for nothing.
func (w *Writer) Loss(a rules.Answer) string {
	if w.game().Warning == nil {
		return ""
	}
	r, err := gate.Check(w.position(), w.Play.Seat, a)
	if err != nil {
		return "" // WouldRefuse says why the answer is not legal.
	}
	return w.game().Warning(w.position().View(w.Play.Seat), r.Decision, r.Atoms)
}

// CastsBallot reports whether an order is a ballot, for an open decision or a later one.
func CastsBallot(g *rules.Game, o rules.Order) bool {
	answers, err := g.Answers(o, nil)
	return err == nil && slices.ContainsFunc(answers, func(a rules.Answer) bool { return a.Ballot })
}

// CanWait reports whether GRACE may delay a line: an order of the game, or a conditional order. Ballots are not delayed: a ballot can
// be replaced anyway, and a delayed order is repeated to its writer.
func (w *Writer) CanWait(l letter.Line) bool {
	return l.Kind == letter.ConditionalOrder || l.Kind == letter.GameOrder && !CastsBallot(w.game(), l.Order)
}

// AnswersNow reports whether an order answers an open decision, and not a later one.
func (w *Writer) AnswersNow(l letter.Line) bool {
	if l.Kind != letter.GameOrder || !w.CanWait(l) || len(w.toMove()) == 0 {
		return false
	}
	_, stands := w.Standing(l.Order)
	return !stands && w.Conditional(l, false, true) == nil
}

// Conditional makes a conditional order of a line that answers no open decision: a line with THEN, or a list that can only be a plan.
// Stale: the letter answers a closed question. First: no earlier line has answered. It is nil for other lines.
func (w *Writer) Conditional(line letter.Line, stale, first bool) *ahead.Line {
	if w.Play.Conditional == nil || w.position() == nil || stale {
		return nil
	}
	l, err := w.Play.Conditional.Read(line.Text)
	if err != nil {
		return nil
	}
	answers, err := w.game().Answers(line.Order, nil)
	if err != nil {
		return nil
	}
	mine := w.toMove()
	if slices.ContainsFunc(mine, answers[0].Fits) {
		return nil
	}
	if !line.Later && (!l.Plan || first && len(mine) > 0) || l.Source == "" && first {
		return nil
	}
	return l
}

// Early is the answer of an order that comes before its question; false if the order is no such answer. Stale: the letter answers a
// closed question, for which its orders were meant.
func (w *Writer) Early(l letter.Line, stale bool) (rules.Answer, bool) {
	awaits := w.game().MayStillAsk
	if awaits == nil || stale && !l.Later || w.position() == nil || w.position().Stalled() {
		return rules.Answer{}, false
	}
	mine := w.toMove()
	answers, err := w.game().Answers(l.Order, mine)
	if err != nil || len(answers) != 1 || !answers[0].Ahead || slices.ContainsFunc(mine, answers[0].Fits) {
		return rules.Answer{}, false
	}
	return answers[0], awaits(w.position().View(w.Play.Seat), answers[0])
}

// Standing is the standing answer of an order to a question that is not open; false if it gives none.
func (w *Writer) Standing(o rules.Order) (rules.Answer, bool) {
	answers, err := w.game().Answers(o, nil)
	if err != nil || len(answers) != 1 || answers[0].Standing == rules.StandsOnce {
		return rules.Answer{}, false
	}
	asked := slices.ContainsFunc(w.toMove(), func(d rules.Decision) bool { return d.Repeats && answers[0].Fits(d) })
	return answers[0], !asked
}

// Meaning is a line in the game's words; empty if it answers no question.
func (w *Writer) Meaning(l letter.Line) string {
	if l.Kind == letter.ConditionalOrder {
		return l.Conditional.Text
	}
	answers, err := w.game().Answers(l.Order, w.toMove())
	if err != nil || len(answers) == 0 {
		return ""
	}
	return w.game().FormatOrder(answers[0].Atoms)
}

// RefuseRivals makes lines unreadable that answer the same question, since the intended line is unknown. It also makes lines unreadable
// that can never answer anything.
func (w *Writer) RefuseRivals(lines []letter.Line) {
	if slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.Preview) }) {
		return
	}
	mine := w.toMove()
	w.refuseUnclear(lines, mine)
	first, known := -1, map[string]bool{}
	behind := func(l letter.Line) bool { // A letter may say the same on hundreds of lines.
		text := order.Write(l.Order)
		if _, ok := known[text]; !ok {
			known[text] = w.answersBehind(lines[first], l)
		}
		return known[text]
	}
	for i, l := range lines {
		if l.Kind != letter.GameOrder || l.Later || !w.AnswersNow(l) || w.isReplaceable(l) {
			continue
		}
		switch _, legal := w.positionAfter(w.position(), mine, l); {
		case !legal && first < 0:
			return // Carrying it out refuses it.
		case !legal && fits(w.game(), l, mine) && !behind(l):
			lines[i].Kind, lines[i].Why = letter.Unreadable, "It answers the same question as another line of your letter, and cannot be "+
				"carried out as it stands."
			return
		case !legal:
		case first < 0:
			first = i
		case !behind(l):
			const why = "It answers the same question as another line of your letter. What is for later begins with THEN."
			either := []string{letter.Echo(Rewritten(lines[first])), letter.Echo(Rewritten(l))}
			for _, k := range []int{first, i} {
				lines[k].Kind, lines[k].Why, lines[k].Names, lines[k].Can = letter.Unreadable, why, true, either
			}
			return
		}
	}
}

// refuseUnclear makes lines unreadable that answer no question beside the other lines, and lines with an ambiguous stroke, which may
// mean AND or OR.
func (w *Writer) refuseUnclear(lines []letter.Line, mine []rules.Decision) {
	for i, l := range lines {
		if l.Kind != letter.GameOrder {
			continue
		}
		if _, err := w.game().Answers(l.Order, nil); err != nil && len(lines) > 1 {
			lines[i].Kind, lines[i].Why = letter.Unreadable, match.ErrorSentence(err)
			continue
		}
		given, err := w.game().Answers(l.Order, mine)
		if err == nil && len(given) > 1 && hasStroke(w.game(), l.Text) {
			lines[i].Kind, lines[i].Why = letter.Unreadable, "The stroke may mean AND or OR. Write one of the two, or a comma for AND."
		}
	}
}

func fits(g *rules.Game, l letter.Line, mine []rules.Decision) bool {
	given, err := g.Answers(l.Order, mine)
	return err == nil && slices.ContainsFunc(mine, given[0].Fits)
}

// stroke stands between two names, e.g. "Lodz/Krakow". The stroke of "w/" does not.
var stroke = regexp.MustCompile(`[^w\s]\s*/|\Sw/`)

// hasStroke reports whether a stroke stands between two names of a line. The stroke of a name itself, e.g. Harghita/Covasna,
// does not.
func hasStroke(g *rules.Game, text string) bool {
	if !stroke.MatchString(text) {
		return false
	}
	text = strings.ToLower(text)
	for _, n := range g.Names() {
		for _, name := range append([]string{n.Text}, n.Aliases...) {
			if strings.Contains(name, "/") {
				text = strings.ReplaceAll(text, strings.ToLower(name), "")
			}
		}
	}
	return stroke.MatchString(text)
}

// isReplaceable reports whether an order answers a question that can be answered repeatedly. The last answer counts.
func (w *Writer) isReplaceable(l letter.Line) bool {
	given, err := w.game().Answers(l.Order, w.toMove())
	return err == nil && slices.ContainsFunc(w.toMove(), func(d rules.Decision) bool {
		return d.Sealed && (d.Repeats || d.Ballot) && given[0].Fits(d)
	})
}

// positionAfter is the position behind an order, as far as it needs no chance; false if the order is illegal.
func (w *Writer) positionAfter(pos rules.Position, mine []rules.Decision, l letter.Line) (rules.Position, bool) {
	given, err := w.game().Answers(l.Order, mine)
	if err != nil {
		return nil, false
	}
	r, err := gate.Check(pos, w.Play.Seat, given[0])
	return r.Position, err == nil
}

// answersBehind reports whether an order answers the question that follows another order, as far as its writer can foresee.
func (w *Writer) answersBehind(first, l letter.Line) bool {
	mine := w.toMove()
	return !slices.ContainsFunc(w.worlds(), func(world rules.Position) bool {
		pos, legal := w.positionAfter(world, mine, first)
		if !legal || pos.Stalled() {
			return true
		}
		_, legal = w.positionAfter(pos, match.OpenDecisionsOf(pos, w.Play.Seat), l)
		return !legal
	})
}

// refusedTrial is the trial of an order that answers an open decision, but is refused for its content or an omission.
func (w *Writer) refusedTrial(o rules.Order, mine []rules.Decision) *order.Trial {
	given, err := w.game().Answers(o, mine)
	if err != nil {
		return nil
	}
	_, err = gate.Check(w.position(), w.Play.Seat, given[0])
	var illegal *gate.Illegal
	var short *gate.TooShort
	if !errors.As(err, &illegal) && !errors.As(err, &short) {
		return nil
	}
	return &order.Trial{Answer: w.game().FormatOrder(given[0].Atoms), Whole: len(given) == 1}
}
