package mailtest

import (
	"context"
	"errors"
	"net"
	"sync"
)

// Pipes is an in-memory network for tests with a simulated clock. Dial connects to its own Accept.
type Pipes struct {
	conns chan net.Conn
	ended chan struct{}
	once  sync.Once

	mu     sync.Mutex
	refuse bool
	dials  int
}

var _ net.Listener = (*Pipes)(nil)

// NewPipes returns a network with a single server.
func NewPipes() *Pipes { return &Pipes{conns: make(chan net.Conn), ended: make(chan struct{})} }

// Accept implements net.Listener.
func (p *Pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ended:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *Pipes) Close() error { p.once.Do(func() { close(p.ended) }); return nil }

// Addr implements net.Listener.
func (p *Pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// Refuse makes every later Dial fail at once, or ends that.
func (p *Pipes) Refuse(is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = is
}

// Dial connects to Accept and ignores the address.
func (p *Pipes) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	p.mu.Lock()
	p.dials++
	refuse := p.refuse
	p.mu.Unlock()
	if refuse {
		return nil, errors.New("connection refused")
	}
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.ended:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Dials returns the number of calls of Dial so far.
func (p *Pipes) Dials() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dials
}
