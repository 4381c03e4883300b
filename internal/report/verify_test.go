package report

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// chained is a record of 1989 of some entries, a second apart where they have no time, with
// its chain. The first deal is that of the epoch of the first.
func chained(t *testing.T, entries ...record.Entry) *record.Record {
	t.Helper()
	return chainedBy(t, func(*record.Header) {}, entries...)
}

// chainedBy is such a record with another header.
func chainedBy(t *testing.T, change func(*record.Header), entries ...record.Entry) *record.Record {
	t.Helper()
	secret, err := record.NewSecret(strings.NewReader("0123456789abcdef0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	g := dawn1989.Game()
	h := record.Header{Format: record.Format, Version: record.Version, Game: g.Name(), Rules: g.Revision(), Match: "m1", Options: map[string]string{},
		Seats: map[string]string{"democrat": "player 1", "communist": "player 2"}, Commitment: secret.Commitment(), Words: []string{"solid", "ark"}, Secret: secret.Hex()}
	change(&h)
	pos, err := g.Begin(h.Setup(g))
	if err != nil {
		t.Fatal(err)
	}
	key, err := h.Key(secret)
	if err != nil {
		t.Fatal(err)
	}
	stream := record.NewStream(key, entries[0].Epoch, 0, record.NewOutcomeNames(g, h.Setup(g)))
	if _, err := pos.Resume(stream, nil); err != nil {
		t.Fatal(err)
	}
	dealt := pos
	if entries[0].Setup, err = h.Digest(); err != nil {
		t.Fatal(err)
	}
	entries[0].Chance = stream.Outcomes()
	rec, prev := &record.Record{Header: h}, secret.Commitment()
	for i, e := range entries {
		e.Seq = i
		if e.At.IsZero() {
			e.At = dealtAt.Add(time.Duration(i) * time.Second)
		}
		switch {
		case e.FirstTakenBack == 1:
			pos = dealt
		case e.HasOrders():
			pos = placed(t, pos)
		}
		if e.State, err = record.HashPosition(g, pos); err != nil {
			t.Fatal(err)
		}
		if err := secret.Seal(h.Match, prev, &e); err != nil {
			t.Fatal(err)
		}
		prev = e.Hash
		rec.Add(e)
	}
	return rec
}

var dealtAt = time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)

// placed is a position after the order of these tests.
func placed(t *testing.T, pos rules.Position) rules.Position {
	t.Helper()
	g := dawn1989.Game()
	o, err := order.New(g).ParsePlain("PLACE Gyor, Debrecen")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := g.Answers(o, pos.OpenDecisions(nil))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gate.Check(pos, pos.OpenDecisions(nil)[0].Seat, answers[0])
	if err != nil {
		t.Fatal(err)
	}
	return r.Position
}

// TestEpochs: both commands list rises of the epoch that an entry explains, and fail on
// another, whose entry they name.
func TestEpochs(t *testing.T) {
	t.Parallel()
	order := record.Entry{Seat: "communist", Orders: []string{"PLACE Gyor, Debrecen"}}
	later := order
	later.Epoch = 2
	back := record.Entry{Seat: "communist", FirstTakenBack: 1, Epoch: 1}
	undo := record.Entry{FirstTakenBack: 1, Epoch: 2, Act: &record.Act{Kind: record.Undo, By: record.ByDirector, Why: "wrong match", Until: dealtAt}}
	restore := record.Entry{Epoch: 1, Act: &record.Act{Kind: record.Restore, By: record.ByOperator, Until: dealtAt.Add(time.Second)}}
	for name, tt := range map[string]struct {
		entries      []record.Entry
		says, failed string
	}{
		"never": {[]record.Entry{{}, order}, "Epochs: one for the whole record. Nothing was taken back.\n", ""},
		"one": {[]record.Entry{{}, order, back}, "Epochs: 1 new epoch, with the reason:\n" +
			"  entry 2, epoch 1: communist took back entry 1 and what followed.\n", ""},
		"two": {[]record.Entry{{}, order, back, undo, later}, "Epochs: 2 new epochs, with their reasons:\n" +
			"  entry 2, epoch 1: communist took back entry 1 and what followed.\n" +
			"  entry 3, epoch 2: the director undid entry 1 and what followed. The reason: wrong match\n", ""},
		"restored": {[]record.Entry{{}, order, restore}, "Epochs: 1 new epoch, with the reason:\n" +
			"  entry 2, epoch 1: the operator restored a backup with the entries until 1989-06-04 09:00 UTC.\n", ""},
		"another deal":    {[]record.Entry{{Epoch: 7}}, "", "epochs: line 2, entry 0: the epoch changes from 0 to 7 without a take-back, undo or restore"},
		"before an order": {[]record.Entry{{}, later}, "", "epochs: line 3, entry 1: the epoch changes from 0 to 2 without a take-back, undo or restore"},
		"beside an undo": {[]record.Entry{{}, order, back, later}, "Epochs: 1 new epoch, with the reason:\n",
			"epochs: line 5, entry 3: the epoch changes from 1 to 2 without a take-back, undo or restore"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := chained(t, tt.entries...)
			for command, run := range map[string]func(out *strings.Builder) (bool, error){
				"verify": func(out *strings.Builder) (bool, error) { return Verify(out, games, rec, Evidence{}, true) },
				"verify, public": func(out *strings.Builder) (bool, error) {
					return Verify(out, games, rec.Public(), Evidence{}, true)
				},
				"replay": func(out *strings.Builder) (bool, error) {
					return Replay(out, games, rec, false, false)
				},
				"replay --state": func(out *strings.Builder) (bool, error) {
					ok, err := Replay(out, games, rec, true, false)
					if strings.Contains(out.String(), "Epochs") {
						t.Error("it is told among positions")
					}
					out.WriteString(tt.says)
					return ok, err
				},
			} {
				var out strings.Builder
				isSame, err := run(&out)
				if isSame != (tt.failed == "") || !strings.Contains(out.String(), tt.says) {
					t.Errorf("%s: %t, %v,\n%s", command, isSame, err, &out)
				}
				if tt.failed != "" && (err == nil || !strings.Contains(err.Error(), tt.failed)) {
					t.Errorf("%s: %v, want %q", command, err, tt.failed)
				}
			}
		})
	}
}

// TestCutOff: a record with its secret fails where it stops before the match ends, and says
// so where that is allowed. A public one is always partial.
func TestCutOff(t *testing.T) {
	t.Parallel()
	open := []record.Entry{{}, {Seat: "communist", Orders: []string{"PLACE Gyor, Debrecen"}}}
	ended := append(slices.Clone(open), record.Entry{Seat: "communist", Act: &record.Act{Kind: record.Resign, End: &record.End{Winners: []record.SeatName{"democrat"}}}})
	whole, cut := chained(t, ended...), chained(t, open...)
	for name, tt := range map[string]struct {
		rec     *record.Record
		partial bool
		says    string
		good    bool
	}{
		"whole":          {whole, false, "End: the match is over with entry 2: democrat has won (resignation).\n", true},
		"whole, partial": {whole, true, "End: the match is over with entry 2: democrat has won (resignation).\n", true},
		"cut":            {cut, false, "End: partial. The match is not over with the last entry.\n", false},
		"cut, partial":   {cut, true, "End: partial. The match is not over with the last entry.\n", true},
		"public":         {cut.Public(), false, "End: partial. The match goes on, or entries are cut off: only the hash in a letter shows which.\n", true},
	} {
		var out strings.Builder
		isGood, err := Verify(&out, games, tt.rec, Evidence{}, tt.partial)
		if isGood != tt.good || isGood != (err == nil) || !strings.HasSuffix(out.String(), tt.says) {
			t.Errorf("%s: %t, %v,\n%s", name, isGood, err, &out)
		}
	}
}

// TestEvidence: what a player holds out of his letters must be in the record, in the public
// form as well.
func TestEvidence(t *testing.T) {
	t.Parallel()
	order := record.Entry{Seat: "communist", Orders: []string{"PLACE Gyor, Debrecen"}}
	whole, cut := chained(t, record.Entry{}, order), chained(t, record.Entry{})
	head, commitment := whole.Entries()[1].Hash, whole.Header.Commitment
	for name, tt := range map[string]struct {
		rec    *record.Record
		held   Evidence
		says   string
		failed string
	}{
		"all": {whole, Evidence{Hashes: []string{head, commitment}, Commitments: []string{strings.ToUpper(commitment)}, Words: []string{"ark"}},
			"Commitment " + commitment + ": as in this record.\nWords \"ark\": mixed in by communist.\nHash " + head + ": entry 1.\n" +
				"Hash " + commitment + ": the commitment, before the first entry.\n", ""},
		"cut off":            {cut, Evidence{Hashes: []string{head}}, "", "no entry has this hash"},
		"empty hash":         {whole, Evidence{Hashes: []string{""}}, "", "is empty"},
		"another commitment": {whole, Evidence{Commitments: []string{head}}, "", "differs from the record's commitment"},
		"empty commitment":   {whole, Evidence{Commitments: []string{""}}, "", "differs from the record's commitment"},
		"other words":        {whole, Evidence{Words: []string{"arc"}}, "", "no seat of this record contributed these words to the dice"},
	} {
		for form, rec := range map[string]*record.Record{"full": tt.rec, "public": tt.rec.Public()} {
			var out strings.Builder
			_, err := Verify(&out, games, rec, tt.held, true)
			if (err == nil) != (tt.failed == "") || err != nil && !strings.Contains(err.Error(), tt.failed) || !strings.Contains(out.String(), tt.says) {
				t.Errorf("%s, %s: %v,\n%s", name, form, err, &out)
			}
		}
	}
}

// TestForgedRestore: an entry that tells of a restore is the operator's, and raises the epoch.
func TestForgedRestore(t *testing.T) {
	t.Parallel()
	until := dealtAt.Add(time.Second)
	for says, e := range map[string]record.Entry{
		"must begin a new epoch":               {Act: &record.Act{Kind: record.Restore, By: record.ByOperator, Until: until}},
		"unexpected or fractional time":        {Epoch: 1, Act: &record.Act{Kind: record.Restore, By: record.ByOperator}},
		"must be the time of the entry before": {Epoch: 1, Act: &record.Act{Kind: record.Restore, By: record.ByOperator, Until: dealtAt}},
		`"restore": by "" is not allowed`:      {Epoch: 1, Act: &record.Act{Kind: record.Restore}},
		`by "director"`:                        {Epoch: 1, Act: &record.Act{Kind: record.Restore, By: record.ByDirector}},
		"missing or unexpected seat":           {Epoch: 1, Seat: "communist", Act: &record.Act{Kind: record.Restore, By: record.ByOperator}},
		"takeback must be set for an undo":     {Epoch: 1, FirstTakenBack: 1, Act: &record.Act{Kind: record.Restore, By: record.ByOperator}},
		`"tell": by "operator" is not allowed`: {Act: &record.Act{Kind: record.Tell, By: record.ByOperator, Why: "hello"}},
	} {
		rec := chained(t, record.Entry{}, record.Entry{Seat: "communist", Orders: []string{"PLACE Gyor, Debrecen"}}, e)
		if _, err := Replay(io.Discard, games, rec, false, false); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// quicknet1000 is a round that quicknet has published.
const quicknet1000 = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"

// TestSealsAndBeacon: what is mixed into the key is checked offline, in the public form too, and
// held against what a player was shown.
func TestSealsAndBeacon(t *testing.T) {
	t.Parallel()
	seals := []string{record.SealWords("solid"), record.SealWords("ark\n")}
	beacon := record.Beacon{Chain: "quicknet", Round: 1000, Signature: quicknet1000}
	for name, tt := range map[string]struct {
		change       func(*record.Header)
		held         Evidence
		says, failed string
	}{
		"neither":        {func(*record.Header) {}, Evidence{}, "Chain: 2 entries", ""},
		"seals":          {func(h *record.Header) { h.Seals = seals }, Evidence{Seals: seals, Words: []string{"solid"}}, "Seal " + seals[1] + ": of the words of communist.\n", ""},
		"another's seal": {func(h *record.Header) { h.Seals = []string{seals[1], seals[0]} }, Evidence{}, "", "seals: line 1: the words of seat 1 do not match their seal"},
		"one seal":       {func(h *record.Header) { h.Seals = seals[:1] }, Evidence{}, "", "seals: line 1: expected 2 seals, one for the words of each seat, got 1"},
		"a seal shown":   {func(h *record.Header) { h.Seals = seals }, Evidence{Seals: []string{record.SealWords("other")}}, "", "no seat of this record has this seal"},
		"not sealed":     {func(*record.Header) {}, Evidence{Seals: seals}, "", "no seat of this record has this seal"},
		"beacon":         {func(h *record.Header) { h.Beacon = &beacon }, Evidence{Rounds: []int64{1000}}, "Beacon: the signature is that of round 1000 of quicknet", ""},
		"another round": {func(h *record.Header) {
			h.Beacon = &record.Beacon{Chain: "quicknet", Round: 1001, Signature: quicknet1000}
		}, Evidence{}, "",
			"beacon: line 1: invalid signature for round 1001 of beacon quicknet"},
		"another beacon": {func(h *record.Header) {
			h.Beacon = &record.Beacon{Chain: "slownet", Round: 1000, Signature: quicknet1000}
		}, Evidence{}, "",
			`beacon: line 1: unknown beacon "slownet"`},
		"capitals": {func(h *record.Header) {
			h.Beacon = &record.Beacon{Chain: "quicknet", Round: 1000, Signature: strings.ToUpper(quicknet1000)}
		}, Evidence{}, "",
			`beacon: line 1: invalid signature "` + strings.ToUpper(quicknet1000) + `": must be lower-case hexadecimal`},
		"a round named": {func(h *record.Header) { h.Beacon = &beacon }, Evidence{Rounds: []int64{999}}, "", "round 999 is not mixed into the dice of this record"},
		"no beacon":     {func(*record.Header) {}, Evidence{Rounds: []int64{1000}}, "", "round 1000 is not mixed into the dice of this record"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)
			rec := chainedBy(t, tt.change, record.Entry{At: made}, record.Entry{At: made, Seat: "communist", Orders: []string{"PLACE Gyor, Debrecen"}})
			for form, rec := range map[string]*record.Record{"whole": rec, "public": rec.Public()} {
				var out strings.Builder
				_, err := Verify(&out, games, rec, tt.held, true)
				if (err == nil) != (tt.failed == "") || err != nil && !strings.Contains(err.Error(), tt.failed) || !strings.Contains(out.String(), tt.says) {
					t.Errorf("%s: %v, want %q\n%s", form, err, tt.failed, &out)
				}
			}
		})
	}
	rec := chainedBy(t, func(h *record.Header) { h.Seals, h.Beacon = seals, &beacon }, record.Entry{At: time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)})
	for name, change := range map[string]func(*record.Header){
		"seals": func(h *record.Header) { h.Seals = nil }, "beacon": func(h *record.Header) { h.Beacon = nil },
	} {
		without := &record.Record{Header: rec.Header, Steps: rec.Steps}
		change(&without.Header)
		if _, err := Verify(&strings.Builder{}, games, without, Evidence{}, true); err == nil {
			t.Errorf("nobody notices that the %s are gone", name)
		}
	}
}
