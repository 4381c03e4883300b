// Package contact keeps a player's mail address, and changes it when he asks.
//
// A change needs the word of two addresses: YES from the new one, and YES from the old
// one or its silence for three days after it was asked. A letter whose sender is proven
// is the word of the old address. The operator can ask for a player who has lost his
// mailbox; then the new address is not asked, and the old one has three days to object.
// Whoever reads somebody's letters and forges his sender so gets nothing within three
// days, and one KEEP ends it.
//
// A player may have other addresses beside: orders count from each, and letters go to the
// first. Such an address is added as the first is changed, with the word of both.
//
// Step is all of it: a function of a contact, an event and the time. It knows no clock,
// no store, no keys and no letters. Whoever calls it finds out that an event has happened
// (whose token a letter bears, when a notice was sent), stores the contact, and writes
// the letters of the notices.
//
// A report that a letter did not arrive is no event: a notice that came back makes
// nothing quicker, and where it has come from nobody can say KEEP or YES.
package contact

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/rules"
)

const (
	// ConfirmDays is for how many days a new address can say YES.
	ConfirmDays = 7
	// ObjectionTime is how long the old address may object to a change that it has not agreed to.
	ObjectionTime = 3 * 24 * time.Hour
	// maxRequests is how many changes a player may ask for in askedSpan: each is a letter
	// to an address that somebody else may read.
	maxRequests = 3
	requestSpan = 7 * 24 * time.Hour
	// maxOtherAddresses is how many addresses a player may have beside the first.
	maxOtherAddresses = 3
	// minNewsDelay is by how much a change has to be later than was told for another letter.
	minNewsDelay = time.Hour
)

// Contact is a player's address, and the change of it that is asked for. No other
// player is told of it. What it points to is never changed.
type Contact struct {
	Address string `json:"-"`
	// OtherAddresses are the other addresses from which the player's orders count.
	OtherAddresses []string `json:"also,omitempty"`
	// RequestTimes are the times of the newest requests, Serial counts all of them.
	RequestTimes []time.Time `json:"asked,omitempty"`
	Serial       int64       `json:"serial,omitempty"`
	// Request is what was asked for and is not settled; nil when nothing is.
	Request *Request `json:"request,omitempty"`
}

// Contains reports whether a letter from an address is the player's.
func (c Contact) Contains(address string) bool {
	return address != "" && (Same(c.Address, address) || slices.ContainsFunc(c.OtherAddresses,
		func(a string) bool { return Same(a, address) }))
}

// Origin names the seat of the player through which something is asked: the letters
// about it bear tokens of that seat, and name that match.
type Origin struct {
	Match string     `json:"match,omitempty"`
	Seat  rules.Seat `json:"seat,omitempty"`
}

// Request is a change of address that was asked for.
type Request struct {
	To string `json:"to"`
	// Additional means that orders are to count from it too, and letters go where they go.
	Additional bool `json:"also,omitempty"`
	Origin
	// Serial numbers the requests of a player.
	Serial int64     `json:"serial"`
	At     time.Time `json:"at"`
	// NoticeTime is when the old address was asked whether the player wants it; zero when
	// it did not have to be.
	NoticeTime time.Time `json:"noticed,omitzero"`
	// Granted means that the player wants it for sure: he has said so from the old
	// address. Yes means that the new address wants it.
	Granted   bool `json:"granted,omitempty"`
	Confirmed bool `json:"yes,omitempty"`
	// Due is when it takes effect by itself. It is zero while the new address has not
	// said YES, except for a request of the operator, who does not ask it.
	Due time.Time `json:"due,omitzero"`
}

// ByOperator reports whether the operator has asked for it.
func (r *Request) ByOperator() bool { return !r.Due.IsZero() && !r.Confirmed }

// WaitsSince is from when on the three days are counted at the earliest.
func (r *Request) WaitsSince() time.Time {
	if r.ByOperator() {
		return r.At
	}
	return r.NoticeTime
}

// OpenRequest is the request that is not settled, unless it has expired.
func (c Contact) OpenRequest(now time.Time) *Request {
	if r := c.Request; r != nil && (!r.Due.IsZero() || now.Sub(r.At) <= ConfirmDays*24*time.Hour) {
		return r
	}
	return nil
}

// Due is when a request takes effect by itself; zero when none does.
func (c Contact) Due() time.Time {
	if c.Request == nil {
		return time.Time{}
	}
	return c.Request.Due
}

// The reasons why no change of address can be asked for.
var (
	ErrNoAddress  = errors.New("that is not a mail address")
	ErrOwn        = errors.New("that is the referee's address")
	ErrSame       = errors.New("that address is registered already")
	ErrAsked      = errors.New("a change of address is asked for already; ADDRESS KEEP ends it")
	ErrOften      = fmt.Errorf("a change of address can be asked for %d times in a week", maxRequests)
	ErrFull       = fmt.Errorf("orders can count from %d addresses beside the first; ADDRESS ONLY drops those", maxOtherAddresses)
	ErrAskedAgain = errors.New("that change is asked for already") // the operator is told this
)

// ErrNothing means that an event found no request that it is about.
var ErrNothing = errors.New("no change of address is asked for")

// NoticeKind is what a notice says.
type NoticeKind int

// The kinds of notices, by whom they go to.
const (
	// AskNew asks the new address whether it is the player's.
	AskNew NoticeKind = iota
	// AskOld asks the old one whether it is the player who wants the change.
	AskOld
	// Announce tells the old one what the operator was asked for.
	Announce
	// Scheduled tells the new one, which has said YES, from when on it counts.
	Scheduled
	// Later tells it that this is later than it was told.
	Later
	// Kept tells it that nothing changes.
	Kept
	// Moved is the last word to the old one.
	Moved
	// Added tells the new one that orders count from it too.
	Added
)

// Notice is a short letter to be written. It says nothing of how a match stands: an
// address may be wrong, or lost to somebody else.
type Notice struct {
	Kind NoticeKind
	To   string
	// Request is what it is about.
	Request Request
	// Replaces means that the request takes the place of another.
	Replaces bool
}

// IsRequired reports whether nothing may happen when no letter can be written to the
// address: somebody must be asked or be able to object.
func (n Notice) IsRequired() bool { return n.Kind <= Announce }
