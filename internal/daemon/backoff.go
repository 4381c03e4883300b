package daemon

import (
	"maps"
	"sync"
	"time"
)

// The pause after work that was due has failed: it doubles from the first to the most.
const (
	firstPause = 2 * between
	mostPause  = 10 * time.Minute
)

// backoffs are the pauses of work that fails, by its name. The zero value is ready to use.
type backoffs struct {
	mu     sync.Mutex
	byName map[string]backoff
}

// backoff is how long is waited after a failure, and until when.
type backoff struct {
	pause time.Duration
	until time.Time
}

// waits reports whether some work is not to be tried yet.
func (b *backoffs) waits(name string, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return now.Before(b.byName[name].until)
}

// add notes a failure, and returns the pause until the next try.
func (b *backoffs) add(name string, now time.Time) time.Duration {
	return b.addAtMost(name, now, mostPause)
}

// addAtMost is add for what is tried again after a time at most.
func (b *backoffs) addAtMost(name string, now time.Time, most time.Duration) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	pause := min(max(2*b.byName[name].pause, firstPause), most)
	if b.byName == nil {
		b.byName = map[string]backoff{}
	}
	b.byName[name] = backoff{pause, now.Add(pause)}
	return pause
}

// keep forgets all but some: the others went well, or are not due any more.
func (b *backoffs) keep(some func(name string) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.byName, func(name string, _ backoff) bool { return !some(name) })
}

// count is how much work with a name fails.
func (b *backoffs) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.byName)
	if _, nameless := b.byName[""]; nameless {
		n--
	}
	return n
}
