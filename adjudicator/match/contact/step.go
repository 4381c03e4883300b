package contact

import (
	"slices"
	"time"
)

// Event is a request, an answer or the passing of time. Update applies it.
type Event interface {
	step(c Contact, now time.Time) (Contact, []Notice, error)
}

// RequestChange is a player's request. To comes from ParseAddress. Update does not check whether
// another player has the address, because the answer would reveal it.
type RequestChange struct {
	To string
	// Additional is set if the address is added and does not replace the first address.
	Additional bool
	Origin
	// Proven is set if the sender is proven, so the old address need not be asked.
	Proven bool
}

// OperatorChange is a request of the operator for a player without access to the mailbox. It
// replaces an open request and does not count for maxRequests: an attacker must not be able to
// block the operator.
type OperatorChange struct {
	To string
	Origin
}

// Confirm is the YES of the new address. Known is when the old address can first have known of the
// request, e.g. when the notice was sent; if the request itself is later, its time counts.
type Confirm struct{ Known time.Time }

// Grant is the YES of the old address.
type Grant struct{}

// RemoveOtherAddresses removes the additional addresses, at the request of any address.
type RemoveOtherAddresses struct{}

// KeepOldAddress is the objection of the old address, or of the operator in its name.
type KeepOldAddress struct{}

// Elapse is the end of the time for an objection. Known has the same meaning as in Confirm.
type Elapse struct{ Known time.Time }

// Update applies an event to a contact and returns the new contact and the notices to send. After
// an error the contact is unchanged and there are no notices.
func Update(c Contact, e Event, now time.Time) (Contact, []Notice, error) {
	next, notices, err := e.step(c, now)
	if err != nil {
		return c, nil, err
	}
	return next, notices, nil
}

func (e RequestChange) step(c Contact, now time.Time) (Contact, []Notice, error) {
	now = now.UTC().Truncate(time.Second)
	switch {
	case SameAddress(e.To, c.Address), e.Additional && c.Contains(e.To):
		return c, nil, ErrSameRequest
	case e.Additional && len(c.OtherAddresses) >= maxOtherAddresses:
		return c, nil, ErrTooManyAddresses
	case c.OpenRequest(now) != nil:
		return c, nil, ErrAlreadyAsked
	}
	c.RequestTimes = slices.DeleteFunc(slices.Clone(c.RequestTimes), func(t time.Time) bool { return now.Sub(t) > requestSpan })
	if len(c.RequestTimes) >= maxRequests {
		return c, nil, ErrTooManyRequests
	}
	c.RequestTimes = append(c.RequestTimes, now)
	c.Serial++
	r := Request{To: e.To, Additional: e.Additional, Origin: e.Origin, Serial: c.Serial, At: now, Granted: e.Proven}
	if !e.Proven {
		r.NoticeTime = now
	}
	c.Request = &r
	notices := []Notice{{Kind: AskNew, To: r.To, Request: r}}
	if !e.Proven {
		notices = append(notices, Notice{Kind: AskOld, To: c.Address, Request: r})
	}
	return c, notices, nil
}

func (e OperatorChange) step(c Contact, now time.Time) (Contact, []Notice, error) {
	now = now.UTC().Truncate(time.Second)
	before := c.OpenRequest(now)
	switch {
	case SameAddress(e.To, c.Address):
		return c, nil, ErrSameRequest
	case before != nil && before.ByOperator() && SameAddress(before.To, e.To):
		return c, nil, ErrAskedAgain // a repeated request would restart the three days
	}
	c.Serial++
	r := Request{To: e.To, Origin: e.Origin, Serial: c.Serial, At: now, Due: now.Add(ObjectionTime)}
	c.Request = &r
	notices := []Notice{{Kind: Announce, To: c.Address, Request: r, Replaces: before != nil}}
	if before != nil && before.Confirmed && !SameAddress(before.To, e.To) {
		notices = append(notices, Notice{Kind: Kept, To: before.To, Request: *before}) // it had a Scheduled notice
	}
	return c, notices, nil
}

func (e Confirm) step(c Contact, now time.Time) (Contact, []Notice, error) {
	if c.OpenRequest(now) == nil || c.Request.ByOperator() {
		return c, nil, ErrNoRequest
	}
	r := *c.Request
	if r.Confirmed {
		return c, []Notice{{Kind: Scheduled, To: r.To, Request: r}}, nil
	}
	r.Confirmed = true
	if r.Granted {
		return c.carryOut(r)
	}
	var notices []Notice
	if r.NoticeTime.IsZero() {
		// The old address was not asked when the change was requested.
		r.NoticeTime = now.UTC().Truncate(time.Second)
		notices = append(notices, Notice{Kind: AskOld, To: c.Address, Request: r})
	}
	due := r.dueAfter(e.Known)
	if !due.After(now) {
		return c.carryOut(r)
	}
	r.Due = due
	c.Request = &r
	return c, append(notices, Notice{Kind: Scheduled, To: r.To, Request: r}), nil
}

func (Grant) step(c Contact, now time.Time) (Contact, []Notice, error) {
	if c.OpenRequest(now) == nil || c.Request.ByOperator() {
		return c, nil, ErrNoRequest
	}
	r := *c.Request
	r.Granted = true
	if r.Confirmed {
		return c.carryOut(r)
	}
	c.Request = &r
	return c, nil, nil
}

func (RemoveOtherAddresses) step(c Contact, _ time.Time) (Contact, []Notice, error) {
	c.OtherAddresses = nil
	return c, nil, nil
}

func (KeepOldAddress) step(c Contact, now time.Time) (Contact, []Notice, error) {
	r := c.OpenRequest(now)
	if r == nil {
		return c, nil, ErrNoRequest
	}
	c.Request = nil
	if r.Confirmed {
		return c, []Notice{{Kind: Kept, To: r.To, Request: *r}}, nil // it had a Scheduled notice
	}
	return c, nil, nil
}

func (e Elapse) step(c Contact, now time.Time) (Contact, []Notice, error) {
	if c.Request == nil || c.Due().IsZero() || c.Due().After(now) {
		return c, nil, ErrNoRequest
	}
	r := *c.Request
	due := r.dueAfter(e.Known)
	if !due.After(now) {
		return c.carryOut(r)
	}
	// A notice was sent late, or the system clock was wrong.
	late := due.Sub(r.Due)
	r.Due = due
	c.Request = &r
	if r.Confirmed && late > minNewsDelay {
		return c, []Notice{{Kind: Later, To: r.To, Request: r}}, nil
	}
	return c, nil, nil
}

// dueAfter returns when the request takes effect, if the old address has known of it since a time.
func (r *Request) dueAfter(known time.Time) time.Time {
	if since := r.WaitsSince(); since.After(known) {
		known = since
	}
	return known.UTC().Add(ObjectionTime)
}

func (c Contact) carryOut(r Request) (Contact, []Notice, error) {
	c.Request = nil
	if r.Additional {
		c.OtherAddresses = append(slices.Clone(c.OtherAddresses), r.To)
		return c, []Notice{{Kind: Added, To: r.To, Request: r}}, nil
	}
	old := c.Address
	c.Address = r.To
	c.OtherAddresses = slices.DeleteFunc(slices.Clone(c.OtherAddresses), func(a string) bool { return SameAddress(a, r.To) })
	return c, []Notice{{Kind: Moved, To: old, Request: r}}, nil
}
