// Package conversation answers letters that belong to no seat, or that have changed nothing: to which address,
// how often, and with which keys. Players, observers, members of the club and the director are answered by the same
// rules.
package conversation

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
	"samizdat/templates"
)

// ReplyConfig is what Replies work with.
type ReplyConfig struct {
	Store exchange.Store
	// Post makes addresses and messages; the mail side fulfils it.
	Post exchange.Post
	// Now is the clock, asked from several goroutines at once.
	Now func() time.Time
	// Log may be nil.
	Log *slog.Logger
	// Letters is what letters are beside their text.
	Letters Letters
	// Contact is the address of the operator, whom players may ask; empty for nobody. It
	// stands at the foot of every letter.
	Contact string
	// Director is the address of whoever directs matches by mail; empty for nobody.
	Director string
	// Answers bounds the answers to letters that did nothing; nil is no bound.
	Answers Limiter
}

// Replies answer letters that belong to no seat, or that have done nothing: to whom, how often, with which keys.
type Replies struct{ *ReplyConfig }

// Twice reports whether a letter of no seat was taken up already, and what became of it.
// Whose says to whom its receipt belongs.
func (r Replies) Twice(ctx context.Context, whose string, l exchange.Letter) (exchange.Disposition, bool, error) {
	return r.Store.Received(ctx, whose, rules.NoSeat, l.ReceiptDigest(), "")
}

// Receipt is the receipt of a letter of no seat. Its bytes are not kept.
func (r Replies) Receipt(whose string, l exchange.Letter, d exchange.Disposition) *exchange.Receipt {
	l.Raw = nil
	out := l.Receipt(l.ReceiptDigest(), d, r.Now())
	if out.Match = whose; whose == "" {
		out.MessageID = "" // Nobody could find it again to forget whose it was.
	}
	return out
}

// Once answers a letter of no seat, once for each digest.
func (r Replies) Once(ctx context.Context, l exchange.Letter, digest string, as exchange.Disposition, d exchange.Dispatch) (exchange.Disposition, error) {
	if was, twice, err := r.Store.Received(ctx, "", rules.NoSeat, digest, ""); err != nil || twice {
		return was, err
	}
	// Each of many names of matches is another letter: one address gets only so many.
	d.Body += r.Foot()
	if !r.MayAnswer(ctx, "address "+contact.MailboxOf(l.From)) || !r.Address(ctx, l, digest, &d) {
		return exchange.Ignored, nil
	}
	l.Raw = nil // As in Fixed.
	return as, r.Store.Apply(ctx, exchange.Change{Receipt: l.Receipt(digest, as, r.Now()), Letters: []exchange.Dispatch{d}})
}

// SomeADay answers a letter whose sender has proved nothing: of each sort at most so many a day. The
// dispatch has its subject, text and token.
func (r Replies) SomeADay(ctx context.Context, l exchange.Letter, most int, sort string, as exchange.Disposition, d exchange.Dispatch, c exchange.Change) (exchange.Disposition, error) {
	digest, may, err := r.Few(ctx, l, l.From, most, sort)
	if err != nil || !may {
		return exchange.Ignored, err
	}
	d.Body += r.Foot()
	if !r.MayAnswer(ctx, "address "+contact.MailboxOf(l.From)) || !r.Address(ctx, l, digest, &d) {
		return exchange.Ignored, nil
	}
	l.Raw, l.MessageID = nil, "" // As in Fixed, and as in Receipt.
	c.Receipt, c.Letters = l.Receipt(digest, as, r.Now()), append(c.Letters, d)
	return as, r.Store.Apply(ctx, c)
}

// Fixed answers with a text that says nothing of any match. The sender may be
// forged: some answers a day of each sort to an address are enough for whoever wrote
// himself, and no tool against whoever did not.
func (r Replies) Fixed(ctx context.Context, l exchange.Letter, to, sort, title, text string) (exchange.Disposition, error) {
	d := exchange.TextLetter(title, text)
	d.InReplyTo = l.MessageID
	return r.Limited(ctx, l, to, MostFixed, []string{"fixed", sort}, d)
}

// Limited writes to an address because of a letter that has done nothing, at most so often a day of each sort.
func (r Replies) Limited(ctx context.Context, l exchange.Letter, to string, most int, sort []string, d exchange.Dispatch) (exchange.Disposition, error) {
	digest, may, err := r.Few(ctx, l, to, most, sort...)
	if err != nil || !may || !r.MayAnswer(ctx, "address "+contact.MailboxOf(to)) {
		return exchange.Ignored, err
	}
	return exchange.Refused, r.To(ctx, l, to, digest, d)
}

// To writes to an address because of a letter that has done nothing.
func (r Replies) To(ctx context.Context, l exchange.Letter, to, digest string, d exchange.Dispatch) (err error) {
	d.Seat, d.To, d.Reply, d.Date, d.MessageID = rules.NoSeat, to, true, r.Now(), r.ID("answer", digest)
	d.Body += r.Foot()
	if d.Raw, err = r.Post.Render(d); err != nil {
		return err
	}
	l.Raw = nil // Whoever forges senders must not fill the disk; its digest is kept.
	return r.Store.Apply(ctx, exchange.Change{Receipt: l.Receipt(digest, exchange.Refused, r.Now()), Letters: []exchange.Dispatch{d}})
}

// Few reports whether a letter that has done nothing is among the first of a day, of a sort, for which an address
// is written to. The digest is that of its receipt: a letter that comes again is none of them.
func (r Replies) Few(ctx context.Context, l exchange.Letter, to string, most int, sort ...string) (digest string, may bool, err error) {
	sort = append(sort, contact.MailboxOf(to), fmt.Sprint(r.Today()))
	digest = hex.EncodeToString(r.Key("answered on a day", sort...)[:12]) + "-"
	n, err := r.Store.ReceivedLike(ctx, digest)
	if err != nil || n >= most {
		return "", false, err
	}
	if most > 1 {
		digest += l.ReceiptDigest()
	}
	_, twice, err := r.Store.Received(ctx, "", rules.NoSeat, digest, "")
	return digest, !twice, err
}

// MayAnswer reports whether somebody whose letter did nothing is answered, and counts it.
func (r Replies) MayAnswer(ctx context.Context, who string) bool {
	return r.Answers == nil || r.Answers.Allow(ctx, who, who) == 0
}

// MayAnswerTo is MayAnswer for somebody whose address we know. When he is refused he reads it, once a day, with when
// to write again.
func (r Replies) MayAnswerTo(ctx context.Context, l exchange.Letter, who, to string) bool {
	if r.Answers == nil {
		return true
	}
	wait := r.Answers.Allow(ctx, who, "address "+contact.MailboxOf(to))
	if wait == 0 {
		return true
	}
	digest, may, err := r.Few(ctx, l, to, 1, "too many")
	if err == nil && may {
		d := exchange.TextLetter("Your letter was not answered", compose.TooManyText(r.Post.Mark(), r.Now().Add(wait)))
		d.InReplyTo = l.MessageID
		err = r.To(ctx, l, to, digest, d)
	}
	if err != nil {
		r.Log.WarnContext(ctx, "it cannot be told that a letter is not answered", "error", err)
	}
	return false
}

// Proven asks for the proof that the operator demands beside the token.
func (r Replies) Proven(ctx context.Context, l exchange.Letter) (bool, error) {
	if l.Proven == nil {
		return true, nil
	}
	ok, err := l.Proven(ctx)
	if err != nil && !l.Arrived.IsZero() && r.Now().Sub(l.Arrived) > proofTimeout {
		r.Log.WarnContext(ctx, "it could not be told in time whether a letter is signed", "uid", l.UID, "error", err)
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for the proof of a letter's sender: %w", err)
	}
	return ok, nil
}

// Unproven answers a letter that has a good token but not the proof that is
// demanded beside it, to the registered address.
func (r Replies) Unproven(ctx context.Context, l exchange.Letter, to string) (exchange.Disposition, error) {
	r.Log.InfoContext(ctx, "letter without the proof that is demanded refused", "uid", l.UID)
	if l.TooBig {
		return r.Fixed(ctx, l, to, "too long", "Your letter was too long", compose.TooLongText(r.Post.Mark()))
	}
	return r.Fixed(ctx, l, to, "unproven", "Your letter was not signed", compose.UnprovenText(r.Post.Mark()))
}

// Proves reports whether a letter has the proof that is demanded beside the token. One that has
// not is answered, if at all, and done with.
func (r Replies) Proves(ctx context.Context, l exchange.Letter, to string) (is bool, d exchange.Disposition, err error) {
	if is, err = r.Proven(ctx, l); err != nil || is {
		return is, "", err
	}
	d, err = r.Unproven(ctx, l, to)
	return false, d, err
}

// Address makes a dispatch the answer to a letter. A sender whom no message can be
// addressed to gets none.
func (r Replies) Address(ctx context.Context, l exchange.Letter, digest string, d *exchange.Dispatch) (ok bool) {
	d.Seat, d.To, d.Date, d.Reply, d.InReplyTo = rules.NoSeat, l.From, r.Now(), true, l.MessageID
	d.MessageID = r.ID("answer", digest)
	var err error
	if d.Raw, err = r.Post.Render(*d); err != nil {
		r.Log.WarnContext(ctx, "a letter of a stranger cannot be answered", "uid", l.UID, "error", err)
	}
	return err == nil
}

// Write renders a letter of no match, with the page that says the same. Each of the orders that
// its text offers is a link there.
func (r Replies) Write(d *exchange.Dispatch, pages bool, offers ...string) (err error) {
	d.Seat, d.Date, d.Body = rules.NoSeat, r.Now(), d.Body+r.Foot()
	if d.Token != "" && pages {
		d.HTML = r.Page(*d, offers...)
	}
	d.Raw, err = r.Post.Render(*d)
	return err
}

// Note lays a short text out below the mark that stands above everything that we write: a
// paragraph a line.
func (r Replies) Note(paragraphs ...string) string { return compose.Note(r.Post.Mark(), paragraphs...) }

// Page lays a short letter with a token out as a page, where pages are sent. Each of the
// orders that its text offers is a link.
func (r Replies) Page(d exchange.Dispatch, offers ...string) string {
	if !r.Letters.HTML {
		return ""
	}
	to, subject := r.Post.Answer(d)
	return templates.Page(d.Subject, d.Body, templates.Reply{To: to, Subject: subject}, offers...)
}

// ReplyTo is where an answer to a letter with a token goes.
func (r Replies) ReplyTo(d exchange.Dispatch) templates.Reply {
	to, subject := r.Post.Answer(d)
	return templates.Reply{To: to, Subject: subject}
}

// Foot ends a short letter of ours: whom its reader may ask.
func (r Replies) Foot() string {
	if r.Contact == "" {
		return ""
	}
	return "\n" + templates.Wrap(templates.Questions(r.Contact)) + "\n"
}

// Key derives a key for tokens from the store's secret. What is it for keeps it apart from
// all others.
func (r Replies) Key(what string, parts ...string) []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	fmt.Fprintf(h, "%s\x00%q", what, parts)
	return h.Sum(nil)
}

// ID is the Message-ID of a short letter, made of what tells it apart from others.
// Its reader knows much of that and could find the rest by trial, such as how many
// letters a seat has had, if no key of ours went into it.
func (r Replies) ID(sort string, parts ...string) string {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	fmt.Fprintf(h, "letter id\x00%q %q", sort, parts)
	return sort + "-" + hex.EncodeToString(h.Sum(nil)[:12]) + "@" + r.Post.Domain()
}

// AnswerID is the Message-ID of the answer to a letter of no seat.
func (r Replies) AnswerID(l exchange.Letter) string { return r.ID("answer", l.ReceiptDigest()) }

// DirectorKey is the key of the tokens in letters to the director.
func (r Replies) DirectorKey() []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	h.Write([]byte("director\x00" + contact.LowerASCII(r.Director)))
	return h.Sum(nil)
}

// ObserverKey is the key of the tokens in letters to an address.
func (r Replies) ObserverKey(address string) []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	h.Write([]byte("observer\x00" + contact.LowerASCII(address)))
	return h.Sum(nil)
}

// RequestKey is the key of the token in the letter that asks a new address. It is
// another one for every request, so that no answer counts twice.
func (r Replies) RequestKey(q *contact.Request) []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	fmt.Fprintf(h, "address\x00%s\x00%d\x00%d\x00%t\x00%s", q.Match, q.Seat, q.Serial, q.Additional, q.To)
	return h.Sum(nil)
}

// NoticeKey is the key of the token in the letter that asks the old address. No other
// letter has it: who has seen another letter cannot answer this one.
func (r Replies) NoticeKey(q *contact.Request, old string) []byte {
	h := hmac.New(sha256.New, r.RequestKey(q))
	fmt.Fprintf(h, "notice\x00%s", contact.LowerASCII(old))
	return h.Sum(nil)
}

// NoticeID is the Message-ID of the letter that tells the old address of a request. By
// it the letter is found again, and nobody else's letter to that address.
func (r Replies) NoticeID(q *contact.Request, old string) string {
	return r.ID("address", "notice", q.Match, fmt.Sprint(q.Seat), fmt.Sprint(q.Serial), contact.LowerASCII(old))
}

// Today numbers the days.
func (r Replies) Today() int64 { return r.Now().UTC().Unix() / (24 * 60 * 60) }

// Daily is the digest of a receipt that an address gets once a day.
func (r Replies) Daily(what string, more ...string) string {
	return DigestOf(what, fmt.Sprint(r.Today()), fmt.Sprint(more))
}

// Letters is what letters are beside their text, for players who do not ask for
// something else.
type Letters struct {
	// HTML adds a page that says the same.
	HTML bool `mapstructure:"html"`
	// Pictures adds the map of games that draw one.
	Pictures bool `mapstructure:"pictures"`
	// Confirmations is for how long a letter waits that only confirms: if its reader is asked
	// something meanwhile, that letter tells all of it. Those that tell nothing new are not
	// sent at all, unless they need not wait.
	Confirmations time.Duration `mapstructure:"confirmations"`
}

// Limiter bounds how often something is done for somebody.
type Limiter interface {
	// Allow takes one permission of who, such as a seat, and one of those that all have together, of which each person has a
	// share. Where there is none left it takes none, and wait is for how long.
	Allow(ctx context.Context, who, person string) (wait time.Duration)
}

// proofTimeout is for how long a letter waits until it can be told whether it
// is signed. Then it counts as not signed.
const proofTimeout = 48 * time.Hour

// MostFixed is how many letters of a day are answered with the same fixed text.
const MostFixed = 3

// DigestOf is the digest of a receipt, made of what tells it apart from others.
func DigestOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%q ", p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Asks finds a command in a letter of a person who need not play, such as OBSERVE struggle-400.
func Asks(l exchange.Letter, word letter.Word) (letter.Command, bool) {
	if l.TooLong() {
		return letter.Command{}, false
	}
	return letter.Find(l.Orders, l.Subject, word)
}
