package clock

import (
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/zone"
)

// FreeTime is the weekly time when the clocks of a match do not run, e.g. "Sat Sun" or "Sun 18:00-Mon 06:00 in
// Europe/Warsaw". The zero FreeTime is empty.
type FreeTime struct {
	// Spans are the free spans of the week, sorted and separate; unused spans are empty. Minute 0 is Monday 0:00.
	Spans [maxFreeSpans + 1]WeekSpan
	// Zone is the time zone of the days, as in package zone; empty for UTC.
	Zone string
}

// WeekSpan is the time from minute From of a week until before minute To.
type WeekSpan struct{ From, To int }

const (
	maxFreeSpans      = 7
	dayMinutes        = 24 * 60
	weekMinutes       = 7 * dayMinutes
	minRunningMinutes = dayMinutes
	week              = 7 * wholeDay
)

var (
	weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
	// freeItemPattern matches a day or a span in the text of a FreeTime, e.g. "sat" or "sun 18:00-mon 06:00".
	freeItemPattern = regexp.MustCompile(`^(mon|tue|wed|thu|fri|sat|sun)[a-z]*(?: (\d\d?):(\d\d) ?- ?(mon|tue|wed|thu|fri|sat|sun)[a-z]* (\d\d?):(\d\d))?(?:,? |$)`)
	errFreeFormat   = errors.New("free time is written as days or as spans: free Sat Sun, or free Sun 18:00-Mon 06:00 in Europe/Warsaw")
)

// parseFreeTime parses days and spans in lower case, and an optional time zone: "sat sun in warsaw", "sun 18:00-mon 06:00".
func parseFreeTime(text string) (f FreeTime, err error) {
	days, zoneName, hasZone := strings.Cut(text, " in ")
	if hasZone {
		if f.Zone, err = zone.ParseName(strings.TrimSpace(zoneName)); err != nil {
			return f, err
		}
	}
	var spans []WeekSpan
	for rest := strings.TrimSpace(days); rest != ""; {
		groups := freeItemPattern.FindStringSubmatch(rest)
		if groups == nil {
			return f, errFreeFormat
		}
		rest = rest[len(groups[0]):]
		from := slices.Index(weekdays, groups[1]) * dayMinutes
		to := from + dayMinutes
		if groups[2] != "" {
			begin, end := minuteOfDay(groups[2], groups[3]), minuteOfDay(groups[5], groups[6])
			if begin < 0 || end < 0 {
				return f, errFreeFormat
			}
			if from, to = from+begin, slices.Index(weekdays, groups[4])*dayMinutes+end; to <= from {
				to += weekMinutes
			}
		}
		spans = append(spans, WeekSpan{from, min(to, weekMinutes)}, WeekSpan{0, to - weekMinutes})
	}
	return f, f.setSpans(spans)
}

// minuteOfDay returns the minute of a time of day from 0:00 to 24:00, or -1 if the time is invalid. hour and minute are digits.
func minuteOfDay(hour, minute string) int {
	h, _ := strconv.Atoi(hour)
	m, _ := strconv.Atoi(minute)
	if m > 59 || h*60+m > dayMinutes {
		return -1
	}
	return h*60 + m
}

func (f *FreeTime) setSpans(spans []WeekSpan) error {
	spans = slices.DeleteFunc(spans, func(s WeekSpan) bool { return s.To <= s.From })
	slices.SortFunc(spans, func(a, b WeekSpan) int { return a.From - b.From })
	n, running := 0, weekMinutes
	for i, s := range spans {
		if i > 0 && s.From <= f.Spans[n-1].To {
			f.Spans[n-1].To = max(f.Spans[n-1].To, s.To)
			continue
		}
		if n == len(f.Spans) {
			return fmt.Errorf("free time has at most %d spans a week", maxFreeSpans)
		}
		f.Spans[n] = s
		n++
	}
	for _, s := range f.Spans {
		running -= s.To - s.From
	}
	switch {
	case n == 0:
		return errFreeFormat
	case running < minRunningMinutes:
		return errors.New("the clocks must run for at least one day (24 hours) a week")
	}
	return nil
}

// IsEmpty reports whether no time is free.
func (f FreeTime) IsEmpty() bool { return f.Spans[0].To == 0 }

// String writes the free time in the form that ParseTempo reads, without the word free: "Sat Sun in Europe/Warsaw".
func (f FreeTime) String() string {
	spans := slices.DeleteFunc(slices.Clone(f.Spans[:]), func(s WeekSpan) bool { return s.To == 0 })
	if n := len(spans); n > 1 && spans[0].From == 0 && spans[n-1].To == weekMinutes &&
		(spans[0].To%dayMinutes != 0 || spans[n-1].From%dayMinutes != 0) {
		spans[n-1].To += spans[0].To // one span that crosses the end of the week
		spans = spans[1:]
	}
	day := func(minute int) string {
		name := weekdays[minute/dayMinutes%7]
		return strings.ToUpper(name[:1]) + name[1:]
	}
	var out []string
	for _, s := range spans {
		if s.From%dayMinutes != 0 || s.To%dayMinutes != 0 {
			out = append(out, fmt.Sprintf("%s %02d:%02d-%s %02d:%02d", day(s.From), s.From%dayMinutes/60, s.From%60,
				day(s.To), s.To%dayMinutes/60, s.To%60))
			continue
		}
		for d := s.From; d < s.To; d += dayMinutes {
			out = append(out, day(d))
		}
	}
	if f.Zone != "" {
		out = append(out, "in", f.Zone)
	}
	return strings.Join(out, " ")
}

// spansFrom returns the pauses in the sequence of their times, and may include pauses that ended before at.
// With free time the sequence is infinite, and a span that crosses the end of a week is split.
func (p Pauses) spansFrom(at time.Time) iter.Seq[Span] {
	if p.Free.IsEmpty() {
		return slices.Values(p.Spans)
	}
	return func(yield func(Span) bool) {
		location := zone.Load(p.Free.Zone)
		moment := func(minute int, monday time.Time) time.Time {
			return findWallTime(monday.Add(time.Duration(minute)*time.Minute), location).UTC()
		}
		day := wallClock(at.In(location)).Add(-wholeDay).Truncate(wholeDay)
		for monday := day.AddDate(0, 0, -(int(day.Weekday())+6)%7); ; monday = monday.Add(week) {
			window := Span{moment(0, monday), moment(weekMinutes, monday)}
			var spans []Span
			for _, s := range p.Free.Spans {
				if s.To > 0 {
					spans = append(spans, Span{moment(s.From, monday), moment(s.To, monday)})
				}
			}
			for _, s := range p.Spans {
				if s.From.Before(window.To) && !s.hasEnded(window.From) {
					s.From = later(s.From, window.From)
					if s.hasEnded(window.To) || s.To.IsZero() {
						spans = append(spans, s)
					} else {
						spans = append(spans, Span{s.From, window.To})
					}
				}
			}
			for _, s := range MergeSpans(spans).Spans {
				if !yield(s) || s.To.IsZero() {
					return
				}
			}
		}
	}
}

// QuietHours are the daily hours when a player gets no reminder, in minutes after midnight, e.g. 22:00-07:00. The zero
// QuietHours is empty.
type QuietHours struct {
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
}

// ParseQuietHours parses two times of day, e.g. "22:00" and "07:00".
func ParseQuietHours(from, to string) (q QuietHours, ok bool) {
	minute := func(text string) int {
		hour, minute, _ := strings.Cut(text, ":")
		return minuteOfDay(hour, minute)
	}
	q = QuietHours{minute(from), minute(to)}
	return q, q.From >= 0 && q.To >= 0 && q.From != q.To && q.From < dayMinutes
}

// String writes the hours, e.g. "22:00-07:00", or "off".
func (q QuietHours) String() string {
	if q == (QuietHours{}) {
		return "off"
	}
	return fmt.Sprintf("%02d:%02d-%02d:%02d", q.From/60, q.From%60, q.To/60, q.To%60)
}

// endAfter returns the end of the quiet hours that contain t, or t if it is outside the quiet hours.
func (q QuietHours) endAfter(t time.Time, location *time.Location) time.Time {
	to := q.To
	if to < q.From {
		to += dayMinutes
	}
	today := wallClock(t.In(location)).Truncate(wholeDay)
	for _, day := range []time.Time{today.Add(-wholeDay), today} {
		from, until := findWallTime(day.Add(time.Duration(q.From)*time.Minute), location),
			findWallTime(day.Add(time.Duration(to)*time.Minute), location)
		if !from.After(t) && until.After(t) {
			return until.UTC()
		}
	}
	return t
}

// NextAllowed returns the first time, not before t, at which a reminder may be sent: outside the quiet hours, outside
// pauses and not just before a pause. It returns false if there is none. zoneName is a zone of package zone.
func (q QuietHours) NextAllowed(t time.Time, zoneName string, pauses Pauses) (time.Time, bool) {
	const maxNights = 400 // stops the search if pauses and quiet hours together leave no gap
	for range maxNights {
		next := q.endAfter(t, zone.Load(zoneName))
		if next.Equal(t) {
			return t, true
		}
		var ok bool
		if t, ok = pauses.nextRunningTime(next); !ok {
			return t, false
		}
	}
	return t, false
}
