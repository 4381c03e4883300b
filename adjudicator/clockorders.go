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

// findClaimableSeats returns the seats that are out of time, for CLAIM and GIVE, or the reason why the writer may not use these orders.
func findClaimableSeats(run *letterRun) (seats rules.Seats, reason string) {
	switch {
	case run.turn.Match.State != match.Playing:
		return 0, "The match is not in progress."
	case run.turn.Match.Tempo.IsUntimed():
		return 0, "This match has no time limit."
	case run.turn.Match.OnTimeout == clock.Forfeit:
		return 0, "You need not claim this match: a player who runs out of time loses it after 12 hours of grace."
	case run.turn.Match.Acts.Resigned.Has(run.play.Seat):
		return 0, resignedNote
	case !run.turn.MayClaim(run.play.Seat), run.turn.Match.IsOverdue(run.play.Seat, run.arrivalTime()):
		return 0, "You have run out of time yourself."
	case run.turn.Match.IsPaused(run.adjudicator.Now()):
		return 0, "The match is paused."
	}
	late := false
	for i := range run.turn.Match.Seats {
		seat, c := rules.Seat(i), &run.turn.Match.Seats[i].Clock
		late = late || c.Flagged && !c.OutOfTime()
		if seat != run.play.Seat && c.OutOfTime() { // A vacation from now on comes too late.
			seats |= rules.Only(seat)
		}
	}
	switch {
	case seats == 0 && late:
		reason = "The player who had run out of time has answered since, and that counts."
	case seats == 0 && run.turn.Match.OnTimeout == clock.Silence:
		reason = "In this match the rules answer for a player who runs out of time."
	case seats == 0:
		reason = "No other player has run out of time."
	}
	return seats, reason
}

// claimMatch ends the match for its writer, because another player is out of time.
func claimMatch(ctx context.Context, run *letterRun, _ letter.Command) (Outcome, error) {
	outOfTime, reason := findClaimableSeats(run)
	if reason != "" {
		return refuseAndStop("You cannot claim the match. " + reason)
	}
	end := &record.End{}
	for i := range run.turn.Match.Seats {
		if seat := rules.Seat(i); !(outOfTime | run.turn.Match.Acts.Resigned).Has(seat) && !run.turn.Match.IsOverdue(seat, run.arrivalTime()) {
			end.Winners = append(end.Winners, record.SeatName(run.turn.Match.Seats[i].Name))
		}
	}
	return enterAct(ctx, run, record.Act{Kind: record.Claim, End: end}, "You have claimed the match from "+
		match.JoinAnd(run.turn.Roles(outOfTime))+".")
}

// giveTime gives more time to the players who are out of time.
func giveTime(ctx context.Context, run *letterRun, c letter.Command) (Outcome, error) {
	if c.Time == 0 || c.Time > maxGift {
		return refuseAndStop("You can give from 1 hour to 30 days at once, for example GIVE 3 days.")
	}
	outOfTime, reason := findClaimableSeats(run)
	if reason != "" {
		return refuseAndStop("You cannot give time now. " + reason)
	}
	now, until := run.adjudicator.Now(), time.Time{}
	for i := range run.turn.Match.Seats {
		if seat := rules.Seat(i); outOfTime.Has(seat) {
			k := &run.turn.Match.Seats[i].Clock
			k.Extend(c.Time, now, run.turn.Match.PausesOf(seat))
			if at, _ := k.TimeoutAt(0, run.turn.Match.PausesOf(seat)); at.After(until) {
				until = at
			}
		}
	}
	return enterAct(ctx, run, record.Act{Kind: record.Extend, Until: until.UTC().Truncate(time.Second)},
		"You gave "+match.JoinAnd(run.turn.Roles(outOfTime))+" "+compose.FormatSpan(c.Time)+" more.")
}

// nudge asks for a reminder to the players who are to move. The answer does not show whether they have given a sealed answer.
func nudge(_ context.Context, run *letterRun, _ letter.Command) (Outcome, error) {
	m := run.turn.Match
	switch {
	case m.State != match.Playing:
		return refuseAndContinue("The match is not in progress.")
	case m.Tempo.IsUntimed():
		return refuseAndContinue("This match has no time limit, so no reminder is sent. MESSAGE writes to the others.")
	case len(run.turn.OpenDecisions(run.play.Seat)) > 0:
		return refuseAndContinue("You are to move yourself.")
	}
	var reminded, nudged rules.Seats
	for i := range m.Seats {
		if seat := rules.Seat(i); seat != run.play.Seat && m.Seats[i].Robot == "" &&
			m.Seats[i].Clock.Nudge(m.Tempo, run.adjudicator.Now(), m.PausesOf(seat)) {
			reminded |= rules.Only(seat)
		} else if seat != run.play.Seat && m.Seats[i].Clock.WasNudged() {
			nudged |= rules.Only(seat)
		}
	}
	switch {
	case reminded == 0 && nudged != 0:
		return refuseAndContinue("No reminder is sent: one was already asked for, and there is one for each question.")
	case reminded == 0:
		return refuseAndContinue("No reminder is sent: it is too early. You can ask for one when a player has used " +
			compose.FormatSpan((m.Tempo.Bank+m.Tempo.Phase)/2) + " for a question.")
	}
	return done("We will send " + match.JoinAnd(run.turn.Roles(reminded)) + " a reminder, unless the answer is in already.")
}

func pauseMatch(ctx context.Context, run *letterRun, c letter.Command) (Outcome, error) {
	if run.turn.Match.State == match.Playing && !run.turn.Match.Acts.Resigned.Has(run.play.Seat) {
		switch {
		case run.turn.Match.Acts.Tournament && run.turn.Match.Acts.Pause == nil:
			return refuseAndStop("A tournament match cannot be paused by its players, because the other matches wait for its " +
				"end. VACATION stops your own clock; the director can pause the match.")
		case run.turn.Match.Tempo.IsUntimed():
			return refuseAndStop("This match has no time limit, so there is nothing to pause. Use MESSAGE to tell the others " +
				"that you are away.")
		case run.turn.Match.Acts.Pause != nil && c.Choice != "YES" && c.Choice != "NO":
			return answerPaused(ctx, run, c)
		}
		if reason := explainNoPause(run, c); reason != "" {
			return refuseAndStop(reason)
		}
	}
	return handleConsent(ctx, run, match.Request{Kind: record.Pause, Seat: run.play.Seat, Span: c.Time}, c.Choice)
}

func explainNoPause(run *letterRun, c letter.Command) string {
	_, open := run.turn.Match.OpenRequest(record.Pause)
	switch {
	case c.Choice == "OFF" && !open:
		return "The match is not paused, and no player has asked for a pause."
	case c.Choice != "":
		return ""
	case c.Time == 0:
		return "Say how long, at least 1 day: PAUSE 3 days, or PAUSE 2 weeks. The others must agree."
	case c.Time < minPause || c.Time > maxPause:
		return "A pause can be from 1 day to " + compose.FormatDays(maxPause) + "."
	}
	return ""
}

func answerPaused(ctx context.Context, run *letterRun, c letter.Command) (Outcome, error) {
	pause := run.turn.Match.Acts.Pause
	switch {
	case c.Choice == "OFF" && pause.Director:
		return refuseAndStop("The director has paused the match, and only the director can end the pause.")
	case c.Choice == "OFF":
		return endPause(ctx, run)
	case pause.Until.IsZero():
		return refuseAndStop("The match is paused already.")
	}
	return refuseAndStop(fmt.Sprintf("The match is paused already, until %s. To end the pause, send PAUSE "+
		"OFF.", compose.ClockTimeFor(run.turn, run.play.Seat, pause.Until)))
}

func endPause(ctx context.Context, run *letterRun) (Outcome, error) {
	at := run.adjudicator.Now().UTC().Add(resumeNotice).Truncate(time.Second)
	if until := run.turn.Match.Acts.Pause.Until; !until.IsZero() && !until.After(at) {
		return refuseAndStop(fmt.Sprintf("The pause already ends on %s.", compose.ClockTimeFor(run.turn, run.play.Seat, until)))
	}
	return enterAct(ctx, run, record.Act{Kind: record.Resume, Until: at}, "You ended the pause.")
}

func planVacation(ctx context.Context, run *letterRun, c letter.Command) (Outcome, error) {
	p, now := run.writerSeat().Player, run.arrivalTime()
	switch {
	case c.Choice == "":
		return done(compose.PlannedVacations(p, now) + compose.VacationBudget(p, now, run.adjudicator.VacationDays))
	case run.adjudicator.AtTable:
		return refuseAndContinue("Players at one table have no clocks.")
	}
	note, announcement := updateVacations(run.adjudicator, p, c, now)
	if announcement == "" {
		return refuseAndContinue(note)
	}
	run.effects.contact.player = p
	announceVacation(run, p, announcement)
	tell := func(m *match.Match) {
		announceVacationInMatch(ctx, run.adjudicator, m, p, announcement, &run.effects.contact)
	}
	if err := changeOtherMatches(ctx, run, p, true, tell); err != nil {
		return Outcome{}, err
	}
	return done(note)
}

// ChangeVacation plans or ends a vacation, for a letter of no match. loaded are the player's matches that were read before for the same
// letter. It returns the letters to the opponents and all matches that change.
func (a *Adjudicator) ChangeVacation(ctx context.Context, p *match.Player, c letter.Command,
	loaded []*match.Match) (note string, changed bool, letters []exchange.OutgoingLetter, others []*match.Match, err error) {
	now := a.Now()
	if c.Choice == "" {
		return compose.PlannedVacations(p, now) + compose.VacationBudget(p, now, a.VacationDays), false, nil, loaded, nil
	}
	note, announcement := updateVacations(a, p, c, now)
	addressBook, ok := a.Store.(exchange.AddressBook)
	if announcement == "" || !ok {
		return note, false, nil, loaded, nil
	}
	seats, err := addressBook.SeatsOf(ctx, p.ID)
	change := addressChange{others: loaded}
	var written []string
	for _, at := range seats {
		if at.State != match.Playing || slices.Contains(written, at.Match) {
			continue
		}
		written = append(written, at.Match)
		i := slices.IndexFunc(change.others, func(m *match.Match) bool { return m.ID == at.Match })
		if i < 0 {
			m, err := a.Store.Match(ctx, at.Match)
			if err != nil {
				return note, false, nil, loaded, err
			}
			i, change.others = len(change.others), append(change.others, m)
		}
		announceVacationInMatch(ctx, a, change.others[i], p, announcement, &change)
	}
	return note, err == nil, change.letters, change.others, err
}

// updateVacations changes the vacations of a player. announcement is for the opponents; empty without a change.
func updateVacations(a *Adjudicator, p *match.Player, c letter.Command, now time.Time) (note, announcement string) {
	in, notices := zone.Load(p.Zone), p.Away.NoticesSent
	if !notices.Add(a.Now().UTC().Format(time.DateOnly), 1, maxVacationChanges) {
		return fmt.Sprintf("You have changed your vacations %d times today, and may do so again tomorrow. Nothing was "+
			"changed.", maxVacationChanges), ""
	}
	next, vacation, announcement, err := parseVacationChange(p, c, in, now, a.VacationDays)
	if err != nil {
		return match.ErrorSentence(err) + " Nothing was changed.", ""
	}
	p.Away.Vacations, p.Away.NoticesSent = next.SinceYear(now.In(in).Year()-1), notices
	note = "Your vacation " + compose.FormatVacation(vacation, now) + " is canceled. "
	if c.Choice == letter.Set {
		note = "You are on vacation " + compose.FormatVacation(vacation, now) + ", whole days in " +
			compose.ZoneName(p.Zone) + ". Your clock is stopped then in all your matches. "
	}
	if n := len(next.Unfinished(now)); n > 1 || n == 1 && c.Choice != letter.Set {
		note += compose.PlannedVacations(p, now)
	}
	return note + "Your opponents have been told. " + compose.VacationBudget(p, now, a.VacationDays), announcement
}

func announceVacation(run *letterRun, p *match.Player, announcement string) {
	if run.turn.Match.State != match.Playing {
		return
	}
	for i := range run.turn.Match.Seats {
		if run.turn.Match.Seats[i].Player == p {
			for to := range run.turn.Match.Seats {
				if run.turn.Match.Seats[to].Player != p {
					run.answer.AddNotice(rules.Seat(to), match.Capitalize(run.turn.FullName(rules.Seat(i)))+" "+announcement+".")
				}
			}
			return
		}
	}
}

// announceVacationInMatch announces changed vacations in another match. If a letter fails, the others are still
// written.
func announceVacationInMatch(ctx context.Context, a *Adjudicator, m *match.Match, p *match.Player, announcement string, c *addressChange) {
	for i := range m.Seats {
		if m.Seats[i].Player.ID == p.ID {
			m.Seats[i].Player = p
		}
	}
	err := recoverPanic(func() error {
		run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
		if err != nil {
			return err
		}
		announceVacation(run, p, announcement)
		change, err := run.change(ctx, rules.NoSeat)
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

// parseVacationChange plans or ends a vacation, and returns the announcement, e.g. "Ben is on vacation from ...".
func parseVacationChange(p *match.Player, c letter.Command, in *time.Location, now time.Time,
	budget int) (clock.Vacations, clock.Vacation, string, error) {
	if c.Choice == letter.Set {
		next, vacation, err := p.Away.Vacations.Add(c.First, c.Last, in, now, budget)
		return next, vacation, "is on vacation " + compose.FormatVacation(vacation, now), err
	}
	next, vacation, err := p.Away.Vacations.End(c.First, in, now)
	if vacation.From.After(now) {
		return next, vacation, "has canceled the vacation " + compose.FormatVacation(vacation, now), err
	}
	return next, vacation, "is back", err
}

// resumeNotice is how long the pause still lasts after a player has ended it.
const resumeNotice = 24 * time.Hour

// The lengths of a pause.
const (
	minPause = 24 * time.Hour
	maxPause = 90 * 24 * time.Hour
)

func resumeMatch(ctx context.Context, a *Adjudicator, m *match.Match) error {
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	m.EndPause(m.Acts.Pause.Until)
	run.turn.Remarks = append(run.turn.Remarks, "The pause is over, and the clocks are running again.")
	return run.apply(ctx, rules.NoSeat)
}

// arrivalTime returns the time of the letter's arrival as it counts for the writer's clock.
func (run *letterRun) arrivalTime() time.Time {
	var none clock.Clock
	c := &none
	if run.play.Seat != rules.NoSeat {
		c = &run.turn.Match.Seats[run.play.Seat].Clock
	}
	return c.CountedArrival(run.letter.Arrived, run.adjudicator.Now())
}
