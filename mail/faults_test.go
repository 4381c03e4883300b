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
	"samizdat/mail/message"
)

// These tables run the real poller and the real sender, over real sockets,
// against a server behind a proxy that makes trouble.

// shop is how many scenarios run at once: mostly they wait.
const shop = 48

// scenarios runs the cases of a table and reports each as a test.
func scenarios(t *testing.T, n int, name func(int) string, run func(testing.TB, int)) {
	t.Helper()
	began := time.Now()
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
	t.Logf("%d faults in %v", n, time.Since(began).Round(time.Millisecond))
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

// until looks every few milliseconds for something that becomes true.
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
