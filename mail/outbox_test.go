package mail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// memBox is an Outbox in memory that tells what was booked.
type memBox struct {
	mu      sync.Mutex
	letters map[int64]*memLetter
	booked  chan string
	// sentErr makes Sent fail so many times.
	sentErr int
}

type memLetter struct {
	Outgoing
	next      time.Time
	done      bool
	permanent bool
}

func newBox(to ...string) *memBox {
	b := &memBox{letters: map[int64]*memLetter{}, booked: make(chan string, 1000)}
	for i, t := range to {
		b.add(int64(i+1), t)
	}
	return b
}

func (b *memBox) add(id int64, to string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	raw := fmt.Sprintf("From: judge@demo\r\nTo: %s\r\nMessage-ID: <%d@demo>\r\n\r\nYour move.\r\n", to, id)
	b.letters[id] = &memLetter{Outgoing: Outgoing{ID: id, EnvelopeFrom: "judge@demo", To: to, Raw: []byte(raw)}}
}

func (b *memBox) Due(_ context.Context, now time.Time, limit int, except ...int64) ([]Outgoing, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Outgoing
	for _, l := range b.letters {
		if !l.done && !l.next.After(now) && !slices.Contains(except, l.ID) {
			out = append(out, l.Outgoing)
		}
	}
	slices.SortFunc(out, func(a, b Outgoing) int { return int(a.ID - b.ID) })
	return out[:min(limit, len(out))], nil
}

func (b *memBox) Finish(_ context.Context, due []Outgoing) ([]Outgoing, error) { return due, nil }

func (b *memBox) Sent(_ context.Context, ids []int64, _ time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sentErr > 0 {
		b.sentErr--
		return errors.New("database is locked")
	}
	for _, id := range ids {
		b.letters[id].done = true
		b.booked <- fmt.Sprint("sent ", id)
	}
	return nil
}

func (b *memBox) Failed(_ context.Context, id int64, _, next time.Time, permanent bool, reason string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.letters[id]
	l.Attempts++
	l.next, l.done, l.permanent = next, permanent, permanent
	b.booked <- fmt.Sprintf("failed %d permanent=%v: %s", id, permanent, reason)
	return nil
}

func (b *memBox) Deferred(_ context.Context, id int64, _, next time.Time, reason string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.letters[id].next = next
	b.booked <- fmt.Sprintf("deferred %d: %s", id, reason)
	return nil
}

func (b *memBox) NextDue(context.Context) (time.Time, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var next time.Time
	found := false
	for _, l := range b.letters {
		if !l.done && (!found || l.next.Before(next)) {
			next, found = l.next, true
		}
	}
	return next, found, nil
}

func (b *memBox) next(t *testing.T) string {
	t.Helper()
	select {
	case s := <-b.booked:
		return s
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was booked")
		return ""
	}
}

// flaky is an SMTP server that behaves by schedule.
type flaky struct {
	mu sync.Mutex
	// afterDot says what to do with the n-th letter: "" takes it, "drop" takes
	// it and closes without an answer.
	afterDot []string
	got      []string
	conn     *smtp.Conn
	rcpt     map[string]*smtp.SMTPError
}

type flakySession struct {
	f *flaky
	c *smtp.Conn
}

func (s *flakySession) Reset()                               {}
func (s *flakySession) Logout() error                        { return nil }
func (s *flakySession) Mail(string, *smtp.MailOptions) error { return nil }
func (s *flakySession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	if e := s.f.rcpt[to]; e != nil {
		return e
	}
	return nil
}

func (s *flakySession) Data(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	how := ""
	if n := len(s.f.got); n < len(s.f.afterDot) {
		how = s.f.afterDot[n]
	}
	s.f.got = append(s.f.got, string(b))
	switch how {
	case "drop":
		_ = s.c.Conn().Close()
	}
	s.f.conn = s.c
	return nil
}

// hangUp closes the connection the last letter came over.
func (f *flaky) hangUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = f.conn.Close()
}

func startFlaky(t *testing.T, f *flaky) SMTPConfig {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &flakySession{f, c}, nil }))
	done := make(chan struct{})
	go func() { _ = srv.Serve(ln); close(done) }()
	t.Cleanup(func() { _ = srv.Close(); <-done })
	return SMTPConfig{Login: Login{Address: ln.Addr().String(), TLS: NoTLS}, CommandTimeout: 10 * time.Second, SubmissionTimeout: 10 * time.Second}
}
