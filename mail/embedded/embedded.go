// Package embedded is a mail server in one process: IMAP and SMTP on loopback
// sockets, with mailboxes on disk. It lets the daemon run without a mail
// provider, and the tests talk to a real server.
//
// # What it promises
//
//   - A message is on disk, synced, before SMTP says 250 and before anybody can
//     see it over IMAP. A restart, also after a crash, keeps messages, UIDs,
//     flags, folders and UIDVALIDITY.
//   - MOVE is one record on disk: a message is in one folder or in the other.
//   - SMTP takes mail for the configured accounts only, whether logged in or not,
//     and for their +detail addresses. It never relays. Without a login it talks
//     to loopback peers only.
//   - A slow IMAP reader holds no lock: delivery never waits for it.
//   - Without a certificate there is no encryption, and it listens at loopback
//     addresses only.
//   - What a command costs is bounded, and Close does not wait for one that runs.
//
// Each account has one append-only journal, named after its address. One
// directory belongs to one process at a time.
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

// Account is one mailbox owner. The Address is also the login name.
type Account struct {
	Address, Password string
}

// Config says what to serve. Fields with a tag are settings of the program.
type Config struct {
	// Dir holds the journals. It is created when missing.
	Dir string
	// IMAPAddr and SMTPAddr are where to listen; port 0 takes a free one. The
	// default is 127.0.0.1:0.
	IMAPAddr string    `mapstructure:"imap"`
	SMTPAddr string    `mapstructure:"smtp"`
	Accounts []Account `mapstructure:"accounts"`
	// TLS, when it is set, lets clients say STARTTLS; with Implicit they begin
	// with the handshake.
	TLS      *tls.Config
	Implicit bool
	// ASCIIOnly takes no addresses with other letters than those of ASCII.
	ASCIIOnly bool
	// Mechanisms are ways to log in beside those by password. Each makes the server's side of one login. It
	// calls enter with the address that was proved, or with none, and gives the client the error that it returns.
	Mechanisms map[string]func(enter func(address string) error) sasl.Server
	// IMAPListener and SMTPListener are used instead of the addresses when they
	// are set; the Server closes them.
	IMAPListener, SMTPListener net.Listener
	// MaxMessage is the largest message taken; the default is 25 MiB.
	MaxMessage int64
	// Now tells the time at which letters arrive; the default is the clock of the system.
	Now func() time.Time
	// Log may be nil.
	Log *slog.Logger
}

// Server is a running mail server.
type Server struct {
	cfg      Config
	log      *slog.Logger
	accounts map[string]*account
	lock     io.Closer

	imap   *imapserver.Server
	smtp   *smtp.Server
	imapLn *listener
	smtpLn *listener
	done   sync.WaitGroup

	stopped atomic.Bool
	once    sync.Once
	err     error
}

// Start opens the mailboxes and serves until Close. ctx bounds the start only.
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
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the embedded mail server: %w", err), s.Close())
	}
	s.serve()
	return s, nil
}

func (s *Server) open(ctx context.Context) error {
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
			return fmt.Errorf("account %s is named twice", name)
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

// Allows reports why the server must not listen at an address, as it was written: without
// encryption other machines may not reach it.
func (c Config) Allows(at net.Addr, written string) error {
	if c.TLS == nil && !isLoopback(at) {
		return fmt.Errorf("%s can be reached from other machines, and this server has no encryption: use 127.0.0.1 or ::1", written)
	}
	return nil
}

func (s *Server) listen(ctx context.Context, given net.Listener, address string) (*listener, error) {
	if given == nil {
		ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		if err := s.cfg.Allows(ln.Addr(), address); err != nil {
			return nil, errors.Join(err, ln.Close())
		}
		given = ln
	}
	return &listener{Listener: given, begun: make(chan struct{}), conns: map[net.Conn]struct{}{}}, nil
}

func (s *Server) serve() {
	// A client that hangs up is no complaint of ours, so they are kept low.
	complaints := slog.NewLogLogger(s.log.Handler(), slog.LevelDebug)
	s.imap = imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &session{server: s}, nil, nil
		},
		Caps: imap.CapSet{
			imap.CapIMAP4rev1: {}, imap.CapIMAP4rev2: {}, imap.CapMove: {}, imap.CapUIDPlus: {},
			imap.CapNamespace: {}, imap.CapESearch: {}, imap.CapSearchRes: {}, imap.CapListExtended: {},
			imap.CapListStatus: {}, imap.CapStatusSize: {}, imap.CapBinary: {},
		},
		Logger:       complaints,
		TLSConfig:    s.cfg.TLS,
		InsecureAuth: true,
	})
	s.smtp = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &smtpSession{server: s, conn: c}, nil
	}))
	s.smtp.Domain = "localhost"
	s.smtp.MaxMessageBytes = s.cfg.MaxMessage
	// One more is answered with 452, as RFC 5321 section 4.5.3.1.10 has it: the first have
	// been taken, and the sender comes with the others in a transaction of their own.
	s.smtp.MaxRecipients = 100
	s.smtp.MaxLineLength = longestLine
	s.smtp.AllowInsecureAuth = true
	s.smtp.ReadTimeout, s.smtp.WriteTimeout = 10*time.Minute, time.Minute
	s.smtp.EnableSMTPUTF8 = !s.cfg.ASCIIOnly
	s.smtp.ErrorLog = complaints
	s.smtp.TLSConfig = s.cfg.TLS
	var imapLn, smtpLn net.Listener = s.imapLn, s.smtpLn
	if s.cfg.Implicit {
		imapLn, smtpLn = tls.NewListener(imapLn, s.cfg.TLS), tls.NewListener(smtpLn, s.cfg.TLS)
	}
	imapLn = blaming{imapLn}
	s.done.Go(func() { s.ended("imap", s.imap.Serve(imapLn)) })
	s.done.Go(func() { s.ended("smtp", s.smtp.Serve(smtpLn)) })
}

func (s *Server) ended(what string, err error) {
	if err != nil && !errors.Is(err, net.ErrClosed) {
		s.log.Error("embedded mail server stopped listening", "service", what, "error", err, "hint", "start the daemon again")
	}
}

// IMAPAddr is the address IMAP listens on.
func (s *Server) IMAPAddr() string { return s.imapLn.Addr().String() }

// SMTPAddr is the address SMTP listens on.
func (s *Server) SMTPAddr() string { return s.smtpLn.Addr().String() }

// Close ends all connections and closes the mailboxes. What was acknowledged
// is on disk already.
func (s *Server) Close() error {
	s.once.Do(func() {
		s.stopped.Store(true)
		// The connections first: the libraries would wait for peers that do not read.
		for _, l := range []*listener{s.imapLn, s.smtpLn} {
			if l != nil {
				l.shut(s.imap != nil)
			}
		}
		if s.imap != nil {
			// They find that their listeners are closed already.
			_, _ = s.smtp.Close(), s.imap.Close()
		}
		s.done.Wait()
		for _, a := range s.accounts {
			s.err = errors.Join(s.err, a.close())
		}
		if s.lock != nil {
			s.err = errors.Join(s.err, s.lock.Close())
		}
	})
	return s.err
}

// closing reports whether the server is being closed: commands that run give up.
func (s *Server) closing() bool { return s.stopped.Load() }

// lookup finds the account of an address: its own, or that of the address
// without +detail.
func (s *Server) lookup(address string) *account {
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

// listener remembers its connections. The libraries close what they know of,
// which may miss a connection that was accepted in the same moment.
type listener struct {
	net.Listener
	// begun is closed when somebody listens: to close a library's server while it
	// begins would be a race.
	begun chan struct{}
	once  sync.Once

	mu    sync.Mutex
	shutd bool
	conns map[net.Conn]struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	l.once.Do(func() { close(l.begun) })
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shutd {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	l.conns[c] = struct{}{}
	return &conn{Conn: c, from: l}, nil
}

// shut closes the listener, when somebody listens if that is to be waited for, and all
// connections.
func (l *listener) shut(wait bool) {
	if wait {
		<-l.begun
	}
	_ = l.Listener.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shutd = true
	for c := range l.conns {
		_ = c.Close()
	}
}

type conn struct {
	net.Conn
	from *listener
}

func (c *conn) Close() error {
	c.from.mu.Lock()
	delete(c.from.conns, c.Conn)
	c.from.mu.Unlock()
	return c.Conn.Close()
}

// blaming is a listener whose connections say of a command that cannot be read that it is the
// client's fault. The library answers much of that, such as lists in lists in lists, as a bug
// of the server. What does go wrong here has an answer of its own (session.fail).
//
// A client that has said STARTTLS is beyond it, and is answered as the library does.
type blaming struct{ net.Listener }

func (l blaming) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return blamingConn{c}, nil
}

type blamingConn struct{ net.Conn }

// unread is the library's answer to what it could not read. It writes each answer by itself.
var unread = regexp.MustCompile(`^([^ \r\n]+) NO \[SERVERBUG\] Internal server error\r\n$`)

func (c blamingConn) Write(b []byte) (int, error) {
	m := unread.FindSubmatch(b)
	if m == nil {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(append(m[1], " BAD [CLIENTBUG] The command cannot be read, "+
		"or it is too long or nested too deeply\r\n"...)); err != nil {
		return 0, err
	}
	return len(b), nil
}
