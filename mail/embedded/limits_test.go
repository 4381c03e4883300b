package embedded

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// wire is a connection that is logged in and reads mail, for what no library would say.
type wire struct {
	net.Conn
	r *bufio.Reader
}

func dial(t *testing.T, s *Server) wire {
	t.Helper()
	conn, err := net.Dial("tcp", s.IMAPAddr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	w := wire{conn, bufio.NewReader(conn)}
	for _, line := range []string{"a LOGIN judge@demo secret", "b SELECT INBOX"} {
		if got := w.do(t, line); !strings.Contains(got, " OK ") {
			t.Fatal(got)
		}
	}
	return w
}

// do says a command and gives the answer to it.
func (w wire) do(t *testing.T, line string) string {
	t.Helper()
	if err := w.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(w, "%s\r\n", line)
	tag, _, _ := strings.Cut(line, " ")
	for {
		got, err := w.r.ReadString('\n')
		if err != nil {
			t.Fatalf("%.60s: %v", line, err)
		}
		if strings.HasPrefix(got, tag+" ") {
			return got
		}
	}
}

// TestDearCommands: whatever a client asks for, the answer comes soon.
func TestDearCommands(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	var nested strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&nested, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
	}
	for _, raw := range []string{letter(1) + strings.Repeat("the same words over and over\r\n", 1<<13), nested.String()} {
		if err := send(t, s, "judge@demo", raw); err != nil {
			t.Fatal(err)
		}
	}
	w := dial(t, s)
	name := strings.Repeat("a", 200)
	if got := w.do(t, "c CREATE "+name); !strings.Contains(got, " OK ") {
		t.Fatal(got)
	}
	for _, tt := range []struct{ what, command, want string }{
		{"wildcards", `LIST "" "` + strings.Repeat("*a", 400) + `b"`, "OK"},
		{"other wildcards", `LIST "" "` + strings.Repeat("%a*", 300) + `b"`, "OK"},
		{"too many wildcards", `LIST "" "` + strings.Repeat("*a", 20000) + `b"`, "NO [LIMIT]"},
		{"lists of patterns", `LIST "" (` + strings.Repeat(`"*a*a*a*a*b" `, 110) + `"*") RETURN (STATUS (MESSAGES))`, "NO [LIMIT]"},
		{"a name that is too long", `CREATE ` + strings.Repeat("x/", 20000), "NO"},
		{"keys", "SEARCH" + strings.Repeat(" TEXT nowhere", 3500), "NO [LIMIT]"},
		{"nested keys", "SEARCH " + strings.Repeat("NOT ", 10000) + "TEXT x", "NO [LIMIT]"},
		{"lists in lists", "SEARCH " + strings.Repeat("(", 5000) + "ALL" + strings.Repeat(")", 5000), "BAD [CLIENTBUG] The command cannot be read"},
		{"a set that is none", "SEARCH 1:::2", "BAD [CLIENTBUG] The command cannot be read"},
		{"as many keys as may be", "SEARCH" + strings.Repeat(" TEXT words", 99), "OK"},
		{"sets", "FETCH 1" + strings.Repeat(",1:*,2", 8000) + " FLAGS", "OK"},
		{"sections", "FETCH 1:* (" + strings.Repeat("BODY.PEEK[1] ", 2000) + "FLAGS)", "NO [LIMIT]"},
		{"nested parts", "FETCH 1:* (BODYSTRUCTURE ENVELOPE BODY.PEEK[1.1.1.1.1.1])", "OK"},
		{"what nested parts say", "SEARCH BODY nowhere", "OK"},
		// The rest of it is read as the next command, and that ends the connection.
		{"too long a command", "SEARCH TEXT " + strings.Repeat("x", 60_000), "BAD [CLIENTBUG] The command cannot be read"},
	} {
		startTime := time.Now()
		got := w.do(t, "x "+tt.command)
		if !strings.HasPrefix(got, "x "+tt.want) {
			t.Errorf("%s: %s", tt.what, got)
		}
		if duration := time.Since(startTime); duration > 5*time.Second {
			t.Errorf("%s take %v", tt.what, duration)
		}
	}
}

// TestStopsWhileBusy: neither a client that does not read nor one whose command takes
// long holds up the end.
func TestStopsWhileBusy(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	for i := range 5 {
		if err := send(t, s, "judge@demo", letter(i)+strings.Repeat(strings.Repeat("x", 76)+"\r\n", 1<<20/78)); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"c FETCH 1:* BODY.PEEK[]", "c SEARCH" + strings.Repeat(" NOT BODY y", 99), "c IDLE", `c LIST "" "*"`} {
		w := dial(t, s)
		fmt.Fprintf(w, "%s\r\n", command)
	}
	// A letter that is never finished.
	conn, err := net.Dial("tcp", s.SMTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "EHLO x\r\nMAIL FROM:<ann@demo>\r\nRCPT TO:<judge@demo>\r\nDATA\r\nSubject: x\r\n")
	if _, err := io.ReadFull(conn, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	startTime := time.Now()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if duration := time.Since(startTime); duration > 5*time.Second {
		t.Errorf("it takes %v to stop", duration)
	}
}

// TestLoopbackOnly: without encryption nobody on another machine is listened to.
func TestLoopbackOnly(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{"127.0.0.1:0": true, "[::1]:0": true, "localhost:0": true, "0.0.0.0:0": false, "[::]:0": false, ":0": false} {
		for _, c := range []Config{{IMAPAddr: address}, {SMTPAddr: address}, {IMAPAddr: address, TLS: &tls.Config{}}} {
			c.Dir = t.TempDir()
			s, err := Start(t.Context(), c)
			if err == nil {
				err = s.Close()
			}
			if (err == nil) != (want || c.TLS != nil) || err != nil && !strings.Contains(err.Error(), "no encryption") {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
}
