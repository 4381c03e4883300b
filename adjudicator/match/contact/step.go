package contact

import (
	"slices"
	"time"
)

// Event is a request, an answer or the passing of time. Update applies it.
type Event interface {
	apply(c Contact, now time.Time) (Contact, []Notice, error)
}

// ChangeRequest is a player's request for a change of address. To comes from ParseAddress. Update does not check
// whether another player has the address, because a refusal would reveal that the address is known here.
type ChangeRequest struct {
	To string
	// Additional is set if the address is added and does not replace the first address.
	Additional bool
	Origin
	// SenderIsAuthenticated is set if the letter was proved to come from the player (e.g. by DKIM), so the old address need not be asked.
	SenderIsAuthenticated bool
}

// OperatorChange is a request of the operator for a player without access to the mailbox. It replaces an open request and does
// not count for maxRequests: an attacker must not be able to block the operator.
type OperatorChange struct {
	To string
	Origin
}

// NewAddressConsent is the YES of the new address. KnownSince is the time at which the notice was sent to the old
// address. The time for an objection starts then, but not before the request.
type NewAddressConsent struct{ KnownSince time.Time }

// OldAddressConsent is the YES of the old address.
type OldAddressConsent struct{}

// RemoveOtherAddresses removes the additional addresses, at the request of any address.
type RemoveOtherAddresses struct{}

// KeepOldAddress is the objection of the old address, or of the operator in its name.
type KeepOldAddress struct{}

// ObjectionTimeEnd is the end of the time for an objection. KnownSince is the earliest time at which the old address could know of the
// request, as in NewAddressConsent.
type ObjectionTimeEnd struct{ KnownSince time.Time }

// Update applies an event to a contact and returns the new contact and the notices to send. After
// an error the contact is unchanged and there are no notices.
func Update(c Contact, e Event, now time.Time) (Contact, []Notice, error) {
	next, notices, err := e.apply(c, now)
	if err != nil {
		return c, nil, err
	}
	return next, notices, nil
}

func (e ChangeRequest) apply(c Contact, now time.Time) (Contact, []Notice, error) {
	now = now.UTC().Truncate(time.Second)
	switch {
	case SameAddress(e.To, c.Address), e.Additional && c.Contains(e.To):
		return c, nil, ErrAlreadyRegistered
	case e.Additional && len(c.OtherAddresses) >= maxOtherAddresses:
		return c, nil, ErrTooManyAddresses
	case c.OpenRequest(now) != nil:
		return c, nil, ErrAlreadyAsked
	}
	c.RequestTimes = slices.DeleteFunc(slices.Clone(c.RequestTimes), func(t time.Time) bool { return now.Sub(t) > requestPeriod })
	if len(c.RequestTimes) >= maxRequests {
		return c, nil, ErrTooManyRequests
	}
	c.RequestTimes = append(c.RequestTimes, now)
	c.Serial++
	request := Request{To: e.To, Additional: e.Additional, Origin: e.Origin, Serial: c.Serial, RequestedAt: now,
		OldAddressAgreed: e.SenderIsAuthenticated}
	if !e.SenderIsAuthenticated {
		request.NoticeTime = now
	}
	c.Request = &request
	notices := []Notice{{Kind: NoticeAskNew, To: request.To, Request: request}}
	if !e.SenderIsAuthenticated {
		notices = append(notices, Notice{Kind: NoticeAskOld, To: c.Address, Request: request})
	}
	return c, notices, nil
}

func (e OperatorChange) apply(c Contact, now time.Time) (Contact, []Notice, error) {
	now = now.UTC().Truncate(time.Second)
	before := c.OpenRequest(now)
	switch {
	case SameAddress(e.To, c.Address):
		return c, nil, ErrAlreadyRegistered
	case before != nil && before.IsByOperator() && SameAddress(before.To, e.To):
		return c, nil, ErrRequestRepeated // A repeated request would restart the three days.
	}
	c.Serial++
	request := Request{To: e.To, Origin: e.Origin, Serial: c.Serial, RequestedAt: now, Due: now.Add(ObjectionPeriod)}
	c.Request = &request
	notices := []Notice{{Kind: NoticeAnnounce, To: c.Address, Request: request, Replaces: before != nil}}
	if before != nil && before.NewAddressAgreed && !SameAddress(before.To, e.To) {
		// NoticeScheduled told this address of the change.
		notices = append(notices, Notice{Kind: NoticeCancelled, To: before.To, Request: *before})
	}
	return c, notices, nil
}

func (e NewAddressConsent) apply(c Contact, now time.Time) (Contact, []Notice, error) {
	if c.OpenRequest(now) == nil || c.Request.IsByOperator() {
		return c, nil, ErrNoRequest
	}
	request := *c.Request
	if request.NewAddressAgreed {
		return c, []Notice{{Kind: NoticeScheduled, To: request.To, Request: request}}, nil
	}
	request.NewAddressAgreed = true
	if request.OldAddressAgreed {
		return c.makeChange(request)
	}
	var notices []Notice
	if request.NoticeTime.IsZero() {
		// The old address was not asked when the change was requested.
		request.NoticeTime = now.UTC().Truncate(time.Second)
		notices = append(notices, Notice{Kind: NoticeAskOld, To: c.Address, Request: request})
	}
	due := request.dueAfter(e.KnownSince)
	if !due.After(now) {
		return c.makeChange(request)
	}
	request.Due = due
	c.Request = &request
	return c, append(notices, Notice{Kind: NoticeScheduled, To: request.To, Request: request}), nil
}

func (OldAddressConsent) apply(c Contact, now time.Time) (Contact, []Notice, error) {
	if c.OpenRequest(now) == nil || c.Request.IsByOperator() {
		return c, nil, ErrNoRequest
	}
	request := *c.Request
	request.OldAddressAgreed = true
	if request.NewAddressAgreed {
		return c.makeChange(request)
	}
	c.Request = &request
	return c, nil, nil
}

func (RemoveOtherAddresses) apply(c Contact, _ time.Time) (Contact, []Notice, error) {
	c.OtherAddresses = nil
	return c, nil, nil
}

func (KeepOldAddress) apply(c Contact, now time.Time) (Contact, []Notice, error) {
	request := c.OpenRequest(now)
	if request == nil {
		return c, nil, ErrNoRequest
	}
	c.Request = nil
	if request.NewAddressAgreed {
		return c, []Notice{{Kind: NoticeCancelled, To: request.To, Request: *request}}, nil // NoticeScheduled told this address of the change
	}
	return c, nil, nil
}

func (e ObjectionTimeEnd) apply(c Contact, now time.Time) (Contact, []Notice, error) {
	if c.Request == nil || c.Due().IsZero() || c.Due().After(now) {
		return c, nil, ErrNoRequest
	}
	request := *c.Request
	due := request.dueAfter(e.KnownSince)
	if !due.After(now) {
		return c.makeChange(request)
	}
	// A notice was sent late, or the system clock was wrong.
	postponement := due.Sub(request.Due)
	request.Due = due
	c.Request = &request
	if request.NewAddressAgreed && postponement > minPostponement {
		return c, []Notice{{Kind: NoticePostponed, To: request.To, Request: request}}, nil
	}
	return c, nil, nil
}

// dueAfter returns the time at which the request takes effect: ObjectionPeriod after the old address could know of it.
func (request *Request) dueAfter(knownSince time.Time) time.Time {
	if start := request.ObjectionStart(); start.After(knownSince) {
		knownSince = start
	}
	return knownSince.UTC().Add(ObjectionPeriod)
}

func (c Contact) makeChange(request Request) (Contact, []Notice, error) {
	c.Request = nil
	if request.Additional {
		c.OtherAddresses = append(slices.Clone(c.OtherAddresses), request.To)
		return c, []Notice{{Kind: NoticeAdded, To: request.To, Request: request}}, nil
	}
	old := c.Address
	c.Address = request.To
	c.OtherAddresses = slices.DeleteFunc(slices.Clone(c.OtherAddresses), func(a string) bool { return SameAddress(a, request.To) })
	return c, []Notice{{Kind: NoticeMoved, To: old, Request: request}}, nil
}
