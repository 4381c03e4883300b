package adjudicator

import (
	"context"
	"strings"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// Standing is a short status of a match for a seat.
type Standing struct {
	Match string
	Seat  rules.Seat
	// Line names the match, the state of play and what the seat has to do. Time is the time left; empty without a
	// clock.
	Line, Time string
	// Asked: the seat is to move.
	Asked bool
}

// Standing returns the status of a match from a seat's view.
func (a *Adjudicator) Standing(ctx context.Context, m *match.Match, seat rules.Seat) (s Standing, err error) {
	j, err := a.newRun(ctx, m, seat, exchange.Letter{})
	if err != nil {
		return s, err
	}
	s = Standing{Match: m.ID, Seat: seat, Line: strings.TrimSpace(strings.TrimSuffix(compose.SubjectFor(j.turn, seat,
		compose.Options{Extent: compose.Whole}), "["+m.ID+"]"))}
	if j.turn.After == nil {
		s.Asked = !m.Seats[seat].Joined
		return s, nil
	}
	s.Asked, _ = j.turn.AskStatus(seat)
	if !m.Tempo.IsUntimed() && m.State == match.Playing {
		s.Time = compose.OwnTime(j.turn, seat)
	}
	return s, nil
}

// Again writes the current state of a match to a seat, like Resend. Why is the reason. The caller stores the
// match, which counts the letter.
func (a *Adjudicator) Again(ctx context.Context, m *match.Match, seat rules.Seat, why string) (exchange.Dispatch, error) {
	j, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: m.Seats[seat].Player.Address}})
	if err != nil {
		return exchange.Dispatch{}, err
	}
	j.answer.Whole = rules.Only(seat)
	j.turn.ReportLine(seat, "", match.OutcomeDone, why)
	return letterTo(j, seat, rules.NoSeat)
}

// Club handles the letters of a club. It uses the methods of this file.
type Club interface {
	// Receive handles a letter without a valid token of a seat, and reports whether it belongs to the club. It
	// stores the effect in one transaction, and may be called again with the same letter.
	Receive(ctx context.Context, l exchange.Letter) (d exchange.Disposition, done bool, err error)
	// Newcomer handles a letter of an unknown sender that contains no order, e.g. "Hello, I would like to
	// join".
	Newcomer(ctx context.Context, l exchange.Letter) (exchange.Disposition, error)
	// Key returns the key of a member's tokens, and the address; nil for an unknown number.
	Key(ctx context.Context, member int64) (key []byte, address string, err error)
}

func (a *Adjudicator) toClub(ctx context.Context, l exchange.Letter) (exchange.Disposition, bool, error) {
	if a.Club == nil {
		return "", false, nil
	}
	return a.Club.Receive(ctx, l)
}

func (a *Adjudicator) knowsMember(ctx context.Context, t exchange.Token, genuine func(key []byte) bool, address string) (bool, error) {
	if a.Club == nil || t.Member == 0 {
		return false, nil
	}
	key, is, err := a.Club.Key(ctx, t.Member)
	return err == nil && key != nil && contact.Same(is, address) && genuine(key), err
}

// Vacations lists a player's planned vacations, and the days left.
func (a *Adjudicator) Vacations(p *match.Player) string {
	return strings.TrimSpace(compose.PlannedVacations(p, a.Now()) + compose.VacationBudget(p, a.Now(), a.VacationDays))
}
