//go:build long && linux

package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"samizdat/internal/config"
)

// call is the program, called with the configuration of a directory.
func (b *bench) call(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	if b.program == "" {
		b.program = filepath.Join(b.dir, "samizdat")
		if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", b.program, "samizdat/cmd/samizdat").CombinedOutput(); err != nil {
			t.Fatalf("build the program: %v\n%s", err, out)
		}
	}
	dir, err := filepath.Abs(dir)
	check(t, err)
	file := filepath.Join(dir, "samizdat.yaml")
	text := fmt.Sprintf("data: %q\nembedded: {imap: \"127.0.0.1:0\", smtp: \"127.0.0.1:0\"}\n", dir)
	check(t, os.WriteFile(file, []byte(text), 0o600))
	cmd := exec.CommandContext(t.Context(), b.program, append(args, "--config", file)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// commands measures the short commands with many matches.
func (b *bench) commands(t *testing.T) {
	dir, last := b.many(t), manyID(b.matches-1)
	for _, args := range [][]string{
		{"matches"},
		{"new", b.game.Name(), "--seat", b.mailboxes[0], "--seat", b.mailboxes[1]},
		{"export", last, "--hidden"},
		{"resend", last, b.seats[0]},
	} {
		cmd := b.call(t, dir, args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		began := time.Now()
		check(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		memory := 0.0
		for running := true; running; {
			select {
			case err := <-ended:
				if running = false; err != nil {
					t.Fatalf("%q: %v\n%s", args, err, out.String())
				}
			case <-time.After(2 * time.Millisecond):
				memory = max(memory, status(cmd, "VmHWM"))
			}
		}
		name := fmt.Sprintf("samizdat %s, %s matches", args[0], thousands(b.matches))
		b.table.note(name, "ms", inMillis(time.Since(began)))
		b.table.note(name+", of the processor", "ms", inMillis(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
		if args[0] == "matches" {
			b.table.note(name+", memory", "MB", memory)
		}
	}
}

// start measures how long a daemon with many matches takes until it serves, and until it has
// looked for damage.
func (b *bench) start(t *testing.T) {
	dir := b.many(t)
	b.startOnce(t, dir, "warm")
	forget(t, dir)
	b.startOnce(t, dir, "database on a cold disk")
	d := b.open(t, config.Local(dir, nil))
	check(t, b.table.took(fmt.Sprintf("a database of %s matches looked through for damage", thousands(b.matches)), "ms", 1,
		func() error { return d.DB.QuickCheck(t.Context()) }))
	check(t, d.Close())
}

func (b *bench) startOnce(t *testing.T, dir, kind string) {
	t.Helper()
	p := b.daemon(t, dir)
	name := fmt.Sprintf("start with %s matches, %s", thousands(b.matches), kind)
	b.table.note(name, "ms", inMillis(p.started))
	b.table.note(name+", of the processor", "ms", inMillis(p.used(t)))
	p.stop(t)
}

// forget lets the machine forget what it has read of a directory's files, so that they are read
// from the disk again.
func forget(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	check(t, err)
	for _, path := range files {
		f, err := os.Open(path)
		check(t, err)
		check(t, f.Sync())
		check(t, unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED))
		check(t, f.Close())
	}
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

// daemon starts a daemon, and waits until it says that it serves.
func (b *bench) daemon(t *testing.T, dir string) *process {
	t.Helper()
	p := &process{cmd: b.call(t, dir, "serve")}
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	check(t, err)
	began := time.Now()
	check(t, p.cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := listens.FindStringSubmatch(lines.Text()); m != nil {
			p.imap = m[1]
		}
		if strings.Contains(lines.Text(), "referees at") {
			p.started = time.Since(began)
			go func() { _, _ = io.Copy(io.Discard, out) }() // It ends with the process.
			return p
		}
	}
	t.Fatalf("the daemon does not serve: %v\n%s", p.cmd.Wait(), p.errs.String())
	return nil
}

func (p *process) stop(t *testing.T) {
	t.Helper()
	check(t, p.cmd.Process.Signal(syscall.SIGTERM))
	if err := p.cmd.Wait(); err != nil {
		t.Fatalf("the daemon ended: %v\n%s", err, p.errs.String())
	}
}

// used is how much of the processor its threads have used.
func (p *process) used(t *testing.T) (used time.Duration) {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	check(t, err)
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue // The thread has ended.
		}
		first, _, _ := strings.Cut(string(data), " ")
		n, err := strconv.ParseInt(first, 10, 64)
		check(t, err)
		used += time.Duration(n)
	}
	return used
}

// status is a value of a process's status, in MB; 0 when the process has ended.
func status(cmd *exec.Cmd, key string) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		return 0
	}
	var kB float64
	_, rest, _ := strings.Cut(string(data), "\n"+key+":")
	_, _ = fmt.Sscan(rest, &kB) // One that has ended, and was not waited for, has none.
	return kB / 1000
}

// memory measures a daemon's memory: idle, and while it goes through an inbox full of strangers'
// letters. Its mail server is the embedded one, whose memory counts.
func (b *bench) memory(t *testing.T) {
	dir := b.many(t)
	check(t, os.RemoveAll(filepath.Join(dir, "mail")))
	p := b.daemon(t, dir)
	time.Sleep(b.rest)
	b.noteMemory(fmt.Sprintf("memory idle, %s matches", thousands(b.matches)), p)
	p.stop(t)

	cfg := config.Local(dir, []string{"ada", "ben"})
	servers := b.mailServers(t, cfg)
	var letters [][]byte
	text := strings.Repeat("Nobody has asked for this, and nobody reads it.\r\n", 40)
	for i := range b.inboxful {
		letters = append(letters, fmt.Appendf(nil,
			"From: stranger%d@example.org\r\nTo: %s\r\nSubject: an offer\r\nMessage-ID: <%[1]d@example.org>\r\n\r\n%[3]s", i, cfg.Address, text))
	}
	servers.box.put(t, letters)
	password := servers.in.Password
	servers.stop()

	p = b.daemon(t, dir)
	box := dialInbox(t, p.imap, cfg.Address, password)
	until(t.Context(), t, func() bool { return box.left(t) == 0 })
	check(t, box.c.Close())
	b.table.note("a stranger's letter, of the processor", "ms", inMillis(p.used(t))/float64(b.inboxful))
	b.table.note(fmt.Sprintf("memory with %s letters in the inbox", thousands(b.inboxful)), "MB", status(p.cmd, "VmHWM"))
	time.Sleep(2 * b.rest) // It waits a while before it takes this for rest.
	b.noteMemory("memory at rest after them", p)
	p.stop(t)
}

// noteMemory notes how much memory a daemon has, and how much of that is its own: the rest is the
// program's file, of which the system maps more or less as it happens to lie in memory.
func (b *bench) noteMemory(name string, p *process) {
	b.table.note(name, "MB", status(p.cmd, "VmRSS"))
	b.table.note(name+", without the program's file", "MB", status(p.cmd, "RssAnon"))
}
