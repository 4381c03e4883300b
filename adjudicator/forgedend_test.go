package adjudicator_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
)

// resealed is a record whose last entries were changed, with the chain made anew: whoever has
// the secret can do that.
func resealed(t *testing.T, rec *record.Record, change func(entries []*record.Entry) []*record.Entry) *record.Record {
	t.Helper()
	secret, err := record.ParseSecret(rec.Header.Secret)
	if err != nil {
		t.Fatal(err)
	}
	forged := &record.Record{Header: rec.Header}
	prev := rec.Header.Commitment
	for _, entry := range change(rec.Entries()) {
		if err := secret.Seal(rec.Header.Match, prev, entry); err != nil {
			t.Fatal(err)
		}
		prev = entry.Hash
		forged.Add(*entry)
	}
	return forged
}

// TestForgedEnd: a record that an act has ended verifies to its end. One whose act was changed
// does not, neither as it stands nor with its chain made anew.
func TestForgedEnd(t *testing.T) {
	t.Parallel()
	ends := map[string]struct {
		game  *rules.Game
		seats []string
		end   func(c *club, id string)
	}{
		"orchards": {rulestest.Game(), orchards, func(c *club, id string) { c.sends("west", "RESIGN "+id) }},
		"council": {council.Game(), councillors, func(c *club, id string) {
			for _, s := range councillors[1:] {
				c.sends(s, "RESIGN "+id)
			}
		}},
	}
	won := func(seats ...record.SeatName) *record.End { return &record.End{Winners: seats} }
	forgeries := map[string]func(entry *record.Entry){
		"another winner":    func(entry *record.Entry) { entry.Act.End = won(entry.Seat) },
		"one winner less":   func(entry *record.Entry) { entry.Act.End.Winners = entry.Act.End.Winners[1:] },
		"no end":            func(entry *record.Entry) { entry.Act.End = nil },
		"a draw":            func(entry *record.Entry) { entry.Act.End = &record.End{Draw: true} },
		"another kind":      func(entry *record.Entry) { entry.Act.Kind = "leave" },
		"a pause":           func(entry *record.Entry) { entry.Act.Kind = record.Pause },
		"a broken-off one":  func(entry *record.Entry) { entry.Act.Kind = record.Abort },
		"an annulled one":   func(entry *record.Entry) { entry.Act.Kind = record.Annul },
		"a judge":           func(entry *record.Entry) { entry.Act.By = "judge" },
		"nobody":            func(entry *record.Entry) { entry.Seat = "" },
		"no such seat":      func(entry *record.Entry) { entry.Seat = "south" },
		"orders":            func(entry *record.Entry) { entry.Orders = []string{"PASS"} },
		"an earlier epoch":  func(entry *record.Entry) { entry.Epoch-- },
		"outcomes":          func(entry *record.Entry) { entry.Chance = []record.Outcome{{Roll: 3}} },
		"something to undo": func(entry *record.Entry) { entry.FirstTakenBack = 1 },
	}
	for name, x := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t, x.game)
			id := c.match(x.game.Name(), nil, x.seats...)
			x.end(c, id)
			verified(t, c, x.game, id)
			read := func() *record.Record {
				rec, err := record.Read(bytes.NewReader(c.export(id, false)))
				if err != nil {
					t.Fatal(err)
				}
				return rec
			}
			for what, forge := range forgeries {
				rec := read()
				forge(rec.Entries()[len(rec.Entries())-1])
				if record.VerifyChain(rec) == nil {
					t.Errorf("%s: the chain does not bind it", what)
				}
				rec = resealed(t, read(), func(entries []*record.Entry) []*record.Entry {
					forge(entries[len(entries)-1])
					return entries
				})
				refused(t, what, rec, x.game)
			}
			for what, after := range map[string]record.Entry{
				"an order after the end":     {Seat: record.SeatName(x.seats[0]), Orders: []string{"PASS"}},
				"a resignation after it":     {Seat: record.SeatName(x.seats[0]), Act: &record.Act{Kind: record.Resign, End: won()}},
				"an undo of a final end":     {Act: &record.Act{Kind: record.Undo, By: record.ByDirector}, FirstTakenBack: 1, Epoch: 1},
				"a take-back of a final end": {Seat: record.SeatName(x.seats[0]), FirstTakenBack: 1, Epoch: 1},
				"a ruling on a final end":    {Act: &record.Act{Kind: record.DecideResult, By: record.ByDirector, End: won()}},
			} {
				rec := resealed(t, read(), func(entries []*record.Entry) []*record.Entry {
					after.Seq, after.At = len(entries), entries[len(entries)-1].At.Add(time.Minute)
					return append(entries, &after)
				})
				refused(t, what, rec, x.game)
			}
		})
	}
}

// refused fails when a record with a good chain can be played, and no epoch of it is wrong.
func refused(t *testing.T, what string, rec *record.Record, g *rules.Game) {
	t.Helper()
	if err := record.VerifyChain(rec); err != nil {
		t.Errorf("%s: the chain was not made anew: %v", what, err)
	}
	_, err := record.Replay(rec, g, nil)
	_, epochs := record.VerifyEpochs(rec)
	if f := (*record.ReplayError)(nil); !errors.As(err, &f) && epochs == nil {
		t.Errorf("%s: it is played: %v", what, err)
	}
}

// TestForgedActs: acts of other kinds are held to what they may say as well.
func TestForgedActs(t *testing.T) {
	t.Parallel()
	draw, nobody := &record.End{Draw: true}, &record.End{}
	for name, x := range map[string]struct {
		game  *rules.Game
		seats []string
		end   func(c *club, id string)
		forge []func(act *record.Act)
	}{
		"drawn": {rulestest.Game(), orchards, func(c *club, _ string) {
			for _, s := range orchards {
				c.sends(s, "DRAW")
			}
		}, []func(act *record.Act){
			func(act *record.Act) { act.End = nobody },
			func(act *record.Act) { act.End = nil },
			func(act *record.Act) { act.End = &record.End{Draw: true, Winners: []record.SeatName{"north"}} },
			func(act *record.Act) { act.Kind = record.Forfeit },
		}},
		"aborted": {council.Game(), councillors, func(c *club, id string) { c.sends("smith", "ABORT "+id) }, []func(act *record.Act){
			func(act *record.Act) { act.End = draw },
			func(act *record.Act) { act.Kind, act.End = record.Draw, draw }, // The council knows none.
			func(act *record.Act) { act.End = &record.End{Winners: []record.SeatName{"smith"}} },
			func(act *record.Act) { act.Kind, act.End = record.Undo, nil },
			func(act *record.Act) { act.Kind, act.By, act.End = record.DecideResult, record.ByDirector, nil },
			func(act *record.Act) {
				act.Kind, act.By, act.End = record.DecideResult, record.ByDirector, &record.End{Winners: []record.SeatName{"smith", "miller"}}
			},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t, x.game)
			id := c.match(x.game.Name(), nil, x.seats...)
			x.end(c, id)
			verified(t, c, x.game, id)
			for i, forge := range x.forge {
				rec, err := record.Read(bytes.NewReader(c.export(id, false)))
				if err != nil {
					t.Fatal(err)
				}
				refused(t, fmt.Sprint("forgery ", i), resealed(t, rec, func(entries []*record.Entry) []*record.Entry {
					forge(entries[len(entries)-1].Act)
					return entries
				}), x.game)
			}
		})
	}
}
