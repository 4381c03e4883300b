package glicko_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"samizdat/adjudicator/club/glicko"
)

// TestGlickman is the worked example of Glickman's paper, to the digits that he prints.
func TestGlickman(t *testing.T) {
	t.Parallel()
	of := func(rating, deviation float64) glicko.Rating {
		return glicko.Rating{Rating: rating, Deviation: deviation, Volatility: 0.06}
	}
	got := of(1500, 200).Update([]glicko.Game{
		{Opponent: of(1400, 30), Score: 1, Weight: 1},
		{Opponent: of(1550, 100), Score: 0, Weight: 1},
		{Opponent: of(1700, 300), Score: 0, Weight: 1},
	})
	// He rounds mu' to four places before he takes it back to the scale of ratings, where the
	// unrounded one is 1464.05; and he cuts the volatility off after five.
	mu := math.Round((got.Rating-1500)/173.7178*1e4) / 1e4
	if r := math.Round((1500+173.7178*mu)*100) / 100; mu != -0.2069 || r != 1464.06 {
		t.Errorf("mu' %v and rating %v, want -0.2069 and 1464.06", mu, r)
	}
	if phi, d := math.Round(got.Deviation/173.7178*1e4)/1e4, math.Round(got.Deviation*100)/100; phi != 0.8722 || d != 151.52 {
		t.Errorf("phi' %v and deviation %v, want 0.8722 and 151.52", phi, d)
	}
	if v := math.Floor(got.Volatility*1e5) / 1e5; v != 0.05999 {
		t.Errorf("volatility %v, want 0.05999", v)
	}
}

// TestIdle: step 6 for whoever has not played: the deviation of 200 grows to that of the
// paper's phi* with the volatility as it was, and never beyond a newcomer's.
func TestIdle(t *testing.T) {
	t.Parallel()
	r := glicko.Rating{Rating: 1712, Deviation: 200, Volatility: 0.06}
	got := r.Update(nil)
	if want := math.Round(173.7178*math.Hypot(200/173.7178, 0.06)*1e4) / 1e4; got.Deviation != want || got.Rating != 1712 || got.Volatility != 0.06 {
		t.Errorf("%+v, want a deviation of %v", got, want)
	}
	for range 5000 {
		r = r.Update(nil)
	}
	if r.Deviation != glicko.New.Deviation {
		t.Errorf("after a hundred years: %+v", r)
	}
}

// TestProperties: a win raises and a loss lowers, and more so the stronger the opponent; who
// plays is known better; weights of a half, twice, are one game; expectations add up to one.
func TestProperties(t *testing.T) {
	t.Parallel()
	rating := rapid.Custom(func(t *rapid.T) glicko.Rating {
		return glicko.Rating{
			Rating: rapid.Float64Range(600, 2800).Draw(t, "rating"), Deviation: rapid.Float64Range(45, 350).Draw(t, "deviation"),
			Volatility: rapid.Float64Range(0.03, 0.1).Draw(t, "volatility"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := rating.Draw(t, "a"), rating.Draw(t, "b")
		score := func(s float64) glicko.Rating {
			return a.Update([]glicko.Game{{Opponent: b, Score: s, Weight: 1}})
		}
		win, draw, loss := score(1), score(0.5), score(0)
		if win.Rating < a.Rating-1e-3 || loss.Rating > a.Rating+1e-3 || win.Rating < draw.Rating || draw.Rating < loss.Rating {
			t.Fatalf("from %+v: win %+v, draw %+v, loss %+v", a, win, draw, loss)
		}
		if idle := math.Hypot(a.Deviation, 173.7178*win.Volatility); win.Deviation > idle+1e-3 {
			t.Fatalf("known less well after a game: %+v, without one %v", win, idle)
		}
		half := glicko.Game{Opponent: b, Score: 1, Weight: 0.5}
		if twice := a.Update([]glicko.Game{half, half}); math.Abs(twice.Rating-win.Rating) > 1e-3 || math.Abs(twice.Deviation-win.Deviation) > 1e-3 {
			t.Fatalf("two halves %+v, one whole %+v", twice, win)
		}
		if sum := a.ExpectedScore(b) + b.ExpectedScore(a); math.Abs(sum-1) > 1e-9 {
			t.Fatalf("expectations add up to %v", sum)
		}
		for _, r := range []glicko.Rating{win, draw, loss} {
			if math.IsNaN(r.Rating) || math.IsInf(r.Rating, 0) || r.Deviation <= 0 || r.Deviation > 350 || r.Volatility <= 0 || r.Volatility > 1 {
				t.Fatalf("%+v after %+v against %+v", r, a, b)
			}
		}
	})
}

// TestOneBadWeek: a strong player who loses all his games of a week to weak ones, since he does
// not answer any more, keeps a rating within the bounds, and the week after it is one like others.
func TestOneBadWeek(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r    glicko.Rating
		lost int
		to   float64
	}{{glicko.Rating{Rating: 2100, Deviation: 45, Volatility: .06}, 30, 1200}, {glicko.Rating{Rating: 2200, Deviation: 45, Volatility: .06}, 31, 1500},
		{glicko.Rating{Rating: 2000, Deviation: 45, Volatility: .06}, 36, 1500}, {glicko.New, 30, 800}} {
		weak := glicko.Rating{Rating: c.to, Deviation: 60, Volatility: .06}
		after := c.r.Update(slices.Repeat([]glicko.Game{{Opponent: weak, Score: 0, Weight: 1}}, c.lost))
		if after.Rating < c.r.Rating-glicko.MaxStep || after.Rating > c.r.Rating-100 || after.Volatility > glicko.MaxRating.Volatility {
			t.Errorf("%+v loses %d to %v: %+v", c.r, c.lost, c.to, after)
		}
		if next := after.Update([]glicko.Game{{Opponent: weak, Score: 1, Weight: 1}}); next.Rating < after.Rating || next.Rating > after.Rating+400 {
			t.Errorf("%+v wins a game then: %+v", after, next)
		}
	}
}

// TestCareers: 100,000 careers of random weeks, with up to 60 games a week, of whatever weights
// and scores, against whatever opponents, keep within the bounds after each week.
func TestCareers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 13))
	draw := func(minimum, maximum float64) float64 { return minimum + r.Float64()*(maximum-minimum) }
	careers := 100_000
	if testing.Short() {
		careers = 5_000
	}
	for range careers {
		player, skill := glicko.New, draw(-0.2, 1.2)
		for range 1 + r.IntN(12) {
			var games []glicko.Game
			for range r.IntN(1 + r.IntN(1+r.IntN(61))) {
				g := glicko.Game{Weight: 1 / float64(1+r.IntN(11)), Opponent: glicko.Rating{Rating: draw(glicko.MinRating.Rating, glicko.MaxRating.Rating),
					Deviation: draw(glicko.MinRating.Deviation, glicko.MaxRating.Deviation), Volatility: 0.06}}
				if x := r.Float64(); x < skill {
					g.Score = 1
				} else if x < skill+0.1 {
					g.Score = 0.5
				}
				games = append(games, g)
			}
			was := player
			player = was.Update(games)
			clamp(t, was, player, games)
		}
	}
}

// clamp checks the bounds after a period.
func clamp(t *testing.T, was, is glicko.Rating, games []glicko.Game) {
	t.Helper()
	in := func(x, minimum, maximum float64) bool { return x >= minimum && x <= maximum }
	if !in(is.Rating, glicko.MinRating.Rating, glicko.MaxRating.Rating) || !in(is.Deviation, glicko.MinRating.Deviation, glicko.MaxRating.Deviation) ||
		!in(is.Volatility, glicko.MinRating.Volatility, glicko.MaxRating.Volatility) || math.Abs(is.Rating-was.Rating) > glicko.MaxStep+1e-4 {
		t.Fatalf("from %+v to %+v by %+v", was, is, games)
	}
}
