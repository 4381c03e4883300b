package mail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/emersion/go-imap/v2"
)

// reread moves letters that were handled already, and came at a time or after it,
// back to the inbox: after a restore the database does not know them any more. It
// returns how many there were. Letters that are known all the same are recognised
// when they are handled again. To do it twice does no harm.
func reread(ctx context.Context, cfg IMAPConfig, since time.Time) (n int, err error) {
	cfg = cfg.WithDefaults()
	err = overConnection(ctx, cfg, func(c *imapConn) error {
		for _, f := range []Folder{Done, Refused, Questions} {
			moved, err := c.takeBack(ctx, f, since, cfg.Mailbox)
			if n += moved; err != nil {
				return fmt.Errorf("read %s again: %w", f, err)
			}
		}
		return nil
	})
	return n, err
}

// Readmit puts the letters that lie in quarantine back into the inbox, where they are handled like new ones, and returns
// how many there were.
func Readmit(ctx context.Context, cfg IMAPConfig) (n int, err error) {
	cfg = cfg.WithDefaults()
	err = overConnection(ctx, cfg, func(c *imapConn) error {
		n, err = c.takeBack(ctx, Quarantine, time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), cfg.Mailbox)
		return err
	})
	if err != nil {
		return n, fmt.Errorf("put letters back into the inbox: %w", err)
	}
	return n, nil
}

// overConnection logs in and lets do use the connection.
func overConnection(ctx context.Context, cfg IMAPConfig, do func(*imapConn) error) error {
	c, err := dialIMAP(ctx, cfg)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.login(ctx, cfg); err != nil {
		return err
	}
	return do(c)
}

// untilDone tries something until it has worked or ctx is done.
func untilDone(ctx context.Context, cfg IMAPConfig, trouble func(error, time.Duration), try func() error) error {
	waits := cfg.backoffs()
	for {
		err := try()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), err)
		}
		if !waits.wait(ctx, err, func(pause time.Duration) { trouble(err, pause) }) {
			return context.Cause(ctx)
		}
	}
}

// atOnce is how many letters are moved by one command.
const atOnce = 200

// takeBack moves letters of a folder to the inbox.
func (c *imapConn) takeBack(ctx context.Context, f Folder, since time.Time, inbox string) (n int, err error) {
	if _, err := c.selectBox(ctx, c.name(f)); err != nil {
		if answered(err) {
			if there, asked := c.exists(ctx, c.name(f)); !there && asked == nil {
				return 0, nil // There is no such folder yet.
			}
		}
		return 0, err
	}
	// The server compares days, in a time zone of its own.
	uids, err := c.search(ctx, imap.SearchCriteria{Since: since.AddDate(0, 0, -1), NotFlag: []imap.Flag{imap.FlagDeleted}})
	for len(uids) > 0 && err == nil {
		some := uids[:min(len(uids), atOnce)]
		if err = c.moveTo(ctx, some, inbox); err == nil {
			n, uids = n+len(some), uids[len(some):]
		}
	}
	return n, err
}

// RereadUntilDone puts letters that were handled already, and came at a time or after it,
// back into the inbox. It is tried again until it has worked or ctx is done.
func RereadUntilDone(ctx context.Context, cfg IMAPConfig, since time.Time, trouble func(error, time.Duration)) (n int, err error) {
	err = untilDone(ctx, cfg.WithDefaults(), trouble, func() error {
		moved, err := reread(ctx, cfg, since)
		n += moved
		return err
	})
	return n, err
}
