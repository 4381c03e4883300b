package table

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"samizdat/rules"
)

// keyboard gives the lines that are typed. io.EOF means that nobody is there any more.
type keyboard interface {
	// line shows a prompt and waits for a line. What a seat has typed it can bring back;
	// no other seat can.
	line(ctx context.Context, prompt string, seat rules.Seat) (string, error)
}

// keyboardAt is the keyboard of a terminal, with a line that can be edited; otherwise lines
// are read as they come.
func keyboardAt(in io.Reader, out io.Writer) keyboard {
	if !isTerminal(in) || !isTerminal(out) {
		return &plainKeyboard{in: bufio.NewScanner(in), out: out}
	}
	from := in.(*os.File)
	return &editor{fd: int(from.Fd()), histories: map[rules.Seat]*history{}, terminal: term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, out}, "")}
}

// isTerminal reports whether somebody may sit at a stream.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// plainKeyboard reads lines from anywhere.
type plainKeyboard struct {
	in  *bufio.Scanner
	out io.Writer
}

func (k *plainKeyboard) line(ctx context.Context, prompt string, _ rules.Seat) (string, error) {
	fmt.Fprint(k.out, prompt)
	return typed(ctx, func() (string, error) {
		if k.in.Scan() {
			return k.in.Text(), nil
		}
		return "", cmp.Or(k.in.Err(), io.EOF)
	})
}

// typed waits for a line or for the end of ctx, after which nothing more may be read.
func typed(ctx context.Context, read func() (string, error)) (string, error) {
	type result struct {
		text string
		err  error
	}
	got := make(chan result, 1)
	go func() {
		text, err := read()
		got <- result{text, err}
	}()
	select {
	case r := <-got:
		return r.text, r.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// editor is a terminal whose lines can be edited. It has the keyboard to itself only while
// it waits for a line: at other times Ctrl-C ends the program as it does others.
type editor struct {
	fd        int
	terminal  *term.Terminal
	histories map[rules.Seat]*history
}

func (e *editor) line(ctx context.Context, prompt string, seat rules.Seat) (text string, err error) {
	if e.histories[seat] == nil {
		e.histories[seat] = new(history)
	}
	e.terminal.History = e.histories[seat]
	e.terminal.SetPrompt(prompt)
	if width, height, err := term.GetSize(e.fd); err == nil && width > 0 && height > 0 {
		if err := e.terminal.SetSize(width, height); err != nil {
			return "", fmt.Errorf("the size of the terminal: %w", err)
		}
	}
	before, err := term.MakeRaw(e.fd)
	if err != nil {
		return "", fmt.Errorf("edit a line: %w", err)
	}
	defer func() { err = errors.Join(err, term.Restore(e.fd, before)) }()
	return typed(ctx, e.terminal.ReadLine)
}

// history are the lines that a seat has typed, the newest last.
type history struct{ lines []string }

var _ term.History = (*history)(nil)

// Add implements term.History.
func (h *history) Add(line string) {
	if line != "" && (len(h.lines) == 0 || h.lines[len(h.lines)-1] != line) {
		h.lines = append(h.lines, line)
	}
}

// Len implements term.History.
func (h *history) Len() int { return len(h.lines) }

// At implements term.History: 0 is the newest.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }
