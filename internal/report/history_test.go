package report

import (
	"errors"
	"slices"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/history"
)

// TestHistoryReader: everything is told when the match is over and its end is final, and
// before that no more than everybody may see, or the seat that is named.
func TestHistoryReader(t *testing.T) {
	t.Parallel()
	at := time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC)
	soon, late := at.Add(time.Hour), at.Add(record.Provisional)
	act := func(kind record.ActKind) record.Entry {
		return record.Entry{Seat: "communist", At: at, Act: &record.Act{Kind: kind, End: &record.End{Winners: []record.SeatName{"democrat"}}}}
	}
	order := record.Entry{Seat: "communist", Orders: []string{"PLACE Gyor, Debrecen"}, At: at}
	undo := record.Entry{Takeback: 2, Epoch: 1, At: at, Act: &record.Act{Kind: record.Undo, By: record.ByDirector, Until: at}}
	again := act(record.Resign)
	again.Epoch = 1
	for name, tt := range map[string]struct {
		entries []record.Entry
		now     time.Time
		seat    string
		all     bool
	}{
		"goes on":                      {[]record.Entry{{At: at}, order}, late, "", false},
		"resigned":                     {[]record.Entry{{At: at}, order, act(record.Resign)}, soon, "", true},
		"a seat of one resigned":       {[]record.Entry{{At: at}, order, act(record.Resign)}, soon, "communist", false},
		"out of time":                  {[]record.Entry{{At: at}, order, act(record.Forfeit)}, soon, "", false},
		"out of time, a week ago":      {[]record.Entry{{At: at}, order, act(record.Forfeit)}, late, "", true},
		"undone, and then resigned":    {[]record.Entry{{At: at}, order, act(record.Forfeit), undo, again}, soon, "", true},
		"undone, and goes on for ever": {[]record.Entry{{At: at}, order, act(record.Forfeit), undo}, late, "", false},
	} {
		s, err := History(games, chained(t, tt.entries...), tt.seat, tt.now)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Reader.All != tt.all || len(s.Checked) == 0 {
			t.Errorf("%s: everything is told: %t; checked: %q", name, s.Reader.All, s.Checked)
		}
		if hidden := slices.ContainsFunc(s.Moves[0].Draws, func(d history.Draw) bool { return d.Hidden > 0 }); hidden == tt.all {
			t.Errorf("%s: the deal is hidden: %t", name, hidden)
		}
	}
	if _, err := History(games, chained(t, record.Entry{At: at}).Public(), "", late); !errors.Is(err, ErrPublic) {
		t.Errorf("a record with public fields only: %v", err)
	}
}
