package embedded

import (
	"net"
	"regexp"
)

// blaming is a listener whose connections say of a command that cannot be read that it is the
// client's fault. The library answers much of that, such as lists in lists in lists, as a bug
// of the server. What does go wrong here has an answer of its own (session.fail).
//
// A client that has said STARTTLS is beyond it, and is answered as the library does.
type blaming struct{ net.Listener }

func (l blaming) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return blamingConn{c}, nil
}

type blamingConn struct{ net.Conn }

// unread is the library's answer to what it could not read. It writes each answer by itself.
var unread = regexp.MustCompile(`^([^ \r\n]+) NO \[SERVERBUG\] Internal server error\r\n$`)

func (c blamingConn) Write(b []byte) (int, error) {
	m := unread.FindSubmatch(b)
	if m == nil {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(append(m[1], " BAD [CLIENTBUG] The command cannot be read, or it is too long or nested too deeply\r\n"...)); err != nil {
		return 0, err
	}
	return len(b), nil
}
