package match

import (
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Seat is one chair of a match and who sits there.
type Seat struct {
	// Name is the seat's name in records.
	Name string
	Occupant
	Correspondence
	Wishes
	SeatTime
	// Said counts the messages that the player sent to others.
	Said Said
}

// Occupant is who has a seat.
type Occupant struct {
	// Player is who sits there; seats of one player in a match share it. Called is what
	// the player is called in the match; empty where nobody has said it.
	Player *Player
	Called string
	// Robot names the robot that has the seat; empty where a person has it.
	Robot string
	// Joined is set by JOIN, with the words mixed into the chance. Words that were sealed
	// stand there when all are open; until then there is their seal alone, a SHA-256.
	Joined bool
	Words  string
	Seal   string
}

// Correspondence is what is known of the letters to a seat.
type Correspondence struct {
	// Key seals the tokens of the seat's letters.
	Key []byte
	// Letters counts the letters sent to the seat; the last is the newest.
	Letters int64
	// First is the Message-ID of the first letter to the player, which all that follow
	// refer to; empty where it was not kept.
	First string
	// Told is how many entries the history had when a letter asked the seat something for
	// the last time, or 0 where that is not known.
	Told int
	// Pictured is the last picture of a map that the player was sent.
	Pictured Pictured
	// Floor is the number of the last letter whose questions were taken back with
	// the orders that answered them.
	Floor int64
	// Good is the number of the last letter of which it does not matter any more
	// whether it arrived, since letters go elsewhere now.
	Good int64
	// Seen means that the key of the seat's tokens is to change: somebody else may have
	// seen one. It changes with the next letter to the seat, and not without one, which
	// would shut the player out.
	Seen bool
}

// Pictured is a picture of a map that a player was sent: the number of its letter, and what
// tells it from others.
type Pictured struct {
	Number int64  `json:"number,omitempty"`
	Sum    string `json:"sum,omitempty"`
}

// Wishes are how the player of a seat wants to play by mail.
type Wishes struct {
	// Format and Script are what the player wants letters to be.
	Format Format
	Script Script
	// Confirm says which letters that only confirm the player wants.
	Confirm Confirm
	// Timing is what the player wants to happen later than at once.
	Timing Timing
}

// SeatTime is the time of a seat.
type SeatTime struct {
	// Since is when the seat was asked what it is asked now; zero when it is asked
	// nothing.
	Since time.Time
	// Clock is the time that the seat has, Deadline when the store lets the match be looked
	// at for it.
	Clock    clock.Clock
	Deadline time.Time
}

// Timing is what a player wants to happen later than at once. Nobody else is told of
// it.
type Timing struct {
	// Grace is how long his orders are held back, Waiting is the letter that is.
	Grace   time.Duration `json:"grace,omitempty"`
	Waiting *Waiting      `json:"waiting,omitempty"`
	// Delay is within what time what is kept for him answers another's letter. DelayedUntil
	// is when it does, DelayedSince when that was chosen.
	Delay        time.Duration `json:"delay,omitempty"`
	DelayedUntil time.Time     `json:"wake,omitzero"`
	DelayedSince time.Time     `json:"slept,omitzero"`
	// Takebacks counts how often he has asked today to take something back, Requests how
	// often for acts of each kind.
	Takebacks Said                    `json:"back,omitzero"`
	Requests  map[record.ActKind]Said `json:"requests,omitempty"`
	// Asked counts the questions that he has had passed on.
	Asked Said `json:"asked,omitzero"`
	// Opened are the words that he has opened before all have, those for his seal last.
	Opened []string `json:"opened,omitempty"`
	// Proposed are the orders that he was asked whether he means them.
	Proposed *Proposal `json:"proposed,omitempty"`
	// Consents is what the newest letter to him asks that YES and NO answer.
	Consents ConsentAsked `json:"consents,omitzero"`
}

// EndDelay forgets that what is kept waits for its time.
func (t *Timing) EndDelay() { t.DelayedUntil, t.DelayedSince = time.Time{}, time.Time{} }

// Waiting is a letter whose orders are held back.
type Waiting struct {
	// Orders are the lines that are held back.
	Orders string `json:"orders"`
	// Number is the letter of ours that it answers.
	Number int64 `json:"number"`
	// MessageID and Digest are its own.
	MessageID string `json:"message_id"`
	Digest    string `json:"digest"`
	// Since is when it came, Due when it is carried out.
	Since time.Time `json:"since,omitzero"`
	Due   time.Time `json:"due"`
}

// Proposal is what a letter seems to mean, where something in it speaks against doing it
// at once. YES carries it out.
type Proposal struct {
	// Orders are the lines as they are carried out.
	Orders string `json:"orders"`
	// Number is the letter of ours that asks. A YES to it or to any later letter of the match counts.
	Number int64 `json:"number"`
	// Decisions are what the writer was to answer when he was asked: what he means may be something
	// else where he is asked something else.
	Decisions []rules.DecisionID `json:"decisions,omitempty"`
}

// ConsentAsked is what letters ask a player that YES and NO answer. A YES counts for a question only where the
// letter that it answers asks that and nothing else: after "May Ben take it back? Is it a draw?" it agrees to
// no draw, even if Ben has withdrawn the other question meanwhile.
type ConsentAsked struct {
	// Questions are those of the newest letter to him, a line each.
	Questions string `json:"questions,omitempty"`
	// Since is the number of the first letter from which on all have asked just these.
	Since int64 `json:"since"`
}

// Note notes what the letter with a number asks.
func (a *ConsentAsked) Note(number int64, questions string) {
	if a.Since == 0 || a.Questions != questions {
		*a = ConsentAsked{Questions: questions, Since: number}
	}
}

// Said counts what a seat has sent on a day, or in a part of it.
type Said struct {
	Day   string
	Count int
}

// Add counts n more in a time, if that makes no more than so many.
func (s *Said) Add(during string, n, most int) bool {
	if s.Day != during {
		*s = Said{Day: during}
	}
	if s.Count+n > most {
		return false
	}
	s.Count += n
	return true
}

// Confirm says which letters a player wants of those that ask him nothing and that his next
// letter repeats.
type Confirm string

// What there is to choose from: those that tell more than what he has ordered, all, none.
const (
	ConfirmNews Confirm = ""
	ConfirmAll  Confirm = "all"
	ConfirmNone Confirm = "none"
)

// Format is what a player wants letters to be. Empty is what the referee gives.
type Format string

// The formats.
const (
	FormatText    Format = "text"
	FormatHTML    Format = "html"
	FormatPicture Format = "picture"
)

// Script is how names and words are written. Empty is the game's ASCII names,
// and what players wrote as they wrote it.
type Script string

// The scripts.
const (
	// ScriptUTF8 writes names as they are printed on the board.
	ScriptUTF8 Script = "utf8"
	// ScriptPlain writes nothing but ASCII.
	ScriptPlain Script = "plain"
)
