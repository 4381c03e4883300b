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
	protected, err := cfg.secure(ctx, conn, tc, cfg.CommandTimeout)
	if err == nil && cfg.TLS == StartTLS {
		// The library asks for encryption, and has sent nothing encrypted yet. What is gathered
		// has to be gathered before it is encrypted: so we do that, and it is greeted again.
		_, err = smtp.NewClientStartTLS(protected, tc)
		protected = &prefixedConn{tls.Client(protected, tc), []byte("220 encrypted\r\n")}
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("connecting to the SMTP server: %w", withDeadlineCause(ctx, err))
	}
	gathers := &bufferedConn{Conn: protected}
	c := smtp.NewClient(gathers)
	c.CommandTimeout, c.SubmissionTimeout = cfg.CommandTimeout, cfg.SubmissionTimeout
	if err := greet(ctx, c, cfg); err != nil {
		_ = c.Close()
		return nil, withDeadlineCause(ctx, err)
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
	mech, token, err := who.newClient(ctx, c.SupportsAuth)
	if err != nil {
		return fmt.Errorf("logging in to the SMTP server: %w", err)
	}
	if err := c.Auth(mech); err != nil {
		return who.loginError(token, fmt.Errorf("logging in to the SMTP server: %w", err))
	}
	return nil
}

type smtpConn struct {
	*smtp.Client
	conn   *bufferedConn
	claims Claims
}

func (c smtpConn) deliver(o Outgoing) (stage, error) {
	opts := &smtp.MailOptions{Size: int64(len(o.Raw)), UTF8: !isASCII(o.EnvelopeFrom + o.To)}
	if opts.UTF8 {
		if ok, _ := c.Extension("SMTPUTF8"); !ok {
			return atRcpt, &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 6, 7},
				Message: "the mail server cannot send to this address"}
		}
	}
	c.pipelineCommands(o)
	if err := c.Mail(o.EnvelopeFrom, opts); err != nil {
		return atMail, c.drainReplies(atMail, o, err)
	}
	if err := c.Rcpt(o.To, nil); err != nil {
		return atRcpt, c.drainReplies(atRcpt, o, err)
	}
	// Nothing may take long from here on to the first byte.
	if c.claims != nil && !c.claims.Ours(o.ID) {
		return atData, errClaimLost
	}
	w, err := c.Data()
	if err != nil {
		return atData, err
	}
	if err := c.conn.bufferWrites(func() error { _, err := w.Write(normalizeCRLF(o.Raw)); return err }); err != nil {
		// Without the final dot the letter was not taken.
		return atContent, err
	}
	if _, err := w.CloseWithResponse(); err != nil {
		return atDot, err
	}
	return "", nil
}

// pipelineCommands lets the server have all commands of a letter at once where it can take them so
// (RFC 2920): a letter then waits for it twice, and not four times. Where others send as
// well, DATA waits until it is known that the letter is still ours.
func (c smtpConn) pipelineCommands(o Outgoing) {
	if ok, _ := c.Extension("PIPELINING"); !ok {
		return
	}
	ahead := rcptCommand(o)
	if c.claims == nil {
		ahead += dataCommand
	}
	c.conn.pipelined = []byte(ahead)
}

const dataCommand = "DATA\r\n"

func rcptCommand(o Outgoing) string { return "RCPT TO:<" + o.To + ">\r\n" }

// reportRefusal reads the answers to the commands that went ahead of one that was refused.
func (c smtpConn) drainReplies(at stage, o Outgoing, err error) error {
	c.conn.pipelined = nil
	if classifyReply(at, err).lost {
		return err // No answer comes.
	}
	if c.conn.isSentAhead(rcptCommand(o)) {
		_ = c.Rcpt(o.To, nil)
	}
	if c.conn.isSentAhead(dataCommand) {
		if _, e := c.Data(); e == nil {
			// It takes a letter to nobody. It gets none, also not an empty one.
			_ = c.Close()
		}
	}
	return err
}

// unsendableReason tells why a letter can never be sent. An address with a line end, a
// blank or an angle bracket would say something else to the server than an
// address.
func unsendableReason(o Outgoing) string {
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

// normalizeCRLF ends every line with CRLF. A lone CR is a line end to some servers and
// none to others: between the two opinions a second letter could hide.
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

// stage is the step of a transaction an error came from.
type stage string

const (
	atMail    stage = "MAIL"
	atRcpt    stage = "RCPT"
	atData    stage = "DATA"
	atContent stage = "content"
	// atDot is after the final dot: when the answer does not come, nobody knows
	// whether the letter was taken.
	atDot stage = "final dot"
)

// cause says whom a refusal is for.
type refusalCause int

const (
	// causeLetter: the refusal is for this letter.
	causeLetter refusalCause = iota
	// us: the server refuses us, whatever the letter. No letter may fail by it.
	causeAccount
	// either: the server may mean this letter or us.
	causeUnclear
)

// replyClass says what an error means for the letter.
type replyClass struct {
	cause refusalCause
	// permanent: the letter will never be taken.
	permanent bool
	// lost: the connection cannot be used any more.
	lost bool
	// isPermanentCode: the server says that it will not change its mind.
	isPermanentCode bool
	// code is what the server answered, without its words.
	code   string
	reason string
}

// classifyReply classifies the error of one transaction.
func classifyReply(at stage, err error) replyClass {
	var se *smtp.SMTPError
	if !errors.As(err, &se) {
		return replyClass{lost: true, reason: fmt.Sprintf("connection lost at %s: %v", at, err)}
	}
	v := replyClass{
		// 421 announces that the server closes the connection.
		lost: se.Code == 421,
		code: fmt.Sprintf("%d %d.%d.%d", se.Code, se.EnhancedCode[0], se.EnhancedCode[1], se.EnhancedCode[2]),
	}
	v.reason = fmt.Sprintf("%s refused: %s %s", at, v.code, message.OneLine(se.Message))
	forGood := se.Code >= 500 && se.Code < 600
	v.isPermanentCode = forGood
	switch {
	case at == atMail:
		// MAIL says nothing of the letter but its size.
		big := isTooBig(se)
		if v.permanent = forGood && big; !big {
			v.cause = causeAccount
		}
	case refusesAccount(se):
		v.cause = causeAccount
		if at == atRcpt && !requiresLogin(se) {
			v.cause = causeUnclear // They may be the words of the recipient's server, passed on.
		}
	case forGood && isUnclear(se):
		v.cause = causeUnclear
	default:
		v.permanent = forGood
	}
	return v
}

// isTooBig knows the answers to MAIL that speak of the letter's size: it is too long
// for ever, or there is no room for it now. A bare 552 is none of them: it is said
// of our own mailbox and our own quota as well.
func isTooBig(e *smtp.SMTPError) bool {
	if message.IsSenderRefusal(e.Message) || roomWords.MatchString(e.Message) {
		return false
	}
	switch [2]int{e.EnhancedCode[1], e.EnhancedCode[2]} {
	case [2]int{2, 3}, [2]int{3, 1}, [2]int{3, 4}:
		return true
	}
	return e.Code == 452 || sizeWords.MatchString(e.Message)
}

// refusesAccount knows the answers that speak of our login, our sender address or what
// our account may send, at whatever step they come.
func refusesAccount(e *smtp.SMTPError) bool {
	if requiresLogin(e) {
		return true
	}
	switch [2]int{e.EnhancedCode[1], e.EnhancedCode[2]} {
	// The sender's address is bad (RFC 3463); its mechanism or its login is (RFC
	// 4954); the day's limit is reached (Google); the login is missing, or may not
	// write under this address (Microsoft).
	case [2]int{1, 7}, [2]int{1, 8}, [2]int{7, 8}, [2]int{7, 9}, [2]int{7, 11}, [2]int{7, 12}, [2]int{7, 13}, [2]int{4, 5}, [2]int{7, 57},
		[2]int{7, 60}:
		return true
	}
	return message.IsSenderRefusal(e.Message)
}

// requiresLogin knows the codes that a server uses for our login only.
func requiresLogin(e *smtp.SMTPError) bool {
	return e.Code == 530 || e.Code == 534 || e.Code == 535 || e.Code == 538
}

// isUnclear knows the lasting refusals that may be for the letter or for all of
// ours: policy, protocol, the state of the server.
func isUnclear(e *smtp.SMTPError) bool {
	switch e.EnhancedCode[1] {
	case 1:
		return false // The recipient's address, also where the code is that of a syntax error.
	case 3:
		return e.EnhancedCode[2] != 4
	case 5, 7:
		return true
	}
	return e.Code < 550 || eitherWords.MatchString(e.Message)
}

var (
	sizeWords = regexp.MustCompile(`(?i)\b(message|mail|size)\b.{0,40}\b(too (big|large|long)|exceed(s|ed)?)\b`)
	// roomWords speak of all that our account may have, and not of one letter.
	roomWords = regexp.MustCompile(`(?i)\bquota|storage allocation|mailbox is full`)
	// eitherWords may be said of a letter or of who sends it, where no code says more.
	eitherWords = regexp.MustCompile(`(?i)spam|policy|blocked|reputation|blacklist|blocklist|relay|authenticat|rejected for|limit|suspended`)
)
