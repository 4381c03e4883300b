package history_test

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/playout"
	"samizdat/rules"
)

// whole is the record of a whole match of 1989.
func whole(t testing.TB) *record.Record {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "records", "1989-rules2-sensible-100.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Read(z)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// recording is a match of any game between random robots, and its record without a chain.
type recording struct {
	t     testing.TB
	game  *rules.Game
	key   record.Key
	words record.Words
	robot rules.Robot
	pos   rules.Position
	rec   *record.Record
}

// played is the record of a match that a seed determines.
func played(t testing.TB, g *rules.Game, seats int, seed uint64) *record.Record {
	t.Helper()
	setup := rules.Setup{Seats: seats, Revision: g.Revision()}
	secret, err := record.NewSecret(playout.Bytes(seed))
	if err != nil {
		t.Fatal(err)
	}
	h := record.Header{Format: record.Format, Version: record.Version, Game: g.Name(), Rules: g.Revision(), Match: "played", Seats: map[string]string{},
		Commitment: secret.Commitment(), Secret: secret.Hex()}
	for i, name := range g.SeatNames(setup) {
		h.Seats[name] = fmt.Sprintf("player %d", i+1)
		h.Words = append(h.Words, "word")
	}
	r := &recording{t: t, game: g, words: record.WordsOf(g, setup), robot: rules.NewRandomRobot(seed), rec: &record.Record{Header: h}}
	if r.key, err = secret.Key(h.Match, h.Words); err == nil {
		r.pos, err = g.Begin(setup)
	}
	if err != nil {
		t.Fatal(err)
	}
	stream := r.stream()
	if _, err := r.pos.Resume(stream, nil); err != nil {
		t.Fatal(err)
	}
	r.add(record.Entry{Chance: stream.Outcomes()})
	for owed := r.pos.Owed(nil); len(owed) > 0; owed = r.pos.Owed(nil) {
		r.answer(owed)
	}
	return r.rec
}

func (r *recording) stream() *record.Stream {
	return record.NewStream(r.key, 0, len(r.rec.Steps), r.words)
}

func (r *recording) add(e record.Entry) {
	e.Seq = len(r.rec.Steps)
	e.At = time.Date(1989, 6, 4, 9, 0, e.Seq, 0, time.UTC)
	r.rec.Add(e)
}

// answer answers the first open decision, with all of its group if it is sealed.
func (r *recording) answer(owed []rules.Decision) {
	r.t.Helper()
	var sealed []gate.Sealed
	var ballots []rules.Ballot
	e, stream := record.Entry{}, r.stream()
	for _, d := range owed {
		if len(sealed)+len(ballots) > 0 && (!d.Sealed || d.Group != owed[0].Group) {
			continue
		}
		atoms, err := playout.Answer(r.pos, d, r.robot)
		if err != nil {
			r.t.Fatal(err)
		}
		name, a := record.SeatName(r.words.Seats[d.Seat]), rules.Answer{Atoms: atoms, Kinds: []string{d.Kind}, Ballot: d.Ballot}
		switch {
		case d.Ballot:
			ballots = append(ballots, rules.Ballot{Decision: d, Atom: atoms[0]})
		case d.Sealed:
			sealed = append(sealed, gate.Sealed{Seat: d.Seat, Answer: a})
			e.Answers = append(e.Answers, record.Answer{Seat: name, Orders: []string{r.game.Line(atoms)}, Private: d.Private})
		default:
			done, err := gate.Carry(r.pos, d.Seat, a, stream)
			if err != nil {
				r.t.Fatal(err)
			}
			r.pos = done.Position
			r.add(record.Entry{Seat: name, Orders: []string{r.game.Line(done.Atoms)}, Private: done.Private, Chance: stream.Outcomes()})
			return
		}
	}
	if len(ballots) > 0 {
		outcome, err := r.game.Ballots.Tally(ballots)
		if err != nil {
			r.t.Fatal(err)
		}
		o, err := gate.Declare(r.game, r.pos, owed[0].Group, outcome, stream)
		if err != nil {
			r.t.Fatal(err)
		}
		r.pos, e.Tally = o.Position, &record.Tally{Group: owed[0].Group, Outcome: outcome}
	} else {
		o, err := gate.CarryAll(r.pos, sealed, stream)
		if err != nil {
			r.t.Fatal(err)
		}
		r.pos = o.Position
	}
	e.Chance = stream.Outcomes()
	r.add(e)
}
