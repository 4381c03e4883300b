package mail

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// scan lists the inbox and handles its letters. It reports whether it moved letters, because then there may be more.
func (p *Poller) scan(ctx context.Context, c *imapConn) (hasMoved bool, err error) {
	// Requests from now on need another scan.
	select {
	case <-p.scanRequested:
	default:
	}
	started := p.now()
	select {
	case <-c.announcements:
	default:
	}
	// Servers search the messages they have announced, and announce new ones in the reply to a command.
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
	if hasMoved, err = p.handleDue(ctx, c, p.letters.sortAloneLast(due)); err != nil {
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
		if isHandled := p.isUnblocked(); isHandled && p.inProgress.isEmpty() {
			p.watermark = started
		} else if since := p.inProgress.arrivedAfter(); isHandled && since.After(p.watermark) {
			p.watermark = since
		}
	}
	// While letters are in progress the next scan must follow soon to move them.
	return hasMoved || !p.inProgress.isEmpty(), nil
}

// handleDue handles letters and reports whether it moved any. Slow letters stay in progress and are moved by a
// later scan.
func (p *Poller) handleDue(ctx context.Context, c *imapConn, due []imap.UID) (movedAny bool, err error) {
	toMove := map[Folder][]imap.UID{}
	movedAny, err = p.handleBatches(ctx, c, due, toMove)
	if err != nil {
		return movedAny, err
	}
	p.collectResults(ctx, p.inProgress.isEmpty, scanEndWait, toMove)
	if ctx.Err() != nil {
		p.collectResults(ctx, p.inProgress.isEmpty, noTimeout, toMove)
	}
	hasMoved, err := p.moveHandled(ctx, c, toMove)
	return movedAny || hasMoved, err
}

func (p *Poller) handleBatches(ctx context.Context, c *imapConn, due []imap.UID, toMove map[Folder][]imap.UID) (movedAny bool, err error) {
	for len(due) > 0 && ctx.Err() == nil {
		n := min(len(due), sizeBatch)
		letters, err := c.fetchSizes(ctx, due[:n], p.cfg.MaxLetter)
		if err != nil {
			return movedAny, err
		}
		due = due[n:]
		for len(letters) > 0 && ctx.Err() == nil {
			n := batchSize(letters, p.cfg.MaxLetter)
			if i := slices.IndexFunc(letters[:n], func(letter listedLetter) bool { return p.letters.mustFetchAlone(letter.uid) }); i >= 0 {
				n = max(i, 1)
			}
			hasMoved, err := p.handleBatch(ctx, c, letters[:n], toMove)
			movedAny = movedAny || hasMoved
			if err != nil {
				return movedAny, err
			}
			letters = letters[n:]
		}
	}
	return movedAny, nil
}

func (p *Poller) forgetMissing(inbox []imap.UID) {
	if len(p.letters) == 0 && p.inFlight.isEmpty() {
		return
	}
	isInInbox := make(map[uint32]bool, len(inbox))
	for _, uid := range inbox {
		isInInbox[uint32(uid)] = true
	}
	maps.DeleteFunc(p.letters, func(uid uint32, _ *letterState) bool { return !isInInbox[uid] })
	p.inFlight.keepOnly(p.validity, func(uid uint32) bool { return isInInbox[uid] })
}

// maxBlocking is how long deadlines wait for a failing letter.
const maxBlocking = time.Hour

func (p *Poller) isUnblocked() bool {
	now, blockingCount, expiredCount := p.now(), 0, 0
	for _, state := range p.letters {
		switch {
		case state.isHandled:
			continue
		case state.isDelayedByFault() && state.faultDelay.pause == 0:
			blockingCount++ // A database fault may last for hours, and deadlines wait for all of it.
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
	if expiredCount > 0 && !p.stoppedBlocking {
		p.log.Warn("deadlines no longer wait for failing letters", "letters", expiredCount, "after", maxBlocking)
	}
	p.stoppedBlocking = expiredCount > 0
	return blockingCount == 0
}

// Limits of a batch.
const (
	batchLetters = 64
	batchBytes   = 8 << 20
)

// batchSize returns the number of letters in the next batch, at least one.
func batchSize(due []listedLetter, maxLetter int64) int {
	var total int64
	for i, letter := range due {
		total += min(letter.size, maxLetter)
		if i == batchLetters || i > 0 && total > batchBytes {
			return i
		}
	}
	return len(due)
}

// handleBatch fetches and handles some letters, and moves the letters that are handled by then.
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

// moveHandled moves handled letters, with one command for each folder.
func (p *Poller) moveHandled(ctx context.Context, c *imapConn, toMove map[Folder][]imap.UID) (hasMoved bool, err error) {
	// When the daemon stops, committed letters get a short time to be moved. Letters left in the inbox will be
	// recognised when they are handled again.
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

// fetch fetches letters one by one after the server refuses a batch, so that one unreadable letter does not block
// the others.
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
		p.recordDeliveryFailure(ctx, list[0], err, toMove)
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

// scheduleRetries schedules each letter for its next try and logs one line, e.g. for a full mailbox.
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

// Claims are the claims of a daemon to letters in an outbox that several daemons use. A letter returned by
// [Queue.Due] is claimed until the daemon has recorded its outcome or counts as dead.
type Claims interface {
	// Holds reports whether the claim to a letter still holds. It is called directly before the content is sent and
	// must not block.
	Holds(id int64) bool
	// Release releases all claims except those to the given letters.
	Release(ctx context.Context, except ...int64) error
}

// errClaimLost is returned if the daemon was suspended or cut off, so that another daemon may have sent the letter.
// The next claimant reads the letter again.
var errClaimLost = errors.New("the claim to the letter was lost")
