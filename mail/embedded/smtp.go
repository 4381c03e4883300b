package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// smtpSession is an SMTP connection. Its errors are of type SMTPError, because the library sends the text of other
// errors to the client.
type smtpSession struct {
	server *Server
	conn   *smtp.Conn
	user   string
	from   string
	rcpts  []string
	// size is the message size announced by the client (RFC 1870), or 0.
	size int64
}

var errTemporary = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0},
	Message: "The mailbox could not be written, try again later"}

// maxLineLength is the maximum length of a line in bytes; RFC 5321 requires 1000.
const maxLineLength = 2000

// errLongLine is a permanent error, because a repeated letter has the same line.
var errLongLine = &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0},
	Message: fmt.Sprintf("A line of the message has more than %d bytes; send it as quoted-printable or base64", maxLineLength)}

func (s *smtpSession) Mail(from string, opts *smtp.MailOptions) error {
	if s.user == "" && !isLoopback(s.conn.Conn().RemoteAddr()) {
		return smtp.ErrAuthRequired
	}
	if opts != nil && opts.Size > s.server.cfg.MaxMessage {
		return smtp.ErrDataTooLarge
	}
	s.from, s.rcpts, s.size = from, nil, 0
	if opts != nil {
		s.size = opts.Size
	}
	return nil
}

func isLoopback(a net.Addr) bool {
	t, ok := a.(*net.TCPAddr)
	return ok && t.IP.IsLoopback()
}

func (s *smtpSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.server.findRecipient(to) == nil {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No such mailbox here"}
	}
	s.rcpts = append(s.rcpts, to)
	return nil
}

// maxPreallocated limits the memory allocated for the announced size of a message.
const maxPreallocated = 1 << 20

// Data answers when the message is on disk for every recipient. If the delivery to the second recipient fails, the
// client sends the letter again, and the first recipient gets a duplicate.
func (s *smtpSession) Data(r io.Reader) error {
	var buffer bytes.Buffer
	buffer.Grow(int(min(s.size, maxPreallocated)) + bytes.MinRead)
	if _, err := buffer.ReadFrom(r); err != nil {
		var smtpErr *smtp.SMTPError
		switch {
		case errors.As(err, &smtpErr):
			return smtpErr
		case errors.Is(err, smtp.ErrTooLongLine):
			s.drainData()
			return errLongLine
		}
		return errTemporary
	}
	raw := normalizeCRLF(buffer.Bytes())
	now := s.server.cfg.Now()
	for _, to := range s.rcpts {
		head := fmt.Sprintf("Return-Path: <%s>\r\nDelivered-To: %s\r\nReceived: from %s by %s with ESMTP; %s\r\n",
			oneLine(s.from), oneLine(to), oneLine(s.conn.Hostname()), "localhost", now.Format(time.RFC1123Z))
		a := s.server.findRecipient(to)
		if _, _, err := a.deliver(inbox, slices.Concat([]byte(head), raw), now, nil); err != nil {
			s.server.log.Error("an operation of the embedded mail server failed", "operation", "deliver", "account", a.address, "error", err)
			return errTemporary
		}
	}
	return nil
}

// drainTimeout is how long drainData waits for data before it assumes that the client has finished.
const drainTimeout = time.Second

// drainData reads the rest of a message after a line that was too long. Otherwise the library would close the
// connection while the client writes, and the client would see a reset in place of the answer and try again.
func (s *smtpSession) drainData() {
	c, end := s.conn.Conn(), []byte("\r\n.\r\n")
	var buffer [4096]byte
	kept := 0
	for remaining := s.server.cfg.MaxMessage; remaining > 0; {
		if err := c.SetReadDeadline(time.Now().Add(drainTimeout)); err != nil {
			return
		}
		n, err := c.Read(buffer[kept:])
		if err != nil || bytes.HasSuffix(buffer[:kept+n], end) {
			return
		}
		remaining -= int64(n)
		// The end mark may be spread over several reads.
		kept = copy(buffer[:], buffer[max(0, kept+n-len(end)):kept+n])
	}
}

// oneLine replaces control characters, so that a client cannot add header fields.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

// normalizeCRLF replaces bare line feeds, because IMAP clients expect CRLF.
func normalizeCRLF(b []byte) []byte {
	if bytes.Count(b, []byte("\n")) == bytes.Count(b, []byte("\r\n")) {
		return b
	}
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
}

func (s *smtpSession) Reset()        { s.from, s.rcpts = "", nil }
func (s *smtpSession) Logout() error { return nil }

// loginServer is the server side of the obsolete SASL mechanism LOGIN.
type loginServer struct {
	login func(user, password string) error
	step  int
	user  string
}

func (l *loginServer) Next(response []byte) (challenge []byte, isDone bool, err error) {
	l.step++
	switch {
	case l.step == 1 && response == nil:
		return []byte("Username:"), false, nil
	case l.step == 1:
		// An initial response is the user name.
		l.step = 2
		fallthrough
	case l.step == 2:
		l.user = string(response)
		return []byte("Password:"), false, nil
	case l.step == 3:
		return nil, true, l.login(l.user, string(response))
	}
	return nil, true, sasl.ErrUnexpectedClientResponse
}
