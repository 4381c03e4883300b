package clock_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"samizdat/adjudicator/match/clock"
)

var zeroHour = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// moments are times within some days.
func moments(t *rapid.T, name string) time.Time {
	return zeroHour.Add(time.Duration(rapid.Int64Range(0, 500).Draw(t, name)) * time.Hour)
}

func spans(t *rapid.T, name string) []clock.Span {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) clock.Span {
		s := clock.Span{From: moments(t, "from")}
		if rapid.IntRange(0, 9).Draw(t, "open") > 0 {
			s.To = s.From.Add(time.Duration(rapid.Int64Range(-5, 60).Draw(t, "length")) * time.Hour)
		}
		return s
	}), 0, 6).Draw(t, name)
}

// slow counts hour by hour.
func slow(set []clock.Span, from, to time.Time) (n time.Duration) {
	for at := from; at.Before(to); at = at.Add(time.Hour) {
		if !slices.ContainsFunc(set, func(s clock.Span) bool {
			return !s.From.After(at) && (s.To.IsZero() || s.To.After(at))
		}) {
			n += time.Hour
		}
	}
	return n
}

// TestStops: stops are a set: a union counts what overlaps once, in any order, and what is
// counted adds up and agrees with counting hour by hour.
func TestStops(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, y := spans(t, "x"), spans(t, "y")
		s := clock.MergeSpans(x, y)
		if again := clock.MergeSpans(y, s.Spans, x); !slices.Equal(s.Spans, again.Spans) {
			t.Fatalf("%v, in another order %v", s, again)
		}
		a, b, c := moments(t, "a"), moments(t, "b"), moments(t, "c")
		list := []time.Time{a, b, c}
		slices.SortFunc(list, time.Time.Compare)
		a, b, c = list[0], list[1], list[2]
		if got := s.RunningTime(a, b) + s.RunningTime(b, c); got != s.RunningTime(a, c) {
			t.Fatalf("counted in two parts %v, at once %v", got, s.RunningTime(a, c))
		}
		if got, want := s.RunningTime(a, c), slow(slices.Concat(x, y), a, c); got != want {
			t.Fatalf("counted %v, hour by hour %v", got, want)
		}
	})
}

// TestAfter: the moment that After gives is the first at which so much was counted. More
// stops never make it earlier, and more time neither.
func TestAfter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		set, more := spans(t, "stops"), spans(t, "more")
		s, from, remaining := clock.MergeSpans(set), moments(t, "from"), time.Duration(rapid.IntRange(0, 200).Draw(t, "left"))*time.Hour
		at, ok := s.TimeAfter(from, remaining)
		if !ok {
			if n := len(s.Spans); n == 0 || !s.Spans[n-1].To.IsZero() {
				t.Fatal("it never comes, though the stops end")
			}
			return
		}
		if got := s.RunningTime(from, at); got != remaining {
			t.Fatalf("counted %v until then, not %v", got, remaining)
		}
		if at.After(from) && s.RunningTime(from, at.Add(-time.Microsecond)) >= remaining {
			t.Fatal("it comes earlier")
		}
		if later, ok := clock.MergeSpans(s.Spans, more).TimeAfter(from, remaining); ok && later.Before(at) {
			t.Fatalf("more stops bring it from %v to %v", at, later)
		}
		if later, ok := s.TimeAfter(from, remaining+time.Hour); ok && later.Before(at.Add(time.Hour)) {
			t.Fatalf("an hour more brings it from %v to %v", at, later)
		}
	})
}

// TestTempo: what String writes is read back, and what is no tempo is refused.
func TestTempo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "none", "none": "none", "fast": "24h+4h<=72h", "Standard": "72h+12h<=120h", "slow": "72h+36h<=240h",
		"5d+1d<=10d": "120h+24h<=240h", " 90m + 0h <= 2h ": "90m+0h<=2h", "phase 48h": "phase 48h", "PHASE 2d": "phase 48h",
		"slow free Sat Sun": "72h+36h<=240h free Sat Sun", "fast free Sunday, saturday in warsaw": "24h+4h<=72h free Sat Sun in Europe/Warsaw",
		"phase 2d free sun 18:00 - mon 6:00 Fri": "phase 48h free Fri Sun 18:00-Mon 06:00",
		"fast free Mon 00:00-Mon 06:00 Sun":      "24h+4h<=72h free Sun 00:00-Mon 06:00",
	} {
		got, err := clock.ParseTempo(text)
		if err != nil || got.String() != want {
			t.Errorf("%q is %v, %v; want %s", text, got, err, want)
		}
		if again, err := clock.ParseTempo(got.String()); err != nil || again != got {
			t.Errorf("%s is read as %v, %v", got, again, err)
		}
	}
	for _, text := range []string{"72h", "72h+12h", "0h+1h<=2h", "72h+12h<=24h", "phase", "phase 0h", "phase 400d", "1y+1d<=2y", "99999999999999999999h+1h<=2h", "blitz",
		"none free Sun", "fast free", "fast free Someday", "fast free Sun 25:00-Mon 01:00", "fast free Mon 00:00-Sun 12:00",
		"fast free Sat in Atlantis", "fast free Mon Tue Wed Thu Fri Sat Sun", "fast free Sun 18:00-", "fast free Sun in CET"} {
		if got, err := clock.ParseTempo(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}
