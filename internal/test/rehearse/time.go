package rehearse

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"

	"samizdat/adjudicator/match/clock"
)

const (
	// stride is how far the clock goes at once at most: whoever does not look into the inbox for
	// five minutes was deaf, and no clock of a match runs.
	stride = 5 * time.Minute
	// heard is how old the newest look into the inbox may be.
	heard = 2 * time.Minute
	// answerTimeout is for how long, by the clock on the wall, all has to be answered.
	answerTimeout = 2 * time.Minute
	// grace is how much longer than shown a seat has, for letters on their way.
	grace = clock.ForfeitGrace + time.Minute
	// measuredMinutes is for how many minutes looks for what is due are measured.
	measuredMinutes = 10
)

// simulated is the one clock of the club.
type simulated struct{ at atomic.Int64 }

func (c *simulated) now() time.Time  { return time.Unix(0, c.at.Load()).UTC() }
func (c *simulated) set(t time.Time) { c.at.Store(t.UnixNano()) }

// month lets the time pass: members act when they wake.
func (r *rehearsal) month() {
	if r.Days == 0 {
		return
	}
	began, end := r.clock.now(), r.clock.now().AddDate(0, 0, r.Days)
	for _, m := range r.members {
		m.begins(began, end)
	}
	r.members[0].silent = began // In every club there is one.
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

// pass lets time pass until something is done, in whole minutes: what becomes due in between
// is done in its minute.
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

// minute is the whole minute that a time falls into, or the next.
func minute(t time.Time) time.Time { return t.Add(time.Minute - 1).Truncate(time.Minute) }

// nextDue is the second in which something becomes due in a match, if that is until a time.
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
	return until.Truncate(time.Second), true // Times are whole seconds.
}

// isDue reports whether something is due in a match at a time.
func (r *rehearsal) isDue(at time.Time) bool {
	ids, err := r.d.DB.DueMatches(r.serving, at, 1)
	r.check(err)
	return len(ids) > 0
}

// settle waits until the inbox is empty, nothing waits that could be sent, and what is due was
// done. Whoever waits asks; the clock of the club stands meanwhile.
func (r *rehearsal) settle() {
	r.t.Helper()
	began := time.Now()
	r.tick() // Nobody else tells the daemon that a letter was queued, or that time has passed.
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

// tick lets the daemon look for what no letter brings. It takes a tick when it has done with the
// one before.
func (r *rehearsal) tick() {
	select {
	case r.ticks <- r.clock.now():
	case <-r.serving.Done():
		r.check(context.Cause(r.serving))
	}
}

// aLook is waited for while the daemon has to look for what is due.
const aLook = "a look"

// waits says what is waited for; nothing when nothing is under way.
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

// looks measures what it takes the daemon to look for what is due, when nothing is: as it does
// every two seconds, and as it does once a minute. The mailbox is left alone.
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

// look is what a look takes, in milliseconds by the clock on the wall.
func (r *rehearsal) look() float64 {
	began := time.Now()
	r.tick() // It is taken at once,
	r.tick() // and this one when it is done.
	return float64(time.Since(began).Microseconds()) / 1000
}
