package mail

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
)

// folders are all we file letters into.
var folders = []Folder{Done, Refused, Ignored, Questions, Quarantine}

// place learns where our folders belong in the server's hierarchy: on many
// servers it is under INBOX, and parted by dots.
func (c *imapConn) place(ctx context.Context, namespace bool) error {
	c.guessed = true
	if namespace {
		err := c.do(ctx, "namespace", c.timeout, func() error {
			ns, err := c.client.Namespace().Wait()
			if err == nil && len(ns.Personal) > 0 {
				c.prefix, c.guessed = ns.Personal[0].Prefix, false
				if ns.Personal[0].Delim != 0 {
					c.delim = ns.Personal[0].Delim
				}
			}
			return err
		})
		if err := unlessRefused(err); err != nil {
			return err
		}
		if c.prefix != "" && !strings.HasSuffix(c.prefix, string(c.delim)) {
			c.prefix += string(c.delim)
		}
		if !c.guessed {
			return nil
		}
	}
	err := c.do(ctx, "list", c.timeout, func() error {
		list, err := c.client.List("", "", nil).Collect()
		if err == nil && len(list) > 0 && list[0].Delim != 0 {
			c.delim = list[0].Delim
		}
		return err
	})
	return unlessRefused(err)
}

// name gives a folder's name on this server.
func (c *imapConn) name(f Folder) string {
	return c.prefix + strings.ReplaceAll(string(f), "/", string(c.delim))
}

// create makes a folder and shows it to mail programs. A refusal is no error:
// mostly the folder is there already, and a move will tell if it is not.
func (c *imapConn) create(ctx context.Context, f Folder) error {
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
	name := c.name(f)
	err = c.createBox(ctx, name)
	if answered(err) {
		var e *imap.Error
		if errors.As(err, &e) && e.Code == imap.ResponseCodeAlreadyExists {
			return true, nil
		}
		if there, err = c.exists(ctx, name); there || err != nil {
			return there, err
		}
		// Some servers want the folder above it first.
		if err = c.createBox(ctx, name[:strings.LastIndex(name, string(c.delim))]); err == nil || answered(err) {
			err = c.createBox(ctx, name)
		}
	}
	if err != nil {
		return false, unlessRefused(err)
	}
	return true, unlessRefused(c.do(ctx, "subscribe", c.timeout, func() error { return c.client.Subscribe(name).Wait() }))
}

func (c *imapConn) createBox(ctx context.Context, name string) error {
	return c.do(ctx, "create", c.timeout, func() error { return c.client.Create(name, nil).Wait() })
}

// exists asks for one folder. A server that does not answer that has none.
func (c *imapConn) exists(ctx context.Context, name string) (there bool, err error) {
	err = c.do(ctx, "list", c.timeout, func() error {
		list, err := c.client.List("", name, nil).Collect()
		there = slices.ContainsFunc(list, func(d *imap.ListData) bool {
			return d.Mailbox == name && !slices.Contains(d.Attrs, imap.MailboxAttrNonExistent)
		})
		return err
	})
	return there, unlessRefused(err)
}

func (c *imapConn) selectBox(ctx context.Context, name string) (d *imap.SelectData, err error) {
	err = c.do(ctx, "select", c.timeout, func() (err error) { d, err = c.client.Select(name, nil).Wait(); return err })
	return d, err
}

// search finds letters in the mailbox that is open.
func (c *imapConn) search(ctx context.Context, criteria imap.SearchCriteria) (uids []imap.UID, err error) {
	err = c.do(ctx, "search", c.timeout, func() error {
		d, err := c.client.UIDSearch(&criteria, nil).Wait()
		if err == nil {
			uids = d.AllUIDs()
		}
		return err
	})
	return uids, err
}
