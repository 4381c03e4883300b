package mailtest

import (
	"bytes"
	"encoding/json"

	"github.com/emersion/go-sasl"
)

// xoauth2 is the SASL mechanism that go-sasl lacks.
const xoauth2 = "XOAUTH2"

// Tokens returns the SASL mechanisms with access tokens for [samizdat/mail/embedded.Config]. A login
// succeeds if check accepts the address and the token.
func Tokens(check func(address, token string) bool) map[string]func(func(string) error) sasl.Server {
	proved := func(enter func(string) error, user, token string) error {
		if !check(user, token) {
			user = ""
		}
		return enter(user)
	}
	return map[string]func(func(string) error) sasl.Server{
		sasl.OAuthBearer: func(enter func(string) error) sasl.Server {
			var refused error
			return saslFunc{sasl.NewOAuthBearerServer(func(o sasl.OAuthBearerOptions) *sasl.OAuthBearerError {
				if refused = proved(enter, o.Username, o.Token); refused != nil {
					return &sasl.OAuthBearerError{Status: "invalid_token", Schemes: "bearer"}
				}
				return nil
			}), &refused}
		},
		xoauth2: func(enter func(string) error) sasl.Server {
			return &xoauth2Server{enter: func(user, token string) error { return proved(enter, user, token) }}
		},
	}
}

// saslFunc returns the error of the server for a refused token, instead of the error of go-sasl.
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

// xoauth2Server is the server side of XOAUTH2: a single message with the token. A refusal is sent as
// JSON, and the client acknowledges it with an empty line.
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
