package adjudicator

import (
	"context"
	"strings"

	"samizdat/adjudicator/match"
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
func (a *Adjudicator) Standing(ctx context.Context, m *Match, seat rules.Seat) (s Standing, err error) {
	j, err := a.adjudication(ctx, m, seat, Letter{})
	if err != nil {
		return s, err
	}
	s = Standing{Match: m.ID, Seat: seat, Line: strings.TrimSpace(strings.TrimSuffix(subjectOf(j.turn, seat, enclosure{extent: whole}), "["+m.ID+"]"))}
	if j.turn.After == nil {
		s.Asked = !m.Seats[seat].Joined
		return s, nil
	}
	s.Asked, _ = j.turn.Asks(seat)
	if !m.Tempo.None() && m.State == Playing {
		s.Time = ownTime(j.turn, seat)
	}
	return s, nil
}

// Again writes to a seat how its match stands now, as Resend does. Why says why the letter
// comes. The match has to be stored with it: it counts the letter.
func (a *Adjudicator) Again(ctx context.Context, m *Match, seat rules.Seat, why string) (Dispatch, error) {
	j, err := a.adjudication(ctx, m, seat, Letter{Sender: Sender{From: m.Seats[seat].Player.Address}})
	if err != nil {
		return Dispatch{}, err
	}
	j.reply.whole = rules.Only(seat)
	j.turn.Tell(seat, "", match.OutcomeDone, why)
	return j.letterTo(seat, rules.Nobody)
}
