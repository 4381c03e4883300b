package ladder

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Side counts how matches of two end in which the first seat was so much stronger than the
// second. With it a club sees whether the seats of a game are even, or should be bid for.
type Side struct {
	// From and To bound the rating of the first seat's player less that of the second's:
	// From is in the band, To is not. The outermost bands have no bound, and 0 there.
	From int `json:"from"`
	To   int `json:"to"`
	// First and Second are how often each seat has won, Drawn how often neither.
	First  int `json:"first"`
	Second int `json:"second"`
	Drawn  int `json:"drawn"`
	// Expected is how many points the ratings alone would have given the first seat, with a
	// half for a draw.
	Expected float64 `json:"expected"`
}

// Games is how many there were.
func (s Side) Games() int { return s.First + s.Second + s.Drawn }

const (
	// band is how wide they are; the middle one has 0 in its middle.
	band = 100
	// outermost bands are so many from the middle.
	outermost = 4
)

// side counts a result before its period counts for ratings.
func (c *climb) side(r Result) {
	if len(r.Seats) != 2 {
		return
	}
	a, b := r.Seats[0], r.Seats[1]
	score, counts := r.score(a, b)
	if !counts {
		return
	}
	first, second := c.lines[a.Player].Rating, c.lines[b.Player].Rating
	at := int(math.Floor((first.Rating-second.Rating)/band + 0.5))
	at = min(max(at, -outermost), outermost)
	s := c.sides[at]
	if s == nil {
		s = &Side{From: at*band - band/2, To: at*band + band/2}
		if at == -outermost {
			s.From = 0
		}
		if at == outermost {
			s.To = 0
		}
		c.sides[at] = s
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

// bands are those with matches, from where the second seat's player is the stronger.
func (c *climb) bands() (out []Side) {
	for _, at := range slices.SortedFunc(maps.Keys(c.sides), cmp.Compare[int]) {
		s := *c.sides[at]
		s.Expected = math.Round(s.Expected*1e4) / 1e4
		out = append(out, s)
	}
	return out
}
