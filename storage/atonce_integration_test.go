//go:build integration

package storage

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
)

// meeting is two daemons that do something at the same time: the first stops in the middle of it, and goes on when
// the second is done, or waits for the first.
type meeting struct {
	*testing.T
	dbs      [2]*DB
	outboxes [2]*Outbox
	m        *match.Match
	// errs is what came of each, did which statements it has run.
	errs [2]error
	did  [2][]string
}

// meet lets both do something; the first stops before a statement with certain words.
func (m *meeting) meet(first func() error, before string, second func() error) {
	m.Helper()
	stopped, goOn := make(chan struct{}), make(chan struct{})
	stop := sync.OnceFunc(func() { close(stopped); <-goOn })
	m.dbs[0].writer.onStatement = func(statement string, _ []any) {
		m.did[0] = append(m.did[0], statement)
		if strings.Contains(statement, before) {
			stop()
		}
	}
	var mu sync.Mutex
	m.dbs[1].writer.onStatement = func(statement string, _ []any) {
		mu.Lock()
		defer mu.Unlock()
		m.did[1] = append(m.did[1], statement)
	}
	var both sync.WaitGroup
	both.Go(func() { m.errs[0] = first() })
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		m.Fatalf("the first never comes to %q: %v", before, m.errs[0])
	}
	done := make(chan struct{})
	both.Go(func() { defer close(done); m.errs[1] = second() })
	waitFor(m.T, func() bool {
		select {
		case <-done:
			return true
		default:
		}
		return m.number(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	})
	close(goOn)
	both.Wait()
}

// sessionOf is what a query counts.
func (m *meeting) number(query string, args ...any) (n int) {
	m.Helper()
	must(m.T, m.dbs[0].reader.DB.QueryRowContext(m.Context(), query, args...).Scan(&n))
	return n
}

// acquireLock looks that the first got its way, and that the second was told that something has moved on, or is there.
func (m *meeting) one(want error) {
	m.Helper()
	if m.errs[0] != nil || !errors.Is(m.errs[1], want) {
		m.Errorf("the first got %v, the second %v, not %v", m.errs[0], m.errs[1], want)
	}
}

// fine looks that both got their way.
func (m *meeting) fine() {
	m.Helper()
	if err := errors.Join(m.errs[:]...); err != nil {
		m.Error(err)
	}
}

// readLetters reads the match.
func (m *meeting) read() *match.Match {
	m.Helper()
	is, err := m.dbs[0].Match(m.Context(), m.m.ID)
	must(m.T, err)
	return is
}

// applies makes a change of the match as it is, in one of the two.
func (m *meeting) applies(i int, change func(c *exchange.Change)) func() error {
	m.Helper()
	c := exchange.Change{Match: m.read()}
	change(&c)
	return func() error { return m.dbs[i].Apply(m.Context(), c) }
}

// letter is a change of a letter that brings the next entry.
func letterOf(digest string) func(c *exchange.Change) {
	return func(c *exchange.Change) {
		c.Receipt = receipt()
		c.Receipt.Digest = digest
		c.Entries = []record.Entry{{Seq: c.Match.EntryCount, Hash: digest}}
		c.Match.EntryCount++
	}
}

// readDue lets a daemon claim what can be sent.
func (m *meeting) due(i, limit int, got *[]int64, inHand ...int64) func() error {
	return func() error {
		out, err := m.outboxes[i].Due(m.Context(), noon.Add(time.Hour), limit, inHand...)
		*got = letters(out)
		return err
	}
}

func (m *meeting) exec(statement string, args ...any) {
	m.Helper()
	_, err := m.dbs[0].writer.DB.ExecContext(m.Context(), statement, args...)
	must(m.T, err)
}

// join lets both daemons claim letters.
func (m *meeting) join() {
	m.Helper()
	for i, db := range m.dbs {
		s, err := db.Daemons.Join(m.Context())
		must(m.T, err)
		m.Cleanup(s.close)
		s.lease.Add(int64(time.Minute))
		m.outboxes[i] = db.Outbox("r@x.test")
	}
}

// meetings are what two daemons may do at the same time, and what has to come of it.
var meetings = map[string]func(m *meeting){
	"the same letter": func(m *meeting) {
		m.meet(m.applies(0, letterOf("d")), "UPDATE matches SET state", m.applies(1, letterOf("d")))
		m.one(exchange.ErrDuplicate)
	},
	"two letters of one match": func(m *meeting) {
		m.meet(m.applies(0, letterOf("d")), "INSERT INTO entries", m.applies(1, letterOf("e")))
		m.one(match.ErrConflict)
	},
	"two matches that change together, named in another order": func(m *meeting) {
		other := *m.m
		other.ID, other.Version = "mother", 0
		must(m.T, m.dbs[0].Create(m.Context(), &other, nil))
		another := other
		m.meet(m.applies(0, func(c *exchange.Change) { c.OtherMatches = []*match.Match{&other} }), "WHERE match = $18 AND seat = $19",
			m.applies(1, func(c *exchange.Change) { c.Match, c.OtherMatches = &another, []*match.Match{c.Match} }))
		m.one(match.ErrConflict)
		if n := len(m.did[1]); n != 1 {
			m.Errorf("the second did %d statements: %q", n, m.did[1])
		}
	},
	"what is a player's own": func(m *meeting) {
		change := func(c *exchange.Change) {
			p := *c.Match.Seats[0].Player
			p.Zone = "Europe/Berlin"
			c.Match, c.Player = nil, &p
		}
		m.meet(m.applies(0, change), "UPDATE outbox SET recipient", m.applies(1, change))
		m.one(match.ErrConflict)
	},
	"a letter that a clock waits for is sent, and one comes": func(m *meeting) {
		m.clocked()
		m.meet(func() error { return m.outboxes[0].MarkSent(m.Context(), []int64{1}, noon) }, "UPDATE matches SET state",
			m.applies(1, letterOf("d")))
		m.one(match.ErrConflict)
		if c := m.read().Seats[0].Clock; c.QuestionLetters[0].AcceptedAt.IsZero() {
			m.Errorf("the clock is %+v", c)
		}
	},
	"a letter comes, and one that a clock waits for is sent": func(m *meeting) {
		m.clocked()
		m.meet(m.applies(0, letterOf("d")), "INSERT INTO entries", func() error { return m.outboxes[1].MarkSent(m.Context(), []int64{1}, noon) })
		m.fine()
		if is := m.read(); is.EntryCount != 1 || is.Seats[0].Clock.QuestionLetters[0].AcceptedAt.IsZero() {
			m.Errorf("there are %d entries, the clock is %+v", is.EntryCount, is.Seats[0].Clock)
		}
	},
	"a letter takes the place of one that is claimed": func(m *meeting) {
		var got []int64
		tells := m.spare()
		m.meet(tells(0), "INSERT INTO outbox", m.due(1, 10, &got))
		m.spared(got)
	},
	"a letter is claimed whose place another takes": func(m *meeting) {
		var got []int64
		tells := m.spare()
		m.meet(m.due(0, 10, &got), "UPDATE outbox AS o SET claim", tells(1))
		m.spared(got)
	},
	"an older letter to a reader is claimed": func(m *meeting) {
		must(m.T, m.applies(0, func(c *exchange.Change) { c.Letters = []exchange.OutgoingLetter{dispatch(c.Match, 0, 2)} })())
		var first, second []int64
		m.join()
		m.meet(m.due(0, 1, &first), "UPDATE outbox AS o SET claim", m.due(1, 10, &second))
		m.fine()
		if len(first) != 1 || first[0] != 1 || fmt.Sprint(second) != "[2]" {
			m.Errorf("the first has %v, the second %v", first, second)
		}
	},
	"a letter is put into the line that has failed": func(m *meeting) {
		m.join()
		var got []int64
		must(m.T, m.due(1, 10, &got)())
		m.exec(`UPDATE outbox SET turn = NULL`)
		m.meet(m.due(0, 10, &got), "UPDATE outbox AS o SET turn",
			func() error {
				return m.outboxes[1].MarkFailed(m.Context(), 1, noon.Add(time.Hour), noon.Add(2*time.Hour), false, "450 later")
			})
		m.fine()
		if n := m.number(`SELECT count(*) FROM outbox WHERE id = 1 AND turn IS NULL AND claim IS NULL AND attempts = 1`); n != 1 {
			m.Error("it stands in the line before its time")
		}
	},
	"letters that arrived are claimed": func(m *meeting) {
		m.join()
		db, s := m.dbs[0], [2]*Session{m.dbs[0].session.Load(), m.dbs[1].session.Load()}
		for uid, keys := range [][]string{{"ann"}, {"ann", "mabc"}, {"mabc"}, {"ben"}, {"eve"}} {
			must(m.T, db.Daemons.StoreArrivals(m.Context(), s[0], KeyedLetter{mail.Received{UIDValidity: 7, UID: uint32(uid + 1), Arrived: noon,
				Raw: []byte("raw")}, keys}))
		}
		var got [2][]uint32
		claims := func(i, maximum int) func() error {
			return func() error {
				all, _, err := m.dbs[i].Daemons.Claim(m.Context(), s[i], maximum, false, 0)
				for _, a := range all {
					got[i] = append(got[i], a.UID)
				}
				return err
			}
		}
		m.meet(claims(0, 2), "UPDATE arrivals SET claim", claims(1, 9))
		m.fine()
		if want := "[[1 2] [4 5]]"; fmt.Sprint(got) != want {
			m.Errorf("they have %v, not %s", got, want)
		}
		must(m.T, db.Daemons.RecordOutcomes(m.Context(), s[0], Outcome{7, 1, "done"}, Outcome{7, 2, "done"}))
		if must(m.T, claims(1, 9)()); fmt.Sprint(got[1]) != "[4 5 3]" {
			m.Errorf("the second has %v in the end", got[1])
		}
	},
	"new players at one address": func(m *meeting) {
		creates := func(i int) func() error {
			matchID := *m.m
			matchID.ID, matchID.Seats = fmt.Sprint("m", i), []match.Seat{{Name: "north",
				Occupant: match.Occupant{Player: match.NewPlayer("new@x.test")}, Correspondence: match.Correspondence{Key: []byte("k")}}}
			return func() error { return m.dbs[i].Create(m.Context(), &matchID, nil) }
		}
		m.meet(creates(0), "INSERT INTO seats", creates(1))
		m.fine()
		if n := m.number(`SELECT count(*) FROM players WHERE address = 'new@x.test'`); n != 1 {
			m.Errorf("there are %d", n)
		}
	},
	"an act of a member": func(m *meeting) {
		member := m.member()
		renames := m.clubActs(func(c *club.Change) { member.Name = "Anna"; c.Members = []*club.Member{member} })
		m.meet(renames(0), "INSERT INTO clublog", renames(1))
		m.one(match.ErrConflict)
	},
	"a member is forgotten, and sits down": func(m *meeting) {
		member := m.member()
		begun := *m.m
		begun.ID, begun.Seats = "mnew", []match.Seat{{Name: "north", Occupant: match.Occupant{Player: m.read().Seats[0].Player},
			Correspondence: match.Correspondence{Key: []byte("k")}}}
		m.exec(`UPDATE matches SET state = 'over'`)
		forgets := m.clubActs(func(c *club.Change) { c.Members, c.ForgottenMember = []*club.Member{member}, member })
		m.meet(forgets(0), "DELETE FROM received", func() error {
			return m.dbs[1].Apply(m.Context(), exchange.Change{NewMatches: []exchange.NewMatch{{Match: &begun}}})
		})
		m.one(match.ErrConflict)
	},
	"a member is forgotten, and a letter of his match that is over is read": func(m *meeting) {
		member := m.member()
		m.exec(`UPDATE matches SET state = 'over'`)
		forgets := m.clubActs(func(c *club.Change) { c.Members, c.ForgottenMember = []*club.Member{member}, member })
		m.meet(forgets(0), "DELETE FROM received", m.applies(1, func(c *exchange.Change) {
			letterOf("d1")(c)
			c.Match.Seats[0].Private.Grace = time.Hour
		}))
		m.one(match.ErrConflict)
		if t := m.read().Seats[0].Private; t.Grace != 0 {
			m.Errorf("what he had set is there again: %+v", t)
		}
	},
	"an act of the director": func(m *meeting) {
		acts := m.clubActs(func(c *club.Change) { c.DirectorState = &club.DirectorState{LastLetter: 1} })
		m.meet(acts(0), "INSERT INTO clublog", acts(1))
		m.one(match.ErrConflict)
		acts = m.clubActs(func(c *club.Change) { c.DirectorState = &club.DirectorState{LastLetter: 2, Version: 1} })
		m.meet(acts(0), "INSERT INTO clublog", acts(1))
		m.one(match.ErrConflict)
	},
	"a result is counted again, and annulled": func(m *meeting) {
		counted := club.ExaminedMatch{Match: m.m.ID, Result: &club.Result{Match: m.m.ID, Game: "game", Ended: noon}}
		counts := m.clubActs(func(c *club.Change) { c.ExaminedMatches = []club.ExaminedMatch{counted} })
		must(m.T, counts(0)())
		annuls := m.clubActs(func(c *club.Change) { c.Annulments = []club.Annulment{{Match: m.m.ID, Reason: "why"}} })
		m.meet(counts(0), "INSERT INTO ladders", annuls(1))
		if n := m.number(`SELECT count(*) FROM results WHERE annulled IS NOT NULL`); m.errs[0] != nil || n == 0 &&
			!errors.Is(m.errs[1], match.ErrConflict) {
			m.Errorf("%d are annulled: %v", n, m.errs)
		}
	},
	"a match is counted that moves": func(m *meeting) {
		counts := m.clubActs(func(c *club.Change) { c.ExaminedMatches = []club.ExaminedMatch{{Match: m.m.ID, Version: 1}} })
		m.meet(m.applies(0, letterOf("d")), "INSERT INTO entries", counts(1))
		m.one(match.ErrConflict)
	},
	"the director is told": func(m *meeting) {
		must(m.T, m.dbs[0].RecordBounce(m.Context(), m.m.ID, 0, 1, exchange.Bounce{Hard: true}, noon))
		var told [2]bool
		tells := func(i int) func() error {
			return func() (err error) {
				told[i], err = m.dbs[i].Operator.ReportUndelivered(m.Context(), noon, "director@x.test",
					func([]SeatFailures) ([]byte, error) { return []byte("letter"), nil })
				return err
			}
		}
		m.meet(tells(0), "DELETE FROM director", tells(1))
		m.fine()
		if told != [2]bool{true, false} {
			m.Errorf("he is told %v", told)
		}
	},
	"the operator is told of a match that stopped": func(m *meeting) {
		must(m.T, m.dbs[0].Upkeep.StopMatch(m.Context(), &adjudicator.DivergenceError{Match: m.m.ID, ThisBuild: "new"}, noon))
		var told [2]bool
		tells := func(i int) func() error {
			return func() (err error) {
				told[i], err = m.dbs[i].Operator.ReportStopped(m.Context(), "operator@x.test", noon,
					func([]StoppedMatch) ([]byte, error) { return []byte("letter"), nil })
				return err
			}
		}
		m.meet(tells(0), "UPDATE stopped SET told", tells(1))
		m.fine()
		if told != [2]bool{true, false} {
			m.Errorf("he is told %v", told)
		}
	},
	"the operator is told of letters in quarantine": func(m *meeting) {
		var queued [2]bool
		notes := func(i int) func() error {
			return func() (err error) {
				queued[i], err = m.dbs[i].Outbox("").RecordQuarantined(m.Context(), "operator@x.test", QuarantinedLetter{UIDValidity: 7, UID: uint32(i)}, noon, 1,
					func(bool) ([]byte, error) { return []byte("letter"), nil })
				return err
			}
		}
		m.meet(notes(0), "INSERT INTO received", notes(1))
		m.fine()
		if queued != [2]bool{true, false} {
			m.Errorf("letters are queued: %v", queued)
		}
	},
}

// updateClocks lets a clock wait for the first letter.
func (m *meeting) clocked() {
	m.exec(`UPDATE matches SET tempo = '72h+12h<=120h'`)
	m.join()
	var got []int64
	must(m.T, m.due(0, 1, &got)())
	m.outboxes[1] = m.outboxes[0]
	for i := range m.outboxes {
		o := *m.outboxes[0]
		o.db = m.dbs[i].connection
		m.outboxes[i] = &o
	}
	must(m.T, m.applies(0, func(c *exchange.Change) {
		c.Match.Seats[0].Clock = clock.Clock{TimeLeft: time.Hour, ToMove: true, QuestionLetters: []clock.QuestionLetter{{Number: 1}}}
	})())
}

// spare queues a letter whose place another may take, and gives what does that.
func (m *meeting) spare() func(i int) func() error {
	must(m.T, m.applies(0, func(c *exchange.Change) {
		l := dispatch(c.Match, 0, 2)
		l.Replaceable = true
		c.Letters = []exchange.OutgoingLetter{l}
	})())
	m.join()
	return func(i int) func() error {
		return m.applies(i, func(c *exchange.Change) {
			l := dispatch(c.Match, 0, 3)
			l.Replaces = true
			c.Letters = []exchange.OutgoingLetter{l}
		})
	}
}

// spared looks that the letter was dropped and is not known of, or goes out and is.
func (m *meeting) spared(got []int64) {
	m.Helper()
	m.fine()
	claimed, waits := 0, m.number(`SELECT count(*) FROM outbox WHERE match = $1 AND number = 2 AND state = 'waiting'`, m.m.ID)
	for _, id := range got {
		claimed += m.number(`SELECT count(*) FROM outbox WHERE id = $1 AND number = 2`, id)
	}
	_, isKnown, err := m.dbs[0].Sent(m.Context(), m.m.ID, 0, 2)
	must(m.T, err)
	if claimed > waits || (waits > 0) != isKnown {
		m.Errorf("the letter waits: %d, is known: %t, is claimed: %d", waits, isKnown, claimed)
	}
}

// readMember is the player of the first seat, who is a member of the club.
func (m *meeting) member() *club.Member {
	m.Helper()
	p := m.read().Seats[0].Player
	member := &club.Member{ID: p.ID, Name: "Ann", Address: p.Address, State: club.MemberActive, Since: noon}
	must(m.T, m.dbs[0].Apply(m.Context(), exchange.Change{Club: &club.Change{Members: []*club.Member{member}}}))
	member, err := m.dbs[0].Club.Member(m.Context(), p.ID)
	must(m.T, err)
	return member
}

// clubActs is a change of the club, in one of the two.
func (m *meeting) clubActs(change func(c *club.Change)) func(i int) func() error {
	return func(i int) func() error {
		c := club.Change{Log: []club.LogEntry{{At: noon, By: "director", Act: "act"}}}
		change(&c)
		return func() error { return m.dbs[i].Apply(m.Context(), exchange.Change{Club: &c}) }
	}
}

// TestMeetings: whatever two daemons do at the same time, it comes out as if one had done it after the other.
func TestMeetings(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	key := filepath.Join(t.TempDir(), "s.key")
	template, err := Open(t.Context(), server.URL("postgres"), key)
	must(t, err)
	_, err = template.writer.DB.ExecContext(t.Context(), `CREATE DATABASE meeting`)
	must(t, err)
	must(t, openAt(t, server.URL("meeting"), filepath.Join(t.TempDir(), "s.key")).Close())
	n := 0
	for name, act := range meetings {
		n++
		database := fmt.Sprint("meeting", n)
		_, err := template.writer.DB.ExecContext(t.Context(), `CREATE DATABASE `+database+` TEMPLATE meeting`)
		must(t, err)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &meeting{T: t}
			for i := range m.dbs {
				m.dbs[i] = openAt(t, server.URL(database), key)
			}
			m.m = aMatch(t, m.dbs[0])
			act(m)
		})
	}
	must(t, template.Close())
}
