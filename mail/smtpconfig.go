package mail

import (
	"context"
	"net"
	"time"
)

// SMTPConfig says where the letters go out.
type SMTPConfig struct {
	// Address is host:port of a submission server.
	Address string
	// TLS is "tls" (the default), "starttls" or "none".
	TLS string
	// CAFile holds certificates to trust besides the system's; it may be empty.
	CAFile string
	// User may be empty: then there is no login.
	User, Password string
	// PasswordFile holds the password, as [IMAPConfig] has it.
	PasswordFile string
	// Auth is how to log in; the default takes what the server offers.
	Auth string
	// Tokens gives access tokens, for a login without a password.
	Tokens TokenSource
	// ReportAddresses sends reports on a letter to an address that names the letter.
	ReportAddresses bool
	// Hello is the name we greet with; the default is localhost.
	Hello string
	// CommandTimeout ends a command that gets no answer; the default is 30 s.
	CommandTimeout time.Duration
	// SubmissionTimeout is for the answer to a whole letter; the default is 2 min.
	SubmissionTimeout time.Duration
	// Reconnect is the pause after trouble with the server; the default is 1 s
	// to 5 min.
	Reconnect Pace
	// Refused is the pause after a refused login, as [IMAPConfig] has it.
	Refused Pace
	// Retry is when a letter that failed is tried again.
	Retry Schedule
	// Limits is what the provider lets us send.
	Limits Limits
	// History gives when letters went out since a time, oldest first, so that a
	// restart does not forget what the day's limit has seen; it may be nil.
	History func(ctx context.Context, since time.Time) ([]time.Time, error)
	// Dial connects; the default is an ordinary connection.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

func (c SMTPConfig) withDefaults() SMTPConfig {
	setDefault(&c.TLS, TLS)
	setDefault(&c.Hello, "localhost")
	setDefault(&c.CommandTimeout, 30*time.Second)
	setDefault(&c.SubmissionTimeout, 2*time.Minute)
	c.Reconnect = c.Reconnect.withDefaults(time.Second, 5*time.Minute)
	c.Refused = c.Refused.withDefaults(time.Minute, time.Hour)
	c.Retry = c.Retry.withDefaults()
	return c
}

// credentials is what the login at the submission server needs.
func (c SMTPConfig) credentials() credentials {
	return credentials{mechanism: c.Auth, user: c.User, password: passwordFrom(c.PasswordFile, c.Password), tokens: c.Tokens}
}
