//go:build long && linux

package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/mail"
	"samizdat/rules"
)

// loops measures letters through the daemon's loop: of one match, which come one after the
// other, and one of each of many matches.
func (b *bench) loops(t *testing.T) { b.bothLoops(t, "text and page", "null loop", false) }

// pictureLoops is loops with pictures.
func (b *bench) pictureLoops(t *testing.T) {
	b.bothLoops(t, "with pictures", "null loop, answers as large as with pictures", true)
}

func (b *bench) bothLoops(t *testing.T, kind, nullName string, pictures bool) {
	loop := func(d *daemon.Daemon, matches string, letters [][]byte, size int) {
		// The null loop goes right before: what else the machine does falls on both.
		beside := b.nullLoop(t, nullName, size)
		// `go tool pprof -tagfocus=loop` leaves out what prepares the loops.
		pprof.Do(t.Context(), pprof.Labels("part", "loop"), func(context.Context) {
			b.answerAll(t, d, fmt.Sprintf("letters, %s, %s", matches, kind), letters, beside)
		})
	}
	b.ones++
	id := fmt.Sprintf("one%d", b.ones)
	letters, size := b.script(t, id, b.ones, pictures)
	b.table.note("an answer, "+kind, "kB", float64(size)/1000)
	m, err := b.match(id, b.ones, good, 1)
	check(t, err)
	d := b.open(t, b.configuration(t.TempDir(), pictures))
	_, err = b.store(t.Context(), d, m)
	check(t, err)
	loop(d, "1 match", letters, size)
	after, err := d.DB.Match(t.Context(), id)
	check(t, err)
	if after.EntryCount < len(letters) {
		t.Fatalf("%d letters made %d entries only", len(letters), after.EntryCount)
	}
	check(t, d.Close())

	d = b.open(t, b.configuration(b.many(t), pictures))
	ids, letters := b.nextLetters(t, d)
	loop(d, thousands(b.matches)+" matches", letters, size)
	for i, id := range ids {
		if m, err := d.DB.Match(t.Context(), id); err != nil || m.EntryCount == b.entries {
			t.Fatalf("match %s has not moved by the letter, %v:\n%s", id, err, letters[i])
		}
	}
	check(t, d.Close())
}

// nextLetters are letters with orders, each to one of the many matches that has not moved.
func (b *bench) nextLetters(t *testing.T, d *daemon.Daemon) (ids []string, letters [][]byte) {
	t.Helper()
	for ; len(letters) < b.letters; b.used++ {
		if b.used == b.matches {
			t.Fatalf("all %d matches have moved: make new ones in an empty directory", b.matches)
		}
		id := manyID(b.used)
		m, err := d.DB.Match(t.Context(), id)
		check(t, err)
		if m.EntryCount != b.entries {
			continue // In a plan before this one.
		}
		robots := make([]rules.Robot, len(b.seats))
		for i := range robots {
			robots[i], err = b.game.Robot(good, uint64(b.used+i))
			check(t, err)
		}
		ids, letters = append(ids, id), append(letters, b.order(t, d, id, robots))
	}
	return ids, letters
}

// answerAll lets a daemon serve until it has taken up letters that lie in its inbox, and has
// sent all answers.
func (b *bench) answerAll(t *testing.T, d *daemon.Daemon, name string, letters [][]byte, beside null) {
	t.Helper()
	s := b.serve(t, d, letters)
	s.until(func() bool {
		_, waits, err := d.DB.Outbox("").NextDue(t.Context())
		check(t, err)
		if waits || s.box.left(t) > 0 {
			return false
		}
		stats, err := d.DB.Operator.Stats(t.Context())
		check(t, err)
		return stats.Outbox["waiting"] == 0
	})
	busy := (processor() - s.used) / time.Duration(len(letters))
	sent, err := d.DB.Outbox("").SentSince(t.Context(), s.began)
	check(t, err)
	if len(sent) < len(letters) {
		t.Fatalf("%d letters had %d answers only", len(letters), len(sent))
	}
	s.stop()
	rate := float64(len(letters)) / sent[len(sent)-1].Sub(s.began).Seconds()
	b.table.note(name, "letters/s", rate)
	b.table.note(name+", beside the null loop", "%", 100*rate/beside.rate)
	b.table.note(name+", of the processor", "ms a letter", inMillis(busy))
	b.table.note(name+", of the processor, less the null loop", "ms a letter", inMillis(busy-beside.busy))
}

// servers are mail servers that run, and the referee's inbox at them.
type servers struct {
	in   mail.IMAPConfig
	out  mail.SMTPConfig
	box  inbox
	stop func()
}

// mailServers gives the mail servers that were given, or the embedded one with empty mailboxes.
func (b *bench) mailServers(t *testing.T, cfg config.Config) *servers {
	t.Helper()
	s := &servers{in: cfg.IMAP, out: cfg.SMTP.SMTPConfig}
	at, stop := b.inbox, func() error { return nil }
	if b.servers == nil {
		check(t, os.RemoveAll(filepath.Join(cfg.Data, "mail")))
		server, err := daemon.StartEmbedded(t.Context(), cfg, &s.in, &s.out)
		check(t, err)
		at, stop = s.in.Address, server.Close
	}
	s.box = dialInbox(t, at, s.in.User, s.in.Password)
	s.stop = sync.OnceFunc(func() {
		check(t, s.box.c.Close())
		check(t, stop())
	})
	t.Cleanup(s.stop)
	return s
}

// serving is a daemon that serves, with its mail servers.
type serving struct {
	t   *testing.T
	box inbox
	// began is when it began, used how much of the processor had been used by then.
	began time.Time
	used  time.Duration
	// ctx ends when the daemon does.
	ctx  context.Context
	stop func()
}

// serve lets a daemon serve with letters in its inbox, until it is stopped.
func (b *bench) serve(t *testing.T, d *daemon.Daemon, letters [][]byte) *serving {
	t.Helper()
	servers := b.mailServers(t, d.Config)
	servers.box.put(t, letters)
	ctx, cancel := context.WithCancelCause(t.Context())
	s := &serving{t: t, box: servers.box, began: time.Now(), used: processor(), ctx: ctx}
	served := make(chan error, 1)
	go func() {
		err := d.Serve(ctx, servers.in, servers.out)
		cancel(err) // Who waits for it need not wait for ever.
		served <- err
	}()
	s.stop = sync.OnceFunc(func() {
		cancel(nil)
		check(t, <-served)
		servers.stop()
	})
	t.Cleanup(s.stop)
	return s
}

// until waits for something that the daemon does.
func (s *serving) until(is func() bool) {
	s.t.Helper()
	until(s.ctx, s.t, is)
}

// lookAgain is how often it is looked whether what is waited for is there: seldom, for a look
// costs what a part of a letter does. When letters were sent they say themselves.
const lookAgain = 100 * time.Millisecond

// until waits for something.
func until(ctx context.Context, t *testing.T, is func() bool) {
	t.Helper()
	for !is() {
		select {
		case <-ctx.Done():
			t.Fatal(context.Cause(ctx))
		case <-time.After(lookAgain):
		}
	}
}

// inbox is a mailbox that letters are put into, past all mail servers.
type inbox struct{ c *imapclient.Client }

func dialInbox(t *testing.T, address, user, password string) inbox {
	t.Helper()
	c, err := imapclient.DialInsecure(address, nil)
	check(t, err)
	check(t, c.Login(user, password).Wait())
	return inbox{c}
}

// put puts letters into the inbox.
func (i inbox) put(t *testing.T, letters [][]byte) {
	t.Helper()
	for _, raw := range letters {
		cmd := i.c.Append("INBOX", int64(len(raw)), nil)
		_, err := cmd.Write(raw)
		check(t, err)
		check(t, cmd.Close())
		_, err = cmd.Wait()
		check(t, err)
	}
}

// left counts the letters that lie there.
func (i inbox) left(t *testing.T) uint32 {
	t.Helper()
	s, err := i.c.Status("INBOX", &imap.StatusOptions{NumMessages: true}).Wait()
	check(t, err)
	return *s.NumMessages
}
