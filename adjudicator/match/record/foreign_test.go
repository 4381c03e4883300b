package record_test

import (
	"errors"
	"strings"
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// foreign is a game played at a table, told with its real dice.
const foreign = `{"format":"samizdat-record","version":1,"game":"orchards","rules":1,"options":{"rounds":"1"},"seats":{"north":"","east":"","west":""},"chance":"recorded","told_by":"us"}
{"seq":0,"seat":null,"orders":[],"chance":[{"draw":1,"from":"weather","to":"north"},{"draw":2,"from":"weather"},{"draw":3,"from":"weather"},{"draw":4,"from":"weather"},{"draw":5,"from":"weather"},{"draw":6,"from":"weather"},{"draw":7,"from":"weather"},{"draw":8,"from":"weather"},{"draw":9,"from":"weather"},{"draw":"north","from":"lot"}],"note":"deal"}
{"expect":{"kind":"start","hands":{"north":[1,4,7],"east":[2,5,8]},"round":1}}
{"seq":1,"seat":"north","orders":["PLAY 1 SOW Mill Lane, Long Acre"],"chance":[{"roll":6,"for":"any words"},{"draw":5,"from":"weather","hand":"east"}]}
{"expect":{"hands":{"north":[4,5,7]},"points":{"north":6}}}
{"seq":2,"seat":"north","orders":["WATER Millpond"],"chance":[],"source":1}
{"seq":3,"seat":"east","orders":["PLAY First; "],"chance":[]}
`

// told is the foreign record with the last line replaced.
func told(lines ...string) string {
	all := strings.SplitAfter(foreign, "\n")
	return strings.Join(all[:len(all)-2], "") + strings.Join(lines, "\n") + "\n"
}

func TestForeign(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, file string
		stalled    bool
		says       string
	}{
		{"as far as it goes", told(), false, ""},
		{"in words", told(`{"seq":3,"seat":"east","orders":["play water wheel sow millpond 2 and hill and dale"],"chance":[{"roll":2}]}`), false, ""},
		{"chance runs out", told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Millpond 3"]}`), true, ""},
		{"deal breaks off", strings.Join(strings.SplitAfter(foreign, "\n")[:1], "") + `{"seq":0,"seat":null,"chance":[{"draw":1,"from":"weather"}]}`, true, ""},
		{"chance in two parts", told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Millpond 3"]}`, `{"seq":4,"seat":null,"chance":[{"roll":3}]}`), false, ""},
		{"forced and settled unasked", told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Millpond 3"]}`,
			`{"seq":4,"seat":"west","orders":["CLEAR Millpond"],"forced":true,"source":2,"chance":[{"roll":3}]}`), false, ""},
		{"forced and not asked", told(`{"seq":3,"seat":"west","orders":["CLEAR Millpond"],"forced":true,"source":2,"chance":[{"roll":3}]}`,
			`{"seq":4,"seat":"east","orders":["PLAY 2 SOW Millpond 3"]}`), false, ""},
		{"forced and asked", told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Millpond 3"],"forced":true,"chance":[{"roll":3}]}`), false, ""},
		{"forced chance left over", told(`{"seq":3,"seat":"west","orders":["CLEAR Millpond"],"forced":true,"chance":[{"roll":3}]}`), false,
			"line 7, entry 3: 1 unused outcomes, first a roll of 3"},
		{"order after chance ran out", told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Millpond 3"]}`, `{"seq":4,"seat":"west","orders":["PLAY 3 SOW Millpond"]}`), true,
			"line 8, entry 4: outcomes are missing in the entry before"},
		{"left over", told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Millpond 3"],"chance":[{"roll":2},{"roll":4}]}`), false,
			"line 7, entry 3: 1 unused outcomes, first a roll of 4"},
		{"left over without an order", told(`{"seq":3,"seat":null,"chance":[{"draw":3,"from":"weather"}]}`), false,
			`line 7, entry 3: 1 unused outcomes, first a draw of 3 from "weather"`},
		{"not in hand", told(`{"seq":3,"seat":"east","orders":["PLAY 5 SOW Millpond 3"]}`), false,
			`line 7, entry 3: "PLAY 5 SOW Millpond 3": that is not among the 2 legal answers to the question (play): Clear Sky at Noon (card 5) is not in your hand. PLAY 2 would be legal.`},
		{"not his turn", told(`{"seq":3,"seat":"west","orders":["PLAY 3 SOW Millpond"]}`), false,
			`line 7, entry 3: "PLAY 3 SOW Millpond": nothing is asked of you now`},
		{"no such seat", told(`{"seq":3,"seat":"south","orders":["PASS"]}`), false, `line 7, entry 3: unknown seat "south"`},
		{"not understood", told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Mull"]}`), false,
			`line 7, entry 3: "PLAY 2 SOW Mull": "Mull" is not a field`},
		{"other die", told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Millpond 3"],"chance":[{"draw":3,"from":"weather"}]}`), false,
			`line 7, entry 3: "PLAY 2 SOW Millpond 3": apply an answer to decision 5: ripening: outcome 1: expected a roll (ripening), got a draw weather`},
		{"other state", told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Millpond 3"],"chance":[{"roll":2}],"state":"00"}`), false,
			"line 7, entry 3: the position has the hash 82e2992b593e, but the record has 00 (first 12 digits)"},
		{"expectations", told(`{"expect":{"points":{"north":5,"west":0},"round":2}}`, `{"expect":{"turns":2}}`,
			`{"seq":3,"seat":"west","orders":["PASS"]}`), false,
			"line 7, after entry 2: points.north: 6, expected 5\nline 7, after entry 2: round: 1, expected 2\n" +
				"line 8, after entry 2: turns: 1, expected 2\nline 9, entry 3: \"PASS\": nothing is asked of you now"},
		{"other game", strings.Replace(foreign, "orchards", "chess", 1), false, `line 1: expected a record of the game "orchards", got "chess"`},
		{"other option", strings.Replace(foreign, `"rounds":"1"`, `"rounds":"9"`, 1), false, "line 1: option rounds is 1 or 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			final, err := record.Replay(read(t, []byte(test.file)), game, nil)
			switch {
			case test.says == "" && err != nil:
				t.Fatal(err)
			case test.says != "" && (err == nil || !strings.HasPrefix(err.Error(), test.says)):
				t.Fatalf("got  %v\nwant %s", err, test.says)
			}
			if final.Position != nil && final.Stalled != test.stalled {
				t.Errorf("stalled %t, want %t", final.Stalled, test.stalled)
			}
		})
	}
}

func TestReplayErrorsAreTyped(t *testing.T) {
	t.Parallel()
	file := told(`{"expect":{"round":2}}`, `{"seq":3,"seat":"west","orders":["PASS"]}`)
	_, err := record.Replay(read(t, []byte(file)), game, nil)
	var diffs record.DifferencesError
	var failure *record.ReplayError
	if !errors.As(err, &diffs) || len(diffs) != 1 || !errors.As(err, &failure) || !errors.Is(err, gate.ErrNoOpenDecision) {
		t.Errorf("got %v", err)
	}
	stop := errors.New("enough")
	visits := 0
	final, err := record.Replay(read(t, []byte(file)), game, func(v record.Visit) error {
		if visits++; visits == 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || visits != 2 || final.EntryCount != 2 {
		t.Errorf("got %v after %d visits", err, visits)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	head := strings.SplitAfter(foreign, "\n")[0]
	for _, test := range []struct{ name, file, says string }{
		{"nothing", "", "the record is empty"},
		{"no header", `{"seq":0}`, "line 1: not a record: expected a header with the format \"samizdat-record\", got \"\""},
		{"later version", strings.Replace(head, `"version":1`, `"version":2`, 1), "line 1: expected version 1 of the format, got 2"},
		{"other chance", strings.Replace(head, `"recorded"`, `"loaded"`, 1), `line 1: chance must be "recorded" or absent, got "loaded"`},
		{"not JSON", head + "\n\nhello\n", "line 4: canonical JSON: jsontext: invalid character"},
		{"unknown member", head + `{"seq":0,"seat":null,"colour":"red"}`, `line 2: json: unknown field "colour"`},
		{"member twice", head + `{"seq":0,"seat":null,"seq":0}`, `line 2: canonical JSON: jsontext: duplicate object member name "seq"`},
		{"fraction", head + `{"seq":0,"seat":null,"source":1.5}`, "line 2: canonical JSON: 1.5 is not an integer"},
		{"wrong order", head + `{"seq":1,"seat":null}` + "\n" + `{"seq":1,"seat":null}`, "line 3: entry 1 follows entry 1: entries must be in order"},
		{"outcome", head + `{"seq":0,"seat":null,"chance":[{"roll":9}]}`, "line 2: a roll must be from 1 to 6, got 9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := record.Read(strings.NewReader(test.file))
			if err == nil || !strings.HasPrefix(err.Error(), test.says) {
				t.Errorf("got  %v\nwant %s", err, test.says)
			}
		})
	}
}

// A recorded game can have a chain of its own.
func TestRecordedGameWithChain(t *testing.T) {
	t.Parallel()
	rec := read(t, []byte(told()))
	s := testSecret(t)
	sealed := &record.Record{Header: rec.Header}
	sealed.Header.Commitment, sealed.Header.Secret = s.Commitment(), s.Hex()
	prev := s.Commitment()
	for _, e := range rec.Entries() {
		e := *e
		if e.Seq == 0 {
			var err error
			if e.Setup, err = sealed.Header.Digest(); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Seal("", prev, &e); err != nil {
			t.Fatal(err)
		}
		prev = e.Hash
		sealed.Add(e)
	}
	again := read(t, isCanonical(t, sealed))
	if err := record.VerifyChain(again); err != nil {
		t.Error(err)
	}
	if _, err := record.Replay(again, game, nil); err != nil {
		t.Error(err)
	}
	if err := record.VerifyStream(again); err == nil {
		t.Error("recorded chance was verified")
	}
}

// Whatever a file holds, reading it ends with a record or an error, and so does
// playing it.
func FuzzReplay(f *testing.F) {
	f.Add([]byte(foreign))
	f.Add([]byte(told(`{"seq":3,"seat":"east","orders":["PLAY 2 SOW Millpond 3"],"chance":[{"roll":2}]}`)))
	f.Add([]byte(told(`{"seq":3,"seat":null,"answers":[{"seat":"west","orders":["VOTE SUN"]}]}`)))
	f.Add(isCanonical(f, played(f, 6).rec))
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := record.Read(strings.NewReader(string(data)))
		if err != nil {
			return
		}
		final, err := record.Replay(rec, game, nil)
		if err == nil && final.Position == nil {
			t.Error("no position")
		}
		if err := record.VerifyChain(rec); err == nil && rec.Header.Commitment == "" {
			t.Error("a chain without a beginning holds")
		}
		var _ rules.Position = final.Position
	})
}
