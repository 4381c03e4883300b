package adjudicator

import (
	"context"

	"samizdat/rules"
)

// reinvite invites another player to a seat of a match that has not begun. What the one
// before has said is forgotten, and he is told; there is nothing yet for a history.
func (a *Adjudicator) reinvite(ctx context.Context, m *Match, seat rules.Seat, text string) error {
	name, address, err := newcomerOf(m, seat, text, a.Post.Referee())
	switch {
	case err != nil:
		return err
	case m.HasPlayer(address):
		return ErrPlays
	}
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	was := m.Seats[seat].Player
	letters, err := a.leaves(ctx, m, seat)
	if err != nil {
		return err
	}
	if err := j.seatPlayer(seat, address, name); err != nil {
		return err
	}
	m.Seats[seat].Joined, m.Seats[seat].Words, m.Seats[seat].Seal = false, "", ""
	if !m.Acts.Invited.Asked.IsZero() || m.AwaitsBeacon() {
		for i, told := 0, j.reopen(seat); i < len(m.Seats); i++ {
			if !told.Has(rules.Seat(i)) {
				continue
			}
			d, err := j.letterTo(rules.Seat(i), rules.Nobody)
			if err != nil {
				return err
			}
			letters = append(letters, d)
		}
	}
	d, err := a.invitation(ctx, j.turn.Game, m, seat)
	if err != nil {
		return err
	}
	gone, err := a.farewell(m, seat, was.Address)
	if err != nil {
		return err
	}
	return a.Store.Apply(ctx, Change{Match: m, Player: was, Letters: append(letters, d, gone), Replaced: []rules.Seat{seat}})
}
