package embedded

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"strings"

	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// xoauth2 is the token login that the SASL library does not have.
const xoauth2 = "XOAUTH2"

// mechanisms are the ways to log in, for both services.
func (s *Server) mechanisms() []string {
	out := []string{sasl.Plain, sasl.Login}
	if s.cfg.CheckToken != nil {
		out = append(out, sasl.OAuthBearer, xoauth2)
	}
	return out
}

// owner finds the account of a login by password, or nil.
func (s *Server) owner(user, password string) *account {
	a := s.accounts[strings.ToLower(user)]
	if a == nil || subtle.ConstantTimeCompare([]byte(a.password), []byte(password)) != 1 {
		return nil
	}
	return a
}

// bearer finds the account of a login by token, or nil.
func (s *Server) bearer(user, token string) *account {
	a := s.accounts[strings.ToLower(user)]
	if a == nil || !s.cfg.CheckToken(a.address, token) {
		return nil
	}
	return a
}

// mechanism is the server side of a login. take is called with the account that was
// proved; without one the answer is refusal.
func (s *Server) mechanism(name string, refusal error, take func(*account)) sasl.Server {
	enter := func(a *account) error {
		if a == nil {
			return refusal
		}
		take(a)
		return nil
	}
	switch {
	case name == sasl.Plain:
		return sasl.NewPlainServer(func(_, user, password string) error { return enter(s.owner(user, password)) })
	case name == sasl.Login:
		return &loginServer{login: func(user, password string) error { return enter(s.owner(user, password)) }}
	case s.cfg.CheckToken == nil:
		return nil
	case name == sasl.OAuthBearer:
		var refused error
		return saslFunc{sasl.NewOAuthBearerServer(func(o sasl.OAuthBearerOptions) *sasl.OAuthBearerError {
			if refused = enter(s.bearer(o.Username, o.Token)); refused != nil {
				return &sasl.OAuthBearerError{Status: "invalid_token", Schemes: "bearer"}
			}
			return nil
		}), &refused}
	case name == xoauth2:
		return &xoauth2Server{enter: func(user, token string) error { return enter(s.bearer(user, token)) }}
	}
	return nil
}

// saslFunc gives the protocol's own error for a refused token.
type saslFunc struct {
	sasl.Server
	refused *error
}

func (f saslFunc) Next(response []byte) ([]byte, bool, error) {
	challenge, done, err := f.Server.Next(response)
	if err != nil && *f.refused != nil {
		err = *f.refused
	}
	return challenge, done, err
}

// xoauth2Server is the server side of XOAUTH2: one message, and after a refusal
// a complaint that the client answers with nothing.
type xoauth2Server struct {
	enter   func(user, token string) error
	refused error
}

func (x *xoauth2Server) Next(response []byte) (challenge []byte, done bool, err error) {
	if x.refused != nil {
		return nil, true, x.refused
	}
	if response == nil {
		return []byte{}, false, nil
	}
	var user, token string
	for _, part := range bytes.Split(response, []byte{1}) {
		if v, ok := bytes.CutPrefix(part, []byte("user=")); ok {
			user = string(v)
		}
		if v, ok := bytes.CutPrefix(part, []byte("auth=Bearer ")); ok {
			token = string(v)
		}
	}
	if x.refused = x.enter(user, token); x.refused == nil {
		return nil, true, nil
	}
	b, err := json.Marshal(map[string]string{"status": "400", "schemes": "Bearer", "scope": "mail"})
	return b, false, err
}

// AuthenticateMechanisms implements imapserver.SessionSASL.
func (s *session) AuthenticateMechanisms() []string { return s.server.mechanisms() }

// Authenticate implements imapserver.SessionSASL.
func (s *session) Authenticate(mech string) (sasl.Server, error) {
	m := s.server.mechanism(mech, imapserver.ErrAuthFailed, func(a *account) { s.account = a })
	if m == nil {
		return nil, refuse("", "SASL mechanism not supported")
	}
	return m, nil
}

func (s *smtpSession) AuthMechanisms() []string { return s.server.mechanisms() }

func (s *smtpSession) Auth(mech string) (sasl.Server, error) {
	m := s.server.mechanism(mech, smtp.ErrAuthFailed, func(a *account) { s.user = a.address })
	if m == nil {
		return nil, smtp.ErrAuthUnknownMechanism
	}
	return m, nil
}
