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
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/adjudicator/trial"
	"samizdat/rules"
)

// letterRun carries out one letter or one due task in a match, and gathers the change to be stored.
type letterRun struct {
	// turn is the change of the match, which the letters describe. execution carries out orders and updates turn. answer holds the parts of
	// letters that are not in turn, e.g. the answer to a question of the writer. effects are the changes outside the match.
	adjudicator *Adjudicator
	turn        *match.Turn
	execution   *match.Execution
	answer      compose.Reply
	effects     runEffects
	letter      exchange.Letter
	reader      *letter.Reader
	// hasBallot is set if an order of the letter casts a ballot.
	hasBallot bool
	// history is the history that the writer may know; nil until it is loaded.
	history *compose.History
	// answeredQueries has the Command.QueryKey of each query of the letter that was answered. Queries with the same key are answered once.
	answeredQueries map[string]bool
	// before is the state of the match before the letter, for dropAnswerOverLimit; nil if answers to the letter are not limited.
	// isAnswerCounted is set after exceedsAnswerLimit has counted the answer to the letter.
	before          *savedState
	isAnswerCounted bool
	// answeredLetter is our letter to which the player replies. isAnsweredLetterKnown is false if we sent no letter with its number.
	// tester tries orders without carrying them out.
	answeredLetter        exchange.SentLetter
	isAnsweredLetterKnown bool
	tester                *trial.Tester
}

// newRun starts the run of a letter from a seat, or of a due task if seat is NoSeat. It rebuilds the position if another build stored it.
func (a *Adjudicator) newRun(ctx context.Context, m *match.Match, seat rules.Seat, incoming exchange.Letter) (*letterRun, error) {
	if m.DivergedBuild != "" && m.DivergedBuild == a.Build {
		return nil, newDivergenceError(a, m, -1, nil)
	}
	g, err := findGame(a.Games, m.Game)
	if err != nil {
		return nil, err
	}
	reader := a.readers[m.Game]()
	turn := &match.Turn{Match: m, Now: a.Now().UTC(), TakebackBefore: m.Takeback, RequestsBefore: slices.Clone(m.Requests), Game: g,
		LineReports: map[rules.Seat][]match.LineReport{}}
	run := &letterRun{adjudicator: a, letter: incoming, reader: reader,
		turn: turn,
		execution: match.NewExecution(turn, seat, match.Environment{Conditional: reader.Conditional, Random: a.Random, BeaconChain: a.BeaconChain,
			InvitationPeriod: invitationPeriod(a, m),
			History:          func(ctx context.Context) ([]record.Entry, error) { return a.Store.History(ctx, m.ID) }}),
		effects: runEffects{disposition: exchange.DispositionDone},
		answer: compose.Reply{Writer: seat, AnswersLetter: incoming.Digest != "", AtTable: a.AtTable, Problems: slices.Clone(incoming.Problems),
			HasOtherRecipients: incoming.HasOtherRecipients,
			Unlisted:           map[match.LineOutcome]int{}, Messages: map[rules.Seat][]rules.Section{}, Notices: map[rules.Seat][]string{}}}
	run.tester = &trial.Tester{Execution: run.execution, Reader: reader}
	if err := run.loadAnsweredLetter(ctx); err != nil {
		return nil, err
	}
	if m.Position != nil {
		if err := rebuildMatch(ctx, a, g, m); err != nil {
			return nil, err
		}
		if run.turn.After, err = a.recent.Position(g, m); err != nil {
			return nil, err
		}
		run.turn.Before = run.turn.After
		if err := run.execution.ComputeKey(); err != nil {
			return nil, err
		}
	}
	return run, nil
}

func (run *letterRun) loadAnsweredLetter(ctx context.Context) (err error) {
	if run.letter.Token == nil || run.execution.Seat == rules.NoSeat {
		return nil
	}
	run.answeredLetter, run.isAnsweredLetterKnown, err = run.adjudicator.Store.Sent(ctx, run.turn.Match.ID, run.execution.Seat,
		run.letter.Token.Number)
	run.tester.LetterNumber, run.tester.AskedDecisions = run.letter.Token.Number, run.answeredLetter.Decisions
	return err
}

func processOrders(ctx context.Context, run *letterRun) error {
	if err := dropCopiedLines(ctx, run); err != nil {
		return err
	}
	if reason := explainUnreadLetter(run); reason != "" {
		run.report("", match.OutcomeRefused, reason)
		return nil
	}
	lines, err := readLetter(run)
	if err != nil {
		return err
	}
	if lines, err = replaceConsentAnswers(ctx, run, lines); err != nil {
		return err
	}
	if run.before != nil && !run.letter.HasOtherRecipients && changesNothing(lines) && run.exceedsAnswerLimit(ctx, "") {
		return nil
	}
	run.hasBallot = slices.ContainsFunc(lines, func(line letter.Line) bool {
		return line.Kind == letter.KindGameOrder && trial.CastsBallot(run.turn.Game, line.Order)
	})
	if run.mayContainBallot() {
		run.letter.Digest = ballotReceiptDigest(run.adjudicator, run.letter.Digest)
	}
	if run.turn.Match.State == match.Playing && !run.turn.After.Stalled() {
		lines = trial.JoinParts(run.tester, lines)
		run.tester.RefuseCompetingLines(lines)
	}
	if doubts := letter.Doubts(lines); len(doubts) > 0 && run.turn.Match.State == match.Playing && !hasUnreadableLine(lines) &&
		!isPreviewOnly(lines) {
		return proposeOrders(ctx, run, lines)
	}
	rest, effect, err := carryOutSettings(ctx, run, lines)
	switch {
	case err != nil, len(rest) == 0 && len(lines) > 0:
		return err
	case run.turn.Match.State == match.Inviting:
		return handleInvitedLetter(ctx, run, rest)
	}
	return carryOutOrders(ctx, run, rest, effect)
}

func explainUnreadLetter(run *letterRun) string {
	other := findOtherMatch(run)
	deadline, isTimed := run.turn.LetterDeadline(run.execution.Seat)
	switch {
	case isTimed && !run.arrivalTime().Before(deadline):
		return lateArrivalText(run, deadline) + " So your letter was not carried out."
	case run.turn.Match.State == match.CalledOff:
		return "Nothing was done, because the match has been called off."
	case run.letter.IsTooLong() || len(order.Split(run.letter.Text)) > maxLines:
		return "Your letter was too long, so it was not carried out. Please send your orders in a few lines, without " +
			"attachments and without quoting older letters."
	case strings.TrimSpace(run.letter.Text) == "":
		return "There were no orders in your letter. Write them above the line that says \"Write above this line\", without > before them: " +
			"lines that begin with > are a quotation, which we do not read."
	case other != "":
		return fmt.Sprintf("Your letter was not carried out. It went to the address of match %s, but its subject names match "+
			"%s. Please reply to a letter of the match that you mean, and do not change the subject.", run.turn.Match.ID, other)
	}
	return ""
}

func readLetter(run *letterRun) ([]letter.Line, error) {
	isConsentAsked := false
	if run.turn.Match.State == match.Playing {
		questions, _ := findConsentQuestions(run, run.letter.Token.Number)
		isConsentAsked = len(questions) > 0
	}
	return readLines(run, isConsentAsked)
}

// readLines reads the lines. isConsentAsked is set if YES and NO answer a consent question of our letter, and not a question of the game.
func readLines(run *letterRun, isConsentAsked bool) ([]letter.Line, error) {
	l := letter.Letter{Text: run.letter.Text, Seat: run.execution.Seat, Seats: run.turn.Match.SeatNames(),
		PlayerNames: run.turn.Match.PlayerNames(),
		WriterName:  run.letter.Name, PossibleQuoteEnds: run.letter.PossibleQuoteEnds, IsConsentAsked: isConsentAsked}
	if run.turn.Match.State == match.Inviting {
		return run.reader.ReadInvited(l), nil
	}
	l.LoadAnsweredQuestion = func() (letter.AnsweredQuestion, error) { return run.tester.Question(), nil }
	l.Trials = func() (func(rules.Order) *order.Trial, error) { return run.tester.TrialFunc(), nil }
	l.LoadFullQuestion = run.tester.FullQuestion
	return run.reader.Read(l)
}

// carryOutSettings carries out the orders that change only the writer's own settings, and returns the other lines. The effect is
// lineRefused if a setting was refused; then none of the other lines may be carried out.
func carryOutSettings(ctx context.Context, run *letterRun, lines []letter.Line) (rest []letter.Line, effect lineEffect, err error) {
	for _, line := range lines {
		switch {
		case line.Class() != letter.ClassSetting:
			rest = append(rest, line)
		case line.Kind == letter.KindUnreadable:
			effect = lineRefused
			run.report(line.Text, match.OutcomeRefused, line.Why)
		default:
			ownEffect, err := run.carryOutCommand(ctx, line)
			if err != nil {
				return nil, effect, err
			}
			effect = max(effect, ownEffect)
		}
	}
	return rest, effect, nil
}
