package record_test

import (
	"encoding/json"
	"errors"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

func outcomes(t testing.TB, text string) []record.Outcome {
	t.Helper()
	var out []record.Outcome
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func words() record.OutcomeNames { return record.NewOutcomeNames(game, rules.Setup{Seats: 3}) }

func TestRecorded(t *testing.T) {
	t.Parallel()
	deal := rules.Draw{Kind: "draw weather", Pile: []int16{4, 7, 7, 9}, To: 1, From: rules.NoSeat, Hidden: true}
	theft := rules.Draw{Kind: "draw weather", Pile: []int16{4, 7, 7, 9}, To: 1, From: 2}
	lot := rules.Draw{Kind: rules.KindLot, Pile: []int16{0, 1, 2}, To: rules.NoSeat, From: rules.NoSeat}
	for _, test := range []struct {
		name, list string
		draw       rules.Draw
		want       int
		says       string
	}{
		{"by element", `[{"draw":7,"from":"weather"}]`, deal, 1, ""},
		{"by place", `[{"draw":7,"i":2,"n":4,"from":"weather","to":"east"}]`, deal, 2, ""},
		{"out of a hand", `[{"draw":9,"from":"weather","to":"east","hand":"west","for":"whatever"}]`, theft, 3, ""},
		{"hand not said", `[{"draw":9,"from":"weather"}]`, theft, 3, ""},
		{"lot", `[{"draw":"west","from":"lot"}]`, lot, 2, ""},
		{"another element", `[{"draw":8,"from":"weather"}]`, deal, 0, `outcome 1: 8 is not in the pile "weather" of 4`},
		{"string for number", `[{"draw":"7","from":"weather"}]`, deal, 0, `outcome 1: 7 is not in the pile "weather" of 4`},
		{"another pile", `[{"draw":7,"from":"struggle"}]`, deal, 0, "outcome 1: expected a draw weather (first deal), got a draw struggle"},
		{"a roll", `[{"roll":7}]`, deal, 0, ""},
		{"another size", `[{"draw":7,"n":5,"from":"weather"}]`, deal, 0, `outcome 1: the pile "weather" has 4 elements, but the record has 5`},
		{"another place", `[{"draw":7,"i":0,"from":"weather"}]`, deal, 0, "outcome 1: 7 has index 1 in the pile, but the record has 0"},
		{"place outside", `[{"draw":7,"i":9,"from":"weather"}]`, deal, 0, "outcome 1: 7 has index 1 in the pile, but the record has 9"},
		{"another seat", `[{"draw":7,"from":"weather","to":"west"}]`, deal, 0, "outcome 1: the game draws for east, but the record draws for west"},
		{"another hand", `[{"draw":7,"from":"weather","hand":"north"}]`, deal, 0, "outcome 1: the game draws from the hand of no seat, but the record draws from the hand of north"},
		{"not shown", `[{"n":4,"from":"weather","to":"east","hidden":true}]`, deal, 0, "outcome 1: the record does not show this hidden draw: only a full record can be replayed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.name == "a roll" {
				test.list, test.says = `[{"roll":6}]`, "outcome 1: expected a draw weather (first deal), got a roll"
			}
			test.draw.For = 1
			r := record.NewRecordedChance(outcomes(t, test.list), words())
			got, err := r.Draw(test.draw)
			if test.says == "" {
				if err != nil || got != test.want || len(r.Unused()) != 0 {
					t.Fatalf("got %d, %v, left %v; want %d", got, err, r.Unused(), test.want)
				}
				if _, err := r.Roll(0); !errors.Is(err, rules.ErrNoOutcome) {
					t.Errorf("behind the end: %v", err)
				}
				return
			}
			var m *record.MismatchError
			if !errors.As(err, &m) || err.Error() != test.says {
				t.Errorf("got  %v\nwant %s", err, test.says)
			}
			if len(r.Unused()) != 1 {
				t.Error("the outcome is used up")
			}
		})
	}
}

func TestOutcomeForm(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{`{}`, `{"roll":0}`, `{"roll":7}`, `{"roll":-1}`, `{"roll":3,"draw":4,"from":"x"}`, `{"draw":4}`,
		`{"from":"weather"}`, `{"draw":[4],"from":"x"}`, `{"draw":4.5,"from":"x"}`, `{"roll":3,"hidden":true}`,
		`{"roll":3,"n":6}`, `{"roll":3,"dice":2}`, `[]`, `4`} {
		var o record.Outcome
		if err := json.Unmarshal([]byte(bad), &o); err == nil {
			t.Errorf("%s is read as %+v", bad, o)
		}
	}
	i, n := 0, 24
	for _, test := range []struct {
		o    record.Outcome
		want string
	}{
		{record.Outcome{Roll: 4, For: "support check in Gdansk"}, `{"roll":4,"for":"support check in Gdansk"}`},
		{record.Outcome{Draw: 36, I: &i, N: &n, From: "strategy", To: "communist"},
			`{"draw":36,"i":0,"n":24,"from":"strategy","to":"communist"}`},
		{record.Outcome{Draw: 0, From: "x"}, `{"draw":0,"from":"x"}`},
	} {
		got, err := json.Marshal(test.o)
		if err != nil || string(got) != test.want {
			t.Errorf("got  %s, %v\nwant %s", got, err, test.want)
		}
		var again record.Outcome
		if err := json.Unmarshal(got, &again); err != nil || again.Draw != test.o.Draw {
			t.Errorf("%s is read as %+v (%v)", got, again, err)
		}
	}
}
