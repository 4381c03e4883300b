package league

import (
	"fmt"
	"math"
	"time"
)

// Summary is a line of the league's table.
func (l *League) Summary(pairs []Pair) string {
	if len(pairs) == 0 {
		return "no pair was played"
	}
	n := float64(len(pairs))
	var decisions int
	var processor, slowest time.Duration
	var won, wonB, asFirst, asSecond, squares float64
	for _, p := range pairs {
		decisions, processor, slowest = decisions+p.Decisions, processor+p.Processor, max(slowest, p.Slowest)
		asFirst, asSecond = asFirst+p.Won[0], asSecond+p.Won[1]
		won, wonB = won+p.Won[0]+p.Won[1], wonB+p.WonB
	}
	cost := fmt.Sprintf("%.1f ms of processor a decision, at most %.0f ms",
		float64(processor.Microseconds())/1000/float64(max(1, decisions)), float64(slowest.Microseconds())/1000)
	if l.Seats > 2 {
		low, high := wilson(won/n, n)
		lowB, highB := wilson(wonB/n, n)
		return fmt.Sprintf("%s in one of %d seats among %s, seed %d: wins %.1f %% (%.1f-%.1f) of %d matches; %s in its place %.1f %% (%.1f-%.1f), %.2f times as often; %s",
			l.A, l.Seats, l.B, l.Seed, 100*won/n, 100*low, 100*high, len(pairs), l.B, 100*wonB/n, 100*lowB, 100*highB, won/math.Max(1, wonB), cost)
	}
	mean := won / n / 2
	for _, p := range pairs {
		d := (p.Won[0]+p.Won[1])/2 - mean
		squares += d * d
	}
	// The two matches of a pair are not independent: the interval is that of pairs. Where all
	// pairs end alike it would be empty, so it is never narrower than Wilson's.
	half := 1.96 * math.Sqrt(squares/math.Max(1, n-1)/n)
	low, high := wilson(mean, 2*n)
	low, high = math.Max(0, math.Min(low, mean-half)), math.Min(1, math.Max(high, mean+half))
	return fmt.Sprintf("%s against %s, seed %d: wins %.1f %% (%.1f-%.1f) of %d matches (first seat %.0f, second %.0f); Elo %+.0f (%+.0f to %+.0f); %s",
		l.A, l.B, l.Seed, 100*mean, 100*low, 100*high, 2*len(pairs), asFirst, asSecond, elo(mean), elo(low), elo(high), cost)
}

// wilson is the 95 % interval of a share of n.
func wilson(share, n float64) (low, high float64) {
	const z = 1.96
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z * math.Sqrt(share*(1-share)/n+z*z/(4*n*n)) / (1 + z*z/n)
	return middle - half, middle + half
}

// elo is the difference in Elo of a share of wins, at most 800.
func elo(share float64) float64 {
	share = math.Min(0.99, math.Max(0.01, share))
	return math.Min(800, 400*math.Log10(share/(1-share)))
}

// Share is the share of the matches that robot A has won.
func Share(pairs []Pair) float64 {
	won := 0.0
	for _, p := range pairs {
		won += p.Won[0] + p.Won[1]
	}
	return won / 2 / float64(max(1, len(pairs)))
}
