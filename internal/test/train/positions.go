package main

import (
	"maps"
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/robot"
	"samizdat/rules/search"
)

// position is a position of a match as the fit takes it.
type position struct {
	turn int8
	// indices and values are the features that are not 0.
	indices []uint16
	values  []float32
	// label is an estimate of the Democrat's chance, result the Democrat's result: 0, 0.5 or 1.
	label, result float32
	// isPlayedWell reports whether no random answer follows, so that the result counts.
	isPlayedWell bool
}

// estimate is an estimate of the Democrat's chance at a point of a match. After a random answer it is unknown.
type estimate struct {
	chance  float64
	isKnown bool
}

// positions returns the positions of the files of matches, those of a match together.
func (t *training) positions(paths []string) (out [][]position, err error) {
	for _, path := range paths {
		matches, err := readMatches(path)
		if err != nil {
			return nil, err
		}
		for _, seed := range slices.Sorted(maps.Keys(matches)) {
			found, err := t.replay(matches[seed])
			if err != nil {
				return nil, err
			}
			out = append(out, found)
		}
	}
	return out, nil
}

// replay plays a match again and returns the positions where simulations end: at the beginning of action rounds and turns. The
// label of a position is its lambda-return: with lambda 0.7, 0.3 of the chance that the search at this position found, 0.7 * 0.3
// of the one at the next, and so on to the result.
func (t *training) replay(m *played) (out []position, err error) {
	// estimates are the searches at the beginning of action rounds, and the random answers. nexts are the indices of the first
	// estimate at or after each position.
	var estimates []estimate
	var nexts []int
	take := func(p *engine.Position) {
		out, nexts = append(out, newPosition(p)), append(nexts, len(estimates))
	}
	play, n := uint32(0), 0
	result, err := playThrough(m.Seed, func(p *engine.Position, options []rules.Atom) rules.Atom {
		chance := m.Chances[n]
		begins := p.PlayNumber() != play && robot.IsRoundQuestion(p.Question.Kind)
		if begins {
			take(p)
		}
		play = p.PlayNumber()
		switch kind := p.Question.Kind; {
		case chance == noChance && len(options) > 1 && kind != engine.AskBid && kind != engine.AskSide:
			estimates = append(estimates, estimate{})
		case chance != noChance && begins:
			estimates = append(estimates, estimate{float64(chance) / search.Certain, true})
		}
		n++
		return m.Answers[n-1]
	}, take)
	if err != nil {
		return nil, err
	}
	returns, lastRandom := t.lambdaReturns(estimates, result)
	kept := out[:0]
	for i, p := range out {
		if r := returns[nexts[i]]; r.isKnown {
			p.label, p.result, p.isPlayedWell = float32(r.chance), float32(result), nexts[i] > lastRandom
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// lambdaReturns returns the lambda-return from each estimate on and after the last, and the index of the last unknown estimate, or
// -1.
func (t *training) lambdaReturns(estimates []estimate, result float64) (returns []estimate, lastRandom int) {
	returns, lastRandom = make([]estimate, len(estimates)+1), -1
	next := estimate{result, true}
	returns[len(estimates)] = next
	for i, e := range slices.Backward(estimates) {
		if !e.isKnown {
			lastRandom = max(lastRandom, i)
		} else if next.isKnown {
			e.chance += t.lambda * (next.chance - e.chance)
		}
		returns[i], next = e, e
	}
	return returns, lastRandom
}

func newPosition(p *engine.Position) position {
	out := position{turn: p.Turn}
	for i, v := range robot.ComputeFeatures(p) {
		if v != 0 {
			out.indices, out.values = append(out.indices, uint16(i)), append(out.values, float32(v)/search.Unit)
		}
	}
	return out
}
