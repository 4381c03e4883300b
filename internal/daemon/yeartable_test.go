package daemon

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/internal/playout"
	"samizdat/internal/test/clocktest"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// yearTable is where two players play one match after another.
type yearTable struct {
	y           *year
	tempo, zero string
	players     [2]string
	robots      [2]rules.Robot

	id    string
	seats []*clocktest.Seat // none while no match is under way
	owes  [2][]rules.DecisionID
	// times are those of the last match: vacations go on.
	times [2]*clocktest.Timeline
	// newest is each one's newest letter, last are some more; known are all.
	newest [2]message.Letter
	last   [2][]yearPost
	known  map[yearName]bool
	// next is when somebody does something.
	next int
	// paused is from when until when the match is paused, if it is.
	paused [2]int
}

// yearName names a letter to a seat.
type yearName struct {
	seat, number int
}

// yearLetter is a letter of a player, with the minute in which it came.
type yearLetter struct {
	match     string
	seat, uid int
	raw       []byte
	came      int
}

// yearPost is a letter to a seat; without a table it is none.
type yearPost struct {
	table        *yearTable
	seat, number int
	letter       message.Letter
}

var yearZones = [2]string{"Europe/Warsaw", "America/New_York"}

func (y *year) readPost(o mail.Outgoing) (p yearPost) {
	l := message.Read(o.Raw)
	id, _, _ := strings.Cut(l.MessageID, "@")
	parts := strings.Split(id, "-")
	if len(parts) != 4 || y.of(parts[0]) == nil {
		return p
	}
	var err error
	p.seat, err = strconv.Atoi(parts[1])
	y.must(err)
	p.number, err = strconv.Atoi(parts[2])
	y.must(err)
	p.table, p.letter = y.of(parts[0]), l
	return p
}

func (g *yearTable) clone() *yearTable {
	own := *g
	own.known, own.seats = maps.Clone(g.known), nil
	for i, t := range g.times {
		if t != nil {
			own.times[i] = t.Clone()
		}
	}
	for _, s := range g.seats {
		own.seats = append(own.seats, s.Clone())
	}
	return &own
}

// match is the match as it is stored.
func (g *yearTable) match() *match.Match {
	m, err := g.y.d.DB.Match(g.y.t.Context(), g.id)
	g.y.must(err)
	return m
}

// begins begins a new match, which both join at once.
func (g *yearTable) begins() {
	y := g.y
	inv := adjudicator.Invitation{Game: "1989", Players: g.players[:], OnTimeout: clock.TimeoutPolicy(g.zero)}
	var err error
	inv.Tempo, err = clock.ParseTempo(g.tempo)
	y.must(err)
	m, err := y.d.Adjudicator.CreateMatch(y.t.Context(), inv)
	y.must(err)
	g.id, g.seats, g.owes, g.known, g.paused = m.ID, nil, [2][]rules.DecisionID{}, map[yearName]bool{}, [2]int{}
	g.last = [2][]yearPost{}
	for s := range g.players {
		g.robots[s], err = dawn1989.Game().Robot("sensible", y.rng.Uint64())
		y.must(err)
		g.take(y.posts())
		y.takes()
		g.writes(s, "JOIN")
		y.takes()
	}
	for s, zone := range yearZones {
		g.writes(s, "TIMEZONE "+zone)
		y.takes()
	}
}

// observes takes in what the seats are asked when something was done that came at a time.
func (g *yearTable) observes(came int) {
	y, m := g.y, g.match()
	if m.State == match.Over {
		for i, s := range g.seats {
			g.times[i] = s.Times
		}
		g.seats = nil
		return
	}
	if m.State != match.Playing {
		return
	}
	if g.seats == nil {
		in := func(d time.Duration) int { return int(d / time.Minute) }
		terms := clocktest.Terms{Bank: in(m.Tempo.Bank), Increment: in(m.Tempo.Increment), Cap: in(m.Tempo.Cap), Phase: in(m.Tempo.Phase), Zero: g.zero}
		for i := range m.Seats {
			if g.times[i] == nil {
				g.times[i] = clocktest.NewTimeline(y.begin, 600*24*60)
			}
			g.times[i].Resumed(0)
			g.seats = append(g.seats, clocktest.NewSeat(terms, g.times[i]))
		}
	}
	pos, err := dawn1989.Game().Decode(m.Position)
	y.must(err)
	var owes [2][]rules.DecisionID
	for _, d := range pos.OpenDecisions(nil) {
		owes[d.Seat] = append(owes[d.Seat], d.ID)
	}
	for i, s := range g.seats {
		was, is := g.owes[i], owes[i]
		isSame := slices.ContainsFunc(is, func(id rules.DecisionID) bool { return slices.Contains(was, id) })
		switch {
		case len(was) > 0 && len(is) == 0:
			s.Answered(came)
		case len(was) == 0 && len(is) > 0:
			s.Asked(y.now)
		case len(is) > 0 && !isSame:
			s.AskedOther(came, y.now)
		}
	}
	g.owes = owes
}

// take takes in the letters that are in the outbox for the first time.
func (g *yearTable) take(posts []yearPost) {
	for _, p := range posts {
		if p.table != g || g.known[yearName{p.seat, p.number}] {
			continue
		}
		g.known[yearName{p.seat, p.number}] = true
		g.newest[p.seat] = p.letter
		g.last[p.seat] = append(slices.Clone(g.last[p.seat][max(0, len(g.last[p.seat])-8):]), p)
		if len(g.seats) > 0 {
			g.seats[p.seat].Letter(p.number)
		}
	}
}

// looked holds what the scheduler has done against the log.
func (g *yearTable) looked(posts []yearPost) (n int) {
	y := g.y
	var did, due [2][]clocktest.Happening
	for _, p := range posts {
		if what := g.told(p); p.table == g && what != clocktest.Nothing {
			did[p.seat] = append(did[p.seat], what)
		}
	}
	for i, s := range g.seats {
		if at, what := s.Due(y.now); what != clocktest.Nothing {
			due[i] = append(due[i], what)
			s.Happens(what, at, y.now)
			y.counts[what]++
			y.say("%s, seat %d: %s", g.id, i, what)
			n++
		}
		if !slices.Equal(did[i], due[i]) {
			y.fail("at %s, match %s, seat %d: happened %v, had to %v\n%+v", y.time(y.now), g.id, i, did[i], due[i], s)
		}
	}
	g.take(posts)
	if n > 0 {
		if g.observes(y.now); g.seats == nil {
			g.next = y.now + 60
		}
		g.compares()
	}
	return n
}

// told is what a letter tells its reader that happened by itself.
func (g *yearTable) told(p yearPost) clocktest.Happening {
	if p.table != g || len(g.seats) == 0 {
		return clocktest.Nothing
	}
	text := strings.Join(strings.Fields(p.letter.Text), " ")
	me := []string{"Democrat", "Communist"}[p.seat]
	switch {
	case strings.Contains(text, "This is a reminder:"):
		return clocktest.Reminder
	case strings.Contains(text, "Our previous letter did not arrive"):
		return clocktest.AskAgain
	case strings.Contains(text, "The "+me+" has run out of time"):
		return clocktest.Told
	case g.match().State == match.Over && len(g.owes[p.seat]) > 0:
		return clocktest.Forfeit
	}
	return clocktest.Nothing
}

// compares holds what is left of the clocks against the logs.
func (g *yearTable) compares() {
	if len(g.seats) == 0 {
		return
	}
	y, m := g.y, g.match()
	for i, s := range g.seats {
		remaining, _ := m.PublicTimeLeft(rules.Seat(i), y.time(y.now))
		if want := time.Duration(s.Shown(y.now)) * time.Minute; remaining != want {
			y.fail("at %s, match %s, seat %d: %v is left, and should be %v: %+v\n%+v", y.time(y.now), g.id, i, remaining, want, m.Seats[i].Clock, s)
		}
	}
}

// writes lets a player answer his newest letter.
func (g *yearTable) writes(seat int, text string) {
	y, l := g.y, g.newest[seat]
	y.sent++
	d := message.Draft{From: g.players[seat], To: l.ReplyTo[0], Subject: "Re: " + l.Subject, MessageID: fmt.Sprintf("%d.%s", y.sent, g.players[seat]),
		InReplyTo: l.MessageID, Date: y.time(y.now), Text: text}
	raw, err := d.Render()
	y.must(err)
	y.say("%s, seat %d writes %s", g.id, seat, text)
	letter := yearLetter{g.id, seat, y.sent, raw, y.now}
	if len(g.seats) > 0 && !slices.ContainsFunc([]string{"VACATION", "PAUSE", "GIVE"}, func(w string) bool { return strings.HasPrefix(text, w) }) {
		y.missed = append(y.missed, letter)
	}
	g.hands(letter)
}

// hands hands a letter of a player on, and lets the log take in what came of it.
func (g *yearTable) hands(l yearLetter) {
	y := g.y
	came := min(l.came, y.now)
	if len(g.seats) > 0 {
		if began, ok := g.seats[l.seat].Began(); ok {
			came = max(came, began)
		}
	}
	g.handle(l.uid, l.raw, l.came)
	if len(g.seats) > 0 {
		g.seats[l.seat].Wrote(came)
	}
	g.observes(came)
	g.take(y.posts())
}

func (g *yearTable) handle(uid int, raw []byte, came int) {
	y := g.y
	y.must(y.d.scheduler.outages.recordLetter(y.t.Context(), y.time(y.now)))
	_, err := y.d.Handler(nil).Handle(y.t.Context(), mail.Received{UIDValidity: 1, UID: uint32(uid), Arrived: y.time(came), Size: int64(len(raw)), Raw: raw})
	y.must(err)
}

// acts lets somebody do something, or nobody.
func (g *yearTable) acts() {
	y := g.y
	g.next = y.now + 20 + y.rng.IntN(15*60)
	if y.rng.IntN(8) == 0 {
		g.next += y.rng.IntN(8 * 24 * 60)
	}
	if len(g.seats) == 0 {
		if !y.down {
			g.begins()
		}
		return
	}
	seat := y.rng.IntN(2)
	switch n := y.rng.IntN(20); {
	case y.down: // His letter is not there yet.
		return
	case n < 11:
		g.orders()
	case n < 12:
		g.writes(seat, "STATUS")
	case n < 14:
		g.bounces(seat)
	case n < 16:
		g.vacation(seat)
	case n < 17:
		g.pauses(seat)
	default:
		g.claims()
	}
	y.takes()
	g.compares()
}

// orders lets the one who is asked answer.
func (g *yearTable) orders() {
	y, m := g.y, g.match()
	pos, err := dawn1989.Game().Decode(m.Position)
	y.must(err)
	asked := m.UnansweredDecisions(pos)
	if len(asked) == 0 {
		return
	}
	d := asked[0]
	atoms, err := playout.Answer(pos, d, g.robots[d.Seat])
	y.must(err)
	g.writes(int(d.Seat), dawn1989.Game().FormatOrder(atoms)+" SURELY")
	if g.match().EntryCount == m.EntryCount {
		y.fail("at %s an order was not carried out:\n%s", y.time(y.now), g.newest[d.Seat].Text)
	}
}

// bounces lets a player's newest letter come back, or all the newest.
func (g *yearTable) bounces(seat int) {
	y := g.y
	last := g.last[seat]
	if y.rng.IntN(2) == 0 {
		last = last[len(last)-1:]
	}
	for _, p := range last {
		y.sent++
		y.say("%s, letter %d to seat %d comes back", g.id, p.number, seat)
		g.handle(y.sent, hardBounce(y.cfg.Address, p.letter), y.now)
		g.seats[seat].Bounced(p.number, y.now)
	}
}

// vacation plans one, or ends the one that there is.
func (g *yearTable) vacation(seat int) {
	y, s := g.y, g.seats[seat]
	was := g.match().Seats[seat].Player.Away.Vacations
	if _, on := was.Current(y.time(y.now)); on {
		g.writes(seat, "VACATION OFF")
		s.Times.Returns(y.now)
		return
	}
	in, err := time.LoadLocation(yearZones[seat])
	y.must(err)
	from := y.rng.IntN(4)
	first := y.time(y.now).In(in).AddDate(0, 0, from).Format(time.DateOnly)
	last := y.time(y.now).In(in).AddDate(0, 0, from+y.rng.IntN(5)).Format(time.DateOnly)
	g.writes(seat, "VACATION "+first+" TO "+last)
	if !slices.Equal(was, g.match().Seats[seat].Player.Away.Vacations) {
		s.Times.Absent(y.now, first, last, in)
	}
}

// pauses lets both agree to a pause.
func (g *yearTable) pauses(seat int) {
	y := g.y
	if g.paused[1] > y.now {
		return
	}
	g.writes(seat, "PAUSE 3 days")
	y.takes()
	g.writes(1-seat, "PAUSE YES")
	if h := g.match().Pause; h != nil {
		g.paused = [2]int{y.now, y.now + 3*24*60}
		if !h.Until.Equal(y.time(g.paused[1])) {
			y.fail("at %s a pause is until %s", y.time(y.now), h.Until)
		}
		for _, s := range g.seats {
			s.Times.Paused(g.paused[0], g.paused[1])
		}
	}
}

// setBack lets a pause that began later than now begin now.
func (g *yearTable) setBack() {
	from, until := g.paused[0], g.paused[1]
	if current := g.y.now; from > current && g.match().Pause != nil {
		g.paused = [2]int{current, current + until - from}
		for _, s := range g.seats {
			s.Times.Resumed(from)
			s.Times.Paused(g.paused[0], g.paused[1])
		}
	}
}

// claims lets the other one claim the match, or give time, if he may.
func (g *yearTable) claims() {
	y := g.y
	for i, s := range g.seats {
		if !g.match().Seats[i].Clock.Flagged || g.zero != "claim" {
			continue
		}
		if y.rng.IntN(3) == 0 {
			g.writes(1-i, "CLAIM")
			return
		}
		g.writes(1-i, "GIVE 2 days")
		if !g.match().Seats[i].Clock.Flagged {
			s.Extended(2*24*60, y.now)
		}
		return
	}
}
