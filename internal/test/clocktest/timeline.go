// Package clocktest says what has to happen at each deadline, slowly: it walks through a
// log of what happened, minute by minute, and shares nothing with the package that it is
// compared with. A time is a number of minutes since the log begins.
package clocktest

import "time"

// Timeline says of each minute of a log whether it is stopped for a seat.
type Timeline struct {
	// Begin is the time of minute 0.
	Begin time.Time

	away, paused, deaf []bool
}

// NewTimeline is one of so many minutes, of which none is stopped.
func NewTimeline(begin time.Time, minutes int) *Timeline {
	return &Timeline{begin, make([]bool, minutes), make([]bool, minutes), make([]bool, minutes)}
}

// Time is the time of a minute.
func (t *Timeline) Time(minute int) time.Time {
	return t.Begin.Add(time.Duration(minute) * time.Minute)
}

// Len is how many minutes it has.
func (t *Timeline) Len() int { return len(t.away) }

// Stopped reports whether a minute is not counted.
func (t *Timeline) Stopped(minute int) bool {
	return minute < t.Len() && (t.away[minute] || t.paused[minute] || t.deaf[minute])
}

// Clone is a copy.
func (t *Timeline) Clone() *Timeline {
	return &Timeline{t.Begin, append([]bool(nil), t.away...), append([]bool(nil), t.paused...), append([]bool(nil), t.deaf...)}
}

// Absent plans a vacation, from now on: all minutes whose day, where the player is, is
// not before the first and not after the last.
func (t *Timeline) Absent(now int, first, last string, in *time.Location) {
	for m := now; m < t.Len(); m++ {
		if day := t.Time(m).In(in).Format(time.DateOnly); day > last {
			return
		} else if day >= first {
			t.away[m] = true
		}
	}
}

// Returns ends the vacation of this minute, or without one the next that is planned.
func (t *Timeline) Returns(now int) {
	for ; now < t.Len() && !t.away[now]; now++ {
	}
	for ; now < t.Len() && t.away[now]; now++ {
		t.away[now] = false
	}
}

// Paused notes a pause of the match.
func (t *Timeline) Paused(from, to int) { set(t.paused, from, to, true) }

// Resumed notes that there is no pause from a minute on.
func (t *Timeline) Resumed(from int) { set(t.paused, from, t.Len(), false) }

// Deaf notes that nobody looked for letters.
func (t *Timeline) Deaf(from, to int) { set(t.deaf, from, to, true) }

// SetBack cuts off what reaches beyond now of the times in which nobody looked.
func (t *Timeline) SetBack(now int) { set(t.deaf, now, t.Len(), false) }

func set(minutes []bool, from, to int, value bool) {
	for m := from; m < to && m < len(minutes); m++ {
		minutes[m] = value
	}
}
