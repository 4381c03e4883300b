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

// Seat is a seat of a match with its player, letters, preferences and clock.
type Seat struct {
	// Name is the name of the seat in records, e.g. "communist".
	Name string
	Occupant
	Correspondence
	Preferences
	// Private is known only to the player.
	Private PrivateState
	SeatTime
	MessagesSent DailyCount
}

// Occupant is the player or robot in a seat.
type Occupant struct {
	// All seats of a player in a match share one Player. PlayerName is the player's name in this match; empty if unknown.
	Player     *Player
	PlayerName string
	// Robot is the name of the robot in the seat; empty for a person.
	Robot string
	// Joined is set by JOIN. SeedWords are the player's contribution to the seed of dice and shuffles. If the player
	// has sealed the words, Seal is their SHA-256 in hexadecimal, and SeedWords is empty until all players have
	// revealed their words.
	Joined    bool
	SeedWords string
	Seal      string
}

// Correspondence is the state of the letters to a seat.
type Correspondence struct {
	// Key signs the tokens of the seat's letters.
	Key []byte
	// LastLetter is the number of the newest letter to the seat; letters are counted from 1.
	LastLetter int64
	// FirstMessageID is the Message-ID of the first letter, to which all later letters refer; empty if unknown.
	FirstMessageID string
	// EntriesWhenAsked is the length of the history when a letter last asked the seat a question; 0 if unknown.
	// The next question reports the events of all later entries.
	EntriesWhenAsked int
	LastPicture      SentPicture
	// LastFullLetter is the number of the newest letter with the whole position; 0 if unknown, or if it did not arrive.
	LastFullLetter int64
	// ClosedThrough is the number of the newest letter at the last take-back or undo. Letters up to this number cannot be answered.
	ClosedThrough int64
	// IgnoreBouncesThrough is the number of the last letter to an earlier address or player. Bounces of letters up to it are ignored.
	IgnoreBouncesThrough int64
	// KeyExposed is set if another person may have seen a token of the seat. The key changes with the next letter to the
	// seat: until then, the player has only tokens of the old key.
	KeyExposed bool
}

// SentPicture identifies the last picture of the map by the number of its letter and a checksum.
type SentPicture struct {
	Number   int64  `json:"number,omitempty"`
	Checksum string `json:"sum,omitempty"`
}

// Preferences are the player's settings for letters in a match.
type Preferences struct {
	// Format and Script are set by FORMAT, e.g. "html" and "utf8".
	Format  Format
	Script  Script
	Confirm ConfirmLevel
}

// SeatTime holds the clock of a seat.
type SeatTime struct {
	// AskedSince is the time at which the open decisions of the seat were asked; zero if there are none.
	AskedSince time.Time
	Clock      clock.Clock
	// CheckAt is the time of the next deadline or reminder of Clock (Match.NextCheck). The store finds due matches by this time.
	CheckAt time.Time
}

// PrivateState is the state of a seat that only its player knows: delays, pending questions and notes. Stored matches use
// the JSON keys, which are older names.
type PrivateState struct {
	// Grace is the time for which the player's orders are delayed (GRACE). DelayedLetter is a letter with such orders; nil for none.
	Grace         time.Duration  `json:"grace,omitempty"`
	DelayedLetter *DelayedLetter `json:"waiting,omitempty"`
	// AnswerDelay is the longest random delay of a pending answer (DELAY). AnswerDue is the time at which the answer is
	// given; AnswerDelayedSince is the time at which AnswerDue was chosen.
	AnswerDelay        time.Duration `json:"delay,omitempty"`
	AnswerDue          time.Time     `json:"wake,omitzero"`
	AnswerDelayedSince time.Time     `json:"slept,omitzero"`
	// Takebacks counts the take-backs that the player asked for today. Requests counts the player's other requests today.
	Takebacks         DailyCount                    `json:"back,omitzero"`
	Requests          map[record.ActKind]DailyCount `json:"requests,omitempty"`
	OperatorQuestions DailyCount                    `json:"asked,omitzero"`
	// RevealedWords are the seed words that the player has revealed, oldest first. The last words may match Seal. When all players
	// have revealed their words, these last words move to SeedWords. Earlier words remain, because they must not be used again.
	RevealedWords    []string         `json:"opened,omitempty"`
	Proposal         *Proposal        `json:"proposed,omitempty"`
	ConsentQuestions ConsentQuestions `json:"consents,omitzero"`
	// AnswerTimes has two numbers for each of the newest answers of the player, oldest first: the Unix time in minutes, and how many
	// minutes the answer took. For example, [10226880,75]. Only answers that all players can see immediately are counted.
	AnswerTimes []int64 `json:"answers,omitempty"`
	// Notes are the player's private notes (NOTE), one line each.
	Notes []string `json:"notes,omitempty"`
}

// CancelAnswerDelay deletes the time of the delayed answer.
func (s *PrivateState) CancelAnswerDelay() {
	s.AnswerDue, s.AnswerDelayedSince = time.Time{}, time.Time{}
}

// DelayedLetter is a letter with orders that wait for the end of GRACE.
type DelayedLetter struct {
	Orders string `json:"orders"`
	Number int64  `json:"number"`
	// MessageID and Digest identify the player's letter.
	MessageID string `json:"message_id"`
	Digest    string `json:"digest"`
	// Since is the time at which the letter arrived. Due is the time at which its orders are carried out.
	Since time.Time `json:"since,omitzero"`
	Due   time.Time `json:"due"`
}

// Proposal is an interpretation of a doubtful letter. YES carries it out.
type Proposal struct {
	// Orders are the lines that YES carries out.
	Orders string `json:"orders"`
	// Number is the number of the letter that asks the player. YES to this letter or a later letter of the match counts.
	Number int64 `json:"number"`
	// Decisions are the decisions that were open when this letter was written. The proposal is void when the open decisions change.
	Decisions []rules.DecisionID `json:"decisions,omitempty"`
}

// ConsentQuestions holds the yes-or-no questions of letters to a player. YES counts for a question only if the
// answered letter asked this question alone. For example, YES to a letter with "May Ben take it back? Is it a
// draw?" does not agree to a draw, even if Ben has since withdrawn the other question.
type ConsentQuestions struct {
	// Questions are the questions of the newest letter, one on each line.
	Questions string `json:"questions,omitempty"`
	// FirstLetter is the number of the first letter that asked exactly Questions. All letters since then have asked the same.
	FirstLetter int64 `json:"since"`
}

// Update records the questions of a letter.
func (c *ConsentQuestions) Update(number int64, questions string) {
	if c.FirstLetter == 0 || c.Questions != questions {
		*c = ConsentQuestions{Questions: questions, FirstLetter: number}
	}
}

// DailyCount counts events of a day, or of a part of a day.
type DailyCount struct {
	// Day is the period, e.g. "2026-12-20", or "2026-12-20 in 7" while the sealed decisions of group 7 are open.
	Day   string
	Count int
}

// Add adds n to the count of a period (a day or a part of a day), unless the count would exceed maximum. It reports whether n was added.
func (c *DailyCount) Add(period string, n, maximum int) bool {
	if c.Day != period {
		*c = DailyCount{Day: period}
	}
	if c.Count+n > maximum {
		return false
	}
	c.Count += n
	return true
}

// ConfirmLevel says which confirmations a player wants. A confirmation is a letter without a question; the next letter
// repeats its content.
type ConfirmLevel string

const (
	// ConfirmNews sends only confirmations that contain news. At the beginning of a match it sends all confirmations.
	ConfirmNews ConfirmLevel = ""
	ConfirmAll  ConfirmLevel = "all"
	ConfirmNone ConfirmLevel = "none"
)

// Format is the format of a player's letters. Empty means the referee's default.
type Format string

const (
	FormatText    Format = "text"
	FormatHTML    Format = "html"
	FormatPicture Format = "picture"
	// FormatSpoken is text for screen readers: sentences in place of tables and drawings.
	FormatSpoken Format = "spoken"
)

// HasHTML reports whether letters of the format have an HTML page beside the text.
func (f Format) HasHTML() bool { return f != FormatText && f != FormatSpoken }

// Script is the spelling of names in letters. With an empty Script, names of the game are in ASCII, and texts of players are unchanged.
type Script string

const (
	// ScriptUTF8 writes names as they are printed on the board, e.g. "Gdańsk".
	ScriptUTF8 Script = "utf8"
	// ScriptPlain writes only ASCII.
	ScriptPlain Script = "plain"
)

// Player is a person, who may play in many matches. When a player is replaced, the seat refers to another Player. Two players
// have the same address if a player changed to the address of another. They are not merged, because the change may have been
// a typing error of the operator. New matches use the older player.
type Player struct {
	// ID is the player's key in the store; 0 for a new player. When a new player is stored, the store looks for a player with the
	// same address, and uses that player if there is one.
	ID int64
	contact.Contact
	InOtherMatches bool
	// Zone is the time zone of the player's letters as in package zone, e.g. "Europe/Berlin"; empty for UTC. It is
	// not shown to other players.
	Zone string
	// Calendar is set if letters with a question carry a calendar entry.
	Calendar bool
	Away     Away
	// Version rises with every change of the player, and with every new match. Writing a player of an older version is a conflict.
	Version int64
}

// NewPlayer returns a player that is not in the store.
func NewPlayer(address string) *Player {
	return &Player{Contact: contact.Contact{Address: address}}
}

// SeatRef names a seat of a match, with the state of the match.
type SeatRef struct {
	Match string
	Seat  rules.Seat
	State State
}

// Away holds a player's vacations and quiet hours.
type Away struct {
	// Quiet are the hours without reminders in the player's time zone (QUIET).
	Quiet clock.QuietHours `json:"quiet,omitzero"`
	// Vacations are the vacations of the last year, this year and later years.
	Vacations clock.Vacations `json:"vacations,omitempty"`
	// NoticesSent counts the notices to other players about changed vacations today.
	NoticesSent DailyCount `json:"told,omitzero"`
}

// IsAddressChangeDue reports whether a change of the player's address takes effect by now.
func (p *Player) IsAddressChangeDue(now time.Time) bool {
	return !p.Due().IsZero() && !p.Due().After(now)
}

const maxObserverDelay = 90 * 24 * time.Hour

// ObserverPolicy is the rule for observers of a match. The zero value forbids observers.
type ObserverPolicy struct {
	// Allowed is set if anyone who knows the match's name may observe it.
	Allowed bool
	// Delay is the delay of everything that observers are sent.
	Delay time.Duration
}

// ParseObserverPolicy reads "no", "open", or a delay like "36h" or "3d".
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
	if err != nil || delay < time.Minute || delay > maxObserverDelay || delay%time.Minute != 0 {
		return ObserverPolicy{}, fmt.Errorf("%q is invalid; use one of no, open, and a delay of 1m to %dd, such as 36h or 3d", text,
			maxObserverDelay/(24*time.Hour))
	}
	return ObserverPolicy{Allowed: true, Delay: delay}, nil
}

// String formats the policy for ParseObserverPolicy, e.g. "3d".
func (p ObserverPolicy) String() string {
	switch {
	case !p.Allowed:
		return "no"
	case p.Delay == 0:
		return "open"
	}
	n, unit := p.delayInUnits()
	return fmt.Sprintf("%d%c", n, unit[0])
}

func (p ObserverPolicy) delayInUnits() (n time.Duration, unit string) {
	const day = 24 * time.Hour
	switch {
	case p.Delay%day == 0:
		return p.Delay / day, "day"
	case p.Delay%time.Hour == 0:
		return p.Delay / time.Hour, "hour"
	}
	return p.Delay / time.Minute, "minute"
}

// FormatDelay returns the delay in words, e.g. "3 days".
func (p ObserverPolicy) FormatDelay() string {
	n, unit := p.delayInUnits()
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// Observer is an observer of a match.
type Observer struct {
	// Number identifies the observer within the match. It is never given to another observer.
	Number  int
	Address string
	// LastLetter is the number of the newest letter to the observer about events of the match; delayed letters count. Replies to
	// letters of the observer have no numbers, because the numbers would reveal how many letters are delayed.
	LastLetter int64
	Since      time.Time
	// IsSpoken is set if the letters are for a screen reader (FORMAT SPOKEN).
	IsSpoken bool
	// HasLeft is set if the observer has left. Then the address is deleted, and queued letters about the match are dropped.
	HasLeft bool
}

// ObserverAt returns the observer with this address; false if there is none.
func (m *Match) ObserverAt(address string) (Observer, bool) {
	i := slices.IndexFunc(m.Observers, func(o Observer) bool { return contact.SameAddress(o.Address, address) })
	if i < 0 {
		return Observer{}, false
	}
	return m.Observers[i], true
}
