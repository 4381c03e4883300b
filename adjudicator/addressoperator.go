package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/contact"
	"samizdat/rules"
)

// MoveSeat begins to send the letters of a seat's player elsewhere, when he has lost his
// mailbox. The old address is told, and may object until the time that is returned. It
// takes the place of whatever change was asked for.
func (a *Adjudicator) MoveSeat(ctx context.Context, match string, seat rules.Seat, to string) (due time.Time, err error) {
	err = a.inMatch(ctx, match, func() (err error) { due, err = a.moveSeat(ctx, match, seat, to); return err })
	return due, err
}

func (a *Adjudicator) moveSeat(ctx context.Context, match string, seat rules.Seat, to string) (due time.Time, err error) {
	m, who, err := a.matchAndSeat(ctx, match, seat)
	if err != nil {
		return due, err
	}
	if to, err = contact.Parse(strings.TrimSpace(to), a.Post.Referee()); err != nil {
		return due, err
	}
	next, notices, err := contact.Step(who.Player.Contact, contact.Override{To: to, Through: contact.Through{Match: m.ID, Seat: seat}}, a.Now())
	if err != nil {
		return due, err
	}
	who.Player.Contact = next
	letters, err := a.addressLetters(ctx, m, seat, notices)
	if err != nil {
		return due, err
	}
	// The notice bears a token of the seat, which must not have changed.
	return next.Request.Due, a.Store.Apply(ctx, Change{Match: m, Player: who.Player, Letters: letters})
}

// KeepSeat ends the change of address that is asked for a seat, for a player who cannot
// object himself. As when he does in reply to the notice, his older letters can no longer
// be answered. When none is asked for it gives contact.ErrNothing.
func (a *Adjudicator) KeepSeat(ctx context.Context, match string, seat rules.Seat) error {
	return a.inMatch(ctx, match, func() error { return a.keepSeat(ctx, match, seat) })
}

func (a *Adjudicator) keepSeat(ctx context.Context, match string, seat rules.Seat) error {
	m, who, err := a.matchAndSeat(ctx, match, seat)
	if err != nil {
		return err
	}
	r := who.Player.Open(a.Now())
	if r == nil {
		return contact.ErrNothing
	}
	if r.Through != (contact.Through{Match: match, Seat: seat}) {
		// It was asked for with a letter of that match, and those are to count no more.
		return a.keepSeat(ctx, r.Match, r.Seat)
	}
	j, err := a.adjudication(ctx, m, seat, Letter{From: who.Player.Address})
	if err != nil {
		return err
	}
	if err := a.renew(who); err != nil {
		return err
	}
	o, err := j.keepAddress(ctx, " The operator has ended it. The address that you answer to has changed: older letters can no longer be answered.")
	if err != nil {
		return err
	}
	j.reportOutcome("", o)
	return j.apply(ctx, rules.Nobody)
}

func (a *Adjudicator) matchAndSeat(ctx context.Context, match string, seat rules.Seat) (*Match, *Seat, error) {
	m, err := a.Store.Match(ctx, match)
	if err != nil {
		return nil, nil, err
	}
	if seat < 0 || int(seat) >= len(m.Seats) {
		return nil, nil, fmt.Errorf("there is no seat %d", seat)
	}
	return m, &m.Seats[seat], nil
}
