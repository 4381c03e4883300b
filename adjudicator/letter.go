package adjudicator

import (
	"context"
	"time"

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

// Below is a line right below a quoted one.
type Below struct{ Line, Quoted string }

// Written is what is read of a letter.
type Written struct {
	// Orders is what the player wrote, and Beneath which of its lines stand right below a
	// quoted one, of which they may be the end.
	Orders  string
	Beneath []string
	// Below are all lines right below a quoted one, which may be its end.
	Below []Below
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
	return Token{Match: match, Seat: rules.Nobody, Observer: observer, Number: number}
}

// DirectorToken is the token of a letter to the director of a match.
func DirectorToken(match string, number int64) Token {
	return Token{Match: match, Seat: rules.Nobody, Director: true, Number: number}
}

// ClubName stands in the place of a match in tokens of the club. No match is called so.
const ClubName = "club"

// MemberToken is the token of a letter to a member of the club.
func MemberToken(member, number int64) Token {
	return Token{Match: ClubName, Seat: rules.Nobody, Member: member, Number: number}
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
