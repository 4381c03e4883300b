package site

import (
	"time"

	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/tournament"
)

// Player names a player of the club.
type Player = ladder.Player

// Club is what everybody may know of a club.
type Club struct {
	Name string
	// Address is the one to write to, and Join how to join, in a sentence or two.
	Address, Join string
	Players       []Member
	Games         []Game
	Running       []Running
	Results       []Result
	Tournaments   []Tournament
	// Notices are what the director has announced, and Acts what he has done; the newest
	// first.
	Notices, Acts []Notice
}

// Member is a player of the club. Who has left is one as well if a result names him.
type Member struct {
	ID    Player
	Name  string
	Since time.Time
	Left  bool
}

// Game is a game that the club plays.
type Game struct {
	// Name is the short one, which pages' names have, as "1989"; Title is the whole one.
	Name, Title string
	// Seats are the names of its seats where there are two; none otherwise.
	Seats  []string
	Ladder ladder.Ladder
}

// Running is a match that is being played.
type Running struct {
	Match, Game string
	// Players are those of the seats, in their order, and Seats the names of these.
	Players []Player
	Seats   []string
	// Stands says how it stands, as far as observers may know.
	Stands string
	Since  time.Time
}

// Result is a match that is over.
type Result struct {
	Match, Game string
	Ended       time.Time
	// Changed is when the director has annulled it, or put it back; zero where he has not.
	Changed time.Time
	Players []Player
	Seats   []string
	// Won are the seats that have won; none in a draw, or where nobody wins.
	Won []bool
	// How says how it ended, in a few words.
	How string
	// Rated means that it counts for the ladder; Annulled says why it does not any more.
	Rated    bool
	Annulled string
	// History and Record are the names of its page and its record in the same directory;
	// empty where there are none.
	History, Record string
	// Tournament names the one that it belongs to; empty for none.
	Tournament string
}

// Tournament is one of the club's.
type Tournament struct {
	// Name is the short one, which ENTER has; Title is the whole one.
	Name, Title, Game string
	Starts            time.Time
	*tournament.Tournament
}

// Notice is something that the director has written.
type Notice struct {
	At   time.Time
	Text string
}
