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

// Level is the severity of a Finding.
type Level string

// Levels of findings.
const (
	// Fine means that all is well.
	Fine Level = "ok"
	// Wrong means that letters will not be transported correctly.
	Wrong Level = "bad"
	// Remark is information that is not a fault.
	Remark Level = "note"
)

// Finding is the result of a check, in sentences.
type Finding struct {
	Level Level
	What  string
	// Do is the advice; it may be empty.
	Do string
}

// Probe tests a mail account as the referee uses it: it logs in to both servers, creates the folders, sends a
// letter to its own address, waits for the letter and moves it to a folder. It deletes nothing.
type Probe struct {
	In  IMAPConfig
	Out SMTPConfig
	// Address and Name are those of the referee.
	Address, Name string
	// InSubject reports whether tokens are in subjects, so plus addressing is not needed.
	InSubject bool
	// HasDaemon reports whether a daemon reads the same inbox and will move the letter.
	HasDaemon bool
	// IsNewDatabase reports whether the database is new, so that letters in the mailbox are foreign.
	IsNewDatabase bool
	// Wait is the time to wait for the letter; 0 sends none.
	Wait time.Duration
	// Tell is called with each finding, in order. Findings contain no password or token.
	Tell func(Finding)

	// Set by tests.
	interval time.Duration
	now      func() time.Time
	random   io.Reader
	secrets  *secrets
}

// Run makes all checks in order. It stops after a failure that later checks depend on.
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
		p.report(Remark, "no letter was sent because of the errors above; plus addressing and the clock were not checked", "")
	case p.Wait <= 0:
		p.report(Remark, "no letter was sent (as requested); plus addressing and the clock were not checked", "")
	default:
		p.checkDelivery(ctx, c, boxes, t)
	}
}

// report reports a finding, without secrets that a server may have repeated.
func (p *Probe) report(l Level, what, do string) {
	p.Tell(Finding{l, p.secrets.hide(message.OneLine(what)), p.secrets.hide(message.OneLine(do))})
}

// probeFolder is a folder where the letter may arrive; UIDs from uidNext on are new.
type probeFolder struct {
	name    string
	uidNext uint32
}

// checkInbox logs in and checks what the poller needs. The first folder is the inbox. The connection is nil if the
// login failed, and the folders are nil if one is missing.
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
		p.report(Wrong, fmt.Sprintf("IMAP: the inbox %s cannot be opened: %v", p.In.Mailbox, err), "set imap: mailbox to an existing folder")
		return c, nil
	}
	p.report(Fine, fmt.Sprintf("IMAP: the inbox %s can be opened; letters in it: %d", p.In.Mailbox, n), "")
	if p.IsNewDatabase {
		f, err := c.countForeign(ctx, p.In.Mailbox)
		if what, do := f.Describe(); what != "" || err != nil {
			if err != nil {
				what = fmt.Sprintf("checking for letters of other programs failed: %v", err)
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
			p.report(Wrong, fmt.Sprintf("IMAP: the folder %s cannot be created: %v", c.folderName(f), err),
				"create it by hand, or allow the account to create folders")
			return c, nil
		}
		boxes = append(boxes, b)
	}
	p.report(Fine, "IMAP: the folders for handled letters exist", "")
	return c, boxes
}

// checkCapabilities reports missing extensions. The poller works without them.
func (p *Probe) checkCapabilities(c *imapConn) {
	var has []string
	for _, x := range []struct {
		name, without string
		hasIt         bool
	}{
		{"IDLE", fmt.Sprintf("the inbox is checked every %v, so answers take as long", p.In.PollInterval), c.idle},
		{"MOVE", "letters are copied to their folders, and the old copies marked as deleted", c.move},
		{"UIDPLUS", "messages marked as deleted stay in the inbox until a mail program purges them", c.uidplus || c.move},
	} {
		if x.hasIt {
			has = append(has, x.name)
			continue
		}
		p.report(Remark, fmt.Sprintf("IMAP: the server has no %s: %s", x.name, x.without), "")
	}
	if len(has) > 0 {
		p.report(Fine, "IMAP: the server has "+strings.Join(has, ", "), "")
	}
}

// minMessageSize is the message size that a server must accept. A letter with HTML and picture is smaller.
const minMessageSize = 512 << 10

func (p *Probe) checkSubmission(ctx context.Context) transport {
	t, err := dialSMTP(ctx, p.Out)
	if err != nil {
		what := "SMTP: "
		if isLoginRefused(err) {
			what = "SMTP login: "
		}
		p.report(Wrong, what+err.Error(), connectAdvice(err, "smtp"))
		return nil
	}
	p.report(Fine, fmt.Sprintf("SMTP: connected to %s%s", p.Out.Address, protection(p.Out.TLS)), "")
	if p.Out.User == "" {
		p.report(Remark, "SMTP: no login, because smtp: user is empty", "")
	} else {
		p.report(Fine, "SMTP login: as "+p.Out.User, "")
	}
	c, ok := t.(smtpConn)
	if !ok {
		return t
	}
	switch size, announced := c.MaxMessageSize(); {
	case !announced || size == 0:
		p.report(Fine, "SMTP: the server names no limit for the size of a letter", "")
	case size < minMessageSize:
		p.report(Wrong, fmt.Sprintf("SMTP: the server takes letters up to %d kB; a letter with a picture may be larger", size>>10),
			"set letters: pictures: false, or use another server")
	default:
		p.report(Fine, fmt.Sprintf("SMTP: the server takes letters up to %d kB", size>>10), "")
	}
	return t
}

func protection(mode string) string {
	switch mode {
	case NoTLS:
		return ", without encryption"
	case StartTLS:
		return ", encrypted with STARTTLS"
	}
	return ", encrypted with TLS"
}

// connectAdvice returns the advice for a failed connection or login; key is the section of the configuration.
func connectAdvice(err error, key string) string {
	var name *net.DNSError
	var timeout net.Error
	var silent *noGreetingError
	switch {
	case errors.As(err, &silent) && silent.isTLSPort():
		return fmt.Sprintf("this port needs tls: tls, under %s", key)
	case errors.As(err, &name):
		return fmt.Sprintf("check the name in %s: address, and that this machine can resolve names", key)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("no server listens there: check the port in %s: address", key)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("the server did not answer in time: check %s: address and tls, and whether a firewall closes the port", key)
	case strings.Contains(err.Error(), certificateErrorPrefix):
		return fmt.Sprintf("set %s: ca_file to a file in PEM form that this user may read", key)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Sprintf("the server closed the connection: check its log; it may need another %s: tls on this port, "+
			"or have locked this machine out after wrong passwords", key)
	case strings.Contains(strings.ToUpper(err.Error()), "STARTTLS"), strings.Contains(err.Error(), imapErrorPrefix) && isRefusal(err):
		return fmt.Sprintf("the server offers no STARTTLS on this port: set %s: tls to tls, or another port", key)
	}
	if hint := Hint(err); hint != "" {
		return hint
	}
	var refusal *smtp.SMTPError
	if errors.As(err, &refusal) && refusal.Temporary() {
		return "the server is temporarily unavailable: try again in some minutes, then check its log"
	}
	return fmt.Sprintf("check %s: address and tls", key)
}

type secrets struct{ values []string }

func (s *secrets) add(secret string) {
	if secret != "" {
		s.values = append(s.values, secret)
	}
}

func (s *secrets) hide(text string) string {
	for _, k := range s.values {
		text = strings.ReplaceAll(text, k, "***")
	}
	return text
}

type watchedTokens struct {
	TokenSource
	secrets *secrets
}

func (w watchedTokens) Token(ctx context.Context) (string, error) {
	token, err := w.TokenSource.Token(ctx)
	w.secrets.add(token)
	return token, err
}
