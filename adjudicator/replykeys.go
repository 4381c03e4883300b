package adjudicator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"samizdat/adjudicator/match/contact"
)

// Key derives a key for tokens from the store's secret. What is it for keeps it apart from
// all others.
func (r Replies) Key(what string, parts ...string) []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	fmt.Fprintf(h, "%s\x00%q", what, parts)
	return h.Sum(nil)
}

// ID is the Message-ID of a short letter, made of what tells it apart from others.
// Its reader knows much of that and could find the rest by trial, such as how many
// letters a seat has had, if no key of ours went into it.
func (r Replies) ID(sort string, parts ...string) string {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	fmt.Fprintf(h, "letter id\x00%q %q", sort, parts)
	return sort + "-" + hex.EncodeToString(h.Sum(nil)[:12]) + "@" + r.Post.Domain()
}

// AnswerID is the Message-ID of the answer to a letter of no seat.
func (r Replies) AnswerID(l Letter) string { return r.ID("answer", l.digest()) }

// DirectorKey is the key of the tokens in letters to the director.
func (r Replies) DirectorKey() []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	h.Write([]byte("director\x00" + contact.Lower(r.Director)))
	return h.Sum(nil)
}

// ObserverKey is the key of the tokens in letters to an address.
func (r Replies) ObserverKey(address string) []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	h.Write([]byte("observer\x00" + contact.Lower(address)))
	return h.Sum(nil)
}

// RequestKey is the key of the token in the letter that asks a new address. It is
// another one for every request, so that no answer counts twice.
func (r Replies) RequestKey(q *contact.Request) []byte {
	h := hmac.New(sha256.New, r.Store.ObserverKey())
	fmt.Fprintf(h, "address\x00%s\x00%d\x00%d\x00%t\x00%s", q.Match, q.Seat, q.Serial, q.Also, q.To)
	return h.Sum(nil)
}

// NoticeKey is the key of the token in the letter that asks the old address. No other
// letter has it: who has seen another letter cannot answer this one.
func (r Replies) NoticeKey(q *contact.Request, old string) []byte {
	h := hmac.New(sha256.New, r.RequestKey(q))
	fmt.Fprintf(h, "notice\x00%s", contact.Lower(old))
	return h.Sum(nil)
}

// NoticeID is the Message-ID of the letter that tells the old address of a request. By
// it the letter is found again, and nobody else's letter to that address.
func (r Replies) NoticeID(q *contact.Request, old string) string {
	return r.ID("address", "notice", q.Match, fmt.Sprint(q.Seat), fmt.Sprint(q.Serial), contact.Lower(old))
}

// Today numbers the days.
func (r Replies) Today() int64 { return r.Now().UTC().Unix() / (24 * 60 * 60) }

// Daily is the digest of a receipt that an address gets once a day.
func (r Replies) Daily(what string, more ...string) string {
	return digestOf(what, fmt.Sprint(r.Today()), fmt.Sprint(more))
}
