package embedded

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync"
)

// ProxyConfig says where trouble is made, and which.
type ProxyConfig struct {
	// Addr is where to listen; the default is a free loopback port. Listener is
	// used instead when it is set; the Proxy closes it.
	Addr     string
	Listener net.Listener
	// Target is the server behind. Dial connects to it; the default is TCP.
	Target string
	Dial   func(ctx context.Context, network, address string) (net.Conn, error)
	// SMTP says that the server speaks SMTP; otherwise it is IMAP.
	SMTP bool
	// TLS, when it is set, makes the Proxy speak TLS with the client, and nothing
	// but plain text with the server.
	TLS    *tls.Config
	Faults []Fault
}

// Proxy stands between a mail program and a mail server and makes trouble on
// purpose. It reads the commands that pass, so that a fault hits where it is
// meant to. After STARTTLS it sees nothing any more and only passes on.
type Proxy struct {
	cfg  ProxyConfig
	ln   *listener
	ctx  context.Context
	stop context.CancelFunc
	done sync.WaitGroup

	mu     sync.Mutex
	faults []*armed
	fired  int
	conns  int
}

// StartProxy serves until Close. ctx bounds the start only.
func StartProxy(ctx context.Context, cfg ProxyConfig) (*Proxy, error) {
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:0"
	}
	if cfg.Dial == nil {
		cfg.Dial = (&net.Dialer{}).DialContext
	}
	ln, err := listen(ctx, cfg.Listener, cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("starting the fault proxy: %w", err)
	}
	p := &Proxy{cfg: cfg, ln: ln}
	p.Set(cfg.Faults...)
	p.ctx, p.stop = context.WithCancel(context.WithoutCancel(ctx))
	p.done.Go(p.serve)
	return p, nil
}

// Addr is the address the Proxy listens on.
func (p *Proxy) Addr() string { return p.ln.Addr().String() }

// Set replaces the faults. Those under way end as they began.
func (p *Proxy) Set(faults ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
	for _, f := range faults {
		p.faults = append(p.faults, &armed{Fault: f})
	}
}

// Fired tells how many faults came to pass.
func (p *Proxy) Fired() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fired
}

// Conns tells how many connections were made.
func (p *Proxy) Conns() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conns
}

// Cut closes all connections at once.
func (p *Proxy) Cut() {
	p.ln.mu.Lock()
	defer p.ln.mu.Unlock()
	for c := range p.ln.conns {
		_ = c.Close()
	}
}

// Close ends all connections.
func (p *Proxy) Close() error {
	p.stop()
	p.ln.shut()
	p.done.Wait()
	return nil
}

func (p *Proxy) serve() {
	for {
		c, err := p.ln.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.conns++
		p.mu.Unlock()
		if p.cfg.TLS != nil {
			c = tls.Server(c, p.cfg.TLS)
		}
		p.done.Go(func() {
			defer c.Close()
			p.pass(c)
		})
	}
}

// pass serves one client.
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
