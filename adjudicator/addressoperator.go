package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"samizdat/rules"
)

// MoveSeat begins to send a seat's letters elsewhere, for a player who has lost his
// mailbox. The old address is told, and may object until the time that is returned. It
// takes the place of whatever change was asked for.
func (a *Adjudicator) MoveSeat(ctx context.Context, match string, seat rules.Seat, to string) (due time.Time, err error) {
	err = a.retryOnConflict(ctx, "match "+match, func() (err error) { due, err = a.moveSeat(ctx, match, seat, to); return err })
	if err != nil {
		return due, fmt.Errorf("match %s: %w", match, err)
	}
	return due, nil
}

func (a *Adjudicator) moveSeat(ctx context.Context, match string, seat rules.Seat, to string) (due time.Time, err error) {
	m, who, err := a.matchAndSeat(ctx, match, seat)
	if err != nil {
		return due, err
	}
	before := who.Addresses.open(a.Now())
	r, err := a.askForPlayer(who, strings.TrimSpace(to))
	if err != nil {
		return due, err
	}
	later := *r
	later.Due = r.At.Add(addressNotice)
	who.Addresses.Request = &later
	// The notice is no letter of the match, but can be answered like one.
	c := Change{Match: m}
	for i, to := range who.owners(&later) {
		d := a.addressNote(m, seat, to, "Letters are to go elsewhere", operatorAskedText(a.Post.Mark(), m.ID, &later, before != nil),
			a.Post.ReplyTo(who.Key, m.ID, seat, noLetter), i)
		d.MessageID = a.noticeID(m.ID, seat, &later, to)
		if d.Raw, err = a.Post.Render(d); err != nil {
			return due, err
		}
		c.Letters = append(c.Letters, d)
	}
	if before != nil && before.Yes && !who.registered(before.To) && !sameAddress(before.To, later.To) {
		// It was told when letters would come.
		d := a.addressNote(m, seat, before.To, keptTitle, keptText(a.Post.Mark(), m.ID), "", len(c.Letters))
		if d.Raw, err = a.Post.Render(d); err != nil {
			return due, err
		}
		c.Letters = append(c.Letters, d)
	}
	return later.Due, a.Store.Apply(ctx, c)
}

// ErrNotAsked means that there is no change of address to end.
var ErrNotAsked = errors.New("no change of address is asked for")

// KeepSeat ends the change of address that is asked for a seat, for a player who cannot
// object himself. As when he does in reply to the notice, his older letters can no longer
// be answered.
func (a *Adjudicator) KeepSeat(ctx context.Context, match string, seat rules.Seat) error {
	err := a.retryOnConflict(ctx, "match "+match, func() error { return a.keepSeat(ctx, match, seat) })
	if err != nil {
		return fmt.Errorf("match %s: %w", match, err)
	}
	return nil
}

func (a *Adjudicator) keepSeat(ctx context.Context, match string, seat rules.Seat) error {
	m, who, err := a.matchAndSeat(ctx, match, seat)
	if err != nil {
		return err
	}
	if who.Addresses.open(a.Now()) == nil {
		return ErrNotAsked
	}
	s, err := a.session(ctx, m, seat, Letter{From: who.Address})
	if err != nil {
		return err
	}
	if err := a.renew(who); err != nil {
		return err
	}
	s.keepAddress(ctx, "", " The operator has ended it. The address that you answer to has changed: older letters can no longer be answered.")
	return s.apply(ctx, rules.Nobody)
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
