package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/mail/embedded"
	"samizdat/mail/message"
)

var clubKills = flag.Int("club-kills", long.N(4, 60), "how often TestClubKills kills the daemon")

const (
	// clubTables is how many pairs of members the club has, killCup their tournament.
	clubTables, killCup = 2, "kill-cup"
	// clubActs is how many letters they write at least, beside those that the tournament needs.
	clubActs = 8
)

// clubCrash is a club while everything breaks that can break.
type clubCrash struct {
	*crash
	db      *sql.DB
	members []*clubMember
	// harms may do something bad when a letter was sent; it may be nil.
	harms func()
	// hurried is when letters were last let go at once, again is how many that were.
	hurried time.Time
	again   int64
}

// clubMember is a member with his mail program.
type clubMember struct {
	*crashPlayer
	name string
	id   int64
	// club is the newest letter of the club, matches are the newest of matches.
	club    message.Letter
	matches map[string]message.Letter
	// waits is the Message-ID of the letter whose answer is not there yet, sent are all.
	waits string
	sent  map[string]bool
	// digests is how many have become due, news the Message-IDs of those that came.
	digests int
	daily   bool
	news    map[string]bool
}

// TestClubKills lets members register, enter a tournament, offer, accept, be paired, resign and
// read digests while the daemon is killed, the mail server goes away and letters come twice.
// In the end each letter was answered once, each offer that was accepted is one match, each
// match that is over one result, and each digest has come once.
//
//	go test ./cmd/samizdat -run TestClubKills -v -timeout 60m -club-kills 300 -crash-seed 7
func TestClubKills(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Minute+time.Duration(*clubKills)*8*time.Second, errors.New("the club took too long"))
	defer cancel()
	c := newClubCrash(ctx, t)
	for _, m := range c.members {
		c.joins(m)
	}
	c.invites()
	c.tournament()
	for n := 0; n < clubActs || c.kills < *clubKills; n++ {
		c.acts()
		c.pass(20 * time.Millisecond)
	}
	c.endCup()
	c.settleClub()
	c.daemon.end()
	c.checkLetters()
	c.checkClub(c.daemon.config)
	c.checkCup()
	t.Logf("seed %d: %d kills, the mail server away %d times, %d letters delivered twice, %d sent again at once; %d matches", *crashSeed, c.kills, c.cuts, c.twice, c.again, c.number(`SELECT count(*) FROM matches`))
}

func newClubCrash(ctx context.Context, t *testing.T) *clubCrash {
	c := &clubCrash{crash: newCrashHouse(ctx, t, clubTables, true)}
	c.found(pgtest.Look(t, databaseOf(c.reader.Config.Data)), c.boxes.Accounts[1:])
	c.harms = func() {
		if c.kills < *clubKills && c.rng.IntN(3) == 0 {
			c.harm()
		}
	}
	c.meanwhile = c.hurries
	c.daemon.start()
	// What lies in the mailbox before the daemon has looked into it for the first time is no
	// letter to the club.
	for looked := (time.Time{}); looked.IsZero(); c.pass(20 * time.Millisecond) {
		var err error
		looked, err = c.reader.DB.Inbox.Watermark(c.ctx)
		c.must(err)
	}
	return c
}

// hurries lets letters be tried again at once that did not go while the mail server was away: a
// daemon waits a minute, which the test need not.
func (c *clubCrash) hurries() {
	if time.Since(c.hurried) < time.Second {
		return
	}
	c.hurried = time.Now()
	c.try(func() error {
		is, err := c.db.ExecContext(c.ctx, `UPDATE outbox SET due = $1 WHERE state = 'waiting' AND attempts > 0 AND due > $1`, c.hurried.UnixMicro())
		if err != nil {
			return err
		}
		n, err := is.RowsAffected()
		c.again += n
		return err
	})
}

// found gives each of those who are to be members a mail program.
func (c *clubCrash) found(db *sql.DB, accounts []embedded.Account) {
	c.db = db
	for i, name := range []string{"Ada", "Ben", "Cleo", "Dora"} {
		c.members = append(c.members, &clubMember{crashPlayer: c.player(accounts[i]), name: name, matches: map[string]message.Letter{}, sent: map[string]bool{}, news: map[string]bool{}})
	}
}

// number asks the database, past the program.
func (c *clubCrash) number(query string, args ...any) (n int) {
	c.t.Helper()
	c.try(func() error { return c.db.QueryRowContext(c.ctx, query, args...).Scan(&n) })
	return n
}

// write sends a letter of a member, and lets something bad happen.
func (c *clubCrash) write(m *clubMember, to message.Letter, text string) {
	m.Last = to
	d, err := m.Draft(text)
	c.must(err)
	raw, err := d.Render()
	c.must(err)
	m.waits = d.MessageID
	if m.id != 0 || text == "YES" {
		m.sent[d.MessageID] = true
	}
	m.deliver(d.To, raw)
	switch c.rng.IntN(8) {
	case 0:
		m.deliver(d.To, raw)
		c.twice++
	case 1:
		c.late = append(c.late, lateLetter{m.crashPlayer, d.To, raw})
	}
	if c.harms != nil {
		c.harms()
	}
}

// read reads what has come for a member.
func (c *clubCrash) read(m *clubMember) {
	for {
		l, ok, err := m.Fetch()
		if err != nil {
			m.redial()
			continue
		}
		if !ok {
			return
		}
		_, match, _ := strings.Cut(strings.Join(l.ReplyTo, ""), "+")
		match, _, _ = strings.Cut(match, "-")
		switch n := letterNumber(l, match); {
		case match == "club":
			m.club = l
		case n > letterNumber(m.matches[match], match):
			m.matches[match] = l
		}
		if l.InReplyTo == m.waits {
			m.waits = ""
		}
		if strings.Contains(l.Subject, "news since") {
			m.news[l.MessageID] = true
		}
	}
}

// until reads a member's letters until something is so.
func (c *clubCrash) until(m *clubMember, is func() bool) {
	for c.read(m); !is(); c.read(m) {
		c.pass(20 * time.Millisecond)
	}
}

// joins makes a member.
func (c *clubCrash) joins(m *clubMember) {
	c.write(m, message.Letter{ReplyTo: []string{c.boxes.Accounts[0].Address}, Subject: "Hello"}, "REGISTER "+m.name)
	c.until(m, func() bool { return strings.HasPrefix(m.club.Subject, "Do you want to join") })
	c.write(m, m.club, "YES")
	c.until(m, func() bool { return m.waits == "" })
	var is *club.Member
	c.try(func() (err error) { is, err = c.reader.DB.Club.MemberByAddress(c.ctx, m.Address); return err })
	if is == nil || is.Name != m.name {
		c.t.Fatalf("%s is %+v", m.name, is)
	}
	m.id = is.ID
}

// invites invites to a tournament.
func (c *clubCrash) invites() {
	c.must(c.reader.Club.OpenTournament(c.ctx, club.Tournament{Name: killCup, MatchTerms: club.Terms{Game: "1989", Tempo: "standard"}, Starts: time.Now().Add(24 * time.Hour)},
		tournament.Terms{Kind: tournament.Swiss, Rounds: 2}, "the director", "a test"))
}

// tournament begins when all have entered.
func (c *clubCrash) tournament() {
	for _, m := range c.members {
		c.write(m, m.club, "ENTER "+killCup)
	}
	for _, m := range c.members {
		c.until(m, func() bool { return m.waits == "" })
	}
	c.sets(`UPDATE tournaments SET starts = $1, due = $1, version = version + 1`, time.Now().UnixMicro())
}

// sets changes the database beside the daemon: what is due in a week is due now.
func (c *clubCrash) sets(query string, args ...any) {
	c.try(func() error { _, err := c.db.ExecContext(c.ctx, query, args...); return err })
}

// acts lets some member do something who waits for no answer.
func (c *clubCrash) acts() {
	m := c.members[c.rng.IntN(len(c.members))]
	if c.read(m); m.waits == "" {
		c.act(m)
	}
}

// act is what a member does who waits for no answer.
func (c *clubCrash) act(m *clubMember) {
	other := c.members[c.rng.IntN(len(c.members))]
	switch n := c.rng.IntN(8); {
	case n == 0 && other != m:
		c.write(m, m.club, "CHALLENGE "+other.name+" 1989")
	case n <= 1:
		c.write(m, m.club, "OFFER 1989")
	case n <= 3:
		var open []club.Offer
		c.try(func() (err error) { open, err = c.reader.DB.Club.OpenOffers(c.ctx); return err })
		i := slices.IndexFunc(open, func(o club.Offer) bool { return o.Author() != m.id && o.IsVisibleTo(m.id) })
		if i < 0 {
			c.write(m, m.club, "OFFERS\nLADDER")
			return
		}
		c.write(m, m.club, fmt.Sprintf("ACCEPT %d", open[i].ID))
	case n == 4:
		c.write(m, m.club, "PAIR ME 1989 UP TO 5")
	case n == 5 && !m.daily:
		m.daily = true
		c.write(m, m.club, "DIGEST DAILY")
	case n <= 6 && m.daily:
		if m.digests == len(m.news) {
			m.digests++
			c.sets(`UPDATE members SET digest = $1, version = version + 1 WHERE player = $2`, time.Now().UnixMicro(), m.id)
		}
	default:
		c.resigns(m, c.running(m, `SELECT m.id FROM matches m JOIN seats s ON s.match = m.id WHERE m.state = 'playing' AND s.player = $1 ORDER BY m.id`))
	}
}

// running is one of a member's matches, of those that a query finds; empty for none that he has
// a letter of.
func (c *clubCrash) running(m *clubMember, query string) string {
	var ids []string
	c.try(func() error {
		ids = nil
		rows, err := c.db.QueryContext(c.ctx, query, m.id)
		for err == nil && rows.Next() {
			var id string
			err = rows.Scan(&id)
			if _, ok := m.matches[id]; ok {
				ids = append(ids, id)
			}
		}
		if rows != nil {
			err = errors.Join(err, rows.Err(), rows.Close())
		}
		return err
	})
	if len(ids) == 0 {
		return ""
	}
	return ids[c.rng.IntN(len(ids))]
}

func (c *clubCrash) resigns(m *clubMember, id string) {
	if id != "" {
		c.write(m, m.matches[id], "RESIGN "+id)
	}
}

// endCup lets the tournament come to its end: of each of its matches one resigns.
func (c *clubCrash) endCup() {
	for {
		var t *club.Tournament
		c.try(func() (err error) { t, err = c.reader.DB.Club.Tournament(c.ctx, killCup); return err })
		if t.Progress.State == tournament.Over {
			return
		}
		for _, m := range c.members {
			if c.read(m); m.waits == "" {
				c.resigns(m, c.running(m, `SELECT m.id FROM matches m JOIN seats s ON s.match = m.id JOIN tournamentmatches t ON t.match = m.id
					WHERE m.state = 'playing' AND s.seat = 0 AND s.player = $1 ORDER BY m.id`))
			}
		}
		c.pass(50 * time.Millisecond)
	}
}

// settleClub delivers what is late still, and waits until all is done and answered.
func (c *clubCrash) settleClub() {
	for _, m := range c.members {
		c.until(m, func() bool { return m.waits == "" })
	}
	for _, l := range c.late {
		l.from.deliver(l.to, l.raw)
		c.twice++
	}
	now := time.Now().UnixMicro()
	for _, query := range []string{fmt.Sprint(`SELECT count(*) FROM uncounted WHERE due <= `, now), `SELECT count(*) FROM tournaments WHERE due IS NOT NULL`,
		fmt.Sprint(`SELECT count(*) FROM members WHERE digest <= `, now), `SELECT count(*) FROM outbox WHERE state = 'waiting'`} {
		for c.number(query) > 0 {
			c.pass(50 * time.Millisecond)
		}
	}
	for c.inbox() > 0 || c.number(`SELECT count(*) FROM outbox WHERE state = 'waiting'`) > 0 {
		c.pass(50 * time.Millisecond)
	}
	if n := c.number(`SELECT count(*) FROM outbox WHERE state = 'failed'`); n > 0 {
		c.t.Errorf("%d letters could not be delivered", n)
	}
}

// checkLetters looks at all that lies in the mailboxes: every letter was answered once, and what
// came twice came the same.
func (c *clubCrash) checkLetters() {
	for _, m := range c.members {
		bodies, answers, digests, welcome := map[string][]byte{}, map[string]string{}, 0, 0
		for _, raw := range c.mailbox(m.Address, m.Password) {
			l := message.Read(raw)
			_, own, _ := bytes.Cut(raw, []byte("\r\nFrom: "))
			was, isDoubled := bodies[l.MessageID]
			if bodies[l.MessageID] = own; isDoubled {
				if !bytes.Equal(was, own) {
					c.t.Errorf("letter %s came twice, and not the same", l.MessageID)
				}
				continue
			}
			if strings.Contains(l.Subject, "news since") {
				digests++
			}
			if strings.Contains(l.Text, "You are a member.") {
				welcome++
			}
			if m.sent[l.InReplyTo] && answers[l.InReplyTo] != "" {
				c.t.Errorf("letter %s was answered by %s and %s", l.InReplyTo, answers[l.InReplyTo], l.MessageID)
			}
			answers[l.InReplyTo] = l.MessageID
		}
		for id := range m.sent {
			if answers[id] == "" {
				c.t.Errorf("letter %s was not answered", id)
			}
		}
		if digests != m.digests || welcome != 1 {
			c.t.Errorf("%s has %d digests and %d welcomes, want %d and 1", m.name, digests, welcome, m.digests)
		}
	}
}

// clubs are the matches between members.
const clubs = `EXISTS (SELECT 1 FROM seats JOIN members ON members.player = seats.player WHERE seats.match = matches.id)`

// checkClub looks at what became of the club: nothing is there twice, and nothing is missing.
func (c *clubCrash) checkClub(config string) {
	for what, query := range map[string]string{
		"offers without their match":       `SELECT count(*) FROM offers WHERE state = 'accepted' AND match NOT IN (SELECT id FROM matches)`,
		"offers of one match":              `SELECT count(*) - count(DISTINCT match) FROM offers WHERE match <> ''`,
		"matches without an offer":         `SELECT count(*) FROM matches WHERE id NOT IN (SELECT match FROM offers) AND ` + clubs,
		"matches over without a result":    `SELECT count(*) FROM matches WHERE state = 'over' AND id NOT IN (SELECT match FROM results) AND ` + clubs,
		"results of matches that go on":    `SELECT count(*) FROM results WHERE match IN (SELECT id FROM matches WHERE state <> 'over')`,
		"results that are not of two":      `SELECT count(*) FROM results r WHERE r.game = '1989' AND (SELECT count(*) FROM resultplayers p WHERE p.match = r.match) <> 2`,
		"seats that were never written to": `SELECT count(*) FROM seats s WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.match = s.match AND o.seat = s.seat AND o.state = 'sent')`,
	} {
		if n := c.number(query); n != 0 {
			c.t.Errorf("%s: %d", what, n)
		}
	}
	if n := c.number(`SELECT count(*) FROM members`); n != len(c.members) {
		c.t.Errorf("there are %d members", n)
	}
	out, err := program(c.ctx, "ladder", "1989", "--recompute", "--config", config).CombinedOutput()
	if err != nil {
		c.t.Errorf("the ladder: %v\n%s", err, out)
	}
}

// checkCup looks whether each meeting of the tournament was one match.
func (c *clubCrash) checkCup() {
	t, err := c.reader.DB.Club.Tournament(c.ctx, killCup)
	c.must(err)
	seen := map[string]bool{}
	for _, r := range t.Progress.Rounds {
		for _, meeting := range r.Meetings {
			if meeting.Match == "" || seen[meeting.Match] || !meeting.Done {
				c.t.Errorf("the meeting %+v, after %v", meeting, seen)
			}
			seen[meeting.Match] = true
		}
	}
	if n := c.number(`SELECT count(*) FROM tournamentmatches`); n != len(seen) || len(seen) != len(c.members) {
		c.t.Errorf("the tournament has %d matches, and %d are stored", len(seen), n)
	}
}
