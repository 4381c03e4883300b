package mail

import (
	"context"
	"fmt"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

const (
	// fullSoon is the part of its room, in percent, from which on a mailbox deserves a
	// remark, and full that from which on letters may not come.
	fullSoon = 80
	full     = 97
)

// quota says how full the mailbox is. A full one takes no letters, and none can be
// filed.
func (p *Probe) quota(ctx context.Context, c *imapConn) {
	if !c.client.Caps().Has(imap.CapQuota) {
		p.tell(Remark, "IMAP: the server does not say how full the mailbox is; handled letters are never deleted, so look now and then", "")
		return
	}
	var roots []imapclient.QuotaData
	err := c.do(ctx, "getquotaroot", c.timeout, func() (err error) {
		roots, err = c.client.GetQuotaRoot(p.In.Mailbox).Wait()
		return err
	})
	if err != nil {
		p.tell(Remark, "IMAP: it cannot be told how full the mailbox is: "+err.Error(), "")
		return
	}
	limited := false
	for _, root := range roots {
		for _, what := range []imap.QuotaResourceType{imap.QuotaResourceStorage, imap.QuotaResourceMessage} {
			if r, ok := root.Resources[what]; ok && r.Limit > 0 {
				limited = true
				p.fullness(what, r.Usage, r.Limit)
			}
		}
	}
	if !limited {
		p.tell(Fine, "IMAP: the mailbox has no limit", "")
	}
}

// fullness tells of one limit; that of the size is in kilobytes.
func (p *Probe) fullness(what imap.QuotaResourceType, usage, limit int64) {
	percent, unit := 100*usage/limit, "letters"
	if what == imap.QuotaResourceStorage {
		unit, usage, limit = "MB", usage>>10, limit>>10
	}
	text := fmt.Sprintf("IMAP: the mailbox is full to %d percent, %d of %d %s", percent, usage, limit, unit)
	const room = "delete old letters in the folders below Samizdat, or get more room: a full mailbox takes no letters"
	switch {
	case percent >= full:
		p.tell(Wrong, text, room)
	case percent >= fullSoon:
		p.tell(Remark, text, room)
	default:
		p.tell(Fine, text, "")
	}
}
