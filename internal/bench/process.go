package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/mail"
)

// program is this program, called with the configuration of a directory.
func (b *bench) program(ctx context.Context, dir string, args ...string) (*exec.Cmd, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "samizdat.yaml")
	text := fmt.Sprintf("data: %q\nembedded: {imap: \"127.0.0.1:0\", smtp: \"127.0.0.1:0\"}\n", dir)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, b.Program, append(args, "--config", file)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd, nil
}

// command calls a command, and notes what it takes.
func (b *bench) command(ctx context.Context, dir string, args ...string) error {
	cmd, err := b.program(ctx, dir, args...)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	p := &process{cmd: cmd}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	memory := 0.0
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-time.After(2 * time.Millisecond):
			memory = max(memory, p.status("VmHWM"))
		}
	}
	if err != nil {
		return fmt.Errorf("%q: %w\n%s", args, err, out.String())
	}
	name := fmt.Sprintf("samizdat %s, %s matches", args[0], thousands(int64(b.Matches)))
	b.table.note(name, "ms", float64(time.Since(began).Microseconds())/1000)
	b.table.note(name+", of the processor", "ms", float64((cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()).Microseconds())/1000)
	if args[0] == "matches" {
		b.table.note(name+", memory", "MB", memory)
	}
	return nil
}

// commands measures the short commands with many matches.
func (b *bench) commands(ctx context.Context) error {
	dir, err := b.fill(ctx)
	if err != nil {
		return err
	}
	last := manyID(b.Matches - 1)
	return errors.Join(
		b.command(ctx, dir, "matches"),
		b.command(ctx, dir, "new", b.game.Name(), "--seat", b.mailboxes[0], "--seat", b.mailboxes[1%len(b.mailboxes)]),
		b.command(ctx, dir, "export", last, "--hidden"),
		b.command(ctx, dir, "resend", last, b.seats[0]))
}

// start measures how long a daemon with many matches takes until it serves.
func (b *bench) start(ctx context.Context) error {
	dir, err := b.fill(ctx)
	if err != nil {
		return err
	}
	if err := b.startOnce(ctx, dir, "warm"); err != nil {
		return err
	}
	if cold, err := forget(dir); !cold || err != nil {
		return err
	}
	if err := b.startOnce(ctx, dir, "database on a cold disk"); err != nil {
		return err
	}
	return b.with(ctx, config.Local(dir, nil), func(d *daemon.Daemon) error {
		return b.took(fmt.Sprintf("a database of %s matches looked through for damage", thousands(int64(b.Matches))), "ms", 1,
			func() error { return d.DB.LookForDamage(ctx) })
	})
}

func (b *bench) startOnce(ctx context.Context, dir, kind string) error {
	p, err := b.serve(ctx, dir)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("start with %s matches, %s", thousands(int64(b.Matches)), kind)
	b.table.note(name, "ms", float64(p.started.Microseconds())/1000)
	b.table.note(name+", of the processor", "ms", float64(p.used().Microseconds())/1000)
	return p.stop()
}

// process is a daemon that serves in a process of its own.
type process struct {
	cmd     *exec.Cmd
	errs    bytes.Buffer
	started time.Duration
	// imap is where its mail server listens.
	imap string
}

var listens = regexp.MustCompile(`IMAP (\S+)`)

// serve starts a daemon, and waits until it says that it serves.
func (b *bench) serve(ctx context.Context, dir string) (*process, error) {
	p := &process{}
	var err error
	if p.cmd, err = b.program(ctx, dir, "serve"); err != nil {
		return nil, err
	}
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := listens.FindStringSubmatch(lines.Text()); m != nil {
			p.imap = m[1]
		}
		if strings.Contains(lines.Text(), "referees at") {
			p.started = time.Since(began)
			go func() { _, _ = io.Copy(io.Discard, out) }() // Nobody reads the rest.
			return p, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("the daemon does not serve:\n%s", p.errs.String()), p.cmd.Wait())
}

func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("the daemon ended: %w\n%s", err, p.errs.String())
	}
	return nil
}

// used is how much of the processor its threads have used.
func (p *process) used() (used time.Duration) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue // The thread has ended.
		}
		first, _, _ := strings.Cut(string(data), " ")
		if n, err := strconv.ParseInt(first, 10, 64); err == nil {
			used += time.Duration(n)
		}
	}
	return used
}

// status is a value of the process's status, in MB.
func (p *process) status(key string) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == key+":" {
			n, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				return 0
			}
			return n / 1000
		}
	}
	return 0
}

// memory measures a daemon's memory: idle, and while it goes through an inbox full of strangers'
// letters. Its mail server is the embedded one, whose memory counts.
func (b *bench) memory(ctx context.Context) error {
	dir, err := b.fill(ctx)
	if err != nil {
		return err
	}
	cfg := config.Local(dir, mailboxNames)
	if err := os.RemoveAll(filepath.Join(dir, "mail")); err != nil {
		return err
	}
	p, err := b.serve(ctx, dir)
	if err != nil {
		return err
	}
	time.Sleep(b.Rest)
	b.noteMemory(fmt.Sprintf("memory idle, %s matches", thousands(int64(b.Matches))), p)
	if err := p.stop(); err != nil {
		return err
	}
	if err := b.stuff(ctx, cfg); err != nil {
		return err
	}
	if p, err = b.serve(ctx, dir); err != nil {
		return err
	}
	err = b.work(ctx, p, cfg)
	if err == nil {
		time.Sleep(2 * b.Rest) // It waits a while before it takes this for rest.
		b.noteMemory("memory at rest after them", p)
	}
	return errors.Join(err, p.stop())
}

// noteMemory notes how much memory a daemon has, and how much of that is its own: the rest is the program's
// file, of which the system maps more or less as it happens to lie in memory.
func (b *bench) noteMemory(name string, p *process) {
	b.table.note(name, "MB", p.status("VmRSS"))
	b.table.note(name+", without the program's file", "MB", p.status("RssAnon"))
}

// stuff fills the inbox with letters of strangers.
func (b *bench) stuff(ctx context.Context, cfg config.Config) (err error) {
	in, out := cfg.IMAP, cfg.SMTP.SMTPConfig
	server, err := daemon.StartEmbedded(ctx, cfg, &in, &out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	box, err := dialInbox(in.Login)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.close()) }()
	letters := make([][]byte, b.Inbox)
	for i := range letters {
		letters[i] = fmt.Appendf(nil, "From: stranger%d@example.org\r\nTo: %s\r\nSubject: an offer\r\nMessage-ID: <%d@example.org>\r\n\r\n%s", i, cfg.Address, i,
			strings.Repeat("Nobody has asked for this, and nobody reads it.\r\n", 40))
	}
	return box.put(letters)
}

// work waits until a daemon has gone through its inbox, and notes what that took.
func (b *bench) work(ctx context.Context, p *process, cfg config.Config) (err error) {
	password, err := os.ReadFile(filepath.Join(cfg.Data, "referee.password"))
	if err != nil {
		return err
	}
	box, err := dialInbox(mail.Login{Address: p.imap, TLS: mail.NoTLS, User: cfg.Address, Password: strings.TrimSpace(string(password))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.close()) }()
	if err := until(ctx, func() (bool, error) { n, err := box.left(); return n == 0, err }); err != nil {
		return err
	}
	n := float64(b.Inbox)
	b.table.note("a stranger's letter, of the processor", "ms", p.used().Seconds()*1000/n)
	b.table.note(fmt.Sprintf("memory with %s letters in the inbox", thousands(int64(b.Inbox))), "MB", p.status("VmHWM"))
	return nil
}
