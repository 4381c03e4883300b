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

// QuestionDays is the number of days for which a question can be answered with YES.
const QuestionDays = 7

// IsQuestionOpen reports whether a question can still be answered. It returns false if askedAt is in the future,
// because the clock was set back.
func IsQuestionOpen(askedAt, now time.Time) bool {
	age := now.Sub(askedAt)
	return age >= 0 && age <= QuestionDays*24*time.Hour
}

// Question is a question that we ask a person by letter. A letter answers the question if it has the token of our
// letter. Key signs the token. It is a key of the person, or a key of this question alone, so that the tokens of other
// letters do not help to forge an answer. For example, the letter that asks ada@example.org whether she wants to observe
// struggle-400 has the key of her address and the token {Match: "struggle-400", Seat: rules.NoSeat, Number: 20783}; the
// number is the day of the question, counted from 1970.
type Question struct {
	Key   []byte
	Token exchange.Token
	// IsDaily is set if the number of the token is the day of the question. Otherwise each question to a reader has a
	// number of its own.
	IsDaily bool
}

// TokenOf returns the text of a question's token.
func (r Replies) TokenOf(q Question) string { return r.Codec.Token(q.Key, q.Token) }

// IsAnswer reports whether a letter answers a question. A daily question can be answered for QuestionDays, and stays open if the
// clock is set back by a day. For other questions the caller checks the age (IsQuestionOpen).
func (r Replies) IsAnswer(incoming exchange.Letter, q Question) bool {
	if !incoming.HasToken(q.Key) {
		return false
	}
	if q.IsDaily {
		return r.Today()-incoming.Token.Number <= QuestionDays
	}
	return incoming.Token.Number == q.Token.Number
}

// ObservingQuestion asks an address whether its reader wants to observe a match.
func (r Replies) ObservingQuestion(address, match string) Question {
	return Question{Key: r.ObserverKey(address), Token: exchange.ObserverToken(match, 0, r.Today()), IsDaily: true}
}

// JoiningQuestion asks an address whether its reader wants to join the club.
func (r Replies) JoiningQuestion(address string) Question {
	return Question{Key: r.deriveKey("applicant", contact.LowerASCII(address)), Token: exchange.MemberToken(0, r.Today()), IsDaily: true}
}

// NewAddressQuestion asks the new address whether it consents to a change of address.
func (r Replies) NewAddressQuestion(request *contact.Request) Question {
	key := r.mac("address\x00%s\x00%d\x00%d\x00%t\x00%s", request.Match, request.Seat, request.Serial, request.Additional, request.To)
	return Question{Key: key, Token: exchange.Token{Match: request.Match, Seat: request.Seat, Number: request.Serial}}
}

// OldAddressQuestion asks the old address whether it consents to a change of address.
func (r Replies) OldAddressQuestion(request *contact.Request, old string) Question {
	question := r.NewAddressQuestion(request)
	h := hmac.New(sha256.New, question.Key)
	fmt.Fprintf(h, "notice\x00%s", contact.LowerASCII(old))
	question.Key = h.Sum(nil)
	return question
}

// DirectorQuestion returns the question in a letter to the director. Only an answer to the newest letter counts.
func (r Replies) DirectorQuestion(match string, letters int64) Question {
	return Question{Key: r.DirectorKey(), Token: exchange.DirectorToken(match, letters)}
}

// MemberKey returns the key of the tokens to a member of the club. It depends on the address and on the serial. The
// serial changes when another person may have seen a token.
func (r Replies) MemberKey(id int64, address string, serial int64) []byte {
	return r.deriveKey("member", fmt.Sprint(id), contact.LowerASCII(address), fmt.Sprint(serial))
}

// DirectorKey returns the key of the tokens to the director.
func (r Replies) DirectorKey() []byte { return r.mac("director\x00%s", contact.LowerASCII(r.Director)) }

// ObserverKey returns the key of the tokens to an observer.
func (r Replies) ObserverKey(address string) []byte {
	return r.mac("observer\x00%s", contact.LowerASCII(address))
}

// UnsubscribeToken returns the signed token of a link that ends a member's digests, e.g. "7-" and 32 hex digits.
func (r Replies) UnsubscribeToken(member int64) string {
	return fmt.Sprintf("%d-%x", member, r.mac("unsubscribe\x00%d", member)[:16])
}

// NoticeID returns the Message-ID of the notice to the old address of a change. It is unique, so that the store
// finds the notice by it.
func (r Replies) NoticeID(request *contact.Request, old string) string {
	return r.ID("address", "notice", request.Match, fmt.Sprint(request.Seat), fmt.Sprint(request.Serial), contact.LowerASCII(old))
}

// ID returns the Message-ID of a short letter: an HMAC of its parts. So a reader of the ID cannot guess hidden parts,
// e.g. the number of letters to a seat.
func (r Replies) ID(kind string, parts ...string) string {
	return kind + "-" + hex.EncodeToString(r.mac("letter id\x00%q %q", kind, parts)[:12]) + "@" + r.Codec.Domain()
}

// AnswerID returns the Message-ID of the answer to a letter that belongs to no seat.
func (r Replies) AnswerID(incoming exchange.Letter) string {
	return r.ID("answer", incoming.ReceiptDigest())
}

func (r Replies) deriveKey(purpose string, parts ...string) []byte {
	return r.mac("%s\x00%q", purpose, parts)
}

func (r Replies) mac(format string, args ...any) []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	fmt.Fprintf(h, format, args...)
	return h.Sum(nil)
}

// Today returns the number of the day since 1970.
func (r Replies) Today() int64 { return r.Now().UTC().Unix() / (24 * 60 * 60) }

// DailyDigest returns the digest of a receipt. It depends on the purpose, on the parts (e.g. an address) and on the
// day.
func (r Replies) DailyDigest(purpose string, parts ...string) string {
	return NewDigest(purpose, fmt.Sprint(r.Today()), fmt.Sprint(parts))
}

// NewDigest returns the digest of a receipt, derived from parts.
func NewDigest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%q ", p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
