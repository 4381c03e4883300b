package adjudicator

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"time"

	"samizdat/adjudicator/contact"
	"samizdat/rules"
)

// A player's address changes as package contact says. Here its events are found, in
// letters (addressorders.go, addressanswer.go), in what is due and in what the operator
// wants (addressoperator.go), and its notices become letters (addressletters.go).

// noLetter is the number in the tokens of short letters: reports that they did not
// arrive say nothing of the letters of the match.
const noLetter = 0

// AddressBook is a Store that knows what became of short letters.
type AddressBook interface {
	// NoteSent tells of the short letter about a match to an address that has a
	// Message-ID when it was sent, or that it waits to be; of none, or of one that could
	// not be sent, it gives the zero time.
	NoteSent(ctx context.Context, match, to, messageID string) (sent time.Time, waits bool, err error)
}

// requestKey is the key of the token in the letter that asks a new address. It is
// another one for every request, so that no answer counts twice.
func (a *Adjudicator) requestKey(match string, seat rules.Seat, r *contact.Request) []byte {
	h := hmac.New(sha256.New, a.Store.ObserverKey())
	// Letters that are out were made with a fifth part, which is always the same.
	fmt.Fprintf(h, "address\x00%s\x00%d\x00%d\x00%t\x00%s", match, seat, r.Serial, false, r.To)
	return h.Sum(nil)
}

// noticeKey is the key of the token in the letter that asks the old address. No other
// letter has it: who has seen another letter cannot answer this one.
func (a *Adjudicator) noticeKey(match string, seat rules.Seat, r *contact.Request, old string) []byte {
	h := hmac.New(sha256.New, a.requestKey(match, seat, r))
	fmt.Fprintf(h, "notice\x00%s", contact.Lower(old))
	return h.Sum(nil)
}

// noticeID is the Message-ID of the letter that tells the old address of a request. By
// it the letter is found again, and nobody else's letter to that address.
func (a *Adjudicator) noticeID(match string, seat rules.Seat, r *contact.Request, old string) string {
	return a.shortID("address", "notice", match, fmt.Sprint(seat), fmt.Sprint(r.Serial), contact.Lower(old))
}

// known is since when the old address can have known of the open request. A notice that
// waits to be sent has not told anybody yet; one that came back has, as well as it can be
// done. What a clock said before it leapt ahead is not believed.
func (a *Adjudicator) known(ctx context.Context, m *Match, seat rules.Seat) (time.Time, error) {
	p := m.Seats[seat].Player
	var since time.Time
	if leap := a.looks.leap(); leap.After(p.Request.Since()) {
		since = leap
	}
	book, ok := a.Store.(AddressBook)
	if !ok {
		return since, nil
	}
	sent, waits, err := book.NoteSent(ctx, m.ID, p.Address, a.noticeID(m.ID, seat, p.Request, p.Address))
	if waits {
		sent = a.Now() // It goes later than that, and then this is looked at again.
	}
	// After a sending that is still to come the clock was set back, and all of the wait
	// was counted from the start since.
	if sent.After(since) && !sent.After(a.Now()) {
		since = sent
	}
	return since, err
}

// ripe reports whether a player's change of address takes effect by itself at a time.
func (p *Player) ripe(now time.Time) bool { return !p.Due().IsZero() && !p.Due().After(now) }

// elapse carries out a change of address whose time has come, since nobody objected, or
// puts it off.
func (a *Adjudicator) elapse(ctx context.Context, m *Match, seat rules.Seat, until time.Time) error {
	known, err := a.known(ctx, m, seat)
	if err != nil {
		return err
	}
	p := m.Seats[seat].Player
	next, notices, err := contact.Step(p.Contact, contact.Elapse{Known: known}, until)
	if err != nil {
		return err
	}
	if next.Request != nil {
		p.Contact = next
		letters, err := a.addressLetters(ctx, m, seat, notices)
		if err != nil {
			return err
		}
		return a.Store.Apply(ctx, Change{Match: m, Letters: letters})
	}
	s, err := a.session(ctx, m, seat, Letter{From: p.Address})
	if err != nil {
		return err
	}
	said, err := s.move(ctx, next, notices)
	if err != nil {
		return err
	}
	s.tell(seat, "", outcomeDone, said)
	return s.apply(ctx, rules.Nobody)
}

// move lets a player's letters go to another address, and says so.
func (s *session) move(ctx context.Context, to contact.Contact, notices []contact.Notice) (said string, err error) {
	letters, err := s.a.addressLetters(ctx, s.m, s.seat, notices)
	if err != nil {
		return "", err
	}
	seat := &s.m.Seats[s.seat]
	if err := s.a.renew(seat); err != nil {
		return "", err
	}
	seat.Player.Contact, seat.Good = to, seat.Letters
	s.notices = append(s.notices, letters...)
	return "Your letters come to this address from now on, and the address that you answer to has changed: older letters can no longer be answered.", nil
}
