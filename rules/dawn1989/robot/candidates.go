package robot

import (
	"cmp"
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/search"
)

// rateOptions returns the options to simulate, with their priors. choice, the option that the sensible robot would
// choose, is the first, and the others follow by prior.
func (r *Searcher) rateOptions(p *engine.Position, choice rules.Atom, options []rules.Atom) []search.Arm {
	arms := r.arms[:0]
	side := p.Question.Side
	currentWorth := side.Sign() * r.root.positionWorth(p, r.ownSide)
	best := 0
	for i, a := range options {
		worth := r.optionWorth(p, a, currentWorth)
		arms = append(arms, search.Arm{Atom: a, Prior: worth})
		if i == 0 || worth > best {
			best = worth
		}
	}
	slices.SortStableFunc(arms, func(a, b search.Arm) int {
		switch {
		case a.Atom == choice:
			return -1
		case b.Atom == choice:
			return 1
		}
		return cmp.Compare(b.Prior, a.Prior)
	})
	arms = arms[:min(len(arms), r.skill.Options)]
	turn := max(1, min(engine.Turns, int(p.Turn)))
	chance := int64(search.Logistic(int64(currentWorth)*search.Unit/worthScale[turn] + int64(side.Sign())*worthBias[turn]))
	slope := chance * (search.Certain - chance) / search.Certain
	for i := range arms {
		a := &arms[i]
		switch a.Prior = int(max(worstPrior, slope*int64(a.Prior-best)/worthScale[turn])); {
		case a.Atom == choice:
			a.Prior = choicePrior
		case isStruggleQuestion(p.Question.Kind):
			a.Prior = 0
		}
	}
	return arms
}

func isStruggleQuestion(kind engine.QuestionKind) bool {
	return kind == engine.AskStakes || kind == engine.AskAttack || kind == engine.AskDefend
}

// worthScale and worthBias convert the worth of a position to a chance to win, by turn: Logistic(worth/scale + bias).
// The bias favours the Democrat; search.Unit stands for 1.0. Both were fitted to matches of the sensible robot.
var (
	worthScale = [engine.Turns + 1]int64{0, 2500, 1800, 1600, 1500, 1350, 1200, 1050, 1000, 850, 550}
	worthBias  = [engine.Turns + 1]int64{0, 410, 922, 1229, 1331, 1229, 1126, 1024, 870, 717, 102}
)

// maxPlayWorth limits the worth of a play. Otherwise all other plays would look equal beside mustScoreWorth.
const maxPlayWorth = 20 * vpWorth

// optionWorth returns how much the side to move gains by an option, by the evaluation of the sensible robot.
// currentWorth is the worth of the present position for this side.
func (r *Searcher) optionWorth(p *engine.Position, a rules.Atom, currentWorth int) int {
	m, f, q := &r.root, p.TopFrame(), &p.Question
	switch v := engine.AtomVerb(a); v {
	case engine.VerbPlay:
		if q.Kind == engine.AskStrike {
			return 0
		}
		return min(m.playWorth(p, q.Side, engine.Card(engine.AtomValue(a)), engine.Mode(engine.AtomFlag(a))), maxPlayWorth)
	case engine.VerbOpsCheck, engine.VerbCheck:
		gain := m.checkGain(p, q.Side, engine.Space(engine.AtomValue(a)), max(1, f.PrintedOps()), 0, engine.AtomFlag(a) == 1)
		if q.Kind == engine.AskOps || q.Kind == engine.AskGrant {
			gain *= 2
		}
		return gain
	case engine.VerbOpsTiananmen:
		return attemptGain(p, q.Side, f.Card)
	case engine.VerbOpsPlace, engine.VerbPlace:
		remaining := max(1, int(q.Remaining))
		maxPerSpace := remaining
		if q.MaxPerSpace > 0 {
			maxPerSpace = min(maxPerSpace, int(q.MaxPerSpace))
		}
		var target engine.SpaceSet
		target.Add(engine.Space(engine.AtomValue(a)))
		trial := *p
		_, gain := m.findBestPlacement(&trial, q.Side, target, remaining, max(1, maxPerSpace), v == engine.VerbPlace)
		return gain
	case engine.VerbRemove:
		trial := &m.tries[0]
		*trial = *p
		run := m.beginSimulation()
		trial.AnswerQuestion(run, a)
		m.endSimulation()
		return q.Side.Sign()*m.positionWorth(trial, r.ownSide) - currentWorth
	case engine.VerbTake, engine.VerbDiscard, engine.VerbChoose:
		switch q.Kind {
		case engine.AskTake, engine.AskDiscard, engine.AskCard, engine.AskAnnounce:
			return m.cardWorth(p, f, q.Side, engine.Card(engine.AtomValue(a)))
		}
	}
	return 0
}
