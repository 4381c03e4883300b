package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/mailclient"
	"samizdat/internal/report"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/mail/embedded"
)

// process is a daemon in a process of its own.
type process struct {
	t      *testing.T
	config string
	cmd    *exec.Cmd
	errs   bytes.Buffer
}

func program(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

func (p *process) start() {
	p.t.Helper()
	p.cmd = program(p.t.Context(), "serve", "--config", p.config)
	p.cmd.Env = append(p.cmd.Env, pgtest.Called(served))
	p.cmd.Stderr = &p.errs
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
}

// kill ends the daemon without a chance to tidy up.
func (p *process) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
		p.t.Fatalf("the daemon ended by itself (%v):\n%s", err, p.errs.String())
	}
}

// served is what the connections of daemons are called at a server.
const served = "samizdat-served"

// end is kill where it is to be seen then what the daemon has done.
func (p *process) end() {
	p.t.Helper()
	p.kill()
	pgtest.Ended(p.t, databaseOf(filepath.Dir(p.config)), served)
}

// TestKilledAtEveryStep plays the sample turn by mail with a mail server that
// stays, and a daemon that is killed at every letter: in turn as soon as the
// letter was handed in, and as soon as what it led to was committed, when the
// letter still lies in the inbox and the answers in the outbox. The outcome is
// the rulebook's. An ordinary run kills it at every fourth letter, and draws no pictures.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	seats := []string{"democrat", "communist"}
	cfg := config.Local(dir, seats)
	server, err := embedded.Start(t.Context(), cfg.Mailboxes("referee"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	every, more := 1, "letters: {confirmations: 0s}\n"
	if !long.Run {
		every, more = 4, "letters: {pictures: false, confirmations: 0s}\n"
	}
	config := filepath.Join(dir, "samizdat.yaml")
	text := fmt.Sprintf("data: %s\nimap: {address: %q, tls: none, user: %s, password: referee}\n"+
		"smtp: {address: %q, tls: none, user: %[3]s, password: referee}\n%[5]s", dir, server.IMAPAddr(), cfg.Address, server.SMTPAddr(), more+housed(t, &cfg))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithTimeoutCause(t.Context(), 4*time.Minute, errors.New("the turn took too long"))
	defer cancel()
	made, err := program(ctx, "new", "1989", "--create", "--config", config, "--chance", filepath.Join("..", "..", "testdata", "sample-turn.jsonl"),
		"--seat", cfg.Embedded.Accounts[0].Address, "--seat", cfg.Embedded.Accounts[1].Address).CombinedOutput()
	id := regexp.MustCompile(`Match (\w+)`).FindSubmatch(made)
	if err != nil || id == nil {
		t.Fatalf("new match: %v\n%s", err, made)
	}
	p := &process{t: t, config: config}
	p.start()
	players := demo.Players{Out: io.Discard, Seats: seats, Clients: map[string]*mailclient.Client{}}
	for i, s := range seats {
		a := cfg.Embedded.Accounts[i]
		c, err := mailclient.Dial(mailclient.Account{IMAP: server.IMAPAddr(), SMTP: server.SMTPAddr(), Address: a.Address, Password: a.Password})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		players.Clients[s] = c
	}
	d, err := daemon.Open(ctx, cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	letters, kills := 0, 0
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	// version is of the stored match: 1, and one more for each letter.
	version := func() int64 {
		t.Helper()
		m, err := d.DB.Match(ctx, string(id[1]))
		if err != nil {
			t.Fatalf("%v\n%s", err, p.errs.String())
		}
		return m.Version
	}
	players.OnSent = func() {
		letters++
		if letters%every != 0 {
			return
		}
		for kills%2 == 1 && version() <= int64(letters) {
			<-look.C
		}
		p.end()
		// Killed before the commit, the next daemon makes it.
		if v := version(); v > int64(letters)+1 {
			t.Errorf("after %d letters the match has changed %d times", letters, v-1)
		}
		kills++
		p.start()
	}
	if _, err := players.PlaySample(ctx); err != nil {
		t.Fatalf("%v\n%s", err, p.errs.String())
	}
	p.end()
	if kills < 50/every {
		t.Errorf("the daemon was killed %d times only", kills)
	}

	out, err := program(ctx, "export", "--config", config, string(id[1])).Output()
	if err != nil {
		t.Fatalf("export: %v", err)
	}
	rec, err := record.Read(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	sample, err := readRecord(newCommand(), filepath.Join("..", "..", "testdata", "sample-turn.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(rec.Entries()), len(sample.Entries()); got != want {
		t.Errorf("%d entries, the sample has %d", got, want)
	}
	// What the book expects at the end is compared with the daemon's record.
	last := sample.Steps[len(sample.Steps)-1]
	rec.Steps = append(rec.Steps, last)
	var said bytes.Buffer
	if isSame, err := report.Replay(&said, games, rec, false, false); err != nil || !isSame {
		t.Errorf("replay of the daemon's record: %v\n%s", err, said.String())
	}
}

var (
	groupKills  = flag.Int("group-kills", long.N(6, 60), "how often TestKilledInGroups kills the daemon")
	groupTables = flag.Int("group-tables", long.N(10, 24), "how many matches it plays at once")
)

// TestKilledInGroups plays many matches at once. Letters of all of them lie in the inbox when the daemon
// is started, and it is killed as soon as some are committed, with others. At the end every record
// verifies, no order was lost or carried out twice, and every letter was answered by one letter.
//
//	go test ./cmd/samizdat -run TestKilledInGroups -v -timeout 30m -group-kills 60 -group-tables 16
func TestKilledInGroups(t *testing.T) {
	t.Parallel()
	startTime := time.Now()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Minute+time.Duration(*groupKills)*10*time.Second, errors.New("the games took too long"))
	defer cancel()
	c := newCrash(ctx, t, *groupTables)
	caught := 0
	for c.kills < *groupKills {
		c.answered()
		c.deal()
		c.quiet()
		c.daemon.kill()
		c.kills++
		before := c.versions()
		sent := 0
		for _, g := range c.tables {
			if c.move(g) {
				sent++
			}
		}
		c.restart()
		if sent == 0 {
			continue
		}
		for done := 0; done == 0; done = c.moved(before) {
			c.until(time.Now().Add(time.Millisecond))
		}
		c.pass(8 * time.Millisecond)
		c.daemon.kill()
		c.kills++
		if c.moved(before) < sent {
			caught++
		}
		c.restart()
	}
	c.settle()
	orders := 0
	for _, g := range c.games {
		orders += c.check(g)
	}
	if caught == 0 && *groupKills >= 20 {
		t.Error("no kill came between the letters of a group")
	}
	t.Logf("seed %d: %d kills, %d of them between the commits of so many matches' letters, %d; %d letters delivered twice; %d matches, %d orders carried out; %.0f s",
		*crashSeed, c.kills, caught, len(c.tables), c.twice, len(c.games), orders, time.Since(startTime).Seconds())
}

// answered waits until the answer of every letter is there.
func (c *crash) answered() {
	for _, g := range c.tables {
		for g.waits != "" {
			for _, p := range g.players {
				p.letters(g)
			}
			c.pass(10 * time.Millisecond)
		}
	}
}

// restart starts the daemon again.
func (c *crash) restart() {
	c.daemon.errs.Reset()
	c.daemon.start()
}

// versions are those of the matches under way.
func (c *crash) versions() map[string]int64 {
	out := map[string]int64{}
	for _, g := range c.tables {
		m, err := c.reader.DB.Match(c.ctx, g.id)
		c.must(err)
		out[g.id] = m.Version
	}
	return out
}

// moved counts the matches that have changed.
func (c *crash) moved(since map[string]int64) (n int) {
	for id, version := range c.versions() {
		if version > since[id] {
			n++
		}
	}
	return n
}
