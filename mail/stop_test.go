package mail

import (
	"context"
	"errors"
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

// hangUpScript is a transport whose letters end only when it is closed.
type hangUpScript struct {
	script
	at     stage
	closed chan struct{}
	once   sync.Once
}

func (h *hangUpScript) deliver(Outgoing) (stage, error) { <-h.closed; return h.at, net.ErrClosed }
func (h *hangUpScript) Close() error                    { h.once.Do(func() { close(h.closed) }); return nil }

// TestStopInALetter: a letter that we left in the middle has not failed. After the
// dot the server may have taken it, so it counts for the day's limit.
func TestStopInALetter(t *testing.T) {
	t.Parallel()
	for at, spent := range map[stage]int{atMail: 0, atData: 0, atContent: 0, atDot: 1} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				box := newBox("a@x", "b@x")
				s := NewSender(SMTPConfig{Limits: Limits{PerDay: 10}}, box, nil)
				dials := 0
				s.dial = func(context.Context, SMTPConfig) (transport, error) {
					dials++
					return &hangUpScript{at: at, closed: make(chan struct{})}, nil
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- s.Run(ctx) }()
				time.Sleep(time.Second)
				began := time.Now()
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took > grace {
					t.Errorf("it took %v to stop", took)
				}
				for id, l := range box.letters {
					if l.Attempts != 0 || l.done || !l.next.IsZero() {
						t.Errorf("letter %d: %d tries, done %v, next %v", id, l.Attempts, l.done, l.next)
					}
				}
				if dials != 1 || len(s.limiter.times) != spent {
					t.Errorf("%d connections, %d letters counted", dials, len(s.limiter.times))
				}
			})
		})
	}
}

// TestStopInAMove: a server that does not answer a move does not hold up the stop.
// While nobody stops it has the time that it may need.
func TestStopInAMove(t *testing.T) {
	t.Parallel()
	for _, stop := range []bool{true, false} {
		t.Run(map[bool]string{true: "stop", false: "go on"}[stop], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				imapEnd, smtpEnd, front := mailtest.NewPipes(), mailtest.NewPipes(), mailtest.NewPipes()
				s, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPListener: imapEnd, SMTPListener: smtpEnd, Accounts: []embedded.Account{{Address: referee, Password: pass}}})
				if err != nil {
					t.Fatal(err)
				}
				proxy, err := mailtest.StartProxy(t.Context(), mailtest.ProxyConfig{Listener: front, Target: "server", Dial: imapEnd.Dial,
					Faults: on(mailtest.Fault{On: "MOVE", Do: mailtest.Stall, Times: 1})})
				if err != nil {
					t.Fatal(err)
				}
				if err := mailboxOver(imapEnd, referee).Deliver(mail3("a")); err != nil {
					t.Fatal(err)
				}
				store := newStore()
				cfg := IMAPConfig{Login: Login{Address: "mail.example:993", TLS: NoTLS, User: referee, Password: pass}, Dial: front.Dial}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- NewPoller(cfg, store, nil).Run(ctx) }()
				time.Sleep(10 * time.Second)
				if proxy.Fired() != 1 {
					t.Fatal("there is no move")
				}
				if stop {
					began := time.Now()
					cancel()
					if err := <-done; err != nil {
						t.Error(err)
					}
					if took := time.Since(began); took > grace {
						t.Errorf("it took %v to stop", took)
					}
					ctx, cancel = context.WithCancel(t.Context())
					go func() { done <- NewPoller(cfg, store, nil).Run(ctx) }()
				} else if n := proxy.Conns(); n != 1 {
					t.Errorf("%d connections: the move had no time", n)
				}
				time.Sleep(2 * time.Minute)
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				if got, err := mailboxOver(imapEnd, referee).Folder(string(Done)); len(got) != 1 || err != nil {
					t.Errorf("filed are %d letters, %v", len(got), err)
				}
				if commits, _ := store.times("a"); commits != 1 {
					t.Errorf("the letter was committed %d times", commits)
				}
				if err := errors.Join(proxy.Close(), s.Close()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestSMTPPasswordMended: a password that was mended in its file is taken without a
// restart, within a minute or two; one that is refused is not shown all the time.
func TestSMTPPasswordMended(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(dir, "password")
		put := func(text string) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Error(err)
			}
		}
		put("wrong\n")
		imapEnd, smtpEnd := mailtest.NewPipes(), mailtest.NewPipes()
		s, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPListener: imapEnd, SMTPListener: smtpEnd,
			Accounts: []embedded.Account{{Address: referee, Password: pass}, {Address: "ann@demo", Password: pass}}})
		if err != nil {
			t.Fatal(err)
		}
		var log logBuffer
		box := newBox("ann@demo")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- NewSender(SMTPConfig{Login: Login{Address: "mail.example:465", TLS: NoTLS, User: referee, Password: "old", PasswordFile: path}, Dial: smtpEnd.Dial}, box, log.logger()).Run(ctx)
		}()
		time.Sleep(10 * time.Hour)
		if n := smtpEnd.Dials(); n < 5 || n > 18 || box.allDone() {
			t.Errorf("%d tries in ten hours, sent %v", n, box.allDone())
		}
		if got := log.String(); !strings.Contains(got, "check user and password") || strings.Contains(got, "wrong") {
			t.Errorf("the log:\n%s", got)
		}
		put(pass + "\n")
		time.Sleep(2 * time.Minute)
		if !box.allDone() || box.letters[1].Attempts != 0 {
			t.Errorf("the letter has not gone out, or was blamed:\n%s", log.String())
		}
		cancel()
		if err := errors.Join(<-done, s.Close()); err != nil {
			t.Error(err)
		}
	})
}

// stoppedBox is an outbox that is asked for what comes next just when everything stops.
type stoppedBox struct {
	*memBox
	stop context.CancelFunc
}

func (b stoppedBox) NextDue(ctx context.Context) (time.Time, bool, error) {
	b.stop()
	return time.Time{}, false, ctx.Err()
}

// TestSenderStopped: to be stopped while the outbox is read is no trouble to tell of.
func TestSenderStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var log logBuffer
	if err := NewSender(SMTPConfig{}, stoppedBox{newBox(), cancel}, log.logger()).Run(ctx); err != nil {
		t.Error(err)
	}
	if said := log.String(); said != "" {
		t.Errorf("the log:\n%s", said)
	}
}
