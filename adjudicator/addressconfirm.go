package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"

	"samizdat/rules"
)

// What the letters that ask about an address are answered with. Whoever says no in any
// words is heard.
var (
	addressYes  = regexp.MustCompile(`(?i)^\s*(?:ADDRESS[\s:=]+)?YES(?:,?\s+PLEASE)?\s*[.!]*\s*$`)
	addressKeep = regexp.MustCompile(`(?i)^\s*(?:ADDRESS[\s:=]+)?(?:KEEP|NO)\s*[.!;]*\s*$`)
)

// addressAnswer is a letter that answers one of those which ask about a change of
// address.
type addressAnswer struct {
	a       *Adjudicator
	ctx     context.Context
	letter  Letter
	m       *Match
	seat    rules.Seat
	request *AddressRequest
	// fresh means that the new address answers; otherwise it is one that was told.
	fresh bool
	// shared means that somebody else may have seen the token.
	shared bool
	was    lasting
}

// aboutAddress takes the answers to the letters that ask about a change of address:
// they must bear the token of such a letter and come from where it went. It reports
// whether it has dealt with the letter.
func (a *Adjudicator) aboutAddress(ctx context.Context, l Letter) (d Disposition, done bool, err error) {
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
	if r == nil || r.byOperator() || t.Number != r.Serial {
		return "", false, nil
	}
	x := &addressAnswer{a: a, ctx: ctx, letter: l, m: m, seat: t.Seat, request: r, shared: l.Shared, was: m.lasting()}
	x.fresh = sameAddress(r.To, l.From) && l.Genuine(a.requestKey(m.ID, t.Seat, r))
	if !x.fresh && !slices.ContainsFunc(r.Told, func(to string) bool {
		return sameAddress(to, l.From) && l.Genuine(a.noticeKey(m.ID, t.Seat, r, to))
	}) {
		return "", false, nil
	}
	ok, err := a.proven(ctx, l)
	if err != nil {
		return "", true, err
	}
	if !ok {
		d, err = a.unproven(ctx, l, l.From)
		return d, true, err
	}
	// The token's number is that of the request, and of no letter. It is no token of the
	// seat, which has to change when somebody else has seen it.
	x.letter.Token = &Token{Match: m.ID, Seat: t.Seat, Number: m.Seats[t.Seat].Letters}
	x.letter.Shared = false
	d, err = x.answer()
	return d, true, err
}

// answer does what the letter says.
func (x *addressAnswer) answer() (Disposition, error) {
	no, yes := x.letter.says(addressKeep) != nil, x.letter.says(addressYes) != nil
	switch {
	case x.fresh && (yes || x.request.Yes):
		return x.agreed()
	case x.fresh:
		// Who it is that writes there is not known: one answer a day is enough.
		return x.remind("Is this your address?", addressReminderText(x.a.Post.Mark()), x.a.requestKey(x.m.ID, x.seat, x.request), x.a.daily("new address"))
	case no:
		return x.kept("ADDRESS KEEP", "In case somebody else has asked with a letter of yours, the address that you answer to has changed: older letters can "+
			"no longer be answered.")
	case yes && x.m.Seats[x.seat].registered(x.letter.From):
		return x.granted()
	case x.shared:
		// Who has seen the token could say YES in the player's name.
		return x.kept("", "Your answer went to another address as well, and who reads it there could have said YES in your name. If it was you who "+
			"asked, please ask again. The address that you answer to has changed: older letters can no longer be answered.")
	}
	if !x.a.mayAnswer(fmt.Sprintf("seat %s %d", x.m.ID, x.seat)) {
		return Ignored, nil
	}
	return x.remind("Is it you who asks?", noticeReminderText(x.a.Post.Mark()), x.a.noticeKey(x.m.ID, x.seat, x.request, x.letter.From), x.letter.digest())
}

// remind answers a letter that says nothing which is understood, once for each of what
// it is told apart by.
func (x *addressAnswer) remind(title, text string, key []byte, apart string) (Disposition, error) {
	serial := x.request.Serial
	return x.a.reply(x.ctx, x.letter, digestOf(apart, x.letter.From, x.m.ID, fmt.Sprint(x.seat, serial)), Refused, Dispatch{
		Subject: title, Body: text, ReplyTo: x.a.Post.ReplyTo(key, x.m.ID, x.seat, serial)})
}

// agreed takes the YES of the new address.
func (x *addressAnswer) agreed() (Disposition, error) {
	seat, r := &x.m.Seats[x.seat], *x.request
	if r.Yes {
		return x.waits(&r, nil)
	}
	r.Yes = true
	seat.Addresses.Request = &r
	if r.Granted || seat.registered(r.To) {
		return x.settled()
	}
	var notices []Dispatch
	if r.Noticed.IsZero() {
		// It was asked for when nobody was told, or when nobody had to be.
		var err error
		if notices, err = x.a.giveNotice(x.ctx, x.m, x.seat, &r); err != nil {
			return Ignored, nil // Nobody could object, so nothing happens.
		}
	}
	due, err := x.a.noticed(x.ctx, x.m, x.seat, &r)
	if err != nil {
		return "", err
	}
	if !due.After(x.a.Now()) {
		return x.settled()
	}
	r.Due = due
	return x.waits(&r, notices)
}

// waits tells a new address that has said YES from when on it counts. No letter of the
// match goes there before.
func (x *addressAnswer) waits(r *AddressRequest, more []Dispatch) (Disposition, error) {
	digest := x.letter.digest()
	c := Change{Match: x.m, Receipt: x.letter.receipt(digest, Done, x.a.Now()), Letters: more}
	c.Receipt.Match, c.Receipt.Seat = x.m.ID, x.seat
	if x.request.Yes {
		c.Match = nil // It has said so already.
	}
	d := Dispatch{Match: x.m.ID, Subject: subject(x.m, "", "not before "+clockTime(r.Due)), Body: waitsText(x.a.Post.Mark(), x.m.ID, r)}
	// What changes nothing is answered only so often.
	if (c.Match != nil || x.a.mayAnswer("address "+x.letter.From)) && x.a.answering(x.ctx, x.letter, digest, &d) {
		c.Letters = append(c.Letters, d)
	}
	if err := x.a.Store.Apply(x.ctx, c); err != nil {
		return "", err
	}
	return Done, nil
}

// settled lets the request take effect, with an answer to the new address.
func (x *addressAnswer) settled() (Disposition, error) {
	s, err := x.session()
	if err != nil {
		return "", err
	}
	said, err := s.settleAddress(x.ctx, x.m.Seats[x.seat].Addresses.Request)
	if err != nil {
		return "", err
	}
	s.report("YES", fateDone, said+nothingElse)
	return x.store(s, x.seat)
}

const nothingElse = " Nothing else in that letter was read."

// granted takes the YES of an address that the player had before.
func (x *addressAnswer) granted() (Disposition, error) {
	r := *x.request
	again := r.Granted
	r.Granted = true
	x.m.Seats[x.seat].Addresses.Request = &r
	s, err := x.session()
	if err != nil {
		return "", err
	}
	switch {
	case r.Yes:
		// The answer may go to the new address, which has not written this letter.
		said, err := s.settleAddress(x.ctx, &r)
		if err != nil {
			return "", err
		}
		s.tell(s.seat, "", fateDone, said)
		return x.store(s, rules.Nobody)
	case again:
		s.report("YES", fateDone, "You have said so already. "+s.addressStands()+nothingElse)
	default:
		s.report("YES", fateDone, fmt.Sprintf("As soon as %s says YES too, %s.", r.To, r.effect())+nothingElse)
	}
	return x.store(s, x.seat)
}

// kept ends the request for an address that was told of it, by a line of its letter or
// for a reason. Somebody who should not have one may have a token of the seat, so those of
// older letters count no more.
func (x *addressAnswer) kept(line, why string) (Disposition, error) {
	if err := x.a.renew(&x.m.Seats[x.seat]); err != nil {
		return "", err
	}
	s, err := x.session()
	if err != nil {
		return "", err
	}
	s.keepAddress(x.ctx, line, " "+why+nothingElse)
	return x.store(s, x.seat)
}

func (x *addressAnswer) session() (*session, error) {
	return x.a.session(x.ctx, x.m, x.seat, x.letter)
}

// store stores what the letter led to. An answer to one that did something is not
// hushed: it may bear the only token that is still good.
func (x *addressAnswer) store(s *session, answered rules.Seat) (Disposition, error) {
	c, err := s.change(x.ctx, answered)
	if err != nil {
		return "", err
	}
	c.Receipt = s.receipt(x.letter, x.letter.digest())
	if reflect.DeepEqual(x.was, x.m.lasting()) {
		x.a.hush(x.ctx, &c, x.seat, x.was)
	}
	if err := x.a.Store.Apply(x.ctx, c); err != nil {
		return "", err
	}
	return c.Receipt.Disposition, nil
}

// settleAddress carries a request out, and says what has changed.
func (s *session) settleAddress(ctx context.Context, r *AddressRequest) (string, error) {
	seat, mark := &s.m.Seats[s.seat], s.a.Post.Mark()
	x := &seat.Addresses
	x.Request = nil
	if r.Also {
		dropped := x.Second
		x.Second = r.To
		said := ""
		if dropped != "" {
			// Letters that came there have tokens.
			if err := s.a.renew(seat); err != nil {
				return "", err
			}
			said = " Those from " + dropped + " count no more, and the address that you answer to has changed: older letters can no longer be answered."
			s.note(ctx, dropped, "This is no address of yours any more", droppedText(mark, s.m.ID), "")
		}
		if x.Astray {
			x.Good = seat.Letters // What came back was sent to the one before.
			return "Your letters come to this address, since they do not arrive at the first." + said, nil
		}
		s.note(ctx, r.To, "This is your second address", alsoText(mark, s.m.ID), "")
		return "Your orders count from " + r.To + " too. Letters go to " + seat.Address + " as before." + said, nil
	}
	if err := s.a.renew(seat); err != nil {
		return "", err
	}
	old := seat.Address
	seat.Address = r.To
	x.Astray, x.Good = false, seat.Letters
	if sameAddress(x.Second, r.To) {
		x.Second = ""
	}
	s.note(ctx, old, "Letters go elsewhere now", movedText(mark, s.m.ID, r.To), "")
	if x.Second != "" {
		s.note(ctx, x.Second, "Letters go elsewhere now", secondMovedText(mark, s.m.ID, r.To), "")
	}
	return "Your letters come to this address from now on, and the address that you answer to has changed: older letters can no longer be answered.", nil
}
