package adjudicator

import (
	"context"
	"errors"
	"slices"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// State is where a match stands in its life.
type State string

// The states of a match.
const (
	Inviting State = "inviting"
	Playing  State = "playing"
	Over     State = "over"
	// CalledOff is a match that was called off before it began.
	CalledOff State = "off"
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

// Wishes are how the player of a seat wants to play by mail.
type Wishes struct {
	// Format and Script are what the player wants letters to be.
	Format match.Format
	Script match.Script
	// Confirm says which letters that only confirm the player wants.
	Confirm match.Confirm
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

// Match is a match as it is stored between two letters.
type Match struct {
	ID       string
	Game     string
	Revision int
	Options  map[string]string
	State    State
	Seats    []Seat
	Held     []Held
	// Takeback is what a player asks to take back; nil when nobody does.
	Takeback *Takeback
	// Version rises with every change; a change made from an older version is
	// a conflict.
	Version int64
	Created time.Time
	// Directing is where the director's letters about the match stand.
	Directing match.Directing
	// Acts is what acts have made of the match.
	Acts Acts
	Chance
	Progress
	Observing
	TimeControl
}

// Chance is where a match's dice and shuffles come from.
type Chance struct {
	Secret record.Secret
	// Recorded is the list of outcomes of a match whose chance comes from
	// elsewhere, Used how many are gone. Nil means the sealed stream.
	Recorded []record.Outcome
	Used     int
	Epoch    int
	// SealedWords means that every seat has to seal its words.
	SealedWords bool
	// Beacon is the public beacon that is mixed into the chance; nil for none.
	Beacon *Beacon
}

// Progress is how far a match has come.
type Progress struct {
	// Position is the canonical JSON of the position; nil before the deal. Build
	// names the program that wrote it.
	Position []byte
	Build    string
	// Stopped names the program that has come to another position; empty where none has.
	Stopped string
	// Entries counts the history's entries, Ordered those with game orders,
	// Head is the newest hash.
	Entries, Ordered int
	Head             string
	// Summary is what a list says of the match; nil before the deal.
	Summary *Summary
}

// Observing is who observes a match. ObserverPolicy is what is agreed about it, Observers are those who
// do now, LastObserver is the highest number that one was given.
type Observing struct {
	ObserverPolicy ObserverPolicy
	Observers      []Observer
	LastObserver   int
}

// TimeControl is how much time the seats have.
type TimeControl struct {
	// Tempo is how much time they have, and Zero what happens when none is left.
	Tempo clock.Tempo
	Zero  clock.Zero
	// Deaf are the times since one of the clocks began to run in which nobody looked for
	// letters. The store knows them.
	Deaf clock.Stops
}

// Held is an answer that waits for its question: a conditional order, or a sealed
// answer. It is private to its seat, and not part of the history.
type Held struct {
	Seat rules.Seat `json:"seat"`
	// Play is the play that it belongs to; it lapses with it.
	Play uint32 `json:"play"`
	// Decision is the sealed decision that it answers, or 0.
	Decision rules.DecisionID `json:"decision,omitempty"`
	Answer   rules.Answer     `json:"answer"`
	// Silent is set instead of Answer when the time for the decision is over: its
	// answer is found when all of its group are opened.
	Silent bool `json:"silent,omitempty"`
	// Standing is set for an answer that stands, and Changes is how often what ends it
	// had changed when it was given.
	Standing bool `json:"standing,omitempty"`
	Changes  int  `json:"changes,omitempty"`
	// Letter is the digest of the letter that brought it.
	Letter string `json:"letter"`
	// List numbers the line that it is a part of: in a list, what is not legal
	// when it is reached is skipped.
	List int `json:"list,omitempty"`
	// Conditional, when set, is a conditional order; then Seat and Letter only repeat its own
	// and the rest is empty.
	Conditional *ahead.Line `json:"ahead,omitempty"`
}

// Unanswered lists the decisions that are open in a position of the match, without
// those whose sealed answer waits for the others'.
func (m *Match) Unanswered(pos rules.Position) []rules.Decision {
	return slices.DeleteFunc(pos.Owed(nil), func(d rules.Decision) bool {
		return slices.ContainsFunc(m.Held, func(h Held) bool { return h.Decision == d.ID })
	})
}

// Receipt says that a letter was taken up. Of one digest, a seat's second
// letter is a duplicate.
type Receipt struct {
	Match  string
	Seat   rules.Seat
	Digest string
	// UIDValidity, UID and MessageID are how the operator finds it.
	UIDValidity, UID uint32
	MessageID        string
	// Raw is the letter as it came.
	Raw         []byte
	Disposition Disposition
	At          time.Time
}

// Change is everything that one letter leads to. It is stored whole or not at
// all.
type Change struct {
	Match   *Match
	Receipt *Receipt
	Entries []record.Entry
	Letters []Dispatch
	// Player is one of whom something has changed that is his own; nil when nobody's has. Others are matches
	// that change with it beside Match: their letters have other tokens.
	Player *Player
	Others []*Match
	// Observers are those who are new, were written to, or have left. Letters that
	// wait for those who left are dropped.
	Observers []Observer
	// Replaced are seats that have got other players. Letters that wait for those who
	// sat there are dropped.
	Replaced []rules.Seat
	// Begun are new matches, with their first letters.
	Begun []Beginning
	// Club is what of the club changes; nil when nothing does.
	Club *club.Change
}

// The errors of a Store that the adjudicator acts on.
var (
	// ErrNoMatch: no match has the identifier.
	ErrNoMatch = errors.New("there is no such match")
	// ErrConflict: the match, or the player, has moved on since it was read.
	ErrConflict = errors.New("the match has moved on")
	// ErrDuplicate: the receipt is there already.
	ErrDuplicate = errors.New("the letter was taken up already")
)

// Store keeps matches.
type Store interface {
	// Create stores a new match with its invitations. Players whom it does not know by
	// their addresses are new.
	Create(ctx context.Context, m *Match, letters []Dispatch) error
	// Match reads a match; ErrNoMatch when there is none.
	Match(ctx context.Context, id string) (*Match, error)
	// Apply stores a change in one transaction, or nothing: ErrConflict when
	// a match or the player is no longer at the version that it was read at, ErrDuplicate
	// when the receipt is there already.
	Apply(ctx context.Context, c Change) error
	// Received reports whether a seat's letter was taken up already, by its digest or
	// by another that it may have instead, empty for none; and what became of it.
	Received(ctx context.Context, match string, seat rules.Seat, digest, or string) (Disposition, bool, error)
	// Sent returns what a letter of ours asked; false when there was none.
	Sent(ctx context.Context, match string, seat rules.Seat, number int64) (Sent, bool, error)
	// Letters lists the letters of ours to a seat, by number.
	Letters(ctx context.Context, match string, seat rules.Seat) ([]Sent, error)
	// DueMatches lists matches of which something was due at a time or before, or
	// waits since a later time, and one for each player of whom something does; what was
	// due first comes first.
	DueMatches(ctx context.Context, now time.Time, limit int) ([]string, error)
	// Registered reports whether any player has the address.
	Registered(ctx context.Context, address string) (bool, error)
	// History returns the entries of a match in order.
	History(ctx context.Context, match string) ([]record.Entry, error)
	// ObserverKey is the secret from which the keys of observers' tokens are made.
	ObserverKey() []byte
	// Observes reports whether somebody at an address observes any match.
	Observes(ctx context.Context, address string) (bool, error)
	// ReceivedLike counts the receipts of no match whose digests begin so.
	ReceivedLike(ctx context.Context, prefix string) (int, error)
}
