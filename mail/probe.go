package mail

import (
	"cmp"
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
	// LevelOK means that the check found no fault.
	LevelOK Level = "ok"
	// LevelError means that letters will not be transported correctly.
	LevelError Level = "bad"
	// LevelInfo is information that is not a fault.
	LevelInfo Level = "note"
)

// Finding is the result of a check, in sentences.
type Finding struct {
	Level Level
	Text  string
	// Advice says what to do; it may be empty.
	Advice string
}

// Probe tests whether the referee can use a mail account. It logs in to both servers, creates the folders, sends a
// letter to the account's own address, waits for the letter and moves it to a folder. It deletes no letter.
type Probe struct {
	IMAP          IMAPConfig
	SMTP          SMTPConfig
	Address, Name string
	// TokensInSubject reports whether tokens are in subjects, so that plus addressing is not needed.
	TokensInSubject bool
	// HasDaemon reports whether a daemon reads the same inbox and will move the letter.
	HasDaemon bool
	// IsNewDatabase reports whether the database is new. Letters that are already in the inbox then belong to other
	// programs.
	IsNewDatabase bool
	// Wait is the maximum time to wait for the letter; if it is 0, no letter is sent.
	Wait time.Duration
	// OnFinding is called with each finding, in order. Findings contain no password or token.
	OnFinding func(Finding)

	// Tests set these fields; otherwise Run sets them.
	interval time.Duration
	now      func() time.Time
	random   io.Reader
	secrets  *secrets
}

// Run makes all checks in order. It stops after a failure that later checks depend on.
func (p Probe) Run(ctx context.Context) {
	p.IMAP = p.IMAP.WithDefaults()
	p.SMTP = p.SMTP.WithDefaults()
	p.interval = cmp.Or(p.interval, time.Second)
	if p.now == nil {
		p.now = time.Now
	}
	if p.random == nil {
		p.random = rand.Reader
	}
	p.secrets = &secrets{}
	p.secrets.add(p.IMAP.Password)
	p.secrets.add(p.IMAP.credentials().password)
	p.secrets.add(p.SMTP.Password)
	p.secrets.add(p.SMTP.credentials().password)
	for _, login := range []*Login{&p.IMAP.Login, &p.SMTP.Login} {
		if login.Tokens != nil {
			login.Tokens = watchedTokens{login.Tokens, p.secrets}
		}
	}

	c, folders := p.checkInbox(ctx)
	if c != nil {
		defer c.close()
	}
	conn := p.checkSubmission(ctx)
	if conn != nil {
		defer func() { _ = conn.Close() }()
	}
	switch {
	case c == nil || conn == nil || folders == nil:
		p.report(LevelInfo, "no letter was sent because of the errors above; plus addressing and the clock were not checked", "")
	case p.Wait <= 0:
		p.report(LevelInfo, "no letter was sent (as requested); plus addressing and the clock were not checked", "")
	default:
		p.checkDelivery(ctx, c, folders, conn)
	}
}

// report reports a finding, without secrets that a server may have repeated.
func (p *Probe) report(level Level, text, advice string) {
	p.OnFinding(Finding{level, p.secrets.hide(message.OneLine(text)), p.secrets.hide(message.OneLine(advice))})
}

// probeFolder is a folder that may receive the letter. Letters with a UID of at least uidNext came after the probe
// began.
type probeFolder struct {
	name    string
	uidNext uint32
}

// checkInbox logs in and checks what the poller needs. It returns the connection and the folders, the inbox first.
// The connection is nil if the login failed, and the folders are nil if one is missing.
func (p *Probe) checkInbox(ctx context.Context) (*imapConn, []probeFolder) {
	c, err := dialIMAP(ctx, p.IMAP)
	if err != nil {
		p.report(LevelError, "IMAP: "+err.Error(), connectAdvice(err, "imap"))
		return nil, nil
	}
	p.report(LevelOK, fmt.Sprintf("IMAP: connected to %s%s", p.IMAP.Address, protection(p.IMAP.TLS)), "")
	if err := c.login(ctx, p.IMAP); err != nil {
		p.report(LevelError, "IMAP login: "+err.Error(), connectAdvice(err, "imap"))
		c.close()
		return nil, nil
	}
	p.report(LevelOK, fmt.Sprintf("IMAP login: as %s", p.IMAP.User), "")
	p.checkCapabilities(c)
	inbox, n, err := c.openFolder(ctx, p.IMAP.Mailbox)
	if err != nil {
		p.report(LevelError, fmt.Sprintf("IMAP: the inbox %s cannot be opened: %v", p.IMAP.Mailbox, err),
			"set imap: mailbox to an existing folder")
		return c, nil
	}
	p.report(LevelOK, fmt.Sprintf("IMAP: the inbox %s can be opened; letters in it: %d", p.IMAP.Mailbox, n), "")
	if p.IsNewDatabase {
		foreign, err := c.countForeign(ctx, p.IMAP.Mailbox)
		if text, advice := foreign.Describe(); text != "" || err != nil {
			if err != nil {
				text = fmt.Sprintf("checking for letters of other programs failed: %v", err)
			}
			p.report(LevelError, "IMAP: "+text, advice)
		}
	}
	p.checkQuota(ctx, c)
	folders := []probeFolder{inbox}
	for _, letterFolder := range letterFolders {
		err := c.ensureFolder(ctx, letterFolder)
		var folder probeFolder
		if err == nil {
			folder, _, err = c.openFolder(ctx, c.folderName(letterFolder))
		}
		if err != nil {
			p.report(LevelError, fmt.Sprintf("IMAP: the folder %s cannot be created: %v", c.folderName(letterFolder), err),
				"create it by hand, or allow the account to create folders")
			return c, nil
		}
		folders = append(folders, folder)
	}
	p.report(LevelOK, "IMAP: the folders for handled letters exist", "")
	return c, folders
}

// checkCapabilities reports which IMAP extensions the server has. The poller also works without them.
func (p *Probe) checkCapabilities(c *imapConn) {
	var supported []string
	for _, extension := range []struct {
		name, without string
		isSupported   bool
	}{
		{"IDLE", fmt.Sprintf("the inbox is checked every %v, so an answer may take that time", p.IMAP.PollInterval), c.hasIdle},
		{"MOVE", "letters are copied to their folders, and the old copies marked as deleted", c.hasMove},
		{"UIDPLUS", "messages marked as deleted stay in the inbox until a mail program purges them", c.hasUIDPlus || c.hasMove},
	} {
		if extension.isSupported {
			supported = append(supported, extension.name)
			continue
		}
		p.report(LevelInfo, fmt.Sprintf("IMAP: the server has no %s: %s", extension.name, extension.without), "")
	}
	if len(supported) > 0 {
		p.report(LevelOK, "IMAP: the server has "+strings.Join(supported, ", "), "")
	}
}

// minMessageSize is the size in bytes up to which a server must accept messages. Our letters with HTML and a picture
// are smaller.
const minMessageSize = 512 << 10

// checkSubmission logs in to the SMTP server and returns the connection, or nil after an error.
func (p *Probe) checkSubmission(ctx context.Context) transport {
	conn, err := dialSMTP(ctx, p.SMTP)
	if err != nil {
		prefix := "SMTP: "
		if isLoginRefused(err) {
			prefix = "SMTP login: "
		}
		p.report(LevelError, prefix+err.Error(), connectAdvice(err, "smtp"))
		return nil
	}
	p.report(LevelOK, fmt.Sprintf("SMTP: connected to %s%s", p.SMTP.Address, protection(p.SMTP.TLS)), "")
	if p.SMTP.User == "" {
		p.report(LevelInfo, "SMTP: no login, because smtp: user is empty", "")
	} else {
		p.report(LevelOK, "SMTP login: as "+p.SMTP.User, "")
	}
	c, ok := conn.(smtpConn)
	if !ok {
		return conn
	}
	switch size, isAnnounced := c.MaxMessageSize(); {
	case !isAnnounced || size == 0:
		p.report(LevelOK, "SMTP: the server names no limit for the size of a letter", "")
	case size < minMessageSize:
		p.report(LevelError, fmt.Sprintf("SMTP: the server accepts letters of at most %d kB; a letter with a picture may be larger", size>>10),
			"set letters: pictures: false, or use another server")
	default:
		p.report(LevelOK, fmt.Sprintf("SMTP: the server accepts letters of at most %d kB", size>>10), "")
	}
	return conn
}

// protection describes an encryption mode, e.g. ", encrypted with TLS".
func protection(mode string) string {
	switch mode {
	case NoTLS:
		return ", without encryption"
	case StartTLS:
		return ", encrypted with STARTTLS"
	}
	return ", encrypted with TLS"
}

// connectAdvice returns the advice for a failed connection or login. section is the section of the configuration, e.g. "imap".
func connectAdvice(err error, section string) string {
	var dnsError *net.DNSError
	var timeout net.Error
	var silent *noGreetingError
	switch {
	case errors.As(err, &silent) && silent.isTLSPort():
		return fmt.Sprintf("set %s: tls to tls for this port", section)
	case errors.As(err, &dnsError):
		return fmt.Sprintf("check the name in %s: address, and that this machine can resolve names", section)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("no server listens there: check the port in %s: address", section)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("the server did not answer in time: check %s: address and tls, and whether a firewall closes the port", section)
	case strings.Contains(err.Error(), certificateErrorPrefix):
		return fmt.Sprintf("set %s: ca_file to a file in PEM form that this user may read", section)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Sprintf("the server closed the connection: check its log; it may need another %s: tls on this port, "+
			"or have locked this machine out after wrong passwords", section)
	case strings.Contains(strings.ToUpper(err.Error()), "STARTTLS"), strings.Contains(err.Error(), imapErrorPrefix) && isRefusal(err):
		return fmt.Sprintf("the server offers no STARTTLS on this port: set %s: tls to tls, or another port", section)
	}
	if hint := Hint(err); hint != "" {
		return hint
	}
	var refusal *smtp.SMTPError
	if errors.As(err, &refusal) && refusal.Temporary() {
		return "the server is temporarily unavailable: try again in some minutes, then check its log"
	}
	return fmt.Sprintf("check %s: address and tls", section)
}

// secrets are the passwords and tokens that must not appear in findings.
type secrets struct{ values []string }

func (s *secrets) add(secret string) {
	if secret != "" {
		s.values = append(s.values, secret)
	}
}

func (s *secrets) hide(text string) string {
	for _, secret := range s.values {
		text = strings.ReplaceAll(text, secret, "***")
	}
	return text
}

// watchedTokens is a TokenSource that adds each of its tokens to the secrets.
type watchedTokens struct {
	TokenSource
	secrets *secrets
}

func (w watchedTokens) Token(ctx context.Context) (string, error) {
	token, err := w.TokenSource.Token(ctx)
	w.secrets.add(token)
	return token, err
}
