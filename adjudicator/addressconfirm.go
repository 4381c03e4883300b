package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"samizdat/rules"
)

// newAddress takes the letters from an address that was asked whether it is a
// player's: they must bear the token of the question and come from there. It reports
// whether it has dealt with the letter.
func (a *Adjudicator) newAddress(ctx context.Context, l Letter) (d Disposition, done bool, err error) {
	t := l.Token
	if t == nil || l.Genuine == nil || t.Seat < 0 {
		return "", false, nil
	}
	m, err := a.Store.Match(ctx, t.Match)
	if errors.Is(err, ErrNoMatch) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	if int(t.Seat) >= len(m.Seats) {
		return "", false, nil
	}
	r := m.Seats[t.Seat].Addresses.open(a.Now())
	if r == nil || !r.Due.IsZero() || t.Number != r.Serial || !l.Genuine(a.requestKey(m.ID, t.Seat, r)) || !sameAddress(r.To, l.From) {
		return "", false, nil
	}
	ok, err := a.proven(ctx, l)
	if err != nil {
		return "", true, err
	}
	if !ok {
		d, err = a.unproven(ctx, l, r.To)
		return d, true, err
	}
	if l.says(yesLine) == nil {
		d, err = a.reply(ctx, l, a.daily("new address", l.From, m.ID, fmt.Sprint(t.Seat, r.Serial)), Refused, Dispatch{
			Subject: "Is this your address?", Body: addressReminderText(a.Post.Mark()),
			ReplyTo: a.Post.ReplyTo(a.requestKey(m.ID, t.Seat, r), m.ID, t.Seat, r.Serial)})
		return d, true, err
	}
	d, err = a.confirmed(ctx, l, m, r)
	return d, true, err
}

// confirmed lets a request take effect whose address has said YES.
func (a *Adjudicator) confirmed(ctx context.Context, l Letter, m *Match, r *AddressRequest) (Disposition, error) {
	digest, seat := l.digest(), l.Token.Seat
	// The token's number is that of the request, and of no letter.
	l.Token = &Token{Match: m.ID, Seat: seat, Number: m.Seats[seat].Letters}
	s, err := a.session(ctx, m, seat, l)
	if err != nil {
		return "", err
	}
	said, err := s.settleAddress(r)
	if err != nil {
		return "", err
	}
	s.report("YES", fateDone, said+" Nothing else in that letter was read.")
	// To whom it went in copy does not matter: the token in it is worth nothing now.
	s.letter.Shared = false
	c, err := s.change(digest)
	if err != nil {
		return "", err
	}
	if err := a.Store.Apply(ctx, c); err != nil {
		return "", err
	}
	return c.Receipt.Disposition, nil
}

// settleAddress carries a request out, and says what has changed.
func (s *session) settleAddress(r *AddressRequest) (string, error) {
	seat, mark := &s.m.Seats[s.seat], s.a.Post.Mark()
	x := &seat.Addresses
	x.Request = nil
	if r.Also {
		dropped := x.Second
		x.Second = r.To
		if dropped != "" {
			s.note(dropped, "This is no address of yours any more", droppedText(mark, s.m.ID), "")
		}
		if x.Astray {
			x.Good = seat.Letters // What came back was sent to the one before.
			return "Your letters come to this address, since they do not arrive at the first.", nil
		}
		s.note(r.To, "This is your second address", alsoText(mark, s.m.ID), "")
		return "Your orders count from " + r.To + " too. Letters go to " + seat.Address + " as before.", nil
	}
	key, err := s.a.newKey()
	if err != nil {
		return "", err
	}
	old := seat.Address
	seat.Address, seat.Key = r.To, key
	x.Astray, x.Good = false, seat.Letters
	if sameAddress(x.Second, r.To) {
		x.Second = ""
	}
	s.note(old, "Letters go elsewhere now", movedText(mark, s.m.ID, r.To), "")
	if x.Second != "" {
		s.note(x.Second, "Letters go elsewhere now", secondMovedText(mark, s.m.ID, r.To), "")
	}
	return "Your letters come to this address from now on, and the address that you answer to has changed: older letters can no longer be answered.", nil
}

// movesSeat carries out a request of the operator that nobody objected to.
func (a *Adjudicator) movesSeat(ctx context.Context, m *Match, seat rules.Seat) error {
	s, err := a.session(ctx, m, seat, Letter{From: m.Seats[seat].Address})
	if err != nil {
		return err
	}
	s.due, s.unasked = true, true
	said, err := s.settleAddress(m.Seats[seat].Addresses.Request)
	if err != nil {
		return err
	}
	s.tell(seat, "", fateDone, said)
	return s.apply()
}

// MoveSeat begins to send a seat's letters elsewhere, for a player who has lost his
// mailbox. The old address is told, and may object until the time that is returned.
func (a *Adjudicator) MoveSeat(ctx context.Context, match string, seat rules.Seat, to string) (due time.Time, err error) {
	err = a.anew(ctx, "match "+match, func() (err error) { due, err = a.moveSeat(ctx, match, seat, to); return err })
	if err != nil {
		return due, fmt.Errorf("match %s: %w", match, err)
	}
	return due, nil
}

func (a *Adjudicator) moveSeat(ctx context.Context, match string, seat rules.Seat, to string) (due time.Time, err error) {
	m, err := a.Store.Match(ctx, match)
	if err != nil {
		return due, err
	}
	if seat < 0 || int(seat) >= len(m.Seats) {
		return due, fmt.Errorf("there is no seat %d", seat)
	}
	who := &m.Seats[seat]
	r, err := a.ask(who, strings.TrimSpace(to), false)
	if err != nil {
		return due, err
	}
	later := *r
	later.Due = r.At.Add(addressNotice)
	who.Addresses.Request = &later
	// The notice is no letter of the match, but can be answered like one.
	c := Change{Match: m}
	for i, to := range []string{who.Address, who.Addresses.Second} {
		if to == "" {
			continue
		}
		d := a.addressNote(m, seat, to, "Letters are to go elsewhere", operatorAskedText(a.Post.Mark(), m.ID, &later),
			a.Post.ReplyTo(who.Key, m.ID, seat, noLetter), i)
		if d.Raw, err = a.Post.Render(d); err != nil {
			return due, err
		}
		c.Letters = append(c.Letters, d)
	}
	return later.Due, a.Store.Apply(ctx, c)
}
