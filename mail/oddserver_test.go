package mail

import (
	"bufio"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"samizdat/mail/message"
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
	odd func(s *oddServer, verb, args string, say func(string, ...any)) (isDone bool)

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
	return IMAPConfig{Login: Login{Address: s.ln.Addr().String(), TLS: NoTLS, User: referee, Password: pass}, CommandTimeout: 10 * time.Second, IdleRestart: time.Minute,
		PollInterval: 20 * time.Millisecond, Reconnect: Backoff{10 * time.Millisecond, 50 * time.Millisecond}, Retry: Backoff{10 * time.Millisecond, 50 * time.Millisecond},
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
		out = append(out, message.Read([]byte(raw)).Subject)
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
		tag, remaining, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		verb, args, _ := strings.Cut(remaining, " ")
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
		_, found := s.folders[name]
		_, parent := s.folders[above]
		switch {
		case found:
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
