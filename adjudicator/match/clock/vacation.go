package clock

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Vacation is an absence of a player for whole days of the player's time zone.
type Vacation struct {
	// First and Last are the first and the last day, for example 2026-12-20.
	First string `json:"first"`
	Last  string `json:"last"`
	// Span is the pause of the player's clocks. It does not begin before the vacation was requested. A later change of
	// the time zone does not change it.
	Span
}

// Vacations are the vacations of a player, sorted and separate.
type Vacations []Vacation

// Spans returns the pauses of the vacations.
func (v Vacations) Spans() (out []Span) {
	for _, vacation := range v {
		out = append(out, vacation.Span)
	}
	return out
}

// Current returns the vacation that contains the time now; false if there is none.
func (v Vacations) Current(now time.Time) (Vacation, bool) {
	i := slices.IndexFunc(v, func(vacation Vacation) bool { return !vacation.From.After(now) && !vacation.hasEnded(now) })
	if i < 0 {
		return Vacation{}, false
	}
	return v[i], true
}

// Unfinished returns the vacations that are not over.
func (v Vacations) Unfinished(now time.Time) Vacations {
	return slices.DeleteFunc(slices.Clone(v), func(vacation Vacation) bool { return vacation.hasEnded(now) })
}

var (
	ErrNoDay       = errors.New("there is no such day. Days are written as in 2026-12-20")
	ErrBackwards   = errors.New("the vacation would end before it begins")
	ErrNoBudget    = errors.New("this referee gives no vacations")
	ErrAlreadyAway = errors.New("you are away then already")
	ErrNotAway     = errors.New("you have no vacation planned")
	ErrAmbiguous   = errors.New("you have planned several vacations. Write a day of the one that you mean, as in VACATION OFF 2026-12-20")
)

// Add plans a vacation from the first to the last day. It merges overlapping and adjacent vacations. The vacations in a
// year must not be longer than the budget, in days. Add returns the new list and the planned vacation.
func (v Vacations) Add(first, last string, location *time.Location, now time.Time, budget int) (Vacations, Vacation, error) {
	var none Vacation
	from, err := time.Parse(time.DateOnly, first)
	if err != nil {
		return v, none, ErrNoDay
	}
	until, err := time.Parse(time.DateOnly, last)
	if err != nil {
		return v, none, ErrNoDay
	}
	today := now.In(location).Format(time.DateOnly)
	if current, ok := v.Current(now); ok && current.First <= first && first < today && today <= last {
		first, from = today, parseDay(today) // a longer vacation replaces the current one
	}
	switch {
	case last < first:
		return v, none, ErrBackwards
	case budget == 0:
		return v, none, ErrNoBudget
	case first < today:
		return v, none, fmt.Errorf("a vacation cannot begin in the past: today is %s where you are", today)
	case until.Year() > now.In(location).Year()+1:
		return v, none, fmt.Errorf("a vacation can be planned until the end of %d", now.In(location).Year()+1)
	}
	vacation := Vacation{first, last, Span{later(roundTime(startOfDay(from, location)), roundTime(now)),
		roundTime(startOfDay(until.AddDate(0, 0, 1), location))}}
	var out Vacations
	for _, other := range v {
		switch {
		case !other.From.After(vacation.From) && !other.To.Before(vacation.To):
			return v, none, ErrAlreadyAway
		case other.From.After(vacation.To) || vacation.From.After(other.To):
			out = append(out, other)
		default:
			vacation.First, vacation.Last = min(vacation.First, other.First), max(vacation.Last, other.Last)
			vacation.From, vacation.To = earlier(vacation.From, other.From), later(vacation.To, other.To)
		}
	}
	out = append(out, vacation)
	slices.SortFunc(out, func(a, b Vacation) int { return a.From.Compare(b.From) })
	for year := vacation.From.In(location).Year(); year <= vacation.To.In(location).Year(); year++ {
		if used := out.UsedTime(year, location); used > time.Duration(budget)*wholeDay+summerTimeHour {
			return v, none, fmt.Errorf("that would make %s of vacation in %d, and %s are allowed. You have %s left", FormatDays(used), year,
				FormatDays(time.Duration(budget)*wholeDay), FormatDays(v.BudgetLeft(year, location, budget)))
		}
	}
	return out, vacation, nil
}

// End ends a current vacation, or cancels a planned one: the vacation that contains day. Without a day, it is the current vacation
// or, if there is none, the only planned vacation. Days before now stay used. End returns the new list, and the vacation before the change.
func (v Vacations) End(day string, location *time.Location, now time.Time) (Vacations, Vacation, error) {
	unfinished := v.Unfinished(now)
	found, isCurrent := v.Current(now)
	switch {
	case day != "":
		i := slices.IndexFunc(unfinished, func(vacation Vacation) bool { return vacation.First <= day && day <= vacation.Last })
		if i < 0 {
			return v, found, ErrNotAway
		}
		found = unfinished[i]
	case isCurrent:
	case len(unfinished) == 0:
		return v, found, ErrNotAway
	case len(unfinished) > 1:
		return v, found, ErrAmbiguous
	default:
		found = unfinished[0]
	}
	out := slices.Clone(v)
	i := slices.Index(out, found)
	if !found.From.Before(roundTime(now)) {
		return slices.Delete(out, i, i+1), found, nil
	}
	out[i].To, out[i].Last = roundTime(now), min(found.Last, now.In(location).Format(time.DateOnly))
	out[i].Last = max(out[i].First, out[i].Last)
	return out, found, nil
}

const (
	wholeDay = 24 * time.Hour
	// summerTimeHour is the extra length of the day on which summer time ends. It does not count as vacation.
	summerTimeHour = time.Hour
)

// UsedTime returns the time of vacations in a year of a time zone.
func (v Vacations) UsedTime(year int, location *time.Location) time.Duration {
	begin := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	from, to := startOfDay(begin, location), startOfDay(begin.AddDate(1, 0, 0), location)
	return to.Sub(from) - MergeSpans(v.Spans()).RunningTime(from, to)
}

// BudgetLeft returns the unused part of a budget of days in a year of a time zone.
func (v Vacations) BudgetLeft(year int, location *time.Location, budget int) time.Duration {
	return max(0, time.Duration(budget)*wholeDay-v.UsedTime(year, location))
}

// FormatDays writes a duration in days and hours, e.g. "3 days and 5 hours".
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

// startOfDay returns the first moment of a day in a time zone, or of the next existing day. A day may begin after
// 0:00: in Santiago, Havana and Cairo summer time begins at 0:00, so the day starts at 1:00.
func startOfDay(day time.Time, location *time.Location) time.Time {
	return findWallTime(day.Truncate(wholeDay), location)
}

// findWallTime returns the first moment at which the local clock shows wallTime (in UTC) or a later time. For example, the clock in
// Warsaw skips 02:30 on 29 March 2026, so the result for this time is 03:00 CEST.
func findWallTime(wallTime time.Time, location *time.Location) time.Time {
	begin := time.Date(wallTime.Year(), wallTime.Month(), wallTime.Day(), wallTime.Hour(), wallTime.Minute(), 0, 0, location)
	offsetStart, offsetEnd := begin.ZoneBounds()
	if !offsetStart.IsZero() {
		// If the local clock was set back at offsetStart, it may have shown wallTime before.
		_, offset := begin.Zone()
		_, offsetBefore := offsetStart.Add(-1).Zone()
		if before := begin.Add(time.Duration(offset-offsetBefore) * time.Second); before.Before(offsetStart) &&
			!wallClock(before).Before(wallTime) {
			return before
		}
	}
	switch {
	case wallClock(begin).Equal(wallTime):
		return begin
	case !offsetStart.IsZero() && !wallClock(offsetStart).Before(wallTime):
		return offsetStart
	}
	return offsetEnd
}

// wallClock returns the local time as a time in UTC.
func wallClock(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second)
}

// SinceYear returns the vacations that end in this year or in a later year.
func (v Vacations) SinceYear(year int) Vacations {
	return slices.DeleteFunc(slices.Clone(v), func(vacation Vacation) bool { return parseDay(vacation.Last).Year() < year })
}

// FormatDay writes a day for letters, for example "20 December 2026".
func FormatDay(text string) string { return parseDay(text).Format("2 January 2006") }

func parseDay(text string) time.Time {
	d, _ := time.Parse(time.DateOnly, text) // Add has checked the form
	return d
}

func earlier(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }
func later(a, b time.Time) time.Time   { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }
