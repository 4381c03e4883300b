package mail

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// scan goes once through the inbox. It reports whether it moved anything, for
// then there may be more.
func (p *Poller) scan(ctx context.Context, c *imapConn) (worked bool, err error) {
	// Whoever asks from here on wants a scan that begins later.
	select {
	case <-p.scanRequested:
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
	inbox, whole, err := c.listInbox(ctx)
	if err != nil {
		return false, err
	}
	p.findUnmoved(inbox)
	if whole {
		p.forgetMissing(inbox)
	}
	due := slices.DeleteFunc(inbox, func(uid imap.UID) bool {
		s := p.letters[uint32(uid)]
		return s != nil && p.now().Before(s.next) || p.inProgress.has(inboxUID{p.validity, uint32(uid)})
	})
	if due = p.faults.selectDue(due, p.letters, p.inProgress.isEmpty(), p.now()); len(due) > 0 {
		p.falseNews = 0
	}
	if worked, err = p.handleDue(ctx, c, p.letters.sortAloneLast(due)); err != nil {
		return worked, err
	}
	if !p.letters.any(func(s *letterState) bool { return s.handled }) {
		p.moveTrouble.clear()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failing = len(p.letters)
	if ctx.Err() == nil && whole {
		p.lastFullScan = began
		if handled := p.nothingBlocks(); handled && p.inProgress.isEmpty() {
			p.watermark = began
		} else if since := p.inProgress.arrivedAfter(); handled && since.After(p.watermark) {
			p.watermark = since
		}
	}
	// Nobody tells the server's news from those who are done in one wait.
	return worked || !p.inProgress.isEmpty(), nil
}

// handleDue handles letters, and reports whether it moved any. One that takes long is left in hand, for
// the next scan to move.
func (p *Poller) handleDue(ctx context.Context, c *imapConn, due []imap.UID) (worked bool, err error) {
	filed := map[Folder][]imap.UID{}
	worked, err = p.handleBatches(ctx, c, due, filed)
	if err != nil {
		return worked, err
	}
	p.collectResults(ctx, p.inProgress.isEmpty, scanEndWait, filed)
	if ctx.Err() != nil {
		p.collectResults(ctx, p.inProgress.isEmpty, noTimeout, filed)
	}
	moved, err := p.moveHandled(ctx, c, filed)
	return worked || moved, err
}

// handleBatches lets letters be handled, as many at a time as there is room for.
func (p *Poller) handleBatches(ctx context.Context, c *imapConn, due []imap.UID, filed map[Folder][]imap.UID) (worked bool, err error) {
	for len(due) > 0 && ctx.Err() == nil {
		n := min(len(due), sizesAtOnce)
		sized, err := c.fetchSizes(ctx, due[:n], p.cfg.MaxLetter)
		if err != nil {
			return worked, err
		}
		due = due[n:]
		for len(sized) > 0 && ctx.Err() == nil {
			n := batchSize(sized, p.cfg.MaxLetter)
			if i := slices.IndexFunc(sized[:n], func(e listedLetter) bool { return p.letters.isAlone(e.uid) }); i >= 0 {
				n = max(i, 1)
			}
			moved, err := p.handleBatch(ctx, c, sized[:n], filed)
			worked = worked || moved
			if err != nil {
				return worked, err
			}
			sized = sized[n:]
		}
	}
	return worked, nil
}

// forgetMissing drops what is known of letters that left the inbox.
func (p *Poller) forgetMissing(inbox []imap.UID) {
	if len(p.letters) == 0 && p.inFlight.isEmpty() {
		return
	}
	here := make(map[uint32]bool, len(inbox))
	for _, uid := range inbox {
		here[uint32(uid)] = true
	}
	maps.DeleteFunc(p.letters, func(uid uint32, _ *letterState) bool { return !here[uid] })
	p.inFlight.keepOnly(p.validity, func(uid uint32) bool { return here[uid] })
}

// maxBlocking is for how long deadlines wait for a letter that fails.
const maxBlocking = time.Hour

// nothingBlocks reports whether no deadline has to wait for any letter.
func (p *Poller) nothingBlocks() bool {
	now, waited, overtaken := p.now(), 0, 0
	for _, s := range p.letters {
		switch {
		case s.handled:
			continue
		case s.isDelayedByFault() && s.faultDelay.pause == 0:
			waited++ // The fault of the database may last for hours, and costs nobody his time.
			continue
		case s.firstUnhandled.IsZero():
			s.firstUnhandled = now
		}
		if now.Sub(s.firstUnhandled) < maxBlocking {
			waited++
		} else {
			overtaken++
		}
	}
	if overtaken > 0 && !p.stoppedBlocking {
		p.log.Warn("what is due waits no longer for letters that fail", "letters", overtaken, "after", maxBlocking)
	}
	p.stoppedBlocking = overtaken > 0
	return waited == 0
}

// A batch is fetched at once, handled, and moved at once.
const (
	batchLetters = 64
	batchBytes   = 8 << 20
)

// batchSize keeps a batch small in letters and in bytes, but never empty.
func batchSize(due []listedLetter, maxLetter int64) int {
	var total int64
	for i, e := range due {
		total += min(e.size, maxLetter)
		if i == batchLetters || i > 0 && total > batchBytes {
			return i
		}
	}
	return len(due)
}

// handleBatch fetches some letters and lets them be handled, and moves those that are by then.
func (p *Poller) handleBatch(ctx context.Context, c *imapConn, due []listedLetter, filed map[Folder][]imap.UID) (moved bool, err error) {
	var fetchList []listedLetter
	for _, e := range due {
		if s := p.letters[uint32(e.uid)]; s != nil && s.handled {
			filed[s.folder] = append(filed[s.folder], e.uid)
		} else {
			fetchList = append(fetchList, e)
		}
	}
	letters, err := p.fetch(ctx, c, fetchList, filed)
	if err != nil {
		return false, err
	}
	for i, r := range letters {
		if ctx.Err() != nil {
			break
		}
		p.handleLetter(ctx, r, filed)
		letters[i].Raw = nil // What is in hand keeps it.
	}
	p.collectResults(ctx, p.inProgress.isEmpty, 0, filed)
	return p.moveHandled(ctx, c, filed)
}

// moveHandled moves letters that are handled, those for each folder by one command.
func (p *Poller) moveHandled(ctx context.Context, c *imapConn, filed map[Folder][]imap.UID) (moved bool, err error) {
	// A stop must not leave a committed batch in the inbox without need, nor wait
	// for a server that does not answer: what stays there is known when it is read
	// again.
	mctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })()
	for _, folder := range folders {
		uids := filed[folder]
		if len(uids) == 0 {
			continue
		}
		delete(filed, folder)
		ok, err := p.moveToFolder(mctx, c, uids, folder)
		if err == nil && folder == Quarantine {
			err = p.countQuarantine(mctx, c)
		}
		if err != nil {
			return moved, err
		}
		moved = moved || ok
	}
	return moved, nil
}

// fetch falls back to one letter at a time when the server refuses a batch, so
// that one it cannot read does not hold up the others.
func (p *Poller) fetch(ctx context.Context, c *imapConn, list []listedLetter, filed map[Folder][]imap.UID) ([]Received, error) {
	if len(list) == 0 {
		return nil, nil
	}
	got, err := c.fetch(ctx, p.validity, list, p.cfg.MaxLetter)
	switch {
	case err == nil:
		if len(got) > 0 {
			p.lastFetched = p.now()
		}
		p.letters.recordFetched(got)
		p.recordMissing(ctx, list, got, filed)
		return got, nil
	case !isCommandRefusal(err):
		p.recordConnectionLoss(ctx, list, err, filed)
		return nil, err
	case len(list) == 1:
		p.recordKeptBack(ctx, list[0], err, filed)
		return nil, nil
	}
	got = nil
	for i := range list {
		one, err := p.fetch(ctx, c, list[i:i+1], filed)
		if err != nil {
			return nil, err
		}
		got = append(got, one...)
	}
	return got, nil
}

func (p *Poller) scheduleRetry(uid uint32, what string, err error) {
	p.scheduleRetries([]imap.UID{imap.UID(uid)}, what, err)
}

// scheduleRetries sets when letters are tried again, each at a time of its own. A full
// mailbox holds up many at once: that is one line in the log.
func (p *Poller) scheduleRetries(uids []imap.UID, what string, err error) {
	if len(uids) == 0 {
		return
	}
	var pause time.Duration
	for _, uid := range uids {
		s := p.letters.state(uint32(uid))
		if s.delay == nil {
			s.delay = p.cfg.Retry.exponential()
		}
		pause = s.delay.NextBackOff()
		s.next = p.now().Add(pause)
	}
	p.log.Error(what, "uidvalidity", p.validity, "uid", uint32(uids[0]), "letters", len(uids), "error", err, "hint", operatorHint(err),
		"retry_in", pause.Round(time.Millisecond))
}

// Claims are what several daemons that send from one outbox have to the letters in it: each
// letter that [Queue.Due] gives is claimed by the one that it was given to, until that has
// booked what became of it, or is thought dead.
type Claims interface {
	// Ours reports whether the claim to a letter still holds. It is asked right before the
	// letter's content is handed over, and takes no time.
	Ours(id int64) bool
	// Release gives up all claims but those to some letters.
	Release(ctx context.Context, except ...int64) error
}

// errClaimLost is that a claim has lapsed: who was stopped for a while, or cut off, must not send
// what another may have sent meanwhile. The letter is read again by whoever claims it next.
var errClaimLost = errors.New("the claim to the letter does not hold any more")
