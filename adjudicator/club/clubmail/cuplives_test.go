package clubmail_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// habit is what somebody who has entered a tournament does.
type habit string

const (
	plays    habit = "plays"
	silent   habit = "is silent"
	leaves   habit = "withdraws" // after some days, and plays until then
	parts    habit = "leaves the club"
	declines habit = "declines or breaks off"
	resigns  habit = "resigns"
	travels  habit = "is on vacation, and plays"
	vanishes habit = "is on vacation, and is silent"
	lost     habit = "gets no letters"
)

var bad = []habit{silent, leaves, parts, declines, resigns, travels, vanishes, lost}

// answering reports whether somebody with a habit answers his matches.
func (b habit) answering() bool { return b == plays || b == leaves || b == parts || b == travels }

// cupLife is the life of one tournament.
type cupLife struct {
	*house
	rnd   *rand.Rand
	names []string
	does  map[string]habit
	// leaving is after how many days somebody withdraws, and left are those who have; orders counts
	// those that each has sent.
	leaving map[string]int
	left    map[string]bool
	orders  map[string]int
	begun   time.Time
}

// TestTournamentLives: tournaments of random size and kind, of whose players a third does something
// bad, end. Who wins has played and not given up, and all are told once.
func TestTournamentLives(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.N(8, 200)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := newCupLife(t, seed)
			for days := 0; ; days++ {
				if l.day(); l.cup("cup").Progress.State == tournament.Over {
					break
				}
				if days > 750 {
					t.Fatalf("it stands still after two years: %+v\n%v", l.cup("cup").Progress, l.does)
				}
			}
			for range 4 {
				l.later(time.Minute)
			}
			l.check()
		})
	}
}

// newCupLife makes a tournament, and lets members enter it.
func newCupLife(t *testing.T, seed uint64) *cupLife {
	l := &cupLife{house: newHouse(t), rnd: rand.New(rand.NewPCG(seed, 12)), does: map[string]habit{}, leaving: map[string]int{}, left: map[string]bool{}, orders: map[string]int{}}
	l.with(adjudicator.Invitation{SealedWords: l.rnd.IntN(3) == 0})
	l.names = []string{"Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida"}[:2+l.rnd.IntN(8)]
	l.joins(l.names...)
	kinds := []tournament.Kind{tournament.RoundRobin, tournament.Swiss, tournament.KnockOut}
	terms := tournament.Terms{Kind: kinds[seed%3], Twice: l.rnd.IntN(4) == 0, Together: l.rnd.IntN(3) == 0, Rounds: l.rnd.IntN(5)}
	cup := club.Tournament{Name: "cup", Title: "The cup", Starts: l.now.Add(daysOf),
		MatchTerms: club.Terms{Game: "1989", Tempo: []string{"fast", "standard", "phase 36h"}[l.rnd.IntN(3)]}}
	if err := l.club.OpenTournament(t.Context(), cup, terms, "the director", "as always"); err != nil {
		t.Fatal(err)
	}
	for _, n := range l.names {
		l.does[n] = plays
		if l.rnd.IntN(3) == 0 {
			l.does[n] = bad[l.rnd.IntN(len(bad))]
		}
		l.leaving[n] = l.rnd.IntN(30)
		l.answers(n, "ENTER cup")
		if b := l.does[n]; b == travels || b == vanishes {
			first := l.now.AddDate(0, 0, 1+l.rnd.IntN(9))
			l.answers(n, fmt.Sprintf("VACATION %s TO %s", first.Format(time.DateOnly), first.AddDate(0, 0, 20).Format(time.DateOnly)))
		}
	}
	l.refused = map[string]bool{}
	for n, b := range l.does {
		l.refused[at(n)] = b == lost
	}
	l.now = cup.Starts
	l.later(time.Minute)
	l.begun = l.now
	return l
}

// day lets a day pass.
func (l *cupLife) day() {
	l.t.Helper()
	for range 2 {
		l.house.does("", "waits", "12h")
	}
	if l.cup("cup").Progress.State == tournament.Over {
		return
	}
	l.goes()
	l.director()
	for _, r := range l.cup("cup").Progress.Rounds {
		for _, m := range r.Meetings {
			if m.Match != "" && !m.Done {
				l.plays(m.Match)
			}
		}
	}
}

// goes lets those withdraw, or leave the club, whose day has come.
func (l *cupLife) goes() {
	for _, n := range l.names {
		if l.left[n] || l.now.Before(l.begun.AddDate(0, 0, l.leaving[n])) {
			continue
		}
		switch l.does[n] {
		case leaves:
			l.answers(n, "WITHDRAW cup")
		case parts:
			l.answers(n, "LEAVE")
		default:
			continue
		}
		l.left[n] = true
	}
}

// director does something now and then: annuls a match or takes its invitation back, or takes
// somebody out.
func (l *cupLife) director() {
	if l.rnd.IntN(40) > 0 {
		return
	}
	life := l.cup("cup").Progress
	m := life.Rounds[len(life.Rounds)-1].Meetings
	if len(m) == 0 {
		return
	}
	at := m[l.rnd.IntN(len(m))]
	if at.Match == "" || at.Done || l.rnd.IntN(3) == 0 {
		_, _ = l.club.CorrectTournament(l.t.Context(), "cup", "the director", "somebody is out", "he is ill", func(t *tournament.Tournament) ([]string, error) {
			return nil, t.Withdraw(at.First) // Perhaps he has withdrawn.
		})
		return
	}
	act := match.Directive{Verb: match.DirectorAnnul, Why: "it rains"}
	if l.stored(at.Match).State == match.Inviting {
		act.Verb = match.DirectorCancel
	}
	if l.stored(at.Match).State != match.Over {
		if _, err := l.adj.ExecuteDirective(l.t.Context(), at.Match, act, true); err != nil {
			l.t.Fatal(err)
		}
	}
	l.house.deliver()
}

// plays lets the players of a match do what they do on a day.
func (l *cupLife) plays(id string) {
	l.t.Helper()
	for seat := range 2 {
		m := l.stored(id)
		name := m.Seats[seat].PlayerName
		switch b := l.does[name]; {
		case m.State == match.Inviting && b == declines:
			l.reply(name, l.newest(name, id), "DECLINE")
		case m.State == match.Inviting && (b.answering() || b == resigns):
			l.joinsMatch(name, m, rules.Seat(seat))
		case m.State != match.Playing:
		case b == declines:
			l.reply(name, l.newest(name, id), "ABORT "+id)
		case b == resigns:
			l.resigns(id, name)
		case b.answering():
			l.playsOn(name, m, rules.Seat(seat))
		}
	}
}

// joinsMatch lets somebody join a match, or open his words.
func (l *cupLife) joinsMatch(name string, m *match.Match, seat rules.Seat) {
	words := "words of " + name
	switch {
	case !m.Seats[seat].Joined:
		l.reply(name, l.newest(name, m.ID), "JOIN SEALED "+record.SealWords(words))
	case m.Seats[1-seat].Joined:
		l.reply(name, l.newest(name, m.ID), "OPEN "+words)
	}
}

// playsOn lets somebody give an order if he is asked for one; after some orders of both one of them
// resigns, or both agree on a draw.
func (l *cupLife) playsOn(name string, m *match.Match, seat rules.Seat) {
	l.t.Helper()
	asks := slices.ContainsFunc(m.Requests, func(r match.Request) bool { return r.Seat != seat && r.Kind == record.Draw })
	switch long := m.OrderEntryCount > 3; {
	case asks:
		l.reply(name, l.newest(name, m.ID), "DRAW YES")
		return
	case long && l.rnd.IntN(3) == 0:
		l.resigns(m.ID, name)
		return
	case long && len(m.Requests) == 0 && l.rnd.IntN(4) == 0:
		l.reply(name, l.newest(name, m.ID), "DRAW")
		return
	}
	pos, err := m.CurrentPosition(dawn1989.Game())
	if err != nil {
		l.t.Fatal(err)
	}
	if open := m.UnansweredDecisions(pos); len(open) > 0 && open[0].Seat == seat {
		l.house.plays(m.ID, 1, m.Seats[0].PlayerName, m.Seats[1].PlayerName)
		l.orders[name]++
	}
}

// check looks at a tournament that is over.
func (l *cupLife) check() {
	l.t.Helper()
	life := l.cup("cup").Progress
	may := map[int64]bool{}
	for _, e := range life.Entrants {
		name := l.names[e.Player-1]
		may[e.Player] = !e.Withdrawn && !l.left[name] && l.tookPart(life, e.Player)
		if slices.Contains(life.Winners, e.Player) && !may[e.Player] {
			l.t.Errorf("%s, who %s, has won: %+v", name, l.does[name], life)
		}
		member := l.does[name] != parts || !l.left[name]
		if n := l.letters(name, "The cup is over."); n != 1 && member && l.does[name] != lost {
			l.t.Errorf("%s, who %s, is told %d times of the end", name, l.does[name], n)
		}
	}
	if life.Terms.Kind == tournament.KnockOut {
		return
	}
	for _, s := range life.Table() {
		if may[s.ID] {
			if !slices.Contains(life.Winners, s.ID) {
				l.t.Errorf("%s has not won: %v of %+v", l.names[s.ID-1], life.Winners, life)
			}
			return
		}
	}
	if len(life.Winners) > 0 {
		l.t.Errorf("%v win, and nobody may: %+v", life.Winners, life)
	}
}

// tookPart reports whether somebody has sent an order or joined, or has lost no match.
func (l *cupLife) tookPart(life *tournament.Tournament, p int64) bool {
	name := l.names[p-1]
	matches, lost := 0, 0
	for _, r := range life.Rounds {
		for _, m := range r.Meetings {
			i := slices.Index([]int64{m.First, m.Second}, p)
			if i < 0 || m.Match == "" {
				continue
			}
			if matches++; m.Points[i] == 0 {
				lost++
			}
			if s := l.stored(m.Match); s.SealedWords && s.Seats[i].Joined {
				return true
			}
		}
	}
	return l.orders[name] > 0 || matches > 0 && lost == 0
}
