package mail

import (
	"bytes"
	"fmt"
	"net"
)

// gathering is a connection that can gather what is written: the library writes a letter in
// pieces of 4 kB, each of which would wake whoever reads them.
type gathering struct {
	net.Conn
	on  bool
	out []byte
	// ahead goes out with the next MAIL. The library, which writes a command when it has read
	// the answer to the one before, then has only to read. It may say EHLO before.
	ahead []byte
	// gone is what went so, and the library has not written yet.
	gone []byte
}

// mostGathered bounds what is gathered.
const mostGathered = 64 << 10

// Write implements net.Conn.
func (g *gathering) Write(b []byte) (int, error) {
	if len(g.gone) > 0 {
		rest, ok := bytes.CutPrefix(g.gone, b)
		if !ok {
			return 0, fmt.Errorf("%q went ahead of %q", g.gone, b)
		}
		g.gone = rest
		return len(b), nil
	}
	if len(g.ahead) > 0 && bytes.HasPrefix(b, []byte("MAIL ")) {
		g.gone, g.ahead = g.ahead, nil
		_, err := g.Conn.Write(append(bytes.Clone(b), g.gone...))
		return len(b), err
	}
	if !g.on {
		return g.Conn.Write(b)
	}
	if g.out = append(g.out, b...); len(g.out) < mostGathered {
		return len(b), nil
	}
	return len(b), g.flush()
}

// went tells whether a command is the next that the library has not written yet.
func (g *gathering) went(command string) bool { return bytes.HasPrefix(g.gone, []byte(command)) }

// flush writes what was gathered.
func (g *gathering) flush() error {
	if len(g.out) == 0 {
		return nil
	}
	_, err := g.Conn.Write(g.out)
	g.out = g.out[:0]
	return err
}

// while gathers what is written meanwhile.
func (g *gathering) while(write func() error) error {
	g.on = true
	err := write()
	g.on = false
	if err == nil {
		err = g.flush()
	}
	g.out = g.out[:0]
	return err
}
