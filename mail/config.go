package mail

import (
	"context"
	"net"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// IMAPConfig is the configuration of a Poller.
type IMAPConfig struct {
	Login `mapstructure:",squash"`
	// Mailbox is the inbox, by default INBOX.
	Mailbox string `mapstructure:"mailbox"`
	// PollInterval is the pause between scans on a server without IDLE, by default one minute.
	PollInterval time.Duration `mapstructure:"poll_interval"`
	// CommandTimeout limits each command, by default 30 s.
	CommandTimeout time.Duration `mapstructure:"command_timeout"`
	// IdleRestart is the time after which IDLE is renewed, before firewalls drop the connection; by default nine
	// minutes.
	IdleRestart time.Duration `mapstructure:"idle_restart"`
	// MaxLetter is the number of bytes of a letter that are read, by default 1 MiB.
	MaxLetter int64 `mapstructure:"max_letter"`

	// HandleTimeout limits a call of the Handler, by default one minute.
	HandleTimeout time.Duration
	// Keys returns the keys of a letter, e.g. its match and sender. Letters with a common key are handled in
	// order, others at the same time. Without Keys all letters are handled in order. Keys must not block.
	Keys func(Received) []string
	// Enqueue, if set, is called with each letter and its keys in order. The Handler is then called for all
	// letters at the same time, and the caller of Enqueue keeps their order. Enqueue must not block.
	Enqueue func(r Received, keys []string)
	// Reconnect is the pause after a lost connection, by default 1 s to 2 min.
	Reconnect Backoff
	// Refused is the pause after a refused login, by default 1 min to 1 h, because providers lock accounts. A new
	// password or token ends the pause.
	Refused Backoff
	// Throttled is the pause after the server limited requests without naming a time, by default 30 s to 15 min.
	Throttled Backoff
	// Retry is the pause after a letter failed, by default 1 s to 10 min.
	Retry Backoff
	// QuarantineAfter is the minimum time from the first failure of a letter to its quarantine, by default one
	// minute. The letter must also have failed three times, and another letter must have been handled since. A
	// letter that made the Handler panic three times is quarantined at once.
	QuarantineAfter time.Duration
	// Fault reports whether an error of the Handler is a fault of the database, and its reason; it may be nil. The
	// letter then stays in the inbox until the fault ends.
	Fault func(error) (reason string, ok bool)
	// RetryFault is the pause between two letters that are tried during a database fault, by default 1 s to 5 s.
	RetryFault Backoff
	// ProvenAfter is the age of the process before the last try of a letter that killed earlier processes, by
	// default 5 s.
	ProvenAfter time.Duration
	// UnreadableAfter is the time after which a letter that the server does not deliver is quarantined, by default
	// one hour.
	UnreadableAfter time.Duration
	// Quarantined is called before a letter is quarantined; it may be nil. After an error the letter stays in the
	// inbox and is tried again.
	Quarantined func(context.Context, BadLetter) error
	// InFlightFile is a file with the letters in progress, to find a letter that kills the process. It may be
	// empty.
	InFlightFile string
	// Now is the clock, by default time.Now.
	Now func() time.Time
	// Dial connects, by default with net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Backoff is a pause that doubles from First to Most, plus or minus 20 percent, so that daemons do not reconnect
// in step.
type Backoff struct {
	First, Max time.Duration
}

func (p Backoff) withDefaults(first, maximum time.Duration) Backoff {
	setDefault(&p.First, first)
	setDefault(&p.Max, max(maximum, p.First))
	return p
}

func (p Backoff) exponential() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.Multiplier, b.RandomizationFactor, b.MaxInterval = p.First, 2, 0.2, p.Max
	return b
}

// WithDefaults returns c with defaults for zero fields.
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

// SMTPConfig is the configuration of a Sender.
type SMTPConfig struct {
	Login `mapstructure:",squash"`
	// Hello is the name in EHLO, by default localhost.
	Hello string `mapstructure:"hello"`
	// CommandTimeout limits each command, by default 30 s.
	CommandTimeout time.Duration `mapstructure:"command_timeout"`
	// Connections is the maximum number of connections, by default 4.
	Connections int    `mapstructure:"connections"`
	Limits      Limits `mapstructure:",squash"`
	// Envelope is EnvelopeAddress (default) or EnvelopeToken.
	Envelope string `mapstructure:"envelope"`

	// SubmissionTimeout limits the wait for the reply to a letter, by default 2 min.
	SubmissionTimeout time.Duration
	// Reconnect is the pause after a connection error, by default 1 s to 5 min.
	Reconnect Backoff
	// Refused is the pause after a refused login, as in [IMAPConfig].
	Refused Backoff
	Retry   Schedule
	// History returns the times of letters sent since a time, oldest first, so that a restart keeps the daily
	// limit; it may be nil.
	History func(ctx context.Context, since time.Time) ([]time.Time, error)
	// Fault returns the reason if an outbox error is a fault of the database; it may be nil.
	Fault func(error) (reason string, ok bool)
	// Claims are the claims to letters in an outbox that other daemons also send from; nil if there are none.
	Claims Claims
	// Now is the clock, by default time.Now.
	Now func() time.Time
	// Dial connects, by default with net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Envelope senders (return paths), which receive delivery reports.
const (
	// EnvelopeAddress is the referee's address.
	EnvelopeAddress = "address"
	// EnvelopeToken is an address that names the letter.
	EnvelopeToken = "token"
)

// WithDefaults returns c with defaults for zero fields.
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
