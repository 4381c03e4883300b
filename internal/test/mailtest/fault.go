package mailtest

import (
	"strings"
	"time"
)

// Action is the behaviour of a Proxy when a Fault fires.
type Action string

// The actions. "The command" is the command that Fault.On names. "The answer" is the server's whole
// response to it, including the final line.
const (
	// Stall withholds the command and never answers.
	Stall Action = "stall"
	// StallAfter lets the server carry out the command and keeps the answer back.
	StallAfter Action = "stall after"
	// Drop closes the connection before the server sees the command. In the
	// content of a letter it closes after Bytes of it.
	Drop Action = "drop"
	// DropAfter lets the server carry out the command and closes without an answer.
	DropAfter Action = "drop after"
	// Half closes the connection after Bytes of the answer.
	Half Action = "half"
	// CutAt closes the connection after the server has sent Bytes in all. It requires AtConnect.
	CutAt Action = "cut at"
	// Answer sends Text instead of passing the command to the server.
	Answer Action = "answer"
	// Say sends Text, unchanged, before the server's answer.
	Say Action = "say"
	// Slow delays the answer by Delay.
	Slow Action = "slow"
	// Rewrite replaces Old by Text in the answer.
	Rewrite Action = "rewrite"
)

// Values of Fault.On other than commands.
const (
	// AtConnect is the moment a client connects; its answer is the greeting.
	AtConnect = "CONNECT"
	// AtContent is the letter between DATA and the final dot (RFC 5321, section 4.1.1.4).
	AtContent = "CONTENT"
	// AtDot is the final dot of a letter (SMTP).
	AtDot = "."
	// Anywhere matches every command and the greeting.
	Anywhere = "*"
)

// Fault is a failure that a Proxy causes. For example {On: AtDot, Do: DropAfter, Times: 1} loses the
// server's first confirmation of a letter.
type Fault struct {
	// On names the command: LOGIN, SELECT, FETCH (also UID FETCH), MAIL, RCPT, DATA and so on, or a
	// place such as AtConnect.
	On string
	// With is a text that the command line must contain; it may be empty.
	With string
	Do   Action
	// Skip is the number of matching commands that pass unharmed. After them every Every-th command
	// is hit, at most Times commands; 0 means each command and no limit.
	Skip, Every, Times int

	Bytes     int
	Old, Text string
	Delay     time.Duration
}

// armed is a fault with its counters, which Proxy.mu guards.
type armed struct {
	Fault
	seen, hit int
}

// fires counts a matching command and reports whether the fault hits it.
func (a *armed) fires() bool {
	a.seen++
	n := a.seen - a.Skip
	if n <= 0 || a.Every > 1 && n%a.Every != 0 || a.Times > 0 && a.hit >= a.Times {
		return false
	}
	a.hit++
	return true
}

// fault returns the fault that hits a command, or nil.
func (p *Proxy) fault(verb, line string) *Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.faults {
		if a.On != verb && (a.On != Anywhere || verb == AtContent || verb == "") || a.With != "" && !strings.Contains(line, a.With) {
			continue
		}
		if a.fires() {
			p.fired++
			f := a.Fault
			return &f
		}
	}
	return nil
}

// waits reports whether the proxy must keep the next letter from the server, because an Answer fault
// will answer its final dot.
func (p *Proxy) waits() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.faults {
		if a.On != AtDot || a.Do != Answer {
			continue
		}
		try := *a
		if try.fires() {
			return true
		}
	}
	return false
}
