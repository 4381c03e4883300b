package mailtest

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync"
)

// ProxyConfig holds the addresses and the faults of a Proxy.
type ProxyConfig struct {
	// Addr is the address to listen on; the default is a free loopback port. Listener, if set, is
	// used instead, and the Proxy closes it.
	Addr     string
	Listener net.Listener
	// Target is the address of the server. Dial connects to it; the default is TCP.
	Target string
	Dial   func(ctx context.Context, network, address string) (net.Conn, error)
	// SMTP selects SMTP; the default is IMAP.
	SMTP bool
	// TLS, if set, makes the Proxy speak TLS with the client. The connection to the server stays in
	// plain text.
	TLS    *tls.Config
	Faults []Fault
}

// Proxy forwards between a mail program and a mail server and causes failures. It parses the
// commands, so that a fault hits the right one. After STARTTLS it only copies bytes.
type Proxy struct {
	cfg  ProxyConfig
	ln   net.Listener
	ctx  context.Context
	stop context.CancelFunc
	done sync.WaitGroup

	mu     sync.Mutex
	faults []*armed
	fired  int
	conns  int
	open   map[net.Conn]struct{}
	closed bool
}

// StartProxy starts a proxy that runs until Close. ctx limits the start only.
func StartProxy(ctx context.Context, cfg ProxyConfig) (*Proxy, error) {
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:0"
	}
	if cfg.Dial == nil {
		cfg.Dial = (&net.Dialer{}).DialContext
	}
	if cfg.Listener == nil {
		ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Addr)
		if err != nil {
			return nil, fmt.Errorf("starting the fault proxy: %w", err)
		}
		cfg.Listener = ln
	}
	p := &Proxy{cfg: cfg, ln: cfg.Listener, open: map[net.Conn]struct{}{}}
	p.Set(cfg.Faults...)
	p.ctx, p.stop = context.WithCancel(context.WithoutCancel(ctx))
	p.done.Go(p.serve)
	return p, nil
}

// Addr is the address the Proxy listens on.
func (p *Proxy) Addr() string { return p.ln.Addr().String() }

// Set replaces the faults. Answers under way keep theirs.
func (p *Proxy) Set(faults ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
	for _, f := range faults {
		p.faults = append(p.faults, &armed{Fault: f})
	}
}

// Fired returns how often faults have fired.
func (p *Proxy) Fired() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fired
}

// Conns returns the number of connections made so far.
func (p *Proxy) Conns() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conns
}

// Cut closes all connections at once.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}

// Close stops listening and closes all connections.
func (p *Proxy) Close() error {
	p.stop()
	_ = p.ln.Close()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Cut()
	p.done.Wait()
	return nil
}

func (p *Proxy) serve() {
	for {
		c, err := p.ln.Accept()
		if err != nil {
			return
		}
		if !p.begins(c) {
			_ = c.Close()
			return
		}
		p.done.Go(func() {
			defer p.ends(c)
			if p.cfg.TLS != nil {
				p.pass(tls.Server(c, p.cfg.TLS))
			} else {
				p.pass(c)
			}
		})
	}
}

// begins registers a connection; it returns false if the Proxy is closed.
func (p *Proxy) begins(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns++
	p.open[c] = struct{}{}
	return !p.closed
}

func (p *Proxy) ends(c net.Conn) {
	_ = c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
}

// pass serves a client's connection.
func (p *Proxy) pass(client net.Conn) {
	f := p.fault(AtConnect, "")
	if f != nil {
		switch f.Do {
		case Drop:
			return
		case Stall:
			drain(client)
			return
		case Answer:
			_, _ = client.Write([]byte(f.Text + "\r\n"))
			return
		}
	}
	server, err := p.cfg.Dial(p.ctx, "tcp", p.cfg.Target)
	if err != nil {
		return
	}
	defer server.Close()
	l := newLink(p, client, server)
	switch {
	case f != nil && f.Do == CutAt:
		l.cutAt = f.Bytes
	case f != nil:
		l.expect("", f)
	}
	end := context.AfterFunc(p.ctx, l.cut)
	defer end()
	var answers sync.WaitGroup
	answers.Go(l.answers)
	l.commands()
	l.cut()
	answers.Wait()
}

// drain reads until the peer goes away.
func drain(c net.Conn) {
	b := make([]byte, 4096)
	for {
		if _, err := c.Read(b); err != nil {
			return
		}
	}
}
