package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"samizdat/mail/message"
)

// player is a mail program for the demonstration: it reads one mailbox over
// IMAP and sends over SMTP, as a person's would.
type player struct {
	address string
	imap    *imapclient.Client
	smtp    *smtp.Client
	news    chan struct{}
	// seen is the UID of the last letter read; ids are the Message-IDs, since a
	// letter may come twice.
	seen imap.UID
	ids  map[string]bool
	sent int
	// last is the newest letter of the match, which replies go to.
	last message.Letter
}

// newPlayer connects to both servers.
func newPlayer(imapAddr, smtpAddr, address, password string) (*player, error) {
	p := &player{address: address, news: make(chan struct{}, 1), ids: map[string]bool{}}
	var err error
	p.imap, err = imapclient.DialInsecure(imapAddr, &imapclient.Options{
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: func(*imapclient.UnilateralDataMailbox) {
			select {
			case p.news <- struct{}{}:
			default:
			}
		}},
	})
	if err != nil {
		return nil, fmt.Errorf("connect %s to IMAP: %w", address, err)
	}
	if err := p.imap.Login(address, password).Wait(); err != nil {
		return nil, fmt.Errorf("log %s in to IMAP: %w", address, err)
	}
	if _, err := p.imap.Select("INBOX", nil).Wait(); err != nil {
		return nil, fmt.Errorf("open the inbox of %s: %w", address, err)
	}
	if p.smtp, err = smtp.Dial(smtpAddr); err != nil {
		return nil, fmt.Errorf("connect %s to SMTP: %w", address, err)
	}
	if err := p.smtp.Auth(sasl.NewPlainClient("", address, password)); err != nil {
		return nil, fmt.Errorf("log %s in to SMTP: %w", address, err)
	}
	return p, nil
}

func (p *player) close() {
	// The demonstration is over; a connection that will not say goodbye
	// nicely is closed all the same.
	_ = p.smtp.Quit()
	_ = p.imap.Close()
}

// next waits for the next letter and returns it.
func (p *player) next(ctx context.Context) (message.Letter, error) {
	stop := context.AfterFunc(ctx, func() { _ = p.imap.Close() })
	defer stop()
	for {
		l, ok, err := p.fetch()
		if err == nil && !ok {
			err = p.wait(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return message.Letter{}, fmt.Errorf("no letter came for %s: %w", p.address, context.Cause(ctx))
		case err != nil:
			return message.Letter{}, fmt.Errorf("read the mail of %s: %w", p.address, err)
		case ok:
			p.last = l
			return l, nil
		}
	}
}

// fetch reads the oldest letter not read yet.
func (p *player) fetch() (message.Letter, bool, error) {
	// New mail is announced with some command's answer; NOOP asks for it.
	if err := p.imap.Noop().Wait(); err != nil {
		return message.Letter{}, false, err
	}
	var set imap.UIDSet
	set.AddRange(p.seen+1, 0)
	found, err := p.imap.Fetch(set, &imap.FetchOptions{UID: true}).Collect()
	if err != nil {
		return message.Letter{}, false, err
	}
	for _, m := range found {
		if m.UID <= p.seen {
			continue
		}
		body := &imap.FetchItemBodySection{Peek: true}
		got, err := p.imap.Fetch(imap.UIDSetNum(m.UID), &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
		if err != nil {
			return message.Letter{}, false, err
		}
		if len(got) != 1 {
			return message.Letter{}, false, fmt.Errorf("letter %d has gone", m.UID)
		}
		p.seen = m.UID
		l := message.Read(got[0].FindBodySection(body))
		if p.ids[l.MessageID] {
			continue
		}
		p.ids[l.MessageID] = true
		return l, true, nil
	}
	return message.Letter{}, false, nil
}

// wait sleeps in IDLE until the server has news.
func (p *player) wait(ctx context.Context) error {
	idle, err := p.imap.Idle()
	if err != nil {
		return err
	}
	select {
	case <-p.news:
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
	if err := idle.Close(); err != nil {
		return err
	}
	return idle.Wait()
}

// reply answers the newest letter.
func (p *player) reply(text string) error {
	if len(p.last.ReplyTo) == 0 {
		return fmt.Errorf("%s has no letter to reply to", p.address)
	}
	p.sent++
	m := message.Draft{
		From: p.address, To: p.last.ReplyTo[0], Subject: "Re: " + strings.TrimPrefix(p.last.Subject, "Re: "),
		MessageID: fmt.Sprintf("%d.%s", p.sent, p.address), InReplyTo: p.last.MessageID, References: []string{p.last.MessageID},
		Date: time.Now(), Text: text,
	}
	raw, err := m.Render()
	if err != nil {
		return err
	}
	if err := p.smtp.Mail(p.address, nil); err != nil {
		return err
	}
	if err := p.smtp.Rcpt(m.To, nil); err != nil {
		return err
	}
	w, err := p.smtp.Data()
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, bytes.NewReader(raw)); err != nil {
		return err
	}
	return w.Close()
}
