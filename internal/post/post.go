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
	Address, Name string
	// TokensInSubject writes tokens into subjects, for mail servers that do not deliver +detail addresses.
	TokensInSubject bool
	// UnsubscribeURL is the link that ends digests with one click (RFC 8058), without the token at its end; empty for
	// none.
	UnsubscribeURL string
	// Proof is the check that a player's letter must pass in addition to the token; nil means no check.
	Proof message.Proof
}

var _ exchange.Codec = Codec{}

// Token implements exchange.Codec.
func (c Codec) Token(key []byte, t exchange.Token) string {
	return message.NewToken(key, letterName(t)).String()
}

// ReplyTo returns the address for replies with a token.
func (c Codec) ReplyTo(token string) string { return message.TokenAddress(c.Address, token) }

// LetterID implements exchange.Codec.
func (c Codec) LetterID(key []byte, t exchange.Token) string {
	return message.NewLetterID(key, letterName(t)).String() + "@" + c.Domain()
}

func letterName(t exchange.Token) message.LetterName {
	switch {
	case t.Director:
		return message.LetterName{Match: t.Match, Kind: message.Director, Number: t.Number}
	case t.Match == exchange.ClubName:
		return message.LetterName{Match: t.Match, Kind: message.Member, Reader: int(t.Member), Number: t.Number}
	case t.Seat == rules.NoSeat:
		return message.LetterName{Match: t.Match, Kind: message.Observer, Reader: t.Observer, Number: t.Number}
	}
	return message.LetterName{Match: t.Match, Kind: message.Seat, Reader: int(t.Seat), Number: t.Number}
}

func exchangeToken(n message.LetterName) exchange.Token {
	switch n.Kind {
	case message.Observer:
		return exchange.ObserverToken(n.Match, n.Reader, n.Number)
	case message.Director:
		return exchange.DirectorToken(n.Match, n.Number)
	case message.Member:
		t := exchange.MemberToken(int64(n.Reader), n.Number)
		t.Match = n.Match
		return t
	}
	return exchange.Token{Match: n.Match, Seat: rules.Seat(n.Reader), Number: n.Number}
}

// Referee implements exchange.Codec.
func (c Codec) Referee() string { return c.Address }

// Domain implements exchange.Codec.
func (c Codec) Domain() string { return c.Address[strings.LastIndex(c.Address, "@")+1:] }

// MarkerLine implements exchange.Codec.
func (c Codec) MarkerLine() string { return message.Mark }

// headerDate returns the Date field of a letter: the time when the letter was written (RFC 5322, section 3.6.1). A
// confirmation waits for some seconds before it is sent, and does not report events during the wait. If Date were the
// time of sending, the letter would seem to omit an entry. A letter to an observer has the time of sending, so that its
// Date does not reveal how long it was delayed.
func headerDate(outgoing exchange.OutgoingLetter) time.Time {
	if outgoing.Replaceable {
		return outgoing.Date.Add(-outgoing.Delay)
	}
	return outgoing.Date
}

// Render implements exchange.Codec.
func (c Codec) Render(outgoing exchange.OutgoingLetter) (exchange.RenderedMessage, error) {
	m := message.Draft{
		From: c.Address, FromName: c.Name, To: outgoing.To, Subject: outgoing.Subject, MessageID: outgoing.MessageID,
		ReplyTo: outgoing.ReplyTo, InReplyTo: outgoing.InReplyTo, References: outgoing.References, Date: headerDate(outgoing),
		AutoSubmitted: "auto-generated", Text: outgoing.Body, HTML: outgoing.HTML, Calendar: c.calendarEntry(outgoing),
	}
	if outgoing.PictureID != "" {
		m.Picture = &message.Attachment{ID: outgoing.PictureID, Name: outgoing.Match + ".png", Type: "image/png"}
	}
	if outgoing.FileName != "" {
		m.File = &message.Attachment{Name: outgoing.FileName, Type: "application/jsonl"}
		if strings.HasSuffix(outgoing.FileName, ".json") {
			m.File.Type = "application/json"
		}
	}
	if outgoing.IsReply {
		m.AutoSubmitted = "auto-replied"
	}
	if outgoing.Match != "" {
		m.ListID = outgoing.Match + "." + c.Domain()
	}
	if outgoing.Token != "" {
		c.setReplyToken(&m, outgoing)
	}
	var out exchange.RenderedMessage
	if outgoing.Number > 0 {
		out.LetterID = strings.TrimSuffix(outgoing.MessageID, "@"+c.Domain())
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

// replyAddress returns the address and the subject, without "Re:", of a reply to an outgoing letter.
func (c Codec) replyAddress(outgoing exchange.OutgoingLetter) (to, subject string) {
	if c.TokensInSubject {
		return c.Address, strings.TrimSuffix(outgoing.Subject, " ["+outgoing.Match+"]") + " " + message.SubjectTag(outgoing.Token)
	}
	return c.ReplyTo(outgoing.Token), outgoing.Subject
}

// ReplyAddress implements exchange.Codec.
func (c Codec) ReplyAddress(outgoing exchange.OutgoingLetter) (to, subject string) {
	to, subject = c.replyAddress(outgoing)
	return to, "Re: " + subject
}

// setReplyToken puts the token of a letter into its Reply-To or, with TokensInSubject, into its subject. It adds
// List-Unsubscribe if outgoing.Unsubscribe is set.
func (c Codec) setReplyToken(m *message.Draft, outgoing exchange.OutgoingLetter) {
	m.ReplyTo, m.Subject = c.replyAddress(outgoing)
	if outgoing.Unsubscribe != "" {
		subject := outgoing.Unsubscribe
		if c.TokensInSubject {
			subject += " " + message.SubjectTag(outgoing.Token)
		}
		// An unencoded plus may be read as a space (RFC 6068, section 5).
		m.Extra = map[string]string{"List-Unsubscribe": "<mailto:" + strings.ReplaceAll(m.ReplyTo, "+", "%2B") +
			"?subject=" + url.PathEscape(subject) + "&body=" + url.PathEscape(outgoing.Unsubscribe) + ">"}
		if c.UnsubscribeURL != "" && outgoing.UnsubscribeToken != "" {
			m.Extra["List-Unsubscribe"] = "<" + c.UnsubscribeURL + outgoing.UnsubscribeToken + ">, " + m.Extra["List-Unsubscribe"]
			m.Extra["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
		}
	}
}

// Keys returns the keys of a letter for the inbox queue, e.g. "from ann@x.org" and "match m7". Letters with a common
// key are handled in order. Keys reads no database, so it does not know whether a token is forged. Letters without a
// token share the key "no token", because the limits for strangers apply to all strangers together.
func (c Codec) Keys(r mail.Received) []string {
	raw := message.TruncateBody(r.Raw, maxUnknownBody)
	l := message.ReadHeader(raw)
	var keys []string
	if l.Author != "" {
		keys = append(keys, "from "+l.Author)
	}
	if l.AutoReason != "" {
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

// calendarEntry returns an iCalendar entry (RFC 5545) for the end of the player's time. The entries in all letters to a
// seat have the same UID, so a later entry replaces an earlier one.
func (c Codec) calendarEntry(outgoing exchange.OutgoingLetter) string {
	if outgoing.Deadline.IsZero() {
		return ""
	}
	calendar := ics.NewCalendar()
	calendar.SetProductId("-//Samizdat//Samizdat//EN")
	calendar.SetMethod(ics.MethodPublish)
	e := calendar.AddEvent(fmt.Sprintf("%s-%d@%s", outgoing.Match, outgoing.Seat, c.Domain()))
	e.SetSequence(int(outgoing.Number))
	e.SetDtStampTime(outgoing.Date)
	e.SetStartAt(outgoing.Deadline)
	_, title, _ := strings.Cut(outgoing.Subject, ": ")
	e.SetSummary("Your answer is due: " + title)
	e.SetTimeTransparency(ics.TransparencyTransparent)
	return calendar.Serialize(ics.WithNewLineWindows)
}
