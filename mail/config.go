package mail

import (
	"context"
	"net"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// IMAPConfig says where the letters come in.
type IMAPConfig struct {
	Login `mapstructure:",squash"`
	// Mailbox is the inbox; the default is INBOX.
	Mailbox string `mapstructure:"mailbox"`
	// PollInterval is the pause between scans where IDLE is not offered; the
	// default is one minute.
	PollInterval time.Duration `mapstructure:"poll_interval"`
	// CommandTimeout ends a command that gets no answer; the default is 30 s.
	CommandTimeout time.Duration `mapstructure:"command_timeout"`
	// IdleRestart renews IDLE before a firewall forgets the connection; the
	// default is nine minutes.
	IdleRestart time.Duration `mapstructure:"idle_restart"`
	// MaxLetter is how much of a letter is read; the default is 1 MiB.
	MaxLetter int64 `mapstructure:"max_letter"`

	// HandleTimeout ends the context of one call of the Handler; the default
	// is one minute.
	HandleTimeout time.Duration
	// Keys names what a letter may concern. Letters with a key in common are handled one after
	// the other, in the order in which they came; others at the same time. Without it no two
	// letters are handled at the same time. It must not wait for anything.
	Keys func(Received) []string
	// Enqueue, if it is set, is told of each letter with its keys, in the order in which they came, and then
	// the Handler is called for all of them at the same time: who handles them keeps their order. It must
	// not wait for anything either.
	Enqueue func(r Received, keys []string)
	// Reconnect is the pause after a lost connection; the default is 1 s to 2 min.
	Reconnect Backoff
	// Refused is the pause after a refused login, for providers lock accounts
	// that try too often; the default is 1 min to 1 h. A new password or token
	// ends it.
	Refused Backoff
	// Throttled is the pause after a server said that it is asked too much, where
	// it does not say how long to wait; the default is 30 s to 15 min.
	Throttled Backoff
	// Retry is the pause after a letter failed; the default is 1 s to 10 min.
	Retry Backoff
	// QuarantineAfter is for how long a letter must have failed, and at least
	// three times, while another was handled, before it is put in quarantine; the default is one minute. A
	// letter that makes the Handler panic three times goes at once.
	QuarantineAfter time.Duration
	// Fault tells of an error of the Handler whether the database is to blame for it and not the letter, and why; it may
	// be nil. Such a letter stays in the inbox for as long as the fault lasts.
	Fault func(error) (reason string, is bool)
	// RetryFault is the pause between two tries, of one letter each, while that lasts; the default is 1 s to 5 s.
	RetryFault Backoff
	// ProvenAfter is how long a process must have lived before it tries a letter that it may not survive for the last
	// time; the default is 5 s.
	ProvenAfter time.Duration
	// UnreadableAfter is for how long the server must have kept back a letter
	// while it handed out others, before that letter is put in quarantine; the
	// default is one hour.
	UnreadableAfter time.Duration
	// Quarantined is told of a letter before it is put in quarantine; it may be
	// nil. After an error the letter stays in the inbox and is tried again.
	Quarantined func(context.Context, BadLetter) error
	// InFlightFile is a file that remembers which letter is in flight, so that one that
	// ends the whole process is found out; it may be empty.
	InFlightFile string
	// Now tells the time; the default is the clock of the system.
	Now func() time.Time
	// Dial connects; the default is an ordinary connection.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Backoff is a pause that doubles from First to Most, give or take a fifth: the
// jitter keeps many daemons from knocking at a server in step.
type Backoff struct {
	First, Most time.Duration
}

func (p Backoff) withDefaults(first, most time.Duration) Backoff {
	setDefault(&p.First, first)
	setDefault(&p.Most, max(most, p.First))
	return p
}

func (p Backoff) exponential() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.Multiplier, b.RandomizationFactor, b.MaxInterval = p.First, 2, 0.2, p.Most
	return b
}

// WithDefaults sets what is zero to its default.
func (c IMAPConfig) WithDefaults() IMAPConfig {
	c.Login = c.Login.withDefaults()
	setDefault(&c.Mailbox, "INBOX")
	setDefault(&c.PollInterval, time.Minute)
	setDefault(&c.CommandTimeout, 30*time.Second)
	setDefault(&c.IdleRestart, 9*time.Minute)
	setDefault(&c.HandleTimeout, time.Minute)
	setDefault(&c.MaxLetter, 1<<20)
	setDefault(&c.QuarantineAfter, time.Minute)
	setDefault(&c.UnreadableAfter, time.Hour)
	c.Reconnect = c.Reconnect.withDefaults(time.Second, 2*time.Minute)
	c.Refused = c.Refused.withDefaults(time.Minute, time.Hour)
	c.Throttled = c.Throttled.withDefaults(30*time.Second, 15*time.Minute)
	c.Retry = c.Retry.withDefaults(time.Second, 10*time.Minute)
	c.RetryFault = c.RetryFault.withDefaults(minFaultPause, maxFaultPause)
	setDefault(&c.ProvenAfter, 5*time.Second)
	return c
}

func setDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

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
