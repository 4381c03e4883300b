// Package ladder computes the ratings of the players of a game, and how often each seat wins. The ladder depends only
// on the set of results: after the removal of a result, Compute returns the ladder as if that match had never been
// played.
//
// # How results count
//
//   - Ratings are Glicko-2 ratings (package glicko) with periods of a week from Monday, 00:00 UTC.
//     All games of a period count together at its end, against the ratings before the period.
//   - A match of two players is one game. In a match of n players each winner beats each loser, with
//     the weight 1/(n-1); in a draw all draw with each other. If all win or all lose, the match shows
//     no difference in strength and does not count.
//   - A rating is provisional while its deviation is at least 110, and inactive after 90 days without
//     a result.
//
// For example, in a match of four players with one winner, the winner has three wins with the
// weight 1/3.
package ladder

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club/glicko"
)

// Player is the ID of a player.
type Player = int64

// Result is the result of a match.
type Result struct {
	Match string
	Ended time.Time
	Seats []Seat
	// Drawn means that no seat won and no seat lost.
	Drawn bool
}

// Seat is a seat of a result.
type Seat struct {
	Player Player
	Won    bool
}

const (
	week                    = 7 * 24 * time.Hour
	minProvisionalDeviation = 110
	inactiveAfter           = 90 * 24 * time.Hour
)

// monday is the start of period 0.
var monday = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// Period is the number of a week; week 0 begins on 1 January 2024.
type Period int

// PeriodOf returns the period of a time.
func PeriodOf(at time.Time) Period {
	d := at.Sub(monday)
	p := Period(d / week)
	if d < 0 && d%week != 0 {
		p--
	}
	return p
}

// Start returns the start of the period.
func (p Period) Start() time.Time { return monday.Add(time.Duration(p) * week) }

// RatingPoint is a player's rating after a period with results.
type RatingPoint struct {
	Period Period `json:"period"`
	glicko.Rating
}

// Line is a player's line of the ladder.
type Line struct {
	Player Player        `json:"player"`
	Rating glicko.Rating `json:"rating"`
	// A match that all players lost counts in Lost for each player.
	Won        int       `json:"won"`
	Drawn      int       `json:"drawn"`
	Lost       int       `json:"lost"`
	LastResult time.Time `json:"last"`
	// RatingPoints are the ratings after each period with results, for a curve of the rating.
	RatingPoints []RatingPoint `json:"points,omitempty"`
	// Pending is the number of results that will change the rating at the end of the period. The JSON key is an older
	// name.
	Pending int `json:"waits,omitempty"`
}

// IsProvisional reports whether the rating is still uncertain.
func (l Line) IsProvisional() bool { return l.Rating.Deviation >= minProvisionalDeviation }

// IsInactive reports whether the player has had no result for 90 days.
func (l Line) IsInactive(now time.Time) bool { return now.Sub(l.LastResult) > inactiveAfter }

// Ladder is the ladder of a game.
type Ladder struct {
	// Lines are sorted by rating, provisional ratings last.
	Lines []Line `json:"lines"`
	// RatingBands count the wins of each seat in matches of two players. The JSON key is an older name.
	RatingBands []RatingBand `json:"sides,omitempty"`
}

// Find returns the line of a player; false if the player has no line.
func (l Ladder) Find(p Player) (Line, bool) {
	i := slices.IndexFunc(l.Lines, func(line Line) bool { return line.Player == p })
	if i < 0 {
		return Line{}, false
	}
	return l.Lines[i], true
}

// Compute returns the ladder at the time now. Only results of finished periods change ratings.
func Compute(now time.Time, results []Result) Ladder {
	sorted := slices.Clone(results)
	slices.SortFunc(sorted, func(a, b Result) int {
		return cmp.Or(a.Ended.Compare(b.Ended), strings.Compare(a.Match, b.Match))
	})
	lb := builder{lines: map[Player]*runningLine{}, bands: map[int]*RatingBand{}}
	current := PeriodOf(now)
	for len(sorted) > 0 {
		p := PeriodOf(sorted[0].Ended)
		n := 1
		for n < len(sorted) && PeriodOf(sorted[n].Ended) == p {
			n++
		}
		lb.addPeriod(p, sorted[:n], p < current)
		sorted = sorted[n:]
	}
	return lb.finish(current)
}

// builder computes a ladder period by period. bands holds the rating bands by number: 0 for the middle band, negative
// numbers if the first seat's player has the lower rating.
type builder struct {
	lines map[Player]*runningLine
	bands map[int]*RatingBand
}

// runningLine is a player's line during the computation. Its rating includes all periods before nextPeriod.
type runningLine struct {
	Line
	nextPeriod Period
}

// addPeriod adds the results of a period. If the period is not over yet, they do not change the ratings (Line.Pending).
func (lb *builder) addPeriod(p Period, results []Result, isOver bool) {
	games := map[Player][]glicko.Game{}
	for _, r := range results {
		for _, s := range r.Seats {
			l := lb.findLine(s.Player, p)
			l.addResult(r, s)
			l.advanceTo(p)
			if !isOver {
				l.Pending++
			}
		}
		if !isOver {
			continue
		}
		lb.addToBand(r)
		weight := 1 / float64(len(r.Seats)-1)
		for i, a := range r.Seats {
			for _, b := range r.Seats[:i] {
				if score, counts := r.score(a, b); counts {
					games[a.Player] = append(games[a.Player], glicko.Game{Opponent: lb.lines[b.Player].Rating, Score: score, Weight: weight})
					games[b.Player] = append(games[b.Player],
						glicko.Game{Opponent: lb.lines[a.Player].Rating, Score: 1 - score, Weight: weight})
				}
			}
		}
	}
	for player, g := range games {
		l := lb.lines[player]
		l.Rating, l.nextPeriod = l.Rating.Update(g), p+1
		l.RatingPoints = append(l.RatingPoints, RatingPoint{p, l.Rating})
	}
}

// score returns the score of a against b; counts is false if the result shows no difference in strength.
func (r Result) score(a, b Seat) (score float64, counts bool) {
	switch {
	case a.Player == b.Player:
		return 0, false
	case r.Drawn:
		return 0.5, true
	case a.Won == b.Won:
		return 0, false
	case a.Won:
		return 1, true
	}
	return 0, true
}

func (lb *builder) findLine(player Player, p Period) *runningLine {
	l := lb.lines[player]
	if l == nil {
		l = &runningLine{Line: Line{Player: player, Rating: glicko.New}, nextPeriod: p}
		lb.lines[player] = l
	}
	return l
}

func (l *runningLine) addResult(r Result, s Seat) {
	l.LastResult = r.Ended
	switch {
	case s.Won:
		l.Won++
	case r.Drawn:
		l.Drawn++
	default:
		l.Lost++
	}
}

// advanceTo raises the deviation for each period without results before the period next.
func (l *runningLine) advanceTo(next Period) {
	for ; l.nextPeriod < next; l.nextPeriod++ {
		l.Rating = l.Rating.Update(nil)
	}
}

func (lb *builder) finish(current Period) (out Ladder) {
	for _, l := range lb.lines {
		l.advanceTo(current)
		out.Lines = append(out.Lines, l.Line)
	}
	slices.SortFunc(out.Lines, func(a, b Line) int {
		if a.IsProvisional() != b.IsProvisional() {
			if a.IsProvisional() {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.Rating.Rating, a.Rating.Rating), cmp.Compare(a.Player, b.Player))
	})
	out.RatingBands = lb.finishBands()
	return out
}

// RatingBand counts the wins of each seat in matches of two players with a similar difference in rating. It shows
// whether the seats of a game are balanced. For example, From 50 and To 150 select matches with the first player rated
// 50 to 149 points higher.
type RatingBand struct {
	// From and To bound the difference (rating of the first seat's player minus rating of the second's): From <=
	// difference < To. The lowest band has no lower bound and From 0; the highest band has no upper bound and To 0.
	From int `json:"from"`
	To   int `json:"to"`
	// First and Second count the wins of each seat, Drawn the draws.
	First  int `json:"first"`
	Second int `json:"second"`
	Drawn  int `json:"drawn"`
	// Expected is the sum of the scores that the ratings predict for the first seat: 1 for a win, 0.5 for a draw.
	Expected float64 `json:"expected"`
}

func (s RatingBand) Games() int { return s.First + s.Second + s.Drawn }

const (
	// The middle band goes from -bandWidth/2 to bandWidth/2.
	bandWidth = 100
	// outerBands is the number of bands on each side of the middle band.
	outerBands = 4
)

func (lb *builder) addToBand(r Result) {
	if len(r.Seats) != 2 {
		return
	}
	a, b := r.Seats[0], r.Seats[1]
	score, counts := r.score(a, b)
	if !counts {
		return
	}
	first, second := lb.lines[a.Player].Rating, lb.lines[b.Player].Rating
	at := int(math.Floor((first.Rating-second.Rating)/bandWidth + 0.5))
	at = min(max(at, -outerBands), outerBands)
	s := lb.bands[at]
	if s == nil {
		s = &RatingBand{From: at*bandWidth - bandWidth/2, To: at*bandWidth + bandWidth/2}
		if at == -outerBands {
			s.From = 0
		}
		if at == outerBands {
			s.To = 0
		}
		lb.bands[at] = s
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

func (lb *builder) finishBands() (out []RatingBand) {
	for _, at := range slices.SortedFunc(maps.Keys(lb.bands), cmp.Compare[int]) {
		s := *lb.bands[at]
		s.Expected = math.Round(s.Expected*1e4) / 1e4
		out = append(out, s)
	}
	return out
}
