package adjudicator

import (
	"time"

	"samizdat/adjudicator/zone"
)

// clockTime writes a time as it is where the player is.
func clockTime(p *Player, at time.Time) string { return zone.Write(at, p.Zone) }
