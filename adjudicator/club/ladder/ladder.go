// Package ladder rates the players of a game by its results, and counts how often each seat
// wins. It is pure: the same results give the same ladder to the byte, in whatever order they
// come, so a result that is taken out leaves what would be without it.
//
// # How results count
//
//   - Ratings are Glicko-2's, with periods of a week from Monday, 00:00 UTC. All games of a
//     period count together when it is over, against what the opponents were rated before it.
//   - A match of two is one game. In one of n seats each winner has won a game against each who
//     has not won, with the weight 1/(n-1); in a draw of n each has drawn with each other. Where
//     nobody wins, or all do, no strength has shown, and it counts for nobody's rating.
//   - A rating is provisional while its deviation is 110 or more, and inactive after 90 days
//     without a result.
package ladder

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/club/glicko"
)

// Player is who a player is.
type Player = int64

// Result is how a match has ended.
type Result struct {
	// Match names it.
	Match string
	Ended time.Time
	// Seats are its seats, in their order.
	Seats []Seat
	// Drawn means that nobody has won and nobody has lost.
	Drawn bool
}

// Seat is one of a result's.
type Seat struct {
	Player Player
	Won    bool
}

const (
	week = 7 * 24 * time.Hour
	// provisional is the deviation from which on a rating is.
	provisional = 110
	// inactive is after what time without a result a player is.
	inactive = 90 * 24 * time.Hour
)

// monday is the beginning of period 0.
var monday = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// Period is a week, counted from the first of 2024.
type Period int

// PeriodOf is the one in which a time is.
func PeriodOf(at time.Time) Period {
	d := at.Sub(monday)
	p := Period(d / week)
	if d < 0 && d%week != 0 {
		p--
	}
	return p
}

// Start is when a period begins.
func (p Period) Start() time.Time { return monday.Add(time.Duration(p) * week) }

// Point is what a player was rated after a period in which he had a result.
type Point struct {
	Period Period `json:"period"`
	glicko.Rating
}

// Line is a player's on the ladder.
type Line struct {
	Player Player        `json:"player"`
	Rating glicko.Rating `json:"rating"`
	// Won, Drawn and Lost count his results; where nobody wins, all have lost.
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
	// Last is when his newest result was.
	Last time.Time `json:"last"`
	// Points are his rating through time.
	Points []Point `json:"points,omitempty"`
	// Waits is how many of his results count when their period is over.
	Waits int `json:"waits,omitempty"`
}

// Provisional reports whether too little is known of a player yet.
func (l Line) Provisional() bool { return l.Rating.Deviation >= provisional }

// Inactive reports whether a player has had no result for long.
func (l Line) Inactive(now time.Time) bool { return now.Sub(l.Last) > inactive }

// Ladder is how all players of a game stand.
type Ladder struct {
	// Lines are the strongest first; those that are provisional come after all others.
	Lines []Line `json:"lines"`
	// Sides tell how often each seat wins, in matches of two; none where there are no such.
	Sides []Side `json:"sides,omitempty"`
}

// Find is a player's line; false when he has no result.
func (l Ladder) Find(p Player) (Line, bool) {
	i := slices.IndexFunc(l.Lines, func(x Line) bool { return x.Player == p })
	if i < 0 {
		return Line{}, false
	}
	return l.Lines[i], true
}

// Compute is the ladder at a time: with all periods that are over by then.
func Compute(now time.Time, results []Result) Ladder {
	sorted := slices.Clone(results)
	slices.SortFunc(sorted, func(a, b Result) int {
		return cmp.Or(a.Ended.Compare(b.Ended), strings.Compare(a.Match, b.Match))
	})
	c := climb{lines: map[Player]*climber{}, sides: map[int]*Side{}}
	current := PeriodOf(now)
	for len(sorted) > 0 {
		p := PeriodOf(sorted[0].Ended)
		n := 1
		for n < len(sorted) && PeriodOf(sorted[n].Ended) == p {
			n++
		}
		c.period(p, sorted[:n], p < current)
		sorted = sorted[n:]
	}
	return c.ladder(current)
}

// climb is a ladder that is being computed.
type climb struct {
	lines map[Player]*climber
	sides map[int]*Side
}

// climber is a line that is being computed. Its rating is that before the period next.
type climber struct {
	Line
	next Period
}

// period takes the results of a period; over means that they count for ratings.
func (c *climb) period(p Period, results []Result, over bool) {
	games := map[Player][]glicko.Game{}
	for _, r := range results {
		for _, s := range r.Seats {
			l := c.line(s.Player, p)
			l.count(r, s)
			l.idle(p)
			if !over {
				l.Waits++
			}
		}
		if !over {
			continue
		}
		c.side(r)
		weight := 1 / float64(len(r.Seats)-1)
		for i, a := range r.Seats {
			for _, b := range r.Seats[:i] {
				if score, counts := r.score(a, b); counts {
					games[a.Player] = append(games[a.Player], glicko.Game{Opponent: c.lines[b.Player].Rating, Score: score, Weight: weight})
					games[b.Player] = append(games[b.Player], glicko.Game{Opponent: c.lines[a.Player].Rating, Score: 1 - score, Weight: weight})
				}
			}
		}
	}
	for player, g := range games {
		l := c.lines[player]
		l.Rating, l.next = l.Rating.Update(g), p+1
		l.Points = append(l.Points, Point{p, l.Rating})
	}
}

// score is what one made against another; false where that shows no strength.
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

// line is a player's, who has his first result in a period at the earliest.
func (c *climb) line(player Player, p Period) *climber {
	l := c.lines[player]
	if l == nil {
		l = &climber{Line: Line{Player: player, Rating: glicko.New}, next: p}
		c.lines[player] = l
	}
	return l
}

// count counts a result.
func (l *climber) count(r Result, s Seat) {
	l.Last = r.Ended
	switch {
	case s.Won:
		l.Won++
	case r.Drawn:
		l.Drawn++
	default:
		l.Lost++
	}
}

// idle takes a rating through the periods without a result that counts, until one.
func (l *climber) idle(until Period) {
	for ; l.next < until; l.next++ {
		l.Rating = l.Rating.Update(nil)
	}
}

// ladder is what has come out at the beginning of a period.
func (c *climb) ladder(current Period) (out Ladder) {
	for _, l := range c.lines {
		l.idle(current)
		out.Lines = append(out.Lines, l.Line)
	}
	slices.SortFunc(out.Lines, func(a, b Line) int {
		if a.Provisional() != b.Provisional() {
			if a.Provisional() {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.Rating.Rating, a.Rating.Rating), cmp.Compare(a.Player, b.Player))
	})
	out.Sides = c.bands()
	return out
}
