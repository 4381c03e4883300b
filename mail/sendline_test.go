package mail

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestSlowRecipient: a recipient whose letters take their time holds up nobody else's, and
// gets them one after the other.
func TestSlowRecipient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("slow@x", "Slow@x")
		for id := range int64(20) {
			box.add(id+3, fmt.Sprintf("quick%d@x", id))
		}
		s := NewSender(SMTPConfig{}, box, nil)
		var slow atomic.Int64
		s.dial = func(context.Context, SMTPConfig) (transport, error) {
			return script{func(o Outgoing) (stage, error) {
				if o.ID <= 2 {
					if slow.Add(1) > 1 {
						t.Error("two letters to one recipient are on their way")
					}
					time.Sleep(time.Minute)
					slow.Add(-1)
				}
				return "", nil
			}}, nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		time.Sleep(30 * time.Second)
		box.mu.Lock()
		for id, l := range box.letters {
			if l.done != (id > 2) {
				t.Errorf("letter %d: done %v", id, l.done)
			}
		}
		box.mu.Unlock()
		time.Sleep(2 * time.Minute)
		if !box.allDone() {
			t.Error("the slow letters were not sent")
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestFewConnections: a server that holds fewer connections than we would make gets all letters
// over those, is not asked for more all the time, and no letter is blamed.
func TestFewConnections(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]struct{ dial, mail error }{
		"at the greeting": {dial: errors.New("421 too many connections")},
		"at MAIL":         {mail: smtpError(421, 4, 7, 0, "too many connections")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				box := newBox()
				for id := range int64(600) {
					box.add(id+1, fmt.Sprintf("a%d@x", id))
				}
				s := NewSender(SMTPConfig{}, box, nil)
				var open, dials atomic.Int64
				s.dial = func(context.Context, SMTPConfig) (transport, error) {
					dials.Add(1)
					mine := open.Add(1)
					if mine > 2 && refuse.dial != nil {
						open.Add(-1)
						return nil, refuse.dial
					}
					return &counted{script{func(Outgoing) (stage, error) {
						if mine > 2 {
							return atMail, refuse.mail
						}
						time.Sleep(100 * time.Millisecond)
						return "", nil
					}}, &open}, nil
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- s.Run(ctx) }()
				time.Sleep(35 * time.Second)
				if n := dials.Load(); !box.allDone() || n < 3 || n > 20 {
					t.Errorf("%d connections, all sent: %v", n, box.allDone())
				}
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				for id, l := range box.letters {
					if l.Attempts > 0 {
						t.Errorf("letter %d: %d tries", id, l.Attempts)
					}
				}
			})
		})
	}
}

// counted is a connection that says when it is closed.
type counted struct {
	script
	open *atomic.Int64
}

func (c *counted) Close() error { c.open.Add(-1); return nil }

// TestNewerWaits: while a letter waits for another try the newer ones to its reader wait as
// well, and their tries are not counted. Another's go.
func TestNewerWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("a@x", "a@x", "a@x", "b@x")
		for id, reader := range map[int64]string{1: "m/0", 2: "m/0", 3: "n/0", 4: "m/1"} {
			box.letters[id].Reader = reader
		}
		s := NewSender(SMTPConfig{}, box, nil)
		var order []int64
		s.dial = scripted(func(o Outgoing) (stage, error) {
			if o.ID == 1 && o.Attempts == 0 {
				return atDot, smtpError(451, 4, 3, 0, "later")
			}
			order = append(order, o.ID)
			return "", nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if len(order) != 4 || order[2] != 1 || order[3] != 2 || box.letters[2].Attempts != 0 || box.letters[1].Attempts != 1 {
			t.Errorf("sent %v, tries %d and %d", order, box.letters[1].Attempts, box.letters[2].Attempts)
		}
	})
}
