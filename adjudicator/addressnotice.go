package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/rules"
)

// noticeSlack is how much later than it was written a notice may go out without more
// ado.
const noticeSlack = time.Hour

// owners are the addresses of a seat that must agree to a change, or be told of it in
// time: all that the player has, but for the one that the change is about.
func (s *Seat) owners(r *AddressRequest) []string {
	var out []string
	for _, to := range []string{s.Address, s.Addresses.Second} {
		if to != "" && !sameAddress(to, r.To) {
			out = append(out, to)
		}
	}
	return out
}

// giveNotice asks the addresses of the player whether it is he who wants a change, and
// tells one that was given up lately. The request remembers them.
func (a *Adjudicator) giveNotice(ctx context.Context, m *Match, seat rules.Seat, r *AddressRequest) []Dispatch {
	who := &m.Seats[seat]
	r.Noticed = a.Now().UTC().Truncate(time.Second)
	r.Told = who.owners(r)
	if x := &who.Addresses; x.Dropped != "" && r.Noticed.Sub(x.DroppedAt) < requestSpan && !who.registered(x.Dropped) && !sameAddress(x.Dropped, r.To) {
		r.Told = append(r.Told, x.Dropped)
	}
	var out []Dispatch
	for i, to := range r.Told {
		d := a.addressNote(m, seat, to, "Is it you who asks?", noticeText(a.Post.Mark(), m.ID, r, who.registered(to)),
			a.Post.ReplyTo(a.noticeKey(m.ID, seat, r, to), m.ID, seat, r.Serial), i)
		var err error
		if d.Raw, err = a.Post.Render(d); err != nil {
			a.Log.WarnContext(ctx, "an address cannot be told", "match", m.ID, "seat", int(seat), "error", err)
			continue
		}
		out = append(out, d)
	}
	return out
}

// noticed is when the addresses of the player have known of a request for long enough.
// A notice that waits to be sent has not told anybody yet; one that came back has, as
// well as it can be done.
func (a *Adjudicator) noticed(ctx context.Context, m *Match, seat rules.Seat, r *AddressRequest) (time.Time, error) {
	since := r.Noticed
	if r.byOperator() {
		since = r.At
	}
	due := since.Add(addressNotice)
	book, ok := a.Store.(AddressBook)
	if !ok {
		return due, nil
	}
	for _, to := range m.Seats[seat].owners(r) {
		sent, waits, err := book.NoteSent(ctx, m.ID, to)
		if err != nil {
			return due, err
		}
		if waits {
			sent = a.Now() // It goes later than that, and then this is looked at again.
		}
		if sent.After(a.Now()) {
			continue // The clock ran ahead then. All of the wait was counted anew since.
		}
		if at := sent.UTC().Truncate(time.Second).Add(addressNotice); sent.Sub(since) > noticeSlack && at.After(due) {
			due = at
		}
	}
	return due, nil
}

// movesSeat carries out a request that takes effect by itself, since nobody objected.
func (a *Adjudicator) movesSeat(ctx context.Context, m *Match, seat rules.Seat) error {
	x := &m.Seats[seat].Addresses
	due, err := a.noticed(ctx, m, seat, x.Request)
	if err != nil {
		return err
	}
	if due.After(a.Now()) {
		later := *x.Request
		later.Due = due
		x.Request = &later
		return a.Store.Apply(ctx, Change{Match: m})
	}
	s, err := a.session(ctx, m, seat, Letter{From: m.Seats[seat].Address})
	if err != nil {
		return err
	}
	s.due, s.unasked = true, true
	said, err := s.settleAddress(x.Request)
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
	for i, to := range who.owners(&later) {
		d := a.addressNote(m, seat, to, "Letters are to go elsewhere", operatorAskedText(a.Post.Mark(), m.ID, &later),
			a.Post.ReplyTo(who.Key, m.ID, seat, noLetter), i)
		if d.Raw, err = a.Post.Render(d); err != nil {
			return due, err
		}
		c.Letters = append(c.Letters, d)
	}
	return later.Due, a.Store.Apply(ctx, c)
}
