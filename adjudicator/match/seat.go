package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/contact"
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

// Player is one person, who may sit in many matches. What is the person's and not a
// seat's belongs here. Seats refer to it: whoever takes somebody's place in a match is
// another Player in that Seat. Two players have one address where one of them
// has moved to it: whether the operator has mistyped it cannot be known, so they stay two,
// and a new match is the older one's.
type Player struct {
	// ID names a player in the store; a player whom it does not know has 0, and is
	// taken for the one who has the address, if there is one.
	ID int64
	contact.Contact
	// Several means that the player sits in other matches as well.
	Several bool
	// Zone is the name of the time zone in which the player wants his times, as package
	// zone has it; empty for UTC. No other player is shown it.
	Zone string
	// Calendar means that the player wants an entry for his calendar with letters that ask.
	Calendar bool
	// Away is when the player is on vacation.
	Away Away
	// Version rises with every change of what is the player's own, and with every new match; a change
	// made from an older one is a conflict.
	Version int64
}

// NewPlayer is a player with an address whom no store knows.
func NewPlayer(address string) *Player {
	return &Player{Contact: contact.Contact{Address: address}}
}

// SeatOf names a seat of a match.
type SeatOf struct {
	Match string
	Seat  rules.Seat
	// State is the match's.
	State State
}

// Away is when a player is on vacation.
type Away struct {
	// Vacations are those of this year, of later ones, and of the one before.
	Vacations clock.Vacations `json:"vacations,omitempty"`
	// Told counts how often others were told today that something has changed.
	Told Said `json:"told,omitzero"`
}

// AddressDue reports whether a player's change of address takes effect by itself at a time.
func (p *Player) AddressDue(now time.Time) bool { return !p.Due().IsZero() && !p.Due().After(now) }

// longestObserverDelay bounds what ParseObserverPolicy takes.
const longestObserverDelay = 90 * 24 * time.Hour

// ObserverPolicy is what the players of a match have agreed about being observed. The
// zero value lets nobody observe.
type ObserverPolicy struct {
	// Allowed lets whoever knows the match's name observe it.
	Allowed bool
	// Delay holds everything that an observer is sent back for so long.
	Delay time.Duration
}

// ParseObserverPolicy reads "no", "open", or a delay such as "36h" or "3d".
func ParseObserverPolicy(text string) (ObserverPolicy, error) {
	switch text {
	case "no":
		return ObserverPolicy{}, nil
	case "open":
		return ObserverPolicy{Allowed: true}, nil
	}
	delay, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		delay = time.Duration(min(max(n, 0), 1000)) * 24 * time.Hour
	}
	if err != nil || delay < time.Minute || delay > longestObserverDelay || delay%time.Minute != 0 {
		return ObserverPolicy{}, fmt.Errorf("%q is none of no, open, and a delay of 1m to %dd, such as 36h or 3d", text,
			longestObserverDelay/(24*time.Hour))
	}
	return ObserverPolicy{Allowed: true, Delay: delay}, nil
}

// String is what ParseObserverPolicy reads.
func (p ObserverPolicy) String() string {
	switch {
	case !p.Allowed:
		return "no"
	case p.Delay == 0:
		return "open"
	}
	n, unit := p.delay()
	return fmt.Sprintf("%d%c", n, unit[0])
}

// delay is the delay in its greatest whole unit.
func (p ObserverPolicy) delay() (n time.Duration, unit string) {
	const day = 24 * time.Hour
	switch {
	case p.Delay%day == 0:
		return p.Delay / day, "day"
	case p.Delay%time.Hour == 0:
		return p.Delay / time.Hour, "hour"
	}
	return p.Delay / time.Minute, "minute"
}

// DelayWords says the delay in words, such as "3 days".
func (p ObserverPolicy) DelayWords() string {
	n, unit := p.delay()
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// Observer is somebody who observes a match.
type Observer struct {
	// Number names the observer within the match; it is never given to another.
	Number  int
	Address string
	// Letters counts the letters about the match that were made for the observer.
	// Answers are not counted: with a delay, their numbers would tell what is held
	// back.
	Letters int64
	Since   time.Time
	// Ended is set when the observer leaves. The address is forgotten then, and what
	// waits to be sent to it about the match is dropped.
	Ended bool
}

// ObserverAt returns who observes a match under an address.
func (m *Match) ObserverAt(address string) (Observer, bool) {
	i := slices.IndexFunc(m.Observers, func(o Observer) bool { return contact.Same(o.Address, address) })
	if i < 0 {
		return Observer{}, false
	}
	return m.Observers[i], true
}
