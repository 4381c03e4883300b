package mail

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// RateLimiter bounds how often something is done for each of many senders, and for all
// of them together. It keeps a bucket of permissions for each, which fills again
// with time. It is kept in memory: a restart fills the buckets. It is safe for
// concurrent use.
//
// Of what all have together each person may have taken as much as is left: one who floods us
// leaves half of it to the others, two a third, and whoever has had none yet gets his.
type RateLimiter struct {
	each, all  Rate
	maxBuckets int
	now        func() time.Time

	mu      sync.Mutex
	total   bucket
	buckets map[string]*list.Element
	// order has the sender or person who was seen last in front.
	order *list.List
}

// Rate is a bucket of Burst permissions, of which one comes back every Every. A
// Burst of 0 bounds nothing.
type Rate struct {
	Burst int
	Every time.Duration
}

type bucket struct {
	key  string
	left float64
	at   time.Time
}

// maxBuckets is how many senders and persons are remembered; the one that was not seen for
// longest is forgotten first.
const maxBuckets = 20_000

// NewRateLimiter makes a limiter with full buckets.
func NewRateLimiter(each, all Rate, now func() time.Time) *RateLimiter {
	return &RateLimiter{
		each: each, all: all, maxBuckets: maxBuckets, now: now, total: bucket{left: float64(all.Burst), at: now()},
		buckets: map[string]*list.Element{}, order: list.New(),
	}
}

// Allow takes one permission of a sender, and one of all, as a person's. It takes none when one of
// the two is used up, and says for how long.
func (r *RateLimiter) Allow(_ context.Context, sender, person string) (wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	var from []*bucket
	if r.each.Burst > 0 {
		b := r.bucket("sender "+sender, r.each, now)
		from, wait = append(from, b), r.each.timeFor(1-b.left)
	}
	if r.all.Burst > 0 {
		share := r.bucket("person "+person, r.all, now)
		r.all.fill(&r.total, now)
		taken := float64(r.all.Burst) - share.left
		from, wait = append(from, share, &r.total), max(wait, r.all.timeFor(1-r.total.left), r.all.timeFor(taken+1-r.total.left))
	}
	if wait > 0 {
		return wait
	}
	for _, b := range from {
		b.left--
	}
	return 0
}

// timeFor is how long it takes until so much has come back.
func (r Rate) timeFor(missing float64) time.Duration {
	if missing <= 0 {
		return 0
	}
	return max(time.Duration(missing*float64(r.Every)), 1)
}

// bucket is that of a key, filled up to now.
func (r *RateLimiter) bucket(key string, rate Rate, now time.Time) *bucket {
	b := r.findBucket(key, rate, now)
	rate.fill(b, now)
	return b
}

func (r *RateLimiter) findBucket(key string, rate Rate, now time.Time) *bucket {
	if e, ok := r.buckets[key]; ok {
		r.order.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if r.order.Len() >= r.maxBuckets {
		oldest := r.order.Back()
		delete(r.buckets, r.order.Remove(oldest).(*bucket).key)
	}
	b := &bucket{key: key, left: float64(rate.Burst), at: now}
	r.buckets[key] = r.order.PushFront(b)
	return b
}

// fill puts back what came in the time since the bucket was looked at. A clock
// that was set back gives nothing.
func (r Rate) fill(b *bucket, now time.Time) {
	if passed := now.Sub(b.at); passed > 0 && r.Every > 0 {
		b.left = min(float64(r.Burst), b.left+float64(passed)/float64(r.Every))
	}
	b.at = now
}

// Limits is what a mail provider lets an account send. Zero means no limit.
type Limits struct {
	PerMinute int `mapstructure:"per_minute"`
	PerDay    int `mapstructure:"per_day"`
}

const (
	minuteWindow = time.Minute
	dayWindow    = 24 * time.Hour
	// reserve is the part of a day's limit that only urgent letters use.
	urgentReserve = 10
)

// sendLimiter counts what went out. A provider counts in windows of its own, so
// no minute and no day, wherever they begin, may hold more than the limit.
type sendLimiter struct {
	limits Limits
	// times has when letters went out, oldest first, for the longest window.
	times []time.Time
}

// record notes a letter that the server took, or may have taken.
func (a *sendLimiter) record(at time.Time) {
	if a.limits == (Limits{}) {
		return
	}
	a.times = append(a.times, at)
	a.forget(at)
}

// forget drops what no window reaches any more.
func (a *sendLimiter) forget(now time.Time) {
	n := 0
	for n < len(a.times) && now.Sub(a.times[n]) >= dayWindow {
		n++
	}
	a.times = append(a.times[:0], a.times[n:]...)
}

// waitForHandlers tells how long the next letter has to wait; 0 means it may go. Those that are flying
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
		day -= max(day/urgentReserve, 1)
	}
	return max(a.window(now, minuteWindow, a.limits.PerMinute, flying), a.window(now, dayWindow, day, flying))
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
