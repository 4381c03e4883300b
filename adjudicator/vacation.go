package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

// Away is when a player is on vacation.
type Away struct {
	// Vacations are those of this year, of later ones, and of the one before.
	Vacations clock.Vacations `json:"vacations,omitempty"`
	// Told counts how often others were told today that something has changed.
	Told Said `json:"told,omitzero"`
}

// mostVacations is how often a player may change his vacations in a day: each time the
// others get a letter.
const mostVacations = 4

// Vacation implements letter.Host.
func (s host) Vacation(ctx context.Context, c letter.Command) (letter.Outcome, error) {
	p, now := s.j.turn.m.Seats[s.j.play.seat].Player, s.j.arrival()
	switch {
	case c.Choice == "":
		return letter.Done(p.planned(now) + p.budget(now, s.j.play.a.VacationDays))
	case s.j.play.a.AtTable:
		return letter.Declined("There are no clocks at one table.")
	}
	out, says, err := s.j.play.a.vacates(p, c, now)
	if err != nil || says == "" {
		return out, err
	}
	s.j.reply.contact.player = p
	s.j.tellAway(p, says)
	return out, s.j.elsewhere(ctx, p, true, func(m *Match) { s.j.play.a.tellElsewhere(ctx, m, p, says, &s.j.reply.contact) })
}

// Vacation plans or ends a vacation for a letter of no match. Those whom the player plays with
// are told: their letters are returned, and the matches that change with him, with those that
// were read for the letter before.
func (a *Adjudicator) Vacation(ctx context.Context, p *Player, c letter.Command, known []*Match) (out letter.Outcome, changed bool, letters []Dispatch, others []*Match, err error) {
	now := a.Now()
	if c.Choice == "" {
		out, err = letter.Done(p.planned(now) + p.budget(now, a.VacationDays))
		return out, false, nil, known, err
	}
	out, says, err := a.vacates(p, c, now)
	book, ok := a.Store.(AddressBook)
	if err != nil || says == "" || !ok {
		return out, false, nil, known, err
	}
	seats, err := book.SeatsOf(ctx, p.ID)
	if err != nil {
		return out, false, nil, known, err
	}
	change := addressChange{others: known}
	var told []string
	for _, at := range seats {
		if at.State != Playing || slices.Contains(told, at.Match) {
			continue
		}
		told = append(told, at.Match)
		i := slices.IndexFunc(change.others, func(m *Match) bool { return m.ID == at.Match })
		if i < 0 {
			m, err := a.Store.Match(ctx, at.Match)
			if err != nil {
				return out, false, nil, known, err
			}
			i, change.others = len(change.others), append(change.others, m)
		}
		a.tellElsewhere(ctx, change.others[i], p, says, &change)
	}
	return out, true, change.letters, change.others, nil
}

// vacates changes the vacations of a player, and says what others are told; nothing where nothing
// changes.
func (a *Adjudicator) vacates(p *Player, c letter.Command, now time.Time) (out letter.Outcome, says string, err error) {
	in := zone.Load(p.Zone)
	day := a.Now().UTC().Format(time.DateOnly)
	if p.Away.Told.Day == day && p.Away.Told.Count >= mostVacations {
		out, err = letter.Declined(fmt.Sprintf("You have changed your vacations %d times today, and may do so again tomorrow. Nothing has changed.", mostVacations))
		return out, "", err
	}
	next, which, says, cannot := p.changeVacations(c, in, now, a.VacationDays)
	if cannot != nil {
		out, err = letter.Declined(letter.Sentence(cannot) + " Nothing has changed.")
		return out, "", err
	}
	p.Away.Vacations = next.Since(now.In(in).Year() - 1)
	if p.Away.Told.Day != day {
		p.Away.Told = Said{Day: day}
	}
	p.Away.Told.Count++
	note := "Your vacation " + days(which, now) + " is off. "
	if c.Choice == letter.Set {
		note = "You are away " + days(which, now) + ", whole days in " + zoneName(p.Zone) + ". No time of yours is counted then, in any match. "
	}
	if n := len(next.Ahead(now)); n > 1 || n == 1 && c.Choice != letter.Set {
		note += p.planned(now)
	}
	out, err = letter.Done(note + "Those whom you play with are told. " + p.budget(now, a.VacationDays))
	return out, says, err
}

// changeVacations plans or ends a vacation, and says of it what others are told, with the
// player's name in front.
func (p *Player) changeVacations(c letter.Command, in *time.Location, now time.Time, budget int) (clock.Vacations, clock.Vacation, string, error) {
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

// tellAway tells all others in a match what has changed of a player's vacations.
func (j *adjudication) tellAway(p *Player, says string) {
	if j.turn.m.State != Playing {
		return
	}
	for i := range j.turn.m.Seats {
		if j.turn.m.Seats[i].Player == p {
			for to := range j.turn.m.Seats {
				if j.turn.m.Seats[to].Player != p {
					j.reply.notices[rules.Seat(to)] = append(j.reply.notices[rules.Seat(to)], capital(j.turn.called(rules.Seat(i)))+" "+says+".")
				}
			}
			return
		}
	}
}

// tellElsewhere has the letters written that tell of it in another match. What is wrong
// with one match stops no other.
func (a *Adjudicator) tellElsewhere(ctx context.Context, m *Match, p *Player, says string, c *addressChange) {
	for i := range m.Seats {
		if m.Seats[i].Player.ID == p.ID {
			m.Seats[i].Player = p
		}
	}
	err := guarded(func() error {
		j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
		if err != nil {
			return err
		}
		j.tellAway(p, says)
		change, err := j.change(ctx, rules.Nobody)
		c.letters = append(c.letters, change.Letters...)
		return err
	})
	if err != nil {
		a.Log.ErrorContext(ctx, "a match cannot be told of a vacation", "match", m.ID, "error", err)
	}
}

// planned says which vacations of a player are not over.
func (p *Player) planned(now time.Time) string {
	var list []string
	for _, w := range p.Away.Vacations.Ahead(now) {
		list = append(list, days(w, now))
	}
	if len(list) == 0 {
		return "No vacation of yours is planned. "
	}
	return "You are away " + strings.Join(list, ", and ") + ". "
}

// budget says how many days of vacation a player has left.
func (p *Player) budget(now time.Time, budget int) string {
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

// away says in lines of a letter who is away, or, of the others, is soon.
func (c *account) away(reader rules.Seat) (out string) {
	if reader == rules.Nobody || c.m.State != Playing {
		return ""
	}
	me := c.m.Seats[reader].Player
	said := []*Player{me}
	if w, is := me.Away.Vacations.At(c.now); is {
		out = "\nYou are away " + days(w, c.now) + ". VACATION OFF ends that."
	}
	for i := range c.m.Seats {
		p := c.m.Seats[i].Player
		if slices.Contains(said, p) {
			continue
		}
		said = append(said, p)
		for _, w := range p.Away.Vacations.Ahead(c.now) {
			if w.From.Sub(c.now) < soon {
				out += "\n" + capital(c.called(rules.Seat(i))) + " is away " + days(w, c.now) + "."
			}
		}
	}
	return out
}

// soon is how long before a vacation letters begin to tell of it.
const soon = 14 * 24 * time.Hour
