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

// receiveAddressAnswer handles an answer to a notice about a change of address. Such an answer has the token of the notice and comes from
// the address of the notice. isHandled is false for other letters.
func (a *Adjudicator) receiveAddressAnswer(ctx context.Context, incoming exchange.Letter) (disposition exchange.Disposition,
	isHandled bool, err error) {
	answer, err := readAddressAnswer(ctx, a, incoming)
	if answer == nil || err != nil {
		return "", false, err
	}
	if disposition, isRefused, err := a.Replies.RefuseUnauthenticated(ctx, incoming, incoming.From); isRefused || err != nil {
		return disposition, true, err
	}
	disposition, err = answer.carryOut(ctx)
	return disposition, true, err
}

// readAddressAnswer returns nil for letters that do not answer a notice about a change of address.
func readAddressAnswer(ctx context.Context, a *Adjudicator, incoming exchange.Letter) (*addressAnswer, error) {
	token := incoming.Token
	if token == nil || incoming.SignedBy == nil {
		return nil, nil
	}
	m, seatState, err := a.findTokenSeat(ctx, token.Match, token.Seat)
	if err != nil || seatState == nil {
		return nil, err
	}
	player := seatState.Player
	request := player.OpenRequest(a.Now())
	if request == nil || request.IsByOperator() || token.Match != request.Match || token.Seat != request.Seat {
		return nil, nil
	}
	answer := &addressAnswer{adjudicator: a, letter: incoming, match: m, seat: token.Seat, player: player, request: request,
		tokenExposed: incoming.HasOtherRecipients, before: captureState(m)}
	answer.fromNewAddress = contact.SameAddress(request.To, incoming.From) && a.Replies.IsAnswer(incoming,
		a.Replies.NewAddressQuestion(request))
	fromOldAddress := !request.NoticeTime.IsZero() && contact.SameAddress(player.Address, incoming.From) &&
		a.Replies.IsAnswer(incoming, a.Replies.OldAddressQuestion(request, player.Address))
	if !answer.fromNewAddress && !fromOldAddress {
		return nil, nil
	}
	// newRun expects a token of the seat. Other recipients have seen only the token of the notice, which has another key, so
	// the key of the seat need not change.
	answer.letter.Token = &exchange.Token{Match: m.ID, Seat: token.Seat, Number: seatState.LastLetter}
	answer.letter.HasOtherRecipients = false
	return answer, nil
}

func (aa *addressAnswer) carryOut(ctx context.Context) (exchange.Disposition, error) {
	markerLine := aa.adjudicator.Codec.MarkerLine()
	_, no := conversation.FindOrder(aa.letter, letter.No)
	_, yes := conversation.FindOrder(aa.letter, letter.Yes)
	switch {
	case aa.fromNewAddress && (yes || aa.request.NewAddressAgreed):
		return aa.handleNewConsent(ctx)
	case aa.fromNewAddress:
		// The writer may be a stranger, who gets one answer a day.
		return aa.askAgain(ctx, "Is this your address?", compose.FormatNote(markerLine, compose.NewAddressReminderText),
			aa.adjudicator.Replies.NewAddressQuestion(aa.request),
			aa.adjudicator.Replies.DailyDigest("new address"))
	case no:
		return aa.keepOldAddress(ctx, compose.KeepAddressOrder, "The request may have come from someone else who had one of your "+
			"letters. So our reply "+
			"address for you has changed: replies to older letters no longer count.")
	case yes:
		return aa.handleOldConsent(ctx)
	case aa.tokenExposed:
		// Anyone who has seen the token could say YES in the player's name.
		return aa.keepOldAddress(ctx, "", "Your answer also went to another address, and its reader could have said YES in your name. "+
			"If you did ask, please ask again. Our reply address for you has changed: replies to older letters no longer count.")
	}
	if !aa.adjudicator.Replies.AllowAnswerTo(ctx, aa.letter, fmt.Sprintf("seat %s %d", aa.match.ID, aa.seat), aa.player.Address) {
		return exchange.DispositionIgnored, nil
	}
	return aa.askAgain(ctx, "Did you ask for this?", compose.FormatNote(markerLine, compose.OldAddressReminderText),
		aa.adjudicator.Replies.OldAddressQuestion(aa.request, aa.letter.From), aa.letter.ReceiptDigest())
}

// askAgain repeats the question after a letter that says neither YES nor NO. It does so only once for each scope: the
// scope is the digest of the letter (one answer to each letter) or a digest of the day (one answer a day).
func (aa *addressAnswer) askAgain(ctx context.Context, title, text string, question conversation.Question,
	scope string) (exchange.Disposition, error) {
	outgoing := exchange.TextLetter(title, text)
	outgoing.Token = aa.adjudicator.Replies.TokenOf(question)
	return aa.adjudicator.Replies.AnswerOnce(ctx, aa.letter, conversation.NewDigest(scope, aa.letter.From, aa.match.ID,
		fmt.Sprint(aa.seat, aa.request.Serial)), exchange.DispositionRefused, outgoing)
}

func (aa *addressAnswer) handleNewConsent(ctx context.Context) (exchange.Disposition, error) {
	objectionStart, err := findObjectionStart(ctx, aa.adjudicator, aa.player)
	if err != nil {
		return "", err
	}
	event := contact.NewAddressConsent{KnownSince: objectionStart}
	next, notices, err := contact.Update(aa.player.Contact, event, aa.adjudicator.Now())
	if err != nil {
		return "", err
	}
	if next.Request != nil {
		return aa.announceDueTime(ctx, next, notices)
	}
	run, err := aa.newRun(ctx)
	if err == nil {
		err = updateContact(ctx, run, event, aa.adjudicator.Now())
	}
	if err != nil {
		return "", err
	}
	run.report("YES", match.OutcomeDone, compose.DescribeAddressDone(aa.request)+restUnreadNote)
	return aa.store(ctx, run, aa.seat)
}

// announceDueTime answers a letter from the new address that says YES. The answer names the time at which the change takes effect.
func (aa *addressAnswer) announceDueTime(ctx context.Context, next contact.Contact,
	notices []contact.Notice) (exchange.Disposition, error) {
	lastNotice := len(notices) - 1
	letters, err := writeAddressNotices(ctx, aa.adjudicator, aa.match, aa.seat, notices[:lastNotice])
	if err != nil {
		return exchange.DispositionIgnored, nil // The old address cannot be told, so nothing changes.
	}
	isRepeated, digest := aa.request.NewAddressAgreed, aa.letter.ReceiptDigest()
	change := exchange.Change{Receipt: aa.letter.Receipt(digest, exchange.DispositionDone, aa.adjudicator.Now()), Letters: letters}
	change.Receipt.Match, change.Receipt.Seat = aa.match.ID, aa.seat
	if !isRepeated {
		aa.player.Contact, change.Player = next, aa.player
	}
	outgoing, err := writeAddressNotice(ctx, aa.adjudicator, aa.match, aa.seat, notices[lastNotice], lastNotice)
	if err != nil {
		return "", err
	}
	// The number of answers to repeated letters is limited.
	if (!isRepeated || aa.adjudicator.Replies.AllowAnswer(ctx, "address "+contact.MailboxOf(aa.letter.From))) &&
		aa.adjudicator.Replies.AddressReply(ctx, aa.letter, digest, &outgoing) {
		change.Letters = append(change.Letters, outgoing)
	}
	return exchange.DispositionDone, aa.adjudicator.Store.Apply(ctx, change)
}

const restUnreadNote = " The rest of your letter was not read."

func (aa *addressAnswer) handleOldConsent(ctx context.Context) (exchange.Disposition, error) {
	run, err := aa.newRun(ctx)
	if err == nil {
		err = updateContact(ctx, run, contact.OldAddressConsent{}, aa.adjudicator.Now())
	}
	if err != nil {
		return "", err
	}
	switch {
	case aa.player.Request == nil && aa.request.Additional:
		run.report("YES", match.OutcomeDone, compose.DescribeAddressDone(aa.request)+restUnreadNote)
	case aa.player.Request == nil:
		// The reply goes to the new address, but this letter came from the old one.
		run.turn.ReportLine(run.execution.Seat, "", match.OutcomeDone, compose.AddressMovedText)
		return aa.store(ctx, run, rules.NoSeat)
	case aa.request.OldAddressAgreed:
		run.report("YES", match.OutcomeDone, "You have said so already. "+describeAddress(run)+restUnreadNote)
	default:
		run.report("YES", match.OutcomeDone, fmt.Sprintf("As soon as %s says YES too, %s.", aa.request.To,
			compose.DescribeAddressEffect(aa.request))+restUnreadNote)
	}
	return aa.store(ctx, run, aa.seat)
}

// keepOldAddress cancels the request. line is the order that the answer quotes: ADDRESS KEEP if the old address objects,
// and empty if the token was exposed. The key of the seat changes, because the request may come from a stranger who has
// a letter to the seat.
func (aa *addressAnswer) keepOldAddress(ctx context.Context, line, reason string) (exchange.Disposition, error) {
	if err := renewKey(aa.adjudicator, &aa.match.Seats[aa.seat]); err != nil {
		return "", err
	}
	run, err := aa.newRun(ctx)
	if err != nil {
		return "", err
	}
	result, err := keepOldAddress(ctx, run, " "+reason+restUnreadNote)
	if err != nil {
		return "", err
	}
	run.reportOutcome(line, result)
	return aa.store(ctx, run, aa.seat)
}

func (aa *addressAnswer) newRun(ctx context.Context) (*letterRun, error) {
	return aa.adjudicator.newRun(ctx, aa.match, aa.seat, aa.letter)
}

// store stores the effect of the letter. The answer to a letter with an effect is always sent, because the seat's
// only valid token may be in this answer.
func (aa *addressAnswer) store(ctx context.Context, run *letterRun, answered rules.Seat) (exchange.Disposition, error) {
	if reflect.DeepEqual(aa.before, captureState(aa.match)) {
		run.before = &aa.before
	}
	change, err := run.buildChange(ctx, answered)
	if err != nil {
		return "", err
	}
	change.Receipt = run.receipt(aa.letter, aa.letter.ReceiptDigest())
	return change.Receipt.Disposition, aa.adjudicator.Store.Apply(ctx, change)
}

// A change of address fails with one of these errors if we cannot send a letter to the new or to the old address.
var (
	errNewUnreachable = errors.New("no letter can be sent to that address")
	errOldUnreachable = errors.New("no letter can be sent to your present address, so we cannot ask there whether the request is yours")
)

// writeAddressNotices writes the letters of notices. A letter that cannot be written is an error only if the change of address requires it.
func writeAddressNotices(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat,
	notices []contact.Notice) ([]exchange.OutgoingLetter, error) {
	var out []exchange.OutgoingLetter
	for i, notice := range notices {
		outgoing, err := writeAddressNotice(ctx, a, m, seat, notice, i)
		if err != nil {
			return nil, err
		}
		if outgoing.Raw, err = a.Codec.Render(outgoing); err == nil {
			out = append(out, outgoing)
			continue
		}
		a.Log.WarnContext(ctx, "cannot write a notice about a change of address", "match", m.ID, "seat", int(seat), "error", err)
		switch {
		case notice.Kind == contact.NoticeAskNew:
			return nil, fmt.Errorf("%w: %w", errNewUnreachable, err)
		case notice.IsRequired():
			return nil, fmt.Errorf("%w: %w", errOldUnreachable, err)
		}
	}
	return out, nil
}

// writeAddressNotice writes a notice in the name of the match where the change was requested, because its reader may
// know no other match. index is the position of the notice in its list; the Message-ID depends on index.
func writeAddressNotice(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, notice contact.Notice,
	index int) (outgoing exchange.OutgoingLetter, err error) {
	request, seatState := &notice.Request, &m.Seats[seat]
	if request.Match != m.ID {
		if m, err = a.Store.Match(ctx, request.Match); err != nil {
			return outgoing, err
		}
	}
	title, text := compose.AddressNotice(a.Codec.MarkerLine(), notice, seatState.Player)
	outgoing = exchange.OutgoingLetter{
		Addressee: exchange.Addressee{Match: m.ID, Seat: rules.NoSeat, To: notice.To},
		Heading: exchange.Heading{Subject: compose.Subject(m, title, a.gameTopic(m)),
			MessageID: a.Replies.ID("address", m.ID, fmt.Sprint(request.Seat), notice.To, title, text,
				fmt.Sprint(seatState.LastLetter, seatState.Player.Serial, index))},
		Schedule: exchange.Schedule{Date: a.Now()},
		Content:  exchange.Content{Body: text + a.Replies.Footer()},
	}
	switch notice.Kind {
	case contact.NoticeAskNew:
		outgoing.Token = a.Replies.TokenOf(a.Replies.NewAddressQuestion(request))
		outgoing.HTML = a.Replies.RenderPage(outgoing, string(letter.Yes))
	case contact.NoticeAskOld:
		outgoing.Token = a.Replies.TokenOf(a.Replies.OldAddressQuestion(request, notice.To))
		outgoing.MessageID = a.Replies.NoticeID(request, notice.To)
		outgoing.HTML = a.Replies.RenderPage(outgoing, string(letter.Yes), compose.KeepAddressOrder)
	case contact.NoticeAnnounce:
		// The answer to this notice is handled like any letter of the seat.
		outgoing.Token = a.Codec.Token(seatState.Key, exchange.Token{Match: m.ID, Seat: seat, Number: noLetterNumber})
		outgoing.MessageID = a.Replies.NoticeID(request, notice.To)
		outgoing.HTML = a.Replies.RenderPage(outgoing, compose.KeepAddressOrder)
	}
	return outgoing, nil
}
