// Package post joins mail and adjudicator: it reads a received message as the
// adjudicator's letter, and writes the adjudicator's dispatch as a message.
package post

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"samizdat/adjudicator"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
)

// Office reads and writes letters under one address.
type Office struct {
	// Address and Name are the referee's.
	Address, Name string
	// InSubject puts tokens into subjects, for a mail server that delivers no
	// addresses with a +detail.
	InSubject bool
	// Proof is what a player's letter must have beside its token; nil is nothing.
	Proof message.Proof
}

var _ adjudicator.Post = Office{}

// Token implements adjudicator.Post.
func (o Office) Token(key []byte, t adjudicator.Token) string {
	return message.NewToken(key, name(t)).String()
}

// ReplyTo is the address to answer to, with a token.
func (o Office) ReplyTo(token string) string { return message.TokenAddress(o.Address, token) }

// LetterID implements adjudicator.Post.
func (o Office) LetterID(key []byte, t adjudicator.Token) string {
	return message.NewLetterID(key, name(t)).String() + "@" + o.Domain()
}

// name is what a letter is called in tokens.
func name(t adjudicator.Token) message.Name {
	if t.Seat == rules.Nobody {
		return message.Name{Match: t.Match, Kind: message.Observer, Holder: t.Observer, Number: t.Number}
	}
	return message.Name{Match: t.Match, Kind: message.Seat, Holder: int(t.Seat), Number: t.Number}
}

// token is what a name in a token says.
func token(n message.Name) adjudicator.Token {
	if n.Kind == message.Observer {
		return adjudicator.ObserverToken(n.Match, n.Holder, n.Number)
	}
	return adjudicator.Token{Match: n.Match, Seat: rules.Seat(n.Holder), Number: n.Number}
}

// Referee implements adjudicator.Post.
func (o Office) Referee() string { return o.Address }

// Domain implements adjudicator.Post.
func (o Office) Domain() string { return o.Address[strings.LastIndex(o.Address, "@")+1:] }

// Mark implements adjudicator.Post.
func (o Office) Mark() string { return message.Mark }

// Render implements adjudicator.Post.
func (o Office) Render(d adjudicator.Dispatch) (adjudicator.Rendered, error) {
	m := message.Draft{
		From: o.Address, FromName: o.Name, To: d.To, Subject: d.Subject, MessageID: d.MessageID,
		InReplyTo: d.InReplyTo, References: d.References, Date: d.Date, AutoSubmitted: "auto-generated", Text: d.Body, HTML: d.HTML,
	}
	if d.PictureID != "" {
		m.Picture = &message.Picture{ID: d.PictureID, Name: d.Match + ".png", Type: "image/png"}
	}
	if d.Reply {
		m.AutoSubmitted = "auto-replied"
	}
	if d.Match != "" {
		m.ListID = d.Match + "." + o.Domain()
	}
	if d.Token != "" {
		o.identify(&m, d)
	}
	var out adjudicator.Rendered
	if d.Number > 0 {
		out.LetterID = strings.TrimSuffix(d.MessageID, "@"+o.Domain())
	}
	var err error
	if out.Bytes, out.PictureAt, err = m.RenderOpen(); err != nil && m.InReplyTo != "" {
		// A player's mail program may send a Message-ID that no header can carry.
		// The letter matters more than its place in the thread.
		m.InReplyTo = ""
		out.Bytes, out.PictureAt, err = m.RenderOpen()
	}
	return out, err
}

// Read reads a received message.
func (o Office) Read(r mail.Received) adjudicator.Letter {
	sum := sha256.Sum256(r.Raw)
	p := message.Read(r.Raw)
	orders, doubtful := message.ReadOrders(p.Text)
	l := adjudicator.Letter{
		Subject: p.Subject, MessageID: p.MessageID, Date: p.Date, References: p.References, Orders: orders,
		TooBig: r.Truncated || message.TooManyLines(p.Text), Auto: p.Auto, Problems: p.Problems, Digest: hex.EncodeToString(sum[:]), Raw: r.Raw, Arrived: r.Arrived,
		UIDValidity: r.UIDValidity, UID: r.UID,
	}
	for _, d := range doubtful {
		l.Problems = append(l.Problems, fmt.Sprintf("This line stands in a quoted letter, below a signature and a quote, or reads like one that a mail program adds, and was left out: %s. If it is an order, please send it again in a new letter without quotes.", d))
	}
	if l.From = p.Author; l.From != "" && o.ours(l.From) {
		// A letter of ours that came back, or somebody who says that he is us.
		l.From = ""
	}
	if o.Proof != nil {
		l.Proven = func(ctx context.Context) (bool, error) {
			if r.Truncated {
				return false, nil // What came is not what was signed: see TooBig.
			}
			return o.Proof(ctx, r.Raw, p)
		}
	}
	if report, ok := p.Report(o.Address); ok {
		l.Bounce = &adjudicator.Bounce{
			Hard: report.Failure == message.HardFailure, Own: report.Failure == message.OwnFailure, Recipient: report.Recipient, Status: report.Status, Reason: message.WithoutAddresses(report.Reason),
			MessageID: report.MessageID,
		}
		if id := report.Letter; id != nil {
			t := token(id.Name)
			l.Token, l.Genuine = &t, id.Valid
		}
		return l
	}
	// Whoever cannot be read may be anybody.
	l.Shared = p.Unread
	for _, to := range slices.Concat(p.To, p.Cc, p.Bcc) {
		l.Shared = l.Shared || !o.ours(to) && to != l.From
	}
	if o.InSubject {
		p = message.Untag(p, o.Address)
	}
	o.tokens(&l, p)
	return l
}

// tokens finds the tokens that a letter was sent to. Those of seats come before those
// of observers.
func (o Office) tokens(l *adjudicator.Letter, p message.Letter) {
	take := func(t message.Token) {
		named := token(t.Name)
		l.Token, l.Genuine = &named, t.Valid
	}
	seats := message.FindTokens(p, o.Address, message.Seat)
	if len(seats) > 1 {
		for _, t := range seats {
			l.Candidates = append(l.Candidates, adjudicator.Candidate{Token: token(t.Name), Genuine: t.Valid})
		}
	}
	if t, ok := message.Newest(seats); ok {
		take(t)
	} else if observers := message.FindTokens(p, o.Address, message.Observer); len(observers) > 0 {
		take(observers[0])
	}
}

// identify puts the token of a letter where its answer brings it back from.
func (o Office) identify(m *message.Draft, d adjudicator.Dispatch) {
	to, subject := o.ReplyTo(d.Token), "UNOBSERVE"
	if o.InSubject {
		to, subject = o.Address, "UNOBSERVE "+message.Tag(d.Token)
		m.Subject = message.Tag(d.Token) + " " + strings.TrimPrefix(m.Subject, message.Tag(d.Match)+" ")
	}
	m.ReplyTo = to
	if d.Unsubscribe {
		// A plus may come back as a space where it is not encoded (RFC 6068, section 5).
		m.Extra = map[string]string{"List-Unsubscribe": "<mailto:" + strings.ReplaceAll(to, "+", "%2B") +
			"?subject=" + url.PathEscape(subject) + "&body=UNOBSERVE>"}
	}
}

// ours reports whether an address is the referee's, with or without a token.
func (o Office) ours(address string) bool {
	at := strings.LastIndex(address, "@")
	if at < 0 {
		return false
	}
	local, _, _ := strings.Cut(address[:at], "+")
	return local+address[at:] == strings.ToLower(o.Address)
}

// Folder is where a letter is filed.
func Folder(d adjudicator.Disposition) mail.Folder {
	switch d {
	case adjudicator.Done:
		return mail.Done
	case adjudicator.Refused:
		return mail.Refused
	}
	return mail.Ignored
}

// Clerk hands received messages to an adjudicator.
type Clerk struct {
	Office      Office
	Adjudicator *adjudicator.Adjudicator
	// Posted is called after each letter that may have put something into the
	// outbox.
	Posted func()
}

var _ mail.Handler = Clerk{}

// Handle implements mail.Handler.
func (c Clerk) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	d, err := c.Adjudicator.Receive(ctx, c.Office.Read(r))
	if err != nil {
		return "", err
	}
	if c.Posted != nil && d != adjudicator.Ignored {
		c.Posted()
	}
	return Folder(d), nil
}
