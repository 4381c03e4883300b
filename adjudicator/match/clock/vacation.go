package clock

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Vacation is an absence of a player, of whole days where he is.
type Vacation struct {
	// First and Last are its days, as in 2026-12-20.
	First string `json:"first"`
	Last  string `json:"last"`
	// Span is when no time of the player is counted. It begins no sooner than it was asked
	// for, and stays as it is when the player says that he is elsewhere.
	Span
}

// Vacations are those of a player, in order, none of which touches another.
type Vacations []Vacation

// Spans are when no time of the player is counted.
func (v Vacations) Spans() (out []Span) {
	for _, w := range v {
		out = append(out, w.Span)
	}
	return out
}

// Current is the vacation at a moment, if there is one.
func (v Vacations) Current(now time.Time) (Vacation, bool) {
	i := slices.IndexFunc(v, func(w Vacation) bool { return !w.From.After(now) && !w.hasEnded(now) })
	if i < 0 {
		return Vacation{}, false
	}
	return v[i], true
}

// Unfinished are those that are not over.
func (v Vacations) Unfinished(now time.Time) Vacations {
	return slices.DeleteFunc(slices.Clone(v), func(w Vacation) bool { return w.hasEnded(now) })
}

// The errors of a vacation that is asked for.
var (
	ErrNoDay       = errors.New("there is no such day. Days are written as in 2026-12-20")
	ErrBackwards   = errors.New("it would end before it begins")
	ErrNoBudget    = errors.New("this referee gives no vacations")
	ErrAlreadyAway = errors.New("you are away then already")
	ErrNotAway     = errors.New("no vacation of yours is planned then")
	ErrAmbiguous   = errors.New("you have planned several vacations. Write a day of the one that you mean, as in VACATION OFF 2026-12-20")
)

// Add plans a vacation, asked for now by a player who is in a place. Those that it overlaps
// or touches become one with it. In no year may there be more time than the days of the budget.
func (v Vacations) Add(first, last string, in *time.Location, now time.Time, budget int) (Vacations, Vacation, error) {
	var none Vacation
	from, err := time.Parse(time.DateOnly, first)
	if err != nil {
		return v, none, ErrNoDay
	}
	until, err := time.Parse(time.DateOnly, last)
	if err != nil {
		return v, none, ErrNoDay
	}
	today := now.In(in).Format(time.DateOnly)
	if on, is := v.Current(now); is && on.First <= first && first < today && today <= last {
		first, from = today, parseDay(today) // It is made longer.
	}
	switch {
	case last < first:
		return v, none, ErrBackwards
	case budget == 0:
		return v, none, ErrNoBudget
	case first < today:
		return v, none, fmt.Errorf("a vacation cannot begin in the past: today is %s where you are", today)
	case until.Year() > now.In(in).Year()+1:
		return v, none, fmt.Errorf("a vacation can be planned until the end of %d", now.In(in).Year()+1)
	}
	w := Vacation{first, last, Span{later(roundTime(dayBegins(from, in)), roundTime(now)), roundTime(dayBegins(until.AddDate(0, 0, 1), in))}}
	var out Vacations
	for _, o := range v {
		switch {
		case !o.From.After(w.From) && !o.To.Before(w.To):
			return v, none, ErrAlreadyAway
		case o.From.After(w.To) || w.From.After(o.To):
			out = append(out, o)
		default:
			w.First, w.Last = min(w.First, o.First), max(w.Last, o.Last)
			w.From, w.To = earlier(w.From, o.From), later(w.To, o.To)
		}
	}
	out = append(out, w)
	slices.SortFunc(out, func(a, b Vacation) int { return a.From.Compare(b.From) })
	for year := w.From.In(in).Year(); year <= w.To.In(in).Year(); year++ {
		if used := out.UsedTime(year, in); used > time.Duration(budget)*wholeDay+summerTime {
			return v, none, fmt.Errorf("that would make %s of vacation in %d, and %s are allowed. You have left %s", FormatDays(used), year,
				FormatDays(time.Duration(budget)*wholeDay), FormatDays(v.BudgetLeft(year, in, budget)))
		}
	}
	return out, w, nil
}

// End ends the vacation of a moment, or without one drops the only one that is planned; with
// a day, the one that the day is of. What was used stays used. It gives what is ended as
// it was.
func (v Vacations) End(day string, in *time.Location, now time.Time) (Vacations, Vacation, error) {
	ahead := v.Unfinished(now)
	which, on := v.Current(now)
	switch {
	case day != "":
		i := slices.IndexFunc(ahead, func(w Vacation) bool { return w.First <= day && day <= w.Last })
		if i < 0 {
			return v, which, ErrNotAway
		}
		which = ahead[i]
	case on:
	case len(ahead) == 0:
		return v, which, ErrNotAway
	case len(ahead) > 1:
		return v, which, ErrAmbiguous
	default:
		which = ahead[0]
	}
	out := slices.Clone(v)
	i := slices.Index(out, which)
	if !which.From.Before(roundTime(now)) {
		return slices.Delete(out, i, i+1), which, nil
	}
	out[i].To, out[i].Last = roundTime(now), min(which.Last, now.In(in).Format(time.DateOnly))
	out[i].Last = max(out[i].First, out[i].Last)
	return out, which, nil
}

const (
	wholeDay = 24 * time.Hour
	// summerTime is how much longer the day is on which summer time ends: nobody pays for that.
	summerTime = time.Hour
)

// UsedTime is how much time of a year, as it is in a place, is of a vacation.
func (v Vacations) UsedTime(year int, in *time.Location) time.Duration {
	begin := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	from, to := dayBegins(begin, in), dayBegins(begin.AddDate(1, 0, 0), in)
	return to.Sub(from) - MergeSpans(v.Spans()).CountTime(from, to)
}

// BudgetLeft is how much of a budget of days is left of a year, as it is in a place.
func (v Vacations) BudgetLeft(year int, in *time.Location, budget int) time.Duration {
	return max(0, time.Duration(budget)*wholeDay-v.UsedTime(year, in))
}

// FormatDays writes a time in days and hours, as in "3 days and 5 hours".
func FormatDays(d time.Duration) string {
	hours := int(d / time.Hour)
	count := func(n int, unit string) string {
		if n == 1 {
			return "1 " + unit
		}
		return fmt.Sprintf("%d %ss", n, unit)
	}
	switch {
	case hours%24 == 0:
		return count(hours/24, "day")
	case hours < 24:
		return count(hours, "hour")
	}
	return count(hours/24, "day") + " and " + count(hours%24, "hour")
}

// dayBegins is the first moment of a day in a place, or of the next that there is. It is not
// always 0:00: in Santiago, Havana and Cairo the day on which summer time begins starts at 1:00.
func dayBegins(day time.Time, in *time.Location) time.Time {
	midnight := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, in)
	from, to := midnight.ZoneBounds()
	if !from.IsZero() {
		// Where the clock was set back the same day may have begun before that.
		_, is := midnight.Zone()
		_, was := from.Add(-1).Zone()
		if before := midnight.Add(time.Duration(is-was) * time.Second); before.Before(from) && !wallClock(before).Before(day) {
			return before
		}
	}
	switch {
	case wallClock(midnight).Equal(day):
		return midnight
	case !from.IsZero() && !wallClock(from).Before(day):
		return from
	}
	return to
}

// wallClock is what clocks show at a moment, as a time of UTC.
func wallClock(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second)
}

// SinceYear are those that reach into a year or are later.
func (v Vacations) SinceYear(year int) Vacations {
	return slices.DeleteFunc(slices.Clone(v), func(w Vacation) bool { return parseDay(w.Last).Year() < year })
}

// FormatDay writes a day of a vacation for people.
func FormatDay(text string) string { return parseDay(text).Format("2 January 2006") }

func parseDay(text string) time.Time {
	d, _ := time.Parse(time.DateOnly, text) // Add has read it.
	return d
}

func earlier(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }
func later(a, b time.Time) time.Time   { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }
