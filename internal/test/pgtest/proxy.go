package pgtest

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy stands between a program and the server.
type Proxy struct {
	server *Server
	ln     net.Listener
	ended  chan struct{}
	done   sync.WaitGroup

	mu sync.Mutex
	// whole is closed while the network is.
	whole chan struct{}
	delay time.Duration
	open  map[net.Conn]struct{}
}

// Proxy opens another way to the server, until the test ends.
func (s *Server) Proxy(t testing.TB) *Proxy {
	t.Helper()
	p, err := s.NewProxy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// NewProxy opens another way to the server, until Close.
func (s *Server) NewProxy(ctx context.Context) (*Proxy, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting a proxy: %w", err)
	}
	p := &Proxy{server: s, ln: ln, ended: make(chan struct{}), whole: make(chan struct{}), open: map[net.Conn]struct{}{}}
	close(p.whole)
	p.done.Go(p.serve)
	return p, nil
}

// URL leads to a database through the proxy.
func (p *Proxy) URL(database string) string { return p.server.url(p.ln.Addr().String(), database) }

// Cut ends all connections, on both sides.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}

// Split lets nothing pass any more, not even that a side has hung up, until Heal. What is said
// meanwhile waits, and arrives then.
func (p *Proxy) Split() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if isClosed(p.whole) {
		p.whole = make(chan struct{})
	}
}

// Heal ends a Split.
func (p *Proxy) Heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !isClosed(p.whole) {
		close(p.whole)
	}
}

// Delay lets everything arrive so much later.
func (p *Proxy) Delay(by time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = by
}

// Close ends all connections, and lets no more be made.
func (p *Proxy) Close() {
	if !isClosed(p.ended) {
		close(p.ended)
	}
	_ = p.ln.Close()
	p.Cut()
	p.done.Wait()
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (p *Proxy) serve() {
	for {
		c, err := p.ln.Accept()
		if err != nil {
			return
		}
		p.note(c)
		p.done.Go(func() { p.connect(c) })
	}
}

func (p *Proxy) note(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[c] = struct{}{}
	if isClosed(p.ended) {
		_ = c.Close()
	}
}

func (p *Proxy) forget(c net.Conn) {
	_ = c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
}

func (p *Proxy) connect(client net.Conn) {
	defer p.forget(client)
	if !p.passes() {
		return
	}
	server, err := net.Dial("tcp", p.server.address)
	if err != nil {
		return
	}
	p.note(server)
	defer p.forget(server)
	var answers sync.WaitGroup
	answers.Go(func() { p.pipe(client, server) })
	p.pipe(server, client)
	answers.Wait()
}

// passes waits until the network is whole; false when the proxy is closed before.
func (p *Proxy) passes() bool {
	p.mu.Lock()
	whole, delay := p.whole, p.delay
	p.mu.Unlock()
	select {
	case <-time.After(delay):
	case <-p.ended:
		return false
	}
	select {
	case <-whole:
		return true
	case <-p.ended:
		return false
	}
}

// pipe passes on what one side says, and that it has hung up.
func (p *Proxy) pipe(to, from net.Conn) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		if !p.passes() {
			return
		}
		if n > 0 {
			if _, err := to.Write(b[:n]); err != nil {
				_ = from.Close()
				return
			}
		}
		if err != nil {
			if err != io.EOF {
				_ = from.Close()
			}
			_ = to.Close()
			return
		}
	}
}
