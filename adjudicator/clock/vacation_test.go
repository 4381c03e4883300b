package clock_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"samizdat/adjudicator/clock"
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
		{"2026-11-25", "2026-12-12", "30 days of vacation in 2026, and 28 are allowed. 16 are left"},
		{"2026-12-31", "2027-01-29", "29 days of vacation in 2027, and 28 are allowed. 24 are left"},
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
	if err := end(""); !errors.Is(err, clock.ErrWhich) {
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
	if n := v.Days(2026); n != 5 {
		t.Errorf("%d days, want 5", n)
	}
	if c := clock.Union(v.Spans()).Counted(at(t, "2026-12-01T00:00:00Z"), at(t, "2026-12-10T00:00:00Z")); c != 4*24*time.Hour+time.Hour {
		t.Errorf("%v are counted", c)
	}
	add("2026-12-28", "2027-01-02")
	if err := end("2026-12-30"); err != nil || v.Days(2027) != 0 || v.Days(2026) != 5 {
		t.Error(err, v)
	}
	if got := v.Since(2027); len(got) != 0 {
		t.Error(got)
	}
}

// TestVacationsAny: whatever is planned and ended, in whatever zones, the days of a year
// keep within the budget, spans are in order, none touches another, and what was stopped
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
				if n := v.Days(year); n > 28 {
					r.Fatalf("%d days in %d: %v", n, year, v)
				}
			}
			if len(v) != len(clock.Union(v.Spans())) {
				r.Fatalf("spans touch: %v", v)
			}
			if a, b := clock.Union(was.Spans()).Counted(begin, now), clock.Union(v.Spans()).Counted(begin, now); a != b {
				r.Fatalf("what was is changed: %v were counted, now %v", a, b)
			}
		}
	})
}
