package mail

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// fetch reads some messages, at most limit bytes of each, without setting
// \Seen. A message that vanished meanwhile is missing from the result.
func (c *imapConn) fetch(ctx context.Context, validity uint32, batch []entry, limit int64) ([]Received, error) {
	if len(batch) == 0 {
		return nil, nil
	}
	if !c.uidLast {
		var set imap.UIDSet
		var total int64
		for _, e := range batch {
			set.AddNum(e.uid)
			total += min(e.size, limit)
		}
		out, err := c.fetchSet(ctx, validity, set, total, limit)
		if err != nil || len(out) > 0 {
			return out, err
		}
	}
	// Nothing came. The library passes over letters whose number comes behind
	// their content, unless they are asked for one by one by their place.
	var out []Received
	for _, e := range batch {
		r, err := c.fetchAlone(ctx, validity, e, limit)
		if err != nil {
			return nil, err
		}
		out = append(out, r...)
	}
	c.uidLast = c.uidLast || len(out) > 0
	return out, nil
}

// fetchAlone reads a message by its place in the mailbox.
func (c *imapConn) fetchAlone(ctx context.Context, validity uint32, e entry, limit int64) ([]Received, error) {
	var places []uint32
	err := c.do(ctx, "search", c.timeout, func() error {
		d, err := c.client.Search(&imap.SearchCriteria{UID: []imap.UIDSet{imap.UIDSetNum(e.uid)}}, nil).Wait()
		if err == nil {
			places = d.AllSeqNums()
		}
		return err
	})
	if err != nil || len(places) != 1 {
		return nil, err
	}
	out, err := c.fetchSet(ctx, validity, imap.SeqSetNum(places[0]), min(e.size, limit), limit)
	return slices.DeleteFunc(out, func(r Received) bool { return r.UID != uint32(e.uid) }), err
}

// fetchSet sends one FETCH for messages that have so many bytes together.
func (c *imapConn) fetchSet(ctx context.Context, validity uint32, set imap.NumSet, total, limit int64) ([]Received, error) {
	// One byte more tells whether there is more: servers give sizes that are wrong.
	section := &imap.FetchItemBodySection{Peek: true, Partial: &imap.SectionPartial{Size: limit + 1}}
	opts := &imap.FetchOptions{UID: true, InternalDate: true, RFC822Size: true, BodySection: []*imap.FetchItemBodySection{section}}
	var out []Received
	// 64 KiB a second is the slowest line worth waiting for.
	err := c.do(ctx, "fetch", c.timeout+time.Duration(total>>16)*time.Second, func() error {
		f := c.client.Fetch(set, opts)
		for m := f.Next(); m != nil; m = f.Next() {
			r, err := received(m, limit)
			if err != nil {
				// After a broken literal the library's reader goes on with the
				// connection; to read what is left, as Close does, would be a race.
				return err
			}
			// A server may also report a flag change of some message here.
			if r.UID == 0 || r.Raw == nil {
				continue
			}
			r.UIDValidity = validity
			out = append(out, r)
		}
		return f.Close()
	})
	slices.SortFunc(out, func(a, b Received) int { return cmp.Compare(a.UID, b.UID) })
	return out, err
}

// received takes one message out of an answer.
func received(m *imapclient.FetchMessageData, limit int64) (r Received, err error) {
	for item := m.Next(); item != nil; item = m.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			r.UID = uint32(item.UID)
		case imapclient.FetchItemDataInternalDate:
			r.Arrived = item.Time
		case imapclient.FetchItemDataRFC822Size:
			r.Size = item.Size
		case imapclient.FetchItemDataBodySection:
			if item.Literal == nil {
				continue
			}
			// A server that knows no parts sends the whole: the rest is passed over.
			r.Raw = make([]byte, min(max(item.Literal.Size(), 0), limit+1))
			_, err := io.ReadFull(item.Literal, r.Raw)
			if errors.Is(err, io.EOF) {
				// The library ends a literal that was cut off like a whole one.
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return r, err
			}
		}
	}
	if r.Truncated = int64(len(r.Raw)) > limit; r.Truncated {
		r.Size = max(r.Size, int64(len(r.Raw)))
		r.Raw = r.Raw[:limit:limit]
	} else {
		r.Size = int64(len(r.Raw))
	}
	return r, nil
}
