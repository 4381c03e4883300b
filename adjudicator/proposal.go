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

type consentQuestion struct {
	// yes and no are the orders for YES and NO. NO to a proposal carries out nothing.
	yes, no []string
	// proposal reports whether the question asks for the confirmation of an order.
	proposal bool
}

// consentQuestions returns the questions that YES or NO in reply to letter number answers. Open reports whether
// there are other questions. A letter that asks for a confirmation has no other question, so that YES means the order.
func consentQuestions(run *letterRun, number int64) (asked []consentQuestion, open bool) {
	p := run.turn.OpenProposal(run.play.Seat)
	if p != nil {
		asked = append(asked, consentQuestion{yes: compose.SplitOrders(p.Orders), proposal: true})
		if number == p.Number {
			return asked, true
		}
	}
	prompts := slices.Concat(compose.TakebackPrompt(run.turn, run.play.Seat), compose.RequestPrompts(run.turn, run.play.Seat))
	for _, p := range prompts {
		asked = append(asked, consentQuestion{yes: p.Forms[:1], no: p.Forms[1:]})
	}
	before := run.turn.Match.Seats[run.play.Seat].Timing.Consents
	still := before.Questions == compose.Questions(slices.Concat(compose.ProposalPrompt(run.turn, run.play.Seat, compose.Options{}), prompts))
	if open = len(asked) > 0; number < before.Since || len(asked) == 1 && !still {
		return nil, open
	}
	return asked, open
}

func isConsentAnswer(l letter.Line) bool {
	return (l.Is(letter.Yes) || l.Is(letter.No)) && l.Command.Choice == ""
}

// confirmLines replaces YES or NO by the orders that it stands for. Any other order of the writer closes the
// question about a proposal.
func confirmLines(ctx context.Context, run *letterRun, lines []letter.Line) ([]letter.Line, error) {
	first := slices.IndexFunc(lines, isConsentAnswer)
	beside := slices.ContainsFunc(lines, func(l letter.Line) bool {
		return !isConsentAnswer(l) && (l.HasEffect() && l.Class() != letter.Telling && !l.Is("CANCEL ORDERS") && !l.Is("DROP") ||
			l.Kind == letter.Unreadable)
	})
	var asked []consentQuestion
	open := false
	if run.turn.Match.State == match.Playing {
		asked, open = consentQuestions(run, run.letter.Token.Number)
		if beside {
			run.turn.Match.Seats[run.play.Seat].Timing.Proposal = nil
		}
	}
	if first < 0 {
		return lines, nil
	}
	answer := lines[first]
	both := slices.ContainsFunc(lines, func(l letter.Line) bool { return isConsentAnswer(l) && l.Command.Word != answer.Command.Word })
	for i, l := range lines {
		switch {
		case !isConsentAnswer(l):
		case beside && open, both:
			lines[i] = letter.Line{Text: l.Text, Kind: letter.Doubt, Why: "It may be an answer to an earlier letter."}
		case beside:
			lines[i] = letter.Line{Text: l.Text, Kind: letter.Talk, Why: "There is no question that it answers."}
		}
	}
	if !isConsentAnswer(lines[first]) || !open {
		return lines, nil
	}
	rest := slices.DeleteFunc(slices.Clone(lines[first+1:]), isConsentAnswer)
	given, err := consentedLines(ctx, run, answer, asked, isPreviewOnly(lines))
	return slices.Concat(lines[:first], given, rest), err
}

func consentedLines(ctx context.Context, run *letterRun, answer letter.Line, asked []consentQuestion,
	previews bool) ([]letter.Line, error) {
	unclear := letter.Line{Text: answer.Text, Kind: letter.Unreadable}
	word := string(answer.Command.Word)
	declined, err := findOrderForNo(ctx, run, answer, asked)
	switch {
	case err != nil:
		return nil, err
	case declined != "":
		unclear.PossibleOrders = []string{declined}
		for _, q := range asked {
			unclear.PossibleOrders = append(unclear.PossibleOrders, q.no...)
		}
		unclear.Why = word + " can answer more than one question."
		unclear.NamesOrders = true
		return []letter.Line{unclear}, nil
	case len(asked) == 0:
		unclear.Why = "You replied to a letter older than the question. Reply to the newest letter, or write the order itself."
		return []letter.Line{unclear}, nil
	case len(asked) > 1:
		for _, q := range asked {
			unclear.PossibleOrders = append(unclear.PossibleOrders, q.yes...)
		}
		unclear.Why = word + " can answer more than one question. Write the answer that you mean: " +
			strings.Join(unclear.PossibleOrders, ", or ") + "."
		unclear.NamesOrders = true
		return []letter.Line{unclear}, nil
	}
	rows := asked[0].yes
	if answer.Is(letter.No) {
		if rows = asked[0].no; asked[0].proposal {
			run.turn.Match.Seats[run.play.Seat].Timing.Proposal = nil
			run.report(answer.Text, match.OutcomeDropped, strings.Join(asked[0].yes, "; ")+" was not carried out, and we will "+
				"not ask again.")
			return nil, nil
		}
	}
	if asked[0].proposal && !previews {
		run.turn.Match.Seats[run.play.Seat].Timing.Proposal = nil // The question is closed, whatever the outcome of the orders.
	}
	own := run.letter.Orders
	run.letter.Orders = compose.JoinOrders(rows)
	read, err := readLetter(run)
	run.letter.Orders = own
	return read, err
}

// findOrderForNo returns the order of the game for NO, e.g. PASS, if the answered letter asks for one beside a
// consent; empty for none.
func findOrderForNo(ctx context.Context, run *letterRun, answer letter.Line, asked []consentQuestion) (string, error) {
	if !answer.Is(letter.No) || !slices.ContainsFunc(asked, func(q consentQuestion) bool { return !q.proposal }) {
		return "", nil
	}
	own := run.letter.Orders
	run.letter.Orders = answer.Text + "\n"
	lines, err := readLines(run, false)
	run.letter.Orders = own
	if err != nil || len(lines) != 1 || !run.tester.AnswersNow(lines[0]) {
		return "", err
	}
	return letter.Echo(trial.FormatLine(lines[0])), nil
}

// isPreviewOnly reports whether a letter only asks what its orders would do.
func isPreviewOnly(lines []letter.Line) bool {
	return slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.Preview) }) &&
		!slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Class() == letter.Setting })
}

// proposeOrders asks for a confirmation of the orders of a letter, because other lines speak against them. Only
// questions are carried out.
func proposeOrders(ctx context.Context, run *letterRun, lines []letter.Line) error {
	var rows []string
	// Only the first is tried: the questions for the others are not known yet.
	first, refused := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Kind == letter.GameOrder && run.tester.AnswersNow(l) }), ""
	if first >= 0 {
		var err error
		if refused, err = run.tester.ExplainRefusal(lines[first]); err != nil {
			return err
		}
	}
	for i, l := range lines {
		means, err := describeEnding(ctx, run, l)
		if err != nil {
			return err
		}
		row := trial.FormatLine(l)
		if means != "" {
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
			if reason := trial.JoinSentences(means, l.Doubt); reason != "" {
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

func addProposal(run *letterRun, rows []string) {
	seat := &run.turn.Match.Seats[run.play.Seat]
	seat.Timing.Proposal = &match.Proposal{Orders: compose.JoinOrders(rows), Number: seat.Letters + 1,
		Decisions: match.DecisionIDs(run.turn.OpenDecisions(run.play.Seat))}
	run.answer.Ask = &templates.Ask{Question: compose.ConfirmQuestion(len(rows)), Orders: rows,
		Taps: []string{string(letter.Yes), string(letter.No)}}
}

const maxMisspeltNames = 4

// explainUnread explains why a line is no order. It suggests an order only if that order is legal.
func explainUnread(run *letterRun, l letter.Line) string {
	if l.Why == letter.NotUnderstood {
		l.Why = ""
	}
	if len(run.turn.LineReports[run.play.Seat]) > maxListed {
		return l.Why // A long letter must not cost more than its answer shows.
	}
	if w := letter.FindClubOrder(l.Text); w != "" && run.a.Club != nil {
		return fmt.Sprintf("%s is a command for the club, not for a match. Send it in reply to a letter from the club, or in "+
			"a new letter to %s.", w, run.a.Post.Referee())
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
	for _, near := range l.SimilarOrders[:min(len(l.SimilarOrders), maxMisspeltNames)] {
		if row := run.tester.FormatHarmless(near); row != "" && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return l.WhyWithoutNames
	}
	run.effects.hinted = true
	return trial.JoinSentences(l.WhyWithoutNames, askWhich(run, rows))
}

// findOtherGame returns the other game of the referee to which an order belongs; empty for none. Only the first
// answered line is checked.
func findOtherGame(run *letterRun, text string) string {
	if len(run.turn.LineReports[run.play.Seat]) > 0 {
		return ""
	}
	for _, g := range run.a.Games {
		if g.Name() == run.turn.Match.Game {
			continue
		}
		if o, err := run.a.readers[g.Name()]().Orders.Plain(text); err == nil && slices.Contains(letter.Verbs(g), o.Clauses[0].Word) {
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
		row, loses := run.tester.FormatLegal(r)
		if row == "" {
			row = r
		}
		if run.answer.Ask.Taps = append(run.answer.Ask.Taps, row); loses != "" {
			losses = trial.JoinSentences(losses, "Of "+row+": "+loses)
		}
	}
	return losses
}

// explainRefusal adds the rule against the order that an unreadable letter seems to say.
func explainRefusal(run *letterRun) error {
	own := run.turn.LineReports[run.play.Seat]
	nothing := !slices.ContainsFunc(own, func(l match.LineReport) bool {
		return l.Outcome != match.OutcomeIgnored && l.Outcome != match.OutcomeUnread && l.Outcome != match.OutcomeRefused &&
			l.Outcome != match.OutcomeNotReached
	})
	if !nothing || !run.answer.Misread || run.effects.hinted {
		return nil
	}
	// The rule helps the writer more than other orders would.
	var lines []string
	for _, l := range own {
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
