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

// Standing says in few words how a match stands for a seat.
type Standing struct {
	Match string
	Seat  rules.Seat
	// Line says what is wanted of the seat, of which match and where that stands; Time how much
	// time there is, empty where no clock runs.
	Line, Time string
	// Asked means that the seat is asked something.
	Asked bool
}

// Standing says how a match stands for a seat of it, out of that seat's view.
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

// Again writes to a seat how its match stands now, as Resend does. Why says why the letter
// comes. The match has to be stored with it: it counts the letter.
func (a *Adjudicator) Again(ctx context.Context, m *match.Match, seat rules.Seat, why string) (exchange.Dispatch, error) {
	j, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: m.Seats[seat].Player.Address}})
	if err != nil {
		return exchange.Dispatch{}, err
	}
	j.answer.Whole = rules.Only(seat)
	j.turn.ReportLine(seat, "", match.OutcomeDone, why)
	return letterTo(j, seat, rules.NoSeat)
}

// Club takes the letters of a club whose members play here. What it needs of the adjudicator
// are the methods of this file.
type Club interface {
	// Receive takes a letter that no seat's player has proved to have written, and reports
	// whether it is one to the club. It stores what the letter leads to in one transaction,
	// and may be asked again with the same letter.
	Receive(ctx context.Context, l exchange.Letter) (d exchange.Disposition, done bool, err error)
	// Newcomer takes a letter of somebody who is nobody here and has said nothing that is understood,
	// such as "Hello, I would like to join".
	Newcomer(ctx context.Context, l exchange.Letter) (exchange.Disposition, error)
	// Key is the key of the tokens in letters to a member, and his address; nil where there is
	// none of that number.
	Key(ctx context.Context, member int64) (key []byte, address string, err error)
}

// toClub takes the letters to the club, where there is one.
func (a *Adjudicator) toClub(ctx context.Context, l exchange.Letter) (exchange.Disposition, bool, error) {
	if a.Club == nil {
		return "", false, nil
	}
	return a.Club.Receive(ctx, l)
}

// knowsMember reports whether a token is genuine, of a member at an address.
func (a *Adjudicator) knowsMember(ctx context.Context, t exchange.Token, genuine func(key []byte) bool, address string) (bool, error) {
	if a.Club == nil || t.Member == 0 {
		return false, nil
	}
	key, is, err := a.Club.Key(ctx, t.Member)
	return err == nil && key != nil && contact.Same(is, address) && genuine(key), err
}

// Vacations says which vacations of a player are planned, and how many days he has left.
func (a *Adjudicator) Vacations(p *match.Player) string {
	return strings.TrimSpace(compose.PlannedVacations(p, a.Now()) + compose.VacationBudget(p, a.Now(), a.VacationDays))
}
