package report

import (
	"fmt"
	"io"
	netmail "net/mail"
	"strings"
	"time"

	"samizdat/mail/message"
)

// lateDate is how far the Date of a letter and its arrival may lie apart without a word.
const lateDate = 5 * time.Minute

// dates are the Date field of a letter, and when it arrived: the time in its topmost Received
// field, which no server before the reader's own can write. Where there is none it is the time
// that the mailbox kept.
func dates(l message.Letter, kept time.Time) (date, arrived time.Time) {
	if at, err := netmail.ParseDate(l.Date); err == nil {
		date = at.UTC()
	}
	_, stamp, _ := strings.Cut(l.Received, ";")
	if at, err := netmail.ParseDate(strings.TrimSpace(stamp)); err == nil {
		kept = at
	}
	return date, kept.UTC()
}

// strayDates lists the letters whose Date and arrival lie far apart. Mail can be late; a Date
// that somebody chose lies apart as well.
func (c letterCheck) strayDates(out io.Writer) {
	far, most := 0, shown{}
	distance := func(s shown) time.Duration { return s.arrived.Sub(s.date).Abs() }
	for _, s := range c.list {
		if s.date.IsZero() || distance(s) <= lateDate {
			continue
		}
		if far++; far == 1 || distance(s) > distance(most) {
			most = s
		}
	}
	if far > 0 {
		fmt.Fprintf(out, "  Arrived more than five minutes from their Date: %d. The farthest: %s, arrived %s UTC.\n", far, c.called(most), listTime(most.arrived))
	}
}
