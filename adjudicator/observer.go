package adjudicator

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/letter"
)

// Observers observe a match from outside. What they are sent is made from the public
// view and from public events, at moments that nothing hidden decides: an observer
// gets a letter when something public has happened or the match looks otherwise to
// everybody, and never for a sealed or private answer, a conditional order, a message or
// a question. Numbers and Message-IDs count those letters only.
//
// An address can be forged, so nobody observes a match before a letter to his address
// was answered with YES. That first letter is the same whether there is such a match
// or not.

const (
	// mostObservers is how many may observe a match at once.
	mostObservers = 50
	// mostOffers is how many addresses are asked in a day whether they want to observe:
	// whoever forges senders must not make us write to the world.
	mostOffers = 200
	// offerDays is for how many days a question can be answered.
	offerDays = 7
	// longestObserverDelay bounds what ParseObserverPolicy takes.
	longestObserverDelay = 90 * 24 * time.Hour
)

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

// late says the delay in words, such as "3 days".
func (p ObserverPolicy) late() string {
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

// asks finds an order to the host in a letter of somebody who need not play.
func (l Letter) asks(word letter.Word) (letter.Command, bool) {
	if l.TooBig || len(l.Orders) > mostText {
		return letter.Command{}, false
	}
	return letter.Find(l.Orders, l.Subject, word)
}
