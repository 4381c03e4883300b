package table

import (
	"context"
	"errors"
	"slices"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// State is the state of a match for the person to move, shown by web pages in place of a terminal.
type State struct {
	Game   *rules.Game
	Setup  rules.Setup
	Seat   rules.Seat
	Letter int64
	// View is the JSON of the seat's view (View.MarshalJSON).
	View []byte
	// Orders is the results of the orders of the last letter, Told the events since then.
	Orders, Told string
	// End is the result of a finished match, otherwise empty.
	End string
}

// PlayRobots lets the robots answer until a person is to move or the match is over.
func (m *Match) PlayRobots(ctx context.Context) (State, error) {
	for {
		asked, pos, err := m.openDecisions()
		if err != nil {
			return State{}, err
		}
		if len(asked) > 0 && m.robots[asked[0].Seat] != nil {
			if err := m.moveRobot(ctx, pos, asked[0]); err != nil {
				return State{}, err
			}
			continue
		}
		seat := m.personSeat
		if len(asked) > 0 {
			seat = asked[0].Seat
		}
		stored := m.store.match
		s := State{Game: m.game, Setup: rules.Setup{Seats: len(stored.Seats), Options: stored.Options, Revision: stored.Revision},
			Seat: seat, Letter: stored.Seats[seat].Letters}
		if s.View, err = pos.View(seat).MarshalJSON(); err != nil {
			return State{}, err
		}
		s.Orders, s.Told = m.lastLetter(seat)
		if r, over := pos.Result(); over {
			s.End = "The match is over: " + match.JoinAnd(r.WinnersOf(m.game.SeatNames(s.Setup))) + " (" + r.Reason + "). " + r.Words
		}
		return s, nil
	}
}

// lastLetter returns the results and events in the unread letters of a seat.
func (m *Match) lastLetter(seat rules.Seat) (orders, happened string) {
	var done, told []letterPart
	for _, d := range m.store.unread[seat] {
		parts := letterParts(d.Body)
		done, told = append(done, onlyParts(parts, partOrders)...), append(told, onlyParts(parts, partHappened)...)
	}
	m.store.unread[seat] = nil
	return joinParts(done), joinParts(told)
}

// Answer hands in a letter of the person who is to move.
func (m *Match) Answer(ctx context.Context, text string) error {
	asked, _, err := m.openDecisions()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(asked, func(d rules.Decision) bool { return m.robots[d.Seat] == nil })
	if i < 0 {
		return errors.New("nobody at the table is to move")
	}
	if _, err := m.write(ctx, asked[i].Seat, text); err != nil {
		return err
	}
	return m.consentTakebacks(ctx)
}

// ResumeRecord continues the match of a record made by Record.
func ResumeRecord(ctx context.Context, games rules.Games, rec *record.Record, seed uint64) (*Match, error) {
	m, err := resume(games, rec, seed)
	if err != nil || m.Over() {
		return m, err
	}
	return m, m.writeStatusLetters(ctx)
}
