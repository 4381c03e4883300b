package ladder

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Side holds the results of matches of two players with a similar difference in rating. It shows
// whether the seats of a game are balanced, or should be bid for.
type Side struct {
	// From and To bound the rating difference, first seat minus second: From <= difference < To.
	// The outermost bands are open and have 0.
	From int `json:"from"`
	To   int `json:"to"`
	// First and Second count the wins of each seat, Drawn the draws.
	First  int `json:"first"`
	Second int `json:"second"`
	Drawn  int `json:"drawn"`
	// Expected is the expected score of the first seat from the ratings alone; a draw is a half.
	Expected float64 `json:"expected"`
}

// Games returns the number of games.
func (s Side) Games() int { return s.First + s.Second + s.Drawn }

const (
	// band is the width of a band; the middle of the middle band is 0.
	band = 100
	// outermost is the number of bands on each side of the middle band.
	outermost = 4
)

func (lb *builder) addSide(r Result) {
	if len(r.Seats) != 2 {
		return
	}
	a, b := r.Seats[0], r.Seats[1]
	score, counts := r.score(a, b)
	if !counts {
		return
	}
	first, second := lb.lines[a.Player].Rating, lb.lines[b.Player].Rating
	at := int(math.Floor((first.Rating-second.Rating)/band + 0.5))
	at = min(max(at, -outermost), outermost)
	s := lb.sides[at]
	if s == nil {
		s = &Side{From: at*band - band/2, To: at*band + band/2}
		if at == -outermost {
			s.From = 0
		}
		if at == outermost {
			s.To = 0
		}
		lb.sides[at] = s
	}
	switch score {
	case 1:
		s.First++
	case 0:
		s.Second++
	default:
		s.Drawn++
	}
	s.Expected += first.ExpectedScore(second)
}

// finishBands returns the bands with matches, from the weakest first seat.
func (lb *builder) finishBands() (out []Side) {
	for _, at := range slices.SortedFunc(maps.Keys(lb.sides), cmp.Compare[int]) {
		s := *lb.sides[at]
		s.Expected = math.Round(s.Expected*1e4) / 1e4
		out = append(out, s)
	}
	return out
}
