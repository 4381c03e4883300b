package playout_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/playout"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// recording is a match of 1989 between robots that writes its record.
type recording struct {
	t      *testing.T
	game   dawn1989.Game
	secret record.Secret
	key    record.Key
	words  record.Words
	robots []rules.Robot
	pos    rules.Position
	rec    *record.Record
	prev   string
}

// playedRecord is the record of a match that a seed determines.
func playedRecord(t *testing.T, revision int, robot string, seed uint64) *record.Record {
	t.Helper()
	r := beginRecording(t, revision, robot, seed)
	for owed := r.pos.Owed(nil); len(owed) > 0; owed = r.pos.Owed(nil) {
		r.answer(owed[0])
	}
	return r.rec
}

func beginRecording(t *testing.T, revision int, robot string, seed uint64) *recording {
	t.Helper()
	r := &recording{t: t}
	var err error
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	r.secret, err = record.NewSecret(playout.Bytes(seed))
	check(err)
	h := record.Header{Format: record.Format, Version: record.Version, Game: r.game.Name(), Rules: revision, Match: fmt.Sprintf("%s%d", robot, seed),
		Options: map[string]string{}, Seats: map[string]string{}, Commitment: r.secret.Commitment(), Words: []string{"one", "two"}, Secret: r.secret.Hex()}
	setup := rules.Setup{Seats: 2, Revision: revision}
	for i, name := range r.game.SeatNames(setup) {
		h.Seats[name] = robot
		player, err := r.game.Robot(robot, seed+uint64(i))
		check(err)
		r.robots = append(r.robots, player)
	}
	r.key, err = r.secret.Key(h.Match, h.Words)
	check(err)
	r.words, r.rec, r.prev = record.WordsOf(r.game, setup), &record.Record{Header: h}, h.Commitment
	r.pos, err = r.game.Begin(setup)
	check(err)
	stream := record.NewStream(r.key, 0, 0, r.words)
	_, err = r.pos.Resume(stream, nil)
	check(err)
	digest, err := h.Digest()
	check(err)
	r.add(record.Entry{Setup: digest, Chance: stream.Outcomes()})
	return r
}

// answer lets a robot answer a decision.
func (r *recording) answer(d rules.Decision) {
	r.t.Helper()
	atoms, err := playout.Answer(r.pos, d, r.robots[d.Seat])
	if err != nil {
		r.t.Fatal(err)
	}
	stream := record.NewStream(r.key, 0, len(r.rec.Steps), r.words)
	done, err := gate.Carry(r.pos, d.Seat, rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}}, stream)
	if err != nil {
		r.t.Fatalf("%s: %v", r.game.Line(atoms), err)
	}
	r.pos = done.Position
	r.add(record.Entry{Seat: record.SeatName(r.words.Seats[d.Seat]), Orders: []string{r.game.Line(done.Atoms)}, Private: done.Private,
		Letter: strings.Repeat("0", 64), Chance: stream.Outcomes()})
}

// add completes an entry and appends it.
func (r *recording) add(e record.Entry) {
	r.t.Helper()
	e.Seq = len(r.rec.Steps)
	e.At = time.Date(1989, 6, 4, 9, 0, e.Seq, 0, time.UTC)
	var err error
	if e.State, err = record.StateOf(r.pos); err != nil {
		r.t.Fatal(err)
	}
	if err := r.secret.Seal(r.rec.Header.Match, r.prev, &e); err != nil {
		r.t.Fatal(err)
	}
	r.prev = e.Hash
	r.rec.Add(e)
}
