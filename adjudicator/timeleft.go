package adjudicator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// timeLeft says how much time there is, as a reader may know it, and what happens when
// none is left: what he has himself comes first.
func timeLeft(c *match.Turn, reader rules.Seat) string {
	if reader == rules.Nobody || c.Match.Tempo.None() || c.After == nil || c.Match.State != Playing {
		return ""
	}
	out := []string{ownTime(c, reader)}
	var said []string
	names := map[string][]string{}
	for i := range c.Match.Seats {
		seat := rules.Seat(i)
		has := otherTime(c, seat, reader)
		if seat == reader || has == "" {
			continue
		}
		if names[has] == nil {
			said = append(said, has)
		}
		names[has] = append(names[has], c.Called(seat))
	}
	for _, has := range said {
		who := names[has]
		if len(who) > 1 {
			has = "have" + strings.TrimPrefix(has, "has")
		}
		out = append(out, match.Capital(match.List(who))+" "+has+".")
	}
	return strings.Join(slices.DeleteFunc(out, func(s string) bool { return s == "" }), " ")
}

// ownTime says how much time a reader has himself.
func ownTime(c *match.Turn, reader rules.Seat) string {
	k, stops := &c.Match.Seats[reader].Clock, c.Match.Stops(reader)
	left := spanWords(k.Remains(c.Now, stops))
	_, begun := k.Start()
	switch {
	case !k.Owes && c.Match.Tempo.Phase > 0:
		return ""
	case !k.Owes:
		return "You have " + left + " in reserve for your next answer."
	case !k.Answered.IsZero():
		return "Your answer is in, and your clock is stopped."
	case !begun:
		at, known := stops.After(c.Now, k.Left)
		if !known {
			return "You have " + left + "; your clock is stopped. " + meansZero(c, reader)
		}
		return "You have " + left + " for your answer, until " + clockTimeOf(c, reader, at) + " or a little later. " + meansZero(c, reader)
	case k.Flagged:
		return "Your time is over. " + meansZero(c, reader)
	}
	return "You have " + left + " left" + untilWords(c, k.Zero, stops, reader) + ". " + meansZero(c, reader)
}

// untilWords says until when a seat has time.
func untilWords(c *match.Turn, zero func(time.Duration, clock.Stops) (time.Time, bool), stops clock.Stops, reader rules.Seat) string {
	at, known := zero(0, stops)
	switch {
	case !known:
		return ", and the clock is stopped"
	case stops.At(c.Now):
		return ", until " + clockTimeOf(c, reader, at) + "; the clock is stopped now"
	}
	return ", until " + clockTimeOf(c, reader, at)
}

// answerBy is the end of the time that a seat has to answer, as far as it is known; zero
// where there is none, or where the seat has answered.
func answerBy(c *match.Turn, seat rules.Seat) (at time.Time) {
	k, stops := &c.Match.Seats[seat].Clock, c.Match.Stops(seat)
	if c.Match.Tempo.None() || c.Match.State != Playing || !k.Owes || k.Flagged {
		return at
	}
	if _, begun := k.Start(); begun {
		at, _ = k.Zero(0, stops)
	} else if k.Answered.IsZero() {
		at, _ = stops.After(c.Now, k.Left)
	}
	return at
}

// otherTime says how much time another seat has. Who has given a sealed answer is told to
// nobody: his clock seems to run on.
func otherTime(c *match.Turn, seat, reader rules.Seat) string {
	k, stops := &c.Match.Seats[seat].Clock, c.Match.Stops(seat)
	left := k.Shown(c.Now, stops)
	_, begun := k.Start()
	at, known := k.ShownZero(0, stops)
	over := "has had no time left since " + clockTimeOf(c, reader, at)
	switch {
	case !k.Owes && c.Match.Tempo.Phase > 0:
		return ""
	case !k.Owes:
		return "has " + spanWords(left) + " in reserve"
	case !begun:
		return "has " + spanWords(left) + ", counted from when our letter goes out"
	case left > 0 || !known:
		return "has " + spanWords(left) + " left" + untilWords(c, k.ShownZero, stops, reader)
	case k.Flagged && c.Match.Zero != clock.Forfeit && c.MayClaim(reader) && !c.Match.Paused(c.Now):
		return over + ". CLAIM wins the match for you, and GIVE 3 days gives more time"
	case c.Match.Zero != clock.Forfeit:
		return over
	}
	if at, known = k.ShownZero(clock.Grace, stops); known {
		over += "; the match is forfeited if no answer comes by " + clockTimeOf(c, reader, at)
	}
	return over
}

// meansZero says what happens when a seat has no time left.
func meansZero(c *match.Turn, seat rules.Seat) string {
	k := &c.Match.Seats[seat].Clock
	switch {
	case c.Match.Zero == clock.Silence && !k.Flagged:
		return "After that the rules of the game answer for you, where they can."
	case c.Match.Zero == clock.Forfeit && k.Flagged:
		at, known := k.Zero(clock.Grace, c.Match.Stops(seat))
		if !known {
			return "You lose the match if no answer comes within 12 hours of your clock."
		}
		return "You lose the match if no answer comes by " + clockTimeOf(c, seat, at) + "."
	case c.Match.Zero == clock.Forfeit:
		return "After that come 12 hours of grace, and then you lose the match."
	case k.Flagged:
		return match.Capital(match.Or(c.Opponents(seat))) + " may claim the match. An answer that comes before that still counts."
	}
	return "After that " + match.Or(c.Opponents(seat)) + " may claim the match."
}

// tempoText says in an invitation how much time there is.
func tempoText(m *Match) string {
	t := m.Tempo
	if t.None() {
		return ""
	}
	zero := map[clock.Zero]string{
		clock.Claim:   "When somebody has no time left, the others may claim the match, or give time.",
		clock.Forfeit: "Who has no time left has 12 hours of grace, and then loses the match.",
		clock.Silence: "When somebody has no time left, the rules of the game answer, where they can.",
	}[m.Zero]
	const runs = "A clock runs from when our letter that asks is sent until the answer arrives; times in which we could not receive it do not count. "
	if t.Phase > 0 {
		return "There is " + spanWords(t.Phase) + " for each question. " + runs + zero
	}
	return fmt.Sprintf("Each player begins with %s, gains %s with each answer, and can have %s at most. ", spanWords(t.Bank), spanWords(t.Increment), spanWords(t.Cap)) + runs + zero
}

// spanWords says in words how long a time is, without the seconds.
func spanWords(d time.Duration) string {
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
