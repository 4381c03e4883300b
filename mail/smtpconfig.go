package mail

import (
	"context"
	"net"
	"time"
)

// SMTPConfig says where the letters go out.
type SMTPConfig struct {
	Login `mapstructure:",squash"`
	// Hello is the name we greet with; the default is localhost.
	Hello string `mapstructure:"hello"`
	// CommandTimeout ends a command that gets no answer; the default is 30 s.
	CommandTimeout time.Duration `mapstructure:"command_timeout"`
	// Connections is how many letters are sent at the same time at most; the default is 4.
	Connections int `mapstructure:"connections"`
	// Limits is what the provider lets us send.
	Limits Limits `mapstructure:",squash"`
	// Envelope says to which address reports on a letter are sent; the default is
	// EnvelopeAddress.
	Envelope string `mapstructure:"envelope"`

	// SubmissionTimeout is for the answer to a whole letter; the default is 2 min.
	SubmissionTimeout time.Duration
	// Reconnect is the pause after trouble with the server; the default is 1 s
	// to 5 min.
	Reconnect Backoff
	// Refused is the pause after a refused login, as [IMAPConfig] has it.
	Refused Backoff
	// Retry is when a letter that failed is tried again.
	Retry Schedule
	// History gives when letters went out since a time, oldest first, so that a
	// restart does not forget what the day's limit has seen; it may be nil.
	History func(ctx context.Context, since time.Time) ([]time.Time, error)
	// Fault tells why the database is to blame for an error of the outbox; it may be nil.
	Fault func(error) (reason string, is bool)
	// Claims are those to letters of an outbox from which others send as well; nil where
	// nobody else does.
	Claims Claims
	// Now tells the time; the default is the clock of the system.
	Now func() time.Time
	// Dial connects; the default is an ordinary connection.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// The addresses to which reports on a letter are sent.
const (
	// EnvelopeAddress is the sender's own.
	EnvelopeAddress = "address"
	// EnvelopeToken is one that names the letter.
	EnvelopeToken = "token"
)

// WithDefaults sets what is zero to its default.
func (c SMTPConfig) WithDefaults() SMTPConfig {
	c.Login = c.Login.withDefaults()
	setDefault(&c.Envelope, EnvelopeAddress)
	setDefault(&c.Hello, "localhost")
	setDefault(&c.Connections, 4)
	setDefault(&c.CommandTimeout, 30*time.Second)
	setDefault(&c.SubmissionTimeout, 2*time.Minute)
	c.Reconnect = c.Reconnect.withDefaults(time.Second, 5*time.Minute)
	c.Refused = c.Refused.withDefaults(time.Minute, time.Hour)
	c.Retry = c.Retry.withDefaults()
	return c
}
