package engine

import "samizdat/rules"

// Imagine fills p with a position that shows the view to its seat and gives the seats these objectives. Sealed answers are missing in it: all seats of a sealed question are asked again.
func (v *View) Imagine(p *Position, objectives [MaxSeats]Objective) {
	*p = Position{State: v.State}
	p.Objectives = objectives
	p.clearPicks()
	for _, id := range p.Asked {
		p.last = max(p.last, id)
	}
	if v.hasListed {
		p.listed, p.lists[v.seat] = rules.Only(v.seat), v.listed
	}
	switch p.Phase {
	case Naming, Calling:
		p.askAll(p.Phase)
	case Voting, Purging:
		p.askVoters(p.Phase)
	}
}

// Vote continues after a vote with so many ballots for Monarchy.
func (p *Position) Vote(monarchy int, dst []rules.Event) []rules.Event {
	return p.applyCounts(monarchy, dst)
}
