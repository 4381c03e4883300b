// Package contact stores a player's mail addresses and changes them at the player's request.
//
// A change needs the consent of two addresses: YES from the new address, and either YES from the old address or
// three days without its objection. A request from a proven sender (e.g. by DKIM) counts as the consent of the old address. If a
// player has lost the mailbox, the operator can request the change; then the old address has three days to object, and
// the new address is not asked. So an attacker who reads a player's mail and forges the sender gains nothing for three
// days, and one KEEP of the player stops the attack.
//
// Players may have additional addresses: orders from all addresses count, and letters go to the first. Adding an
// address needs the same consent.
//
// For example, "ADDRESS ben@new.org" from ben@old.org sends a question to both addresses. After YES
// from ben@new.org, letters go there three days later, or at once after YES from ben@old.org.
//
// Update is the whole state machine: a pure function of a contact, an event and the time. Its
// caller detects events (the token of a letter, the sending time of a notice), stores the contact,
// and sends the notices. Bounces are not events: if a notice bounces, the change still waits for the same time.
package contact

import (
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"samizdat/rules"
)

const (
	// ConfirmDays is the number of days in which the new address can answer YES.
	ConfirmDays = 7
	// ObjectionPeriod is the time in which the old address may object.
	ObjectionPeriod = 3 * 24 * time.Hour
	// maxRequests is the maximum number of requests of a player in requestPeriod. Each request sends a
	// letter to an address that may belong to another person.
	maxRequests       = 3
	requestPeriod     = 7 * 24 * time.Hour
	maxOtherAddresses = 3
	// minPostponement limits the letters about postponements: a change that is postponed by this time or less gets no further letter.
	minPostponement = time.Hour
)

// Contact holds a player's addresses and the requested change. No other player sees it. Copies of a Contact may share
// Request, because a Request is never modified. Stored players use the JSON keys, which are older names.
type Contact struct {
	Address        string   `json:"-"`
	OtherAddresses []string `json:"also,omitempty"`
	// RequestTimes are the times of recent requests; Serial counts all requests.
	RequestTimes []time.Time `json:"asked,omitempty"`
	Serial       int64       `json:"serial,omitempty"`
	// Request is the open request, or nil.
	Request *Request `json:"request,omitempty"`
}

// Contains reports whether an address belongs to the player.
func (c Contact) Contains(address string) bool {
	return address != "" && (SameAddress(c.Address, address) || slices.ContainsFunc(c.OtherAddresses,
		func(a string) bool { return SameAddress(a, address) }))
}

// Origin is the match and seat of the request. Letters about the request have tokens of that seat.
type Origin struct {
	Match string     `json:"match,omitempty"`
	Seat  rules.Seat `json:"seat,omitempty"`
}

// Request is a requested change of address.
type Request struct {
	To string `json:"to"`
	// Additional is set if the address is added and does not replace the first address.
	Additional bool `json:"also,omitempty"`
	Origin
	Serial      int64     `json:"serial"`
	RequestedAt time.Time `json:"at"`
	// NoticeTime is the time of the question to the old address; zero if it was not asked.
	NoticeTime       time.Time `json:"noticed,omitzero"`
	OldAddressAgreed bool      `json:"granted,omitempty"`
	NewAddressAgreed bool      `json:"yes,omitempty"`
	// Due is the time at which the change takes effect without objection; zero before the YES of the new address. In
	// requests of the operator it is set from the start.
	Due time.Time `json:"due,omitzero"`
}

// IsByOperator reports whether the operator requested the change.
func (r *Request) IsByOperator() bool { return !r.Due.IsZero() && !r.NewAddressAgreed }

// ObjectionStart returns the earliest time at which the three days for an objection can begin: the time of the operator's request, or of
// the question to the old address. They begin later if the letter to the old address is sent later.
func (r *Request) ObjectionStart() time.Time {
	if r.IsByOperator() {
		return r.RequestedAt
	}
	return r.NoticeTime
}

// OpenRequest returns the open request, unless it has expired.
func (c Contact) OpenRequest(now time.Time) *Request {
	if r := c.Request; r != nil && (!r.Due.IsZero() || now.Sub(r.RequestedAt) <= ConfirmDays*24*time.Hour) {
		return r
	}
	return nil
}

// Due returns the time at which the open request takes effect, or zero.
func (c Contact) Due() time.Time {
	if c.Request == nil {
		return time.Time{}
	}
	return c.Request.Due
}

// The errors of Update for requests.
var (
	ErrNoAddress         = errors.New("that is not a mail address")
	ErrOwnAddress        = errors.New("that is the referee's address")
	ErrAlreadyRegistered = errors.New("that address is registered already")
	ErrAlreadyAsked      = errors.New("a change of address is asked for already; ADDRESS KEEP ends it")
	ErrTooManyRequests   = fmt.Errorf("a change of address can be asked for %d times in a week", maxRequests)
	ErrTooManyAddresses  = fmt.Errorf("orders can count from %d addresses beside the first; ADDRESS ONLY drops those", maxOtherAddresses)
	ErrRequestRepeated   = errors.New("that change is asked for already") // only for requests of the operator
)

// ErrNoRequest is returned for an event that needs an open request, if there is none.
var ErrNoRequest = errors.New("no change of address is asked for")

// NoticeKind is the kind of a notice.
type NoticeKind int

const (
	// NoticeAskNew asks the new address for YES.
	NoticeAskNew NoticeKind = iota
	// NoticeAskOld asks the old address whether the player wants the change.
	NoticeAskOld
	// NoticeAnnounce tells the old address of a request of the operator.
	NoticeAnnounce
	// NoticeScheduled tells the new address, after its YES, when the change takes effect.
	NoticeScheduled
	// NoticePostponed tells the new address that the change takes effect later than announced.
	NoticePostponed
	// NoticeCancelled tells the new address that the change is cancelled.
	NoticeCancelled
	// NoticeMoved tells the old address that letters now go to the new address.
	NoticeMoved
	// NoticeAdded tells the additional address that orders from it count.
	NoticeAdded
)

// Notice is a short letter to be sent. It does not describe a match, because the address may be
// wrong or belong to another person.
type Notice struct {
	Kind    NoticeKind
	To      string
	Request Request
	// Replaces is set if the request replaces an earlier request.
	Replaces bool
}

// IsRequired reports whether the change must wait if the notice cannot be delivered, because the
// address must be asked or be able to object.
func (n Notice) IsRequired() bool { return n.Kind <= NoticeAnnounce }

// maxAddressLength is the maximum length of an address in bytes (RFC 5321, section 4.5.3.1.3).
const maxAddressLength = 254

// SameAddress compares addresses and ignores only the case of ASCII letters. Addresses with other Unicode
// characters that fold to ASCII letters are different.
func SameAddress(a, b string) bool { return LowerASCII(a) == LowerASCII(b) }

// SameMailbox reports whether two addresses have the same mailbox, for example a@x.org and a+games@x.org.
func SameMailbox(a, b string) bool { return MailboxOf(a) == MailboxOf(b) }

// LowerASCII returns the address with ASCII letters in lower case.
func LowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// MaskAddress hides most of an address from a player with another mailbox, e.g. "d...@x....org". It does not hide an address
// that differs from the player's own only by a +detail.
func MaskAddress(address, viewerAddress string) string {
	if SameMailbox(address, viewerAddress) {
		return address
	}
	local, domain, _ := strings.Cut(address, "@")
	host, rest, _ := strings.Cut(domain, ".")
	if rest != "" {
		rest = "." + rest[strings.LastIndexByte(rest, '.')+1:]
	}
	return firstLetter(local) + "...@" + firstLetter(host) + "..." + rest
}

func firstLetter(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// MailboxOf returns the mailbox of an address: dan@x.org for dan+games@x.org, and dan@gmail.com for d.an@googlemail.com.
func MailboxOf(address string) string {
	address = LowerASCII(address)
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address
	}
	local, domain := address[:at], address[at:]
	if i := strings.IndexByte(local, '+'); i > 0 {
		local = local[:i]
	}
	if domain == "@gmail.com" || domain == "@googlemail.com" {
		local, domain = strings.ReplaceAll(local, ".", ""), "@gmail.com"
	}
	return local + domain
}

// ParseNameAndAddress splits an address of a From line: "Ben <ben@x.org>" is "Ben" and "ben@x.org".
func ParseNameAndAddress(text string) (name, address string) {
	if p, err := mail.ParseAddress(text); err == nil && p.Name != "" {
		return p.Name, p.Address
	}
	return "", text
}

// ParseAddress parses a deliverable address: ASCII without quotes, and not the referee's own.
func ParseAddress(text, referee string) (string, error) {
	p, err := mail.ParseAddress(text)
	if err != nil || p.Name != "" || len(p.Address) > maxAddressLength || strings.ContainsFunc(p.Address, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"\<>()[]:;,`, r)
	}) {
		return "", ErrNoAddress
	}
	to := LowerASCII(p.Address)
	local, domain, _ := strings.Cut(to, "@")
	local, _, _ = strings.Cut(local, "+")
	if SameAddress(local+"@"+domain, referee) {
		return "", ErrOwnAddress
	}
	return to, nil
}

// NewestTime returns the latest stored time, or zero. If it is in the future, the system clock was set back.
func (c Contact) NewestTime() time.Time {
	var newest time.Time
	for _, t := range c.RequestTimes {
		newest = later(newest, t)
	}
	if r := c.Request; r != nil {
		newest = later(newest, later(r.RequestedAt, r.NoticeTime))
	}
	return newest
}

// ClampTimes corrects the stored times after the system clock was set back: times in the future become now, and Due moves so that the
// waiting time stays the same.
func (c Contact) ClampTimes(now time.Time) Contact {
	now = now.UTC()
	c.RequestTimes = slices.Clone(c.RequestTimes)
	for i, t := range c.RequestTimes {
		if t.After(now) {
			c.RequestTimes[i] = now
		}
	}
	if c.Request == nil {
		return c
	}
	request := *c.Request
	start := later(request.RequestedAt, request.NoticeTime)
	if start.After(now) && !request.Due.IsZero() {
		request.Due = now.Add(request.Due.Sub(start))
	}
	for _, t := range []*time.Time{&request.RequestedAt, &request.NoticeTime} {
		if t.After(now) {
			*t = now
		}
	}
	c.Request = &request
	return c
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
