//go:build integration

package daemon

import "time"

// Games are those of the tests.
var Games = games

// Hurry makes a daemon look often for what is wrong, and wait for no longer than that until somebody is told.
func (d *Daemon) Hurry(every, soon, late time.Duration) {
	d.alarmEvery, d.soon, d.late = every, soon, late
}
