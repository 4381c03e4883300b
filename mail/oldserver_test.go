package mail

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// oldServer stands before an IMAP server and hides words of its capabilities,
// so that it looks like one of the old days.
func oldServer(t *testing.T, target string, hide ...string) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			client, err := ln.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target)
			if err != nil {
				_ = client.Close()
				continue
			}
			closeBoth := func() { _ = client.Close(); _ = server.Close() }
			wg.Go(func() { _, _ = io.Copy(server, client); closeBoth() })
			wg.Go(func() {
				defer closeBoth()
				buf := make([]byte, 64<<10)
				for {
					n, err := server.Read(buf)
					b := buf[:n]
					if bytes.Contains(b, []byte("CAPABILITY")) {
						for _, word := range hide {
							b = bytes.ReplaceAll(b, []byte(" "+word), []byte(" X"+word[1:]))
						}
					}
					if _, werr := client.Write(b); err != nil || werr != nil {
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() { _ = ln.Close(); wg.Wait() })
	return ln.Addr().String()
}

func TestPollerOldServers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		hide []string
		left uint32
	}{
		{"without MOVE", []string{"IMAP4rev2", "MOVE", "NAMESPACE"}, 0},
		// Without UIDPLUS nothing is expunged: that could take another's message.
		{"without MOVE and UIDPLUS", []string{"IMAP4rev2", "MOVE", "UIDPLUS"}, 2},
		{"without IDLE", []string{"IMAP4rev2", "IDLE"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t, t.TempDir(), "", "")
			cfg := configFor(s)
			cfg.Address = oldServer(t, s.IMAPAddr(), tt.hide...)
			cfg.PollInterval = 200 * time.Millisecond
			seen := make(events, 100)
			run(t, NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
				seen <- subject(r)
				return Done, nil
			}), logTo(t)))
			post(t, s, "first", "PASS")
			if got := seen.next(t); got != "first" {
				t.Errorf("got %s", got)
			}
			waitFolder(t, s, string(Done), 1)
			post(t, s, "second", "PASS")
			if got := seen.next(t); got != "second" {
				t.Errorf("got %s: a letter was handled again or lost", got)
			}
			waitFolder(t, s, string(Done), 2)
			waitFolder(t, s, "INBOX", tt.left)
		})
	}
}
