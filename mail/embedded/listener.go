package embedded

import (
	"net"
	"sync"
)

// listener remembers its connections. The libraries close what they know of,
// which may miss a connection that was accepted in the same moment.
type listener struct {
	net.Listener
	// begun is closed when somebody listens: to close a library's server while it
	// begins would be a race.
	begun chan struct{}
	once  sync.Once

	mu    sync.Mutex
	shutd bool
	conns map[net.Conn]struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	l.once.Do(func() { close(l.begun) })
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shutd {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	l.conns[c] = struct{}{}
	return &conn{Conn: c, from: l}, nil
}

// shut closes the listener, when somebody listens if that is to be waited for, and all
// connections.
func (l *listener) shut(wait bool) {
	if wait {
		<-l.begun
	}
	_ = l.Listener.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shutd = true
	for c := range l.conns {
		_ = c.Close()
	}
}

type conn struct {
	net.Conn
	from *listener
}

func (c *conn) Close() error {
	c.from.mu.Lock()
	delete(c.from.conns, c.Conn)
	c.from.mu.Unlock()
	return c.Conn.Close()
}
