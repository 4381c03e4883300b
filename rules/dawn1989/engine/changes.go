package engine

import "samizdat/rules"

// Changes are what events changed, as far as a map can mark it.
type Changes struct {
	Spaces    SpaceSet
	Power     [Countries]bool
	Tiananmen [2]bool
	USSR, VP  bool
}

// ChangesOf reads events. Only public things are marked: support, Power and the
// tracks.
func ChangesOf(since []rules.Event) Changes {
	var c Changes
	for _, e := range since {
		switch e.Kind {
		case EvPlaced, EvRemoved:
			if e.Args[2] != 0 {
				c.Spaces.Add(Space(e.Args[1]))
			}
		case EvCheck:
			if e.Args[9] != 0 || e.Args[10] != 0 {
				c.Spaces.Add(Space(e.Args[1]))
			}
		case EvDestroyed, EvRefuge, EvCaptured:
			c.Spaces.Add(Space(e.Args[0]))
		case EvPower:
			c.Power[e.Args[0]] = true
		case EvBox:
			c.Tiananmen[e.Args[0]] = true
		case EvUSSR:
			c.USSR = true
		case EvVP:
			c.VP = c.VP || e.Args[0] != 0
		}
	}
	c.Spaces.drop(0)
	return c
}
