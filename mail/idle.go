package mail

import (
	"context"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"
)

// believed is how many news in a row may be none before they are heard less often.
const believed = 5

// rest waits for news, or for the next try of a failing letter.
func (p *Poller) rest(ctx context.Context, c *imapConn) error {
	limit := p.cfg.PollInterval
	if c.idle {
		limit = p.cfg.IdleRestart
	}
	// Some servers repeat how many letters there are with every answer.
	if n := p.inVain - believed; n >= 0 && !sleep(ctx, min(p.cfg.PollInterval, time.Second<<min(n, 20))) {
		return context.Cause(ctx)
	}
	limit = p.untilNext(limit)
	if c.idle {
		err := c.wait(ctx, limit, p.asked)
		if !answered(err) {
			return err
		}
		// Offered and not given. Then we ask from time to time.
		p.log.Warn("the server refuses IDLE, the mailbox is polled", "error", err, "every", p.cfg.PollInterval)
		c.idle = false
		limit = min(limit, p.cfg.PollInterval)
	}
	c.pause(ctx, limit, p.asked)
	return nil
}

func (c *imapConn) noop(ctx context.Context) error {
	return c.do(ctx, "noop", c.timeout, func() error { return c.client.Noop().Wait() })
}

// wait lies in IDLE until news come, a scan is asked for, the time is over or the link
// breaks.
func (c *imapConn) wait(ctx context.Context, limit time.Duration, asked <-chan struct{}) error {
	var idle *imapclient.IdleCommand
	err := c.do(ctx, "idle", c.timeout, func() (err error) { idle, err = c.client.Idle(); return err })
	if err != nil {
		return err
	}
	c.pause(ctx, limit, asked)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return c.do(ctx, "end of idle", c.timeout, func() error {
		if err := idle.Close(); err != nil {
			return err
		}
		return idle.Wait()
	})
}

// pause is wait without IDLE. It notes whether it were news that ended it.
func (c *imapConn) pause(ctx context.Context, limit time.Duration, asked <-chan struct{}) {
	t := time.NewTimer(limit)
	defer t.Stop()
	c.woken = false
	select {
	case <-c.news:
		c.woken = true
	case <-asked:
	case <-t.C:
	case <-c.client.Closed():
	case <-ctx.Done():
	}
}
