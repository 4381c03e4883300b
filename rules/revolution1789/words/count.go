package words

import (
	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Count implements rules.Counter: what came of pointing at others, and of revolutions. Of
// ballots nothing is counted for anybody: nobody knows them.
func (Words) Count(_ rules.View, events []rules.Event) (out []rules.Count) {
	add := func(name string, seat rules.Seat, came bool) {
		n := 0
		if came {
			n = 1
		}
		out = append(out, rules.Count{Name: name, Seat: seat, N: n, Of: 1})
	}
	var picks []rules.Event
	for _, e := range events {
		switch e.Kind {
		case engine.EventPicked:
			picks = append(picks, e)
		case engine.EventPurged, engine.EventUnresolved:
			for _, p := range picks {
				purged := e.Kind == engine.EventPurged
				add("purges that hit whom they pointed at", p.Seat, purged && rules.Seat(p.Args[0]) == e.Seat)
				add("purges in which they lost the seat", p.Seat, purged && p.Seat == e.Seat)
			}
			picks = nil
		case engine.EventSucceeded, engine.EventFailed:
			add("revolutions that succeeded", e.Seat, e.Kind == engine.EventSucceeded)
		}
	}
	return out
}

// Dice implements rules.Counter: 1789 has none.
func (Words) Dice(rules.View, []rules.Event) []rules.Die { return nil }

// Worth implements rules.Counter: no card is worth more than another.
func (Words) Worth(string, any) (int, string, bool) { return 0, "", false }
