package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

func claimable(j *letterRun) (seats rules.Seats, why string) {
	switch {
	case j.turn.Match.State != match.Playing:
		return 0, "The match is not under way."
	case j.turn.Match.Tempo.IsUntimed():
		return 0, "This match has no time limit."
	case j.turn.Match.OnTimeout == clock.Forfeit:
		return 0, "Nothing has to be claimed in this match: who has no time left loses it after 12 hours of grace."
	case j.turn.Match.Acts.Resigned.Has(j.play.Seat):
		return 0, playsNoMore
	case !j.turn.MayClaim(j.play.Seat), j.turn.Match.IsOverdue(j.play.Seat, j.arrival()):
		return 0, "Your own time is over."
	case j.turn.Match.IsPaused(j.a.Now()):
		return 0, "The match is paused."
	}
	late := false
	for i := range j.turn.Match.Seats {
		seat, c := rules.Seat(i), &j.turn.Match.Seats[i].Clock
		late = late || c.Flagged && !c.OutOfTime()
		if seat != j.play.Seat && c.OutOfTime() { // A vacation from now on comes too late.
			seats |= rules.Only(seat)
		}
	}
	switch {
	case seats == 0 && late:
		why = "Whoever had no time left has answered since, and that counts."
	case seats == 0 && j.turn.Match.OnTimeout == clock.Silence:
		why = "The rules of the game answer for whoever has no time left."
	case seats == 0:
		why = "Nobody else has run out of time."
	}
	return seats, why
}

// claimMatch ends the match for its writer, because another player is out of time.
func claimMatch(ctx context.Context, j *letterRun, _ letter.Command) (Outcome, error) {
	over, why := claimable(j)
	if why != "" {
		return refuse("You cannot claim the match. " + why)
	}
	end := &record.End{}
	for i := range j.turn.Match.Seats {
		if seat := rules.Seat(i); !(over | j.turn.Match.Acts.Resigned).Has(seat) && !j.turn.Match.IsOverdue(seat, j.arrival()) {
			end.Winners = append(end.Winners, record.SeatName(j.turn.Match.Seats[i].Name))
		}
	}
	return enterAct(ctx, j, record.Act{Kind: record.Claim, End: end}, "You claim the match from "+match.List(j.turn.Roles(over))+".")
}

func giveTime(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	if c.Time == 0 || c.Time > maxGift {
		return refuse("From an hour to 30 days can be given at once, such as GIVE 3 days.")
	}
	over, why := claimable(j)
	if why != "" {
		return refuse("There is no time to give. " + why)
	}
	now, until := j.a.Now(), time.Time{}
	for i := range j.turn.Match.Seats {
		if seat := rules.Seat(i); over.Has(seat) {
			k := &j.turn.Match.Seats[i].Clock
			k.Extend(c.Time, now, j.turn.Match.PausesOf(seat))
			if at, _ := k.TimeoutAt(0, j.turn.Match.PausesOf(seat)); at.After(until) {
				until = at
			}
		}
	}
	return enterAct(ctx, j, record.Act{Kind: record.Extend, Until: until.UTC().Truncate(time.Second)},
		"You give "+match.List(j.turn.Roles(over))+" "+compose.SpanWords(c.Time)+" more.")
}

func pauseMatch(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	if j.turn.Match.State == match.Playing && !j.turn.Match.Acts.Resigned.Has(j.play.Seat) {
		switch {
		case j.turn.Match.Acts.Tournament && j.turn.Match.Acts.Pause == nil:
			return refuse("A match of a tournament is not paused, since the others wait for its end. VACATION stops your own clock; " +
				"the director can pause the match.")
		case j.turn.Match.Tempo.IsUntimed():
			return refuse("This match has no time limit, so there is nothing to pause. A MESSAGE tells the others that you are away.")
		case j.turn.Match.Acts.Pause != nil && c.Choice != "YES" && c.Choice != "NO":
			return answerPaused(ctx, j, c)
		}
		if why := whyNoPause(j, c); why != "" {
			return refuse(why)
		}
	}
	return seekConsent(ctx, j, match.Request{Kind: record.Pause, Seat: j.play.Seat, Span: c.Time}, c.Choice)
}

func whyNoPause(j *letterRun, c letter.Command) string {
	_, open := j.turn.Match.OpenRequest(record.Pause)
	switch {
	case c.Choice == "OFF" && !open:
		return "The match is not paused, and nobody asks for that."
	case c.Choice != "":
		return ""
	case c.Time == 0:
		return "Say for how long, from a day on: PAUSE 3 days, or PAUSE 2 weeks. The others have to agree."
	case c.Time < leastPause || c.Time > maxPause:
		return "A pause can be from 1 day to " + compose.WholeDays(maxPause) + "."
	}
	return ""
}

func answerPaused(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	h := j.turn.Match.Acts.Pause
	switch {
	case c.Choice == "OFF" && h.Director:
		return refuse("The director has paused the match, and only the director ends that.")
	case c.Choice == "OFF":
		return endPause(ctx, j)
	case h.Until.IsZero():
		return refuse("The match is paused already.")
	}
	return refuse(fmt.Sprintf("The match is paused already, until %s. "+
		"PAUSE OFF ends that.", compose.ClockTimeFor(j.turn, j.play.Seat, h.Until)))
}

func endPause(ctx context.Context, j *letterRun) (Outcome, error) {
	at := j.a.Now().UTC().Add(noticeOfResuming).Truncate(time.Second)
	if until := j.turn.Match.Acts.Pause.Until; !until.IsZero() && !until.After(at) {
		return refuse(fmt.Sprintf("The pause ends on %s anyway.", compose.ClockTimeFor(j.turn, j.play.Seat, until)))
	}
	return enterAct(ctx, j, record.Act{Kind: record.Resume, Until: at}, "The pause ends.")
}

func planVacation(ctx context.Context, j *letterRun, c letter.Command) (Outcome, error) {
	p, now := j.writer().Player, j.arrival()
	switch {
	case c.Choice == "":
		return did(compose.PlannedVacations(p, now) + compose.VacationBudget(p, now, j.a.VacationDays))
	case j.a.AtTable:
		return declined("There are no clocks at one table.")
	}
	note, says := changeVacation(j.a, p, c, now)
	if says == "" {
		return declined(note)
	}
	j.reply.contact.player = p
	tellAway(j, p, says)
	tell := func(m *match.Match) { tellVacationElsewhere(ctx, j.a, m, p, says, &j.reply.contact) }
	if err := tellMatchesElsewhere(ctx, j, p, true, tell); err != nil {
		return Outcome{}, err
	}
	return did(note)
}

// Vacation plans or ends a vacation, for a letter of no match. It returns the letters to the player's opponents
// and the matches that change, including matches that were read before for the same letter.
func (a *Adjudicator) Vacation(ctx context.Context, p *match.Player, c letter.Command,
	known []*match.Match) (note string, changed bool, letters []exchange.Dispatch, others []*match.Match, err error) {
	now := a.Now()
	if c.Choice == "" {
		return compose.PlannedVacations(p, now) + compose.VacationBudget(p, now, a.VacationDays), false, nil, known, nil
	}
	note, says := changeVacation(a, p, c, now)
	book, ok := a.Store.(exchange.AddressBook)
	if says == "" || !ok {
		return note, false, nil, known, nil
	}
	seats, err := book.SeatsOf(ctx, p.ID)
	change := addressChange{others: known}
	var told []string
	for _, at := range seats {
		if at.State != match.Playing || slices.Contains(told, at.Match) {
			continue
		}
		told = append(told, at.Match)
		i := slices.IndexFunc(change.others, func(m *match.Match) bool { return m.ID == at.Match })
		if i < 0 {
			m, err := a.Store.Match(ctx, at.Match)
			if err != nil {
				return note, false, nil, known, err
			}
			i, change.others = len(change.others), append(change.others, m)
		}
		tellVacationElsewhere(ctx, a, change.others[i], p, says, &change)
	}
	return note, err == nil, change.letters, change.others, err
}

// changeVacation changes the vacations of a player. Says is the announcement to others; empty without a change.
func changeVacation(a *Adjudicator, p *match.Player, c letter.Command, now time.Time) (note, says string) {
	in, told := zone.Load(p.Zone), p.Away.NoticesSent
	if !told.Add(a.Now().UTC().Format(time.DateOnly), 1, maxVacationChanges) {
		return fmt.Sprintf("You have changed your vacations %d times today, and may do so again tomorrow. "+
			"Nothing has changed.", maxVacationChanges), ""
	}
	next, which, says, cannot := changeVacations(p, c, in, now, a.VacationDays)
	if cannot != nil {
		return match.Sentence(cannot) + " Nothing has changed.", ""
	}
	p.Away.Vacations, p.Away.NoticesSent = next.SinceYear(now.In(in).Year()-1), told
	note = "Your vacation " + compose.VacationDays(which, now) + " is off. "
	if c.Choice == letter.Set {
		note = "You are away " + compose.VacationDays(which, now) + ", whole days in " + compose.ZoneName(p.Zone) +
			". No time of yours is counted then, in any match. "
	}
	if n := len(next.Unfinished(now)); n > 1 || n == 1 && c.Choice != letter.Set {
		note += compose.PlannedVacations(p, now)
	}
	return note + "Those whom you play with are told. " + compose.VacationBudget(p, now, a.VacationDays), says
}

// tellAway announces changed vacations to all others in a match.
func tellAway(j *letterRun, p *match.Player, says string) {
	if j.turn.Match.State != match.Playing {
		return
	}
	for i := range j.turn.Match.Seats {
		if j.turn.Match.Seats[i].Player == p {
			for to := range j.turn.Match.Seats {
				if j.turn.Match.Seats[to].Player != p {
					j.answer.AddNotice(rules.Seat(to), match.Capital(j.turn.FullName(rules.Seat(i)))+" "+says+".")
				}
			}
			return
		}
	}
}

// tellVacationElsewhere announces changed vacations in another match. If a letter fails, the others are still
// written.
func tellVacationElsewhere(ctx context.Context, a *Adjudicator, m *match.Match, p *match.Player, says string, c *addressChange) {
	for i := range m.Seats {
		if m.Seats[i].Player.ID == p.ID {
			m.Seats[i].Player = p
		}
	}
	err := guarded(func() error {
		j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
		if err != nil {
			return err
		}
		tellAway(j, p, says)
		change, err := j.change(ctx, rules.NoSeat)
		c.letters = append(c.letters, change.Letters...)
		return err
	})
	if err != nil {
		a.Log.ErrorContext(ctx, "a match cannot be told of a vacation", "match", m.ID, "error", err)
	}
}

const maxGift = 30 * 24 * time.Hour

// maxVacationChanges is the number of changes of vacations in a day. Each change is a letter to the others.
const maxVacationChanges = 4

// changeVacations plans or ends a vacation, and returns the announcement, e.g. "Ben is on vacation from ...".
func changeVacations(p *match.Player, c letter.Command, in *time.Location, now time.Time,
	budget int) (clock.Vacations, clock.Vacation, string, error) {
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

// noticeOfResuming is how long a pause goes on after a player has ended it.
const noticeOfResuming = 24 * time.Hour

// The lengths of a pause.
const (
	leastPause = 24 * time.Hour
	maxPause   = 90 * 24 * time.Hour
)

func resumeMatch(ctx context.Context, a *Adjudicator, m *match.Match) error {
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	m.EndPause(m.Acts.Pause.Until)
	j.turn.Remarks = append(j.turn.Remarks, "The pause is over: clocks run again.")
	return j.apply(ctx, rules.NoSeat)
}

func (j *letterRun) arrival() time.Time {
	var none clock.Clock
	c := &none
	if j.play.Seat != rules.NoSeat {
		c = &j.turn.Match.Seats[j.play.Seat].Clock
	}
	return c.CountedArrival(j.letter.Arrived, j.a.Now())
}
