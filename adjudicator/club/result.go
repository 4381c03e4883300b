package club

import (
	"slices"
	"time"

	"samizdat/adjudicator/club/ladder"
)

// Result is how a match has ended.
type Result struct {
	Match string    `json:"-"`
	Game  string    `json:"-"`
	Ended time.Time `json:"-"`
	// Seats are those of the match, in their order.
	Seats []ResultSeat `json:"seats"`
	// Drawn means that nobody has won and nobody has lost.
	Drawn bool `json:"drawn,omitempty"`
	// How says in a few words how it ended.
	How string `json:"how"`
	// Unrated says why it does not count for the ladder; empty where it does.
	Unrated string `json:"unrated,omitempty"`
	// Annulled is why the director has taken it from the ladder; empty where he has not.
	Annulled string `json:"-"`
}

// ResultSeat is a seat of a result.
type ResultSeat struct {
	// Player is who sat there at the end, by his number, and Name what the seat is called.
	Player int64  `json:"player"`
	Name   string `json:"name"`
	Won    bool   `json:"won,omitempty"`
}

// Counts reports whether the result counts for the ladder.
func (r *Result) Counts() bool { return r.Unrated == "" && r.Annulled == "" }

// Won reports whether anybody has won.
func (r *Result) Won() bool {
	return slices.ContainsFunc(r.Seats, func(s ResultSeat) bool { return s.Won })
}

// Of is what the result is for a player: "won", "lost", or "drawn".
func (r *Result) Of(player int64) string {
	switch {
	case slices.ContainsFunc(r.Seats, func(s ResultSeat) bool { return s.Player == player && s.Won }):
		return "won"
	case r.Drawn:
		return "drawn"
	}
	return "lost"
}

// Running is a match of members that is being played, as far as everybody may know of it.
type Running struct {
	Match, Game string
	Since       time.Time
	Seats       []ResultSeat
	// Stands says how it stands; empty where that is not for everybody to know.
	Stands string
}

// Counted is a match whose end was looked at.
type Counted struct {
	Match string
	// Version is that of the match as it was looked at: if it has moved on since, it is looked
	// at again. 0 of one that could not be read.
	Version int64
	// Result is what came of it; nil where it goes on, or counts for nobody.
	Result *Result
	// Again is when it is to be looked at again; zero where it need not be.
	Again time.Time
}

// Ladder is the ladder of a game as it is kept: without the course of ratings.
type Ladder struct {
	Game string
	// Made is when it was computed. Stale is how often results have changed since; of one that
	// is to be stored, those changes that it has taken in.
	Made  time.Time
	Stale int
	ladder.Ladder
}

// LadderOf computes the ladder of a game at a time, from all its results.
func LadderOf(game string, now time.Time, results []Result) Ladder {
	l := Ladder{Game: game, Made: now, Ladder: ladder.At(now, Rated(results))}
	for i := range l.Lines {
		l.Lines[i].Points = nil
	}
	return l
}

// Rated are the results that count for the ladder.
func Rated(results []Result) (out []ladder.Result) {
	for _, r := range results {
		if !r.Counts() {
			continue
		}
		x := ladder.Result{Match: r.Match, Ended: r.Ended, Drawn: r.Drawn}
		for _, s := range r.Seats {
			x.Seats = append(x.Seats, ladder.Seat{Player: s.Player, Won: s.Won})
		}
		out = append(out, x)
	}
	return out
}
