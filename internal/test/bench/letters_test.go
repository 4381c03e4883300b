//go:build long && linux

package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/playout"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
)

// unchecked is the file without which a new database takes a mailbox that others have used.
const unchecked = "mailbox-unchecked"

// open opens a daemon. Letters that do nothing are all answered: they are what is measured.
// Given servers have one mailbox for all its databases.
func (b *bench) open(t *testing.T, cfg config.Config) *daemon.Daemon {
	t.Helper()
	d, err := daemon.Open(t.Context(), cfg, rules.Games{b.game}, slog.New(slog.DiscardHandler))
	check(t, err)
	d.Adjudicator.ReplyLimits = nil
	// What the program finds in a database is of its own build.
	if b.build == "" {
		p := b.daemon(t, t.TempDir())
		p.stop(t)
		b.build = regexp.MustCompile(`build=(\S+)`).FindStringSubmatch(p.errs.String())[1]
	}
	d.Adjudicator.Build = b.build
	if err := os.Remove(filepath.Join(cfg.Data, unchecked)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return d
}

// number makes the Message-IDs of this process differ from those of all others.
var number = time.Now().UnixNano()

// letter is a letter of a seat, in answer to the one with a number.
func letter(t *testing.T, referee string, m *match.Match, seat rules.Seat, answers int64, text string) []byte {
	t.Helper()
	s := &m.Seats[seat]
	number++
	token := message.NewToken(s.Key, message.LetterName{Match: m.ID, Reader: int(seat), Number: answers})
	raw, err := message.Draft{From: s.Player.Address, To: message.TokenAddress(referee, token.String()), Subject: "Re: " + m.ID,
		MessageID: fmt.Sprintf("%d.bench@samizdat.local", number), Date: time.Now(), Text: text + "\n"}.Render()
	check(t, err)
	return raw
}

// order is the letter with which a robot answers what a match asks first; nil when it is over.
func (b *bench) order(t *testing.T, d *daemon.Daemon, match string, robots []rules.Robot) []byte {
	t.Helper()
	m, err := d.DB.Match(t.Context(), match)
	check(t, err)
	pos, err := m.CurrentPosition(b.game)
	check(t, err)
	open := m.UnansweredDecisions(pos)
	if len(open) == 0 {
		return nil
	}
	sent, err := d.DB.Letters(t.Context(), match, open[0].Seat)
	check(t, err)
	var answers int64
	for _, l := range sent {
		if len(l.Decisions) > 0 {
			answers = l.Number
		}
	}
	atoms, err := playout.Answer(pos, open[0], robots[open[0].Seat])
	check(t, err)
	return letter(t, d.Config.Address, m, open[0].Seat, answers, b.game.FormatOrder(atoms))
}

// handle lets a daemon take a letter up in this process, to the commit.
func handle(t *testing.T, d *daemon.Daemon, raw []byte) (mail.Folder, error) {
	t.Helper()
	in := mail.Received{UIDValidity: 1, UID: uint32(number), Arrived: time.Now(), Size: int64(len(raw)), Raw: raw}
	return d.Handler(func() {}).Handle(t.Context(), in)
}

// take is handle for a letter that does something.
func take(t *testing.T, d *daemon.Daemon, raw []byte) {
	t.Helper()
	if folder, err := handle(t, d, raw); err != nil || folder != mail.Done {
		t.Fatalf("a letter was filed in %q, %v:\n%s", folder, err, raw)
	}
}

// drain sends nowhere what waits to be sent, and gives the bytes of each letter.
func drain(t *testing.T, d *daemon.Daemon, each func(raw []byte)) {
	t.Helper()
	ctx := t.Context()
	box := post.NewOutbox(d.DB.Outbox(d.Config.Address), slog.New(slog.DiscardHandler), nil)
	for {
		due, err := box.Due(ctx, time.Now().Add(time.Hour), 1000)
		check(t, err)
		if len(due) == 0 && box.DrawPictures(ctx) > 0 {
			continue
		}
		if len(due) == 0 {
			return
		}
		var ids []int64
		for _, o := range due {
			ids = append(ids, o.ID)
			if each != nil {
				each(o.Raw)
			}
		}
		check(t, box.MarkSent(ctx, ids, time.Now()))
	}
}

// script plays a match by mail in this process, and gives its letters and the size of their
// answers, on average. In a database that has the same match, whose letters are answered in the
// same order, the letters are as good.
func (b *bench) script(t *testing.T, id string, seed uint64, pictures bool) (letters [][]byte, answer int) {
	t.Helper()
	m, err := b.match(id, seed, good, 1)
	check(t, err)
	d := b.open(t, b.configuration(t.TempDir(), pictures))
	_, err = b.store(t.Context(), d, m)
	check(t, err)
	drain(t, d, nil)
	for len(letters) < b.letters {
		raw := b.order(t, d, id, m.Robots)
		if raw == nil {
			break
		}
		letters = append(letters, raw)
		take(t, d, raw)
	}
	answers := 0
	drain(t, d, func(raw []byte) { answer += len(raw); answers++ })
	check(t, d.Close())
	return letters, answer / answers
}
