package embedded

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// TestRefusedForEver: what would be wrong tomorrow too gets an answer that keeps its sender from
// coming again, and he hears it although he was still writing.
func TestRefusedForEver(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	line := strings.Repeat("x", 76) + "\r\n"
	for _, tt := range []struct{ what, from, text, want string }{
		{"a long line", "MAIL FROM:<ann@demo>", "Subject: x\r\n\r\n" + strings.Repeat("y", 100_000) + "\r\n", "554 5.6.0 A line of the message has more than 2000 bytes"},
		{"a line that is just too long", "MAIL FROM:<ann@demo>", "Subject: x\r\n\r\n" + strings.Repeat("y", 2001) + "\r\n", "554 5.6.0 A line of the message has more than 2000 bytes"},
		{"a long line and much behind it", "MAIL FROM:<ann@demo>", strings.Repeat("y", 3000) + "\r\n" + strings.Repeat(line, 1<<23/len(line)), "554 5.6.0 A line of the message has more than 2000 bytes"},
		{"too much", "MAIL FROM:<ann@demo>", strings.Repeat(line, 9<<20/len(line)), "552 5.3.4 "},
		{"too much, as it says", "MAIL FROM:<ann@demo> SIZE=99999999", "", "552 5.3.4 "},
	} {
		startTime := time.Now()
		if got := say(t, s, tt.from, tt.text); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, not %q", tt.what, got, tt.want)
		}
		if duration := time.Since(startTime); duration > 20*time.Second {
			t.Errorf("%s takes %v", tt.what, duration)
		}
	}
	if err := send(t, s, "judge@demo", letter(1)); err != nil {
		t.Errorf("the letter after them: %v", err)
	}
}

// TestManyRecipients: those that may be named are, and get the letter; one more is told to wait
// for a transaction of its own.
func TestManyRecipients(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	p := peer(t, s)
	p.want(t, "MAIL FROM:<ann@demo>", "250 ")
	for i := range 100 {
		p.want(t, fmt.Sprintf("RCPT TO:<judge+%d@demo>", i), "250 ")
	}
	p.want(t, "RCPT TO:<judge+100@demo>", "452 4.5.3 ")
	p.want(t, "DATA", "354 ")
	p.want(t, letter(1)+"\r\n.", "250 ")
	p.want(t, "MAIL FROM:<ann@demo>", "250 ")
	p.want(t, "RCPT TO:<judge+100@demo>", "250 ")
}

// smtpPeer is a connection on which mail is brought, byte for byte as the test says it.
type smtpPeer struct {
	net.Conn
	r *bufio.Reader
}

func peer(t *testing.T, s *Server) smtpPeer {
	t.Helper()
	conn, err := net.Dial("tcp", s.SMTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	p := smtpPeer{conn, bufio.NewReader(conn)}
	p.hear(t)
	p.want(t, "EHLO test", "250 ")
	return p
}

// hear reads one answer, of one line or more, and gives the last.
func (p smtpPeer) hear(t *testing.T) string {
	t.Helper()
	for {
		got, err := p.r.ReadString('\n')
		if err != nil {
			t.Fatalf("no answer: %v", err)
		}
		if len(got) < 4 || got[3] != '-' {
			return got
		}
	}
}

func (p smtpPeer) want(t *testing.T, line, want string) {
	t.Helper()
	if _, err := fmt.Fprintf(p, "%s\r\n", line); err != nil {
		t.Fatalf("%.40q: %v", line, err)
	}
	if got := p.hear(t); !strings.HasPrefix(got, want) {
		t.Fatalf("%.40q: %q, not %q", line, got, want)
	}
}

// say brings one letter, the whole of it before it hears the answer, as senders do.
func say(t *testing.T, s *Server, from, text string) string {
	t.Helper()
	p := peer(t, s)
	if text == "" {
		fmt.Fprintf(p, "%s\r\n", from)
		return p.hear(t)
	}
	p.want(t, from, "250 ")
	p.want(t, "RCPT TO:<judge@demo>", "250 ")
	p.want(t, "DATA", "354 ")
	if _, err := fmt.Fprintf(p, "%s\r\n.\r\n", strings.TrimSuffix(text, "\r\n")); err != nil {
		t.Fatalf("it was cut off: %v", err)
	}
	return p.hear(t)
}
