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

var letterFolders = []Folder{Done, Refused, Ignored, Questions, Quarantine}

// findHierarchy finds the prefix and the delimiter of folders on this server, e.g. "INBOX." and "." (RFC 2342).
func (c *imapConn) findHierarchy(ctx context.Context, hasNamespace bool) error {
	c.isPrefixGuessed = true
	if hasNamespace {
		err := c.run(ctx, "namespace", c.timeout, func() error {
			ns, err := c.client.Namespace().Wait()
			if err == nil && len(ns.Personal) > 0 {
				c.prefix, c.isPrefixGuessed = ns.Personal[0].Prefix, false
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
		if !c.isPrefixGuessed {
			return nil
		}
	}
	err := c.run(ctx, "list", c.timeout, func() error {
		mailboxes, err := c.client.List("", "", nil).Collect()
		if err == nil && len(mailboxes) > 0 && mailboxes[0].Delim != 0 {
			c.delim = mailboxes[0].Delim
		}
		return err
	})
	return ignoreRefusal(err)
}

// folderName returns the name of a folder on this server: "Samizdat/Done" becomes "INBOX.Samizdat.Done".
func (c *imapConn) folderName(f Folder) string {
	return c.prefix + strings.ReplaceAll(string(f), "/", string(c.delim))
}

// ensureFolder creates a folder and subscribes to it. It ignores a refusal: usually the folder exists, and if not, the
// server will refuse the move to it.
func (c *imapConn) ensureFolder(ctx context.Context, f Folder) error {
	isCreated, err := c.tryCreate(ctx, f)
	if err != nil || isCreated || !c.isPrefixGuessed || c.prefix != "" {
		return err
	}
	// Some old servers accept folders only below the inbox and do not announce the prefix.
	c.prefix = imapInbox + string(c.delim)
	if isCreated, err = c.tryCreate(ctx, f); !isCreated {
		c.prefix = ""
	}
	return err
}

const imapInbox = "INBOX"

// tryCreate creates a folder and subscribes to it, or finds that it exists. It returns false if the server refuses.
func (c *imapConn) tryCreate(ctx context.Context, f Folder) (found bool, err error) {
	name := c.folderName(f)
	err = c.createMailbox(ctx, name)
	if isCommandRefusal(err) {
		var imapErr *imap.Error
		if errors.As(err, &imapErr) && imapErr.Code == imap.ResponseCodeAlreadyExists {
			return true, nil
		}
		if found, err = c.mailboxExists(ctx, name); found || err != nil {
			return found, err
		}
		// Some servers require the parent folder first.
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

// mailboxExists reports whether a mailbox exists. It also returns false if the server refuses to list the mailbox.
func (c *imapConn) mailboxExists(ctx context.Context, name string) (found bool, err error) {
	err = c.run(ctx, "list", c.timeout, func() error {
		mailboxes, err := c.client.List("", name, nil).Collect()
		found = slices.ContainsFunc(mailboxes, func(d *imap.ListData) bool {
			return d.Mailbox == name && !slices.Contains(d.Attrs, imap.MailboxAttrNonExistent)
		})
		return err
	})
	return found, ignoreRefusal(err)
}

func (c *imapConn) selectMailbox(ctx context.Context, name string) (d *imap.SelectData, err error) {
	err = c.run(ctx, "select", c.timeout, func() (err error) { d, err = c.client.Select(name, nil).Wait(); return err })
	return d, err
}

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

// moveMessages moves messages to a mailbox. If the server lacks MOVE, the messages are copied and flagged \Deleted.
// They are expunged only with UIDPLUS, because EXPUNGE without UIDs would also remove other messages.
func (c *imapConn) moveMessages(ctx context.Context, uids []imap.UID, name string) error {
	if c.hasMove {
		set := imap.UIDSetNum(uids...)
		return c.run(ctx, "move", c.moveTimeout(uids), func() error { _, err := c.client.Move(set, name).Wait(); return err })
	}
	if err := c.copyMessages(ctx, uids, name); err != nil {
		return err
	}
	return c.deleteCopied(ctx, uids)
}

// moveTimeout returns the time-out of a move. It has a second for each letter, because a busy Exchange server needs it,
// and an interrupted move may have to start again from the first letter.
func (c *imapConn) moveTimeout(uids []imap.UID) time.Duration {
	return c.timeout + time.Duration(len(uids))*time.Second
}

func (c *imapConn) copyMessages(ctx context.Context, uids []imap.UID, name string) error {
	set := imap.UIDSetNum(uids...)
	return c.run(ctx, "copy", c.moveTimeout(uids), func() error { _, err := c.client.Copy(set, name).Wait(); return err })
}

func (c *imapConn) deleteCopied(ctx context.Context, uids []imap.UID) error {
	set := imap.UIDSetNum(uids...)
	err := c.run(ctx, "store", c.moveTimeout(uids), func() error {
		return c.client.Store(set, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close()
	})
	if err != nil || !c.hasUIDPlus {
		return err
	}
	return c.run(ctx, "expunge", c.moveTimeout(uids), func() error { return c.client.UIDExpunge(set).Close() })
}

// After a refused batch each letter is moved alone, because one letter may be at fault. If the first maxSingleRefusals
// moves are all refused, e.g. because the mailbox is full, the other letters are not tried.
const maxSingleRefusals = 3

// moveToFolder moves handled letters. A letter that the server refuses to move stays in the inbox for another try.
func (p *Poller) moveToFolder(ctx context.Context, c *imapConn, uids []imap.UID, f Folder) (hasMoved bool, err error) {
	err = p.moveOrCreateFolder(ctx, c, uids, f)
	if err == nil || !isCommandRefusal(err) || isMissingMailbox(err) || len(uids) == 1 {
		return err == nil, p.recordUnmoved(uids, f, err)
	}
	var refused []imap.UID
	for i, uid := range uids {
		oneErr := p.moveOrCreateFolder(ctx, c, uids[i:i+1], f)
		if oneErr == nil {
			hasMoved = true
			continue
		}
		err = oneErr
		if refused = append(refused, uid); !isCommandRefusal(oneErr) || isMissingMailbox(oneErr) {
			break
		}
		if len(refused) == maxSingleRefusals && !hasMoved {
			refused = uids
			break
		}
	}
	if len(refused) == 0 {
		return hasMoved, nil
	}
	return hasMoved, p.recordUnmoved(refused, f, err)
}

// recordUnmoved schedules another try of refused moves. It returns the error if no further letter can be moved over
// this connection.
func (p *Poller) recordUnmoved(uids []imap.UID, f Folder, err error) error {
	if err == nil || !isCommandRefusal(err) {
		return err
	}
	p.moveTrouble.record(p.now(), err, Hint(err))
	p.scheduleRetries(uids, "handled letter could not be moved to "+string(f), err)
	if isMissingMailbox(err) {
		// The folder cannot be created, or the inbox was deleted. Later letters would fail too.
		return err
	}
	return nil
}

func isMissingMailbox(err error) bool {
	var imapErr *imap.Error
	return errors.As(err, &imapErr) && imapErr.Code == imap.ResponseCodeNonExistent
}

func (p *Poller) moveOrCreateFolder(ctx context.Context, c *imapConn, uids []imap.UID, f Folder) error {
	err := p.moveOnce(ctx, c, uids, f)
	var imapErr *imap.Error
	if errors.As(err, &imapErr) && (imapErr.Code == imap.ResponseCodeTryCreate || imapErr.Code == imap.ResponseCodeNonExistent) {
		if err = c.ensureFolder(ctx, f); err == nil {
			err = p.moveOnce(ctx, c, uids, f)
		}
	}
	if err != nil {
		return err
	}
	for _, uid := range uids {
		state := p.letters.stateOf(uint32(uid))
		state.folder = f
		p.movedLetters[uint32(uid)] = state
		delete(p.letters, uint32(uid))
	}
	return nil
}

// moveOnce moves letters. On a server without MOVE, letters that were already copied are not copied again: if the
// server does not set flags, copies would fill the mailbox.
func (p *Poller) moveOnce(ctx context.Context, c *imapConn, uids []imap.UID, f Folder) error {
	if c.hasMove {
		return c.moveMessages(ctx, uids, c.folderName(f))
	}
	var uncopied []imap.UID
	for _, uid := range uids {
		if !p.letters.stateOf(uint32(uid)).isCopied {
			uncopied = append(uncopied, uid)
		}
	}
	if len(uncopied) > 0 {
		if err := c.copyMessages(ctx, uncopied, c.folderName(f)); err != nil {
			return err
		}
		for _, uid := range uncopied {
			p.letters.stateOf(uint32(uid)).isCopied = true
		}
	}
	return c.deleteCopied(ctx, uids)
}

var errStillInInbox = errors.New("the server reported a successful move")

// findUnmoved finds letters that are still in the inbox after a successful move. These letters are not handled again.
// Their move is repeated after a pause, because immediate repetitions might never end.
func (p *Poller) findUnmoved(inbox []imap.UID) {
	if len(p.movedLetters) == 0 {
		return
	}
	var unmoved []imap.UID
	for _, uid := range inbox {
		if state := p.movedLetters[uint32(uid)]; state != nil {
			p.letters[uint32(uid)] = state
			unmoved = append(unmoved, uid)
		}
	}
	p.scheduleRetries(unmoved, "letter is still in the inbox after a move", errStillInInbox)
	clear(p.movedLetters)
}

// rereadFolders moves handled letters that arrived since a time back to the inbox, and returns their number. It is
// called after the database was restored from a backup, and may be repeated: the Handler recognises letters that the
// database contains.
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

// ReturnQuarantined moves the letters in quarantine back to the inbox and returns their number.
func ReturnQuarantined(ctx context.Context, cfg IMAPConfig) (n int, err error) {
	cfg = cfg.WithDefaults()
	err = withConnection(ctx, cfg, func(c *imapConn) error {
		n, err = c.moveToInbox(ctx, Quarantine, time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), cfg.Mailbox)
		return err
	})
	if err != nil {
		return n, fmt.Errorf("move the letters in quarantine back to the inbox: %w", err)
	}
	return n, nil
}

func withConnection(ctx context.Context, cfg IMAPConfig, use func(*imapConn) error) error {
	c, err := dialIMAP(ctx, cfg)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.login(ctx, cfg); err != nil {
		return err
	}
	return use(c)
}

// retryUntilDone calls attempt until it succeeds or ctx is done, with the pauses of a Poller.
func retryUntilDone(ctx context.Context, cfg IMAPConfig, onError func(error, time.Duration), attempt func() error) error {
	waits := cfg.backoffs()
	for {
		err := attempt()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), err)
		}
		if !waits.wait(ctx, err, func(pause time.Duration) { onError(err, pause) }) {
			return context.Cause(ctx)
		}
	}
}

const moveBatchSize = 200

func (c *imapConn) moveToInbox(ctx context.Context, f Folder, since time.Time, inbox string) (n int, err error) {
	if _, err := c.selectMailbox(ctx, c.folderName(f)); err != nil {
		if isCommandRefusal(err) {
			if found, listErr := c.mailboxExists(ctx, c.folderName(f)); !found && listErr == nil {
				return 0, nil // The folder does not exist yet.
			}
		}
		return 0, err
	}
	// The server compares dates in its own time zone, where the date is at most one day before the date in UTC.
	uids, err := c.search(ctx, imap.SearchCriteria{Since: since.UTC().AddDate(0, 0, -1), NotFlag: []imap.Flag{imap.FlagDeleted}})
	for len(uids) > 0 && err == nil {
		batch := uids[:min(len(uids), moveBatchSize)]
		if err = c.moveMessages(ctx, batch, inbox); err == nil {
			n, uids = n+len(batch), uids[len(batch):]
		}
	}
	return n, err
}

// RereadUntilDone moves handled letters that arrived since a time back to the inbox. It retries until it succeeds
// or ctx is done.
func RereadUntilDone(ctx context.Context, cfg IMAPConfig, since time.Time, onError func(error, time.Duration)) (n int, err error) {
	err = retryUntilDone(ctx, cfg.WithDefaults(), onError, func() error {
		moved, err := rereadFolders(ctx, cfg, since)
		n += moved
		return err
	})
	return n, err
}

// ForeignLetters counts letters that were in a mailbox before a new database was created. The operator must decide
// about these letters, because a [Poller] would move all letters in the inbox.
type ForeignLetters struct {
	mailbox, doneFolder string
	// Inbox counts letters in the inbox. Done counts letters that a daemon with another database has handled.
	Inbox, Done uint32
}

// Describe returns the problem and the advice, or empty strings if the mailbox may be used.
func (f ForeignLetters) Describe() (problem, advice string) {
	if f.Inbox > 0 {
		problem = fmt.Sprintf("letters in %s that came before Samizdat: %d; Samizdat moves all letters of its inbox to folders",
			f.mailbox, f.Inbox)
		advice = "give the referee a mailbox of its own, or name a folder for it with imap: mailbox, or clear this one"
	}
	if f.Done > 0 {
		problem = joinNonEmpty(problem, "; and ", fmt.Sprintf("letters in %s: %d, so another database serves or served this mailbox",
			f.doneFolder, f.Done))
		advice = joinNonEmpty(advice, "; ", "serve with the data directory of that database, or restore its backup")
	}
	return problem, advice
}

func joinNonEmpty(a, separator, b string) string {
	if a == "" {
		return b
	}
	return a + separator + b
}

// FindForeignLetters counts foreign letters in a mailbox. It retries until it succeeds or ctx is done.
func FindForeignLetters(ctx context.Context, cfg IMAPConfig, onError func(error, time.Duration)) (f ForeignLetters, err error) {
	cfg = cfg.WithDefaults()
	err = retryUntilDone(ctx, cfg, onError, func() error {
		return withConnection(ctx, cfg, func(c *imapConn) error {
			f, err = c.countForeign(ctx, cfg.Mailbox)
			return err
		})
	})
	return f, err
}

// countForeign counts foreign letters without the test letters of a [Probe]. It leaves the inbox selected.
func (c *imapConn) countForeign(ctx context.Context, inbox string) (f ForeignLetters, err error) {
	f.mailbox, f.doneFolder = inbox, c.folderName(Done)
	found, err := c.mailboxExists(ctx, f.doneFolder)
	if err != nil {
		return f, err
	}
	if found {
		if _, f.Done, err = c.openFolder(ctx, f.doneFolder); err != nil {
			return f, fmt.Errorf("opening the mailbox %q: %w", f.doneFolder, err)
		}
	}
	if _, _, err := c.openFolder(ctx, inbox); err != nil {
		return f, fmt.Errorf("opening the mailbox %q: %w", inbox, err)
	}
	uids, err := c.search(ctx, imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted},
		Not: []imap.SearchCriteria{{Header: []imap.SearchCriteriaHeaderField{{Key: "Subject", Value: probeWordPrefix}}}}})
	f.Inbox = uint32(len(uids))
	return f, err
}
