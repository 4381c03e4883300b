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

// letterRun carries out one letter, or one due event, on a match as it was read, and gathers the change to be stored.
type letterRun struct {
	// play carries out orders and changes turn, which the letters describe. answer holds the other parts of the answer to the
	// letter, reply its other effects.
	a      *Adjudicator
	turn   *match.Turn
	play   *match.Play
	answer compose.Reply
	reply  reply
	letter exchange.Letter
	reader *letter.Reader
	// hasBallot: a line of the letter is a ballot.
	hasBallot bool
	// history is the history that the writer may know; nil until the letter asks for it.
	history *compose.History
	// answeredQuestions are the questions of the letter that were answered, so that none is answered twice.
	answeredQuestions map[string]bool
	// before is the state before the letter; nil if the letter is always answered. answerCounted: the answer was counted against
	// the writer's limit.
	before        *lasting
	answerCounted bool
	// answered is the letter of ours that is answered. trial tries the orders.
	answered exchange.Sent
	trial    *trial.Writer
}

func (a *Adjudicator) newRun(ctx context.Context, m *match.Match, seat rules.Seat, l exchange.Letter) (*letterRun, error) {
	if m.DivergedBuild != "" && m.DivergedBuild == a.Build {
		return nil, differs(a, m, -1, nil)
	}
	g, err := a.game(m.Game)
	if err != nil {
		return nil, err
	}
	reader := a.readers[m.Game]()
	turn := &match.Turn{Match: m, Now: a.Now().UTC(), TakebackBefore: m.Takeback, RequestsBefore: slices.Clone(m.Acts.Requests), Game: g,
		Lines: map[rules.Seat][]match.LineReport{}}
	j := &letterRun{a: a, letter: l, reader: reader,
		turn: turn,
		play: match.NewPlay(turn, seat, match.Environment{Conditional: reader.Conditional, Random: a.Random, Beacon: a.Chain,
			Invitations: invitationsLast(a, m),
			History:     func(ctx context.Context) ([]record.Entry, error) { return a.Store.History(ctx, m.ID) }}),
		reply: reply{disposition: exchange.Done},
		answer: compose.Reply{Writer: seat, AtTable: a.AtTable, Problems: slices.Clone(l.Problems), Shared: l.Shared,
			Unlisted: map[match.Outcome]int{}, Mail: map[rules.Seat][]rules.Section{}, Notices: map[rules.Seat][]string{}}}
	j.trial = &trial.Writer{Play: j.play, Reader: reader}
	if err := j.loadAnswered(ctx); err != nil {
		return nil, err
	}
	if m.Position != nil {
		if err := rebuildMatch(ctx, a, g, m); err != nil {
			return nil, err
		}
		if j.turn.After, err = a.recent.Position(g, m); err != nil {
			return nil, err
		}
		j.turn.Before = j.turn.After
		if err := j.play.ReadKey(); err != nil {
			return nil, err
		}
	}
	return j, nil
}

func (j *letterRun) loadAnswered(ctx context.Context) (err error) {
	if j.letter.Token == nil || j.play.Seat == rules.NoSeat {
		return nil
	}
	j.answered, _, err = j.a.Store.Sent(ctx, j.turn.Match.ID, j.play.Seat, j.letter.Token.Number)
	j.trial.Number, j.trial.Asks = j.letter.Token.Number, j.answered.Decisions
	return err
}

// readOrders reads and carries out the letter. Problems of the letter as a whole come first.
func readOrders(ctx context.Context, j *letterRun) error {
	if err := dropCopied(ctx, j); err != nil {
		return err
	}
	if why := whyUnread(j); why != "" {
		j.report("", match.OutcomeRefused, why)
		return nil
	}
	lines, err := readLetter(j)
	if err != nil {
		return err
	}
	if lines, err = confirmLines(ctx, j, lines); err != nil {
		return err
	}
	if j.before != nil && !j.letter.Shared && changesNothing(lines) && j.tooMany(ctx, "") {
		return nil
	}
	j.hasBallot = slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.GameOrder && trial.CastsBallot(j.turn.Game, l.Order) })
	if j.mayHoldBallot() {
		j.letter.Digest = ballotReceipt(j.a, j.letter.Digest)
	}
	if j.turn.Match.State == match.Playing && !j.turn.After.Stalled() {
		j.trial.RefuseRivals(lines)
	}
	if doubts := letter.Doubts(lines); len(doubts) > 0 && j.turn.Match.State == match.Playing && !misread(lines) && !onlyPreviews(lines) {
		return askBack(ctx, j, lines)
	}
	rest, led, err := doSettings(ctx, j, lines)
	switch {
	case err != nil, len(rest) == 0 && len(lines) > 0:
		return err
	case j.turn.Match.State == match.Inviting:
		return joinMatch(ctx, j, rest)
	}
	return doOrders(ctx, j, rest, led)
}

func whyUnread(j *letterRun) string {
	other := otherMatch(j)
	end, timed := j.turn.LetterDeadline(j.play.Seat)
	switch {
	case timed && !j.arrival().Before(end):
		return lateText(j, end) + " So nothing in it was carried out."
	case j.turn.Match.State == match.CalledOff:
		return "Nothing in your letter was carried out."
	case j.letter.TooLong() || len(order.Split(j.letter.Orders)) > maxLines:
		return "Your letter was too long, and nothing in it was carried out. Orders are a few lines; please " +
			"send them without attachments and without the letters quoted below."
	case strings.TrimSpace(j.letter.Orders) == "":
		return "There were no orders in your letter. Write them above the line that says Samizdat reads nothing below it."
	case other != "":
		return fmt.Sprintf("Nothing in your letter was carried out. It went to the address of match %s, but its subject names "+
			"match %s. Please reply to a letter of the match that you mean, and leave the subject as it is.", j.turn.Match.ID, other)
	}
	return ""
}

func readLetter(j *letterRun) ([]letter.Line, error) {
	consents := false
	if j.turn.Match.State == match.Playing {
		asked, _ := consentQuestions(j, j.letter.Token.Number)
		consents = len(asked) > 0
	}
	return readLines(j, consents)
}

// readLines reads the lines. Consents: YES and NO answer a question of our letter, and not of the game.
func readLines(j *letterRun, consents bool) ([]letter.Line, error) {
	l := letter.Letter{Text: j.letter.Orders, Seat: j.play.Seat, Seats: j.turn.Match.SeatNames(), Called: j.turn.Match.PlayerNames(),
		From: j.letter.Name, Beneath: j.letter.Beneath, Consents: consents}
	if j.turn.Match.State == match.Inviting {
		return j.reader.Invited(l), nil
	}
	l.Asked = func() (letter.Asked, error) { return j.trial.Question(), nil }
	l.Try = func() (func(rules.Order) *order.Trial, error) { return j.trial.Trials(), nil }
	l.Question = j.trial.FullQuestion
	return j.reader.Read(l)
}

// doSettings carries out the orders that change only the writer's own settings, and returns the other lines. If one was refused,
// led is lineRefused, and no other line is carried out.
func doSettings(ctx context.Context, j *letterRun, lines []letter.Line) (rest []letter.Line, led lineEffect, err error) {
	for _, l := range lines {
		switch {
		case l.Class() != letter.Setting:
			rest = append(rest, l)
		case l.Kind == letter.Unreadable:
			led = lineRefused
			j.report(l.Text, match.OutcomeRefused, l.Why)
		default:
			effect, err := j.command(ctx, l)
			if err != nil {
				return nil, led, err
			}
			led = max(led, effect)
		}
	}
	return rest, led, nil
}
