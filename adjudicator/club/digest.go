package club

import "time"

// Digest is how often a member wants news of the club; empty for never.
type Digest string

// How often there is a digest.
const (
	Daily  Digest = "daily"
	Weekly Digest = "weekly"
)

// digestHour is the hour, in UTC, at which digests go out.
const digestHour = 6

// Days is how many days a digest tells of.
func (d Digest) Days() int {
	if d == Daily {
		return 1
	}
	return 7
}

// After is when the next digest after a time goes out: each day, or each Monday, once ratings have
// counted.
func (d Digest) After(now time.Time) time.Time {
	now = now.UTC()
	at := time.Date(now.Year(), now.Month(), now.Day(), digestHour, 0, 0, 0, time.UTC)
	for !at.After(now) || d == Weekly && at.Weekday() != time.Monday {
		at = at.AddDate(0, 0, 1)
	}
	return at
}

// Announcement is what the director wants all members to know.
type Announcement struct {
	At   time.Time
	Text string
}
