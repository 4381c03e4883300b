package clock_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"samizdat/adjudicator/match/clock"
	"samizdat/internal/test/clocktest"
	"samizdat/internal/test/long"
)

// history is a match of one seat, as the clock counts it and as a log says it, minute by
// minute. All happens in even minutes.
type history struct {
	t     *rapid.T
	tempo clock.Tempo
	zero  clock.TimeoutPolicy
	log   *clocktest.Seat
	now   int // minutes since the log begins
	over  bool

	clock  clock.Clock
	away   clock.Vacations
	pauses []clock.Span
	deaf   []clock.Span

	letters int
	waiting []int // letters that are not taken yet
	taken   []int
	// backup is how it was at a time.
	backup *history
	// said is what happened, for whoever reads of a failure.
	said []string
}

const minute = time.Minute

func (h *history) at(m int) time.Time { return h.log.Times.Time(m) }

func (h *history) draw(what string, minimum, maximum int) int {
	return 2 * rapid.IntRange(minimum/2, maximum/2).Draw(h.t, what)
}

func (h *history) say(format string, args ...any) {
	h.said = append(h.said, fmt.Sprintf("%6d ", h.now)+fmt.Sprintf(format, args...))
}

func (h *history) fail(format string, args ...any) {
	h.t.Helper()
	for _, line := range h.said {
		h.t.Log(line)
	}
	h.t.Fatalf("at %d: "+format, append([]any{h.now}, args...)...)
}

func (h *history) stops() clock.Pauses {
	p := clock.MergeSpans(h.deaf, h.away.Spans(), h.pauses)
	p.Free = h.tempo.Free
	return p
}

// drawFree draws the free time of the tempo, by its text and by minutes of the week.
func (h *history) drawFree() {
	const week = 7 * 24 * 60
	name := rapid.SampledFrom([]string{"UTC", "Europe/Warsaw", "America/New_York"}).Draw(h.t, "free zone")
	location, err := time.LoadLocation(name)
	if err != nil {
		h.t.Fatal(err)
	}
	var texts []string
	show := func(m int) string {
		m %= week
		return fmt.Sprintf("%s %02d:%02d", []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}[m/(24*60)], m%(24*60)/60, m%60)
	}
	for range rapid.IntRange(1, 3).Draw(h.t, "free spans") {
		from := h.draw("free from", 0, week-2)
		if rapid.Bool().Draw(h.t, "free from a change of summer time") {
			from = h.draw("free from", 6*24*60+50, 6*24*60+200)
		}
		to := from + h.draw("free for", 2, 2*24*60)
		texts = append(texts, show(from)+"-"+show(to))
		h.log.Times.Free(from, to%week, location)
	}
	text := h.tempo.String() + " free " + strings.Join(texts, " ") + " in " + name
	if h.tempo, err = clock.ParseTempo(text); err != nil {
		h.t.Fatal(err)
	}
	if again, err := clock.ParseTempo(h.tempo.String()); err != nil || again != h.tempo {
		h.t.Fatalf("%s is read as %v, %v", text, again, err)
	}
	h.say("%s", h.tempo)
}

// newHistory draws the terms.
func newHistory(t *rapid.T) *history {
	h := &history{t: t, zero: rapid.SampledFrom([]clock.TimeoutPolicy{clock.Claim, clock.Forfeit, clock.Silence}).Draw(t, "zero")}
	if rapid.IntRange(0, 4).Draw(t, "phase") == 0 {
		h.tempo.Phase = time.Duration(h.draw("time", 60, 4000)) * minute
	} else {
		h.tempo.Bank = time.Duration(h.draw("bank", 60, 5000)) * minute
		h.tempo.Increment = time.Duration(h.draw("increment", 0, 2000)) * minute
		h.tempo.Cap = h.tempo.Bank + time.Duration(h.draw("cap", 0, 3000))*minute
	}
	// The clocks of Warsaw or of New York change within these days.
	begin := rapid.SampledFrom([]string{"2026-03-05T00:00:00Z", "2026-03-25T00:00:00Z", "2026-10-20T00:00:00Z"}).Draw(t, "begin")
	from, err := time.Parse(time.RFC3339, begin)
	if err != nil {
		t.Fatal(err)
	}
	in := func(d time.Duration) int { return int(d / minute) }
	terms := clocktest.Terms{Bank: in(h.tempo.Bank), Increment: in(h.tempo.Increment), Cap: in(h.tempo.Cap), Phase: in(h.tempo.Phase), Zero: string(h.zero)}
	h.log, h.clock = clocktest.NewSeat(terms, clocktest.NewTimeline(from, 40*24*60)), clock.New(h.tempo)
	if rapid.Bool().Draw(t, "free") {
		h.drawFree()
	}
	return h
}

// next is what the clock says that happens next.
func (h *history) next() (at time.Time, what clocktest.Happening) {
	c, pauses := &h.clock, h.stops()
	if again, bounced := c.AskAgainAt(); bounced {
		return again, clocktest.AskAgain
	}
	what, beyond := clocktest.Told, time.Duration(0)
	switch {
	case c.Flagged && h.zero != clock.Forfeit:
		return at, clocktest.Nothing
	case c.Flagged:
		what, beyond = clocktest.Forfeit, clock.ForfeitGrace
	case h.zero == clock.Silence:
		what = clocktest.Silence
	}
	at, comes := c.TimeoutAt(beyond, pauses)
	if reminder, ok := c.NextReminder(pauses); ok && (!comes || reminder.Before(at)) {
		return reminder, clocktest.Reminder
	}
	if !comes {
		return at, clocktest.Nothing
	}
	return at, what
}

// compare fails where the clock and the log disagree on what is next and what is left.
func (h *history) compare() (minute int, what clocktest.Happening) {
	h.t.Helper()
	at, what := h.next()
	due, want := h.log.Next()
	if due < h.log.Times.Len() && (what != want || what != clocktest.Nothing && !at.Equal(h.at(due))) {
		h.fail("next is %s at %.1f, and should be %s at %d", what, at.Sub(h.at(0)).Minutes(), want, due)
	}
	if got, want := h.clock.TimeLeftAt(h.at(h.now), h.stops()), time.Duration(h.log.Left(h.now))*time.Minute; got != want {
		h.fail("%v is left, and should be %v", got, want)
	}
	if got, want := h.clock.PublicTimeLeft(h.at(h.now), h.stops()), time.Duration(h.log.Shown(h.now))*time.Minute; got != want {
		h.fail("others are told that %v is left, and should be that %v is", got, want)
	}
	if got, ok := h.clock.PublicTimeoutAt(0, h.stops()); ok {
		if want := h.log.ShownZero(); want >= 0 && !got.Equal(h.at(want)) {
			h.fail("others are told of %.1f, and should be of %d", got.Sub(h.at(0)).Minutes(), want)
		}
	}
	return due, want
}

// looks lets happen what is due until now: at its minute, or now if nobody looked before.
func (h *history) looks(until int, deaf bool) {
	h.t.Helper()
	for range 20 {
		if h.over {
			return
		}
		due, what := h.compare()
		if what == clocktest.Nothing || due > until {
			h.now = max(h.now, until)
			return
		}
		if h.now = max(h.now, due); deaf {
			h.now = max(h.now, until)
		}
		h.say("due since %d: %s", due, what)
		h.happens(what, due)
	}
	h.fail("it happens again and again")
}

func (h *history) happens(what clocktest.Happening, due int) {
	c := &h.clock
	h.log.Happens(what, due, h.now)
	switch what {
	case clocktest.Reminder:
		c.RecordReminder(h.at(h.now), h.stops())
		h.letter()
	case clocktest.AskAgain:
		h.letter()
	case clocktest.Told:
		c.Flagged = true
		h.letter()
	case clocktest.Silence:
		c.FinishQuestions(h.at(due), h.stops())
		c.AddIncrement(h.tempo)
	case clocktest.Forfeit:
		h.over = true
	}
}

// letter puts one that asks into the outbox.
func (h *history) letter() {
	if h.clock.ToMove {
		h.letters++
		h.clock.AddQuestionLetter(int64(h.letters))
		h.log.Letter(h.letters)
		h.waiting = append(h.waiting, h.letters)
	}
}

// TestHistories: whatever happens to a seat, its clock says the same as a log that is
// counted minute by minute: what is left, when something happens next, and what.
//
//	go test ./adjudicator/match/clock -run TestHistories -rapid.checks=5000
func TestHistories(t *testing.T) {
	t.Parallel()
	for range long.N(1, 50) {
		rapid.Check(t, oneHistory)
	}
}

func oneHistory(t *rapid.T) {
	h := newHistory(t)
	steps := rapid.SliceOfN(rapid.SampledFrom(happenings), 1, 40).Draw(t, "steps")
	h.asked()
	for _, step := range steps {
		if rapid.Bool().Draw(t, "long") {
			h.looks(h.now+h.draw("pass", 2, 3000), false)
		} else {
			h.looks(h.now+h.draw("pass a little", 2, 90), false)
		}
		if h.over || h.now > h.log.Times.Len()*3/4 {
			return
		}
		if step(h); h.over {
			return
		}
		h.compare()
	}
}
