package mail

import (
	"context"

	"github.com/emersion/go-imap/v2"
)

// look goes once through the inbox. It reports whether it moved anything, for
// then there may be more.
func (p *Poller) look(ctx context.Context, c *imapConn) (worked bool, err error) {
	began := p.now()
	select {
	case <-c.news:
	default:
	}
	// A server searches among the letters that it has told us of, and tells of
	// new ones when it is asked something.
	if err := c.noop(ctx); err != nil {
		return false, err
	}
	inbox, whole, err := c.list(ctx)
	if err != nil {
		return false, err
	}
	p.notFiled(inbox)
	if whole {
		p.forgetGone(inbox)
	}
	due := inbox[:0]
	for _, uid := range inbox {
		if s := p.letters[uint32(uid)]; s == nil || !p.now().Before(s.next) {
			due = append(due, uid)
		}
	}
	if len(due) > 0 {
		p.inVain = 0
	}
	for len(due) > 0 && ctx.Err() == nil {
		n := min(len(due), sizesAtOnce)
		sized, err := c.sizes(ctx, due[:n], p.cfg.MaxLetter)
		if err != nil {
			return worked, err
		}
		due = due[n:]
		for len(sized) > 0 && ctx.Err() == nil {
			n := batchSize(sized, p.cfg.MaxLetter)
			moved, err := p.batch(ctx, c, sized[:n])
			worked = worked || moved
			if err != nil {
				return worked, err
			}
			sized = sized[n:]
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failing = len(p.letters)
	if ctx.Err() == nil && whole && p.allHandled() {
		p.lastPoll = began
	}
	return worked, nil
}

// forgetGone drops what is known of letters that left the inbox.
func (p *Poller) forgetGone(inbox []imap.UID) {
	if len(p.letters) == 0 && len(p.inHand.counts) == 0 {
		return
	}
	here := make(map[uint32]bool, len(inbox))
	for _, uid := range inbox {
		here[uint32(uid)] = true
	}
	for uid := range p.letters {
		if !here[uid] {
			delete(p.letters, uid)
		}
	}
	if err := p.inHand.keep(p.validity, func(uid uint32) bool { return here[uid] }); err != nil {
		p.log.Error("letter in hand is not noted", "error", err)
	}
}

func (p *Poller) allHandled() bool {
	for _, s := range p.letters {
		if !s.handled {
			return false
		}
	}
	return true
}
