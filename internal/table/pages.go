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
	Game         *rules.Game
	Setup        rules.Setup
	Seat         rules.Seat
	LetterNumber int64
	// View is the JSON of the seat's view (View.MarshalJSON).
	View []byte
	// Orders are the results of orders, and Events the events, in the letters that were not shown before.
	Orders, Events string
	// End is the result of a finished match, otherwise empty.
	End string
}

// PlayRobots lets the robots answer until a person is to move or the match is over, and returns the state.
func (m *Match) PlayRobots(ctx context.Context) (State, error) {
	for {
		decisions, pos, err := m.openDecisions()
		if err != nil {
			return State{}, err
		}
		if len(decisions) > 0 && m.robots[decisions[0].Seat] != nil {
			if err := m.playRobot(ctx, pos, decisions[0]); err != nil {
				return State{}, err
			}
			continue
		}
		seat := m.personSeat
		if len(decisions) > 0 {
			seat = decisions[0].Seat
		}
		stored := m.store.match
		s := State{Game: m.game, Setup: rules.Setup{Seats: len(stored.Seats), Options: stored.Options, Revision: stored.Revision},
			Seat: seat, LetterNumber: stored.Seats[seat].LastLetter}
		if s.View, err = pos.View(seat).MarshalJSON(); err != nil {
			return State{}, err
		}
		s.Orders, s.Events = m.takeUnread(seat)
		if r, isOver := pos.Result(); isOver {
			s.End = "The match is over: " + match.JoinAnd(r.WinnersOf(m.game.SeatNames(s.Setup))) + " (" + r.Reason + "). " + r.Words
		}
		return s, nil
	}
}

// takeUnread returns the results and events in the unread letters of a seat, and marks these letters as read.
func (m *Match) takeUnread(seat rules.Seat) (orders, events string) {
	var orderParts, eventParts []letterPart
	for _, d := range m.store.unreadLetters[seat] {
		parts := splitLetter(d.Body)
		orderParts, eventParts = append(orderParts, onlyParts(parts, partOrders)...), append(eventParts, onlyParts(parts, partEvents)...)
	}
	m.store.unreadLetters[seat] = nil
	return joinParts(orderParts), joinParts(eventParts)
}

// Answer processes a letter of the person to move.
func (m *Match) Answer(ctx context.Context, text string) error {
	decisions, _, err := m.openDecisions()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(decisions, func(d rules.Decision) bool { return m.robots[d.Seat] == nil })
	if i < 0 {
		return errors.New("no person is to move")
	}
	if _, err := m.writeLetter(ctx, decisions[i].Seat, text); err != nil {
		return err
	}
	return m.acceptTakebacks(ctx)
}

// ResumeRecord continues the match of a record made by Record.
func ResumeRecord(ctx context.Context, games rules.Games, rec *record.Record, seed uint64) (*Match, error) {
	m, err := newResumedMatch(games, rec, seed)
	if err != nil || m.IsOver() {
		return m, err
	}
	return m, m.writeStatusLetters(ctx)
}
