package site

import (
	"time"

	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/club/usage"
)

// Player is the identifier of a player.
type Player = ladder.Player

// Club is the public data of a club.
type Club struct {
	Name string
	// Address is the mail address of the club, and Join explains how to join.
	Address, Join string
	Players       []Member
	Games         []Game
	Running       []RunningMatch
	Results       []Result
	Tournaments   []Tournament
	// Notices are the director's announcements, and Acts are the director's other actions, for example a ban; both are
	// newest first.
	Notices, Acts []Notice
}

// Member is a member or former member of the club.
type Member struct {
	ID    Player
	Name  string
	Since time.Time
	Left  bool
	// Pace describes how soon the player answers; empty if the player does not show it.
	Pace string
}

// Game is a game of the club.
type Game struct {
	// Name is the short name, for example 1989, used in file names. Title is the full name.
	Name, Title string
	// Seats are the names of the seats of a game for two; empty for other games.
	Seats  []string
	Ladder ladder.Ladder
	// Usage counts how the matches were played; nil for none.
	Usage *usage.Totals
}

// RunningMatch is a match in play.
type RunningMatch struct {
	Match, Game string
	// Players and Seats are the players and the names of their seats, in the order of seats.
	Players []Player
	Seats   []string
	// State is the public state of the match, for example "turn 3; round 2".
	State string
	Since time.Time
}

// Files are the file names of the pages of a match: the history, the record, and the check of the record on the desk's
// page, e.g. "desk/#check.mabcdefg". A missing page is "".
type Files struct{ History, Record, Check string }

// Result is a finished match.
type Result struct {
	Match, Game string
	Ended       time.Time
	// Changed is the time at which the director annulled or restored the result; zero if never.
	Changed time.Time
	// Players, Seats and Won have one element for each seat: the player, the name of the seat, and whether the seat won.
	Players []Player
	Seats   []string
	Won     []bool
	// How describes how the match ended.
	How string
	// Rated is set if the match was rated. Annulled is the reason why the result was annulled; empty if it counts.
	Rated    bool
	Annulled string
	Files
	// Tournament is the name of the tournament of the match; empty for none.
	Tournament string
}

// Tournament is a tournament of the club.
type Tournament struct {
	// Name is the name in ENTER, for example autumn-cup. Title is the full name.
	Name, Title, Game string
	Starts            time.Time
	// RoundStarts are the times when the first match of each round was created.
	RoundStarts []time.Time
	*tournament.Tournament
}

// Notice is an announcement or an act of the director.
type Notice struct {
	At   time.Time
	Text string
}
