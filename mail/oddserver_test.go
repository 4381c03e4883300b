package mail

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// oddServer is an IMAP server that speaks as much as the poller asks for, in the
// ways of servers that are not like the embedded one.
type oddServer struct {
	ln    net.Listener
	conns sync.WaitGroup

	// before and after are the capabilities before and after the login; the server
	// does not tell of the change.
	before, after string
	// namespace is the answer to NAMESPACE, delim what parts the names of folders,
	// and under what they must begin with.
	namespace, delim, under string
	// parents says that a folder must be there before one in it.
	parents bool
	// odd may answer a command in its own way. It says whether it did.
	odd func(s *oddServer, verb, args string, say func(string, ...any)) (done bool)

	mu      sync.Mutex
	folders map[string][]string
	inbox   map[int]string
	struck  map[int]bool
	last    int
	// announced is the newest letter that the client was told of: a search finds
	// no newer one.
	announced int
	asked     map[string]int
	news      chan struct{}
}

func newOddServer() *oddServer {
	return &oddServer{before: "IMAP4rev1", after: "IMAP4rev1 MOVE UIDPLUS IDLE", delim: "/",
		folders: map[string][]string{}, inbox: map[int]string{}, struck: map[int]bool{}, asked: map[string]int{}, news: make(chan struct{}, 100)}
}

func (s *oddServer) start(t *testing.T) IMAPConfig {
	t.Helper()
	var err error
	if s.ln, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	s.conns.Go(func() {
		for {
			c, err := s.ln.Accept()
			if err != nil {
				return
			}
			s.conns.Go(func() { defer c.Close(); s.serve(c) })
		}
	})
	t.Cleanup(func() { _ = s.ln.Close(); s.conns.Wait() })
	return IMAPConfig{Address: s.ln.Addr().String(), TLS: NoTLS, User: referee, Password: pass, CommandTimeout: 10 * time.Second, IdleRestart: time.Minute,
		PollInterval: 20 * time.Millisecond, Reconnect: Pace{10 * time.Millisecond, 50 * time.Millisecond}, Retry: Pace{10 * time.Millisecond, 50 * time.Millisecond},
		QuarantineAfter: time.Nanosecond, UnreadableAfter: 50 * time.Millisecond}
}

// deliver puts a letter into the inbox.
func (s *oddServer) deliver(raw string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.inbox[s.last] = raw
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// in gives the subjects in a folder.
func (s *oddServer) in(folder string) (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, raw := range s.folders[folder] {
		out = append(out, Parse([]byte(raw)).Subject)
	}
	return out
}

func (s *oddServer) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.inbox)
}

func (s *oddServer) count(verb string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[verb]
}

func (s *oddServer) serve(c net.Conn) {
	in := bufio.NewReader(c)
	out := bufio.NewWriter(c)
	say := func(format string, a ...any) { fmt.Fprintf(out, format+"\r\n", a...) }
	caps := s.before
	say("* OK ready")
	for {
		if out.Flush() != nil {
			return
		}
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		tag, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		verb, args, _ := strings.Cut(rest, " ")
		if verb == "UID" {
			verb, args, _ = strings.Cut(args, " ")
		}
		s.mu.Lock()
		s.asked[verb]++
		s.mu.Unlock()
		end := "OK done"
		if s.odd != nil && s.odd(s, verb, args, func(f string, a ...any) {
			if text := fmt.Sprintf(f, a...); strings.HasPrefix(text, "*") {
				say("%s", text)
			} else {
				end = text
			}
		}) {
			say("%s %s", tag, end)
			continue
		}
		switch verb {
		case "CAPABILITY":
			say("* CAPABILITY %s", caps)
		case "LOGIN":
			caps = s.after
		case "NAMESPACE":
			say("* NAMESPACE %s NIL NIL", s.namespace)
		case "IDLE":
			say("+ go on")
			if out.Flush() != nil {
				return
			}
			done := make(chan error, 1)
			go func() { _, err := in.ReadString('\n'); done <- err }()
			for idling := true; idling; {
				select {
				case <-s.news:
					s.mu.Lock()
					s.announced = s.last
					s.mu.Unlock()
					say("* %d EXISTS", s.left())
					_ = out.Flush()
				case err := <-done:
					if err != nil {
						return
					}
					idling = false
				}
			}
		default:
			end = s.command(verb, args, say)
		}
		say("%s %s", tag, end)
	}
}

// command carries out what concerns folders and letters.
func (s *oddServer) command(verb, args string, say func(string, ...any)) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	words := strings.Fields(strings.ReplaceAll(args, `"`, ""))
	switch verb {
	case "LIST":
		if len(words) == 0 { // "" ""
			say(`* LIST (\Noselect) "%s" ""`, s.delim)
		}
		for _, w := range words {
			if _, ok := s.folders[w]; ok {
				say(`* LIST () "%s" "%s"`, s.delim, w)
			}
		}
	case "CREATE":
		name := words[0]
		above := ""
		if i := strings.LastIndex(name, s.delim); i > 0 {
			above = name[:i]
		}
		_, there := s.folders[name]
		_, parent := s.folders[above]
		switch {
		case there:
			return "NO mailbox exists"
		case !strings.HasPrefix(name, s.under), s.delim != "/" && strings.Contains(name, "/"):
			return "NO invalid mailbox name"
		case s.parents && above != "" && !parent:
			return "NO parent does not exist"
		}
		s.folders[name] = nil
	case "NOOP":
		s.announced = s.last
	case "SELECT":
		s.announced = s.last
		say("* %d EXISTS", len(s.inbox))
		say("* OK [UIDVALIDITY 7] ok")
		return "OK [READ-WRITE] selected"
	case "SEARCH":
		line := "* SEARCH"
		for _, uid := range slices.Sorted(maps.Keys(s.inbox)) {
			one := !strings.HasPrefix(args, "UID ") || args == fmt.Sprint("UID ", uid)
			if !s.struck[uid] && one && uid <= s.announced {
				line += fmt.Sprint(" ", uid)
			}
		}
		say("%s", line)
	case "FETCH":
		for _, uid := range s.uids(words[0]) {
			say("%s", s.item(uid, strings.Contains(args, "BODY"), len(s.inbox[uid])))
		}
	case "MOVE", "COPY":
		name := words[1]
		if _, ok := s.folders[name]; !ok {
			return "NO [TRYCREATE] no such mailbox"
		}
		for _, uid := range s.uids(words[0]) {
			s.folders[name] = append(s.folders[name], s.inbox[uid])
			if verb == "MOVE" {
				delete(s.inbox, uid)
			}
		}
	case "STORE":
		for _, uid := range s.uids(words[0]) {
			s.struck[uid] = true
		}
	case "EXPUNGE":
		for _, uid := range s.uids(words[0]) {
			if s.struck[uid] {
				delete(s.inbox, uid)
			}
		}
	}
	return "OK done"
}

// item is one letter in an answer to FETCH.
func (s *oddServer) item(uid int, body bool, size int) string {
	raw := s.inbox[uid]
	if !body {
		return fmt.Sprintf("* %d FETCH (UID %d RFC822.SIZE %d)", uid, uid, size)
	}
	part := raw[:min(len(raw), 1<<20+1)]
	return fmt.Sprintf("* %d FETCH (UID %d INTERNALDATE \"09-Nov-1989 18:53:00 +0100\" RFC822.SIZE %d BODY[]<0> {%d}\r\n%s)", uid, uid, size, len(part), part)
}

// uids gives the letters in a set that are there.
func (s *oddServer) uids(set string) (out []int) {
	for _, r := range strings.Split(set, ",") {
		a, b, ok := strings.Cut(r, ":")
		if !ok {
			b = a
		}
		from, _ := strconv.Atoi(a)
		to, _ := strconv.Atoi(b)
		for uid := from; uid <= to; uid++ {
			if _, ok := s.inbox[uid]; ok {
				out = append(out, uid)
			}
		}
	}
	return out
}

// TestOddServers: whatever the server is like, three letters are handled once each
// and filed where they belong.
func TestOddServers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		set  func(*oddServer)
		done string
		// left is how many letters stay in the inbox, as deleted.
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

// answerFetch answers a FETCH with lines of its own.
func (s *oddServer) answerFetch(args string, say func(string, ...any), item func(uid int, body bool) string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	set, _, _ := strings.Cut(args, " ")
	for _, uid := range s.uids(set) {
		say("%s", item(uid, strings.Contains(args, "BODY")))
	}
	return true
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
			cfg.Retry = Pace{20 * time.Millisecond, 200 * time.Millisecond}
			s.deliver(string(mail3("a")))
			store := newStore()
			p := NewPoller(cfg, store, logTo(t))
			run(t, p)
			began := time.Now()
			until(t, "five tries", func() bool { return s.count(tt.verb) >= 5 })
			if d := time.Since(began); d < 200*time.Millisecond {
				t.Errorf("five tries in %v", d)
			}
			if p.LastPoll().IsZero() {
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

// TestUnreadableLetter: a letter that the server hands out never is put in
// quarantine when others were handed out for long enough, for no deadline can pass
// while it lies there. When the server hands out nothing, nothing happens.
func TestUnreadableLetter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, item, end string }{
		{"no content", "* 1 FETCH (UID 1 RFC822.SIZE 10 BODY[]<0> NIL)", "OK done"},
		{"refused, as Exchange does", "", "NO The requested message could not be converted to an RFC-822 compatible format."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newOddServer()
			s.odd = func(s *oddServer, verb, args string, say func(string, ...any)) bool {
				set, _, _ := strings.Cut(args, " ")
				if verb != "FETCH" || !strings.Contains(args, "BODY") || set != "1" && !strings.HasPrefix(set, "1:") && !strings.HasPrefix(set, "1,") {
					return false
				}
				if tt.item != "" {
					say("%s", tt.item)
					if set != "1" {
						return s.answerFetch(strings.TrimPrefix(strings.TrimPrefix(args, "1:"), "1,"), say, func(uid int, body bool) string { return s.item(uid, body, 1) })
					}
				}
				say("%s", tt.end)
				return true
			}
			cfg := s.start(t)
			told := make(chan BadLetter, 10)
			cfg.Quarantined = func(_ context.Context, b BadLetter) error { told <- b; return nil }
			s.deliver("Subject: unreadable\r\n\r\n")
			store := newStore()
			p := NewPoller(cfg, store, logTo(t))
			run(t, p)
			until(t, "many tries", func() bool { return s.count("FETCH") > 20 })
			if len(told) > 0 || !p.LastPoll().IsZero() {
				t.Fatal("a letter was given up that may be no worse than others")
			}
			s.deliver(string(mail3("good")))
			until(t, "quarantine", func() bool { return slices.Equal(s.in("Samizdat/Quarantine"), []string{"unreadable"}) })
			until(t, "the good one", func() bool { return slices.Equal(s.in("Samizdat/Done"), []string{"good"}) })
			if b := <-told; b.Letter.UID != 1 || b.Letter.UIDValidity != 7 || b.Letter.Raw != nil || b.Letter.Arrived.IsZero() || b.Reason == nil {
				t.Errorf("the operator was told %+v", b)
			}
			until(t, "deadlines go on", func() bool { return !p.LastPoll().IsZero() })
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
	until(t, "it looks", func() bool { return s.count("SEARCH") >= 2 })
	began, before := time.Now(), s.count("SEARCH")
	until(t, "twenty looks", func() bool { return s.count("SEARCH") >= before+20 })
	if d := time.Since(began); d < time.Second {
		t.Errorf("twenty looks in %v", d)
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
		if !c.move || !c.uidplus || !c.idle {
			t.Errorf("MOVE %v, UIDPLUS %v, IDLE %v", c.move, c.uidplus, c.idle)
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
		return !came.IsZero() && p.LastPoll().After(came)
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
	if n, err := Reread(t.Context(), cfg, time.Now()); err == nil {
		t.Errorf("%d letters, and no error", n)
	}
	refusal = ""
	s.deliver(string(mail3("a")))
	for i, want := range []int{1, 0} {
		if n, err := Reread(t.Context(), cfg, time.Now()); n != want || err != nil {
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
