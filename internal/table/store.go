package table

import (
	"context"
	"slices"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// store keeps one match in memory: it stands in for the database where a match is
// looked at or played on this machine, without mail.
type store struct {
	match   *adjudicator.Match
	entries []record.Entry
	sent    map[rules.Seat][]adjudicator.Sent
	// letters are the newest letter of ours to each seat.
	letters map[rules.Seat]adjudicator.Dispatch
	// unread are all letters to each seat since somebody read them.
	unread map[rules.Seat][]adjudicator.Dispatch
}

var _ adjudicator.Store = (*store)(nil)

func newStore() *store {
	return &store{sent: map[rules.Seat][]adjudicator.Sent{}, letters: map[rules.Seat]adjudicator.Dispatch{},
		unread: map[rules.Seat][]adjudicator.Dispatch{}}
}

// Create implements adjudicator.Store.
func (s *store) Create(_ context.Context, m *adjudicator.Match, letters []adjudicator.Dispatch) error {
	m.Version = 1
	s.match = copied(m)
	s.post(letters)
	return nil
}

// Match implements adjudicator.Store.
func (s *store) Match(_ context.Context, id string) (*adjudicator.Match, error) {
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
func (s *store) Apply(_ context.Context, c adjudicator.Change) error {
	if c.Match != nil {
		s.match = copied(c.Match)
		s.match.Version++
	}
	s.entries = append(s.entries, c.Entries...)
	s.post(c.Letters)
	return nil
}

func (s *store) post(letters []adjudicator.Dispatch) {
	for _, d := range letters {
		s.letters[d.Seat] = d
		s.unread[d.Seat] = append(s.unread[d.Seat], d)
		s.sent[d.Seat] = append(s.sent[d.Seat], adjudicator.Sent{Number: d.Number, Decisions: d.Decisions, Entries: d.Entries})
	}
}

// Received implements adjudicator.Store: no letter comes twice.
func (s *store) Received(context.Context, string, rules.Seat, string, string) (adjudicator.Disposition, bool, error) {
	return "", false, nil
}

// Sent implements adjudicator.Store.
func (s *store) Sent(_ context.Context, _ string, seat rules.Seat, number int64) (adjudicator.Sent, bool, error) {
	for _, l := range s.sent[seat] {
		if l.Number == number {
			return l, true, nil
		}
	}
	return adjudicator.Sent{}, false, nil
}

// Letters implements adjudicator.Store.
func (s *store) Letters(_ context.Context, _ string, seat rules.Seat) ([]adjudicator.Sent, error) {
	return s.sent[seat], nil
}

// DueMatches implements adjudicator.Store: nobody waits at a table.
func (s *store) DueMatches(context.Context, time.Time, int) ([]string, error) { return nil, nil }

// Registered implements adjudicator.Store.
func (s *store) Registered(context.Context, string) (bool, error) { return false, nil }

// History implements adjudicator.Store.
func (s *store) History(context.Context, string) ([]record.Entry, error) {
	return slices.Clone(s.entries), nil
}

// ObserverKey implements adjudicator.Store: a match in memory has no observers.
func (s *store) ObserverKey() []byte { return nil }

// Observes implements adjudicator.Store.
func (s *store) Observes(context.Context, string) (bool, error) { return false, nil }

// ReceivedLike implements adjudicator.Store.
func (s *store) ReceivedLike(context.Context, string) (int, error) { return 0, nil }

// noPost makes letters that go nowhere.
type noPost struct{}

var _ adjudicator.Post = noPost{}

func (noPost) Token([]byte, adjudicator.Token) string           { return "" }
func (noPost) LetterID([]byte, adjudicator.Token) string        { return "" }
func (noPost) Domain() string                                   { return "table.local" }
func (noPost) Referee() string                                  { return "" }
func (noPost) Answer(adjudicator.Dispatch) (to, subject string) { return "", "" }
func (noPost) Render(adjudicator.Dispatch) (adjudicator.Rendered, error) {
	return adjudicator.Rendered{}, nil
}
func (noPost) Mark() string { return letterMark }

// letterMark stands above letters that go nowhere; it is cut off again.
const letterMark = "==="
