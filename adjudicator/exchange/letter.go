// Package exchange holds the values that the adjudicator exchanges with the mail side and with the store: the letter
// that came in (Letter), the letters that go out (Dispatch), and everything that one letter changes (Change), which the
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

// Letter is a letter that came in, as far as the adjudicator cares: the mail
// package has decoded it and stripped what the player did not write.
type Letter struct {
	Sender
	Header
	Written
	Delivery
	// Bounce is set for a machine's report that a letter of ours did not arrive;
	// Token is then the one of that letter.
	Bounce *Bounce
	// Auto says why the letter is a machine's; empty for people's letters.
	Auto string
}

// MostText is how many bytes a person may write in a letter.
const MostText = 16 << 10

// TooLong reports whether a letter has more text than is read.
func (l Letter) TooLong() bool { return l.TooBig || len(l.Orders) > MostText }

// Bears reports whether the letter brings back a token that was made with a key.
func (l Letter) Bears(key []byte) bool { return l.Token != nil && l.Genuine != nil && l.Genuine(key) }

// Sender is who wrote a letter, and what shows that it is he.
type Sender struct {
	// From is the only From address, in lower case; empty when there was not
	// exactly one, and then nothing in the letter is trusted.
	From string
	// Name is what the writer's mail program calls him; it may be anything.
	Name string
	// Token is what the address that it was sent to says, and Genuine tells
	// whether a seat's or an observer's key made it. Nil when there was no token.
	Token   *Token
	Genuine func(key []byte) bool
	// Candidates are all seats' tokens of a letter that was sent to several. Token is
	// then the newest by its number if they are of one seat, and none of them if not.
	Candidates []Candidate
	// Proven looks for the proof that the operator demands beside the token. An
	// error means that this cannot be told now. Nil when none is demanded.
	Proven func(context.Context) (bool, error)
	// Shared means that the letter went to another address besides ours and its
	// writer's own, whose reader has now seen the token.
	Shared bool
}

// Header is what a letter's header says. MessageID and Date are the fields as written.
type Header struct {
	Subject         string
	MessageID, Date string
	References      []string
}

// Written is what is read of a letter.
type Written struct {
	// Orders is what the player wrote, and Beneath which of its lines stand right below a
	// quoted one, of which they may be the end.
	Orders  string
	Beneath []string
	// Below are all lines right below a quoted one, which may be its end.
	Below []letter.Below
	// Shown is the hash of the history in the letter that is answered, as the answer quotes it;
	// empty where it does not.
	Shown string
	// TooBig means that the letter was longer than what is read.
	TooBig bool
	// Problems tells in words what could not be decoded.
	Problems []string
}

// Delivery is how a letter came to us.
type Delivery struct {
	// Digest is the SHA-256 of Raw in hexadecimal digits.
	Digest string
	Raw    []byte
	// UIDValidity and UID name the letter in our mailbox, for the operator.
	UIDValidity, UID uint32
	// Arrived is when the letter reached our mailbox.
	Arrived time.Time
}

// Token names a letter of ours: one that goes out, or that is being answered.
type Token struct {
	Match string
	// Seat is the seat that the letter goes to, or Nobody of one to an observer.
	Seat rules.Seat
	// Observer is the observer's number. Of 0 it is the question whether its reader
	// wants to observe, and its Number the day on which that was asked.
	Observer int
	// Director means that it goes to the director of the match.
	Director bool
	// Member is the number of the member of the club whom it goes to. Of 0 it is the question
	// whether its reader wants to join, and its Number that of his registration.
	Member int64
	Number int64
}

// ObserverToken is the token of a letter to an observer.
func ObserverToken(match string, observer int, number int64) Token {
	return Token{Match: match, Seat: rules.NoSeat, Observer: observer, Number: number}
}

// DirectorToken is the token of a letter to the director of a match.
func DirectorToken(match string, number int64) Token {
	return Token{Match: match, Seat: rules.NoSeat, Director: true, Number: number}
}

// ClubName stands in the place of a match in tokens of the club. No match is called so.
const ClubName = "club"

// MemberToken is the token of a letter to a member of the club.
func MemberToken(member, number int64) Token {
	return Token{Match: ClubName, Seat: rules.NoSeat, Member: member, Number: number}
}

// Disposition is what became of a letter.
type Disposition string

// The dispositions.
const (
	// Done: orders were carried out or answered.
	Done Disposition = "done"
	// Refused: the letter was answered with a refusal.
	Refused Disposition = "refused"
	// Ignored: the letter was not for us, or a machine's; no answer.
	Ignored Disposition = "ignored"
	// Asked: the letter was answered, and has a question that the operator finds where it is filed.
	Asked Disposition = "asked"
)

// Sent is what a letter of ours asked, by its number.
type Sent struct {
	Number    int64
	Decisions []rules.DecisionID
	// Entries is how many entries the history had when it was written.
	Entries int
}

// Dispatch is a letter to be sent.
type Dispatch struct {
	Addressee
	Heading
	Sending
	Content
	Asking
	// Raw is the message.
	Raw Rendered
}

// TextLetter is one of text alone, whose reader is not known yet.
func TextLetter(subject, body string) Dispatch {
	return Dispatch{Heading: Heading{Subject: subject}, Content: Content{Body: body}}
}

// Addressee is to whom a letter goes, and of which match it tells.
type Addressee struct {
	Match string
	// Seat is the addressee's, or Nobody for a letter that concerns no seat.
	Seat rules.Seat
	// Observer is the number of the observer whom it tells of the match, or 0.
	Observer int
	// Number is the letter's, among those to the same reader.
	Number int64
	To     string
	// Reply means that the letter answers one of the addressee's.
	Reply bool
}

// Heading is what a letter's header says.
type Heading struct {
	Subject string
	// Token is what an answer brings back; empty for letters without one.
	Token string
	// ReplyTo is where the answer goes to a letter that is not ours to have answered.
	ReplyTo    string
	MessageID  string
	InReplyTo  string
	References []string
	// Unsubscribe is the order of whoever wants no more such letters, empty for none.
	Unsubscribe string
}

// Sending is when a letter goes out, and whether another takes its place.
type Sending struct {
	// Date is when it is to be sent, and not before. Held is for how long it is held
	// back until then.
	Date time.Time
	Held time.Duration
	// Spare means that the next letter that asks its reader something tells all that this
	// one does, and takes its place if it has not been sent by then. TellsAll means that it
	// is such a letter.
	Spare, TellsAll bool
}

// Content is what a letter holds.
type Content struct {
	Body string
	// HTML is the same as a page; empty for letters of text only.
	HTML string
	// PictureID is the content id of the picture; empty for letters without one.
	// Drawing is the picture as it is stored until the letter is sent.
	PictureID string
	Drawing   []byte
	// FileName is that of the file which is attached, empty for none; File is the file, packed
	// by gzip until the letter is sent.
	FileName string
	File     []byte
}

// Asking is what a letter asks of its reader.
type Asking struct {
	// Decisions are those that the letter asks for.
	Decisions []rules.DecisionID
	// Until is the end of the time that its reader has to answer, if it is to have an entry
	// for a calendar.
	Until time.Time
	// Entries is how many entries the match's history had.
	Entries int
}

// Rendered is a message, and what the mail side knows of it as it writes it.
type Rendered struct {
	// Bytes are the message without the data of its picture and of its file, which go to
	// PictureAt and FileAt; 0 means that it has none.
	Bytes             []byte
	PictureAt, FileAt int
	// LetterID is by what reports name the letter; empty for letters that nobody
	// looks for by it.
	LetterID string
}

// Candidate is a token among several that a letter was sent to.
type Candidate struct {
	Token   Token
	Genuine func(key []byte) bool
}

// MostCandidates is how many tokens of a letter are looked at. In long threads a few
// gather; who sends more gets the answer of who sends none that is good.
const MostCandidates = 10

// Seats lists the seats that the tokens of a letter name, each once.
func (l Letter) Seats() []match.SeatRef {
	var out []match.SeatRef
	if t := l.Token; t != nil && t.Seat != rules.NoSeat {
		out = append(out, match.SeatRef{Match: t.Match, Seat: t.Seat})
	}
	for _, c := range l.Candidates {
		if s := (match.SeatRef{Match: c.Token.Match, Seat: c.Token.Seat}); len(l.Candidates) <= MostCandidates && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Receipt is the receipt of a letter of no match.
func (l Letter) Receipt(digest string, d Disposition, at time.Time) *Receipt {
	return &Receipt{Seat: rules.NoSeat, Digest: digest, UIDValidity: l.UIDValidity, UID: l.UID, MessageID: l.MessageID, Raw: l.Raw,
		Disposition: d, At: at}
}

// ReceiptDigest is what makes two deliveries the same letter: sender, Message-ID and
// what was written. Of a letter without a Message-ID two copies may have come by
// different ways, and only its date tells it from another.
func (l Letter) ReceiptDigest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q", l.From, l.MessageID, l.Orders)
	switch {
	case l.MessageID == "" && l.Date != "":
		fmt.Fprintf(h, " of %q", l.Date)
	case l.MessageID == "":
		fmt.Fprintf(h, " %s", l.Digest)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Bounce is what a machine reports of a letter of ours that did not arrive. The
// token of the letter that holds it is the one of the letter that came back.
type Bounce struct {
	// Hard means that the address does not work, and that the next letter will
	// not arrive either.
	Hard bool
	// Own means that our account or our sender address was refused: it is not held
	// against the player.
	Own bool
	// Recipient, Status and Reason are what the report says, for the operator. Reason
	// names no address: it stands in the log.
	Recipient, Status, Reason string
	// MessageID is what the letter that came back was called, for the operator.
	MessageID string
}
