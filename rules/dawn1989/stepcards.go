package dawn1989

import "samizdat/rules"

// The steps that score, last, roll, and use other cards.

// atOnce makes the verb of a step that asks nothing.
func atOnce(act func(x *Run, f *Frame, s *Step)) verb {
	return verb{run: func(x *Run, f *Frame, s *Step) error {
		f.next()
		act(x, f, s)
		return nil
	}}
}

// vp: n victory points, plus in the Democrat's direction.
func vp(n int) Step { return Step{Label: "vp", verb: &vpVerb, n: n} }

var vpVerb = atOnce(func(x *Run, f *Frame, s *Step) { x.vp(s.n, WhyEvent, int(f.Card)) })

// vpByPeriod: victory points by the period of the present turn.
func vpByPeriod(early, middle, late int) Step {
	return Step{Label: "vp", verb: &vpByPeriodVerb, value: func(p *Position) int {
		return [...]int{early, middle, late}[period(int(p.turn))]
	}}
}

var vpByPeriodVerb = atOnce(func(x *Run, f *Frame, s *Step) { x.vp(s.value(x.p), WhyEvent, int(f.Card)) })

// lasts: the card lies in play and its effect is in force.
func lasts() Step { return Step{Label: "lasts", verb: &lastsVerb} }

var lastsVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	x.p.force.cards.add(f.Card)
	x.say(EvInForce, int(f.Card), int(f.Side))
	x.leave(f.Card, PileInPlay)
})

// unless: when the test holds, the event takes place without effect.
func unless(test func(p *Position) bool) Step {
	return Step{Label: "unless", verb: &unlessVerb, test: test}
}

var unlessVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	if s.test(x.p) {
		x.say(EvNoEffect, int(f.Card))
		f.end()
	}
})

// ussr: the U.S.S.R. marker moves to a box (rule 12).
func ussr(box int) Step { return Step{Label: "ussr", verb: &ussrVerb, n: box} }

var ussrVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	x.p.ussr = int8(s.n)
	x.say(EvUSSR, s.n)
})

// extraRound: the Communist may take an eighth action round this turn.
func extraRound() Step { return Step{Label: "extra round", verb: &extraRoundVerb} }

var extraRoundVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	x.p.force.extraRound = true
	x.say(EvExtraRound)
})

// rollAbove: roll a die; unless it is higher than the value, the event is over.
func rollAbove(value func(p *Position) int) Step {
	return Step{Label: "roll", verb: &rollAboveVerb, value: value}
}

var rollAboveVerb = verb{run: func(x *Run, f *Frame, s *Step) error {
	die, err := x.roll(reasonEvent, int(f.Card))
	if err != nil {
		return err
	}
	v := s.value(x.p)
	x.say(EvRoll, int(f.Side), die, 0, die, v+1, flag(die > v), int(f.Card))
	f.next()
	if die <= v {
		f.end()
	}
	return nil
}}

// controlled counts the spaces of a set that a side controls.
func controlled(side Side, w where) func(p *Position) int {
	return func(p *Position) int { return p.controls[side].and(w.set).and(p.onMap()).len() }
}

// resolveDiscarded: choose a card of the discard pile, whose event takes place
// at once.
func resolveDiscarded(label string, which func(p *Position, side Side) CardSet) Step {
	return Step{Label: label, verb: &resolveDiscardedVerb, card: which}
}

var resolveDiscardedVerb = verb{
	run: func(x *Run, f *Frame, s *Step) error {
		switch set := s.card(x.p, f.Side); set.len() {
		case 0:
			f.next()
		case 1:
			x.resolveTaken(f, set.next())
		default:
			x.ask(Question{Ask: AskTake, Side: f.Side, Source: f.Source, Left: 1})
		}
		return nil
	},
	answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
		x.close()
		x.resolveTaken(f, Card(AtomValue(a)))
	},
	options: takeOptions,
}

func (x *Run) resolveTaken(f *Frame, c Card) {
	f.next()
	x.p.move(c, PileDiscard, PileTable)
	x.say(EvTaken, int(f.Side), int(c), 1)
	x.begin(c, f.Side)
}

func takeOptions(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
	set := s.card(p, f.Side)
	for c := set.next(); c != 0; c = set.next() {
		dst = append(dst, atom(VerbTake, 0, int(c)))
	}
	return declinable(p, dst)
}

// mayTakeDiscarded: a card of the discard pile may be taken into the hand.
func mayTakeDiscarded(label string, which func(p *Position, side Side) CardSet) Step {
	return Step{Label: label, verb: &mayTakeVerb, card: which}
}

var mayTakeVerb = verb{
	run: func(x *Run, f *Frame, s *Step) error {
		if s.card(x.p, f.Side).empty() {
			f.next()
			return nil
		}
		x.ask(Question{Ask: AskTake, Side: f.Side, Source: f.Source, Left: 1, May: true})
		return nil
	},
	answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
		x.close()
		f.next()
		if AtomVerb(a) == VerbPass {
			x.say(EvPassed, int(f.Side), int(AskTake), int(f.Source))
			return
		}
		c := Card(AtomValue(a))
		x.p.move(c, PileDiscard, hand(f.Side))
		x.p.known[f.Side].add(c)
		x.say(EvTaken, int(f.Side), int(c), 0)
	},
	options: takeOptions,
}

// struggle: a power struggle in a country, with its aftermath.
func struggle(c Country) Step { return Step{Label: "struggle", verb: &struggleVerb, n: int(c)} }

var struggleVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	x.push(Frame{Proc: ProcStruggle, Card: f.Card, Side: f.Side, Country: Country(s.n)})
})
