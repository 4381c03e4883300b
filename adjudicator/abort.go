package adjudicator

import (
	"context"
	"fmt"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// ownOrders is how many orders each seat has to have made before nobody can break the match off by
// himself any more.
const ownOrders = 2

// Abort implements letter.Host.
func (s host) Abort(ctx context.Context, c letter.Command) (letter.Outcome, error) {
	match, answer := c.Text, c.Choice
	switch {
	case match != "" && match != s.j.turn.m.ID:
		return letter.Refused(fmt.Sprintf("Nothing is broken off. This letter is about match %s, not %s.", s.j.turn.m.ID, match))
	case s.j.turn.m.State == Over || s.j.turn.m.Acts.Resigned.Has(s.j.play.seat) || answer != "":
		return s.consent(ctx, Request{Kind: record.Abort, Seat: s.j.play.seat}, answer)
	}
	alone, err := s.j.fresh(ctx)
	switch {
	case err != nil:
		return letter.Outcome{}, err
	case !alone:
		return s.consent(ctx, Request{Kind: record.Abort, Seat: s.j.play.seat}, answer)
	case match == "":
		return s.asksWhether(letter.Abort, s.j.aborting())
	}
	e := record.Entry{Seat: record.SeatName(s.j.turn.m.Seats[s.j.play.seat].Name), Letter: s.j.digest(), Act: &record.Act{Kind: record.Abort, End: &record.End{}}}
	if err := s.j.play.act(ctx, e); err != nil {
		return letter.Outcome{}, err
	}
	return letter.Done("You have broken the match off.")
}

// aborting says what it means to break the match off.
func (j *adjudication) aborting() string {
	return "You would break off match " + j.turn.m.ID + ": it ends, and counts for nobody. That cannot be undone."
}

// fresh reports whether one player alone can break the match off: some seat has made fewer than two
// orders that all know of, and no tournament waits for the match.
func (j *adjudication) fresh(ctx context.Context) (bool, error) {
	if j.turn.m.Acts.Tournament {
		return false, nil
	}
	entries, err := j.play.played(ctx)
	if err != nil {
		return false, err
	}
	made := map[record.SeatName]int{}
	for _, e := range append(entries, j.turn.entries...) {
		if e.Seat != "" && e.HasOrders() {
			made[e.Seat]++
		}
		for _, a := range e.Answers {
			made[a.Seat]++
		}
		if e.Tally == nil {
			continue
		}
		for i := range j.turn.m.Seats {
			made[record.SeatName(j.turn.m.Seats[i].Name)]++
		}
	}
	for i := range j.turn.m.Seats {
		if !j.turn.m.Acts.Resigned.Has(rules.Seat(i)) && made[record.SeatName(j.turn.m.Seats[i].Name)] < ownOrders {
			return true, nil
		}
	}
	return false, nil
}
