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

// Proxy forwards connections to the server and simulates network failures.
type Proxy struct {
	server *Server
	ln     net.Listener
	ended  chan struct{}
	done   sync.WaitGroup

	mu sync.Mutex
	// whole is closed while the network works.
	whole chan struct{}
	delay time.Duration
	open  map[net.Conn]struct{}
}

// Proxy starts a proxy that runs until the test ends.
func (s *Server) Proxy(t testing.TB) *Proxy {
	t.Helper()
	p, err := s.NewProxy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// NewProxy starts a proxy that runs until Close.
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

// URL returns the URL of a database through the proxy.
func (p *Proxy) URL(database string) string { return p.server.url(p.ln.Addr().String(), database) }

// Cut closes all connections, on both sides.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}

// Split holds back all data until Heal, even the end of a connection. The data arrives after Heal.
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

// Delay delays all data.
func (p *Proxy) Delay(by time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = by
}

// Close closes all connections and refuses new ones.
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

// passes waits for the delay and until the network works; it returns false if the proxy is closed
// first.
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

// pipe forwards the data and the end of a connection in one direction.
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
