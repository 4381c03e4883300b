package mail

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// scan lists the inbox and handles its letters. mustScanAgain means that another scan must follow at once, because
// letters were moved or are in progress.
func (p *Poller) scan(ctx context.Context, c *imapConn) (mustScanAgain bool, err error) {
	// The request is removed before the inbox is listed, so that a later request leads to another scan.
	select {
	case <-p.scanRequested:
	default:
	}
	started := p.now()
	select {
	case <-c.announcements:
	default:
	}
	// The server searches only messages that it has announced to us. NOOP lets it announce new messages.
	if err := c.noop(ctx); err != nil {
		return false, err
	}
	inbox, isComplete, err := c.listInbox(ctx)
	if err != nil {
		return false, err
	}
	p.findUnmoved(inbox)
	if isComplete {
		p.forgetMissing(inbox)
	}
	due := slices.DeleteFunc(inbox, func(uid imap.UID) bool {
		state := p.letters[uint32(uid)]
		return state != nil && p.now().Before(state.nextTry) || p.inProgress.contains(inboxUID{p.validity, uint32(uid)})
	})
	if due = p.faults.selectDue(due, p.letters, p.inProgress.isEmpty(), p.now()); len(due) > 0 {
		p.falseAnnouncements = 0
	}
	hasMoved, err := p.handleDue(ctx, c, p.letters.sortAloneLast(due))
	if err != nil {
		return hasMoved, err
	}
	if !p.letters.contains(func(state *letterState) bool { return state.isHandled }) {
		p.moveTrouble.clear()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failingCount = len(p.letters)
	if ctx.Err() == nil && isComplete {
		p.lastFullScan = started
		switch arrivedAfter := p.inProgress.arrivedAfter(); {
		case p.countBlockingLetters() > 0:
		case p.inProgress.isEmpty():
			p.watermark = started
		case arrivedAfter.After(p.watermark):
			p.watermark = arrivedAfter
		}
	}
	return hasMoved || !p.inProgress.isEmpty(), nil
}

// handleDue handles the due letters and moves those that are handled. For the last letters it waits at most
// scanEndWait; letters that take longer stay in progress, and a later scan moves them.
func (p *Poller) handleDue(ctx context.Context, c *imapConn, due []imap.UID) (hasMoved bool, err error) {
	toMove := map[Folder][]imap.UID{}
	hasMoved, err = p.handleBatches(ctx, c, due, toMove)
	if err != nil {
		return hasMoved, err
	}
	p.collectResults(ctx, p.inProgress.isEmpty, scanEndWait, toMove)
	if ctx.Err() != nil {
		p.collectResults(ctx, p.inProgress.isEmpty, noTimeout, toMove)
	}
	ok, err := p.moveHandled(ctx, c, toMove)
	return hasMoved || ok, err
}

// handleBatches handles the due letters in batches, and moves letters that are already handled. toMove collects the
// handled letters that must still be moved, by folder.
func (p *Poller) handleBatches(ctx context.Context, c *imapConn, due []imap.UID, toMove map[Folder][]imap.UID) (hasMoved bool, err error) {
	for len(due) > 0 && ctx.Err() == nil {
		n := min(len(due), lettersPerSizeRequest)
		letters, err := c.fetchSizes(ctx, due[:n], p.cfg.MaxLetter)
		if err != nil {
			return hasMoved, err
		}
		due = due[n:]
		for len(letters) > 0 && ctx.Err() == nil {
			n := nextBatchLength(letters, p.cfg.MaxLetter)
			if i := slices.IndexFunc(letters[:n], func(letter listedLetter) bool { return p.letters.mustFetchAlone(letter.uid) }); i >= 0 {
				n = max(i, 1)
			}
			ok, err := p.handleBatch(ctx, c, letters[:n], toMove)
			hasMoved = hasMoved || ok
			if err != nil {
				return hasMoved, err
			}
			letters = letters[n:]
		}
	}
	return hasMoved, nil
}

func (p *Poller) forgetMissing(inbox []imap.UID) {
	if len(p.letters) == 0 && p.inFlight.hasNoSuspects() {
		return
	}
	isInInbox := make(map[uint32]bool, len(inbox))
	for _, uid := range inbox {
		isInInbox[uint32(uid)] = true
	}
	maps.DeleteFunc(p.letters, func(uid uint32, _ *letterState) bool { return !isInInbox[uid] })
	p.inFlight.keepOnly(p.validity, func(uid uint32) bool { return isInInbox[uid] })
}

// maxBlocking is how long a failing letter holds deadlines up.
const maxBlocking = time.Hour

// countBlockingLetters counts the unhandled letters that hold deadlines up. A letter that has failed for maxBlocking
// no longer counts.
func (p *Poller) countBlockingLetters() (blockingCount int) {
	now, expiredCount := p.now(), 0
	for _, state := range p.letters {
		switch {
		case state.isHandled:
			continue
		case state.isDelayedByFault() && state.faultDelay.pause == 0:
			blockingCount++ // A database fault may last for hours, and deadlines wait for its end.
			continue
		case state.firstUnhandled.IsZero():
			state.firstUnhandled = now
		}
		if now.Sub(state.firstUnhandled) < maxBlocking {
			blockingCount++
		} else {
			expiredCount++
		}
	}
	if expiredCount > 0 && !p.hasLoggedExpiry {
		p.log.Warn("deadlines no longer wait for failing letters", "letters", expiredCount, "after", maxBlocking)
	}
	p.hasLoggedExpiry = expiredCount > 0
	return blockingCount
}

const (
	maxBatchLetters = 64
	maxBatchBytes   = 8 << 20
)

// nextBatchLength returns the number of letters in the next batch: at least one, however large it is.
func nextBatchLength(due []listedLetter, maxLetter int64) int {
	var total int64
	for i, letter := range due {
		total += min(letter.size, maxLetter)
		if i == maxBatchLetters || i > 0 && total > maxBatchBytes {
			return i
		}
	}
	return len(due)
}

// handleBatch fetches letters and starts to handle them. Then it moves all letters that are already handled,
// including letters of earlier batches.
func (p *Poller) handleBatch(ctx context.Context, c *imapConn, due []listedLetter,
	toMove map[Folder][]imap.UID) (hasMoved bool, err error) {
	var fetchList []listedLetter
	for _, letter := range due {
		if state := p.letters[uint32(letter.uid)]; state != nil && state.isHandled {
			toMove[state.folder] = append(toMove[state.folder], letter.uid)
		} else {
			fetchList = append(fetchList, letter)
		}
	}
	letters, err := p.fetch(ctx, c, fetchList, toMove)
	if err != nil {
		return false, err
	}
	for i, r := range letters {
		if ctx.Err() != nil {
			break
		}
		p.handleLetter(ctx, r, toMove)
		letters[i].Raw = nil // The queue holds the bytes.
	}
	p.collectResults(ctx, p.inProgress.isEmpty, 0, toMove)
	return p.moveHandled(ctx, c, toMove)
}

func (p *Poller) moveHandled(ctx context.Context, c *imapConn, toMove map[Folder][]imap.UID) (hasMoved bool, err error) {
	// When the daemon stops, there is a short time for moving handled letters. A handled letter that stays in the
	// inbox is recognised when it is handled again, and then has no effect.
	moveCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(stopGracePeriod, cancel) })()
	for _, folder := range letterFolders {
		uids := toMove[folder]
		if len(uids) == 0 {
			continue
		}
		delete(toMove, folder)
		ok, err := p.moveToFolder(moveCtx, c, uids, folder)
		if err == nil && folder == Quarantine {
			err = p.countQuarantine(moveCtx, c)
		}
		if err != nil {
			return hasMoved, err
		}
		hasMoved = hasMoved || ok
	}
	return hasMoved, nil
}

// fetch fetches a batch of letters. If the server refuses the batch, it fetches the letters one by one, so that an
// unreadable letter does not block the others.
func (p *Poller) fetch(ctx context.Context, c *imapConn, list []listedLetter, toMove map[Folder][]imap.UID) ([]Received, error) {
	if len(list) == 0 {
		return nil, nil
	}
	received, err := c.fetch(ctx, p.validity, list, p.cfg.MaxLetter)
	switch {
	case err == nil:
		if len(received) > 0 {
			p.lastFetched = p.now()
		}
		p.letters.recordFetched(received)
		p.recordMissing(ctx, list, received, toMove)
		return received, nil
	case !isCommandRefusal(err):
		p.recordConnectionLoss(ctx, list, err, toMove)
		return nil, err
	case len(list) == 1:
		p.recordFetchFailure(ctx, list[0], err, toMove)
		return nil, nil
	}
	received = nil
	for i := range list {
		one, err := p.fetch(ctx, c, list[i:i+1], toMove)
		if err != nil {
			return nil, err
		}
		received = append(received, one...)
	}
	return received, nil
}

func (p *Poller) scheduleRetry(uid uint32, what string, err error) {
	p.scheduleRetries([]imap.UID{imap.UID(uid)}, what, err)
}

// scheduleRetries sets the time of the next try for each letter. It logs one line for all letters, because a single
// fault, for example a full mailbox, may concern many.
func (p *Poller) scheduleRetries(uids []imap.UID, what string, err error) {
	if len(uids) == 0 {
		return
	}
	var pause time.Duration
	for _, uid := range uids {
		state := p.letters.stateOf(uint32(uid))
		if state.delay == nil {
			state.delay = p.cfg.Retry.exponential()
		}
		pause = state.delay.NextBackOff()
		state.nextTry = p.now().Add(pause)
	}
	p.log.Error(what, "uidvalidity", p.validity, "uid", uint32(uids[0]), "letters", len(uids), "error", err, "hint", Hint(err),
		"retry_in", pause.Round(time.Millisecond))
}
