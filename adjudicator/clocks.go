package adjudicator

import (
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// arrival is the time for which what is carried out counts.
func (j *adjudication) arrival() time.Time {
	var none clock.Clock
	c := &none
	if j.play.Seat != rules.Nobody {
		c = &j.turn.Match.Seats[j.play.Seat].Clock
	}
	return c.Arrival(j.letter.Arrived, j.a.Now())
}
