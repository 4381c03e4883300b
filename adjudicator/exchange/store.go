package exchange

import (
	"context"
	"errors"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Receipt records that a letter was handled. A second letter from a seat with this digest is a duplicate.
type Receipt struct {
	Match  string
	Seat   rules.Seat
	Digest string
	// The operator can find the letter by UIDValidity and UID (its place in the mailbox), or by MessageID.
	UIDValidity, UID uint32
	MessageID        string
	Raw              []byte
	Disposition      Disposition
	At               time.Time
}

// Change holds everything that one letter or due task changes. It is stored in one transaction.
type Change struct {
	Match   *match.Match
	Receipt *Receipt
	Entries []record.Entry
	Letters []OutgoingLetter
	// Player is a player with a changed address, vacation or time zone; nil if unchanged. OtherMatches are the other
	// matches of this player that change, e.g. because the seats in them get new keys for tokens.
	Player       *match.Player
	OtherMatches []*match.Match
	// Observers are new observers, observers who get a letter, and observers who have left. Queued letters to
	// observers who have left are dropped.
	Observers []match.Observer
	// Replacements are the seats with a new player. Queued letters to the former players are dropped.
	Replacements []match.Replacement
	NewMatches   []NewMatch
	Club         *club.Change
	// Analysis is a new analysis of the match, as JSON; nil for none.
	Analysis []byte
	// Notices are the news of Match for web hooks.
	Notices []club.Notice
}

// The adjudicator handles these errors of a Store, and match.ErrConflict.
var (
	// ErrNoMatch means that no match has this name.
	ErrNoMatch = errors.New("there is no such match")
	// ErrDuplicate means that a receipt with this digest exists.
	ErrDuplicate = errors.New("the letter was handled already")
)

// Store stores matches. Package storage implements it with a database.
type Store interface {
	// Create stores a new match with its invitations, and creates players with unknown addresses.
	Create(ctx context.Context, m *match.Match, letters []OutgoingLetter) error
	// Match returns ErrNoMatch if there is none.
	Match(ctx context.Context, id string) (*match.Match, error)
	// Apply stores a change in one transaction. It returns match.ErrConflict if the stored match or player has another
	// version, and ErrDuplicate if the receipt exists.
	Apply(ctx context.Context, c Change) error
	// Received reports whether a letter of a seat was handled, and returns its disposition. It looks for a receipt
	// with digest or, unless alternative is empty, with alternative.
	Received(ctx context.Context, match string, seat rules.Seat, digest, alternative string) (Disposition, bool, error)
	// Sent returns a letter that was sent to a seat; false if there is no letter with this number.
	Sent(ctx context.Context, match string, seat rules.Seat, number int64) (SentLetter, bool, error)
	// Letters returns all letters to a seat, sorted by number.
	Letters(ctx context.Context, match string, seat rules.Seat) ([]SentLetter, error)
	// DueMatches returns IDs of matches with work due by now, earliest first. If the system clock was set back, it also
	// returns matches with a timer that starts after now. For a player with a due timer, e.g. a change of address, it
	// returns the ID of any match of the player.
	DueMatches(ctx context.Context, now time.Time, limit int) ([]string, error)
	// MatchesWithBackgroundJobs returns IDs of matches with a BackgroundJob. Matches with a robot to move come first.
	MatchesWithBackgroundJobs(ctx context.Context, limit int) ([]string, error)
	// IsRegistered reports whether an address belongs to a player.
	IsRegistered(ctx context.Context, address string) (bool, error)
	History(ctx context.Context, match string) ([]record.Entry, error)
	// ObserverKey returns the secret from which the keys of observers' tokens are derived.
	ObserverKey() []byte
	// IsObserver reports whether an address observes any match.
	IsObserver(ctx context.Context, address string) (bool, error)
	// CountReceipts counts the receipts that belong to no match and whose digests begin with prefix.
	CountReceipts(ctx context.Context, prefix string) (int, error)
}

// NewMatch is a new match with its first entries and letters.
type NewMatch struct {
	Match   *match.Match
	Entries []record.Entry
	Letters []OutgoingLetter
	Notices []club.Notice
}

// BounceRecorder records bounces. A Store may implement it.
type BounceRecorder interface {
	// RecordBounce records that a letter to a seat bounced. If a letter has several reports, the most severe one is kept.
	RecordBounce(ctx context.Context, match string, seat rules.Seat, number int64, b Bounce, at time.Time) error
}

// NoticeAndSeatReader reads when notices were sent, and in which matches a player sits. A Store may implement it.
type NoticeAndSeatReader interface {
	// NoticeSentAt returns the time at which the notice with a Message-ID was sent. isQueued is set if the notice
	// still waits to be sent. The time is zero if the notice is unknown or could not be sent.
	NoticeSentAt(ctx context.Context, messageID string) (sent time.Time, isQueued bool, err error)
	// SeatsOf returns the seats of a player in all matches.
	SeatsOf(ctx context.Context, player int64) ([]match.SeatRef, error)
}

// BounceCounter counts the bounces of a match. A Store may implement it.
type BounceCounter interface {
	// CountBounces counts, for each seat, the bounces from the player's current address.
	CountBounces(ctx context.Context, match string) (map[rules.Seat]int, error)
}

// Codec writes addresses and messages. Package internal/post implements it.
type Codec interface {
	// Token returns the text of a token, signed with a key.
	Token(key []byte, t Token) string
	// Referee returns the mail address of the referee.
	Referee() string
	// LetterID returns a Message-ID that cannot be guessed.
	LetterID(key []byte, t Token) string
	// ReplyAddress returns the address and the subject that a player's reply to this letter has.
	ReplyAddress(d OutgoingLetter) (to, subject string)
	// Domain returns the domain of our Message-IDs.
	Domain() string
	// Render renders a letter as a message (RFC 5322).
	Render(d OutgoingLetter) (RenderedMessage, error)
	// MarkerLine returns the line at the top of all our letters, "Write above this line". The mail side cuts quoted letters at it.
	MarkerLine() string
}
