package mail

import (
	"context"
	"fmt"
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
	// woken says that the last wait ended with news.
	woken bool
	// prefix and delim place our folders in the server's hierarchy; guessed
	// says that the server did not tell the prefix.
	prefix  string
	delim   rune
	guessed bool

	idle, move, uidplus, esearch, quota bool
	// uidLast says that the server names a letter behind its content.
	uidLast bool
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

// connectingIMAP stands in the error when there is no connection yet.
const connectingIMAP = "connecting to the IMAP server"

func dialIMAP(ctx context.Context, cfg IMAPConfig) (*imapConn, error) {
	tc, err := tlsConfig(cfg.Address, cfg.CAFile)
	if err != nil {
		return nil, err
	}
	conn, err := connect(ctx, cfg.Dial, cfg.Address, cfg.CommandTimeout)
	if err != nil {
		return nil, fmt.Errorf(connectingIMAP+": %w", err)
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
	if cfg.TLS != StartTLS {
		tc.NextProtos = []string{"imap"}
	}
	protected, err := cfg.protect(ctx, conn, tc, cfg.CommandTimeout)
	switch {
	case err != nil:
	case cfg.TLS == StartTLS:
		c.client, err = imapclient.NewStartTLS(protected, opts)
	default:
		c.client = imapclient.New(protected, opts)
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf(connectingIMAP+": %w", orDeadline(ctx, err))
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
	// The library may still have those of before the login, which are fewer.
	err := c.do(ctx, "capability", c.timeout, func() (err error) { caps, err = c.client.Capability().Wait(); return err })
	if err != nil {
		return err
	}
	c.idle, c.move, c.uidplus = caps.Has(imap.CapIdle), caps.Has(imap.CapMove), caps.Has(imap.CapUIDPlus)
	c.esearch, c.quota = caps.Has(imap.CapESearch), caps.Has(imap.CapQuota)
	if caps.Has(imap.CapIMAP4rev2) && !ascii(cfg.Mailbox) {
		// The library writes such a name as the newer protocol wants it, which has
		// to be agreed upon.
		err := c.do(ctx, "enable", c.timeout, func() error { _, err := c.client.Enable(imap.CapIMAP4rev2).Wait(); return err })
		if err := unlessRefused(err); err != nil {
			return err
		}
	}
	return c.place(ctx, caps.Has(imap.CapNamespace))
}

// authenticate logs in. The LOGIN command is what every server has for a
// password, unless it says that it has not.
func (c *imapConn) authenticate(ctx context.Context, cfg IMAPConfig, caps imap.CapSet) error {
	who := cfg.credentials()
	offers := func(mech string) bool { return caps.Has(imap.AuthCap(mech)) }
	byCommand := !who.wantsToken() && !caps.Has(imap.CapLoginDisabled) &&
		(cfg.Auth == AuthAuto || cfg.Auth == AuthLogin && !offers("LOGIN"))
	if byCommand {
		return who.tried("", c.do(ctx, "login", c.timeout, func() error { return c.client.Login(who.user, who.password).Wait() }))
	}
	mech, token, err := who.client(ctx, offers)
	if err != nil {
		return fmt.Errorf("imap login: %w", err)
	}
	return who.tried(token, c.do(ctx, "authenticate", c.timeout, func() error { return c.client.Authenticate(mech) }))
}
