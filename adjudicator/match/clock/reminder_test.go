package clock_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"samizdat/adjudicator/match/clock"
)

// running is a clock that has run since a time.
func running(remaining time.Duration, since time.Time) clock.Clock {
	c := clock.Clock{TimeLeft: remaining, ToMove: true}
	c.AddQuestionLetter(1)
	c.RecordAccepted(1, since)
	return c
}

// TestReminders: there is one at half of what was left, one with a day left and one with six
// hours left, as far as an hour is between them.
func TestReminders(t *testing.T) {
	t.Parallel()
	since := at(t, "2026-11-22T10:00:00Z")
	for _, tt := range []struct {
		left  time.Duration
		stops []clock.Span
		want  []time.Duration // since the clock runs
	}{
		{left: 72 * time.Hour, want: []time.Duration{36 * time.Hour, 48 * time.Hour, 66 * time.Hour}},
		{left: 48 * time.Hour, want: []time.Duration{24 * time.Hour, 42 * time.Hour}},
		{left: 49 * time.Hour, want: []time.Duration{24*time.Hour + 30*time.Minute, 43 * time.Hour}},
		{left: 30 * time.Hour, want: []time.Duration{6 * time.Hour, 15 * time.Hour, 24 * time.Hour}},
		{left: 24*time.Hour + 30*time.Minute, want: []time.Duration{12*time.Hour + 15*time.Minute, 18*time.Hour + 30*time.Minute}},
		{left: 10 * time.Hour, want: []time.Duration{4 * time.Hour, 5 * time.Hour}},
		{left: 4 * time.Hour, want: []time.Duration{2 * time.Hour}},
		{left: 90 * time.Minute},
		{left: 72 * time.Hour, stops: []clock.Span{{From: since.Add(30 * time.Hour), To: since.Add(40 * time.Hour)}},
			want: []time.Duration{46 * time.Hour, 58 * time.Hour, 76 * time.Hour}},
		{left: 72 * time.Hour, stops: []clock.Span{{From: since.Add(36*time.Hour + time.Minute), To: since.Add(40 * time.Hour)}},
			want: []time.Duration{40 * time.Hour, 52*time.Hour - time.Minute, 70*time.Hour - time.Minute}},
		{left: 72 * time.Hour, stops: []clock.Span{{From: since.Add(50 * time.Hour)}}, want: []time.Duration{36 * time.Hour, 48 * time.Hour}},
	} {
		c, pauses := running(tt.left, since), clock.MergeSpans(tt.stops)
		var got []time.Duration
		for {
			when, ok := c.NextReminder(pauses)
			if !ok {
				break
			}
			c.RecordReminder(when, pauses)
			got = append(got, when.Sub(since))
		}
		if len(got) != len(tt.want) {
			t.Errorf("%v left: %v, want %v", tt.left, got, tt.want)
			continue
		}
		for i := range got {
			if d := got[i] - tt.want[i]; d < -2*time.Minute || d > 2*time.Minute {
				t.Errorf("%v left: %v, want %v", tt.left, got, tt.want)
			}
		}
	}
}

// TestNoReminder: nobody is reminded of what he does not owe, has answered, or is late with.
func TestNoReminder(t *testing.T) {
	t.Parallel()
	since := at(t, "2026-11-22T10:00:00Z")
	rests, answered, flagged, waits := running(72*time.Hour, since), running(72*time.Hour, since), running(72*time.Hour, since), clock.Clock{TimeLeft: 72 * time.Hour, ToMove: true}
	rests.FinishQuestions(since.Add(time.Hour), nil)
	answered.RecordAnswered(since.Add(time.Hour))
	flagged.Flagged = true
	waits.AddQuestionLetter(1)
	for i, c := range []clock.Clock{rests, answered, flagged, waits} {
		if when, ok := c.NextReminder(nil); ok {
			t.Errorf("clock %d: a reminder at %v", i, when)
		}
	}
	c := running(10*time.Hour, since)
	c.RecordReminder(since.Add(9*time.Hour), nil)
	c.Extend(72*time.Hour, since.Add(9*time.Hour+30*time.Minute), nil)
	if when, ok := c.NextReminder(nil); !ok || !when.Equal(since.Add(41*time.Hour)) {
		t.Errorf("with more time the next reminder is at %v", when.Sub(since))
	}
}

// TestRemindersAny: however late they are looked for and whatever stops the clock, reminders
// are an hour apart, none comes while no time is counted, and there are three at most.
func TestRemindersAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		since := at(t, "2026-11-22T10:00:00Z")
		minutes := func(name string, maximum int) time.Duration {
			return time.Duration(rapid.IntRange(0, maximum).Draw(r, name)) * time.Minute
		}
		var spans []clock.Span
		from := since
		for range rapid.IntRange(0, 5).Draw(r, "stops") {
			from = from.Add(minutes("runs", 4000))
			to := from.Add(minutes("stands", 4000))
			spans, from = append(spans, clock.Span{From: from, To: to}), to
		}
		c, pauses, last, n := running(time.Hour+minutes("left", 10000), since), clock.MergeSpans(spans), since, 0
		for {
			when, ok := c.NextReminder(pauses)
			if !ok {
				break
			}
			when = when.Add(minutes("late", 4))
			if pauses.Contains(when) || c.TimeLeftAt(when, pauses) == 0 {
				r.Fatalf("a reminder at %v; stops %v", when, pauses)
			}
			if n > 0 && when.Sub(last) < time.Hour-4*time.Minute {
				r.Fatalf("a reminder at %v, after one at %v", when, last)
			}
			c.RecordReminder(when, pauses)
			last, n = when, n+1
		}
		if n > 3 {
			r.Fatalf("%d reminders", n)
		}
	})
}
