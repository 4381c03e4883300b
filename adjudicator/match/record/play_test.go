package record_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

var game = rulestest.Game()

// testSecret is the secret of all matches here.
func testSecret(t testing.TB) record.Secret {
	t.Helper()
	s, err := record.NewSecret(bytes.NewReader([]byte("0123456789abcdef0123456789abcdef")))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// match is a match of Three Orchards that writes its record.
type match struct {
	t      testing.TB
	secret record.Secret
	key    record.Key
	words  record.OutcomeNames
	rec    *record.Record
	pos    rules.Position
	prev   string
	orders int
	epoch  int
	// pleases says whether outcomes please the operator, who raises the epoch until they do;
	// nil where he does not try.
	pleases func(chance []record.Outcome) bool
}

func newMatch(t testing.TB) *match {
	t.Helper()
	s := testSecret(t)
	h := record.Header{Format: record.Format, Version: record.Version, Game: game.Name(), Rules: 1, Match: "m1",
		Options: map[string]string{"rounds": "2"}, Seats: map[string]string{"north": "Ann", "east": "Bo", "west": "Cy"},
		Commitment: s.Commitment(), Words: []string{"a word", "", "<drei & Wörter>"}, Secret: s.Hex()}
	key, err := s.Key(h.Match, h.Words)
	if err != nil {
		t.Fatal(err)
	}
	pos, err := game.Begin(h.Setup(game))
	if err != nil {
		t.Fatal(err)
	}
	m := &match{t: t, secret: s, key: key, words: record.NewOutcomeNames(game, h.Setup(game)), rec: &record.Record{Header: h},
		pos: pos, prev: s.Commitment()}
	stream := m.stream()
	if _, err := m.pos.Resume(stream, nil); err != nil {
		t.Fatal(err)
	}
	setup, err := h.Digest()
	if err != nil {
		t.Fatal(err)
	}
	m.add(record.Entry{Setup: setup, Chance: stream.Outcomes()})
	return m
}

func (m *match) stream() *record.Stream { return record.NewStream(m.key, m.epoch, m.orders, m.words) }

// add completes an entry and appends it.
func (m *match) add(e record.Entry) {
	m.t.Helper()
	var err error
	if e.State, err = record.HashPosition(game, m.pos); err != nil {
		m.t.Fatal(err)
	}
	e.Seq, e.Epoch = len(m.rec.Entries()), m.epoch
	e.At = time.Date(1989, 6, 4, 9, e.Seq, 0, 0, time.UTC)
	if err := m.secret.Seal(m.rec.Header.Match, m.prev, &e); err != nil {
		m.t.Fatal(err)
	}
	m.prev = e.Hash
	m.rec.Add(e)
}

// play plays the match to its end with choices of pick.
func (m *match) play(pick func(n int) int) {
	m.t.Helper()
	for {
		owed := m.pos.OpenDecisions(nil)
		sealed := slices.DeleteFunc(slices.Clone(owed), func(d rules.Decision) bool { return !d.Sealed })
		open := slices.DeleteFunc(owed, func(d rules.Decision) bool { return d.Sealed })
		switch {
		case len(open) > 0:
			m.answer(open[pick(len(open))], pick)
		case len(sealed) > 0:
			m.ballots(sealed, pick)
		default:
			return
		}
	}
}

func (m *match) answer(d rules.Decision, pick func(n int) int) {
	m.t.Helper()
	atoms := rulestest.Pick(m.pos, d, pick)
	m.orders++
	stream := m.stream()
	r, err := gate.Execute(m.pos, d.Seat, rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}}, stream)
	for err == nil && m.pleases != nil && !m.pleases(stream.Outcomes()) {
		m.epoch++
		stream = m.stream()
		r, err = gate.Execute(m.pos, d.Seat, rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}}, stream)
	}
	if err != nil {
		m.t.Fatalf("%s: %v", game.FormatOrder(atoms), err)
	}
	m.pos = r.Position
	m.add(record.Entry{Seat: record.SeatName(m.words.Seats[d.Seat]), Orders: []string{game.FormatOrder(r.Atoms)},
		Private: r.Private, Letter: fmt.Sprintf("%064d", d.ID), Chance: stream.Outcomes()})
}

func (m *match) ballots(owed []rules.Decision, pick func(n int) int) {
	m.t.Helper()
	var sealed []gate.SealedAnswer
	var answers []record.Answer
	for _, d := range owed {
		atoms := rulestest.Pick(m.pos, d, pick)
		sealed = append(sealed, gate.SealedAnswer{Seat: d.Seat, Answer: rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}}})
		answers = append(answers, record.Answer{Seat: record.SeatName(m.words.Seats[d.Seat]),
			Orders: []string{game.FormatOrder(atoms)}})
	}
	m.orders++
	stream := m.stream()
	o, err := gate.ExecuteSealed(m.pos, sealed, stream)
	for err == nil && m.pleases != nil && !m.pleases(stream.Outcomes()) {
		m.epoch++
		stream = m.stream()
		o, err = gate.ExecuteSealed(m.pos, sealed, stream)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	m.pos = o.Position
	m.add(record.Entry{Answers: answers, Chance: stream.Outcomes()})
}

// played is a finished match.
func played(t testing.TB, seed uint64) *match {
	t.Helper()
	m := newMatch(t)
	m.play(rulestest.NewDice(seed).Intn)
	if _, over := m.pos.Result(); !over {
		t.Fatal("the match is not over")
	}
	return m
}

// isCanonical is a record as a file.
func isCanonical(t testing.TB, r *record.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(t testing.TB, data []byte) *record.Record {
	t.Helper()
	r, err := record.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
