package ladder_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/club/glicko"
	"samizdat/adjudicator/club/ladder"
)

// begin is a Wednesday.
var begin = time.Date(2026, 11, 4, 12, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

// beats is a match that the first has won against the second, who sat in the second seat.
func beats(name string, ended time.Time, winner, loser ladder.Player) ladder.Result {
	return ladder.Result{Match: name, Ended: ended, Seats: []ladder.Seat{{Player: winner, Won: true}, {Player: loser}}}
}

// TestPeriods: weeks begin on Mondays, and results count when their week is over.
func TestPeriods(t *testing.T) {
	t.Parallel()
	p := ladder.PeriodOf(begin)
	if got, want := p.Start(), time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("the week of %v begins %v, want %v", begin, got, want)
	}
	for _, at := range []time.Time{p.Start(), (p + 1).Start().Add(-1)} {
		if ladder.PeriodOf(at) != p {
			t.Errorf("%v is in period %d, want %d", at, ladder.PeriodOf(at), p)
		}
	}
	if q := ladder.PeriodOf(time.Date(2023, 12, 31, 23, 0, 0, 0, time.UTC)); q != -1 {
		t.Errorf("before the first period: %d", q)
	}
	results := []ladder.Result{beats("m1", begin, 1, 2)}
	before := ladder.Compute((p + 1).Start().Add(-1), results)
	if l, ok := before.Find(1); !ok || l.Rating != glicko.New || l.Pending != 1 || l.Won != 1 || len(l.RatingPoints) != 0 {
		t.Errorf("within the week: %+v", l)
	}
	after := ladder.Compute((p + 1).Start(), results)
	want := glicko.New.Update([]glicko.Game{{Opponent: glicko.New, Score: 1, Weight: 1}})
	if l, _ := after.Find(1); l.Rating != want || l.Pending != 0 || !slices.Equal(l.RatingPoints, []ladder.RatingPoint{{Period: p, Rating: want}}) {
		t.Errorf("after it: %+v, want %+v", l, want)
	}
	if l, _ := after.Find(2); l.Rating.Rating != 3000-want.Rating || l.Lost != 1 || !l.IsProvisional() || l.IsInactive(begin.Add(90*day)) || !l.IsInactive(begin.Add(90*day+1)) {
		t.Errorf("the loser: %+v", l)
	}
	if _, ok := after.Find(3); ok {
		t.Error("somebody without a result has a line")
	}
}

// TestIdleWeeks: whoever does not play is known less well each week, and his opponent's rating
// is that of the week before theirs.
func TestIdleWeeks(t *testing.T) {
	t.Parallel()
	p := ladder.PeriodOf(begin)
	results := []ladder.Result{beats("m1", begin, 1, 2), beats("m2", begin.Add(35*day), 1, 3)}
	first := glicko.New.Update([]glicko.Game{{Opponent: glicko.New, Score: 1, Weight: 1}})
	idle := first
	for range 4 {
		idle = idle.Update(nil)
	}
	want := idle.Update([]glicko.Game{{Opponent: glicko.New, Score: 1, Weight: 1}})
	if l, _ := ladder.Compute((p + 5).Start(), results[:1]).Find(1); l.Rating != idle {
		t.Errorf("four weeks later: %+v, want %+v", l.Rating, idle)
	}
	got, _ := ladder.Compute((p + 6).Start(), results).Find(1)
	if got.Rating != want {
		t.Errorf("after the second match: %+v, want %+v", got.Rating, want)
	}
	loser := glicko.New.Update([]glicko.Game{{Opponent: idle, Score: 0, Weight: 1}})
	if l, _ := ladder.Compute((p + 6).Start(), results).Find(3); l.Rating != loser {
		t.Errorf("who lost to him: %+v, want %+v", l.Rating, loser)
	}
}

// TestManySeats: of five seats with two winners, each has won three games of a quarter, and
// lost or won none against the other; a draw is four of a quarter; where nobody wins nothing
// counts.
func TestManySeats(t *testing.T) {
	t.Parallel()
	p := ladder.PeriodOf(begin)
	match := func(isDrawn bool, winners ...ladder.Player) ladder.Ladder {
		r := ladder.Result{Match: "m", Ended: begin, Drawn: isDrawn}
		for s := range ladder.Player(5) {
			r.Seats = append(r.Seats, ladder.Seat{Player: s + 1, Won: slices.Contains(winners, s+1)})
		}
		return ladder.Compute((p + 1).Start(), []ladder.Result{r})
	}
	games := func(n int, score float64) glicko.Rating {
		g := glicko.Game{Opponent: glicko.New, Score: score, Weight: 0.25}
		return glicko.New.Update(slices.Repeat([]glicko.Game{g}, n))
	}
	for _, c := range []struct {
		name   string
		ladder ladder.Ladder
		player ladder.Player
		want   glicko.Rating
	}{
		{"a winner", match(false, 2, 4), 2, games(3, 1)},
		{"a loser", match(false, 2, 4), 5, games(2, 0)},
		{"a draw", match(true), 3, games(4, 0.5)},
		{"nobody wins", match(false), 3, glicko.New},
		{"all win", match(false, 1, 2, 3, 4, 5), 3, glicko.New},
	} {
		l, _ := c.ladder.Find(c.player)
		if math.Abs(l.Rating.Rating-c.want.Rating) > 1e-3 || math.Abs(l.Rating.Deviation-c.want.Deviation) > 1e-3 {
			t.Errorf("%s: %+v, want %+v", c.name, l.Rating, c.want)
		}
		if len(c.ladder.RatingBands) != 0 {
			t.Errorf("%s: sides of a match of five: %+v", c.name, c.ladder.RatingBands)
		}
	}
	if l, _ := match(false).Find(1); l.Lost != 1 {
		t.Errorf("nobody wins: %+v", l)
	}
}

// TestOrder: the results in any order give the same bytes; without one of them they give what
// would be if it had never been; those who are provisional stand last.
func TestOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 3))
	var results []ladder.Result
	for i := range 400 {
		a, b := ladder.Player(1+r.IntN(12)), ladder.Player(1+r.IntN(12))
		if a == b {
			b = 20
		}
		x := beats(fmt.Sprint("m", i), begin.Add(time.Duration(r.IntN(200))*12*time.Hour), a, b)
		if x.Drawn = r.IntN(5) == 0; x.Drawn {
			x.Seats[0].Won = false
		}
		results = append(results, x)
	}
	now := begin.Add(120 * day)
	of := func(results []ladder.Result) string {
		b, err := json.Marshal(ladder.Compute(now, results))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	want := of(results)
	for range 5 {
		r.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
		if diff := cmp.Diff(want, of(results)); diff != "" {
			t.Fatalf("another order of results (-want +got)\n%s", diff)
		}
	}
	if of(results[1:]) == want {
		t.Error("one result less changes nothing")
	}
	lines := ladder.Compute(now, results).Lines
	if !slices.IsSortedFunc(lines, func(a, b ladder.Line) int {
		if a.IsProvisional() != b.IsProvisional() {
			return map[bool]int{true: 1, false: -1}[a.IsProvisional()]
		}
		return -int(a.Rating.Rating - b.Rating.Rating)
	}) {
		t.Errorf("out of order: %+v", lines)
	}
	games := 0
	for _, s := range ladder.Compute(now, results).RatingBands {
		if games += s.Games(); s.Expected < 0 || s.Expected > float64(s.Games()) {
			t.Errorf("%+v", s)
		}
	}
	if games != 400 {
		t.Errorf("the sides count %d matches of 400", games)
	}
}

// TestStrength: players who win as their strengths say are rated in that order, by about their
// distances.
func TestStrength(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	strength := map[ladder.Player]glicko.Rating{}
	for i := range ladder.Player(8) {
		strength[i+1] = glicko.Rating{Rating: 1150 + 100*float64(i), Deviation: 0}
	}
	var results []ladder.Result
	for i := range 4000 {
		a, b := ladder.Player(1+r.IntN(8)), ladder.Player(1+r.IntN(8))
		if a == b {
			continue
		}
		if r.Float64() > strength[a].ExpectedScore(strength[b]) {
			a, b = b, a
		}
		results = append(results, beats(fmt.Sprint(i), begin.Add(time.Duration(i)*3*time.Hour), a, b))
	}
	for _, l := range ladder.Compute(begin.Add(500*day), results).Lines {
		if d := l.Rating.Rating - strength[l.Player].Rating; math.Abs(d) > 80 || l.IsProvisional() {
			t.Errorf("player %d is rated %.0f with %.0f, and plays like %.0f", l.Player, l.Rating.Rating, l.Rating.Deviation, strength[l.Player].Rating)
		}
	}
}

// BenchmarkAt is the ladder of two thousand with thirty thousand results in a year.
func BenchmarkAt(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 4))
	var results []ladder.Result
	for i := range 30000 {
		a := ladder.Player(1 + r.IntN(2000))
		results = append(results, beats(fmt.Sprint(i), begin.Add(time.Duration(r.IntN(365))*day), a, 1+a%2000))
	}
	for b.Loop() {
		ladder.Compute(begin.Add(400*day), results)
	}
}
