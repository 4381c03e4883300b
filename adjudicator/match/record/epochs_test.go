package record_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
)

// ground is a match whose operator raises the epoch before each entry until the dice please
// him, and makes a good chain of it.
func ground(t *testing.T) *record.Record {
	t.Helper()
	m := newMatch(t)
	m.pleases = func(chance []record.Outcome) bool {
		return !slices.ContainsFunc(chance, func(o record.Outcome) bool { return o.Roll > 0 && o.Roll < 6 })
	}
	m.play(rulestest.NewDice(6).Intn)
	if m.epoch == 0 || slices.ContainsFunc(m.rec.Outcomes(), func(o record.Outcome) bool { return o.Roll > 0 && o.Roll < 6 }) {
		t.Fatalf("the operator has not got the dice that he wanted, in %d epochs", m.epoch)
	}
	return read(t, isCanonical(t, m.rec))
}

// TestGroundEpochs: dice that were chosen among those of many epochs are found, though the
// chain, the stream and every order are good.
func TestGroundEpochs(t *testing.T) {
	t.Parallel()
	rec := ground(t)
	_, played := record.Replay(rec, game, nil)
	if err := errors.Join(record.VerifyChain(rec), record.VerifyStream(rec), played); err != nil {
		t.Fatalf("the attack is not one: %v", err)
	}
	first := slices.IndexFunc(rec.Entries(), func(e *record.Entry) bool { return e.Epoch > 0 })
	for form, rec := range map[string]*record.Record{"full": rec, "public": rec.Public()} {
		explained, err := record.VerifyEpochs(rec)
		var broken *record.ChainError
		if !errors.As(err, &broken) || broken.Seq != first || broken.Line != first+2 || len(explained) > 0 {
			t.Errorf("%s: %d rises are explained, and %v", form, len(explained), err)
		}
	}
}

// TestEpochs: an epoch rises by one, with an entry that takes back and does nothing else.
func TestEpochs(t *testing.T) {
	t.Parallel()
	back := record.Entry{Seat: "north", FirstTakenBack: 1, Epoch: 1}
	undo := record.Entry{FirstTakenBack: 1, Epoch: 1, Act: &record.Act{Kind: record.Undo, By: record.ByDirector}}
	restore := record.Entry{Epoch: 1, Act: &record.Act{Kind: record.Restore, By: record.ByOperator}}
	change := func(e record.Entry, f func(e *record.Entry)) record.Entry {
		if e.Act != nil {
			a := *e.Act
			e.Act = &a
		}
		f(&e)
		return e
	}
	for _, test := range []struct {
		name  string
		entry record.Entry
		says  string
	}{
		{"none", record.Entry{}, ""},
		{"take-back", back, ""},
		{"undo", undo, ""},
		{"restore", restore, ""},
		{"restore by two", change(restore, func(e *record.Entry) { e.Epoch = 2 }), "the epoch changes from 0 to 2"},
		{"restore by a player", change(restore, func(e *record.Entry) { e.Act.By = "" }), "without a take-back, undo or restore"},
		{"restore with dice", change(restore, func(e *record.Entry) { e.Chance = []record.Outcome{{Roll: 6}} }), "without a take-back, undo or restore"},
		{"by two", change(back, func(e *record.Entry) { e.Epoch = 2 }), "the epoch changes from 0 to 2"},
		{"undo by two", change(undo, func(e *record.Entry) { e.Epoch = 2 }), "the epoch changes from 0 to 2"},
		{"fall", change(back, func(e *record.Entry) { e.Epoch = -1 }), "the epoch changes from 0 to -1"},
		{"order", record.Entry{Seat: "north", Orders: []string{"KEEP 1"}, Epoch: 1}, "the epoch changes from 0 to 1 without a take-back"},
		{"take-back with orders", change(back, func(e *record.Entry) { e.Orders = []string{"KEEP 1"} }), "without a take-back, undo or restore"},
		{"take-back with hidden orders", change(back, func(e *record.Entry) { e.Private = true }), "without a take-back, undo or restore"},
		{"take-back with dice", change(back, func(e *record.Entry) { e.Chance = []record.Outcome{{Roll: 6}} }), "without a take-back, undo or restore"},
		{"take-back by nobody", change(back, func(e *record.Entry) { e.Seat = "" }), "without a take-back, undo or restore"},
		{"undo by a player", change(undo, func(e *record.Entry) { e.Act.By = "" }), "without a take-back, undo or restore"},
		{"pause", change(undo, func(e *record.Entry) { e.Act.Kind = record.Pause }), "without a take-back, undo or restore"},
		{"new player", record.Entry{Seat: "north", Player: "player 4", Epoch: 1}, "without a take-back, undo or restore"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			rec := new(record.Record)
			rec.Add(record.Entry{})
			test.entry.Seq = 1
			rec.Add(test.entry)
			explained, err := record.VerifyEpochs(rec)
			if test.says == "" && (err != nil || len(explained) != test.entry.Epoch) {
				t.Errorf("%d rises are explained, and %v", len(explained), err)
			}
			if test.says != "" && (err == nil || len(explained) > 0 || !strings.Contains(err.Error(), "line 3, entry 1: ") || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("%d rises are explained, and %v, want %q", len(explained), err, test.says)
			}
		})
	}
}
