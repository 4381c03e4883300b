// Package conversation handles the correspondence with people who do not write as players of a match: observers, people who change their
// address, members and applicants of the club, and the director. It defines how an address is asked a question and when its YES is valid
// (question.go), and which letters are answered, how often, and with which receipt (this file). Packages adjudicator and clubmail use it.
//
// For example, OBSERVE struggle-400 from ada@example.org is answered by a letter to that address, with the token of
// an ObservingQuestion. If she replies YES within a week, she is an observer. If the same letter is delivered again,
// its receipt is found, and the letter has no effect. OBSERVE from the same address is answered again on the next
// day.
package conversation

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
	"samizdat/templates"
)

// ReplyConfig is the configuration of Replies.
type ReplyConfig struct {
	Store exchange.Store
	Codec exchange.Codec
	// Now returns the time. It must be safe for concurrent use.
	Now func() time.Time
	// Log may be nil.
	Log           *slog.Logger
	LetterOptions LetterOptions
	// OperatorAddress is the address of the operator, at the end of each letter; empty for none.
	OperatorAddress string
	// Director is the address of the director of matches and of the club; empty for none.
	Director string
	// ReplyLimits limits the answers to letters that had no effect; nil for no limit.
	ReplyLimits Limiter
}

// LetterOptions selects the parts of letters beside their text, for players who have not chosen a FORMAT, and the optional letters.
type LetterOptions struct {
	// HTML adds the same content as an HTML page.
	HTML bool `mapstructure:"html"`
	// Pictures adds a picture of the map, in games with a map.
	Pictures bool `mapstructure:"pictures"`
	// Confirmations is the delay of a letter that only confirms orders. If the reader gets a question during the
	// delay, the letter with the question replaces the confirmation. A confirmation without news is not sent, unless
	// the delay is 0.
	Confirmations time.Duration `mapstructure:"confirmations"`
	// Analysis adds a letter about the decisions of a finished match, in games whose robots can judge them.
	Analysis bool `mapstructure:"analysis"`
}

// Limiter limits how often an action is done for a person.
type Limiter interface {
	// Allow counts an action against two limits: the limit of name (for example a seat), and the limit of all persons
	// together, which reserves a part for each person. If the action would exceed a limit, Allow does not count it, and
	// returns the time until it is allowed.
	Allow(ctx context.Context, name, person string) (wait time.Duration)
}

const (
	// MaxFixedAnswersPerDay is the maximum number of times a day that an address gets the same fixed text.
	MaxFixedAnswersPerDay = 3
	// proofTimeout is how long a letter waits if its sender authentication cannot be checked. Then the letter is handled as
	// unauthenticated.
	proofTimeout = 48 * time.Hour
)

// Replies answers letters that belong to no seat, and letters without an effect.
type Replies struct{ *ReplyConfig }

// IsHandled reports whether a letter needs no further work: it was handled before, or lacks the required sender
// authentication. In the second case IsHandled sends a notice to the address to, the registered address of the writer.
// owner is the owner of the receipt, e.g. club-7.
func (r Replies) IsHandled(ctx context.Context, owner string, incoming exchange.Letter, to string) (disposition exchange.Disposition,
	isHandled bool, err error) {
	if disposition, isHandled, err = r.Store.Received(ctx, owner, rules.NoSeat, incoming.ReceiptDigest(), ""); err != nil || isHandled {
		return disposition, isHandled, err
	}
	return r.RefuseUnauthenticated(ctx, incoming, to)
}

// RefuseUnauthenticated refuses a letter with a valid token if it lacks the required sender authentication, and explains this in a
// letter to the registered address of the player. isRefused is false for other letters.
func (r Replies) RefuseUnauthenticated(ctx context.Context, incoming exchange.Letter, to string) (disposition exchange.Disposition,
	isRefused bool, err error) {
	if incoming.Authenticate == nil {
		return "", false, nil
	}
	isSigned, err := incoming.Authenticate(ctx)
	if err != nil && (incoming.ArrivedAt.IsZero() || r.Now().Sub(incoming.ArrivedAt) <= proofTimeout) {
		return "", false, fmt.Errorf("check the sender authentication of a letter: %w", err)
	}
	if err != nil {
		r.Log.WarnContext(ctx, "cannot check the sender authentication of a letter in time; it is refused", "uid", incoming.UID, "error", err)
	}
	if isSigned && err == nil {
		return "", false, nil
	}
	r.Log.InfoContext(ctx, "letter without the required sender authentication refused", "uid", incoming.UID)
	if incoming.Truncated {
		disposition, err = r.AnswerFixed(ctx, incoming, to, "too long", "Your letter was too long", compose.TooLongText(r.Codec.MarkerLine()))
	} else {
		disposition, err = r.AnswerFixed(ctx, incoming, to, "unproven", "Your letter was not signed", compose.UnprovenText(r.Codec.MarkerLine()))
	}
	return disposition, true, err
}

// ReceiptFor returns the receipt of a letter that belongs to no seat. The letter's bytes are not stored, so that forged letters
// cannot fill the disk.
func (r Replies) ReceiptFor(owner string, incoming exchange.Letter, disposition exchange.Disposition) *exchange.Receipt {
	receipt := r.newReceipt(incoming, incoming.ReceiptDigest(), disposition)
	if receipt.Match = owner; owner == "" {
		receipt.MessageID = "" // A receipt without an owner cannot be deleted on demand, so it holds no Message-ID.
	}
	return receipt
}

func (r Replies) newReceipt(incoming exchange.Letter, digest string, disposition exchange.Disposition) *exchange.Receipt {
	incoming.Raw = nil
	return incoming.Receipt(digest, disposition, r.Now())
}

// AnswerOnce answers a letter that belongs to no seat, once for each digest.
func (r Replies) AnswerOnce(ctx context.Context, incoming exchange.Letter, digest string, disposition exchange.Disposition,
	outgoing exchange.OutgoingLetter) (exchange.Disposition, error) {
	if earlier, isDuplicate, err := r.Store.Received(ctx, "", rules.NoSeat, digest, ""); err != nil || isDuplicate {
		return earlier, err
	}
	return r.answerWriter(ctx, incoming, outgoing, exchange.Change{Receipt: r.newReceipt(incoming, digest, disposition)})
}

// AnswerDaily answers a letter without a proven sender. Each address gets at most maximum answers of a kind in a day.
// outgoing is the answer, with subject, text and token. The answer is stored together with change.
func (r Replies) AnswerDaily(ctx context.Context, incoming exchange.Letter, maximum int, kind string, disposition exchange.Disposition,
	outgoing exchange.OutgoingLetter, change exchange.Change) (exchange.Disposition, error) {
	digest, isAllowed, err := r.countDaily(ctx, incoming, incoming.From, maximum, kind)
	if err != nil || !isAllowed {
		return exchange.DispositionIgnored, err
	}
	change.Receipt = r.newReceipt(incoming, digest, disposition)
	change.Receipt.MessageID = "" // As in ReceiptFor, a receipt without an owner has no Message-ID.
	return r.answerWriter(ctx, incoming, outgoing, change)
}

// answerWriter stores the answer to the writer of a letter. The number of answers to an address is limited, even if
// the letters name different matches.
func (r Replies) answerWriter(ctx context.Context, incoming exchange.Letter, outgoing exchange.OutgoingLetter,
	change exchange.Change) (exchange.Disposition, error) {
	outgoing.Body += r.Footer()
	if !r.AllowAnswer(ctx, "address "+contact.MailboxOf(incoming.From)) || !r.AddressReply(ctx, incoming, change.Receipt.Digest, &outgoing) {
		return exchange.DispositionIgnored, nil
	}
	change.Letters = append(change.Letters, outgoing)
	return change.Receipt.Disposition, r.Store.Apply(ctx, change)
}

// AnswerFixed answers with a fixed text, which must not mention any match, at most MaxFixedAnswersPerDay times a day,
// because the sender may be forged.
func (r Replies) AnswerFixed(ctx context.Context, incoming exchange.Letter, to, kind, title, text string) (exchange.Disposition, error) {
	outgoing := exchange.TextLetter(title, text)
	outgoing.InReplyTo = incoming.MessageID
	return r.WriteLimited(ctx, incoming, to, MaxFixedAnswersPerDay, []string{"fixed", kind}, outgoing)
}

// WriteLimited answers a letter without an effect at the address to, at most maximum times a day. Only earlier answers
// with the same kinds count.
func (r Replies) WriteLimited(ctx context.Context, incoming exchange.Letter, to string, maximum int, kinds []string,
	outgoing exchange.OutgoingLetter) (exchange.Disposition, error) {
	digest, isAllowed, err := r.countDaily(ctx, incoming, to, maximum, kinds...)
	if err != nil || !isAllowed || !r.AllowAnswer(ctx, "address "+contact.MailboxOf(to)) {
		return exchange.DispositionIgnored, err
	}
	return exchange.DispositionRefused, r.writeTo(ctx, incoming, to, digest, outgoing)
}

func (r Replies) writeTo(ctx context.Context, incoming exchange.Letter, to, digest string, outgoing exchange.OutgoingLetter) (err error) {
	outgoing.Seat, outgoing.To, outgoing.IsReply, outgoing.Date, outgoing.MessageID = rules.NoSeat, to, true, r.Now(), r.ID("answer", digest)
	outgoing.Body += r.Footer()
	if outgoing.Raw, err = r.Codec.Render(outgoing); err != nil {
		return err
	}
	return r.Store.Apply(ctx, exchange.Change{Receipt: r.newReceipt(incoming, digest, exchange.DispositionRefused),
		Letters: []exchange.OutgoingLetter{outgoing}})
}

// countDaily reports whether a letter is among the first maximum letters of its kind today for an address. It also
// returns the digest for the receipt, so that a repeated letter is not counted again.
func (r Replies) countDaily(ctx context.Context, incoming exchange.Letter, to string, maximum int, kinds ...string) (digest string,
	isAllowed bool, err error) {
	kinds = append(kinds, contact.MailboxOf(to), fmt.Sprint(r.Today()))
	digest = hex.EncodeToString(r.deriveKey("answered on a day", kinds...)[:12]) + "-"
	n, err := r.Store.CountReceipts(ctx, digest)
	if err != nil || n >= maximum {
		return "", false, err
	}
	if maximum > 1 {
		digest += incoming.ReceiptDigest()
	}
	_, isDuplicate, err := r.Store.Received(ctx, "", rules.NoSeat, digest, "")
	return digest, !isDuplicate, err
}

// AllowAnswer reports whether a letter without an effect may be answered, and counts the answer under name, e.g. a
// seat.
func (r Replies) AllowAnswer(ctx context.Context, name string) bool {
	return r.ReplyLimits == nil || r.ReplyLimits.Allow(ctx, name, name) == 0
}

// AllowAnswerTo reports whether a letter without an effect, from a person with the known address to, may be answered. It
// counts the answer under name and under this address. If the letter may not be answered, AllowAnswerTo sends a notice, at
// most once a day, that says when letters are answered again.
func (r Replies) AllowAnswerTo(ctx context.Context, incoming exchange.Letter, name, to string) bool {
	if r.ReplyLimits == nil {
		return true
	}
	wait := r.ReplyLimits.Allow(ctx, name, "address "+contact.MailboxOf(to))
	if wait == 0 {
		return true
	}
	digest, isAllowed, err := r.countDaily(ctx, incoming, to, 1, "too many")
	if err == nil && isAllowed {
		outgoing := exchange.TextLetter("Your letter was not answered", compose.TooManyText(r.Codec.MarkerLine(), r.Now().Add(wait)))
		outgoing.InReplyTo = incoming.MessageID
		err = r.writeTo(ctx, incoming, to, digest, outgoing)
	}
	if err != nil {
		r.Log.WarnContext(ctx, "cannot notify a writer that the letter gets no answer", "error", err)
	}
	return false
}

// AddressReply addresses outgoing to the sender of a letter, as its answer, and renders it. ok is false if the answer
// cannot be rendered, e.g. because of an invalid sender address.
func (r Replies) AddressReply(ctx context.Context, incoming exchange.Letter, digest string, outgoing *exchange.OutgoingLetter) (ok bool) {
	outgoing.Seat, outgoing.To, outgoing.Date, outgoing.IsReply, outgoing.InReplyTo = rules.NoSeat, incoming.From, r.Now(), true,
		incoming.MessageID
	outgoing.MessageID = r.ID("answer", digest)
	var err error
	if outgoing.Raw, err = r.Codec.Render(*outgoing); err != nil {
		r.Log.WarnContext(ctx, "cannot answer a letter of a stranger", "uid", incoming.UID, "error", err)
	}
	return err == nil
}

// RenderLetter renders a letter that belongs to no match, with its HTML page if withHTML is set. offers are orders, e.g. YES, for
// which the page has links that reply with the order.
func (r Replies) RenderLetter(outgoing *exchange.OutgoingLetter, withHTML bool, offers ...string) (err error) {
	outgoing.Seat, outgoing.Date, outgoing.Body = rules.NoSeat, r.Now(), outgoing.Body+r.Footer()
	if outgoing.Token != "" && withHTML {
		outgoing.HTML = r.RenderPage(*outgoing, offers...)
	}
	outgoing.Raw, err = r.Codec.Render(*outgoing)
	return err
}

// FormatNote formats the text of a short letter: our marker line ("Write above this line"), and the paragraphs.
func (r Replies) FormatNote(paragraphs ...string) string {
	return compose.FormatNote(r.Codec.MarkerLine(), paragraphs...)
}

// RenderPage returns the HTML page of a short letter with a token; "" if the operator has switched pages off. offers are
// orders, e.g. YES, for which the page has links that reply with the order.
func (r Replies) RenderPage(outgoing exchange.OutgoingLetter, offers ...string) string {
	if !r.LetterOptions.HTML {
		return ""
	}
	to, subject := r.Codec.ReplyAddress(outgoing)
	return templates.Page(outgoing.Subject, outgoing.Body, templates.Reply{To: to, Subject: subject}, offers...)
}

// Footer returns the last lines of a short letter: the address of the operator.
func (r Replies) Footer() string {
	if r.OperatorAddress == "" {
		return ""
	}
	return "\n" + templates.Wrap(templates.ContactSentence(r.OperatorAddress)) + "\n"
}

// ReportLine reports the outcome of a line of a letter.
func ReportLine(text string, outcome match.LineOutcome, note string) templates.Line {
	return templates.Line{Text: letter.Shorten(text), Outcome: string(outcome), Remark: note}
}

// FindOrder finds an order in a letter of a person outside a match, e.g. OBSERVE struggle-400.
func FindOrder(incoming exchange.Letter, word letter.Word) (letter.Command, bool) {
	if incoming.IsTooLong() {
		return letter.Command{}, false
	}
	return letter.FindCommandInLetter(incoming.Text, incoming.Subject, word)
}
