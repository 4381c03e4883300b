package mail

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-imap/v2"

	"samizdat/mail/message"
)

// someClaims are claims of which some have lapsed.
type someClaims struct {
	mu       sync.Mutex
	lapsed   map[int64]bool
	released [][]int64
}

func (c *someClaims) Ours(id int64) bool {
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
			return script{func(o Outgoing) (stage, error) {
				if o.ID == 2 {
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
		began := time.Now()
		// Another sends a letter for each of ours.
		cfg.History = func(context.Context, time.Time) ([]time.Time, error) {
			return slices.Repeat([]time.Time{began}, 2*int(sent.Load())), nil
		}
		s := NewSender(cfg, box, nil)
		s.dial = scripted(func(Outgoing) (stage, error) { sent.Add(1); return "", nil })
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if most := 90/2 + 2*sendBatch; int(sent.Load()) < 90/2 || int(sent.Load()) > most {
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
	}{{ErrDied, 1, false}, {ErrCrashed, maxFailures, true}, {message.ErrLater, 0, false}} {
		synctest.Test(t, func(t *testing.T) {
			p := NewPoller(IMAPConfig{}, HandlerFunc(func(context.Context, Received) (Folder, error) { return "", c.err }), nil)
			for n := 1; n <= maxFailures; n++ {
				r := Received{UID: 1}
				_, crashed, err := Guarded(t.Context(), p.handler, r, time.Minute)
				if crashed != c.crashed || !errors.Is(err, c.err) {
					t.Fatalf("%v: crashed %v, %v", c.err, crashed, err)
				}
				p.failed(t.Context(), r, err, crashed, map[Folder][]imap.UID{})
				if s := p.letters[1]; s.handled != (n == c.tries) {
					t.Fatalf("%v: after %d tries in quarantine: %v", c.err, n, s.handled)
				} else if s.handled {
					break
				}
			}
		})
	}
}
