package adjudicator

import (
	"context"
	"fmt"
	"time"

	"samizdat/rules"
)

// worthTelling is by how much a change has to be later than was told for another letter.
const worthTelling = time.Hour

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
// tells one that was given up lately. The request remembers them. When no letter can be
// made for one that the player has, nobody is told, and the request is as it was.
func (a *Adjudicator) giveNotice(ctx context.Context, m *Match, seat rules.Seat, r *AddressRequest) ([]Dispatch, error) {
	who, given := &m.Seats[seat], *r
	given.Noticed = a.Now().UTC().Truncate(time.Second)
	given.Told = who.owners(r)
	if x := &who.Addresses; x.Dropped != "" && given.Noticed.Sub(x.DroppedAt) < requestSpan && !who.registered(x.Dropped) && !sameAddress(x.Dropped, r.To) {
		given.Told = append(given.Told, x.Dropped)
	}
	var out []Dispatch
	for i, to := range given.Told {
		d := a.addressNote(m, seat, to, "Is it you who asks?", noticeText(a.Post.Mark(), m.ID, &given, who.registered(to)),
			a.Post.ReplyTo(a.noticeKey(m.ID, seat, r, to), m.ID, seat, r.Serial), i)
		d.MessageID = a.noticeID(m.ID, seat, r, to)
		var err error
		if d.Raw, err = a.Post.Render(d); err == nil {
			out = append(out, d)
			continue
		}
		a.Log.WarnContext(ctx, "an address cannot be told", "match", m.ID, "seat", int(seat), "error", err)
		if who.registered(to) {
			return nil, fmt.Errorf("ask an address of seat %d about a change: %w", seat, err)
		}
	}
	*r = given
	return out, nil
}

// noticeID is the Message-ID of the letter that tells an address of the player of a
// request. By it the letter is found again, and nobody else's letter to that address.
func (a *Adjudicator) noticeID(match string, seat rules.Seat, r *AddressRequest, to string) string {
	return a.shortID("address", "notice", match, fmt.Sprint(seat), fmt.Sprint(r.Serial), lowerASCII(to))
}

// noticed is when the addresses of the player have known of a request for long enough.
// A notice that waits to be sent has not told anybody yet; one that came back has, as
// well as it can be done. What a clock said before it leapt ahead is not believed.
func (a *Adjudicator) noticed(ctx context.Context, m *Match, seat rules.Seat, r *AddressRequest) (time.Time, error) {
	since := r.Noticed
	if r.byOperator() {
		since = r.At
	}
	if leap := a.looks.leap(); leap.After(since) {
		since = leap
	}
	due := since.Add(addressNotice)
	book, ok := a.Store.(AddressBook)
	if !ok {
		return due, nil
	}
	for _, to := range m.Seats[seat].owners(r) {
		sent, waits, err := book.NoteSent(ctx, m.ID, to, a.noticeID(m.ID, seat, r, to))
		if err != nil {
			return due, err
		}
		if waits {
			sent = a.Now() // It goes later than that, and then this is looked at again.
		}
		if sent.After(a.Now()) {
			continue // The clock ran ahead then. All of the wait was counted anew since.
		}
		if at := sent.UTC().Add(addressNotice); at.After(due) {
			due = at
		}
	}
	return due, nil
}

// movesSeat carries out a request that takes effect by itself, since nobody objected.
func (a *Adjudicator) movesSeat(ctx context.Context, m *Match, seat rules.Seat, until time.Time) error {
	x := &m.Seats[seat].Addresses
	due, err := a.noticed(ctx, m, seat, x.Request)
	if err != nil {
		return err
	}
	if due.After(until) {
		return a.putsOff(ctx, m, seat, due)
	}
	s, err := a.session(ctx, m, seat, Letter{From: m.Seats[seat].Address})
	if err != nil {
		return err
	}
	said, err := s.settleAddress(ctx, x.Request)
	if err != nil {
		return err
	}
	s.tell(seat, "", fateDone, said)
	return s.apply(ctx, rules.Nobody)
}

// putsOff lets a request take effect later, as a notice was late or the clock was wrong.
// A new address that was told when is told again.
func (a *Adjudicator) putsOff(ctx context.Context, m *Match, seat rules.Seat, due time.Time) error {
	x := &m.Seats[seat].Addresses
	r := *x.Request
	late := due.Sub(r.Due)
	r.Due, x.Request = due, &r
	c := Change{Match: m}
	if r.Yes && late > worthTelling {
		d := a.addressNote(m, seat, r.To, "Later than you were told", laterText(a.Post.Mark(), m.ID, &r), "", 0)
		var err error
		if d.Raw, err = a.Post.Render(d); err == nil {
			c.Letters = []Dispatch{d}
		} else {
			a.Log.WarnContext(ctx, "an address cannot be told", "match", m.ID, "seat", int(seat), "error", err)
		}
	}
	return a.Store.Apply(ctx, c)
}
