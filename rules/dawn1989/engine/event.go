package engine

import "samizdat/rules"

// scripts are the events by card number, filled in from the tables of the three
// periods.
var scripts [Cards][]Step

func init() {
	for _, table := range [...]map[Card][]Step{eventsEarly, eventsMiddle, eventsLate} {
		for c, steps := range table {
			seen := map[string]bool{}
			for _, s := range steps {
				if seen[s.Label] {
					panic("card " + c.String() + " has two steps " + s.Label)
				}
				seen[s.Label] = true
			}
			scripts[c] = steps
		}
	}
}

// prerequisites are the events that must have taken place before another can
// (rule 5.2, 11.3).
var prerequisites = map[Card]Card{
	Walesa:               SolidarityLegalized,
	MondayDemonstrations: StNicholasChurch,
	BalticWay:            Sajudis,
	BreakawayRepublics:   BalticWay,
	KremlinCoup:          BreakawayRepublics,
	MassacreInTimisoara:  LaszloTokes,
	TyrantIsGone:         CrowdTurns,
}

// forbidders are the events after which another can no longer take place.
var forbidders = map[Card]Card{
	GorbachevCharmsTheWest: BreakawayRepublics,
	Honecker:               Modrow,
	MaltaSummit:            KremlinCoup,
}

// Needs and ForbiddenBy are prerequisites and forbidders by card, 0 where there is none.
var Needs, ForbiddenBy [Cards]Card

func init() {
	for c, n := range prerequisites {
		Needs[c] = n
	}
	for c, n := range forbidders {
		ForbiddenBy[c] = n
	}
}

// Playable reports whether a card's event can take place now when a side
// carries it out (rule 5.2). An event that can take place may still have no
// effect.
func (p *Position) Playable(c Card, side Side) bool {
	if n := Needs[c]; n != 0 && !p.Effects.Happened.Has(n) {
		return false
	}
	if n := ForbiddenBy[c]; n != 0 && p.Effects.Happened.Has(n) {
		return false
	}
	switch c {
	case CommonEuropeanHome:
		return false
	case ReformerRehabilitated:
		return p.Tiananmen[side].Box > p.Tiananmen[side.Enemy()].Box
	case ChineseSolution:
		return p.Tiananmen[Communist].Box >= 7
	case InflationaryCurrency:
		return p.Powers(side.Enemy()) > 0
	case WorkersRevolt:
		return !p.revoltNeedsPower() || p.Powers(side.Enemy()) > 0
	case CentralCommittee:
		return p.Powers(Communist) > 0
	case DominoTheory:
		return p.Powers(Democrat) >= 2
	case ShockTherapy, SocialDemocraticPlatform:
		return p.Powers(Democrat) > 0
	}
	return true
}

// Powers counts the countries where a side holds Power.
func (p *Position) Powers(side Side) int {
	n := 0
	for c := EastGermany; c < Countries; c++ {
		if p.Power[c].Held == side {
			n++
		}
	}
	return n
}

// Resolver is the side that carries out a card's event when a side plays or
// triggers it: its owner, or for neutral cards the player.
func Resolver(c Card, player Side) Side {
	if s := c.Info().Side; s != Neutral {
		return s
	}
	return player
}

// begin starts a card's event. A card whose event cannot take place is
// discarded.
func (x *Run) begin(c Card, side Side) {
	p := x.p
	if !p.Playable(c, side) {
		x.say(EvNoEvent, int(c))
		x.leave(c, PileDiscard)
		return
	}
	p.Effects.Happened.Add(c)
	x.say(EvEvent, int(c), int(side))
	x.push(Frame{Proc: ProcEvent, Card: c, Side: side, Source: Source(c)})
}

// leave takes a card that was being resolved off the table.
func (x *Run) leave(c Card, to Pile) {
	if x.p.Piles[PileTable].Has(c) {
		x.p.Move(c, PileTable, to)
		x.say(EvCardTo, int(c), int(to))
	}
}

func runEvent(x *Run, f *Frame) error {
	steps := scripts[f.Card]
	if int(f.Step) >= len(steps) {
		x.finish(f)
		return nil
	}
	s := &steps[f.Step]
	return s.Act.run(x, f, s)
}

func answerEvent(x *Run, f *Frame, a rules.Atom) {
	s := &scripts[f.Card][f.Step]
	s.Act.answer(x, f, s, a)
}

func eventOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	// A stored position may claim a question that its step does not ask.
	if int(f.Step) >= len(scripts[f.Card]) || scripts[f.Card][f.Step].Act.options == nil {
		return dst
	}
	s := &scripts[f.Card][f.Step]
	return s.Act.options(p, f, s, dst)
}

// finish ends an event: a card with an asterisk leaves the game, another is
// discarded (rule 2.2.4), unless a step has put it somewhere else.
func (x *Run) finish(f *Frame) {
	to := PileDiscard
	if f.Card.Info().Asterisk {
		to = PileRemoved
	}
	c, with := f.Card, f.With
	x.pop()
	if with != 0 {
		x.leave(with, PileDiscard)
	}
	x.leave(c, to)
}

// next goes on to the following step of the event.
func (f *Frame) next() { f.Step, f.N = f.Step+1, 0 }

// end skips the rest of the event.
func (f *Frame) end() { f.Step = uint8(len(scripts[f.Card])) }

// EventStep is the step of the event that a frame stands at, or nil.
func (f *Frame) EventStep() *Step {
	if f.Proc != ProcEvent || int(f.Step) >= len(scripts[f.Card]) {
		return nil
	}
	return &scripts[f.Card][f.Step]
}

// StepsOf lists the steps of a card's event.
func StepsOf(c Card) []Step { return scripts[c] }
