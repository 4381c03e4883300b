package engine

// The steps that roll dice.

// rollFor: roll a die and add the modifier; below the number needed the event is
// over.
func rollFor(need int, modifier func(p *Position, f *Frame) int) Step {
	return Step{Label: "roll", Act: &rollVerb, N: need, Value: modifier}
}

// rollAbove: roll a die; unless it is higher than the count, the event is over.
func rollAbove(count func(p *Position) int) Step {
	return rollFor(1, func(p *Position, _ *Frame) int { return -count(p) })
}

var rollVerb = Act{run: func(x *Run, f *Frame, s *Step) error {
	die, err := x.roll(ReasonEvent, int(f.Card))
	if err != nil {
		return err
	}
	m := s.Value(x.p, f)
	ok := die+m >= s.N
	x.say(EvRoll, int(f.Side), die, m, die+m, s.N, flag(ok), int(f.Card))
	f.next()
	if !ok {
		f.end()
	}
	return nil
}}

// rollTable: roll a die and look the result up, for the steps after it.
func rollTable(one, two, three, four, five, six int) Step {
	return Step{Label: "roll", Act: &rollTableVerb, table: [6]int{one, two, three, four, five, six}}
}

var rollTableVerb = Act{run: func(x *Run, f *Frame, s *Step) error {
	die, err := x.roll(ReasonEvent, int(f.Card))
	if err != nil {
		return err
	}
	f.next()
	f.Result = int8(s.table[die-1])
	x.say(EvTable, int(f.Side), die, int(f.Result), int(f.Card))
	return nil
}}

// rolled is what a die came to in an earlier step.
func rolled(_ *Position, f *Frame) int { return int(f.Result) }

// controlled counts the spaces of a set that a side controls.
func controlled(side Side, w where) func(p *Position) int {
	return func(p *Position) int { return p.Controls[side].And(w.set).And(p.OnMap()).Len() }
}

// contest: both sides roll and add the spaces of the set that they control; the
// first to win two rounds wins. Ties are rolled again. When the enemy wins the
// event is over.
func contest(w where) Step { return Step{Label: "contest", Act: &contestVerb, where: w} }

// contestRounds win a contest.
const contestRounds = 2

// contestVerb keeps the first die of a round in the frame's Result while the
// second is rolled, the rounds rolled in N, and the rounds won in Won. The
// phasing player begins; then whoever rolled last rolls first.
var contestVerb = Act{run: func(x *Run, f *Frame, s *Step) error {
	p, first := x.p, x.p.Phasing
	if f.N%2 == 1 {
		first = first.Enemy()
	}
	roller := first
	if f.Result != 0 {
		roller = first.Enemy()
	}
	die, err := x.roll(ReasonContest, int(roller))
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
	x.say(EvContest, int(f.Side), own, mine, die, theirs, int(f.Won[f.Side]), int(f.Won[enemy]))
	switch {
	case f.Won[f.Side] == contestRounds:
		f.next()
	case f.Won[enemy] == contestRounds:
		x.say(EvNoEffect, int(f.Card))
		f.end()
	}
	return nil
}}
