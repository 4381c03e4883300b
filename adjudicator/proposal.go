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

// consentQuestion is an open question of ours to which YES and NO are answers.
type consentQuestion struct {
	// yes and no are the orders for YES and NO. NO to a proposal stands for none.
	yes, no []string
	// proposal: the question asks for the confirmation of an order.
	proposal bool
}

// consentQuestions returns the questions that YES or NO in reply to letter number answers. Open reports whether
// there are other questions. A letter that asks for a confirmation has no other question, so that YES means the order.
func consentQuestions(j *letterRun, number int64) (asked []consentQuestion, open bool) {
	p := j.turn.Proposed(j.play.Seat)
	if p != nil {
		asked = append(asked, consentQuestion{yes: compose.EnclosedRows(p.Orders), proposal: true})
		if number == p.Number {
			return asked, true
		}
	}
	prompts := slices.Concat(compose.TakebackPrompt(j.turn, j.play.Seat), compose.RequestPrompts(j.turn, j.play.Seat))
	for _, p := range prompts {
		asked = append(asked, consentQuestion{yes: p.Forms[:1], no: p.Forms[1:]})
	}
	was := j.turn.Match.Seats[j.play.Seat].Timing.Consents
	still := was.Questions == compose.Questions(slices.Concat(compose.ProposalPrompt(j.turn, j.play.Seat, compose.Options{}), prompts))
	if open = len(asked) > 0; number < was.Since || len(asked) == 1 && !still {
		return nil, open
	}
	return asked, open
}

func answersConsent(l letter.Line) bool {
	return (l.Is(letter.Yes) || l.Is(letter.No)) && l.Command.Choice == ""
}

// confirmLines replaces YES or NO by the orders that it stands for. Any other order of the writer closes the
// question about a proposal.
func confirmLines(ctx context.Context, j *letterRun, lines []letter.Line) ([]letter.Line, error) {
	first := slices.IndexFunc(lines, answersConsent)
	beside := slices.ContainsFunc(lines, func(l letter.Line) bool {
		return !answersConsent(l) && (l.Acts() && l.Class() != letter.Telling && !l.Is("CANCEL ORDERS") && !l.Is("DROP") ||
			l.Kind == letter.Unreadable)
	})
	var asked []consentQuestion
	open := false
	if j.turn.Match.State == match.Playing {
		asked, open = consentQuestions(j, j.letter.Token.Number)
		if beside {
			j.turn.Match.Seats[j.play.Seat].Timing.Proposal = nil
		}
	}
	if first < 0 {
		return lines, nil
	}
	answer := lines[first]
	both := slices.ContainsFunc(lines, func(l letter.Line) bool { return answersConsent(l) && l.Command.Word != answer.Command.Word })
	for i, l := range lines {
		switch {
		case !answersConsent(l):
		case beside && open, both:
			lines[i] = letter.Line{Text: l.Text, Kind: letter.Doubt, Why: "It may answer the question of an earlier letter."}
		case beside:
			lines[i] = letter.Line{Text: l.Text, Kind: letter.Talk, Why: "It answers no question."}
		}
	}
	if !answersConsent(lines[first]) || !open {
		return lines, nil
	}
	rest := slices.DeleteFunc(slices.Clone(lines[first+1:]), answersConsent)
	given, err := consentedLines(ctx, j, answer, asked, onlyPreviews(lines))
	return slices.Concat(lines[:first], given, rest), err
}

func consentedLines(ctx context.Context, j *letterRun, answer letter.Line, asked []consentQuestion,
	previews bool) ([]letter.Line, error) {
	unclear := letter.Line{Text: answer.Text, Kind: letter.Unreadable}
	word := string(answer.Command.Word)
	declined, err := declinesPlay(ctx, j, answer, asked)
	switch {
	case err != nil:
		return nil, err
	case declined != "":
		unclear.Can = []string{declined}
		for _, q := range asked {
			unclear.Can = append(unclear.Can, q.no...)
		}
		unclear.Why = word + " can answer more than one question."
		unclear.Names = true
		return []letter.Line{unclear}, nil
	case len(asked) == 0:
		unclear.Why = "You answer an older letter than the one that asks. Reply to the newest letter, or write the order itself."
		return []letter.Line{unclear}, nil
	case len(asked) > 1:
		for _, q := range asked {
			unclear.Can = append(unclear.Can, q.yes...)
		}
		unclear.Why = word + " can answer more than one question. Write the answer that you mean: " +
			strings.Join(unclear.Can, ", or ") + "."
		unclear.Names = true
		return []letter.Line{unclear}, nil
	}
	rows := asked[0].yes
	if answer.Is(letter.No) {
		if rows = asked[0].no; asked[0].proposal {
			j.turn.Match.Seats[j.play.Seat].Timing.Proposal = nil
			j.report(answer.Text, match.OutcomeDropped, strings.Join(asked[0].yes, "; ")+" was not carried out, and is not asked again.")
			return nil, nil
		}
	}
	if asked[0].proposal && !previews {
		j.turn.Match.Seats[j.play.Seat].Timing.Proposal = nil // The question is closed, whatever the outcome of the orders.
	}
	own := j.letter.Orders
	j.letter.Orders = compose.Enclosed(rows)
	read, err := readLetter(j)
	j.letter.Orders = own
	return read, err
}

// declinesPlay returns the order of the game for NO, e.g. PASS, if the answered letter asks for one beside a
// consent; empty for none.
func declinesPlay(ctx context.Context, j *letterRun, answer letter.Line, asked []consentQuestion) (string, error) {
	if !answer.Is(letter.No) || !slices.ContainsFunc(asked, func(q consentQuestion) bool { return !q.proposal }) {
		return "", nil
	}
	own := j.letter.Orders
	j.letter.Orders = answer.Text + "\n"
	lines, err := readLines(j, false)
	j.letter.Orders = own
	if err != nil || len(lines) != 1 || !j.trial.AnswersNow(lines[0]) {
		return "", err
	}
	return letter.Echo(trial.Rewritten(lines[0])), nil
}

// onlyPreviews reports whether a letter only asks what its orders would do.
func onlyPreviews(lines []letter.Line) bool {
	return slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Is(letter.Preview) }) &&
		!slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Class() == letter.Setting })
}

// askBack asks for a confirmation of the orders of a letter, because other lines speak against them. Only
// questions are carried out.
func askBack(ctx context.Context, j *letterRun, lines []letter.Line) error {
	var rows []string
	// Only the first is tried: the questions for the others are not known yet.
	first, refused := slices.IndexFunc(lines, func(l letter.Line) bool { return l.Kind == letter.GameOrder && j.trial.AnswersNow(l) }), ""
	if first >= 0 {
		var err error
		if refused, err = j.trial.WouldRefuse(lines[first]); err != nil {
			return err
		}
	}
	for i, l := range lines {
		means, err := endingMeans(ctx, j, l)
		if err != nil {
			return err
		}
		row := trial.Rewritten(l)
		if means != "" {
			row = string(l.Command.Word) + " " + j.turn.Match.ID
		}
		switch {
		case l.Class() == letter.Question, l.Class() == letter.Asking:
			if _, err := j.command(ctx, l); err != nil {
				return err
			}
		case l.Kind == letter.Talk, l.Kind == letter.Doubt:
			if refused != "" || !j.reader.Orders.Harmless(l.Text) {
				j.report(l.Text, match.OutcomeUnread, "")
			}
		case refused != "" && i == first:
			j.report(l.Text, match.OutcomeRefused, refused)
		case refused != "":
			j.report(l.Text, match.OutcomeNotReached, "Not carried out, since another line was refused.")
		case l.Class() == letter.Telling, l.Kind == letter.GameOrder &&
			trial.CastsBallot(j.turn.Game, l.Order), answersConsent(l), l.Is(letter.Preview):
			j.report(l.Text, match.OutcomeNotReached, "If you mean it, send it again without what was not understood.")
		default:
			rows = append(rows, row)
			if why := trial.Sentences(means, l.Unsure); why != "" {
				j.report(l.Text, match.OutcomeAsked, why)
			}
		}
	}
	if len(rows) > 0 && refused == "" {
		propose(j, rows)
	}
	j.reply.disposition = exchange.Refused
	return nil
}

func propose(j *letterRun, rows []string) {
	seat := &j.turn.Match.Seats[j.play.Seat]
	seat.Timing.Proposal = &match.Proposal{Orders: compose.Enclosed(rows), Number: seat.Letters + 1,
		Decisions: match.IDs(j.turn.OpenDecisions(j.play.Seat))}
	j.answer.Ask = &templates.Ask{Question: compose.MeansOrder(len(rows)), Orders: rows,
		Taps: []string{string(letter.Yes), string(letter.No)}}
}

// maxMisspeltNames is the number of misspelt names that are checked.
const maxMisspeltNames = 4

// whyRefused explains why a line is no order. It suggests an order only if that order is legal.
func whyRefused(j *letterRun, l letter.Line) string {
	if l.Why == letter.NotUnderstood {
		l.Why = ""
	}
	if len(j.turn.Lines[j.play.Seat]) > maxListed {
		return l.Why // A long letter must not cost more than its answer shows.
	}
	if w := letter.Addressed(l.Text); w != "" && j.a.Club != nil {
		return fmt.Sprintf("%s is an order to the club, not to a match. Write it in answer to a letter of the club, "+
			"or in a letter to %s.", w, j.a.Post.Referee())
	}
	if game := otherGame(j, l.Text); game != "" {
		return fmt.Sprintf("That is an order of %s. Your letter went to match %s, of %s: "+
			"reply to a letter of the match that you mean.", game, j.turn.Match.ID, j.turn.Match.Game)
	}
	if l.Why == "" && strings.HasSuffix(strings.TrimSpace(l.Text), "?") {
		return "To look something up, write RULES and a topic, or CARD and a number. ASK and a question goes to the operator."
	}
	if len(l.Near) == 0 || letter.Begins(l.Text, letter.Card) || j.turn.Match.State != match.Playing ||
		len(j.turn.OpenDecisions(j.play.Seat)) == 0 {
		return l.Why
	}
	var rows []string
	for _, near := range l.Near[:min(len(l.Near), maxMisspeltNames)] {
		if row := j.trial.Harmless(near); row != "" && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return l.Plainly
	}
	j.reply.hinted = true
	return trial.Sentences(l.Plainly, askWhich(j, rows))
}

// otherGame returns the other game of the referee to which an order belongs; empty for none. Only the first
// answered line is checked.
func otherGame(j *letterRun, text string) string {
	if len(j.turn.Lines[j.play.Seat]) > 0 {
		return ""
	}
	for _, g := range j.a.Games {
		if g.Name() == j.turn.Match.Game {
			continue
		}
		if o, err := j.a.readers[g.Name()]().Orders.Plain(text); err == nil && slices.Contains(letter.Verbs(g), o.Clauses[0].Word) {
			return g.Name()
		}
	}
	return ""
}

// maxChoices is the number of orders in the answer to an ambiguous line.
const maxChoices = 3

// askWhich asks which of several orders the writer means, and names what each would lose.
func askWhich(j *letterRun, rows []string) (losses string) {
	j.answer.Ask = &templates.Ask{Question: "Not done yet. Which of these orders do you mean?"}
	if len(rows) == 1 {
		j.answer.Ask.Question = compose.MeansOrder(1)
	}
	for _, r := range rows[:min(len(rows), maxChoices)] {
		row, loses := j.trial.Legal(r)
		if row == "" {
			row = r
		}
		if j.answer.Ask.Taps = append(j.answer.Ask.Taps, row); loses != "" {
			losses = trial.Sentences(losses, "Of "+row+": "+loses)
		}
	}
	return losses
}

// explainRefusal adds the rule against the order that an unreadable letter seems to say.
func explainRefusal(j *letterRun) error {
	own := j.turn.Lines[j.play.Seat]
	nothing := !slices.ContainsFunc(own, func(l match.LineReport) bool {
		return l.Outcome != match.OutcomeIgnored && l.Outcome != match.OutcomeUnread && l.Outcome != match.OutcomeRefused &&
			l.Outcome != match.OutcomeNotReached
	})
	if !nothing || !j.answer.Misread || j.reply.hinted {
		return nil
	}
	// The rule helps the writer more than other orders would.
	var lines []string
	for _, l := range own {
		if l.Line != "" && l.Outcome != match.OutcomeNotReached {
			lines = append(lines, l.Line)
		}
	}
	text, err := j.trial.Almost(lines)
	if text != "" {
		j.turn.ReportLine(j.play.Seat, "", match.OutcomeIgnored, text)
	}
	return err
}
