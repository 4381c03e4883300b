// Package mailclient is a small mail program for demonstrations and tests: it reads a mailbox over IMAP and sends
// letters over SMTP.
package mailclient

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"samizdat/mail/message"
)

// Account is a mailbox and the addresses of its servers.
type Account struct {
	IMAP, SMTP        string
	Address, Password string
	// TLS encrypts both connections; nil leaves them unencrypted.
	TLS *tls.Config
}

// Client is a mail program with one mailbox. Only Wake is safe for concurrent use.
type Client struct {
	Account
	// Last is the letter that the last call of Next returned. Reply answers it.
	Last message.Letter

	imap     *imapclient.Client
	smtp     *smtp.Client
	notified chan struct{}
	// lastUID is the UID of the last letter read. knownIDs are the Message-IDs of all letters read, because a letter
	// may be delivered twice.
	lastUID   imap.UID
	knownIDs  map[string]bool
	sentCount int
}

// Dial connects to both servers.
func Dial(a Account) (*Client, error) {
	c := &Client{Account: a, notified: make(chan struct{}, 1), knownIDs: map[string]bool{}}
	options := &imapclient.Options{TLSConfig: a.TLS, UnilateralDataHandler: &imapclient.UnilateralDataHandler{
		Mailbox: func(*imapclient.UnilateralDataMailbox) { c.Wake() },
	}}
	dialIMAP, dialSMTP := imapclient.DialInsecure, smtp.Dial
	if a.TLS != nil {
		dialIMAP = imapclient.DialTLS
		dialSMTP = func(address string) (*smtp.Client, error) { return smtp.DialTLS(address, a.TLS) }
	}
	var err error
	if c.imap, err = dialIMAP(a.IMAP, options); err != nil {
		return nil, fmt.Errorf("connect %s to IMAP: %w", a.Address, err)
	}
	if err := c.imap.Login(a.Address, a.Password).Wait(); err != nil {
		return nil, fmt.Errorf("log %s in to IMAP: %w", a.Address, err)
	}
	if _, err := c.imap.Select("INBOX", nil).Wait(); err != nil {
		return nil, fmt.Errorf("open the inbox of %s: %w", a.Address, err)
	}
	if c.smtp, err = dialSMTP(a.SMTP); err != nil {
		return nil, fmt.Errorf("connect %s to SMTP: %w", a.Address, err)
	}
	if err := c.smtp.Auth(sasl.NewPlainClient("", a.Address, a.Password)); err != nil {
		return nil, fmt.Errorf("log %s in to SMTP: %w", a.Address, err)
	}
	return c, nil
}

// Redial reconnects. Letters that were read before are not read again.
func (c *Client) Redial() error {
	redialed, err := Dial(c.Account)
	if err != nil {
		return err
	}
	c.Close()
	redialed.Last, redialed.lastUID, redialed.knownIDs, redialed.sentCount = c.Last, c.lastUID, c.knownIDs, c.sentCount
	*c = *redialed
	return nil
}

// Close ends both connections.
func (c *Client) Close() {
	// A failed QUIT closes the connection too.
	_ = c.smtp.Quit()
	_ = c.imap.Close()
}

// Wake makes a waiting Next fetch mail immediately.
func (c *Client) Wake() {
	select {
	case c.notified <- struct{}{}:
	default:
	}
}

// Next waits for the next letter and returns it.
func (c *Client) Next(ctx context.Context) (message.Letter, error) {
	stop := context.AfterFunc(ctx, func() { _ = c.imap.Close() })
	defer stop()
	for {
		l, ok, err := c.Fetch()
		if err == nil && !ok {
			err = c.waitForMail(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return message.Letter{}, fmt.Errorf("no letter came for %s: %w", c.Address, context.Cause(ctx))
		case err != nil:
			return message.Letter{}, fmt.Errorf("read the mail of %s: %w", c.Address, err)
		case ok:
			c.Last = l
			return l, nil
		}
	}
}

// Fetch returns the oldest letter that was not read before, or false if there is no such letter. It does not change
// Last.
func (c *Client) Fetch() (message.Letter, bool, error) {
	// Servers announce new mail in the answer to a command, so a command without effect (NOOP) is sent.
	if err := c.imap.Noop().Wait(); err != nil {
		return message.Letter{}, false, err
	}
	var set imap.UIDSet
	set.AddRange(c.lastUID+1, 0)
	found, err := c.imap.Fetch(set, &imap.FetchOptions{UID: true}).Collect()
	if err != nil {
		return message.Letter{}, false, err
	}
	for _, m := range found {
		if m.UID <= c.lastUID {
			continue
		}
		body := &imap.FetchItemBodySection{Peek: true}
		fetched, err := c.imap.Fetch(imap.UIDSetNum(m.UID), &imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{body}}).Collect()
		if err != nil {
			return message.Letter{}, false, err
		}
		if len(fetched) != 1 {
			return message.Letter{}, false, fmt.Errorf("letter %d is no longer in the mailbox", m.UID)
		}
		c.lastUID = m.UID
		l := message.Read(fetched[0].FindBodySection(body))
		if c.knownIDs[l.MessageID] {
			continue
		}
		c.knownIDs[l.MessageID] = true
		return l, true, nil
	}
	return message.Letter{}, false, nil
}

// FetchAll returns all letters in the mailbox.
func (c *Client) FetchAll() (raw [][]byte, err error) {
	var all imap.SeqSet
	all.AddRange(1, 0)
	body := &imap.FetchItemBodySection{Peek: true}
	got, err := c.imap.Fetch(all, &imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	for _, m := range got {
		raw = append(raw, m.FindBodySection(body))
	}
	return raw, err
}

// waitForMail waits in IDLE (RFC 2177) until the server announces mail, but at most a second.
func (c *Client) waitForMail(ctx context.Context) error {
	idle, err := c.imap.Idle()
	if err != nil {
		return err
	}
	select {
	case <-c.notified:
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
	if err := idle.Close(); err != nil {
		return err
	}
	return idle.Wait()
}

// Draft returns an answer to Last.
func (c *Client) Draft(text string) (message.Draft, error) {
	if len(c.Last.ReplyTo) == 0 {
		return message.Draft{}, fmt.Errorf("%s has no letter to reply to", c.Address)
	}
	c.sentCount++
	return message.Draft{
		From: c.Address, To: c.Last.ReplyTo[0], Subject: "Re: " + strings.TrimPrefix(c.Last.Subject, "Re: "),
		MessageID: fmt.Sprintf("%d.%s", c.sentCount, c.Address), InReplyTo: c.Last.MessageID, References: []string{c.Last.MessageID},
		Date: time.Now(), Text: text,
	}, nil
}

// Reply answers Last.
func (c *Client) Reply(text string) error {
	d, err := c.Draft(text)
	if err != nil {
		return err
	}
	raw, err := d.Render()
	if err != nil {
		return err
	}
	return c.Send(d.To, raw)
}

// Send sends a letter.
func (c *Client) Send(to string, raw []byte) error {
	return c.smtp.SendMail(c.Address, []string{to}, bytes.NewReader(raw))
}
