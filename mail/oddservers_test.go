package mail

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestOddServers: whatever the server is like, three letters are handled once each
// and filed where they belong.
func TestOddServers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		set  func(*oddServer)
		done string
		// firstUnhandled is how many letters stay in the inbox, as deleted.
		left int
	}{
		{"Courier, with a prefix and dots", func(s *oddServer) {
			s.after += " NAMESPACE"
			s.namespace, s.delim, s.under = `(("INBOX." "."))`, ".", "INBOX."
		}, "INBOX.Samizdat.Done", 0},
		{"a prefix without its end", func(s *oddServer) {
			s.after += " NAMESPACE"
			s.namespace, s.delim, s.under = `(("INBOX" "."))`, ".", "INBOX."
		}, "INBOX.Samizdat.Done", 0},
		{"dots and no word of a namespace", func(s *oddServer) { s.delim = "." }, "Samizdat.Done", 0},
		{"a prefix and no word of it", func(s *oddServer) { s.delim, s.under = ".", "INBOX." }, "INBOX.Samizdat.Done", 0},
		{"no personal namespace", func(s *oddServer) { s.after, s.namespace, s.delim = s.after+" NAMESPACE", "NIL", "." }, "Samizdat.Done", 0},
		{"namespace refused", func(s *oddServer) {
			s.after, s.delim = s.after+" NAMESPACE", "."
			s.odd = func(_ *oddServer, verb, _ string, say func(string, ...any)) bool {
				if verb == "NAMESPACE" {
					say("NO not today")
				}
				return verb == "NAMESPACE"
			}
		}, "Samizdat.Done", 0},
		{"parents first", func(s *oddServer) { s.parents = true }, "Samizdat/Done", 0},
		{"neither MOVE nor UIDPLUS nor IDLE", func(s *oddServer) { s.after = "IMAP4rev1" }, "Samizdat/Done", 4},
		{"no MOVE", func(s *oddServer) { s.after = "IMAP4rev1 UIDPLUS IDLE" }, "Samizdat/Done", 0},
		{"sizes too small", func(s *oddServer) {
			s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
				return verb == "FETCH" && s.answerFetch(args, say, func(uid int, body bool) string { return s.item(uid, body, 5) })
			}
		}, "Samizdat/Done", 0},
		{"sizes too large", func(s *oddServer) {
			s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
				return verb == "FETCH" && s.answerFetch(args, say, func(uid int, body bool) string { return s.item(uid, body, 50<<20) })
			}
		}, "Samizdat/Done", 0},
		{"no sizes at all", func(s *oddServer) {
			s.odd = func(_ *oddServer, verb, args string, _ func(string, ...any)) bool {
				return verb == "FETCH" && !strings.Contains(args, "BODY")
			}
		}, "Samizdat/Done", 0},
		{"flags told unasked before the letter", func(s *oddServer) {
			n := 0
			s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
				if verb == "FETCH" && strings.Contains(args, "BODY") && n < 2 {
					n++
					say(`* 1 FETCH (FLAGS (\Seen) UID 1)`)
					say(`* 2 FETCH (FLAGS (\Seen \Recent))`)
				}
				return false
			}
		}, "Samizdat/Done", 0},
		{"flags and numbers told unasked, always", func(s *oddServer) {
			s.odd = func(s *oddServer, _, _ string, say func(string, ...any)) bool {
				say(`* 1 FETCH (FLAGS (\Seen))`)
				say(`* %d EXISTS`, s.left())
				say(`* 0 RECENT`)
				say(`* OK [ALERT] mind your quota`)
				return false
			}
		}, "Samizdat/Done", 0},
		{"a letter vanishes between search and fetch", func(s *oddServer) {
			s.odd = func(s *oddServer, verb, _ string, say func(string, ...any)) bool {
				if verb == "SEARCH" && s.count("SEARCH") == 1 {
					say("* SEARCH 1 2 3 99")
					return true
				}
				return false
			}
		}, "Samizdat/Done", 0},
		{"numbers behind the content", func(s *oddServer) {
			s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
				return verb == "FETCH" && strings.Contains(args, "BODY") && s.answerFetch(args, say, func(uid int, _ bool) string {
					return fmt.Sprintf("* %d FETCH (RFC822.SIZE 9 BODY[]<0> {%d}\r\n%s UID %d)", uid, len(s.inbox[uid]), s.inbox[uid], uid)
				})
			}
		}, "Samizdat/Done", 0},
		{"quoted bodies", func(s *oddServer) {
			s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
				return verb == "FETCH" && strings.Contains(args, "BODY") && s.answerFetch(args, say, func(uid int, _ bool) string {
					text := strings.ReplaceAll(s.inbox[uid], `"`, `\"`)
					return fmt.Sprintf("* %d FETCH (UID %d BODY[]<0> \"%s\")", uid, uid, text)
				})
			}
		}, "Samizdat/Done", 0},
		{"a batch cannot be moved, for one letter is gone", func(s *oddServer) {
			s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
				if verb == "MOVE" && strings.ContainsAny(args, ",:") {
					say("NO [EXPUNGEISSUED] Some of the requested messages no longer exist.")
					return true
				}
				return false
			}
		}, "Samizdat/Done", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			tt.set(s)
			cfg := s.start(t)
			for i := range 3 {
				s.deliver(string(mail3(fmt.Sprint("n", i))))
			}
			store := newStore()
			run(t, NewPoller(cfg, store, logTo(t)))
			until(t, "three letters filed", func() bool { return len(s.in(tt.done)) == 3 })
			s.deliver(string(mail3("late")))
			until(t, "a late letter filed", func() bool { return len(s.in(tt.done)) == 4 })
			for _, name := range []string{"n0", "n1", "n2", "late"} {
				if commits, calls := store.times(name); commits != 1 || calls != 1 {
					t.Errorf("%s: committed %d times, handled %d times", name, commits, calls)
				}
			}
			until(t, "the inbox is as it should be", func() bool { return s.left() == tt.left })
		})
	}
}

// TestMoveThatDoesNothing: a letter that was handled, and that the server says it
// has moved and has not, is not handled again, and not moved every moment. Where it
// is copied, there is one copy.
func TestMoveThatDoesNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, caps, verb, answer string }{
		{"MOVE says yes", "IMAP4rev1 MOVE IDLE", "MOVE", "OK done"},
		{"flags are not kept", "IMAP4rev1 IDLE", "STORE", "OK done"},
		{"flags are refused", "IMAP4rev1 UIDPLUS IDLE", "STORE", "NO [NOPERM] Mailbox is read-only"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			s.after = tt.caps
			var well sync.Once
			mended := make(chan struct{})
			s.odd = func(_ *oddServer, verb, _ string, say func(string, ...any)) bool {
				select {
				case <-mended:
					return false
				default:
				}
				if verb == tt.verb {
					say("%s", tt.answer)
				}
				return verb == tt.verb
			}
			cfg := s.start(t)
			cfg.Retry = Backoff{20 * time.Millisecond, 200 * time.Millisecond}
			s.deliver(string(mail3("a")))
			store := newStore()
			p := NewPoller(cfg, store, logTo(t))
			run(t, p)
			startTime := time.Now()
			until(t, "five tries", func() bool { return s.count(tt.verb) >= 5 })
			if d := time.Since(startTime); d < 200*time.Millisecond {
				t.Errorf("five tries in %v", d)
			}
			if p.InboxWatermark().IsZero() {
				t.Error("a letter that was handled holds up the deadlines")
			}
			well.Do(func() { close(mended) })
			until(t, "filed", func() bool { return len(s.in("Samizdat/Done")) > 0 && (s.left() == 0 || tt.caps == "IMAP4rev1 IDLE") })
			if _, calls := store.times("a"); calls != 1 || len(s.in("Samizdat/Done")) != 1 {
				t.Errorf("handled %d times, filed %v", calls, s.in("Samizdat/Done"))
			}
		})
	}
}

// TestOddLetters: the bytes of a letter are given as they are, whatever the server
// says of its size.
func TestOddLetters(t *testing.T) {
	t.Parallel()
	letters := []string{"", "\n", "Subject: bare\n\nPASS\nPASS\n", "Subject: cr\r\rPASS\r", "Subject: nul\r\n\r\nPA\x00SS\r\n", "Subject: high\r\n\r\n\xff\xfe)\r\n* BYE\r\n",
		"Subject: full\r\n\r\n" + strings.Repeat("x", 1<<20-17), "Subject: more\r\n\r\n" + strings.Repeat("x", 1<<20-16), "\x00"}
	for _, size := range []int{-1, 0, 5, 50 << 20} {
		t.Run(fmt.Sprint("size ", size), func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			if size >= 0 {
				s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
					return verb == "FETCH" && s.answerFetch(args, say, func(uid int, body bool) string { return s.item(uid, body, size) })
				}
			}
			cfg := s.start(t)
			for _, raw := range letters {
				s.deliver(raw)
			}
			got := make(chan Received, 100)
			run(t, NewPoller(cfg, HandlerFunc(func(_ context.Context, r Received) (Folder, error) {
				got <- r
				return Ignored, nil
			}), logTo(t)))
			for i, raw := range letters {
				r := <-got
				want := raw[:min(len(raw), 1<<20)]
				if !bytes.Equal(r.Raw, []byte(want)) || r.Truncated != (len(raw) > 1<<20) || r.Size < int64(len(raw)) {
					t.Errorf("letter %d: got %d bytes of %d, truncated %v", i, len(r.Raw), r.Size, r.Truncated)
				}
			}
			until(t, "all filed", func() bool { return s.left() == 0 })
		})
	}
}

// TestNewsThatAreNone: a server that repeats with every answer how many letters
// there are is not asked without a pause.
func TestNewsThatAreNone(t *testing.T) {
	t.Parallel()
	s := newOddServer()
	s.odd = func(s *oddServer, _, _ string, say func(string, ...any)) bool {
		say("* %d EXISTS", s.left())
		return false
	}
	cfg := s.start(t)
	cfg.PollInterval = 100 * time.Millisecond
	store := newStore()
	run(t, NewPoller(cfg, store, logTo(t)))
	// The first are believed, and looked for at once.
	until(t, "it looks in vain", func() bool { return s.count("SEARCH") >= maxFalseAnnouncements+2 })
	startTime, before := time.Now(), s.count("SEARCH")
	until(t, "six looks", func() bool { return s.count("SEARCH") >= before+6 })
	if d := time.Since(startTime); d < 300*time.Millisecond {
		t.Errorf("six looks in %v", d)
	}
	s.deliver(string(mail3("a")))
	until(t, "filed", func() bool { return s.left() == 0 })
}

// TestCapabilitiesOfTheLogin: what a server can do is what it says after the login,
// also when it does not say that by itself.
func TestCapabilitiesOfTheLogin(t *testing.T) {
	t.Parallel()
	s := newOddServer()
	cfg := s.start(t)
	for range 50 {
		c, err := dialIMAP(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.login(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		if !c.hasMove || !c.hasUIDPlus || !c.hasIdle {
			t.Errorf("MOVE %v, UIDPLUS %v, IDLE %v", c.hasMove, c.hasUIDPlus, c.hasIdle)
		}
		c.close()
	}
}

// TestLookFindsAllThatCame: Dovecot and others search among the letters that they
// have told of. No look counts as complete while one lies there that came before it.
func TestLookFindsAllThatCame(t *testing.T) {
	t.Parallel()
	s := newOddServer()
	var came time.Time
	s.odd = func(s *oddServer, verb, _ string, _ func(string, ...any)) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		if verb == "MOVE" && came.IsZero() {
			s.last++
			s.inbox[s.last] = string(mail3("second"))
			came = time.Now()
		}
		return false
	}
	cfg := s.start(t)
	s.deliver(string(mail3("first")))
	store := newStore()
	p := NewPoller(cfg, store, logTo(t))
	run(t, p)
	until(t, "a look after the second came", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return !came.IsZero() && p.InboxWatermark().After(came)
	})
	if _, calls := store.times("second"); calls != 1 {
		t.Errorf("the look was complete, and the second letter was handled %d times", calls)
	}
}

// TestRereadOfOddServers: a folder that cannot be opened just now is not one that is
// not there, and what was taken back already, as a copy, is not taken back again.
func TestRereadOfOddServers(t *testing.T) {
	t.Parallel()
	s := newOddServer()
	s.after = "IMAP4rev1"
	for _, f := range []string{"INBOX", "Samizdat/Done", "Samizdat/Refused"} {
		s.folders[f] = nil
	}
	refusal := "NO [UNAVAILABLE] Try again later"
	s.odd = func(_ *oddServer, verb, _ string, say func(string, ...any)) bool {
		if verb == "SELECT" && refusal != "" {
			say("%s", refusal)
			return true
		}
		return false
	}
	cfg := s.start(t)
	if n, err := rereadFolders(t.Context(), cfg, time.Now()); err == nil {
		t.Errorf("%d letters, and no error", n)
	}
	refusal = ""
	s.deliver(string(mail3("a")))
	for i, want := range []int{1, 0} {
		if n, err := rereadFolders(t.Context(), cfg, time.Now()); n != want || err != nil {
			t.Errorf("time %d: %d letters, %v; want %d", i+1, n, err, want)
		}
	}
}

// TestMailboxName: a name that is not in Latin letters is written as servers of
// either protocol take it.
func TestMailboxName(t *testing.T) {
	t.Parallel()
	for caps, want := range map[string]string{"IMAP4rev1 IDLE": `"Gr&APYA3w-e"`, "IMAP4rev1 IMAP4rev2": "\"Größe\" after ENABLE"} {
		s := newOddServer()
		s.after, s.namespace = caps, `(("" "/"))`
		name := make(chan string, 100)
		enabled := ""
		s.odd = func(_ *oddServer, verb, args string, _ func(string, ...any)) bool {
			switch verb {
			case "ENABLE":
				enabled = " after ENABLE"
			case "SELECT":
				name <- args + enabled
			}
			return false
		}
		cfg := s.start(t)
		cfg.Mailbox = "Größe"
		run(t, NewPoller(cfg, newStore(), logTo(t)))
		if got := <-name; got != want {
			t.Errorf("%s: the name is %s, want %s", caps, got, want)
		}
	}
}

// oldServer stands before an IMAP server and hides words of its capabilities,
// so that it looks like one of the old days.
func oldServer(t *testing.T, target string, hide ...string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			client, err := listener.Accept()
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
	t.Cleanup(func() { _ = listener.Close(); wg.Wait() })
	return listener.Addr().String()
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
