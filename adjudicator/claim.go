package adjudicator

import (
	"context"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/templates"
)

// claimable are the other seats whose time is over, and why nothing can be claimed where
// there are none.
func (j *adjudication) claimable() (seats rules.Seats, why string) {
	switch {
	case j.turn.m.State != Playing:
		return 0, "The match is not under way."
	case j.turn.m.Tempo.None():
		return 0, "This match has no time limit."
	case j.turn.m.Zero == clock.Forfeit:
		return 0, "Nothing has to be claimed in this match: who has no time left loses it after 12 hours of grace."
	case j.turn.m.Acts.Resigned.Has(j.play.seat):
		return 0, playsNoMore
	case !j.turn.mayClaim(j.play.seat), j.turn.m.overdue(j.play.seat, j.arrival()):
		return 0, "Your own time is over."
	case j.turn.m.paused(j.play.a.Now()):
		return 0, "The match is paused."
	}
	late := false
	for i := range j.turn.m.Seats {
		seat, c := rules.Seat(i), &j.turn.m.Seats[i].Clock
		late = late || c.Flagged && !c.OutOfTime()
		if seat != j.play.seat && c.OutOfTime() { // A vacation from then on comes too late.
			seats |= rules.Only(seat)
		}
	}
	switch {
	case seats == 0 && late:
		why = "Whoever had no time left has answered since, and that counts."
	case seats == 0 && j.turn.m.Zero == clock.Silence:
		why = "The rules of the game answer for whoever has no time left."
	case seats == 0:
		why = "Nobody else has run out of time."
	}
	return seats, why
}

// Claim implements letter.Host.
func (s host) Claim(ctx context.Context) (letter.Outcome, error) {
	over, why := s.j.claimable()
	if why != "" {
		return letter.Refused("You cannot claim the match. " + why)
	}
	end := &record.End{}
	for i := range s.j.turn.m.Seats {
		if seat := rules.Seat(i); !(over | s.j.turn.m.Acts.Resigned).Has(seat) && !s.j.turn.m.overdue(seat, s.j.arrival()) {
			end.Winners = append(end.Winners, record.SeatName(s.j.turn.m.Seats[i].Name))
		}
	}
	e := record.Entry{Seat: record.SeatName(s.j.turn.m.Seats[s.j.play.seat].Name), Letter: s.j.digest(), Act: &record.Act{Kind: record.Claim, End: end}}
	if err := s.j.play.act(ctx, e); err != nil {
		return letter.Outcome{}, err
	}
	return letter.Done("You claim the match from " + templates.List(s.j.turn.roles(over)) + ".")
}

// Give implements letter.Host.
func (s host) Give(ctx context.Context, by time.Duration) (letter.Outcome, error) {
	over, why := s.j.claimable()
	if why != "" {
		return letter.Refused("There is no time to give. " + why)
	}
	now, until := s.j.play.a.Now(), time.Time{}
	for i := range s.j.turn.m.Seats {
		if seat := rules.Seat(i); over.Has(seat) {
			c := &s.j.turn.m.Seats[i].Clock
			c.Extend(by, now, s.j.turn.m.stops(seat))
			if at, _ := c.Zero(0, s.j.turn.m.stops(seat)); at.After(until) {
				until = at
			}
		}
	}
	e := record.Entry{Seat: record.SeatName(s.j.turn.m.Seats[s.j.play.seat].Name), Letter: s.j.digest(),
		Act: &record.Act{Kind: record.Extend, Until: until.UTC().Truncate(time.Second)}}
	if err := s.j.play.act(ctx, e); err != nil {
		return letter.Outcome{}, err
	}
	return letter.Done("You give " + templates.List(s.j.turn.roles(over)) + " " + spanWords(by) + " more.")
}

// forfeits ends the match for a seat that has not answered within the grace, which was over at a
// time. Whoever was out of time himself then does not win by it.
func (j *adjudication) forfeits(ctx context.Context, seat rules.Seat, at time.Time) error {
	var late rules.Seats
	for i := range j.turn.m.Seats {
		if j.turn.m.overdue(rules.Seat(i), at) {
			late |= rules.Only(rules.Seat(i))
		}
	}
	return j.leave(ctx, seat, record.Act{Kind: record.Forfeit}, "", late)
}

// overdue reports whether the time of a seat was over at a moment without an answer. What is held
// back for it came in time.
func (m *Match) overdue(seat rules.Seat, at time.Time) bool {
	s := &m.Seats[seat]
	if s.Clock.OutOfTime() {
		return true
	}
	end, comes := s.Clock.Zero(0, m.stops(seat))
	return comes && !end.After(at) && s.Timing.Waiting == nil && s.Timing.DelayedUntil.IsZero()
}
