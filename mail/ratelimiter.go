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
type RateLimiter struct {
	each, all Rate
	most      int
	now       func() time.Time

	mu      sync.Mutex
	total   bucket
	senders map[string]*list.Element
	// order has the sender that was seen last in front.
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

// maxSenders is how many senders are remembered; the one that was not seen for
// longest is forgotten first.
const maxSenders = 10_000

// NewRateLimiter makes a limiter with full buckets.
func NewRateLimiter(each, all Rate, now func() time.Time) *RateLimiter {
	return &RateLimiter{
		each: each, all: all, most: maxSenders, now: now, total: bucket{left: float64(all.Burst), at: now()},
		senders: map[string]*list.Element{}, order: list.New(),
	}
}

// Allow takes one permission of a sender, and one of all. It reports false, and
// takes none, when one of the two is used up.
func (r *RateLimiter) Allow(_ context.Context, sender string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	b := r.sender(sender, now)
	r.each.fill(b, now)
	r.all.fill(&r.total, now)
	if r.each.Burst > 0 && b.left < 1 || r.all.Burst > 0 && r.total.left < 1 {
		return false
	}
	b.left--
	r.total.left--
	return true
}

func (r *RateLimiter) sender(key string, now time.Time) *bucket {
	if e, ok := r.senders[key]; ok {
		r.order.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if r.order.Len() >= r.most {
		oldest := r.order.Back()
		delete(r.senders, r.order.Remove(oldest).(*bucket).key)
	}
	b := &bucket{key: key, left: float64(r.each.Burst), at: now}
	r.senders[key] = r.order.PushFront(b)
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
