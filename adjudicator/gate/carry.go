// Package gate checks every answer of a player before the engine sees it. Letters, previews, robots, replay and verification
// use it, so a game never gets an answer from a seat without an open decision, or an illegal atom.
//
//   - An answer takes effect as a whole or not at all, on a copy of the position.
//   - An answer goes to an open decision of its own seat, of the kind that the answer is for (rules.Answer.Fits). If
//     there are several, the answer goes to the first decision for which its first atom is legal.
//   - Each atom is legal in the position after the atoms before it.
//   - After its first atom, an answer continues with the seat's decision that is Midway (rules.Decision.Midway). This may be
//     a new decision, e.g. about the Operations of a played card. If atoms remain and no decision is Midway, the answer is
//     too long (*TooLongError). If a decision is Midway after the last atom, the gate adds its Stop, the atom that ends an
//     answer early (rules.Decision.Stop); without a Stop, the answer is too short (*TooShortError).
//   - If the source of chance has no further outcome after the last atom, the answer is valid and the position is stalled
//     (Result.Stalled).
//   - The engine must not ask for chance in the middle of an answer: if the rest of the answer were refused, the player would
//     know the outcome and could answer again. If the engine does so, the gate returns ErrChanceMidAnswer.
//
// For example, "PLACE Gdansk 2" with three points to place is refused with a *TooShortError.
//
// Refusals are of the types *NoOpenDecisionError, *NotAskedError, *IllegalError, *TooShortError and *TooLongError.
// ExplainRefusal turns them into words of the game.
package gate

import (
	"errors"
	"fmt"
	"slices"

	"samizdat/rules"
)

// Result is the result of an executed answer.
type Result struct {
	Position rules.Position
	Decision rules.Decision
	// Atoms are the atoms of the answer, with the Stop if the gate added it.
	Atoms  []rules.Atom
	Events []rules.Event
	// Stalled is set if the position waits for dice or cards, because the source of chance has no further outcome.
	Stalled bool
	// Private is set if only the seat may know the answer.
	Private bool
}

// Execute executes a seat's answer on a copy of the position. Refusals wrap ErrRefused; other
// errors come from the engine or from chance.
//
// For a sealed answer use Check, which uses no outcome: the caller stores the answer, and opens the group later with ExecuteSealed. A
// ballot is only checked; CountBallots counts its group.
func Execute(pos rules.Position, seat rules.Seat, a rules.Answer, c rules.Chance) (Result, error) {
	exec, err := beginExecution(pos, seat, a, c)
	if err != nil {
		return Result{}, err
	}
	apply := exec.applyAtoms
	if exec.decision.Ballot {
		apply = exec.checkBallot
	}
	if err := apply(a.Atoms); err != nil {
		return Result{}, err
	}
	return exec.result, nil
}

// Check is Execute without chance. It checks an answer and returns its result up to the first die or draw.
func Check(pos rules.Position, seat rules.Seat, a rules.Answer) (Result, error) {
	return Execute(pos, seat, a, NoChance{})
}

// NoChance is a source of chance without outcomes.
type NoChance struct{}

// Roll returns rules.ErrNoOutcome.
func (NoChance) Roll(rules.Reason) (int, error) { return 0, rules.ErrNoOutcome }

// Draw returns rules.ErrNoOutcome.
func (NoChance) Draw(rules.Draw) (int, error) { return 0, rules.ErrNoOutcome }

type execution struct {
	seat     rules.Seat
	chance   *countingChance
	decision rules.Decision
	result   Result
}

func beginExecution(pos rules.Position, seat rules.Seat, a rules.Answer, c rules.Chance) (*execution, error) {
	copied := pos.Clone()
	decisions := copied.OpenDecisions(nil)
	var seatDecisions, matching []rules.Decision
	for _, d := range decisions {
		if d.Seat != seat {
			continue
		}
		seatDecisions = append(seatDecisions, d)
		if a.Fits(d) {
			matching = append(matching, d)
		}
	}
	switch {
	case len(seatDecisions) == 0:
		return nil, &NoOpenDecisionError{Seat: seat, OtherDecisions: decisions}
	case len(matching) == 0:
		return nil, &NotAskedError{Answer: a, OpenDecisions: seatDecisions}
	case len(a.Atoms) == 0:
		return nil, &TooShortError{Decision: matching[0], Options: copied.Options(nil, matching[0].ID), Before: copied}
	}
	first := slices.IndexFunc(matching, func(d rules.Decision) bool { return isOption(copied.Options(nil, d.ID), a.Atoms[0]) })
	chosen := matching[max(first, 0)]
	return &execution{seat: seat, chance: &countingChance{Chance: c}, decision: chosen,
		result: Result{Position: copied, Decision: chosen, Private: chosen.Private}}, nil
}

func (e *execution) applyAtoms(atoms []rules.Atom) error {
	for i, a := range atoms {
		midway, err := e.applyAtom(i, a)
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
			return &TooLongError{Decision: e.result.Decision, Needed: i + 1, Atoms: atoms}
		case midway && isLast:
			return e.finishWithStop()
		}
	}
	return nil
}

func (e *execution) finishWithStop() error {
	pos, d := e.result.Position, e.decision
	if d.Stop == 0 {
		return &TooShortError{Decision: d, Options: pos.Options(nil, d.ID), Before: pos}
	}
	midway, err := e.applyAtom(len(e.result.Atoms), d.Stop)
	if err == nil && midway {
		return fmt.Errorf("decision %d continues after its stop", d.ID)
	}
	return err
}

// applyAtom applies one atom and reports whether the answer must continue.
func (e *execution) applyAtom(i int, a rules.Atom) (midway bool, err error) {
	pos, d := e.result.Position, e.decision
	options := pos.Options(nil, d.ID)
	if !isOption(options, a) {
		return false, &IllegalError{Decision: d, Atom: a, Index: i, Options: options, Before: pos}
	}
	e.result.Events, err = pos.Apply(d.ID, a, e.chance, e.result.Events)
	if errors.Is(err, rules.ErrNoOutcome) {
		e.result.Stalled, err = true, nil
		// A stalled position has no open decision. If a decision is open, the engine stopped in the middle of an
		// answer.
		if len(pos.OpenDecisions(nil)) > 0 {
			err = fmt.Errorf("%w: decision %d", ErrChanceMidAnswer, d.ID)
		}
	}
	if err != nil {
		return false, fmt.Errorf("apply an answer to decision %d: %w", d.ID, err)
	}
	e.result.Atoms = append(e.result.Atoms, a)
	e.result.Private = e.result.Private || d.Private
	decisions := pos.OpenDecisions(nil)
	next := slices.IndexFunc(decisions, func(o rules.Decision) bool { return o.Seat == e.seat && o.Midway })
	switch {
	case next < 0:
		return false, nil
	case e.chance.requests > 0:
		return false, fmt.Errorf("%w: decision %d", ErrChanceMidAnswer, d.ID)
	}
	e.decision = decisions[next]
	return true, nil
}

// isOption reports whether an atom is among the sorted options.
func isOption(options []rules.Atom, a rules.Atom) bool {
	_, ok := slices.BinarySearch(options, a)
	return ok
}

type countingChance struct {
	rules.Chance
	requests int
}

func (c *countingChance) Roll(reason rules.Reason) (int, error) {
	c.requests++
	return c.Chance.Roll(reason)
}

func (c *countingChance) Draw(d rules.Draw) (int, error) {
	c.requests++
	return c.Chance.Draw(d)
}

// ErrNoAnswer is returned for a decision that a robot cannot answer.
var ErrNoAnswer = errors.New("no legal answer")

// ChooseAnswer returns the answer of a robot to an open decision. The robot chooses one atom after the other, from the view of the
// decision's seat. ChooseAnswer does not change pos, and uses no chance: the answer ends where the game needs chance.
func ChooseAnswer(pos rules.Position, d rules.Decision, r rules.Robot) ([]rules.Atom, error) {
	pos = pos.Clone()
	seat := d.Seat
	var atoms []rules.Atom
	for {
		options := pos.Options(nil, d.ID)
		if len(options) == 0 {
			return nil, fmt.Errorf("%w to %q %s", ErrNoAnswer, d.Kind, d.Source)
		}
		a := r.Choose(func() rules.View { return pos.View(seat) }, d, options)
		if atoms = append(atoms, a); d.Ballot {
			return atoms, nil
		}
		if _, err := pos.Apply(d.ID, a, NoChance{}, nil); errors.Is(err, rules.ErrNoOutcome) {
			return atoms, nil
		} else if err != nil {
			return nil, err
		}
		decisions := pos.OpenDecisions(nil)
		i := slices.IndexFunc(decisions, func(o rules.Decision) bool { return o.Seat == seat && o.Midway })
		if i < 0 {
			return atoms, nil
		}
		d = decisions[i]
	}
}

// ErrMustAnswer is the error of SilentAnswer for a decision without a default answer (rules.SilenceWaits).
var ErrMustAnswer = errors.New("the match waits for this answer, however long it takes")

// LotDrawer draws lots for silent seats.
type LotDrawer interface {
	// DrawLot returns the index of the option that is drawn.
	DrawLot(l LotRequest) (int, error)
}

// LotRequest is a request to draw an option for a silent seat.
type LotRequest struct {
	Seat    rules.Seat
	Options []string
	// Hidden is set if only the seat may know the outcome and the number of options.
	Hidden bool
}

// SilentAnswer returns the default answer to an open decision. Each atom is the first option or, for rules.SilenceLot,
// an option drawn by lot. The position is not changed. formatOrder writes an option as an order.
func SilentAnswer(pos rules.Position, d rules.Decision, formatOrder func([]rules.Atom) string, lots LotDrawer) (rules.Answer, error) {
	out := rules.Answer{Kinds: []string{d.Kind}, Source: d.Source, Plain: d.Source == "", Ballot: d.Ballot}
	if d.Silence == rules.SilenceWaits {
		return out, ErrMustAnswer
	}
	exec := execution{seat: d.Seat, chance: &countingChance{Chance: NoChance{}}, decision: d,
		result: Result{Position: pos.Clone(), Decision: d}}
	for {
		options := exec.result.Position.Options(nil, exec.decision.ID)
		if len(options) == 0 {
			return out, fmt.Errorf("decision %d has no options", exec.decision.ID)
		}
		i := 0
		if d.Silence == rules.SilenceLot {
			request := LotRequest{Seat: d.Seat, Hidden: d.Private}
			for _, a := range options {
				request.Options = append(request.Options, formatOrder([]rules.Atom{a}))
			}
			var err error
			if i, err = lots.DrawLot(request); err != nil {
				return out, fmt.Errorf("answer decision %d by lot: %w", d.ID, err)
			}
		}
		out.Atoms = append(out.Atoms, options[i])
		if d.Ballot {
			return out, nil
		}
		midway, err := exec.applyAtom(len(out.Atoms)-1, options[i])
		if err != nil {
			return out, err
		}
		if _, over := exec.result.Position.Result(); !midway || over {
			return out, nil
		}
	}
}
