package adjudicator

import (
	"context"
	"strings"
	"time"

	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// MoveSeat begins to send the letters of a seat's player elsewhere, when he has lost his
// mailbox. The old address is told, and may object until the time that is returned. It
// takes the place of whatever change was asked for.
func (a *Adjudicator) MoveSeat(ctx context.Context, match string, seat rules.Seat, to string) (due time.Time, err error) {
	err = a.atSeat(ctx, match, seat, func(m *Match, who *Seat) error {
		address, err := contact.Parse(strings.TrimSpace(to), a.Post.Referee())
		if err != nil {
			return err
		}
		asked := contact.Override{To: address, Through: contact.Through{Match: m.ID, Seat: seat}}
		next, notices, err := contact.Step(who.Player.Contact, asked, a.Now())
		if err != nil {
			return err
		}
		who.Player.Contact, due = next, next.Request.Due
		letters, err := a.addressLetters(ctx, m, seat, notices)
		if err != nil {
			return err
		}
		// The notice bears a token of the seat, which must not have changed.
		return a.Store.Apply(ctx, Change{Match: m, Player: who.Player, Letters: letters})
	})
	return due, err
}

// KeepSeat ends the change of address that is asked for a seat, for a player who cannot
// object himself. As when he does in reply to the notice, his older letters can no longer
// be answered. When none is asked for it gives contact.ErrNothing.
func (a *Adjudicator) KeepSeat(ctx context.Context, match string, seat rules.Seat) error {
	return a.atSeat(ctx, match, seat, func(m *Match, who *Seat) error {
		r := who.Player.Open(a.Now())
		if r == nil {
			return contact.ErrNothing
		}
		if r.Through != (contact.Through{Match: match, Seat: seat}) {
			// It was asked for with a letter of that match, and those are to count no more.
			return a.KeepSeat(ctx, r.Match, r.Seat)
		}
		j, err := a.adjudication(ctx, m, seat, Letter{Sender: Sender{From: who.Player.Address}})
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
	})
}
