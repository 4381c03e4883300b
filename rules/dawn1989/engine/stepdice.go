package engine

import "samizdat/rules"

// The steps that make support checks, and those that grant Operations.

// check: make n support checks with the Ops value of the card.
func check(label string, n int, w where) Step {
	return Step{Label: label, Act: &actCheck, N: n, where: w}
}

func checkable(p *Position, f *Frame, s *Step) SpaceSet {
	return s.spaces(p, f).And(p.CheckTargets(f.Side))
}

// declared makes the check of a space that has been named. The check counts the bonus of card 58 without being asked
// when it is a single one, or bound to East Germany.
func (r *Run) declared(f *Frame, s *Step) error {
	all := f.Space.Info().Country == EastGermany && (s.N == 1 || s.where.set.Minus(InCountry[EastGermany]).IsEmpty())
	if err := r.check(f.Side, f.Space, f.Card.Info().Ops, s.Extra, all); err != nil {
		return err
	}
	f.Space = 0
	f.N++
	return nil
}

var actCheck = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		if f.Space != 0 {
			return r.declared(f, s)
		}
		if int(f.N) == s.N {
			f.next()
			return nil
		}
		switch set := checkable(r.p, f, s); {
		case set.IsEmpty():
			r.emit(EvNoTarget, int(f.Side), int(f.Card))
			f.next()
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
		return declineAtoms(p, atoms(dst, VerbCheck, 0, checkable(p, f, s)))
	},
}

// decline closes a question that was passed or stopped.
func (r *Run) decline() {
	q := r.p.Question
	r.closeQuestion()
	if q.Given == 0 {
		r.emit(EvPassed, int(q.Side), int(q.Kind), int(q.Source))
	}
}

// checksOrPlace: make n support checks in the set, or place points in spaces without enemy support anywhere.
func checksOrPlace(label string, n, points int, w where) Step {
	s := check(label, n, w)
	s.Act, s.per = &actChecksOrPlace, points
	return s
}

var actChecksOrPlace = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		if f.Space != 0 || f.N > 0 {
			return actCheck.run(r, f, s)
		}
		if checkable(r.p, f, s).IsEmpty() {
			if !r.giveOut(f.Side, f.Source, s.per, freePlaces(r.p, f), 0) {
				f.next()
			}
			return nil
		}
		r.ask(Question{Kind: AskWay, Side: f.Side, Source: f.Source, Remaining: int8(s.per)})
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
			dst = atoms(dst, VerbPlace, 0, freePlaces(p, f))
		}
		if q.Kind == AskCheck || q.Kind == AskWay && q.Given == 0 {
			dst = atoms(dst, VerbCheck, 0, checkable(p, f, s))
		}
		return dst
	},
}

func freePlaces(p *Position, f *Frame) SpaceSet {
	return p.ExistingSpaces().Minus(p.Occupied[f.Side.Enemy()])
}

// useOps: the Ops value of the card may be used to place or to check, in one country or anywhere (rule 7.4).
func useOps(label string, c Country) Step { return Step{Label: label, Act: &actUseOps, N: int(c)} }

var actUseOps = atOnce(func(r *Run, f *Frame, s *Step) {
	r.push(Frame{Proc: ProcOps, Card: f.Card, Side: f.Side, Country: Country(s.N), Source: f.Source, May: true})
})

// takeOrOps: the enemy shows the red titles of the hand. The player takes one with a playable event
// and resolves it, or uses the card for Operations or a Tiananmen attempt.
func takeOrOps(label string) Step { return Step{Label: label, Act: &actTakeOrOps} }

var actTakeOrOps = atOnce(func(r *Run, f *Frame, s *Step) {
	p, enemy := r.p, f.Side.Enemy()
	red := p.Piles[HandPile(enemy)].And(redTitles)
	p.Known[enemy] = p.Known[enemy].Or(red)
	both := rules.Only(p.SeatOfSide[Democrat]) | rules.Only(p.SeatOfSide[Communist])
	for c := red.Next(); c != 0; c = red.Next() {
		r.emitTo(both, EvShown, int(enemy), int(c))
	}
	r.push(Frame{Proc: ProcOps, Card: f.Card, Side: f.Side, Source: f.Source, Open: true, May: true, Take: true})
})

// The steps that roll dice.

// rollFor: roll a die and add the modifier; below the number needed the event is over.
func rollFor(need int, modifier func(p *Position, f *Frame) int) Step {
	return Step{Label: "roll", Act: &actRoll, N: need, Value: modifier}
}

// rollAbove: roll a die; unless it is higher than the count, the event is over.
func rollAbove(count func(p *Position) int) Step {
	return rollFor(1, func(p *Position, _ *Frame) int { return -count(p) })
}

var actRoll = Act{run: func(r *Run, f *Frame, s *Step) error {
	die, err := r.roll(ReasonEvent, int(f.Card))
	if err != nil {
		return err
	}
	m := s.Value(r.p, f)
	ok := die+m >= s.N
	r.emit(EvRoll, int(f.Side), die, m, die+m, s.N, flag(ok), int(f.Card))
	f.next()
	if !ok {
		f.end()
	}
	return nil
}}

// rollTable: roll a die and look the result up, for the steps after it.
func rollTable(one, two, three, four, five, six int) Step {
	return Step{Label: "roll", Act: &actRollTable, table: [6]int{one, two, three, four, five, six}}
}

var actRollTable = Act{run: func(r *Run, f *Frame, s *Step) error {
	die, err := r.roll(ReasonEvent, int(f.Card))
	if err != nil {
		return err
	}
	f.next()
	f.Result = int8(s.table[die-1])
	r.emit(EvTable, int(f.Side), die, int(f.Result), int(f.Card))
	return nil
}}

// rolled returns the result of an earlier die.
func rolled(_ *Position, f *Frame) int { return int(f.Result) }

func controlled(side Side, w where) func(p *Position) int {
	return func(p *Position) int { return p.Controlled[side].And(w.set).And(p.ExistingSpaces()).Len() }
}

// contest: both sides roll and add the spaces of the set that they control; the first to win two rounds wins. Ties
// are rolled again. When the enemy wins the event is over.
func contest(w where) Step { return Step{Label: "contest", Act: &actContest, where: w} }

// contestRounds win a contest.
const contestRounds = 2

// actContest keeps the first die of a round in Result while it rolls the second, the number of rounds in N, and the
// won rounds in Won. The phasing player rolls first; in later rounds the side that rolled last rolls first.
var actContest = Act{run: func(r *Run, f *Frame, s *Step) error {
	p, first := r.p, r.p.Phasing
	if f.N%2 == 1 {
		first = first.Enemy()
	}
	roller := first
	if f.Result != 0 {
		roller = first.Enemy()
	}
	die, err := r.roll(ReasonContest, int(roller))
	if err != nil {
		return err
	}
	if f.Result == 0 {
		f.Result = int8(die)
		return nil
	}
	own, enemy := int(f.Result), f.Side.Enemy()
	if first != f.Side {
		own, die = die, own
	}
	f.Result = 0
	f.N++
	mine, theirs := controlled(f.Side, s.where)(p), controlled(enemy, s.where)(p)
	switch a, b := own+mine, die+theirs; {
	case a > b:
		f.Won[f.Side]++
	case b > a:
		f.Won[enemy]++
	}
	r.emit(EvContest, int(f.Side), own, mine, die, theirs, int(f.Won[f.Side]), int(f.Won[enemy]))
	switch {
	case f.Won[f.Side] == contestRounds:
		f.next()
	case f.Won[enemy] == contestRounds:
		r.emit(EvNoEffect, int(f.Card))
		f.end()
	}
	return nil
}}
