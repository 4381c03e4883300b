package words

import (
	"fmt"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Rash is rules.Game.Rash: whoever holds a Scoring Card at the end of a turn
// loses the match. An answer is rash after which there are more of them than action
// rounds to play them in, if another answer would have left no more.
func (Words) Rash(v rules.View, _ rules.Decision, atoms []rules.Atom) string {
	own := v.(*engine.View)
	p := &own.Seen
	side := p.SideOf(own.Seat())
	if side == engine.Neutral || len(atoms) == 0 || p.Question.Side != side || p.Phase != engine.PhaseRounds {
		return ""
	}
	now := burden{p.Piles[engine.HandOf(side)].And(engine.ScoringCards).Len(), roundsLeft(p, side)}
	if now.cards < now.rounds {
		return "" // No answer adds more than one.
	}
	after, best, asked := burdens(p, side, now, atoms)
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
func roundsLeft(p *engine.Position, side engine.Side) int {
	n := engine.RoundsATurn - int(p.Round)
	if side == engine.Democrat && p.Phasing == engine.Communist {
		n++ // The Communist plays first in a round.
	}
	if side == engine.Communist && p.Effects.ExtraRound {
		n++
	}
	return max(0, n)
}

// burdens are what an answer leaves and what the best one would, for the questions
// whose answers change it.
func burdens(p *engine.Position, side engine.Side, now burden, atoms []rules.Atom) (after, best burden, asked bool) {
	after, best = now, now
	scoring := func(a rules.Atom) int {
		if engine.Card(engine.AtomValue(a)).Info().Scoring != engine.NoCountry {
			return 1
		}
		return 0
	}
	switch q := &p.Question; {
	case q.Ask == engine.AskRound || q.Ask == engine.AskExtraRound || q.Ask == engine.AskStrike:
		after = afterPlay(p, side, now, atoms[0])
		for _, a := range p.Choices(nil) {
			if b := afterPlay(p, side, now, a); b.cards-b.rounds < best.cards-best.rounds {
				best = b
			}
		}
	case q.Ask == engine.AskDiscard && q.Source == engine.Source(engine.ExitVisas):
		best.cards = 0
		for _, a := range atoms {
			if engine.AtomVerb(a) == engine.VerbDiscard {
				after.cards -= scoring(a)
			}
		}
	case q.Ask == engine.AskCard && q.Source == engine.Source(engine.Samizdat):
		best.cards = max(0, now.cards-1)
		if engine.AtomVerb(atoms[0]) == engine.VerbChoose {
			after.cards -= scoring(atoms[0])
		}
	case q.Ask == engine.AskTake && q.Source == engine.SourceBox3:
		after.cards += scoring(atoms[0])
		if p.Piles[engine.PileShown].Minus(engine.ScoringCards).Empty() {
			best.cards++
		}
	default:
		return after, best, false
	}
	return after, best, true
}

// afterPlay is what a play leaves at its best: the event of card 75 may rid of every
// Scoring Card and that of card 77 of one, and that of card 15 gives a round.
func afterPlay(p *engine.Position, side engine.Side, b burden, a rules.Atom) burden {
	if engine.AtomVerb(a) != engine.VerbPlay {
		return b
	}
	c, m := engine.Card(engine.AtomValue(a)), engine.Mode(engine.AtomFlag(a))
	switch happens := m == engine.PlayEvent || m == engine.PlayBothFirst || m == engine.PlayBothAfter; {
	case c.Info().Scoring != engine.NoCountry:
		b.cards--
	case !happens || engine.Resolver(c, side) != side:
	case c == engine.ExitVisas:
		b.cards = 0
	case c == engine.Samizdat:
		b.cards = max(0, b.cards-1)
	case c == engine.Honecker && p.Round <= engine.RoundsATurn && !p.Effects.ExtraRound:
		b.rounds++
	}
	return b
}
