package mail

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
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

// choose gives the mechanisms that would do, the best first.
func (c credentials) choose() []string {
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

// client gives the client side of the first mechanism the server offers. The
// token is the one in use, so that it can be dropped when it is refused.
func (c credentials) client(ctx context.Context, offers func(string) bool) (client sasl.Client, token string, err error) {
	wanted := c.choose()
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

// tried is the error of a login that was tried, if it was refused with what was shown. A
// token that a server did not take is dropped: it may have ended.
func (c credentials) tried(token string, err error) error {
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
	if _, busy := throttled(err); busy || !errors.As(err, &ie) {
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

// passwordFrom reads the password from a file. Without one, or when there is
// nothing in it just now, the password is the given one.
func passwordFrom(path, given string) string {
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
