package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/match/contact"
)

// longestObserverDelay bounds what ParseObserverPolicy takes.
const longestObserverDelay = 90 * 24 * time.Hour

// ObserverPolicy is what the players of a match have agreed about being observed. The
// zero value lets nobody observe.
type ObserverPolicy struct {
	// Allowed lets whoever knows the match's name observe it.
	Allowed bool
	// Delay holds everything that an observer is sent back for so long.
	Delay time.Duration
}

// ParseObserverPolicy reads "no", "open", or a delay such as "36h" or "3d".
func ParseObserverPolicy(text string) (ObserverPolicy, error) {
	switch text {
	case "no":
		return ObserverPolicy{}, nil
	case "open":
		return ObserverPolicy{Allowed: true}, nil
	}
	delay, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		delay = time.Duration(min(max(n, 0), 1000)) * 24 * time.Hour
	}
	if err != nil || delay < time.Minute || delay > longestObserverDelay || delay%time.Minute != 0 {
		return ObserverPolicy{}, fmt.Errorf("%q is none of no, open, and a delay of 1m to %dd, such as 36h or 3d", text, longestObserverDelay/(24*time.Hour))
	}
	return ObserverPolicy{Allowed: true, Delay: delay}, nil
}

// String is what ParseObserverPolicy reads.
func (p ObserverPolicy) String() string {
	switch {
	case !p.Allowed:
		return "no"
	case p.Delay == 0:
		return "open"
	}
	n, unit := p.delay()
	return fmt.Sprintf("%d%c", n, unit[0])
}

// delay is the delay in its greatest whole unit.
func (p ObserverPolicy) delay() (n time.Duration, unit string) {
	const day = 24 * time.Hour
	switch {
	case p.Delay%day == 0:
		return p.Delay / day, "day"
	case p.Delay%time.Hour == 0:
		return p.Delay / time.Hour, "hour"
	}
	return p.Delay / time.Minute, "minute"
}

// DelayWords says the delay in words, such as "3 days".
func (p ObserverPolicy) DelayWords() string {
	n, unit := p.delay()
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// Observer is somebody who observes a match.
type Observer struct {
	// Number names the observer within the match; it is never given to another.
	Number  int
	Address string
	// Letters counts the letters about the match that were made for the observer.
	// Answers are not counted: with a delay, their numbers would tell what is held
	// back.
	Letters int64
	Since   time.Time
	// Ended is set when the observer leaves. The address is forgotten then, and what
	// waits to be sent to it about the match is dropped.
	Ended bool
}

// ObserverAt returns who observes a match under an address.
func (m *Match) ObserverAt(address string) (Observer, bool) {
	i := slices.IndexFunc(m.Observers, func(o Observer) bool { return contact.Same(o.Address, address) })
	if i < 0 {
		return Observer{}, false
	}
	return m.Observers[i], true
}
