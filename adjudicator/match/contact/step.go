package contact

import (
	"slices"
	"time"
)

// Event is something that happened to a contact.
type Event interface {
	step(c Contact, now time.Time) (Contact, []Notice, error)
}

// Ask is a letter of the player that asks for a change. To comes from Parse. Whether
// another player has the address is not looked at: the answer would tell.
type Ask struct {
	To string
	// Also means that orders are to count from there as well, and letters go where they go.
	Also bool
	Through
	// Proven means that its sender is proven, so that the old address need not be asked.
	Proven bool
}

// Override is the operator's request for a player who has lost his mailbox. It takes the
// place of one that is open, and is not counted: whoever forges the player's letters must
// not shut the operator out.
type Override struct {
	To string
	Through
}

// Confirm is the YES of the new address. Known is since when the old one can have known
// of the request by all that is known, such as when the notice was sent; the request's own
// times count where they are later.
type Confirm struct{ Known time.Time }

// Grant is the YES of the old address.
type Grant struct{}

// Only drops the addresses beside the first. It is the word of one of them.
type Only struct{}

// Keep is the objection of the old address, or of the operator in its name.
type Keep struct{}

// Elapse says that the time has come at which a request takes effect by itself. Known is
// as with Confirm.
type Elapse struct{ Known time.Time }

// Step is what an event makes of a contact, and the notices that are to be written. With
// an error nothing has changed, and nothing is to be written.
func Step(c Contact, e Event, now time.Time) (Contact, []Notice, error) {
	next, notices, err := e.step(c, now)
	if err != nil {
		return c, nil, err
	}
	return next, notices, nil
}

func (e Ask) step(c Contact, now time.Time) (Contact, []Notice, error) {
	now = now.UTC().Truncate(time.Second)
	switch {
	case Same(e.To, c.Address), e.Also && c.Has(e.To):
		return c, nil, ErrSame
	case e.Also && len(c.Also) >= mostAlso:
		return c, nil, ErrFull
	case c.Open(now) != nil:
		return c, nil, ErrAsked
	}
	c.Asked = slices.DeleteFunc(slices.Clone(c.Asked), func(t time.Time) bool { return now.Sub(t) > askedSpan })
	if len(c.Asked) >= mostAsked {
		return c, nil, ErrOften
	}
	c.Asked = append(c.Asked, now)
	c.Serial++
	r := Request{To: e.To, Also: e.Also, Through: e.Through, Serial: c.Serial, At: now, Granted: e.Proven}
	if !e.Proven {
		r.Noticed = now
	}
	c.Request = &r
	notices := []Notice{{Kind: AskNew, To: r.To, Request: r}}
	if !e.Proven {
		notices = append(notices, Notice{Kind: AskOld, To: c.Address, Request: r})
	}
	return c, notices, nil
}

func (e Override) step(c Contact, now time.Time) (Contact, []Notice, error) {
	now = now.UTC().Truncate(time.Second)
	before := c.Open(now)
	switch {
	case Same(e.To, c.Address):
		return c, nil, ErrSame
	case before != nil && before.ByOperator() && Same(before.To, e.To):
		return c, nil, ErrAskedAgain // The three days would only begin again.
	}
	c.Serial++
	r := Request{To: e.To, Through: e.Through, Serial: c.Serial, At: now, Due: now.Add(Wait)}
	c.Request = &r
	notices := []Notice{{Kind: Announce, To: c.Address, Request: r, Instead: before != nil}}
	if before != nil && before.Yes && !Same(before.To, e.To) {
		notices = append(notices, Notice{Kind: Kept, To: before.To, Request: *before}) // It was told when letters would come.
	}
	return c, notices, nil
}

func (e Confirm) step(c Contact, now time.Time) (Contact, []Notice, error) {
	if c.Open(now) == nil || c.Request.ByOperator() {
		return c, nil, ErrNothing
	}
	r := *c.Request
	if r.Yes {
		return c, []Notice{{Kind: Scheduled, To: r.To, Request: r}}, nil
	}
	r.Yes = true
	if r.Granted {
		return c.moved(r)
	}
	var notices []Notice
	if r.Noticed.IsZero() {
		// It was asked for when nobody had to be told.
		r.Noticed = now.UTC().Truncate(time.Second)
		notices = append(notices, Notice{Kind: AskOld, To: c.Address, Request: r})
	}
	due := r.dueFrom(e.Known)
	if !due.After(now) {
		return c.moved(r)
	}
	r.Due = due
	c.Request = &r
	return c, append(notices, Notice{Kind: Scheduled, To: r.To, Request: r}), nil
}

func (Grant) step(c Contact, now time.Time) (Contact, []Notice, error) {
	if c.Open(now) == nil || c.Request.ByOperator() {
		return c, nil, ErrNothing
	}
	r := *c.Request
	r.Granted = true
	if r.Yes {
		return c.moved(r)
	}
	c.Request = &r
	return c, nil, nil
}

func (Only) step(c Contact, _ time.Time) (Contact, []Notice, error) {
	c.Also = nil
	return c, nil, nil
}

func (Keep) step(c Contact, now time.Time) (Contact, []Notice, error) {
	r := c.Open(now)
	if r == nil {
		return c, nil, ErrNothing
	}
	c.Request = nil
	if r.Yes {
		return c, []Notice{{Kind: Kept, To: r.To, Request: *r}}, nil // It was told when letters would come.
	}
	return c, nil, nil
}

func (e Elapse) step(c Contact, now time.Time) (Contact, []Notice, error) {
	if c.Request == nil || c.Due().IsZero() || c.Due().After(now) {
		return c, nil, ErrNothing
	}
	r := *c.Request
	due := r.dueFrom(e.Known)
	if !due.After(now) {
		return c.moved(r)
	}
	// A notice was late, or the clock was wrong.
	late := due.Sub(r.Due)
	r.Due = due
	c.Request = &r
	if r.Yes && late > worthTelling {
		return c, []Notice{{Kind: Later, To: r.To, Request: r}}, nil
	}
	return c, nil, nil
}

// dueFrom is when a request takes effect of which the old address has known since a time.
func (r *Request) dueFrom(known time.Time) time.Time {
	if since := r.Since(); since.After(known) {
		known = since
	}
	return known.UTC().Add(Wait)
}

// moved carries a request out.
func (c Contact) moved(r Request) (Contact, []Notice, error) {
	c.Request = nil
	if r.Also {
		c.Also = append(slices.Clone(c.Also), r.To)
		return c, []Notice{{Kind: Added, To: r.To, Request: r}}, nil
	}
	old := c.Address
	c.Address = r.To
	c.Also = slices.DeleteFunc(slices.Clone(c.Also), func(a string) bool { return Same(a, r.To) })
	return c, []Notice{{Kind: Moved, To: old, Request: r}}, nil
}
