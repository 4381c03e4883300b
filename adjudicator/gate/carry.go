package gate

import (
	"errors"
	"fmt"
	"slices"

	"samizdat/rules"
)

// Result is the result of an executed answer.
type Result struct {
	// Position is the new position.
	Position rules.Position
	// Decision is the answered decision.
	Decision rules.Decision
	// Atoms are the atoms of the answer, with an added Stop if needed.
	Atoms []rules.Atom
	// Events are the events of the answer.
	Events []rules.Event
	// Stalled is set if chance ran out; the position then waits for chance.
	Stalled bool
	// Private is set if only the seat may know the answer.
	Private bool
}

// Execute executes a seat's answer on a copy of the position. Refusals wrap ErrRefused; other
// errors come from the engine or from chance.
//
// For a sealed answer use Check, which spends no outcome: the caller stores the answer and later
// opens the group with ExecuteSealed. A ballot is only checked; CountBallots counts its group.
func Execute(pos rules.Position, seat rules.Seat, a rules.Answer, c rules.Chance) (Result, error) {
	x, err := beginExecution(pos, seat, a, c)
	if err != nil {
		return Result{}, err
	}
	give := x.applyAtoms
	if x.decision.Ballot {
		give = x.checkBallot
	}
	if err := give(a.Atoms); err != nil {
		return Result{}, err
	}
	return x.result, nil
}

// Check works like Execute without chance. It checks an answer and shows its results up to the first outcome of
// chance.
func Check(pos rules.Position, seat rules.Seat, a rules.Answer) (Result, error) {
	return Execute(pos, seat, a, NoChance{})
}

// NoChance is a source of chance without outcomes.
type NoChance struct{}

// Roll returns rules.ErrNoOutcome.
func (NoChance) Roll(rules.Reason) (int, error) { return 0, rules.ErrNoOutcome }

// Draw returns rules.ErrNoOutcome.
func (NoChance) Draw(rules.Draw) (int, error) { return 0, rules.ErrNoOutcome }

// execution is the state of executing an answer.
type execution struct {
	seat   rules.Seat
	chance *countingChance
	// decision is the decision for the next atom.
	decision rules.Decision
	result   Result
}

func beginExecution(pos rules.Position, seat rules.Seat, a rules.Answer, c rules.Chance) (*execution, error) {
	work := pos.Clone()
	owed := work.OpenDecisions(nil)
	var mine, fit []rules.Decision
	for _, d := range owed {
		if d.Seat != seat {
			continue
		}
		mine = append(mine, d)
		if a.Fits(d) {
			fit = append(fit, d)
		}
	}
	switch {
	case len(mine) == 0:
		return nil, &NoOpenDecisionError{Seat: seat, OthersToMove: owed}
	case len(fit) == 0:
		return nil, &NotAskedError{Answer: a, OpenDecisions: mine}
	case len(a.Atoms) == 0:
		return nil, &TooShortError{Decision: fit[0], Options: work.Options(nil, fit[0].ID), Before: work}
	}
	first := slices.IndexFunc(fit, func(d rules.Decision) bool { return isOption(work.Options(nil, d.ID), a.Atoms[0]) })
	chosen := fit[max(first, 0)]
	return &execution{seat: seat, chance: &countingChance{Chance: c}, decision: chosen,
		result: Result{Position: work, Decision: chosen, Private: chosen.Private}}, nil
}

func (e *execution) applyAtoms(atoms []rules.Atom) error {
	for i, a := range atoms {
		midway, err := e.apply(i, a)
		if err != nil {
			return err
		}
		isLast := i == len(atoms)-1
		if _, over := e.result.Position.Result(); over {
			// After a victory in the middle of an answer the remaining atoms are ignored.
			return nil
		}
		switch {
		case !midway && !isLast:
			return &TooLongError{Decision: e.result.Decision, Used: i + 1, Atoms: atoms}
		case midway && isLast:
			return e.finish()
		}
	}
	return nil
}

func (e *execution) finish() error {
	pos, d := e.result.Position, e.decision
	if d.Stop == 0 {
		return &TooShortError{Decision: d, Options: pos.Options(nil, d.ID), Before: pos}
	}
	midway, err := e.apply(len(e.result.Atoms), d.Stop)
	if err == nil && midway {
		return fmt.Errorf("decision %d goes on after its stop", d.ID)
	}
	return err
}

// apply applies one atom and reports whether the answer must continue.
func (e *execution) apply(i int, a rules.Atom) (midway bool, err error) {
	pos, d := e.result.Position, e.decision
	options := pos.Options(nil, d.ID)
	if !isOption(options, a) {
		return false, &IllegalError{Decision: d, Atom: a, Index: i, Options: options, Before: pos}
	}
	e.result.Events, err = pos.Apply(d.ID, a, e.chance, e.result.Events)
	if errors.Is(err, rules.ErrNoOutcome) {
		e.result.Stalled, err = true, nil
		// A stalled position has no open decision; with one, the engine stopped in the middle of an
		// answer.
		if len(pos.OpenDecisions(nil)) > 0 {
			err = fmt.Errorf("%w: decision %d", ErrMidwayChance, d.ID)
		}
	}
	if err != nil {
		return false, fmt.Errorf("apply an answer to decision %d: %w", d.ID, err)
	}
	e.result.Atoms = append(e.result.Atoms, a)
	e.result.Private = e.result.Private || d.Private
	owed := pos.OpenDecisions(nil)
	next := slices.IndexFunc(owed, func(o rules.Decision) bool { return o.Seat == e.seat && o.Midway })
	switch {
	case next < 0:
		return false, nil
	case e.chance.asked > 0:
		return false, fmt.Errorf("%w: decision %d", ErrMidwayChance, d.ID)
	}
	e.decision = owed[next]
	return true, nil
}

// isOption searches the sorted options.
func isOption(options []rules.Atom, a rules.Atom) bool {
	_, ok := slices.BinarySearch(options, a)
	return ok
}

type countingChance struct {
	rules.Chance
	asked int
}

// Roll rolls and counts.
func (c *countingChance) Roll(why rules.Reason) (int, error) {
	c.asked++
	return c.Chance.Roll(why)
}

func (c *countingChance) Draw(d rules.Draw) (int, error) {
	c.asked++
	return c.Chance.Draw(d)
}
