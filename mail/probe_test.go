package mail

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"

	"samizdat/internal/test/mailtest"
	"samizdat/mail/embedded"
)

// probeScene is a Probe before an embedded server, with what it found.
type probeScene struct {
	*Probe
	server *embedded.Server
	text   strings.Builder
}

const (
	probed        = "referee@samizdat.local"
	probePassword = "a password that nobody may see"
)

// fixedBytes make the word of a letter known beforehand.
var fixedBytes = bytes.Repeat([]byte{7}, 15)

func newProbeScene(t *testing.T, change func(*embedded.Config)) *probeScene {
	t.Helper()
	cfg := embedded.Config{Dir: t.TempDir(), Accounts: []embedded.Account{{Address: probed, Password: probePassword}}}
	if change != nil {
		change(&cfg)
	}
	server, err := embedded.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &probeScene{server: server}
	s.Probe = &Probe{
		IMAP:    IMAPConfig{Login: Login{Address: server.IMAPAddr(), TLS: NoTLS, User: probed, Password: probePassword}},
		SMTP:    SMTPConfig{Login: Login{Address: server.SMTPAddr(), TLS: NoTLS, User: probed, Password: probePassword}},
		Address: probed, Name: "Samizdat", Wait: 20 * time.Second, interval: 20 * time.Millisecond,
		OnFinding: func(f Finding) { fmt.Fprintf(&s.text, "%s %s (%s)\n", f.Level, f.Text, f.Advice) },
	}
	return s
}

// run looks at everything and checks what was told.
func (s *probeScene) run(t *testing.T, bad int, says ...string) {
	t.Helper()
	s.Run(t.Context())
	got := s.text.String()
	if n := strings.Count("\n"+got, "\nbad "); n != bad {
		t.Errorf("%d things are bad, want %d", n, bad)
	}
	for _, want := range says {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not said", want)
		}
	}
	if strings.Contains(got, probePassword) {
		t.Error("the password is shown")
	}
	if t.Failed() {
		t.Log("\n" + got)
	}
}

func TestProbeAllWell(t *testing.T) {
	t.Parallel()
	s := newProbeScene(t, nil)
	s.run(t, 0, "ok IMAP login", "ok SMTP login", "IDLE, MOVE, UIDPLUS", "accepts letters of at most", "came back after", "ok clock", "ok plus addressing", "moved to Samizdat/Ignored")
	for folder, want := range map[string]uint32{"INBOX": 0, "Samizdat/Ignored": 1} {
		if n := lieIn(t, s.IMAP, folder); n != want {
			t.Errorf("%d letters lie in %s, want %d", n, folder, want)
		}
	}
}

func TestProbeTokensInSubjects(t *testing.T) {
	t.Parallel()
	s := newProbeScene(t, nil)
	s.TokensInSubject = true
	s.run(t, 0, "note plus addressing was not checked", "a letter to "+probed+" came back")
}

func TestProbeWithoutLetter(t *testing.T) {
	t.Parallel()
	s := newProbeScene(t, nil)
	s.Wait = 0
	s.run(t, 0, "note no letter was sent")
}

// TestProbeNoPlus: the letter behind the plus goes to somebody else, or is not
// taken; the letter without it comes.
func TestProbeNoPlus(t *testing.T) {
	t.Parallel()
	word := "doctor-" + strings.ToLower(base32.StdEncoding.EncodeToString(fixedBytes))
	t.Run("lost", func(t *testing.T) {
		t.Parallel()
		s := newProbeScene(t, func(c *embedded.Config) {
			c.Accounts = append(c.Accounts, embedded.Account{Address: "referee+" + word + "@samizdat.local", Password: "x"})
		})
		s.Wait = time.Second
		s.random = bytes.NewReader(append(fixedBytes[:15:15], "another letter's"...))
		s.run(t, 1, "bad plus addressing: a letter to referee+"+word+"@samizdat.local did not arrive", "identity: token: subject", "a letter to "+probed+" came back")
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		s := newProbeScene(t, nil)
		s.SMTP.Address = behindProxy(t, s.server.SMTPAddr(), true, mailtest.Fault{On: "RCPT", With: "+doctor", Do: mailtest.Answer, Text: "550 5.1.1 no such user\r\n"})
		s.run(t, 1, "bad plus addressing", "was refused", "no such user", "identity: token: subject")
	})
}

// TestProbeNothingComes: neither letter arrives.
func TestProbeNothingComes(t *testing.T) {
	t.Parallel()
	s := newProbeScene(t, func(c *embedded.Config) {
		c.Accounts = append(c.Accounts, embedded.Account{Address: "other@samizdat.local", Password: "x"})
	})
	s.Address, s.Wait = "other@samizdat.local", 300*time.Millisecond
	s.run(t, 1, "no letter arrived in the inbox within", "--wait")
	s.text.Reset()
	s.Address = "nobody@samizdat.local"
	s.run(t, 1, "a letter to nobody@samizdat.local was refused")
}

// TestProbeServed: a daemon reads the same inbox, or should.
func TestProbeServed(t *testing.T) {
	t.Parallel()
	s := newProbeScene(t, nil)
	s.HasDaemon, s.Wait = true, 300*time.Millisecond
	s.run(t, 1, "the running daemon left the letter in the inbox", "ok plus addressing")
	s.text.Reset()
	s.Wait = 20 * time.Second
	run(t, NewPoller(s.IMAP, HandlerFunc(func(context.Context, Received) (Folder, error) { return Refused, nil }), logTo(t)))
	s.run(t, 0, "already moved to Samizdat/Refused", "ok plus addressing")
}

// TestProbeTrouble: what stands in the way is told with what to do about it.
func TestProbeTrouble(t *testing.T) {
	t.Parallel()
	const dead = "127.0.0.1:1" // Nobody listens there, and nobody begins to while the test runs.
	for _, tt := range []struct {
		name   string
		change func(*probeScene)
		bad    int
		says   []string
	}{
		{"wrong passwords", func(s *probeScene) { s.IMAP.Password, s.SMTP.Password = "wrong", "wrong" }, 2,
			[]string{"bad IMAP login", "bad SMTP login", "check user and password", "note no letter was sent"}},
		{"nobody listens", func(s *probeScene) { s.IMAP.Address, s.SMTP.Address = dead, dead }, 2,
			[]string{"bad IMAP: connecting", "check the port in imap: address", "check the port in smtp: address"}},
		{"no such host", func(s *probeScene) { s.IMAP.Address = "no-such-host.invalid:993" }, 1, []string{"check the name in imap: address"}},
		{"no such folder", func(s *probeScene) { s.IMAP.Mailbox = "Elsewhere" }, 1, []string{"the inbox Elsewhere cannot be opened"}},
		{"no TLS there", func(s *probeScene) { s.IMAP.TLS, s.SMTP.TLS = TLS, TLS }, 2, []string{"does not speak TLS on this port"}},
		{"no STARTTLS there", func(s *probeScene) { s.IMAP.TLS, s.SMTP.TLS = StartTLS, StartTLS }, 2, []string{"offers no STARTTLS"}},
		{"no answer", func(s *probeScene) {
			s.IMAP.CommandTimeout = 50 * time.Millisecond
			s.IMAP.Address = behindProxy(t, s.server.IMAPAddr(), false, mailtest.Fault{On: mailtest.AtConnect, Do: mailtest.Stall})
		}, 1, []string{"did not answer in time"}},
		{"a server that repeats the password", func(s *probeScene) {
			s.IMAP.Address = behindProxy(t, s.server.IMAPAddr(), false, mailtest.Fault{On: "LOGIN", Do: mailtest.Answer, Text: "NO you said " + probePassword})
		}, 1, []string{"***"}},
		{"small letters only", func(s *probeScene) {
			s.SMTP.Address = behindProxy(t, s.server.SMTPAddr(), true, mailtest.Fault{On: "EHLO", Do: mailtest.Rewrite, Old: fmt.Sprint("SIZE ", 25<<20), Text: "SIZE 100000"})
		}, 1, []string{"accepts letters of at most 97 kB"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newProbeScene(t, nil)
			tt.change(s)
			s.run(t, tt.bad, tt.says...)
		})
	}
}

// TestProbeCertificate: a certificate that nobody vouches for is refused.
func TestProbeCertificate(t *testing.T) {
	t.Parallel()
	cert, ca, err := mailtest.NewCertificate(time.Now().Add(time.Hour), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	s := newProbeScene(t, func(c *embedded.Config) {
		c.TLS, c.ImplicitTLS = &tls.Config{Certificates: []tls.Certificate{cert}}, true
	})
	s.IMAP.TLS, s.SMTP.TLS = TLS, TLS
	s.run(t, 2, "set ca_file")
	s.text.Reset()
	s.IMAP.CAFile = filepath.Join(t.TempDir(), "ca.pem")
	s.SMTP.CAFile = s.IMAP.CAFile
	if err := os.WriteFile(s.IMAP.CAFile, ca, 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(t, 0, "encrypted with TLS", "came back after")
}

// TestProbeToken: a token that is refused is not shown.
func TestProbeToken(t *testing.T) {
	t.Parallel()
	s := newProbeScene(t, func(c *embedded.Config) {
		c.Mechanisms = mailtest.Tokens(func(_, token string) bool { return token == "good" })
	})
	s.IMAP.Password, s.SMTP.Password = "", ""
	s.IMAP.Tokens, s.SMTP.Tokens = TokenCommand("echo the-ended-token"), TokenCommand("echo good")
	s.run(t, 1, "bad IMAP login", "or the token", "ok SMTP login")
	if strings.Contains(s.text.String(), "the-ended-token") {
		t.Error("the token is shown")
	}
}

func TestProbeClock(t *testing.T) {
	t.Parallel()
	s := newProbeScene(t, nil)
	s.now = func() time.Time { return time.Now().Add(-290 * time.Second) }
	s.run(t, 1, "bad clock", "differs by 4m", "timedatectl", "ok plus addressing")
}

// behindProxy gives the address of a proxy before a server that makes trouble.
func behindProxy(t *testing.T, address string, smtp bool, faults ...mailtest.Fault) string {
	t.Helper()
	p, err := mailtest.StartProxy(t.Context(), mailtest.ProxyConfig{Target: address, SMTP: smtp})
	if err != nil {
		t.Fatal(err)
	}
	p.Set(faults...)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p.Addr()
}

// lieIn counts the letters in a folder.
func lieIn(t *testing.T, cfg IMAPConfig, folder string) uint32 {
	t.Helper()
	cfg = cfg.WithDefaults()
	c, err := dialIMAP(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := c.login(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	_, n, err := c.openFolder(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestProbeFresh: a new database is told of letters that would be filed away, and one that
// knows its mailbox is not.
func TestProbeFresh(t *testing.T) {
	t.Parallel()
	for fresh, bad := range map[bool]int{true: 1, false: 0} {
		s := newProbeScene(t, nil)
		s.Wait, s.IsNewDatabase = 0, fresh
		box := mailtest.Mailbox{Server: s.server.IMAPAddr(), User: probed, Password: probePassword}
		if err := box.Deliver([]byte("Subject: Your birthday\r\n\r\nDear!\r\n")); err != nil {
			t.Fatal(err)
		}
		says := []string{"letters in it: 1"}
		if fresh {
			says = append(says, "bad IMAP: letters in INBOX that came before Samizdat: 1", "(give the referee a mailbox of its own")
		}
		s.run(t, bad, says...)
	}
}

// quotaServer stands before an IMAP server and speaks of a quota in its place. The first time that it is
// asked, it breaks off.
func quotaServer(t *testing.T, target string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	asked := 0
	serve := func(client, server net.Conn) {
		defer func() { _ = client.Close(); _ = server.Close() }()
		var write sync.Mutex
		wg.Go(func() {
			buf := make([]byte, 64<<10)
			for {
				n, err := server.Read(buf)
				b := bytes.ReplaceAll(buf[:n], []byte(" IDLE"), []byte(" QUOTA"))
				write.Lock()
				_, werr := client.Write(b)
				write.Unlock()
				if err != nil || werr != nil {
					_ = client.Close()
					return
				}
			}
		})
		lines := bufio.NewReader(client)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			var tag, command string
			if _, err := fmt.Sscan(line, &tag, &command); err == nil && command == "GETQUOTAROOT" {
				if asked++; asked == 1 {
					return
				}
				write.Lock()
				_, err := fmt.Fprintf(client, "* QUOTAROOT INBOX \"\"\r\n* QUOTA \"\" (STORAGE 99 100)\r\n%s OK done\r\n", tag)
				write.Unlock()
				if err != nil {
					return
				}
				continue
			}
			if _, err := io.WriteString(server, line); err != nil {
				return
			}
		}
	}
	wg.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target)
			if err != nil {
				_ = client.Close()
				continue
			}
			serve(client, server) // The poller has one connection at a time.
		}
	})
	t.Cleanup(func() { _ = listener.Close(); wg.Wait() })
	return listener.Addr().String()
}

// TestQuotaAfterLostConnection: a connection that is lost while the quota is asked for leaves the inbox
// readable, and the quota is asked for again.
func TestQuotaAfterLostConnection(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	cfg := configFor(s)
	cfg.Address = quotaServer(t, s.IMAPAddr())
	cfg.PollInterval, cfg.IdleRestart = 50*time.Millisecond, 100*time.Millisecond
	p := NewPoller(cfg, HandlerFunc(func(context.Context, Received) (Folder, error) { return Done, nil }), logTo(t))
	run(t, p)
	until(t, "the quota", func() bool { return p.Status().QuotaPercent == 99 })
}

// TestConnectAdvice: what to do fits what went wrong.
func TestConnectAdvice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"the server hung up", fmt.Errorf("imap login: %w", io.ErrUnexpectedEOF), "check its log"},
		{"no STARTTLS in IMAP", fmt.Errorf(imapErrorPrefix+": %w", &imap.Error{Type: imap.StatusResponseTypeBad, Text: "TLS support isn't enabled"}), "no STARTTLS on this port"},
		{"no STARTTLS in SMTP", errors.New("smtp: server doesn't support STARTTLS"), "no STARTTLS on this port"},
		{"not now", fmt.Errorf("logging in: %w", &smtp.SMTPError{Code: 454, Message: "Temporary authentication failure"}), "try again in some minutes"},
		{"wrong password", fmt.Errorf("logging in: %w", &smtp.SMTPError{Code: 535, Message: "invalid token"}), "refuses the login"},
		{"no token", noTokenError{errors.New("there is no token")}, "token command or file"},
		{"no certificates", fmt.Errorf(certificateErrorPrefix+": %w", errors.New("x holds none")), "ca_file"},
		{"something else", errors.New("a fault"), "check smtp: address and tls"},
	} {
		if got := connectAdvice(tt.err, "smtp"); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q in it", tt.name, got, tt.want)
		}
	}
}

// TestFullness: a mailbox that takes no more letters is bad, one that will not for
// long is worth a remark.
func TestFullness(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what         imap.QuotaResourceType
		usage, limit int64
		level        Level
		says         string
	}{
		{imap.QuotaResourceStorage, 100 << 10, 1000 << 10, LevelOK, "to 10 percent, 100 of 1000 MB"},
		{imap.QuotaResourceStorage, 850 << 10, 1000 << 10, LevelInfo, "to 85 percent"},
		{imap.QuotaResourceStorage, 2, 2, LevelError, "percent"},
		{imap.QuotaResourceMessage, 99, 100, LevelError, "99 of 100 letters"},
	} {
		var got []Finding
		p := Probe{OnFinding: func(f Finding) { got = append(got, f) }, secrets: &secrets{}}
		p.reportFullness(tt.what, tt.usage, tt.limit)
		if len(got) != 1 || got[0].Level != tt.level || !strings.Contains(got[0].Text, tt.says) || (got[0].Advice == "") != (tt.level == LevelOK) {
			t.Errorf("%d of %d: %+v", tt.usage, tt.limit, got)
		}
	}
}
