package mail

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"slices"
	"sort"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// One goroutine owns an imapConn. Nothing is called from the library's reader
// goroutine: a command issued there would block for ever.

// imapConn is one connection with the inbox selected.
type imapConn struct {
	client  *imapclient.Client
	timeout time.Duration
	// news gets a value when the server speaks of new messages.
	news chan struct{}
	// prefix and delim place our folders in the server's hierarchy.
	prefix string
	delim  rune

	idle, move, uidplus, esearch bool
}

// do runs one exchange under a deadline. The library has none of its own;
// closing the connection is the only way to end a wait.
func (c *imapConn) do(ctx context.Context, op string, limit time.Duration, f func() error) error {
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

func dialIMAP(ctx context.Context, cfg IMAPConfig) (*imapConn, error) {
	tc, err := tlsConfig(cfg.Address, cfg.CAFile)
	if err != nil {
		return nil, err
	}
	conn, err := connect(ctx, cfg.Dial, cfg.Address, cfg.CommandTimeout)
	if err != nil {
		return nil, fmt.Errorf("connecting to the IMAP server: %w", err)
	}
	// Handshake and greeting happen before there is a client to close. With
	// STARTTLS these are three answers of a server that may be slow.
	ctx, cancel := context.WithTimeout(ctx, 3*cfg.CommandTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	c := &imapConn{timeout: cfg.CommandTimeout, news: make(chan struct{}, 1), delim: '/'}
	opts := &imapclient.Options{TLSConfig: tc, UnilateralDataHandler: &imapclient.UnilateralDataHandler{
		Mailbox: func(d *imapclient.UnilateralDataMailbox) {
			if d.NumMessages == nil {
				return
			}
			select {
			case c.news <- struct{}{}:
			default:
			}
		},
	}}
	switch cfg.TLS {
	case StartTLS:
		c.client, err = imapclient.NewStartTLS(conn, opts)
	case NoTLS:
		c.client = imapclient.New(conn, opts)
	default:
		tc.NextProtos = []string{"imap"}
		tlsConn := tls.Client(conn, tc)
		if err = tlsConn.HandshakeContext(ctx); err == nil {
			c.client = imapclient.New(tlsConn, opts)
		}
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("connecting to the IMAP server: %w", orDeadline(ctx, err))
	}
	if err := c.client.WaitGreeting(); err != nil {
		c.close()
		return nil, fmt.Errorf("waiting for the IMAP greeting: %w", orDeadline(ctx, err))
	}
	return c, nil
}

// orDeadline says that a deadline closed the connection, where that is what
// the error comes from.
func orDeadline(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%w (%w)", cause, err)
	}
	return err
}

// login also learns what the server can do and where our folders belong.
func (c *imapConn) login(ctx context.Context, cfg IMAPConfig) error {
	var caps imap.CapSet
	if err := c.do(ctx, "capability", c.timeout, func() error { caps = c.client.Caps(); return nil }); err != nil {
		return err
	}
	if err := c.authenticate(ctx, cfg, caps); err != nil {
		return err
	}
	if err := c.do(ctx, "capability", c.timeout, func() error { caps = c.client.Caps(); return nil }); err != nil {
		return err
	}
	rev2 := caps.Has(imap.CapIMAP4rev2)
	c.idle, c.move, c.uidplus = caps.Has(imap.CapIdle), caps.Has(imap.CapMove), caps.Has(imap.CapUIDPlus)
	c.esearch = rev2 || caps.Has(imap.CapESearch)
	if caps.Has(imap.CapNamespace) {
		err := c.do(ctx, "namespace", c.timeout, func() error {
			ns, err := c.client.Namespace().Wait()
			if err == nil && len(ns.Personal) > 0 {
				c.prefix = ns.Personal[0].Prefix
				if ns.Personal[0].Delim != 0 {
					c.delim = ns.Personal[0].Delim
				}
			}
			return err
		})
		if err == nil || refused(err) {
			return nil
		}
		return err
	}
	return c.do(ctx, "list", c.timeout, func() error {
		list, err := c.client.List("", "", nil).Collect()
		if err == nil && len(list) > 0 && list[0].Delim != 0 {
			c.delim = list[0].Delim
		}
		return err
	})
}

// authenticate logs in. The LOGIN command is what every server has for a
// password, unless it says that it has not.
func (c *imapConn) authenticate(ctx context.Context, cfg IMAPConfig, caps imap.CapSet) error {
	who := credentials{mechanism: cfg.Auth, user: cfg.User, password: cfg.Password, tokens: cfg.Tokens}
	offers := func(mech string) bool { return caps.Has(imap.AuthCap(mech)) }
	byCommand := !who.wantsToken() && !caps.Has(imap.CapLoginDisabled) &&
		(cfg.Auth == AuthAuto || cfg.Auth == AuthLogin && !offers("LOGIN"))
	if byCommand {
		return c.do(ctx, "login", c.timeout, func() error { return c.client.Login(cfg.User, cfg.Password).Wait() })
	}
	mech, token, err := who.client(ctx, offers)
	if err != nil {
		return fmt.Errorf("imap login: %w", err)
	}
	err = c.do(ctx, "authenticate", c.timeout, func() error { return c.client.Authenticate(mech) })
	who.refusedToken(token, err)
	return err
}

// name gives a folder's name on this server.
func (c *imapConn) name(f Folder) string {
	name := []rune(f)
	for i, r := range name {
		if r == '/' {
			name[i] = c.delim
		}
	}
	return c.prefix + string(name)
}

// create makes a folder and shows it to mail programs. A refusal is no error:
// mostly the folder is there already, and a move will tell if it is not.
func (c *imapConn) create(ctx context.Context, f Folder) error {
	name := c.name(f)
	err := c.do(ctx, "create", c.timeout, func() error { return c.client.Create(name, nil).Wait() })
	if err != nil {
		if refused(err) {
			return nil
		}
		return err
	}
	err = c.do(ctx, "subscribe", c.timeout, func() error { return c.client.Subscribe(name).Wait() })
	if refused(err) {
		return nil
	}
	return err
}

func (c *imapConn) selectBox(ctx context.Context, name string) (uidValidity uint32, err error) {
	err = c.do(ctx, "select", c.timeout, func() error {
		d, err := c.client.Select(name, nil).Wait()
		if err == nil {
			uidValidity = d.UIDValidity
		}
		return err
	})
	return uidValidity, err
}

func (c *imapConn) noop(ctx context.Context) error {
	return c.do(ctx, "noop", c.timeout, func() error { return c.client.Noop().Wait() })
}

// entry is one message in the inbox.
type entry struct {
	uid  imap.UID
	size int64
}

const (
	// maxList bounds what one look takes up, whatever a server claims to have.
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
	if err != nil && !refused(err) {
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

// fetch reads some messages, at most limit bytes of each, without setting
// \Seen. A message that vanished meanwhile is missing from the result.
func (c *imapConn) fetch(ctx context.Context, validity uint32, batch []entry, limit int64) ([]Received, error) {
	var set imap.UIDSet
	var total int64
	for _, e := range batch {
		set.AddNum(e.uid)
		total += min(e.size, limit)
	}
	section := &imap.FetchItemBodySection{Peek: true, Partial: &imap.SectionPartial{Size: limit}}
	opts := &imap.FetchOptions{UID: true, InternalDate: true, RFC822Size: true, BodySection: []*imap.FetchItemBodySection{section}}
	var out []Received
	// 64 KiB a second is the slowest line worth waiting for.
	err := c.do(ctx, "fetch", c.timeout+time.Duration(total>>16)*time.Second, func() error {
		f := c.client.Fetch(set, opts)
		broken := false
		defer func() {
			// After a broken literal the library's reader goes on with the
			// connection; to read what is left, as Close does, would be a race.
			if !broken {
				_ = f.Close()
			}
		}()
		for m := f.Next(); m != nil; m = f.Next() {
			r := Received{UIDValidity: validity}
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
					raw, err := io.ReadAll(io.LimitReader(item.Literal, limit))
					if err == nil && int64(len(raw)) < min(item.Literal.Size(), limit) {
						// The library ends a literal that was cut off like a whole one.
						err = io.ErrUnexpectedEOF
					}
					if err != nil {
						broken = true
						return err
					}
					r.Raw = raw
				}
			}
			// A server may also report a flag change of some message here.
			if r.UID == 0 || r.Raw == nil {
				continue
			}
			r.Truncated = r.Size > int64(len(r.Raw)) && int64(len(r.Raw)) >= limit
			out = append(out, r)
		}
		return f.Close()
	})
	sort.Slice(out, func(i, j int) bool { return out[i].UID < out[j].UID })
	return out, err
}

// moveTo files messages away. Without MOVE they are copied and flagged; they are
// expunged only where that cannot take another's message along.
func (c *imapConn) moveTo(ctx context.Context, uids []imap.UID, f Folder) error {
	return c.moveToBox(ctx, uids, c.name(f))
}

// moveToBox is moveTo a mailbox that is not one of ours.
func (c *imapConn) moveToBox(ctx context.Context, uids []imap.UID, name string) error {
	set := imap.UIDSetNum(uids...)
	limit := c.timeout + time.Duration(len(uids))*100*time.Millisecond
	if c.move {
		return c.do(ctx, "move", limit, func() error { _, err := c.client.Move(set, name).Wait(); return err })
	}
	if err := c.do(ctx, "copy", limit, func() error { _, err := c.client.Copy(set, name).Wait(); return err }); err != nil {
		return err
	}
	err := c.do(ctx, "store", limit, func() error {
		return c.client.Store(set, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close()
	})
	if err != nil || !c.uidplus {
		return err
	}
	return c.do(ctx, "expunge", limit, func() error { return c.client.UIDExpunge(set).Close() })
}

// wait lies in IDLE until news come, the time is over or the link breaks.
func (c *imapConn) wait(ctx context.Context, limit time.Duration) error {
	var idle *imapclient.IdleCommand
	err := c.do(ctx, "idle", c.timeout, func() (err error) { idle, err = c.client.Idle(); return err })
	if err != nil {
		return err
	}
	c.pause(ctx, limit)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return c.do(ctx, "end of idle", c.timeout, func() error {
		if err := idle.Close(); err != nil {
			return err
		}
		return idle.Wait()
	})
}

// pause is wait without IDLE.
func (c *imapConn) pause(ctx context.Context, limit time.Duration) {
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-c.news:
	case <-t.C:
	case <-c.client.Closed():
	case <-ctx.Done():
	}
}
