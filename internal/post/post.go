// Package post connects the mail packages with the adjudicator: it converts received messages to
// exchange.Letter, and exchange.OutgoingLetter to messages.
package post

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"samizdat/adjudicator/exchange"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
)

// Codec reads and writes letters of a referee.
type Codec struct {
	// Address and Name are those of the referee.
	Address, Name string
	// TokensInSubject writes tokens into subjects, for mail servers that do not deliver +detail addresses.
	TokensInSubject bool
	// UnsubscribeURL is the address before the token of a link that ends digests with one click (RFC 8058); empty for none.
	UnsubscribeURL string
	// Proof is the check that a player's letter must pass in addition to its token; nil requires none.
	Proof message.Proof
}

var _ exchange.Mailer = Codec{}

// Token implements exchange.Post.
func (c Codec) Token(key []byte, t exchange.Token) string {
	return message.NewToken(key, letterName(t)).String()
}

// ReplyTo returns the address for replies with a token.
func (c Codec) ReplyTo(token string) string { return message.TokenAddress(c.Address, token) }

// LetterID implements exchange.Post.
func (c Codec) LetterID(key []byte, t exchange.Token) string {
	return message.NewLetterID(key, letterName(t)).String() + "@" + c.Domain()
}

func letterName(t exchange.Token) message.LetterName {
	switch {
	case t.Director:
		return message.LetterName{Match: t.Match, Kind: message.Director, Number: t.Number}
	case t.Match == exchange.ClubName:
		return message.LetterName{Match: t.Match, Kind: message.Member, Holder: int(t.Member), Number: t.Number}
	case t.Seat == rules.NoSeat:
		return message.LetterName{Match: t.Match, Kind: message.Observer, Holder: t.Observer, Number: t.Number}
	}
	return message.LetterName{Match: t.Match, Kind: message.Seat, Holder: int(t.Seat), Number: t.Number}
}

func adjudicatorToken(n message.LetterName) exchange.Token {
	switch n.Kind {
	case message.Observer:
		return exchange.ObserverToken(n.Match, n.Holder, n.Number)
	case message.Director:
		return exchange.DirectorToken(n.Match, n.Number)
	case message.Member:
		t := exchange.MemberToken(int64(n.Holder), n.Number)
		t.Match = n.Match
		return t
	}
	return exchange.Token{Match: n.Match, Seat: rules.Seat(n.Holder), Number: n.Number}
}

// Referee implements exchange.Post.
func (c Codec) Referee() string { return c.Address }

// Domain implements exchange.Post.
func (c Codec) Domain() string { return c.Address[strings.LastIndex(c.Address, "@")+1:] }

// Mark implements exchange.Post.
func (c Codec) Mark() string { return message.Mark }

// headerDate returns the Date of a letter's header: when it was written (RFC 5322, section 3.6.1). A confirmation
// waits for some seconds and does not report events during the wait; with the time of sending it would seem to omit
// an entry. A letter to an observer has the time of sending, which does not reveal its delay.
func headerDate(d exchange.OutgoingLetter) time.Time {
	if d.Replaceable {
		return d.Date.Add(-d.Delay)
	}
	return d.Date
}

// Render implements exchange.Post.
func (c Codec) Render(d exchange.OutgoingLetter) (exchange.RenderedMessage, error) {
	m := message.Draft{
		From: c.Address, FromName: c.Name, To: d.To, Subject: d.Subject, MessageID: d.MessageID,
		ReplyTo: d.ReplyTo, InReplyTo: d.InReplyTo, References: d.References, Date: headerDate(d), AutoSubmitted: "auto-generated", Text: d.Body,
		HTML:     d.HTML,
		Calendar: c.calendarEntry(d),
	}
	if d.PictureID != "" {
		m.Picture = &message.Attachment{ID: d.PictureID, Name: d.Match + ".png", Type: "image/png"}
	}
	if d.FileName != "" {
		m.File = &message.Attachment{Name: d.FileName, Type: "application/jsonl"}
		if strings.HasSuffix(d.FileName, ".json") {
			m.File.Type = "application/json"
		}
	}
	if d.IsReply {
		m.AutoSubmitted = "auto-replied"
	}
	if d.Match != "" {
		m.ListID = d.Match + "." + c.Domain()
	}
	if d.Token != "" {
		c.setReplyToken(&m, d)
	}
	var out exchange.RenderedMessage
	if d.Number > 0 {
		out.LetterID = strings.TrimSuffix(d.MessageID, "@"+c.Domain())
	}
	var offsets message.DataOffsets
	var err error
	if out.Bytes, offsets, err = m.RenderWithoutData(); err != nil && m.InReplyTo != "" {
		// The player's Message-ID may be invalid in a header. Then the letter starts a new thread.
		m.InReplyTo = ""
		out.Bytes, offsets, err = m.RenderWithoutData()
	}
	out.PictureAt, out.FileAt = offsets.Picture, offsets.File
	return out, err
}

// replyAddress returns the address and the subject, without "Re:", of a reply to d.
func (c Codec) replyAddress(d exchange.OutgoingLetter) (to, subject string) {
	if c.TokensInSubject {
		return c.Address, strings.TrimSuffix(d.Subject, " ["+d.Match+"]") + " " + message.SubjectTag(d.Token)
	}
	return c.ReplyTo(d.Token), d.Subject
}

// Answer implements exchange.Post.
func (c Codec) Answer(d exchange.OutgoingLetter) (to, subject string) {
	to, subject = c.replyAddress(d)
	return to, "Re: " + subject
}

// setReplyToken puts the token of a letter into Reply-To or subject, and adds List-Unsubscribe.
func (c Codec) setReplyToken(m *message.Draft, d exchange.OutgoingLetter) {
	m.ReplyTo, m.Subject = c.replyAddress(d)
	if d.Unsubscribe != "" {
		subject := d.Unsubscribe
		if c.TokensInSubject {
			subject += " " + message.SubjectTag(d.Token)
		}
		// An unencoded plus may be read as a space (RFC 6068, section 5).
		m.Extra = map[string]string{"List-Unsubscribe": "<mailto:" + strings.ReplaceAll(m.ReplyTo, "+", "%2B") +
			"?subject=" + url.PathEscape(subject) + "&body=" + url.PathEscape(d.Unsubscribe) + ">"}
		if c.UnsubscribeURL != "" && d.UnsubscribeToken != "" {
			m.Extra["List-Unsubscribe"] = "<" + c.UnsubscribeURL + d.UnsubscribeToken + ">, " + m.Extra["List-Unsubscribe"]
			m.Extra["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
		}
	}
}

// Keys returns the keys of a letter for the inbox queue, e.g. "from ann@x.org" and "match m7", read from the letter
// alone, with valid or forged tokens. Letters with a common key are handled in order. Letters without a token share
// the key "no token", because the limits for strangers apply to all strangers together.
func (c Codec) Keys(r mail.Received) []string {
	raw := message.TruncateBody(r.Raw, maxUnknownBody)
	l := message.ReadHeader(raw)
	var keys []string
	if l.Author != "" {
		keys = append(keys, "from "+l.Author)
	}
	if l.Auto != "" {
		// A delivery report names the returned letter in its body.
		if report, ok := message.Read(raw).Report(c.Address); ok && report.Letter != nil {
			keys = append(keys, "match "+report.Letter.Match)
		}
	}
	if c.TokensInSubject {
		l = message.AddSubjectTokens(l, c.Address)
	}
	hasNoToken := true
	for _, kind := range []message.ReaderKind{message.Seat, message.Observer, message.Member, message.Director} {
		for _, t := range message.FindTokens(l, c.Address, kind) {
			keys, hasNoToken = append(keys, "match "+t.Match), false
		}
	}
	if hasNoToken {
		keys = append(keys, "no token")
	}
	return keys
}

// calendarEntry returns an iCalendar entry (RFC 5545) for the end of the player's time. All such letters to a seat
// update the same entry.
func (c Codec) calendarEntry(d exchange.OutgoingLetter) string {
	if d.Until.IsZero() {
		return ""
	}
	calendar := ics.NewCalendar()
	calendar.SetProductId("-//Samizdat//Samizdat//EN")
	calendar.SetMethod(ics.MethodPublish)
	e := calendar.AddEvent(fmt.Sprintf("%s-%d@%s", d.Match, d.Seat, c.Domain()))
	e.SetSequence(int(d.Number))
	e.SetDtStampTime(d.Date)
	e.SetStartAt(d.Until)
	_, title, _ := strings.Cut(d.Subject, ": ")
	e.SetSummary("Your answer is due: " + title)
	e.SetTimeTransparency(ics.TransparencyTransparent)
	return calendar.Serialize(ics.WithNewLineWindows)
}
