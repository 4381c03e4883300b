package compose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
	"samizdat/templates"
)

// FormatPlayerTime formats a time in the player's time zone.
func FormatPlayerTime(player *match.Player, at time.Time) string {
	return zone.FormatTime(at, player.Zone)
}

// FormatReaderTime formats a time in a reader's time zone.
func FormatReaderTime(turn *match.Turn, reader rules.Seat, at time.Time) string {
	if reader == rules.NoSeat {
		return zone.FormatTime(at, "")
	}
	return FormatPlayerTime(turn.Match.Seats[reader].Player, at)
}

// describeWait says how long a match without clocks has waited for an answer, e.g. "Waiting since 4 June 1989, 09:40
// UTC."; empty for other matches.
func describeWait(turn *match.Turn, reader rules.Seat) string {
	if reader == rules.NoSeat || !turn.Match.Tempo.IsUntimed() {
		return ""
	}
	askedAt := turn.Match.Seats[reader].AskedSince
	if askedAt.IsZero() {
		for i := range turn.Match.Seats {
			if since := turn.Match.Seats[i].AskedSince; !since.IsZero() && (askedAt.IsZero() || since.Before(askedAt)) {
				askedAt = since
			}
		}
	}
	if askedAt.IsZero() || turn.Match.State != match.Playing {
		return ""
	}
	return "Waiting since " + FormatPlayerTime(turn.Match.Seats[reader].Player, askedAt) + ". This match has no time limit."
}

func describePause(turn *match.Turn, reader rules.Seat) string {
	senders := "You"
	if reader == rules.NoSeat {
		senders = "Players"
	}
	switch pause := turn.Match.Pause; {
	case pause == nil, turn.Match.State != match.Playing:
		return ""
	case pause.Until.IsZero():
		return "The match is paused: all clocks are stopped, and only the director can start them again. " + senders + " may still send orders."
	default:
		return "The match is paused: all clocks are stopped until " + FormatReaderTime(turn, reader, pause.Until) + ". " +
			senders + " may still send orders."
	}
}

// describeTimes describes the clocks (first of the players to move) and the effect of a time-out. For example,
// "The west has 2 days left on the clock, until 8 June 1989, 09:04 UTC. You and the north each have 3 days left on
// the clock for later moves." Robots answer at once, so their clocks are left out.
func describeTimes(turn *match.Turn, reader rules.Seat) string {
	if reader == rules.NoSeat || turn.Match.Tempo.IsUntimed() || turn.After == nil || turn.Match.State != match.Playing {
		return ""
	}
	var toMove, others timeList
	own, sentences := &turn.Match.Seats[reader].Clock, []string(nil)
	if !own.ToMove {
		others.add("you", DescribeOtherTime(turn, reader, reader))
	} else if own.AnsweredAt.IsZero() {
		sentences = append(sentences, DescribeOwnTime(turn, reader))
	}
	for i := range turn.Match.Seats {
		seat, seatClock := rules.Seat(i), &turn.Match.Seats[i].Clock
		// The clock has run out and no time-out was announced, so the seat may have given a sealed answer.
		mayHaveAnswered := seatClock.ToMove && !seatClock.Flagged && seatClock.PublicTimeLeft(turn.Now, turn.Match.PausesOf(seat)) <= 0
		if seat == reader || turn.Match.Seats[i].Robot != "" || mayHaveAnswered {
			continue
		}
		list := &others
		if seatClock.ToMove {
			list = &toMove
		}
		list.add(turn.FullName(seat), DescribeOtherTime(turn, seat, reader))
	}
	sentences = slices.Concat(sentences, toMove.sentences(), others.sentences())
	if own.ToMove && !own.AnsweredAt.IsZero() {
		sentences = append(sentences, DescribeOwnTime(turn, reader))
	}
	return strings.Join(sentences, " ")
}

// timeList lists descriptions of clocks as predicates, for example "has 3 days left on the clock". players has, for
// each predicate, the names of the players with that clock.
type timeList struct {
	predicates []string
	players    [][]string
}

func (l *timeList) add(player, predicate string) {
	if predicate == "" {
		return
	}
	i := slices.Index(l.predicates, predicate)
	if i < 0 {
		l.predicates, l.players = append(l.predicates, predicate), append(l.players, []string{player})
		return
	}
	l.players[i] = append(l.players[i], player)
}

// sentences returns a sentence for each predicate, for example "You and the north each have 3 days left on the clock."
func (l *timeList) sentences() (out []string) {
	for i, predicate := range l.predicates {
		players := l.players[i]
		after, has := strings.CutPrefix(predicate, "has")
		switch {
		case has && len(players) > 1:
			predicate = "each have" + after
		case has && players[0] == "you":
			predicate = "have" + after
		}
		out = append(out, match.Capitalize(match.JoinAnd(players))+" "+predicate+".")
	}
	return out
}

// formatTimeLeft formats the time that a clock shows, e.g. "2 days left on the clock" or, with a time for each answer, "2 days left to
// answer".
func formatTimeLeft(turn *match.Turn, d time.Duration) string {
	if turn.Match.Tempo.Phase > 0 {
		return FormatSpan(d) + " left to answer"
	}
	return FormatSpan(d) + " left on the clock"
}

// DescribeOwnTime describes the reader's clock and the effect of a time-out, e.g. "You have 2 days left on the clock,
// until 8 June 1989, 09:04 UTC. After that the west may claim the win."
func DescribeOwnTime(turn *match.Turn, reader rules.Seat) string {
	seatClock, pauses := &turn.Match.Seats[reader].Clock, turn.Match.PausesOf(reader)
	timeLeft, effect := seatClock.TimeLeftAt(turn.Now, pauses), describeTimeoutEffect(turn, reader)
	sentence := "You have " + formatTimeLeft(turn, timeLeft)
	_, isRunning := seatClock.StartedAt()
	switch {
	case !seatClock.ToMove && turn.Match.Tempo.Phase > 0:
		return ""
	case !seatClock.ToMove:
		return sentence + " for later moves."
	case !seatClock.AnsweredAt.IsZero():
		return "Your clock is stopped."
	case timeLeft <= 0 && !seatClock.Flagged:
		sentence = "You have no time left: please answer at once."
	case !isRunning:
		if at, isKnown := pauses.TimeAfter(turn.Now, seatClock.TimeLeft); isKnown {
			sentence += ": please answer by " + FormatReaderTime(turn, reader, at) + "."
		} else {
			sentence += "; the clock is stopped now."
		}
	case seatClock.Flagged:
		sentence = "You have run out of time."
		if at, isKnown := seatClock.TimeoutAt(0, pauses); isKnown {
			sentence = "You ran out of time on " + FormatReaderTime(turn, reader, at) + "."
		}
	default:
		sentence += describeTimeout(turn, seatClock.TimeoutAt, pauses, reader) + "."
	}
	return strings.TrimSuffix(sentence+" "+effect, " ")
}

func describeTimeout(turn *match.Turn, timeoutAt func(time.Duration, clock.Pauses) (time.Time, bool), pauses clock.Pauses,
	reader rules.Seat) string {
	at, isKnown := timeoutAt(0, pauses)
	switch {
	case !isKnown:
		return "; the clock is stopped now"
	case pauses.Contains(turn.Now):
		return ". It is stopped now; when it runs again, it will run out on " + FormatReaderTime(turn, reader, at)
	}
	return ", until " + FormatReaderTime(turn, reader, at)
}

// AnswerDeadline returns the time when a seat's clock runs out; zero if it is not known, or if the seat has answered.
func AnswerDeadline(turn *match.Turn, seat rules.Seat) (at time.Time) {
	seatClock, pauses := &turn.Match.Seats[seat].Clock, turn.Match.PausesOf(seat)
	if turn.Match.Tempo.IsUntimed() || turn.Match.State != match.Playing || !seatClock.ToMove || seatClock.Flagged {
		return at
	}
	if _, isRunning := seatClock.StartedAt(); isRunning {
		at, _ = seatClock.TimeoutAt(0, pauses)
	} else if seatClock.AnsweredAt.IsZero() {
		at, _ = pauses.TimeAfter(turn.Now, seatClock.TimeLeft)
	}
	return at
}

// DescribeOtherTime describes another seat's time as a predicate, e.g. "has 2 days left on the clock". After a sealed
// answer the text describes the clock as if it were running, so that the answer is not revealed.
func DescribeOtherTime(turn *match.Turn, seat, reader rules.Seat) string {
	seatClock, pauses := &turn.Match.Seats[seat].Clock, turn.Match.PausesOf(seat)
	remaining := seatClock.PublicTimeLeft(turn.Now, pauses)
	_, isRunning := seatClock.StartedAt()
	at, isKnown := seatClock.PublicTimeoutAt(0, pauses)
	timeLeft, outOfTime := "has "+formatTimeLeft(turn, remaining), "ran out of time on "+FormatReaderTime(turn, reader, at)
	switch {
	case !seatClock.ToMove && turn.Match.Tempo.Phase > 0:
		return ""
	case !seatClock.ToMove:
		return timeLeft + " for later moves"
	case !isRunning:
		return timeLeft
	case remaining > 0 || !isKnown:
		return timeLeft + describeTimeout(turn, seatClock.PublicTimeoutAt, pauses, reader)
	case !seatClock.Flagged:
		return "had time until " + FormatReaderTime(turn, reader, at)
	case turn.Match.OnTimeout != clock.Forfeit && turn.MayClaim(reader) && !turn.Match.IsPaused(turn.Now):
		if len(turn.Game.Robots) > 0 && !turn.Match.Tournament {
			return outOfTime + ". Send CLAIM to win the match, GIVE 3 days to allow more time, or REPLACE " + turn.Match.Seats[seat].Name +
				" WITH ROBOT to let a robot take over"
		}
		return outOfTime + ". Send CLAIM to win the match, or GIVE 3 days to allow more time"
	case turn.Match.OnTimeout != clock.Forfeit:
		return outOfTime
	}
	if at, isKnown = seatClock.PublicTimeoutAt(clock.ForfeitGrace, pauses); isKnown {
		outOfTime += ", and must answer by " + FormatReaderTime(turn, reader, at) + " or lose the match"
	}
	return outOfTime
}

// describeTimeoutEffect describes the effect of a time-out on a seat, e.g. "After that the west may claim the win." before the
// time-out, and "The west may claim the win now; ..." after it.
func describeTimeoutEffect(turn *match.Turn, seat rules.Seat) string {
	seatClock := &turn.Match.Seats[seat].Clock
	isOut := seatClock.Flagged || seatClock.TimeLeftAt(turn.Now, turn.Match.PausesOf(seat)) <= 0
	switch {
	case turn.Match.OnTimeout == clock.Silence && !seatClock.Flagged:
		return "If you have not answered by then, the referee will answer for you, as the rules provide."
	case turn.Match.OnTimeout == clock.Forfeit && seatClock.Flagged:
		at, isKnown := seatClock.TimeoutAt(clock.ForfeitGrace, turn.Match.PausesOf(seat))
		if !isKnown {
			return "You lose the match unless you answer within 12 hours on your clock."
		}
		return "You lose the match unless you answer by " + FormatReaderTime(turn, seat, at) + "."
	case turn.Match.OnTimeout == clock.Forfeit && isOut:
		return "You have 12 hours of grace. If you have not answered by then, you lose the match."
	case turn.Match.OnTimeout == clock.Forfeit:
		return "After that you have 12 hours of grace. If you have not answered by then, you lose the match."
	}
	claimants := match.JoinOr(match.ListClaimants(turn, seat))
	switch {
	case isOut && claimants == "":
		return "Your answer still counts."
	case isOut:
		return match.Capitalize(claimants) + " may claim the win now; until that happens, your answer still counts."
	case claimants == "":
		return ""
	}
	return "After that " + claimants + " may claim the win."
}

func tempoText(m *match.Match) string {
	tempo := m.Tempo
	if tempo.IsUntimed() {
		return ""
	}
	others := "the others"
	if len(m.Seats) == 2 {
		others = "the other"
	}
	timeoutText := map[clock.TimeoutPolicy]string{
		clock.Claim:   "If a player runs out of time, " + others + " may claim the win or give more time.",
		clock.Forfeit: "A player who runs out of time has 12 hours of grace, and then loses the match.",
		clock.Silence: "If a player runs out of time, the referee answers for that player, as the rules provide.",
	}[m.OnTimeout]
	const whenItRuns = "A player's clock runs from the moment when we send a question until the answer arrives. Time in which we " +
		"could not receive mail does not count. "
	if !tempo.Free.IsEmpty() {
		timeoutText += " No clock runs in the free time of each week: " + tempo.Free.String()
		if tempo.Free.Zone == "" {
			timeoutText += " in UTC"
		}
		timeoutText += "."
	}
	if tempo.Phase > 0 {
		return "Each player has " + FormatSpan(tempo.Phase) + " for each answer. " + whenItRuns + timeoutText
	}
	return fmt.Sprintf("Each player starts with %s, gains %s with each answer, and can save up at most %s. ", FormatSpan(tempo.Bank),
		FormatSpan(tempo.Increment), FormatSpan(tempo.Cap)) + whenItRuns + timeoutText
}

// FormatSpan writes a duration in words, without seconds, e.g. "2 days and 3 hours".
func FormatSpan(d time.Duration) string {
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	if days >= 2 {
		minutes = 0
	} else {
		hours, days = hours+24*days, 0
	}
	var out []string
	for _, p := range []struct {
		n    int
		unit string
	}{{days, "day"}, {hours, "hour"}, {minutes, "minute"}} {
		switch {
		case p.n == 1:
			out = append(out, "1 "+p.unit)
		case p.n > 1:
			out = append(out, fmt.Sprintf("%d %ss", p.n, p.unit))
		}
	}
	switch {
	case len(out) > 0:
		return strings.Join(out, " and ")
	case d > 0:
		return "less than a minute"
	}
	return "no time"
}

// FormatHours writes a duration in hours if these are whole hours, and otherwise in minutes.
func FormatHours(d time.Duration) string {
	n, unit := int(d/time.Minute), "minute"
	if d%time.Hour == 0 {
		n, unit = int(d/time.Hour), "hour"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// FormatDays writes a duration in whole days.
func FormatDays(d time.Duration) string {
	if n := int(d / (24 * time.Hour)); n != 1 {
		return fmt.Sprintf("%d days", n)
	}
	return "1 day"
}

// DelayLines describes a seat's delayed letter (GRACE), and the delay of its pending answers (DELAY).
func DelayLines(turn *match.Turn, seat rules.Seat) []templates.Line {
	if seat == rules.NoSeat {
		return nil
	}
	var out []templates.Line
	private := turn.Match.Seats[seat].Private
	if delayed := private.DelayedLetter; delayed != nil {
		out = append(out, templates.Line{Remark: "Your orders wait until " + FormatPlayerTime(turn.Match.Seats[seat].Player, delayed.Due) +
			". Until then a new letter with orders replaces them, CANCEL ORDERS drops them, and NOW carries them out at once. " +
			match.SayOthersNotTold(turn, seat)})
	}
	if !private.AnswerDue.IsZero() {
		out = append(out, templates.Line{Remark: "Your saved orders answer within " + FormatHours(private.AnswerDelay) +
			", unless you write first."})
	}
	return out
}

// DescribeVacations lists the players who are on vacation, or will be within 14 days.
func DescribeVacations(turn *match.Turn, reader rules.Seat) (out string) {
	if reader == rules.NoSeat || turn.Match.State != match.Playing {
		return ""
	}
	readerPlayer := turn.Match.Seats[reader].Player
	mentioned := []*match.Player{readerPlayer}
	if vacation, ok := readerPlayer.Away.Vacations.Current(turn.Now); ok {
		out = "\nYou are on vacation " + FormatVacation(vacation, turn.Now) + ". " + stoppedClockText(turn) +
			"To come back early, send VACATION OFF."
	}
	isOtherAway := false
	for i := range turn.Match.Seats {
		player := turn.Match.Seats[i].Player
		if slices.Contains(mentioned, player) {
			continue
		}
		mentioned = append(mentioned, player)
		for _, vacation := range player.Away.Vacations.Unfinished(turn.Now) {
			if vacation.From.Sub(turn.Now) < vacationAnnouncementPeriod {
				out += "\n" + match.Capitalize(turn.FullName(rules.Seat(i))) + " is on vacation " + FormatVacation(vacation, turn.Now) + "."
				isOtherAway = true
			}
		}
	}
	if isOtherAway {
		out += VacationClockNote(turn)
	}
	return out
}

// VacationClockNote says what the vacation of another player does to the reader's clock. It returns "" if the match has no
// clocks.
func VacationClockNote(turn *match.Turn) string {
	if turn.Match.Tempo.IsUntimed() {
		return ""
	}
	return " This does not stop your clock."
}

// stoppedClockText says what the reader's own vacation does to the clock. It returns "" if the match has no clocks.
func stoppedClockText(turn *match.Turn) string {
	if turn.Match.Tempo.IsUntimed() {
		return ""
	}
	return "Your clock is stopped until then. "
}

const vacationAnnouncementPeriod = 14 * 24 * time.Hour

// FormatVacation describes a vacation by its days, e.g. "from 3 May 1989 until the end of 9 May 1989". Times of day would
// reveal the player's time zone.
func FormatVacation(vacation clock.Vacation, now time.Time) string {
	untilEnd := "until the end of " + clock.FormatDay(vacation.Last)
	if !vacation.From.After(now) {
		return untilEnd
	}
	return "from " + clock.FormatDay(vacation.First) + " " + untilEnd
}

// ZoneName returns the name of a time zone; UTC if none is set.
func ZoneName(name string) string {
	if name == "" {
		return zone.UTC
	}
	return name
}

// DescribePlannedVacations lists a player's vacations that are not over.
func DescribePlannedVacations(player *match.Player, now time.Time) string {
	var list []string
	for _, vacation := range player.Away.Vacations.Unfinished(now) {
		list = append(list, FormatVacation(vacation, now))
	}
	if len(list) == 0 {
		return "You have no vacation planned. "
	}
	return "You are on vacation " + strings.Join(list, ", and ") + ". "
}

// DescribeVacationBudget describes the days of vacation that a player has left.
func DescribeVacationBudget(player *match.Player, now time.Time, budget int) string {
	location := zone.Load(player.Zone)
	year := now.In(location).Year()
	var remaining []string
	for y := year; y <= year+1; y++ {
		remaining = append(remaining, fmt.Sprintf("%s in %d", clock.FormatDays(player.Away.Vacations.BudgetLeft(y, location, budget)), y))
	}
	return fmt.Sprintf("Of your %d days of vacation a year, you still have %s.", budget, match.JoinAnd(remaining))
}
