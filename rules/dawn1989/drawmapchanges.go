package dawn1989

import "samizdat/rules"

// changes are what events changed, as far as a map can mark it.
type changes struct {
	spaces    SpaceSet
	power     [countries]bool
	tiananmen [2]bool
	ussr, vp  bool
}

// changesOf reads events. Only public things are marked: support, Power and the
// tracks.
func changesOf(since []rules.Event) changes {
	var c changes
	for _, e := range since {
		switch e.Kind {
		case EvPlaced, EvRemoved:
			if e.Args[2] != 0 {
				c.spaces.add(Space(e.Args[1]))
			}
		case EvCheck:
			if e.Args[9] != 0 || e.Args[10] != 0 {
				c.spaces.add(Space(e.Args[1]))
			}
		case EvDestroyed, EvRefuge, EvCaptured:
			c.spaces.add(Space(e.Args[0]))
		case EvPower:
			c.power[e.Args[0]] = true
		case EvBox:
			c.tiananmen[e.Args[0]] = true
		case EvUSSR:
			c.ussr = true
		case EvVP:
			c.vp = c.vp || e.Args[0] != 0
		}
	}
	c.spaces.drop(0)
	return c
}
