package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"time"
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
func connect(ctx context.Context, dial func(context.Context, string, string) (net.Conn, error), address string, limit time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	return dial(ctx, "tcp", address)
}

// protect waits for the greeting of a server, or shakes hands with it where the
// connection is encrypted from the first byte. STARTTLS is left to the libraries.
func (l Login) protect(ctx context.Context, conn net.Conn, tc *tls.Config, limit time.Duration) (net.Conn, error) {
	if l.TLS == StartTLS || l.TLS == NoTLS {
		return awaitGreeting(conn, l.Address, limit)
	}
	encrypted := tls.Client(conn, tc)
	return encrypted, encrypted.HandshakeContext(ctx)
}
