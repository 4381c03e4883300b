package mail

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"

	"samizdat/mail/message"
)

// operatorHint gives a hint for the operator when waiting will not help.
func operatorHint(err error) string {
	if hint := certificateHint(err); hint != "" {
		return hint
	}
	if _, busy := throttlePause(err); busy {
		return "the server says that it is asked too much: see whether other programs use the account"
	}
	var ie *imap.Error
	if errors.As(err, &ie) {
		if hint := mailboxHint(ie); hint != "" {
			return hint
		}
	}
	return loginHint(err)
}

// mailboxHint is that of an answer which speaks of the mailbox or of the account.
func mailboxHint(e *imap.Error) string {
	text := strings.ToLower(e.Text)
	switch {
	case e.Code == imap.ResponseCodeOverQuota || strings.Contains(text, "quota"):
		return "the mailbox is full: make room, so that letters can be filed"
	case e.Code == imap.ResponseCodeNonExistent || missingWords.MatchString(text):
		return "the mailbox is not there: it was deleted or renamed, or the configuration names another"
	case strings.Contains(text, "authenticated but not connected"):
		return "the login is good, but the account has no such mailbox: check user, and the licence of the mailbox"
	case e.Code == imap.ResponseCodeNoPerm || e.Code == "READ-ONLY" || strings.Contains(text, "read-only"):
		return "the account may not change the mailbox: let it, or name another"
	case e.Code == imap.ResponseCodePrivacyRequired:
		return "the server takes no password without encryption: set tls to tls or starttls"
	}
	return ""
}

// missingWords are what servers say of a mailbox that is not there, where they give no code.
var missingWords = regexp.MustCompile(`(mailbox|folder)\b.{0,20}\b(doesn't|does not) exist|(no such|unknown) (mailbox|folder)`)

// loginHint is that of a connection that never gets as far as the mailbox.
func loginHint(err error) string {
	var mech errMechanism
	var none errNoToken
	var silent *errNoGreeting
	switch {
	case errors.As(err, &mech):
		return "no way to log in: set another auth, or connect with tls"
	case errors.As(err, &none):
		return "there is no access token: see to the token command or file; run it as the user of the daemon"
	case isLoginError(err) && loginRefused(err) && lockedWords.MatchString(err.Error()):
		return "the account is closed or locked: ask its provider why, or log in to its web page and see what it wants"
	case isLoginError(err) && loginRefused(err):
		return "the server refuses the login: check user and password, or the token"
	case errors.As(err, &silent) && silent.isTLSPort():
		return "the server says nothing: this port wants tls: tls"
	case strings.Contains(err.Error(), "first record does not look like a TLS handshake"):
		return "the server does not speak TLS on this port: set tls to starttls, or another port"
	}
	return ""
}

// lockedWords are what servers say of an account that its owner may not use, where the password is right.
var lockedWords = regexp.MustCompile(`(?i)\b(suspended|disabled|locked|blocked|deactivated|closed)\b`)

func isLoginError(err error) bool {
	var se *smtp.SMTPError
	return errors.As(err, &se) || strings.Contains(err.Error(), "imap login") || strings.Contains(err.Error(), "imap authenticate")
}

// certificateHint says what is wrong with a server's certificate, or nothing.
func certificateHint(err error) string {
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &host):
		return "the server's certificate is for another name: set address to a name that stands in it"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the server's certificate is not valid today: have it renewed, or set the clock of this machine"
	case errors.As(err, &unknown):
		return "the server's certificate is not trusted: set ca_file to a file with the certificate of the authority that signed it"
	case errors.As(err, &cert), errors.As(err, &invalid):
		return "the server's certificate is not trusted: have it made anew"
	}
	return ""
}

// reportRefusal says that the IMAP server answered NO or BAD and the connection lives
// on. Any other error of the library means that the connection is lost; it
// gives them as plain text, so there is nothing finer to tell.
func isRefusal(err error) bool {
	var e *imap.Error
	return errors.As(err, &e) && e.Type != imap.StatusResponseTypeBye
}

// isCommandRefusal is a refusal that speaks of what was asked for, and not of how often
// something is asked.
func isCommandRefusal(err error) bool {
	_, busy := throttlePause(err)
	return isRefusal(err) && !busy
}

// ignoreRefusal leaves out such a refusal, where what was asked for can be done without.
func ignoreRefusal(err error) error {
	if isCommandRefusal(err) {
		return nil
	}
	return err
}

// throttlePause says that an IMAP server is asked too much and wants to be left
// alone, and for how long where it tells. Exchange Online, Gmail and Yahoo do it
// in answer to any command, and each in words of its own.
func throttlePause(err error) (asked time.Duration, is bool) {
	var e *imap.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	if m := backoffTime.FindStringSubmatch(e.Text); m != nil {
		ms, _ := strconv.ParseInt(m[1], 10, 32)
		return time.Duration(ms) * time.Millisecond, true
	}
	text := strings.ToLower(e.Text)
	for _, words := range []string{"throttled", "bandwidth limit", "rate limit", "too many simultaneous", "too many connections",
		"too many concurrent", "number of connections"} {
		if strings.Contains(text, words) {
			return 0, true
		}
	}
	// LIMIT is not among them: it is said of how many folders or letters there may be.
	return 0, e.Code == "THROTTLED"
}

// backoffTime is in the answer of Exchange: "Request is throttled. Suggested
// Backoff Time: 299961 milliseconds".
var backoffTime = regexp.MustCompile(`(?i)backoff time:? *([0-9]{1,9}) *(?:ms|milliseconds)`)

// Trouble is why letters do not come in, are not filed, or do not go out. The zero value is none.
type Trouble struct {
	// Since is when it began.
	Since time.Time
	// Reason is what the server or the network said last, without addresses. Hint says what to do
	// where waiting will not help.
	Reason, Hint string
	// LoginRefused: to log in again and again may lock the account.
	LoginRefused bool
	// Known is set when something was tried.
	Known bool
}

// troubleState keeps the trouble that lasts, for other goroutines to read.
type troubleState struct {
	mu      sync.Mutex
	trouble Trouble
}

// record notes that something failed.
func (n *troubleState) record(now time.Time, err error, hint string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.trouble.Known = true; n.trouble.Since.IsZero() {
		n.trouble.Since = now
	}
	n.trouble.Reason, n.trouble.Hint = message.WithoutAddresses(message.OneLine(err.Error())), hint
	n.trouble.LoginRefused = errors.As(err, new(*errRefusedLogin))
}

// clear notes that it went well.
func (n *troubleState) clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.trouble = Trouble{Known: true}
}

func (n *troubleState) get() Trouble {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.trouble
}

// PollerStatus is how a Poller does.
type PollerStatus struct {
	// Connection is why the inbox cannot be read, Filing why letters that are handled cannot be moved out of it, and
	// Fault why the database cannot be used, as far as letters of the inbox show that.
	Connection, Filing, Fault Trouble
	// Full is to what percent the mailbox is full, as the server said last; zero where it does not say.
	Full int
	// Failing is how many letters lie in the inbox because they could not be handled or moved, and InQuarantine how many
	// lie there, as far as the server was asked.
	Failing, InQuarantine int
}

// Status tells how the Poller does.
func (p *Poller) Status() PollerStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	return PollerStatus{Connection: p.connectionTrouble.get(), Filing: p.moveTrouble.get(), Fault: p.faults.trouble.get(),
		Full: int(p.percentFull.Load()), Failing: p.failing, InQuarantine: int(p.inQuarantine.Load())}
}

// RecordUnreachable notes that the inbox could not be reached before Run.
func (p *Poller) RecordUnreachable(err error) {
	p.connectionTrouble.record(p.now(), err, operatorHint(err))
}

// Hint says what to do about an error of a mail server, where waiting will not help.
func Hint(err error) string { return operatorHint(err) }

// SenderStatus is how a Sender does.
type SenderStatus struct {
	// Connection is why the server cannot be reached, Refusal why it takes no letter of ours, whatever that is, and
	// Fault why the database cannot be used, as far as the outbox shows that.
	Connection, Refusal, Fault Trouble
}

// Status tells how the Sender does.
func (s *Sender) Status() SenderStatus {
	return SenderStatus{Connection: s.connectionTrouble.get(), Refusal: s.refusalTrouble.get(), Fault: s.outboxTrouble.get()}
}
