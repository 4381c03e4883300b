// Package glicko computes ratings by Mark Glickman's Glicko-2 system ("Example of the Glicko-2 system",
// http://www.glicko.net/glicko/glicko2.pdf); step numbers below are from the paper. The package has no state, and rounds
// all numbers after each period, so that the same results always give exactly the same ratings.
//
// Glickman's formulas have no bounds: a player rated 2100 who loses 30 games in a period against players rated 1200
// would get the rating -25,922 and a volatility of 17. Therefore each number is bounded after each period, as on the
// chess server lichess.org. For example, a new player who beats another new player (both 1500 with deviation 350)
// gets the rating 1662.
package glicko

import "math"

// Rating is the estimated strength of a player and its uncertainty.
type Rating struct {
	// Rating is the estimated strength; a new player has 1500.
	Rating float64 `json:"rating"`
	// Deviation is the standard deviation of Rating: the true strength is within two deviations
	// with a probability of 95 percent.
	Deviation float64 `json:"deviation"`
	// Volatility is the expected fluctuation of the strength.
	Volatility float64 `json:"volatility"`
}

// New is the rating of a player without results.
var New = Rating{Rating: 1500, Deviation: 350, Volatility: 0.06}

// MinRating and MaxRating hold the bounds of each number of a rating. A deviation never exceeds that of New.
var (
	MinRating = Rating{Rating: 400, Deviation: 45, Volatility: 0.01}
	MaxRating = Rating{Rating: 4000, Deviation: New.Deviation, Volatility: 0.1}
)

// MaxStep is the maximum change of a rating in a period.
const MaxStep = 700.0

// Tau limits the change of volatility in a period; Glickman recommends 0.3 to 1.2.
const Tau = 0.5

const (
	// scale converts a rating to Glickman's internal scale, and back (step 2).
	scale = 173.7178
	// tolerance ends the iteration of step 5.
	tolerance = 1e-6
	// maxSteps bounds the iteration, which normally needs fewer than ten steps.
	maxSteps = 1000
)

// Game is a player's result of a game in a period.
type Game struct {
	// Opponent is the opponent's rating before the period.
	Opponent Rating
	// Score is 1 for a win, a half for a draw, 0 for a loss.
	Score float64
	// Weight is the weight of the game; 1 for games of two players.
	Weight float64
}

// Update returns the rating after a period with the player's games. If the player has no games, only the deviation
// grows (step 6).
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
		return clamp(Rating{r.Rating, scale * math.Hypot(phi, r.Volatility), r.Volatility})
	}
	v := 1 / information
	sigma := clampValue(volatility(r.Volatility, phi, v, v*surprise), MinRating.Volatility, MaxRating.Volatility)
	star := math.Hypot(phi, sigma)
	after := 1 / math.Sqrt(1/(star*star)+1/v)
	step := clampValue(scale*float64(after*after*surprise), -MaxStep, MaxStep)
	return clamp(Rating{r.Rating + step, scale * after, sigma})
}

// ExpectedScore returns the expected score of a game against an opponent, from 0 to 1.
func (r Rating) ExpectedScore(opponent Rating) float64 {
	phi := math.Hypot(r.Deviation, opponent.Deviation) / scale
	return expected(r.Rating/scale, opponent.Rating/scale, impact(phi))
}

// impact returns Glickman's g, the weight of a result: it falls with the deviation phi of the opponent.
func impact(phi float64) float64 {
	return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi))
}

// expected returns Glickman's E, the expected score.
func expected(mu, muJ, g float64) float64 {
	return 1 / (1 + math.Exp(-g*(mu-muJ)))
}

// volatility computes the new volatility (step 5) by the Illinois algorithm.
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
	for range maxSteps {
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

// clamp rounds a rating and keeps it in its bounds. It keeps more decimal places than letters show.
func clamp(r Rating) Rating {
	return Rating{
		Rating:     math.Round(clampValue(r.Rating, MinRating.Rating, MaxRating.Rating)*1e4) / 1e4,
		Deviation:  math.Round(clampValue(r.Deviation, MinRating.Deviation, MaxRating.Deviation)*1e4) / 1e4,
		Volatility: math.Round(clampValue(r.Volatility, MinRating.Volatility, MaxRating.Volatility)*1e8) / 1e8,
	}
}

func clampValue(x, minimum, maximum float64) float64 { return min(max(x, minimum), maximum) }
