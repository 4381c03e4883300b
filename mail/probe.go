package mail

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/emersion/go-smtp"

	"samizdat/mail/message"
)

// Level says how good a Finding is.
type Level string

// The levels.
const (
	// Fine means that nothing has to be done.
	Fine Level = "ok"
	// Wrong means that letters will not go as they should.
	Wrong Level = "bad"
	// Remark is worth knowing, and no fault.
	Remark Level = "note"
)

// Finding is one thing that was looked at, in words.
type Finding struct {
	Level Level
	// What was found.
	What string
	// Do says what to do about it; it may be empty.
	Do string
}

// Probe tries out a mail account as the referee will use it: it logs in at both
// servers, makes the folders, sends a letter to its own address, waits for it and
// files it away. It deletes nothing.
type Probe struct {
	In  IMAPConfig
	Out SMTPConfig
	// Address is the referee's, and Name what stands beside it.
	Address, Name string
	// InSubject says that tokens stand in subjects, so that the part behind a
	// plus is not needed.
	InSubject bool
	// Served says that a daemon reads the same inbox: the letter is left to it.
	Served bool
	// Fresh says that the database is new: what lies in the mailbox is foreign to it.
	Fresh bool
	// Wait is for how long the letter is waited for; 0 sends none.
	Wait time.Duration
	// Tell is called with each finding, in order. No password and no token
	// stands in one.
	Tell func(Finding)

	// Tests set these.
	interval time.Duration
	now      func() time.Time
	random   io.Reader
	secrets  *secrets
}

// Run looks at everything in order. What stands in the way of the rest ends it.
func (p Probe) Run(ctx context.Context) {
	p.In = p.In.WithDefaults()
	p.Out = p.Out.WithDefaults()
	setDefault(&p.interval, time.Second)
	if p.now == nil {
		p.now = time.Now
	}
	if p.random == nil {
		p.random = rand.Reader
	}
	p.secrets = &secrets{}
	p.secrets.add(p.In.Password)
	p.secrets.add(p.In.credentials().password)
	p.secrets.add(p.Out.Password)
	p.secrets.add(p.Out.credentials().password)
	for _, l := range []*Login{&p.In.Login, &p.Out.Login} {
		if l.Tokens != nil {
			l.Tokens = watchedTokens{l.Tokens, p.secrets}
		}
	}

	c, boxes := p.checkInbox(ctx)
	if c != nil {
		defer c.close()
	}
	t := p.checkSubmission(ctx)
	if t != nil {
		defer func() { _ = t.Close() }()
	}
	switch {
	case c == nil || t == nil || boxes == nil:
		p.report(Remark, "no letter was sent, because of the above; plus addressing and the clock were not looked at", "")
	case p.Wait <= 0:
		p.report(Remark, "no letter was sent, as you wished; plus addressing and the clock were not looked at", "")
	default:
		p.checkDelivery(ctx, c, boxes, t)
	}
}

// report reports a finding without the secrets that a server may have repeated.
func (p *Probe) report(l Level, what, do string) {
	p.Tell(Finding{l, p.secrets.hide(message.OneLine(what)), p.secrets.hide(message.OneLine(do))})
}

// probeFolder is a folder that the letter may come to, and the number from which on its
// letters are new.
type probeFolder struct {
	name    string
	uidNext uint32
}

// checkInbox logs in and looks at what the poller needs. The first box is the inbox.
// There is no connection when that failed, and no boxes when one is missing.
func (p *Probe) checkInbox(ctx context.Context) (*imapConn, []probeFolder) {
	c, err := dialIMAP(ctx, p.In)
	if err != nil {
		p.report(Wrong, "IMAP: "+err.Error(), connectAdvice(err, "imap"))
		return nil, nil
	}
	p.report(Fine, fmt.Sprintf("IMAP: connected to %s%s", p.In.Address, protection(p.In.TLS)), "")
	if err := c.login(ctx, p.In); err != nil {
		p.report(Wrong, "IMAP login: "+err.Error(), connectAdvice(err, "imap"))
		c.close()
		return nil, nil
	}
	p.report(Fine, fmt.Sprintf("IMAP login: as %s", p.In.User), "")
	p.checkCapabilities(c)
	inbox, n, err := c.openFolder(ctx, p.In.Mailbox)
	if err != nil {
		p.report(Wrong, fmt.Sprintf("IMAP: the inbox %s cannot be opened: %v", p.In.Mailbox, err), "set imap: mailbox to a folder that is there")
		return c, nil
	}
	p.report(Fine, fmt.Sprintf("IMAP: the inbox %s can be opened; letters in it: %d", p.In.Mailbox, n), "")
	if p.Fresh {
		f, err := c.countForeign(ctx, p.In.Mailbox)
		if what, do := f.Describe(); what != "" || err != nil {
			if err != nil {
				what = fmt.Sprintf("it cannot be seen whether letters of others lie there: %v", err)
			}
			p.report(Wrong, "IMAP: "+what, do)
		}
	}
	p.checkQuota(ctx, c)
	boxes := []probeFolder{inbox}
	for _, f := range folders {
		err := c.ensureFolder(ctx, f)
		var b probeFolder
		if err == nil {
			b, _, err = c.openFolder(ctx, c.folderName(f))
		}
		if err != nil {
			p.report(Wrong, fmt.Sprintf("IMAP: the folder %s cannot be made: %v", c.folderName(f), err), "make it by hand, or let the account make folders")
			return c, nil
		}
		boxes = append(boxes, b)
	}
	p.report(Fine, "IMAP: the folders for handled letters are there", "")
	return c, boxes
}

// checkCapabilities says what is missing among the extensions that the poller uses.
// It does without each of them.
func (p *Probe) checkCapabilities(c *imapConn) {
	var has []string
	for _, x := range []struct {
		name, without string
		there         bool
	}{
		{"IDLE", fmt.Sprintf("the inbox is looked at every %v, so answers take as long", p.In.PollInterval), c.idle},
		{"MOVE", "letters are copied to their folders, and the old copies marked as deleted", c.move},
		{"UIDPLUS", "what is marked as deleted stays in the inbox until a mail program purges it", c.uidplus || c.move},
	} {
		if x.there {
			has = append(has, x.name)
			continue
		}
		p.report(Remark, fmt.Sprintf("IMAP: the server has no %s: %s", x.name, x.without), "")
	}
	if len(has) > 0 {
		p.report(Fine, "IMAP: the server has "+strings.Join(has, ", "), "")
	}
}

// smallestSize is what a server must take: a letter with its page and a picture
// has less.
const smallestSize = 512 << 10

// checkSubmission logs in where letters go out.
func (p *Probe) checkSubmission(ctx context.Context) transport {
	t, err := dialSMTP(ctx, p.Out)
	if err != nil {
		what := "SMTP: "
		if loginRefused(err) {
			what = "SMTP login: "
		}
		p.report(Wrong, what+err.Error(), connectAdvice(err, "smtp"))
		return nil
	}
	p.report(Fine, fmt.Sprintf("SMTP: connected to %s%s", p.Out.Address, protection(p.Out.TLS)), "")
	if p.Out.User == "" {
		p.report(Remark, "SMTP: there is no login, since smtp: user is empty", "")
	} else {
		p.report(Fine, "SMTP login: as "+p.Out.User, "")
	}
	c, ok := t.(smtpConn)
	if !ok {
		return t
	}
	switch size, told := c.MaxMessageSize(); {
	case !told || size == 0:
		p.report(Fine, "SMTP: the server names no limit for the size of a letter", "")
	case size < smallestSize:
		p.report(Wrong, fmt.Sprintf("SMTP: the server takes letters up to %d kB; one with a picture may be longer", size>>10),
			"set letters: pictures: false, or use another server")
	default:
		p.report(Fine, fmt.Sprintf("SMTP: the server takes letters up to %d kB", size>>10), "")
	}
	return t
}

// protection is what a connection's kind of encryption adds to a sentence.
func protection(mode string) string {
	switch mode {
	case NoTLS:
		return ", without encryption"
	case StartTLS:
		return ", encrypted with STARTTLS"
	}
	return ", encrypted with TLS"
}

// connectAdvice says what to do about a connection or a login that failed; key
// is the part of the configuration that it comes from.
func connectAdvice(err error, key string) string {
	var name *net.DNSError
	var timeout net.Error
	var silent *errNoGreeting
	switch {
	case errors.As(err, &silent) && silent.isTLSPort():
		return fmt.Sprintf("this port wants tls: tls, under %s", key)
	case errors.As(err, &name):
		return fmt.Sprintf("check the name in %s: address, and that this machine can resolve names", key)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("nobody listens there: check the port in %s: address", key)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("the server did not answer in time: check %s: address and tls, and whether a firewall closes the port", key)
	case strings.Contains(err.Error(), readingTrust):
		return fmt.Sprintf("set %s: ca_file to a file in PEM form that this user may read", key)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Sprintf("the server ended the connection: its log says why; it may want another %s: tls on this port, "+
			"or shut this machine out after wrong passwords", key)
	case strings.Contains(strings.ToUpper(err.Error()), "STARTTLS"), strings.Contains(err.Error(), connectingIMAP) && isRefusal(err):
		return fmt.Sprintf("the server offers no STARTTLS on this port: set %s: tls to tls, or another port", key)
	}
	if hint := operatorHint(err); hint != "" {
		return hint
	}
	var refusal *smtp.SMTPError
	if errors.As(err, &refusal) && refusal.Temporary() {
		return "the server cannot do it at the moment: try again in some minutes; if it stays so, its log says why"
	}
	return fmt.Sprintf("check %s: address and tls", key)
}

// secrets are what must not be shown. One goroutine uses them.
type secrets struct{ known []string }

func (s *secrets) add(secret string) {
	if secret != "" {
		s.known = append(s.known, secret)
	}
}

func (s *secrets) hide(text string) string {
	for _, k := range s.known {
		text = strings.ReplaceAll(text, k, "***")
	}
	return text
}

// watchedTokens learn the tokens that a source gives.
type watchedTokens struct {
	TokenSource
	secrets *secrets
}

// Token implements TokenSource.
func (w watchedTokens) Token(ctx context.Context) (string, error) {
	token, err := w.TokenSource.Token(ctx)
	w.secrets.add(token)
	return token, err
}
