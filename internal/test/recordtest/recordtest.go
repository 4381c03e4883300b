// Package recordtest plays matches between robots in memory and writes their records: what it
// gives is as if the robots had played by mail.
package recordtest

import (
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/playout"
	"samizdat/rules"
)

// Plan is what match is played. The same plan gives the same record.
type Plan struct {
	Game *rules.Game
	// ID is the match's name.
	ID string
	// Seats is how many sit down, Revision that of the rules.
	Seats, Revision int
	// Robot names the robot of every seat.
	Robot string
	// Seed determines the secret and what the robots do.
	Seed uint64
	// Began is the time of the first entry. The others follow by the second.
	Began time.Time
}

// Match is a match under way.
type Match struct {
	Plan
	Secret   record.Secret
	Position rules.Position
	Robots   []rules.Robot
	// Record is that of the match so far.
	Record *record.Record
	// Head is the hash of its last entry.
	Head string

	key   record.Key
	words record.Words
}

// Begin begins a match and deals: its record has one entry.
func Begin(p Plan) (*Match, error) {
	setup := rules.Setup{Seats: p.Seats, Revision: p.Revision}
	m := &Match{Plan: p, words: record.WordsOf(p.Game, setup)}
	var err error
	if m.Secret, err = record.NewSecret(playout.Bytes(p.Seed)); err != nil {
		return nil, err
	}
	m.Head = m.Secret.Commitment()
	h := record.Header{Format: record.Format, Version: record.Version, Game: p.Game.Name(), Rules: p.Revision, Match: p.ID,
		Options: map[string]string{}, Seats: map[string]string{}, Commitment: m.Head, Secret: m.Secret.Hex()}
	for i, name := range m.words.Seats {
		h.Seats[name] = name
		h.Words = append(h.Words, "the words of "+name)
		r, err := p.Game.Robot(p.Robot, p.Seed+uint64(i))
		if err != nil {
			return nil, err
		}
		m.Robots = append(m.Robots, r)
	}
	m.Record = &record.Record{Header: h}
	if m.key, err = m.Secret.Key(p.ID, h.Words); err != nil {
		return nil, err
	}
	if m.Position, err = p.Game.Begin(setup); err != nil {
		return nil, err
	}
	stream := record.NewStream(m.key, 0, 0, m.words)
	if _, err := m.Position.Resume(stream, nil); err != nil {
		return nil, err
	}
	agreed, err := h.Digest()
	if err != nil {
		return nil, err
	}
	return m, m.add(record.Entry{Setup: agreed, Chance: stream.Outcomes()})
}

// Over reports whether nothing more is asked.
func (m *Match) Over() bool { return len(m.Position.Owed(nil)) == 0 }

// Step lets a robot answer what is asked first, which is one entry.
func (m *Match) Step() error {
	d := m.Position.Owed(nil)[0]
	atoms, err := playout.Answer(m.Position, d, m.Robots[d.Seat])
	if err != nil {
		return err
	}
	stream := record.NewStream(m.key, 0, len(m.Record.Steps), m.words)
	done, err := gate.Carry(m.Position, d.Seat, rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}}, stream)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Game.Line(atoms), err)
	}
	m.Position = done.Position
	return m.add(record.Entry{Seat: record.SeatName(m.words.Seats[d.Seat]), Orders: []string{m.Game.Line(done.Atoms)}, Private: done.Private,
		Letter: strings.Repeat("0", 64), Chance: stream.Outcomes()})
}

// add completes the entry that led to the position, and appends it.
func (m *Match) add(e record.Entry) (err error) {
	e.Seq = len(m.Record.Steps)
	e.At = m.Began.UTC().Truncate(time.Second).Add(time.Duration(e.Seq) * time.Second)
	if e.State, err = record.StateOf(m.Game, m.Position); err != nil {
		return err
	}
	if err := m.Secret.Seal(m.ID, m.Head, &e); err != nil {
		return err
	}
	m.Head = e.Hash
	m.Record.Add(e)
	return nil
}
