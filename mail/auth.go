package mail

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"samizdat/mail/message"
)

// Login methods in the configuration.
const (
	// AuthAuto uses the best method that the server offers: OAUTHBEARER or XOAUTH2 with a token, otherwise a password.
	AuthAuto = ""
	// AuthPlain is the SASL mechanism PLAIN.
	AuthPlain = "plain"
	// AuthLogin is the SASL mechanism LOGIN, or the IMAP command LOGIN if the server lacks the mechanism.
	AuthLogin = "login"
	// AuthXOAuth2 is the SASL mechanism XOAUTH2, the login with an access token at Microsoft and Google.
	AuthXOAuth2 = "xoauth2"
	// AuthOAuthBearer is the SASL mechanism OAUTHBEARER (RFC 7628).
	AuthOAuthBearer = "oauthbearer"
)

type credentials struct {
	mechanism, user, password string
	tokens                    TokenSource
}

func (c credentials) needsToken() bool {
	return c.mechanism == AuthXOAuth2 || c.mechanism == AuthOAuthBearer || c.mechanism == AuthAuto && c.tokens != nil
}

// mechanisms returns the SASL mechanisms that may be used, best first.
func (c credentials) mechanisms() []string {
	switch {
	case c.mechanism != AuthAuto:
		return []string{strings.ToUpper(c.mechanism)}
	case c.tokens != nil:
		return []string{sasl.OAuthBearer, xoauth2}
	}
	return []string{sasl.Plain, sasl.Login}
}

type mechanismError struct{ wanted []string }

func (e mechanismError) Error() string {
	return "the server does not offer " + strings.Join(e.wanted, " or ") + " for the login"
}

type noTokenError struct{ err error }

func (e noTokenError) Error() string { return "getting an access token: " + e.err.Error() }
func (e noTokenError) Unwrap() error { return e.err }

// refusedLoginError means that the server refused the credentials. A repeated login may lock the account.
type refusedLoginError struct {
	err error
	// secret is the refused password or token. It is never printed.
	secret string
}

func (e *refusedLoginError) Error() string { return e.err.Error() }
func (e *refusedLoginError) Unwrap() error { return e.err }

// newClient returns the client side of the first mechanism that the server offers. token is the access token of the
// client, or "" if it uses a password.
func (c credentials) newClient(ctx context.Context, offers func(string) bool) (client sasl.Client, token string, err error) {
	wanted := c.mechanisms()
	for _, m := range wanted {
		if !offers(m) {
			continue
		}
		if c.needsToken() {
			if c.tokens == nil {
				return nil, "", noTokenError{errors.New("no token source is configured")}
			}
			if token, err = c.tokens.Token(ctx); err != nil {
				return nil, "", noTokenError{err}
			}
			return &bearer{mechanism: m, user: c.user, token: token}, token, nil
		}
		if m == sasl.Login {
			return sasl.NewLoginClient(c.user, c.password), "", nil
		}
		return sasl.NewPlainClient("", c.user, c.password), "", nil
	}
	return nil, "", mechanismError{wanted}
}

// loginError returns the error of a login, as a refusedLoginError if the credentials were refused. After a refusal, and
// after any other error of an IMAP server, it also tells the token source that the token was refused.
func (c credentials) loginError(token string, err error) error {
	var imapErr *imap.Error
	isRefused := isLoginRefused(err)
	if token != "" && (isRefused || errors.As(err, &imapErr)) {
		c.tokens.MarkRefused(token)
	}
	if isRefused {
		return &refusedLoginError{err: err, secret: cmp.Or(token, c.password)}
	}
	return err
}

func isLoginRefused(err error) bool {
	var smtpErr *smtp.SMTPError
	if errors.As(err, &smtpErr) {
		return smtpErr.Code == 535 || smtpErr.Code == 534 || smtpErr.Code == 530
	}
	var imapErr *imap.Error
	if _, isThrottled := throttlePause(err); isThrottled || !errors.As(err, &imapErr) {
		return false
	}
	switch imapErr.Code {
	case imap.ResponseCodeAuthenticationFailed, imap.ResponseCodeAuthorizationFailed, imap.ResponseCodeExpired,
		imap.ResponseCodePrivacyRequired, imap.ResponseCodeContactAdmin:
		return true
	case "", imap.ResponseCodeAlert, "WEBALERT":
		// With an alert the server shows the user the reason for a refusal, e.g. that an app password is required.
		return imapErr.Type == imap.StatusResponseTypeNo
	}
	return false
}

func readPassword(path, fallback string) string {
	if path == "" {
		return fallback
	}
	b, err := os.ReadFile(path)
	if s := strings.TrimRight(string(b), "\r\n"); err == nil && s != "" {
		return s
	}
	return fallback
}

const xoauth2 = "XOAUTH2"

// bearer is the client side of OAUTHBEARER and XOAUTH2. It replaces the client of go-sasl: when the server refuses the
// token, that client aborts and leaves the connection in an undefined state, but bearer waits for the NO of the server.
type bearer struct {
	mechanism, user, token string
}

func (b *bearer) Start() (mechanism string, ir []byte, err error) {
	if strings.ContainsAny(b.user+b.token, "\x00\x01\r\n") {
		return "", nil, errors.New("user or token contains control characters")
	}
	if b.mechanism == xoauth2 {
		return xoauth2, []byte("user=" + b.user + "\x01auth=Bearer " + b.token + "\x01\x01"), nil
	}
	// "," and "=" are special in the GS2 header (RFC 5801).
	user := strings.NewReplacer("=", "=3D", ",", "=2C").Replace(b.user)
	return sasl.OAuthBearer, []byte("n,a=" + user + ",\x01auth=Bearer " + b.token + "\x01\x01"), nil
}

// Next implements sasl.Client. The only challenge is the server's error message. The reply is a single byte 0x01
// (RFC 7628), also for XOAUTH2: the IMAP library writes an empty reply as "=", which Dovecot rejects.
func (b *bearer) Next([]byte) ([]byte, error) { return []byte{1}, nil }

// TokenSource returns access tokens. It is safe for concurrent use.
type TokenSource interface {
	// Token returns a token that is not known to be invalid.
	Token(ctx context.Context) (string, error)
	// MarkRefused tells the source that a server refused a token, so that the next call of Token returns a fresh token.
	// MarkRefused may be called several times for a token.
	MarkRefused(token string)
}

const (
	// tokenLifetime is how long the token that a token command printed is reused. Tokens are usually valid for an hour.
	tokenLifetime = 5 * time.Minute
	tokenTimeout  = 30 * time.Second
	// maxToken limits the bytes of a token that are read. Real tokens are shorter.
	maxToken = 64 << 10
)

// TokenFile returns a TokenSource that reads a file for every login. Another program must replace an expired token in
// the file.
func TokenFile(path string) TokenSource { return tokenFile(path) }

type tokenFile string

func (f tokenFile) Token(context.Context) (string, error) {
	b, err := os.ReadFile(string(f))
	if err != nil {
		return "", err
	}
	return parseToken(b)
}

func (tokenFile) MarkRefused(string) {}

// TokenCommand returns a TokenSource that runs a command line with sh and reads its output. The token is reused for
// some minutes, or until a server refuses it.
func TokenCommand(line string) TokenSource { return &tokenCommand{line: line, now: time.Now} }

type tokenCommand struct {
	line string
	now  func() time.Time

	mu         sync.Mutex
	token      string
	validUntil time.Time
}

func (c *tokenCommand) Token(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != "" && c.now().Before(c.validUntil) {
		return c.token, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", c.line)
	// A child of the shell may keep the pipe open.
	cmd.WaitDelay = time.Second
	var out, stderr cappedBuffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", fmt.Errorf("token command: the command did not finish within %v", tokenTimeout)
		}
		if line := message.OneLine(stderr.String()); line != "" {
			return "", fmt.Errorf("token command: %w: %s", err, line)
		}
		return "", fmt.Errorf("token command: %w", err)
	}
	token, err := parseToken(out.Bytes())
	if err != nil {
		return "", fmt.Errorf("token command: %w", err)
	}
	c.token, c.validUntil = token, c.now().Add(tokenLifetime)
	return token, nil
}

func (c *tokenCommand) MarkRefused(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == token {
		c.token = ""
	}
}

type cappedBuffer struct{ bytes.Buffer }

func (c *cappedBuffer) Write(b []byte) (int, error) {
	_, _ = c.Buffer.Write(b[:min(len(b), maxToken-c.Len())])
	return len(b), nil
}

// The errors of parseToken do not contain the token.
func parseToken(b []byte) (string, error) {
	s := strings.TrimSpace(string(b))
	switch {
	case s == "":
		return "", errors.New("found no token")
	case strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return "", errors.New("found a text with spaces or control characters in place of a token")
	}
	return s, nil
}

// Login holds the address of a mail server and the data to log in. Fields with a tag are settings of the program.
type Login struct {
	// Address is host:port, e.g. imap.example.org:993.
	Address string `mapstructure:"address"`
	// TLS is "tls" (the default), "starttls" or "none".
	TLS string `mapstructure:"tls"`
	// CAFile is the path of a file with certificates that are trusted in addition to those of the system. It may be "".
	CAFile string `mapstructure:"ca_file"`
	// User may be empty for SMTP: then there is no login.
	User     string `mapstructure:"user"`
	Password string `mapstructure:"password"`
	// PasswordFile is the path of a file with the password. The file is read for every login, so a new password needs no
	// restart. If the file cannot be read, Password is used.
	PasswordFile string `mapstructure:"password_file"`
	// Auth is the login method, by default the best that the server offers (AuthAuto).
	Auth string `mapstructure:"auth"`
	// TokenFile and TokenCommand are sources of access tokens, for a login without password.
	TokenFile    string `mapstructure:"token_file"`
	TokenCommand string `mapstructure:"token_command"`
	// Tokens returns access tokens, by default from TokenFile or TokenCommand.
	Tokens TokenSource
}

func (l Login) withDefaults() Login {
	l.TLS = cmp.Or(l.TLS, TLS)
	switch {
	case l.Tokens != nil:
	case l.TokenFile != "":
		l.Tokens = TokenFile(l.TokenFile)
	case l.TokenCommand != "":
		l.Tokens = TokenCommand(l.TokenCommand)
	}
	return l
}

func (l Login) credentials() credentials {
	return credentials{mechanism: l.Auth, user: l.User, password: readPassword(l.PasswordFile, l.Password), tokens: l.Tokens}
}
