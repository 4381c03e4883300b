package engine

import "samizdat/rules"

// Imagine sets p to the position of the view, with the given objectives for the seats (a determinization). A view
// contains no sealed answers, so all seats of a sealed decision are asked again.
func (v *View) Imagine(p *Position, objectives [MaxSeats]Objective) {
	*p = Position{State: v.State}
	p.Objectives = objectives
	p.clearChoices()
	for _, id := range p.DecisionIDs {
		p.lastID = max(p.lastID, id)
	}
	if v.hasGiftList {
		p.hasGiftList, p.giftLists[v.seat] = rules.Only(v.seat), v.giftList
	}
	switch p.Phase {
	case Naming, Calling:
		p.askAll(p.Phase)
	case Voting, Purging:
		p.askVoters(p.Phase)
	}
}
