package mailtest

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

// link is a client's connection through a Proxy. A goroutine forwards commands and another forwards
// answers.
type link struct {
	proxy          *Proxy
	client, server net.Conn
	fromClient     *bufio.Reader
	fromServer     *bufio.Reader
	// write serializes the writes of both goroutines to the client.
	write sync.Mutex

	mu sync.Mutex
	// fault applies to the next answer; tag marks its final line (IMAP).
	fault *Fault
	tag   string
	// sent is the number of bytes of that answer received so far.
	sent int
	// cutAt closes the connection after so many bytes from the server, left counts them. Only answer
	// changes left.
	cutAt, left int
	// content means that a letter is being transferred (SMTP), own that the proxy keeps the letter
	// from the server.
	content, own bool
	data, tls    bool
	// blind means that client and server use TLS, so that the proxy only copies bytes.
	blind bool
	// answered receives a value for each SMTP answer and for the answer to STARTTLS. gone is closed
	// when the server's side has ended.
	answered, gone chan struct{}
}

func newLink(p *Proxy, client, server net.Conn) *link {
	return &link{proxy: p, client: client, server: server, fromClient: bufio.NewReader(client), fromServer: bufio.NewReader(server),
		answered: make(chan struct{}, 1), gone: make(chan struct{})}
}

func (l *link) cut() {
	_ = l.client.Close()
	_ = l.server.Close()
}

// expect sets the fault for the next answer.
func (l *link) expect(tag string, f *Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tag, l.fault, l.sent = tag, f, 0
}

// commands forwards the client's lines until it disconnects.
func (l *link) commands() {
	if l.proxy.cfg.SMTP && !l.await() {
		return // no greeting
	}
	bytesOfContent := 0
	var cutAt *Fault
	for {
		line, err := l.fromClient.ReadBytes('\n')
		if err != nil {
			return
		}
		l.mu.Lock()
		content, own := l.content, l.own
		l.mu.Unlock()
		verb, tag := AtDot, ""
		switch {
		case content && strings.TrimRight(string(line), "\r\n") != ".":
			if bytesOfContent == 0 {
				cutAt = l.proxy.fault(AtContent, "")
			}
			bytesOfContent += len(line)
			if cutAt != nil && bytesOfContent >= cutAt.Bytes {
				switch cutAt.Do {
				case Drop:
					_, _ = l.server.Write(line[:max(len(line)-(bytesOfContent-cutAt.Bytes), 0)])
					return
				case Stall:
					drain(l.client)
					return
				}
			}
			if !own && !l.tell(line) {
				return
			}
			continue
		case content:
			bytesOfContent, cutAt = 0, nil
			l.mu.Lock()
			l.content, l.own = false, false
			l.mu.Unlock()
		case l.proxy.cfg.SMTP:
			verb, _, _ = strings.Cut(strings.ToUpper(strings.TrimSpace(string(line))), " ")
			verb, _, _ = strings.Cut(verb, ":")
		default:
			verb, tag = imapVerb(string(line))
		}
		if !l.command(verb, tag, line, own) {
			return
		}
		if l.isBlind() {
			_, _ = io.Copy(l.server, l.fromClient)
			return
		}
	}
}

// imapVerb returns the verb in upper case and the tag of a command line, e.g. "FETCH" and "a7" for
// "a7 UID FETCH 1:* FLAGS". A continuation line, such as a step of a login, has no verb.
func imapVerb(line string) (verb, tag string) {
	words := strings.Fields(strings.ToUpper(line))
	switch {
	case len(words) == 1 && words[0] == "DONE":
		return "DONE", ""
	case len(words) < 2:
		return "", ""
	case words[1] == "UID" && len(words) > 2:
		verb = words[2]
	default:
		verb = words[1]
	}
	tag, _, _ = strings.Cut(line, " ")
	return verb, tag
}

// command forwards a command or applies its fault. It reports whether the connection continues.
func (l *link) command(verb, tag string, line []byte, own bool) bool {
	f := l.proxy.fault(verb, string(line))
	if f == nil {
		f = &Fault{}
	}
	switch f.Do {
	case Stall:
		drain(l.client)
		return false
	case Drop:
		return false
	case Answer:
		text := f.Text + "\r\n"
		if tag != "" {
			text = tag + " " + text
		}
		return l.say([]byte(text))
	case Say:
		if !l.say([]byte(f.Text)) {
			return false
		}
	}
	if own {
		// The server never saw this letter.
		return l.say([]byte("451 4.3.0 the proxy kept this letter\r\n"))
	}
	l.mu.Lock()
	if verb != "DONE" && verb != "" {
		l.tag, l.sent, l.fault = tag, 0, f
	}
	l.data = l.proxy.cfg.SMTP && verb == "DATA"
	l.tls = verb == "STARTTLS"
	l.mu.Unlock()
	if verb == "DATA" && l.proxy.waits() {
		l.mu.Lock()
		l.content, l.own, l.data = true, true, false
		l.mu.Unlock()
		return l.say([]byte("354 go on\r\n"))
	}
	if !l.tell(line) {
		return false
	}
	// The next bytes depend on the answer: TLS or lines after STARTTLS, a letter or commands after
	// DATA. An SMTP client may already have sent them.
	return !l.proxy.cfg.SMTP && verb != "STARTTLS" || l.await()
}

// await waits for an answer; it returns false if the server has disconnected.
func (l *link) await() bool {
	select {
	case <-l.answered:
		return true
	case <-l.gone:
		return false
	}
}

func (l *link) tell(b []byte) bool {
	_, err := l.server.Write(b)
	return err == nil
}

func (l *link) say(b []byte) bool {
	l.write.Lock()
	defer l.write.Unlock()
	_, err := l.client.Write(b)
	return err == nil
}

// answers forwards the server's lines, and the literals of IMAP (RFC 9051, section 4.3), until it
// disconnects.
func (l *link) answers() {
	defer l.cut()
	defer close(l.gone)
	for {
		line, err := l.fromServer.ReadBytes('\n')
		if len(line) > 0 && !l.answer(line, l.ends(line)) || err != nil {
			return
		}
		if n := literal(line); n > 0 && !l.proxy.cfg.SMTP {
			if !l.literal(n) {
				return
			}
		}
		if l.isBlind() {
			_, _ = io.Copy(l.client, l.fromServer)
			return
		}
	}
}

// literal forwards n bytes in pieces.
func (l *link) literal(n int64) bool {
	buf := make([]byte, 16<<10)
	for n > 0 {
		m, err := l.fromServer.Read(buf[:min(n, int64(len(buf)))])
		if m > 0 && !l.answer(bytes.Clone(buf[:m]), false) || err != nil {
			return false
		}
		n -= int64(m)
	}
	return true
}

func literal(line []byte) int64 {
	s := strings.TrimRight(string(line), "\r\n")
	if !strings.HasSuffix(s, "}") {
		return 0
	}
	n, err := strconv.ParseInt(s[strings.LastIndexByte(s, '{')+1:len(s)-1], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// ends reports whether a line is the last of an answer.
func (l *link) ends(line []byte) bool {
	if l.proxy.cfg.SMTP {
		return len(line) > 3 && line[3] != '-'
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// The greeting has no tag. A continuation request (+) ends the part that the server can send
	// now.
	return l.tag == "" && line[0] == '*' || l.tag != "" && bytes.HasPrefix(line, []byte(l.tag+" ")) || line[0] == '+'
}

// heard describes a piece of an answer.
type heard struct {
	fault Fault
	// first means that this is the first piece of the answer. sent is the number of bytes received
	// so far, with this piece.
	first bool
	sent  int
	// goesOn means that the server asks for more input before its final answer.
	goesOn bool
}

// hears records a piece of an answer and reports whether commands waits for its end.
func (l *link) hears(b []byte, last bool) (h heard, awaited bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault != nil {
		h.fault = *l.fault
	}
	h.first = l.sent == 0
	l.sent += len(b)
	h.sent = l.sent
	h.goesOn = len(b) > 0 && b[0] == '+' && !l.proxy.cfg.SMTP
	if !last {
		return h, false
	}
	awaited = l.tls || l.proxy.cfg.SMTP
	if l.tls {
		l.blind = bytes.HasPrefix(b, []byte("220")) || bytes.Contains(b, []byte(" OK"))
		l.tls = false
	}
	if l.data && bytes.HasPrefix(b, []byte("354")) {
		l.content = true
	}
	if !h.goesOn && h.fault.Do != StallAfter {
		l.fault = nil
	}
	return h, awaited
}

// answer forwards a piece of an answer or applies the fault. It reports whether the connection
// continues.
func (l *link) answer(b []byte, last bool) bool {
	h, awaited := l.hears(b, last)
	if awaited {
		defer func() { l.answered <- struct{}{} }()
	}
	f := h.fault
	switch f.Do {
	case StallAfter:
		return true
	case DropAfter:
		return !last || h.goesOn
	case Half:
		if h.sent < f.Bytes && !last {
			break
		}
		l.say(b[:max(min(len(b), len(b)-(h.sent-f.Bytes)), 0)])
		return false
	case Slow:
		if h.first && !l.rest(f.Delay) {
			return false
		}
	case Rewrite:
		b = bytes.ReplaceAll(b, []byte(f.Old), []byte(f.Text))
	}
	if l.cutAt > 0 {
		if l.left += len(b); l.left >= l.cutAt {
			l.say(b[:len(b)-(l.left-l.cutAt)])
			return false
		}
	}
	return l.say(b)
}

func (l *link) rest(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-l.proxy.ctx.Done():
		return false
	}
}

// isBlind reports whether the proxy only copies bytes, after STARTTLS.
func (l *link) isBlind() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.blind
}
