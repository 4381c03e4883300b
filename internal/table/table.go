// Package table plays matches at a terminal, and tries orders in a position. The adjudicator processes the orders as
// letters, but the match is in memory and a terminal takes the place of mail. The commands "samizdat play" and
// "samizdat check" and the web pages for practice matches use this package.
package table

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/playout"
	"samizdat/rules"
)

type table struct {
	adj   *adjudicator.Adjudicator
	store *store
	game  *rules.Game
	// lettersWritten counts the letters from all seats. It is also the UID of the newest.
	lettersWritten uint32
}

func newTable(g *rules.Game, seed uint64) table {
	s := newStore()
	return table{game: g, store: s, adj: adjudicator.New(adjudicator.Config{ReplyConfig: conversation.ReplyConfig{Store: s,
		Codec: discardingCodec{},
		Now:   time.Now}, Games: []*rules.Game{g}, Random: playout.RandomBytes(seed)})}
}

// TryInvitation checks an invitation without inviting players.
func TryInvitation(ctx context.Context, games rules.Games, invitation adjudicator.Invitation) error {
	a := adjudicator.New(adjudicator.Config{ReplyConfig: conversation.ReplyConfig{Store: newStore(), Codec: discardingCodec{},
		Now: time.Now}, Games: games, Random: rand.Reader})
	_, err := a.CreateMatch(ctx, invitation)
	return err
}

func seatAddress(seat string) string { return seat + "@table.local" }

func newPositionTable(g *rules.Game, setup rules.Setup, pos rules.Position) (table, error) {
	data, err := pos.MarshalJSON()
	if err != nil {
		return table{}, err
	}
	t := newTable(g, 0)
	m := &match.Match{ID: "check", Game: g.Name(), Revision: setup.Revision, Options: setup.Options, State: match.Playing,
		Progress: match.Progress{Position: data}}
	if _, isOver := pos.Result(); isOver {
		m.State = match.Over
	}
	if m.Secret, err = record.NewSecret(playout.RandomBytes(0)); err != nil {
		return table{}, err
	}
	for i, name := range g.SeatNames(setup) {
		m.Seats = append(m.Seats, match.Seat{Name: name,
			Occupant:       match.Occupant{Player: match.NewPlayer(seatAddress(name)), Joined: true},
			Correspondence: match.Correspondence{LastLetter: 1}})
		s := exchange.SentLetter{Number: 1}
		for _, d := range pos.OpenDecisions(nil) {
			if d.Seat == rules.Seat(i) {
				s.Decisions = append(s.Decisions, d.ID)
			}
		}
		t.store.sent[rules.Seat(i)] = []exchange.SentLetter{s}
	}
	t.store.match = m
	return t, nil
}

// writeLetter passes text to the adjudicator, as a reply of a seat to the newest letter that the seat has received. It
// returns the letter that answers it.
func (t *table) writeLetter(ctx context.Context, seat rules.Seat, text string) (exchange.OutgoingLetter, error) {
	t.lettersWritten++
	m := t.store.match
	_, err := t.adj.Receive(ctx, exchange.Letter{
		Sender: exchange.Sender{From: m.Seats[seat].Player.Address, SignedBy: func([]byte) bool { return true },
			Token: &exchange.Token{Match: m.ID, Seat: seat, Number: m.Seats[seat].LastLetter}},
		DecodedText: exchange.DecodedText{Text: text},
		// The digest only has to differ between letters.
		Delivery: exchange.Delivery{UID: t.lettersWritten, ArrivedAt: time.Now(), Digest: fmt.Sprintf("%064d", t.lettersWritten)},
	})
	return t.store.newestLetters[seat], err
}

func (t *table) currentPosition() (rules.Position, error) {
	return t.store.match.CurrentPosition(t.game)
}

func (t *table) openDecisions() ([]rules.Decision, rules.Position, error) {
	pos, err := t.currentPosition()
	if err != nil {
		return nil, nil, err
	}
	return t.store.match.UnansweredDecisions(pos), pos, nil
}

// findSeat returns the seat with a name; without a name it returns the seat to move.
func (t *table) findSeat(name string) (rules.Seat, error) {
	var names []string
	for _, s := range t.store.match.Seats {
		names = append(names, s.Name)
	}
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) }); i >= 0 {
		return rules.Seat(i), nil
	}
	if name != "" {
		return rules.NoSeat, fmt.Errorf("unknown seat %q; the seats are %s", name, match.JoinAnd(names))
	}
	decisions, _, err := t.openDecisions()
	if err != nil {
		return rules.NoSeat, err
	}
	if len(decisions) == 0 {
		return rules.NoSeat, errors.New("no seat is to move; choose a seat with --seat")
	}
	return decisions[0].Seat, nil
}

// store holds one match in memory. It takes the place of the database.
type store struct {
	match         *match.Match
	entries       []record.Entry
	sent          map[rules.Seat][]exchange.SentLetter
	newestLetters map[rules.Seat]exchange.OutgoingLetter
	unreadLetters map[rules.Seat][]exchange.OutgoingLetter
}

var _ exchange.Store = (*store)(nil)

func newStore() *store {
	return &store{sent: map[rules.Seat][]exchange.SentLetter{}, newestLetters: map[rules.Seat]exchange.OutgoingLetter{},
		unreadLetters: map[rules.Seat][]exchange.OutgoingLetter{}}
}

func (s *store) Create(_ context.Context, m *match.Match, letters []exchange.OutgoingLetter) error {
	m.Version = 1
	s.match = copyMatch(m)
	s.storeLetters(letters)
	return nil
}

func (s *store) Match(_ context.Context, id string) (*match.Match, error) {
	if s.match == nil || s.match.ID != id {
		return nil, exchange.ErrNoMatch
	}
	return copyMatch(s.match), nil
}

// copyMatch copies a match with the slices that the adjudicator changes in place.
func copyMatch(m *match.Match) *match.Match {
	out := *m
	out.Seats, out.Pending = slices.Clone(m.Seats), slices.Clone(m.Pending)
	return &out
}

// Apply implements exchange.Store. It needs no lock, because letters are processed one after the other.
func (s *store) Apply(_ context.Context, c exchange.Change) error {
	if c.Match != nil {
		s.match = copyMatch(c.Match)
		s.match.Version++
	}
	s.entries = append(s.entries, c.Entries...)
	s.storeLetters(c.Letters)
	return nil
}

func (s *store) storeLetters(letters []exchange.OutgoingLetter) {
	for _, letter := range letters {
		s.newestLetters[letter.Seat] = letter
		s.unreadLetters[letter.Seat] = append(s.unreadLetters[letter.Seat], letter)
		s.sent[letter.Seat] = append(s.sent[letter.Seat], exchange.SentLetter{Number: letter.Number, Decisions: letter.Decisions,
			EntryCount: letter.EntryCount})
	}
}

// Received implements exchange.Store: no letter comes twice.
func (s *store) Received(context.Context, string, rules.Seat, string, string) (exchange.Disposition, bool, error) {
	return "", false, nil
}

func (s *store) Sent(_ context.Context, _ string, seat rules.Seat, number int64) (exchange.SentLetter, bool, error) {
	for _, l := range s.sent[seat] {
		if l.Number == number {
			return l, true, nil
		}
	}
	return exchange.SentLetter{}, false, nil
}

func (s *store) Letters(_ context.Context, _ string, seat rules.Seat) ([]exchange.SentLetter, error) {
	return s.sent[seat], nil
}

// MatchesWithBackgroundJobs implements exchange.Store: at a table, package table lets robots answer at once.
func (s *store) MatchesWithBackgroundJobs(context.Context, int) ([]string, error) { return nil, nil }

// DueMatches implements exchange.Store: a match at a table has no timers.
func (s *store) DueMatches(context.Context, time.Time, int) ([]string, error) { return nil, nil }

func (s *store) IsRegistered(context.Context, string) (bool, error) { return false, nil }

func (s *store) History(context.Context, string) ([]record.Entry, error) {
	return slices.Clone(s.entries), nil
}

// ObserverKey implements exchange.Store: a match in memory has no observers.
func (s *store) ObserverKey() []byte { return nil }

func (s *store) IsObserver(context.Context, string) (bool, error) { return false, nil }

func (s *store) CountReceipts(context.Context, string) (int, error) { return 0, nil }

// discardingCodec is an exchange.Codec that sends nothing. The store keeps the letters.
type discardingCodec struct{}

var _ exchange.Codec = discardingCodec{}

func (discardingCodec) Token([]byte, exchange.Token) string                       { return "" }
func (discardingCodec) LetterID([]byte, exchange.Token) string                    { return "" }
func (discardingCodec) Domain() string                                            { return "table.local" }
func (discardingCodec) Referee() string                                           { return "" }
func (discardingCodec) ReplyAddress(exchange.OutgoingLetter) (to, subject string) { return "", "" }
func (discardingCodec) Render(exchange.OutgoingLetter) (exchange.RenderedMessage, error) {
	return exchange.RenderedMessage{}, nil
}
func (discardingCodec) MarkerLine() string { return letterMark }

// letterMark is the first line of letters at a table. splitLetter removes it.
const letterMark = "==="
