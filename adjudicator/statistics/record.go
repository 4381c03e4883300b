package statistics

import (
	"errors"
	"slices"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// AddRecord adds a match. who returns the name under which a seat's outcomes count. Hidden outcomes do
// not count. A die counts for the owner that the game names, otherwise for the seat with the order.
func (t *Totals) AddRecord(g *rules.Game, rec *record.Record, who func(seat string) string) error {
	t.Matches++
	whole := rec.Header.Secret != "" || rec.Header.Chance == record.ChanceRecorded
	seats := record.NewOutcomeNames(g, rec.Header.Setup(g)).Seats
	for i, seat := range seats {
		seats[i] = who(seat)
	}
	for _, e := range rec.Entries() {
		for _, o := range e.Chance {
			switch {
			case o.Roll > 0 && (g.Counts == nil || !whole):
				t.AddRoll(who(string(e.Seat)), o.Roll)
			case o.Roll == 0 && o.To != "" && o.From != rules.KindLot:
				t.AddDraw(g, who(o.To), o)
			}
		}
	}
	if g.Counts == nil || !whole {
		return nil
	}
	_, err := record.Replay(rec, g, func(v record.Visit) error {
		public := slices.DeleteFunc(slices.Clone(v.Events), func(e rules.Event) bool { return !e.Audience.Has(rules.NoSeat) })
		t.AddEvents(g.Counts, seats, v.Position.View(rules.NoSeat), public)
		return nil
	})
	if errors.As(err, new(record.DifferencesError)) && !errors.As(err, new(*record.ReplayError)) {
		return nil // What a record expects is not asked here.
	}
	return err
}
