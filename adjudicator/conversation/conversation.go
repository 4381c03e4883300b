// Package conversation is the protocol of letters from people who do not write as players of a match: observers, people
// who change their address, members and applicants of the club, and the director. It defines how an address is asked a
// question and when its YES counts (question.go), and which letters are answered, how often, and with which receipt
// (this file).
//
// For example: OBSERVE struggle-400 from ada@example.org makes a letter to that address with the token of an
// ObservingQuestion. YES in reply to it, within a week, makes her an observer. The same letter a second time is found by
// its receipt and has no effect. OBSERVE from the same address is answered again on the next day.
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
	// Post makes addresses and messages; the mail side implements it.
	Post exchange.Post
	// Now returns the time. Several goroutines call it at once.
	Now func() time.Time
	// Log may be nil.
	Log *slog.Logger
	// Letters selects what a letter has beside its text.
	Letters Letters
	// Contact is the address of the operator, which is at the end of every letter; empty for none.
	Contact string
	// Director is the address of the director of matches and of the club; empty for none.
	Director string
	// ReplyLimits limits the answers to letters that had no effect; nil for no limit.
	ReplyLimits Limiter
}

// Letters selects what a letter has beside its text, for players who have not chosen a FORMAT.
type Letters struct {
	// HTML adds the same content as an HTML page.
	HTML bool `mapstructure:"html"`
	// Pictures adds the map of games that draw one.
	Pictures bool `mapstructure:"pictures"`
	// Confirmations is how long a letter that only confirms is held back. If its reader is asked a question before that, the letter
	// with the question contains the confirmation. A confirmation without news is not sent at all, unless this is 0.
	Confirmations time.Duration `mapstructure:"confirmations"`
}

// Limiter limits how often an action is done for a person.
type Limiter interface {
	// Allow takes one permission for the key name, for example a seat, and one from the common supply, in which each person has a
	// share. If no permission is left, it takes none and returns the time until the next.
	Allow(ctx context.Context, name, person string) (wait time.Duration)
}

const (
	// MaxFixedAnswers is the number of letters in a day that are answered with the same fixed text.
	MaxFixedAnswers = 3
	// proofTimeout is how long a letter waits until its signature can be checked. Then it counts as unsigned.
	proofTimeout = 48 * time.Hour
)

// Replies answers letters that belong to no seat, and letters without an effect.
type Replies struct{ *ReplyConfig }

// IsHandled reports whether a letter needs no further work: it was handled before, or lacks the signature that the operator requires.
// owner is the owner of the receipt, e.g. club-7. to is the registered address of the writer; a letter to it reports a missing
// signature.
func (r Replies) IsHandled(ctx context.Context, owner string, l exchange.Letter, to string) (d exchange.Disposition, handled bool,
	err error) {
	if d, handled, err = r.Store.Received(ctx, owner, rules.NoSeat, l.ReceiptDigest(), ""); err != nil || handled {
		return d, handled, err
	}
	return r.RefuseUnauthenticated(ctx, l, to)
}

// RefuseUnauthenticated reports whether a letter with a genuine token lacks the required signature. It then writes to the registered
// address of the player.
func (r Replies) RefuseUnauthenticated(ctx context.Context, l exchange.Letter, to string) (d exchange.Disposition, ok bool, err error) {
	if l.Authenticate == nil {
		return "", false, nil
	}
	proven, err := l.Authenticate(ctx)
	if err != nil && (l.Arrived.IsZero() || r.Now().Sub(l.Arrived) <= proofTimeout) {
		return "", false, fmt.Errorf("look for the proof of a letter's sender: %w", err)
	}
	if err != nil {
		r.Log.WarnContext(ctx, "the signature of a letter could not be checked in time", "uid", l.UID, "error", err)
	}
	if proven && err == nil {
		return "", false, nil
	}
	r.Log.InfoContext(ctx, "letter without the required proof refused", "uid", l.UID)
	if l.Truncated {
		d, err = r.AnswerFixed(ctx, l, to, "too long", "Your letter was too long", compose.TooLongText(r.Post.Mark()))
	} else {
		d, err = r.AnswerFixed(ctx, l, to, "unproven", "Your letter was not signed", compose.UnprovenText(r.Post.Mark()))
	}
	return d, true, err
}

// Receipt returns the receipt of a letter that belongs to no seat. The letter's bytes are not stored, so that forged letters
// cannot fill the disk.
func (r Replies) Receipt(owner string, l exchange.Letter, d exchange.Disposition) *exchange.Receipt {
	out := r.receipt(l, l.ReceiptDigest(), d)
	if out.Match = owner; owner == "" {
		out.MessageID = "" // A receipt without an owner cannot be deleted on demand, so it holds no Message-ID.
	}
	return out
}

func (r Replies) receipt(l exchange.Letter, digest string, d exchange.Disposition) *exchange.Receipt {
	l.Raw = nil
	return l.Receipt(digest, d, r.Now())
}

// AnswerOnce answers a letter that belongs to no seat, once for each digest.
func (r Replies) AnswerOnce(ctx context.Context, l exchange.Letter, digest string, disposition exchange.Disposition,
	d exchange.OutgoingLetter) (exchange.Disposition, error) {
	if earlier, twice, err := r.Store.Received(ctx, "", rules.NoSeat, digest, ""); err != nil || twice {
		return earlier, err
	}
	return r.answerWriter(ctx, l, d, exchange.Change{Receipt: r.receipt(l, digest, disposition)})
}

// AnswerDaily answers a letter whose sender is not proven, at most maximum letters of a kind in a day, and stores a change with the
// answer. outgoing has subject, text and token.
func (r Replies) AnswerDaily(ctx context.Context, l exchange.Letter, maximum int, kind string, disposition exchange.Disposition,
	d exchange.OutgoingLetter, c exchange.Change) (exchange.Disposition, error) {
	digest, isAllowed, err := r.countDaily(ctx, l, l.From, maximum, kind)
	if err != nil || !isAllowed {
		return exchange.Ignored, err
	}
	c.Receipt = r.receipt(l, digest, disposition)
	c.Receipt.MessageID = "" // for the reason in Receipt
	return r.answerWriter(ctx, l, d, c)
}

// answerWriter stores the answer to the writer of a letter. The number of answers to an address is limited, even if
// the letters name different matches.
func (r Replies) answerWriter(ctx context.Context, l exchange.Letter, d exchange.OutgoingLetter,
	c exchange.Change) (exchange.Disposition, error) {
	d.Body += r.Footer()
	if !r.CountAnswer(ctx, "address "+contact.MailboxOf(l.From)) || !r.AddressReply(ctx, l, c.Receipt.Digest, &d) {
		return exchange.Ignored, nil
	}
	c.Letters = append(c.Letters, d)
	return c.Receipt.Disposition, r.Store.Apply(ctx, c)
}

// AnswerFixed answers with a text that reveals nothing about matches, a few times a day. The sender may be forged, so
// the answers must not become a flood.
func (r Replies) AnswerFixed(ctx context.Context, l exchange.Letter, to, kind, title, text string) (exchange.Disposition, error) {
	d := exchange.TextLetter(title, text)
	d.InReplyTo = l.MessageID
	return r.WriteLimited(ctx, l, to, MaxFixedAnswers, []string{"fixed", kind}, d)
}

// WriteLimited writes to an address because of a letter without an effect, at most a number of letters of a kind in a
// day.
func (r Replies) WriteLimited(ctx context.Context, l exchange.Letter, to string, maximum int, kinds []string,
	d exchange.OutgoingLetter) (exchange.Disposition, error) {
	digest, isAllowed, err := r.countDaily(ctx, l, to, maximum, kinds...)
	if err != nil || !isAllowed || !r.CountAnswer(ctx, "address "+contact.MailboxOf(to)) {
		return exchange.Ignored, err
	}
	return exchange.Refused, r.writeTo(ctx, l, to, digest, d)
}

// writeTo writes to an address because of a letter without an effect.
func (r Replies) writeTo(ctx context.Context, l exchange.Letter, to, digest string, d exchange.OutgoingLetter) (err error) {
	d.Seat, d.To, d.Reply, d.Date, d.MessageID = rules.NoSeat, to, true, r.Now(), r.ID("answer", digest)
	d.Body += r.Footer()
	if d.Raw, err = r.Post.Render(d); err != nil {
		return err
	}
	return r.Store.Apply(ctx, exchange.Change{Receipt: r.receipt(l, digest, exchange.Refused), Letters: []exchange.OutgoingLetter{d}})
}

// countDaily reports whether a letter is among the first of its kind in a day for an address. It returns the digest for the receipt; a
// repeated letter is not counted again.
func (r Replies) countDaily(ctx context.Context, l exchange.Letter, to string, maximum int, kinds ...string) (digest string,
	isAllowed bool, err error) {
	kinds = append(kinds, contact.MailboxOf(to), fmt.Sprint(r.Today()))
	digest = hex.EncodeToString(r.key("answered on a day", kinds...)[:12]) + "-"
	n, err := r.Store.CountReceipts(ctx, digest)
	if err != nil || n >= maximum {
		return "", false, err
	}
	if maximum > 1 {
		digest += l.ReceiptDigest()
	}
	_, twice, err := r.Store.Received(ctx, "", rules.NoSeat, digest, "")
	return digest, !twice, err
}

// CountAnswer reports whether a letter without an effect is answered, and counts the answer for a person, e.g. a seat.
func (r Replies) CountAnswer(ctx context.Context, name string) bool {
	return r.ReplyLimits == nil || r.ReplyLimits.Allow(ctx, name, name) == 0
}

// CountAnswerTo works like CountAnswer for a person with a known address. A refused person is told once a day, with
// the time from which answers are sent again.
func (r Replies) CountAnswerTo(ctx context.Context, l exchange.Letter, name, to string) bool {
	if r.ReplyLimits == nil {
		return true
	}
	wait := r.ReplyLimits.Allow(ctx, name, "address "+contact.MailboxOf(to))
	if wait == 0 {
		return true
	}
	digest, isAllowed, err := r.countDaily(ctx, l, to, 1, "too many")
	if err == nil && isAllowed {
		d := exchange.TextLetter("Your letter was not answered", compose.TooManyText(r.Post.Mark(), r.Now().Add(wait)))
		d.InReplyTo = l.MessageID
		err = r.writeTo(ctx, l, to, digest, d)
	}
	if err != nil {
		r.Log.WarnContext(ctx, "cannot notify a writer that the letter gets no answer", "error", err)
	}
	return false
}

// AddressReply makes outgoing the answer to a letter; ok is false if the sender cannot be answered.
func (r Replies) AddressReply(ctx context.Context, l exchange.Letter, digest string, d *exchange.OutgoingLetter) (ok bool) {
	d.Seat, d.To, d.Date, d.Reply, d.InReplyTo = rules.NoSeat, l.From, r.Now(), true, l.MessageID
	d.MessageID = r.ID("answer", digest)
	var err error
	if d.Raw, err = r.Post.Render(*d); err != nil {
		r.Log.WarnContext(ctx, "cannot answer a letter of a stranger", "uid", l.UID, "error", err)
	}
	return err == nil
}

// RenderLetter renders a letter that belongs to no match, with its HTML page if withHTML is set. Orders in offers become links.
func (r Replies) RenderLetter(d *exchange.OutgoingLetter, pages bool, offers ...string) (err error) {
	d.Seat, d.Date, d.Body = rules.NoSeat, r.Now(), d.Body+r.Footer()
	if d.Token != "" && pages {
		d.HTML = r.RenderPage(*d, offers...)
	}
	d.Raw, err = r.Post.Render(*d)
	return err
}

// FormatNote formats paragraphs below the mark of our letters.
func (r Replies) FormatNote(paragraphs ...string) string {
	return compose.Note(r.Post.Mark(), paragraphs...)
}

// RenderPage returns the HTML page of a short letter with a token, if pages are sent. Orders in offers become links.
func (r Replies) RenderPage(d exchange.OutgoingLetter, offers ...string) string {
	if !r.Letters.HTML {
		return ""
	}
	to, subject := r.Post.Answer(d)
	return templates.Page(d.Subject, d.Body, templates.Reply{To: to, Subject: subject}, offers...)
}

// Footer returns the last lines of a short letter: the address of the operator.
func (r Replies) Footer() string {
	if r.Contact == "" {
		return ""
	}
	return "\n" + templates.Wrap(templates.Questions(r.Contact)) + "\n"
}

// ReportLine reports the outcome of a line of a letter.
func ReportLine(text string, outcome match.Outcome, note string) templates.Line {
	return templates.Line{Text: letter.Echo(text), Outcome: string(outcome), Note: note}
}

// FindOrder finds an order in a letter of a person outside a match, e.g. OBSERVE struggle-400.
func FindOrder(l exchange.Letter, word letter.Word) (letter.Command, bool) {
	if l.TooLong() {
		return letter.Command{}, false
	}
	return letter.FindCommand(l.Orders, l.Subject, word)
}
