// Package recordtest plays matches between robots in memory and writes their records. The records
// look as if the robots had played by mail.
package recordtest

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/playout"
	"samizdat/rules"
)

// Plan describes a match. The same plan gives the same record.
type Plan struct {
	Game *rules.Game
	// ID is the match's name.
	ID string
	// Seats is the number of seats, Revision the revision of the rules.
	Seats, Revision int
	// Robot names the robot of every seat.
	Robot string
	// Seed determines the secret and the choices of the robots.
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
	// Record is the record of the match so far.
	Record *record.Record
	// Head is the hash of its last entry.
	Head string

	key   record.Key
	words record.OutcomeNames
}

// Begin begins a match and deals: its record has one entry.
func Begin(p Plan) (*Match, error) {
	setup := rules.Setup{Seats: p.Seats, Revision: p.Revision}
	m := &Match{Plan: p, words: record.NewOutcomeNames(p.Game, setup)}
	var err error
	if m.Secret, err = record.NewSecret(playout.RandomBytes(p.Seed)); err != nil {
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

// Over reports whether no decision is open.
func (m *Match) Over() bool { return len(m.Position.OpenDecisions(nil)) == 0 }

// letterOf returns a substitute for the digest of a letter. In a record, repeated questions have no
// digest.
func letterOf(d rules.Decision) string {
	if d.Repeats {
		return ""
	}
	return strings.Repeat("0", 64)
}

// Step lets robots answer the first open decision, or its whole group if the decision is sealed, and
// adds an entry.
func (m *Match) Step() error {
	owed := m.Position.OpenDecisions(nil)
	d := owed[0]
	stream := record.NewStream(m.key, 0, len(m.Record.Steps), m.words)
	var e record.Entry
	var err error
	switch {
	case d.Ballot:
		e, err = m.vote(owed, stream)
	case d.Sealed:
		e, err = m.open(owed, stream)
	default:
		e, err = m.answer(d, stream)
	}
	if err != nil {
		return err
	}
	e.Chance = stream.Outcomes()
	return m.add(e)
}

// choose returns a robot's answer to a decision.
func (m *Match) choose(d rules.Decision) (rules.Answer, error) {
	atoms, err := playout.Answer(m.Position, d, m.Robots[d.Seat])
	return rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}, Ballot: d.Ballot}, err
}

// answer executes a robot's answer.
func (m *Match) answer(d rules.Decision, stream *record.Stream) (e record.Entry, err error) {
	a, err := m.choose(d)
	if err != nil {
		return e, err
	}
	done, err := gate.Execute(m.Position, d.Seat, a, stream)
	if err != nil {
		return e, fmt.Errorf("%s: %w", m.Game.FormatOrder(a.Atoms), err)
	}
	m.Position = done.Position
	return record.Entry{Seat: record.SeatName(m.words.Seats[d.Seat]), Orders: []string{m.Game.FormatOrder(done.Atoms)}, Private: done.Private,
		Letter: letterOf(d)}, nil
}

// open executes all sealed answers of a group.
func (m *Match) open(owed []rules.Decision, stream *record.Stream) (e record.Entry, err error) {
	var sealed []gate.SealedAnswer
	for _, d := range owed {
		if !d.Sealed || d.Group != owed[0].Group {
			continue
		}
		a, err := m.choose(d)
		if err != nil {
			return e, err
		}
		sealed = append(sealed, gate.SealedAnswer{Seat: d.Seat, Answer: a})
		e.Answers = append(e.Answers, record.Answer{Seat: record.SeatName(m.words.Seats[d.Seat]), Orders: []string{m.Game.FormatOrder(a.Atoms)},
			Private: d.Private, Letter: letterOf(d)})
	}
	opened, err := gate.ExecuteSealed(m.Position, sealed, stream)
	m.Position = opened.Position
	return e, err
}

// vote counts all ballots of a group.
func (m *Match) vote(owed []rules.Decision, stream *record.Stream) (e record.Entry, err error) {
	var ballots []rules.Ballot
	for _, d := range owed {
		if !d.Sealed || d.Group != owed[0].Group {
			continue
		}
		a, err := m.choose(d)
		if err != nil {
			return e, err
		}
		ballots = append(ballots, rules.Ballot{Decision: d, Atom: a.Atoms[0]})
	}
	outcome, err := m.Game.Ballots.CountBallots(ballots)
	if err != nil {
		return e, err
	}
	declared, err := gate.ApplyBallots(m.Game, m.Position, owed[0].Group, outcome, stream)
	m.Position = declared.Position
	return record.Entry{Tally: &record.Tally{Group: owed[0].Group, Outcome: outcome}}, err
}

// add completes the entry that led to the position, and appends it.
func (m *Match) add(e record.Entry) (err error) {
	e.Seq = len(m.Record.Steps)
	e.At = m.Began.UTC().Truncate(time.Second).Add(time.Duration(e.Seq) * time.Second)
	if e.State, err = record.HashPosition(m.Game, m.Position); err != nil {
		return err
	}
	if err := m.Secret.Seal(m.ID, m.Head, &e); err != nil {
		return err
	}
	m.Head = e.Hash
	m.Record.Add(e)
	return nil
}

// Unpacked returns the contents of a gzip file.
func Unpacked(t testing.TB, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
