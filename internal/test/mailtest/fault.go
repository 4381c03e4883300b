package mailtest

import (
	"strings"
	"time"
)

// Action is what a Proxy does when a Fault comes to pass.
type Action string

// The actions. "The command" is what the fault names; "answer" is all the server
// says to it, up to and with the line that ends it.
const (
	// Stall keeps the command back and says nothing more, for ever.
	Stall Action = "stall"
	// StallAfter lets the server carry out the command and keeps the answer back.
	StallAfter Action = "stall after"
	// Drop closes the connection before the server sees the command. In the
	// content of a letter it closes after Bytes of it.
	Drop Action = "drop"
	// DropAfter lets the server carry out the command and closes without an answer.
	DropAfter Action = "drop after"
	// Half closes after Bytes of the answer.
	Half Action = "half"
	// CutAt closes after Bytes of all that the server says on a connection. It
	// goes with AtConnect only.
	CutAt Action = "cut at"
	// Answer says Text in place of the server, which sees nothing.
	Answer Action = "answer"
	// Say says Text, as it is, before the server's answer.
	Say Action = "say"
	// Slow gives the answer after Delay.
	Slow Action = "slow"
	// Rewrite replaces Old by Text in the answer.
	Rewrite Action = "rewrite"
)

// Places that are no commands.
const (
	// AtConnect is the moment a client connects; its answer is the greeting.
	AtConnect = "CONNECT"
	// AtContent is the letter between DATA and the final dot (SMTP).
	AtContent = "CONTENT"
	// AtDot is the final dot of a letter (SMTP).
	AtDot = "."
	// Anywhere is every command, and the greeting.
	Anywhere = "*"
)

// Fault is one kind of trouble.
type Fault struct {
	// On names the command: LOGIN, SELECT, FETCH (which is also UID FETCH), MAIL,
	// RCPT, DATA and so on, or one of the places above.
	On string
	// With is a text that the command's line must hold; it may be empty.
	With string
	Do   Action
	// Skip lets the first ones pass. After them every Every-th is hit, and no
	// more than Times of them; 0 means each, and without end.
	Skip, Every, Times int

	Bytes     int
	Old, Text string
	Delay     time.Duration
}

// armed is a fault with its counters. The Proxy's lock guards it.
type armed struct {
	Fault
	seen, hit int
}

// fires counts one occasion and tells whether it is hit.
func (a *armed) fires() bool {
	a.seen++
	n := a.seen - a.Skip
	if n <= 0 || a.Every > 1 && n%a.Every != 0 || a.Times > 0 && a.hit >= a.Times {
		return false
	}
	a.hit++
	return true
}

// fault finds what is to happen at a command, or nil.
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

// waits tells whether the server must be kept from a letter: its final dot is
// going to be answered in its place.
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
