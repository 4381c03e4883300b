package conversation

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/contact"
)

// Days is for how many days a question can be answered with YES.
const Days = 7

// IsOpen reports whether a question that was asked at a time can still be answered. A clock that was set back to before
// that time closes it.
func IsOpen(asked, now time.Time) bool {
	age := now.Sub(asked)
	return age >= 0 && age <= Days*24*time.Hour
}

// Question is a question that a letter asks one reader. A letter answers the question if it brings the token of the asking
// letter back. The key of the token is that of the reader, or of the question alone: a person who has seen another letter to
// the reader cannot answer then. For example the letter that asks ada@example.org whether she wants to observe struggle-400
// has the key of her address and the token {Match: "struggle-400", Seat: Nobody, Number: 20783}, the day of the question.
type Question struct {
	Key   []byte
	Token exchange.Token
	// Daily means that the number of the token is the day of the question. Otherwise it is a number that the next question
	// to the same reader does not have.
	Daily bool
}

// TokenOf is the text of a question's token, for the letter that asks.
func (r Replies) TokenOf(q Question) string { return r.Post.Token(q.Key, q.Token) }

// IsAnswer reports whether a letter answers a question that is still open. A daily question stays open when the clock is
// set back: then it was asked tomorrow.
func (r Replies) IsAnswer(l exchange.Letter, q Question) bool {
	if !l.Bears(q.Key) {
		return false
	}
	if q.Daily {
		return r.Today()-l.Token.Number <= Days
	}
	return l.Token.Number == q.Token.Number
}

// ObservingQuestion asks an address whether its reader wants to observe a match.
func (r Replies) ObservingQuestion(address, match string) Question {
	return Question{Key: r.ObserverKey(address), Token: exchange.ObserverToken(match, 0, r.Today()), Daily: true}
}

// JoiningQuestion asks an address whether its reader wants to join the club.
func (r Replies) JoiningQuestion(address string) Question {
	return Question{Key: r.key("applicant", contact.LowerASCII(address)), Token: exchange.MemberToken(0, r.Today()), Daily: true}
}

// RequestQuestion asks the new address of a change of address.
func (r Replies) RequestQuestion(q *contact.Request) Question {
	key := r.mac("address\x00%s\x00%d\x00%d\x00%t\x00%s", q.Match, q.Seat, q.Serial, q.Additional, q.To)
	return Question{Key: key, Token: exchange.Token{Match: q.Match, Seat: q.Seat, Number: q.Serial}}
}

// NoticeQuestion asks the old address of a change of address.
func (r Replies) NoticeQuestion(q *contact.Request, old string) Question {
	out := r.RequestQuestion(q)
	h := hmac.New(sha256.New, out.Key)
	fmt.Fprintf(h, "notice\x00%s", contact.LowerASCII(old))
	out.Key = h.Sum(nil)
	return out
}

// DirectorQuestion is what a letter to the director of a match, or of the club, asks. Only an answer to the newest letter
// counts.
func (r Replies) DirectorQuestion(match string, letters int64) Question {
	return Question{Key: r.DirectorKey(), Token: exchange.DirectorToken(match, letters)}
}

// MemberKey is the key of the tokens in letters to a member of the club. It changes with his address, and with his serial
// when another reader may have seen a token.
func (r Replies) MemberKey(id int64, address string, serial int64) []byte {
	return r.key("member", fmt.Sprint(id), contact.LowerASCII(address), fmt.Sprint(serial))
}

// DirectorKey is the key of the tokens in letters to the director.
func (r Replies) DirectorKey() []byte { return r.mac("director\x00%s", contact.LowerASCII(r.Director)) }

// ObserverKey is the key of the tokens in letters to an observer.
func (r Replies) ObserverKey(address string) []byte {
	return r.mac("observer\x00%s", contact.LowerASCII(address))
}

// NoticeID is the Message-ID of the letter that tells the old address of a change. It finds that letter in the store, and
// no other letter to the address.
func (r Replies) NoticeID(q *contact.Request, old string) string {
	return r.ID("address", "notice", q.Match, fmt.Sprint(q.Seat), fmt.Sprint(q.Serial), contact.LowerASCII(old))
}

// ID is the Message-ID of a short letter, made of parts that tell it apart from others. Its reader could find out parts by
// trial, such as how many letters a seat has had, if no key of ours went into it.
func (r Replies) ID(sort string, parts ...string) string {
	return sort + "-" + hex.EncodeToString(r.mac("letter id\x00%q %q", sort, parts)[:12]) + "@" + r.Post.Domain()
}

// AnswerID is the Message-ID of the answer to a letter of no seat.
func (r Replies) AnswerID(l exchange.Letter) string { return r.ID("answer", l.ReceiptDigest()) }

// key derives a key from the store's secret. The purpose keeps it apart from all others.
func (r Replies) key(purpose string, parts ...string) []byte {
	return r.mac("%s\x00%q", purpose, parts)
}

func (r Replies) mac(format string, args ...any) []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	fmt.Fprintf(h, format, args...)
	return h.Sum(nil)
}

// Today is the number of the day.
func (r Replies) Today() int64 { return r.Now().UTC().Unix() / (24 * 60 * 60) }

// Daily is the digest of a receipt that an address gets once a day.
func (r Replies) Daily(purpose string, more ...string) string {
	return DigestOf(purpose, fmt.Sprint(r.Today()), fmt.Sprint(more))
}

// DigestOf is the digest of a receipt, made of parts that tell it apart from others.
func DigestOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%q ", p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
