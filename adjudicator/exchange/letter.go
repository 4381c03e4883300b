// Package exchange holds the values that the adjudicator exchanges with the mail side and with the store: a
// received letter (Letter), letters to send (OutgoingLetter), and everything that one letter changes (Change), which the
// store writes in one transaction.
package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Letter is a received letter. The mail side has decoded it and removed quoted text.
type Letter struct {
	Sender
	Header
	DecodedText
	Delivery
	// Bounce is set for a delivery report. Token is then the token of the letter that bounced.
	Bounce *Bounce
	// AutoReason is the reason why the letter counts as automatic, e.g. "a read receipt"; empty for a person's letter.
	AutoReason string
}

// MaxText is the limit of a letter's text in bytes.
const MaxText = 16 << 10

// IsTooLong reports whether the text exceeds MaxText.
func (l Letter) IsTooLong() bool { return l.Truncated || len(l.Text) > MaxText }

// HasToken reports whether the letter has a token that was signed with the given key.
func (l Letter) HasToken(key []byte) bool {
	return l.Token != nil && l.SignedBy != nil && l.SignedBy(key)
}

// Sender identifies the writer of a letter.
type Sender struct {
	// From is the From address in lower case. It is empty, and the letter is not trusted, if the header does not have
	// exactly one address.
	From string
	// Name is the display name in the From header.
	Name string
	// Token is the token of the address that the letter was sent to; nil for none. SignedBy reports whether a key signed it.
	Token    *Token
	SignedBy func(key []byte) bool
	// Candidates are the tokens of the addresses, if the letter was sent to several addresses with tokens of seats. If all of
	// them belong to one seat, Token is the token with the highest number; otherwise Token is nil.
	Candidates []CandidateToken
	// Authenticate checks the sender authentication (DKIM) that the operator requires; nil if it is not
	// required. An error means that it cannot be checked now.
	Authenticate func(context.Context) (bool, error)
	// HasOtherRecipients is set if the letter also went to another address, so that another person has seen the token.
	HasOtherRecipients bool
}

// Header holds fields of the message header. MessageID and Date are as written.
type Header struct {
	Subject         string
	MessageID, Date string
	References      []string
}

// DecodedText is the text of a letter as the mail side has decoded it.
type DecodedText struct {
	// Text is the player's text, without quotes. A mail program may wrap a long quoted line, so that its end looks like
	// the player's text: PossibleQuoteEnds are the lines of Text that may be such an end. BelowQuotes are all lines of
	// Text directly below a quoted line.
	Text              string
	PossibleQuoteEnds []string
	BelowQuotes       []letter.LineBelowQuote
	// QuotedHash is the hash of the history that the quoted letter shows; empty if none is quoted.
	QuotedHash string
	Truncated  bool
	// Problems are sentences about parts of the letter that could not be decoded.
	Problems []string
}

// Delivery describes the delivery of a letter.
type Delivery struct {
	// Digest is the SHA-256 of Raw in hexadecimal digits.
	Digest string
	Raw    []byte
	// UIDValidity and UID identify the letter in the mailbox (RFC 9051), for the operator.
	UIDValidity, UID uint32
	ArrivedAt        time.Time
}

// Token identifies a letter from us. The Reply-To address of the letter contains the token.
type Token struct {
	Match string
	// Seat is the seat of the letter's reader; rules.NoSeat for a reader without a seat.
	Seat rules.Seat
	// Observer is the observer's number. An address that is asked whether it wants to observe has no number yet: Observer
	// is 0, and Number is the day of the question.
	Observer int
	// Director is set if the letter goes to the director of the match.
	Director bool
	// Member is the number of a member of the club. An address that is asked whether it wants to join has no number yet:
	// Member is 0, and Number is the day of the question.
	Member int64
	// Number is the number of the letter among all letters to this reader, from 1. The tokens of questions and notices that are
	// not counted have other numbers, e.g. the day of the question.
	Number int64
}

// ObserverToken returns the token of a letter to an observer.
func ObserverToken(match string, observer int, number int64) Token {
	return Token{Match: match, Seat: rules.NoSeat, Observer: observer, Number: number}
}

// DirectorToken returns the token of a letter to the director of a match.
func DirectorToken(match string, number int64) Token {
	return Token{Match: match, Seat: rules.NoSeat, Director: true, Number: number}
}

// ClubName stands in place of a match ID in tokens of the club. No match has this ID.
const ClubName = "club"

// MemberToken returns the token of a letter to a member of the club.
func MemberToken(member, number int64) Token {
	return Token{Match: ClubName, Seat: rules.NoSeat, Member: member, Number: number}
}

// Disposition says how a letter was handled.
type Disposition string

// The dispositions.
const (
	DispositionDone    Disposition = "done"
	DispositionRefused Disposition = "refused"
	// DispositionIgnored means that the letter was not answered, e.g. because it was automatic or not for us.
	DispositionIgnored Disposition = "ignored"
	// DispositionAsked means that the letter was answered, and is filed in the mailbox because it asks the operator a
	// question.
	DispositionAsked Disposition = "asked"
)

// SentLetter is a sent letter and its questions.
type SentLetter struct {
	Number    int64
	Decisions []rules.DecisionID
	// EntryCount is the length of the history when the letter was written.
	EntryCount int
}

// OutgoingLetter is a letter to send.
type OutgoingLetter struct {
	Addressee
	Heading
	Schedule
	Content
	LetterQuestions
	Raw RenderedMessage
}

// TextLetter returns a letter of plain text, without an addressee.
func TextLetter(subject, body string) OutgoingLetter {
	return OutgoingLetter{Heading: Heading{Subject: subject}, Content: Content{Body: body}}
}

// Addressee is the reader of a letter, and the match that the letter is about.
type Addressee struct {
	Match string
	// Seat is the reader's seat, or rules.NoSeat.
	Seat rules.Seat
	// Observer is the number of an observer; 0 if the reader is no observer.
	Observer int
	// Number is the number of the letter among all letters to this reader, from 1.
	Number  int64
	To      string
	IsReply bool
}

// Heading holds the header of a letter to send.
type Heading struct {
	Subject string
	// Token is the token for answers; empty for a letter that cannot be answered.
	Token string
	// ReplyTo is the address for answers if they do not go to the referee.
	ReplyTo    string
	MessageID  string
	InReplyTo  string
	References []string
	// Unsubscribe is the order that stops letters of this kind, e.g. "UNOBSERVE"; empty for none.
	Unsubscribe string
	// UnsubscribeToken is the token of a web link that stops a member's digests; empty for none.
	UnsubscribeToken string
}

// Schedule says when a letter is sent, and whether another letter may replace it.
type Schedule struct {
	// Date is the earliest time at which the letter is sent. Delay is the time between the writing of the
	// letter and Date.
	Date  time.Time
	Delay time.Duration
	// A queued letter with Replaceable set is dropped when a letter with Replaces set is queued for the same reader, because the later
	// letter repeats its content.
	Replaceable, Replaces bool
}

// Content is the content of a letter.
type Content struct {
	Body string
	// HTML is the text as an HTML page; empty for plain letters.
	HTML string
	// PictureID is the content id of the picture (RFC 2392); empty for none. Drawing is the picture as a list of shapes.
	PictureID string
	Drawing   []byte
	// FileName is the name of the attached file; empty for none. File is the content, which stays compressed with
	// gzip until the letter is sent.
	FileName string
	File     []byte
}

// LetterQuestions describes the questions that a letter asks.
type LetterQuestions struct {
	Decisions []rules.DecisionID
	// Deadline is the end of the player's time, which the letter contains as a calendar entry (RFC 5545); zero for none.
	Deadline   time.Time
	EntryCount int
}

// RenderedMessage is a message as the mail side has written it.
type RenderedMessage struct {
	// Bytes are the message without its picture and file. These are inserted at the offsets PictureAt and FileAt; 0
	// for none.
	Bytes             []byte
	PictureAt, FileAt int
	// LetterID identifies the letter in delivery reports; empty for letters whose bounces are ignored.
	LetterID string
}

// CandidateToken is a token in Sender.Candidates. SignedBy reports whether a key signed it.
type CandidateToken struct {
	Token    Token
	SignedBy func(key []byte) bool
}

// MaxCandidates is the maximum number of tokens of a letter that are checked. A letter with more tokens is handled like a letter without a
// valid token.
const MaxCandidates = 10

// Seats lists the seats that the tokens of a letter name, each once.
func (l Letter) Seats() []match.SeatRef {
	var out []match.SeatRef
	if t := l.Token; t != nil && t.Seat != rules.NoSeat {
		out = append(out, match.SeatRef{Match: t.Match, Seat: t.Seat})
	}
	for _, c := range l.Candidates {
		if s := (match.SeatRef{Match: c.Token.Match, Seat: c.Token.Seat}); len(l.Candidates) <= MaxCandidates && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Receipt returns the receipt of a letter that belongs to no match.
func (l Letter) Receipt(digest string, d Disposition, at time.Time) *Receipt {
	return &Receipt{Seat: rules.NoSeat, Digest: digest, UIDValidity: l.UIDValidity, UID: l.UID, MessageID: l.MessageID, Raw: l.Raw,
		Disposition: d, At: at}
}

// ReceiptDigest returns a digest of sender, Message-ID and text. Two deliveries of a letter have the same digest. A letter without a
// Message-ID is identified by its date or, without a date, by Digest.
func (l Letter) ReceiptDigest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q", l.From, l.MessageID, l.Text)
	switch {
	case l.MessageID == "" && l.Date != "":
		fmt.Fprintf(h, " of %q", l.Date)
	case l.MessageID == "":
		fmt.Fprintf(h, " %s", l.Digest)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Bounce is a delivery report (RFC 3464) about a letter from us. The Letter with the report has the token of the bounced letter.
type Bounce struct {
	// Hard is set if the address does not work, and further letters would bounce too.
	Hard bool
	// Complaint is set if the recipient has reported the letter as unwanted (RFC 5965). Hard is then set too.
	Complaint bool
	// OurFault is set if a mail server refused our account or sender address; the player's address may then be right.
	OurFault bool
	// Recipient, Status (e.g. "5.1.1") and Reason are copied from the report for the operator. Reason contains no
	// address, because it is logged.
	Recipient, Status, Reason string
	// MessageID is the Message-ID of the letter that bounced.
	MessageID string
}
