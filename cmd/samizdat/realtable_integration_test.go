//go:build integration

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/mailclient"
	"samizdat/internal/playout"
	"samizdat/internal/test/long"
	"samizdat/internal/test/mailtest/realmail"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/revolution1789"
)

var (
	tableKills = flag.Int("table-kills", long.N(8, 30), "how often TestRealTable kills the daemon at least")
	tableDir   = flag.String("table-dir", "", "where TestRealTable leaves record and history page")
)

// realTable is a match of seven by Dovecot and Postfix, with a daemon that is killed again
// and again. One player never answers, so that the rule and lots answer for him.
type realTable struct {
	demo.Players
	t      *testing.T
	ctx    context.Context
	rng    *rand.Rand
	daemon *process
	reader *daemon.Daemon
	game   *rules.Game
	id     string
	robots []rules.Robot
	// silent never answers; leaders may call a revolution.
	silent  rules.Seat
	leaders []rules.Seat
	// withdrawn and windows count what has happened when revolutions could be called.
	withdrawn, windows int
	called             rules.DecisionID
	kills, silences    int
}

// TestRealTable plays a match of seven of 1789 by real mail servers: a player who never
// answers, one who is replaced, a revolution that is called and taken back, and then one that
// both leaders call. The daemon is killed again and again, when a letter was handed in, when
// it was committed, and when a time was over. The record has to verify.
//
//	go test -tags "integration long" ./cmd/samizdat -run TestRealTable -v -timeout 20m
func TestRealTable(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), 12*time.Minute, errors.New("the match took too long"))
	defer cancel()
	m := newRealTable(ctx, t)
	replaced := false
	for m.step() {
		if pos := m.position(); !replaced && m.game.Turn(pos.View(rules.NoSeat)) >= 3 {
			m.replace()
			replaced = true
		}
	}
	for m.kills < *tableKills {
		m.kill()
	}
	m.readEnds()
	m.check()
	if !replaced || m.withdrawn == 0 || m.silences < 5 || m.kills < *tableKills {
		t.Errorf("replaced: %v, %d calls withdrawn, %d silences, %d kills", replaced, m.withdrawn, m.silences, m.kills)
	}
	t.Logf("%d kills, %d silences, %d calls withdrawn", m.kills, m.silences, m.withdrawn)
}

func newRealTable(ctx context.Context, t *testing.T) *realTable {
	m := &realTable{t: t, ctx: ctx, game: revolution1789.Game(), rng: rand.New(rand.NewPCG(*crashSeed, 2))}
	setup := rules.Setup{Seats: 7, Revision: m.game.Revision()}
	seats := m.game.SeatNames(setup)
	accounts := []string{"referee@test"}
	for _, s := range append(slices.Clone(seats), "newcomer") {
		accounts = append(accounts, s+"@test")
	}
	s := realmail.Start(t, accounts, nil)
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(dir), "samizdat.yaml")
	text := fmt.Sprintf("data: %s\naddress: %s\nletters: {pictures: false, confirmations: 0s}\n"+
		"imap: {address: %q, tls: tls, ca_file: %s, user: %[2]s, password: %[5]s}\n"+
		"smtp: {address: %[6]q, tls: starttls, ca_file: %[4]s, user: %[2]s, password: %[5]s}\n", dir, accounts[0], s.IMAPS, s.CA, realmail.Password, s.Submission)
	m.must(os.WriteFile(file, []byte(text), 0o600))
	m.daemon = &process{t: t, config: file}
	m.daemon.start()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the daemon:\n%s", m.daemon.errs.String())
		}
	})
	awaitLock(ctx, t, dir)
	cfg, err := config.Load(file)
	m.must(err)
	m.reader, err = daemon.Open(ctx, cfg, games, slog.New(slog.DiscardHandler))
	m.must(err)
	t.Cleanup(func() { m.must(m.reader.Close()) })
	m.Players = demo.Players{Out: &bytes.Buffer{}, Seats: seats, Clients: map[string]*mailclient.Client{}}
	for i, a := range accounts[1:] {
		c, err := newRealClient(s, a)
		m.must(err)
		t.Cleanup(c.Close)
		m.Clients[append(slices.Clone(seats), "newcomer")[i]] = c
	}
	hurry(t, m.Clients)
	m.begin()
	return m
}

// begin invites the seven, lets them join and gives each a robot.
func (m *realTable) begin() {
	tempo, err := clock.ParseTempo("phase 48h")
	m.must(err)
	made, err := m.reader.Adjudicator.CreateMatch(m.ctx, adjudicator.Invitation{Game: m.game.Name(), Players: m.Addresses(), Tempo: tempo, OnTimeout: clock.Silence})
	m.must(err)
	m.id = made.ID
	m.must(m.Join(m.ctx, demo.JoinWords))
	pos := m.position()
	m.silent = rules.NoSeat
	for i := range m.Seats {
		r, err := m.game.Robot("partisan", *crashSeed+uint64(i))
		m.must(err)
		m.robots = append(m.robots, r)
		if sections := m.game.AnswerQuery(pos.View(rules.Seat(i)), rules.QueryHand); strings.Contains(strings.Join(sections[0].Lines, " "), "You can call a revolution") {
			m.leaders = append(m.leaders, rules.Seat(i))
		} else if i > 0 {
			m.silent = rules.Seat(i)
		}
	}
	if len(m.leaders) != 2 {
		m.t.Fatalf("leaders: %v", m.leaders)
	}
}

func (m *realTable) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *realTable) match() *match.Match {
	m.t.Helper()
	stored, err := m.reader.DB.Match(m.ctx, m.id)
	m.must(err)
	return stored
}

func (m *realTable) position() rules.Position {
	m.t.Helper()
	pos, err := m.match().CurrentPosition(m.game)
	m.must(err)
	return pos
}

// step lets somebody answer who is asked, or his time be over. It returns false when the
// match is over.
func (m *realTable) step() bool {
	pos := m.position()
	if _, isOver := pos.Result(); isOver {
		return false
	}
	asked := m.match().UnansweredDecisions(pos)
	i := slices.IndexFunc(asked, func(d rules.Decision) bool { return d.Seat != m.silent })
	if i < 0 {
		m.timeOver(asked[0])
		return true
	}
	m.answer(pos, asked[i])
	return true
}

// answer lets a robot answer, or a leader call a revolution.
func (m *realTable) answer(pos rules.Position, d rules.Decision) {
	if !d.Repeats {
		atoms, err := playout.Answer(pos, d, m.robots[d.Seat])
		m.must(err)
		m.say(d, m.game.FormatOrder(atoms))
		return
	}
	if m.called != d.ID-rules.DecisionID(d.Seat) {
		m.called = d.ID - rules.DecisionID(d.Seat)
		m.windows++
	}
	switch i := slices.Index(m.leaders, d.Seat); {
	case i >= 0 && m.windows == 1:
		m.say(d, "REVOLUTION GIVE NONE")
		m.say(d, "HOLD")
		m.withdrawn++
	case i == 0 && m.windows > 2:
		m.say(d, "REVOLUTION")
	case i > 0 && m.windows > 2:
		m.say(d, "REVOLUTION GIVE NONE")
	default:
		m.say(d, "HOLD")
	}
}

// say sends what a seat says in answer to the newest letter that asks it something, kills the
// daemon now and then, and waits until it was taken up.
func (m *realTable) say(d rules.Decision, text string) {
	m.t.Helper()
	seat := d.Seat
	letters, err := m.reader.DB.Letters(m.ctx, m.id, seat)
	m.must(err)
	newest := ""
	for _, l := range letters {
		if len(l.Decisions) > 0 {
			newest = m.reader.Adjudicator.Codec.LetterID(m.match().Seats[seat].Key, exchange.Token{Match: m.id, Seat: seat, Number: l.Number})
		}
	}
	c := m.Clients[m.Seats[seat]]
	for c.Last.MessageID != newest {
		m.read(m.Seats[seat])
	}
	before := m.kept(d.ID)
	m.must(m.Send(m.Seats[seat], text))
	switch m.rng.IntN(6) {
	case 0:
		m.kill()
	case 1:
		m.taken(d.ID, before)
		m.kill()
	}
	m.taken(d.ID, before)
}

// read waits for a letter.
func (m *realTable) read(name string) message.Letter {
	m.t.Helper()
	l, err := m.Clients[name].Next(m.ctx)
	if err != nil || strings.Contains(l.Text, ": refused") {
		m.t.Fatalf("%s: %v\n%s", name, err, l.Text)
	}
	return l
}

// kept is the sealed answer that is kept for a decision, and gone for one that is closed.
func (m *realTable) kept(id rules.DecisionID) string {
	m.t.Helper()
	if !slices.ContainsFunc(m.position().OpenDecisions(nil), func(d rules.Decision) bool { return d.ID == id }) {
		return "gone"
	}
	for _, h := range m.match().Pending {
		if h.Decision == id {
			return fmt.Sprint("kept ", h.Silent, m.game.FormatOrder(h.Answer.Atoms))
		}
	}
	return ""
}

// taken waits until a decision is answered, or answered otherwise.
func (m *realTable) taken(id rules.DecisionID, before string) {
	m.t.Helper()
	for m.kept(id) == before {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-m.ctx.Done():
			m.t.Fatal(context.Cause(m.ctx))
		}
	}
}

func (m *realTable) kill() {
	m.daemon.kill()
	m.kills++
	m.daemon.errs.Reset()
	m.daemon.start()
}

// timeOver kills the daemon and lets the time of a seat have run out when the next begins.
func (m *realTable) timeOver(d rules.Decision) {
	seat := d.Seat
	// Its letter has to have gone out: its time runs from then on.
	for len(m.match().Seats[seat].Clock.QuestionLetters) == 0 || m.match().Seats[seat].Clock.QuestionLetters[0].AcceptedAt.IsZero() {
		time.Sleep(20 * time.Millisecond)
	}
	m.daemon.kill()
	m.kills++
	m.silences++
	m.daemon.errs.Reset()
	stored := m.match()
	c := &stored.Seats[seat].Clock
	c.QuestionLetters = []clock.QuestionLetter{{Number: c.QuestionLetters[0].Number, AcceptedAt: time.Now().UTC().Truncate(time.Microsecond).Add(-c.TimeLeft)}}
	m.must(m.reader.DB.Apply(m.ctx, exchange.Change{Match: stored}))
	before := m.kept(d.ID)
	m.daemon.start()
	m.taken(d.ID, before)
}

// replace gives the seat of one who answers to somebody else.
func (m *realTable) replace() {
	seat := rules.Seat(0)
	for slices.Contains(m.leaders, seat) || seat == m.silent {
		seat++
	}
	out, err := program(m.ctx, "replace", m.id, m.Seats[seat], m.Clients["newcomer"].Address, "--yes", "--config", m.daemon.config).CombinedOutput()
	if err != nil {
		m.t.Fatalf("replace: %v\n%s", err, out)
	}
	m.Clients[m.Seats[seat]] = m.Clients["newcomer"]
	if l := m.read(m.Seats[seat]); !strings.Contains(l.Text, "YOUR OBJECTIVE") || !strings.Contains(l.Text, "You have taken over the seat") {
		m.t.Errorf("the first letter to the newcomer:\n%s", l.Text)
	}
}

// readEnds lets everybody read how the match has ended.
func (m *realTable) readEnds() {
	for _, s := range m.Seats {
		l := m.Clients[s].Last
		for !strings.Contains(l.Text, "\nThe match is over") {
			l = m.read(s)
		}
		if !strings.Contains(l.Text, "with a revolution") {
			m.t.Errorf("%s is not told of a revolution:\n%s", s, l.Text)
		}
	}
}

// check verifies the record, and makes the history page.
func (m *realTable) check() {
	m.daemon.kill()
	dir := *tableDir
	if dir == "" {
		dir = m.t.TempDir()
	}
	path := filepath.Join(dir, "record.jsonl")
	rec, err := m.reader.Adjudicator.Export(m.ctx, m.id, false)
	m.must(err)
	m.must(rec.WriteFile(path))
	for _, args := range [][]string{{"verify", path}, {"replay", path}, {"history", path, "-o", filepath.Join(dir, "history")}} {
		out, err := program(m.ctx, args...).CombinedOutput()
		m.t.Logf("%s:\n%s", args[0], out)
		if err != nil {
			m.t.Errorf("%v: %v", args, err)
		}
	}
	data, err := os.ReadFile(path)
	m.must(err)
	if n := bytes.Count(data, []byte(`"REVOLUTION`)); n != 2 {
		m.t.Errorf("the record has %d calls, both leaders were to call", n)
	}
	for _, bad := range []string{"VOTE M", "VOTE R", "@"} {
		if bytes.Contains(data, []byte(bad)) {
			m.t.Errorf("the record has %q", bad)
		}
	}
}
