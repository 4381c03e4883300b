package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-smtp"

	"samizdat/mail/message"
)

// dialSMTP connects, sends EHLO and logs in. No letter causes its errors.
func dialSMTP(ctx context.Context, cfg SMTPConfig) (transport, error) {
	tlsCfg, err := tlsConfig(cfg.Address, cfg.CAFile)
	if err != nil {
		return nil, err
	}
	conn, err := connect(ctx, cfg.Dial, cfg.Address, cfg.CommandTimeout)
	if err != nil {
		return nil, fmt.Errorf("connecting to the SMTP server: %w", err)
	}
	// This limit is for all commands up to the login together, because the library sends EHLO before STARTTLS without
	// a time-out.
	ctx, cancel := context.WithTimeout(ctx, 5*cfg.CommandTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	secured, err := cfg.secure(ctx, conn, tlsCfg, cfg.CommandTimeout)
	if err == nil && cfg.TLS == StartTLS {
		// bufferedConn must write into the TLS connection. Therefore a first client only starts TLS, and a second
		// client uses the encrypted connection. The server has sent its only greeting to the first client, so
		// prefixedConn gives an artificial greeting to the second.
		_, err = smtp.NewClientStartTLS(secured, tlsCfg)
		secured = &prefixedConn{tls.Client(secured, tlsCfg), []byte("220 encrypted\r\n")}
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("connecting to the SMTP server: %w", withDeadlineCause(ctx, err))
	}
	buffered := &bufferedConn{Conn: secured}
	c := smtp.NewClient(buffered)
	c.CommandTimeout, c.SubmissionTimeout = cfg.CommandTimeout, cfg.SubmissionTimeout
	if err := greet(ctx, c, cfg); err != nil {
		_ = c.Close()
		return nil, withDeadlineCause(ctx, err)
	}
	return smtpConn{c, buffered, cfg.Claims}, nil
}

// greet sends EHLO and logs in. With STARTTLS the TLS handshake takes place in the call of Hello, which therefore
// returns the error for a bad certificate.
func greet(ctx context.Context, c *smtp.Client, cfg SMTPConfig) error {
	if err := c.Hello(cfg.Hello); err != nil {
		return fmt.Errorf("greeting the SMTP server: %w", err)
	}
	if cfg.User == "" {
		return nil
	}
	creds := cfg.credentials()
	saslClient, token, err := creds.newClient(ctx, c.SupportsAuth)
	if err != nil {
		return fmt.Errorf("logging in to the SMTP server: %w", err)
	}
	if err := c.Auth(saslClient); err != nil {
		return creds.loginError(token, fmt.Errorf("logging in to the SMTP server: %w", err))
	}
	return nil
}

type smtpConn struct {
	*smtp.Client
	conn   *bufferedConn
	claims Claims
}

func (c smtpConn) deliver(letter Outgoing) (stage, error) {
	opts := &smtp.MailOptions{Size: int64(len(letter.Raw)), UTF8: !isASCII(letter.EnvelopeFrom + letter.To)}
	if opts.UTF8 {
		if ok, _ := c.Extension("SMTPUTF8"); !ok {
			return atRcpt, &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 6, 7},
				Message: "the mail server does not support internationalized addresses (SMTPUTF8)"}
		}
	}
	c.pipelineCommands(letter)
	if err := c.Mail(letter.EnvelopeFrom, opts); err != nil {
		return atMail, c.drainReplies(atMail, letter, err)
	}
	if err := c.Rcpt(letter.To, nil); err != nil {
		return atRcpt, c.drainReplies(atRcpt, letter, err)
	}
	// Between this check and the first byte of the letter, no step may take long.
	if c.claims != nil && !c.claims.Holds(letter.ID) {
		return atData, errClaimLost
	}
	w, err := c.Data()
	if err != nil {
		return atData, err
	}
	if err := c.conn.bufferWrites(func() error { _, err := w.Write(normalizeCRLF(letter.Raw)); return err }); err != nil {
		// Without the final dot the server has not accepted the letter.
		return atContent, err
	}
	if _, err := w.CloseWithResponse(); err != nil {
		return atDot, err
	}
	return "", nil
}

// pipelineCommands lets MAIL, RCPT and DATA be sent at once if the server supports PIPELINING (RFC 2920): two round
// trips instead of four. With Claims, DATA is not sent with them, because the claim must first be checked.
func (c smtpConn) pipelineCommands(letter Outgoing) {
	if ok, _ := c.Extension("PIPELINING"); !ok {
		return
	}
	pipelined := rcptCommand(letter)
	if c.claims == nil {
		pipelined += dataCommand
	}
	c.conn.pipelined = []byte(pipelined)
}

const dataCommand = "DATA\r\n"

func rcptCommand(letter Outgoing) string { return "RCPT TO:<" + letter.To + ">\r\n" }

// drainReplies reads the replies to the commands that were sent together with a refused command.
func (c smtpConn) drainReplies(at stage, letter Outgoing, err error) error {
	c.conn.pipelined = nil
	if classifyReply(at, err).isLost {
		return err // The connection is lost, so no reply follows.
	}
	if c.conn.isSentAhead(rcptCommand(letter)) {
		_ = c.Rcpt(letter.To, nil)
	}
	if c.conn.isSentAhead(dataCommand) {
		if _, e := c.Data(); e == nil {
			// The server accepted DATA without a valid recipient, and now expects a letter. Only closing the connection
			// avoids that.
			_ = c.Close()
		}
	}
	return err
}

// unsendableReason returns the reason why a letter can never be sent, or "". An address with a line end, blank or
// angle bracket would inject SMTP commands.
func unsendableReason(letter Outgoing) string {
	for _, party := range []struct{ role, address string }{{"recipient", letter.To}, {"sender", letter.EnvelopeFrom}} {
		if strings.ContainsFunc(party.address, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '<' || r == '>' }) {
			return "the " + party.role + " address is invalid"
		}
	}
	if letter.To == "" {
		return "there is no recipient"
	}
	return ""
}

// normalizeCRLF ends every line with CRLF. Only some servers take a lone CR as the end of a line; this difference
// allows SMTP smuggling.
func normalizeCRLF(raw []byte) []byte {
	n := bytes.Count(raw, []byte("\r\n"))
	if bytes.Count(raw, []byte("\r")) == n && bytes.Count(raw, []byte("\n")) == n {
		return raw
	}
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	return bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n"))
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// stage is a step of an SMTP transaction, used for the step that failed.
type stage string

const (
	atMail    stage = "MAIL"
	atRcpt    stage = "RCPT"
	atData    stage = "DATA"
	atContent stage = "content"
	// atDot is the wait for the reply to the final dot. Without this reply it is unknown whether the server accepted
	// the letter.
	atDot stage = "final dot"
)

type refusalCause int

const (
	// causeLetter means that the server refused the letter or its recipient.
	causeLetter refusalCause = iota
	// causeAccount means that the server refused our account or sender address. No letter may be given up for this
	// cause.
	causeAccount
	// causeUnclear means that the server refused either the letter or our account.
	causeUnclear
)

type replyClass struct {
	cause refusalCause
	// isPermanent reports whether the letter will never be accepted, so that it is given up.
	isPermanent bool
	// isLost reports whether the connection can no longer be used.
	isLost bool
	// isPermanentCode reports whether the reply code is 5xx. If our account caused the refusal, the letter may still
	// be accepted later.
	isPermanentCode bool
	// code is the reply code and the enhanced code, for example "550 5.1.1".
	code   string
	reason string
}

// classifyReply classifies the error of a transaction. For example, "550 5.1.1 no such user" at RCPT gives
// causeLetter and isPermanent.
func classifyReply(at stage, err error) replyClass {
	var se *smtp.SMTPError
	if !errors.As(err, &se) {
		return replyClass{isLost: true, reason: fmt.Sprintf("connection lost at %s: %v", at, err)}
	}
	reply := replyClass{
		// 421: the server closes the connection.
		isLost: se.Code == 421,
		code:   fmt.Sprintf("%d %d.%d.%d", se.Code, se.EnhancedCode[0], se.EnhancedCode[1], se.EnhancedCode[2]),
	}
	reply.reason = fmt.Sprintf("%s refused: %s %s", at, reply.code, message.OneLine(se.Message))
	isPermanent := se.Code >= 500 && se.Code < 600
	reply.isPermanentCode = isPermanent
	switch {
	case at == atMail:
		// MAIL tells the server only the size of the letter, so a refusal for another reason is about our account.
		tooBig := isTooBig(se)
		if reply.isPermanent = isPermanent && tooBig; !tooBig {
			reply.cause = causeAccount
		}
	case refusesAccount(se):
		reply.cause = causeAccount
		if at == atRcpt && !isLoginReply(se) {
			reply.cause = causeUnclear // The reply may come from the recipient's server.
		}
	case isPermanent && isUnclear(se):
		reply.cause = causeUnclear
	default:
		reply.isPermanent = isPermanent
	}
	return reply
}

// isTooBig reports whether a reply to MAIL is about the size of the letter. The code 552 alone does not show this,
// because servers also use it if our own mailbox is full.
func isTooBig(e *smtp.SMTPError) bool {
	if message.IsSenderRefusal(e.Message) || quotaPattern.MatchString(e.Message) {
		return false
	}
	switch [2]int{e.EnhancedCode[1], e.EnhancedCode[2]} {
	case [2]int{2, 3}, [2]int{3, 1}, [2]int{3, 4}:
		return true
	}
	return e.Code == 452 || sizePattern.MatchString(e.Message)
}

// refusesAccount reports whether a reply is about our login, our sender address or our sending limit.
func refusesAccount(e *smtp.SMTPError) bool {
	if isLoginReply(e) {
		return true
	}
	switch [2]int{e.EnhancedCode[1], e.EnhancedCode[2]} {
	// In this order: bad sender address (RFC 3463), login or login mechanism refused (RFC 4954), daily limit (Google),
	// no login, or a login that may not use this sender address (Microsoft).
	case [2]int{1, 7}, [2]int{1, 8}, [2]int{7, 8}, [2]int{7, 9}, [2]int{7, 11}, [2]int{7, 12}, [2]int{7, 13}, [2]int{4, 5}, [2]int{7, 57},
		[2]int{7, 60}:
		return true
	}
	return message.IsSenderRefusal(e.Message)
}

// isLoginReply reports whether a reply has a code that is used only for logins.
func isLoginReply(e *smtp.SMTPError) bool {
	return e.Code == 530 || e.Code == 534 || e.Code == 535 || e.Code == 538
}

// isUnclear reports whether it is unclear if a permanent refusal is about the letter or about our account, for
// example after a refusal for policy, for the protocol or for the state of the server.
func isUnclear(e *smtp.SMTPError) bool {
	switch e.EnhancedCode[1] {
	case 1:
		return false // The reply is about the recipient's address, even if it has the code of a syntax error, for example 501.
	case 3:
		return e.EnhancedCode[2] != 4
	case 5, 7:
		return true
	}
	return e.Code < 550 || unclearPattern.MatchString(e.Message)
}

var (
	sizePattern    = regexp.MustCompile(`(?i)\b(message|mail|size)\b.{0,40}\b(too (big|large|long)|exceed(s|ed)?)\b`)
	quotaPattern   = regexp.MustCompile(`(?i)\bquota|storage allocation|mailbox is full`)
	unclearPattern = regexp.MustCompile(`(?i)spam|policy|blocked|reputation|blacklist|blocklist|relay|authenticat|rejected for|limit|suspended`)
)
