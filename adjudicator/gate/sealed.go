package gate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"samizdat/rules"
)

// SealedAnswer is one seat's answer to a sealed decision.
type SealedAnswer struct {
	Seat   rules.Seat
	Answer rules.Answer
}

// GroupResult is the result of a group of sealed answers or ballots.
type GroupResult struct {
	Position rules.Position
	// Answers are the answers in the order of seats. Result.Events of each answer are the events of this answer; Result.Position is nil.
	Answers []ExecutedAnswer
	Events  []rules.Event
	// Stalled is set if the match waits for dice or cards after the last answer.
	Stalled bool
}

// ExecutedAnswer is a seat's answer with its result.
type ExecutedAnswer struct {
	Seat   rules.Seat
	Result Result
}

// IncompleteError is the error of a group in which answers are missing.
type IncompleteError struct {
	Missing []rules.Decision
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("%d sealed answers are missing", len(e.Missing))
}

// ExecuteSealed executes a group of sealed answers, one for each seat, on a copy of the position and in the order of seats. All answers
// take effect or none. For ballots use CountBallots.
func ExecuteSealed(pos rules.Position, answers []SealedAnswer, c rules.Chance) (GroupResult, error) {
	answers = slices.Clone(answers)
	slices.SortStableFunc(answers, func(a, b SealedAnswer) int { return cmp.Compare(a.Seat, b.Seat) })
	if len(answers) == 0 {
		return GroupResult{}, &IncompleteError{}
	}
	out := GroupResult{Position: pos}
	var group uint32
	for i, sealed := range answers {
		if out.Stalled {
			return GroupResult{}, fmt.Errorf("execute the next sealed answer of the group: %w", ErrChanceMidAnswer)
		}
		r, err := Execute(out.Position, sealed.Seat, sealed.Answer, c)
		if err != nil {
			return GroupResult{}, fmt.Errorf("sealed answer of seat %d: %w", sealed.Seat, err)
		}
		if i == 0 {
			group = r.Decision.Group
			if err := checkComplete(pos, group, answers); err != nil {
				return GroupResult{}, err
			}
		}
		if !r.Decision.Sealed || r.Decision.Ballot || r.Decision.Group != group {
			return GroupResult{}, fmt.Errorf("sealed answer of seat %d: %w", sealed.Seat,
				&NotAskedError{Answer: sealed.Answer, OpenDecisions: []rules.Decision{r.Decision}})
		}
		out.Position, out.Stalled = r.Position, r.Stalled
		out.Events = append(out.Events, r.Events...)
		r.Position = nil
		out.Answers = append(out.Answers, ExecutedAnswer{Seat: sealed.Seat, Result: r})
	}
	return out, nil
}

func checkComplete(pos rules.Position, group uint32, answers []SealedAnswer) error {
	var missing []rules.Decision
	for _, d := range pos.OpenDecisions(nil) {
		hasAnswer := slices.ContainsFunc(answers, func(s SealedAnswer) bool { return s.Seat == d.Seat })
		if d.Sealed && d.Group == group && !hasAnswer {
			missing = append(missing, d)
		}
	}
	if len(missing) > 0 {
		return &IncompleteError{Missing: missing}
	}
	return nil
}

var errNoBallotCounter = errors.New("the game has no rules.BallotCounter for its ballots")

// CountBallots counts a group of ballots, one for each decision, and returns the published outcome.
// ApplyBallots executes the outcome.
func CountBallots(g *rules.Game, pos rules.Position, answers []SealedAnswer) (outcome []byte, err error) {
	if g.Ballots == nil {
		return nil, errNoBallotCounter
	}
	var ballots []rules.Ballot
	for _, sealed := range answers {
		r, err := Check(pos, sealed.Seat, sealed.Answer)
		if err != nil {
			return nil, fmt.Errorf("the ballot of seat %d: %w", sealed.Seat, err)
		}
		ballots = append(ballots, rules.Ballot{Decision: r.Decision, Atom: r.Atoms[0]})
	}
	if len(ballots) == 0 {
		return nil, &IncompleteError{}
	}
	if err := checkComplete(pos, ballots[0].Decision.Group, answers); err != nil {
		return nil, err
	}
	return g.Ballots.CountBallots(ballots)
}

// ApplyBallots applies the tally of a group of ballots to a copy of the position. GroupResult.Answers stays empty, so that the result
// does not show who voted for what.
func ApplyBallots(g *rules.Game, pos rules.Position, group uint32, outcome []byte, c rules.Chance) (GroupResult, error) {
	if g.Ballots == nil {
		return GroupResult{}, errNoBallotCounter
	}
	out := GroupResult{Position: pos.Clone()}
	var err error
	out.Events, err = g.Ballots.ApplyOutcome(out.Position, group, outcome, c, nil)
	if errors.Is(err, rules.ErrNoOutcome) {
		out.Stalled, err = true, nil
	}
	if err != nil {
		return GroupResult{}, fmt.Errorf("apply the outcome of the ballots of group %d: %w", group, err)
	}
	return out, nil
}

// checkBallot checks that the answer is a single legal atom. The ballot is not executed: CountBallots counts it later.
func (e *execution) checkBallot(atoms []rules.Atom) error {
	pos, d := e.result.Position, e.decision
	options := pos.Options(nil, d.ID)
	switch {
	case !isOption(options, atoms[0]):
		return &IllegalError{Decision: d, Atom: atoms[0], Options: options, Before: pos}
	case len(atoms) > 1:
		return &TooLongError{Decision: d, Needed: 1, Atoms: atoms}
	}
	e.result.Atoms = atoms
	return nil
}
