package post

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/mail"
	"samizdat/mail/message"
)

// Read reads a received message.
func (c Codec) Read(r mail.Received) exchange.Letter {
	sum := sha256.Sum256(r.Raw)
	p := message.Read(r.Raw)
	orders := message.ReadOrders(p.Text, message.Referee{Addresses: []string{c.Address}, Names: []string{c.Name}})
	l := exchange.Letter{
		Header:  exchange.Header{Subject: p.Subject, MessageID: p.MessageID, Date: p.Date, References: p.References},
		Written: exchange.Written{Orders: orders.Text, Beneath: orders.Beneath, TooBig: r.Truncated || orders.TooLong, Problems: p.Problems},
		Delivery: exchange.Delivery{Digest: hex.EncodeToString(sum[:]), Raw: r.Raw, Arrived: r.Arrived, UIDValidity: r.UIDValidity,
			UID: r.UID},
		Auto: message.WithoutAddresses(p.Auto),
	}
	for _, d := range orders.Doubtful {
		l.Problems = append(l.Problems, fmt.Sprintf("This line stands in a quoted letter, below a signature and a quote, or reads like one "+
			"that a mail program adds, and was left out: %s. If it is an order, please send it again in a new letter without quotes.", d))
	}
	for _, b := range orders.Below {
		l.Below = append(l.Below, exchange.Below(b))
	}
	l.Name = p.AuthorName
	if l.From = p.Author; c.ours(l.From) || l.From == "" && slices.ContainsFunc(p.From, c.ours) {
		// A letter of ours that came back, or somebody who says that he is us.
		l.From, l.Auto = "", "From: the referee"
	}
	if c.Proof != nil {
		l.Proven = func(ctx context.Context) (bool, error) {
			if r.Truncated {
				return false, nil // What came is not what was signed: see TooBig.
			}
			return c.Proof(ctx, r.Raw, p)
		}
	}
	if report, ok := p.Report(c.Address); ok {
		l.Bounce = bounce(report)
		if id := report.Letter; id != nil {
			t := token(id.LetterName)
			l.Token, l.Genuine = &t, id.Valid
		}
		return l
	}
	// Whoever cannot be read may be anybody.
	l.Shared = p.Unread
	for _, to := range slices.Concat(p.To, p.Cc, p.Bcc) {
		l.Shared = l.Shared || !c.ours(to) && to != l.From
	}
	if c.InSubject {
		p = message.AddSubjectTokens(p, c.Address)
	}
	c.tokens(&l, p)
	for _, f := range message.FindQuotedFooters(p.Text) {
		if t := l.Token; t != nil && f.Match == t.Match && f.Number == t.Number {
			l.Shown = f.Head
		}
	}
	return l
}

func bounce(r message.Report) *exchange.Bounce {
	return &exchange.Bounce{Hard: r.Failure == message.HardFailure, Own: r.Failure == message.OwnFailure,
		Recipient: r.Recipient, Status: r.Status, Reason: message.WithoutAddresses(r.Reason), MessageID: r.MessageID}
}

// tokens finds the tokens that a letter was sent to. Those of seats come before those
// of observers, and those before members' and the director's, which count where there is no
// other sort. A letter that was sent to none has the one of the letter that it answers.
func (c Codec) tokens(l *exchange.Letter, p message.Letter) {
	take := func(t message.Token) {
		named := token(t.LetterName)
		l.Token, l.Genuine = &named, t.Valid
	}
	seats := message.FindTokens(p, c.Address, message.Seat)
	if len(seats) > 1 {
		for _, t := range seats {
			l.Candidates = append(l.Candidates, exchange.Candidate{Token: token(t.LetterName), Genuine: t.Valid})
		}
	}
	if t, ok := message.NewestToken(seats); ok {
		take(t)
	} else if observers := message.FindTokens(p, c.Address, message.Observer); len(observers) > 0 {
		take(observers[0])
	} else if t, ok := message.NewestToken(message.FindTokens(p, c.Address, message.Member)); ok && len(seats) == 0 {
		take(t)
	} else if t, ok := message.NewestToken(message.FindTokens(p, c.Address, message.Director)); ok && len(seats) == 0 {
		take(t)
	} else if id, ok := p.AnsweredLetter(c.Address); ok && len(seats) == 0 {
		// Mail programs that answer to From and not to Reply-To name the letter only here.
		named := token(id.LetterName)
		l.Token, l.Genuine = &named, id.Valid
	}
}

// ours reports whether an address is the referee's, with or without a token.
func (c Codec) ours(address string) bool {
	at := strings.LastIndex(address, "@")
	if at < 0 {
		return false
	}
	local, _, _ := strings.Cut(address[:at], "+")
	return local+address[at:] == strings.ToLower(c.Address)
}

// Folder is where a letter is filed.
func Folder(d exchange.Disposition) mail.Folder {
	switch d {
	case exchange.Done:
		return mail.Done
	case exchange.Refused:
		return mail.Refused
	case exchange.Asked:
		return mail.Questions
	}
	return mail.Ignored
}

// Handler hands received messages to an adjudicator.
type Handler struct {
	Codec       Codec
	Adjudicator *adjudicator.Adjudicator
	// Queued is called after each letter that may have put something into the
	// outbox.
	Queued func()
}

var _ mail.Handler = Handler{}

// mostOfStranger is how much is read of the body of a letter that names none of ours: what a stranger
// may ask for is short.
const mostOfStranger = 64 << 10

// Handle implements mail.Handler.
func (h Handler) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	if len(r.Raw) > mostOfStranger {
		known, err := h.known(ctx, r)
		if err != nil {
			return "", err
		}
		if !known {
			r.Raw, r.Truncated = message.TruncateBody(r.Raw, mostOfStranger), true
		}
	}
	d, err := h.Adjudicator.Receive(ctx, h.Codec.Read(r))
	if still := (*adjudicator.Differs)(nil); errors.As(err, &still) && still.Running {
		return "", fmt.Errorf("%w: %w", message.ErrLater, err)
	}
	if err != nil {
		return "", err
	}
	if h.Queued != nil && d != exchange.Ignored {
		h.Queued()
	}
	return Folder(d), nil
}

// SetAside tells the player who wrote a letter that the program failed over it. Of the letter no more is read than its
// header.
func (h Handler) SetAside(ctx context.Context, r mail.Received) error {
	p := message.ReadHeader(message.TruncateBody(r.Raw, mostOfStranger))
	if p.Auto != "" {
		return nil
	}
	sum := sha256.Sum256(r.Raw)
	l := exchange.Letter{
		Header:   exchange.Header{Subject: p.Subject, MessageID: p.MessageID, Date: p.Date},
		Delivery: exchange.Delivery{Digest: hex.EncodeToString(sum[:]), Arrived: r.Arrived, UIDValidity: r.UIDValidity, UID: r.UID},
	}
	l.From = p.Author
	if h.Codec.InSubject {
		p = message.AddSubjectTokens(p, h.Codec.Address)
	}
	h.Codec.tokens(&l, p)
	if err := h.Adjudicator.SetAside(ctx, l); err != nil {
		return err
	}
	if h.Queued != nil {
		h.Queued()
	}
	return nil
}

// known reports whether the header of a letter shows that its sender has had one of ours.
func (h Handler) known(ctx context.Context, r mail.Received) (bool, error) {
	l := message.ReadHeader(r.Raw)
	id, ok := l.NamedLetter(h.Codec.Address)
	if !ok {
		return false, nil
	}
	return h.Adjudicator.Knows(ctx, token(id.LetterName), id.Valid, l.Author)
}
