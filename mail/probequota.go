package mail

import (
	"context"
	"fmt"
	"iter"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

const (
	// fullSoon is the part of its room, in percent, from which on a mailbox deserves a
	// remark, and FullMailbox that from which on letters may not come.
	fullSoon    = 80
	FullMailbox = 97
)

// quota says how full the mailbox is. A full one takes no letters, and none can be
// filed.
func (p *Probe) quota(ctx context.Context, c *imapConn) {
	if !c.client.Caps().Has(imap.CapQuota) {
		p.tell(Remark, "IMAP: the server does not say how full the mailbox is; handled letters are never deleted, so look now and then", "")
		return
	}
	roots, err := c.quotas(ctx, p.In.Mailbox)
	if err != nil {
		p.tell(Remark, "IMAP: it cannot be told how full the mailbox is: "+err.Error(), "")
		return
	}
	limited := false
	for what, r := range limits(roots) {
		limited = true
		p.fullness(what, r.Usage, r.Limit)
	}
	if !limited {
		p.tell(Fine, "IMAP: the mailbox has no limit", "")
	}
}

// quotas asks how full a mailbox is. The server must be one that says so.
func (c *imapConn) quotas(ctx context.Context, mailbox string) (roots []imapclient.QuotaData, err error) {
	err = c.do(ctx, "getquotaroot", c.timeout, func() (err error) {
		roots, err = c.client.GetQuotaRoot(mailbox).Wait()
		return err
	})
	return roots, err
}

// limits are those of the size and of the number of letters.
func limits(roots []imapclient.QuotaData) iter.Seq2[imap.QuotaResourceType, imapclient.QuotaResourceData] {
	return func(yield func(imap.QuotaResourceType, imapclient.QuotaResourceData) bool) {
		for _, root := range roots {
			for _, what := range []imap.QuotaResourceType{imap.QuotaResourceStorage, imap.QuotaResourceMessage} {
				if r, ok := root.Resources[what]; ok && r.Limit > 0 && !yield(what, r) {
					return
				}
			}
		}
	}
}

// weigh notes how full the mailbox is, where the server says so: when it is full, letters come back
// to the players who wrote them.
func (p *Poller) weigh(ctx context.Context, c *imapConn) error {
	skip := p.quotaLost
	p.quotaLost = false
	if !c.quota || skip {
		return nil
	}
	roots, err := c.quotas(ctx, p.cfg.Mailbox)
	if answered(err) {
		c.quota = false // This server does not say.
		return nil
	}
	if err != nil {
		p.quotaLost = true
		return err
	}
	most := int64(0)
	for _, r := range limits(roots) {
		most = max(most, 100*r.Usage/r.Limit)
	}
	p.fullness.Store(int32(min(most, 1000)))
	return nil
}

// RoomHint says how a full mailbox gets room.
const RoomHint = "delete old letters in the folders below Samizdat, or get more room: a full mailbox takes no letters"

// fullness tells of one limit; that of the size is in kilobytes.
func (p *Probe) fullness(what imap.QuotaResourceType, usage, limit int64) {
	percent, unit := 100*usage/limit, "letters"
	if what == imap.QuotaResourceStorage {
		unit, usage, limit = "MB", usage>>10, limit>>10
	}
	text := fmt.Sprintf("IMAP: the mailbox is full to %d percent, %d of %d %s", percent, usage, limit, unit)
	switch {
	case percent >= FullMailbox:
		p.tell(Wrong, text, RoomHint)
	case percent >= fullSoon:
		p.tell(Remark, text, RoomHint)
	default:
		p.tell(Fine, text, "")
	}
}
