package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/robot"
	"samizdat/rules/search"
)

// played is a match of a robot against itself.
type played struct {
	Seed    uint64       `json:"seed"`
	Answers []rules.Atom `json:"answers"`
	// Chances holds for each answer the Democrat's chance to win that the search for it found, in parts of search.Certain, or
	// noChance.
	Chances []int `json:"chances"`
}

// noChance marks an answer without a search: a forced or a random answer.
const noChance = -1

// readMatches reads a file of matches. A missing file has none.
func readMatches(path string) (map[uint64]*played, error) {
	out := map[uint64]*played{}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	for lines := json.NewDecoder(bytes.NewReader(data)); err == nil; {
		m := new(played)
		if err = lines.Decode(m); err == nil {
			out[m.Seed] = m
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return out, nil
}

// playMatches plays the matches of a generation that its file does not have, and appends each to the file.
func (t *training) playMatches(ctx context.Context, l *robot.Evaluator, path string, firstSeed uint64) error {
	matches, err := readMatches(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	var mu sync.Mutex
	var failed error
	next := firstSeed
	take := func() (uint64, bool) {
		mu.Lock()
		defer mu.Unlock()
		for matches[next] != nil {
			next++
		}
		next++
		return next - 1, next <= firstSeed+uint64(t.games) && failed == nil && ctx.Err() == nil
	}
	var wait sync.WaitGroup
	for range t.processors {
		wait.Go(func() {
			for seed, more := take(); more; seed, more = take() {
				m, err := t.playMatch(l, seed)
				mu.Lock()
				if err == nil {
					err = json.NewEncoder(file).Encode(m)
				}
				failed = cmp.Or(failed, err)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return cmp.Or(failed, ctx.Err())
}

// playMatch plays one match. In every second match one answer out of eight is taken at random up to some turn, so that the
// leaf learns of unusual positions too.
func (t *training) playMatch(l *robot.Evaluator, seed uint64) (*played, error) {
	var random search.Lot
	random.Seed(seed, 3)
	s := robot.Level(3)
	s.Evaluator, s.Simulations, s.Horizon = l, t.simulations, t.horizon
	r := robot.NewSearcher(s, seed)
	lastRandomTurn := int8(0)
	if seed%2 == 1 {
		lastRandomTurn = int8(1 + rules.RandomBelow(&random, 8))
	}
	m := &played{Seed: seed}
	_, err := playThrough(seed, func(p *engine.Position, options []rules.Atom) rules.Atom {
		a, chance := options[rules.RandomBelow(&random, len(options))], noChance
		if p.Turn > lastRandomTurn || rules.RandomBelow(&random, 8) != 0 {
			a = r.Choose(func() rules.View { return p.View(p.SeatOfSide[p.Question.Side]) }, rules.Decision{}, options)
			if best, ok := r.BestChance(); ok {
				chance = best
				if p.Question.Side == engine.Communist {
					chance = search.Certain - best
				}
			}
		}
		m.Answers, m.Chances = append(m.Answers, a), append(m.Chances, chance)
		return a
	}, func(*engine.Position) {})
	return m, err
}

// playThrough plays a match with the chance of a seed to its end, and returns the Democrat's result. It calls answer for each
// answer, and beginTurn with the first position of each turn.
func playThrough(seed uint64, answer func(p *engine.Position, options []rules.Atom) rules.Atom,
	beginTurn func(p *engine.Position)) (result float64, err error) {
	var lot search.Lot
	lot.Seed(seed, 1)
	begun, err := engine.Rules{}.Begin(rules.Setup{Seats: 2, Revision: engine.Rules{}.Revision()})
	if err != nil {
		return 0, err
	}
	p := begun.(*engine.Position)
	x := engine.Run{Chance: &lot}
	var room [engine.MaxOptions]rules.Atom
	for p.Ending == engine.NotOver {
		x.Events = x.Events[:0]
		if p.Question.Kind != engine.AskNothing {
			p.AnswerQuestion(&x, answer(p, p.LegalAtoms(room[:0])))
			continue
		}
		turn := p.Turn
		if err := p.Step(&x); err != nil {
			return 0, fmt.Errorf("match %d: %w", seed, err)
		}
		if p.Turn > turn && p.Ending == engine.NotOver {
			beginTurn(p)
		}
	}
	return resultOf(p), nil
}
