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

// The ways to log in, as the configuration names them.
const (
	// AuthAuto takes the best the server offers: with a token OAUTHBEARER or
	// XOAUTH2, else a password.
	AuthAuto = ""
	// AuthPlain is the SASL mechanism PLAIN.
	AuthPlain = "plain"
	// AuthLogin is LOGIN: the IMAP command, or the SASL mechanism of old servers.
	AuthLogin = "login"
	// AuthXOAuth2 is the token login of Microsoft and Google.
	AuthXOAuth2 = "xoauth2"
	// AuthOAuthBearer is the token login of RFC 7628.
	AuthOAuthBearer = "oauthbearer"
)

// credentials is what a login needs.
type credentials struct {
	mechanism, user, password string
	tokens                    TokenSource
}

// wantsToken tells whether the login is by an access token.
func (c credentials) wantsToken() bool {
	return c.mechanism == AuthXOAuth2 || c.mechanism == AuthOAuthBearer || c.mechanism == AuthAuto && c.tokens != nil
}

// mechanisms gives the mechanisms that would do, the best first.
func (c credentials) mechanisms() []string {
	switch {
	case c.mechanism != AuthAuto:
		return []string{strings.ToUpper(c.mechanism)}
	case c.tokens != nil:
		return []string{sasl.OAuthBearer, xoauth2}
	}
	return []string{sasl.Plain, sasl.Login}
}

// errMechanism says that the server offers no way to log in that we have.
type errMechanism struct{ wanted []string }

func (e errMechanism) Error() string {
	return "the server does not offer " + strings.Join(e.wanted, " or ") + " for the login"
}

// errNoToken says that there is no access token to log in with.
type errNoToken struct{ err error }

func (e errNoToken) Error() string { return "getting an access token: " + e.err.Error() }
func (e errNoToken) Unwrap() error { return e.err }

// errRefusedLogin says that the server answered and did not like our
// credentials. To show the same ones again and again may lock the account.
type errRefusedLogin struct {
	err error
	// secret is the password or token that was shown. It is never printed.
	secret string
}

func (e *errRefusedLogin) Error() string { return e.err.Error() }
func (e *errRefusedLogin) Unwrap() error { return e.err }

// newClient gives the client side of the first mechanism the server offers. The
// token is the one in use, so that it can be dropped when it is refused.
func (c credentials) newClient(ctx context.Context, offers func(string) bool) (client sasl.Client, token string, err error) {
	wanted := c.mechanisms()
	for _, m := range wanted {
		if !offers(m) {
			continue
		}
		if c.wantsToken() {
			if c.tokens == nil {
				return nil, "", errNoToken{errors.New("none is configured")}
			}
			if token, err = c.tokens.Token(ctx); err != nil {
				return nil, "", errNoToken{err}
			}
			return &bearer{mechanism: m, user: c.user, token: token}, token, nil
		}
		if m == sasl.Login {
			return sasl.NewLoginClient(c.user, c.password), "", nil
		}
		return sasl.NewPlainClient("", c.user, c.password), "", nil
	}
	return nil, "", errMechanism{wanted}
}

// loginError is the error of a login that was tried, if it was refused with what was shown. A
// token that a server did not take is dropped: it may have ended.
func (c credentials) loginError(token string, err error) error {
	var ie *imap.Error
	no := loginRefused(err)
	if token != "" && (no || errors.As(err, &ie)) {
		c.tokens.Refused(token)
	}
	if no {
		return &errRefusedLogin{err: err, secret: cmp.Or(token, c.password)}
	}
	return err
}

// loginRefused says that the server answered and did not like our credentials.
func loginRefused(err error) bool {
	var se *smtp.SMTPError
	if errors.As(err, &se) {
		return se.Code == 535 || se.Code == 534 || se.Code == 530
	}
	var ie *imap.Error
	if _, busy := throttlePause(err); busy || !errors.As(err, &ie) {
		return false
	}
	switch ie.Code {
	case imap.ResponseCodeAuthenticationFailed, imap.ResponseCodeAuthorizationFailed, imap.ResponseCodeExpired,
		imap.ResponseCodePrivacyRequired, imap.ResponseCodeContactAdmin:
		return true
	case "", imap.ResponseCodeAlert, "WEBALERT":
		// An alert is a text to be shown, such as that an app password is wanted.
		return ie.Type == imap.StatusResponseTypeNo
	}
	return false
}

// readPassword reads the password from a file. Without one, or when there is
// nothing in it just now, the password is the given one.
func readPassword(path, given string) string {
	if path == "" {
		return given
	}
	b, err := os.ReadFile(path)
	if s := strings.TrimRight(string(b), "\r\n"); err == nil && s != "" {
		return s
	}
	return given
}

const xoauth2 = "XOAUTH2"

// bearer is the client side of OAUTHBEARER and XOAUTH2. The library's own ends
// the exchange in the middle when the token is refused, and leaves the connection
// in doubt; this one lets the server say its no.
type bearer struct {
	mechanism, user, token string
}

// Start implements sasl.Client.
func (b *bearer) Start() (mech string, ir []byte, err error) {
	if strings.ContainsAny(b.user+b.token, "\x00\x01\r\n") {
		return "", nil, errors.New("user or token hold control characters")
	}
	if b.mechanism == xoauth2 {
		return xoauth2, []byte("user=" + b.user + "\x01auth=Bearer " + b.token + "\x01\x01"), nil
	}
	// "," and "=" have a meaning in the header of the exchange.
	user := strings.NewReplacer("=", "=3D", ",", "=2C").Replace(b.user)
	return sasl.OAuthBearer, []byte("n,a=" + user + ",\x01auth=Bearer " + b.token + "\x01\x01"), nil
}

// Next implements sasl.Client. The only challenge is the server's complaint, and
// the answer has no meaning. It is not empty, although XOAUTH2 has it so: the IMAP
// library writes an empty one as "=", which Dovecot takes for damaged.
func (b *bearer) Next([]byte) ([]byte, error) { return []byte{1}, nil }

// TokenSource gives access tokens for a login. It is safe for concurrent use.
type TokenSource interface {
	// Token gives a token that is valid as far as is known.
	Token(ctx context.Context) (string, error)
	// Refused tells that a server did not take a token: the next call of Token
	// gets a fresh one. It may be told several times of one token.
	Refused(token string)
}

const (
	// tokenLife is how long a token of a command is used before the command is
	// asked again. Tokens mostly live for an hour.
	tokenLife = 5 * time.Minute
	// tokenWait ends a command that does not answer.
	tokenWait = 30 * time.Second
	// maxToken is more than any token has.
	maxToken = 64 << 10
)

// TokenFile is a TokenSource that reads a file, which another program keeps
// fresh, for every login.
func TokenFile(path string) TokenSource { return tokenFile(path) }

type tokenFile string

func (f tokenFile) Token(context.Context) (string, error) {
	b, err := os.ReadFile(string(f))
	if err != nil {
		return "", err
	}
	return parseToken(b)
}

func (tokenFile) Refused(string) {}

// TokenCommand is a TokenSource that runs a command line with sh and takes what
// it prints. The token is kept for some minutes, or until a server refuses it.
func TokenCommand(line string) TokenSource { return &tokenCommand{line: line, now: time.Now} }

type tokenCommand struct {
	line string
	now  func() time.Time

	mu    sync.Mutex
	token string
	until time.Time
}

func (c *tokenCommand) Token(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != "" && c.now().Before(c.until) {
		return c.token, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tokenWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", c.line)
	// A child of the shell may keep the pipe open after the shell was killed.
	cmd.WaitDelay = time.Second
	var out, complaint cappedBuffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", fmt.Errorf("token command: it did not end within %v", tokenWait)
		}
		if line := message.OneLine(complaint.String()); line != "" {
			return "", fmt.Errorf("token command: %w: %s", err, line)
		}
		return "", fmt.Errorf("token command: %w", err)
	}
	token, err := parseToken(out.Bytes())
	if err != nil {
		return "", fmt.Errorf("token command: %w", err)
	}
	c.token, c.until = token, c.now().Add(tokenLife)
	return token, nil
}

func (c *tokenCommand) Refused(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == token {
		c.token = ""
	}
}

// cappedBuffer keeps the first bytes of what is written.
type cappedBuffer struct{ bytes.Buffer }

func (c *cappedBuffer) Write(b []byte) (int, error) {
	_, _ = c.Buffer.Write(b[:min(len(b), maxToken-c.Len())])
	return len(b), nil
}

// parseToken takes the token out of what a file or a command gave. It never shows
// it in an error.
func parseToken(b []byte) (string, error) {
	s := strings.TrimSpace(string(b))
	switch {
	case s == "":
		return "", errors.New("there is no token")
	case strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return "", errors.New("what is there is not one token")
	}
	return s, nil
}

// Login is a mail server, and how to log in there. Here as in [IMAPConfig] and
// [SMTPConfig] the fields with a tag are settings of the program.
type Login struct {
	// Address is host:port.
	Address string `mapstructure:"address"`
	// TLS is "tls" (the default), "starttls" or "none".
	TLS string `mapstructure:"tls"`
	// CAFile holds certificates to trust besides the system's; it may be empty.
	CAFile string `mapstructure:"ca_file"`
	// User may be empty where letters go out: then there is no login.
	User     string `mapstructure:"user"`
	Password string `mapstructure:"password"`
	// PasswordFile holds the password. It is read for every login, so that a new
	// password needs no restart; Password counts where it cannot be read.
	PasswordFile string `mapstructure:"password_file"`
	// Auth is how to log in; the default takes what the server offers.
	Auth string `mapstructure:"auth"`
	// TokenFile and TokenCommand say where access tokens come from, for a login
	// without a password.
	TokenFile    string `mapstructure:"token_file"`
	TokenCommand string `mapstructure:"token_command"`
	// Tokens gives access tokens; the default is that of TokenFile or TokenCommand.
	Tokens TokenSource
}

func (l Login) withDefaults() Login {
	setDefault(&l.TLS, TLS)
	switch {
	case l.Tokens != nil:
	case l.TokenFile != "":
		l.Tokens = TokenFile(l.TokenFile)
	case l.TokenCommand != "":
		l.Tokens = TokenCommand(l.TokenCommand)
	}
	return l
}

// credentials is what the login needs.
func (l Login) credentials() credentials {
	return credentials{mechanism: l.Auth, user: l.User, password: readPassword(l.PasswordFile, l.Password), tokens: l.Tokens}
}
