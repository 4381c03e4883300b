// Package mail transports letters between players and the referee over IMAP and SMTP, and tests both servers ([Probe]).
// Package [samizdat/mail/message] reads and writes the letters. Package mail knows no games, matches or storage.
//
// # Incoming letters
//
// The inbox is the queue. A letter in the inbox has not been handled; a handled letter is moved to Samizdat/Done,
// Samizdat/Refused, Samizdat/Ignored or Samizdat/Questions. Letters are never deleted.
//
//   - Letters are passed to the [Handler] oldest first. Letters that share a key, e.g. their match ([IMAPConfig].Keys),
//     are handled one after the other, and all other letters concurrently. At most 64 letters or 8 MB are in progress.
//   - The Handler returns after its effects are committed. Handled letters are then moved in batches. After a crash
//     between commit and move the Handler is called again, so it must be idempotent.
//   - After an error of the Handler the letter stays in the inbox and is tried again, after pauses of one second to ten
//     minutes. Other letters do not wait.
//   - A letter that FETCH has not returned for an hour, although it returned other letters, is quarantined unread and
//     reported to the operator. If the connection is lost while letters are fetched, each of these letters is fetched
//     alone from then on, after all other letters. If the connection is lost while a letter is fetched alone, this
//     counts as a failed fetch of the letter.
//   - While a failing letter is in the inbox, deadlines after its arrival are not enforced, for at most an hour; see
//     [Poller.InboxWatermark].
//   - A letter is moved to Samizdat/Quarantine and reported to the operator if it made the Handler panic three times, or
//     killed the process four times, or made the Handler fail three times over at least a minute. If the report to the
//     operator fails, the letter stays in the inbox.
//   - Letters that were in progress together when the process died are handled alone from then on. A death of the
//     process counts against a letter only if no other letter was in progress.
//   - If a handled letter cannot be moved, or is still in the inbox after a successful move, only the move is repeated.
//   - Letters flagged \Deleted are skipped: another program deleted them, or we copied them on a server without MOVE.
//   - Letters above the size limit are fetched up to the limit and marked as truncated.
//   - After a change of UIDVALIDITY the [Poller] forgets the failures and retries of letters. It opens the inbox again
//     every nine minutes, because the mailbox may have been deleted, renamed or created again.
//   - Every command has a time-out. After a NO or BAD the connection stays open; after any other error it is closed and
//     opened again after a pause of one second to two minutes. If the server limits requests, the pause is the time
//     that the server names. If it names no time, the pause grows to a quarter of an hour.
//   - After a refused login the pause grows to an hour, because providers lock accounts. A new password in
//     Login.PasswordFile or a new access token ends the pause within a minute.
//   - New mail is announced by IDLE (RFC 2177), renewed every nine minutes. Without IDLE the inbox is polled.
//
// # Outgoing letters
//
// The [Queue] is the outbox, stored by another package. The [Sender] submits each letter to one SMTP server over a few
// persistent connections, by default up to four.
//
//   - Another connection is opened if more letters wait than connections are open, or if sending is slow. If the server
//     refuses this connection, the Sender tries to open it again after a growing pause; sending continues over the open
//     connections.
//   - Letters to one address, or to one reader (Outgoing.Reader, e.g. a player), are sent in order: while a letter
//     waits for a retry, later letters wait too. Their wait is not counted as a try.
//   - Sent letters are recorded in batches. After a crash up to 64 letters are sent again, with the same Message-ID.
//   - A letter has one recipient. Its bytes and Message-ID are the same in every try.
//   - After a 4xx reply, or if the connection is lost inside a letter, the letter is tried again after 1, 2, 4 ...
//     minutes, then every 4 hours, for about 5 days. See [Schedule].
//   - If the connection is lost after the final dot, the outcome is unknown and the letter is sent again. The same
//     Message-ID lets mail programs drop the duplicate.
//   - A 5xx reply about the recipient or the content is permanent. A reply about our account, login, sender address or
//     relaying is not the letter's fault: the letter is tried again after one minute, two minutes and so on, in the
//     end once an hour. Some replies are unclear, e.g. "blocked" at RCPT, which may come from the recipient's server. If
//     the same unclear reply comes for two recipients in a row, it counts as a reply about our account. Otherwise the
//     letter is given up after about two hours, if the server accepted other letters.
//   - A recipient address with a line end or angle bracket is never sent; the letter fails at once.
//   - The provider's limits hold for any 60 seconds and any 24 hours, also after a restart. Urgent letters are sent
//     first, and a tenth of the daily limit is reserved for them.
//   - If the only connection is lost inside a letter, sending pauses before the connection is opened again.
//   - If the server is unreachable, has an untrusted certificate or refuses the login, all letters wait and no try is
//     counted. The pause grows from one second to five minutes, after a refused login to an hour.
//   - If the server has closed an idle connection, the letter is sent over a new connection and no try is counted.
package mail

import (
	"cmp"
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
	// IdleRestart is the age at which IDLE is renewed, by default 9 min. Firewalls drop a connection without traffic.
	IdleRestart time.Duration `mapstructure:"idle_restart"`
	// MaxLetter limits the bytes of a letter that are read, by default 1 MiB.
	MaxLetter int64 `mapstructure:"max_letter"`

	// HandleTimeout limits a call of the Handler, by default one minute.
	HandleTimeout time.Duration
	// Keys returns the keys of a letter, e.g. its match and sender. Letters that share a key are handled in order, all
	// other letters concurrently. If Keys is nil, all letters are handled in order. Keys must not block.
	Keys func(Received) []string
	// Enqueue, if set, is called with each letter and its keys before the Handler, in the order of the letters. The
	// Handler is then called even while an earlier letter that shares a key is handled, so Enqueue must record the order.
	// Enqueue must not block.
	Enqueue func(r Received, keys []string)
	// Reconnect is the pause after a lost connection, by default 1 s to 2 min.
	Reconnect Backoff
	// Refused is the pause after a refused login, by default 1 min to 1 h. A new password or access token ends the pause.
	Refused Backoff
	// Throttled is the pause after the server limited requests without naming a time, by default 30 s to 15 min.
	Throttled Backoff
	// Retry is the pause after a letter failed, by default 1 s to 10 min.
	Retry Backoff
	// QuarantineAfter is the minimum time from the first failure of a letter to its quarantine, by default one
	// minute. The letter must also have failed three times, and another letter must have been handled in that
	// time. A letter that made the Handler panic three times is quarantined at once.
	QuarantineAfter time.Duration
	// Fault reports whether an error of the Handler is a fault of the database, and returns the reason of the fault; Fault
	// may be nil. After a database fault the letter stays in the inbox until the fault ends.
	Fault func(error) (reason string, ok bool)
	// RetryFault is the pause between two letters that are tried during a database fault, by default 1 s to 5 s.
	RetryFault Backoff
	// ProvenAfter is the minimum age of this process, by default 5 s, before it makes the last try of a letter that
	// killed earlier processes.
	ProvenAfter time.Duration
	// UnreadableAfter is the time after which a letter that FETCH does not return is quarantined, by default one hour.
	UnreadableAfter time.Duration
	// OnQuarantine is called before a letter is quarantined; it may be nil. After an error the letter stays in the
	// inbox and is tried again.
	OnQuarantine func(context.Context, BadLetter) error
	// InFlightFile is the path of a file that lists the letters in progress, so that the next process finds the letter
	// that killed this process. If the path is empty, that letter is not found.
	InFlightFile string
	// Now is the clock, by default time.Now.
	Now func() time.Time
	// Dial connects, by default with net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Backoff is a pause that doubles from First to Max. Each pause is varied by up to 20 percent, so that daemons do not
// reconnect at the same time.
type Backoff struct {
	First, Max time.Duration
}

func (p Backoff) withDefaults(first, maximum time.Duration) Backoff {
	p.First = cmp.Or(p.First, first)
	p.Max = cmp.Or(p.Max, max(maximum, p.First))
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
	c.Mailbox = cmp.Or(c.Mailbox, "INBOX")
	c.PollInterval = cmp.Or(c.PollInterval, time.Minute)
	c.CommandTimeout = cmp.Or(c.CommandTimeout, 30*time.Second)
	c.IdleRestart = cmp.Or(c.IdleRestart, 9*time.Minute)
	c.HandleTimeout = cmp.Or(c.HandleTimeout, time.Minute)
	c.MaxLetter = cmp.Or(c.MaxLetter, 1<<20)
	c.QuarantineAfter = cmp.Or(c.QuarantineAfter, time.Minute)
	c.UnreadableAfter = cmp.Or(c.UnreadableAfter, time.Hour)
	c.Reconnect = c.Reconnect.withDefaults(time.Second, 2*time.Minute)
	c.Refused = c.Refused.withDefaults(time.Minute, time.Hour)
	c.Throttled = c.Throttled.withDefaults(30*time.Second, 15*time.Minute)
	c.Retry = c.Retry.withDefaults(time.Second, 10*time.Minute)
	c.RetryFault = c.RetryFault.withDefaults(minFaultPause, maxFaultPause)
	c.ProvenAfter = cmp.Or(c.ProvenAfter, 5*time.Second)
	return c
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
	// Envelope selects the envelope sender: EnvelopeAddress (default) or EnvelopeToken.
	Envelope string `mapstructure:"envelope"`

	// SubmissionTimeout limits the wait for the reply to a letter, by default 2 min.
	SubmissionTimeout time.Duration
	// Reconnect is the pause after a connection error, by default 1 s to 5 min.
	Reconnect Backoff
	// Refused is the pause after a refused login, by default 1 min to 1 h.
	Refused Backoff
	Retry   Schedule
	// SentTimes returns when letters were sent since a given time, oldest first. With it a restart keeps the daily limit;
	// it may be nil.
	SentTimes func(ctx context.Context, since time.Time) ([]time.Time, error)
	// Fault reports whether an error of the outbox is a fault of the database, and returns its reason; it may be nil.
	Fault func(error) (reason string, ok bool)
	// Claims manages the claims to letters if several daemons use the outbox; otherwise it is nil.
	Claims Claims
	// Now is the clock, by default time.Now.
	Now func() time.Time
	// Dial connects, by default with net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// The values of SMTPConfig.Envelope. Delivery reports are sent to the envelope sender (return path).
const (
	// EnvelopeAddress uses the referee's address.
	EnvelopeAddress = "address"
	// EnvelopeToken uses an address that contains the ID of the letter.
	EnvelopeToken = "token"
)

// WithDefaults returns c with defaults for zero fields.
func (c SMTPConfig) WithDefaults() SMTPConfig {
	c.Login = c.Login.withDefaults()
	c.Envelope = cmp.Or(c.Envelope, EnvelopeAddress)
	c.Hello = cmp.Or(c.Hello, "localhost")
	c.Connections = cmp.Or(c.Connections, 4)
	c.CommandTimeout = cmp.Or(c.CommandTimeout, 30*time.Second)
	c.SubmissionTimeout = cmp.Or(c.SubmissionTimeout, 2*time.Minute)
	c.Reconnect = c.Reconnect.withDefaults(time.Second, 5*time.Minute)
	c.Refused = c.Refused.withDefaults(time.Minute, time.Hour)
	c.Retry = c.Retry.withDefaults()
	return c
}
