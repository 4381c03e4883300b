package engine

import (
	"fmt"
	"maps"
	"slices"

	"samizdat/rules"
)

// eventSteps are the steps of each card's event, from the tables in eventcards.go.
var eventSteps [Cards][]Step

func init() {
	events := map[Card][]Step{}
	for _, table := range [...]map[Card][]Step{eventsEarly, eventsMiddle, eventsLate} {
		maps.Copy(events, table)
	}
	for c := range eventSteps {
		eventSteps[c] = events[Card(c)]
		for _, s := range eventSteps[c] {
			if slices.Contains(eventLabels[c], s.Label) {
				panic(fmt.Sprintf("card %d has two steps %s", c, s.Label))
			}
			eventLabels[c] = append(eventLabels[c], s.Label)
		}
		eventLabels[c] = append(eventLabels[c], endOfEvent)
	}
}

// prerequisites has, for a card, another card. The event of the first can take place only after the event of the
// second (rules 5.2, 11.3). For example, Walesa needs Solidarity Legalized.
var prerequisites = map[Card]Card{
	Walesa:               SolidarityLegalized,
	MondayDemonstrations: StNicholasChurch,
	BalticWay:            Sajudis,
	BreakawayRepublics:   BalticWay,
	KremlinCoup:          BreakawayRepublics,
	MassacreInTimisoara:  LaszloTokes,
	TyrantIsGone:         CrowdTurns,
}

// exclusions has, for a card, another card. After the event of the second, the event of the first can no longer take
// place. For example, Modrow prevents Honecker.
var exclusions = map[Card]Card{
	GorbachevCharmsTheWest: BreakawayRepublics,
	Honecker:               Modrow,
	MaltaSummit:            KremlinCoup,
}

// Needs and ForbiddenBy are prerequisites and exclusions, indexed by card; 0 means that the card has none.
var Needs, ForbiddenBy [Cards]Card

func init() {
	for c, n := range prerequisites {
		Needs[c] = n
	}
	for c, n := range exclusions {
		ForbiddenBy[c] = n
	}
}

// IsEventPlayable reports whether the event of a card can take place now, carried out by this side (rule 5.2). A
// playable event may still have no effect.
func (p *Position) IsEventPlayable(c Card, side Side) bool {
	if n := Needs[c]; n != 0 && !p.Effects.PastEvents.Has(n) {
		return false
	}
	if n := ForbiddenBy[c]; n != 0 && p.Effects.PastEvents.Has(n) {
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
		return p.CountPowers(side.Enemy()) > 0
	case WorkersRevolt:
		return !p.isPowerNeededForRevolt() || p.CountPowers(side.Enemy()) > 0
	case CentralCommittee:
		return p.CountPowers(Communist) > 0
	case DominoTheory:
		return p.CountPowers(Democrat) >= 2
	case ShockTherapy, SocialDemocraticPlatform:
		return p.CountPowers(Democrat) > 0
	}
	return true
}

// CountPowers counts the countries where a side holds Power.
func (p *Position) CountPowers(side Side) int {
	n := 0
	for c := EastGermany; c < Countries; c++ {
		if p.Power[c].Holder == side {
			n++
		}
	}
	return n
}

// EventSide returns the side that carries out the event of a card: the side of the card, or player if the card is
// neutral.
func EventSide(c Card, player Side) Side {
	if s := c.Info().Side; s != Neutral {
		return s
	}
	return player
}

func (r *Run) beginEvent(c Card, side Side) {
	p := r.p
	if !p.IsEventPlayable(c, side) {
		r.emit(EvNoEvent, int(c))
		r.takeOffTable(c, PileDiscard)
		return
	}
	p.Effects.PastEvents.Add(c)
	r.emit(EvEvent, int(c), int(side))
	r.push(Frame{Proc: ProcEvent, Card: c, Side: side, Source: Source(c)})
}

// takeOffTable moves a card from the table to a pile. It does not move a card that a step of its event has already
// moved.
func (r *Run) takeOffTable(c Card, to Pile) {
	if r.p.Piles[PileTable].Has(c) {
		r.p.Move(c, PileTable, to)
		r.emit(EvCardMoved, int(c), int(to))
	}
}

func runEvent(r *Run, f *Frame) error {
	steps := eventSteps[f.Card]
	if int(f.Step) >= len(steps) {
		r.finishEvent(f)
		return nil
	}
	s := &steps[f.Step]
	return s.Act.run(r, f, s)
}

func answerEvent(r *Run, f *Frame, a rules.Atom) {
	s := &eventSteps[f.Card][f.Step]
	switch AtomVerb(a) {
	case VerbPass, VerbStop:
		r.declineQuestion()
		next := s.Act.onDecline
		if next == nil {
			next = nextStep
		}
		next(r, f)
	default:
		s.Act.answer(r, f, s, a)
	}
}

func appendEventAtoms(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	// A corrupt stored position may have a question at a step that asks none.
	if int(f.Step) >= len(eventSteps[f.Card]) || eventSteps[f.Card][f.Step].Act.options == nil {
		return dst
	}
	s := &eventSteps[f.Card][f.Step]
	return s.Act.options(p, f, s, dst)
}

// finishEvent ends an event. Its card leaves the game if it has an asterisk, and is discarded otherwise (rule 2.2.4).
// A card that a step has moved stays where it is.
func (r *Run) finishEvent(f *Frame) {
	to := PileDiscard
	if f.Card.Info().Asterisk {
		to = PileRemoved
	}
	c, secondCard := f.Card, f.SecondCard
	r.pop()
	if secondCard != 0 {
		r.takeOffTable(secondCard, PileDiscard)
	}
	r.takeOffTable(c, to)
}

func (f *Frame) goToNextStep() { f.Step, f.N = f.Step+1, 0 }

func (f *Frame) skipToEnd() { f.Step = uint8(len(eventSteps[f.Card])) }

// EventStep returns the current step of the event in this frame. It returns nil after the last step, and for other
// procedures.
func (f *Frame) EventStep() *Step {
	if f.Proc != ProcEvent || int(f.Step) >= len(eventSteps[f.Card]) {
		return nil
	}
	return &eventSteps[f.Card][f.Step]
}

// StepsOf returns the steps of a card's event.
func StepsOf(c Card) []Step { return eventSteps[c] }

// Conditions and numbers that the tables of events use.

func isWallFallen(p *Position) bool { return p.Effects.WallFallen }

// isTyrantGone reports whether the event of The Tyrant is Gone (card 97) has taken effect. While the card waits in
// play, it has not (rule 7.6.4).
func isTyrantGone(p *Position) bool { return p.Effects.TyrantGone }

func isArmyBacking(p *Position) bool { return p.Effects.PastEvents.Has(ArmyBacksRevolution) }

func controlsCzechWriters(p *Position) bool {
	return p.Controlled[Democrat].Has(FindSpace("Czech Writers"))
}

func hasNextTurn(p *Position) bool { return p.Turn < Turns }

func nonScoringDiscards(p *Position, _ Side) CardSet { return p.Piles[PileDiscard].Minus(ScoringCards) }

func scoringDiscards(p *Position, _ Side) CardSet {
	return p.Piles[PileDiscard].And(ScoringCards)
}

func playableDiscards(p *Position, side Side) CardSet {
	return nonScoringDiscards(p, side).filter(func(c Card) bool { return p.IsEventPlayable(c, EventSide(c, side)) })
}

func ownAsteriskDiscards(p *Position, side Side) CardSet {
	return playableDiscards(p, side).And(cardsOfSide[side]).filter(func(c Card) bool { return c.Info().Asterisk })
}

func fourIfAhead(p *Position, f *Frame) int {
	if int(p.VP)*f.Side.Sign() > 0 {
		return 4
	}
	return 2
}

func subtractCount(count func(p *Position) int) func(*Position, *Frame) int {
	return func(p *Position, _ *Frame) int { return -count(p) }
}

func enemyNeighboursModifier(p *Position, f *Frame) int {
	return -p.Neighbours(f.Space).And(p.Controlled[f.Side.Enemy()]).Len()
}

func enemyLabourModifier(p *Position, f *Frame) int {
	return -countControlledBy(f.Side.Enemy(), in(f.Country).of(Worker, Farmer))(p)
}

// countBalticEvents counts the events on the Baltic republics that have taken place. Each adds 1 to the die of card
// 110.
func countBalticEvents(p *Position, _ *Frame) int {
	n := 0
	for _, c := range [...]Card{Sajudis, BalticWay, BreakawayRepublics} {
		n += boolToInt(p.Effects.PastEvents.Has(c))
	}
	return n
}
