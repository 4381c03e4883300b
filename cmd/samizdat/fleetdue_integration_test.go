//go:build integration

package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/demo"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// fleetTable is a match by mail of which the test sees the letters only.
type fleetTable struct {
	*fleet
	id      string
	players []*crashPlayer
	// newest is the last letter to each, asked whether he was asked to join and has.
	newest []message.Letter
	asked  []bool
}

// begin invites players.
func (ft *fleetTable) begin(inv adjudicator.Invitation) {
	inv.Players = nil
	for _, p := range ft.players {
		inv.Players = append(inv.Players, p.Address)
	}
	ft.try(func() error {
		m, err := ft.reader.Adjudicator.CreateMatch(ft.ctx, inv)
		if err == nil {
			ft.id = m.ID
		}
		return err
	})
	ft.newest, ft.asked = make([]message.Letter, len(ft.players)), make([]bool, len(ft.players))
}

// match is the match, once it is under way: players who are invited join.
func (ft *fleetTable) match() *match.Match {
	for s, p := range ft.players {
		for {
			l, ok, err := p.Fetch()
			if err != nil {
				p.redial()
				continue
			}
			if !ok {
				break
			}
			if letterNumber(l, ft.id) > letterNumber(ft.newest[s], ft.id) {
				ft.newest[s] = l
			}
		}
		if l := ft.newest[s]; l.MessageID != "" && !ft.asked[s] {
			ft.asked[s] = true
			raw, err := message.Draft{From: p.Address, To: l.ReplyTo[0], Subject: "Re: " + l.Subject, Date: time.Now(),
				MessageID: fmt.Sprintf("join.%d.%s@samizdat.local", s, ft.id), InReplyTo: l.MessageID, Text: "JOIN " + demo.JoinWords}.Render()
			ft.must(err)
			p.deliver(l.ReplyTo[0], raw)
		}
	}
	var m *match.Match
	ft.try(func() (err error) { m, err = ft.reader.DB.Match(ft.ctx, ft.id); return err })
	if m.State == match.Inviting {
		return nil
	}
	return m
}

// quiet tells whether all letters of the match have gone out.
func (ft *fleetTable) quiet() bool {
	return ft.club.number(`SELECT count(*) FROM outbox WHERE state = 'waiting' AND match = $1`, ft.id) == 0
}

// sets lets clocks stand otherwise, beside the daemons, and gives the version that the match has then; 0 where it has
// moved meanwhile.
func (ft *fleetTable) sets(m *match.Match, how func(m *match.Match)) (version int64) {
	was, tried := m.Version, false
	ft.try(func() error {
		m, err := ft.reader.DB.Match(ft.ctx, ft.id)
		if err != nil {
			return err
		}
		if m.Version > was {
			if tried { // What was not known to be stored is.
				version = was + 1
			}
			return nil
		}
		how(m)
		err = ft.reader.DB.Apply(ft.ctx, exchange.Change{Match: m})
		if errors.Is(err, match.ErrConflict) {
			return nil
		}
		if tried = true; err == nil {
			version = was + 1
		}
		return err
	})
	return version
}

// dueTable is match after match in which something becomes due: a reminder, the end of a time, a forfeit, a claim.
type dueTable struct {
	fleetTable
	what record.ActKind
	all  []*deadline
	// set is that the time of the newest has run, claimed that its end was claimed.
	set, claimed bool
}

// dueKinds has a table each.
var dueKinds = [4]record.ActKind{reminded, told, record.Forfeit, record.Claim}

func newDueTable(f *fleet, i int) *dueTable {
	d := &dueTable{fleetTable: fleetTable{fleet: f}, what: dueKinds[i]}
	for k := range 2 {
		d.players = append(d.players, f.player(f.boxes.Accounts[fleetDue+2*i+k]))
	}
	return d
}

// unfinished tells whether something is due.
func (d *dueTable) unfinished() bool { return d.id != "" }

// step goes on as far as that takes no time.
func (d *dueTable) step() {
	if d.id == "" {
		if d.happened < *fleetEvents {
			d.next()
		}
		return
	}
	now := d.all[len(d.all)-1]
	m := d.match()
	switch {
	case m == nil:
	case !d.set:
		i := slices.IndexFunc(m.Seats, func(s match.Seat) bool { return s.Clock.ToMove })
		if i < 0 || len(m.Seats[i].Clock.QuestionLetters) == 0 || m.Seats[i].Clock.QuestionLetters[0].AcceptedAt.IsZero() || !d.quiet() {
			return
		}
		now.seat, now.other = rules.Seat(i), 1-i
		now.version = d.sets(m, func(m *match.Match) { comesDue(&m.Seats[i].Clock, d.what) })
		d.set = now.version > 0
	case d.what == record.Claim && !d.claimed:
		now.newest = [2]message.Letter(d.newest)
		d.claims(now, d.players[now.other])
		d.claimed = true
	case m.Version > now.version && d.quiet():
		d.id = ""
	}
}

// next begins the next match.
func (d *dueTable) next() {
	zero := clock.Claim
	if d.what == record.Forfeit {
		zero = clock.Forfeit
	}
	tempo, err := clock.ParseTempo("72h+12h<=120h")
	d.must(err)
	d.set, d.claimed = false, false
	d.begin(adjudicator.Invitation{Game: dawn1989.Game().Name(), Tempo: tempo, OnTimeout: zero})
	d.all = append(d.all, &deadline{id: d.id, what: d.what})
}

// check looks whether all has happened, once.
func (d *dueTable) check() {
	letters := map[string][]byte{}
	for _, p := range d.players {
		for _, raw := range d.mailbox(p.Address, p.Password) {
			_, own, _ := bytes.Cut(raw, []byte("\r\nFrom: "))
			id := message.Read(raw).MessageID
			if was, ok := letters[id]; ok && !bytes.Equal(was, own) {
				d.t.Errorf("letter %s came twice, and not the same", id)
			}
			letters[id] = own
		}
	}
	of := map[string]map[string][]byte{}
	for id, raw := range letters {
		match, _, _ := strings.Cut(id, "-")
		if of[match] == nil {
			of[match] = map[string][]byte{}
		}
		of[match][id] = raw
	}
	for _, one := range d.all {
		d.happenedOnce(one, of[one.id])
		d.inOrder(one.id, d.players)
	}
}

// silentTable is a match in which nobody ever answers, and the rule for silence does.
type silentTable struct {
	fleetTable
	game *rules.Game
	// waits are those whose time has run out, until that was noticed.
	waits    []rules.Decision
	silences int
	over     bool
}

func newSilentTable(f *fleet, seats int) *silentTable {
	s := &silentTable{fleetTable: fleetTable{fleet: f}, game: games[1]}
	for i := range seats {
		s.players = append(s.players, f.player(f.boxes.Accounts[fleetSilent+i]))
	}
	tempo, err := clock.ParseTempo("phase 48h")
	f.must(err)
	s.begin(adjudicator.Invitation{Game: s.game.Name(), Tempo: tempo, OnTimeout: clock.Silence})
	return s
}

func (s *silentTable) unfinished() bool { return len(s.waits) > 0 || s.silences == 0 }

// step lets the times of all who are asked run out when that of the last ones was noticed.
func (s *silentTable) step() {
	if s.over {
		return
	}
	m := s.match()
	if m == nil {
		return
	}
	pos, err := m.CurrentPosition(s.game)
	s.must(err)
	_, s.over = pos.Result()
	open := m.UnansweredDecisions(pos)
	s.waits = slices.DeleteFunc(s.waits, func(d rules.Decision) bool {
		return !slices.ContainsFunc(open, func(o rules.Decision) bool { return o.ID == d.ID })
	})
	if s.over || len(s.waits) > 0 || s.happened >= *fleetEvents && s.silences > 0 || !s.quiet() {
		return
	}
	for _, d := range open {
		if asks := m.Seats[d.Seat].Clock.QuestionLetters; len(asks) == 0 || asks[0].AcceptedAt.IsZero() {
			return
		}
	}
	if s.sets(m, func(m *match.Match) {
		for _, d := range open {
			c := &m.Seats[d.Seat].Clock
			c.QuestionLetters = []clock.QuestionLetter{{Number: c.QuestionLetters[0].Number, AcceptedAt: time.Now().UTC().Truncate(time.Microsecond).Add(-c.TimeLeft)}}
		}
	}) > 0 {
		s.waits, s.silences = open, s.silences+len(open)
	}
}

// check looks whether silence has answered for none twice; that it has for each, step has waited for.
func (s *silentTable) check() {
	rec, err := s.reader.Adjudicator.Export(s.ctx, s.id, true)
	s.must(err)
	if _, err := record.Replay(rec, s.game, nil); err != nil {
		s.t.Errorf("match %s: %v", s.id, err)
	}
	answered := 0
	for _, e := range rec.Entries() {
		if e.Silence != "" {
			answered++
		}
		for _, a := range e.Answers {
			if a.Silence != "" {
				answered++
			}
		}
	}
	m, err := s.reader.DB.Match(s.ctx, s.id)
	s.must(err)
	for _, h := range m.Pending {
		if h.Silent {
			answered++
		}
	}
	// Of votes the record does not say who was silent.
	if answered == 0 || answered > s.silences {
		s.t.Errorf("match %s: silence has answered %d times, and %d times ran out", s.id, answered, s.silences)
	}
}

// fleetDirector writes to the players of a silent match and annuls results of the club, from the command line.
type fleetDirector struct {
	*fleet
	config string
	// done tells of each act, by its words, whether the command said that it was done.
	done map[string]bool
	// ended has the outcome of the command that runs, if one runs.
	ended chan directed
	runs  bool
	after time.Time
}

type directed struct {
	words string
	err   error
}

func newFleetDirector(f *fleet) *fleetDirector {
	return &fleetDirector{fleet: f, config: f.members[0].config, done: map[string]bool{}, ended: make(chan directed, 1)}
}

// acts begins an act now and then, if none is under way.
func (d *fleetDirector) acts() {
	select {
	case e := <-d.ended:
		d.runs, d.done[e.words] = false, e.err == nil
	default:
	}
	if d.runs || time.Now().Before(d.after) {
		return
	}
	words := fmt.Sprintf("This is note %d.", len(d.done)+1)
	args := []string{"director", d.silent.id, "tell", "all", words}
	if len(d.done)%3 == 2 {
		var id string
		d.try(func() error {
			return d.club.db.QueryRowContext(d.ctx, `SELECT coalesce(max(id), '') FROM matches WHERE state = 'over' AND `+clubs).Scan(&id)
		})
		if id != "" {
			args = []string{"club", "annul", id, "--why", words}
		}
	}
	if args[0] == "director" {
		args = append(args, "--yes")
	}
	d.runs, d.after = true, time.Now().Add(4*time.Second)
	go func() {
		_, err := program(d.ctx, append(args, "--config", d.config)...).CombinedOutput()
		d.ended <- directed{words, err}
	}()
}

// ends waits for the command that runs.
func (d *fleetDirector) ends() {
	if d.runs {
		e := <-d.ended
		d.runs, d.done[e.words] = false, e.err == nil
	}
}

// check looks whether each act was done once that a command has called done, and no other more than once.
func (d *fleetDirector) check() {
	rec, err := d.reader.Adjudicator.Export(d.ctx, d.silent.id, true)
	d.must(err)
	var b bytes.Buffer
	d.must(rec.Write(&b))
	sure := 0
	for words, isDone := range d.done {
		n := strings.Count(b.String(), words) + d.club.number(`SELECT count(*) FROM clublog WHERE why = $1`, words)
		if n > 1 || isDone && n != 1 {
			d.t.Errorf("%q of the director was done %d times; the command said: %t", words, n, isDone)
		}
		if isDone {
			sure++
		}
	}
	if sure == 0 && extensive() { // A few may all fail, with the server away.
		d.t.Errorf("none of %d acts of the director was done", len(d.done))
	}
}
