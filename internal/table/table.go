// Package table plays and tries a match on this machine: the adjudicator of the
// letters with a match in memory, a terminal in the place of the mail.
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
	"samizdat/adjudicator/match/record"
	"samizdat/internal/playout"
	"samizdat/rules"
	"samizdat/templates"
)

// table is a match in memory with the adjudicator that referees it.
type table struct {
	adj   *adjudicator.Adjudicator
	store *store
	game  rules.Game
	// written counts the letters of all seats.
	written uint32
}

// newTable is a table without a match.
func newTable(g rules.Game, seed uint64) table {
	s := newStore()
	return table{game: g, store: s, adj: adjudicator.New(adjudicator.Config{Games: []rules.Game{g}, Store: s, Post: noPost{}, Now: time.Now, Random: playout.Bytes(seed)})}
}

// TryInvitation says whether players could be invited so; nobody is.
func TryInvitation(ctx context.Context, games rules.Games, inv adjudicator.Invitation) error {
	a := adjudicator.New(adjudicator.Config{Games: games, Store: newStore(), Post: noPost{}, Now: time.Now, Random: rand.Reader})
	_, err := a.New(ctx, inv)
	return err
}

// seatAddress is the address that stands for a seat where no mail is sent.
func seatAddress(seat string) string { return seat + "@table.local" }

// layOut makes a match in memory that stands at a position.
func layOut(g rules.Game, setup rules.Setup, pos rules.Position) (table, error) {
	data, err := pos.MarshalJSON()
	if err != nil {
		return table{}, err
	}
	t := newTable(g, 0)
	m := &adjudicator.Match{ID: "check", Game: g.Name(), Revision: setup.Revision, Options: setup.Options, State: adjudicator.Playing, Progress: adjudicator.Progress{Position: data}}
	if _, over := pos.Result(); over {
		m.State = adjudicator.Over
	}
	if m.Secret, err = record.NewSecret(playout.Bytes(0)); err != nil {
		return table{}, err
	}
	for i, name := range g.SeatNames(setup) {
		m.Seats = append(m.Seats, adjudicator.Seat{Name: name, Occupant: adjudicator.Occupant{Player: adjudicator.NewPlayer(seatAddress(name)), Joined: true}, Correspondence: adjudicator.Correspondence{Letters: 1}})
		s := adjudicator.Sent{Number: 1}
		for _, d := range pos.Owed(nil) {
			if d.Seat == rules.Seat(i) {
				s.Decisions = append(s.Decisions, d.ID)
			}
		}
		t.store.sent[rules.Seat(i)] = []adjudicator.Sent{s}
	}
	t.store.match = m
	return t, nil
}

// write hands in a letter of a seat in reply to its newest, and returns the answer.
func (t *table) write(ctx context.Context, seat rules.Seat, text string) (adjudicator.Dispatch, error) {
	t.written++
	m := t.store.match
	_, err := t.adj.Receive(ctx, adjudicator.Letter{
		Sender:  adjudicator.Sender{From: m.Seats[seat].Player.Address, Genuine: func([]byte) bool { return true }, Token: &adjudicator.Token{Match: m.ID, Seat: seat, Number: m.Seats[seat].Letters}},
		Written: adjudicator.Written{Orders: text},
		// The digest tells letters apart; here it is no hash of anything.
		Delivery: adjudicator.Delivery{UID: t.written, Arrived: time.Now(), Digest: fmt.Sprintf("%064d", t.written)},
	})
	return t.store.letters[seat], err
}

// position is where the match stands.
func (t *table) position() (rules.Position, error) { return t.store.match.At(t.game) }

// asked are the decisions that wait for an answer.
func (t *table) asked() ([]rules.Decision, rules.Position, error) {
	pos, err := t.position()
	if err != nil {
		return nil, nil, err
	}
	return t.store.match.Unanswered(pos), pos, nil
}

// seat is the seat of a name; without a name whoever is to move.
func (t *table) seat(name string) (rules.Seat, error) {
	var names []string
	for _, s := range t.store.match.Seats {
		names = append(names, s.Name)
	}
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) }); i >= 0 {
		return rules.Seat(i), nil
	}
	if name != "" {
		return rules.Nobody, fmt.Errorf("there is no seat %q; there are %s", name, templates.List(names))
	}
	asked, _, err := t.asked()
	if err != nil {
		return rules.Nobody, err
	}
	if len(asked) == 0 {
		return rules.Nobody, errors.New("nobody is to move there: say which seat writes with --seat")
	}
	return asked[0].Seat, nil
}
