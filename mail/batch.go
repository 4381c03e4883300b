package mail

import (
	"context"
	"time"

	"github.com/emersion/go-imap/v2"
)

// A batch is fetched at once, handled, and moved at once.
const (
	batchLetters = 64
	batchBytes   = 8 << 20
)

// batchSize keeps a batch small in letters and in bytes, but never empty.
func batchSize(due []entry, maxLetter int64) int {
	var total int64
	for i, e := range due {
		total += min(e.size, maxLetter)
		if i == batchLetters || i > 0 && total > batchBytes {
			return i
		}
	}
	return len(due)
}

// batch fetches some letters and lets them be handled, and moves those that are by then.
func (p *Poller) batch(ctx context.Context, c *imapConn, due []entry, filed map[Folder][]imap.UID) (moved bool, err error) {
	var fetchList []entry
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
		p.handIn(ctx, r, filed)
		letters[i].Raw = nil // What is in hand keeps it.
	}
	p.gather(ctx, p.workers.idle, 0, filed)
	return p.fileAll(ctx, c, filed)
}

// fileAll moves letters that are handled, those for each folder by one command.
func (p *Poller) fileAll(ctx context.Context, c *imapConn, filed map[Folder][]imap.UID) (moved bool, err error) {
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
		ok, err := p.file(mctx, c, uids, folder)
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
func (p *Poller) fetch(ctx context.Context, c *imapConn, list []entry, filed map[Folder][]imap.UID) ([]Received, error) {
	if len(list) == 0 {
		return nil, nil
	}
	got, err := c.fetch(ctx, p.validity, list, p.cfg.MaxLetter)
	switch {
	case err == nil:
		if len(got) > 0 {
			p.handedOut = p.now()
		}
		p.handsOut(got)
		p.missing(ctx, list, got, filed)
		return got, nil
	case !answered(err):
		p.lostOver(ctx, list, err, filed)
		return nil, err
	case len(list) == 1:
		p.keptBack(ctx, list[0], err, filed)
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

func (p *Poller) state(uid uint32) *letterState {
	s := p.letters[uid]
	if s == nil {
		s = &letterState{}
		p.letters[uid] = s
	}
	return s
}

func (p *Poller) fail(uid uint32, what string, err error) {
	p.failAll([]imap.UID{imap.UID(uid)}, what, err)
}

// failAll sets when letters are tried again, each at a time of its own. A full
// mailbox holds up many at once: that is one line in the log.
func (p *Poller) failAll(uids []imap.UID, what string, err error) {
	if len(uids) == 0 {
		return
	}
	var pause time.Duration
	for _, uid := range uids {
		s := p.state(uint32(uid))
		if s.delay == nil {
			s.delay = p.cfg.Retry.exponential()
		}
		pause = s.delay.NextBackOff()
		s.next = p.now().Add(pause)
	}
	p.log.Error(what, "uidvalidity", p.validity, "uid", uint32(uids[0]), "letters", len(uids), "error", err, "hint", configTrouble(err), "retry_in", pause.Round(time.Millisecond))
}
