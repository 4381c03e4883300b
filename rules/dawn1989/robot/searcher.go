package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/search"
)

// searcher is a robot that plays its options out. For each simulation it deals the hidden
// cards at random, carries an option out, plays on with light minds for both sides until
// some action rounds have passed, and takes the chance to win from the leaf (leaf.go).
type searcher struct {
	skill Skill
	seed  uint64
	// root rates the options, light plays the simulations, one mind for each side.
	root  mind
	light [2]mind
	me    engine.Side
	view  *engine.View
	// dealt is the position of simulation dealtFor, before an option is carried out.
	dealt    engine.Position
	dealtFor int
	dealSeed uint64
	world    engine.Position
	run      engine.Run
	lot      search.Lot
	arms     []search.Arm
	options  [engine.MaxOptions]rules.Atom
}

// Skill is how well a searcher plays.
type Skill struct {
	// Simulations is how many a decision takes.
	Simulations int
	// Horizon is how many action rounds of either side a simulation goes on for, after the
	// play that is decided.
	Horizon int
	// Options is how many options are tried.
	Options int
	Leaf    *Leaf
}

// NewSearcher returns a searching robot.
func NewSearcher(s Skill, seed uint64) rules.Robot { return &searcher{skill: s, seed: seed} }

// priorWeight is how many simulations the rating of an option is worth, choicePrior what it
// is worth that the sensible robot would choose it.
const (
	priorWeight = 4
	choicePrior = search.Certain / 100
	worstPrior  = -3 * search.Certain / 10
)

// Choose implements rules.Robot. It depends on the view, the options and the seed alone.
func (r *searcher) Choose(look func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	r.view = look().(*engine.View)
	p := r.view.Visible
	r.me = p.Question.Side
	r.root.begin(r.view)
	choice := r.root.choose(&p, options)
	if ask := p.Question.Kind; ask == engine.AskBid || ask == engine.AskSide {
		return choice
	}
	r.arms = r.rate(&p, choice, options)
	r.forget()
	r.run.Chance = &r.lot
	r.dealSeed = search.Mix(r.seed + uint64(p.Question.ID)<<8 + uint64(p.Question.Given))
	r.dealtFor = -1
	search.Halve(r.arms, search.Budget{Simulations: r.skill.Simulations, PriorWeight: priorWeight}, r.simulate)
	return r.arms[0].Atom
}

// simulate plays an option out, and returns the chance that the robot wins then.
func (r *searcher) simulate(a *search.Arm, n int) int {
	if n != r.dealtFor {
		r.lot.Seed(r.dealSeed, uint64(2*n))
		r.view.DealHidden(&r.dealt, &r.lot)
		r.dealtFor = n
	}
	r.world = r.dealt
	r.lot.Seed(r.dealSeed, uint64(2*n+1))
	r.run.Events = r.run.Events[:0]
	w := &r.world
	w.AnswerQuestion(&r.run, a.Atom)
	r.playOn(w, r.skill.Horizon)
	chance := r.skill.Leaf.chance(w)
	if r.me == engine.Communist {
		return search.Certain - chance
	}
	return chance
}

// mostAnswers bounds a simulation.
const mostAnswers = 20_000

// playOn answers for both sides until this number of action rounds has begun after the current
// play, or the turn or the match ends. With wholeMatch it stops at the end of the match only.
func (r *searcher) playOn(w *engine.Position, rounds int) {
	turn, play := w.Turn, w.PlayNumber()
	for side := range r.light {
		r.light[side].planned = 0
	}
	for range mostAnswers {
		if w.Ending != engine.NotOver {
			return
		}
		if w.Question.Kind == engine.AskNothing {
			if len(r.run.Events) > 200 {
				r.run.Events = r.run.Events[:0]
			}
			if w.Step(&r.run) != nil || w.Turn > turn && rounds != wholeMatch {
				return
			}
			if w.Turn > turn {
				turn = w.Turn
				r.forget()
			}
			continue
		}
		if w.PlayNumber() != play {
			play = w.PlayNumber()
			if beginsRound(w.Question.Kind) && rounds != wholeMatch {
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
		w.AnswerQuestion(&r.run, r.policy(w, options))
	}
}

// wholeMatch is the horizon of a simulation that ends with the match.
const wholeMatch = -1

// beginsRound reports whether a question opens an action round.
func beginsRound(a engine.QuestionKind) bool {
	return a == engine.AskRound || a == engine.AskExtraRound || a == engine.AskStrike || a == engine.AskAnnounce
}

// policy answers in a simulation.
func (r *searcher) policy(w *engine.Position, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	m := &r.light[w.Question.Side]
	m.beginLight(w)
	return m.choose(w, options)
}

// Playouts plays a position to the end n times with light minds that see all cards, and
// returns how often the Democrat wins on average: from 0 to search.Certain.
func Playouts(p *engine.Position, n int, seed uint64) int {
	r := new(searcher)
	r.run.Chance = &r.lot
	sum := 0
	for i := range n {
		r.forget()
		r.world = *p
		r.lot.Seed(seed, uint64(i))
		r.playOn(&r.world, wholeMatch)
		sum += new(Leaf).chance(&r.world)
	}
	return sum / n
}

// forget makes the light minds ready for other positions.
func (r *searcher) forget() {
	for side := range r.light {
		r.light[side].forget()
	}
}
