package mail

import (
	"context"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// scan goes once through the inbox. It reports whether it moved anything, for
// then there may be more.
func (p *Poller) scan(ctx context.Context, c *imapConn) (worked bool, err error) {
	// Whoever asks from here on wants a scan that begins later.
	select {
	case <-p.asked:
	default:
	}
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
	due := slices.DeleteFunc(inbox, func(uid imap.UID) bool {
		s := p.letters[uint32(uid)]
		return s != nil && p.now().Before(s.next) || p.workers.has(inboxUID{p.validity, uint32(uid)})
	})
	if due = p.tryable(due); len(due) > 0 {
		p.inVain = 0
	}
	if worked, err = p.takeUp(ctx, c, p.aloneLast(due)); err != nil {
		return worked, err
	}
	if !p.anyUnfiled() {
		p.filing.over()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failing = len(p.letters)
	if ctx.Err() == nil && whole {
		p.listed = began
		if handled := p.allHandled(); handled && p.workers.idle() {
			p.lastPoll = began
		} else if since := p.workers.since(); handled && since.After(p.lastPoll) {
			p.lastPoll = since
		}
	}
	// Nobody tells the server's news from those who are done in one wait.
	return worked || !p.workers.idle(), nil
}

// takeUp handles letters, and reports whether it moved any. One that takes long is left in hand, for
// the next scan to move.
func (p *Poller) takeUp(ctx context.Context, c *imapConn, due []imap.UID) (worked bool, err error) {
	filed := map[Folder][]imap.UID{}
	worked, err = p.takeUpAll(ctx, c, due, filed)
	if err != nil {
		return worked, err
	}
	p.gather(ctx, p.workers.idle, stragglers, filed)
	if ctx.Err() != nil {
		p.gather(ctx, p.workers.idle, forever, filed)
	}
	moved, err := p.fileAll(ctx, c, filed)
	return worked || moved, err
}

// takeUpAll lets letters be handled, as many at a time as there is room for.
func (p *Poller) takeUpAll(ctx context.Context, c *imapConn, due []imap.UID, filed map[Folder][]imap.UID) (worked bool, err error) {
	for len(due) > 0 && ctx.Err() == nil {
		n := min(len(due), sizesAtOnce)
		sized, err := c.sizes(ctx, due[:n], p.cfg.MaxLetter)
		if err != nil {
			return worked, err
		}
		due = due[n:]
		for len(sized) > 0 && ctx.Err() == nil {
			n := batchSize(sized, p.cfg.MaxLetter)
			if i := slices.IndexFunc(sized[:n], func(e entry) bool { return p.fetchedAlone(e.uid) }); i >= 0 {
				n = max(i, 1)
			}
			moved, err := p.batch(ctx, c, sized[:n], filed)
			worked = worked || moved
			if err != nil {
				return worked, err
			}
			sized = sized[n:]
		}
	}
	return worked, nil
}

// aloneLast puts the letters that are fetched alone behind the others.
func (p *Poller) aloneLast(due []imap.UID) []imap.UID {
	var first, last []imap.UID
	for _, uid := range due {
		if p.fetchedAlone(uid) {
			last = append(last, uid)
		} else {
			first = append(first, uid)
		}
	}
	return append(first, last...)
}

// forgetGone drops what is known of letters that left the inbox.
func (p *Poller) forgetGone(inbox []imap.UID) {
	if len(p.letters) == 0 && p.inFlight.none() {
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
	p.noted(p.inFlight.keep(p.validity, func(uid uint32) bool { return here[uid] }))
}

// anyUnfiled reports whether a handled letter still lies in the inbox.
func (p *Poller) anyUnfiled() bool {
	for _, s := range p.letters {
		if s.handled {
			return true
		}
	}
	return false
}

// longEnough is for how long deadlines wait for a letter that fails.
const longEnough = time.Hour

// allHandled reports whether no deadline has to wait for any letter.
func (p *Poller) allHandled() bool {
	now, waited, overtaken := p.now(), 0, 0
	for _, s := range p.letters {
		switch {
		case s.handled:
			continue
		case s.isOff() && s.off.lone == 0:
			waited++ // The fault of the database may last for hours, and costs nobody his time.
			continue
		case s.left.IsZero():
			s.left = now
		}
		if now.Sub(s.left) < longEnough {
			waited++
		} else {
			overtaken++
		}
	}
	if overtaken > 0 && !p.overtaken {
		p.log.Warn("what is due waits no longer for letters that fail", "letters", overtaken, "after", longEnough)
	}
	p.overtaken = overtaken > 0
	return waited == 0
}
