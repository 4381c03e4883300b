package mail

import (
	"errors"
	"sync"
	"time"

	"samizdat/mail/message"
)

// Trouble is why letters do not come in, are not filed, or do not go out. The zero value is none.
type Trouble struct {
	// Since is when it began.
	Since time.Time
	// Reason is what the server or the network said last, without addresses. Hint says what to do
	// where waiting will not help.
	Reason, Hint string
	// LoginRefused: to log in again and again may lock the account.
	LoginRefused bool
}

// troubleNote keeps the trouble that lasts, for other goroutines to read.
type troubleNote struct {
	mu    sync.Mutex
	is    Trouble
	known bool
}

// met notes that something failed.
func (n *troubleNote) met(now time.Time, err error, hint string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.known = true; n.is.Since.IsZero() {
		n.is.Since = now
	}
	n.is.Reason, n.is.Hint = message.WithoutAddresses(message.OneLine(err.Error())), hint
	n.is.LoginRefused = errors.As(err, new(*errRefusedLogin))
}

// over notes that it went well.
func (n *troubleNote) over() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.is, n.known = Trouble{}, true
}

// read returns the trouble. It is not known where nothing was tried yet.
func (n *troubleNote) read() (is Trouble, known bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.is, n.known
}

// Trouble tells why the inbox cannot be read. It is not known before the first try.
func (p *Poller) Trouble() (is Trouble, known bool) { return p.connection.read() }

// Unfiled tells why letters that are handled cannot be moved out of the inbox.
func (p *Poller) Unfiled() (is Trouble, known bool) { return p.filing.read() }

// Missed notes that the inbox could not be reached before Run.
func (p *Poller) Missed(err error) { p.connection.met(p.now(), err, configTrouble(err)) }

// Hint says what to do about an error of a mail server, where waiting will not help.
func Hint(err error) string { return configTrouble(err) }

// Full is to what percent the mailbox is full, as the server said last; zero where it does not say.
func (p *Poller) Full() int { return int(p.fullness.Load()) }

// Trouble tells why the server cannot be reached. It is not known before the first try.
func (s *Sender) Trouble() (is Trouble, known bool) { return s.connection.read() }

// RefusesUs tells why the server takes no letter of ours, whatever it says.
func (s *Sender) RefusesUs() (is Trouble, known bool) { return s.refusal.read() }
