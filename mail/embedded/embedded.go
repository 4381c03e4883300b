// Package embedded is a mail server within the process: IMAP and SMTP on loopback, with mailboxes on disk. With it
// the daemon needs no mail provider, and tests use a real server.
//
// # Guarantees
//
//   - A message is synced to disk before SMTP answers 250 and before IMAP shows it. Messages, UIDs, flags, mailboxes
//     and UIDVALIDITY survive restarts and crashes.
//   - MOVE is one record on disk, so a message is in exactly one mailbox.
//   - SMTP accepts mail only for the configured accounts and their +detail addresses, with or without a login. It
//     never relays. Clients without a login must connect from loopback.
//   - Slow IMAP clients hold no lock and do not delay deliveries.
//   - Without a certificate there is no encryption, and the server listens on loopback only.
//   - The cost of each command is limited, and Close does not wait for running commands.
//
// Each account has an append-only journal named after its address. A directory belongs to one process at a time.
package embedded

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Account is the owner of mailboxes. Address is also the login name.
type Account struct {
	Address, Password string
}

// Config is the configuration of a Server. Fields with a tag are settings of the program.
type Config struct {
	// Dir is the directory of the journals. It is created if missing.
	Dir string
	// IMAPAddr and SMTPAddr are the addresses to listen on, by default 127.0.0.1:0 (a free port).
	IMAPAddr string    `mapstructure:"imap"`
	SMTPAddr string    `mapstructure:"smtp"`
	Accounts []Account `mapstructure:"accounts"`
	// TLS enables STARTTLS; with ImplicitTLS, clients begin with the TLS handshake.
	TLS         *tls.Config
	ImplicitTLS bool
	// ASCIIOnly refuses internationalized addresses (RFC 6531).
	ASCIIOnly bool
	// Mechanisms are additional SASL mechanisms by name, each with a function that returns its server side. After the
	// exchange the sasl.Server calls login with the authenticated address, or with "" if the authentication failed,
	// and returns the error of login.
	Mechanisms map[string]func(login func(address string) error) sasl.Server
	// IMAPListener and SMTPListener replace the addresses if set. Server closes them.
	IMAPListener, SMTPListener net.Listener
	// MaxMessage is the maximum size of a message in bytes, by default 25 MiB.
	MaxMessage int64
	// Now returns the arrival time of letters, by default time.Now.
	Now func() time.Time
	Log *slog.Logger
}

// Server is a running mail server.
type Server struct {
	cfg      Config
	log      *slog.Logger
	accounts map[string]*account
	lock     io.Closer

	imap    *imapserver.Server
	smtp    *smtp.Server
	imapLn  *listener
	smtpLn  *listener
	serving sync.WaitGroup

	closing   atomic.Bool
	closeOnce sync.Once
	closeErr  error
}

// Start opens the mailboxes and serves until Close. ctx limits only the start.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	cfg.IMAPAddr, cfg.SMTPAddr = cmp.Or(cfg.IMAPAddr, "127.0.0.1:0"), cmp.Or(cfg.SMTPAddr, "127.0.0.1:0")
	cfg.MaxMessage = cmp.Or(cfg.MaxMessage, 25<<20)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Server{cfg: cfg, log: cfg.Log, accounts: map[string]*account{}}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if err := s.openAccounts(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the embedded mail server: %w", err), s.Close())
	}
	s.serve()
	return s, nil
}

func (s *Server) openAccounts(ctx context.Context) error {
	if err := os.MkdirAll(s.cfg.Dir, 0o700); err != nil {
		return err
	}
	lock, err := lockDir(filepath.Join(s.cfg.Dir, "lock"))
	if err != nil {
		return err
	}
	s.lock = lock
	for _, a := range s.cfg.Accounts {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := strings.ToLower(a.Address)
		if s.accounts[name] != nil {
			return fmt.Errorf("account %s is configured twice", name)
		}
		acc, err := openAccount(s.cfg.Dir, name, a.Password)
		if err != nil {
			return err
		}
		s.accounts[name] = acc
	}
	if s.imapLn, err = s.listen(ctx, s.cfg.IMAPListener, s.cfg.IMAPAddr); err != nil {
		return err
	}
	s.smtpLn, err = s.listen(ctx, s.cfg.SMTPListener, s.cfg.SMTPAddr)
	return err
}

// CheckAddress returns an error if other machines can reach an address although the server has no encryption.
// configured is the address in the settings.
func (c Config) CheckAddress(addr net.Addr, configured string) error {
	if c.TLS == nil && !isLoopback(addr) {
		return fmt.Errorf("%s can be reached from other machines, and this server has no encryption: use 127.0.0.1 or ::1", configured)
	}
	return nil
}

func (s *Server) listen(ctx context.Context, inner net.Listener, address string) (*listener, error) {
	if inner == nil {
		ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		if err := s.cfg.CheckAddress(ln.Addr(), address); err != nil {
			return nil, errors.Join(err, ln.Close())
		}
		inner = ln
	}
	return &listener{Listener: inner, started: make(chan struct{}), conns: map[net.Conn]struct{}{}}, nil
}

func (s *Server) serve() {
	// Lost connections of clients are not errors of the server.
	debugLog := slog.NewLogLogger(s.log.Handler(), slog.LevelDebug)
	s.imap = imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &session{server: s}, nil, nil
		},
		Caps: imap.CapSet{
			imap.CapIMAP4rev1: {}, imap.CapIMAP4rev2: {}, imap.CapMove: {}, imap.CapUIDPlus: {},
			imap.CapNamespace: {}, imap.CapESearch: {}, imap.CapSearchRes: {}, imap.CapListExtended: {},
			imap.CapListStatus: {}, imap.CapStatusSize: {}, imap.CapBinary: {},
		},
		Logger:       debugLog,
		TLSConfig:    s.cfg.TLS,
		InsecureAuth: true,
	})
	s.smtp = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &smtpSession{server: s, conn: c}, nil
	}))
	s.smtp.Domain = "localhost"
	s.smtp.MaxMessageBytes = s.cfg.MaxMessage
	// The 101st recipient is answered with 452 (RFC 5321, section 4.5.3.1.10); the client sends to the remaining
	// recipients in another transaction.
	s.smtp.MaxRecipients = 100
	s.smtp.MaxLineLength = maxLineLength
	s.smtp.AllowInsecureAuth = true
	s.smtp.ReadTimeout, s.smtp.WriteTimeout = 10*time.Minute, time.Minute
	s.smtp.EnableSMTPUTF8 = !s.cfg.ASCIIOnly
	s.smtp.ErrorLog = debugLog
	s.smtp.TLSConfig = s.cfg.TLS
	var imapLn, smtpLn net.Listener = s.imapLn, s.smtpLn
	if s.cfg.ImplicitTLS {
		imapLn, smtpLn = tls.NewListener(imapLn, s.cfg.TLS), tls.NewListener(smtpLn, s.cfg.TLS)
	}
	imapLn = clientBugListener{imapLn}
	s.serving.Go(func() { s.logServeError("imap", s.imap.Serve(imapLn)) })
	s.serving.Go(func() { s.logServeError("smtp", s.smtp.Serve(smtpLn)) })
}

func (s *Server) logServeError(service string, err error) {
	if err != nil && !errors.Is(err, net.ErrClosed) {
		s.log.Error("embedded mail server stopped listening", "service", service, "error", err, "hint", "start the daemon again")
	}
}

// IMAPAddr returns the address of the IMAP listener.
func (s *Server) IMAPAddr() string { return s.imapLn.Addr().String() }

// SMTPAddr returns the address of the SMTP listener.
func (s *Server) SMTPAddr() string { return s.smtpLn.Addr().String() }

// Close ends all connections and closes the journals. Acknowledged messages are already on disk.
func (s *Server) Close() error {
	s.closeOnce.Do(func() {
		s.closing.Store(true)
		// Connections are closed first, because the libraries wait for clients that do not read.
		for _, l := range []*listener{s.imapLn, s.smtpLn} {
			if l != nil {
				l.closeAll(s.imap != nil)
			}
		}
		if s.imap != nil {
			// Both return errors because their listeners are closed.
			_, _ = s.smtp.Close(), s.imap.Close()
		}
		s.serving.Wait()
		for _, a := range s.accounts {
			s.closeErr = errors.Join(s.closeErr, a.close())
		}
		if s.lock != nil {
			s.closeErr = errors.Join(s.closeErr, s.lock.Close())
		}
	})
	return s.closeErr
}

func (s *Server) isClosing() bool { return s.closing.Load() }

// findRecipient returns the account of an address with or without +detail, or nil.
func (s *Server) findRecipient(address string) *account {
	address = strings.ToLower(strings.TrimSpace(address))
	if a := s.accounts[address]; a != nil {
		return a
	}
	i := strings.LastIndexByte(address, '@')
	if i < 0 {
		return nil
	}
	local, _, ok := strings.Cut(address[:i], "+")
	if !ok {
		return nil
	}
	return s.accounts[local+address[i:]]
}

// listener keeps a list of its connections: the libraries do not close connections that were accepted during Close.
type listener struct {
	net.Listener
	// started is closed by the first Accept. closeAll waits for it, because closing a library's server while it starts
	// is a data race.
	started    chan struct{}
	acceptOnce sync.Once

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	l.acceptOnce.Do(func() { close(l.started) })
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	l.conns[c] = struct{}{}
	return &conn{Conn: c, listener: l}, nil
}

// closeAll closes the listener and all connections. If wait is set, it waits for the first call of Accept before it
// closes.
func (l *listener) closeAll(wait bool) {
	if wait {
		<-l.started
	}
	_ = l.Listener.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for c := range l.conns {
		_ = c.Close()
	}
}

type conn struct {
	net.Conn
	listener *listener
}

func (c *conn) Close() error {
	c.listener.mu.Lock()
	delete(c.listener.conns, c.Conn)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// clientBugListener replaces go-imap's answer to a command that cannot be parsed, e.g. with deeply nested lists: NO
// [SERVERBUG] becomes BAD [CLIENTBUG], because SERVERBUG is for errors of this server (session.serverError). After
// STARTTLS it cannot replace the encrypted answer.
type clientBugListener struct{ net.Listener }

func (l clientBugListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return clientBugConn{c}, nil
}

type clientBugConn struct{ net.Conn }

// serverBugAnswer matches go-imap's answer to a command that cannot be parsed. go-imap writes this answer in one piece.
var serverBugAnswer = regexp.MustCompile(`^([^ \r\n]+) NO \[SERVERBUG\] Internal server error\r\n$`)

func (c clientBugConn) Write(b []byte) (int, error) {
	m := serverBugAnswer.FindSubmatch(b)
	if m == nil {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(append(m[1], " BAD [CLIENTBUG] The command cannot be read, "+
		"or it is too long or nested too deeply\r\n"...)); err != nil {
		return 0, err
	}
	return len(b), nil
}
