package pairing

import (
	"math/rand/v2"
	"testing"

	"samizdat/internal/test/long"
)

// least is the smallest sum of costs of all ways to pair everybody, by trying them.
func least(n int, cost func(i, j int) int64) int64 {
	memo := map[uint]int64{}
	var try func(remaining uint) int64
	try = func(remaining uint) int64 {
		if remaining == 0 {
			return 0
		}
		if known, ok := memo[remaining]; ok {
			return known
		}
		i := 0
		for remaining>>i&1 == 0 {
			i++
		}
		best := int64(1) << 62
		for j := i + 1; j < n; j++ {
			if remaining>>j&1 == 1 {
				best = min(best, cost(i, j)+try(remaining&^(1<<i|1<<j)))
			}
		}
		memo[remaining] = best
		return best
	}
	return try(1<<n - 1)
}

func sum(t *testing.T, mates []int, cost func(i, j int) int64) (total int64) {
	t.Helper()
	for i, j := range mates {
		if j < 0 || j == i || mates[j] != i {
			t.Fatalf("not everybody is paired, or not with one: %v", mates)
		}
		if i < j {
			total += cost(i, j)
		}
	}
	return total
}

// TestPerfect: as cheap as the cheapest of all, with many equal costs and with few.
func TestPerfect(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for try := range long.N(3000, 30000) {
		n := 2 * (1 + r.IntN(5))
		if try%50 == 0 {
			n = 14
		}
		maximum := []int64{1, 2, 3, 10, 1000, 1 << 40}[r.IntN(6)]
		costs := make([][]int64, n)
		for i := range costs {
			costs[i] = make([]int64, n)
			for j := range i {
				costs[i][j] = r.Int64N(maximum + 1)
				if r.IntN(3) == 0 {
					costs[i][j] = maximum * 100
				}
			}
		}
		cost := func(i, j int) int64 { return costs[max(i, j)][min(i, j)] }
		if got, want := sum(t, MinCostMatching(n, cost), cost), least(n, cost); got != want {
			t.Fatalf("try %d: %d vertices are paired for %d, and can be for %d: %v", try, n, got, want, costs)
		}
	}
}

// BenchmarkPerfect pairs three hundred.
func BenchmarkPerfect(b *testing.B) {
	r := rand.New(rand.NewPCG(2, 2))
	const n = 300
	costs := make([]int64, n*n)
	for i := range costs {
		costs[i] = r.Int64N(1e9)
	}
	for b.Loop() {
		MinCostMatching(n, func(i, j int) int64 { return costs[max(i, j)*n+min(i, j)] })
	}
}
