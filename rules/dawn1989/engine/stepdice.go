package engine

import "samizdat/rules"

// The steps that make support checks, and those that grant Operations.

// check returns a step that makes n support checks in spaces of the filter, with the Ops value of the card.
func check(label string, n int, w spaceFilter) Step {
	return Step{Label: label, Act: &actCheck, N: n, filter: w}
}

func checkableSpaces(p *Position, f *Frame, s *Step) SpaceSet {
	return s.spaces(p, f).And(p.CheckTargets(f.Side))
}

// checkChosenSpace makes the support check in the space that the side has chosen. If it is in East Germany, it gets
// the bonus of card 58 in two cases: the step has only this check, or its filter has only spaces in East Germany.
func (r *Run) checkChosenSpace(f *Frame, s *Step) error {
	inEastGermany := f.Space.Info().Country == EastGermany && (s.N == 1 || s.filter.set.Minus(InCountry[EastGermany]).IsEmpty())
	if err := r.checkSupport(f.Side, f.Space, f.Card.Info().Ops, s.Extra, inEastGermany); err != nil {
		return err
	}
	f.Space = 0
	f.N++
	return nil
}

var actCheck = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		if f.Space != 0 {
			return r.checkChosenSpace(f, s)
		}
		if int(f.N) == s.N {
			f.goToNextStep()
			return nil
		}
		switch set := checkableSpaces(r.p, f, s); {
		case set.IsEmpty():
			r.emit(EvNoTarget, int(f.Side), int(f.Card))
			f.goToNextStep()
		case set.Len() == 1 && !s.isOptional:
			f.Space = set.Next()
		default:
			r.ask(Question{Kind: AskCheck, Side: f.Side, Source: f.Source, Remaining: 1, Optional: s.isOptional})
		}
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		r.closeQuestion()
		f.Space = Space(AtomValue(a))
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return appendDecline(p, appendAtoms(dst, VerbCheck, 0, checkableSpaces(p, f, s)))
	},
}

// declineQuestion closes a question after PASS or VerbStop. Only PASS emits an event: VerbStop follows at least one
// atom, so the side has not declined.
func (r *Run) declineQuestion() {
	q := r.p.Question
	r.closeQuestion()
	if q.Given == 0 {
		r.emit(EvPassed, int(q.Side), int(q.Kind), int(q.Source))
	}
}

// checksOrPlace returns a step with a choice: the side makes n support checks in the spaces of the filter, or places
// points in any spaces without enemy support. Step.limit has the number of points.
func checksOrPlace(label string, n, points int, w spaceFilter) Step {
	s := check(label, n, w)
	s.Act, s.limit = &actChecksOrPlace, points
	return s
}

var actChecksOrPlace = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		if f.Space != 0 || f.N > 0 {
			return actCheck.run(r, f, s)
		}
		if checkableSpaces(r.p, f, s).IsEmpty() {
			if !r.placePoints(f.Side, f.Source, s.limit, spacesWithoutEnemy(r.p, f), 0) {
				f.goToNextStep()
			}
			return nil
		}
		r.ask(Question{Kind: AskAlternative, Side: f.Side, Source: f.Source, Remaining: int8(s.limit)})
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		if AtomVerb(a) == VerbPlace {
			actPlace.answer(r, f, s, a)
			return
		}
		actCheck.answer(r, f, s, a)
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		q := &p.Question
		if q.Kind != AskCheck {
			dst = appendAtoms(dst, VerbPlace, 0, spacesWithoutEnemy(p, f))
		}
		if q.Kind == AskCheck || q.Kind == AskAlternative && q.Given == 0 {
			dst = appendAtoms(dst, VerbCheck, 0, checkableSpaces(p, f, s))
		}
		return dst
	},
}

func spacesWithoutEnemy(p *Position, f *Frame) SpaceSet {
	return p.ExistingSpaces().Minus(p.Occupied[f.Side.Enemy()])
}

// useOps returns a step that grants Operations with the Ops value of the card, in country c, or anywhere if c is
// NoCountry (rule 7.4).
func useOps(label string, c Country) Step { return Step{Label: label, Act: &actUseOps, N: int(c)} }

var actUseOps = newInstantAct(func(r *Run, f *Frame, s *Step) {
	r.push(Frame{Proc: ProcOps, Card: f.Card, Side: f.Side, Country: Country(s.N), Source: f.Source, MayDecline: true})
})

// takeOrOps returns a step for card 46. The enemy shows all cards of its hand that have a red title. Then the acting
// side takes a shown card with a playable event, which takes place at once, or uses card 46 for Operations or a
// Tiananmen attempt.
func takeOrOps(label string) Step { return Step{Label: label, Act: &actTakeOrOps} }

var actTakeOrOps = newInstantAct(func(r *Run, f *Frame, s *Step) {
	p, enemy := r.p, f.Side.Enemy()
	red := p.Piles[HandPile(enemy)].And(redTitles)
	p.KnownCards[enemy] = p.KnownCards[enemy].Or(red)
	both := rules.Only(p.SeatOfSide[Democrat]) | rules.Only(p.SeatOfSide[Communist])
	for c := red.Next(); c != 0; c = red.Next() {
		r.emitTo(both, EvShown, int(enemy), int(c))
	}
	r.push(Frame{Proc: ProcOps, Card: f.Card, Side: f.Side, Source: f.Source, MayAttempt: true, MayDecline: true, MayTake: true})
})

// The steps that roll dice.

// rollFor returns a step that rolls a die and adds the modifier. A total below need ends the event.
func rollFor(need int, modifier func(p *Position, f *Frame) int) Step {
	return Step{Label: "roll", Act: &actRoll, N: need, Value: modifier}
}

// rollAbove returns a step that rolls a die. The event goes on only if the die is higher than the count.
func rollAbove(count func(p *Position) int) Step {
	return rollFor(1, func(p *Position, _ *Frame) int { return -count(p) })
}

var actRoll = Act{run: func(r *Run, f *Frame, s *Step) error {
	die, err := r.roll(ReasonEvent, int(f.Card))
	if err != nil {
		return err
	}
	modifier := s.Value(r.p, f)
	succeeds := die+modifier >= s.N
	r.emit(EvRoll, int(f.Side), die, modifier, die+modifier, s.N, boolToInt(succeeds), int(f.Card))
	f.goToNextStep()
	if !succeeds {
		f.skipToEnd()
	}
	return nil
}}

// rollTable returns a step that rolls a die and looks up its result. Later steps get the result from tableResult.
func rollTable(one, two, three, four, five, six int) Step {
	return Step{Label: "roll", Act: &actRollTable, table: [6]int{one, two, three, four, five, six}}
}

var actRollTable = Act{run: func(r *Run, f *Frame, s *Step) error {
	die, err := r.roll(ReasonEvent, int(f.Card))
	if err != nil {
		return err
	}
	f.goToNextStep()
	f.EarlierResult = int8(s.table[die-1])
	r.emit(EvTable, int(f.Side), die, int(f.EarlierResult), int(f.Card))
	return nil
}}

func tableResult(_ *Position, f *Frame) int { return int(f.EarlierResult) }

func countControlledBy(side Side, w spaceFilter) func(p *Position) int {
	return func(p *Position) int { return p.Controlled[side].And(w.set).And(p.ExistingSpaces()).Len() }
}

// contest returns a step with several rounds. In each round both sides roll a die, and each adds the number of spaces
// of the filter that it controls; the higher total wins the round, and a tie wins none. If the enemy wins two rounds
// first, the event ends.
func contest(w spaceFilter) Step { return Step{Label: "contest", Act: &actContest, filter: w} }

const contestRounds = 2

// actContest keeps the first die of a round in EarlierResult, the number of finished rounds in N, and the won rounds
// in RoundsWon. The phasing side rolls first in the first round. In each later round the side rolls first that rolled
// second in the round before.
var actContest = Act{run: func(r *Run, f *Frame, s *Step) error {
	p, first := r.p, r.p.Phasing
	if f.N%2 == 1 {
		first = first.Enemy()
	}
	roller := first
	if f.EarlierResult != 0 {
		roller = first.Enemy()
	}
	die, err := r.roll(ReasonContest, int(roller))
	if err != nil {
		return err
	}
	if f.EarlierResult == 0 {
		f.EarlierResult = int8(die)
		return nil
	}
	ownDie, enemy := int(f.EarlierResult), f.Side.Enemy()
	if first != f.Side {
		ownDie, die = die, ownDie
	}
	f.EarlierResult = 0
	f.N++
	ownSpaces, theirSpaces := countControlledBy(f.Side, s.filter)(p), countControlledBy(enemy, s.filter)(p)
	switch a, b := ownDie+ownSpaces, die+theirSpaces; {
	case a > b:
		f.RoundsWon[f.Side]++
	case b > a:
		f.RoundsWon[enemy]++
	}
	r.emit(EvContest, int(f.Side), ownDie, ownSpaces, die, theirSpaces, int(f.RoundsWon[f.Side]), int(f.RoundsWon[enemy]))
	switch {
	case f.RoundsWon[f.Side] == contestRounds:
		f.goToNextStep()
	case f.RoundsWon[enemy] == contestRounds:
		r.emit(EvNoEffect, int(f.Card))
		f.skipToEnd()
	}
	return nil
}}
