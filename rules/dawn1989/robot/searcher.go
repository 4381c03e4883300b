package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/search"
)

// Searcher is a robot that simulates its options. Each simulation deals the hidden cards at random, executes an
// option, plays some action rounds with light evaluators for both sides, and then evaluates the position with an
// Evaluator.
type Searcher struct {
	skill Skill
	seed  uint64
	// root evaluates the options before the search. light has an evaluator for each side, which answers for the side
	// in simulations.
	root    evaluator
	light   [2]evaluator
	ownSide engine.Side
	view    *engine.View
	// dealt is the position at the beginning of simulation number dealtFor, with its hidden cards dealt. All options
	// have the same cards in simulations with the same number. world is the position in the current simulation.
	dealt    engine.Position
	dealtFor int
	dealSeed uint64
	world    engine.Position
	run      engine.Run
	random   search.Lot
	arms     []search.Arm
	options  [engine.MaxOptions]rules.Atom
	sums     layerSums
	// chance is the result of BestChance, or -1 if the last call of Choose made no simulations.
	chance int
}

// Skill is the strength of a searcher.
type Skill struct {
	// Simulations is the number of simulations for each decision.
	Simulations int
	// Horizon is the number of action rounds that a simulation plays after the current play. The rounds of both sides
	// count.
	Horizon int
	// Options is the maximum number of options that are simulated.
	Options   int
	Evaluator *Evaluator
}

// NewSearcher returns a searching robot.
func NewSearcher(s Skill, seed uint64) *Searcher { return &Searcher{skill: s, seed: seed} }

// BestChance returns the robot's chance to win, from 0 to search.Certain, as the simulations of the last call of
// Choose estimated it for the chosen option. ok is false if this call made no simulations.
func (r *Searcher) BestChance() (chance int, ok bool) { return r.chance, r.chance >= 0 }

// The prior of an option is its value before any simulation. It counts as much as priorWeight simulations.
// choicePrior is the prior of the option that the sensible robot would choose, and worstPrior the lowest prior.
const (
	priorWeight = 4
	choicePrior = search.Certain / 100
	worstPrior  = -3 * search.Certain / 10
)

// Choose implements rules.Robot. Its result depends only on the view, the options and the seed.
func (r *Searcher) Choose(look func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	r.chance = -1
	if len(options) == 1 {
		return options[0]
	}
	r.view = look().(*engine.View)
	p := r.view.Visible
	r.ownSide = p.Question.Side
	r.root.prepare(r.view)
	choice := r.root.chooseOption(&p, options)
	if ask := p.Question.Kind; ask == engine.AskBid || ask == engine.AskSide {
		return choice
	}
	r.arms = r.rateOptions(&p, choice, options)
	r.prepareLightEvaluators()
	r.run.Chance = &r.random
	r.dealSeed = search.Mix(r.seed + uint64(p.Question.ID)<<8 + uint64(p.Question.Given))
	r.dealtFor = -1
	search.SequentialHalving(r.arms, search.Budget{Simulations: r.skill.Simulations, PriorWeight: priorWeight}, r.simulate)
	if best := &r.arms[0]; best.N > 0 {
		r.chance = int(best.Sum) / best.N
	}
	return r.arms[0].Atom
}

// simulate makes simulation number n of an option and returns the robot's chance to win.
func (r *Searcher) simulate(a *search.Arm, n int) int {
	if n != r.dealtFor {
		r.random.Seed(r.dealSeed, uint64(2*n))
		r.view.DealHidden(&r.dealt, &r.random)
		r.dealtFor = n
	}
	r.world = r.dealt
	r.random.Seed(r.dealSeed, uint64(2*n+1))
	r.run.Events = r.run.Events[:0]
	w := &r.world
	w.AnswerQuestion(&r.run, a.Atom)
	r.playRounds(w, r.skill.Horizon)
	chance := r.skill.Evaluator.winChance(w, &r.sums)
	if r.ownSide == engine.Communist {
		return search.Certain - chance
	}
	return chance
}

const maxAnswers = 20_000

// playRounds answers for both sides until the current play and then this number of action rounds are over, or until
// the turn or the match ends.
func (r *Searcher) playRounds(w *engine.Position, rounds int) {
	turn, play := w.Turn, w.PlayNumber()
	for side := range r.light {
		r.light[side].plannedPlay = 0
	}
	for range maxAnswers {
		if w.Ending != engine.NotOver {
			return
		}
		if w.Question.Kind == engine.AskNothing {
			if len(r.run.Events) > 200 {
				r.run.Events = r.run.Events[:0]
			}
			if w.Step(&r.run) != nil || w.Turn > turn {
				return
			}
			continue
		}
		if w.PlayNumber() != play {
			play = w.PlayNumber()
			if IsRoundQuestion(w.Question.Kind) {
				if rounds == 0 {
					return
				}
				rounds--
			}
		}
		options := w.LegalAtoms(r.options[:0])
		if len(options) == 0 {
			return
		}
		w.AnswerQuestion(&r.run, r.chooseInSimulation(w, options))
	}
}

// IsRoundQuestion reports whether a question of this kind is the first question of an action round.
func IsRoundQuestion(kind engine.QuestionKind) bool {
	return kind == engine.AskRound || kind == engine.AskExtraRound || kind == engine.AskStrike || kind == engine.AskAnnounce
}

func (r *Searcher) chooseInSimulation(w *engine.Position, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	m := &r.light[w.Question.Side]
	m.prepareLight(w)
	return m.chooseOption(w, options)
}

func (r *Searcher) prepareLightEvaluators() {
	for side := range r.light {
		r.light[side].prepareSearch()
	}
}
