package adjudicator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

// mostVacations is how often a player may change his vacations in a day: each time the
// others get a letter.
const mostVacations = 4

// changeVacations plans or ends a vacation, and says of it what others are told, with the
// player's name in front.
func changeVacations(p *Player, c letter.Command, in *time.Location, now time.Time, budget int) (clock.Vacations, clock.Vacation, string, error) {
	if c.Choice == letter.Set {
		next, which, err := p.Away.Vacations.Add(c.First, c.Last, in, now, budget)
		return next, which, "is away " + days(which, now), err
	}
	next, which, err := p.Away.Vacations.End(c.First, in, now)
	if which.From.After(now) {
		return next, which, "is not away " + days(which, now) + " after all", err
	}
	return next, which, "is back", err
}

// plannedVacations says which vacations of a player are not over.
func plannedVacations(p *Player, now time.Time) string {
	var list []string
	for _, w := range p.Away.Vacations.Ahead(now) {
		list = append(list, days(w, now))
	}
	if len(list) == 0 {
		return "No vacation of yours is planned. "
	}
	return "You are away " + strings.Join(list, ", and ") + ". "
}

// vacationBudget says how many days of vacation a player has left.
func vacationBudget(p *Player, now time.Time, budget int) string {
	in := zone.Load(p.Zone)
	year := now.In(in).Year()
	var left []string
	for y := year; y <= year+1; y++ {
		left = append(left, fmt.Sprintf("%s of %d", clock.InDays(p.Away.Vacations.Left(y, in, budget)), y))
	}
	return fmt.Sprintf("Of the %d days of vacation in a year you have left %s.", budget, strings.Join(left, " and "))
}

// days says when a vacation is. The days are the player's own: what time they begin at
// elsewhere would tell where he is.
func days(w clock.Vacation, now time.Time) string {
	if !w.From.After(now) {
		return "until " + clock.Day(w.Last)
	}
	return "from " + clock.Day(w.First) + " until " + clock.Day(w.Last)
}

func zoneName(name string) string {
	if name == "" {
		return zone.UTC
	}
	return name
}

// awayTold says in lines of a letter who is away, or, of the others, is soon.
func awayTold(c *match.Turn, reader rules.Seat) (out string) {
	if reader == rules.Nobody || c.Match.State != Playing {
		return ""
	}
	me := c.Match.Seats[reader].Player
	said := []*Player{me}
	if w, is := me.Away.Vacations.At(c.Now); is {
		out = "\nYou are away " + days(w, c.Now) + ". VACATION OFF ends that."
	}
	for i := range c.Match.Seats {
		p := c.Match.Seats[i].Player
		if slices.Contains(said, p) {
			continue
		}
		said = append(said, p)
		for _, w := range p.Away.Vacations.Ahead(c.Now) {
			if w.From.Sub(c.Now) < soon {
				out += "\n" + match.Capital(c.Called(rules.Seat(i))) + " is away " + days(w, c.Now) + "."
			}
		}
	}
	return out
}

// soon is how long before a vacation letters begin to tell of it.
const soon = 14 * 24 * time.Hour
