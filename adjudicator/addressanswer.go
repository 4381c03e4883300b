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
	adjudicator *Adjudicator
	letter      exchange.Letter
	match       *match.Match
	seat        rules.Seat
	player      *match.Player
	request     *contact.Request
	// fromNewAddress is set if the answer comes from the new address, and not from the old one.
	fromNewAddress bool
	// tokenExposed is set if another person may have seen the token.
	tokenExposed bool
	before       savedState
}

// receiveAddressAnswer handles answers to notices about a change of address: such an answer bears the token of the notice
// and comes from its address. isHandled reports whether the letter is one.
func (a *Adjudicator) receiveAddressAnswer(ctx context.Context, l exchange.Letter) (d exchange.Disposition, done bool, err error) {
	answer, err := readAddressAnswer(ctx, a, l)
	if answer == nil || err != nil {
		return "", false, err
	}
	if d, unproven, err := a.Replies.RefuseUnauthenticated(ctx, l, l.From); unproven || err != nil {
		return d, true, err
	}
	d, err = answer.carryOut(ctx)
	return d, true, err
}

// readAddressAnswer reads an answer to a notice about an address; nil if the letter has no token of an open request.
func readAddressAnswer(ctx context.Context, a *Adjudicator, l exchange.Letter) (*addressAnswer, error) {
	t := l.Token
	if t == nil || l.IsValid == nil {
		return nil, nil
	}
	m, seatState, err := a.findTokenSeat(ctx, t.Match, t.Seat)
	if err != nil || seatState == nil {
		return nil, err
	}
	p := seatState.Player
	r := p.OpenRequest(a.Now())
	if r == nil || r.ByOperator() || t.Match != r.Match || t.Seat != r.Seat {
		return nil, nil
	}
	answer := &addressAnswer{adjudicator: a, letter: l, match: m, seat: t.Seat, player: p, request: r,
		tokenExposed: l.HasOtherRecipients, before: newSavedState(m)}
	answer.fromNewAddress = contact.SameAddress(r.To, l.From) && a.Replies.IsAnswer(l, a.Replies.RequestQuestion(r))
	fromOldAddress := !r.NoticeTime.IsZero() && contact.SameAddress(p.Address, l.From) &&
		a.Replies.IsAnswer(l, a.Replies.NoticeQuestion(r, p.Address))
	if !answer.fromNewAddress && !fromOldAddress {
		return nil, nil
	}
	// The token's number is that of the request. It is not a token of the seat, whose key would have to change
	// if another person had seen it.
	answer.letter.Token = &exchange.Token{Match: m.ID, Seat: t.Seat, Number: seatState.Letters}
	answer.letter.HasOtherRecipients = false
	return answer, nil
}

func (aa *addressAnswer) carryOut(ctx context.Context) (exchange.Disposition, error) {
	mark := aa.adjudicator.Post.Mark()
	_, no := conversation.FindOrder(aa.letter, letter.No)
	_, yes := conversation.FindOrder(aa.letter, letter.Yes)
	switch {
	case aa.fromNewAddress && (yes || aa.request.Confirmed):
		return aa.confirm(ctx)
	case aa.fromNewAddress:
		// The writer is unknown: one answer a day is enough.
		return aa.remind(ctx, "Is this your address?", compose.Note(mark, compose.AskNewAgain),
			aa.adjudicator.Replies.RequestQuestion(aa.request),
			aa.adjudicator.Replies.DailyDigest("new address"))
	case no:
		return aa.keepOldAddress(ctx, compose.AddressKeep, "In case someone else asked by means of a letter of yours, our reply address "+
			"for you has changed: replies to older letters no longer count.")
	case yes:
		return aa.grant(ctx)
	case aa.tokenExposed:
		// Anyone who has seen the token could say YES in the player's name.
		return aa.keepOldAddress(ctx, "", "Your answer also went to another address, and its reader could have said YES in your name. "+
			"If you did ask, please ask again. Our reply address for you has changed: replies to older letters no longer count.")
	}
	if !aa.adjudicator.Replies.CountAnswerTo(ctx, aa.letter, fmt.Sprintf("seat %s %d", aa.match.ID, aa.seat), aa.player.Address) {
		return exchange.Ignored, nil
	}
	return aa.remind(ctx, "Did you ask for this?", compose.Note(mark, compose.AskOldAgain),
		aa.adjudicator.Replies.NoticeQuestion(aa.request, aa.letter.From), aa.letter.ReceiptDigest())
}

// remind answers a letter without a clear YES or KEEP, once for each question.
func (aa *addressAnswer) remind(ctx context.Context, title, text string, q conversation.Question,
	scope string) (exchange.Disposition, error) {
	d := exchange.TextLetter(title, text)
	d.Token = aa.adjudicator.Replies.TokenOf(q)
	return aa.adjudicator.Replies.AnswerOnce(ctx, aa.letter, conversation.NewDigest(scope, aa.letter.From, aa.match.ID,
		fmt.Sprint(aa.seat, aa.request.Serial)), exchange.Refused, d)
}

// confirm handles YES of the new address.
func (aa *addressAnswer) confirm(ctx context.Context) (exchange.Disposition, error) {
	known, err := findNoticeTime(ctx, aa.adjudicator, aa.player)
	if err != nil {
		return "", err
	}
	e := contact.Confirm{Known: known}
	next, notices, err := contact.Update(aa.player.Contact, e, aa.adjudicator.Now())
	if err != nil {
		return "", err
	}
	if next.Request != nil {
		return aa.announceDueTime(ctx, next, notices)
	}
	run, err := aa.newRun(ctx)
	if err == nil {
		err = stepContact(ctx, run, e, aa.adjudicator.Now())
	}
	if err != nil {
		return "", err
	}
	run.report("YES", match.OutcomeDone, compose.DescribeAddressDone(aa.request)+nothingElseRead)
	return aa.store(ctx, run, aa.seat)
}

// announceDueTime tells a new address that has said YES when the change takes effect. Until then it gets no letter of the
// match.
func (aa *addressAnswer) announceDueTime(ctx context.Context, next contact.Contact,
	notices []contact.Notice) (exchange.Disposition, error) {
	last := len(notices) - 1
	letters, err := addressLetters(ctx, aa.adjudicator, aa.match, aa.seat, notices[:last])
	if err != nil {
		return exchange.Ignored, nil // the old address could not object, so nothing changes
	}
	isRepeated, digest := aa.request.Confirmed, aa.letter.ReceiptDigest()
	c := exchange.Change{Receipt: aa.letter.Receipt(digest, exchange.Done, aa.adjudicator.Now()), Letters: letters}
	c.Receipt.Match, c.Receipt.Seat = aa.match.ID, aa.seat
	if !isRepeated {
		aa.player.Contact, c.Player = next, aa.player
	}
	d, err := addressLetter(ctx, aa.adjudicator, aa.match, aa.seat, notices[last], last)
	if err != nil {
		return "", err
	}
	// Answers without an effect are limited.
	if (!isRepeated || aa.adjudicator.Replies.CountAnswer(ctx, "address "+contact.MailboxOf(aa.letter.From))) &&
		aa.adjudicator.Replies.AddressReply(ctx, aa.letter, digest, &d) {
		c.Letters = append(c.Letters, d)
	}
	return exchange.Done, aa.adjudicator.Store.Apply(ctx, c)
}

const nothingElseRead = " The rest of that letter was not read."

// grant handles YES of the old address.
func (aa *addressAnswer) grant(ctx context.Context) (exchange.Disposition, error) {
	run, err := aa.newRun(ctx)
	if err == nil {
		err = stepContact(ctx, run, contact.Grant{}, aa.adjudicator.Now())
	}
	if err != nil {
		return "", err
	}
	switch {
	case aa.player.Request == nil && aa.request.Additional:
		run.report("YES", match.OutcomeDone, compose.DescribeAddressDone(aa.request)+nothingElseRead)
	case aa.player.Request == nil:
		// The answer goes to the new address, which has not written this letter.
		run.turn.ReportLine(run.play.Seat, "", match.OutcomeDone, compose.AddressMoved)
		return aa.store(ctx, run, rules.NoSeat)
	case aa.request.Granted:
		run.report("YES", match.OutcomeDone, "You have said so already. "+describeAddress(run)+nothingElseRead)
	default:
		run.report("YES", match.OutcomeDone, fmt.Sprintf("As soon as %s says YES too, %s.", aa.request.To,
			compose.DescribeAddressEffect(aa.request))+nothingElseRead)
	}
	return aa.store(ctx, run, aa.seat)
}

// keepOldAddress ends the request for the old address, because of a line of its letter or for another reason. An intruder
// may have a token of the seat, so older letters become invalid.
func (aa *addressAnswer) keepOldAddress(ctx context.Context, line, reason string) (exchange.Disposition, error) {
	if err := renewKey(aa.adjudicator, &aa.match.Seats[aa.seat]); err != nil {
		return "", err
	}
	run, err := aa.newRun(ctx)
	if err != nil {
		return "", err
	}
	o, err := keepOldAddress(ctx, run, " "+reason+nothingElseRead)
	if err != nil {
		return "", err
	}
	run.reportOutcome(line, o)
	return aa.store(ctx, run, aa.seat)
}

func (aa *addressAnswer) newRun(ctx context.Context) (*letterRun, error) {
	return aa.adjudicator.newRun(ctx, aa.match, aa.seat, aa.letter)
}

// store stores the effect of the letter. The answer to a letter with an effect is always sent: it may bear the
// only valid token.
func (aa *addressAnswer) store(ctx context.Context, run *letterRun, answered rules.Seat) (exchange.Disposition, error) {
	if reflect.DeepEqual(aa.before, newSavedState(aa.match)) {
		run.before = &aa.before
	}
	c, err := run.change(ctx, answered)
	if err != nil {
		return "", err
	}
	c.Receipt = run.receipt(aa.letter, aa.letter.ReceiptDigest())
	return c.Receipt.Disposition, aa.adjudicator.Store.Apply(ctx, c)
}

// The errors of a change of address if no letter can be sent to the new or to the old address.
var (
	errNewUnreachable = errors.New("no letter can be sent to that address")
	errOldUnreachable = errors.New("no letter can be sent to the address that you have, to ask whether it is you")
)

// addressLetters writes the letters of notices. If a letter to an address fails, only the requests that need it
// fail.
func addressLetters(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat,
	notices []contact.Notice) ([]exchange.OutgoingLetter, error) {
	var out []exchange.OutgoingLetter
	for i, n := range notices {
		d, err := addressLetter(ctx, a, m, seat, n, i)
		if err != nil {
			return nil, err
		}
		if d.Raw, err = a.Post.Render(d); err == nil {
			out = append(out, d)
			continue
		}
		a.Log.WarnContext(ctx, "cannot notify an address", "match", m.ID, "seat", int(seat), "error", err)
		switch {
		case n.Kind == contact.AskNew:
			return nil, fmt.Errorf("%w: %w", errNewUnreachable, err)
		case n.IsRequired():
			return nil, fmt.Errorf("%w: %w", errOldUnreachable, err)
		}
	}
	return out, nil
}

// addressLetter writes a notice through the match where the change was requested, because its reader may know no other match.
func addressLetter(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, n contact.Notice,
	i int) (d exchange.OutgoingLetter, err error) {
	r, seatState := &n.Request, &m.Seats[seat]
	if r.Match != m.ID {
		if m, err = a.Store.Match(ctx, r.Match); err != nil {
			return d, err
		}
	}
	title, text := compose.AddressNotice(a.Post.Mark(), n, seatState.Player)
	d = exchange.OutgoingLetter{
		Addressee: exchange.Addressee{Match: m.ID, Seat: rules.NoSeat, To: n.To},
		Heading: exchange.Heading{Subject: compose.Subject(m, title, match.Capitalize(m.Game)),
			MessageID: a.Replies.ID("address", m.ID, fmt.Sprint(r.Seat), n.To, title, text,
				fmt.Sprint(seatState.Letters, seatState.Player.Serial, i))},
		Sending: exchange.Sending{Date: a.Now()},
		Content: exchange.Content{Body: text + a.Replies.Footer()},
	}
	switch n.Kind {
	case contact.AskNew:
		d.Token = a.Replies.TokenOf(a.Replies.RequestQuestion(r))
		d.HTML = a.Replies.RenderPage(d, string(letter.Yes))
	case contact.AskOld:
		d.Token = a.Replies.TokenOf(a.Replies.NoticeQuestion(r, n.To))
		d.MessageID = a.Replies.NoticeID(r, n.To)
		d.HTML = a.Replies.RenderPage(d, string(letter.Yes), compose.AddressKeep)
	case contact.Announce:
		// It belongs to no match, but can be answered as if it did.
		d.Token = a.Post.Token(seatState.Key, exchange.Token{Match: m.ID, Seat: seat, Number: noLetterNumber})
		d.MessageID = a.Replies.NoticeID(r, n.To)
		d.HTML = a.Replies.RenderPage(d, compose.AddressKeep)
	}
	return d, nil
}
