package adjudicator

import (
	"context"
	"errors"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
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

// Standing says in few words how a match stands for a seat.
type Standing struct {
	Match string
	Seat  rules.Seat
	// Line says what is wanted of the seat, of which match and where that stands; Time how much
	// time there is, empty where no clock runs.
	Line, Time string
	// Asked means that the seat is asked something.
	Asked bool
}

// Standing says how a match stands for a seat of it, out of that seat's view.
func (a *Adjudicator) Standing(ctx context.Context, m *match.Match, seat rules.Seat) (s Standing, err error) {
	j, err := a.adjudication(ctx, m, seat, Letter{})
	if err != nil {
		return s, err
	}
	s = Standing{Match: m.ID, Seat: seat, Line: strings.TrimSpace(strings.TrimSuffix(compose.SubjectFor(j.turn, seat, compose.Options{Extent: compose.Whole}), "["+m.ID+"]"))}
	if j.turn.After == nil {
		s.Asked = !m.Seats[seat].Joined
		return s, nil
	}
	s.Asked, _ = j.turn.Asks(seat)
	if !m.Tempo.None() && m.State == match.Playing {
		s.Time = compose.OwnTime(j.turn, seat)
	}
	return s, nil
}

// Again writes to a seat how its match stands now, as Resend does. Why says why the letter
// comes. The match has to be stored with it: it counts the letter.
func (a *Adjudicator) Again(ctx context.Context, m *match.Match, seat rules.Seat, why string) (Dispatch, error) {
	j, err := a.adjudication(ctx, m, seat, Letter{Sender: Sender{From: m.Seats[seat].Player.Address}})
	if err != nil {
		return Dispatch{}, err
	}
	j.reply.whole = rules.Only(seat)
	j.turn.Tell(seat, "", match.OutcomeDone, why)
	return letterTo(j, seat, rules.Nobody)
}

// Club takes the letters of a club whose members play here. What it needs of the adjudicator
// are the methods of this file.
type Club interface {
	// Receive takes a letter that no seat's player has proved to have written, and reports
	// whether it is one to the club. It stores what the letter leads to in one transaction,
	// and may be asked again with the same letter.
	Receive(ctx context.Context, l Letter) (d Disposition, done bool, err error)
	// Newcomer takes a letter of somebody who is nobody here and has said nothing that is understood,
	// such as "Hello, I would like to join".
	Newcomer(ctx context.Context, l Letter) (Disposition, error)
	// Key is the key of the tokens in letters to a member, and his address; nil where there is
	// none of that number.
	Key(ctx context.Context, member int64) (key []byte, address string, err error)
}

// toClub takes the letters to the club, where there is one.
func (a *Adjudicator) toClub(ctx context.Context, l Letter) (Disposition, bool, error) {
	if a.Club == nil {
		return "", false, nil
	}
	return a.Club.Receive(ctx, l)
}

// knowsMember reports whether a token is genuine, of a member at an address.
func (a *Adjudicator) knowsMember(ctx context.Context, t Token, genuine func(key []byte) bool, address string) (bool, error) {
	if a.Club == nil || t.Member == 0 {
		return false, nil
	}
	key, is, err := a.Club.Key(ctx, t.Member)
	return err == nil && key != nil && contact.Same(is, address) && genuine(key), err
}

// Vacations says which vacations of a player are planned, and how many days he has left.
func (a *Adjudicator) Vacations(p *match.Player) string {
	return strings.TrimSpace(compose.PlannedVacations(p, a.Now()) + compose.VacationBudget(p, a.Now(), a.VacationDays))
}
