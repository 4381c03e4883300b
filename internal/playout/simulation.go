package playout

import (
	"errors"
	"slices"

	"samizdat/rules"
)

func newSimulation(g *rules.Game, s rules.Setup) (rules.Simulation, error) {
	if g.NewSimulation != nil {
		return g.NewSimulation(s)
	}
	start, err := g.Begin(s)
	if err != nil {
		return nil, err
	}
	return &plainSimulation{game: g, start: start}, nil
}

// plainSimulation plays any game by the methods of rules.Position, which check that answers are legal. Seats with open
// decisions are asked in turn. Sealed answers, for example simultaneous choices of cards, are executed when all seats
// of the group have answered.
type plainSimulation struct {
	game          *rules.Game
	start, pos    rules.Position
	chance        rules.Chance
	openDecisions []rules.Decision
	askedIndex    int
	options       []rules.Atom
	events        []rules.Event
	// sealed holds the answers of a group of sealed decisions while another decision of the group has no answer.
	sealed map[rules.DecisionID]rules.Atom
}

func (s *plainSimulation) Begin(c rules.Chance) (err error) {
	s.pos, s.chance, s.sealed = s.start.Clone(), c, map[rules.DecisionID]rules.Atom{}
	s.events, err = s.pos.Resume(c, s.events[:0])
	return err
}

func (s *plainSimulation) Ask() (rules.Decision, []rules.Atom, bool) {
	s.openDecisions = s.pos.OpenDecisions(s.openDecisions[:0])
	s.askedIndex = slices.IndexFunc(s.openDecisions, func(d rules.Decision) bool { _, answer := s.sealed[d.ID]; return !answer })
	if s.askedIndex < 0 {
		return rules.Decision{}, nil, false
	}
	d := s.openDecisions[s.askedIndex]
	s.options = s.pos.Options(s.options[:0], d.ID)
	return d, s.options, true
}

func (s *plainSimulation) View() rules.View { return s.pos.View(s.openDecisions[s.askedIndex].Seat) }

func (s *plainSimulation) Answer(a rules.Atom) (err error) {
	if len(s.openDecisions) == 0 || s.askedIndex < 0 {
		return errors.New("no decision is open")
	}
	d := s.openDecisions[s.askedIndex]
	if !d.Sealed || d.Max > 1 {
		s.events, err = s.pos.Apply(d.ID, a, s.chance, s.events[:0])
		return err
	}
	s.sealed[d.ID] = a
	var group []rules.Ballot
	for _, o := range s.openDecisions {
		if !o.Sealed || o.Group != d.Group {
			continue
		}
		answer, ok := s.sealed[o.ID]
		if !ok {
			return nil
		}
		group = append(group, rules.Ballot{Decision: o, Atom: answer})
	}
	return s.openSealed(group)
}

func (s *plainSimulation) openSealed(group []rules.Ballot) (err error) {
	clear(s.sealed)
	s.events = s.events[:0]
	if group[0].Decision.Ballot {
		outcome, err := s.game.Ballots.CountBallots(group)
		if err == nil {
			s.events, err = s.game.Ballots.ApplyOutcome(s.pos, group[0].Decision.Group, outcome, s.chance, s.events)
		}
		return err
	}
	for _, b := range group {
		if s.events, err = s.pos.Apply(b.Decision.ID, b.Atom, s.chance, s.events); err != nil {
			return err
		}
	}
	return nil
}

// Turn returns 0, because positions do not count turns.
func (s *plainSimulation) Turn() int { return 0 }

// Statistics leaves dst unchanged: positions have no statistics.
func (s *plainSimulation) Statistics(dst []rules.Statistic) []rules.Statistic { return dst }

func (s *plainSimulation) Result() (rules.Result, bool) { return s.pos.Result() }
