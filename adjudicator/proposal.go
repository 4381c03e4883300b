package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/trial"
	"samizdat/templates"
)

// consentQuestion is a yes-or-no question of a letter to the player: a request of another player, or the confirmation of the player's
// own order.
type consentQuestion struct {
	// yes and no are the orders for YES and NO. NO to a proposal carries out nothing.
	yes, no []string
	// proposal is set if the question asks to confirm an order.
	proposal bool
}

// consentQuestions returns the questions that YES or NO answers in a reply to a letter. isOpen is set if any question is open, even if
// this letter does not ask it. A letter that asks for a confirmation has no other question, so that YES means the order.
func consentQuestions(run *letterRun, number int64) (questions []consentQuestion, open bool) {
	p := run.turn.OpenProposal(run.play.Seat)
	if p != nil {
		questions = append(questions, consentQuestion{yes: compose.SplitOrders(p.Orders), proposal: true})
		if number == p.Number {
			return questions, true
		}
	}
	prompts := slices.Concat(compose.TakebackPrompt(run.turn, run.play.Seat), compose.RequestPrompts(run.turn, run.play.Seat))
	for _, p := range prompts {
		questions = append(questions, consentQuestion{yes: p.Forms[:1], no: p.Forms[1:]})
	}
	before := run.turn.Match.Seats[run.play.Seat].Timing.Consents
	isUnchanged := before.Questions == compose.Questions(slices.Concat(compose.ProposalPrompt(run.turn, run.play.Seat,
		compose.Options{}), prompts))
	if open = len(questions) > 0; number < before.Since || len(questions) == 1 && !isUnchanged {
		return nil, open
	}
	return questions, open
}

func isConsentAnswer(l letter.Line) bool {
	return (l.Is(letter.Yes) || l.Is(letter.No)) && l.Command.Choice == ""
}

// confirmLines replaces YES or NO by the orders that it confirms. Any other order of the writer withdraws the proposal.
func confirmLines(ctx context.Context, run *letterRun, lines []letter.Line) ([]letter.Line, error) {
	first := slices.IndexFunc(lines, isConsentAnswer)
	hasOtherOrders := slices.ContainsFunc(lines, func(l letter.Line) bool {
		return !isConsentAnswer(l) && (l.HasEffect() && l.Class() != letter.Telling && !l.Is("CANCEL ORDERS") && !l.Is("DROP") ||
			l.Kind == letter.Unreadable)
	})
	var questions []consentQuestion
	open := false
	if run.turn.Match.State == match.Playing {
		questions, open = consentQuestions(run, run.letter.Token.Number)
		if hasOtherOrders {
			run.turn.Match.Seats[run.play.Seat].Timing.Proposal = nil
		}
	}
	if first < 0 {
		return lines, nil
	}
	answer := lines[first]
	saysBoth := slices.ContainsFunc(lines, func(l letter.Line) bool { return isConsentAnswer(l) && l.Command.Word != answer.Command.Word })
	for i, l := range lines {
		switch {
		case !isConsentAnswer(l):
		case hasOtherOrders && open, saysBoth:
			lines[i] = letter.Line{Text: l.Text, Kind: letter.Doubt, Why: "It may be an answer to an earlier letter."}
		case hasOtherOrders:
			lines[i] = letter.Line{Text: l.Text, Kind: letter.Talk, Why: "There is no question that it answers."}
		}
	}
	if !isConsentAnswer(lines[first]) || !open {
		return lines, nil
	}
	rest := slices.DeleteFunc(slices.Clone(lines[first+1:]), isConsentAnswer)
	answerLines, err := readConsentedLines(ctx, run, answer, questions, isPreviewOnly(lines))
	return slices.Concat(lines[:first], answerLines, rest), err
}

// readConsentedLines returns the orders for YES or NO. If it is unclear which question is answered, it returns an unreadable line.
func readConsentedLines(ctx context.Context, run *letterRun, answer letter.Line, questions []consentQuestion,
	isPreview bool) ([]letter.Line, error) {
	unclear := letter.Line{Text: answer.Text, Kind: letter.Unreadable}
	word := string(answer.Command.Word)
	declined, err := findOrderForNo(ctx, run, answer, questions)
	switch {
	case err != nil:
		return nil, err
	case declined != "":
		unclear.PossibleOrders = []string{declined}
		for _, q := range questions {
			unclear.PossibleOrders = append(unclear.PossibleOrders, q.no...)
		}
		unclear.Why = word + " can answer more than one question."
		unclear.NamesOrders = true
		return []letter.Line{unclear}, nil
	case len(questions) == 0:
		unclear.Why = "You replied to a letter older than the question. Reply to the newest letter, or write the order itself."
		return []letter.Line{unclear}, nil
	case len(questions) > 1:
		for _, q := range questions {
			unclear.PossibleOrders = append(unclear.PossibleOrders, q.yes...)
		}
		unclear.Why = word + " can answer more than one question. Write the answer that you mean: " +
			strings.Join(unclear.PossibleOrders, ", or ") + "."
		unclear.NamesOrders = true
		return []letter.Line{unclear}, nil
	}
	rows := questions[0].yes
	if answer.Is(letter.No) {
		if rows = questions[0].no; questions[0].proposal {
			run.turn.Match.Seats[run.play.Seat].Timing.Proposal = nil
			run.report(answer.Text, match.OutcomeDropped, strings.Join(questions[0].yes, "; ")+" was not carried out, and we will "+
				"not ask again.")
			return nil, nil
		}
	}
	if questions[0].proposal && !isPreview {
		run.turn.Match.Seats[run.play.Seat].Timing.Proposal = nil // the question is closed, even if the orders are refused
	}
	original := run.letter.Orders
	run.letter.Orders = compose.JoinOrders(rows)
	read, err := readLetter(run)
	run.letter.Orders = original
	return read, err
}

// findOrderForNo returns the game order that NO also means, e.g. PASS, if the answered letter asks for one beside a request; empty for
// none.
func findOrderForNo(ctx context.Context, run *letterRun, answer letter.Line, questions []consentQuestion) (string, error) {
	if !answer.Is(letter.No) || !slices.ContainsFunc(questions, func(q consentQuestion) bool { return !q.proposal }) {
		return "", nil
	}
	original := run.letter.Orders
	run.letter.Orders = answer.Text + "\n"
	lines, err := readLines(run, false)
	run.letter.Orders = original
	if err != nil || len(lines) != 1 || !run.tester.AnswersNow(lines[0]) {
		return "", err
	}
	return letter.Echo(trial.FormatLine(lines[0])), nil
}

// isPreviewOnly reports whether a letter only asks for a preview of its orders.
func isPreviewOnly(lines []letter.Line) bool {
	return slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.Preview) }) &&
		!slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Class() == letter.Setting })
}

// proposeOrders asks for a confirmation of the orders of a letter, because other lines raise doubts. Only questions are answered at
// once.
func proposeOrders(ctx context.Context, run *letterRun, lines []letter.Line) error {
	var rows []string
	// Only the first order can be tried: the questions for the others are not known yet.
	first, refused := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Kind == letter.GameOrder && run.tester.AnswersNow(l) }), ""
	if first >= 0 {
		var err error
		if refused, err = run.tester.ExplainRefusal(lines[first]); err != nil {
			return err
		}
	}
	for i, l := range lines {
		effect, err := describeEnding(ctx, run, l)
		if err != nil {
			return err
		}
		row := trial.FormatLine(l)
		if effect != "" {
			row = string(l.Command.Word) + " " + run.turn.Match.ID
		}
		switch {
		case l.Class() == letter.Question, l.Class() == letter.Asking:
			if _, err := run.command(ctx, l); err != nil {
				return err
			}
		case l.Kind == letter.Talk, l.Kind == letter.Doubt:
			if refused != "" || !run.reader.Orders.IsCourtesyLine(l.Text) {
				run.report(l.Text, match.OutcomeUnread, "")
			}
		case refused != "" && i == first:
			run.report(l.Text, match.OutcomeRefused, refused)
		case refused != "":
			run.report(l.Text, match.OutcomeNotReached, "Not carried out, because another line was refused.")
		case l.Class() == letter.Telling, l.Kind == letter.GameOrder &&
			trial.CastsBallot(run.turn.Game, l.Order), isConsentAnswer(l), l.Is(letter.Preview):
			run.report(l.Text, match.OutcomeNotReached, "If you mean it, send it again without the part that was not understood.")
		default:
			rows = append(rows, row)
			if reason := trial.JoinSentences(effect, l.Doubt); reason != "" {
				run.report(l.Text, match.OutcomeAsked, reason)
			}
		}
	}
	if len(rows) > 0 && refused == "" {
		addProposal(run, rows)
	}
	run.effects.disposition = exchange.Refused
	return nil
}

// addProposal stores the proposed orders, and adds the question about them to the answer.
func addProposal(run *letterRun, rows []string) {
	seat := &run.turn.Match.Seats[run.play.Seat]
	seat.Timing.Proposal = &match.Proposal{Orders: compose.JoinOrders(rows), Number: seat.Letters + 1,
		Decisions: match.DecisionIDs(run.turn.OpenDecisions(run.play.Seat))}
	run.answer.Ask = &templates.Ask{Question: compose.ConfirmQuestion(len(rows)), Orders: rows,
		Taps: []string{string(letter.Yes), string(letter.No)}}
}

const maxMisspeltNames = 4

// explainUnread explains why a line is not an order. It suggests an order only if that order is legal.
func explainUnread(run *letterRun, l letter.Line) string {
	if l.Why == letter.NotUnderstood {
		l.Why = ""
	}
	if len(run.turn.LineReports[run.play.Seat]) > maxListed {
		return l.Why // the answer shows no more lines, so this saves work
	}
	if w := letter.FindClubOrder(l.Text); w != "" && run.adjudicator.Club != nil {
		return fmt.Sprintf("%s is a command for the club, not for a match. Send it in reply to a letter from the club, or in "+
			"a new letter to %s.", w, run.adjudicator.Post.Referee())
	}
	if game := findOtherGame(run, l.Text); game != "" {
		return fmt.Sprintf("That is an order of %s, but your letter went to match %s, of %s. Reply to a letter of the match "+
			"that you mean.", game, run.turn.Match.ID, run.turn.Match.Game)
	}
	if l.Why == "" && strings.HasSuffix(strings.TrimSpace(l.Text), "?") {
		return "To look something up, write RULES and a topic, or CARD and a number. To ask the operator, write ASK and your question."
	}
	if len(l.SimilarOrders) == 0 || letter.StartsWith(l.Text, letter.Card) || run.turn.Match.State != match.Playing ||
		len(run.turn.OpenDecisions(run.play.Seat)) == 0 {
		return l.Why
	}
	var rows []string
	for _, similar := range l.SimilarOrders[:min(len(l.SimilarOrders), maxMisspeltNames)] {
		if row := run.tester.FormatHarmless(similar); row != "" && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return l.WhyWithoutNames
	}
	run.effects.hasHint = true
	return trial.JoinSentences(l.WhyWithoutNames, askWhich(run, rows))
}

// findOtherGame returns another game of this referee to which an order belongs; empty for none. Only the first
// reported line is checked.
func findOtherGame(run *letterRun, text string) string {
	if len(run.turn.LineReports[run.play.Seat]) > 0 {
		return ""
	}
	for _, g := range run.adjudicator.Games {
		if g.Name() == run.turn.Match.Game {
			continue
		}
		if o, err := run.adjudicator.readers[g.Name()]().Orders.Plain(text); err == nil && slices.Contains(letter.Verbs(g), o.Clauses[0].Word) {
			return g.Name()
		}
	}
	return ""
}

// maxChoices is the number of orders in the answer to an ambiguous line.
const maxChoices = 3

// askWhich asks which of several orders the writer means, and names what each would lose.
func askWhich(run *letterRun, rows []string) (losses string) {
	run.answer.Ask = &templates.Ask{Question: "Not done yet. Which of these orders do you mean?"}
	if len(rows) == 1 {
		run.answer.Ask.Question = compose.ConfirmQuestion(1)
	}
	for _, r := range rows[:min(len(rows), maxChoices)] {
		row, loss := run.tester.FormatLegal(r)
		if row == "" {
			row = r
		}
		if run.answer.Ask.Taps = append(run.answer.Ask.Taps, row); loss != "" {
			losses = trial.JoinSentences(losses, "Of "+row+": "+loss)
		}
	}
	return losses
}

// explainRefusal adds to the answer the rule that forbids the order that an unreadable letter seems to mean.
func explainRefusal(run *letterRun) error {
	reports := run.turn.LineReports[run.play.Seat]
	nothingDone := !slices.ContainsFunc(reports, func(l match.LineReport) bool {
		return l.Outcome != match.OutcomeIgnored && l.Outcome != match.OutcomeUnread && l.Outcome != match.OutcomeRefused &&
			l.Outcome != match.OutcomeNotReached
	})
	if !nothingDone || !run.answer.Misread || run.effects.hasHint {
		return nil
	}
	// The rule helps the writer more than a suggestion of other orders.
	var lines []string
	for _, l := range reports {
		if l.Line != "" && l.Outcome != match.OutcomeNotReached {
			lines = append(lines, l.Line)
		}
	}
	text, err := run.tester.ExplainLikelyOrder(lines)
	if text != "" {
		run.turn.ReportLine(run.play.Seat, "", match.OutcomeIgnored, text)
	}
	return err
}
