package mail

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// quotaServer stands before an IMAP server and speaks of a quota in its place. The first time that it is
// asked, it breaks off.
func quotaServer(t *testing.T, target string) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	asked := 0
	serve := func(client, server net.Conn) {
		defer func() { _ = client.Close(); _ = server.Close() }()
		var write sync.Mutex
		wg.Go(func() {
			buf := make([]byte, 64<<10)
			for {
				n, err := server.Read(buf)
				b := bytes.ReplaceAll(buf[:n], []byte(" IDLE"), []byte(" QUOTA"))
				write.Lock()
				_, werr := client.Write(b)
				write.Unlock()
				if err != nil || werr != nil {
					_ = client.Close()
					return
				}
			}
		})
		lines := bufio.NewReader(client)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			var tag, command string
			if _, err := fmt.Sscan(line, &tag, &command); err == nil && command == "GETQUOTAROOT" {
				if asked++; asked == 1 {
					return
				}
				write.Lock()
				_, err := fmt.Fprintf(client, "* QUOTAROOT INBOX \"\"\r\n* QUOTA \"\" (STORAGE 99 100)\r\n%s OK done\r\n", tag)
				write.Unlock()
				if err != nil {
					return
				}
				continue
			}
			if _, err := io.WriteString(server, line); err != nil {
				return
			}
		}
	}
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
			serve(client, server) // The poller has one connection at a time.
		}
	})
	t.Cleanup(func() { _ = ln.Close(); wg.Wait() })
	return ln.Addr().String()
}

// TestQuotaAfterLostConnection: a connection that is lost while the quota is asked for leaves the inbox
// readable, and the quota is asked for again.
func TestQuotaAfterLostConnection(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "", "")
	cfg := configFor(s)
	cfg.Address = quotaServer(t, s.IMAPAddr())
	cfg.PollInterval, cfg.IdleRestart = 50*time.Millisecond, 100*time.Millisecond
	p := NewPoller(cfg, HandlerFunc(func(context.Context, Received) (Folder, error) { return Done, nil }), logTo(t))
	run(t, p)
	until(t, "the quota", func() bool { return p.Full() == 99 })
}
