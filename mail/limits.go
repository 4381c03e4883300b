package mail

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// RateLimiter limits how often each of many senders, and all senders together, may do something. It keeps a token
// bucket for each sender, in memory: a restart fills the buckets. It is safe for concurrent use.
//
// A person may take as much of the common bucket as is left in it: a flood from one person leaves half to the
// others, a flood from two a third, and a person who has taken nothing yet always gets a token.
type RateLimiter struct {
	each, all  Rate
	maxBuckets int
	now        func() time.Time

	mu      sync.Mutex
	total   bucket
	buckets map[string]*list.Element
	// order is the list of buckets, most recently used first.
	order *list.List
}

// Rate is a bucket of Burst tokens that gains one token every Every. A Burst of 0 means no limit.
type Rate struct {
	Burst int
	Every time.Duration
}

type bucket struct {
	key  string
	left float64
	at   time.Time
}

// maxBuckets is the number of buckets in memory; the least recently used one is dropped first.
const maxBuckets = 20_000

// NewRateLimiter returns a limiter with full buckets.
func NewRateLimiter(each, totalRate Rate, now func() time.Time) *RateLimiter {
	return &RateLimiter{
		each: each, all: totalRate, maxBuckets: maxBuckets, now: now, total: bucket{left: float64(totalRate.Burst), at: now()},
		buckets: map[string]*list.Element{}, order: list.New(),
	}
}

// Allow takes a token of the sender, and one of the common bucket for the person. If a bucket is empty, it takes
// none and returns the time until the next token.
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

func (r Rate) timeFor(missing float64) time.Duration {
	if missing <= 0 {
		return 0
	}
	return max(time.Duration(missing*float64(r.Every)), 1)
}

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

// fill adds the tokens since the last call. A clock that was set back adds none.
func (r Rate) fill(b *bucket, now time.Time) {
	if passed := now.Sub(b.at); passed > 0 && r.Every > 0 {
		b.left = min(float64(r.Burst), b.left+float64(passed)/float64(r.Every))
	}
	b.at = now
}

// Limits are the sending limits of a mail account. Zero means no limit.
type Limits struct {
	PerMinute int `mapstructure:"per_minute"`
	PerDay    int `mapstructure:"per_day"`
}

const (
	minuteWindow = time.Minute
	dayWindow    = 24 * time.Hour
	// urgentReserve is the part of the daily limit, one tenth, that is reserved for urgent letters.
	urgentReserve = 10
)

// sendLimiter counts sent letters. Providers count in windows of their own, so the limit holds for every window of
// a minute and of a day.
type sendLimiter struct {
	limits Limits
	// times holds the times of sent letters within the longest window, oldest first.
	times []time.Time
}

func (l *sendLimiter) record(at time.Time) {
	if l.limits == (Limits{}) {
		return
	}
	l.times = append(l.times, at)
	l.forget(at)
}

func (l *sendLimiter) forget(now time.Time) {
	n := 0
	for n < len(l.times) && now.Sub(l.times[n]) >= dayWindow {
		n++
	}
	l.times = append(l.times[:0], l.times[n:]...)
}

// wait returns the time until the next letter may be sent, or 0. inFlight letters may be accepted too.
func (l *sendLimiter) wait(now time.Time, urgent bool, inFlight int) time.Duration {
	// A time in the future, from before the clock was set back, counts as now: otherwise its window would last
	// until then.
	for i, t := range l.times {
		if t.After(now) {
			l.times[i] = now
		}
	}
	day := l.limits.PerDay
	if !urgent && day > 1 {
		// At least one letter of a day is reserved.
		day -= max(day/urgentReserve, 1)
	}
	return max(l.window(now, minuteWindow, l.limits.PerMinute, inFlight), l.window(now, dayWindow, day, inFlight))
}

// window returns the time until fewer than limit letters were sent within a window.
func (l *sendLimiter) window(now time.Time, size time.Duration, limit, inFlight int) time.Duration {
	if limit <= 0 || len(l.times)+inFlight < limit {
		return 0
	}
	if limit -= inFlight; limit <= 0 {
		return size
	}
	return max(size-now.Sub(l.times[len(l.times)-limit]), 0)
}
