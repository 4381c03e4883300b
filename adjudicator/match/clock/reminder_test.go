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
	rests.FinishQuestions(since.Add(time.Hour), clock.Pauses{})
	answered.RecordAnswered(since.Add(time.Hour))
	flagged.Flagged = true
	waits.AddQuestionLetter(1)
	for i, c := range []clock.Clock{rests, answered, flagged, waits} {
		if when, ok := c.NextReminder(clock.Pauses{}); ok {
			t.Errorf("clock %d: a reminder at %v", i, when)
		}
	}
	c := running(10*time.Hour, since)
	c.RecordReminder(since.Add(9*time.Hour), clock.Pauses{})
	c.Extend(72*time.Hour, since.Add(9*time.Hour+30*time.Minute), clock.Pauses{})
	if when, ok := c.NextReminder(clock.Pauses{}); !ok || !when.Equal(since.Add(41*time.Hour)) {
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

// TestQuiet: a reminder waits for the end of the quiet hours by the player's clock, and of a pause behind it; a nudge counts
// once, after half the bank, and never while an answer is sealed.
func TestQuiet(t *testing.T) {
	t.Parallel()
	night, ok := clock.ParseQuietHours("22:00", "07:00")
	if !ok || night.String() != "22:00-07:00" {
		t.Fatal(night, ok)
	}
	stop := clock.Pauses{Spans: []clock.Span{{From: at(t, "2026-11-22T06:02:00Z"), To: at(t, "2026-11-22T21:30:00Z")}}}
	for _, tt := range []struct {
		zone, at, want string
		pauses         clock.Pauses
	}{
		{zone: "", at: "2026-11-22T21:59:00Z", want: "2026-11-22T21:59:00Z"},
		{zone: "", at: "2026-11-22T22:00:00Z", want: "2026-11-23T07:00:00Z"},
		{zone: "Europe/Warsaw", at: "2026-11-22T21:59:00Z", want: "2026-11-23T06:00:00Z"},
		{zone: "Europe/Warsaw", at: "2026-03-28T22:00:00Z", want: "2026-03-29T05:00:00Z"}, // Summer time begins.
		{zone: "Europe/Warsaw", at: "2026-11-22T05:00:00Z", want: "2026-11-23T06:00:00Z", pauses: stop},
	} {
		if got, ok := night.NextAllowed(at(t, tt.at), tt.zone, tt.pauses); !ok || !got.Equal(at(t, tt.want)) {
			t.Errorf("%+v: %v, %v", tt, got, ok)
		}
	}
	tempo := clock.Tempo{Bank: 72 * time.Hour, Cap: 72 * time.Hour}
	since, none := at(t, "2026-11-22T10:00:00Z"), clock.Pauses{}
	c := running(72*time.Hour, since)
	if c.Nudge(tempo, since.Add(35*time.Hour), none) {
		t.Error("a nudge counts before half the bank")
	}
	c.RecordReminder(since.Add(36*time.Hour), none)
	if !c.Nudge(tempo, since.Add(36*time.Hour+10*time.Minute), none) || c.Nudge(tempo, since.Add(40*time.Hour), none) {
		t.Error("a nudge does not count once")
	}
	if got, ok := c.NextReminder(none); !ok || !got.Equal(since.Add(37*time.Hour)) {
		t.Errorf("the reminder comes at %v, an hour after the last", got)
	}
	sealed := c
	sealed.RecordAnswered(since.Add(36*time.Hour + 20*time.Minute))
	if got, ok := sealed.NextReminder(none); ok {
		t.Errorf("a seat that has answered is reminded at %v", got)
	}
	c.RecordReminder(since.Add(37*time.Hour), none)
	if got, _ := c.NextReminder(none); !got.Equal(since.Add(48 * time.Hour)) {
		t.Errorf("the next reminder comes at %v", got)
	}
}

// TestFreeWeekend: a free weekend is an hour shorter or longer where summer time begins or ends in it.
func TestFreeWeekend(t *testing.T) {
	t.Parallel()
	tempo, err := clock.ParseTempo("72h+12h<=120h free Sun 02:30-Mon 06:00 in Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ from, want string }{
		{"2026-03-28T22:00:00Z", "2026-04-01T01:00:00Z"}, // 27 hours are free: 02:30 does not exist, 03:00 CEST is 01:00 UTC.
		{"2026-04-04T22:00:00Z", "2026-04-08T01:30:00Z"}, // 27.5 hours
		{"2026-10-24T22:00:00Z", "2026-10-28T02:30:00Z"}, // 28.5 hours, from the first 02:30
	} {
		p := clock.Pauses{Free: tempo.Free}
		if got, ok := p.TimeAfter(at(t, tt.from), 48*time.Hour); !ok || got != at(t, tt.want) {
			t.Errorf("from %s: %v, want %s", tt.from, got, tt.want)
		}
	}
}
