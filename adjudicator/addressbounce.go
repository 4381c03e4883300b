package adjudicator

import (
	"context"
	"fmt"
	"time"

	"samizdat/rules"
)

// softBounces is how many letters within softSpan may not arrive for a while before
// an address counts as one that does not work.
const (
	softBounces = 5
	softSpan    = 7 * 24 * time.Hour
)

// AddressBook is a Store that knows what became of letters to players.
type AddressBook interface {
	// BouncedSince counts the reports since a time of letters to a seat behind a
	// number: those that may arrive later, and those that will not, since the address
	// does not work or since they are not tried any more.
	BouncedSince(ctx context.Context, match string, seat rules.Seat, number int64, since time.Time) (soft, hard int, err error)
	// NoteSent tells of the short letter about a match to an address that has a
	// Message-ID when it was sent, or that it waits to be; of none, or of one that could
	// not be sent, it gives the zero time.
	NoteSent(ctx context.Context, match, to, messageID string) (sent time.Time, waits bool, err error)
}

// astray sends the letters of a seat to its second address when they do not arrive
// at the first. Reports of letters from before that say nothing of the second.
func (a *Adjudicator) astray(ctx context.Context, match string, seat rules.Seat) error {
	return a.anew(ctx, "match "+match, func() error { return a.strayed(ctx, match, seat) })
}

func (a *Adjudicator) strayed(ctx context.Context, match string, seat rules.Seat) error {
	book, ok := a.Store.(AddressBook)
	if !ok {
		return nil
	}
	m, err := a.Store.Match(ctx, match)
	if err != nil {
		return err
	}
	who := &m.Seats[seat]
	if who.Addresses.Second == "" || who.Addresses.Astray {
		return nil
	}
	soft, hard, err := book.BouncedSince(ctx, match, seat, who.Addresses.Good, a.Now().Add(-softSpan))
	if err != nil || hard == 0 && soft < softBounces {
		return err
	}
	s, err := a.session(ctx, m, seat, Letter{From: who.Address})
	if err != nil {
		return err
	}
	who.Addresses.Astray, who.Addresses.Good = true, who.Letters
	s.tell(seat, "", fateDone, fmt.Sprintf("Letters to %s did not arrive. They come to your second address until you write from the first. "+
		"RESEND and the number of a letter tells again what was lost.", who.Address))
	a.Log.WarnContext(ctx, "letters go to a second address", "match", match, "seat", int(seat))
	return s.apply(ctx, rules.Nobody)
}

// heals lets letters go to the first address again when the player writes from there.
func (s *session) heals() {
	seat := &s.m.Seats[s.seat]
	if !seat.Addresses.Astray || !sameAddress(seat.Address, s.letter.From) {
		return
	}
	seat.Addresses.Astray, seat.Addresses.Good = false, seat.Letters
	s.tell(s.seat, "", fateDone, "You have written from "+seat.Address+", so your letters go there again.")
}
