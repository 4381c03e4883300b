package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/mail"
	"samizdat/rules"
)

// loops measures letters through the daemon's loop: of one match, which come one after the
// other, and one of each of many matches.
func (b *bench) loops(ctx context.Context) error {
	return errors.Join(b.oneMatch(ctx, "text and page", false), b.manyMatches(ctx, "text and page", false))
}

// pictureLoops is loops with pictures.
func (b *bench) pictureLoops(ctx context.Context) error {
	return errors.Join(b.oneMatch(ctx, "with pictures", true), b.manyMatches(ctx, "with pictures", true))
}

// seed differs in every loop of a process.
var seed uint64

func (b *bench) oneMatch(ctx context.Context, kind string, pictures bool) (err error) {
	seed++
	id := fmt.Sprintf("one%d", seed)
	letters, err := b.script(ctx, id, seed, b.Letters)
	if err != nil {
		return err
	}
	dir, remove, err := b.scratch("loop")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	m, err := b.make(id, seed, b.best(), 1)
	if err != nil {
		return err
	}
	return b.with(ctx, b.configuration(dir, pictures), func(d *daemon.Daemon) error {
		if err := m.store(ctx, d.Adjudicator); err != nil {
			return err
		}
		if err := b.loop(ctx, d, "letters, 1 match, "+kind, letters); err != nil {
			return err
		}
		after, err := d.DB.Match(ctx, id)
		if err == nil && after.Entries < len(letters) {
			err = fmt.Errorf("%d letters made %d entries only", len(letters), after.Entries)
		}
		return err
	})
}

func (b *bench) manyMatches(ctx context.Context, kind string, pictures bool) error {
	dir, err := b.fill(ctx)
	if err != nil {
		return err
	}
	return b.with(ctx, b.configuration(dir, pictures), func(d *daemon.Daemon) error {
		ids, letters, err := b.nextLetters(ctx, d, b.Letters)
		if err != nil {
			return err
		}
		if err := b.loop(ctx, d, fmt.Sprintf("letters, %s matches, %s", thousands(int64(b.Matches)), kind), letters); err != nil {
			return err
		}
		for i, id := range ids {
			if m, err := d.DB.Match(ctx, id); err != nil {
				return err
			} else if m.Entries == b.Entries {
				return fmt.Errorf("match %s has not moved by the letter:\n%s", id, letters[i])
			}
		}
		return nil
	})
}

// nextLetters are letters with orders, each to one of the many matches that has not moved.
func (b *bench) nextLetters(ctx context.Context, d *daemon.Daemon, n int) (ids []string, letters [][]byte, err error) {
	robots := make([]rules.Robot, len(b.seats))
	for ; len(letters) < n; b.used++ {
		if b.used == b.Matches {
			return nil, nil, fmt.Errorf("all %d matches have moved: make new ones in an empty directory", b.Matches)
		}
		m, err := d.DB.Match(ctx, manyID(b.used))
		if err != nil {
			return nil, nil, err
		}
		if m.Entries != b.Entries {
			continue // In a plan before this one.
		}
		for i := range robots {
			if robots[i], err = b.game.(rules.RobotMaker).Robot(b.best(), uint64(b.used+i)); err != nil {
				return nil, nil, err
			}
		}
		raw, err := b.order(ctx, d, m.ID, robots)
		if err != nil {
			return nil, nil, err
		}
		ids, letters = append(ids, m.ID), append(letters, raw)
	}
	return ids, letters, nil
}

// loopLabel marks in a profile what a daemon and its embedded server do in a loop. There is also
// what prepares it: `go tool pprof -tagfocus=loop` leaves that out.
var loopLabel = pprof.Labels("part", "loop")

// loop lets a daemon serve until it has taken up letters that lie in its inbox, and has sent
// all answers. The null loop goes right before it: what else the machine does falls on both.
func (b *bench) loop(ctx context.Context, d *daemon.Daemon, name string, letters [][]byte) (err error) {
	if err := b.nullLoop(ctx); err != nil {
		return err
	}
	pprof.Do(ctx, loopLabel, func(ctx context.Context) { err = b.answerAll(ctx, d, name, letters) })
	return err
}

// answerAll is loop beside the null loop.
func (b *bench) answerAll(ctx context.Context, d *daemon.Daemon, name string, letters [][]byte) error {
	return b.served(ctx, d, letters, func(ctx context.Context, start func(), box inbox) error {
		began, used := time.Now(), processor()
		start()
		if err := until(ctx, func() (bool, error) { return allAnswered(ctx, d, box) }); err != nil {
			return err
		}
		busy := processor() - used
		sent, err := d.DB.Outbox("").SentSince(ctx, began)
		if err != nil || len(sent) < len(letters) {
			return errors.Join(err, fmt.Errorf("%d letters had %d answers only", len(letters), len(sent)))
		}
		n := float64(len(letters))
		rate := n / sent[len(sent)-1].Sub(began).Seconds()
		b.table.note(name, "letters/s", rate)
		b.table.note(name+", beside the null loop", "%", 100*rate/b.null)
		each := busy / time.Duration(len(letters))
		b.table.note(name+", of the processor", "ms a letter", inMillis(each))
		b.table.note(name+", of the processor, less the null loop", "ms a letter", inMillis(each-b.nullBusy))
		return nil
	})
}

// served lets a daemon serve with letters in its inbox, from when start is called until use
// has returned.
func (b *bench) served(ctx context.Context, d *daemon.Daemon, letters [][]byte, use func(ctx context.Context, start func(), box inbox) error) (err error) {
	in, out, stop, err := b.servers(ctx, d.Config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	box, err := dialInbox(in.Login)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.close()) }()
	if err := box.put(letters); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	served := make(chan error, 1)
	started := false
	err = use(ctx, func() {
		started = true
		go func() {
			err := d.Serve(ctx, in, out)
			cancel(err) // Who waits for it need not wait for ever.
			served <- err
		}()
	}, box)
	cancel(nil)
	if started {
		err = errors.Join(err, <-served)
	}
	return err
}

// servers are the mail servers that were given, or the embedded one with empty mailboxes.
func (b *bench) servers(ctx context.Context, cfg config.Config) (in mail.IMAPConfig, out mail.SMTPConfig, stop func() error, err error) {
	in, out = cfg.IMAP, cfg.SMTP.SMTPConfig
	if b.Servers != nil {
		return in, out, func() error { return nil }, nil
	}
	if err := os.RemoveAll(filepath.Join(cfg.Data, "mail")); err != nil {
		return in, out, nil, err
	}
	server, err := daemon.StartEmbedded(ctx, cfg, &in, &out)
	if err != nil {
		return in, out, nil, err
	}
	return in, out, server.Close, nil
}

// lookAgain is how often it is looked whether what is waited for is there: seldom, for a look
// costs what a part of a letter does. When letters were sent they say themselves.
const lookAgain = 100 * time.Millisecond

// until waits for something.
func until(ctx context.Context, is func() (bool, error)) error {
	for {
		if yes, err := is(); yes || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the loop: %w", context.Cause(ctx))
		case <-time.After(lookAgain):
		}
	}
}

// allAnswered tells whether the inbox is empty, and nothing waits to be sent.
func allAnswered(ctx context.Context, d *daemon.Daemon, box inbox) (bool, error) {
	if _, waits, err := d.DB.Outbox("").NextDue(ctx); waits || err != nil {
		return false, err
	}
	if n, err := box.left(); n > 0 || err != nil {
		return false, err
	}
	s, err := d.DB.Stats(ctx)
	return s.Outbox["waiting"] == 0, err
}

func inMillis(d time.Duration) float64 { return d.Seconds() * 1000 }
