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

// Encryption modes in the configuration.
const (
	// TLS is implicit TLS (imaps, submissions; RFC 8314).
	TLS = "tls"
	// StartTLS upgrades to TLS before the login. A server without STARTTLS is refused.
	StartTLS = "starttls"
	// NoTLS is unencrypted, for servers on the same machine.
	NoTLS = "none"
)

const certificateErrorPrefix = "reading trusted certificates"

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
		return nil, fmt.Errorf(certificateErrorPrefix+": %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf(certificateErrorPrefix+": %s holds no certificate", caFile)
	}
	c.RootCAs = pool
	return c, nil
}

func connect(ctx context.Context, dial func(context.Context, string, string) (net.Conn, error), address string,
	limit time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	return dial(ctx, "tcp", address)
}

// secure makes the TLS handshake, or waits for the greeting of an unencrypted server. The libraries do STARTTLS.
func (l Login) secure(ctx context.Context, conn net.Conn, tlsCfg *tls.Config, limit time.Duration) (net.Conn, error) {
	if l.TLS == StartTLS || l.TLS == NoTLS {
		return awaitGreeting(conn, l.Address, limit)
	}
	encrypted := tls.Client(conn, tlsCfg)
	return encrypted, encrypted.HandshakeContext(ctx)
}

type prefixedConn struct {
	net.Conn
	prefix []byte
}

func (g *prefixedConn) Read(b []byte) (int, error) {
	if len(g.prefix) == 0 || len(b) == 0 {
		return g.Conn.Read(b)
	}
	n := copy(b, g.prefix)
	g.prefix = g.prefix[n:]
	return n, nil
}

// awaitGreeting waits for the first byte of a server. A server on a TLS port sends nothing until the handshake,
// and the libraries would wait for minutes.
func awaitGreeting(conn net.Conn, address string, limit time.Duration) (net.Conn, error) {
	if err := conn.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	first := make([]byte, 1)
	if _, err := conn.Read(first); err != nil {
		return nil, &noGreetingError{address, err}
	}
	return &prefixedConn{conn, first}, conn.SetReadDeadline(time.Time{})
}

type noGreetingError struct {
	address string
	err     error
}

func (e *noGreetingError) Error() string { return fmt.Sprintf("waiting for the greeting: %v", e.err) }
func (e *noGreetingError) Unwrap() error { return e.err }

// NeedsStartTLS reports whether a server greets before it encrypts. The usual ports decide this; for any other port,
// NeedsStartTLS connects to find out.
func NeedsStartTLS(ctx context.Context, address string) bool {
	const limit = 3 * time.Second
	switch _, port, _ := net.SplitHostPort(address); port {
	case "143", "587", "25":
		return true
	case "993", "465":
		return false
	}
	conn, err := connect(ctx, nil, address, limit)
	if err != nil {
		return false
	}
	defer conn.Close()
	_, err = awaitGreeting(conn, address, limit)
	return err == nil
}

// isTLSPort reports whether the port is for implicit TLS (RFC 8314), where the client speaks first.
func (e *noGreetingError) isTLSPort() bool {
	_, port, _ := net.SplitHostPort(e.address)
	return port == "465" || port == "993"
}

// bufferedConn is a connection that can buffer writes. The library writes a letter in pieces of 4 kB, and without a
// buffer each piece would be sent and wake the server.
type bufferedConn struct {
	net.Conn
	isBuffering bool
	buffer      []byte
	// pipelined are commands that are sent together with the next MAIL command. When the library later writes these
	// commands itself, Write drops them.
	pipelined []byte
	// sentAhead are the pipelined commands that were sent and that the library has not written yet.
	sentAhead []byte
}

const maxBuffered = 64 << 10

func (c *bufferedConn) Write(b []byte) (int, error) {
	if len(c.sentAhead) > 0 {
		remaining, ok := bytes.CutPrefix(c.sentAhead, b)
		if !ok {
			return 0, fmt.Errorf("expected the pipelined commands %q, got %q", c.sentAhead, b)
		}
		c.sentAhead = remaining
		return len(b), nil
	}
	if len(c.pipelined) > 0 && bytes.HasPrefix(b, []byte("MAIL ")) {
		c.sentAhead, c.pipelined = c.pipelined, nil
		_, err := c.Conn.Write(append(bytes.Clone(b), c.sentAhead...))
		return len(b), err
	}
	if !c.isBuffering {
		return c.Conn.Write(b)
	}
	if c.buffer = append(c.buffer, b...); len(c.buffer) < maxBuffered {
		return len(b), nil
	}
	return len(b), c.flush()
}

func (c *bufferedConn) isSentAhead(command string) bool {
	return bytes.HasPrefix(c.sentAhead, []byte(command))
}

func (c *bufferedConn) flush() error {
	if len(c.buffer) == 0 {
		return nil
	}
	_, err := c.Conn.Write(c.buffer)
	c.buffer = c.buffer[:0]
	return err
}

func (c *bufferedConn) bufferWrites(write func() error) error {
	c.isBuffering = true
	err := write()
	c.isBuffering = false
	if err == nil {
		err = c.flush()
	}
	c.buffer = c.buffer[:0]
	return err
}

// backoffs computes the pause after a connection has ended, from the error that ended it.
type backoffs struct {
	credentials                        func() credentials
	reconnect, refusedLogin, throttled *backoff.ExponentialBackOff
	// newSecretTries counts consecutive refused logins with a new password or token.
	newSecretTries int
}

func (c IMAPConfig) backoffs() *backoffs {
	return &backoffs{credentials: c.credentials, reconnect: c.Reconnect.exponential(), refusedLogin: c.Refused.exponential(),
		throttled: c.Throttled.exponential()}
}

// backoffs returns the pauses of a Sender. There is no setting for throttled: SMTP servers limit requests with ordinary
// refusals.
func (c SMTPConfig) backoffs() *backoffs {
	return &backoffs{credentials: c.credentials, reconnect: c.Reconnect.exponential(), refusedLogin: c.Refused.exponential(),
		throttled: c.Reconnect.exponential()}
}

// reset is called after a successful connection.
func (p *backoffs) reset() {
	p.reconnect.Reset()
	p.refusedLogin.Reset()
	p.throttled.Reset()
	p.newSecretTries = 0
}

const (
	// secretCheckInterval is the interval between checks for a new password or token after a refused login.
	secretCheckInterval = time.Minute
	// maxCheckDoublings limits the growth of secretCheckInterval to a quarter of an hour. It grows if a token source
	// returns a new invalid token each time.
	maxCheckDoublings = 4
	maxThrottlePause  = 2 * time.Hour
)

// nextPause returns the pause after an error. longest is the pause if no new password or token is found after a
// refused login.
func (p *backoffs) nextPause(err error) (pause, longest time.Duration) {
	pause = p.reconnect.NextBackOff()
	if requested, ok := throttlePause(err); ok && requested > 0 {
		pause += min(requested, maxThrottlePause)
	} else if ok {
		pause = max(pause, p.throttled.NextBackOff())
	}
	if refused := (*refusedLoginError)(nil); errors.As(err, &refused) {
		return pause, max(pause, p.refusedLogin.NextBackOff())
	}
	return pause, pause
}

// wait waits for the pause after err. After a refused login it ends the pause early if there is a new password or
// token. Before it waits, it calls notify with the longest possible pause. It returns false if ctx is done.
func (p *backoffs) wait(ctx context.Context, err error, notify func(time.Duration)) bool {
	pause, longest := p.nextPause(err)
	notify(longest)
	var refused *refusedLoginError
	if !errors.As(err, &refused) {
		return sleep(ctx, pause)
	}
	// An expired access token is common, so the first check follows the ordinary pause.
	check := min(pause, secretCheckInterval)
	if p.newSecretTries > 0 {
		check = max(check, secretCheckInterval<<min(p.newSecretTries-1, maxCheckDoublings))
	}
	for until := time.Now().Add(longest); ; check = max(check, secretCheckInterval) {
		remaining := time.Until(until)
		if remaining <= check {
			p.newSecretTries = 0
			return sleep(ctx, remaining)
		}
		if !sleep(ctx, check) {
			return false
		}
		if p.hasNewSecret(ctx, refused.secret) {
			p.newSecretTries++
			return true
		}
	}
}

func (p *backoffs) hasNewSecret(ctx context.Context, old string) bool {
	creds := p.credentials()
	if !creds.needsToken() {
		return creds.password != old
	}
	creds.tokens.MarkRefused(old)
	token, err := creds.tokens.Token(ctx)
	return err == nil && token != old
}

// signal wakes the receiver of a channel with room for one value. It never blocks.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// sleep waits for a duration. It returns false if ctx is done.
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
