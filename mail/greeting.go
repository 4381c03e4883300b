package mail

import (
	"fmt"
	"net"
	"time"
)

// greeted is a connection of which the first byte was read already.
type greeted struct {
	net.Conn
	first []byte
}

// Read implements net.Conn.
func (g *greeted) Read(b []byte) (int, error) {
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
	return &greeted{conn, first}, conn.SetReadDeadline(time.Time{})
}

// errNoGreeting says that a server did not say a word.
type errNoGreeting struct {
	address string
	err     error
}

func (e *errNoGreeting) Error() string { return fmt.Sprintf("waiting for the greeting: %v", e.err) }
func (e *errNoGreeting) Unwrap() error { return e.err }

// wantsTLS tells whether that is no wonder at this port: a client speaks first there,
// with a handshake (RFC 8314).
func (e *errNoGreeting) wantsTLS() bool {
	_, port, _ := net.SplitHostPort(e.address)
	return port == "465" || port == "993"
}
