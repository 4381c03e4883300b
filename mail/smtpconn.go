package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
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
	protected, err := cfg.protect(ctx, conn, tc, cfg.CommandTimeout)
	if err == nil && cfg.TLS == StartTLS {
		// The library asks for encryption, and has sent nothing encrypted yet. What is gathered
		// has to be gathered before it is encrypted: so we do that, and it is greeted again.
		_, err = smtp.NewClientStartTLS(protected, tc)
		protected = &greeted{tls.Client(protected, tc), []byte("220 encrypted\r\n")}
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("connecting to the SMTP server: %w", orDeadline(ctx, err))
	}
	gathers := &gathering{Conn: protected}
	c := smtp.NewClient(gathers)
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
	c.sendAhead(o)
	if err := c.Mail(o.EnvelopeFrom, opts); err != nil {
		return atMail, c.refused(atMail, o, err)
	}
	if err := c.Rcpt(o.To, nil); err != nil {
		return atRcpt, c.refused(atRcpt, o, err)
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

// sendAhead lets the server have all commands of a letter at once where it can take them so
// (RFC 2920): a letter then waits for it twice, and not four times. Where others send as
// well, DATA waits until it is known that the letter is still ours.
func (c smtpConn) sendAhead(o Outgoing) {
	if ok, _ := c.Extension("PIPELINING"); !ok {
		return
	}
	ahead := rcptCommand(o)
	if c.claims == nil {
		ahead += dataCommand
	}
	c.gathers.ahead = []byte(ahead)
}

const dataCommand = "DATA\r\n"

func rcptCommand(o Outgoing) string { return "RCPT TO:<" + o.To + ">\r\n" }

// refused reads the answers to the commands that went ahead of one that was refused.
func (c smtpConn) refused(at stage, o Outgoing, err error) error {
	c.gathers.ahead = nil
	if classifyReply(at, err).lost {
		return err // No answer comes.
	}
	if c.gathers.went(rcptCommand(o)) {
		_ = c.Rcpt(o.To, nil)
	}
	if c.gathers.went(dataCommand) {
		if _, e := c.Data(); e == nil {
			// It takes a letter to nobody. It gets none, also not an empty one.
			_ = c.Close()
		}
	}
	return err
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
