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

// smtpSession is one SMTP connection. Errors are always SMTPErrors: the library
// would show the text of any other to the client.
type smtpSession struct {
	server *Server
	conn   *smtp.Conn
	user   string
	from   string
	rcpts  []string
	// size is how large the letter will be, as far as its sender has said; 0 where he has not.
	size int64
}

var errLater = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "The mailbox could not be written, try again later"}

// longestLine is how many bytes a line may have; RFC 5321 wants 1000.
const longestLine = 2000

// errLongLine is for ever: the same letter has the same line tomorrow.
var errLongLine = &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0},
	Message: fmt.Sprintf("A line of the message has more than %d bytes; send it as quoted-printable or base64", longestLine)}

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
	if s.server.lookup(to) == nil {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No such mailbox here"}
	}
	s.rcpts = append(s.rcpts, to)
	return nil
}

// mostBelieved is how much room is made for a letter before it has come.
const mostBelieved = 1 << 20

// Data answers only when the message lies on disk for every recipient. When the
// second fails, the sender tries again and the first gets it twice: that is
// the side SMTP errs on.
func (s *smtpSession) Data(r io.Reader) error {
	var read bytes.Buffer
	read.Grow(int(min(s.size, mostBelieved)) + bytes.MinRead)
	if _, err := read.ReadFrom(r); err != nil {
		var se *smtp.SMTPError
		switch {
		case errors.As(err, &se):
			return se
		case errors.Is(err, smtp.ErrTooLongLine):
			s.hearOut()
			return errLongLine
		}
		return errLater
	}
	raw := crlf(read.Bytes())
	now := s.server.cfg.Now()
	for _, to := range s.rcpts {
		head := fmt.Sprintf("Return-Path: <%s>\r\nDelivered-To: %s\r\nReceived: from %s by %s with ESMTP; %s\r\n",
			oneLine(s.from), oneLine(to), oneLine(s.conn.Hostname()), "localhost", now.Format(time.RFC1123Z))
		a := s.server.lookup(to)
		if _, _, err := a.deliver(inbox, slices.Concat([]byte(head), raw), now, nil); err != nil {
			s.server.log.Error("embedded mail server", "operation", "deliver", "account", a.address, "error", err)
			return errLater
		}
	}
	return nil
}

// pause is how long a peer is silent that has said all it has to say.
const pause = time.Second

// hearOut reads what a peer goes on to send behind a line that is too long: the library
// reads no more of it and closes the connection, and a peer that still writes would see that
// before it saw the answer, and come again.
func (s *smtpSession) hearOut() {
	c, end := s.conn.Conn(), []byte("\r\n.\r\n")
	var heard [4096]byte
	kept := 0
	for left := s.server.cfg.MaxMessage; left > 0; {
		if err := c.SetReadDeadline(time.Now().Add(pause)); err != nil {
			return
		}
		n, err := c.Read(heard[kept:])
		if err != nil || bytes.HasSuffix(heard[:kept+n], end) {
			return
		}
		left -= int64(n)
		// The mark of the end may come in pieces.
		kept = copy(heard[:], heard[max(0, kept+n-len(end)):kept+n])
	}
}

// oneLine keeps a peer from adding header lines through its name or addresses.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

// crlf mends bare line feeds: IMAP clients count on CRLF.
func crlf(b []byte) []byte {
	if bytes.Count(b, []byte("\n")) == bytes.Count(b, []byte("\r\n")) {
		return b
	}
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
}

func (s *smtpSession) Reset()        { s.from, s.rcpts = "", nil }
func (s *smtpSession) Logout() error { return nil }

// loginServer is the LOGIN mechanism, which some mail programs still use.
type loginServer struct {
	login func(user, password string) error
	step  int
	user  string
}

func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
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
