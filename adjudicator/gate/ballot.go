package gate

import (
	"errors"
	"fmt"

	"samizdat/rules"
)

// errNoTeller blames an engine that asks for ballots and cannot count them.
var errNoTeller = errors.New("the game asks for ballots and does not count them")

// Tally counts a whole group of ballots, one a decision, and returns what is
// published of them. Declare makes it take effect.
func Tally(pos rules.Position, answers []Sealed) (outcome []byte, err error) {
	t, ok := pos.Clone().(rules.Teller)
	if !ok {
		return nil, errNoTeller
	}
	var ballots []rules.Ballot
	for _, s := range answers {
		r, err := Check(pos, s.Seat, s.Answer)
		if err != nil {
			return nil, fmt.Errorf("the ballot of seat %d: %w", s.Seat, err)
		}
		ballots = append(ballots, rules.Ballot{Decision: r.Decision, Atom: r.Atoms[0]})
	}
	if len(ballots) == 0 {
		return nil, &Incomplete{}
	}
	if err := complete(pos, ballots[0].Decision.Group, answers); err != nil {
		return nil, err
	}
	return t.Tally(ballots)
}

// Declare gives the outcome of a group of ballots to a copy of the position. What comes
// of it holds no ballot.
func Declare(pos rules.Position, group uint32, outcome []byte, c rules.Chance) (Opened, error) {
	t, ok := pos.Clone().(rules.Teller)
	if !ok {
		return Opened{}, errNoTeller
	}
	out := Opened{Position: t}
	var err error
	out.Events, err = t.Declare(group, outcome, c, nil)
	if errors.Is(err, rules.ErrNoOutcome) {
		out.Stalled, err = true, nil
	}
	if err != nil {
		return Opened{}, fmt.Errorf("declare the outcome of group %d: %w", group, err)
	}
	return out, nil
}

// cast checks a ballot, which is one atom. Nothing takes effect.
func (x *carrying) cast(atoms []rules.Atom) error {
	pos, d := x.result.Position, x.decision
	options := pos.Options(nil, d.ID)
	switch {
	case !isOption(options, atoms[0]):
		return &Illegal{Decision: d, Atom: atoms[0], Options: options, Before: pos}
	case len(atoms) > 1:
		return &Long{Decision: d, Used: 1, Atoms: atoms}
	}
	x.result.Atoms = atoms
	return nil
}
