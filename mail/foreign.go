package mail

import (
	"context"
	"fmt"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Foreign is what lies in a mailbox before a new database has read any letter of it. A
// [Poller] would file it all away.
type Foreign struct {
	mailbox, done string
	// Inbox counts the letters in the inbox, Done those that another database has
	// answered.
	Inbox, Done uint32
}

// Words says what is there, and what to do about it; nothing where the mailbox may be
// taken.
func (f Foreign) Words() (what, do string) {
	if f.Inbox > 0 {
		what = fmt.Sprintf("letters in %s that came before Samizdat: %d; all that lies there is filed away, and what comes later too", f.mailbox, f.Inbox)
		do = "give the referee a mailbox of its own, or name a folder for it with imap: mailbox, or clear this one"
	}
	if f.Done > 0 {
		what = joinWith(what, "; and ", fmt.Sprintf("letters in %s: %d, so another database serves this mailbox, or has", f.done, f.Done))
		do = joinWith(do, "; ", "serve with the data directory of that database, or restore its backup")
	}
	return what, do
}

// joinWith joins what is there of two texts.
func joinWith(a, between, b string) string {
	if a == "" {
		return b
	}
	return a + between + b
}

// LookForForeign looks into a mailbox. It is tried again until it has worked or ctx is done.
func LookForForeign(ctx context.Context, cfg IMAPConfig, trouble func(error, time.Duration)) (f Foreign, err error) {
	cfg = cfg.WithDefaults()
	err = untilDone(ctx, cfg, trouble, func() error {
		return overConnection(ctx, cfg, func(c *imapConn) error {
			f, err = c.foreign(ctx, cfg.Mailbox)
			return err
		})
	})
	return f, err
}

// foreign looks into a mailbox; the inbox is open afterwards. What a [Probe] has sent is no
// letter of anybody.
func (c *imapConn) foreign(ctx context.Context, inbox string) (f Foreign, err error) {
	f.mailbox, f.done = inbox, c.name(Done)
	there, err := c.exists(ctx, f.done)
	if err != nil {
		return f, err
	}
	if there {
		if _, f.Done, err = c.openFolder(ctx, f.done); err != nil {
			return f, fmt.Errorf("opening the mailbox %q: %w", f.done, err)
		}
	}
	if _, _, err := c.openFolder(ctx, inbox); err != nil {
		return f, fmt.Errorf("opening the mailbox %q: %w", inbox, err)
	}
	uids, err := c.search(ctx, imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted},
		Not: []imap.SearchCriteria{{Header: []imap.SearchCriteriaHeaderField{{Key: "Subject", Value: probeWord}}}}})
	f.Inbox = uint32(len(uids))
	return f, err
}
