package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

// folders are all we file letters into.
var folders = []Folder{Done, Refused, Ignored, Questions, Quarantine}

// findHierarchy learns where our folders belong in the server's hierarchy: on many
// servers it is under INBOX, and parted by dots.
func (c *imapConn) findHierarchy(ctx context.Context, namespace bool) error {
	c.guessed = true
	if namespace {
		err := c.run(ctx, "namespace", c.timeout, func() error {
			ns, err := c.client.Namespace().Wait()
			if err == nil && len(ns.Personal) > 0 {
				c.prefix, c.guessed = ns.Personal[0].Prefix, false
				if ns.Personal[0].Delim != 0 {
					c.delim = ns.Personal[0].Delim
				}
			}
			return err
		})
		if err := ignoreRefusal(err); err != nil {
			return err
		}
		if c.prefix != "" && !strings.HasSuffix(c.prefix, string(c.delim)) {
			c.prefix += string(c.delim)
		}
		if !c.guessed {
			return nil
		}
	}
	err := c.run(ctx, "list", c.timeout, func() error {
		list, err := c.client.List("", "", nil).Collect()
		if err == nil && len(list) > 0 && list[0].Delim != 0 {
			c.delim = list[0].Delim
		}
		return err
	})
	return ignoreRefusal(err)
}

// folderName gives a folder's name on this server.
func (c *imapConn) folderName(f Folder) string {
	return c.prefix + strings.ReplaceAll(string(f), "/", string(c.delim))
}

// ensureFolder makes a folder and shows it to mail programs. A refusal is no error:
// mostly the folder is there already, and a move will tell if it is not.
func (c *imapConn) ensureFolder(ctx context.Context, f Folder) error {
	made, err := c.tryCreate(ctx, f)
	if err != nil || made || !c.guessed || c.prefix != "" {
		return err
	}
	// Old servers that take folders under the inbox only, and do not say so.
	c.prefix = imapInbox + string(c.delim)
	if made, err = c.tryCreate(ctx, f); !made {
		c.prefix = ""
	}
	return err
}

const imapInbox = "INBOX"

// tryCreate reports whether the folder is there now.
func (c *imapConn) tryCreate(ctx context.Context, f Folder) (there bool, err error) {
	name := c.folderName(f)
	err = c.createMailbox(ctx, name)
	if isCommandRefusal(err) {
		var e *imap.Error
		if errors.As(err, &e) && e.Code == imap.ResponseCodeAlreadyExists {
			return true, nil
		}
		if there, err = c.mailboxExists(ctx, name); there || err != nil {
			return there, err
		}
		// Some servers want the folder above it first.
		if err = c.createMailbox(ctx, name[:strings.LastIndex(name, string(c.delim))]); err == nil || isCommandRefusal(err) {
			err = c.createMailbox(ctx, name)
		}
	}
	if err != nil {
		return false, ignoreRefusal(err)
	}
	return true, ignoreRefusal(c.run(ctx, "subscribe", c.timeout, func() error { return c.client.Subscribe(name).Wait() }))
}

func (c *imapConn) createMailbox(ctx context.Context, name string) error {
	return c.run(ctx, "create", c.timeout, func() error { return c.client.Create(name, nil).Wait() })
}

// mailboxExists asks for one folder. A server that does not answer that has none.
func (c *imapConn) mailboxExists(ctx context.Context, name string) (there bool, err error) {
	err = c.run(ctx, "list", c.timeout, func() error {
		list, err := c.client.List("", name, nil).Collect()
		there = slices.ContainsFunc(list, func(d *imap.ListData) bool {
			return d.Mailbox == name && !slices.Contains(d.Attrs, imap.MailboxAttrNonExistent)
		})
		return err
	})
	return there, ignoreRefusal(err)
}

func (c *imapConn) selectMailbox(ctx context.Context, name string) (d *imap.SelectData, err error) {
	err = c.run(ctx, "select", c.timeout, func() (err error) { d, err = c.client.Select(name, nil).Wait(); return err })
	return d, err
}

// search finds letters in the mailbox that is open.
func (c *imapConn) search(ctx context.Context, criteria imap.SearchCriteria) (uids []imap.UID, err error) {
	err = c.run(ctx, "search", c.timeout, func() error {
		d, err := c.client.UIDSearch(&criteria, nil).Wait()
		if err == nil {
			uids = d.AllUIDs()
		}
		return err
	})
	return uids, err
}

// moveMessages moves messages to a mailbox. Without MOVE they are copied and flagged; they are
// expunged only where that cannot take another's message along.
func (c *imapConn) moveMessages(ctx context.Context, uids []imap.UID, name string) error {
	if c.move {
		set := imap.UIDSetNum(uids...)
		return c.run(ctx, "move", c.moveTimeout(uids), func() error { _, err := c.client.Move(set, name).Wait(); return err })
	}
	if err := c.copyMessages(ctx, uids, name); err != nil {
		return err
	}
	return c.deleteCopied(ctx, uids)
}

// moveTimeout is generous: Exchange takes a second for a letter when it is busy,
// and a move that is broken off may begin from the start.
func (c *imapConn) moveTimeout(uids []imap.UID) time.Duration {
	return c.timeout + time.Duration(len(uids))*time.Second
}

func (c *imapConn) copyMessages(ctx context.Context, uids []imap.UID, name string) error {
	set := imap.UIDSetNum(uids...)
	return c.run(ctx, "copy", c.moveTimeout(uids), func() error { _, err := c.client.Copy(set, name).Wait(); return err })
}

// deleteCopied flags messages that were copied, and takes them out where it can.
func (c *imapConn) deleteCopied(ctx context.Context, uids []imap.UID) error {
	set := imap.UIDSetNum(uids...)
	err := c.run(ctx, "store", c.moveTimeout(uids), func() error {
		return c.client.Store(set, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close()
	})
	if err != nil || !c.uidplus {
		return err
	}
	return c.run(ctx, "expunge", c.moveTimeout(uids), func() error { return c.client.UIDExpunge(set).Close() })
}

// maxSingleRefusals is how many letters are tried alone after a move of many was
// refused: enough to pass over one that cannot be moved, and few enough for a
// mailbox that is full.
const maxSingleRefusals = 3

// fileLetter moves handled letters. A refusal of the server keeps them in the inbox
// and is tried again.
func (p *Poller) moveToFolder(ctx context.Context, c *imapConn, uids []imap.UID, f Folder) (moved bool, err error) {
	err = p.moveOrCreateFolder(ctx, c, uids, f)
	if err == nil || !isCommandRefusal(err) || isMissingMailbox(err) || len(uids) == 1 {
		return err == nil, p.recordUnmoved(uids, f, err)
	}
	var kept []imap.UID
	for i, uid := range uids {
		one := p.moveOrCreateFolder(ctx, c, uids[i:i+1], f)
		if one == nil {
			moved = true
			continue
		}
		err = one
		if kept = append(kept, uid); !isCommandRefusal(one) || isMissingMailbox(one) {
			break
		}
		if len(kept) == maxSingleRefusals && !moved {
			kept = uids
			break
		}
	}
	if len(kept) == 0 {
		return moved, nil
	}
	return moved, p.recordUnmoved(kept, f, err)
}

// recordUnmoved notes that letters could not be moved. It gives back what ends the
// connection.
func (p *Poller) recordUnmoved(uids []imap.UID, f Folder, err error) error {
	if err == nil || !isCommandRefusal(err) {
		return err
	}
	p.moveTrouble.record(p.now(), err, operatorHint(err))
	p.scheduleRetries(uids, "handled letter could not be moved to "+string(f), err)
	if isMissingMailbox(err) {
		// The folder cannot be made, or the mailbox went away under us. The letters
		// behind these come next.
		return err
	}
	return nil
}

// sentAhead says that a mailbox is not there.
func isMissingMailbox(err error) bool {
	var e *imap.Error
	return errors.As(err, &e) && e.Code == imap.ResponseCodeNonExistent
}

// moveOrCreateFolder moves letters, into a folder that is made again if somebody took it away.
func (p *Poller) moveOrCreateFolder(ctx context.Context, c *imapConn, uids []imap.UID, f Folder) error {
	err := p.moveOnce(ctx, c, uids, f)
	var e *imap.Error
	if errors.As(err, &e) && (e.Code == imap.ResponseCodeTryCreate || e.Code == imap.ResponseCodeNonExistent) {
		if err = c.ensureFolder(ctx, f); err == nil {
			err = p.moveOnce(ctx, c, uids, f)
		}
	}
	if err != nil {
		return err
	}
	for _, uid := range uids {
		s := p.letters.state(uint32(uid))
		s.folder = f
		p.moved[uint32(uid)] = s
		delete(p.letters, uint32(uid))
	}
	return nil
}

// moveOnce is a move. What was copied already is not copied again: where a flag
// cannot be set, the copies would fill the mailbox.
func (p *Poller) moveOnce(ctx context.Context, c *imapConn, uids []imap.UID, f Folder) error {
	if c.move {
		return c.moveMessages(ctx, uids, c.folderName(f))
	}
	var fresh []imap.UID
	for _, uid := range uids {
		if !p.letters.state(uint32(uid)).copied {
			fresh = append(fresh, uid)
		}
	}
	if len(fresh) > 0 {
		if err := c.copyMessages(ctx, fresh, c.folderName(f)); err != nil {
			return err
		}
		for _, uid := range fresh {
			p.letters.state(uint32(uid)).copied = true
		}
	}
	return c.deleteCopied(ctx, uids)
}

var errStillThere = errors.New("the server said that it was moved")

// findUnmoved looks for letters that were moved and lie in the inbox all the same:
// the move did nothing, or not yet. They are not handled again, and the move is
// repeated after a pause. Without that the same letters would go round for ever.
func (p *Poller) findUnmoved(inbox []imap.UID) {
	if len(p.moved) == 0 {
		return
	}
	var back []imap.UID
	for _, uid := range inbox {
		if s := p.moved[uint32(uid)]; s != nil {
			p.letters[uint32(uid)] = s
			back = append(back, uid)
		}
	}
	p.scheduleRetries(back, "letter was moved and is still in the inbox", errStillThere)
	clear(p.moved)
}

// rereadFolders moves letters that were handled already, and came at a time or after it,
// back to the inbox: after a restore the database does not know them any more. It
// returns how many there were. Letters that are known all the same are recognised
// when they are handled again. To do it twice does no harm.
func rereadFolders(ctx context.Context, cfg IMAPConfig, since time.Time) (n int, err error) {
	cfg = cfg.WithDefaults()
	err = withConnection(ctx, cfg, func(c *imapConn) error {
		for _, f := range []Folder{Done, Refused, Questions} {
			moved, err := c.moveToInbox(ctx, f, since, cfg.Mailbox)
			if n += moved; err != nil {
				return fmt.Errorf("read %s again: %w", f, err)
			}
		}
		return nil
	})
	return n, err
}

// ReturnQuarantined puts the letters that lie in quarantine back into the inbox, where they are handled like new ones, and returns
// how many there were.
func ReturnQuarantined(ctx context.Context, cfg IMAPConfig) (n int, err error) {
	cfg = cfg.WithDefaults()
	err = withConnection(ctx, cfg, func(c *imapConn) error {
		n, err = c.moveToInbox(ctx, Quarantine, time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), cfg.Mailbox)
		return err
	})
	if err != nil {
		return n, fmt.Errorf("put letters back into the inbox: %w", err)
	}
	return n, nil
}

// withConnection logs in and lets do use the connection.
func withConnection(ctx context.Context, cfg IMAPConfig, do func(*imapConn) error) error {
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

// retryUntilDone tries something until it has worked or ctx is done.
func retryUntilDone(ctx context.Context, cfg IMAPConfig, trouble func(error, time.Duration), try func() error) error {
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

// moveBatch is how many letters are moved by one command.
const moveBatch = 200

// moveToInbox moves letters of a folder to the inbox.
func (c *imapConn) moveToInbox(ctx context.Context, f Folder, since time.Time, inbox string) (n int, err error) {
	if _, err := c.selectMailbox(ctx, c.folderName(f)); err != nil {
		if isCommandRefusal(err) {
			if there, asked := c.mailboxExists(ctx, c.folderName(f)); !there && asked == nil {
				return 0, nil // There is no such folder yet.
			}
		}
		return 0, err
	}
	// The server compares days, in a time zone of its own.
	uids, err := c.search(ctx, imap.SearchCriteria{Since: since.AddDate(0, 0, -1), NotFlag: []imap.Flag{imap.FlagDeleted}})
	for len(uids) > 0 && err == nil {
		some := uids[:min(len(uids), moveBatch)]
		if err = c.moveMessages(ctx, some, inbox); err == nil {
			n, uids = n+len(some), uids[len(some):]
		}
	}
	return n, err
}

// RereadUntilDone puts letters that were handled already, and came at a time or after it,
// back into the inbox. It is tried again until it has worked or ctx is done.
func RereadUntilDone(ctx context.Context, cfg IMAPConfig, since time.Time, trouble func(error, time.Duration)) (n int, err error) {
	err = retryUntilDone(ctx, cfg.WithDefaults(), trouble, func() error {
		moved, err := rereadFolders(ctx, cfg, since)
		n += moved
		return err
	})
	return n, err
}

// ForeignLetters is what lies in a mailbox before a new database has read any letter of it. A
// [Poller] would file it all away.
type ForeignLetters struct {
	mailbox, done string
	// Inbox counts the letters in the inbox, Done those that another database has
	// answered.
	Inbox, Done uint32
}

// Describe says what is there, and what to do about it; nothing where the mailbox may be
// taken.
func (f ForeignLetters) Describe() (what, do string) {
	if f.Inbox > 0 {
		what = fmt.Sprintf("letters in %s that came before Samizdat: %d; all that lies there is filed away, and what comes later too",
			f.mailbox, f.Inbox)
		do = "give the referee a mailbox of its own, or name a folder for it with imap: mailbox, or clear this one"
	}
	if f.Done > 0 {
		what = joinNonEmpty(what, "; and ", fmt.Sprintf("letters in %s: %d, so another database serves this mailbox, or has", f.done, f.Done))
		do = joinNonEmpty(do, "; ", "serve with the data directory of that database, or restore its backup")
	}
	return what, do
}

// joinNonEmpty joins what is there of two texts.
func joinNonEmpty(a, between, b string) string {
	if a == "" {
		return b
	}
	return a + between + b
}

// FindForeignLetters looks into a mailbox. It is tried again until it has worked or ctx is done.
func FindForeignLetters(ctx context.Context, cfg IMAPConfig, trouble func(error, time.Duration)) (f ForeignLetters, err error) {
	cfg = cfg.WithDefaults()
	err = retryUntilDone(ctx, cfg, trouble, func() error {
		return withConnection(ctx, cfg, func(c *imapConn) error {
			f, err = c.countForeign(ctx, cfg.Mailbox)
			return err
		})
	})
	return f, err
}

// countForeign looks into a mailbox; the inbox is open afterwards. What a [Probe] has sent is no
// letter of anybody.
func (c *imapConn) countForeign(ctx context.Context, inbox string) (f ForeignLetters, err error) {
	f.mailbox, f.done = inbox, c.folderName(Done)
	there, err := c.mailboxExists(ctx, f.done)
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
