package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/search"
)

// analyst implements rules.Analyst with the strongest searcher.
type analyst struct{ searcher Searcher }

// NewAnalyst returns an analyst of finished matches of the game 1989.
func NewAnalyst(simulations int) rules.Analyst {
	s := Level(5)
	s.Simulations = max(1, simulations)
	return &analyst{Searcher{skill: s}}
}

// WinChance implements rules.Analyst: it returns the first seat's chance to win. After bids this seat may be either side.
func (a *analyst) WinChance(p rules.Position) int {
	pos := p.(*engine.Position)
	r, sum := &a.searcher, 0
	r.prepareLightEvaluators()
	r.run.Chance = &r.random
	for n := range r.skill.Simulations {
		r.world = *pos
		r.random.Seed(uint64(pos.PlayNumber()), uint64(n))
		r.run.Events = r.run.Events[:0]
		r.playRounds(&r.world, r.skill.Horizon)
		sum += r.skill.Evaluator.winChance(&r.world, &r.sums)
	}
	if pos.SideOf(0) == engine.Communist {
		return search.Certain - sum/r.skill.Simulations
	}
	return sum / r.skill.Simulations
}

// Compare implements rules.Analyst. It searches for the best option, and then plays the same new simulations for the best
// and the taken option: in the search itself the best option may only have been lucky.
func (a *analyst) Compare(v rules.View, options []rules.Atom, taken rules.Atom) rules.Comparison {
	r := &a.searcher
	best := r.Choose(func() rules.View { return v }, rules.Decision{}, options)
	sums := [2]int{}
	for i, atom := range [...]rules.Atom{best, taken} {
		if i == 1 && taken == best {
			sums[1] = sums[0]
			break
		}
		for n := range r.skill.Simulations {
			sums[i] += r.simulate(&search.Arm{Atom: atom}, firstUnusedSimulation+n)
		}
	}
	c := rules.Comparison{Best: best, BestChance: sums[0] / r.skill.Simulations, TakenChance: sums[1] / r.skill.Simulations}
	if c.TakenChance > c.BestChance {
		c.Best, c.BestChance = taken, c.TakenChance
	}
	return c
}

// firstUnusedSimulation is the number of the first simulation that no search uses.
const firstUnusedSimulation = 1 << 20
