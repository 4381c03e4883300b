package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// memory keeps one match in memory: it stands in for the database where a match is
// looked at or played on this machine, without mail.
type memory struct {
	match   *adjudicator.Match
	entries []record.Entry
	sent    map[rules.Seat][]adjudicator.Sent
	// letters are the newest letter of ours to each seat.
	letters map[rules.Seat]adjudicator.Dispatch
	// unread are all letters to each seat since somebody read them.
	unread map[rules.Seat][]adjudicator.Dispatch
}

var _ adjudicator.Store = (*memory)(nil)

func newMemory() *memory {
	return &memory{sent: map[rules.Seat][]adjudicator.Sent{}, letters: map[rules.Seat]adjudicator.Dispatch{},
		unread: map[rules.Seat][]adjudicator.Dispatch{}}
}

// Create implements adjudicator.Store.
func (s *memory) Create(_ context.Context, m *adjudicator.Match, letters []adjudicator.Dispatch) error {
	m.Version = 1
	s.match = copied(m)
	s.post(letters)
	return nil
}

// Match implements adjudicator.Store.
func (s *memory) Match(_ context.Context, id string) (*adjudicator.Match, error) {
	if s.match == nil || s.match.ID != id {
		return nil, adjudicator.ErrNoMatch
	}
	return copied(s.match), nil
}

// copied copies what the adjudicator changes.
func copied(m *adjudicator.Match) *adjudicator.Match {
	out := *m
	out.Seats, out.Held = slices.Clone(m.Seats), slices.Clone(m.Held)
	return &out
}

// Apply implements adjudicator.Store. Letters come one after the other.
func (s *memory) Apply(_ context.Context, c adjudicator.Change) error {
	if c.Match != nil {
		s.match = copied(c.Match)
		s.match.Version++
	}
	s.entries = append(s.entries, c.Entries...)
	s.post(c.Letters)
	return nil
}

func (s *memory) post(letters []adjudicator.Dispatch) {
	for _, d := range letters {
		s.letters[d.Seat] = d
		s.unread[d.Seat] = append(s.unread[d.Seat], d)
		s.sent[d.Seat] = append(s.sent[d.Seat], adjudicator.Sent{Number: d.Number, MessageID: d.MessageID, Decisions: d.Decisions, Entries: d.Entries})
	}
}

// Received implements adjudicator.Store: no letter comes twice.
func (s *memory) Received(context.Context, string, rules.Seat, string) (adjudicator.Disposition, bool, error) {
	return "", false, nil
}

// Sent implements adjudicator.Store.
func (s *memory) Sent(_ context.Context, _ string, seat rules.Seat, number int64) (adjudicator.Sent, bool, error) {
	for _, l := range s.sent[seat] {
		if l.Number == number {
			return l, true, nil
		}
	}
	return adjudicator.Sent{}, false, nil
}

// Letters implements adjudicator.Store.
func (s *memory) Letters(_ context.Context, _ string, seat rules.Seat) ([]adjudicator.Sent, error) {
	return s.sent[seat], nil
}

// DueMatches implements adjudicator.Store: nobody waits at a table.
func (s *memory) DueMatches(context.Context, time.Time, int) ([]string, error) { return nil, nil }

// Registered implements adjudicator.Store.
func (s *memory) Registered(context.Context, string) (bool, error) { return false, nil }

// History implements adjudicator.Store.
func (s *memory) History(context.Context, string) ([]record.Entry, error) {
	return slices.Clone(s.entries), nil
}

// desk makes letters that go nowhere.
type desk struct{}

func (desk) ReplyTo([]byte, string, rules.Seat, int64) string  { return "" }
func (desk) LetterID([]byte, string, rules.Seat, int64) string { return "" }
func (desk) Domain() string                                    { return "table.local" }
func (desk) Render(adjudicator.Dispatch) ([]byte, error)       { return nil, nil }
func (desk) PictureID(adjudicator.Dispatch) string             { return "" }
func (desk) Mark() string                                      { return deskMark }

// deskMark stands above letters that go nowhere; it is cut off again.
const deskMark = "==="

// local is a match in memory with the adjudicator that referees it.
type local struct {
	adj   *adjudicator.Adjudicator
	store *memory
	game  rules.Game
	n     uint32
	// whose is the seat whose view the position is imagined from; empty where all of
	// it is known.
	whose string
}

// write hands in a letter of a seat in reply to its newest, and returns the answer.
func (l *local) write(ctx context.Context, seat rules.Seat, text string) (adjudicator.Dispatch, adjudicator.Disposition, error) {
	l.n++
	m := l.store.match
	d, err := l.adj.Receive(ctx, adjudicator.Letter{
		From: m.Seats[seat].Address, Genuine: func([]byte) bool { return true }, Orders: text, UID: l.n, Arrived: time.Now(),
		Token: &adjudicator.Token{Match: m.ID, Seat: seat, Number: m.Seats[seat].Letters},
		// It tells letters apart; here it is no hash of anything.
		Digest: fmt.Sprintf("%064d", l.n),
	})
	return l.store.letters[seat], d, err
}
