// Package clocktest is a slow model of the match clock for comparison tests. It walks through a log
// minute by minute and shares no code with package clock. A time is a number of minutes since the
// log begins.
package clocktest

import "time"

// Timeline marks the minutes without a running clock for a seat, because of a vacation, a pause or
// an inbox outage.
type Timeline struct {
	// Begin is the time of minute 0.
	Begin time.Time

	away, paused, deaf, free []bool
}

// NewTimeline returns a timeline without stopped minutes.
func NewTimeline(begin time.Time, minutes int) *Timeline {
	return &Timeline{begin, make([]bool, minutes), make([]bool, minutes), make([]bool, minutes), make([]bool, minutes)}
}

// Time returns the time of a minute.
func (t *Timeline) Time(minute int) time.Time {
	return t.Begin.Add(time.Duration(minute) * time.Minute)
}

// Len returns the number of minutes.
func (t *Timeline) Len() int { return len(t.away) }

// Stopped reports whether the clock is stopped in a minute.
func (t *Timeline) Stopped(minute int) bool {
	return minute < t.Len() && (t.away[minute] || t.paused[minute] || t.deaf[minute] || t.free[minute])
}

// Clone returns a deep copy.
func (t *Timeline) Clone() *Timeline {
	return &Timeline{t.Begin, append([]bool(nil), t.away...), append([]bool(nil), t.paused...), append([]bool(nil), t.deaf...), t.free}
}

// Free marks the minutes of every week from a minute until before another as free, both counted from Monday 0:00 in a
// time zone. The hand of the local clock that goes back at the end of summer time counts as standing still.
func (t *Timeline) Free(from, to int, in *time.Location) {
	var hand time.Time
	for m := -24 * 60; m < t.Len(); m++ {
		at := t.Time(m).In(in)
		shows := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)
		if shows.After(hand) {
			hand = shows
		}
		const week = 7 * 24 * 60
		minute := (int(hand.Weekday())+6)%7*24*60 + hand.Hour()*60 + hand.Minute()
		if m >= 0 && (minute-from+week)%week < (to-from+week)%week {
			t.free[m] = true
		}
	}
}

// Absent plans a vacation of whole days in the player's time zone, from first to last, both
// included. Minutes before now do not change.
func (t *Timeline) Absent(now int, first, last string, in *time.Location) {
	for m := now; m < t.Len(); m++ {
		if day := t.Time(m).In(in).Format(time.DateOnly); day > last {
			return
		} else if day >= first {
			t.away[m] = true
		}
	}
}

// Returns ends the vacation of minute now, or else the next planned vacation.
func (t *Timeline) Returns(now int) {
	for ; now < t.Len() && !t.away[now]; now++ {
	}
	for ; now < t.Len() && t.away[now]; now++ {
		t.away[now] = false
	}
}

// Paused records a pause of the match from minute from until before minute to.
func (t *Timeline) Paused(from, to int) { set(t.paused, from, to, true) }

// Resumed removes all pauses from a minute on.
func (t *Timeline) Resumed(from int) { set(t.paused, from, t.Len(), false) }

// Deaf records an inbox outage: a time without inbox scans.
func (t *Timeline) Deaf(from, to int) { set(t.deaf, from, to, true) }

// SetBack removes the inbox outages after now.
func (t *Timeline) SetBack(now int) { set(t.deaf, now, t.Len(), false) }

func set(minutes []bool, from, to int, value bool) {
	for m := from; m < to && m < len(minutes); m++ {
		minutes[m] = value
	}
}
