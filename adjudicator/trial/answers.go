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

// FindAnswers returns the answers that an order gives to open decisions, or the sentence that refuses the order. isStale
// says that the order answers a closed question.
func (ts *Tester) FindAnswers(line letter.Line, isStale bool) (answers []rules.Answer, reason string) {
	decisions := ts.ownDecisions()
	if len(decisions) == 0 || isStale {
		ts.FoundClosedQuestion = ts.FoundClosedQuestion || isStale
		return nil, ts.Execution.Turn.ExplainNotAsked(ts.Execution.Seat, isStale, isStale && len(ts.LetterDecisions()) > 0)
	}
	answers, err := ts.game().Answers(line.Order, decisions)
	if err != nil {
		return nil, explainUnreadableAnswer(ts, line, err)
	}
	if reason := ts.DescribeLoss(answers[0]); reason != "" && !line.IsConfirmed {
		return nil, addConfirmHint(reason, line)
	}
	return answers, ""
}

// explainUnreadableAnswer returns the reason why an order is not an answer. The order may answer another question, or
// its words may mean an illegal order, e.g. PLACE Budapest 2 for "place both in Budapest". Otherwise the reason is the
// text of err.
func explainUnreadableAnswer(ts *Tester, line letter.Line, err error) string {
	q, failed := ts.FullQuestion()
	if failed != nil || q == nil {
		return match.ErrorSentence(err)
	}
	if !q.HasVerb(line.Order.Clauses[0].Word) {
		if reason, isInternal := ts.Execution.Turn.ExplainRefusal(ts.Execution.Seat, gate.ErrRefused); !isInternal {
			return reason
		}
	}
	if text, failed := ts.ExplainLikelyOrder([]string{line.Text}); failed == nil && text != "" {
		return text
	}
	return match.ErrorSentence(err)
}

// JoinParts joins lines that are parts of one answer and legal only together, e.g. "PLACE Gdansk 2" and "PLACE Budapest 2" for 4 points.
// The joined order needs a confirmation. Other lines are unchanged.
func JoinParts(ts *Tester, lines []letter.Line) []letter.Line {
	first := slices.IndexFunc(lines, ts.AnswersNow)
	if first < 0 || slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Is(letter.Preview) }) {
		return lines
	}
	joined := lines[first]
	rest := slices.Clone(lines[:first+1])
	for _, line := range lines[first+1:] {
		if !isPartOf(line, joined) {
			rest = append(rest, line)
			continue
		}
		clause := joined.Order.Clauses[0]
		clause.Items = slices.Concat(clause.Items, line.Order.Clauses[0].Items)
		joined.Order.Clauses, joined.Text = []rules.Clause{clause}, joined.Text+"; "+line.Text
	}
	if len(rest) == len(lines) || ts.refusedTrial(lines[first].Order, ts.ownDecisions()) == nil ||
		ts.FormatHarmless(order.Format(joined.Order)) == "" {
		return lines
	}
	joined.Doubt = "One line has to answer the whole question."
	rest[first] = joined
	return rest
}

// isPartOf reports whether line may be a part of the same answer as whole: both have a single clause, with the same verb.
func isPartOf(line, whole letter.Line) bool {
	return line.Kind == letter.KindGameOrder && !line.IsForLater && len(line.Order.Clauses) == 1 && len(whole.Order.Clauses) == 1 &&
		line.Order.Clauses[0].Word == whole.Order.Clauses[0].Word
}

// ExplainRefusal returns the reason why an order would be refused now. It returns "" if the order is legal. err is an
// internal error.
func (ts *Tester) ExplainRefusal(line letter.Line) (reason string, err error) {
	answers, reason := ts.FindAnswers(line, ts.IsStale())
	if reason != "" {
		return reason, nil
	}
	_, err = gate.Check(ts.position(), ts.Execution.Seat, answers[0])
	reason, isInternal := ts.Execution.Turn.ExplainRefusal(ts.Execution.Seat, err)
	if !isInternal {
		return ts.SuggestInstead(reason, err, answers[0]), nil
	}
	return "", err
}

// DescribeLoss describes what a legal answer loses at once, as far as its writer can see, e.g. a card that is discarded without effect.
func (ts *Tester) DescribeLoss(a rules.Answer) string {
	if ts.game().Warning == nil {
		return ""
	}
	r, err := gate.Check(ts.position(), ts.Execution.Seat, a)
	if err != nil {
		return "" // ExplainRefusal says why the answer is not legal.
	}
	return ts.game().Warning(ts.position().View(ts.Execution.Seat), r.Decision, r.Atoms)
}

// CastsBallot reports whether an order is a ballot, for an open decision or a later one.
func CastsBallot(g *rules.Game, o rules.Order) bool {
	answers, err := g.Answers(o, nil)
	return err == nil && slices.ContainsFunc(answers, func(a rules.Answer) bool { return a.Ballot })
}

// CanWait reports whether GRACE may delay a line: an order of the game, or a conditional order. It may not delay a
// ballot, because letters repeat delayed orders but must not repeat a ballot.
func (ts *Tester) CanWait(line letter.Line) bool {
	return line.Kind == letter.KindConditionalOrder || line.Kind == letter.KindGameOrder && !CastsBallot(ts.game(), line.Order)
}

// AnswersNow reports whether an order answers an open decision, and not a later one. It returns false for a ballot.
func (ts *Tester) AnswersNow(line letter.Line) bool {
	if line.Kind != letter.KindGameOrder || !ts.CanWait(line) || len(ts.ownDecisions()) == 0 {
		return false
	}
	_, isStanding := ts.FindStandingAnswer(line.Order)
	return !isStanding && ts.FindConditional(line, false, true) == nil
}

// FindConditional returns a conditional order for a line that answers no open decision: a line with THEN, or a plan, i.e.
// a list that answers several later decisions. It returns nil for other lines. isStale says that the letter answers a
// closed question. isFirst says that no earlier line has answered a question.
func (ts *Tester) FindConditional(line letter.Line, isStale, isFirst bool) *ahead.Line {
	if ts.Execution.Conditional == nil || ts.position() == nil || isStale {
		return nil
	}
	conditional, err := ts.Execution.Conditional.Parse(line.Text)
	if err != nil {
		return nil
	}
	answers, err := ts.game().Answers(line.Order, nil)
	if err != nil {
		return nil
	}
	decisions := ts.ownDecisions()
	if slices.ContainsFunc(decisions, answers[0].Fits) {
		return nil
	}
	if !line.IsForLater && (!conditional.Plan || isFirst && len(decisions) > 0) || conditional.Source == "" && isFirst {
		return nil
	}
	return conditional
}

// FindEarlyAnswer returns the answer of an order to a question that has not been asked. It returns false if there is
// none. isStale says that the letter answers a closed question. Then only a line with THEN is an early answer, because
// the other lines were for the closed question.
func (ts *Tester) FindEarlyAnswer(line letter.Line, isStale bool) (rules.Answer, bool) {
	mayStillAsk := ts.game().MayStillAsk
	if mayStillAsk == nil || isStale && !line.IsForLater || ts.position() == nil || ts.position().Stalled() {
		return rules.Answer{}, false
	}
	decisions := ts.ownDecisions()
	answers, err := ts.game().Answers(line.Order, decisions)
	if err != nil || len(answers) != 1 || !answers[0].Ahead || slices.ContainsFunc(decisions, answers[0].Fits) {
		return rules.Answer{}, false
	}
	return answers[0], mayStillAsk(ts.position().View(ts.Execution.Seat), answers[0])
}

// FindStandingAnswer returns the standing answer of an order, i.e. an answer to each repetition of a question
// (rules.Answer.Standing). The question is not open now. It returns false if the order gives none.
func (ts *Tester) FindStandingAnswer(o rules.Order) (rules.Answer, bool) {
	answers, err := ts.game().Answers(o, nil)
	if err != nil || len(answers) != 1 || answers[0].Standing == rules.StandsOnce {
		return rules.Answer{}, false
	}
	isAsked := slices.ContainsFunc(ts.ownDecisions(), func(d rules.Decision) bool { return d.Repeats && answers[0].Fits(d) })
	return answers[0], !isAsked
}

// DescribeMeaning returns the meaning of a line in canonical form, e.g. "PLAY 36 EVENT"; empty if the line answers no
// question.
func (ts *Tester) DescribeMeaning(line letter.Line) string {
	if line.Kind == letter.KindConditionalOrder {
		return line.Conditional.Text
	}
	answers, err := ts.game().Answers(line.Order, ts.ownDecisions())
	if err != nil || len(answers) == 0 {
		return ""
	}
	return ts.game().FormatOrder(answers[0].Atoms)
}

// RefuseCompetingLines marks lines that answer the same question as unreadable, because the program cannot know which
// line the writer means. It also marks lines that can never answer a question.
func (ts *Tester) RefuseCompetingLines(lines []letter.Line) {
	if slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Is(letter.Preview) }) {
		return
	}
	decisions := ts.ownDecisions()
	ts.refuseUnclear(lines, decisions)
	first, followsByText := -1, map[string]bool{}
	followsFirst := func(line letter.Line) bool { // A letter may repeat a line hundreds of times, so results are cached.
		text := order.Format(line.Order)
		if _, ok := followsByText[text]; !ok {
			followsByText[text] = ts.answersAfter(lines[first], line)
		}
		return followsByText[text]
	}
	for i, line := range lines {
		if line.Kind != letter.KindGameOrder || line.IsForLater || !ts.AnswersNow(line) || ts.isReplaceable(line) {
			continue
		}
		switch _, legal := ts.positionAfter(ts.position(), decisions, line); {
		case !legal && first < 0:
			return // The line is refused when it is carried out.
		case !legal && answersOpenDecision(ts.game(), line, decisions) && !followsFirst(line):
			lines[i].Kind, lines[i].Why = letter.KindUnreadable, "It answers the same question as another line of your letter, so "+
				"it was not carried out."
			return
		case !legal:
		case first < 0:
			first = i
		case !followsFirst(line):
			const why = "It answers the same question as another line of your letter. Begin an order for later with THEN."
			alternatives := []string{letter.Shorten(FormatLine(lines[first])), letter.Shorten(FormatLine(line))}
			for _, k := range []int{first, i} {
				lines[k].Kind, lines[k].Why, lines[k].NamesOrders, lines[k].PossibleOrders = letter.KindUnreadable, why, true, alternatives
			}
			return
		}
	}
}

// refuseUnclear marks unclear lines as unreadable: lines with a slash, because the slash may mean AND or OR; and, in a
// letter of several lines, lines that answer no question.
func (ts *Tester) refuseUnclear(lines []letter.Line, decisions []rules.Decision) {
	for i, line := range lines {
		if line.Kind != letter.KindGameOrder {
			continue
		}
		if _, err := ts.game().Answers(line.Order, nil); err != nil && len(lines) > 1 {
			lines[i].Kind, lines[i].Why = letter.KindUnreadable, match.ErrorSentence(err)
			continue
		}
		answers, err := ts.game().Answers(line.Order, decisions)
		if err == nil && len(answers) > 1 && hasSlash(ts.game(), line.Text) {
			lines[i].Kind, lines[i].Why = letter.KindUnreadable, "The slash may mean AND or OR. Write one of the two, or a comma for AND."
		}
	}
}

func answersOpenDecision(g *rules.Game, line letter.Line, decisions []rules.Decision) bool {
	answers, err := g.Answers(line.Order, decisions)
	return err == nil && slices.ContainsFunc(decisions, answers[0].Fits)
}

// slashPattern matches a slash between two names, e.g. "Lodz/Krakow", and not the slash of "w/".
var slashPattern = regexp.MustCompile(`[^w\s]\s*/|\Sw/`)

// hasSlash reports whether a line has a slash between two names. The slash of a name itself, e.g. Harghita/Covasna, does not count.
func hasSlash(g *rules.Game, text string) bool {
	if !slashPattern.MatchString(text) {
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
	return slashPattern.MatchString(text)
}

// isReplaceable reports whether a later answer may replace the answer in this line. This holds for ballots, and for
// sealed questions that are asked repeatedly (rules.Decision.Repeats).
func (ts *Tester) isReplaceable(line letter.Line) bool {
	answers, err := ts.game().Answers(line.Order, ts.ownDecisions())
	return err == nil && slices.ContainsFunc(ts.ownDecisions(), func(d rules.Decision) bool {
		return d.Sealed && (d.Repeats || d.Ballot) && answers[0].Fits(d)
	})
}

// positionAfter returns the position after an order, up to the first die or draw. It returns false if the order is
// illegal.
func (ts *Tester) positionAfter(pos rules.Position, decisions []rules.Decision, line letter.Line) (rules.Position, bool) {
	answers, err := ts.game().Answers(line.Order, decisions)
	if err != nil {
		return nil, false
	}
	r, err := gate.Check(pos, ts.Execution.Seat, answers[0])
	return r.Position, err == nil
}

// answersAfter reports whether line answers the question that comes after the answer in the line first, as far as its
// writer can foresee.
func (ts *Tester) answersAfter(first, line letter.Line) bool {
	decisions := ts.ownDecisions()
	return !slices.ContainsFunc(ts.possiblePositions(), func(imagined rules.Position) bool {
		pos, legal := ts.positionAfter(imagined, decisions, first)
		if !legal || pos.Stalled() {
			return true
		}
		_, legal = ts.positionAfter(pos, rules.OpenDecisionsOf(pos, ts.Execution.Seat), line)
		return !legal
	})
}

// refusedTrial returns the trial of an illegal or incomplete answer to an open decision. It returns nil for other
// orders.
func (ts *Tester) refusedTrial(o rules.Order, decisions []rules.Decision) *order.Trial {
	answers, err := ts.game().Answers(o, decisions)
	if err != nil {
		return nil
	}
	_, err = gate.Check(ts.position(), ts.Execution.Seat, answers[0])
	var illegal *gate.IllegalError
	var short *gate.TooShortError
	if !errors.As(err, &illegal) && !errors.As(err, &short) {
		return nil
	}
	return &order.Trial{Answer: ts.game().FormatOrder(answers[0].Atoms), IsSingleAnswer: len(answers) == 1}
}
