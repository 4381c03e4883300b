package mail

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/internal/test/mailtest"
	"samizdat/mail/embedded"
)

func TestTokenCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	c := TokenCommand("echo x >> " + count + "; wc -l < " + count + " | tr -d ' '").(*tokenCommand)
	now := time.Now()
	c.now = func() time.Time { return now }
	want := func(want string) {
		t.Helper()
		if got, err := c.Token(t.Context()); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	want("1")
	want("1")
	c.MarkRefused("another")
	want("1")
	c.MarkRefused("1")
	want("2")
	now = now.Add(tokenLifetime)
	want("3")
	for line, says := range map[string]string{"echo no luck >&2; exit 3": "no luck", "true": "found no token", "echo two words": "in place of a token"} {
		if _, err := TokenCommand(line).Token(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestTokenFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "token")
	for _, token := range []string{"one", "two"} {
		if err := os.WriteFile(path, []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := TokenFile(path).Token(t.Context()); err != nil || got != token {
			t.Errorf("got %q, %v", got, err)
		}
	}
}

func TestBearerKeepsToItsFields(t *testing.T) {
	t.Parallel()
	if _, _, err := (&bearer{mechanism: xoauth2, user: "a\x01auth=Bearer other", token: "t"}).Start(); err == nil {
		t.Error("a user may write fields of his own")
	}
	_, ir, err := (&bearer{mechanism: "OAUTHBEARER", user: "a,b=c", token: "t"}).Start()
	if want := "n,a=a=2Cb=3Dc,\x01auth=Bearer t\x01\x01"; err != nil || string(ir) != want {
		t.Errorf("got %q, %v", ir, err)
	}
}

// TestWire: no line end that two servers understand in two ways leaves us.
func TestWire(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\r\nb\r\n": "a\r\nb\r\n", "a\nb\n": "a\r\nb\r\n", "a\r.\rMAIL FROM:<x>\r\n": "a\r\n.\r\nMAIL FROM:<x>\r\n", "a\r\r\nb": "a\r\n\r\nb", "": "",
	} {
		if got := normalizeCRLF([]byte(in)); string(got) != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	raw := []byte("Subject: x\r\n\r\ny\r\n")
	if got := normalizeCRLF(raw); &got[0] != &raw[0] || !bytes.Equal(got, raw) {
		t.Error("a good letter was copied")
	}
	for _, to := range []string{"", "a b@x", "a@x\r\nDATA", "a@x>", "<a@x", "a@x\x00", "\ta@x"} {
		if unsendableReason(Outgoing{To: to}) == "" {
			t.Errorf("%q would be sent", to)
		}
	}
	if s := unsendableReason(Outgoing{To: "zoë@exämple", EnvelopeFrom: ""}); s != "" {
		t.Error(s)
	}
}

// loginScene is an inbox and a poller with credentials of its own, on a clock
// that is not real.
type loginScene struct {
	t   *testing.T
	net *mailtest.Pipes
	// before are the connections that were not the poller's.
	before int
	store  *memStore
	log    logBuffer
}

// inSynctest runs a poller against a server; act is called while it runs.
func inSynctest(t *testing.T, server embedded.Config, cfg IMAPConfig, act func(*loginScene)) {
	t.Helper()
	server.Dir = t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		imapEnd, smtpEnd := mailtest.NewPipes(), mailtest.NewPipes()
		server.IMAPListener, server.SMTPListener = imapEnd, smtpEnd
		if server.Accounts == nil {
			server.Accounts = []embedded.Account{{Address: referee, Password: pass}}
		}
		s, err := embedded.Start(t.Context(), server)
		if err != nil {
			t.Fatal(err)
		}
		if err := mailboxOver(imapEnd, referee).Deliver(mail3("a")); err != nil {
			t.Fatal(err)
		}
		scene := &loginScene{t: t, net: imapEnd, before: imapEnd.Dials(), store: newStore()}
		cfg.Address, cfg.TLS, cfg.User, cfg.Dial = "mail.example:993", NoTLS, referee, imapEnd.Dial
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = NewPoller(cfg, scene.store, scene.log.logger()).Run(ctx) })
		act(scene)
		cancel()
		running.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// tries gives the connections that were made in a time.
func (s *loginScene) tries(d time.Duration) int {
	before := s.net.Dials()
	time.Sleep(d)
	synctest.Wait()
	return s.net.Dials() - before
}

func (s *loginScene) handled() bool {
	_, calls := s.store.times("a")
	return calls == 1
}

// TestRefusedLoginWaits: a password that is refused is shown ever more seldom, at
// last once an hour, with one line in the log for each try.
func TestRefusedLoginWaits(t *testing.T) {
	t.Parallel()
	inSynctest(t, embedded.Config{}, IMAPConfig{Login: Login{Password: "wrong"}}, func(s *loginScene) {
		first := s.tries(time.Hour)
		if first < 4 || first > 8 {
			t.Errorf("%d tries in the first hour", first)
		}
		if day := s.tries(24 * time.Hour); day < 20 || day > 30 {
			t.Errorf("%d tries a day", day)
		}
		lines := strings.Count(s.log.String(), "check user and password")
		if tries := s.net.Dials() - s.before; lines != tries || strings.Count(s.log.String(), "\n") != lines {
			t.Errorf("%d tries and %d lines:\n%s", tries, lines, s.log.String())
		}
		if strings.Contains(s.log.String(), "wrong") {
			t.Error("the log shows the password")
		}
	})
}

// TestRefusedLoginMended: a new password or token ends the wait within a minute or
// two, however long that wait has become.
func TestRefusedLoginMended(t *testing.T) {
	t.Parallel()
	byToken := embedded.Config{Mechanisms: mailtest.Tokens(func(_, token string) bool { return token == "good" })}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, tt := range []struct {
		name   string
		server embedded.Config
		cfg    IMAPConfig
		good   string
	}{
		{"password file", embedded.Config{}, IMAPConfig{Login: Login{Password: "old", PasswordFile: file("password file")}}, pass + "\n"},
		{"token file", byToken, IMAPConfig{Login: Login{Tokens: TokenFile(file("token file"))}}, "good\n"},
		{"token source", byToken, IMAPConfig{Login: Login{Tokens: fileTokens(file("token source"))}}, "good\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			put := func(text string) {
				if err := os.WriteFile(file(tt.name), []byte(text), 0o600); err != nil {
					t.Error(err)
				}
			}
			put("bad\n")
			inSynctest(t, tt.server, tt.cfg, func(s *loginScene) {
				if n := s.tries(10 * time.Hour); n > 18 || s.handled() {
					t.Errorf("%d tries in ten hours, handled %v", n, s.handled())
				}
				for s.tries(time.Minute) == 0 {
					// The next try, with what a source still has, is not due for a while.
				}
				put(tt.good)
				if n := s.tries(2 * time.Minute); n != 1 || !s.handled() {
					t.Errorf("%d tries after there was a good one, handled %v", n, s.handled())
				}
			})
		})
	}
}

// TestRefusedLoginAlwaysNew: a source that gives another token each time, none of
// which is any good, is not believed every minute.
func TestRefusedLoginAlwaysNew(t *testing.T) {
	t.Parallel()
	server := embedded.Config{Mechanisms: mailtest.Tokens(func(string, string) bool { return false })}
	inSynctest(t, server, IMAPConfig{Login: Login{Tokens: &countedTokens{}}}, func(s *loginScene) {
		_ = s.tries(time.Hour)
		if n := s.tries(24 * time.Hour); n < 20 || n > 120 {
			t.Errorf("%d tries a day", n)
		}
	})
}

// TestEndedTokenIsReplacedSoon: a token that has ended is no wrong password.
func TestEndedTokenIsReplacedSoon(t *testing.T) {
	t.Parallel()
	server := embedded.Config{Mechanisms: mailtest.Tokens(func(_, token string) bool { return token == "token2" })}
	inSynctest(t, server, IMAPConfig{Login: Login{Tokens: &countedTokens{}}}, func(s *loginScene) {
		_ = s.tries(5 * time.Second)
		// All connections: the first may have been made before anybody counted.
		if n := s.net.Dials() - s.before; n != 2 || !s.handled() {
			t.Errorf("%d tries, handled %v", n, s.handled())
		}
	})
}

// fileTokens reads a file as a token command does: only when a token was refused.
func fileTokens(path string) TokenSource { return &fileSource{path: path} }

type fileSource struct{ path, token string }

func (f *fileSource) Token(ctx context.Context) (string, error) {
	if f.token == "" {
		var err error
		if f.token, err = TokenFile(f.path).Token(ctx); err != nil {
			return "", err
		}
	}
	return f.token, nil
}

func (f *fileSource) MarkRefused(token string) {
	if f.token == token {
		f.token = ""
	}
}

// countedTokens gives a fresh token after each refusal.
type countedTokens struct{ n int }

func (c *countedTokens) Token(context.Context) (string, error) {
	return fmt.Sprint("token", c.n+1), nil
}

func (c *countedTokens) MarkRefused(token string) {
	if token == fmt.Sprint("token", c.n+1) {
		c.n++
	}
}

// TestThrottled: what a server asks for is given to it.
func TestThrottled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, on, answer string
		least, most      int
	}{
		{"Exchange says how long", "SELECT", "BAD Request is throttled. Suggested Backoff Time: 600000 milliseconds", 100, 145},
		{"Exchange at a fetch", "FETCH", "NO Request is throttled. Suggested Backoff Time: 600000 milliseconds", 100, 145},
		{"Gmail at a fetch", "FETCH", "NO [OVERQUOTA] Account exceeded command or bandwidth limits. (Failure)", 80, 130},
		{"Gmail at the login", "LOGIN", "NO [ALERT] Too many simultaneous connections. (Failure)", 80, 130},
		{"Dovecot at the login", "LOGIN", "NO [LIMIT] Maximum number of connections from user+IP exceeded (mail_max_userip_connections=10)", 80, 130},
		{"Yahoo at a move", "MOVE", "NO [LIMIT] UID MOVE Rate limit hit.", 80, 130},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				imapEnd, smtpEnd, front := mailtest.NewPipes(), mailtest.NewPipes(), mailtest.NewPipes()
				s, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPListener: imapEnd, SMTPListener: smtpEnd, Accounts: []embedded.Account{{Address: referee, Password: pass}}})
				if err != nil {
					t.Fatal(err)
				}
				proxy, err := mailtest.StartProxy(t.Context(), mailtest.ProxyConfig{Listener: front, Target: "server", Dial: imapEnd.Dial, Faults: answers(tt.on, tt.answer, 0)})
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{"a", "b", "c"} {
					if err := mailboxOver(imapEnd, referee).Deliver(mail3(name)); err != nil {
						t.Fatal(err)
					}
				}
				store := newStore()
				var log logBuffer
				ctx, cancel := context.WithCancel(t.Context())
				var running sync.WaitGroup
				running.Go(func() {
					_ = NewPoller(IMAPConfig{Login: Login{Address: "mail.example:993", TLS: NoTLS, User: referee, Password: pass}, Dial: front.Dial}, store, log.logger()).Run(ctx)
				})
				time.Sleep(24 * time.Hour)
				synctest.Wait()
				if n := proxy.Fired(); n < tt.least || n > tt.most {
					t.Errorf("it was asked %d times a day", n)
				}
				if !strings.Contains(log.String(), "the server limits requests") {
					t.Errorf("no hint:\n%s", log.String())
				}
				proxy.Set()
				time.Sleep(time.Hour)
				synctest.Wait()
				if got, err := mailboxOver(imapEnd, referee).Folder(string(Done)); len(got) != 3 || err != nil {
					t.Errorf("filed are %d letters, %v", len(got), err)
				}
				cancel()
				running.Wait()
				_ = proxy.Close()
				_ = s.Close()
			})
		})
	}
}

// TestSilentServer: a port on which the client speaks first says nothing to who waits
// for a greeting. One command's time is enough to see that, and the port tells why.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{StartTLS, NoTLS} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				dial := func(context.Context, string, string) (net.Conn, error) {
					here, there := net.Pipe()
					t.Cleanup(func() { _ = there.Close() })
					return here, nil
				}
				var found []Finding
				p := Probe{OnFinding: func(f Finding) { found = append(found, f) },
					IMAP: IMAPConfig{Login: Login{Address: "mail.example:993", TLS: mode, User: referee, Password: pass}, Dial: dial},
					SMTP: SMTPConfig{Login: Login{Address: "mail.example:465", TLS: mode, User: referee, Password: pass}, Dial: dial}}
				startTime := time.Now()
				p.Run(t.Context())
				if duration := time.Since(startTime); duration > 2*30*time.Second {
					t.Errorf("it took %v", duration)
				}
				for i, key := range []string{"imap", "smtp"} {
					if len(found) != 3 || found[i].Level != LevelError || found[i].Advice != "set "+key+": tls to tls for this port" {
						t.Fatalf("found: %+v", found)
					}
				}
				_, err := dialSMTP(t.Context(), p.SMTP.WithDefaults())
				if err == nil || !strings.Contains(Hint(err), "set tls to tls for this port") {
					t.Errorf("the hint for %v is %q", err, Hint(err))
				}
				p.SMTP.Address = "mail.example:587"
				_, err = dialSMTP(t.Context(), p.SMTP.WithDefaults())
				if err == nil || Hint(err) != "" || !strings.Contains(connectAdvice(err, "smtp"), "did not answer in time") {
					t.Errorf("at another port: %v, %q", err, connectAdvice(err, "smtp"))
				}
			})
		})
	}
}
