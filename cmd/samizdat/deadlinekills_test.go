package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/post"
	"samizdat/internal/test/long"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

var deadlineKills = flag.Int("deadline-kills", long.N(3, 64), "how often TestKilledAtDeadlines kills the daemon")

// deadline is a match in which something happens to the time of a seat.
type deadline struct {
	id    string
	what  record.ActKind
	seat  rules.Seat
	other int
	// version is the match's when that became due.
	version int64
	// newest are the last letters to both from before.
	newest [2]message.Letter
}

// What happens where no act is made of it.
const (
	reminded record.ActKind = "reminder"
	told     record.ActKind = "told"
)

// TestKilledAtDeadlines kills the daemon when reminders, ends of times and forfeits have just
// become due, or a claim has just come, and looks whether any is lost or happens twice.
//
//	go test ./cmd/samizdat -run TestKilledAtDeadlines -v -deadline-kills 64
func TestKilledAtDeadlines(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Minute+time.Duration(*deadlineKills)*6*time.Second, errors.New("it took too long"))
	defer cancel()
	c := newCrashHouse(ctx, t, 1, false)
	players := [2]*crashPlayer{c.player(c.boxes.Accounts[len(c.boxes.Accounts)-2]), c.player(c.boxes.Accounts[len(c.boxes.Accounts)-1])}
	var all []*deadline
	for range *deadlineKills {
		for _, what := range []record.ActKind{reminded, told, record.Forfeit, record.Claim} {
			all = append(all, c.timed(what, players))
		}
	}
	c.daemon.start()
	c.quiet()
	caught := 0
	for i := range *deadlineKills {
		c.daemon.end()
		caught += c.half(all[max(0, 4*i-4) : 4*i])
		c.daemon.errs.Reset()
		for _, d := range all[4*i : 4*i+4] {
			c.comesDue(d)
		}
		startTime := time.Now()
		c.daemon.start()
		// The daemon looks for what is due two seconds after it began.
		c.until(startTime.Add(2*time.Second - 20*time.Millisecond))
		d := all[4*i+3]
		c.claims(d, players[d.other])
		c.pass(300 * time.Millisecond)
	}
	c.daemon.kill()
	c.daemon.start()
	c.happen(all)
	c.quiet()
	c.until(time.Now().Add(2200 * time.Millisecond))
	c.daemon.end()
	letters := map[string][]byte{}
	for _, p := range players {
		for _, raw := range c.mailbox(p.Address, p.Password) {
			_, own, _ := bytes.Cut(raw, []byte("\r\nFrom: "))
			id := message.Read(raw).MessageID
			if was, ok := letters[id]; ok && !bytes.Equal(was, own) {
				t.Errorf("letter %s came twice, and not the same", id)
			}
			letters[id] = own
		}
	}
	for _, d := range all {
		c.happenedOnce(d, letters)
	}
	t.Logf("seed %d: %d kills, %d matches; after %d kills some of what was due was done and some was not", *crashSeed, *deadlineKills, len(all), caught)
}

// happen waits until all that is due has led to something, or has not for a minute.
func (c *crash) happen(due []*deadline) {
	for startTime := time.Now(); time.Since(startTime) < time.Minute; c.until(time.Now().Add(50 * time.Millisecond)) {
		if c.done(due) == len(due) {
			return
		}
	}
}

// done is how much of what was due has led to something.
func (c *crash) done(due []*deadline) (done int) {
	for _, d := range due {
		m, err := c.reader.DB.Match(c.ctx, d.id)
		c.must(err)
		if m.Version > d.version {
			done++
		}
	}
	return done
}

// half is 1 if of what was due some is done and sent, and some is not.
func (c *crash) half(due []*deadline) int {
	done := c.done(due)
	s, err := c.reader.DB.Operator.Stats(c.ctx)
	c.must(err)
	if len(due) > 0 && (done < len(due) || s.Outbox["waiting"] > 0) && done > 0 {
		return 1
	}
	return 0
}

func (c *crash) until(at time.Time) {
	select {
	case <-time.After(time.Until(at)):
	case <-c.ctx.Done():
		c.t.Fatal(context.Cause(c.ctx))
	}
}

// quiet waits until nothing is to be sent or to be read.
func (c *crash) quiet() {
	for {
		s, err := c.reader.DB.Operator.Stats(c.ctx)
		c.must(err)
		if s.Outbox["waiting"] == 0 && c.inbox() == 0 {
			return
		}
		c.until(time.Now().Add(50 * time.Millisecond))
	}
}

// timed begins a match with clocks while no daemon runs.
func (c *crash) timed(what record.ActKind, players [2]*crashPlayer) *deadline {
	zero := clock.Claim
	if what == record.Forfeit {
		zero = clock.Forfeit
	}
	tempo, err := clock.ParseTempo("72h+12h<=120h")
	c.must(err)
	m, err := c.reader.Adjudicator.CreateMatch(c.ctx, adjudicator.Invitation{Game: dawn1989.Game().Name(), Tempo: tempo, OnTimeout: zero,
		Players: []string{players[0].Address, players[1].Address}})
	c.must(err)
	d := &deadline{id: m.ID, what: what}
	for seat, p := range players {
		c.newest(d)
		draft, err := message.Draft{From: p.Address, To: d.newest[seat].ReplyTo[0], Subject: "Re: " + d.newest[seat].Subject, Date: time.Now(),
			MessageID: fmt.Sprintf("join.%d.%s@samizdat.local", seat, d.id), InReplyTo: d.newest[seat].MessageID, Text: "JOIN some words"}.Render()
		c.must(err)
		c.twice++
		_, err = c.reader.Handler(func() {}).Handle(c.ctx, mail.Received{UIDValidity: 7, UID: uint32(c.twice), Arrived: time.Now(), Size: int64(len(draft)), Raw: draft})
		c.must(err)
	}
	c.newest(d)
	m, err = c.reader.DB.Match(c.ctx, d.id)
	c.must(err)
	for i := range m.Seats {
		if m.Seats[i].Clock.ToMove {
			d.seat, d.other = rules.Seat(i), 1-i
		}
	}
	return d
}

// newest reads the letters of a match that wait to be sent, and takes them as sent.
func (c *crash) newest(d *deadline) {
	box := post.NewOutbox(c.reader.DB.Outbox(c.reader.Config.Address), slog.New(slog.DiscardHandler), nil)
	var due []mail.Outgoing
	for drawn := 1; drawn > 0; drawn = box.DrawPictures(c.ctx) {
		var err error
		due, err = box.Due(c.ctx, time.Now().Add(time.Hour), 100)
		c.must(err)
	}
	var ids []int64
	for _, o := range due {
		ids = append(ids, o.ID)
		l := message.Read(o.Raw)
		for seat := range d.newest {
			if strings.HasPrefix(l.MessageID, fmt.Sprintf("%s-%d-", d.id, seat)) && letterNumber(l, d.id) > letterNumber(d.newest[seat], d.id) {
				d.newest[seat] = l
			}
		}
	}
	c.must(box.MarkSent(c.ctx, ids, time.Now()))
}

// comesDue lets a clock have run for so long that something has just become due.
func comesDue(c *clock.Clock, what record.ActKind) {
	used := map[record.ActKind]time.Duration{reminded: c.TimeLeft / 2, told: c.TimeLeft, record.Forfeit: c.TimeLeft + clock.ForfeitGrace, record.Claim: c.TimeLeft}[what]
	c.QuestionLetters = []clock.QuestionLetter{{Number: c.QuestionLetters[0].Number, AcceptedAt: time.Now().UTC().Truncate(time.Microsecond).Add(-used)}}
	c.Flagged = what == record.Forfeit || what == record.Claim
	if what == told {
		c.LastReminderLeft = 1
	}
}

// comesDue lets the time of a seat have run for so long that something has just become due.
func (c *crash) comesDue(d *deadline) {
	m, err := c.reader.DB.Match(c.ctx, d.id)
	c.must(err)
	comesDue(&m.Seats[d.seat].Clock, d.what)
	c.must(c.reader.DB.Apply(c.ctx, exchange.Change{Match: m}))
	m, err = c.reader.DB.Match(c.ctx, d.id)
	c.must(err)
	d.version = m.Version
}

// claims lets the other one claim the match.
func (c *crash) claims(d *deadline, p *crashPlayer) {
	l := d.newest[d.other]
	raw, err := message.Draft{From: p.Address, To: l.ReplyTo[0], Subject: "Re: " + l.Subject, Date: time.Now(),
		MessageID: "claim." + d.id + "@samizdat.local", InReplyTo: l.MessageID, Text: "CLAIM"}.Render()
	c.must(err)
	p.deliver(l.ReplyTo[0], raw)
}

// happenedOnce looks at what became of a match.
func (c *crash) happenedOnce(d *deadline, letters map[string][]byte) {
	rec, err := c.reader.Adjudicator.Export(c.ctx, d.id, true)
	c.must(err)
	if err := errors.Join(record.VerifyChain(rec), record.VerifyStream(rec)); err != nil {
		c.t.Errorf("match %s: %v", d.id, err)
	}
	got := map[record.ActKind]int{}
	for _, e := range rec.Entries() {
		if e.Act != nil {
			got[e.Act.Kind]++
		}
	}
	ends, answers := 0, 0
	for id, raw := range letters {
		if !strings.HasPrefix(id, d.id+"-") {
			continue
		}
		l := message.Read(append([]byte("From: "), raw...))
		text := strings.Join(strings.Fields(l.Text), " ")
		switch {
		case strings.Contains(text, "This is a reminder:"):
			got[reminded]++
		case strings.Contains(text, " has run out of time. "):
			got[told]++
		case strings.Contains(text, "The match is over"):
			ends++
		}
		if l.InReplyTo == "claim."+d.id+"@samizdat.local" {
			answers++
		}
	}
	want := map[record.ActKind]int{d.what: 1}
	if d.what == told {
		want[told] = 2 // Both are told.
	}
	wantEnds, wantAnswers := 0, 0
	switch d.what {
	case record.Claim:
		wantEnds, wantAnswers = 2, 1
	case record.Forfeit:
		wantEnds = 2
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || ends != wantEnds || answers != wantAnswers {
		c.t.Errorf("match %s, %s: %v, want %v; %d letters of the end, %d answers", d.id, d.what, got, want, ends, answers)
	}
}
