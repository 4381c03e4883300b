package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// dialSMTP connects, greets and logs in. No letter is blamed for what fails here.
func dialSMTP(ctx context.Context, cfg SMTPConfig) (transport, error) {
	ctx, cancel := context.WithTimeout(ctx, cfg.CommandTimeout)
	defer cancel()
	tc, err := tlsConfig(cfg.Address, cfg.CAFile)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", cfg.Address)
	if err != nil {
		return nil, fmt.Errorf("connecting to the SMTP server: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	var c *smtp.Client
	switch cfg.TLS {
	case StartTLS:
		c, err = smtp.NewClientStartTLS(conn, tc)
	case NoTLS:
		c = smtp.NewClient(conn)
	default:
		tlsConn := tls.Client(conn, tc)
		if err = tlsConn.HandshakeContext(ctx); err == nil {
			c = smtp.NewClient(tlsConn)
		}
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("connecting to the SMTP server: %w", err)
	}
	c.CommandTimeout, c.SubmissionTimeout = cfg.CommandTimeout, cfg.SubmissionTimeout
	if err := greet(c, cfg); err != nil {
		_ = c.Close()
		return nil, err
	}
	return smtpConn{c}, nil
}

// greet says EHLO at once: with STARTTLS the handshake is lazy, and a bad
// certificate shows only here.
func greet(c *smtp.Client, cfg SMTPConfig) error {
	if err := c.Hello(cfg.Hello); err != nil {
		return fmt.Errorf("greeting the SMTP server: %w", err)
	}
	if cfg.User == "" {
		return nil
	}
	var mech sasl.Client
	switch {
	case c.SupportsAuth(sasl.Plain):
		mech = sasl.NewPlainClient("", cfg.User, cfg.Password)
	case c.SupportsAuth(sasl.Login):
		mech = sasl.NewLoginClient(cfg.User, cfg.Password)
	default:
		return errors.New("logging in to the SMTP server: it offers neither PLAIN nor LOGIN")
	}
	if err := c.Auth(mech); err != nil {
		return fmt.Errorf("logging in to the SMTP server: %w", err)
	}
	return nil
}

type smtpConn struct{ *smtp.Client }

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
	w, err := c.Data()
	if err != nil {
		return atData, err
	}
	if _, err := w.Write(o.Raw); err != nil {
		// Without the final dot the letter was not taken.
		return atContent, err
	}
	if _, err := w.CloseWithResponse(); err != nil {
		return atContent, err
	}
	return "", nil
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
