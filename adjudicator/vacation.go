package adjudicator

import (
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
)

// mostVacations is how often a player may change his vacations in a day: each time the
// others get a letter.
const mostVacations = 4

// changeVacations plans or ends a vacation, and says of it what others are told, with the
// player's name in front.
func changeVacations(p *match.Player, c letter.Command, in *time.Location, now time.Time, budget int) (clock.Vacations, clock.Vacation, string, error) {
	if c.Choice == letter.Set {
		next, which, err := p.Away.Vacations.Add(c.First, c.Last, in, now, budget)
		return next, which, "is away " + compose.VacationDays(which, now), err
	}
	next, which, err := p.Away.Vacations.End(c.First, in, now)
	if which.From.After(now) {
		return next, which, "is not away " + compose.VacationDays(which, now) + " after all", err
	}
	return next, which, "is back", err
}
