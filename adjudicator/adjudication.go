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

// adjudication is one run: carrying out one letter, or one thing that is due, on a match as it was read. It gathers the change
// to be stored.
type adjudication struct {
	// turn is what there is to tell, play the match under way, whose turn it is as well; answer is what the letter is
	// answered with beside that, reply what else it leads to.
	a      *Adjudicator
	turn   *match.Turn
	play   *match.Play
	answer compose.Reply
	reply  reply
	letter exchange.Letter
	reader *letter.Reader
	// casts means that a line of the letter is a ballot.
	casts bool
	// past is the history that the writer has been told; nil before the letter asks for it.
	past *compose.History
	// inquired are the questions of the letter that were answered.
	inquired map[string]bool
	// was is what the letter can change, as it was before; nil where its answer is never left out. Counted means
	// that the answer was counted among those that one writer may get.
	was     *lasting
	counted bool
	// sent is the letter of ours that is answered, as it was; trial tries the orders that answer it.
	sent  exchange.Sent
	trial *trial.Writer
}

func (a *Adjudicator) adjudication(ctx context.Context, m *match.Match, seat rules.Seat, l exchange.Letter) (*adjudication, error) {
	if m.Stopped != "" && m.Stopped == a.Build {
		return nil, differs(a, m, -1, nil)
	}
	g, err := a.game(m.Game)
	if err != nil {
		return nil, err
	}
	reader := a.readers[m.Game]()
	turn := &match.Turn{Match: m, Now: a.Now().UTC(), TakebackBefore: m.Takeback, RequestsBefore: slices.Clone(m.Acts.Requests), Game: g,
		Lines: map[rules.Seat][]match.LineReport{}}
	j := &adjudication{a: a, letter: l, reader: reader,
		turn: turn,
		play: match.NewPlay(turn, seat, match.Means{Conditional: reader.Conditional, Random: a.Random, Beacon: a.Chain,
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

// loadAnswered reads from the store what the letter of ours asked that is answered.
func (j *adjudication) loadAnswered(ctx context.Context) (err error) {
	if j.letter.Token == nil || j.play.Seat == rules.NoSeat {
		return nil
	}
	j.sent, _, err = j.a.Store.Sent(ctx, j.turn.Match.ID, j.play.Seat, j.letter.Token.Number)
	j.trial.Number, j.trial.Asks = j.letter.Token.Number, j.sent.Decisions
	return err
}

// readOrders takes in the letter. Problems of the letter as a whole come first.
func readOrders(ctx context.Context, j *adjudication) error {
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
	if j.was != nil && !j.letter.Shared && asksAtMost(lines) && j.tooMany(ctx, "") {
		return nil
	}
	j.casts = slices.ContainsFunc(lines, func(l letter.Line) bool { return l.Kind == letter.GameOrder && j.trial.CastsBallot(l.Order) })
	if j.votes() {
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

// whyUnread says why nothing of a letter is read; it is empty where the letter is read.
func whyUnread(j *adjudication) string {
	other := otherMatch(j)
	end, timed := j.turn.LateAfter(j.play.Seat)
	switch {
	case timed && !j.arrival().Before(end):
		return lateText(j, end) + " So nothing in it was carried out."
	case j.turn.Match.State == match.CalledOff:
		return "Nothing in your letter was carried out."
	case j.letter.TooLong() || len(order.Split(j.letter.Orders)) > mostLines:
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

// readLetter reads every line, and carries out none.
func readLetter(j *adjudication) ([]letter.Line, error) {
	consents := false
	if j.turn.Match.State == match.Playing {
		asked, _ := consentQuestions(j, j.letter.Token.Number)
		consents = len(asked) > 0
	}
	return readLines(j, consents)
}

// readLines reads every line. Consents means that NO answers a question of ours, and none of the game.
func readLines(j *adjudication, consents bool) ([]letter.Line, error) {
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

// doSettings carries out the orders that change only the writer's own settings, and returns the other lines. Led says whether
// one was refused: then no other line is carried out.
func doSettings(ctx context.Context, j *adjudication, lines []letter.Line) (rest []letter.Line, led lineEffect, err error) {
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
