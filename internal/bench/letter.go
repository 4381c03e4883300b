package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/playout"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
)

// configuration is that of a daemon in a directory, with the mail servers that were given.
func (b *bench) configuration(dir string, pictures bool) config.Config {
	c := config.Local(dir, mailboxNames)
	if s := b.Servers; s != nil {
		c.Address, c.IMAP, c.SMTP = s.Address, s.IMAP, s.SMTP
	}
	c.Letters.Pictures = pictures
	return c
}

// unchecked is the file without which a new database takes a mailbox that others have used.
const unchecked = "mailbox-unchecked"

// open opens a daemon. Letters that do nothing are all answered: they are what is measured.
// Given servers have one mailbox for all its databases.
func (b *bench) open(ctx context.Context, cfg config.Config) (*daemon.Daemon, error) {
	d, err := daemon.Open(ctx, cfg, b.Games, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	d.Adjudicator.Answers = nil
	if err := os.Remove(filepath.Join(cfg.Data, unchecked)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// with opens a daemon for as long as use runs.
func (b *bench) with(ctx context.Context, cfg config.Config, use func(*daemon.Daemon) error) error {
	d, err := b.open(ctx, cfg)
	if err != nil {
		return err
	}
	return errors.Join(use(d), d.Close())
}

// number makes the Message-IDs of this process differ from those of all others.
var number = time.Now().UnixNano()

// letter is a letter of a seat, in answer to the one with a number.
func letter(referee string, m *adjudicator.Match, seat rules.Seat, answers int64, text string) ([]byte, error) {
	s := &m.Seats[seat]
	number++
	token := message.NewToken(s.Key, message.Name{Match: m.ID, Holder: int(seat), Number: answers})
	return message.Draft{From: s.Player.Address, To: message.TokenAddress(referee, token.String()), Subject: "Re: " + m.ID,
		MessageID: fmt.Sprintf("%d.bench@samizdat.local", number), Date: time.Now(), Text: text + "\n"}.Render()
}

// received is a letter as the poller hands it on.
func received(raw []byte) mail.Received {
	return mail.Received{UIDValidity: 1, UID: uint32(number), Arrived: time.Now(), Size: int64(len(raw)), Raw: raw}
}

// asked is who is asked first in a match, and the number of the newest letter that asks it.
func (b *bench) asked(ctx context.Context, d *daemon.Daemon, m *adjudicator.Match) (pos rules.Position, o rules.Decision, answers int64, err error) {
	if pos, err = m.At(b.game); err != nil {
		return nil, o, 0, err
	}
	open := m.Unanswered(pos)
	if len(open) == 0 {
		return pos, o, 0, errEnded
	}
	letters, err := d.DB.Letters(ctx, m.ID, open[0].Seat)
	for _, l := range letters {
		if len(l.Decisions) > 0 {
			answers = l.Number
		}
	}
	return pos, open[0], answers, err
}

// order is the letter with which a robot answers what a match asks first.
func (b *bench) order(ctx context.Context, d *daemon.Daemon, match string, robots []rules.Robot) ([]byte, error) {
	m, err := d.DB.Match(ctx, match)
	if err != nil {
		return nil, err
	}
	pos, o, answers, err := b.asked(ctx, d, m)
	if err != nil {
		return nil, err
	}
	atoms, err := playout.Answer(pos, o, robots[o.Seat])
	if err != nil {
		return nil, err
	}
	return letter(d.Config.Address, m, o.Seat, answers, b.game.Line(atoms))
}

// take lets a daemon take a letter up in this process, to the commit.
func take(ctx context.Context, d *daemon.Daemon, raw []byte) error {
	folder, err := d.Handler(func() {}).Handle(ctx, received(raw))
	if err == nil && folder != mail.Done {
		err = fmt.Errorf("a letter was filed in %s:\n%s", folder, raw)
	}
	return err
}

// drain sends nowhere what waits to be sent, and gives the bytes of each letter.
func drain(ctx context.Context, d *daemon.Daemon, each func(raw []byte)) error {
	box := post.NewOutbox(d.DB.Outbox(d.Config.Address), slog.New(slog.DiscardHandler), nil)
	for {
		if n, err := box.Draw(ctx); err != nil {
			return err
		} else if n > 0 {
			continue
		}
		due, err := box.Due(ctx, time.Now().Add(time.Hour), 1000)
		if err != nil || len(due) == 0 {
			return err
		}
		if due, err = box.Finish(ctx, due); err != nil {
			return err
		}
		var ids []int64
		for _, o := range due {
			ids = append(ids, o.ID)
			if each != nil {
				each(o.Raw)
			}
		}
		if err := box.Sent(ctx, ids, time.Now()); err != nil {
			return err
		}
	}
}

// script plays a match by mail in this process, and gives its letters. In a database
// that has the same match, whose letters are answered in the same order, they are as good.
func (b *bench) script(ctx context.Context, id string, seed uint64, n int) (letters [][]byte, err error) {
	dir, remove, err := b.scratch("script")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	m, err := b.make(id, seed, b.best(), 1)
	if err != nil {
		return nil, err
	}
	err = b.with(ctx, b.configuration(filepath.Join(dir, "data"), false), func(d *daemon.Daemon) error {
		if err := m.store(ctx, d.Adjudicator); err != nil {
			return err
		}
		for len(letters) < n {
			raw, err := b.order(ctx, d, id, m.robots)
			if errors.Is(err, errEnded) {
				return nil
			}
			if err != nil {
				return err
			}
			letters = append(letters, raw)
			if err := take(ctx, d, raw); err != nil {
				return err
			}
		}
		return nil
	})
	return letters, err
}
