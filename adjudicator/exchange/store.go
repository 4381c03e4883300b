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
	Match   *match.Match
	Receipt *Receipt
	Entries []record.Entry
	Letters []Dispatch
	// Player is one of whom something has changed that is his own; nil when nobody's has. Others are matches
	// that change with it beside Match: their letters have other tokens.
	Player *match.Player
	Others []*match.Match
	// Observers are those who are new, were written to, or have left. Letters that
	// wait for those who left are dropped.
	Observers []match.Observer
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
	// ErrDuplicate: the receipt is there already.
	ErrDuplicate = errors.New("the letter was taken up already")
)

// Store keeps matches.
type Store interface {
	// Create stores a new match with its invitations. Players whom it does not know by
	// their addresses are new.
	Create(ctx context.Context, m *match.Match, letters []Dispatch) error
	// Match reads a match; ErrNoMatch when there is none.
	Match(ctx context.Context, id string) (*match.Match, error)
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

// Beginning is a new match that is not stored yet, with its first entries and letters.
type Beginning struct {
	Match   *match.Match
	Entries []record.Entry
	Letters []Dispatch
}

// BounceBook is a Store that keeps account of letters that did not arrive.
type BounceBook interface {
	// Bounced books that a letter of ours to a seat did not arrive. Of several
	// reports of one letter the worst stays.
	Bounced(ctx context.Context, match string, seat rules.Seat, number int64, b Bounce, at time.Time) error
}

// AddressBook is a Store that knows what became of short letters, and where else a
// player sits.
type AddressBook interface {
	// NoteSent tells of the short letter that has a
	// Message-ID when it was sent, or that it waits to be; of none, or of one that could
	// not be sent, it gives the zero time.
	NoteSent(ctx context.Context, messageID string) (sent time.Time, waits bool, err error)
	// SeatsOf lists the seats of a player, by match.
	SeatsOf(ctx context.Context, player int64) ([]match.SeatRef, error)
}

// ReturnBook is a Store that knows how many letters to the seats of a match did not arrive.
type ReturnBook interface {
	// Returned counts, by seat, the letters that came back from the address that its player has.
	Returned(ctx context.Context, match string) (map[rules.Seat]int, error)
}

// Post is what the adjudicator needs of the mail side.
type Post interface {
	// Token is the secret that answers to a letter bring back.
	Token(key []byte, t Token) string
	// Referee is the address of the referee.
	Referee() string
	// LetterID is the Message-ID of a letter. Nobody can guess it.
	LetterID(key []byte, t Token) string
	// Answer is the address and the subject of an answer to a letter with a token.
	Answer(d Dispatch) (to, subject string)
	// Domain is the right side of our Message-IDs.
	Domain() string
	// Render writes a dispatch as a message.
	Render(d Dispatch) (Rendered, error)
	// Mark is the line that stands above everything that we write.
	Mark() string
}
