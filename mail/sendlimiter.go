package mail

import "time"

// Limits is what a mail provider lets an account send. Zero means no limit.
type Limits struct {
	PerMinute int `mapstructure:"per_minute"`
	PerDay    int `mapstructure:"per_day"`
}

const (
	aMinute = time.Minute
	aDay    = 24 * time.Hour
	// reserve is the part of a day's limit that only urgent letters use.
	reserve = 10
)

// sendLimiter counts what went out. A provider counts in windows of its own, so
// no minute and no day, wherever they begin, may hold more than the limit.
type sendLimiter struct {
	limits Limits
	// times has when letters went out, oldest first, for the longest window.
	times []time.Time
}

// count notes a letter that the server took, or may have taken.
func (a *sendLimiter) count(at time.Time) {
	if a.limits == (Limits{}) {
		return
	}
	a.times = append(a.times, at)
	a.forget(at)
}

// forget drops what no window reaches any more.
func (a *sendLimiter) forget(now time.Time) {
	n := 0
	for n < len(a.times) && now.Sub(a.times[n]) >= aDay {
		n++
	}
	a.times = append(a.times[:0], a.times[n:]...)
}

// wait tells how long the next letter has to wait; 0 means it may go. Those that are flying
// may be taken.
func (a *sendLimiter) wait(now time.Time, urgent bool, flying int) time.Duration {
	// What went out at a time that is still to come, by a clock that was set back
	// since, counts as of now: else the day would not end until that time has come.
	for i, t := range a.times {
		if t.After(now) {
			a.times[i] = now
		}
	}
	day := a.limits.PerDay
	if !urgent && day > 1 {
		// At least one letter of any day is for who is waited for.
		day -= max(day/reserve, 1)
	}
	return max(a.window(now, aMinute, a.limits.PerMinute, flying), a.window(now, aDay, day, flying))
}

// window tells when less than most letters went out within a window.
func (a *sendLimiter) window(now time.Time, size time.Duration, most, flying int) time.Duration {
	if most <= 0 || len(a.times)+flying < most {
		return 0
	}
	if most -= flying; most <= 0 {
		return size
	}
	return max(size-now.Sub(a.times[len(a.times)-most]), 0)
}
