package mail

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-smtp"
)

// dialSMTP connects, greets and logs in. No letter is blamed for what fails here.
func dialSMTP(ctx context.Context, cfg SMTPConfig) (transport, error) {
	tc, err := tlsConfig(cfg.Address, cfg.CAFile)
	if err != nil {
		return nil, err
	}
	conn, err := connect(ctx, cfg.Dial, cfg.Address, cfg.CommandTimeout)
	if err != nil {
		return nil, fmt.Errorf("connecting to the SMTP server: %w", err)
	}
	// Each command has its deadline; this is for all of them, and for the first
	// with STARTTLS, which the library sends before it can be told of one.
	ctx, cancel := context.WithTimeout(ctx, 5*cfg.CommandTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	var c *smtp.Client
	gathers := &gathering{}
	protected, err := cfg.protect(ctx, conn, tc, cfg.CommandTimeout)
	switch {
	case err != nil:
	case cfg.TLS == StartTLS:
		gathers.Conn = protected
		c, err = smtp.NewClientStartTLS(gathers, tc)
	default:
		gathers.Conn = protected
		c = smtp.NewClient(gathers)
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("connecting to the SMTP server: %w", orDeadline(ctx, err))
	}
	c.CommandTimeout, c.SubmissionTimeout = cfg.CommandTimeout, cfg.SubmissionTimeout
	if err := greet(ctx, c, cfg); err != nil {
		_ = c.Close()
		return nil, orDeadline(ctx, err)
	}
	return smtpConn{c, gathers, cfg.Claims}, nil
}

// greet says EHLO at once: with STARTTLS the handshake is lazy, and a bad
// certificate shows only here.
func greet(ctx context.Context, c *smtp.Client, cfg SMTPConfig) error {
	if err := c.Hello(cfg.Hello); err != nil {
		return fmt.Errorf("greeting the SMTP server: %w", err)
	}
	if cfg.User == "" {
		return nil
	}
	who := cfg.credentials()
	mech, token, err := who.client(ctx, c.SupportsAuth)
	if err != nil {
		return fmt.Errorf("logging in to the SMTP server: %w", err)
	}
	if err := c.Auth(mech); err != nil {
		return who.tried(token, fmt.Errorf("logging in to the SMTP server: %w", err))
	}
	return nil
}

// gathering is a connection that can gather what is written: the library writes a letter in
// pieces of 4 kB, each of which would wake whoever reads them.
type gathering struct {
	net.Conn
	on  bool
	out []byte
}

// mostGathered bounds what is gathered.
const mostGathered = 64 << 10

// Write implements net.Conn.
func (g *gathering) Write(b []byte) (int, error) {
	if !g.on {
		return g.Conn.Write(b)
	}
	if g.out = append(g.out, b...); len(g.out) < mostGathered {
		return len(b), nil
	}
	return len(b), g.flush()
}

// flush writes what was gathered.
func (g *gathering) flush() error {
	_, err := g.Conn.Write(g.out)
	g.out = g.out[:0]
	return err
}

// while gathers what is written meanwhile.
func (g *gathering) while(write func() error) error {
	g.on = true
	err := write()
	g.on = false
	if err == nil {
		err = g.flush()
	}
	g.out = g.out[:0]
	return err
}

type smtpConn struct {
	*smtp.Client
	gathers *gathering
	claims  Claims
}

func (c smtpConn) deliver(o Outgoing) (stage, error) {
	opts := &smtp.MailOptions{Size: int64(len(o.Raw)), UTF8: !ascii(o.EnvelopeFrom + o.To)}
	if opts.UTF8 {
		if ok, _ := c.Extension("SMTPUTF8"); !ok {
			return atRcpt, &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 6, 7}, Message: "the mail server cannot send to this address"}
		}
	}
	if err := c.Mail(o.EnvelopeFrom, opts); err != nil {
		return atMail, err
	}
	if err := c.Rcpt(o.To, nil); err != nil {
		return atRcpt, err
	}
	// Nothing may take long from here on to the first byte.
	if c.claims != nil && !c.claims.Ours(o.ID) {
		return atData, errNotOurs
	}
	w, err := c.Data()
	if err != nil {
		return atData, err
	}
	if err := c.gathers.while(func() error { _, err := w.Write(wire(o.Raw)); return err }); err != nil {
		// Without the final dot the letter was not taken.
		return atContent, err
	}
	if _, err := w.CloseWithResponse(); err != nil {
		return atDot, err
	}
	return "", nil
}

// unsendable tells why a letter can never be sent. An address with a line end, a
// blank or an angle bracket would say something else to the server than an
// address.
func unsendable(o Outgoing) string {
	for _, x := range []struct{ whose, address string }{{"recipient", o.To}, {"sender", o.EnvelopeFrom}} {
		if strings.ContainsFunc(x.address, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '<' || r == '>' }) {
			return "what stands for the " + x.whose + " is not an address"
		}
	}
	if o.To == "" {
		return "there is no recipient"
	}
	return ""
}

// wire ends every line with CRLF. A lone CR is a line end to some servers and
// none to others: between the two opinions a second letter could hide.
func wire(raw []byte) []byte {
	n := bytes.Count(raw, []byte("\r\n"))
	if bytes.Count(raw, []byte("\r")) == n && bytes.Count(raw, []byte("\n")) == n {
		return raw
	}
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	return bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n"))
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
