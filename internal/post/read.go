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
	"samizdat/adjudicator/letter"
	"samizdat/mail"
	"samizdat/mail/message"
)

// Read converts a received message to a letter for the adjudicator.
func (c Codec) Read(r mail.Received) exchange.Letter {
	sum := sha256.Sum256(r.Raw)
	parsed := message.Read(r.Raw)
	orders := message.ReadOrders(parsed.Text, message.Referee{Addresses: []string{c.Address}, Names: []string{c.Name}})
	l := exchange.Letter{
		Header: exchange.Header{Subject: parsed.Subject, MessageID: parsed.MessageID, Date: parsed.Date, References: parsed.References},
		DecodedText: exchange.DecodedText{Text: orders.Text, PossibleQuoteEnds: orders.PossibleQuoteEnds,
			Truncated: r.Truncated || orders.TooLong, Problems: parsed.Problems},
		Delivery: exchange.Delivery{Digest: hex.EncodeToString(sum[:]), Raw: r.Raw, ArrivedAt: r.Arrived, UIDValidity: r.UIDValidity,
			UID: r.UID},
		AutoReason: message.WithoutAddresses(parsed.AutoReason),
	}
	for _, d := range orders.Doubtful {
		l.Problems = append(l.Problems, fmt.Sprintf("This line stands in a quoted letter, below a signature and a quote, or reads like one "+
			"that a mail program adds, and was left out: %s. If it is an order, please send it again in a new letter without quotes.", d))
	}
	for _, b := range orders.BelowQuotes {
		l.BelowQuotes = append(l.BelowQuotes, letter.LineBelowQuote(b))
	}
	l.Name = parsed.AuthorName
	if l.From = parsed.Author; c.isReferee(l.From) || l.From == "" && slices.ContainsFunc(parsed.From, c.isReferee) {
		// The letter was returned to us, or its sender is forged.
		l.From, l.AutoReason = "", "From: the referee"
	}
	if c.Proof != nil {
		l.Authenticate = func(ctx context.Context) (bool, error) {
			if r.Truncated {
				return false, nil // The signature covers the complete letter.
			}
			return c.Proof(ctx, r.Raw, parsed)
		}
	}
	if report, ok := parsed.Report(c.Address); ok {
		l.Bounce = toBounce(report)
		if id := report.Letter; id != nil {
			t := exchangeToken(id.LetterName)
			l.Token, l.SignedBy = &t, id.IsValid
		}
		return l
	}
	// An unreadable recipient may be a third person.
	l.HasOtherRecipients = parsed.HasUnreadRecipients
	for _, to := range slices.Concat(parsed.To, parsed.Cc, parsed.Bcc) {
		l.HasOtherRecipients = l.HasOtherRecipients || !c.isReferee(to) && to != l.From
	}
	if c.TokensInSubject {
		parsed = message.AddSubjectTokens(parsed, c.Address)
	}
	c.findToken(&l, parsed)
	for _, f := range message.FindQuotedFooters(parsed.Text) {
		if t := l.Token; t != nil && f.Match == t.Match && f.Number == t.Number {
			l.QuotedHash = f.Head
		}
	}
	return l
}

func toBounce(r message.Report) *exchange.Bounce {
	return &exchange.Bounce{Hard: r.Failure == message.HardFailure, OurFault: r.Failure == message.OwnFailure, Complaint: r.Complaint,
		Recipient: r.Recipient, Status: r.Status, Reason: message.WithoutAddresses(r.Reason), MessageID: r.MessageID}
}

// findToken sets the token of a letter. It searches for the token of a seat, then of an observer, of a member and of
// the director. If it finds none, it takes the token of the letter that In-Reply-To names.
func (c Codec) findToken(l *exchange.Letter, p message.Letter) {
	setToken := func(t message.Token) {
		token := exchangeToken(t.LetterName)
		l.Token, l.SignedBy = &token, t.IsValid
	}
	seats := message.FindTokens(p, c.Address, message.Seat)
	if len(seats) > 1 {
		for _, t := range seats {
			l.Candidates = append(l.Candidates, exchange.CandidateToken{Token: exchangeToken(t.LetterName), SignedBy: t.IsValid})
		}
	}
	if t, ok := message.NewestToken(seats); ok {
		setToken(t)
	} else if observers := message.FindTokens(p, c.Address, message.Observer); len(observers) > 0 {
		setToken(observers[0])
	} else if t, ok := message.NewestToken(message.FindTokens(p, c.Address, message.Member)); ok && len(seats) == 0 {
		setToken(t)
	} else if t, ok := message.NewestToken(message.FindTokens(p, c.Address, message.Director)); ok && len(seats) == 0 {
		setToken(t)
	} else if id, ok := p.AnsweredLetter(c.Address); ok && len(seats) == 0 {
		// Mail programs that reply to From instead of Reply-To name the letter only in In-Reply-To.
		token := exchangeToken(id.LetterName)
		l.Token, l.SignedBy = &token, id.IsValid
	}
}

// isReferee reports whether an address is the referee's, with or without a token.
func (c Codec) isReferee(address string) bool {
	at := strings.LastIndex(address, "@")
	if at < 0 {
		return false
	}
	local, _, _ := strings.Cut(address[:at], "+")
	return local+address[at:] == strings.ToLower(c.Address)
}

// Folder returns the IMAP folder for a handled letter.
func Folder(d exchange.Disposition) mail.Folder {
	switch d {
	case exchange.DispositionDone:
		return mail.Done
	case exchange.DispositionRefused:
		return mail.Refused
	case exchange.DispositionAsked:
		return mail.Questions
	}
	return mail.Ignored
}

// Handler passes received messages to an adjudicator.
type Handler struct {
	Codec       Codec
	Adjudicator *adjudicator.Adjudicator
	// OnQueued is called after each letter that may have added letters to the outbox.
	OnQueued func()
}

var _ mail.Handler = Handler{}

// maxUnknownBody is the number of bytes that are read from the body of a letter, if the letter does not refer to a
// letter of ours. Requests of strangers are short.
const maxUnknownBody = 64 << 10

// Handle implements mail.Handler.
func (h Handler) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	if len(r.Raw) > maxUnknownBody {
		isKnown, err := h.isFromKnownSender(ctx, r)
		if err != nil {
			return "", err
		}
		if !isKnown {
			r.Raw, r.Truncated = message.TruncateBody(r.Raw, maxUnknownBody), true
		}
	}
	d, err := h.Adjudicator.Receive(ctx, h.Codec.Read(r))
	// A letter to a stopped match waits in the inbox.
	if divergence := (*adjudicator.DivergenceError)(nil); errors.As(err, &divergence) && divergence.InPlay {
		return "", fmt.Errorf("%w: %w", message.ErrTemporary, err)
	}
	if err != nil {
		return "", err
	}
	if h.OnQueued != nil && d != exchange.DispositionIgnored {
		h.OnQueued()
	}
	return Folder(d), nil
}

// NotifyFailure tells the writer of a letter that the program failed to handle the letter. It reads only the header of
// the letter.
func (h Handler) NotifyFailure(ctx context.Context, r mail.Received) error {
	p := message.ReadHeader(message.TruncateBody(r.Raw, maxUnknownBody))
	if p.AutoReason != "" {
		return nil
	}
	sum := sha256.Sum256(r.Raw)
	l := exchange.Letter{
		Header:   exchange.Header{Subject: p.Subject, MessageID: p.MessageID, Date: p.Date},
		Delivery: exchange.Delivery{Digest: hex.EncodeToString(sum[:]), ArrivedAt: r.Arrived, UIDValidity: r.UIDValidity, UID: r.UID},
	}
	l.From = p.Author
	if h.Codec.TokensInSubject {
		p = message.AddSubjectTokens(p, h.Codec.Address)
	}
	h.Codec.findToken(&l, p)
	if err := h.Adjudicator.NotifyFailure(ctx, l); err != nil {
		return err
	}
	if h.OnQueued != nil {
		h.OnQueued()
	}
	return nil
}

// isFromKnownSender reports whether the header of a letter shows that its sender received a letter of ours.
func (h Handler) isFromKnownSender(ctx context.Context, r mail.Received) (bool, error) {
	l := message.ReadHeader(r.Raw)
	id, ok := l.NamedLetter(h.Codec.Address)
	if !ok {
		return false, nil
	}
	return h.Adjudicator.VerifyToken(ctx, exchangeToken(id.LetterName), id.IsValid, l.Author)
}
