//go:build integration

package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/mail/message"
)

var (
	fleetEvents = flag.Int("fleet-events", long.N(12, 100), "how much befalls the daemons of TestFleet")
	fleetSeed   = flag.Uint64("fleet-seed", 1989, "seed of TestFleet")
	fleetReal   = flag.Bool("fleet-real", false, "let Dovecot and Postfix carry the letters of TestFleet")
	fleetLogs   = flag.Bool("fleet-logs", false, "show what the daemons of TestFleet say")
)

// fleetDaemons is how many daemons serve at once.
const fleetDaemons = 3

// fleet is robot games and a club by mail, refereed by several daemons on one PostgreSQL, while everything
// breaks that can break between them: daemons are killed, or stopped for a while, the server is
// restarted, connections are cut, and the network is split between it and a daemon. What is done
// when, the seed decides; at which of its steps a daemon is caught, the machine does.
type fleet struct {
	*crash
	server  *pgtest.Server
	members []*member
	watch   *takeovers
	counts  map[string]int
	// letters are the settings of letters; those of crashes have neither page nor picture.
	letters string
	// happened is how much has befallen the daemons, and next when something does again.
	happened int
	next     time.Time
	// long is how often something befell a daemon that lasts.
	long int
	busy bool
	// read has the letters that have come to players.
	read map[*crashPlayer][]message.Letter

	club     *clubCrash
	due      [len(dueKinds)]*dueTable
	silent   *silentTable
	director *fleetDirector
}

// member is one daemon. It is started again when it ends since the database is away, as systemd would do.
type member struct {
	t      *testing.T
	config string
	said   *lines
	proxy  *pgtest.Proxy

	mu sync.Mutex
	// cmd is the newest process, and wanted whether there is to be one.
	cmd    *exec.Cmd
	wanted bool
	gone   chan struct{}

	// back ends what befell it, at a time; nil while all is well.
	back  func()
	until time.Time
}

// TestFleet plays until enough has befallen the daemons, lets things settle, and looks at what came of it:
// every record verifies, no order was lost or carried out twice, every letter was answered by one
// letter, whose copies are the same, each player has got all letters to him, in their order, with the right
// pictures; what was due was done once, and so was what members of the club have done.
//
//	go test -tags integration ./cmd/samizdat -run TestFleet -v -timeout 60m -fleet-events 300 -fleet-seed 7
func TestFleet(t *testing.T) {
	t.Parallel()
	startTime := time.Now()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 4*time.Minute+time.Duration(*fleetEvents)*10*time.Second, errors.New("the games took too long"))
	defer cancel()
	f := newFleet(ctx, t)
	for f.happened < *fleetEvents {
		for _, g := range f.tables {
			f.move(g)
		}
		f.deal()
		f.club.acts()
		f.goesOn()
	}
	for _, m := range f.members {
		m.end()
	}
	f.next, f.meanwhile = startTime, f.relieve
	f.settles()
	f.meanwhile = nil
	orders, copies, pictures := 0, 0, 0
	for _, g := range f.games {
		orders += f.check(g)
		copies += f.inOrder(g.id, g.players[:])
		pictures += f.pictures(g.id, g.players[:])
	}
	copies += f.inOrder(f.silent.id, f.silent.players)
	pictures += f.pictures(f.silent.id, f.silent.players)
	f.club.checkLetters()
	f.club.checkClub(f.members[0].config)
	if extensive() {
		f.club.checkCup()
	}
	due := map[record.ActKind]int{}
	for _, d := range f.due {
		d.check()
		due[d.what] = len(d.all)
	}
	f.silent.check()
	f.director.check()
	f.packed()
	for _, m := range f.members {
		m.kill()
	}
	t.Logf("seed %d: %d events (%v), %d letters delivered twice; %d matches, %d orders carried out, %d letters sent more than once, %d pictures; %v due; %d times silent; %d acts of the director; %d matches of the club; %.0f s",
		*fleetSeed, *fleetEvents, f.counts, f.twice, len(f.games), orders, copies, pictures, due, f.silent.silences, len(f.director.done),
		f.club.number(`SELECT count(*) FROM matches WHERE `+clubs), time.Since(startTime).Seconds())
	t.Log(f.watch)
}

// extensive tells whether a run is long enough for all that takes long.
func extensive() bool { return *fleetEvents >= 50 }

// The accounts of those who play: at the tables, in the club, where times run out, and where all are silent.
const (
	fleetClub   = 1 + 2*crashTables
	fleetDue    = fleetClub + 2*clubTables
	fleetSilent = fleetDue + 2*len(dueKinds)
)

// newFleet begins a match at each table, and starts the daemons.
func newFleet(ctx context.Context, t *testing.T) *fleet {
	dir := t.TempDir()
	silent, _ := games[1].Seats()
	accounts := fleetSilent + silent
	var c *crash
	var cfg config.Config
	if *fleetReal {
		c, cfg = newRealCrash(ctx, t, dir, accounts)
	} else {
		c, cfg = newCrashMail(ctx, t, dir, (accounts+1)/2, *fleetSeed)
	}
	f := &fleet{crash: c, server: pgtest.Start(t), watch: &takeovers{poller: -1}, counts: map[string]int{}, read: map[*crashPlayer][]message.Letter{}, letters: "{confirmations: 0s}"}
	cfg.DatabaseLocation = f.server.URL("postgres")
	cfg.Club.Registration = club.RegistrationOpen
	c.try = f.patiently
	var err error
	c.reader, err = daemon.Open(ctx, cfg, games, slog.New(slog.DiscardHandler))
	c.must(err)
	t.Cleanup(func() { c.must(c.reader.Close()) })
	key, err := os.ReadFile(cfg.KeyFile())
	c.must(err)
	f.club = &clubCrash{crash: c}
	db, err := sql.Open("pgx", cfg.DatabaseLocation)
	c.must(err)
	t.Cleanup(func() { c.must(db.Close()) })
	f.club.found(db, c.boxes.Accounts[fleetClub:])
	if extensive() {
		f.club.invites()
	}
	for i := range fleetDaemons {
		f.members = append(f.members, f.recruit(i, cfg, key))
	}
	// What lies in the mailbox before a daemon has looked into it for the first time is no letter to the club.
	for looked := c.began(); looked.IsZero(); looked = c.began() {
		c.pass(20 * time.Millisecond)
	}
	c.tables = make([]*crashGame, crashTables)
	for i := range crashTables {
		c.invite(i, [2]*crashPlayer{c.player(c.boxes.Accounts[1+2*i]), c.player(c.boxes.Accounts[2+2*i])})
	}
	for i := range f.due {
		f.due[i] = newDueTable(f, i)
	}
	f.silent = newSilentTable(f, silent)
	f.director = newFleetDirector(f)
	if extensive() {
		c.meanwhile = f.goesOn
	}
	for _, m := range f.club.members {
		f.club.joins(m)
	}
	if extensive() {
		f.club.tournament()
	}
	c.meanwhile = f.goesOn
	return f
}

// began is when a daemon looked into the mailbox.
func (c *crash) began() (at time.Time) {
	c.try(func() (err error) { at, err = c.reader.DB.Inbox.Watermark(c.ctx); return err })
	return at
}

// relieve lets another daemon be the poller every few seconds: what is done once in some minutes is done when one begins.
func (f *fleet) relieve() {
	i, now := f.watch.who(), time.Now()
	if i < 0 || now.Before(f.next) {
		return
	}
	f.next = now.Add(calm)
	f.members[i].kill()
	f.members[i].start()
}

// settles lets everything come to its end.
func (f *fleet) settles() {
	if extensive() {
		f.club.endCup()
	}
	for startTime := time.Now(); f.silent.unfinished() || slices.ContainsFunc(f.due[:], (*dueTable).unfinished); {
		if time.Since(startTime) > 2*time.Minute {
			f.stuck()
			break
		}
		f.times()
		f.pass(20 * time.Millisecond)
	}
	f.director.ends()
	f.rest()
	f.club.settleClub()
	f.idle()
}

// recruit starts a daemon with a data directory and a way to the database of its own.
func (f *fleet) recruit(i int, cfg config.Config, key []byte) *member {
	proxy := f.server.Proxy(f.t)
	m := f.recruitAt(i, cfg, key, proxy.URL("postgres"))
	m.proxy = proxy
	return m
}

// recruitAt starts one that reaches the database by a URL.
func (f *fleet) recruitAt(i int, cfg config.Config, key []byte, url string) *member {
	cfg.Data = filepath.Join(cfg.Data, fmt.Sprint("daemon", i))
	f.must(os.MkdirAll(cfg.Data, 0o700))
	f.must(os.WriteFile(cfg.KeyFile(), key, 0o600))
	m := &member{t: f.t, config: filepath.Join(cfg.Data, "samizdat.yaml"), said: f.watch.of(i)}
	text := f.settings(cfg.Data) + fmt.Sprintf("database: %q\nanswers: {burst: 0}\n", url)
	if f.letters != "" {
		text = strings.Replace(text, "{html: false, pictures: false}", f.letters, 1) + "club: {registration: open}\n"
	}
	f.must(os.WriteFile(m.config, []byte(text), 0o600))
	m.start()
	return m
}

// start starts the daemon, and keeps it running.
func (m *member) start() {
	m.gone, m.wanted = make(chan struct{}), true
	cmd := m.begin()
	go func() {
		defer close(m.gone)
		for ; cmd != nil; cmd = m.begin() {
			err := cmd.Wait()
			if m.process() == nil {
				return
			}
			if !bytes.Contains(m.said.last, []byte(" the database postgres://")) {
				m.t.Errorf("a daemon ended by itself: %v\n%s", err, m.said.last)
			}
			time.Sleep(200 * time.Millisecond)
		}
	}()
}

func (m *member) begin() *exec.Cmd {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.wanted {
		return nil
	}
	m.cmd = program(m.t.Context(), "serve", "--config", m.config)
	m.cmd.Stderr = m.said
	if err := m.cmd.Start(); err != nil {
		m.t.Error(err)
		return nil
	}
	return m.cmd
}

// process is the one that is wanted, or nil.
func (m *member) process() *exec.Cmd {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.wanted {
		return nil
	}
	return m.cmd
}

func (m *member) signal(how os.Signal) {
	if err := m.process().Process.Signal(how); err != nil && !errors.Is(err, os.ErrProcessDone) {
		m.t.Error(err)
	}
}

// kill ends the daemon without a chance to tidy up.
func (m *member) kill() {
	m.mu.Lock()
	cmd := m.cmd
	m.wanted = false
	m.mu.Unlock()
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		m.t.Error(err)
	}
	<-m.gone
}

// patiently looks into the database until that works: its server may be away.
func (f *fleet) patiently(look func() error) {
	f.t.Helper()
	for startTime := time.Now(); ; {
		err := look()
		if err == nil {
			return
		}
		if time.Since(startTime) > 30*time.Second {
			f.t.Fatal(err)
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-f.ctx.Done():
			f.t.Fatalf("%v: %v", context.Cause(f.ctx), err)
		}
	}
}

// tend ends what has befallen daemons for long enough.
func (f *fleet) tend() {
	for _, m := range f.members {
		if m.back != nil && time.Now().After(m.until) {
			m.end()
		}
	}
}

func (m *member) end() {
	if m.back != nil {
		m.back()
		m.back = nil
	}
}

// goesOn does what waits for nobody.
func (f *fleet) goesOn() {
	f.trouble()
	if f.busy {
		return // Somebody who is waited for here waits himself.
	}
	f.busy = true
	f.times()
	f.director.acts()
	f.busy = false
}

// times lets times run out.
func (f *fleet) times() {
	for _, d := range f.due {
		d.step()
	}
	f.silent.step()
}

// stuck tells what was due and is not done.
func (f *fleet) stuck() {
	tell := func(table *fleetTable, what any) {
		m, err := f.reader.DB.Match(f.ctx, table.id)
		f.must(err)
		f.t.Errorf("match %s, %v: not done, quiet %t, %s, version %d, due %v", m.ID, what, table.quiet(), m.State, m.Version, m.NextDue())
		for i := range m.Seats {
			f.t.Logf("%s: %+v", m.Seats[i].Name, m.Seats[i].Clock)
		}
	}
	if f.silent.unfinished() {
		tell(&f.silent.fleetTable, f.silent.waits)
	}
	for _, d := range f.due {
		if d.unfinished() {
			tell(&d.fleetTable, fmt.Sprint(d.what, " since ", d.all[len(d.all)-1].version))
		}
	}
}

// trouble ends what has befallen daemons for long enough, and lets something befall them when it is time.
func (f *fleet) trouble() {
	f.tend()
	if now := time.Now(); f.happened < *fleetEvents && now.After(f.next) && (f.lasting() || f.befall()) {
		f.happened++
		f.next = now.Add(time.Duration(f.rng.Int64N(int64(2 * time.Second))))
		if f.happened%calmAfter == 0 {
			f.next = now.Add(calm)
		}
	}
}

// After so much all is calm for a while: what is due is done by a daemon that was the poller for some seconds.
const (
	calmAfter = 25
	calm      = 10 * time.Second
)

// lasting lets the poller be cut off for a whole minute, and be stopped for longer than its claims hold, in turn after each
// eighth of a run.
func (f *fleet) lasting() bool {
	i := f.watch.who()
	if !extensive() || f.happened/max(1, *fleetEvents/8) <= f.long || i < 0 || f.members[i].back != nil || f.ill() > 1 {
		return false
	}
	if f.long++; f.long%2 == 1 {
		f.splits(i, time.Minute+time.Second)
		f.counts["split for a minute"]++
	} else {
		f.stops(i, 12*time.Second)
		f.counts["stopped for 12 s"]++
	}
	return true
}

// ill counts the daemons that something has befallen.
func (f *fleet) ill() (n int) {
	for _, m := range f.members {
		if m.back != nil {
			n++
		}
	}
	return n
}

func (f *fleet) stops(i int, lasts time.Duration) {
	m := f.members[i]
	f.watch.loses(i, "stop")
	m.signal(syscall.SIGSTOP)
	m.back = func() { f.watch.returns(i); m.signal(syscall.SIGCONT) }
	m.until = time.Now().Add(lasts)
}

func (f *fleet) splits(i int, lasts time.Duration) {
	m := f.members[i]
	f.watch.loses(i, "split")
	m.proxy.Split()
	m.back = func() { f.watch.returns(i); m.proxy.Heal() }
	m.until = time.Now().Add(lasts)
}

// befall lets something bad happen, unless too much is wrong already: one daemon is left alone.
func (f *fleet) befall() bool {
	n := f.rng.IntN(20)
	lasts := f.duration()
	var well []int
	for i, m := range f.members {
		if m.back == nil {
			well = append(well, i)
		}
	}
	i := well[f.rng.IntN(len(well))]
	m := f.members[i]
	switch {
	case n < 2:
		f.watch.loses(-1, "restart of the server")
		f.must(f.server.Restart(f.ctx, n == 0))
		f.counts["server restarted"]++
		return true
	case n < 6:
		f.watch.loses(i, "cut")
		m.proxy.Cut()
		f.counts["cut"]++
		return true
	case len(well) == 1:
		return false
	case n < 12:
		f.watch.loses(i, "kill")
		m.kill()
		m.back, m.until = m.start, time.Now().Add(min(lasts, 2*time.Second))
		f.counts["killed"]++
	case n < 16:
		f.stops(i, lasts)
		f.counts["stopped"]++
	default:
		f.splits(i, lasts)
		f.counts["split"]++
	}
	return true
}

// duration is how long something lasts: mostly moments, sometimes longer than a daemon may be silent, and now
// and then a minute.
func (f *fleet) duration() time.Duration {
	maximum := []time.Duration{time.Second, 3 * time.Second, 9 * time.Second, time.Minute}[[]int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3}[f.rng.IntN(10)]]
	if !long.Run && *fleetEvents < 100 {
		maximum = min(maximum, 7*time.Second)
	}
	return time.Duration(f.rng.Int64N(int64(maximum)))
}

// idle waits until no daemon has anything in hand.
func (f *fleet) idle() {
	f.patiently(func() error {
		n, err := f.reader.DB.Daemons.CountBacklog(f.ctx)
		if err == nil && n > 0 {
			err = fmt.Errorf("%d letters are in hand", n)
		}
		return err
	})
}

// inOrder looks whether the players of a match have all letters to them, in the order in which they were
// written where the mail servers keep that: Postfix delivers several at the same time. It counts those that came more than once.
func (f *fleet) inOrder(id string, players []*crashPlayer) (copies int) {
	m, err := f.reader.DB.Match(f.ctx, id)
	f.must(err)
	for s, p := range players {
		came := make(map[int]bool)
		newest := 0
		for _, l := range f.came(p) {
			n := letterNumber(l, id)
			if n == 0 {
				continue
			}
			if came[n] {
				copies++
			} else if n != newest+1 && !*fleetReal {
				f.t.Errorf("match %s: letter %d to %s comes behind letter %d", id, n, p.Address, newest)
			}
			came[n], newest = true, max(newest, n)
		}
		if written := m.Seats[s].LastLetter; int64(len(came)) != written || int64(newest) != written {
			f.t.Errorf("match %s: of %d letters %s has got %d, the newest of them is letter %d", id, written, p.Address, len(came), newest)
		}
	}
	return copies
}

// came are all letters to a player, at the end.
func (f *fleet) came(p *crashPlayer) []message.Letter {
	all, ok := f.read[p]
	if !ok {
		for _, raw := range f.mailbox(p.Address, p.Password) {
			all = append(all, message.Read(raw))
		}
		f.read[p] = all
	}
	return all
}

// packed looks whether all matches get packed whose end is final, each once, by daemons of which the poller is killed
// again: each next one begins with that.
func (f *fleet) packed() {
	const final = `state = 'over' AND id NOT IN (SELECT match FROM uncounted)`
	over := f.club.number(`SELECT count(*) FROM matches WHERE ` + final)
	for range 2 {
		if i := f.watch.who(); i >= 0 {
			f.members[i].kill()
			f.members[i].start()
		}
		for startTime := time.Now(); f.club.number(`SELECT count(*) FROM matches WHERE archived = 0 AND `+final) > 0 && time.Since(startTime) < time.Minute; {
			f.pass(50 * time.Millisecond)
		}
	}
	// What is packed of matches that go on is in archives as well.
	const ended = `archives WHERE match NOT IN (SELECT id FROM matches WHERE state = 'playing')`
	for what, query := range map[string]string{
		"archives":                      `SELECT count(*) FROM ` + ended,
		"matches that are archived":     `SELECT count(*) FROM matches WHERE archived = 1 AND id IN (SELECT match FROM archives)`,
		"archives, and rows beside one": `SELECT (SELECT count(*) FROM ` + ended + `) + (SELECT count(*) FROM entries WHERE match IN (SELECT match FROM ` + ended + `))`,
	} {
		if n := f.club.number(query); n != over || over == 0 && extensive() {
			f.t.Errorf("%d %s, and %d matches are over", n, what, over)
		}
	}
}

// takeovers measures how long nobody reads the inbox.
type takeovers struct {
	mu sync.Mutex
	// poller is the daemon that reads it, since what befell it at a time; -1 for none.
	poller int
	since  time.Time
	how    string
	took   map[string][]time.Duration
}

// loses notes that something befalls a daemon, or all where it is -1.
func (w *takeovers) loses(i int, how string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.poller >= 0 && (i < 0 || i == w.poller) && w.since.IsZero() {
		w.since, w.how = time.Now(), how
	}
}

// returns notes that a daemon is well again. If nobody has taken over, it was not missed.
func (w *takeovers) returns(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i == w.poller {
		w.since = time.Time{}
	}
}

// begins notes that a daemon is the poller.
func (w *takeovers) begins(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.poller = i
	if w.since.IsZero() {
		return
	}
	if w.took == nil {
		w.took = map[string][]time.Duration{}
	}
	w.took[w.how] = append(w.took[w.how], time.Since(w.since))
	w.since = time.Time{}
}

// who is the poller, or -1.
func (w *takeovers) who() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.poller
}

// String tells for each trouble the least, the median and the most.
func (w *takeovers) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var b strings.Builder
	b.WriteString("takeovers of the inbox:")
	for how, took := range w.took {
		slices.Sort(took)
		fmt.Fprintf(&b, "\n  after %-22s %3d: %5.2f s at least, %5.2f s in the middle, %5.2f s at most",
			how, len(took), took[0].Seconds(), took[len(took)/2].Seconds(), took[len(took)-1].Seconds())
	}
	return b.String()
}

// of reads what a daemon says.
func (w *takeovers) of(i int) *lines {
	return &lines{each: func(line []byte) {
		if *fleetLogs {
			fmt.Fprintf(os.Stderr, "%d %s\n", i, line)
		}
		if bytes.Contains(line, []byte("this daemon is the poller")) {
			w.begins(i)
		}
	}}
}

// lines calls a function for each line that is written.
type lines struct {
	each func([]byte)
	last []byte
	rest []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, remaining, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		l.each(line)
		l.last = append(append(l.last[max(0, len(l.last)-2000):], line...), '\n')
		l.rest = slices.Clone(remaining)
	}
}
