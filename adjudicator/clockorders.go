package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
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

// findClaimableSeats returns the other seats that are out of time, for CLAIM and GIVE, or the reason why the writer may not use these
// orders.
func findClaimableSeats(run *letterRun) (seats rules.Seats, reason string) {
	switch {
	case run.turn.Match.State != match.Playing:
		return 0, "The match is not in progress."
	case run.turn.Match.Tempo.IsUntimed():
		return 0, "This match has no time limit."
	case run.turn.Match.OnTimeout == clock.Forfeit:
		return 0, "You need not claim this match: a player who runs out of time loses it after 12 hours of grace."
	case run.turn.Match.Resigned.Has(run.execution.Seat):
		return 0, resignedNote
	case !run.turn.MayClaim(run.execution.Seat), run.turn.Match.IsOverdue(run.execution.Seat, run.arrivalTime()):
		return 0, "You have run out of time yourself."
	case run.turn.Match.IsPaused(run.adjudicator.Now()):
		return 0, "The match is paused."
	}
	hasAnsweredLate := false
	for i := range run.turn.Match.Seats {
		seat, seatClock := rules.Seat(i), &run.turn.Match.Seats[i].Clock
		hasAnsweredLate = hasAnsweredLate || seatClock.Flagged && !seatClock.IsOutOfTime()
		if seat != run.execution.Seat && seatClock.IsOutOfTime() { // A vacation that begins now does not undo a time-out.
			seats |= rules.Only(seat)
		}
	}
	switch {
	case seats == 0 && hasAnsweredLate:
		reason = "The player who had run out of time has answered since, and that counts."
	case seats == 0 && run.turn.Match.OnTimeout == clock.Silence:
		reason = "In this match the rules answer for a player who runs out of time."
	case seats == 0:
		reason = match.Capitalize(match.JoinOr(run.turn.Opponents(run.execution.Seat))) + " has not run out of time."
		if len(run.turn.Match.Seats) > 2 {
			reason = "No other player has run out of time."
		}
	}
	return seats, reason
}

// claimMatch ends the match because another player is out of time. All players who are in time win.
func claimMatch(ctx context.Context, run *letterRun, _ letter.Command) (CommandResult, error) {
	outOfTime, reason := findClaimableSeats(run)
	if reason != "" {
		return refuseAndStop("You cannot claim the win. " + reason)
	}
	end := &record.End{}
	for i := range run.turn.Match.Seats {
		if seat := rules.Seat(i); !(outOfTime | run.turn.Match.Resigned).Has(seat) && !run.turn.Match.IsOverdue(seat, run.arrivalTime()) {
			end.Winners = append(end.Winners, record.SeatName(run.turn.Match.Seats[i].Name))
		}
	}
	return enterAct(ctx, run, record.Act{Kind: record.Claim, End: end}, "You have claimed the win.")
}

func giveTime(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	if command.Duration == 0 || command.Duration > maxGivenTime {
		return refuseAndStop("You can give between 1 hour and 30 days at a time, for example GIVE 3 days.")
	}
	outOfTime, reason := findClaimableSeats(run)
	if reason != "" {
		return refuseAndStop("You cannot give time. " + reason)
	}
	now, until := run.adjudicator.Now(), time.Time{}
	for i := range run.turn.Match.Seats {
		if seat := rules.Seat(i); outOfTime.Has(seat) {
			seatClock := &run.turn.Match.Seats[i].Clock
			seatClock.Extend(command.Duration, now, run.turn.Match.PausesOf(seat))
			if at, _ := seatClock.TimeoutAt(0, run.turn.Match.PausesOf(seat)); at.After(until) {
				until = at
			}
		}
	}
	return enterAct(ctx, run, record.Act{Kind: record.Extend, Until: until.UTC().Truncate(time.Second)},
		"You gave "+match.JoinAnd(run.turn.FullNames(outOfTime))+" "+compose.FormatSpan(command.Duration)+" more.")
}

// nudgePlayers schedules a reminder to each player to move. The answer to the writer does not reveal which players
// have given a sealed answer.
func nudgePlayers(_ context.Context, run *letterRun, _ letter.Command) (CommandResult, error) {
	m := run.turn.Match
	switch {
	case m.State != match.Playing:
		return refuseAndContinue("The match is not in progress.")
	case m.Tempo.IsUntimed():
		return refuseAndContinue("This match has no time limit, so no reminder is sent. You can write a MESSAGE to " +
			match.NameOthers(run.turn, rules.Only(run.execution.Seat)) + ".")
	case len(run.turn.OpenDecisions(run.execution.Seat)) > 0:
		return refuseAndContinue("It is your own move.")
	}
	var reminded, remindedBefore rules.Seats
	for i := range m.Seats {
		if seat := rules.Seat(i); seat != run.execution.Seat && m.Seats[i].Robot == "" &&
			m.Seats[i].Clock.Nudge(m.Tempo, run.adjudicator.Now(), m.PausesOf(seat)) {
			reminded |= rules.Only(seat)
		} else if seat != run.execution.Seat && m.Seats[i].Clock.WasNudged() {
			remindedBefore |= rules.Only(seat)
		}
	}
	switch {
	case reminded == 0 && remindedBefore != 0:
		return refuseAndContinue("No reminder is sent: one for " + match.JoinAnd(run.turn.FullNames(remindedBefore)) +
			" was asked for before, and each move allows only one.")
	case reminded == 0:
		return refuseAndContinue("It is too early for a reminder. You can ask for one once the clock of " +
			run.turn.NamesOf(run.turn.WithoutResigned(run.turn.After.OpenDecisions(nil))) + " has run for " +
			compose.FormatSpan((m.Tempo.Bank+m.Tempo.Phase)/2) + ".")
	}
	return succeed("We will send " + match.JoinAnd(run.turn.FullNames(reminded)) + " a reminder, unless the answer has arrived already.")
}

func pauseMatch(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	if run.turn.Match.State == match.Playing && !run.turn.Match.Resigned.Has(run.execution.Seat) {
		switch {
		case run.turn.Match.Tournament && run.turn.Match.Pause == nil:
			return refuseAndStop("A tournament match cannot be paused by its players, because the other matches wait for its " +
				"end. VACATION stops your own clock; the director can pause the match.")
		case run.turn.Match.Tempo.IsUntimed():
			return refuseAndStop("This match has no time limit, so there is nothing to pause. You can tell " +
				match.NameOthers(run.turn, rules.Only(run.execution.Seat)) + " with a MESSAGE that you are away.")
		case run.turn.Match.Pause != nil && command.Choice != "YES" && command.Choice != "NO":
			return handlePauseWhilePaused(ctx, run, command)
		}
		if reason := pauseRefusal(run, command); reason != "" {
			return refuseAndStop(reason)
		}
	}
	return handleConsent(ctx, run, match.Request{Kind: record.Pause, Seat: run.execution.Seat, Duration: command.Duration}, command.Choice)
}

func pauseRefusal(run *letterRun, command letter.Command) string {
	_, isOpen := run.turn.Match.OpenRequest(record.Pause)
	switch {
	case command.Choice == "OFF" && !isOpen:
		return "The match is not paused, and no player has asked for a pause."
	case command.Choice != "":
		return ""
	case command.Duration == 0:
		return "Say how long, at least 1 day: PAUSE 3 days, or PAUSE 2 weeks. " +
			match.Capitalize(match.NameOthers(run.turn, rules.Only(run.execution.Seat))) + " must agree."
	case command.Duration < minPause || command.Duration > maxPause:
		return "A pause can last from 1 day to " + compose.FormatDays(maxPause) + "."
	}
	return ""
}

func handlePauseWhilePaused(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	pause := run.turn.Match.Pause
	switch {
	case command.Choice == "OFF" && pause.Director:
		return refuseAndStop("The director has paused the match, and only the director can end the pause.")
	case command.Choice == "OFF":
		return endPause(ctx, run)
	case pause.Until.IsZero():
		return refuseAndStop("The match is paused already.")
	}
	return refuseAndStop(fmt.Sprintf("The match is paused already, until %s. To end the pause, send PAUSE "+
		"OFF.", compose.FormatReaderTime(run.turn, run.execution.Seat, pause.Until)))
}

func endPause(ctx context.Context, run *letterRun) (CommandResult, error) {
	at := run.adjudicator.Now().UTC().Add(resumeDelay).Truncate(time.Second)
	if until := run.turn.Match.Pause.Until; !until.IsZero() && !until.After(at) {
		return refuseAndStop(fmt.Sprintf("The pause already ends on %s.", compose.FormatReaderTime(run.turn, run.execution.Seat, until)))
	}
	return enterAct(ctx, run, record.Act{Kind: record.Resume, Until: at}, "You ended the pause.")
}

func handleVacation(ctx context.Context, run *letterRun, command letter.Command) (CommandResult, error) {
	player, now := run.writerSeat().Player, run.arrivalTime()
	switch {
	case command.Choice == "":
		return succeed(compose.DescribePlannedVacations(player, now) + compose.DescribeVacationBudget(player, now, run.adjudicator.VacationDays))
	case run.adjudicator.AtTable:
		return refuseAndContinue("Players at one table have no clocks.")
	}
	note, announcement := updateVacations(run.adjudicator, player, command, now)
	if announcement == "" {
		return refuseAndContinue(note)
	}
	run.effects.playerChange.player = player
	announceVacation(run, player, announcement)
	announce := func(m *match.Match) {
		announceVacationInMatch(ctx, run.adjudicator, m, player, announcement, &run.effects.playerChange)
	}
	if err := updateOtherMatches(ctx, run, player, true, announce); err != nil {
		return CommandResult{}, err
	}
	return succeed(note)
}

// ChangeVacation plans or ends a vacation for a letter that belongs to no match. loaded holds the player's matches
// that were loaded earlier for the same letter. changedMatches are the matches in loaded, and the other
// matches that change. letters are the letters to the opponents.
func (a *Adjudicator) ChangeVacation(ctx context.Context, player *match.Player, command letter.Command,
	loaded []*match.Match) (note string, changed bool, letters []exchange.OutgoingLetter, changedMatches []*match.Match, err error) {
	now := a.Now()
	if command.Choice == "" {
		return compose.DescribePlannedVacations(player, now) + compose.DescribeVacationBudget(player, now, a.VacationDays), false, nil, loaded,
			nil
	}
	note, announcement := updateVacations(a, player, command, now)
	reader, ok := a.Store.(exchange.NoticeAndSeatReader)
	if announcement == "" || !ok {
		return note, false, nil, loaded, nil
	}
	seats, err := reader.SeatsOf(ctx, player.ID)
	change := playerChange{otherMatches: loaded}
	var written []string
	for _, at := range seats {
		if at.State != match.Playing || slices.Contains(written, at.Match) {
			continue
		}
		written = append(written, at.Match)
		i := slices.IndexFunc(change.otherMatches, func(m *match.Match) bool { return m.ID == at.Match })
		if i < 0 {
			m, err := a.Store.Match(ctx, at.Match)
			if err != nil {
				return note, false, nil, loaded, err
			}
			i, change.otherMatches = len(change.otherMatches), append(change.otherMatches, m)
		}
		announceVacationInMatch(ctx, a, change.otherMatches[i], player, announcement, &change)
	}
	return note, err == nil, change.letters, change.otherMatches, err
}

// updateVacations changes the vacations of a player. note is the text for the player. announcement is the text for
// the opponents; it is empty if no vacation changes.
func updateVacations(a *Adjudicator, player *match.Player, command letter.Command, now time.Time) (note, announcement string) {
	location, notices := zone.Load(player.Zone), player.Away.NoticesSent
	if !notices.Add(a.Now().UTC().Format(time.DateOnly), 1, maxVacationChanges) {
		return fmt.Sprintf("You have changed your vacations %d times today, and may do so again tomorrow. Nothing was "+
			"changed.", maxVacationChanges), ""
	}
	next, vacation, announcement, err := computeVacation(player, command, location, now, a.VacationDays)
	if err != nil {
		return match.ErrorSentence(err) + " Nothing was changed.", ""
	}
	player.Away.Vacations, player.Away.NoticesSent = next.SinceYear(now.In(location).Year()-1), notices
	note = "Your vacation " + compose.FormatVacation(vacation, now) + " is cancelled. "
	if command.Choice == letter.ChoiceSet {
		note = "You are on vacation " + compose.FormatVacation(vacation, now) + " (whole days in " +
			compose.ZoneName(player.Zone) + "). On these days your clocks are stopped in all your matches. "
	}
	if n := len(next.Unfinished(now)); n > 1 || n == 1 && command.Choice != letter.ChoiceSet {
		note += compose.DescribePlannedVacations(player, now)
	}
	return note + "Your opponents have been told. " + compose.DescribeVacationBudget(player, now, a.VacationDays), announcement
}

func announceVacation(run *letterRun, player *match.Player, announcement string) {
	if run.turn.Match.State != match.Playing {
		return
	}
	for i := range run.turn.Match.Seats {
		if run.turn.Match.Seats[i].Player == player {
			for to := range run.turn.Match.Seats {
				if run.turn.Match.Seats[to].Player == player {
					continue
				}
				notice := match.Capitalize(run.turn.FullName(rules.Seat(i))) + " " + announcement + "."
				if strings.HasPrefix(announcement, onVacation) {
					notice += compose.VacationClockNote(run.turn)
				}
				run.answer.AddNotice(rules.Seat(to), notice)
			}
			return
		}
	}
}

// announceVacationInMatch writes letters about a changed vacation to the player's opponents in match m, and adds them to
// gathered. An error is only logged, because the vacation is valid in this match even without the letters.
func announceVacationInMatch(ctx context.Context, a *Adjudicator, m *match.Match, player *match.Player, announcement string,
	gathered *playerChange) {
	for i := range m.Seats {
		if m.Seats[i].Player.ID == player.ID {
			m.Seats[i].Player = player
		}
	}
	err := recoverPanic(func() error {
		run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
		if err != nil {
			return err
		}
		announceVacation(run, player, announcement)
		change, err := run.buildChange(ctx, rules.NoSeat)
		gathered.letters = append(gathered.letters, change.Letters...)
		return err
	})
	if err != nil {
		a.Log.ErrorContext(ctx, "cannot announce a vacation in a match", "match", m.ID, "error", err)
	}
}

const maxGivenTime = 30 * 24 * time.Hour

// maxVacationChanges is the number of times that a player may change vacations in a day. Each change sends a letter
// to the opponents.
const maxVacationChanges = 4

// onVacation is the first part of the text that announces a vacation.
const onVacation = "is on vacation "

// computeVacation computes the effect of an order that plans or ends a vacation, and does not change the player. It
// returns all vacations after the order, the planned or ended vacation, and the announcement without the player's name,
// e.g. "is on vacation from ...".
func computeVacation(player *match.Player, command letter.Command, location *time.Location, now time.Time,
	budget int) (clock.Vacations, clock.Vacation, string, error) {
	if command.Choice == letter.ChoiceSet {
		next, vacation, err := player.Away.Vacations.Add(command.First, command.Last, location, now, budget)
		return next, vacation, onVacation + compose.FormatVacation(vacation, now), err
	}
	next, vacation, err := player.Away.Vacations.End(command.First, location, now)
	if vacation.From.After(now) {
		return next, vacation, "has cancelled the vacation " + compose.FormatVacation(vacation, now), err
	}
	return next, vacation, "is back from vacation", err
}

// resumeDelay is the time between a player's PAUSE OFF and the end of the pause.
const resumeDelay = 24 * time.Hour

const (
	minPause = 24 * time.Hour
	maxPause = 90 * 24 * time.Hour
)

// resumeMatch ends a pause when its time is over.
func resumeMatch(ctx context.Context, a *Adjudicator, m *match.Match) error {
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	m.EndPause(m.Pause.Until)
	run.turn.Remarks = append(run.turn.Remarks, "The pause is over, and the clocks are running again.")
	return run.store(ctx, rules.NoSeat)
}

// arrivalTime returns the time at which the writer's clock counts the letter as arrived.
func (run *letterRun) arrivalTime() time.Time {
	var none clock.Clock
	seatClock := &none
	if run.execution.Seat != rules.NoSeat {
		seatClock = &run.turn.Match.Seats[run.execution.Seat].Clock
	}
	return seatClock.EffectiveArrival(run.letter.ArrivedAt, run.adjudicator.Now())
}
