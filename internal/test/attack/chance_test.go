package attack

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
)

// matchKey is the key of the stream of a match, of words that differ in one letter.
func matchKey(t *testing.T, match int, words string) record.Key {
	t.Helper()
	sum := sha256.Sum256([]byte("a secret"))
	secret, err := record.SecretFromBytes(sum[:])
	if err != nil {
		t.Fatal(err)
	}
	key, err := secret.Key(fmt.Sprint("m", match), []string{"the lamp is lit", words})
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sample(t *testing.T, k record.Key, p record.Place, m int) int {
	t.Helper()
	v, err := k.Sample(p, m)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// deviation is how many standard deviations a chi-square of cells that are all as likely is
// away from its mean, by the approximation of Wilson and Hilferty.
func deviation(cells []int) float64 {
	n, chi := 0, 0.0
	for _, c := range cells {
		n += c
	}
	want := float64(n) / float64(len(cells))
	for _, c := range cells {
		d := float64(c) - want
		chi += d * d / want
	}
	k := float64(len(cells) - 1)
	return (math.Cbrt(chi/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k))
}

// unlikely is a deviation that comes once in 30,000 times. The keys are fixed, so that a test
// which passes does so always.
const unlikely = 4

// TestChiSquare: dice, two dice in a row, and draws out of piles of every size that a game
// of cards has, at the places where matches have them.
func TestChiSquare(t *testing.T) {
	t.Parallel()
	outcomes := long.N(50_000, 10_000_000)
	dice, pairs := make([]int, 6), make([]int, 36)
	const most = 64
	piles := map[int][]int{}
	for m := 2; m <= most; m++ {
		piles[m] = make([]int, m)
	}
	last := 0
	const entries, inEntry = 250, 8
	var key record.Key
	for n := range outcomes {
		place := n % (entries * inEntry)
		if place == 0 {
			key = matchKey(t, n/(entries*inEntry), "no river is straight")
		}
		p := record.Place{Epoch: n % 3, Entry: place / inEntry, Outcome: place % inEntry, Kind: "roll"}
		if n%2 == 0 {
			v := sample(t, key, p, 6)
			dice[v]++
			pairs[6*last+v]++
			last = v
			continue
		}
		m := 2 + (n/2)%(most-1)
		p.Kind = [...]string{"draw strategy", "draw struggle", "lot"}[n%3]
		piles[m][sample(t, key, p, m)]++
	}
	worst := 0.0
	for name, cells := range map[string][]int{"dice": dice, "two dice in a row": pairs} {
		z := deviation(cells)
		if worst = max(worst, math.Abs(z)); math.Abs(z) > unlikely {
			t.Errorf("%s: %.1f standard deviations off: %v", name, z, cells)
		}
	}
	for m, cells := range piles {
		z := deviation(cells)
		if worst = max(worst, math.Abs(z)); math.Abs(z) > unlikely && outcomes/2/most >= 10*m {
			t.Errorf("draws out of %d: %.1f standard deviations off", m, z)
		}
	}
	t.Logf("%d outcomes, dice %v, the worst of %d tables is %.2f standard deviations off", outcomes, dice, len(piles)+2, worst)
}

// TestAvalanche: the neighbours of a place share nothing with it: of 62 bits each changes
// half of the time, and a die says nothing of the die beside it.
func TestAvalanche(t *testing.T) {
	t.Parallel()
	places := long.N(1_500, 200_000)
	const size = 62
	kinds := []string{"roll", "lot", "draw strategy", "draw struggle", "draw aim"}
	key, otherWords, otherMatch := matchKey(t, 1, "no river is straight"), matchKey(t, 1, "no river is straighs"), matchKey(t, 2, "no river is straight")
	for name, next := range map[string]func(p record.Place) (record.Key, record.Place){
		"epoch":   func(p record.Place) (record.Key, record.Place) { p.Epoch++; return key, p },
		"entry":   func(p record.Place) (record.Key, record.Place) { p.Entry++; return key, p },
		"outcome": func(p record.Place) (record.Key, record.Place) { p.Outcome++; return key, p },
		"kind":    func(p record.Place) (record.Key, record.Place) { p.Kind = "lot"; return key, p },
		"swapped": func(p record.Place) (record.Key, record.Place) {
			p.Entry, p.Outcome = p.Outcome, p.Entry
			return key, p
		},
		"other words": func(p record.Place) (record.Key, record.Place) { return otherWords, p },
		"other match": func(p record.Place) (record.Key, record.Place) { return otherMatch, p },
	} {
		rnd := rand.New(rand.NewPCG(1, 9))
		flips, pairs := make([]int, size), make([]int, 36)
		for range places {
			// Far more places than a match has, so that none comes twice.
			p := record.Place{Epoch: rnd.IntN(1 << 20), Entry: 1<<10 + rnd.IntN(1<<20), Outcome: rnd.IntN(1 << 10), Kind: kinds[rnd.IntN(len(kinds))]}
			if name == "kind" {
				p.Kind = "roll"
			}
			k, q := next(p)
			one, two := sample(t, key, p, 1<<size), sample(t, k, q, 1<<size)
			for d := uint64(one ^ two); d != 0; d &= d - 1 {
				flips[bits.TrailingZeros64(d)]++
			}
			pairs[6*sample(t, key, p, 6)+sample(t, k, q, 6)]++
		}
		deviates := math.Sqrt(float64(places)) / 2
		for bit, n := range flips {
			if z := (float64(n) - float64(places)/2) / deviates; math.Abs(z) > unlikely {
				t.Errorf("%s: bit %d changes %d times out of %d", name, bit, n, places)
			}
		}
		if z := deviation(pairs); math.Abs(z) > unlikely {
			t.Errorf("%s: a die tells of its neighbour, %.1f standard deviations: %v", name, z, pairs)
		}
	}
}

// TestOwnStream: the outcomes of the referee are those of the document, out of any number.
func TestOwnStream(t *testing.T) {
	t.Parallel()
	l := lines{header: object{"match": "m1", "words": []any{"the lamp is lit", "no river is straight"}, "secret": fmt.Sprintf("%x", sha256.Sum256([]byte("a secret")))}}
	ours, theirs, rnd := l.key(), matchKey(t, 1, "no river is straight"), rand.New(rand.NewPCG(2, 9))
	for range long.N(1_000, 100_000) {
		p := record.Place{Epoch: rnd.IntN(9), Entry: rnd.IntN(400), Outcome: rnd.IntN(60), Kind: "draw strategy"}
		m := 1 + rnd.IntN([]int{6, 60, 1 << 20, 1 << 62}[rnd.IntN(4)])
		if a, b := at(ours, p.Epoch, p.Entry, p.Outcome, p.Kind, m), sample(t, theirs, p, m); a != b {
			t.Fatalf("%v out of %d is %d by the document, and %d by the referee", p, m, a, b)
		}
	}
}
