package embedded

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var accounts = []Account{{"judge@demo", "secret"}, {"ann@demo", "pw"}}

func start(t testing.TB, dir string) *Server {
	t.Helper()
	s, err := Start(t.Context(), Config{Dir: dir, Accounts: accounts, MaxMessage: 8 << 20,
		Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func login(t testing.TB, s *Server, opts *imapclient.Options) *imapclient.Client {
	t.Helper()
	c, err := imapclient.DialInsecure(s.IMAPAddr(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.Login("judge@demo", "secret").Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}

func send(t testing.TB, s *Server, to, raw string) error {
	t.Helper()
	c, err := smtp.Dial(s.SMTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.SendMail("ann@demo", []string{to}, strings.NewReader(raw))
}

func letter(n int) string {
	return fmt.Sprintf("From: ann@demo\r\nTo: judge@demo\r\nSubject: letter %d\r\nMessage-ID: <%d@demo>\r\n\r\nPLACE Krakow %d\r\n", n, n, n)
}

// contents gives UID, flags and subject of every message in a folder.
func contents(t testing.TB, c *imapclient.Client, box string) []string {
	t.Helper()
	if _, err := c.Select(box, nil).Wait(); err != nil {
		t.Fatal(err)
	}
	var all imap.UIDSet
	all.AddRange(1, 0)
	got, err := c.Fetch(all, &imap.FetchOptions{UID: true, Flags: true, Envelope: true}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, m := range got {
		out = append(out, fmt.Sprintf("%d %v %s", m.UID, m.Flags, m.Envelope.Subject))
	}
	return out
}

func TestRestartKeepsEverything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	for i := range 5 {
		if err := send(t, s, "judge+m1-0-7-abcdefghijklmnop@demo", letter(i)); err != nil {
			t.Fatal(err)
		}
	}
	c := login(t, s, nil)
	if err := c.Create("Samizdat/Done", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	first, err := c.Select("INBOX", nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Move(imap.UIDSetNum(1, 3), "Samizdat/Done").Wait(); err != nil {
		t.Fatal(err)
	}
	if err := c.Store(imap.UIDSetNum(2), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{`\flagged`, "todo"}}, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Store(imap.UIDSetNum(5), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Expunge().Close(); err != nil {
		t.Fatal(err)
	}
	wantInbox := []string{`2 [\Flagged todo] letter 1`, `4 [] letter 3`}
	wantDone := []string{`1 [] letter 0`, `2 [] letter 2`}
	check := func(c *imapclient.Client) {
		t.Helper()
		if d := cmp.Diff(contents(t, c, "Samizdat/Done"), wantDone); d != "" {
			t.Errorf("done (-got +want):\n%s", d)
		}
		if d := cmp.Diff(contents(t, c, "INBOX"), wantInbox); d != "" {
			t.Errorf("inbox (-got +want):\n%s", d)
		}
	}
	check(c)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = start(t, dir)
	c = login(t, s, nil)
	check(c)
	second, err := c.Select("INBOX", nil).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if second.UIDValidity != first.UIDValidity || second.UIDNext != 6 {
		t.Errorf("got validity %d, next %d; want %d, 6", second.UIDValidity, second.UIDNext, first.UIDValidity)
	}
	// The number of the expunged letter is not used again.
	if err := send(t, s, "judge@demo", letter(9)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(contents(t, c, "INBOX"), append(wantInbox, `6 [] letter 9`)); d != "" {
		t.Errorf("after restart (-got +want):\n%s", d)
	}
}

func TestSMTPAnswers(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	tests := []struct {
		name, to string
		raw      string
		code     int
	}{
		{"known", "judge@demo", letter(1), 0},
		{"upper case and detail", "Judge+x@Demo", letter(1), 0},
		{"unknown user", "nobody@demo", letter(1), 550},
		{"relay", "ann@elsewhere.example", letter(1), 550},
		{"too big", "judge@demo", "Subject: x\r\n\r\n" + strings.Repeat(strings.Repeat("x", 76)+"\r\n", 9<<20/78), 552},
	}
	for _, tt := range tests {
		err := send(t, s, tt.to, tt.raw)
		code := 0
		if se, ok := err.(*smtp.SMTPError); ok {
			code = se.Code
		} else if err != nil {
			code = -1
		}
		if code != tt.code {
			t.Errorf("%s: got %v, want code %d", tt.name, err, tt.code)
		}
	}
	for _, mech := range []sasl.Client{sasl.NewPlainClient("", "ann@demo", "pw"), sasl.NewLoginClient("ann@demo", "pw")} {
		c, err := smtp.Dial(s.SMTPAddr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.Auth(mech); err != nil {
			t.Errorf("login: %v", err)
		}
	}
	c, err := smtp.Dial(s.SMTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Auth(sasl.NewPlainClient("", "ann@demo", "wrong"))
	if se, ok := err.(*smtp.SMTPError); !ok || se.Code != 535 {
		t.Errorf("wrong password: got %v", err)
	}
}

func TestDeliveryHeaders(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	if err := send(t, s, "judge+m1-0-7-abc@demo", letter(1)); err != nil {
		t.Fatal(err)
	}
	c := login(t, s, nil)
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	section := &imap.FetchItemBodySection{Peek: true}
	got, err := c.Fetch(imap.SeqSetNum(1), &imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{section}}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	raw := string(got[0].FindBodySection(section))
	if !strings.HasPrefix(raw, "Return-Path: <ann@demo>\r\nDelivered-To: judge+m1-0-7-abc@demo\r\nReceived: from ") || !strings.HasSuffix(raw, letter(1)) {
		t.Errorf("got %q", raw)
	}
}

func TestIdleWakesAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	news := make(chan uint32, 100)
	c := login(t, s, &imapclient.Options{UnilateralDataHandler: &imapclient.UnilateralDataHandler{
		Mailbox: func(d *imapclient.UnilateralDataMailbox) {
			if d.NumMessages != nil {
				news <- *d.NumMessages
			}
		}}})
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	// Between SELECT and IDLE: the news must come all the same.
	if err := send(t, s, "judge@demo", letter(1)); err != nil {
		t.Fatal(err)
	}
	idle, err := c.Idle()
	if err != nil {
		t.Fatal(err)
	}
	if n := <-news; n != 1 {
		t.Errorf("got %d messages, want 1", n)
	}
	if err := send(t, s, "judge@demo", letter(2)); err != nil {
		t.Fatal(err)
	}
	if n := <-news; n != 2 {
		t.Errorf("got %d messages, want 2", n)
	}
	if err := idle.Close(); err != nil {
		t.Fatal(err)
	}
	if err := idle.Wait(); err != nil {
		t.Fatal(err)
	}
}

// A client that asks for much and reads nothing must not hold up delivery.
func TestSlowReaderBlocksNobody(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	big := letter(1) + strings.Repeat(strings.Repeat("x", 76)+"\r\n", 4<<20/78)
	for range 3 {
		if err := send(t, s, "judge@demo", big); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := net.Dial("tcp", s.IMAPAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "a LOGIN judge@demo secret\r\nb SELECT INBOX\r\nc FETCH 1:* BODY.PEEK[]\r\n")
	// The first bytes of the answer are under way, and nobody reads on.
	buf := make([]byte, 1)
	if _, err := io.ReadFull(conn, buf); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var err error
		for i := range 20 {
			if err = send(t, s, "judge@demo", letter(i)); err != nil {
				break
			}
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-ctx.Done():
		t.Error("delivery waits for a slow reader")
	}
}

func TestOneProcessPerDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, dir)
	if s, err := Start(t.Context(), Config{Dir: dir, Accounts: accounts}); err == nil {
		_ = s.Close()
		t.Error("a second server opened the same directory")
	}
}

func BenchmarkDeliver(b *testing.B) {
	s := start(b, b.TempDir())
	c, err := smtp.Dial(s.SMTPAddr())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	raw := letter(1) + strings.Repeat("This line makes the letter two kilobytes long.\r\n", 40)
	for b.Loop() {
		if err := c.SendMail("ann@demo", []string{"judge@demo"}, strings.NewReader(raw)); err != nil {
			b.Fatal(err)
		}
	}
}
