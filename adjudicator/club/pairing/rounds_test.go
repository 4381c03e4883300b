package pairing

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// ids are 1 to n.
func ids(n int) (out []ID) {
	for i := range n {
		out = append(out, ID(i+1))
	}
	return out
}

// TestRoundRobin: everybody meets everybody once, once a round, with seats in balance; or
// twice, once in each seat.
func TestRoundRobin(t *testing.T) {
	t.Parallel()
	for n := 2; n < 24; n++ {
		for _, isDoubled := range []bool{false, true} {
			met, lean, byes := map[Pair]int{}, map[ID]int{}, map[ID]int{}
			rounds := RoundRobin(ids(n), isDoubled)
			for _, r := range rounds {
				in := map[ID]bool{}
				for _, p := range r.Pairs {
					if in[p.First] || in[p.Second] || p.First == p.Second {
						t.Fatalf("%d players: %+v", n, r)
					}
					in[p.First], in[p.Second] = true, true
					met[p]++
					lean[p.First]++
					lean[p.Second]--
				}
				if n%2 == 1 {
					byes[r.Bye]++
				} else if r.Bye != 0 {
					t.Fatalf("%d players: %+v", n, r)
				}
			}
			for a := ID(1); a <= ID(n); a++ {
				if n%2 == 1 && byes[a] != len(rounds)/n || abs(lean[a]) > 1 || isDoubled && lean[a] != 0 {
					t.Errorf("%d players, twice %v: %d has %d byes and leans by %d", n, isDoubled, a, byes[a], lean[a])
				}
				for b := ID(1); b < a; b++ {
					if x, y := met[Pair{a, b}], met[Pair{b, a}]; !isDoubled && x+y != 1 || isDoubled && (x != 1 || y != 1) {
						t.Errorf("%d players, twice %v: %d and %d meet %d and %d times", n, isDoubled, a, b, x, y)
					}
				}
			}
		}
	}
}

// TestBracket: where the stronger always wins, the strongest 2^k are left for the last k
// rounds, and only the strongest have nobody to meet in the first.
func TestBracket(t *testing.T) {
	t.Parallel()
	if diff := gocmp.Diff([]Pair{{1, 0}, {4, 5}, {2, 0}, {3, 6}}, Bracket(ids(6))); diff != "" {
		t.Errorf("six players (-want +got)\n%s", diff)
	}
	for n := 2; n < 70; n++ {
		pairs := Bracket(ids(n))
		for _, p := range pairs {
			if size := ID(2 * len(pairs)); p.Second == 0 && p.First > size-ID(n) {
				t.Errorf("of %d, player %d meets nobody", n, p.First)
			}
		}
		for {
			var winners []ID
			in := map[ID]bool{}
			for _, p := range pairs {
				w := p.First
				if p.Second != 0 {
					w = min(p.First, p.Second)
				}
				winners = append(winners, w)
				in[w] = true
			}
			for i := range winners {
				if !in[ID(i+1)] {
					t.Fatalf("of %d, the strongest %d are %v", n, len(winners), winners)
				}
			}
			if len(winners) == 1 {
				break
			}
			pairs = NextRound(winners)
		}
	}
}

// TestTable is a tournament of five, worked out by hand: three rounds, one bye each.
func TestTable(t *testing.T) {
	t.Parallel()
	games := []Game{
		// 1 beats 2, 3 draws with 4, 5 has a bye.
		{Pair{1, 2}, [2]int{2, 0}}, {Pair{3, 4}, [2]int{1, 1}}, {Pair{5, 0}, [2]int{2, 0}},
		// 5 beats 1, 2 beats 3, 4 has a bye.
		{Pair{1, 5}, [2]int{0, 2}}, {Pair{2, 3}, [2]int{2, 0}}, {Pair{4, 0}, [2]int{2, 0}},
		// 4 draws with 5, 1 beats 3, 2 has a bye.
		{Pair{5, 4}, [2]int{1, 1}}, {Pair{1, 3}, [2]int{2, 0}}, {Pair{2, 0}, [2]int{2, 0}},
	}
	// Half points: 5 has 5; 1, 2 and 4 have 4; 3 has 1.
	// Buchholz: 5 met 1 (4), 4 (4) and a bye (5): 13. 1 met 2 (4), 5 (5), 3 (1): 10. 2 met
	// 1 (4), 3 (1) and a bye (4): 9. 4 met 3 (1), 5 (5) and a bye (4): 10. 3 met 4, 2, 1: 12.
	// 5 has beaten 1 and drawn with 4: 8 + 4 = 12. Of 1 and 4: 1 has beaten 2 and 3: 2*4 + 2*1 = 10; 4 has drawn with 3 and 5: 1 + 5 = 6.
	got := ""
	for _, s := range Table(ids(5), games, SwissTieBreaks) {
		got += fmt.Sprintf("%d. %d: %d of %d, %v\n", s.Place, s.ID, s.Points, s.Played, s.TieBreakScores[:2])
	}
	want := "1. 5: 5 of 2, [13 12]\n2. 1: 4 of 3, [10 10]\n3. 4: 4 of 2, [10 6]\n4. 2: 4 of 2, [9 2]\n5. 3: 1 of 3, [12 4]\n"
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestDirect: of three who are equal in all else and have each met each other, the games
// among them count; where one has not met another, they do not.
func TestDirect(t *testing.T) {
	t.Parallel()
	games := []Game{{Pair{1, 2}, [2]int{2, 0}}, {Pair{2, 3}, [2]int{1, 1}}, {Pair{1, 3}, [2]int{1, 1}}, {Pair{2, 4}, [2]int{2, 0}}, {Pair{3, 4}, [2]int{1, 1}}}
	// All of 1, 2, 3 have 3 half points; among themselves 1 has 3, 3 has 2, 2 has 1.
	order := func(games []Game) string {
		out := ""
		for _, s := range Table(ids(4), games, []TieBreak{DirectEncounter}) {
			out += fmt.Sprintf("%d:%d ", s.Place, s.ID)
		}
		return out
	}
	if got, want := order(games), "1:1 2:3 3:2 4:4 "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	apart := []Game{{Pair{1, 2}, [2]int{2, 0}}, {Pair{2, 4}, [2]int{2, 0}}, {Pair{3, 4}, [2]int{2, 0}}}
	if got, want := order(apart), "1:1 1:2 1:3 4:4 "; got != want {
		t.Errorf("who has not met: %s, want %s", got, want)
	}
}
