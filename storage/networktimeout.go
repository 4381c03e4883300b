package storage

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// networkTimeout is how long a connection waits for a word of the server: somewhat longer than the server lets a statement
// run. A network that loses all that is said, without a word of it, would let readers wait for ever. It is
// 0, for as long as it takes, where statements have all the time that they want.
func networkTimeout(config *pgx.ConnConfig) (time.Duration, error) {
	limit := config.RuntimeParams["statement_timeout"]
	if config.RuntimeParams["application_name"] == lone {
		return 0, nil
	}
	d, err := time.ParseDuration(strings.Replace(limit, "min", "m", 1))
	if ms, e := strconv.Atoi(limit); e == nil {
		d, err = time.Duration(ms)*time.Millisecond, nil
	}
	if err != nil {
		return 0, fmt.Errorf("statement_timeout: %q is no time, such as 30s", limit)
	}
	return d * 6 / 5, nil
}

// setNetworkTimeout lets the connections of a configuration wait for so long at most.
func setNetworkTimeout(config *pgx.ConnConfig, limit time.Duration) {
	dial := (&net.Dialer{}).DialContext
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil || limit <= 0 {
			return c, err
		}
		return &timeoutConn{Conn: c, limit: limit}, nil
	}
}

// timeoutConn is a connection on which nothing that is waited for takes longer than limit.
type timeoutConn struct {
	net.Conn
	limit time.Duration
	mu    sync.Mutex
	// until is how long who uses it wants to wait; zero when he has not said.
	until time.Time
}

// Read implements io.Reader.
func (c *timeoutConn) Read(b []byte) (int, error) {
	if err := c.wait(c.Conn.SetReadDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

// Write implements io.Writer.
func (c *timeoutConn) Write(b []byte) (int, error) {
	if err := c.wait(c.Conn.SetWriteDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *timeoutConn) wait(set func(time.Time) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	until := time.Now().Add(c.limit)
	if !c.until.IsZero() && c.until.Before(until) {
		until = c.until
	}
	return set(until)
}

// SetDeadline implements net.Conn. It holds also for what waits already: so a context that ends is heard.
func (c *timeoutConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = t
	return c.Conn.SetDeadline(t)
}
