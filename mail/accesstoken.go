package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"samizdat/mail/message"
)

// TokenSource gives access tokens for a login. It is safe for concurrent use.
type TokenSource interface {
	// Token gives a token that is valid as far as is known.
	Token(ctx context.Context) (string, error)
	// Refused tells that a server did not take a token: the next call of Token
	// gets a fresh one. It may be told several times of one token.
	Refused(token string)
}

const (
	// tokenLife is how long a token of a command is used before the command is
	// asked again. Tokens mostly live for an hour.
	tokenLife = 5 * time.Minute
	// tokenWait ends a command that does not answer.
	tokenWait = 30 * time.Second
	// maxToken is more than any token has.
	maxToken = 64 << 10
)

// TokenFile is a TokenSource that reads a file, which another program keeps
// fresh, for every login.
func TokenFile(path string) TokenSource { return tokenFile(path) }

type tokenFile string

func (f tokenFile) Token(context.Context) (string, error) {
	b, err := os.ReadFile(string(f))
	if err != nil {
		return "", err
	}
	return oneToken(b)
}

func (tokenFile) Refused(string) {}

// TokenCommand is a TokenSource that runs a command line with sh and takes what
// it prints. The token is kept for some minutes, or until a server refuses it.
func TokenCommand(line string) TokenSource { return &tokenCommand{line: line, now: time.Now} }

type tokenCommand struct {
	line string
	now  func() time.Time

	mu    sync.Mutex
	token string
	until time.Time
}

func (c *tokenCommand) Token(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != "" && c.now().Before(c.until) {
		return c.token, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tokenWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", c.line)
	// A child of the shell may keep the pipe open after the shell was killed.
	cmd.WaitDelay = time.Second
	var out, complaint capped
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", fmt.Errorf("token command: it did not end within %v", tokenWait)
		}
		if line := message.OneLine(complaint.String()); line != "" {
			return "", fmt.Errorf("token command: %w: %s", err, line)
		}
		return "", fmt.Errorf("token command: %w", err)
	}
	token, err := oneToken(out.Bytes())
	if err != nil {
		return "", fmt.Errorf("token command: %w", err)
	}
	c.token, c.until = token, c.now().Add(tokenLife)
	return token, nil
}

func (c *tokenCommand) Refused(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == token {
		c.token = ""
	}
}

// capped keeps the first bytes of what is written.
type capped struct{ bytes.Buffer }

func (c *capped) Write(b []byte) (int, error) {
	_, _ = c.Buffer.Write(b[:min(len(b), maxToken-c.Len())])
	return len(b), nil
}

// oneToken takes the token out of what a file or a command gave. It never shows
// it in an error.
func oneToken(b []byte) (string, error) {
	s := strings.TrimSpace(string(b))
	switch {
	case s == "":
		return "", errors.New("there is no token")
	case strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return "", errors.New("what is there is not one token")
	}
	return s, nil
}
