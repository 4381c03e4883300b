package dawn1989

import (
	"fmt"

	"samizdat/rules"
)

var _ rules.Cautious = Game{}

// Rash implements rules.Cautious: whoever holds a Scoring Card at the end of a turn
// loses the match. An answer is rash after which there are more of them than action
// rounds to play them in, if another answer would have left no more.
func (Game) Rash(v rules.View, _ rules.Decision, atoms []rules.Atom) string {
	own := v.(*View)
	p := &own.p
	side := p.sideOf(own.seat)
	if side == Neutral || len(atoms) == 0 || p.question.Side != side || p.phase != PhaseRounds {
		return ""
	}
	now := burden{p.piles[hand(side)].and(scoringCards).len(), p.roundsLeft(side)}
	if now.cards < now.rounds {
		return "" // No answer adds more than one.
	}
	after, best, asked := p.burdens(side, now, atoms)
	if !asked || after.bearable() || !best.bearable() {
		return ""
	}
	s := "s"
	if after.cards == 1 {
		s = ""
	}
	return fmt.Sprintf("You would hold %d Scoring Card%s, with %d of your action rounds left in this turn, and whoever holds one at the "+
		"end of the turn loses the match.", after.cards, s, after.rounds)
}

// burden are the Scoring Cards in a hand, and the rounds left to play them in.
type burden struct{ cards, rounds int }

func (b burden) bearable() bool { return b.cards <= b.rounds }

// roundsLeft is how many action rounds a side has in this turn besides one that is
// under way.
func (p *Position) roundsLeft(side Side) int {
	n := roundsATurn - int(p.round)
	if side == Democrat && p.phasing == Communist {
		n++ // The Communist plays first in a round.
	}
	if side == Communist && p.force.extraRound {
		n++
	}
	return max(0, n)
}

// burdens are what an answer leaves and what the best one would, for the questions
// whose answers change it.
func (p *Position) burdens(side Side, now burden, atoms []rules.Atom) (after, best burden, asked bool) {
	after, best = now, now
	scoring := func(a rules.Atom) int { return flag(Card(AtomValue(a)).Info().Scoring != NoCountry) }
	switch q := &p.question; {
	case q.Ask == AskRound || q.Ask == AskExtraRound || q.Ask == AskStrike:
		after = p.afterPlay(side, now, atoms[0])
		for _, a := range p.Choices(nil) {
			if b := p.afterPlay(side, now, a); b.cards-b.rounds < best.cards-best.rounds {
				best = b
			}
		}
	case q.Ask == AskDiscard && q.Source == Source(ExitVisas):
		best.cards = 0
		for _, a := range atoms {
			if AtomVerb(a) == VerbDiscard {
				after.cards -= scoring(a)
			}
		}
	case q.Ask == AskCard && q.Source == Source(Samizdat):
		best.cards = max(0, now.cards-1)
		if AtomVerb(atoms[0]) == VerbChoose {
			after.cards -= scoring(atoms[0])
		}
	case q.Ask == AskTake && q.Source == SourceBox3:
		after.cards += scoring(atoms[0])
		if p.piles[PileShown].minus(scoringCards).empty() {
			best.cards++
		}
	default:
		return after, best, false
	}
	return after, best, true
}

// afterPlay is what a play leaves at its best: the event of card 75 may rid of every
// Scoring Card and that of card 77 of one, and that of card 15 gives a round.
func (p *Position) afterPlay(side Side, b burden, a rules.Atom) burden {
	if AtomVerb(a) != VerbPlay {
		return b
	}
	c, m := Card(AtomValue(a)), Mode(AtomFlag(a))
	switch happens := m == PlayEvent || m == PlayBothFirst || m == PlayBothAfter; {
	case c.Info().Scoring != NoCountry:
		b.cards--
	case !happens || resolver(c, side) != side:
	case c == ExitVisas:
		b.cards = 0
	case c == Samizdat:
		b.cards = max(0, b.cards-1)
	case c == Honecker && p.round <= roundsATurn && !p.force.extraRound:
		b.rounds++
	}
	return b
}
