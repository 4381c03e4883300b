package clock_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/zone"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

func in(t *testing.T, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestVacationDays: a vacation is of whole days where the player is, those on which the
// clocks change included, and begins no sooner than it was asked for.
func TestVacationDays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ zone, now, first, last, from, to string }{
		{"UTC", "2026-11-22T10:00:00Z", "2026-12-20", "2027-01-04", "2026-12-20T00:00:00Z", "2027-01-05T00:00:00Z"},
		{"Europe/Warsaw", "2026-10-01T10:00:00Z", "2026-10-24", "2026-10-26", "2026-10-23T22:00:00Z", "2026-10-26T23:00:00Z"},
		{"Europe/Warsaw", "2026-03-01T10:00:00Z", "2026-03-29", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"},
		{"America/New_York", "2026-10-30T10:00:00Z", "2026-11-01", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"},
		{"America/New_York", "2026-11-22T03:00:00Z", "2026-11-21", "2026-11-22", "2026-11-22T03:00:00Z", "2026-11-23T05:00:00Z"},
		{"Pacific/Apia", "2026-11-22T03:00:00Z", "2026-11-22", "2026-11-23", "2026-11-22T03:00:00Z", "2026-11-23T11:00:00Z"},
	} {
		_, w, err := clock.Vacations(nil).Add(tt.first, tt.last, in(t, tt.zone), at(t, tt.now), 28)
		if err != nil || !w.From.Equal(at(t, tt.from)) || !w.To.Equal(at(t, tt.to)) {
			t.Errorf("%+v: %+v, %v", tt, w, err)
		}
	}
}

// TestVacationRefused: what cannot be is refused, and changes nothing.
func TestVacationRefused(t *testing.T) {
	t.Parallel()
	now := at(t, "2026-11-22T10:00:00Z")
	v, _, err := clock.Vacations(nil).Add("2026-12-20", "2027-01-04", time.UTC, now, 28)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ first, last, why string }{
		{"2026-11-21", "2026-11-25", "cannot begin in the past: today is 2026-11-22"},
		{"2026-12-24", "2026-12-12", "before it begins"},
		{"2026-02-30", "2026-12-12", "no such day"},
		{"2026-12-12", "2026-12-32", "no such day"},
		{"2028-01-01", "2028-01-02", "until the end of 2027"},
		{"2026-12-24", "2026-12-26", "already"},
		{"2026-11-25", "2026-12-12", "30 days of vacation in 2026, and 28 days are allowed. You have 16 days left"},
		{"2026-12-31", "2027-01-29", "29 days of vacation in 2027, and 28 days are allowed. You have 24 days left"},
	} {
		got, _, err := v.Add(tt.first, tt.last, time.UTC, now, 28)
		if err == nil || !strings.Contains(err.Error(), tt.why) || cmp.Diff(v, got) != "" {
			t.Errorf("%s to %s: %v, %v", tt.first, tt.last, err, got)
		}
	}
	if _, _, err := clock.Vacations(nil).Add("2026-12-24", "2026-12-26", time.UTC, now, 0); !errors.Is(err, clock.ErrNoBudget) {
		t.Error(err)
	}
}

// TestVacationTogether: vacations that overlap or touch are one; what is used stays used.
func TestVacationTogether(t *testing.T) {
	t.Parallel()
	now, v := at(t, "2026-11-22T10:00:00Z"), clock.Vacations(nil)
	add := func(first, last string) {
		t.Helper()
		var err error
		if v, _, err = v.Add(first, last, time.UTC, now, 28); err != nil {
			t.Fatal(err)
		}
	}
	end := func(day string) error {
		t.Helper()
		var err error
		v, _, err = v.End(day, time.UTC, now)
		return err
	}
	days := func(want ...string) {
		t.Helper()
		got := []string{}
		for _, w := range v {
			got = append(got, w.First+" "+w.Last)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if err := end(""); !errors.Is(err, clock.ErrNotAway) {
		t.Error(err)
	}
	add("2026-12-05", "2026-12-06")
	add("2026-12-10", "2026-12-12")
	days("2026-12-05 2026-12-06", "2026-12-10 2026-12-12")
	add("2026-12-07", "2026-12-08")
	days("2026-12-05 2026-12-08", "2026-12-10 2026-12-12")
	if err := end(""); !errors.Is(err, clock.ErrAmbiguous) {
		t.Error(err)
	}
	add("2026-12-01", "2026-12-20")
	days("2026-12-01 2026-12-20")
	now = at(t, "2026-12-04T10:00:00Z")
	add("2026-12-01", "2026-12-22")
	days("2026-12-01 2026-12-22")
	if err := end(""); err != nil {
		t.Error(err)
	}
	days("2026-12-01 2026-12-04")
	if err := end("2026-12-04"); !errors.Is(err, clock.ErrNotAway) {
		t.Error(err)
	}
	now = now.Add(time.Hour)
	add("2026-12-04", "2026-12-05")
	if n := v.UsedTime(2026, time.UTC); n != 4*24*time.Hour+23*time.Hour {
		t.Errorf("%v are used, want 4 days and 23 hours", n)
	}
	if c := clock.MergeSpans(v.Spans()).RunningTime(at(t, "2026-12-01T00:00:00Z"), at(t, "2026-12-10T00:00:00Z")); c != 4*24*time.Hour+time.Hour {
		t.Errorf("%v are counted", c)
	}
	add("2026-12-28", "2027-01-02")
	if err := end("2026-12-30"); err != nil || v.UsedTime(2027, time.UTC) != 0 || v.UsedTime(2026, time.UTC) != 119*time.Hour {
		t.Error(err, v)
	}
	if got := v.SinceYear(2027); len(got) != 0 {
		t.Error(got)
	}
}

// TestVacationLongerElsewhere: who makes a vacation longer from another zone, where it is tomorrow already, is away until
// the end of the last day there, and not from the next change of summer time on.
func TestVacationLongerElsewhere(t *testing.T) {
	t.Parallel()
	v, _, err := clock.Vacations(nil).Add("2026-01-01", "2026-01-01", time.UTC, at(t, "2026-01-01T02:00:00Z"), 28)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err = v.Add("2026-01-01", "2026-01-02", in(t, "Pacific/Auckland"), at(t, "2026-01-01T11:30:00Z"), 28)
	if err != nil {
		t.Fatal(err)
	}
	want := []clock.Span{{From: at(t, "2026-01-01T02:00:00Z"), To: at(t, "2026-01-02T11:00:00Z")}}
	if diff := cmp.Diff(want, v.Spans()); diff != "" {
		t.Error(diff)
	}
}

// TestVacationsAny: whatever is planned and ended, in whatever zones, the clocks of a player stop
// in a year for no more than the budget, spans are in order, none touches another, and what was stopped
// before now stays stopped, and what ran before now stays run.
func TestVacationsAny(t *testing.T) {
	t.Parallel()
	zones := []*time.Location{time.UTC, in(t, "Europe/Warsaw"), in(t, "America/New_York"), in(t, "Pacific/Auckland"), in(t, "Africa/Cairo")}
	rapid.Check(t, func(r *rapid.T) {
		begin := at(t, "2026-01-01T00:00:00Z")
		now, v := begin, clock.Vacations(nil)
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 40*24*60).Draw(r, "pass")) * time.Minute)
			zone := rapid.SampledFrom(zones).Draw(r, "zone")
			day := func(n int) string { return now.In(zone).AddDate(0, 0, n).Format(time.DateOnly) }
			was, first := v, rapid.IntRange(-2, 60).Draw(r, "first")
			switch rapid.IntRange(0, 2).Draw(r, "what") {
			case 0:
				v, _, _ = v.End("", zone, now)
			case 1:
				v, _, _ = v.End(day(first), zone, now)
			default:
				v, _, _ = v.Add(day(first), day(first+rapid.IntRange(-1, 20).Draw(r, "days")), zone, now, 28)
			}
			for year := 2026; year < 2032; year++ {
				from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
				to := from.AddDate(1, 0, 0)
				// A year may begin elsewhere in each zone, and what is planned in one is counted in it.
				if n := to.Sub(from) - clock.MergeSpans(v.Spans()).RunningTime(from, to); n > 28*24*time.Hour+time.Hour+26*time.Hour {
					r.Fatalf("%v in %d: %v", n, year, v)
				}
			}
			if n := clock.MergeSpans(v.Spans()).RunningTime(begin, begin.AddDate(6, 0, 0)); begin.AddDate(6, 0, 0).Sub(begin)-n > 6*(28*24+1)*time.Hour+26*time.Hour {
				r.Fatalf("%v run in six years: %v", n, v)
			}
			if len(v) != len(clock.MergeSpans(v.Spans()).Spans) {
				r.Fatalf("spans touch: %v", v)
			}
			if a, b := clock.MergeSpans(was.Spans()).RunningTime(begin, now), clock.MergeSpans(v.Spans()).RunningTime(begin, now); a != b {
				r.Fatalf("what was is changed: %v were counted, now %v", a, b)
			}
		}
	})
}

// TestDayBegins: a vacation of a day begins with the first moment of that day and ends with the
// first of the next, on and beside all days on which clocks change somewhere.
func TestDayBegins(t *testing.T) {
	t.Parallel()
	names, err := os.ReadFile("../../zone/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	now := at(t, "2026-01-10T00:00:00Z")
	for _, name := range strings.Fields(string(names)) {
		location := zone.Load(name)
		for when := now; when.Before(now.AddDate(1, 11, 0)); {
			_, end := when.In(location).ZoneBounds()
			if end.IsZero() {
				break
			}
			for n := -1; n <= 1; n++ {
				wholeDay(t, location, end.AddDate(0, 0, n).Format(time.DateOnly), now)
			}
			when = end
		}
	}
	for _, c := range [][2]string{{"America/Santiago", "2027-09-04"}, {"America/Santiago", "2027-09-05"}, {"America/Havana", "2027-03-14"}, {"America/Havana", "2027-11-07"},
		{"Atlantic/Azores", "2027-03-28"}, {"Africa/Cairo", "2027-04-29"}, {"Africa/Cairo", "2027-04-30"}, {"Asia/Beirut", "2027-03-28"}} {
		wholeDay(t, zone.Load(c[0]), c[1], now)
	}
}

// wholeDay checks a vacation of one day.
func wholeDay(t *testing.T, location *time.Location, day string, now time.Time) {
	t.Helper()
	_, w, err := clock.Vacations(nil).Add(day, day, location, now, 28)
	if err != nil {
		if day < now.In(location).Format(time.DateOnly) || day[:4] > "2027" {
			return
		}
		t.Fatal(location, day, err)
	}
	is := func(at time.Time) bool { return at.In(location).Format(time.DateOnly) == day }
	if !is(w.From) || is(w.From.Add(-time.Microsecond)) || !is(w.To.Add(-time.Microsecond)) || is(w.To) {
		t.Errorf("%s in %s is from %v until %v", day, location, w.From.In(location), w.To.In(location))
	}
}

// TestZoneChange: a player who changes his zone within a vacation pays for all the time in which
// his clocks stop.
func TestZoneChange(t *testing.T) {
	t.Parallel()
	begun, v := at(t, "2026-06-10T10:30:00Z"), clock.Vacations(nil)
	now := begun
	for range 60 {
		for _, name := range []string{"Pacific/Kiritimati", "Pacific/Pago_Pago"} {
			location := zone.Load(name)
			today := now.In(location).Format(time.DateOnly)
			next, _, err := v.Add(today, today, location, now, 28)
			if err == nil {
				v = next
			}
			now = now.Add(17*time.Hour + 30*time.Minute)
		}
	}
	used := now.Sub(begun) - clock.MergeSpans(v.Spans()).RunningTime(begun, now)
	if used > 28*24*time.Hour+time.Hour || used < 26*24*time.Hour {
		t.Errorf("clocks stop for %v: %v", used, v)
	}
}
