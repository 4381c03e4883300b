// Package glicko rates players by Mark Glickman's Glicko-2 system, as he describes it in
// "Example of the Glicko-2 system" (the step numbers below are his).
//
// It is pure, and all of it is rounded to fixed places after each period, so that the same
// results give the same ratings to the byte.
//
// Glickman's formulas have no bounds: a player of 2100 who loses 30 games of one period to
// players of 1200 would be rated -25,922, with a volatility of 17. So each number is bounded
// after each period, as lichess does it.
package glicko

import "math"

// Rating is how strong a player is taken to be, and how sure that is.
type Rating struct {
	// Rating is on the scale on which 1500 is where all begin.
	Rating float64 `json:"rating"`
	// Deviation is the standard deviation of Rating: with 19 of 20 he is within two of it.
	Deviation float64 `json:"deviation"`
	// Volatility is how much his strength is expected to move.
	Volatility float64 `json:"volatility"`
}

// New is the rating of somebody of whom nothing is known.
var New = Rating{Rating: 1500, Deviation: 350, Volatility: 0.06}

// Least and Most bound a rating; no deviation grows beyond a newcomer's.
var (
	MinRating = Rating{Rating: 400, Deviation: 45, Volatility: 0.01}
	MaxRating = Rating{Rating: 4000, Deviation: New.Deviation, Volatility: 0.1}
)

// MaxStep bounds by how much a rating changes in a period.
const MaxStep = 700.0

// Tau bounds how much volatility moves in a period: Glickman advises 0.3 to 1.2.
const Tau = 0.5

const (
	// scale is the width of the scale of step 2.
	scale = 173.7178
	// tolerance is where the iteration of step 5 ends.
	tolerance = 1e-6
	// mostSteps bounds that iteration; it is never near it.
	mostSteps = 1000
)

// Game is what a player made of a game against an opponent within a period.
type Game struct {
	// Opponent is what the opponent was rated before the period.
	Opponent Rating
	// Score is 1 for a win, a half for a draw, 0 for a loss.
	Score float64
	// Weight is how much of a game it counts; 1 for one of two players.
	Weight float64
}

// Update is the rating of a player after a period with his games. Without games his deviation
// grows, and nothing else changes (step 6).
func (r Rating) Update(games []Game) Rating {
	mu, phi := (r.Rating-New.Rating)/scale, r.Deviation/scale
	var information, surprise float64
	for _, g := range games {
		muJ, phiJ := (g.Opponent.Rating-New.Rating)/scale, g.Opponent.Deviation/scale
		gJ := impact(phiJ)
		e := expected(mu, muJ, gJ)
		information += float64(g.Weight * gJ * gJ * e * (1 - e))
		surprise += float64(g.Weight * gJ * (g.Score - e))
	}
	if information == 0 {
		return bounded(Rating{r.Rating, scale * math.Hypot(phi, r.Volatility), r.Volatility})
	}
	v := 1 / information
	sigma := within(volatility(r.Volatility, phi, v, v*surprise), MinRating.Volatility, MaxRating.Volatility)
	star := math.Hypot(phi, sigma)
	after := 1 / math.Sqrt(1/(star*star)+1/v)
	step := within(scale*float64(after*after*surprise), -MaxStep, MaxStep)
	return bounded(Rating{r.Rating + step, scale * after, sigma})
}

// ExpectedScore is the score that a player can expect of a game against another, by the deviations
// of both.
func (r Rating) ExpectedScore(opponent Rating) float64 {
	phi := math.Hypot(r.Deviation, opponent.Deviation) / scale
	return expected(r.Rating/scale, opponent.Rating/scale, impact(phi))
}

// impact is Glickman's g: how much a result says against an opponent of such a deviation.
func impact(phi float64) float64 {
	return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi))
}

// expected is Glickman's E.
func expected(mu, muJ, g float64) float64 {
	return 1 / (1 + math.Exp(-g*(mu-muJ)))
}

// volatility is step 5, by the Illinois algorithm.
func volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		sum := phi*phi + v + e
		return e*(delta*delta-sum)/(2*sum*sum) - (x-a)/(Tau*Tau)
	}
	low := a
	var high float64
	if delta*delta > phi*phi+v {
		high = math.Log(delta*delta - phi*phi - v)
	} else {
		k := 1.0
		for f(a-k*Tau) < 0 {
			k++
		}
		high = a - k*Tau
	}
	fLow, fHigh := f(low), f(high)
	for range mostSteps {
		if math.Abs(high-low) <= tolerance {
			break
		}
		next := low + (low-high)*fLow/(fHigh-fLow)
		fNext := f(next)
		if fNext*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = next, fNext
	}
	return math.Exp(low / 2)
}

// bounded is a rating as it is kept: within its bounds, and rounded to more places than anybody
// is shown.
func bounded(r Rating) Rating {
	return Rating{
		Rating:     math.Round(within(r.Rating, MinRating.Rating, MaxRating.Rating)*1e4) / 1e4,
		Deviation:  math.Round(within(r.Deviation, MinRating.Deviation, MaxRating.Deviation)*1e4) / 1e4,
		Volatility: math.Round(within(r.Volatility, MinRating.Volatility, MaxRating.Volatility)*1e8) / 1e8,
	}
}

func within(x, least, most float64) float64 { return min(max(x, least), most) }
