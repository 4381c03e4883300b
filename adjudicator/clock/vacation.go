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

// At is the vacation at a moment, if there is one.
func (v Vacations) At(now time.Time) (Vacation, bool) {
	i := slices.IndexFunc(v, func(w Vacation) bool { return !w.From.After(now) && !w.ends(now) })
	if i < 0 {
		return Vacation{}, false
	}
	return v[i], true
}

// Ahead are those that are not over.
func (v Vacations) Ahead(now time.Time) Vacations {
	return slices.DeleteFunc(slices.Clone(v), func(w Vacation) bool { return w.ends(now) })
}

// The errors of a vacation that is asked for.
var (
	ErrNoDay     = errors.New("there is no such day. Days are written as in 2026-12-20")
	ErrBackwards = errors.New("it would end before it begins")
	ErrNoBudget  = errors.New("this referee gives no vacations")
	ErrHasIt     = errors.New("you are away then already")
	ErrNotAway   = errors.New("no vacation of yours is planned then")
	ErrWhich     = errors.New("you have planned several vacations. Write a day of the one that you mean, as in VACATION OFF 2026-12-20")
)

// Add plans a vacation, asked for now by a player who is in a place. Those that it overlaps
// or touches become one with it. In no year may there be more days than the budget.
func (v Vacations) Add(first, last string, in *time.Location, now time.Time, budget int) (Vacations, Vacation, error) {
	var none Vacation
	from, err := time.ParseInLocation(time.DateOnly, first, in)
	if err != nil {
		return v, none, ErrNoDay
	}
	until, err := time.ParseInLocation(time.DateOnly, last, in)
	today := now.In(in).Format(time.DateOnly)
	if on, is := v.At(now); is && on.First <= first && first < today && today <= last {
		first, from = today, now // It is made longer.
	}
	switch {
	case err != nil:
		return v, none, ErrNoDay
	case last < first:
		return v, none, ErrBackwards
	case budget == 0:
		return v, none, ErrNoBudget
	case first < today:
		return v, none, fmt.Errorf("a vacation cannot begin in the past: today is %s where you are", today)
	case until.Year() > now.In(in).Year()+1:
		return v, none, fmt.Errorf("a vacation can be planned until the end of %d", now.In(in).Year()+1)
	}
	w := Vacation{first, last, Span{micro(from), micro(until.AddDate(0, 0, 1))}}
	if w.From.Before(now) {
		w.From = micro(now)
	}
	var out Vacations
	for _, o := range v {
		switch {
		case !o.From.After(w.From) && !o.To.Before(w.To):
			return v, none, ErrHasIt
		case o.From.After(w.To) || w.From.After(o.To):
			out = append(out, o)
		default:
			w.First, w.Last = min(w.First, o.First), max(w.Last, o.Last)
			w.From, w.To = earlier(w.From, o.From), later(w.To, o.To)
		}
	}
	out = append(out, w)
	slices.SortFunc(out, func(a, b Vacation) int { return a.From.Compare(b.From) })
	for year := from.Year(); year <= until.Year(); year++ {
		if n := out.Days(year); n > budget {
			return v, none, fmt.Errorf("that would make %d days of vacation in %d, and %d are allowed. %d are left", n, year, budget, max(0, budget-v.Days(year)))
		}
	}
	return out, w, nil
}

// End ends the vacation of a moment, or without one drops the only one that is planned; with
// a day, the one that the day is of. What was used stays used. It gives what is ended as
// it was.
func (v Vacations) End(day string, in *time.Location, now time.Time) (Vacations, Vacation, error) {
	ahead := v.Ahead(now)
	which, on := v.At(now)
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
		return v, which, ErrWhich
	default:
		which = ahead[0]
	}
	out := slices.Clone(v)
	i := slices.Index(out, which)
	if !which.From.Before(micro(now)) {
		return slices.Delete(out, i, i+1), which, nil
	}
	out[i].To, out[i].Last = micro(now), min(which.Last, now.In(in).Format(time.DateOnly))
	out[i].Last = max(out[i].First, out[i].Last)
	return out, which, nil
}

// Days counts the days of a year that are of a vacation.
func (v Vacations) Days(year int) int {
	days := map[string]bool{}
	for _, w := range v {
		for d := day(w.First); !d.After(day(w.Last)); d = d.AddDate(0, 0, 1) {
			if d.Year() == year {
				days[d.Format(time.DateOnly)] = true
			}
		}
	}
	return len(days)
}

// Since are those that reach into a year or are later.
func (v Vacations) Since(year int) Vacations {
	return slices.DeleteFunc(slices.Clone(v), func(w Vacation) bool { return day(w.Last).Year() < year })
}

// Day writes a day of a vacation for people.
func Day(text string) string { return day(text).Format("2 January 2006") }

func day(text string) time.Time {
	d, _ := time.Parse(time.DateOnly, text) // Add has read it.
	return d
}

func earlier(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }
func later(a, b time.Time) time.Time   { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }
