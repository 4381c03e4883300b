package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/mailclient"
	"samizdat/internal/test/long"
	"samizdat/internal/test/mailtest"
	"samizdat/mail"
	"samizdat/mail/embedded"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

var (
	crashKills = flag.Int("kills", long.N(10, 30), "how often TestCrashes kills the daemon")
	crashSeed  = flag.Uint64("crash-seed", 1989, "seed of TestCrashes")
)

// crash is robot games by mail while everything breaks that can break: the daemon
// is killed, the mail server goes away and comes back, letters come twice and late.
// What is done when, the seed decides; at which of its steps the daemon is caught,
// the machine does.
type crash struct {
	t      *testing.T
	ctx    context.Context
	rng    *rand.Rand
	server *embedded.Server
	boxes  embedded.Config
	daemon *process
	// reader looks into the database beside the daemon.
	reader *daemon.Daemon
	// tables are the matches under way, games all that there were.
	tables []*crashGame
	games  []*crashGame
	late   []lateLetter
	// kills, cuts and twice count what was done.
	kills, cuts, twice int
	// try looks into the database; it may do so again where that is not always there.
	try func(func() error)
	// meanwhile is called while somebody waits; it may be nil.
	meanwhile func()
	// servers are the settings of both mail servers, referee is the account there of the daemon.
	servers, referee string
	// dial opens the mailbox of a player, folder gives all that lies in one.
	dial   func(a embedded.Account) (*mailclient.Client, error)
	folder func(a embedded.Account) ([][]byte, error)
}

// crashGame is a match with the mail programs of its players.
type crashGame struct {
	id      string
	players [2]*crashPlayer
	robots  [2]rules.Robot
	// waits is the Message-ID of the letter whose answer is not there yet.
	waits string
	over  bool
	// sent are the letters of the players, by Message-ID, and whether each has an
	// order of the game.
	sent map[string]bool
}

// crashTables is how many matches are played at once.
const crashTables = 3

// TestCrashes plays until the daemon was killed often enough, lets things settle,
// and then looks at what came of it: every record verifies, no order was lost or
// carried out twice, every letter was answered, and by one letter only, however
// often that one was delivered.
//
//	go test ./cmd/samizdat -run TestCrashes -v -timeout 60m -kills 300 -crash-seed 7
func TestCrashes(t *testing.T) {
	t.Parallel()
	startTime := time.Now()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Minute+time.Duration(*crashKills)*5*time.Second, errors.New("the games took too long"))
	defer cancel()
	c := newCrash(ctx, t, crashTables)
	for c.kills < *crashKills {
		for _, g := range c.tables {
			if c.move(g) {
				c.harm()
			}
		}
		c.deal()
	}
	c.settle()
	if bad, err := (mailtest.Mailbox{Server: c.boxes.IMAPAddr, User: c.referee, Password: "referee"}).Folder(string(mail.Quarantine)); err != nil || len(bad) > 0 {
		t.Errorf("in quarantine are %d letters, %v", len(bad), err)
	}
	orders := 0
	for _, g := range c.games {
		orders += c.check(g)
	}
	t.Logf("seed %d: %d kills, the mail server away %d times, %d letters delivered twice; %d matches, %d orders carried out; %.0f s",
		*crashSeed, c.kills, c.cuts, c.twice, len(c.games), orders, time.Since(startTime).Seconds())
}

// newCrash begins a match at each of some tables.
func newCrash(ctx context.Context, t *testing.T, tables int) *crash {
	c := newCrashHouse(ctx, t, tables, false)
	c.tables = make([]*crashGame, tables)
	accounts := c.boxes.Accounts[len(c.boxes.Accounts)-2*tables:]
	for i := range tables {
		c.invite(i, [2]*crashPlayer{c.player(accounts[2*i]), c.player(accounts[2*i+1])})
	}
	c.daemon.start()
	return c
}

// newCrashHouse has a mail server with mailboxes for the players at some tables, and a daemon that does not run yet. It may have a club.
func newCrashHouse(ctx context.Context, t *testing.T, tables int, hasClub bool) *crash {
	dir := t.TempDir()
	c, cfg := newCrashMail(ctx, t, dir, tables, *crashSeed)
	config := filepath.Join(dir, "samizdat.yaml")
	text := c.settings(dir) + housed(t, &cfg)
	if hasClub {
		cfg.Club.Registration = club.RegistrationOpen
		text += "club: {registration: open}\nanswers: {burst: 0}\n"
	}
	c.must(os.WriteFile(config, []byte(text), 0o600))
	var err error
	c.reader, err = daemon.Open(ctx, cfg, games, slog.New(slog.DiscardHandler))
	c.must(err)
	t.Cleanup(func() { c.must(c.reader.Close()) })
	c.daemon = &process{t: t, config: config}
	return c
}

// newCrashMail has the mail server only, and a configuration without it.
func newCrashMail(ctx context.Context, t *testing.T, dir string, tables int, seed uint64) (*crash, config.Config) {
	c := &crash{t: t, ctx: ctx, rng: rand.New(rand.NewPCG(seed, 1))}
	c.try = func(look func() error) { c.t.Helper(); c.must(look()) }
	c.dial = func(a embedded.Account) (*mailclient.Client, error) {
		return mailclient.Dial(mailclient.Account{IMAP: c.boxes.IMAPAddr, SMTP: c.boxes.SMTPAddr, Address: a.Address, Password: a.Password})
	}
	c.folder = func(a embedded.Account) ([][]byte, error) {
		return mailtest.Mailbox{Server: c.boxes.IMAPAddr, User: a.Address, Password: a.Password}.Folder("INBOX")
	}
	cfg := config.Local(dir, nil)
	for i := range 2 * tables {
		cfg.Embedded.Accounts = append(cfg.Embedded.Accounts, embedded.Account{Address: fmt.Sprintf("player%d@samizdat.local", i), Password: "p"})
	}
	c.boxes, c.referee = cfg.Mailboxes("referee"), cfg.Address
	c.open()
	// It comes back where it was.
	c.boxes.IMAPAddr, c.boxes.SMTPAddr = c.server.IMAPAddr(), c.server.SMTPAddr()
	c.servers = fmt.Sprintf("imap: {address: %q, tls: none, user: %s, password: referee}\nsmtp: {address: %q, tls: none, user: %[2]s, password: referee}\n",
		c.boxes.IMAPAddr, cfg.Address, c.boxes.SMTPAddr)
	t.Cleanup(func() { c.must(c.server.Close()) })
	return c, cfg
}

// settings are a configuration file for a daemon with a data directory. Players wait for each answer, so that none may
// give way to the next letter.
func (c *crash) settings(dir string) string {
	return fmt.Sprintf("data: %s\nletters: {html: false, pictures: false, confirmations: 0s}\n%s", dir, c.servers)
}

func (c *crash) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *crash) open() {
	var err error
	c.server, err = embedded.Start(c.t.Context(), c.boxes)
	c.must(err)
}

func (c *crash) player(a embedded.Account) *crashPlayer {
	client, err := c.dial(a)
	c.must(err)
	c.t.Cleanup(client.Close)
	return &crashPlayer{Client: client, crash: c}
}

// invite begins a match at a table.
func (c *crash) invite(table int, players [2]*crashPlayer) {
	g := dawn1989.Game()
	game := &crashGame{players: players, sent: map[string]bool{}}
	for s := range game.robots {
		var err error
		game.robots[s], err = g.Robot("sensible", c.rng.Uint64())
		c.must(err)
	}
	c.try(func() error {
		m, err := c.reader.Adjudicator.CreateMatch(c.ctx, adjudicator.Invitation{Game: g.Name(), Players: []string{players[0].Address, players[1].Address}})
		if err == nil {
			game.id = m.ID
		}
		return err
	})
	c.tables[table], c.games = game, append(c.games, game)
	for _, p := range players {
		p.Last, p.newest = message.Letter{}, 0
	}
}

// deal begins a new match at every table where one is over.
func (c *crash) deal() {
	for i, g := range c.tables {
		if g.over && g.waits == "" {
			c.invite(i, g.players)
		}
	}
}

// harm does something bad, or nothing.
func (c *crash) harm() {
	switch n := c.rng.IntN(20); {
	case n < 10:
		c.kill()
		for c.rng.IntN(4) == 0 {
			c.kill()
		}
	case n < 12:
		c.cuts++
		c.must(c.server.Close())
		c.pass(300 * time.Millisecond)
		if c.rng.IntN(2) == 0 {
			c.kill()
		}
		c.open()
	case n < 16 && len(c.late) > 0:
		i := c.rng.IntN(len(c.late))
		l := c.late[i]
		c.late = append(c.late[:i], c.late[i+1:]...)
		l.from.deliver(l.to, l.raw)
		c.twice++
	}
}

// kill kills the daemon, some time after it was started or has got a letter.
func (c *crash) kill() {
	c.pass(250 * time.Millisecond)
	c.daemon.kill()
	c.daemon.errs.Reset()
	c.daemon.start()
	c.kills++
}

// pass lets some time pass, at most so much.
func (c *crash) pass(maximum time.Duration) {
	if c.meanwhile != nil {
		c.meanwhile()
	}
	select {
	case <-time.After(time.Duration(c.rng.Int64N(int64(maximum)))):
	case <-c.ctx.Done():
		c.t.Fatal(context.Cause(c.ctx))
	}
}
