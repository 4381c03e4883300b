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

// ClockTime formats a time in the player's time zone.
func ClockTime(p *match.Player, at time.Time) string { return zone.FormatTime(at, p.Zone) }

// ClockTimeFor formats a time in a reader's time zone.
func ClockTimeFor(t *match.Turn, reader rules.Seat, at time.Time) string {
	if reader == rules.NoSeat {
		return zone.FormatTime(at, "")
	}
	return ClockTime(t.Match.Seats[reader].Player, at)
}

// describeWait tells when a match without clocks began to wait; empty for other matches.
func describeWait(t *match.Turn, reader rules.Seat) string {
	if reader == rules.NoSeat || !t.Match.Tempo.IsUntimed() {
		return ""
	}
	at := t.Match.Seats[reader].AskedSince
	if at.IsZero() {
		for i := range t.Match.Seats {
			if since := t.Match.Seats[i].AskedSince; !since.IsZero() && (at.IsZero() || since.Before(at)) {
				at = since
			}
		}
	}
	if at.IsZero() || t.Match.State != match.Playing {
		return ""
	}
	return "Waiting since " + ClockTime(t.Match.Seats[reader].Player, at) + ". This match has no time limit."
}

// describePause describes the current pause; empty for none.
func describePause(t *match.Turn, reader rules.Seat) string {
	switch pause := t.Match.Acts.Pause; {
	case pause == nil, t.Match.State != match.Playing:
		return ""
	case pause.Until.IsZero():
		return "The match is paused: all clocks are stopped, and only the director can start them again. You may still send orders."
	default:
		return "The match is paused: all clocks are stopped until " + ClockTimeFor(t, reader, pause.Until) + ". You may still send orders."
	}
}

// describeTimes describes the time of all seats, the reader's own first, and the effect of a time-out.
func describeTimes(t *match.Turn, reader rules.Seat) string {
	if reader == rules.NoSeat || t.Match.Tempo.IsUntimed() || t.After == nil || t.Match.State != match.Playing {
		return ""
	}
	out := []string{DescribeOwnTime(t, reader)}
	var sentences []string
	names := map[string][]string{}
	for i := range t.Match.Seats {
		seat := rules.Seat(i)
		predicate := DescribeOtherTime(t, seat, reader)
		if seat == reader || predicate == "" {
			continue
		}
		if names[predicate] == nil {
			sentences = append(sentences, predicate)
		}
		names[predicate] = append(names[predicate], t.FullName(seat))
	}
	for _, predicate := range sentences {
		players := names[predicate]
		if after, begins := strings.CutPrefix(predicate, "has"); begins && len(players) > 1 {
			predicate = "each have" + after
		}
		out = append(out, match.Capitalize(match.JoinAnd(players))+" "+predicate+".")
	}
	return strings.Join(slices.DeleteFunc(out, func(s string) bool { return s == "" }), " ")
}

// DescribeOwnTime describes the reader's time.
func DescribeOwnTime(t *match.Turn, reader rules.Seat) string {
	c, pauses := &t.Match.Seats[reader].Clock, t.Match.PausesOf(reader)
	timeLeft := FormatSpan(c.TimeLeftAt(t.Now, pauses))
	_, isRunning := c.StartedAt()
	switch {
	case !c.ToMove && t.Match.Tempo.Phase > 0:
		return ""
	case !c.ToMove:
		return "Your clock is not running; it has " + timeLeft + " left for your next answer."
	case !c.AnsweredAt.IsZero():
		return "Your answer is in, and your clock is stopped."
	case !isRunning:
		at, known := pauses.TimeAfter(t.Now, c.TimeLeft)
		if !known {
			return "You have " + timeLeft + "; your clock is stopped. " + describeTimeoutEffect(t, reader)
		}
		return "You have " + timeLeft + ": please answer by " + ClockTimeFor(t, reader, at) + ". " + describeTimeoutEffect(t, reader)
	case c.Flagged:
		return "You have run out of time. " + describeTimeoutEffect(t, reader)
	}
	return "You have " + timeLeft + " left" + describeTimeout(t, c.TimeoutAt, pauses, reader) + ". " + describeTimeoutEffect(t, reader)
}

func describeTimeout(t *match.Turn, timeoutAt func(time.Duration, clock.Pauses) (time.Time, bool), pauses clock.Pauses,
	reader rules.Seat) string {
	at, known := timeoutAt(0, pauses)
	switch {
	case !known:
		return "; the clock is stopped"
	case pauses.Contains(t.Now):
		return "; the clock is stopped. With the pauses known now, this time ends on " + ClockTimeFor(t, reader, at)
	}
	return ", until " + ClockTimeFor(t, reader, at)
}

// AnswerBy returns the end of a seat's time; zero if it is not known, or if the seat has answered.
func AnswerBy(t *match.Turn, seat rules.Seat) (at time.Time) {
	c, pauses := &t.Match.Seats[seat].Clock, t.Match.PausesOf(seat)
	if t.Match.Tempo.IsUntimed() || t.Match.State != match.Playing || !c.ToMove || c.Flagged {
		return at
	}
	if _, isRunning := c.StartedAt(); isRunning {
		at, _ = c.TimeoutAt(0, pauses)
	} else if c.AnsweredAt.IsZero() {
		at, _ = pauses.TimeAfter(t.Now, c.TimeLeft)
	}
	return at
}

// DescribeOtherTime describes another seat's time as a predicate, e.g. "has 2 days left". A sealed answer is not revealed: the clock
// seems to run on.
func DescribeOtherTime(t *match.Turn, seat, reader rules.Seat) string {
	c, pauses := &t.Match.Seats[seat].Clock, t.Match.PausesOf(seat)
	remaining := c.PublicTimeLeft(t.Now, pauses)
	_, isRunning := c.StartedAt()
	at, known := c.PublicTimeoutAt(0, pauses)
	over := "ran out of time on " + ClockTimeFor(t, reader, at)
	switch {
	case !c.ToMove && t.Match.Tempo.Phase > 0:
		return ""
	case !c.ToMove:
		return "has " + FormatSpan(remaining) + " on the clock"
	case !isRunning:
		return "has " + FormatSpan(remaining) + ", counted from the moment we send them the question"
	case remaining > 0 || !known:
		return "has " + FormatSpan(remaining) + " left" + describeTimeout(t, c.PublicTimeoutAt, pauses, reader)
	case c.Flagged && t.Match.OnTimeout != clock.Forfeit && t.MayClaim(reader) && !t.Match.IsPaused(t.Now):
		if len(t.Game.Robots) > 0 && !t.Match.Acts.Tournament {
			return over + ". Send CLAIM to win the match, GIVE 3 days to allow more time, or REPLACE " + t.Match.Seats[seat].Name +
				" WITH ROBOT to let a robot play on"
		}
		return over + ". Send CLAIM to win the match, or GIVE 3 days to allow more time"
	case t.Match.OnTimeout != clock.Forfeit:
		return over
	}
	if at, known = c.PublicTimeoutAt(clock.ForfeitGrace, pauses); known {
		over += ", and loses the match unless an answer comes by " + ClockTimeFor(t, reader, at)
	}
	return over
}

func describeTimeoutEffect(t *match.Turn, seat rules.Seat) string {
	c := &t.Match.Seats[seat].Clock
	switch {
	case t.Match.OnTimeout == clock.Silence && !c.Flagged:
		return "If you have not answered by then, an answer is chosen for you as the rules say."
	case t.Match.OnTimeout == clock.Forfeit && c.Flagged:
		at, known := c.TimeoutAt(clock.ForfeitGrace, t.Match.PausesOf(seat))
		if !known {
			return "You lose the match unless you answer within 12 hours on your clock."
		}
		return "You lose the match unless you answer by " + ClockTimeFor(t, seat, at) + "."
	case t.Match.OnTimeout == clock.Forfeit:
		return "After that you have 12 hours of grace, and then you lose the match."
	case c.Flagged:
		return match.Capitalize(match.JoinOr(t.Opponents(seat))) + " may claim the match. Until then your answer still counts."
	}
	return "After that " + match.JoinOr(t.Opponents(seat)) + " may claim the match."
}

// tempoText explains the time control of a match and the effect of a time-out; empty for a match without clocks.
func tempoText(m *match.Match) string {
	t := m.Tempo
	if t.IsUntimed() {
		return ""
	}
	timeoutText := map[clock.TimeoutPolicy]string{
		clock.Claim:   "If a player runs out of time, the others may claim the match or give more time.",
		clock.Forfeit: "A player who runs out of time has 12 hours of grace, and then loses the match.",
		clock.Silence: "If a player runs out of time, an answer is chosen for that player as the rules say.",
	}[m.OnTimeout]
	const whenItRuns = "A clock runs from the moment we send our question until the answer arrives; time in which we could not " +
		"receive mail does not count. "
	if !t.Free.IsEmpty() {
		timeoutText += " No clock runs in the free time of each week: " + t.Free.String()
		if t.Free.Zone == "" {
			timeoutText += " in UTC"
		}
		timeoutText += "."
	}
	if t.Phase > 0 {
		return "Each player has " + FormatSpan(t.Phase) + " for each answer. " + whenItRuns + timeoutText
	}
	return fmt.Sprintf("Each player starts with %s, gains %s with each answer, and can save up at most %s. ", FormatSpan(t.Bank),
		FormatSpan(t.Increment), FormatSpan(t.Cap)) + whenItRuns + timeoutText
}

// FormatSpan writes a duration in words, without seconds.
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

// FormatHours writes a duration in hours or minutes.
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

// TimingLines describes a seat's delayed letter and its delays.
func TimingLines(t *match.Turn, seat rules.Seat) []templates.Line {
	if seat == rules.NoSeat {
		return nil
	}
	var out []templates.Line
	timing := t.Match.Seats[seat].Timing
	if delayed := timing.DelayedLetter; delayed != nil {
		out = append(out, templates.Line{Note: "Your orders wait until " + ClockTime(t.Match.Seats[seat].Player, delayed.Due) +
			". Until then a new letter with orders replaces them, CANCEL ORDERS drops them, and NOW carries them out at once. " +
			"The others are not told of it."})
	}
	if !timing.AnswerDue.IsZero() {
		out = append(out, templates.Line{Note: "Your saved orders answer within " + FormatHours(timing.AnswerDelay) +
			", unless you write first."})
	}
	return out
}

// DescribeVacations lists the players who are on vacation, or soon will be.
func DescribeVacations(t *match.Turn, reader rules.Seat) (out string) {
	if reader == rules.NoSeat || t.Match.State != match.Playing {
		return ""
	}
	me := t.Match.Seats[reader].Player
	mentioned := []*match.Player{me}
	if w, ok := me.Away.Vacations.Current(t.Now); ok {
		out = "\nYou are on vacation " + FormatVacation(w, t.Now) + ". To come back early, send VACATION OFF."
	}
	for i := range t.Match.Seats {
		p := t.Match.Seats[i].Player
		if slices.Contains(mentioned, p) {
			continue
		}
		mentioned = append(mentioned, p)
		for _, w := range p.Away.Vacations.Unfinished(t.Now) {
			if w.From.Sub(t.Now) < vacationNotice {
				out += "\n" + match.Capitalize(t.FullName(rules.Seat(i))) + " is on vacation " + FormatVacation(w, t.Now) + "."
			}
		}
	}
	return out
}

// vacationNotice is the time before a vacation from which letters announce it.
const vacationNotice = 14 * 24 * time.Hour

// FormatVacation describes the days of a vacation, as the player named them. The hour at which they begin elsewhere
// would reveal the player's time zone.
func FormatVacation(w clock.Vacation, now time.Time) string {
	if !w.From.After(now) {
		return "through " + clock.FormatDay(w.Last)
	}
	return "from " + clock.FormatDay(w.First) + " through " + clock.FormatDay(w.Last)
}

// ZoneName returns the name of a time zone; UTC if none is set.
func ZoneName(name string) string {
	if name == "" {
		return zone.UTC
	}
	return name
}

// PlannedVacations lists a player's vacations that are not over.
func PlannedVacations(p *match.Player, now time.Time) string {
	var list []string
	for _, w := range p.Away.Vacations.Unfinished(now) {
		list = append(list, FormatVacation(w, now))
	}
	if len(list) == 0 {
		return "You have no vacation planned. "
	}
	return "You are on vacation " + strings.Join(list, ", and ") + ". "
}

// VacationBudget describes the days of vacation that a player has left.
func VacationBudget(p *match.Player, now time.Time, budget int) string {
	in := zone.Load(p.Zone)
	year := now.In(in).Year()
	var remaining []string
	for y := year; y <= year+1; y++ {
		remaining = append(remaining, fmt.Sprintf("%s in %d", clock.FormatDays(p.Away.Vacations.BudgetLeft(y, in, budget)), y))
	}
	return fmt.Sprintf("Vacation left, of %d days a year: %s.", budget, strings.Join(remaining, ", "))
}
