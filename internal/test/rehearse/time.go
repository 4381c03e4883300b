package rehearse

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"

	"samizdat/adjudicator/match/clock"
)

const (
	// stride is the longest step of the clock. Five minutes without an inbox scan are an inbox
	// outage, which would stop the clocks of the matches.
	stride = 5 * time.Minute
	// heard is the age of the inbox watermark at which the daemon must scan again.
	heard = 2 * time.Minute
	// answerTimeout is the daemon's limit of real time for its work.
	answerTimeout = 2 * time.Minute
	// grace is the time after a shown deadline by which a match must have been forfeited.
	grace = clock.ForfeitGrace + time.Minute
	// measuredMinutes is the length of the measurement of scans.
	measuredMinutes = 10
)

// simulated is the clock of the rehearsal.
type simulated struct{ at atomic.Int64 }

func (c *simulated) now() time.Time  { return time.Unix(0, c.at.Load()).UTC() }
func (c *simulated) set(t time.Time) { c.at.Store(t.UnixNano()) }

// month advances the clock through the month. Members act when they wake.
func (r *rehearsal) month() {
	if r.Days == 0 {
		return
	}
	began, end := r.clock.now(), r.clock.now().AddDate(0, 0, r.Days)
	for _, m := range r.members {
		m.begins(began, end)
	}
	r.members[0].silent = began // Every club has a silent member.
	for day := 1; r.clock.now().Before(end); {
		next := end
		for _, m := range r.members {
			if m.next.Before(next) {
				next = m.next
			}
		}
		r.pass(next)
		var awake []*member
		for _, m := range r.members {
			if !m.next.After(next) {
				awake = append(awake, m)
			}
		}
		r.wake(awake, (*member).acts)
		for ; day <= r.Days && !r.clock.now().Before(began.AddDate(0, 0, day)); day++ {
			r.daily(day)
		}
	}
	r.wake(r.members, (*member).reads)
}

// pass advances the clock to a time. It stops at each minute when a match or a queued letter becomes
// due.
func (r *rehearsal) pass(until time.Time) {
	for now := r.clock.now(); now.Before(until); now = r.clock.now() {
		next := now.Add(min(stride, until.Sub(now)))
		due, is := r.nextDue(now, next)
		if is {
			next = minute(due)
		}
		waits, ok, err := r.d.DB.Outbox("").NextDue(r.serving)
		r.check(err)
		if ok && waits.After(now) && waits.Before(next) {
			next = minute(waits)
		}
		r.clock.set(next)
		r.settle()
		if is {
			r.sum.Due++
			r.sum.LatestSeconds = max(r.sum.LatestSeconds, r.clock.now().Sub(due).Seconds())
		}
	}
}

// minute rounds a time up to a whole minute.
func minute(t time.Time) time.Time { return t.Add(time.Minute - 1).Truncate(time.Minute) }

// nextDue returns the second when a match becomes due, if one does by until.
func (r *rehearsal) nextDue(after, until time.Time) (due time.Time, is bool) {
	if !r.isDue(until) {
		return until, false
	}
	for until.Sub(after) > time.Second {
		if middle := after.Add(until.Sub(after) / 2); r.isDue(middle) {
			until = middle
		} else {
			after = middle
		}
	}
	return until.Truncate(time.Second), true // deadlines are whole seconds
}

// isDue reports whether a match has work due at a time.
func (r *rehearsal) isDue(at time.Time) bool {
	ids, err := r.d.DB.DueMatches(r.serving, at, 1)
	r.check(err)
	return len(ids) > 0
}

// settle waits until the inbox is empty, all due letters are sent and all due work is done. It
// polls; the simulated clock stands still.
func (r *rehearsal) settle() {
	r.t.Helper()
	began := time.Now()
	r.tick() // The daemon learns of queued letters and of the new time only by a tick.
	for quiet := 0; quiet < 2; {
		waits := r.waits()
		switch waits {
		case "":
			quiet++
			r.tick()
			continue
		case aLook:
			r.tick()
		}
		quiet = 0
		if time.Since(began) > answerTimeout {
			r.t.Fatalf("not all was answered, or done: it waits for %s", waits)
		}
		select {
		case <-r.serving.Done():
			r.check(context.Cause(r.serving))
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// awaitAnalyses waits until all finished matches are analysed and the letters about it are sent: the daemon writes them in
// the background.
func (r *rehearsal) awaitAnalyses() {
	r.t.Helper()
	for {
		matches, err := r.d.DB.MatchesWithBackgroundJobs(r.serving, 1)
		r.check(err)
		if len(matches) == 0 {
			r.settle()
			return
		}
		select {
		case <-r.serving.Done():
			r.check(context.Cause(r.serving))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// tick makes the daemon check for due work. The daemon accepts a tick after it has finished the last
// one.
func (r *rehearsal) tick() {
	select {
	case r.ticks <- r.clock.now():
	case <-r.serving.Done():
		r.check(context.Cause(r.serving))
	}
}

// aLook is the result of waits while the daemon must check for due work.
const aLook = "a look"

// waits names the work that settle waits for, e.g. "letters in the inbox"; empty if the daemon is
// idle.
func (r *rehearsal) waits() string {
	now := r.clock.now()
	box, err := r.inbox.Status("INBOX", &imap.StatusOptions{NumMessages: true}).Wait()
	r.check(err)
	if *box.NumMessages > 0 {
		return "letters in the inbox"
	}
	queued, ok, err := r.d.DB.Outbox("").NextDue(r.serving)
	r.check(err)
	looked, err := r.d.DB.Inbox.Watermark(r.serving)
	r.check(err)
	switch {
	case now.Sub(looked) >= heard, r.isDue(now):
		return aLook
	case ok && !queued.After(now):
		return "a letter to be sent, since " + queued.Format(time.DateTime)
	}
	return ""
}

// looks measures how long the daemon takes to check for due work when there is none: the short check
// of every two seconds and the full check of every minute. Members send no letters during it.
func (r *rehearsal) looks() {
	if r.Measured == 0 {
		return
	}
	var whole, short []float64
	for range measuredMinutes {
		r.pass(r.clock.now().Add(time.Minute))
		r.clock.set(r.clock.now().Add(time.Minute))
		whole, short = append(whole, r.look()), append(short, r.look())
	}
	r.sum.LookMS, _ = median(short)
	r.sum.MinuteMS, _ = median(whole)
}

// look returns the real time of a check, in milliseconds.
func (r *rehearsal) look() float64 {
	began := time.Now()
	r.tick() // accepted at once
	r.tick() // accepted when the first is finished
	return float64(time.Since(began).Microseconds()) / 1000
}
