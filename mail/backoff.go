package mail

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// backoffs knows how long to wait after a connection ended, by what ended it.
type backoffs struct {
	// who gives what is shown at the next login.
	who                      func() credentials
	lost, refused, throttled *backoff.ExponentialBackOff
	// renewed counts the logins in a row that were refused although the password
	// or the token was a new one.
	renewed int
}

// backoffs are those of a poller.
func (c IMAPConfig) backoffs() *backoffs {
	return &backoffs{who: c.credentials, lost: c.Reconnect.exponential(), refused: c.Refused.exponential(), throttled: c.Throttled.exponential()}
}

// backoffs are those of a sender. What an SMTP server says when it is asked too much
// is a refusal like others.
func (c SMTPConfig) backoffs() *backoffs {
	return &backoffs{who: c.credentials, lost: c.Reconnect.exponential(), refused: c.Refused.exponential(), throttled: c.Reconnect.exponential()}
}

// reset is for a connection that was a good one.
func (p *backoffs) reset() {
	p.lost.Reset()
	p.refused.Reset()
	p.throttled.Reset()
	p.renewed = 0
}

const (
	// recheck is how often a waiting login looks for a new password or token.
	recheck = time.Minute
	// mostDoublings keeps that within a quarter of an hour for a source that
	// gives another token each time, none of which is any good.
	mostDoublings = 4
	// mostThrottled bounds what a server can ask for.
	mostThrottled = 2 * time.Hour
)

// next is how long to wait after an error, and how long at most: a login that was refused
// waits for another password or token.
func (p *backoffs) next(err error) (pause, long time.Duration) {
	pause = p.lost.NextBackOff()
	if asked, is := throttled(err); is && asked > 0 {
		pause += min(asked, mostThrottled)
	} else if is {
		pause = max(pause, p.throttled.NextBackOff())
	}
	if no := (*errRefusedLogin)(nil); errors.As(err, &no) {
		return pause, max(pause, p.refused.NextBackOff())
	}
	return pause, pause
}

// wait waits until it is time for the next connection, and reports whether it
// came to that. tell is called before with the longest it can take.
func (p *backoffs) wait(ctx context.Context, err error, tell func(time.Duration)) bool {
	pause, long := p.next(err)
	tell(long)
	var no *errRefusedLogin
	if !errors.As(err, &no) {
		return sleep(ctx, pause)
	}
	// An access token that has ended is the ordinary case: the first check is
	// after the ordinary pause.
	check := min(pause, recheck)
	if p.renewed > 0 {
		check = max(check, recheck<<min(p.renewed-1, mostDoublings))
	}
	for until := time.Now().Add(long); ; check = max(check, recheck) {
		left := time.Until(until)
		if left <= check {
			p.renewed = 0
			return sleep(ctx, left)
		}
		if !sleep(ctx, check) {
			return false
		}
		if p.changed(ctx, no.secret) {
			p.renewed++
			return true
		}
	}
}

// changed tells whether there is another password or token than the one that
// was refused. When none is to be had, nothing has changed.
func (p *backoffs) changed(ctx context.Context, old string) bool {
	who := p.who()
	if !who.wantsToken() {
		return who.password != old
	}
	who.tokens.Refused(old)
	token, err := who.tokens.Token(ctx)
	return err == nil && token != old
}

// sleep reports whether the whole pause passed.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
