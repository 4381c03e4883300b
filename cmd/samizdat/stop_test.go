package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/test/mailtest"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
	"samizdat/mail/embedded"
	"samizdat/mail/message"
)

// stopHouse is a daemon in a process of its own, with a mail server that stays, and
// trouble on the way to it.
type stopHouse struct {
	t       *testing.T
	ctx     context.Context
	cfg     config.Config
	server  *embedded.Server
	in, out *mailtest.Proxy
	reader  *daemon.Daemon
	daemon  *process
	match   string
}

func newStopHouse(ctx context.Context, t *testing.T) *stopHouse {
	t.Helper()
	dir := t.TempDir()
	h := &stopHouse{t: t, ctx: ctx, cfg: config.Local(dir, []string{"democrat", "communist"})}
	h.cfg.Letters.Pictures = false
	var err error
	h.server, err = embedded.Start(ctx, h.cfg.Mailboxes("referee"))
	h.must(err)
	t.Cleanup(func() { h.must(h.server.Close()) })
	front := func(target string, smtp bool) *mailtest.Proxy {
		p, err := mailtest.StartProxy(ctx, mailtest.ProxyConfig{Target: target, SMTP: smtp})
		h.must(err)
		t.Cleanup(func() { h.must(p.Close()) })
		return p
	}
	h.in, h.out = front(h.server.IMAPAddr(), false), front(h.server.SMTPAddr(), true)
	config := filepath.Join(dir, "samizdat.yaml")
	h.must(os.WriteFile(config, fmt.Appendf(nil, "data: %s\nletters: {pictures: false}\nimap: {address: %q, tls: none, user: %s, password: referee}\n"+
		"smtp: {address: %q, tls: none, user: %[3]s, password: referee}\n%[5]s", dir, h.in.Addr(), h.cfg.Address, h.out.Addr(), housed(t, &h.cfg)), 0o600))
	h.reader, err = daemon.Open(ctx, h.cfg, games, slog.New(slog.DiscardHandler))
	h.must(err)
	t.Cleanup(func() { h.must(h.reader.Close()) })
	h.daemon = &process{t: t, config: config}
	return h
}

func (h *stopHouse) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// until waits for something that another process does.
func (h *stopHouse) until(what string, done func() bool) {
	h.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-h.ctx.Done():
			if h.daemon.cmd.ProcessState == nil {
				h.daemon.kill() // While it runs it writes what is read here.
			}
			h.t.Fatalf("%s: %v\n%s", what, context.Cause(h.ctx), h.daemon.errs.String())
		}
	}
}

// invite makes a match; two letters are to go out.
func (h *stopHouse) invite() {
	h.t.Helper()
	m, err := h.reader.Adjudicator.CreateMatch(h.ctx, adjudicator.Invitation{Game: games[0].Name(),
		Players: []string{"democrat@samizdat.local", "communist@samizdat.local"}})
	h.must(err)
	h.match = m.ID
}

// box is somebody's mailbox on the server.
func (h *stopHouse) box(name string) mailtest.Mailbox {
	return mailtest.Mailbox{Server: h.server.IMAPAddr(), User: name + "@samizdat.local", Password: name}
}

func (h *stopHouse) mailbox(name, folder string) []message.Letter {
	h.t.Helper()
	raws, err := h.box(name).Folder(folder)
	h.must(err)
	var out []message.Letter
	for _, raw := range raws {
		out = append(out, message.Read(raw))
	}
	return out
}

// joins lets the communist say that he plays.
func (h *stopHouse) joins() {
	h.t.Helper()
	l := h.mailbox("communist", "INBOX")[0]
	m := message.Draft{From: "communist@samizdat.local", To: l.ReplyTo[0], Subject: "Re: " + l.Subject, MessageID: "1.join@samizdat.local",
		InReplyTo: l.MessageID, Date: time.Now(), Text: "JOIN"}
	raw, err := m.Render()
	h.must(err)
	h.must(h.box("referee").Deliver(raw))
}

func (h *stopHouse) version() int64 {
	h.t.Helper()
	m, err := h.reader.DB.Match(h.ctx, h.match)
	h.must(err)
	return m.Version
}

// waiting is how many letters have not gone out.
func (h *stopHouse) waiting() int {
	h.t.Helper()
	s, err := h.reader.DB.Operator.Stats(h.ctx)
	h.must(err)
	return s.Outbox["waiting"]
}

// hurry lets letters that have failed be tried again at once.
func (h *stopHouse) hurry() {
	h.t.Helper()
	_, err := pgtest.Look(h.t, databaseOf(h.cfg.Data)).ExecContext(h.ctx, `UPDATE outbox SET due = 0 WHERE state = 'waiting'`)
	h.must(err)
}

// serves starts the daemon and waits until it knocks at the mail server: it has its
// lock by then, and can be asked to stop.
func (h *stopHouse) serves() {
	h.t.Helper()
	before := h.in.Conns()
	h.daemon.start()
	h.until("a connection", func() bool { return h.in.Conns() > before })
}

// copies is how many different letters an inbox has, and how many in all.
func (h *stopHouse) copies(name string) (different, total int) {
	ids := map[string]bool{}
	for _, l := range h.mailbox(name, "INBOX") {
		ids[l.MessageID] = true
		total++
	}
	return len(ids), total
}

// TestStopped: a daemon that is asked to stop ends within seconds and with success,
// whatever it is doing, and gives its lock back. Nothing is lost by that, and nothing
// happens twice; only a letter that the mail server took without saying so goes again.
func TestStopped(t *testing.T) {
	t.Parallel()
	// arrived waits for the invitations.
	arrived := func(h *stopHouse) {
		h.invite()
		h.until("the invitations", func() bool {
			return len(h.mailbox("communist", "INBOX")) == 1 && len(h.mailbox("democrat", "INBOX")) == 1 && h.waiting() == 0
		})
	}
	for _, tt := range []struct {
		name string
		// busy brings the daemon to where it is stopped; what it returns is done when
		// the daemon has been asked to.
		busy func(h *stopHouse) (then func())
		// twice: one letter may arrive once more.
		twice bool
	}{
		{"idle", func(h *stopHouse) func() {
			arrived(h)
			h.in.Set(mailtest.Fault{On: "IDLE", Do: mailtest.Slow})
			h.joins()
			h.until("IDLE", func() bool { return h.in.Fired() > 0 })
			return nil
		}, false},
		{"connecting", func(h *stopHouse) func() {
			h.until("the mailbox looked at", func() bool {
				fresh, err := daemon.NeedsMailboxCheck(h.t.Context(), h.cfg)
				h.must(err)
				return !fresh
			})
			h.in.Set(mailtest.Fault{On: mailtest.AtConnect, Do: mailtest.Stall})
			h.out.Set(mailtest.Fault{On: mailtest.AtConnect, Do: mailtest.Stall})
			h.in.Cut()
			h.out.Cut()
			h.invite()
			h.until("connect", func() bool { return h.in.Fired() > 0 && h.out.Fired() > 0 })
			return nil
		}, false},
		{"before the content of a letter", func(h *stopHouse) func() {
			h.out.Set(mailtest.Fault{On: "DATA", Do: mailtest.Stall})
			h.invite()
			h.until("DATA", func() bool { return h.out.Fired() > 0 })
			return nil
		}, false},
		{"the letter is taken a second later", func(h *stopHouse) func() {
			h.out.Set(mailtest.Fault{On: mailtest.AtDot, Do: mailtest.Slow, Delay: time.Second, Times: 1})
			h.invite()
			h.until("the dot", func() bool { return h.out.Fired() > 0 })
			return nil
		}, false},
		{"the letter is taken and nobody says so", func(h *stopHouse) func() {
			h.out.Set(mailtest.Fault{On: mailtest.AtDot, Do: mailtest.StallAfter, Times: 1})
			h.invite()
			h.until("the dot", func() bool { return h.out.Fired() > 0 })
			return nil
		}, true},
		{"a letter is adjudicated", func(h *stopHouse) func() {
			arrived(h)
			// Somebody else writes the database: what a letter leads to cannot be stored.
			tx, err := pgtest.Look(h.t, databaseOf(h.cfg.Data)).BeginTx(h.ctx, nil)
			h.must(err)
			_, err = tx.ExecContext(h.ctx, `UPDATE matches SET version = version`)
			h.must(err)
			h.in.Set(mailtest.Fault{On: "FETCH", With: "BODY", Do: mailtest.Slow})
			h.joins()
			h.until("the letter is read", func() bool { return h.in.Fired() > 0 })
			return func() { h.must(tx.Rollback()) }
		}, false},
		{"a letter is filed", func(h *stopHouse) func() {
			arrived(h)
			h.in.Set(mailtest.Fault{On: "MOVE", Do: mailtest.Stall})
			h.joins()
			h.until("MOVE", func() bool { return h.in.Fired() > 0 })
			return nil
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("it took too long"))
			defer cancel()
			h := newStopHouse(ctx, t)
			h.serves()
			then := tt.busy(h)
			startTime := time.Now()
			h.must(h.daemon.cmd.Process.Signal(syscall.SIGTERM))
			ended := make(chan error, 1)
			go func() { ended <- h.daemon.cmd.Wait() }()
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("the daemon ended with %v\n%s", err, h.daemon.errs.String())
				}
			case <-ctx.Done():
				t.Fatalf("the daemon does not end:\n%s", h.daemon.errs.String())
			}
			duration := time.Since(startTime)
			t.Logf("stopped after %v", duration.Round(10*time.Millisecond))
			// Five seconds for a letter under way, or for a database that is locked.
			if duration > 15*time.Second {
				t.Errorf("it took %v to stop", duration)
			}
			if then != nil {
				then()
			}
			release, err := daemon.Lock(h.cfg.Data)
			h.must(err)
			h.must(release())
			if bytes.Contains(h.daemon.errs.Bytes(), []byte("level=ERROR")) {
				t.Errorf("the log:\n%s", h.daemon.errs.String())
			}

			h.in.Set()
			h.out.Set()
			h.daemon.errs.Reset()
			h.hurry()
			h.serves()
			h.until("both invitations", func() bool {
				return len(h.mailbox("communist", "INBOX")) >= 1 && len(h.mailbox("democrat", "INBOX")) >= 1
			})
			if len(h.mailbox("referee", "INBOX"))+len(h.mailbox("referee", string(mail.Done))) == 0 {
				h.joins()
			}
			h.until("the answer", func() bool { n, _ := h.copies("communist"); return n >= 2 })
			h.until("an empty inbox", func() bool { return len(h.mailbox("referee", "INBOX")) == 0 })
			h.until("an empty outbox", func() bool { return h.waiting() == 0 })
			h.must(h.daemon.cmd.Process.Signal(os.Interrupt))
			h.must(h.daemon.cmd.Wait())
			if v := h.version(); v != 2 {
				t.Errorf("the match has changed %d times, and one letter came", v-1)
			}
			if n := len(h.mailbox("referee", string(mail.Done))); n != 1 || len(h.mailbox("referee", string(mail.Quarantine))) != 0 {
				t.Errorf("%d letters are done", n)
			}
			for name, want := range map[string]int{"communist": 2, "democrat": 1} {
				different, total := h.copies(name)
				if different != want || total != want && !tt.twice {
					t.Errorf("the %s has %d letters, %d of them different; want %d", name, total, different, want)
				}
			}
		})
	}
}
