package pairing

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"samizdat/internal/test/long"
)

// worth is what a round is judged by, what counts most first: meetings and byes that are not
// the first, differences of points, balance of seats, distance from meeting half against half.
type worth [4]int

// judged judges a round by what the documentation of Swiss says, on its own.
func judged(players []Player, pairs [][2]int, bye int) (w worth) {
	sq := func(d int) int { return d * d }
	for _, p := range pairs {
		i, j := min(p[0], p[1]), max(p[0], p[1])
		a, b := players[i], players[j]
		w[0] += min(a.Meetings[b.ID], 3)
		w[1] += sq(a.Points - b.Points)
		da, db := a.Firsts-a.Seconds, b.Firsts-b.Seconds
		w[2] += min(sq(da+1)+sq(db-1), sq(da-1)+sq(db+1))
		var group []int
		for k, c := range players {
			if c.Points == a.Points {
				group = append(group, k)
			}
		}
		if a.Points == b.Points {
			d := slices.Index(group, j) - slices.Index(group, i) - len(group)/2
			w[3] += max(d, -d)
		} else {
			w[3] += j - i - 1
		}
	}
	if bye >= 0 {
		p, last := players[bye], players[len(players)-1]
		w[0] += min(p.Byes, 3)
		w[1] += sq(p.Points - last.Points)
		w[3] += len(players) - 1 - bye
	}
	return w
}

// bestOf tries every way to pair those who are left.
func bestOf(players []Player, pairs [][2]int, bye int, used uint, best *worth, found *bool) {
	i := 0
	for i < len(players) && used>>i&1 == 1 {
		i++
	}
	if i == len(players) {
		if w := judged(players, pairs, bye); !*found || slices.Compare(w[:], best[:]) < 0 {
			*best, *found = w, true
		}
		return
	}
	for j := i + 1; j < len(players); j++ {
		if used>>j&1 == 0 {
			bestOf(players, append(pairs[:len(pairs):len(pairs)], [2]int{i, j}), bye, used|1<<i|1<<j, best, found)
		}
	}
	if bye < 0 && len(players)%2 == 1 {
		bestOf(players, pairs, i, used|1<<i, best, found)
	}
}

// tournament is a Swiss tournament that is played with made-up results.
type tournament struct {
	players []Player
	r       *rand.Rand
}

func newTournament(n int, seed uint64) *tournament {
	t := &tournament{r: rand.New(rand.NewPCG(seed, 7))}
	for i := range n {
		t.players = append(t.players, Player{ID: ID(i + 1), Seed: i + 1, Meetings: map[ID]int{}})
	}
	t.r.Shuffle(n, func(i, j int) { t.players[i], t.players[j] = t.players[j], t.players[i] })
	return t
}

// ordered are the players as Swiss orders them.
func (t *tournament) ordered() []Player {
	out := slices.Clone(t.players)
	slices.SortFunc(out, func(a, b Player) int { return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Seed, b.Seed)) })
	return out
}

func (t *tournament) of(id ID) *Player {
	return &t.players[slices.IndexFunc(t.players, func(p Player) bool { return p.ID == id })]
}

// play gives a round results, mostly to the stronger.
func (t *tournament) play(round Round) {
	for _, p := range round.Pairs {
		a, b := t.of(p.First), t.of(p.Second)
		a.Meetings[b.ID]++
		b.Meetings[a.ID]++
		a.Firsts++
		b.Seconds++
		a.LastFirst, b.LastFirst = true, false
		s := t.r.IntN(3)
		a.Points, b.Points = a.Points+s, b.Points+2-s
	}
	if round.Bye != 0 {
		p := t.of(round.Bye)
		p.Byes++
		p.Points += 2
	}
}

// TestSwissIsBest: in a thousand tournaments of up to ten (ten thousand in a long run), no pairing is better than ours,
// by a judge of its own.
func TestSwissIsBest(t *testing.T) {
	t.Parallel()
	for seed := range long.N(1000, 10000) {
		n := 2 + seed%6
		if seed%20 == 0 {
			n = 8 + seed/20%3
		}
		x := newTournament(n, uint64(seed))
		for range 1 + x.r.IntN(n) {
			players, round := x.ordered(), Swiss(x.players)
			at := func(id ID) int { return slices.IndexFunc(players, func(p Player) bool { return p.ID == id }) }
			var pairs [][2]int
			seen := map[ID]bool{round.Bye: round.Bye != 0}
			for _, p := range round.Pairs {
				if p.First == p.Second || seen[p.First] || seen[p.Second] {
					t.Fatalf("tournament %d: %+v", seed, round)
				}
				seen[p.First], seen[p.Second] = true, true
				pairs = append(pairs, [2]int{at(p.First), at(p.Second)})
			}
			var best worth
			var found bool
			bestOf(players, nil, -1, 0, &best, &found)
			if got := judged(players, pairs, at(round.Bye)); got != best {
				t.Fatalf("tournament %d of %d: %+v is worth %v, and %v can be had; players %+v", seed, n, round, got, best, players)
			}
			x.play(round)
		}
	}
}

// TestSwissFirstRound: the upper half meets the lower half, and the strongest have the first
// seat at every other table.
func TestSwissFirstRound(t *testing.T) {
	t.Parallel()
	x := newTournament(7, 1)
	want := Round{Pairs: []Pair{{1, 4}, {5, 2}, {3, 6}}, Bye: 7}
	if diff := gocmp.Diff(want, Swiss(x.players)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestSwissLarge: whole tournaments of many: nobody meets anybody twice, nobody has two byes,
// and seats stay in balance.
func TestSwissLarge(t *testing.T) {
	t.Parallel()
	for _, n := range []int{60, 61, 400} {
		x := newTournament(n, uint64(n))
		for round := range 7 {
			paired := Swiss(x.players)
			if again := Swiss(x.players); gocmp.Diff(paired, again) != "" {
				t.Fatal("the same players are paired otherwise")
			}
			if len(paired.Pairs) != n/2 || (paired.Bye != 0) != (n%2 == 1) {
				t.Fatalf("round %d of %d: %d pairs, bye %d", round, n, len(paired.Pairs), paired.Bye)
			}
			x.play(paired)
		}
		for _, p := range x.players {
			for other, times := range p.Meetings {
				if times > 1 {
					t.Errorf("of %d, %d and %d have met %d times", n, p.ID, other, times)
				}
			}
			if p.Byes > 1 || abs(p.Firsts-p.Seconds) > 3 {
				t.Errorf("of %d: %+v", n, p)
			}
		}
	}
}

// BenchmarkSwiss pairs the sixth round of three hundred.
func BenchmarkSwiss(b *testing.B) {
	x := newTournament(300, 1)
	for range 5 {
		x.play(Swiss(x.players))
	}
	for b.Loop() {
		Swiss(x.players)
	}
}
