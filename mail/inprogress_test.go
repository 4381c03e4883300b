package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-imap/v2"

	"samizdat/internal/test/mailtest"
	"samizdat/mail/embedded"
	"samizdat/mail/message"
)

// bySubject takes the words of a letter's subject, but for its last, for its keys.
func bySubject(r Received) []string {
	words := strings.Fields(subject(r))
	return words[:len(words)-1]
}

// deliver puts letters into the referee's inbox.
func deliver(t testing.TB, s *embedded.Server, subjects ...string) {
	t.Helper()
	for _, name := range subjects {
		if err := mailboxOf(s, referee).Deliver(mail3(name)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLaid: who keeps the order of letters himself is told of each in the order in which they came, and handles all that are
// in hand at the same time.
func TestLaid(t *testing.T) {
	t.Parallel()
	var laid []uint32
	together := make(chan struct{})
	var handled sync.WaitGroup
	handled.Add(maxInProgress)
	p := NewPoller(IMAPConfig{Enqueue: func(r Received, keys []string) {
		if len(keys) != 1 || keys[0] != "key" {
			t.Errorf("letter %d has the keys %v", r.UID, keys)
		}
		laid = append(laid, r.UID)
	}}, HandlerFunc(func(context.Context, Received) (Folder, error) {
		handled.Done()
		<-together
		return Done, nil
	}), nil)
	for uid := range uint32(maxInProgress) {
		p.enqueueLetter(t.Context(), Received{UID: uid}, []string{"key"})
	}
	handled.Wait()
	close(together)
	p.waitForHandlers()
	if len(laid) != maxInProgress || !slices.IsSorted(laid) || p.inProgress.bytes != 0 {
		t.Errorf("they were laid as %v; %d bytes are left", laid, p.inProgress.bytes)
	}
}

// TestOthersGoOn: while one letter takes long, one panics and one fails, those of others are handled
// and toMove, also when they come later. What shares a key with the slow one waits for it, and no
// deadline passes meanwhile.
func TestOthersGoOn(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	deliver(t, s, "slow 1", "slow 2", "bad 1", "worse 1", "good 1", "good 2")
	seen := make(events, 100)
	release := make(chan struct{})
	var failed atomic.Int64
	cfg := configFor(s)
	cfg.Keys = bySubject
	p := NewPoller(cfg, HandlerFunc(func(ctx context.Context, r Received) (Folder, error) {
		switch name := subject(r); {
		case name == "slow 1":
			select {
			case <-release:
			case <-ctx.Done():
			}
		case name == "bad 1" && failed.Add(1) == 1:
			panic("a bug")
		case name == "worse 1":
			return "", errors.New("a fault")
		}
		seen <- subject(r)
		return Done, nil
	}), logTo(t))
	run(t, p)
	got := []string{seen.next(t), seen.next(t), seen.next(t)}
	waitFolder(t, s, string(Done), 3)
	deliver(t, s, "late 1")
	got = append(got, seen.next(t))
	waitFolder(t, s, string(Done), 4)
	if slices.Sort(got); !slices.Equal(got, []string{"bad 1", "good 1", "good 2", "late 1"}) {
		t.Errorf("handled are %v", got)
	}
	if !p.InboxWatermark().IsZero() {
		t.Error("a letter is in hand, and deadlines pass")
	}
	close(release)
	if a, b := seen.next(t), seen.next(t); a != "slow 1" || b != "slow 2" {
		t.Errorf("handled are %s and %s", a, b)
	}
	waitFolder(t, s, string(Done), 6)
}

// TestInboxWatermarkBesideSlowLetters: while letters are in hand deadlines pass up to the time at which
// the oldest of them was not there yet, also when there is always one.
func TestInboxWatermarkBesideSlowLetters(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	begun := make(events, 10)
	release := map[string]chan struct{}{"first 1": make(chan struct{}), "second 1": make(chan struct{}), "third 1": make(chan struct{})}
	cfg := configFor(s)
	cfg.Keys = bySubject
	p := NewPoller(cfg, HandlerFunc(func(ctx context.Context, r Received) (Folder, error) {
		begun <- subject(r)
		select {
		case <-release[subject(r)]:
		case <-ctx.Done():
		}
		return Done, nil
	}), logTo(t))
	run(t, p)
	after := func(at time.Time) func() bool { return func() bool { return p.InboxWatermark().After(at) } }
	until(t, "a first look", after(time.Time{}))
	came := map[string]time.Time{}
	come := func(name string) {
		t.Helper()
		deliver(t, s, name)
		if got := begun.next(t); got != name {
			t.Fatalf("%s came", got)
		}
		came[name] = time.Now()
	}
	come("first 1")
	before := p.InboxWatermark()
	come("second 1")
	if is := p.InboxWatermark(); !is.Equal(before) || is.After(came["first 1"]) {
		t.Error("a letter is in hand, and a deadline behind it has passed")
	}
	close(release["first 1"])
	come("third 1")
	until(t, "a look beside the second", after(before))
	if p.InboxWatermark().After(came["second 1"]) {
		t.Error("a letter is in hand, and a deadline behind it has passed")
	}
	before = p.InboxWatermark()
	close(release["second 1"])
	until(t, "a look beside the third", after(before))
	close(release["third 1"])
	until(t, "a look at all", after(came["third 1"]))
}

// TestMovedTogether: letters that were handled at the same time are moved by few commands.
func TestMovedTogether(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	proxy, err := mailtest.StartProxy(t.Context(), mailtest.ProxyConfig{Target: s.IMAPAddr(), Faults: on(mailtest.Fault{On: "MOVE", Do: mailtest.Slow})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = proxy.Close() })
	for i := range 200 {
		deliver(t, s, fmt.Sprintf("match%d 1", i))
	}
	cfg := configFor(s)
	cfg.Address, cfg.Keys = proxy.Addr(), bySubject
	run(t, NewPoller(cfg, HandlerFunc(func(context.Context, Received) (Folder, error) { return Done, nil }), logTo(t)))
	waitFolder(t, s, "INBOX", 0)
	waitFolder(t, s, string(Done), 200)
	if n := proxy.Fired(); n < 200/maxBatchLetters || n > 10 {
		t.Errorf("%d commands moved 200 letters", n)
	}
}

// TestSuspectsAlone: letters that were in hand when a process died are handled alone, and the others
// are not.
func TestSuspectsAlone(t *testing.T) {
	t.Parallel()
	suspects := map[uint32]int{2: 0, 3: 2, 7: 0}
	var now atomic.Int64
	ten, eleven := make(chan struct{}), make(chan struct{})
	p := NewPoller(IMAPConfig{Keys: bySubject}, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
		n := now.Add(1)
		defer now.Add(-1)
		switch _, suspect := suspects[r.UID]; {
		case suspect && n > 1:
			t.Errorf("letter %d is one of %d in hand", r.UID, n)
		case r.UID == 10:
			close(ten)
			<-eleven
		case r.UID == 11:
			<-ten
			close(eleven)
		}
		return Done, nil
	}), nil)
	p.validity = 1
	for uid, died := range suspects {
		p.inFlight.deaths[inboxUID{1, uid}] = died
	}
	toMove := map[Folder][]imap.UID{}
	for uid := range uint32(20) {
		p.handleLetter(t.Context(), Received{UIDValidity: 1, UID: uid + 1, Raw: fmt.Appendf(nil, "Subject: match%d 1\r\n\r\n", uid)}, toMove)
	}
	p.collectResults(t.Context(), p.inProgress.isEmpty, noTimeout, toMove)
	if len(toMove[Done]) != 20 || !p.inFlight.hasNoSuspects() {
		t.Errorf("filed are %v; suspected are %v", toMove, p.inFlight.deaths)
	}
}

// TestRenumberedInHand: what came of a letter says nothing of another one that has its number by
// then.
func TestRenumberedInHand(t *testing.T) {
	t.Parallel()
	p := NewPoller(IMAPConfig{}, HandlerFunc(func(context.Context, Received) (Folder, error) { return Done, nil }), nil)
	p.validity = 2
	p.enqueueLetter(t.Context(), Received{UIDValidity: 1, UID: 5}, []string{"a"})
	p.collectResults(t.Context(), p.inProgress.isEmpty, noTimeout, nil)
	if len(p.letters) > 0 || !p.inProgress.isEmpty() {
		t.Errorf("known are %v", p.letters)
	}
}

// TestStopInHand: a stop while a scan waits for letters that are being handled waits for them, and
// files them. Those that wait for others are left where they are.
func TestStopInHand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		imapEnd, smtpEnd := mailtest.NewPipes(), mailtest.NewPipes()
		s, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPListener: imapEnd, SMTPListener: smtpEnd, Accounts: []embedded.Account{{Address: referee, Password: pass}}})
		if err != nil {
			t.Fatal(err)
		}
		box := mailboxOver(imapEnd, referee)
		for _, name := range []string{"a 1", "a 2", "b 1", "c 1"} {
			if err := box.Deliver(mail3(name)); err != nil {
				t.Fatal(err)
			}
		}
		cfg := IMAPConfig{Login: Login{Address: "mail.example:993", TLS: NoTLS, User: referee, Password: pass}, Dial: imapEnd.Dial, Keys: bySubject}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		p := NewPoller(cfg, HandlerFunc(func(context.Context, Received) (Folder, error) { time.Sleep(5 * time.Second); return Done, nil }), nil)
		go func() { done <- p.Run(ctx) }()
		time.Sleep(1100 * time.Millisecond) // A scan ends each quarter of a second.
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if got, want := subjects(t, box, string(Done)), []string{"a 1", "b 1", "c 1"}; !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("filed are %v, want %v", got, want)
		}
		if got, want := subjects(t, box, "INBOX"), []string{"a 2"}; !slices.Equal(got, want) {
			t.Errorf("left are %v, want %v", got, want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// someClaims are claims of which some have lapsed.
type someClaims struct {
	mu       sync.Mutex
	lapsed   map[int64]bool
	released [][]int64
}

func (c *someClaims) Holds(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.lapsed[id]
}

func (c *someClaims) Release(_ context.Context, except ...int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released = append(c.released, except)
	return nil
}

func (c *someClaims) renew() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lapsed = nil
}

// TestLapsedClaim: a letter whose claim has lapsed is not handed over, and nothing is booked for it; the
// next goes over the same connection, and the letter goes when it was claimed anew.
func TestLapsedClaim(t *testing.T) {
	t.Parallel()
	f := &flaky{}
	cfg := startFlaky(t, f)
	claims := &someClaims{lapsed: map[int64]bool{1: true}}
	cfg.Claims, cfg.Connections = claims, 1
	box := newBox("a@x", "b@x")
	s := NewSender(cfg, box, nil)
	dials := 0
	s.dial = func(ctx context.Context, cfg SMTPConfig) (transport, error) { dials++; return dialSMTP(ctx, cfg) }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	first := box.next(t)
	claims.renew()
	second := box.next(t)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if first != "sent 2" || second != "sent 1" || len(f.got) != 2 || dials != 1 || box.letters[1].Attempts != 0 {
		t.Errorf("%s, then %s; %d letters taken over %d connections, %d tries counted", first, second, len(f.got), dials, box.letters[1].Attempts)
	}
}

// TestReleased: letters that were read and cannot go are left to others, but not those that were sent and
// could not be booked.
func TestReleased(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("a@x", "b@x", "c@x")
		box.sentErr = 2
		claims := &someClaims{}
		s := NewSender(SMTPConfig{Connections: 1, Claims: claims}, box, nil)
		dials := 0
		s.dial = func(context.Context, SMTPConfig) (transport, error) {
			if dials++; dials > 1 {
				return nil, errors.New("no route to host")
			}
			return script{func(letter Outgoing) (stage, error) {
				if letter.ID == 2 {
					return atDot, errors.New("connection lost")
				}
				return "", nil
			}}, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if len(claims.released) == 0 || !slices.Equal(claims.released[0], []int64{1}) {
			t.Errorf("kept when the others were released: %v", claims.released)
		}
	})
}

// TestSharedLimit: where others send as well, what they have sent counts.
func TestSharedLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox(slices.Repeat([]string{"a@x"}, 200)...)
		var sent atomic.Int32
		cfg := SMTPConfig{Connections: 1, Claims: &someClaims{}, Limits: Limits{PerDay: 100}}
		startTime := time.Now()
		// Another sends a letter for each of ours.
		cfg.SentTimes = func(context.Context, time.Time) ([]time.Time, error) {
			return slices.Repeat([]time.Time{startTime}, 2*int(sent.Load())), nil
		}
		s := NewSender(cfg, box, nil)
		s.dial = scripted(func(Outgoing) (stage, error) { sent.Add(1); return "", nil })
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if maximum := 90/2 + 2*sendBatchSize; int(sent.Load()) < 90/2 || int(sent.Load()) > maximum {
			t.Errorf("%d letters of ours, and as many of another, where a hundred may go", sent.Load())
		}
	})
}

// TestRemoteFailures: what has befallen a letter in another process counts as it does here.
func TestRemoteFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err     error
		tries   int
		crashed bool
	}{{ErrDied, 1, false}, {ErrCrashed, maxFailures, true}, {message.ErrTemporary, 0, false}} {
		synctest.Test(t, func(t *testing.T) {
			p := NewPoller(IMAPConfig{}, HandlerFunc(func(context.Context, Received) (Folder, error) { return "", c.err }), nil)
			for n := 1; n <= maxFailures; n++ {
				r := Received{UID: 1}
				_, hasCrashed, err := HandleSafely(t.Context(), p.handler, r, time.Minute)
				if hasCrashed != c.crashed || !errors.Is(err, c.err) {
					t.Fatalf("%v: crashed %v, %v", c.err, hasCrashed, err)
				}
				p.recordFailure(t.Context(), r, err, hasCrashed, map[Folder][]imap.UID{})
				if state := p.letters[1]; state.isHandled != (n == c.tries) {
					t.Fatalf("%v: after %d tries in quarantine: %v", c.err, n, state.isHandled)
				} else if state.isHandled {
					break
				}
			}
		})
	}
}
