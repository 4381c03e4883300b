package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"
)

// script is a transport without a network.
type script struct {
	deliverFunc func(Outgoing) (stage, error)
}

func (s script) deliver(letter Outgoing) (stage, error) { return s.deliverFunc(letter) }
func (script) Reset() error                             { return nil }
func (script) Quit() error                              { return nil }
func (script) Close() error                             { return nil }

// scripted makes connections that call f for each letter, one at a time.
func scripted(f func(Outgoing) (stage, error)) func(context.Context, SMTPConfig) (transport, error) {
	var mu sync.Mutex
	one := func(letter Outgoing) (stage, error) {
		mu.Lock()
		defer mu.Unlock()
		return f(letter)
	}
	return func(context.Context, SMTPConfig) (transport, error) { return script{one}, nil }
}

// usual is when a letter is tried again where nothing is configured.
var usual Schedule

func TestRetrySchedule(t *testing.T) {
	t.Parallel()
	var sum time.Duration
	for n := 1; n < usual.MaxAttempts(); n++ {
		sum += usual.Delay(n)
	}
	if sum < giveUp || sum > giveUp+maxRetry {
		t.Errorf("letters are given up after %v, want about %v", sum, giveUp)
	}
	for n, want := range map[int]time.Duration{1: time.Minute, 2: 2 * time.Minute, 8: 128 * time.Minute, 9: 4 * time.Hour, 1000: 4 * time.Hour} {
		if got := usual.Delay(n); got != want {
			t.Errorf("Delay(%d): got %v, want %v", n, got, want)
		}
	}
}

func TestSenderTemporaryThenGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("slow@x")
		var tries []time.Time
		var raws []string
		s := NewSender(SMTPConfig{}, box, nil)
		s.dial = scripted(func(letter Outgoing) (stage, error) {
			tries = append(tries, time.Now())
			raws = append(raws, string(letter.Raw))
			return atRcpt, &smtp.SMTPError{Code: 451, Message: "greylisted"}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 6*24*time.Hour)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if len(tries) != usual.MaxAttempts() {
			t.Fatalf("got %d tries, want %d", len(tries), usual.MaxAttempts())
		}
		for i := 1; i < len(tries); i++ {
			if got := tries[i].Sub(tries[i-1]); got < usual.Delay(i) || got > usual.Delay(i)+time.Second {
				t.Errorf("pause %d: got %v, want %v", i, got, usual.Delay(i))
			}
			if raws[i] != raws[0] {
				t.Errorf("try %d sent other bytes", i+1)
			}
		}
		if !box.letters[1].permanent {
			t.Error("the letter was not given up")
		}
	})
}

func TestSenderBlamesNoLetterForTheServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("a@x", "b@x")
		s := NewSender(SMTPConfig{}, box, nil)
		dials := 0
		s.dial = func(context.Context, SMTPConfig) (transport, error) {
			if dials++; dials < 10 {
				return nil, &smtp.SMTPError{Code: 535, Message: "wrong password"}
			}
			return script{func(Outgoing) (stage, error) { return "", nil }}, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		for id, l := range box.letters {
			if l.Attempts != 0 || !l.done {
				t.Errorf("letter %d: %d attempts, done %v", id, l.Attempts, l.done)
			}
		}
		if dials != 10 {
			t.Errorf("got %d dials, want 10", dials)
		}
	})
}

// What was sent and could not be booked must be booked before anything is read
// again, or it goes out twice.
func TestSenderBooksBeforeItSendsAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("a@x")
		box.sentErr = 3
		sent := 0
		s := NewSender(SMTPConfig{}, box, nil)
		s.dial = scripted(func(Outgoing) (stage, error) { sent++; return "", nil })
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if sent != 1 || !box.letters[1].done {
			t.Errorf("sent %d times, done %v", sent, box.letters[1].done)
		}
	})
}

func TestSenderWake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox()
		s := NewSender(SMTPConfig{}, box, nil)
		s.dial = scripted(func(Outgoing) (stage, error) { return "", nil })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		synctest.Wait()
		box.add(1, "a@x")
		startTime := time.Now()
		s.Wake()
		s.Wake()
		<-box.booked
		if d := time.Since(startTime); d != 0 {
			t.Errorf("the letter waited %v", d)
		}
		box.add(2, "b@x")
		s.WakeForDue()
		<-box.booked
		if d := time.Since(startTime); d != 0 {
			t.Errorf("the letter that could go later waited %v", d)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func runSender(t testing.TB, s *Sender) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestSenderOverSockets(t *testing.T) {
	t.Parallel()
	f := &flaky{rcpt: map[string]*smtp.SMTPError{
		"gone@x": {Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"},
		"busy@x": {Code: 450, EnhancedCode: smtp.EnhancedCode{4, 2, 0}, Message: "try later"},
	}}
	box := newBox("gone@x", "a@x", "busy@x", "b@x")
	s := NewSender(startFlaky(t, f), box, logTo(t))
	runSender(t, s)
	got := []string{box.next(t), box.next(t), box.next(t), box.next(t)}
	slices.Sort(got)
	want := []string{
		"failed 1 permanent=true: RCPT refused: 550 5.1.1 no such user",
		"failed 3 permanent=false: RCPT refused: 450 4.2.0 try later",
		"sent 2", "sent 4",
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
}

func TestSenderUnknownOutcomeIsTriedAgain(t *testing.T) {
	t.Parallel()
	f := &flaky{afterDot: []string{"drop"}}
	box := newBox("a@x", "b@x")
	s := NewSender(startFlaky(t, f), box, logTo(t))
	runSender(t, s)
	if got := box.next(t); !strings.HasPrefix(got, "failed 1 permanent=false: connection lost at final dot") {
		t.Fatal(got)
	}
	if got := box.next(t); got != "sent 2" {
		t.Fatalf("got %s: the other letter must go out over a new connection", got)
	}
	// The minute is over.
	box.mu.Lock()
	box.letters[1].next = time.Time{}
	box.mu.Unlock()
	s.Wake()
	if got := box.next(t); got != "sent 1" {
		t.Fatal(got)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.got) != 3 || f.got[0] != f.got[2] || !strings.Contains(f.got[0], "Message-ID: <1@demo>") {
		t.Errorf("the repeated letter differs: %q", f.got)
	}
}

func TestSenderReplacesClosedConnection(t *testing.T) {
	t.Parallel()
	f := &flaky{}
	box := newBox("a@x")
	s := NewSender(startFlaky(t, f), box, logTo(t))
	runSender(t, s)
	for id := int64(1); ; id++ {
		if got, want := box.next(t), fmt.Sprint("sent ", id); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		if id == 4 {
			return
		}
		// The server closes the connection while nobody needs it.
		f.hangUp()
		box.add(id+1, "a@x")
		s.Wake()
	}
}

func TestSenderStalledServer(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	startTime := time.Now()
	_, err = dialSMTP(t.Context(), SMTPConfig{Login: Login{Address: listener.Addr().String(), TLS: NoTLS}, CommandTimeout: 100 * time.Millisecond}.WithDefaults())
	if err == nil || time.Since(startTime) > 10*time.Second {
		t.Errorf("got %v after %v", err, time.Since(startTime))
	}
}

// TestSenderAsksOnce: a recipient of whom the server does not want to hear now is
// not tried with each letter that waits for him; the others go.
func TestSenderAsksOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("full@x", "Full@x", "ann@x", "full@x")
		s := NewSender(SMTPConfig{}, box, nil)
		asked := 0
		s.dial = scripted(func(letter Outgoing) (stage, error) {
			if letter.To == "ann@x" {
				return "", nil
			}
			asked++
			return atRcpt, smtpError(452, 4, 2, 2, "mailbox full")
		})
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if asked != 1 || !box.letters[3].done {
			t.Errorf("asked %d times", asked)
		}
		for _, id := range []int64{1, 2, 4} {
			if l := box.letters[id]; l.Attempts != 1 || l.done {
				t.Errorf("letter %d: %d tries, done %v", id, l.Attempts, l.done)
			}
		}
	})
}

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
			return script{func(letter Outgoing) (stage, error) {
				if letter.ID <= 2 {
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

// historyLoaded is a connection that says when it is closed.
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
		s.dial = scripted(func(letter Outgoing) (stage, error) {
			if letter.ID == 1 && letter.Attempts == 0 {
				return atDot, smtpError(451, 4, 3, 0, "later")
			}
			order = append(order, letter.ID)
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
