package clock_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"samizdat/adjudicator/match/clock"
)

// TestRun: whatever happens to a seat, what is left is never more than was left before and was
// gained or given, each hour counts once, and nothing but more time, more stops or a letter
// that bounced moves the end of its time.
func TestRun(t *testing.T) {
	t.Parallel()
	tempo, err := clock.ParseTempo("72h+12h<=120h")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		now, number := zeroHour, int64(0)
		c := clock.New(tempo)
		pauses := clock.MergeSpans(spans(t, "stops"))
		remaining := c.TimeLeft
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			before, had := c.TimeoutAt(0, pauses)
			_, ran := c.StartedAt()
			moved := false
			now = now.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "hours")) * time.Hour)
			switch what := rapid.SampledFrom([]string{"ask", "letter", "accept", "bounce", "write", "answer", "rest", "again", "give", "nothing"}).Draw(t, "what"); what {
			case "ask":
				if !c.ToMove {
					c.StartQuestion(tempo)
				}
			case "letter":
				number++
				c.AddQuestionLetter(number)
			case "accept":
				c.RecordAccepted(number, now)
				moved = !ran
			case "bounce":
				c.RecordBounce(max(1, number-int64(rapid.IntRange(0, 2).Draw(t, "older"))), now, pauses)
				moved = true
			case "write":
				c.RecordPlayerLetter(now)
				moved = !ran
			case "answer":
				if c.ToMove && rapid.Bool().Draw(t, "all") {
					c.RecordAnswered(now)
				} else {
					c.RecordReopened(now)
				}
				moved = true
			case "rest":
				if !c.ToMove {
					continue
				}
				remains := c.TimeLeftAt(now, pauses)
				c.FinishQuestions(now, pauses)
				if c.TimeLeft != remains {
					t.Fatalf("at rest %v is left, not %v", c.TimeLeft, remains)
				}
				c.AddIncrement(tempo)
				if c.TimeLeft < remains || c.TimeLeft > max(remains, tempo.Cap) || c.TimeLeft > remains+tempo.Increment {
					t.Fatalf("from %v to %v by a gain", remains, c.TimeLeft)
				}
				remaining, moved = c.TimeLeft, true
			case "again":
				if !c.ToMove {
					continue
				}
				remains := c.TimeLeftAt(now, pauses)
				if c.StartNextQuestion(tempo, now, pauses); c.TimeLeft != remains {
					t.Fatalf("asked again with %v, not %v", c.TimeLeft, remains)
				}
				remaining, moved = c.TimeLeft, true
			case "give":
				remains := c.TimeLeftAt(now, pauses)
				c.Extend(5*time.Hour, now, pauses)
				if got := c.TimeLeftAt(now, pauses); got != remains+5*time.Hour {
					t.Fatalf("five hours more than %v are %v", remains, got)
				}
				remaining, moved = c.TimeLeft, true
			}
			holds(t, &c, now, remaining, pauses)
			if after, has := c.TimeoutAt(0, pauses); !moved && (had != has || !before.Equal(after)) {
				t.Fatalf("the end moves from %v, %v to %v, %v", before, had, after, has)
			}
		}
	})
}

// holds checks what must hold of a clock at any time.
func holds(t *rapid.T, c *clock.Clock, now time.Time, remaining time.Duration, pauses clock.Pauses) {
	remains, later := c.TimeLeftAt(now, pauses), c.TimeLeftAt(now.Add(time.Hour), pauses)
	if remains < 0 || remains > remaining || later > remains || later < remains-time.Hour {
		t.Fatalf("of %v there is %v left, and %v an hour later: %+v", remaining, remains, later, c)
	}
	end, ok := c.TimeoutAt(0, pauses)
	if !ok {
		return
	}
	if late := !now.Before(end); late != (remains == 0) {
		t.Fatalf("%v is left at %v, and the end is %v: %+v", remains, now, end, c)
	}
	if grace, ok := c.TimeoutAt(clock.ForfeitGrace, pauses); ok && grace.Before(end.Add(clock.ForfeitGrace)) {
		t.Fatalf("the grace after %v ends at %v", end, grace)
	}
	if more, ok := c.TimeoutAt(0, clock.MergeSpans(pauses.Spans, []clock.Span{{From: now, To: now.Add(time.Hour)}})); ok && more.Before(end) {
		t.Fatalf("a stop brings the end from %v to %v", end, more)
	}
	again := *c
	again.ClampTimes(now)
	if at, ok := again.StartedAt(); !ok || at.After(now) {
		t.Fatalf("it begins at %v, later than %v", at, now)
	}
}
