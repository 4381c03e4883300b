package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// addressAnswer is an answer to a notice about a change of address, e.g. YES.
type addressAnswer struct {
	a       *Adjudicator
	letter  exchange.Letter
	m       *match.Match
	seat    rules.Seat
	player  *match.Player
	request *contact.Request
	// fresh: the new address answers, and not the old one.
	fresh bool
	// shared: another person may have seen the token.
	shared bool
	was    lasting
}

// aboutAddress handles answers to notices about a change of address: such an answer bears the token of the notice
// and comes from its address. Done reports whether the letter is one.
func (a *Adjudicator) aboutAddress(ctx context.Context, l exchange.Letter) (d exchange.Disposition, done bool, err error) {
	x, err := readAddressAnswer(ctx, a, l)
	if x == nil || err != nil {
		return "", false, err
	}
	if d, unproven, err := a.Replies.Unproven(ctx, l, l.From); unproven || err != nil {
		return d, true, err
	}
	d, err = x.answer(ctx)
	return d, true, err
}

// readAddressAnswer reads an answer to a notice about an address; nil if the letter has no token of an open request.
func readAddressAnswer(ctx context.Context, a *Adjudicator, l exchange.Letter) (*addressAnswer, error) {
	t := l.Token
	if t == nil || l.Genuine == nil {
		return nil, nil
	}
	m, who, err := a.named(ctx, t.Match, t.Seat)
	if err != nil || who == nil {
		return nil, err
	}
	p := who.Player
	r := p.OpenRequest(a.Now())
	if r == nil || r.ByOperator() || t.Match != r.Match || t.Seat != r.Seat {
		return nil, nil
	}
	x := &addressAnswer{a: a, letter: l, m: m, seat: t.Seat, player: p, request: r, shared: l.Shared, was: lastingOf(m)}
	x.fresh = contact.Same(r.To, l.From) && a.Replies.IsAnswer(l, a.Replies.RequestQuestion(r))
	old := !r.NoticeTime.IsZero() && contact.Same(p.Address, l.From) && a.Replies.IsAnswer(l, a.Replies.NoticeQuestion(r, p.Address))
	if !x.fresh && !old {
		return nil, nil
	}
	// The token's number is that of the request. It is no token of the seat, whose key would have to change if
	// another person had seen it.
	x.letter.Token = &exchange.Token{Match: m.ID, Seat: t.Seat, Number: who.Letters}
	x.letter.Shared = false
	return x, nil
}

func (x *addressAnswer) answer(ctx context.Context) (exchange.Disposition, error) {
	mark := x.a.Post.Mark()
	_, no := conversation.Asks(x.letter, letter.No)
	_, yes := conversation.Asks(x.letter, letter.Yes)
	switch {
	case x.fresh && (yes || x.request.Confirmed):
		return x.confirm(ctx)
	case x.fresh:
		// The writer is unknown: one answer a day is enough.
		return x.remind(ctx, "Is this your address?", compose.Note(mark, compose.AskNewAgain), x.a.Replies.RequestQuestion(x.request),
			x.a.Replies.Daily("new address"))
	case no:
		return x.keep(ctx, compose.AddressKeep, "In case somebody else has asked with a letter of yours, the address that you answer to "+
			"has changed: older letters can no longer be answered.")
	case yes:
		return x.grant(ctx)
	case x.shared:
		// Anyone who has seen the token could say YES in the player's name.
		return x.keep(ctx, "", "Your answer went to another address as well, and who reads it there could have said YES in your name. If "+
			"it was you who asked, please ask again. The address that you answer to has changed: older letters can no longer be answered.")
	}
	if !x.a.Replies.MayAnswerTo(ctx, x.letter, fmt.Sprintf("seat %s %d", x.m.ID, x.seat), x.player.Address) {
		return exchange.Ignored, nil
	}
	return x.remind(ctx, "Is it you who asks?", compose.Note(mark, compose.AskOldAgain),
		x.a.Replies.NoticeQuestion(x.request, x.letter.From), x.letter.ReceiptDigest())
}

// remind answers a letter without a clear YES or KEEP, once for each question.
func (x *addressAnswer) remind(ctx context.Context, title, text string, q conversation.Question, apart string) (exchange.Disposition,
	error) {
	d := exchange.TextLetter(title, text)
	d.Token = x.a.Replies.TokenOf(q)
	return x.a.Replies.Once(ctx, x.letter, conversation.DigestOf(apart, x.letter.From, x.m.ID, fmt.Sprint(x.seat, x.request.Serial)),
		exchange.Refused, d)
}

func (x *addressAnswer) confirm(ctx context.Context) (exchange.Disposition, error) {
	known, err := noticeKnown(ctx, x.a, x.player)
	if err != nil {
		return "", err
	}
	e := contact.Confirm{Known: known}
	next, notices, err := contact.Update(x.player.Contact, e, x.a.Now())
	if err != nil {
		return "", err
	}
	if next.Request != nil {
		return x.schedule(ctx, next, notices)
	}
	j, err := x.newRun(ctx)
	if err == nil {
		err = stepContact(ctx, j, e, x.a.Now())
	}
	if err != nil {
		return "", err
	}
	j.report("YES", match.OutcomeDone, compose.AddressDone(x.request)+nothingElse)
	return x.store(ctx, j, x.seat)
}

// schedule tells a new address that has said YES when the change takes effect. No letter of the match goes there
// before.
func (x *addressAnswer) schedule(ctx context.Context, next contact.Contact, notices []contact.Notice) (exchange.Disposition, error) {
	last := len(notices) - 1
	letters, err := addressLetters(ctx, x.a, x.m, x.seat, notices[:last])
	if err != nil {
		return exchange.Ignored, nil // The old address could not object, so nothing happens.
	}
	again, digest := x.request.Confirmed, x.letter.ReceiptDigest()
	c := exchange.Change{Receipt: x.letter.Receipt(digest, exchange.Done, x.a.Now()), Letters: letters}
	c.Receipt.Match, c.Receipt.Seat = x.m.ID, x.seat
	if !again {
		x.player.Contact, c.Player = next, x.player
	}
	d, err := addressLetter(ctx, x.a, x.m, x.seat, notices[last], last)
	if err != nil {
		return "", err
	}
	// Answers without an effect are limited.
	if (!again || x.a.Replies.MayAnswer(ctx, "address "+contact.MailboxOf(x.letter.From))) &&
		x.a.Replies.Address(ctx, x.letter, digest, &d) {
		c.Letters = append(c.Letters, d)
	}
	return exchange.Done, x.a.Store.Apply(ctx, c)
}

const nothingElse = " Nothing else in that letter was read."

func (x *addressAnswer) grant(ctx context.Context) (exchange.Disposition, error) {
	j, err := x.newRun(ctx)
	if err == nil {
		err = stepContact(ctx, j, contact.Grant{}, x.a.Now())
	}
	if err != nil {
		return "", err
	}
	switch {
	case x.player.Request == nil && x.request.Additional:
		j.report("YES", match.OutcomeDone, compose.AddressDone(x.request)+nothingElse)
	case x.player.Request == nil:
		// The answer goes to the new address, which has not written this letter.
		j.turn.ReportLine(j.play.Seat, "", match.OutcomeDone, compose.AddressMoved)
		return x.store(ctx, j, rules.NoSeat)
	case x.request.Granted:
		j.report("YES", match.OutcomeDone, "You have said so already. "+addressStands(j)+nothingElse)
	default:
		j.report("YES", match.OutcomeDone, fmt.Sprintf("As soon as %s says YES too, %s.", x.request.To,
			compose.AddressEffect(x.request))+nothingElse)
	}
	return x.store(ctx, j, x.seat)
}

// keep ends the request for the old address, because of a line of its letter or for a reason why. An intruder may
// have a token of the seat, so older letters become invalid.
func (x *addressAnswer) keep(ctx context.Context, line, why string) (exchange.Disposition, error) {
	if err := renewKey(x.a, &x.m.Seats[x.seat]); err != nil {
		return "", err
	}
	j, err := x.newRun(ctx)
	if err != nil {
		return "", err
	}
	o, err := keepAddress(ctx, j, " "+why+nothingElse)
	if err != nil {
		return "", err
	}
	j.reportOutcome(line, o)
	return x.store(ctx, j, x.seat)
}

func (x *addressAnswer) newRun(ctx context.Context) (*letterRun, error) {
	return x.a.newRun(ctx, x.m, x.seat, x.letter)
}

// store stores the effect of the letter. The answer to a letter with an effect is always sent: it may bear the
// only valid token.
func (x *addressAnswer) store(ctx context.Context, j *letterRun, answered rules.Seat) (exchange.Disposition, error) {
	if reflect.DeepEqual(x.was, lastingOf(x.m)) {
		j.before = &x.was
	}
	c, err := j.change(ctx, answered)
	if err != nil {
		return "", err
	}
	c.Receipt = j.receipt(x.letter, x.letter.ReceiptDigest())
	return c.Receipt.Disposition, x.a.Store.Apply(ctx, c)
}

// The errors of a change of address if no letter can be sent to the new or to the old address.
var (
	errNoQuestion = errors.New("no letter can be sent to that address")
	errNoNotice   = errors.New("no letter can be sent to the address that you have, to ask whether it is you")
)

// addressLetters writes the letters of notices. If a letter to an address fails, only the requests that need it
// fail.
func addressLetters(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat,
	notices []contact.Notice) ([]exchange.Dispatch, error) {
	var out []exchange.Dispatch
	for i, n := range notices {
		d, err := addressLetter(ctx, a, m, seat, n, i)
		if err != nil {
			return nil, err
		}
		if d.Raw, err = a.Post.Render(d); err == nil {
			out = append(out, d)
			continue
		}
		a.Log.WarnContext(ctx, "an address cannot be told", "match", m.ID, "seat", int(seat), "error", err)
		switch {
		case n.Kind == contact.AskNew:
			return nil, fmt.Errorf("%w: %w", errNoQuestion, err)
		case n.IsRequired():
			return nil, fmt.Errorf("%w: %w", errNoNotice, err)
		}
	}
	return out, nil
}

// addressLetter writes a notice through the match where the change was requested, because its reader may know no other match.
func addressLetter(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, n contact.Notice, i int) (d exchange.Dispatch,
	err error) {
	r, who := &n.Request, &m.Seats[seat]
	if r.Match != m.ID {
		if m, err = a.Store.Match(ctx, r.Match); err != nil {
			return d, err
		}
	}
	title, text := compose.AddressNotice(a.Post.Mark(), n, who.Player)
	d = exchange.Dispatch{
		Addressee: exchange.Addressee{Match: m.ID, Seat: rules.NoSeat, To: n.To},
		Heading: exchange.Heading{Subject: compose.Subject(m, title, match.Capital(m.Game)),
			MessageID: a.Replies.ID("address", m.ID, fmt.Sprint(r.Seat), n.To, title, text, fmt.Sprint(who.Letters, who.Player.Serial, i))},
		Sending: exchange.Sending{Date: a.Now()},
		Content: exchange.Content{Body: text + a.Replies.Foot()},
	}
	switch n.Kind {
	case contact.AskNew:
		d.Token = a.Replies.TokenOf(a.Replies.RequestQuestion(r))
		d.HTML = a.Replies.Page(d, string(letter.Yes))
	case contact.AskOld:
		d.Token = a.Replies.TokenOf(a.Replies.NoticeQuestion(r, n.To))
		d.MessageID = a.Replies.NoticeID(r, n.To)
		d.HTML = a.Replies.Page(d, string(letter.Yes), compose.AddressKeep)
	case contact.Announce:
		// It belongs to no match, but can be answered as if it did.
		d.Token = a.Post.Token(who.Key, exchange.Token{Match: m.ID, Seat: seat, Number: noLetter})
		d.MessageID = a.Replies.NoticeID(r, n.To)
		d.HTML = a.Replies.Page(d, compose.AddressKeep)
	}
	return d, nil
}
