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

// consentQuestion is a yes-or-no question in a letter to the player. It asks for consent to a request of another player,
// or to confirm the player's own order.
type consentQuestion struct {
	// yes and no are the orders for YES and NO. NO to a proposal carries out nothing.
	yes, no []string
	// isProposal is set if the question asks to confirm the player's own orders (match.Proposal).
	isProposal bool
}

// findConsentQuestions returns the questions that YES or NO answers in a reply to the letter with this number. isOpen
// is set if a consent question is open, even if this letter does not ask it. In a reply to a letter that asks to
// confirm an order, YES confirms only that order.
func findConsentQuestions(run *letterRun, number int64) (questions []consentQuestion, isOpen bool) {
	proposal := run.turn.OpenProposal(run.execution.Seat)
	if proposal != nil {
		questions = append(questions, consentQuestion{yes: compose.SplitOrders(proposal.Orders), isProposal: true})
		if number == proposal.Number {
			return questions, true
		}
	}
	prompts := requestPrompts(run)
	for _, p := range prompts {
		questions = append(questions, consentQuestion{yes: p.Forms[:1], no: p.Forms[1:]})
	}
	asked := run.turn.Match.Seats[run.execution.Seat].Private.ConsentQuestions
	isUnchanged := asked.Questions == compose.JoinQuestions(slices.Concat(compose.ProposalPrompt(run.turn, run.execution.Seat,
		compose.Options{}), prompts))
	if isOpen = len(questions) > 0; number < asked.FirstLetter || len(questions) == 1 && !isUnchanged {
		return nil, isOpen
	}
	return questions, isOpen
}

func isConsentAnswer(line letter.Line) bool {
	return (line.Is(letter.Yes) || line.Is(letter.No)) && line.Command.Choice == ""
}

// withdrawsProposal reports whether a line is a new order that withdraws the proposal: a later YES must then not
// carry out the proposed orders. Messages and settings do not withdraw a proposal.
func withdrawsProposal(line letter.Line) bool {
	switch line.Class() {
	case letter.ClassMessage, letter.ClassSetting:
		return false
	}
	return line.Kind == letter.KindUnreadable || line.HasEffect() && !isConsentAnswer(line) && !line.Is("CANCEL ORDERS") && !line.Is("DROP")
}

// replaceConsentAnswers replaces YES or NO by the orders that it stands for, e.g. YES -> RESIGN mabcdefg. Any other order
// of the writer withdraws the proposal. If a line of the letter was not understood, the question is asked again.
func replaceConsentAnswers(ctx context.Context, run *letterRun, lines []letter.Line) ([]letter.Line, error) {
	first := slices.IndexFunc(lines, isConsentAnswer)
	hasOtherOrders := slices.ContainsFunc(lines, withdrawsProposal)
	var questions []consentQuestion
	isOpen := false
	if run.turn.Match.State == match.Playing {
		questions, isOpen = findConsentQuestions(run, run.letter.Token.Number)
		if hasOtherOrders {
			run.turn.Match.Seats[run.execution.Seat].Private.Proposal = nil
		}
	}
	if first < 0 {
		return lines, nil
	}
	answer := lines[first]
	saysBoth := slices.ContainsFunc(lines, func(line letter.Line) bool {
		return isConsentAnswer(line) && line.Command.Word != answer.Command.Word
	})
	for i, line := range lines {
		switch {
		case !isConsentAnswer(line):
		case hasOtherOrders && isOpen, saysBoth:
			lines[i] = letter.Line{Text: line.Text, Kind: letter.KindDoubt, Why: "It may be an answer to an earlier letter."}
		case hasOtherOrders:
			lines[i] = letter.Line{Text: line.Text, Kind: letter.KindTalk, Why: "There is no question that it answers."}
		}
	}
	if !isConsentAnswer(lines[first]) || !isOpen {
		return lines, nil
	}
	if hasUnreadableLine(lines) {
		if proposal := run.turn.OpenProposal(run.execution.Seat); proposal != nil {
			orders := compose.SplitOrders(proposal.Orders)
			addProposal(run, orders, compose.ResignQuestion(run.turn, run.execution.Seat, orders))
		}
		return lines, nil
	}
	rest := slices.DeleteFunc(slices.Clone(lines[first+1:]), isConsentAnswer)
	answerLines, err := readReplacementLines(ctx, run, answer, questions, isPreviewOnly(lines))
	return slices.Concat(lines[:first], answerLines, rest), err
}

// readReplacementLines returns the lines of the orders that YES or NO stands for. If the answer may belong to several
// questions, it returns an unreadable line.
func readReplacementLines(ctx context.Context, run *letterRun, answer letter.Line, questions []consentQuestion,
	isPreview bool) ([]letter.Line, error) {
	unclear := letter.Line{Text: answer.Text, Kind: letter.KindUnreadable}
	word := string(answer.Command.Word)
	orderForNo, err := findOrderForNo(ctx, run, answer, questions)
	switch {
	case err != nil:
		return nil, err
	case orderForNo != "":
		unclear.PossibleOrders = []string{orderForNo}
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
	orderLines := questions[0].yes
	if answer.Is(letter.No) {
		if orderLines = questions[0].no; questions[0].isProposal {
			run.turn.Match.Seats[run.execution.Seat].Private.Proposal = nil
			run.report(answer.Text, match.OutcomeDropped, strings.Join(questions[0].yes, "; ")+" was not carried out, and we will "+
				"not ask again.")
			return nil, nil
		}
	}
	if questions[0].isProposal && !isPreview {
		run.turn.Match.Seats[run.execution.Seat].Private.Proposal = nil // The question is closed even if its orders are refused.
	}
	original := run.letter.Text
	run.letter.Text = compose.JoinOrders(orderLines)
	lines, err := readLetter(run)
	run.letter.Text = original
	return lines, err
}

// findOrderForNo returns the game order that NO could also mean, e.g. PASS. This is possible if the answered letter
// asks a question of the game and a consent question. It returns "" if NO has only one meaning.
func findOrderForNo(ctx context.Context, run *letterRun, answer letter.Line, questions []consentQuestion) (string, error) {
	if !answer.Is(letter.No) || !slices.ContainsFunc(questions, func(q consentQuestion) bool { return !q.isProposal }) {
		return "", nil
	}
	original := run.letter.Text
	run.letter.Text = answer.Text + "\n"
	lines, err := readLines(run, false)
	run.letter.Text = original
	if err != nil || len(lines) != 1 || !run.tester.AnswersNow(lines[0]) {
		return "", err
	}
	return letter.Shorten(trial.FormatLine(lines[0])), nil
}

// isPreviewOnly reports whether a letter asks for a preview of its orders and changes no setting.
func isPreviewOnly(lines []letter.Line) bool {
	return slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Is(letter.Preview) }) &&
		!slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Class() == letter.ClassSetting })
}

// proposeOrders asks the writer to confirm the orders of a letter, because other lines were not understood. It answers
// questions to the referee at once.
func proposeOrders(ctx context.Context, run *letterRun, lines []letter.Line) error {
	var orderLines []string
	endQuestion := ""
	// Only the first order can be tried, because the questions for the other orders are not known yet.
	first, refusal := slices.IndexFunc(lines, func(line letter.Line) bool {
		return line.Kind == letter.KindGameOrder && run.tester.AnswersNow(line)
	}), ""
	if first >= 0 {
		var err error
		if refusal, err = run.tester.ExplainRefusal(lines[first]); err != nil {
			return err
		}
	}
	for i, line := range lines {
		question, err := findEndQuestion(ctx, run, line)
		if err != nil {
			return err
		}
		orderLine := trial.FormatLine(line)
		if question != "" {
			endQuestion, orderLine = question, string(line.Command.Word)+" "+run.turn.Match.ID
		}
		switch {
		case line.Class() == letter.ClassQuery, line.Class() == letter.ClassQueryInSequence:
			if _, err := run.carryOutCommand(ctx, line); err != nil {
				return err
			}
		case line.Kind == letter.KindTalk, line.Kind == letter.KindDoubt:
			if refusal != "" || !run.reader.Orders.IsCourtesyLine(line.Text) {
				run.report(line.Text, match.OutcomeUnread, "")
			}
		case refusal != "" && i == first:
			run.report(line.Text, match.OutcomeRefused, refusal)
		case refusal != "":
			run.report(line.Text, match.OutcomeNotReached, "Not carried out, because another line was refused.")
		case line.Class() == letter.ClassMessage, line.Kind == letter.KindGameOrder &&
			trial.CastsBallot(run.turn.Game, line.Order), isConsentAnswer(line), line.Is(letter.Preview):
			run.report(line.Text, match.OutcomeNotReached, "If you mean it, send it again without the part that was not understood.")
		default:
			orderLines = append(orderLines, orderLine)
			if line.Doubt != "" {
				run.report(line.Text, match.OutcomeAsked, line.Doubt)
			}
		}
	}
	if len(orderLines) > 0 && refusal == "" {
		addProposal(run, orderLines, endQuestion)
	}
	run.effects.disposition = exchange.DispositionRefused
	return nil
}

// addProposal asks the writer to confirm orders with YES. endQuestion is the question about an order that ends the match,
// e.g. "Do you want to resign match mabcdefg?", or empty.
func addProposal(run *letterRun, orderLines []string, endQuestion string) {
	seat := &run.turn.Match.Seats[run.execution.Seat]
	seat.Private.Proposal = &match.Proposal{Orders: compose.JoinOrders(orderLines), Number: seat.LastLetter + 1,
		Decisions: match.DecisionIDs(run.turn.OpenDecisions(run.execution.Seat))}
	run.answer.Ask = compose.AskToConfirm(orderLines, endQuestion)
}

const maxSuggestedOrders = 4

// explainUnreadLine explains why a line is not an order. It suggests an order only if that order is legal.
func explainUnreadLine(run *letterRun, line letter.Line) string {
	if line.Why == letter.NotUnderstood {
		line.Why = ""
	}
	if len(run.turn.LineReports[run.execution.Seat]) > maxReportedLines {
		return line.Why // The answer does not report this line.
	}
	if w := letter.FindClubOrder(line.Text); w != "" && run.adjudicator.Club != nil {
		return fmt.Sprintf("%s is a command for the club, not for a match. Send it in reply to a letter from the club, or in "+
			"a new letter to %s.", w, run.adjudicator.Codec.Referee())
	}
	if game := findOtherGame(run, line.Text); game != "" {
		return fmt.Sprintf("That is an order of %s, but your letter went to match %s, of %s. Reply to a letter of the match "+
			"that you mean.", game, run.turn.Match.ID, run.turn.Match.Game)
	}
	if orders := requestAnswers(run); line.Why == "" && len(orders) > 0 {
		return "To answer the request of the other side, write " + strings.Join(orders, " or ") + "."
	}
	if line.Why == "" && strings.HasSuffix(strings.TrimSpace(line.Text), "?") {
		return "To look something up, write RULES and a topic, or CARD and a number. To ask the operator, write ASK and your question."
	}
	if len(line.SimilarOrders) == 0 || letter.StartsWith(line.Text, letter.Card) || run.turn.Match.State != match.Playing ||
		len(run.turn.OpenDecisions(run.execution.Seat)) == 0 {
		return line.Why
	}
	var suggestions []string
	for _, similar := range line.SimilarOrders[:min(len(line.SimilarOrders), maxSuggestedOrders)] {
		if suggestion := run.tester.FormatHarmless(similar); suggestion != "" && !slices.Contains(suggestions, suggestion) {
			suggestions = append(suggestions, suggestion)
		}
	}
	if len(suggestions) == 0 {
		return line.WhyWithoutNames
	}
	run.effects.hasHint = true
	return trial.JoinSentences(line.WhyWithoutNames, askWhichOrder(run, suggestions))
}

func requestPrompts(run *letterRun) []templates.Prompt {
	return slices.Concat(compose.TakebackPrompt(run.turn, run.execution.Seat), compose.RequestPrompts(run.turn, run.execution.Seat))
}

// requestAnswers returns the orders that answer the open requests to the writer, e.g. TAKEBACK YES and TAKEBACK NO.
func requestAnswers(run *letterRun) (orders []string) {
	for _, p := range requestPrompts(run) {
		orders = append(orders, p.Forms...)
	}
	return orders
}

// findOtherGame returns the name of another game of this referee if text is an order of that game. It returns "" if no
// game fits, or if text is not the first line that the answer reports.
func findOtherGame(run *letterRun, text string) string {
	if len(run.turn.LineReports[run.execution.Seat]) > 0 {
		return ""
	}
	for _, g := range run.adjudicator.Games {
		if g.Name() == run.turn.Match.Game {
			continue
		}
		o, err := run.adjudicator.readers[g.Name()]().Orders.ParsePlain(text)
		if err == nil && slices.Contains(letter.Verbs(g), o.Clauses[0].Word) {
			return g.Name()
		}
	}
	return ""
}

const maxChoices = 3

// askWhichOrder asks which of several orders the writer means, and returns what the player would lose by each order.
func askWhichOrder(run *letterRun, orderLines []string) (losses string) {
	run.answer.Ask = &templates.Ask{Question: "Nothing has been done yet. Which of these orders do you mean?"}
	if len(orderLines) == 1 {
		run.answer.Ask.Question = "Nothing has been done yet. If you mean this order, please send it:"
	}
	for _, r := range orderLines[:min(len(orderLines), maxChoices)] {
		orderLine, loss := run.tester.FormatLegal(r)
		if orderLine == "" {
			orderLine = r
		}
		if run.answer.Ask.Answers = append(run.answer.Ask.Answers, orderLine); loss != "" {
			losses = trial.JoinSentences(losses, "Of "+orderLine+": "+loss)
		}
	}
	return losses
}

// addLikelyRefusal guesses the order that a misread letter means. If a rule forbids that order, it adds the rule to the answer.
func addLikelyRefusal(run *letterRun) error {
	reports := run.turn.LineReports[run.execution.Seat]
	nothingDone := !slices.ContainsFunc(reports, func(l match.LineReport) bool {
		return l.Outcome != match.OutcomeIgnored && l.Outcome != match.OutcomeUnread && l.Outcome != match.OutcomeRefused &&
			l.Outcome != match.OutcomeNotReached
	})
	if !nothingDone || !run.answer.Misread || run.effects.hasHint {
		return nil
	}
	var lines []string
	for _, l := range reports {
		if l.Line != "" && l.Outcome != match.OutcomeNotReached {
			lines = append(lines, l.Line)
		}
	}
	text, err := run.tester.ExplainLikelyOrder(lines)
	if text != "" {
		run.turn.ReportLine(run.execution.Seat, "", match.OutcomeIgnored, text)
	}
	return err
}
