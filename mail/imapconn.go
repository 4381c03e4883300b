package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// imapConn is an IMAP connection. It belongs to one goroutine. A callback from the library's reader goroutine must not
// issue a command: that would deadlock.
type imapConn struct {
	client  *imapclient.Client
	timeout time.Duration
	// announcements receives a value when the server announces new mail. wasAnnounced is set if this ended the last wait.
	announcements chan struct{}
	wasAnnounced  bool
	// prefix and delim place our folders in the server's hierarchy. isPrefixGuessed is set if the server did not
	// announce the prefix.
	prefix          string
	delim           rune
	isPrefixGuessed bool

	hasIdle, hasMove, hasUIDPlus, hasESearch, hasQuota bool
	// uidAfterBody reports whether the server sends the UID of a message after its body.
	uidAfterBody bool
}

// run runs a command with a time-out. The library has no time-outs: when the time is over, run closes the connection,
// so that f returns.
func (c *imapConn) run(ctx context.Context, op string, limit time.Duration, f func() error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = c.client.Close() })
	err := f()
	if !stop() {
		return fmt.Errorf("imap %s: %w", op, context.Cause(ctx))
	}
	if err != nil {
		return fmt.Errorf("imap %s: %w", op, err)
	}
	return nil
}

func (c *imapConn) close() { _ = c.client.Close() }

const imapErrorPrefix = "connecting to the IMAP server"

// dialIMAP connects and waits for the greeting. The caller logs in.
func dialIMAP(ctx context.Context, cfg IMAPConfig) (*imapConn, error) {
	tlsCfg, err := tlsConfig(cfg.Address, cfg.CAFile)
	if err != nil {
		return nil, err
	}
	conn, err := connect(ctx, cfg.Dial, cfg.Address, cfg.CommandTimeout)
	if err != nil {
		return nil, fmt.Errorf(imapErrorPrefix+": %w", err)
	}
	// During handshake and greeting there is no client yet, so the end of the context closes the connection. The time is
	// long enough for the three replies of a server with STARTTLS.
	ctx, cancel := context.WithTimeout(ctx, 3*cfg.CommandTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	c := &imapConn{timeout: cfg.CommandTimeout, announcements: make(chan struct{}, 1), delim: '/'}
	opts := &imapclient.Options{TLSConfig: tlsCfg, UnilateralDataHandler: &imapclient.UnilateralDataHandler{
		Mailbox: func(d *imapclient.UnilateralDataMailbox) {
			if d.NumMessages != nil {
				signal(c.announcements)
			}
		},
	}}
	if cfg.TLS != StartTLS {
		tlsCfg.NextProtos = []string{"imap"}
	}
	protected, err := cfg.secure(ctx, conn, tlsCfg, cfg.CommandTimeout)
	switch {
	case err != nil:
	case cfg.TLS == StartTLS:
		c.client, err = imapclient.NewStartTLS(protected, opts)
	default:
		c.client = imapclient.New(protected, opts)
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf(imapErrorPrefix+": %w", withDeadlineCause(ctx, err))
	}
	if err := c.client.WaitGreeting(); err != nil {
		c.close()
		return nil, fmt.Errorf("waiting for the IMAP greeting: %w", withDeadlineCause(ctx, err))
	}
	return c, nil
}

// withDeadlineCause adds the expired deadline, if any, to an error.
func withDeadlineCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%w (%w)", cause, err)
	}
	return err
}

// login logs in and reads the capabilities and the folder hierarchy of the server.
func (c *imapConn) login(ctx context.Context, cfg IMAPConfig) error {
	var capabilities imap.CapSet
	if err := c.run(ctx, "capability", c.timeout, func() error { capabilities = c.client.Caps(); return nil }); err != nil {
		return err
	}
	if err := c.authenticate(ctx, cfg, capabilities); err != nil {
		return err
	}
	// The library may still have the capabilities from before the login, which are fewer.
	err := c.run(ctx, "capability", c.timeout, func() (err error) { capabilities, err = c.client.Capability().Wait(); return err })
	if err != nil {
		return err
	}
	c.hasIdle, c.hasMove, c.hasUIDPlus = capabilities.Has(imap.CapIdle), capabilities.Has(imap.CapMove), capabilities.Has(imap.CapUIDPlus)
	c.hasESearch, c.hasQuota = capabilities.Has(imap.CapESearch), capabilities.Has(imap.CapQuota)
	if capabilities.Has(imap.CapIMAP4rev2) && !isASCII(cfg.Mailbox) {
		// The library writes a non-ASCII mailbox name in UTF-8, which must be enabled first.
		err := c.run(ctx, "enable", c.timeout, func() error { _, err := c.client.Enable(imap.CapIMAP4rev2).Wait(); return err })
		if err := ignoreRefusal(err); err != nil {
			return err
		}
	}
	return c.findHierarchy(ctx, capabilities.Has(imap.CapNamespace))
}

// authenticate logs in. With a password it prefers the command LOGIN, because almost every server supports it.
func (c *imapConn) authenticate(ctx context.Context, cfg IMAPConfig, capabilities imap.CapSet) error {
	creds := cfg.credentials()
	offers := func(mechanism string) bool { return capabilities.Has(imap.AuthCap(mechanism)) }
	usesCommand := !creds.needsToken() && !capabilities.Has(imap.CapLoginDisabled) &&
		(cfg.Auth == AuthAuto || cfg.Auth == AuthLogin && !offers("LOGIN"))
	if usesCommand {
		return creds.loginError("", c.run(ctx, "login", c.timeout, func() error { return c.client.Login(creds.user, creds.password).Wait() }))
	}
	saslClient, token, err := creds.newClient(ctx, offers)
	if err != nil {
		return fmt.Errorf("imap login: %w", err)
	}
	return creds.loginError(token, c.run(ctx, "authenticate", c.timeout, func() error { return c.client.Authenticate(saslClient) }))
}

// fetch reads at most limit bytes of each message without setting \Seen. Messages that have disappeared are
// missing in the result.
func (c *imapConn) fetch(ctx context.Context, validity uint32, batch []listedLetter, limit int64) ([]Received, error) {
	if len(batch) == 0 {
		return nil, nil
	}
	if !c.uidAfterBody {
		var set imap.UIDSet
		var total int64
		for _, letter := range batch {
			set.AddNum(letter.uid)
			total += min(letter.size, limit)
		}
		out, err := c.fetchSet(ctx, validity, set, total, limit)
		if err != nil || len(out) > 0 {
			return out, err
		}
	}
	// The library skips messages whose UID comes after the body, unless they are fetched one by one by sequence
	// number.
	var out []Received
	for _, letter := range batch {
		received, err := c.fetchAlone(ctx, validity, letter, limit)
		if err != nil {
			return nil, err
		}
		out = append(out, received...)
	}
	c.uidAfterBody = c.uidAfterBody || len(out) > 0
	return out, nil
}

// fetchAlone reads one message by its sequence number.
func (c *imapConn) fetchAlone(ctx context.Context, validity uint32, letter listedLetter, limit int64) ([]Received, error) {
	var seqNums []uint32
	err := c.run(ctx, "search", c.timeout, func() error {
		d, err := c.client.Search(&imap.SearchCriteria{UID: []imap.UIDSet{imap.UIDSetNum(letter.uid)}}, nil).Wait()
		if err == nil {
			seqNums = d.AllSeqNums()
		}
		return err
	})
	if err != nil || len(seqNums) != 1 {
		return nil, err
	}
	out, err := c.fetchSet(ctx, validity, imap.SeqSetNum(seqNums[0]), min(letter.size, limit), limit)
	return slices.DeleteFunc(out, func(r Received) bool { return r.UID != uint32(letter.uid) }), err
}

// fetchSet fetches a set of messages. total is their size in bytes, for the time-out.
func (c *imapConn) fetchSet(ctx context.Context, validity uint32, set imap.NumSet, total, limit int64) ([]Received, error) {
	// One more byte shows whether the message is longer: sizes from servers may be wrong.
	section := &imap.FetchItemBodySection{Peek: true, Partial: &imap.SectionPartial{Size: limit + 1}}
	opts := &imap.FetchOptions{UID: true, InternalDate: true, RFC822Size: true, BodySection: []*imap.FetchItemBodySection{section}}
	var out []Received
	// The slowest supported connection has 64 KiB a second.
	err := c.run(ctx, "fetch", c.timeout+time.Duration(total>>16)*time.Second, func() error {
		f := c.client.Fetch(set, opts)
		for m := f.Next(); m != nil; m = f.Next() {
			r, err := parseFetched(m, limit)
			if err != nil {
				// After a broken literal the library's reader continues with the connection; reading the rest, as
				// Close does, would be a data race.
				return err
			}
			// A response without UID or body announces a change of flags.
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

func parseFetched(m *imapclient.FetchMessageData, limit int64) (r Received, err error) {
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
			// A server without partial FETCH sends the whole message; the rest is skipped.
			r.Raw = make([]byte, min(max(item.Literal.Size(), 0), limit+1))
			_, err := io.ReadFull(item.Literal, r.Raw)
			if errors.Is(err, io.EOF) {
				// The library ends a truncated literal like a complete one.
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

// listedLetter is a letter in the inbox that is not fetched yet. size is in bytes.
type listedLetter struct {
	uid  imap.UID
	size int64
}

const (
	// maxListedLetters limits the letters of a scan, even if the server returns more.
	maxListedLetters      = 200_000
	lettersPerSizeRequest = 1000
)

// listInbox returns the UIDs in the inbox, oldest first, without messages flagged \Deleted. It uses SEARCH, because
// letters that stay in the inbox for years should cost only a few bytes each. isComplete is false if there are more
// than maxListedLetters.
func (c *imapConn) listInbox(ctx context.Context) (uids []imap.UID, isComplete bool, err error) {
	var opts *imap.SearchOptions
	if c.hasESearch {
		opts = &imap.SearchOptions{ReturnAll: true}
	}
	// A full inbox of a hundred thousand letters takes some seconds.
	err = c.run(ctx, "list inbox", 4*c.timeout, func() error {
		d, err := c.client.UIDSearch(&imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}}, opts).Wait()
		if err != nil {
			return err
		}
		uids, isComplete = expandSet(d.All)
		return nil
	})
	return uids, isComplete, err
}

// expandSet returns the UIDs in a set in order, but at most maxListedLetters, because a server may send "1:4294967295".
// isComplete is false if there are more.
func expandSet(set imap.NumSet) (uids []imap.UID, isComplete bool) {
	s, ok := set.(imap.UIDSet)
	if !ok {
		return nil, true
	}
	for _, r := range s {
		if r.Start == 0 || r.Stop < r.Start {
			continue
		}
		for uid := r.Start; ; uid++ {
			if len(uids) == maxListedLetters {
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

// fetchSizes returns the letters with their sizes. A letter without a size in the answer of the server gets limit as
// its size.
func (c *imapConn) fetchSizes(ctx context.Context, uids []imap.UID, limit int64) ([]listedLetter, error) {
	sizes := make(map[imap.UID]int64, len(uids))
	err := c.run(ctx, "sizes", 2*c.timeout, func() error {
		f := c.client.Fetch(imap.UIDSetNum(uids...), &imap.FetchOptions{UID: true, RFC822Size: true})
		defer f.Close()
		for m := f.Next(); m != nil; m = f.Next() {
			var letter listedLetter
			for item := m.Next(); item != nil; item = m.Next() {
				switch item := item.(type) {
				case imapclient.FetchItemDataUID:
					letter.uid = item.UID
				case imapclient.FetchItemDataRFC822Size:
					letter.size = item.Size
				}
			}
			if letter.size > 0 {
				sizes[letter.uid] = letter.size
			}
		}
		return f.Close()
	})
	// The server may refuse because of one letter; fetch finds that letter.
	if err := ignoreRefusal(err); err != nil {
		return nil, err
	}
	out := make([]listedLetter, len(uids))
	for i, uid := range uids {
		out[i] = listedLetter{uid: uid, size: limit}
		if n, ok := sizes[uid]; ok {
			out[i].size = n
		}
	}
	return out, nil
}
