package mail

import (
	"context"
	"slices"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// entry is one message in the inbox.
type entry struct {
	uid  imap.UID
	size int64
}

const (
	// maxList bounds what one scan takes up, whatever a server claims to have.
	maxList = 200_000
	// sizesAtOnce is how many letters are asked for their size at once.
	sizesAtOnce = 1000
)

// list gives the numbers of what lies in the inbox, oldest first, without what
// is flagged \Deleted: a search, because the letters of others that stay there
// for years must not cost more than a few bytes each. whole is false when there
// is more than that.
func (c *imapConn) list(ctx context.Context) (uids []imap.UID, whole bool, err error) {
	var opts *imap.SearchOptions
	if c.esearch {
		opts = &imap.SearchOptions{ReturnAll: true}
	}
	// A full inbox of a hundred thousand letters takes seconds, not a minute.
	err = c.do(ctx, "list inbox", 4*c.timeout, func() error {
		d, err := c.client.UIDSearch(&imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}}, opts).Wait()
		if err != nil {
			return err
		}
		uids, whole = numbers(d.All)
		return nil
	})
	return uids, whole, err
}

// numbers gives the members of a set in order. It does not trust the server to
// be modest: two numbers can stand for four billion.
func numbers(set imap.NumSet) (uids []imap.UID, whole bool) {
	s, ok := set.(imap.UIDSet)
	if !ok {
		return nil, true
	}
	for _, r := range s {
		if r.Start == 0 || r.Stop < r.Start {
			continue
		}
		for uid := r.Start; ; uid++ {
			if len(uids) == maxList {
				return uids, false
			}
			uids = append(uids, uid)
			if uid == r.Stop {
				break
			}
		}
	}
	slices.Sort(uids)
	return slices.Compact(uids), true
}

// sizes asks how long letters are. One that the server says nothing of counts
// as a long one.
func (c *imapConn) sizes(ctx context.Context, uids []imap.UID, most int64) ([]entry, error) {
	sizes := make(map[imap.UID]int64, len(uids))
	err := c.do(ctx, "sizes", 2*c.timeout, func() error {
		f := c.client.Fetch(imap.UIDSetNum(uids...), &imap.FetchOptions{UID: true, RFC822Size: true})
		defer f.Close()
		for m := f.Next(); m != nil; m = f.Next() {
			var e entry
			for item := m.Next(); item != nil; item = m.Next() {
				switch item := item.(type) {
				case imapclient.FetchItemDataUID:
					e.uid = item.UID
				case imapclient.FetchItemDataRFC822Size:
					e.size = item.Size
				}
			}
			if e.size > 0 {
				sizes[e.uid] = e.size
			}
		}
		return f.Close()
	})
	// A refusal may be about one letter among many: the fetch will tell which.
	if err := unlessRefused(err); err != nil {
		return nil, err
	}
	out := make([]entry, len(uids))
	for i, uid := range uids {
		out[i] = entry{uid: uid, size: most}
		if n, ok := sizes[uid]; ok {
			out[i].size = n
		}
	}
	return out, nil
}
