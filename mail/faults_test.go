package mail

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"samizdat/internal/test/mailtest"
	"samizdat/mail/embedded"
	"samizdat/mail/message"
)

// These tables run the real poller and the real sender, over real sockets,
// against a server behind a proxy that makes trouble.

// shop is how many scenarios run at once: mostly they wait.
const shop = 48

// scenarios runs the cases of a table and reports each as a test.
func scenarios(t *testing.T, n int, name func(int) string, run func(testing.TB, int)) {
	t.Helper()
	startTime := time.Now()
	seats := make(chan struct{}, shop)
	var all sync.WaitGroup
	tests := make([]*scenario, n)
	for i := range n {
		tests[i] = &scenario{TB: t, name: name(i), dir: filepath.Join(t.TempDir(), fmt.Sprint(i))}
		all.Go(func() {
			seats <- struct{}{}
			defer func() { <-seats }()
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer tests[i].end()
				run(tests[i], i)
			}()
			<-done
		})
	}
	all.Wait()
	for _, s := range tests {
		t.Run(s.name, func(t *testing.T) {
			if s.failed != "" {
				t.Errorf("%s\n%s", s.failed, s.log.String())
			}
		})
	}
	t.Logf("%d faults in %v", n, time.Since(startTime).Round(time.Millisecond))
}

// scenario is a test of its own that does not count as one of the two that go
// test runs at once.
type scenario struct {
	testing.TB
	name, dir string
	cleanups  []func()
	failed    string
	log       logBuffer
}

func (s *scenario) Helper()          {}
func (s *scenario) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }
func (s *scenario) Failed() bool     { return s.failed != "" }
func (s *scenario) TempDir() string  { _ = os.MkdirAll(s.dir, 0o700); return s.dir }
func (s *scenario) Errorf(format string, a ...any) {
	s.failed += fmt.Sprintf(format, a...) + "\n"
}
func (s *scenario) Error(a ...any) { s.failed += fmt.Sprintln(a...) }
func (s *scenario) Fatal(a ...any) { s.Error(a...); panic(errEnd) }
func (s *scenario) Fatalf(format string, a ...any) {
	s.Errorf(format, a...)
	panic(errEnd)
}

var errEnd = fmt.Errorf("end of the scenario")

func (s *scenario) end() {
	if v := recover(); v != nil && v != errEnd {
		s.Errorf("panic: %v", v)
	}
	for i := len(s.cleanups) - 1; i >= 0; i-- {
		s.cleanups[i]()
	}
}

// logBuffer keeps a log for looking into.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logBuffer) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// timeFor looks every few milliseconds for something that becomes true.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	untilEvery(t, 5*time.Millisecond, what, is)
}

// untilEvery is until for what costs something to look at.
func untilEvery(t testing.TB, pause time.Duration, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(pause)
	defer tick.Stop()
	late := time.After(time.Minute)
	for !is() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// memStore takes up letters as the database does: what it knows changes nothing.
type memStore struct {
	mu      sync.Mutex
	commits map[[32]byte]string
	calls   map[string]int
	// before may refuse a letter, by its subject and the number of the call.
	before func(subject string, n int) error
}

func newStore() *memStore { return &memStore{commits: map[[32]byte]string{}, calls: map[string]int{}} }

func (s *memStore) Handle(_ context.Context, r Received) (Folder, error) {
	name := subject(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[name]++
	if s.before != nil {
		if err := s.before(name, s.calls[name]); err != nil {
			return "", err
		}
	}
	s.commits[sha256.Sum256(r.Raw)] = name
	return Done, nil
}

// times tells how often letters with a subject were committed and handled.
func (s *memStore) times(subject string) (commits, calls int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.commits {
		if name == subject {
			commits++
		}
	}
	return commits, s.calls[subject]
}

// subjects gives the subjects of the letters in a folder.
func subjects(t testing.TB, m mailtest.Mailbox, folder string) []string {
	t.Helper()
	raws, err := m.Folder(folder)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, raw := range raws {
		out = append(out, message.Read(raw).Subject)
	}
	return out
}

// certs has the certificates of the tables, made once.
type certs struct {
	good, other, ended   tls.Certificate
	ca, otherCA, endedCA string
}

var makeCerts = sync.OnceValues(func() (*certs, error) {
	dir, err := os.MkdirTemp("", "certs")
	if err != nil {
		return nil, err
	}
	c := &certs{}
	for _, m := range []struct {
		cert *tls.Certificate
		file *string
		till time.Time
		host string
	}{
		{&c.good, &c.ca, time.Now().AddDate(0, 1, 0), "127.0.0.1"},
		{&c.other, &c.otherCA, time.Now().AddDate(0, 1, 0), "mail.example"},
		{&c.ended, &c.endedCA, time.Now().AddDate(0, -1, 0), "127.0.0.1"},
	} {
		cert, ca, err := mailtest.NewCertificate(m.till, m.host)
		if err != nil {
			return nil, err
		}
		*m.cert, *m.file = cert, filepath.Join(dir, m.host+m.till.Format("2006")+fmt.Sprint(m.till.Month())+".pem")
		if err := os.WriteFile(*m.file, ca, 0o600); err != nil {
			return nil, err
		}
	}
	return c, nil
})

func (c *certs) config(cert tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}}
}

// mail3 is a letter, padded so that a half of it is something.
func mail3(subject string) []byte {
	return []byte("From: ann@demo\r\nTo: judge@demo\r\nSubject: " + subject + "\r\nMessage-ID: <" + subject + "@demo>\r\n\r\n" +
		strings.Repeat("PLACE one marker, and wait for what comes.\r\n", 10))
}

// answerTimeout is how long a scenario waits for an answer: not long where none
// comes, and else so long that a busy machine is no fault.
func answerTimeout(faults []mailtest.Fault) time.Duration {
	for _, f := range faults {
		if f.Do == mailtest.Stall || f.Do == mailtest.StallAfter {
			return time.Second
		}
	}
	return 10 * time.Second
}

// smtpFault is one row. Whatever goes wrong, every letter arrives at least once,
// always with the same bytes, or it is booked as failed for good.
type smtpFault struct {
	name   string
	faults []mailtest.Fault
	// copies is how often a letter may arrive; 0 means once.
	copies int
	// recordFailed is how many letters are refused for good.
	failed int
	told   string
	// unblamed says that no letter's try may be counted.
	unblamed bool
	stuck    bool
	hopeless bool
	setup    func(*smtpScene)
}

type smtpScene struct {
	t      testing.TB
	server embedded.Config
	proxy  mailtest.ProxyConfig
	cfg    SMTPConfig
	box    *memBox
}

func smtpFaults() []smtpFault {
	table := []smtpFault{
		{name: "connection refused", faults: on(mailtest.Fault{On: mailtest.AtConnect, Do: mailtest.Drop, Times: 3}), unblamed: true, told: "letters are waiting"},
		{name: "no greeting", faults: once(mailtest.AtConnect, mailtest.Stall), unblamed: true},
		{name: "greeting 421", faults: answers(mailtest.AtConnect, "421 4.3.2 too busy", 2), unblamed: true},
		{name: "greeting 554", faults: answers(mailtest.AtConnect, "554 5.3.2 go away", 2), unblamed: true},
		{name: "greeting is IMAP", faults: answers(mailtest.AtConnect, "* OK ready", 1), unblamed: true},
		{name: "half a greeting", faults: once(mailtest.AtConnect, mailtest.Half), unblamed: true},
		{name: "EHLO stalls", faults: once("EHLO", mailtest.Stall), unblamed: true},
		{name: "EHLO drops", faults: once("EHLO", mailtest.Drop), unblamed: true},
		{name: "EHLO 421", faults: answers("EHLO", "421 4.3.2 shutting down", 1), unblamed: true},
		{name: "half an answer to EHLO", faults: once("EHLO", mailtest.Half), unblamed: true},
		{name: "login refused", faults: answers("AUTH", "535 5.7.8 no", 0), stuck: true, unblamed: true, told: "check user and password"},
		{name: "login not now", faults: answers("AUTH", "454 4.7.0 later", 2), unblamed: true},
		{name: "login stalls", faults: once("AUTH", mailtest.Stall), unblamed: true},
		{name: "login carried out, answer lost", faults: once("AUTH", mailtest.DropAfter), unblamed: true},
		{name: "MAIL stalls", faults: once("MAIL", mailtest.Stall)},
		{name: "MAIL drops", faults: once("MAIL", mailtest.Drop)},
		{name: "MAIL 451", faults: answers("MAIL", "451 4.3.0 later", 2), unblamed: true},
		{name: "MAIL 421", faults: answers("MAIL", "421 4.7.0 too many letters", 2), unblamed: true},
		{name: "MAIL 530", faults: answers("MAIL", "530 5.7.0 log in first", 2), unblamed: true, told: "check the account and sender address with the provider"},
		{name: "our sender address refused", faults: answers("MAIL", "550 5.7.1 not yours", 2), unblamed: true},
		{name: "MAIL too big", faults: answers("MAIL", "552 5.3.4 too big", 1), failed: 1},
		{name: "RCPT 450", faults: answers("RCPT", "450 4.2.1 mailbox busy", 3)},
		{name: "RCPT 452", faults: answers("RCPT", "452 4.2.2 mailbox full", 3)},
		{name: "RCPT 550", faults: answers("RCPT", "550 5.1.1 no such user", 1), failed: 1},
		{name: "RCPT relay denied", faults: answers("RCPT", "554 5.7.1 relay access denied", 2)},
		{name: "the day's limit", faults: answers("DATA", "550 5.4.5 Daily user sending limit exceeded", 3), unblamed: true, told: "check the account and sender address with the provider"},
		{name: "our account suspended", faults: answers(mailtest.AtDot, "554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException", 3), unblamed: true},
		{name: "MAIL, no room", faults: answers("MAIL", "452 4.3.1 insufficient system storage", 2)},
		{name: "RCPT 421", faults: answers("RCPT", "421 4.3.2 shutting down", 2)},
		{name: "DATA 421", faults: answers("DATA", "421 4.3.2 shutting down", 2)},
		{name: "dot 421", faults: answers(mailtest.AtDot, "421 4.3.2 shutting down", 2)},
		{name: "dot 552", faults: answers(mailtest.AtDot, "552 5.3.4 too big", 1), failed: 1},
		{name: "RCPT stalls", faults: once("RCPT", mailtest.Stall)},
		{name: "RCPT drops", faults: once("RCPT", mailtest.Drop)},
		{name: "RCPT carried out, answer lost", faults: once("RCPT", mailtest.DropAfter)},
		{name: "DATA 451", faults: answers("DATA", "451 4.3.0 later", 2)},
		{name: "DATA 554", faults: answers("DATA", "554 5.6.0 no valid recipients", 1), failed: 1},
		{name: "DATA stalls", faults: once("DATA", mailtest.Stall)},
		{name: "DATA drops", faults: once("DATA", mailtest.DropAfter)},
		{name: "half a letter, then dead", faults: on(mailtest.Fault{On: mailtest.AtContent, Do: mailtest.Drop, Bytes: 150, Times: 2})},
		{name: "half a letter, then silence", faults: on(mailtest.Fault{On: mailtest.AtContent, Do: mailtest.Stall, Bytes: 150, Times: 1})},
		{name: "dot 451", faults: answers(mailtest.AtDot, "451 4.3.0 later", 2)},
		{name: "dot 452", faults: answers(mailtest.AtDot, "452 4.3.1 disk full", 1)},
		{name: "dot 554", faults: answers(mailtest.AtDot, "554 5.7.1 looks like spam", 1)},
		{name: "dot stalls", faults: once(mailtest.AtDot, mailtest.Stall)},
		{name: "dot drops", faults: once(mailtest.AtDot, mailtest.Drop)},
		{name: "letter taken, answer stalls", faults: once(mailtest.AtDot, mailtest.StallAfter), copies: 2, told: "final dot"},
		{name: "letter taken, answer lost", faults: once(mailtest.AtDot, mailtest.DropAfter), copies: 2, told: "final dot"},
		{name: "letter taken, half the answer", faults: on(mailtest.Fault{On: mailtest.AtDot, Do: mailtest.Half, Bytes: 3, Times: 1}), copies: 2},
		{name: "letter taken, slow answer", faults: on(mailtest.Fault{On: mailtest.AtDot, Do: mailtest.Slow, Delay: 100 * time.Millisecond})},
		{name: "every answer is slow", faults: on(mailtest.Fault{On: mailtest.Anywhere, Do: mailtest.Slow, Delay: 30 * time.Millisecond})},
		{name: "every second connection stalls", faults: []mailtest.Fault{{On: mailtest.AtConnect, Do: mailtest.Stall, Every: 2}, {On: "MAIL", Do: mailtest.Drop, Every: 2, Times: 4}}},
		{name: "every third command drops", faults: on(mailtest.Fault{On: mailtest.Anywhere, Do: mailtest.Drop, Skip: 2, Every: 3, Times: 8})},
		{name: "RSET drops", faults: append(answers("RCPT", "450 4.2.1 busy", 1), mailtest.Fault{On: "RSET", Do: mailtest.Drop, Times: 1})},
		{name: "no such address", failed: 1, told: "No such mailbox", setup: func(s *smtpScene) { s.box.add(4, "nobody@demo") }},
		{name: "a line end in the address", failed: 1, told: "address is invalid", setup: func(s *smtpScene) { s.box.add(4, "ann@demo>\r\nRCPT TO:<ben@demo") }},
		{name: "a parameter in the address", failed: 1, told: "address is invalid", setup: func(s *smtpScene) { s.box.add(4, "ann@demo> NOTIFY=NEVER") }},
		{name: "STARTTLS", unblamed: true, setup: func(s *smtpScene) { s.tls(StartTLS) }},
		{name: "implicit TLS", unblamed: true, setup: func(s *smtpScene) { s.tls(TLS) }},
		{name: "STARTTLS taken out", faults: on(mailtest.Fault{On: "EHLO", Do: mailtest.Rewrite, Old: "STARTTLS", Text: "XSTARTTL"}), stuck: true, unblamed: true,
			told: "connecting to the SMTP server", setup: func(s *smtpScene) { s.tls(StartTLS) }},
		{name: "STARTTLS refused", faults: answers("STARTTLS", "454 4.7.0 no TLS now", 2), unblamed: true, setup: func(s *smtpScene) { s.tls(StartTLS) }},
		{name: "STARTTLS stalls", faults: once("STARTTLS", mailtest.Stall), unblamed: true, setup: func(s *smtpScene) { s.tls(StartTLS) }},
		{name: "certificate unknown", stuck: true, hopeless: true, unblamed: true, told: "certificate is not trusted", setup: func(s *smtpScene) {
			s.tls(TLS)
			s.cfg.CAFile = s.certs().otherCA
		}},
		{name: "certificate for another host", stuck: true, hopeless: true, unblamed: true, told: "certificate is for another name", setup: func(s *smtpScene) {
			s.tls(TLS)
			s.proxy.TLS, s.cfg.CAFile = s.certs().config(s.certs().other), s.certs().otherCA
		}},
		{name: "certificate out of date", stuck: true, hopeless: true, unblamed: true, told: "certificate is not valid today", setup: func(s *smtpScene) {
			s.tls(TLS)
			s.proxy.TLS, s.cfg.CAFile = s.certs().config(s.certs().ended), s.certs().endedCA
		}},
		{name: "certificate unknown after STARTTLS", stuck: true, hopeless: true, unblamed: true, told: "certificate is not trusted", setup: func(s *smtpScene) {
			s.tls(StartTLS)
			s.cfg.CAFile = s.certs().otherCA
		}},
		{name: "no TLS on a TLS port", stuck: true, hopeless: true, unblamed: true, told: "does not speak TLS", setup: func(s *smtpScene) { s.cfg.TLS = TLS }},
		{name: "XOAUTH2, first token ended", unblamed: true, told: "or the token", setup: func(s *smtpScene) { s.tokens(AuthXOAuth2) }},
		{name: "OAUTHBEARER, first token ended", unblamed: true, told: "or the token", setup: func(s *smtpScene) { s.tokens(AuthOAuthBearer) }},
		{name: "AUTH LOGIN", unblamed: true, setup: func(s *smtpScene) { s.cfg.Auth = AuthLogin }},
		{name: "mechanism not offered", stuck: true, hopeless: true, unblamed: true, told: "change auth", setup: func(s *smtpScene) {
			s.cfg.Auth, s.cfg.Tokens = AuthXOAuth2, TokenFile("/nowhere/token")
		}},
	}
	// A letter ends somewhere here, and its answer may be the part that is lost.
	for _, n := range []int{1, 30, 120, 200, 250, 270, 290, 310, 350, 400} {
		table = append(table, smtpFault{name: fmt.Sprintf("cut at byte %d", n), copies: 2,
			faults: on(mailtest.Fault{On: mailtest.AtConnect, Do: mailtest.CutAt, Bytes: n, Times: 1})})
	}
	return table
}

func (s *smtpScene) certs() *certs { return (&imapScene{t: s.t}).certs() }

func (s *smtpScene) tls(kind string) {
	s.cfg.TLS, s.cfg.CAFile = kind, s.certs().ca
	if kind == TLS {
		s.proxy.TLS = s.certs().config(s.certs().good)
	} else {
		s.server.TLS = &tls.Config{Certificates: []tls.Certificate{s.certs().good}}
	}
}

func (s *smtpScene) tokens(mechanism string) {
	s.cfg.Auth, s.cfg.Password, s.cfg.Tokens = mechanism, "", &twoTokens{}
	s.server.Mechanisms = mailtest.Tokens(func(address, token string) bool { return address == referee && token == "token2" })
}

func TestSMTPFaults(t *testing.T) {
	t.Parallel()
	table := smtpFaults()
	scenarios(t, len(table), func(i int) string { return table[i].name }, func(t testing.TB, i int) { smtpScenario(t, table[i]) })
}

func smtpScenario(t testing.TB, row smtpFault) {
	log := &t.(*scenario).log
	s := &smtpScene{t: t, box: newBox("ann@demo", "ann@demo", "ann@demo")}
	s.server = embedded.Config{Dir: t.TempDir(), Accounts: []embedded.Account{{Address: referee, Password: pass}, {Address: "ann@demo", Password: pass}}}
	s.cfg = SMTPConfig{Login: Login{TLS: NoTLS, User: referee, Password: pass}, CommandTimeout: answerTimeout(row.faults), SubmissionTimeout: answerTimeout(row.faults),
		Reconnect: Backoff{10 * time.Millisecond, 100 * time.Millisecond}, Refused: Backoff{10 * time.Millisecond, 100 * time.Millisecond}, Retry: Schedule{20 * time.Millisecond, 100 * time.Millisecond, time.Minute}}
	s.proxy = mailtest.ProxyConfig{SMTP: true, Faults: row.faults}
	if row.setup != nil {
		row.setup(s)
	}
	server, err := embedded.Start(context.Background(), s.server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	s.proxy.Target = server.SMTPAddr()
	proxy, err := mailtest.StartProxy(context.Background(), s.proxy)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = proxy.Close() })
	s.cfg.Address = proxy.Addr()
	sender := NewSender(s.cfg, s.box, log.logger())
	runSender(t, sender)
	if row.stuck {
		until(t, "three connections and a word to the operator", func() bool { return proxy.Conns() >= 3 && strings.Contains(log.String(), row.told) })
		if got := subjects(t, mailboxOf(server, "ann@demo"), "INBOX"); len(got) != 0 {
			t.Errorf("arrived: %v", got)
		}
		if row.hopeless {
			return
		}
		proxy.Set()
	}
	until(t, "every letter booked", s.box.allDone)
	s.arrived(row, server)
	if row.told != "" && !strings.Contains(log.String(), row.told) {
		t.Errorf("the log does not say %q", row.told)
	}
	if len(row.faults) > 0 && proxy.Fired() == 0 {
		t.Error("the fault never came to pass")
	}
}

// arrived compares what was booked with what lies in the recipient's mailbox.
func (s *smtpScene) arrived(row smtpFault, server *embedded.Server) {
	raws, err := mailboxOf(server, "ann@demo").Folder("INBOX")
	if err != nil {
		s.t.Fatal(err)
	}
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	failed := 0
	for id, l := range s.box.letters {
		n := 0
		for _, raw := range raws {
			if bytes.Contains(raw, fmt.Appendf(nil, "Message-ID: <%d@demo>", id)) {
				n++
				if !bytes.HasSuffix(raw, l.Raw) {
					s.t.Errorf("letter %d arrived changed: %q", id, raw)
				}
			}
		}
		switch {
		case l.permanent:
			failed++
			if n != 0 {
				s.t.Errorf("letter %d was refused and arrived", id)
			}
		case n < 1 || n > max(row.copies, 1):
			s.t.Errorf("letter %d arrived %d times", id, n)
		}
		if row.unblamed && l.Attempts > 0 {
			s.t.Errorf("letter %d was blamed %d times", id, l.Attempts)
		}
	}
	if failed != row.failed {
		s.t.Errorf("%d letters failed for good, want %d", failed, row.failed)
	}
}

// allDone tells whether no letter waits any more.
func (b *memBox) allDone() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range b.letters {
		if !l.done {
			return false
		}
	}
	return true
}
