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

// Hint returns advice to the operator after an error of a mail server, or "" if the operator needs only to wait.
func Hint(err error) string {
	if hint := certificateHint(err); hint != "" {
		return hint
	}
	if _, isThrottled := throttlePause(err); isThrottled {
		return "the server limits requests: check whether other programs use the account"
	}
	var imapErr *imap.Error
	if errors.As(err, &imapErr) {
		if hint := mailboxHint(imapErr); hint != "" {
			return hint
		}
	}
	return loginHint(err)
}

func mailboxHint(imapErr *imap.Error) string {
	text := strings.ToLower(imapErr.Text)
	switch {
	case imapErr.Code == imap.ResponseCodeOverQuota || strings.Contains(text, "quota"):
		return "the mailbox is full: make room, so that letters can be filed"
	case imapErr.Code == imap.ResponseCodeNonExistent || missingPattern.MatchString(text):
		return "the mailbox does not exist: it was deleted or renamed, or the configuration names another"
	case strings.Contains(text, "authenticated but not connected"):
		return "the login is correct, but the account has no mailbox: check user, and the licence of the mailbox"
	case imapErr.Code == imap.ResponseCodeNoPerm || imapErr.Code == "READ-ONLY" || strings.Contains(text, "read-only"):
		return "the account may not change the mailbox: allow it, or configure another mailbox"
	case imapErr.Code == imap.ResponseCodePrivacyRequired:
		return "the server accepts no password without encryption: set tls to tls or starttls"
	}
	return ""
}

// missingPattern matches replies about a missing mailbox from servers without response codes.
var missingPattern = regexp.MustCompile(`(mailbox|folder)\b.{0,20}\b(doesn't|does not) exist|(no such|unknown) (mailbox|folder)`)

func loginHint(err error) string {
	var mechanism mechanismError
	var noToken noTokenError
	var silent *noGreetingError
	switch {
	case errors.As(err, &mechanism):
		return "the server supports none of the configured login mechanisms: change auth, or connect with tls"
	case errors.As(err, &noToken):
		return "there is no access token: check the token command or file as the user of the daemon"
	case isLoginError(err) && isLoginRefused(err) && lockedPattern.MatchString(err.Error()):
		return "the account is closed or locked: ask the provider why, or log in on its web page"
	case isLoginError(err) && isLoginRefused(err):
		return "the server refuses the login: check user and password, or the token"
	case errors.As(err, &silent) && silent.isTLSPort():
		return "the server sends no greeting: set tls to tls for this port"
	case strings.Contains(err.Error(), "first record does not look like a TLS handshake"):
		return "the server does not speak TLS on this port: set tls to starttls, or another port"
	}
	return ""
}

var lockedPattern = regexp.MustCompile(`(?i)\b(suspended|disabled|locked|blocked|deactivated|closed)\b`)

func isLoginError(err error) bool {
	var smtpErr *smtp.SMTPError
	return errors.As(err, &smtpErr) || strings.Contains(err.Error(), "imap login") || strings.Contains(err.Error(), "imap authenticate")
}

func certificateHint(err error) string {
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &host):
		return "the server's certificate is for another name: set address to a name in the certificate"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the server's certificate is not valid today: renew it, or set the clock of this machine"
	case errors.As(err, &unknown):
		return "the server's certificate is not trusted: set ca_file to a file with the certificate of the authority that signed it"
	case errors.As(err, &cert), errors.As(err, &invalid):
		return "the server's certificate is not trusted: replace it"
	}
	return ""
}

// isRefusal reports whether the IMAP server answered NO or BAD. The connection is then still usable. The library has
// no error type for lost connections, so any other error counts as a lost connection.
func isRefusal(err error) bool {
	var imapErr *imap.Error
	return errors.As(err, &imapErr) && imapErr.Type != imap.StatusResponseTypeBye
}

// isCommandRefusal reports whether the server refused a command, and not because it limits requests.
func isCommandRefusal(err error) bool {
	_, isThrottled := throttlePause(err)
	return isRefusal(err) && !isThrottled
}

func ignoreRefusal(err error) error {
	if isCommandRefusal(err) {
		return nil
	}
	return err
}

// throttlePause reports whether an IMAP server has refused a command because it limits requests (ok), and returns the
// pause that the server asks for, or 0. Exchange Online, Gmail and Yahoo may refuse any command so, each in its own
// words.
func throttlePause(err error) (requested time.Duration, ok bool) {
	var imapErr *imap.Error
	if !errors.As(err, &imapErr) {
		return 0, false
	}
	if match := backoffTimePattern.FindStringSubmatch(imapErr.Text); match != nil {
		ms, _ := strconv.ParseInt(match[1], 10, 32)
		return time.Duration(ms) * time.Millisecond, true
	}
	text := strings.ToLower(imapErr.Text)
	for _, phrase := range []string{"throttled", "bandwidth limit", "rate limit", "too many simultaneous", "too many connections",
		"too many concurrent", "number of connections"} {
		if strings.Contains(text, phrase) {
			return 0, true
		}
	}
	// The response code LIMIT does not count: it is about the number of folders or letters.
	return 0, imapErr.Code == "THROTTLED"
}

// backoffTimePattern matches Exchange's "Request is throttled. Suggested Backoff Time: 299961 milliseconds".
var backoffTimePattern = regexp.MustCompile(`(?i)backoff time:? *([0-9]{1,9}) *(?:ms|milliseconds)`)

// Trouble is a lasting problem: letters cannot be received, moved to their folders or sent. If Since is zero, there
// is no trouble.
type Trouble struct {
	Since time.Time
	// Reason is the last error, without addresses. Hint says what to do if waiting is not enough.
	Reason, Hint string
	// LoginRefused reports whether the login was refused. Repeated logins may then lock the account.
	LoginRefused bool
	// Tried reports whether receiving, moving or sending was tried at least once, with or without success.
	Tried bool
}

type troubleState struct {
	mu      sync.Mutex
	trouble Trouble
}

func (s *troubleState) record(now time.Time, err error, hint string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trouble.Tried = true; s.trouble.Since.IsZero() {
		s.trouble.Since = now
	}
	s.trouble.Reason, s.trouble.Hint = message.WithoutAddresses(message.OneLine(err.Error())), hint
	s.trouble.LoginRefused = errors.As(err, new(*refusedLoginError))
}

func (s *troubleState) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = Trouble{Tried: true}
}

func (s *troubleState) get() Trouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

// PollerStatus is the state of a Poller.
type PollerStatus struct {
	// Connection is set if the inbox cannot be read, Moving if handled letters cannot be moved, and Database if the
	// database cannot be used.
	Connection, Moving, Database Trouble
	// QuotaPercent is the used part of the mailbox quota in percent, or zero if unknown.
	QuotaPercent int
	// Failing is the number of letters in the inbox that could not be handled or moved, and InQuarantine the number of
	// letters in the folder Quarantine.
	Failing, InQuarantine int
}

// Status returns the state of the Poller.
func (p *Poller) Status() PollerStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	return PollerStatus{Connection: p.connectionTrouble.get(), Moving: p.moveTrouble.get(), Database: p.faults.trouble.get(),
		QuotaPercent: int(p.percentFull.Load()), Failing: p.failingCount, InQuarantine: int(p.inQuarantine.Load())}
}

// RecordUnreachable records that the inbox could not be reached before Run was called.
func (p *Poller) RecordUnreachable(err error) {
	p.connectionTrouble.record(p.now(), err, Hint(err))
}

// SenderStatus is the state of a Sender.
type SenderStatus struct {
	// Connection is set if the server cannot be reached, Refusal if it accepts no letter of ours, and Database if the
	// database cannot be used.
	Connection, Refusal, Database Trouble
}

// Status returns the state of the Sender.
func (s *Sender) Status() SenderStatus {
	return SenderStatus{Connection: s.connectionTrouble.get(), Refusal: s.refusalTrouble.get(), Database: s.outboxTrouble.get()}
}
