package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// The kinds of protection of a connection, as the configuration names them.
const (
	// TLS means encryption from the first byte (imaps, submissions).
	TLS = "tls"
	// StartTLS means plain at first and encrypted before the login. A server
	// that does not offer it is refused.
	StartTLS = "starttls"
	// NoTLS means no encryption: for servers on the same machine only.
	NoTLS = "none"
)

// readingTrust stands in the error when the configured certificates cannot be used.
const readingTrust = "reading trusted certificates"

// tlsConfig trusts the system's certificates, and those in caFile besides.
func tlsConfig(address, caFile string) (*tls.Config, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("reading the server address %q: %w", address, err)
	}
	c := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	if caFile == "" {
		return c, nil
	}
	pem, err := os.ReadFile(caFile)
	if err != nil {
		return nil, fmt.Errorf(readingTrust+": %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf(readingTrust+": %s holds none", caFile)
	}
	c.RootCAs = pool
	return c, nil
}

// connect makes a connection within a time.
func connect(ctx context.Context, dial func(context.Context, string, string) (net.Conn, error), address string,
	limit time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	return dial(ctx, "tcp", address)
}

// secure waits for the greeting of a server, or shakes hands with it where the
// connection is encrypted from the first byte. STARTTLS is left to the libraries.
func (l Login) secure(ctx context.Context, conn net.Conn, tc *tls.Config, limit time.Duration) (net.Conn, error) {
	if l.TLS == StartTLS || l.TLS == NoTLS {
		return awaitGreeting(conn, l.Address, limit)
	}
	encrypted := tls.Client(conn, tc)
	return encrypted, encrypted.HandshakeContext(ctx)
}

// prefixedConn is a connection of which the first byte was read already.
type prefixedConn struct {
	net.Conn
	first []byte
}

// Read implements net.Conn.
func (g *prefixedConn) Read(b []byte) (int, error) {
	if len(g.first) == 0 || len(b) == 0 {
		return g.Conn.Read(b)
	}
	n := copy(b, g.first)
	g.first = g.first[n:]
	return n, nil
}

// awaitGreeting waits until a server begins to speak. One that waits for a handshake
// from us never does, and the libraries would wait for it for many commands' time.
func awaitGreeting(conn net.Conn, address string, limit time.Duration) (net.Conn, error) {
	if err := conn.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	first := make([]byte, 1)
	if _, err := conn.Read(first); err != nil {
		return nil, &errNoGreeting{address, err}
	}
	return &prefixedConn{conn, first}, conn.SetReadDeadline(time.Time{})
}

// errNoGreeting says that a server did not say a word.
type errNoGreeting struct {
	address string
	err     error
}

func (e *errNoGreeting) Error() string { return fmt.Sprintf("waiting for the greeting: %v", e.err) }
func (e *errNoGreeting) Unwrap() error { return e.err }

// isTLSPort tells whether that is no wonder at this port: a client speaks first there,
// with a handshake (RFC 8314).
func (e *errNoGreeting) isTLSPort() bool {
	_, port, _ := net.SplitHostPort(e.address)
	return port == "465" || port == "993"
}

// bufferedConn is a connection that can gather what is written: the library writes a letter in
// pieces of 4 kB, each of which would wake whoever reads them.
type bufferedConn struct {
	net.Conn
	isBuffering bool
	buffer      []byte
	// pipelined goes out with the next MAIL. The library, which writes a command when it has read
	// the answer to the one before, then has only to read. It may say EHLO before.
	pipelined []byte
	// sentAhead is what went so, and the library has not written yet.
	sentAhead []byte
}

// maxBuffered bounds what is gathered.
const maxBuffered = 64 << 10

// Write implements net.Conn.
func (g *bufferedConn) Write(b []byte) (int, error) {
	if len(g.sentAhead) > 0 {
		rest, ok := bytes.CutPrefix(g.sentAhead, b)
		if !ok {
			return 0, fmt.Errorf("%q went ahead of %q", g.sentAhead, b)
		}
		g.sentAhead = rest
		return len(b), nil
	}
	if len(g.pipelined) > 0 && bytes.HasPrefix(b, []byte("MAIL ")) {
		g.sentAhead, g.pipelined = g.pipelined, nil
		_, err := g.Conn.Write(append(bytes.Clone(b), g.sentAhead...))
		return len(b), err
	}
	if !g.isBuffering {
		return g.Conn.Write(b)
	}
	if g.buffer = append(g.buffer, b...); len(g.buffer) < maxBuffered {
		return len(b), nil
	}
	return len(b), g.flush()
}

// isSentAhead tells whether a command is the next that the library has not written yet.
func (g *bufferedConn) isSentAhead(command string) bool {
	return bytes.HasPrefix(g.sentAhead, []byte(command))
}

// flush writes what was gathered.
func (g *bufferedConn) flush() error {
	if len(g.buffer) == 0 {
		return nil
	}
	_, err := g.Conn.Write(g.buffer)
	g.buffer = g.buffer[:0]
	return err
}

// bufferWrites gathers what is written meanwhile.
func (g *bufferedConn) bufferWrites(write func() error) error {
	g.isBuffering = true
	err := write()
	g.isBuffering = false
	if err == nil {
		err = g.flush()
	}
	g.buffer = g.buffer[:0]
	return err
}

// backoffs knows how long to wait after a connection ended, by what ended it.
type backoffs struct {
	// credentials gives what is shown at the next login.
	credentials              func() credentials
	lost, refused, throttled *backoff.ExponentialBackOff
	// renewed counts the logins in a row that were refused although the password
	// or the token was a new one.
	renewed int
}

// backoffs are those of a poller.
func (c IMAPConfig) backoffs() *backoffs {
	return &backoffs{credentials: c.credentials, lost: c.Reconnect.exponential(), refused: c.Refused.exponential(),
		throttled: c.Throttled.exponential()}
}

// backoffs are those of a sender. What an SMTP server says when it is asked too much
// is a refusal like others.
func (c SMTPConfig) backoffs() *backoffs {
	return &backoffs{credentials: c.credentials, lost: c.Reconnect.exponential(), refused: c.Refused.exponential(),
		throttled: c.Reconnect.exponential()}
}

// reset is for a connection that was a good one.
func (p *backoffs) reset() {
	p.lost.Reset()
	p.refused.Reset()
	p.throttled.Reset()
	p.renewed = 0
}

const (
	// recheck is how often a waiting login looks for a new password or token.
	secretCheckInterval = time.Minute
	// maxCheckDoublings keeps that within a quarter of an hour for a source that
	// gives another token each time, none of which is any good.
	maxCheckDoublings = 4
	// maxThrottlePause bounds what a server can ask for.
	maxThrottlePause = 2 * time.Hour
)

// uidNext is how long to wait after an error, and how long at most: a login that was refused
// waits for another password or token.
func (p *backoffs) nextPause(err error) (pause, long time.Duration) {
	pause = p.lost.NextBackOff()
	if asked, is := throttlePause(err); is && asked > 0 {
		pause += min(asked, maxThrottlePause)
	} else if is {
		pause = max(pause, p.throttled.NextBackOff())
	}
	if no := (*errRefusedLogin)(nil); errors.As(err, &no) {
		return pause, max(pause, p.refused.NextBackOff())
	}
	return pause, pause
}

// waitForHandlers waits until it is time for the next connection, and reports whether it
// came to that. tell is called before with the longest it can take.
func (p *backoffs) wait(ctx context.Context, err error, tell func(time.Duration)) bool {
	pause, long := p.nextPause(err)
	tell(long)
	var no *errRefusedLogin
	if !errors.As(err, &no) {
		return sleep(ctx, pause)
	}
	// An access token that has ended is the ordinary case: the first check is
	// after the ordinary pause.
	check := min(pause, secretCheckInterval)
	if p.renewed > 0 {
		check = max(check, secretCheckInterval<<min(p.renewed-1, maxCheckDoublings))
	}
	for until := time.Now().Add(long); ; check = max(check, secretCheckInterval) {
		left := time.Until(until)
		if left <= check {
			p.renewed = 0
			return sleep(ctx, left)
		}
		if !sleep(ctx, check) {
			return false
		}
		if p.hasNewSecret(ctx, no.secret) {
			p.renewed++
			return true
		}
	}
}

// hasNewSecret tells whether there is another password or token than the one that
// was refused. When none is to be had, nothing has changed.
func (p *backoffs) hasNewSecret(ctx context.Context, old string) bool {
	who := p.credentials()
	if !who.wantsToken() {
		return who.password != old
	}
	who.tokens.Refused(old)
	token, err := who.tokens.Token(ctx)
	return err == nil && token != old
}

// sleep reports whether the whole pause passed.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
