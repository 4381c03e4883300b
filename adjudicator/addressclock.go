package adjudicator

import (
	"sync"
	"time"
)

// A clock that ran behind and is set right leaps ahead, and three days in which a player
// may object are over in a moment. So the daemon compares the times at which it looks for
// what is due.

// clockLeap is how far apart two looks are only when the clock was set ahead between
// them, or when nothing was looked at for so long that nobody could object.
const clockLeap = 24 * time.Hour

// looks are the times at which somebody looked for what is due.
type looks struct {
	mu            sync.Mutex
	last, leaptTo time.Time
}

// look notes the time of a look.
func (l *looks) look(now time.Time) {
	now = now.Round(0) // What the clock shows, not what has passed.
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.last.IsZero() && now.Sub(l.last) > clockLeap:
		l.leaptTo = now
	case now.Before(l.leaptTo):
		l.leaptTo = time.Time{} // It was set back again.
	}
	l.last = now
}

// leap is the first time that was seen after the clock leapt ahead; zero when it did not.
func (l *looks) leap() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leaptTo
}
