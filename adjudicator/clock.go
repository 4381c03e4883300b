package adjudicator

import (
	"slices"
	"time"

	"samizdat/rules"
)

// since notes for every seat since when it has been asked what it is asked now. An
// answer that goes on with another question begins anew.
func (s *session) since() {
	if s.pos == nil || s.m.State == Over {
		for i := range s.m.Seats {
			s.m.Seats[i].Since = time.Time{}
		}
		return
	}
	ids := func(pos rules.Position, seat rules.Seat) []rules.DecisionID {
		var out []rules.DecisionID
		if pos == nil {
			return nil
		}
		for _, d := range pos.Owed(nil) {
			if d.Seat == seat {
				out = append(out, d.ID)
			}
		}
		return out
	}
	for i := range s.m.Seats {
		seat := &s.m.Seats[i]
		is := ids(s.pos, rules.Seat(i))
		switch {
		case len(is) == 0:
			seat.Since = time.Time{}
		case seat.Since.IsZero(), s.changed() && !slices.Equal(ids(s.was, rules.Seat(i)), is):
			seat.Since = s.a.Now().UTC().Truncate(time.Second)
		}
	}
}

// clock says in a line since when the match waits, and for how long it may.
func (s *session) clock(seat rules.Seat) string {
	at := s.m.Seats[seat].Since
	if at.IsZero() {
		for i := range s.m.Seats {
			if t := s.m.Seats[i].Since; !t.IsZero() && (at.IsZero() || t.Before(at)) {
				at = t
			}
		}
	}
	if at.IsZero() || s.m.State != Playing {
		return ""
	}
	return "Asked on " + clockTime(at) + ". This match has no time limit."
}

// clockTime writes a time for people anywhere.
func clockTime(at time.Time) string { return at.UTC().Format("2 January 2006, 15:04 UTC") }
