package adjudicator

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"samizdat/rules"
)

const (
	// addressDays is for how many days a new address can say YES.
	addressDays = 7
	// addressNotice is how long the old address may object to a change that nobody has
	// confirmed from there.
	addressNotice = 3 * 24 * time.Hour
	// mostRequests is how many changes may be asked for a seat in requestSpan: each
	// is a letter to an address that somebody else may read.
	mostRequests = 3
	requestSpan  = 7 * 24 * time.Hour
	// longestAddress is what a mail server takes (RFC 5321, section 4.5.3.1.3).
	longestAddress = 254
	// noLetter is the number in the tokens of short letters: reports that they did not
	// arrive say nothing of the letters of the match.
	noLetter = 0
)

// Addresses is what there is about a player's mail beside his address. No other
// player is told of it.
type Addresses struct {
	// Second is another address whose letters count; empty when there is none.
	Second string `json:"-"`
	// Astray means that letters to the address do not arrive and go to Second.
	Astray bool `json:"astray,omitempty"`
	// Good is the number of the last letter whose reports say nothing any more,
	// since letters go elsewhere or the player was heard of.
	Good int64 `json:"good,omitempty"`
	// Seen means that the key of the seat's tokens is to change: somebody else may have
	// seen one. It changes with the next letter to the seat, and not without one, which
	// would shut the player out.
	Seen bool `json:"seen,omitempty"`
	// Dropped is a second address that was given up, at DroppedAt: if somebody else has
	// done it, its reader is still told of what follows.
	Dropped   string    `json:"dropped,omitempty"`
	DroppedAt time.Time `json:"dropped_at,omitzero"`
	// Asked are the times of the newest requests, Serial counts all of them.
	Asked  []time.Time `json:"asked,omitempty"`
	Serial int64       `json:"serial,omitempty"`
	// Request is what was asked for and is not settled; nil when nothing is. What it
	// points to is never changed.
	Request *AddressRequest `json:"request,omitempty"`
}

// AddressRequest is a change of address that was asked for.
type AddressRequest struct {
	To string `json:"to"`
	// Also means that it is to be a second address.
	Also bool `json:"also,omitempty"`
	// Serial numbers the requests of a seat.
	Serial int64     `json:"serial"`
	At     time.Time `json:"at"`
	// Told are the addresses that were asked, at Noticed, whether the player wants it.
	// They are empty when nobody had to be.
	Told    []string  `json:"told,omitempty"`
	Noticed time.Time `json:"noticed,omitzero"`
	// Granted means that the player wants it for sure: he has said so from an address
	// that he had before. Yes means that the new address wants it.
	Granted bool `json:"granted,omitempty"`
	Yes     bool `json:"yes,omitempty"`
	// Due is when it takes effect by itself. It is zero while the new address has not
	// said YES, except for a request of the operator, who does not ask it.
	Due time.Time `json:"due,omitzero"`
}

// byOperator reports whether the operator has asked for it.
func (r *AddressRequest) byOperator() bool { return !r.Due.IsZero() && !r.Yes }

// Mailbox is the address that a seat's letters go to.
func (s *Seat) Mailbox() string {
	if s.Addresses.Astray && s.Addresses.Second != "" {
		return s.Addresses.Second
	}
	return s.Address
}

// registered reports whether letters from an address count for a seat.
func (s *Seat) registered(address string) bool {
	return sameAddress(s.Address, address) || s.Addresses.Second != "" && sameAddress(s.Addresses.Second, address)
}

// due is when a request takes effect by itself; zero when none does.
func (x *Addresses) due() time.Time {
	if x.Request == nil {
		return time.Time{}
	}
	return x.Request.Due
}

// ripe reports whether a request is to take effect by itself now.
func (x *Addresses) ripe(now time.Time) bool { return !x.due().IsZero() && !x.due().After(now) }

// open is the request that is not settled, unless it has expired.
func (x *Addresses) open(now time.Time) *AddressRequest {
	r := x.Request
	if r != nil && r.Due.IsZero() && now.Sub(r.At) > addressDays*24*time.Hour {
		return nil
	}
	return r
}

// The reasons why no change of address can be asked for.
var (
	errAddress      = errors.New("that is not a mail address")
	errOwnAddress   = errors.New("that is the referee's address")
	errSameAddress  = errors.New("that address is registered already")
	errAddressAsked = errors.New("a change of address is asked for already; ADDRESS KEEP ends it")
	// The operator is told this.
	errAskedByOperator = errors.New("that change is asked for already")
	errAddressOften    = fmt.Errorf("a change of address can be asked for %d times in a week", mostRequests)
)

// ask opens a request. Whether another player has the address is not looked at: the
// answer would tell.
func (a *Adjudicator) ask(s *Seat, to string, also bool) (*AddressRequest, error) {
	now := a.Now().UTC().Truncate(time.Second)
	to, err := a.newAddress(s, to, also)
	if err != nil {
		return nil, err
	}
	x := &s.Addresses
	if x.open(now) != nil {
		return nil, errAddressAsked
	}
	x.Asked = slices.DeleteFunc(slices.Clone(x.Asked), func(t time.Time) bool { return now.Sub(t) > requestSpan })
	if len(x.Asked) >= mostRequests {
		return nil, errAddressOften
	}
	x.Asked = append(x.Asked, now)
	return x.begin(to, also, now), nil
}

// askForPlayer opens a request of the operator. It takes the place of one that is open,
// and is not counted: whoever forges the player's letters must not shut the operator out.
func (a *Adjudicator) askForPlayer(s *Seat, to string) (*AddressRequest, error) {
	now := a.Now().UTC().Truncate(time.Second)
	to, err := a.newAddress(s, to, false)
	if err != nil {
		return nil, err
	}
	if r := s.Addresses.open(now); r != nil && r.byOperator() && sameAddress(r.To, to) {
		return nil, errAskedByOperator // The three days would only begin anew.
	}
	return s.Addresses.begin(to, false, now), nil
}

func (x *Addresses) begin(to string, also bool, now time.Time) *AddressRequest {
	x.Serial++
	x.Request = &AddressRequest{To: to, Also: also, Serial: x.Serial, At: now}
	return x.Request
}

// newAddress reads the address of a request.
func (a *Adjudicator) newAddress(s *Seat, to string, also bool) (string, error) {
	to, err := a.plainAddress(to)
	if err == nil && (sameAddress(to, s.Address) || also && sameAddress(to, s.Addresses.Second)) {
		err = errSameAddress
	}
	return to, err
}

// plainAddress reads an address that letters can be sent to: ASCII without quotes.
func (a *Adjudicator) plainAddress(text string) (string, error) {
	p, err := mail.ParseAddress(text)
	if err != nil || p.Name != "" || len(p.Address) > longestAddress || strings.ContainsFunc(p.Address, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"\<>()[]:;,`, r)
	}) {
		return "", errAddress
	}
	to := lowerASCII(p.Address)
	local, domain, _ := strings.Cut(to, "@")
	local, _, _ = strings.Cut(local, "+")
	if sameAddress(local+"@"+domain, a.Post.Referee()) {
		return "", errOwnAddress
	}
	return to, nil
}

// requestKey is the key of the token in the letter that asks a new address. It is
// another one for every request, so that no answer counts twice.
func (a *Adjudicator) requestKey(match string, seat rules.Seat, r *AddressRequest) []byte {
	h := hmac.New(sha256.New, a.Store.ObserverKey())
	fmt.Fprintf(h, "address\x00%s\x00%d\x00%d\x00%t\x00%s", match, seat, r.Serial, r.Also, r.To)
	return h.Sum(nil)
}

// noticeKey is the key of the token in the letter that asks an address of the player.
// No other letter has it: who has seen another letter cannot answer this one.
func (a *Adjudicator) noticeKey(match string, seat rules.Seat, r *AddressRequest, to string) []byte {
	h := hmac.New(sha256.New, a.requestKey(match, seat, r))
	fmt.Fprintf(h, "notice\x00%s", lowerASCII(to))
	return h.Sum(nil)
}
