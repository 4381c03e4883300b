package tournament_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/club/pairing"
	"samizdat/adjudicator/club/tournament"
)

// run is a tournament that is played.
type run struct {
	*tournament.Tournament
	t *testing.T
	// begun counts matches; names are those that run.
	begun int
	pairs map[string]pairing.Pair
}

func start(t *testing.T, terms tournament.Terms, n int) *run {
	t.Helper()
	x, err := tournament.New(terms)
	if err != nil {
		t.Fatal(err)
	}
	var seeds []pairing.ID
	for i := range n {
		if err := x.Enter(pairing.ID(i + 1)); err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, pairing.ID(i+1))
	}
	if err := x.Start(seeds); err != nil {
		t.Fatal(err)
	}
	return &run{Tournament: x, t: t, pairs: map[string]pairing.Pair{}}
}

// begin begins what is to be begun.
func (r *run) begin() (out []string) {
	for _, at := range r.UnstartedMeetings() {
		r.begun++
		name := fmt.Sprint("m", r.begun)
		if err := r.RecordStart(at, name); err != nil {
			r.t.Fatal(err)
		}
		r.pairs[name] = r.Rounds[at.Round].Meetings[at.Meeting].Pair
		out = append(out, name)
	}
	return out
}

// play plays to the end; points are those of a match.
func (r *run) play(points func(pairing.Pair) [2]int) {
	for range 200 {
		names := r.begin()
		for _, name := range names {
			p := points(r.pairs[name])
			if !r.RecordResult(name, &p) {
				r.t.Fatalf("%s of %v was not waited for", name, r.pairs[name])
			}
		}
		if !r.Advance(all) && len(names) == 0 || r.State == tournament.Over {
			break
		}
	}
	if r.State != tournament.Over {
		r.t.Fatalf("it does not end: %+v", r.Tournament)
	}
}

// all and none are those who have played.
func all(pairing.ID) bool  { return true }
func none(pairing.ID) bool { return false }

// stronger lets the stronger win: whose number is lower.
func stronger(p pairing.Pair) [2]int {
	if p.First < p.Second {
		return [2]int{2, 0}
	}
	return [2]int{0, 2}
}

// TestStrongerWins: whoever always wins wins each kind of tournament, in as many matches as
// there have to be.
func TestStrongerWins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		terms   tournament.Terms
		matches func(n int) int
	}{
		{tournament.Terms{Kind: tournament.RoundRobin}, func(n int) int { return n * (n - 1) / 2 }},
		{tournament.Terms{Kind: tournament.RoundRobin, Twice: true, Together: true}, func(n int) int { return n * (n - 1) }},
		{tournament.Terms{Kind: tournament.KnockOut}, func(n int) int { return 2 * (n - 1) }},
		{tournament.Terms{Kind: tournament.Swiss, Rounds: 4}, func(n int) int { return 4 * (n / 2) }},
		{tournament.Terms{Kind: tournament.Swiss}, nil},
	} {
		for n := 2; n < 20; n++ {
			r := start(t, c.terms, n)
			if c.terms.Together {
				if got := len(r.UnstartedMeetings()); got != c.matches(n) {
					t.Errorf("%+v of %d begins %d matches together", c.terms, n, got)
				}
			}
			r.play(stronger)
			if !slices.Contains(r.Winners, 1) || len(r.Winners) != 1 && n > 5 {
				t.Errorf("%+v of %d: %v win", c.terms, n, r.Winners)
			}
			if c.matches != nil && r.begun != c.matches(n) {
				t.Errorf("%+v of %d: %d matches, want %d", c.terms, n, r.begun, c.matches(n))
			}
			if table := r.Table(); len(table) != n || table[0].ID != 1 || table[0].Place != 1 {
				t.Errorf("%+v of %d: %+v", c.terms, n, table)
			}
		}
	}
}

// TestKnockOutTies: with the same points of two matches a third one is played, the lower seed
// first; if that is drawn, the higher seed goes on.
func TestKnockOutTies(t *testing.T) {
	t.Parallel()
	r := start(t, tournament.Terms{Kind: tournament.KnockOut}, 2)
	for _, name := range r.begin() {
		if r.RecordResult(name, &[2]int{2, 0}); r.State != tournament.Running {
			t.Fatal("over before both matches are")
		}
	}
	if !r.Advance(all) {
		t.Fatal("no third match")
	}
	names := r.begin()
	if len(names) != 1 || r.pairs[names[0]] != (pairing.Pair{First: 2, Second: 1}) {
		t.Fatalf("the third match is %v", r.pairs)
	}
	r.RecordResult(names[0], &[2]int{1, 1})
	if r.Advance(all); r.State != tournament.Over || !slices.Equal(r.Winners, []pairing.ID{1}) {
		t.Errorf("%+v", r.Tournament)
	}
	// The director undoes that match: it goes on, and ends otherwise.
	if !r.RecordResult(names[0], nil) || r.State != tournament.Running {
		t.Errorf("not open after the undo: %+v", r.Tournament)
	}
	if r.Advance(all) {
		t.Error("it goes on without the match")
	}
	r.RecordResult(names[0], &[2]int{2, 0})
	if r.Advance(all); !slices.Equal(r.Winners, []pairing.ID{2}) {
		t.Errorf("after the undo %v win", r.Winners)
	}
}

// TestLeaving: who withdraws plays no more, and those whom he was to meet have won; matches
// that run go on.
func TestLeaving(t *testing.T) {
	t.Parallel()
	for _, kind := range []tournament.Kind{tournament.RoundRobin, tournament.Swiss, tournament.KnockOut} {
		r := start(t, tournament.Terms{Kind: kind}, 6)
		names := r.begin()
		if err := r.Withdraw(3); err != nil {
			t.Fatal(err)
		}
		if err := r.Withdraw(3); !errors.Is(err, tournament.ErrNotEntered) {
			t.Errorf("twice: %v", err)
		}
		for _, name := range names {
			p := stronger(r.pairs[name])
			if !r.RecordResult(name, &p) {
				t.Errorf("%s: the match of %v does not count", kind, r.pairs[name])
			}
		}
		r.Advance(all)
		for _, name := range r.begin() {
			if p := r.pairs[name]; p.First == 3 || p.Second == 3 {
				t.Errorf("%s: %v is begun", kind, p)
			}
			p := stronger(r.pairs[name])
			r.RecordResult(name, &p)
		}
		r.Advance(all)
		r.play(stronger)
		if !slices.Equal(r.Winners, []pairing.ID{1}) {
			t.Errorf("%s: %v win", kind, r.Winners)
		}
	}
	x, _ := tournament.New(tournament.Terms{Kind: tournament.Swiss})
	if err := errors.Join(x.Enter(1), x.Withdraw(1), x.Enter(1)); err != nil || len(x.Entrants) != 1 {
		t.Errorf("before the start: %v, %+v", err, x.Entrants)
	}
}

// TestLate: in a Swiss tournament somebody comes late, with half a bye for each round that he
// has missed; in others nobody does.
func TestLate(t *testing.T) {
	t.Parallel()
	r := start(t, tournament.Terms{Kind: tournament.Swiss, Rounds: 3}, 4)
	for _, name := range r.begin() {
		r.RecordResult(name, &[2]int{2, 0})
	}
	if err := r.Enter(5); err != nil {
		t.Fatal(err)
	}
	if err := r.Enter(5); !errors.Is(err, tournament.ErrAlreadyEntered) {
		t.Errorf("twice: %v", err)
	}
	r.Advance(all)
	for _, s := range r.Table() {
		if s.ID == 5 && s.Points != 1 {
			t.Errorf("who came late has %d half points", s.Points)
		}
	}
	round := r.Rounds[1]
	if len(round.Meetings) != 2 || len(round.Byes) != 1 {
		t.Errorf("five are paired as %+v", round)
	}
	r.play(stronger)
	if err := r.Enter(6); !errors.Is(err, tournament.ErrEntryClosed) {
		t.Errorf("after the end: %v", err)
	}
	k := start(t, tournament.Terms{Kind: tournament.KnockOut}, 4)
	if err := k.Enter(5); !errors.Is(err, tournament.ErrEntryClosed) {
		t.Errorf("a knock-out: %v", err)
	}
	full, _ := tournament.New(tournament.Terms{Kind: tournament.Swiss, MaxEntrants: 2})
	if err := errors.Join(full.Enter(1), full.Enter(2)); err != nil {
		t.Fatal(err)
	}
	if err := full.Enter(3); !errors.Is(err, tournament.ErrFull) {
		t.Errorf("a third of two: %v", err)
	}
}

// TestSwap: the director changes who meets whom; the matches that were begun for it are named,
// a meeting that is over stays.
func TestSwap(t *testing.T) {
	t.Parallel()
	r := start(t, tournament.Terms{Kind: tournament.Swiss}, 5) // 1-3, 4-2, bye 5
	names := r.begin()
	matches, err := r.Swap(3, 2)
	if err != nil || !slices.Equal(matches, names) {
		t.Fatalf("%v, %v", matches, err)
	}
	want := []tournament.Meeting{{Pair: pairing.Pair{First: 1, Second: 2}}, {Pair: pairing.Pair{First: 4, Second: 3}}}
	if diff := cmp.Diff(want, r.Rounds[0].Meetings); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if r.RecordResult(names[0], &[2]int{2, 0}) {
		t.Error("a match that was called off counts")
	}
	if _, err := r.Swap(5, 4); err != nil || r.Rounds[0].Byes[0] != 4 || r.Rounds[0].Meetings[1].First != 5 {
		t.Errorf("a bye: %v, %+v", err, r.Rounds[0])
	}
	for _, name := range r.begin() {
		r.RecordResult(name, &[2]int{1, 1})
	}
	if _, err := r.Swap(1, 5); err == nil {
		t.Error("a meeting is changed that is over")
	}
	if _, err := r.Swap(1, 9); err == nil {
		t.Error("somebody is swapped who is not there")
	}
}

// TestAnything: tournaments of all kinds with any results, people who leave and come late end,
// and each step can be stored and read again.
func TestAnything(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(9, 9))
	kinds := []tournament.Kind{tournament.RoundRobin, tournament.Swiss, tournament.KnockOut}
	for try := range 240 {
		terms := tournament.Terms{Kind: kinds[try%3], Twice: rnd.IntN(2) == 0, Together: rnd.IntN(3) == 0}
		n := 2 + rnd.IntN(12)
		r := start(t, terms, n)
		for step := 0; r.State == tournament.Running; step++ {
			if step > 300 {
				t.Fatalf("try %d: it does not end: %+v", try, r.Tournament)
			}
			for _, name := range r.begin() {
				p := [][2]int{{2, 0}, {0, 2}, {1, 1}, {0, 0}}[rnd.IntN(4)]
				r.RecordResult(name, &p)
			}
			switch rnd.IntN(8) {
			case 0:
				_ = r.Withdraw(pairing.ID(1 + rnd.IntN(n)))
			case 1:
				_ = r.Enter(pairing.ID(1 + rnd.IntN(n+3)))
			}
			r.Advance(all)
			stored, err := json.Marshal(r.Tournament)
			if err != nil {
				t.Fatal(err)
			}
			var read tournament.Tournament
			if err := json.Unmarshal(stored, &read); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(r.Table(), read.Table()); diff != "" {
				t.Fatalf("try %d: stored and read again:\n%s", try, diff)
			}
			r.Tournament = &read
		}
		stays := slices.ContainsFunc(r.Entrants, func(e tournament.Entrant) bool { return !e.Withdrawn })
		if len(r.Winners) == 0 && stays && terms.Kind != tournament.KnockOut || terms.Kind == tournament.KnockOut && len(r.Winners) > 1 {
			t.Fatalf("try %d of %+v: %v win", try, terms, r.Winners)
		}
		for _, e := range r.Entrants {
			if e.Withdrawn && slices.Contains(r.Winners, e.Player) {
				t.Fatalf("try %d of %+v: %d has withdrawn, and wins", try, terms, e.Player)
			}
		}
	}
}

// TestNobodyGoesOn: a player who has withdrawn, or has no point, goes no further in a knock-out;
// whoever was to meet him next meets nobody. If nobody is left, nobody has won.
func TestNobodyGoesOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		players int
		// leave withdraw while the first round is played; points are those of its first matches.
		leave  []pairing.ID
		points func(pairing.Pair) [2]int
		want   []pairing.ID
	}{
		{"of three one has a bye, and all withdraw", 3, []pairing.ID{1, 2, 3}, stronger, nil},
		{"the one with the bye withdraws", 3, []pairing.ID{1}, stronger, []pairing.ID{2}},
		{"the winner of a tie withdraws", 4, []pairing.ID{1}, stronger, []pairing.ID{2}},
		{"both of a tie withdraw", 4, []pairing.ID{1, 4}, stronger, []pairing.ID{2}},
		{"both of two ties withdraw, and their place in the bracket stays empty", 8, []pairing.ID{1, 8, 4, 5}, stronger, []pairing.ID{2}},
		{"nobody has a point in a tie", 4, nil, func(p pairing.Pair) [2]int {
			if p.First == 1 || p.Second == 1 {
				return [2]int{}
			}
			return stronger(p)
		}, []pairing.ID{2}},
		{"nobody has a point", 4, nil, func(pairing.Pair) [2]int { return [2]int{} }, nil},
	} {
		r := start(t, tournament.Terms{Kind: tournament.KnockOut}, c.players)
		names := r.begin()
		for _, p := range c.leave {
			if err := r.Withdraw(p); err != nil {
				t.Fatal(c.name, err)
			}
		}
		for _, name := range names {
			p := c.points(r.pairs[name])
			r.RecordResult(name, &p)
		}
		r.Advance(all)
		r.play(c.points)
		if !slices.Equal(r.Winners, c.want) {
			t.Errorf("%s: %v win, want %v\n%+v", c.name, r.Winners, c.want, r.Rounds)
		}
	}
}

// TestNobodyWins: a player who has withdrawn does not win, though he has most points, and neither
// does one who has taken no part in his matches.
func TestNobodyWins(t *testing.T) {
	t.Parallel()
	for _, kind := range []tournament.Kind{tournament.RoundRobin, tournament.Swiss, tournament.KnockOut} {
		end := func(played func(pairing.ID) bool, leave ...pairing.ID) []pairing.ID {
			r := start(t, tournament.Terms{Kind: kind, Together: true, Rounds: 1}, 2)
			for _, name := range r.begin() {
				p := stronger(r.pairs[name])
				r.RecordResult(name, &p)
			}
			for _, p := range leave {
				if err := r.Withdraw(p); err != nil {
					t.Fatal(err)
				}
			}
			if r.Advance(played); r.State != tournament.Over {
				t.Fatalf("%s: %s", kind, r.State)
			}
			return r.Winners
		}
		for name, got := range map[string][][]pairing.ID{
			"all have played":       {end(all), {1}},
			"the first has left":    {end(all, 1), {2}},
			"both have left":        {end(all, 1, 2), nil},
			"nobody has played":     {end(none), nil},
			"the second has played": {end(func(p pairing.ID) bool { return p == 2 }, 1), {2}},
		} {
			if !slices.Equal(got[0], got[1]) {
				t.Errorf("%s, %s: %v win, want %v", kind, name, got[0], got[1])
			}
		}
	}
}

// TestSwapWithdrawn: who has withdrawn and is swapped into a meeting that has not begun lets the
// other win: no match is begun for him.
func TestSwapWithdrawn(t *testing.T) {
	t.Parallel()
	r := start(t, tournament.Terms{Kind: tournament.Swiss}, 4) // 1-3, 4-2
	r.begin()
	if err := r.Withdraw(3); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Swap(3, 2); err != nil {
		t.Fatal(err)
	}
	for _, name := range r.begin() {
		if p := r.pairs[name]; p.First == 3 || p.Second == 3 {
			t.Errorf("a match of %v is begun", p)
		}
	}
	if m := r.Rounds[0].Meetings[1]; !m.Unplayed || m.Points != [2]int{2, 0} {
		t.Errorf("%+v", m)
	}
}
