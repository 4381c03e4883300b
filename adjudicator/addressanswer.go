package adjudicator

import (
	"context"
	"fmt"
	"reflect"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// addressAnswer is a letter that answers one of those which ask about a change of
// address.
type addressAnswer struct {
	a       *Adjudicator
	letter  Letter
	m       *Match
	seat    rules.Seat
	player  *Player
	request *contact.Request
	// fresh means that the new address answers, and not the old one.
	fresh bool
	// shared means that somebody else may have seen the token.
	shared bool
	was    lasting
}

// aboutAddress takes the answers to the letters that ask about a change of address:
// they must bear the token of such a letter and come from where it went. It reports
// whether it has dealt with the letter.
func (a *Adjudicator) aboutAddress(ctx context.Context, l Letter) (d Disposition, done bool, err error) {
	x, err := a.addressAnswer(ctx, l)
	if x == nil || err != nil {
		return "", false, err
	}
	ok, err := a.Replies.Proven(ctx, l)
	switch {
	case err != nil:
	case ok:
		d, err = x.answer(ctx)
	default:
		d, err = a.Replies.Unproven(ctx, l, l.From)
	}
	return d, true, err
}

// addressAnswer reads such an answer; nil when a letter is none.
func (a *Adjudicator) addressAnswer(ctx context.Context, l Letter) (*addressAnswer, error) {
	t := l.Token
	if t == nil || l.Genuine == nil {
		return nil, nil
	}
	m, who, err := a.named(ctx, t.Match, t.Seat)
	if err != nil || who == nil {
		return nil, err
	}
	p := who.Player
	r := p.Open(a.Now())
	if r == nil || r.ByOperator() || t.Match != r.Match || t.Seat != r.Seat || t.Number != r.Serial {
		return nil, nil
	}
	x := &addressAnswer{a: a, letter: l, m: m, seat: t.Seat, player: p, request: r, shared: l.Shared, was: lastingOf(m)}
	x.fresh = contact.Same(r.To, l.From) && l.Genuine(a.Replies.RequestKey(r))
	if !x.fresh && (r.Noticed.IsZero() || !contact.Same(p.Address, l.From) || !l.Genuine(a.Replies.NoticeKey(r, p.Address))) {
		return nil, nil
	}
	// The token's number is that of the request, and of no letter. It is no token of the
	// seat, which has to change when somebody else has seen it.
	x.letter.Token = &Token{Match: m.ID, Seat: t.Seat, Number: who.Letters}
	x.letter.Shared = false
	return x, nil
}

// answer does what the letter says.
func (x *addressAnswer) answer(ctx context.Context) (Disposition, error) {
	mark := x.a.Post.Mark()
	_, no := x.letter.asks(letter.No)
	_, yes := x.letter.asks(letter.Yes)
	switch {
	case x.fresh && (yes || x.request.Yes):
		return x.confirmed(ctx)
	case x.fresh:
		// Who it is that writes there is not known: one answer a day is enough.
		return x.remind(ctx, "Is this your address?", askNewAgainText(mark), x.a.Replies.RequestKey(x.request), x.a.Replies.Daily("new address"))
	case no:
		return x.kept(ctx, "ADDRESS KEEP", "In case somebody else has asked with a letter of yours, the address that you answer to has changed: older letters can "+
			"no longer be answered.")
	case yes:
		return x.granted(ctx)
	case x.shared:
		// Who has seen the token could say YES in the player's name.
		return x.kept(ctx, "", "Your answer went to another address as well, and who reads it there could have said YES in your name. If it was you who "+
			"asked, please ask again. The address that you answer to has changed: older letters can no longer be answered.")
	}
	if !x.a.Replies.MayAnswerTo(ctx, x.letter, fmt.Sprintf("seat %s %d", x.m.ID, x.seat), x.player.Address) {
		return Ignored, nil
	}
	return x.remind(ctx, "Is it you who asks?", askOldAgainText(mark), x.a.Replies.NoticeKey(x.request, x.letter.From), x.letter.digest())
}

// remind answers a letter that says nothing which is understood, once for each of what
// it is told apart by.
func (x *addressAnswer) remind(ctx context.Context, title, text string, key []byte, apart string) (Disposition, error) {
	serial := x.request.Serial
	return x.a.Replies.Once(ctx, x.letter, digestOf(apart, x.letter.From, x.m.ID, fmt.Sprint(x.seat, serial)), Refused, Dispatch{
		Heading: Heading{Subject: title, Token: x.a.Post.Token(key, Token{Match: x.m.ID, Seat: x.seat, Number: serial})},
		Content: Content{Body: text},
	})
}

// confirmed takes the YES of the new address.
func (x *addressAnswer) confirmed(ctx context.Context) (Disposition, error) {
	known, err := x.a.known(ctx, x.player)
	if err != nil {
		return "", err
	}
	e := contact.Confirm{Known: known}
	next, notices, err := contact.Step(x.player.Contact, e, x.a.Now())
	if err != nil {
		return "", err
	}
	if next.Request != nil {
		return x.waits(ctx, next, notices)
	}
	j, err := x.adjudication(ctx)
	if err == nil {
		err = j.step(ctx, e, x.a.Now())
	}
	if err != nil {
		return "", err
	}
	j.report("YES", match.OutcomeDone, requestDone(x.request)+nothingElse)
	return x.store(ctx, j, x.seat)
}

// waits tells a new address that has said YES from when on it counts. No letter of the
// match goes there before.
func (x *addressAnswer) waits(ctx context.Context, next contact.Contact, notices []contact.Notice) (Disposition, error) {
	last := len(notices) - 1
	letters, err := x.a.addressLetters(ctx, x.m, x.seat, notices[:last])
	if err != nil {
		return Ignored, nil // Nobody could object, so nothing happens.
	}
	again, digest := x.request.Yes, x.letter.digest()
	c := Change{Receipt: x.letter.receipt(digest, Done, x.a.Now()), Letters: letters}
	c.Receipt.Match, c.Receipt.Seat = x.m.ID, x.seat
	if !again {
		x.player.Contact, c.Player = next, x.player
	}
	d, err := x.a.addressLetter(ctx, x.m, x.seat, notices[last], last)
	if err != nil {
		return "", err
	}
	// What changes nothing is answered only so often.
	if (!again || x.a.Replies.MayAnswer(ctx, "address "+contact.Mailbox(x.letter.From))) && x.a.Replies.Address(ctx, x.letter, digest, &d) {
		c.Letters = append(c.Letters, d)
	}
	return Done, x.a.Store.Apply(ctx, c)
}

const nothingElse = " Nothing else in that letter was read."

// granted takes the YES of the old address.
func (x *addressAnswer) granted(ctx context.Context) (Disposition, error) {
	j, err := x.adjudication(ctx)
	if err == nil {
		err = j.step(ctx, contact.Grant{}, x.a.Now())
	}
	if err != nil {
		return "", err
	}
	switch {
	case x.player.Request == nil && x.request.Also:
		j.report("YES", match.OutcomeDone, requestDone(x.request)+nothingElse)
	case x.player.Request == nil:
		// The answer goes to the new address, which has not written this letter.
		j.turn.Tell(j.play.Seat, "", match.OutcomeDone, movedHere)
		return x.store(ctx, j, rules.Nobody)
	case x.request.Granted:
		j.report("YES", match.OutcomeDone, "You have said so already. "+j.addressStands()+nothingElse)
	default:
		j.report("YES", match.OutcomeDone, fmt.Sprintf("As soon as %s says YES too, %s.", x.request.To, effect(x.request))+nothingElse)
	}
	return x.store(ctx, j, x.seat)
}

// kept ends the request for the old address, by a line of its letter or for a reason.
// Somebody who should not have one may have a token of the seat, so those of older
// letters count no more.
func (x *addressAnswer) kept(ctx context.Context, line, why string) (Disposition, error) {
	if err := x.a.renew(&x.m.Seats[x.seat]); err != nil {
		return "", err
	}
	j, err := x.adjudication(ctx)
	if err != nil {
		return "", err
	}
	o, err := j.keepAddress(ctx, " "+why+nothingElse)
	if err != nil {
		return "", err
	}
	j.reportOutcome(line, o)
	return x.store(ctx, j, x.seat)
}

func (x *addressAnswer) adjudication(ctx context.Context) (*adjudication, error) {
	return x.a.adjudication(ctx, x.m, x.seat, x.letter)
}

// store stores what the letter led to. An answer to one that did something is not
// left out: it may bear the only token that is still good.
func (x *addressAnswer) store(ctx context.Context, j *adjudication, answered rules.Seat) (Disposition, error) {
	if reflect.DeepEqual(x.was, lastingOf(x.m)) {
		j.was = &x.was
	}
	c, err := j.change(ctx, answered)
	if err != nil {
		return "", err
	}
	c.Receipt = j.receipt(x.letter, x.letter.digest())
	return c.Receipt.Disposition, x.a.Store.Apply(ctx, c)
}
